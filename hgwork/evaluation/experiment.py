"""Does order matter? Methods and readers on questions, in one long table.

A method gives trajectories for a question, a reader an answer from them; every pair of the two answers every question.
Whatever is trained or tuned sees the storms of the other folds only (`by_fold`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from ..order.precedence import Precedence
from ..order.transitions.features import EdgeFeatures
from .run_files import RunFile
from .trajectory_measures import SequenceMeasures
from .transitions import folds_by_unit

__all__ = ["Fold", "Method", "by_fold", "read_answer", "run_methods"]

Find = Callable[..., Sequence[Any]]
Score = Callable[[Mapping[str, Any], Any], "float | None"]
_CARRIED = ("question_id", "kind", "type", "storm", "group", "hindsight", "measure", "task")


@dataclass(frozen=True)
class Method:
    """How trajectories are found.

    Attributes
    ----------
    find : callable
        ``find(question)``, or with repeats ``find(question, repeat)`` -> list of Trajectory, best first.
    repeats : int
        Times it is asked, such as permutations; their scores are averaged in all tables.
    settings : mapping
        What its results depend on; part of the hash in run files.
    """

    find: Find
    repeats: int = 1
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, question: Mapping[str, Any], repeat: int = 0) -> list[Any]:
        return list(self.find(question) if self.repeats == 1 else self.find(question, repeat))


def run_methods(
    methods: Mapping[str, Method | Find],
    questions: pd.DataFrame,
    readers: Mapping[str, Any],
    score: Score,
    *,
    measures: SequenceMeasures | None = None,
    run: RunFile | None = None,
    settings: Mapping[str, Any] | None = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Ask every question of every method and read every answer.

    Parameters
    ----------
    methods : mapping of name to Method, or to a function of a question
    questions : DataFrame
        `question_id`, `question`; `query` where retrieval is asked something else; `answer`, `kind`, `storm`, `group`,
        `needed` (ids of hyperedges) where known.
    readers : mapping of name to reader
        With ``read(question text, trajectories, type=…, choices=…)`` (those two where the question has them), or called
        with (question, trajectories). They give text, None, or an object with `answer`, and `confidence` and `tokens`
        where it has them.
    score : callable
        ``score(question, answer)`` -> 0 to 1, or None where nothing can tell.
    measures : SequenceMeasures, optional
        Adds its measures of the first trajectory.
    run : RunFile, optional
        Lines are written to it; what it holds under the same settings is not asked again.
    settings : mapping, optional
        What all results depend on.
    progress : bool

    Returns
    -------
    DataFrame
        One row a question, method, reader and repeat: the columns of the question, `method`, `reader`, `repeat`,
        `answer`, `expected`, `right`, `confidence`, `edges` (of the first trajectory), `score` (equation 5),
        `needed_position` (mean place of the needed steps, 0 first to 1 last), `seconds` (to retrieve),
        `reading_seconds`, `tokens`, and the measures.

    Examples
    --------
    >>> questions = pd.DataFrame({"question_id": ["q"], "question": ["How many?"], "answer": ["3"]})
    >>> table = run_methods({"none": lambda question: []}, questions, {"three": lambda question, found: "3"},
    ...                     lambda question, answer: float(answer == question["answer"]))
    >>> table[["method", "reader", "right"]].values.tolist()
    [['none', 'three', 1.0]]
    """
    if lost := [name for name in ("question_id", "question") if name not in questions]:
        raise ValueError(f"the questions have no column {lost[0]!r}; there are {', '.join(questions.columns)}.")
    if questions["question_id"].duplicated().any():
        twice = questions["question_id"][questions["question_id"].duplicated()].iloc[0]
        raise ValueError(f"question {twice!r} stands twice: give each question an id of its own.")
    known = {name: method if isinstance(method, Method) else Method(method) for name, method in methods.items()}
    rows = []
    records = questions.to_dict("records")
    for question in tqdm(records, desc="questions", disable=not progress):
        for name, method in known.items():
            about = dict(settings or {}) | dict(method.settings)
            for repeat in range(method.repeats):
                rows += _ask(question, name, method, repeat, readers, score, measures, run, about)
    return pd.DataFrame(rows)


def _ask(question, name, method, repeat, readers, score, measures, run, settings) -> list[dict[str, Any]]:
    """The rows of all readers; retrieval runs only where one of them is still to be asked."""
    rows, found, seconds = [], None, 0.0
    for reader_name, reader in readers.items():
        key = (question["question_id"], name, reader_name, repeat)
        line = run.find(*key, configuration=settings) if run else None
        if line is None:
            if found is None:
                start = time.perf_counter()
                found = method(question, repeat)
                seconds = time.perf_counter() - start
            line = _read(question, reader, found, score, measures)
            line |= dict(zip(("query_id", "method", "reader", "repeat"), key, strict=True)) | {"seconds": seconds}
            line = run.add(line, settings) if run else line
        rows.append(_row(question, line))
    return rows


