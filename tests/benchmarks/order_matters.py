"""Does order matter? Tables 1 and 2 on questions that depend on order and on a control set, five folds by storm.

Facts at forecast horizons alone: no changes, nothing known in hindsight; sections shuffled. Transition model and
weights see the storms of the other folds only; the state reader sees sentences in the order given and never a label.
HGWORK_ORDER names the tables to make (main, grid, position, templates), all by default; "templates" needs the public
data. HGWORK_ORDER_QUESTIONS is the number of questions (default 800; 2400 is all), a quarter as many control
questions are added. Vectors, models and run files are kept in the bench folder.
"""

import os
import time
from pathlib import Path

import numpy as np
import pandas as pd

import hgwork as hg
from hgwork.answer.state_reader import LabelReader, StateReader
from hgwork.evaluation.ablations import Searches, comparison, needed_at, paper_methods, shuffled
from hgwork.evaluation.answer_tables import answer_table, cells, difference_table, needed_positions
from hgwork.evaluation.bootstrap import bootstrap_means
from hgwork.evaluation.experiment import by_fold, run_methods
from hgwork.evaluation.order_questions import control_questions, grade, order_questions
from hgwork.evaluation.run_files import RunFile, read_runs, write_qrels, write_trec
from hgwork.evaluation.template_mix import template_scores
from hgwork.evaluation.template_questions import (
    choose_scenarios,
    count_unanswerable,
    scenario_hypergraph,
    template_questions,
)
from hgwork.evaluation.template_reader import TemplateReader, score_template
from hgwork.evaluation.trajectory_measures import CONTENT, ORDER, SequenceMeasures, compare_orders
from hgwork.evaluation.tuning import score_weights, tune_weights, weight_grid
from hgwork.order.transitions import TransitionModel, read_features
from hgwork.retrieval import Retriever, Weights
from hgwork.retrieval.kind_relevance import KindRetriever
from hgwork.retrieval.orders import LearnedOrder

ROOT = Path(__file__).parents[2]
SHARED = Path(os.environ.get("HGWORK_SHARED_DATA", ROOT.parent / "shared" / "data"))
TABLES = ("main", "grid", "position", "templates")
LENGTH, START = 8, Weights(order=0, precedence=0.3, continuity=0.05, coverage=0)
STEPS = {"coverage": (0.0, 0.25, 0.5), "continuity": (0.0, 0.05, 0.2), "order": (0.0, 0.05, 0.3)}
TUNED_ON = 80
SHOWN = (
    *("sentences, dense", "binary graph", "unordered hypergraph", "top-k", "entity expansion, by horizon", "beam"),
    *("viterbi", "dag", "dag, shuffled", "dag without labels", "dag, heuristic order"),
)


def tables(folder: Path) -> dict[str, pd.DataFrame]:
    wanted = os.environ.get("HGWORK_ORDER", ",".join(TABLES)).split(",")
    size = int(os.environ.get("HGWORK_ORDER_QUESTIONS", "800"))
    scene = Scene(folder, size) if set(wanted) - {"templates"} else None
    found: dict[str, pd.DataFrame] = {}
    for name in TABLES:
        if name in wanted:
            start = time.time()
            found |= globals()[f"_{name}"](scene if name != "templates" else folder)
            print(f"{name}: {time.time() - start:.0f} s", flush=True)
    return found


