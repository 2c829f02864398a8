"""Weights chosen on training questions, with every setting that was tried, so that the choice can be looked at."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from ..retrieval import Problem, Weights
from .ablations import Search, Searches
from .experiment import read_answer

__all__ = ["STEPS", "score_weights", "tune_weights", "weight_grid"]

STEPS: dict[str, tuple[float, ...]] = {
    "coverage": (0.0, 0.25, 0.5, 1.0),
    "continuity": (0.0, 0.05, 0.2, 0.5),
    "order": (0.0, 0.1, 0.3, 1.2),
    "precedence": (0.0, 0.3, 1.0),
}
"""The values that are tried, weight by weight in this order."""


def tune_weights(
    evaluate: Callable[[Weights], float],
    start: Weights | None = None,
    steps: Mapping[str, Sequence[float]] | None = None,
    rounds: int = 2,
    progress: bool = False,
) -> tuple[Weights, pd.DataFrame]:
    """Coordinate search: one weight at a time takes its best value, round by round until nothing changes.

    Parameters
    ----------
    evaluate : callable
        Weights -> score on TRAINING questions, larger is better.
    start : Weights, optional
        The published ones by default.
    steps : mapping of weight to values, optional
        `STEPS` by default. A value is taken only if it scores higher, so ties keep the one at hand.
    rounds : int, at least 1
    progress : bool

    Returns
    -------
    best : Weights
    tried : DataFrame
        One row a setting, in the order tried: `order`, `precedence`, `continuity`, `coverage`, `value`, `round`,
        `changed` (the weight that was varied), `best` (whether it is the one chosen).

    Examples
    --------
    >>> best, tried = tune_weights(lambda w: -abs(w.order - 0.3) - w.coverage)
    >>> best.order, best.coverage, len(tried) <= 30
    (0.3, 0.0, True)
    """
    steps = dict(STEPS if steps is None else steps)
    if rounds < 1:
        raise ValueError(f"rounds={rounds}: give at least 1.")
    best = start or Weights()
    seen: dict[Weights, float] = {best: float(evaluate(best))}
    rows = [_row(best, seen[best], 0, "")]
    with tqdm(total=rounds * sum(map(len, steps.values())), desc="weights", disable=not progress) as bar:
        for number in range(1, rounds + 1):
            before = best
            for name, values in steps.items():
                for setting in [replace(best, **{name: value}) for value in values]:
                    bar.update()
                    if setting not in seen:
                        seen[setting] = float(evaluate(setting))
                        rows.append(_row(setting, seen[setting], number, name))
                    if seen[setting] > seen[best]:
                        best = setting
            if best == before:
                break
    tried = pd.DataFrame(rows)
    return best, tried.assign(best=[setting == best for setting in seen])


def score_weights(
    searches: Searches,
    questions: pd.DataFrame,
    reader: Any,
    score: Callable[[Mapping[str, Any], Any], float | None],
    search: Search = "dag",
) -> Callable[[Weights], float]:
    """What `tune_weights` evaluates: the mean score of a reader on questions, under given weights.

    Parameters
    ----------
    searches : Searches
        The candidates of all questions are computed once and kept (about 1 MB a question).
    questions : DataFrame
        Training questions, as in `run_methods`.
    reader : as in `run_methods`, giving an object with `answer`
    score : callable
    search : {"dag", "beam", "viterbi"}

    Returns
    -------
    callable
        Weights -> mean score.
    """
    records = questions.to_dict("records")
    problems: list[Problem] = [searches.problem(question) for question in records]

    def evaluate(weights: Weights) -> float:
        found = []
        for question, problem in zip(records, problems, strict=True):
            trajectories = searches.search(problem, question, search, weights)
            found.append(score(question, read_answer(question, reader, trajectories).answer))
        return float(np.mean([value for value in found if value is not None]))

    return evaluate


def weight_grid(
    evaluate: Callable[[Weights], float], steps: Mapping[str, Sequence[float]], base: Weights | None = None
) -> pd.DataFrame:
    """Every combination of some weights, the others as in `base`: what a heatmap shows.

    Returns
    -------
    DataFrame
        The weights varied and `value`.

    Examples
    --------
    >>> weight_grid(lambda w: w.order * w.coverage, {"order": [0, 1], "coverage": [0.5]})["value"].tolist()
    [0.0, 0.5]
    """
    base = base or Weights()
    rows = []
    for values in itertools.product(*steps.values()):
        changed = dict(zip(steps, values, strict=True))
        rows.append(changed | {"value": float(evaluate(replace(base, **changed)))})
    return pd.DataFrame(rows)


def _row(weights: Weights, value: float, number: int, name: str) -> dict:
    known = {key: getattr(weights, key) for key in ("order", "precedence", "continuity", "coverage")}
    return known | {"value": value, "round": number, "changed": name}
