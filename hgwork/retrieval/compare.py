"""Two trajectories side by side, and why a step was taken rather than another."""

from __future__ import annotations

from itertools import zip_longest
from typing import NamedTuple

import numpy as np
import pandas as pd

from .objective import TERMS, objective
from .trajectory import Trajectory

__all__ = ["Comparison", "compare", "why"]


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
    """Two trajectories step by step, term by term."""
    at = [{edge: step for step, edge in enumerate(t.edges, start=1)} for t in (one, two)]
    rows = [(a, b, a == b, at[1].get(a, np.nan), at[0].get(b, np.nan)) for a, b in zip_longest(one.edges, two.edges)]
    table = pd.DataFrame(rows, columns=["one", "two", "same", "one_at", "two_at"])
    table["score_one"] = one.table["score"].reindex(table.index)
    table["score_two"] = two.table["score"].reindex(table.index)
    table.index = pd.RangeIndex(1, len(table) + 1, name="step")
    terms = pd.DataFrame({"one": one.terms, "two": two.terms}).assign(difference=lambda t: t["two"] - t["one"])
    together = set(one.edges) | set(two.edges)
    return Comparison(table, terms, len(set(one.edges) & set(two.edges)) / max(len(together), 1))


def why(trajectory: Trajectory, step: int, most: int = 3) -> pd.DataFrame:
    """Why a step is what it is: the whole trajectory with the best other candidates in its place.

    Parameters
    ----------
    trajectory : Trajectory
        With its candidates (as retrieved, not read from a file).
    step : int
        From 1.
    most : int
        Rivals shown.

    Returns
    -------
    DataFrame, index: hyperedge
        First the one chosen, then its rivals by equation 5, best first: `relevance`, `order`, `precedence`,
        `continuity`, `coverage`, `total` of the trajectory with each in this place, `difference` in total to the one
        chosen, `decided_by`: the term in which the rival lost most (or won least).

    Raises
    ------
    ValueError
        If there is no such step, or the candidates are gone.

    Notes
    -----
    A rival may total more: a beam commits to early steps, and "dag" keeps to its order. The difference then is above
    zero, and `decided_by` names the term that the rival gains most in.
    """
    if trajectory.problem is None:
        raise ValueError("the trajectory was read from a file and has no candidates: retrieve it again.")
    if not 1 <= step <= len(trajectory):
        raise ValueError(f"step={step}: the trajectory has steps 1 to {len(trajectory)}.")
    problem = trajectory.problem
    taken = set(trajectory.places)
    others = np.array([place for place in range(len(problem)) if place not in taken], np.int64)
    sequences = np.tile(np.array(trajectory.places, np.int64), (len(others) + 1, 1))
    sequences[1:, step - 1] = others
    table = objective(problem, sequences)
    table.index = pd.Index([problem.candidates.ids[place] for place in sequences[:, step - 1]], name="edge")
    order = np.lexsort([others, -table["total"].to_numpy()[1:].round(9)])[:most] + 1
    table = table.iloc[[0, *order.tolist()]]
    table["difference"] = table["total"] - table["total"].iloc[0]
    gaps = table[list(TERMS)] - table[list(TERMS)].iloc[0]
    decided = [gaps.columns[int(np.argmin(row) if total < 0 else np.argmax(row))] for row, total in
               zip(gaps.to_numpy(), table["difference"], strict=True)]  # fmt: skip
    return table.assign(decided_by=["", *decided[1:]])