def _read(question, reader, found, score, measures) -> dict[str, Any]:
    start = time.perf_counter()
    given = read_answer(question, reader, found)
    spent = time.perf_counter() - start
    answer = getattr(given, "answer", given)
    first = found[0] if found else None
    edges = list(first.edges) if first is not None else []
    line = {
        "query": question.get("query", question["question"]),
        "trajectory": [{"edge": edge} for edge in edges],
        "score": getattr(first, "score", None),
        "terms": getattr(first, "terms", None),
        "answer": answer if answer is None or isinstance(answer, (int, float)) else str(answer),
        "right": score(question, answer),
        "confidence": getattr(given, "confidence", None),
        "reading_seconds": spent,
        "tokens": getattr(given, "tokens", None),
        "needed_position": _position(edges, question.get("needed")),
    }
    if measures is not None:
        needed = question.get("needed")
        values = measures(edges, needed if isinstance(needed, (list, tuple)) else None, _text(question.get("group")))
        line["measures"] = {key: None if np.isnan(value) else float(value) for key, value in values.items()}
    return line


def read_answer(question: Mapping[str, Any], reader: Any, found: Sequence[Any]) -> Any:
    """What a reader says to a question, told the type of answer and the choices where the question has them."""
    if not hasattr(reader, "read"):
        return reader(question, found)
    wanted = {name: question[name] for name in ("type", "choices") if question.get(name) is not None}
    return reader.read(question["question"], found, **wanted)


def _row(question, line: Mapping[str, Any]) -> dict[str, Any]:
    row = {key: question[key] for key in _CARRIED if key in question}
    row |= {key: line[key] for key in ("method", "reader", "repeat", "answer")}
    row |= {"expected": question.get("answer"), "right": _number(line["right"])}
    row |= {"edges": [step["edge"] for step in line["trajectory"]]}
    for key in ("score", "confidence", "needed_position", "seconds", "reading_seconds", "tokens"):
        row[key] = _number(line.get(key))
    return row | {key: _number(value) for key, value in (line.get("measures") or {}).items()}


def _position(edges: list[str], needed) -> float | None:
    places = (
        [place for place, edge in enumerate(edges) if edge in set(needed)] if isinstance(needed, (list, tuple)) else []
    )
    return float(np.mean(places)) / max(len(edges) - 1, 1) if places else None


def _number(value) -> float:
    return np.nan if value is None else float(value)


def _text(value) -> str | None:
    return value if isinstance(value, str) and value else None


@dataclass(frozen=True)
class Fold:
    """One part of the storms held out: `train` and `test` are groups, `model` was fitted on `train` alone."""

    number: int
    train: list[str]
    test: list[str]
    seed: int
    model: Any = None
    questions: pd.DataFrame = field(default_factory=pd.DataFrame, repr=False)


def by_fold(
    features: EdgeFeatures,
    P: Precedence,
    questions: pd.DataFrame,
    methods: Callable[[Fold], Mapping[str, Method | Find]],
    readers: Mapping[str, Any],
    score: Score,
    *,
    model: Callable[[], Any] | None = None,
    folds: int = 5,
    rng: int | np.random.Generator = 0,
    progress: bool = False,
    **options: Any,
) -> pd.DataFrame:
    """Run each storm's questions by methods that were trained and tuned on the storms of the other folds.

    Parameters
    ----------
    features : EdgeFeatures
        Of the hypergraph; says which groups are of one storm.
    P : Precedence
    questions : DataFrame
        As in `run_methods`, with `group`; those of a group that P does not know are refused.
    methods : callable
        Fold -> methods. `Fold.questions` are the training questions, for tuning; `Fold.model` the fitted model.
    model : callable, optional
        Makes an unfitted transition model; it is fitted on the training groups of each fold.
    folds, rng
        As in `hgwork.evaluation.transitions.held_out`.
    options
        Of `run_methods`; its `settings` are joined by the number of the fold.

    Returns
    -------
    DataFrame
        As from `run_methods`, with `fold`.

    Raises
    ------
    ValueError
        If a question is of an unknown group, or there are fewer storms than folds.
    """
    if lost := sorted(set(questions["group"]) - set(P.groups)):
        raise ValueError(f"questions about the group {lost[0]!r}, which has no hyperedge in order.")
    rng = np.random.default_rng(rng)
    parts = folds_by_unit(features, P, folds, rng)
    seeds = rng.integers(2**31, size=folds).tolist()
    settings = dict(options.pop("settings", None) or {})
    tables = []
    for number, (test, seed) in enumerate(zip(parts, seeds, strict=True)):
        train = [group for group in P.groups if group not in set(test)]
        inside = questions["group"].isin(test)
        if not inside.any():
            continue
        fitted = model().fit(features, P, groups=train, rng=seed) if model else None
        fold = Fold(number, train, test, seed, fitted, questions[~inside].reset_index(drop=True))
        about = settings | {"fold": number, "seed": seed}
        found = run_methods(
            methods(fold), questions[inside], readers, score, settings=about, progress=progress, **options
        )
        tables.append(found.assign(fold=number))
    return pd.concat(tables, ignore_index=True)
