"""An experiment asks what it says, once, of the right storms; ablations change one thing; tables count by hand."""

import numpy as np
import pandas as pd
import pytest

import hgwork as hg
from hgwork.answer.reading import Reading
from hgwork.answer.state_reader import StateReader
from hgwork.evaluation.ablations import Searches, ablation, comparison, needed_at, paper_methods, reordered, shuffled
from hgwork.evaluation.answer_tables import answer_table, cells, difference_table, needed_positions
from hgwork.evaluation.experiment import Method, by_fold, run_methods
from hgwork.evaluation.order_questions import control_questions, grade, order_questions
from hgwork.evaluation.run_files import RunFile, read_runs
from hgwork.evaluation.trajectory_measures import SequenceMeasures
from hgwork.evaluation.tuning import score_weights, tune_weights, weight_grid
from hgwork.order import precedence
from hgwork.order.transitions import BASELINES, read_features
from hgwork.retrieval import Retriever, Weights
from hgwork.retrieval.kind_relevance import KindRetriever
from hgwork.retrieval.orders import LearnedOrder
from tests.order.transition_scenarios import WordEmbedder, scenarios


class Topics(WordEmbedder):
    """One dimension a storm and one for winds: the winds of a storm are what a question about them is most like."""

    @property
    def signature(self):
        return "topics"

    def _compute(self, texts):
        words = [f"STORM{s}" for s in range(6)] + ["winds"]
        return np.array([[word in text for word in words] + [0.1] for text in texts], np.float32)


LENGTH = 6


@pytest.fixture(scope="module")
def scene():
    """Six storms, four reports of four facts; a question a storm, about the last wind."""
    H = scenarios(storms=6)
    embedder = Topics(8)
    P, features = precedence(H), read_features(H, embedder)
    model = BASELINES["rules"]().fit(features, P)
    searches = Searches(Retriever(H, P, model, embedder), LENGTH)
    rows = []
    for s, group in enumerate(P.groups):
        winds = H.edges[(H.edges["group"] == group) & (H.edges["relation"] == "has_cyclone_state")]
        rows.append(
            {"question_id": f"q{s}", "question": f"What winds has STORM{s}?", "kind": "ab"[s % 2], "type": "SA",
             "storm": f"STORM{s}", "group": group, "answer": winds["text"].iloc[-1], "needed": list(winds.index)}
        )  # fmt: skip
    return H, P, features, searches, pd.DataFrame(rows)


class LastWind:
    """Knows what it read last, as a reader that keeps the state of things does."""

    def read(self, question, trajectories, **_):
        texts = [text for found in trajectories for text in found.sentences if "has winds" in text]
        return texts[-1] if texts else None


def exact(question, answer):
    return float(answer == question["answer"])


def run(scene, methods, **options):
    _, P, _, _, questions = scene
    return run_methods(methods, questions, {"state": LastWind()}, exact, measures=SequenceMeasures(P), **options)


WEIGHTS = Weights(order=0, precedence=0, continuity=0, coverage=0)


def test_the_order_of_the_same_steps_decides_for_a_reader_that_keeps_the_state(scene):
    _, _, _, searches, _ = scene
    dag = searches.method("dag", WEIGHTS)
    table = run(scene, {"dag": dag, "reversed": reordered(dag, "reversed"), "shuffled": shuffled(dag, 5)})
    mean = table.groupby("method")["right"].mean()
    assert mean["dag"] == 1 and mean["reversed"] < 0.5 < mean["dag"] - 0.2 and mean["shuffled"] < 0.9
    same = table.groupby("question_id")["edges"].agg(lambda lists: len({frozenset(edges) for edges in lists}))
    assert (same == 1).all()  # all three read the same set
    assert (table.loc[table["method"] == "dag", "tau"] == 1).all()
    assert (table.loc[table["method"] == "reversed", "tau"] == -1).all()


