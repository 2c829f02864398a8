"""Exact dynamic programming along a known order: choose by relevance, continuity and coverage, order by precedence.

Algorithm 1 of [1]_ appends: a beam that starts in the middle never finds an earlier step, and a transition model
pulls it from one attribute to the next. Where an order of the candidates is known, from precedence or learned, the
best sequence along it is found exactly: the candidates are put in that order, and a table holds, for each length, last
step and set of phases met, the best score.

References
----------
.. [1] Knowledge Is Not Static: Order-Aware Hypergraph RAG for Language Models, equation 5.
"""

from __future__ import annotations

import numpy as np

from .problem import Problem
from .result import Found

__all__ = ["dag"]

_TRIES = 4  # rounds for each trajectory asked: one may be found twice
_LOW = np.float64(-1e300)


def dag(problem: Problem, length: int = 8, n: int = 1, diversity: float = 0.1) -> list[Found]:
    """The best sequence whose steps stand in the order of `problem.rank` and come from one knowledge group.

    Parameters
    ----------
    problem : Problem
        `rank` is a linear extension of precedence, or a learned order. Steps of different groups are never joined;
        candidates without a group form one.
    length : int
        Steps; where no group holds as many, the longest sequence there is.
    n : int
        After each trajectory the members found lose `diversity` of relevance, and the search runs again.
    diversity : float, at least 0

    Returns
    -------
    list of Found
        `score`: equation 5 without its precedence term, which is 1 or n/a here; the largest there is (`proven`), of
        the given relevances for the first. Ties: the path found from its end, first in rank.

    Notes
    -----
    Maximises ``Σ Rel + λ Σ log P + ν/(L−1) Σ J + ρ Cov`` over increasing sequences, in O(L |C|² 2^|S|) additions; with
    ρ = 0 in O(L |C|²).
    """
    if not len(problem):
        return []
    ranked = np.argsort(problem.rank, kind="stable")
    length = min(length, _longest(problem))
    node, step, phase, share = _pieces(problem, ranked, length)
    found: list[Found] = []
    for _ in range(_TRIES * n):
        table = _table(node, step, phase, share, length)
        path = _path(table, node, step, phase, share)
        places = tuple(ranked[path].tolist())
        if all(places != other.places for other in found):
            found.append(Found(places, _score(problem, places, length), True))
        if not diversity or len(found) == n:
            break
        node[path] -= diversity
    return found


def _longest(problem: Problem) -> int:
    return int(np.bincount(problem.group + 1).max())


def _pieces(problem: Problem, ranked: np.ndarray, length: int):
    """Relevance, gain of each allowed step, phase (as a bit; 0 for none) and the worth of a phase, in rank order."""
    weights, grid = problem.weights, np.ix_(ranked, ranked)
    step = problem.jaccard[grid] * (weights.continuity / max(length - 1, 1))
    if weights.order:
        order = problem.order[grid]
        step = step + weights.order * np.where(np.isfinite(order), order, 0.0)
    group = problem.group[ranked]
    step[(group[:, None] != group[None, :]) | ~np.tri(len(ranked), k=-1, dtype=bool).T] = _LOW
    phase, share = np.zeros(len(ranked), np.int64), 0.0
    if weights.coverage and problem.phases:
        known = problem.phase[ranked]
        present = np.unique(known[known >= 0])
        bits = np.zeros(len(problem.phases), np.int64)
        bits[present] = 1 << np.arange(len(present))
        phase = np.where(known >= 0, bits[np.maximum(known, 0)], 0)
        share = weights.coverage / len(problem.phases)
    return problem.relevance[ranked].copy(), step, phase, share


def _table(node, step, phase, share: float, length: int) -> np.ndarray:
    """``table[l, j, m]``: the best of l + 1 steps that end in j and meet the phases m."""
    count = 1 << int(phase.max()).bit_length()
    masks = np.arange(count)
    table = np.full((length, len(node), count), _LOW)
    for j in range(len(node)):
        bit = int(phase[j])
        table[0, j, bit] = node[j] + (share if bit else 0.0)
        if not j or length == 1:
            continue
        best = (table[:-1, :j, :] + step[:j, j][None, :, None]).max(axis=1) + node[j]
        if bit:
            held = (masks & bit) > 0
            best[:, held] = np.maximum(best[:, held], best[:, masks[held] ^ bit] + share)
            best[:, ~held] = _LOW
        table[1:, j, :] = np.maximum(best, _LOW)
    return table


def _path(table, node, step, phase, share: float) -> list[int]:
    last, mask = divmod(int(np.argmax(table[-1])), table.shape[2])
    path = [last]
    for at in range(len(table) - 1, 0, -1):
        bit = int(phase[last])
        sources = [(mask, 0.0)] + ([(mask ^ bit, share)] if bit else [])
        scores = np.stack([table[at - 1, :last, source] + step[:last, last] + gain for source, gain in sources])
        which, last = divmod(int(np.argmax(scores)), scores.shape[1])
        mask = sources[which][0]
        path.append(last)
    return path[::-1]


def _score(problem: Problem, places: tuple[int, ...], length: int) -> float:
    from .objective import objective

    terms = objective(problem, [list(places)]).iloc[0]
    return float(terms["total"] - terms["precedence"])
