"""Two trajectories side by side, and why a step was taken rather than another."""

from __future__ import annotations

from itertools import zip_longest
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd

from .objective import TERMS, objective
from .problem import Problem
from .trajectory import Trajectory

__all__ = ["Comparison", "compare", "why"]

_DIGITS = 9  # scores that agree so far are tied
_COUNTED = {
    "beam": TERMS,
    "topk": ("relevance",),
    "viterbi": ("relevance", "order"),
    "dag": ("relevance", "order", "continuity", "coverage"),
}


class Comparison(NamedTuple):
    """What `compare` returns.

    Attributes
    ----------
    steps : DataFrame, one row a step
        `one`, `two` (hyperedges; None past the end), `same` (the same at this step), `one_at`, `two_at` (the step at
        which the other trajectory has it; NaN where it has not), `score_one`, `score_two`.
    terms : DataFrame, index: term
        `one`, `two`, `difference`.
    shared : float
        Hyperedges in common, of all in either.
    """

    steps: pd.DataFrame
    terms: pd.DataFrame
    shared: float


def compare(one: Trajectory, two: Trajectory) -> Comparison:
    """Two trajectories step by step, term by term.

    Parameters
    ----------
    one, two : Trajectory
        As retrieved, or read from JSON text.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import hgwork as hg
    >>> H = hg.datasets.load("toy")
    >>> best = hg.retrieval.retrieve("groups", H, hg.order.precedence(H), method="dag", length=3, n=1)[0]
    >>> found = compare(best, hg.retrieval.reorder(best, "reversed"))
    >>> found.shared, found.steps["same"].tolist(), found.terms.loc["precedence", "difference"].round(2)
    (1.0, [False, True, False], np.float64(-0.3))
    """
    at = [{edge: step for step, edge in enumerate(t.edges, start=1)} for t in (one, two)]
    rows = [(a, b, a == b, at[1].get(a, np.nan), at[0].get(b, np.nan)) for a, b in zip_longest(one.edges, two.edges)]
    table = pd.DataFrame(rows, columns=["one", "two", "same", "one_at", "two_at"])
    table["score_one"] = one.table["score"].reindex(table.index)
    table["score_two"] = two.table["score"].reindex(table.index)
    table.index = pd.RangeIndex(1, len(table) + 1, name="step")
    terms = pd.DataFrame({"one": one.terms, "two": two.terms}).assign(difference=lambda t: t["two"] - t["one"])
    together = set(one.edges) | set(two.edges)
    return Comparison(table, terms, len(set(one.edges) & set(two.edges)) / max(len(together), 1))