def test_a_row_holds_what_was_asked_and_found(scene):
    _, _, _, searches, questions = scene
    table = run(scene, {"dag": searches.method("dag", WEIGHTS)})
    row = table.iloc[3]
    names = ["question_id", "kind", "storm", "method", "reader", "repeat"]
    assert row[names].tolist() == ["q3", "b", "STORM3", "dag", "state", 0]
    assert row["expected"] == questions["answer"].iloc[3] and len(row["edges"]) == LENGTH and row["seconds"] > 0
    held = len(set(row["edges"]) & set(questions["needed"].iloc[3])) / 4
    assert row["needed_coverage"] == held and row["purity"] == 1


def test_methods_and_readers_may_be_plain_functions_that_find_nothing(scene):
    *_, questions = scene
    table = run_methods({"none": lambda q: []}, questions, {"mute": lambda q, found: None}, lambda q, a: None)
    assert table["right"].isna().all() and table["edges"].map(len).eq(0).all() and table["needed_position"].isna().all()


def test_questions_need_ids_of_their_own(scene):
    *_, questions = scene
    with pytest.raises(ValueError, match="no column 'question_id'"):
        run_methods({}, questions.drop(columns="question_id"), {}, exact)
    with pytest.raises(ValueError, match="question 'q0' stands twice"):
        run_methods({}, pd.concat([questions, questions]), {}, exact)


def test_a_shuffle_is_drawn_by_question_and_repeat_alone(scene):
    *_, searches, questions = scene
    mixed = shuffled(searches.method("dag", WEIGHTS), 5)
    question, other = questions.to_dict("records")[:2]
    several = [tuple(mixed(question, k)[0].edges) for k in range(5)]
    mixed(other, 0)
    assert tuple(mixed(question, 0)[0].edges) == several[0] and len(set(several)) > 1
    with pytest.raises(ValueError, match="times=0"):
        shuffled(mixed, 0)


def test_repeats_are_averaged_in_tables_and_counted_once(scene):
    *_, searches, questions = scene
    table = run(scene, {"s": shuffled(searches.method("dag", WEIGHTS), 5)})
    assert len(table) == 5 * len(questions)
    row = answer_table(table).loc["s"]
    assert (
        row["all", "questions"] == 6
        and row["a", "questions"] == 3
        and np.isclose(row["all", "value"], table["right"].mean())
    )


def test_a_run_file_spares_what_was_answered_under_the_same_settings(scene, tmp_path):
    *_, searches, questions = scene
    asked = []

    def counted(question):
        asked.append(question["question_id"])
        return searches.find(question, "dag", WEIGHTS)

    methods = {"dag": Method(counted, settings={"length": LENGTH})}
    with RunFile(tmp_path / "r.jsonl") as file:
        first = run(scene, methods, run=file)
    with RunFile(tmp_path / "r.jsonl") as file:
        second = run(scene, methods, run=file)
        assert len(asked) == len(questions)
        run(scene, {"dag": Method(counted, settings={"length": 7})}, run=file)
    assert len(asked) == 2 * len(questions) and len(read_runs(tmp_path / "r.jsonl")) == 2 * len(questions)
    pd.testing.assert_frame_equal(first, second)


def test_one_retrieval_serves_all_readers(scene):
    *_, searches, questions = scene
    asked = []

    def counted(question):
        asked.append(1)
        return searches.find(question, "topk", WEIGHTS)

    run_methods({"m": counted}, questions, {"one": LastWind(), "two": lambda q, found: None}, exact)
    assert len(asked) == len(questions)


def test_no_storm_is_asked_by_methods_that_saw_it(scene):
    _, P, features, searches, questions = scene
    folds = []

    def methods(fold):
        folds.append(fold)
        return {"dag": searches.method("dag", WEIGHTS)}

    table = by_fold(
        features,
        P,
        questions,
        methods,
        {"state": LastWind()},
        exact,
        model=BASELINES["attribute counts"],
        folds=3,
        rng=1,
    )
    assert sorted(table["question_id"]) == sorted(questions["question_id"])
    for fold in folds:
        asked = set(table.loc[table["fold"] == fold.number, "storm"])
        assert asked and not asked & {group.split("/")[0] for group in fold.train}
        assert not asked & set(fold.questions["storm"]) and fold.model is not None
    assert len({fold.seed for fold in folds}) == 3
    with pytest.raises(ValueError, match="the group 'ELSE/Where'"):
        by_fold(features, P, questions.assign(group="ELSE/Where"), methods, {}, exact)