class Scene:
    """Corpus, questions and what is trained in each fold, each made once."""

    def __init__(self, folder: Path, size: int):
        self.folder = folder
        self.embedder = hg.models.embedder(cache=folder / "vectors")
        self.H = self._facts(folder / "transitions-shuffled.parquet")
        self.P = hg.order.precedence(self.H)
        self.features = read_features(self.H, self.embedder)
        parts = [order_questions(self.H, n=size), control_questions(self.H, n=size // 4)]
        self.questions = pd.concat(
            [part.assign(set=name) for part, name in zip(parts, ("order", "control"), strict=True)]
        )
        self.questions = self.questions.reset_index(drop=True)
        self.measures = SequenceMeasures(self.P, self.H.edges["phase"])
        self.tuned: dict[int, pd.DataFrame] = {}
        self._prepared: dict[int, tuple] = {}

    def _facts(self, path: Path) -> hg.Hypergraph:
        if path.exists():
            return hg.read(path)
        H = hg.order.build(hg.datasets.cyclones(), "cyclones").hypergraph
        kept = (H.edges["family"] != "cross_horizon") & (H.edges["horizon"] > 0).fillna(False).astype(bool)
        H = H.subgraph(edges=H.edges.index[kept])
        hg.write(H, path)
        return H

    def model(self, fold) -> TransitionModel:
        path = self.folder / f"order-matters-{fold.number}-{fold.seed}"
        if path.exists():
            return TransitionModel.load(path, self.embedder).read(self.features)
        model = TransitionModel().fit(self.features, self.P, groups=fold.train, rng=fold.seed)
        model.save(path)
        return model

    def searches(self, fold):
        """By precedence, and without labels; weights tuned on training questions."""
        if fold.number in self._prepared:
            return self._prepared[fold.number]
        about = {"vectors": self.features.vectors, "signature": self.embedder.signature}
        model = self.model(fold)
        ranks = LearnedOrder(self.H, model).ranks()
        searches = Searches(KindRetriever(self.H, self.P, model, self.embedder, **about), LENGTH)
        plain = Searches(Retriever(self.H, self.P, None, self.embedder, **about), LENGTH)
        bare = KindRetriever(self.H, None, None, self.embedder, ranks=ranks, with_anchors=False, **about)
        asked = fold.questions[fold.questions["set"] == "order"]
        sample = asked.iloc[np.random.default_rng(fold.seed).permutation(len(asked))[:TUNED_ON]]
        searches.retriever.encode(self.questions["question"].tolist())
        bare._query_vectors = plain.retriever._query_vectors = searches.retriever._query_vectors
        weights, tried = tune_weights(score_weights(searches, sample, StateReader(), grade), START, STEPS)
        self.tuned[fold.number] = tried
        print(f"fold {fold.number}: {weights}", flush=True)
        self._prepared[fold.number] = searches, plain, Searches(bare, LENGTH), ranks, weights
        return self._prepared[fold.number]

    def run(self, name: str, methods, questions=None, readers=None) -> pd.DataFrame:
        """Results by fold; the run file of an earlier, broken-off run is gone on with if HGWORK_ORDER_RESUME is set."""
        questions = self.questions if questions is None else questions
        readers = readers or {"state": StateReader()}
        path = self.folder / f"order-matters-{name}.jsonl"
        if "HGWORK_ORDER_RESUME" not in os.environ:
            path.unlink(missing_ok=True)
            path.with_name(path.name + ".part").unlink(missing_ok=True)
        with RunFile(path) as run:
            options = {"measures": self.measures, "run": run, "settings": {"corpus": "cyclones", "rng": 0}}
            found = by_fold(self.features, self.P, questions, methods, readers, grade, rng=0, **options)
        return found.merge(self.questions[["question_id", "set", "reports"]], on="question_id")


def _main(scene: Scene) -> dict[str, pd.DataFrame]:
    def methods(fold):
        searches, plain, bare, ranks, weights = scene.searches(fold)
        made = paper_methods(searches, weights, learned=ranks, unlabelled=bare)
        made["top-k, plain cosine"] = plain.method("topk", weights)
        made["dag, plain cosine"] = plain.method("dag", weights)
        made["dag, plain cosine, shuffled"] = shuffled(made["dag, plain cosine"])
        return made

    results = scene.run("main", methods)
    runs = read_runs(scene.folder / "order-matters-main.jsonl")
    write_trec(scene.folder / "order-matters.trec", runs)
    write_qrels(scene.folder / "order-matters.qrels", scene.questions)
    order = results[results["set"] == "order"]
    control = results[results["set"] == "control"]
    labels = _labels(scene)
    second = [name for name in dict.fromkeys(order["method"]) if _is_ablation(name)]
    first = [name for name in dict.fromkeys(order["method"]) if name not in second]
    scores = answer_table(order)
    return {
        "Table 1: methods, state reader": _with_interval(order, first),
        "Table 1 by kind": cells(scores.loc[first], 2),
        "Table 2: ablations, state reader": _with_interval(order, second),
        "Table 2 by kind": cells(scores.loc[second], 2),
        "label reader, which sorts by the horizon label": labels,
        "control set": _with_interval(control, first),
        "differences, order questions (points)": _points(difference_table(order, _pairs())),
        "differences, control set (points)": _points(
            difference_table(control, [("dag", "top-k"), ("dag", "dag, shuffled")])
        ),
        "aims": _aims(order, control),
        "measures": _measured(scene, order),
        "by position of the needed evidence": needed_positions(order[order["method"].isin(SHOWN)]).round(3),
        "weights chosen": pd.concat({k: t[t["best"]] for k, t in scene.tuned.items()}, names=["fold"]).droplevel(1),
        "weights tried": pd.concat(scene.tuned, names=["fold"]).droplevel(1).round(3),
    }


def _is_ablation(name: str) -> bool:
    return any(sign in name for sign in ("(", "−", ", no order", ", heuristic order")) or name == "beam, learned order"


def _pairs() -> list[tuple[str, str]]:
    return [
        ("dag", "top-k"), ("dag", "unordered hypergraph"), ("dag", "dag, shuffled"), ("dag", "dag, reversed"),
        ("dag", "dag, by horizon"), ("dag", "top-k, by horizon"), ("dag", "entity expansion, by horizon"),
        ("dag", "beam"), ("beam", "top-k"), ("beam", "beam, shuffled"), ("dag without labels", "top-k"),
        ("dag without labels", "dag without labels, shuffled"), ("top-k, learned order", "top-k"),
        ("dag, plain cosine", "top-k, plain cosine"), ("dag, plain cosine", "dag, plain cosine, shuffled"),
    ]  # fmt: skip


def _aims(order: pd.DataFrame, control: pd.DataFrame) -> pd.DataFrame:
    wanted = [
        ("best over top-k", "dag", "top-k", order, "value >= 25, low > 20"),
        ("best over its shuffle", "dag", "dag, shuffled", order, "value >= 25, low > 20"),
        ("without labels over top-k", "dag without labels", "top-k", order, "value >= 15"),
        ("best over top-k by horizon", "dag", "top-k, by horizon", order, "value >= -2"),
        ("best over entity expansion by horizon", "dag", "entity expansion, by horizon", order, "value >= -2"),
        ("control set: best over top-k", "dag", "top-k", control, "value >= -1"),
    ]
    rows = {}
    for name, method, other, results, aim in wanted:
        row = _points(difference_table(results, [(method, other)])).iloc[0]
        value, low = row["value"], row["low"]
        met = {"value >= 25, low > 20": value >= 25 and low > 20}.get(aim)
        rows[name] = row.to_dict() | {"aim": aim, "met": bool(value >= float(aim.split()[-1])) if met is None else met}
    return pd.DataFrame(rows).T


def _labels(scene: Scene) -> pd.DataFrame:
    questions = scene.questions[scene.questions["set"] == "order"]
    questions = questions.iloc[np.random.default_rng(1).permutation(len(questions))[:300]]

    def methods(fold):
        searches, _, _, _, weights = scene.searches(fold)
        base = {"top-k": searches.method("topk", weights), "dag": searches.method("dag", weights)}
        return base | {"dag, shuffled": shuffled(base["dag"], 3)}

    readers = {"state": StateReader(), "label": LabelReader()}
    return cells(answer_table(scene.run("labels", methods, questions, readers), None, rows=["method", "reader"]))


def _with_interval(results: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    return bootstrap_means(results).loc[names].round(3)


def _points(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(**{name: (100 * table[name]).round(1) for name in ("value", "low", "high")})


def _measured(scene: Scene, order: pd.DataFrame) -> pd.DataFrame:
    """Order and content of one sequence a question and method, with other orders of it beside."""
    first = order[order["method"].isin(SHOWN) & (order["repeat"] == 0)]
    needed = scene.questions.set_index("question_id")["needed"]
    rows = first[["question_id", "storm", "group", "method", "edges"]].assign(needed=first["question_id"].map(needed))
    table = compare_orders(scene.measures, rows, rng=0)
    keys = ["method", "sequence"]
    return table.groupby(keys, sort=False)[[*ORDER, *CONTENT]].mean().round(3)


def _grid(scene: Scene) -> dict[str, pd.DataFrame]:
    """Score on training questions of the first fold over λ and ρ: the heatmap of sensitivity."""
    found = {}

    def methods(fold):
        if not found:
            searches = scene.searches(fold)[0]
            asked = fold.questions[fold.questions["set"] == "order"]
            sample = asked.iloc[np.random.default_rng(7).permutation(len(asked))[:TUNED_ON]]
            for search in ("dag", "beam"):
                evaluate = score_weights(searches, sample, StateReader(), grade, search)
                steps = {"order": (0, 0.05, 0.3, 1.2), "coverage": (0, 0.25, 0.5, 1)}
                found[f"sensitivity of {search} (training questions of one fold)"] = weight_grid(evaluate, steps, START)
        return {}

    by_fold(scene.features, scene.P, scene.questions, methods, {}, grade, rng=0)
    return found


def _position(scene: Scene) -> dict[str, pd.DataFrame]:
    """Needed evidence moved to the beginning, middle and end of the list, in its own order."""
    questions = scene.questions[scene.questions["set"] == "order"]
    questions = questions.iloc[np.random.default_rng(2).permutation(len(questions))[:300]]

    def methods(fold):
        searches, _, _, _, weights = scene.searches(fold)
        base = searches.method("dag", weights)
        return {where: needed_at(base, where) for where in ("first", "middle", "last")}

    return {
        "position of the needed evidence (control)": bootstrap_means(scene.run("position", methods, questions)).round(3)
    }


def _templates(folder: Path) -> dict[str, pd.DataFrame]:
    """The published questions on 30 storms: what changes when evidence is put in order."""
    path = SHARED / "cyportqa.tar.gz"
    if not path.exists():
        return {f"left out: no public data in {SHARED} (set HGWORK_SHARED_DATA)": pd.DataFrame()}
    data = hg.datasets.cyportqa(path)
    pairs = choose_scenarios(data, 30)
    H = scenario_hypergraph(path, data, pairs)
    P = hg.order.precedence(H)
    retriever = KindRetriever(H, P, None, hg.models.embedder(cache=folder / "vectors"))
    questions = template_questions(data, pairs, per_template=20)
    questions = questions[questions["type"] != "TD"]
    retriever.encode(questions["query"].tolist())
    made = comparison(Searches(retriever, LENGTH), START)
    kept = {name: method for name, method in made.items() if "raw" not in name}
    found = {"left out, no answer on record": count_unanswerable(data)}
    for flag, title in ((False, "evidence up to the horizon"), (True, "hindsight questions, hindsight allowed")):
        asked = questions[questions["hindsight"]] if flag else questions[~questions["hindsight"]]
        few = kept if not flag else {name: kept[name] for name in ("top-k", "dag")}
        results = run_methods(few, asked, {"templates": TemplateReader(flag, H.edges)}, score_template)
        found[f"CyPortQA templates, {title}"] = template_scores(results).round(3)
        if not flag:
            found["CyPortQA templates, differences (points)"] = _points(
                difference_table(results, [("dag", "top-k"), ("dag", "dag, shuffled"), ("dag", "beam")])
            )
    return found
