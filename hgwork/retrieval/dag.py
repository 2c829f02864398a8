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

from typing import NamedTuple

import numpy as np

from .objective import terms_of
from .problem import Problem
from .result import Found

__all__ = ["MOST_PHASES", "dag"]

MOST_PHASES = 12  # the table doubles with each phase that the candidates of a group hold
_TRIES = 4  # rounds for each trajectory asked: one may be found twice
_LOW = np.float64(-1e300)


def dag(problem: Problem, length: int = 8, n: int = 1, diversity: float = 0.1, across: bool = False) -> list[Found]:
    """The best sequence whose steps stand in the order of `problem.rank` and come from one knowledge group.

    Parameters
    ----------
    problem : Problem
        `rank` is a linear extension of precedence within each group, or a learned order. Where the query's own groups
        are known (`own`) and have a candidate, the steps come from one of them, else from any one; candidates without
        a group form one.
    length : int
        Steps; where no such group holds as many, the longest sequence there is.
    n : int
        After each trajectory the members found lose `diversity` of relevance, and the search runs again.
    diversity : float, at least 0
    across : bool
        Let the steps come from all groups, one group after the other: the query's own first, then by their most
        relevant candidate.

    Returns
    -------
    list of Found
        `score`: equation 5 without its precedence term, which is 1 or n/a along a linear extension; the largest there
        is (`proven`), of the given relevances for the first. Ties: the group with the more relevant candidate, then
        the path found from its end, first in rank.

    Raises
    ------
    ValueError
        If the candidates of a group hold more than `MOST_PHASES` phases that count.

    Notes
    -----
    Maximises ``Σ Rel + λ Σ log P + ν/(L−1) Σ J + ρ Cov`` over increasing sequences, in O(L |C|² 2^|S|) additions; with
    ρ = 0 in O(L |C|²). |C| counts the candidates of a group, group by group.
    """
    pools = _pools(problem, across)
    if not pools:
        return []
    length = min(length, max(len(pool) for pool in pools))
    parts = [_part(problem, pool, length) for pool in pools if len(pool) >= length]
    best = [_best(part, length) for part in parts]
    found: list[Found] = []
    for _ in range(_TRIES * n):
        which = int(np.argmax([score for score, _ in best]))
        part, (_, path) = parts[which], best[which]
        places = tuple(part.places[path].tolist())
        if all(places != other.places for other in found):
            terms = terms_of(problem, places)
            found.append(Found(places, terms["total"] - terms["precedence"], True))
        if not diversity or len(found) == n:
            break
        part.node[path] -= diversity
        best[which] = _best(part, length)
    return found


def _pools(problem: Problem, across: bool) -> list[np.ndarray]:
    """Candidates that may form a sequence, in their order; pools by their most relevant candidate, own ones first."""
    ranked = np.argsort(problem.rank, kind="stable")
    own = np.zeros(len(problem), bool) if problem.own is None else problem.own
    codes, first = np.unique(problem.group, return_index=True)
    codes = codes[np.lexsort([first, ~own[first]])]
    pools = [ranked[problem.group[ranked] == code] for code in codes]
    if across:
        return [np.concatenate(pools)] if pools else []
    return [pool for pool in pools if own[pool[0]]] or pools


class _Part(NamedTuple):
    """One pool in its order: what a member and a step between two are worth, and phases as bits (0 for none)."""

    places: np.ndarray
    node: np.ndarray
    step: np.ndarray
    phase: np.ndarray
    share: float


def _part(problem: Problem, places: np.ndarray, length: int) -> _Part:
    weights, grid = problem.weights, np.ix_(places, places)
    step = problem.jaccard[grid] * (weights.continuity / max(length - 1, 1))
    if weights.order:
        order = problem.order[grid]
        step = step + weights.order * np.where(np.isfinite(order), order, 0.0)
    phase, share = np.zeros(len(places), np.int64), 0.0
    if weights.coverage and problem.phases:
        known = problem.phase[places]
        present = np.unique(known[known >= 0])
        if len(present) > MOST_PHASES:
            raise ValueError(
                f"the candidates of a group hold {len(present)} phases: 'dag' follows at most {MOST_PHASES}. Name "
                "those that count (phases= of the Retriever), or set the weight of coverage to 0."
            )
        bits = np.zeros(len(problem.phases), np.int64)
        bits[present] = 1 << np.arange(len(present))
        phase = np.where(known >= 0, bits[np.maximum(known, 0)], 0)
        share = weights.coverage / len(problem.phases)
    return _Part(places, problem.relevance[places].copy(), step, phase, share)


def _best(part: _Part, length: int) -> tuple[float, list[int]]:
    table = _table(part, length)
    return float(table[-1].max()), _path(part, table)


def _table(part: _Part, length: int) -> np.ndarray:
    """``table[j, l, m]``: the best of l + 1 steps that end in member j and meet the phases m."""
    _, node, step, phase, share = part
    count = 1 << int(phase.max()).bit_length()
    held = (np.arange(count)[None, :] & phase[:, None]) > 0
    table = np.full((len(node), length, count), _LOW)
    for j in range(len(node)):
        bit = int(phase[j])
        table[j, 0, bit] = node[j] + (share if bit else 0.0)
        deep = min(j, length - 1)  # at most j steps come before
        if not deep:
            continue
        best = (table[:j, :deep] + step[:j, j, None, None]).max(axis=0) + node[j]
        if bit:
            with_bit = held[j]
            without = best.reshape(deep, -1, 2, bit)[:, :, 0, :].reshape(deep, -1)
            best[:, with_bit] = np.maximum(best[:, with_bit], without + share)
            best[:, ~with_bit] = _LOW
        table[j, 1 : deep + 1] = np.maximum(best, _LOW)
    return table.transpose(1, 0, 2)


def _path(part: _Part, table: np.ndarray) -> list[int]:
    _, _, step, phase, share = part
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