def test_ablations_take_one_term_away(scene):
    *_, searches, _ = scene
    weights = Weights(order=0.4, precedence=0.3, continuity=0.2, coverage=0.5)
    found = ablation(searches, weights, "beam", learned=pd.Series(dtype=float))
    for sign, name in (("λ", "order"), ("μ", "precedence"), ("ν", "continuity"), ("ρ", "coverage")):
        given = found[f"beam − {sign}"].settings["weights"]
        assert {key for key, value in given.items() if value != getattr(weights, key)} == {name} and given[name] == 0
    assert found["beam (full)"].settings["weights"]["order"] == 0.4
    assert found["beam (shuffled)"].repeats == 5
    none = found["beam, no order"].settings["weights"]
    assert none["order"] == none["precedence"] == 0 and none["coverage"] == 0.5


def test_every_method_of_the_tables_keeps_to_the_budget(scene):
    H, P, features, searches, questions = scene
    model = BASELINES["rules"]().fit(features, P)
    learned = LearnedOrder(H, model)
    unlabelled = Searches(Retriever(H, embedder=searches.retriever.embedder, ranks=learned.ranks()), LENGTH)
    methods = paper_methods(searches, WEIGHTS, learned=learned, unlabelled=unlabelled, shuffles=2)
    table = run_methods(methods, questions.head(2), {"state": LastWind()}, exact)
    assert set(table["method"]) == set(methods) and table["edges"].map(len).max() == LENGTH
    assert table["edges"].map(lambda edges: len(edges) == len(set(edges))).all()
    wide = table[table["repeat"] == 0].set_index(["question_id", "method"])["edges"]
    assert wide["q0", "dag"] == wide["q0", "dag (full)"] == wide["q0", "dag, reversed"][::-1]
    assert comparison(searches, WEIGHTS).keys() < methods.keys()


def test_needed_evidence_is_moved_and_nothing_else_changes(scene):
    *_, searches, questions = scene
    base = searches.method("dag", WEIGHTS)
    question = questions.iloc[0].to_dict() | {"needed": base(questions.iloc[0].to_dict())[0].edges[1:4:2]}
    plain = base(question)[0].edges
    rest = [edge for edge in plain if edge not in question["needed"]]
    moved = {where: needed_at(base, where)(question)[0].edges for where in ("first", "middle", "last")}
    assert moved["first"] == [*question["needed"], *rest] and moved["last"] == [*rest, *question["needed"]]
    assert moved["middle"] == [*rest[:2], *question["needed"], *rest[2:]]
    with pytest.raises(ValueError, match="where='top'"):
        needed_at(base, "top")


def results(*rows):
    columns = ["question_id", "storm", "kind", "method", "right", "needed_position"]
    return pd.DataFrame(rows, columns=columns).assign(reader="r")


def test_tables_by_hand():
    table = results(
        ("q1", "A", "x", "m", 1, 0.0), ("q2", "B", "y", "m", 1, 0.5), ("q3", "B", "y", "m", 0, 1.0),
        ("q1", "A", "x", "n", 0, 0.1), ("q2", "B", "y", "n", None, None), ("q3", "B", "y", "n", 0, 0.9),
    )  # fmt: skip
    found = answer_table(table)
    assert cells(found, 2).loc["m"].to_dict() == {"x": "1.00 (1)", "y": "0.50 (2)", "all": "0.67 (3)"}
    assert found.loc["n", ("y", "questions")] == 1 and found.index.tolist() == ["m", "n"]
    gap = difference_table(table, "n", by="kind")
    assert gap.loc[("x", "m", "n"), "value"] == 1 and gap.loc[("y", "m", "n"), "value"] == 0
    assert gap.loc[("all", "m", "n"), ["value", "questions"]].tolist() == [0.5, 2]
    parts = needed_positions(table)
    assert parts.loc["m", "value"].to_dict() == {1: 1.0, 2: 1.0, 3: 0.0} and parts.loc["n"].index.tolist() == [1, 3]