def why(
    trajectory: Trajectory, step: int, most: int = 3, by: Literal["search", "objective"] = "search"
) -> pd.DataFrame:
    """Why a step is what it is: the best other candidates in its place, and the term that decided.

    Parameters
    ----------
    trajectory : Trajectory
        With its candidates (as retrieved, not read from a file).
    step : int
        From 1.
    most : int, at least 0
        Rivals shown.
    by : {"search", "objective"}
        "search": by the score of the search that chose it. "beam" and "topk" append: what the step adds given the
        steps before it (Algorithm 1, without its penalty on likeness to other beams; relevance alone). "viterbi" and
        "dag" choose all steps at once: the whole trajectory with each rival in this place, by relevance and
        transitions, or by equation 5 without precedence and only rivals that keep the order. "objective": the whole
        trajectory by equation 5, whatever chose it; so also for trajectories that no search chose in this order
        (reordered ones and baselines).

    Returns
    -------
    DataFrame, index: hyperedge
        First the one chosen, then its rivals, best first (ties in candidate order): `relevance`, `order`,
        `precedence`, `continuity`, `coverage`, each with its weight and 0 where it does not count, `total`,
        `difference` in total to the one chosen, `decided_by`: the term in which the rival lost most; "tie" where the
        totals agree.

    Raises
    ------
    ValueError
        If there is no such step, `by` is unknown, or the candidates are gone.

    Notes
    -----
    A rival may total more: a beam ends with what is best by equation 5, not with the best of every step, and the
    second trajectory of "viterbi" or "dag" avoids what the first holds. The difference is then above zero, and
    `decided_by` names the term that the rival gains most in. Against the first trajectory of "viterbi" (where proven)
    and "dag" no rival totals more.

    Examples
    --------
    >>> import hgwork as hg
    >>> H = hg.datasets.load("toy")
    >>> best = hg.retrieval.retrieve("groups", H, hg.order.precedence(H), method="topk", length=3, n=1)[0]
    >>> why(best, 1, most=2)["decided_by"].tolist()
    ['', 'relevance', 'relevance']
    """
    problem = trajectory.problem
    if problem is None:
        raise ValueError("the trajectory was read from a file and has no candidates: retrieve it again.")
    if isinstance(step, bool) or not isinstance(step, int | np.integer) or not 1 <= step <= len(trajectory):
        raise ValueError(f"step={step!r}: the trajectory has steps 1 to {len(trajectory)}.")
    if by not in ("search", "objective") or most < 0:
        raise ValueError(f"by={by!r}, most={most}: give 'search' or 'objective', and at least 0 rivals.")
    search = trajectory.method if by == "search" and trajectory.method in _COUNTED else ""
    places = np.array(trajectory.places, np.int64)
    appends = search in ("beam", "topk")
    taken = places[: step - 1] if appends else places
    rivals = np.setdiff1d(np.arange(len(problem)), [*taken, places[step - 1]])
    if search == "dag":
        rivals = rivals[_keeps_order(problem, places, step - 1, rivals)]
    shown = np.concatenate([places[step - 1 : step], rivals])
    table = _gains(problem, taken, shown) if appends else _wholes(problem, places, step - 1, shown)
    for term in set(TERMS) - set(_COUNTED.get(search, TERMS)):
        table[term] = 0.0
    table.index = pd.Index([problem.candidates.ids[place] for place in shown], name="edge")
    return _decided(table.assign(total=table[list(TERMS)].sum(axis=1)), most)


def _gains(problem: Problem, before: np.ndarray, shown: np.ndarray) -> pd.DataFrame:
    """What Algorithm 1 adds for each candidate after the steps before; of the first step it counts relevance alone."""
    table = pd.DataFrame({"relevance": problem.relevance[shown]}).reindex(columns=list(TERMS), fill_value=0.0)
    if not len(before):
        return table
    weights, last = problem.weights, before[-1]
    if weights.order:
        table["order"] = weights.order * problem.order[last, shown]
    table["precedence"] = weights.precedence * problem.before[last, shown]
    table["continuity"] = weights.continuity * problem.jaccard[last, shown]
    phase = problem.phase[shown]
    fresh = (phase >= 0) & ~np.isin(phase, problem.phase[before])
    table["coverage"] = weights.coverage * fresh / max(len(problem.phases), 1)
    return table


def _wholes(problem: Problem, places: np.ndarray, at: int, shown: np.ndarray) -> pd.DataFrame:
    """Equation 5 of the trajectory with each candidate in one place."""
    sequences = np.tile(places, (len(shown), 1))
    sequences[:, at] = shown
    return objective(problem, sequences)[list(TERMS)]


def _keeps_order(problem: Problem, places: np.ndarray, at: int, rivals: np.ndarray) -> np.ndarray:
    """Whether each rival is of the group of the step, and stands between the steps of that group around it."""
    same = problem.group[places] == problem.group[places[at]]
    ranks, steps = problem.rank[places], np.arange(len(places))
    low = ranks[same & (steps < at)].max(initial=-1)
    high = ranks[same & (steps > at)].min(initial=np.iinfo(np.int64).max)
    rank = problem.rank[rivals]
    return (problem.group[rivals] == problem.group[places[at]]) & (rank > low) & (rank < high)


def _decided(table: pd.DataFrame, most: int) -> pd.DataFrame:
    """The chosen row and the best of the others, with what told them apart."""
    order = np.argsort(-table["total"].to_numpy()[1:].round(_DIGITS), kind="stable")[:most] + 1
    table = table.iloc[[0, *order.tolist()]]
    gaps = table[list(TERMS)] - table[list(TERMS)].iloc[0]
    difference = table["total"] - table["total"].iloc[0]
    decided = [
        "tie" if round(total, _DIGITS) == 0 else TERMS[int(np.argmin(row) if total < 0 else np.argmax(row))]
        for row, total in zip(gaps.to_numpy(), difference, strict=True)
    ]
    return table.assign(difference=difference, decided_by=["", *decided[1:]])
