"""Exact search for relevance and transitions: Viterbi's recursion, made to visit every hyperedge at most once.

The recursion of equations 14 and 15 of [1]_ may return to a hyperedge: what it finds is an upper bound. Here the
hyperedges that it returns to are added, round by round, to a set that is watched by a bit mask, until the best
sequence returns to none: that sequence is then the best of all without revisits (decremental state-space
relaxation [2]_). A sequence without revisits, repaired and improved in each round, is the score to beat: what stays
below it even with the most that can follow is dropped, and the search ends when nothing is above it.

References
----------
.. [1] Knowledge Is Not Static: Order-Aware Hypergraph RAG for Language Models, appendix A.7.
.. [2] Righini, Salani, New dynamic programming algorithms for the resource constrained elementary shortest path
   problem, Networks 51 (2008).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .problem import Problem
from .result import Found

__all__ = ["relaxed_bound", "viterbi"]

MOST_STATES = 20_000
_BITS = 62
_TRIES = 4  # rounds for each trajectory asked: one may be found twice
_LOW = -1e300
_CLOSE = 1e-9


def viterbi(
    problem: Problem, length: int = 8, n: int = 1, diversity: float = 0.1, most_states: int = MOST_STATES
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
    most_states : int
        Budget: pairs of watched set and last hyperedge that may be held for one step.

    Returns
    -------
    list of Found
        `proven` is False where `most_states` was not enough: the sequence is then the best that was met. Of equal
        sequences the recursion takes the one that ends, and then continues backwards, in the first candidate; a
        repair takes the first candidate that fits best.
    """
    length = min(length, len(problem))
    if not length:
        return []
    step = _step(problem)
    node = problem.relevance.copy()
    found: list[Found] = []
    for _ in range(_TRIES * n):
        places, proven = _elementary(node, step, length, most_states)
        if all(places != other.places for other in found):
            found.append(Found(places, _sum(list(places), problem.relevance, step), proven))
        if not diversity or len(found) == n:
            break
        node[list(places)] -= diversity
    return found


def relaxed_bound(problem: Problem, length: int = 8) -> float:
    """A bound on ``Σ Rel + λ Σ log P`` that no sequence without revisits exceeds.

    The smaller of two: the largest value over sequences that may return to a hyperedge, but not at once (equations 14
    and 15 of [1]_), and the sum of the largest relevances with the largest transition at every step.
    """
    length = min(length, len(problem))
    if not length:
        return 0.0
    step = _step(problem)
    return min(float(_forward(problem.relevance, step, length)[-1].max()), _apart(problem.relevance, step, length))


def _step(problem: Problem) -> np.ndarray:
    size = len(problem)
    step = np.zeros((size, size))
    if problem.weights.order:
        step = np.where(np.isfinite(problem.order), problem.weights.order * problem.order, _LOW)
    np.fill_diagonal(step, _LOW)
    return step


def _sum(places: list[int], node: np.ndarray, step: np.ndarray) -> float:
    return float(node[places].sum() + step[places[:-1], places[1:]].sum())


def _apart(node: np.ndarray, step: np.ndarray, length: int) -> float:
    """The largest relevances and the largest transition, each by itself."""
    most = step.max() if length > 1 else 0.0
    return float(np.sort(node)[-length:].sum() + (length - 1) * most)


def _forward(node: np.ndarray, step: np.ndarray, length: int) -> np.ndarray:
    """The best of l + 1 steps that end in j, revisits allowed; (length, |C|)."""
    table = np.empty((length, len(node)))
    table[0] = node
    for at in range(1, length):
        table[at] = (table[at - 1][:, None] + step).max(axis=0) + node
    return table


def _rest(node: np.ndarray, step: np.ndarray, length: int) -> np.ndarray:
    """The most that can follow step l + 1 in j, revisits allowed; (length, |C|)."""
    table = np.zeros((length, len(node)))
    for at in range(length - 2, -1, -1):
        table[at] = (step + (table[at + 1] + node)[None, :]).max(axis=1)
    return table