def test_a_kind_that_a_method_has_no_question_of_is_a_dash():
    table = results(("q1", "A", "x", "m", 1, None), ("q2", "A", "y", "n", 1, None))
    assert cells(answer_table(table)).loc["n", "x"] == "-"


def test_differences_are_of_one_reader():
    table = results(("q1", "A", "x", "m", 1, None), ("q1", "A", "x", "n", 1, None))
    with pytest.raises(ValueError, match=r"several readers \(r, s\)"):
        difference_table(pd.concat([table, table.assign(reader="s")]), "n")


def test_tuning_finds_the_best_of_what_it_says_it_tried():
    def bowl(weights):
        return -((weights.order - 0.3) ** 2) - (weights.coverage - 1) ** 2 - weights.continuity

    best, tried = tune_weights(bowl)
    assert (best.order, best.coverage, best.continuity, best.precedence) == (0.3, 1.0, 0.0, 0.3)
    assert tried["best"].sum() == 1 and tried.loc[tried["best"], "value"].item() == tried["value"].max() == bowl(best)
    names = ["order", "precedence", "continuity", "coverage"]
    assert not tried[names].duplicated().any()
    assert all(bowl(Weights(*row)) == value for *row, value in tried[[*names, "value"]].to_numpy().tolist())


def test_tuning_keeps_what_it_has_where_nothing_is_better():
    best, tried = tune_weights(lambda weights: 1.0, Weights(order=0.7))
    assert best == Weights(order=0.7) and tried["round"].max() == 1
    with pytest.raises(ValueError, match="rounds=0"):
        tune_weights(lambda weights: 1.0, rounds=0)


def test_a_grid_has_every_combination():
    table = weight_grid(
        lambda w: w.order + 10 * w.coverage, {"order": [0, 1], "coverage": [0, 1, 2]}, Weights(precedence=9)
    )
    assert table["value"].tolist() == [0, 10, 20, 1, 11, 21]


def test_weights_are_scored_as_the_experiment_scores_them(scene):
    *_, searches, questions = scene
    weights = Weights(order=0, precedence=0, continuity=0.3, coverage=0)
    table = run(scene, {"dag": searches.method("dag", weights)})

    class Answers:
        def read(self, question, trajectories, **_):
            return Reading(LastWind().read(question, trajectories))

    assert score_weights(searches, questions, Answers(), exact)(weights) == table["right"].mean()


@pytest.mark.slow
def test_order_matters_on_held_out_storms_of_the_corpus_and_not_on_the_control_set():
    """Fourteen storms, texts by word vectors: the same steps in order and shuffled, read by the state reader."""
    H = hg.order.build(hg.datasets.cyclones("test"), "cyclones", progress=False).hypergraph
    kept = (H.edges["family"] != "cross_horizon") & (H.edges["horizon"] > 0).fillna(False).astype(bool)
    H = H.subgraph(edges=H.edges.index[kept])
    searches = Searches(KindRetriever(H, precedence(H), None, WordEmbedder(64)), 8)
    dag = searches.method("dag", WEIGHTS)
    methods = {"dag": dag, "shuffled": shuffled(dag, 5), "reversed": reordered(dag, "reversed")}
    gaps = {}
    for name, questions in (("order", order_questions(H, n=96)), ("control", control_questions(H, n=30))):
        results = run_methods(methods, questions, {"state": StateReader()}, grade)
        gaps[name] = difference_table(results, [("dag", "shuffled")]).iloc[0]
    assert gaps["order"]["low"] > 0.15 and abs(gaps["control"]["value"]) < 0.01


def test_a_reader_is_told_what_is_wanted():
    heard = []

    class Listens:
        def read(self, question, trajectories, type="text", choices=()):
            heard.append((type, choices))
            return Reading("open")

    asked = pd.DataFrame(
        {"question_id": ["a", "b"], "question": ["?", "!"], "type": ["choice", "number"], "choices": [["open"], []]}
    )
    run_methods({"none": lambda _: []}, asked, {"listens": Listens()}, lambda *_: 1.0)
    assert heard == [("choice", ["open"]), ("number", [])]
