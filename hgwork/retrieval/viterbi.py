"""Exact search for relevance and transitions: Viterbi's recursion, made to visit every hyperedge at most once.

The recursion of equations 14 and 15 of [1]_ may return to a hyperedge. What it finds is an upper bound. Here the
hyperedges that it returns to are added, round by round, to a set that is watched by a bit mask, until the best
sequence returns to none: that sequence is then the best of all without revisits (decremental state-space
relaxation [2]_).

References
----------
.. [1] Knowledge Is Not Static: Order-Aware Hypergraph RAG for Language Models, appendix A.7.
.. [2] Righini, Salani, New dynamic programming algorithms for the resource constrained elementary shortest path
   problem, Networks 51 (2008).
"""

from __future__ import annotations

import numpy as np

from .problem import Problem
from .result import Found

__all__ = ["relaxed_bound", "viterbi"]

MOST_WATCHED = 10
_TRIES = 4  # rounds for each trajectory asked: one may be found twice
_LOW = -1e300


def viterbi(
    problem: Problem, length: int = 8, n: int = 1, diversity: float = 0.1, most_watched: int = MOST_WATCHED
) -> list[Found]:
    """The sequence with the largest ``Σ Rel + λ Σ log P``, without revisits.

    Parameters
    ----------
    problem : Problem
        The order term as the problem holds it, raw or normalised.
    length : int
    n : int
        After each trajectory the members found lose `diversity` of relevance, and the search runs again.
    diversity : float, at least 0
    most_watched : int
        Hyperedges that the bit mask may watch; time and memory double with each.

    Returns
    -------
    list of Found
        `proven` is False where `most_watched` was not enough: the sequence is then the best of the last round whose
        later visits are replaced one by one. Of equal sequences the one that ends, and then continues backwards, in
        the first candidate.
    """
    length = min(length, len(problem))
    if not length:
        return []
    step = _step(problem)
    node = problem.relevance.copy()
    found: list[Found] = []
    for _ in range(_TRIES * n):
        places, proven = _elementary(node, step, length, most_watched)
        score = problem.relevance[list(places)].sum() + step[list(places[:-1]), list(places[1:])].sum()
        if all(places != other.places for other in found):
            found.append(Found(places, float(score), proven))
        if not diversity or len(found) == n:
            break
        node[list(places)] -= diversity
    return found


def relaxed_bound(problem: Problem, length: int = 8) -> float:
    """The largest ``Σ Rel + λ Σ log P`` over sequences that may return to a hyperedge, but not at once: a bound.

    Without a weight on order the bound is the sum of the largest relevances, which is smaller and holds as well.
    """
    length = min(length, len(problem))
    if not length:
        return 0.0
    top = float(np.sort(problem.relevance)[-length:].sum())
    step = _step(problem)
    best = _tables(problem.relevance, step, length, np.zeros(len(problem), np.int64), 0)[-1].max()
    off_diagonal = step[~np.eye(len(step), dtype=bool)]
    separate = top + (length - 1) * (off_diagonal.max() if off_diagonal.size else 0.0)
    return min(float(best), separate)


def _step(problem: Problem) -> np.ndarray:
    size = len(problem)
    step = np.zeros((size, size))
    if problem.weights.order:
        step = np.where(np.isfinite(problem.order), problem.weights.order * problem.order, _LOW)
    np.fill_diagonal(step, _LOW)
    return step


def _elementary(node, step, length: int, most_watched: int) -> tuple[tuple[int, ...], bool]:
    watched: list[int] = []
    while True:
        bit = np.zeros(len(node), np.int64)
        bit[watched] = 1 << np.arange(len(watched))
        places = _traced(node, step, _tables(node, step, length, bit, len(watched)), bit)
        repeats = sorted({place for place in places if places.count(place) > 1})
        if not repeats:
            return tuple(places), True
        if len(watched) + len(repeats) > most_watched:
            return tuple(_mended(places, node, step)), False
        watched += repeats


def _tables(node, step, length: int, bit: np.ndarray, bits: int) -> list[np.ndarray]:
    """Best scores by step, mask of watched hyperedges visited, and last hyperedge; -1e300 where impossible."""
    masks = np.arange(1 << bits)
    free = (masks[:, None] & bit[None, :]) == 0
    start = np.full((len(masks), len(node)), _LOW)
    start[bit, np.arange(len(node))] = node
    tables = [start]
    for _ in range(length - 1):
        reached = np.stack([(row[:, None] + step).max(axis=0) for row in tables[-1]]) + node[None, :]
        nxt = np.full_like(start, _LOW)
        mask, place = np.nonzero(free)
        np.maximum.at(nxt, (mask | bit[place], place), reached[mask, place])
        tables.append(nxt)
    return tables


def _traced(node, step, tables: list[np.ndarray], bit: np.ndarray) -> list[int]:
    last = int(np.argmax(tables[-1].max(axis=0)))
    mask = int(np.argmax(tables[-1][:, last]))
    places = [last]
    for table in reversed(tables[:-1]):
        here = int(bit[last])
        sources = [mask & ~here] if here else [mask]
        scores = np.stack([table[source] + step[:, last] for source in sources])
        which, last = divmod(int(np.argmax(scores)), scores.shape[1])
        mask = sources[which]
        places.append(last)
    return places[::-1]


def _mended(places: list[int], node, step) -> list[int]:
    """Replace each return by the candidate that fits best between its neighbours."""
    for at, place in enumerate(places):
        if place not in places[:at]:
            continue
        fit = node.copy()
        fit += step[places[at - 1]]
        if at + 1 < len(places):
            fit += step[:, places[at + 1]]
        fit[places] = -np.inf
        places[at] = int(np.argmax(fit))
    return places