def _elementary(node, step, length: int, most_states: int) -> tuple[tuple[int, ...], bool]:
    forward = _forward(node, step, length)
    bit = np.zeros(len(node), np.int64)
    places = _traced(step, [_Layer(np.zeros(1, np.int64), row[None, :]) for row in forward], bit)
    bound = min(float(forward[-1].max()), _apart(node, step, length))
    close = _CLOSE * max(1.0, abs(bound))
    rest: np.ndarray | None = None
    best: list[int] = []
    watched = 0
    while True:
        repeats = sorted({place for place in places if places.count(place) > 1})
        if not repeats:
            return tuple(places), True
        met = _improved(_mended(places, node, step), node, step)
        if not best or _sum(met, node, step) > _sum(best, node, step) + close:
            best = met
        floor = _sum(best, node, step) - close
        if bound <= floor + 2 * close:
            return tuple(best), True
        if watched + len(repeats) > _BITS:
            return tuple(best), False
        bit[repeats] = 1 << np.arange(watched, watched + len(repeats))
        watched += len(repeats)
        rest = _rest(node, step, length) if rest is None else rest
        layers = _layers(node, step, bit, rest, floor, most_states)
        if layers is None:
            return tuple(best), False
        if len(layers) < length:  # nothing is above the floor
            return tuple(best), True
        bound = min(bound, float(layers[-1].score.max()))
        places = _traced(step, layers, bit)


class _Layer(NamedTuple):
    """Of one step the sets of watched hyperedges visited, and the best score by set and last hyperedge."""

    masks: np.ndarray
    score: np.ndarray


def _layers(node, step, bit, rest, floor: float, most_states: int) -> list[_Layer] | None:
    """What can still reach the floor, step by step; -1e300 elsewhere. None if a step has more states than allowed."""
    masks, reached = np.zeros(1, np.int64), node[None, :]
    layers: list[_Layer] = []
    for after in rest:
        free = (masks[:, None] & bit[None, :]) == 0
        row, last = np.nonzero(free & (reached + after >= floor))
        if not len(row):
            break
        if len(row) > most_states:
            return None
        masks, at = np.unique(masks[row] | bit[last], return_inverse=True)
        score = np.full((len(masks), len(node)), _LOW)
        score[at, last] = reached[
            row, last
        ]  # one state each: the bit of a watched one is new, of another there is none
        layers.append(_Layer(masks, score))
        row, last = np.nonzero(score > _LOW / 2)
        starts = np.searchsorted(row, np.arange(len(masks)))
        reached = np.maximum.reduceat(score[row, last][:, None] + step[last], starts, axis=0) + node
    return layers


def _traced(step, layers: list[_Layer], bit: np.ndarray) -> list[int]:
    final = layers[-1]
    last = int(np.argmax(final.score.max(axis=0)))
    mask = int(final.masks[np.argmax(final.score[:, last])])
    places = [last]
    for layer in reversed(layers[:-1]):
        mask &= ~int(bit[last])
        row = int(np.searchsorted(layer.masks, mask))
        last = int(np.argmax(layer.score[row] + step[:, last]))
        places.append(last)
    return places[::-1]


def _mended(places: list[int], node, step) -> list[int]:
    """Replace each return by the candidate that fits best between its neighbours."""
    places = list(places)
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


def _improved(places: list[int], node, step, rounds: int = 20) -> list[int]:
    """Exchange one member for another candidate, or two members, as long as the sum grows."""
    length = len(places)
    one, two = np.triu_indices(length, 1)
    swapped = np.tile(np.arange(length), (len(one), 1))
    swapped[np.arange(len(one)), one], swapped[np.arange(len(one)), two] = two, one
    for _ in range(rounds):
        at = np.array(places)
        fit = np.tile(node, (length, 1))
        fit[1:] += step[at[:-1]]
        fit[:-1] += step[:, at[1:]].T
        gain = fit - fit[np.arange(length), at][:, None]
        gain[:, at] = -np.inf
        which, new = divmod(int(np.argmax(gain)), len(node))
        orders = at[swapped]
        turned = step[orders[:, :-1], orders[:, 1:]].sum(axis=1) - step[at[:-1], at[1:]].sum()
        turn = int(np.argmax(turned)) if len(turned) else -1
        if gain[which, new] > _CLOSE and (turn < 0 or gain[which, new] >= turned[turn]):
            places = [*places[:which], new, *places[which + 1 :]]
        elif turn >= 0 and turned[turn] > _CLOSE:
            places = orders[turn].tolist()
        else:
            break
    return places
