"""Candidate scoping: which hyperedges a query searches among, and through which door each came in (A.7 of [1]_).

References
----------
.. [1] Knowledge Is Not Static: Order-Aware Hypergraph RAG for Language Models, appendix A.7.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral

import numpy as np

from .problem import DOORS, Candidates

__all__ = ["scope"]


def scope(
    relevance: np.ndarray,
    own: np.ndarray,
    neighbours,
    names: Sequence[str],
    groups: tuple[str, ...] = (),
    top_k: int = 80,
    cap: int = 150,
    reserve: float = 0.4,
) -> Candidates:
    """Choose at most `cap` hyperedges.

    Parameters
    ----------
    relevance : float array, shape (m,)
        Of all m hyperedges.
    own : int array
        Rows of the query's own groups.
    neighbours : callable
        Rows -> rows that share an entity with them.
    names : sequence of str, m
        Hyperedge ids.
    groups : tuple of str
    top_k, cap : int, at least 1
    reserve : float in [0, 1]
        ``floor(reserve · cap)`` places go to the most relevant of the own groups first; then the top-K of all enter,
        then what shares an entity with a top-K one, then the own groups' rest and all others by relevance.

    Returns
    -------
    Candidates
        By relevance; ties in table order.

    Raises
    ------
    ValueError
        If a number is out of range.
    """
    whole = all(isinstance(number, Integral) and not isinstance(number, bool) for number in (top_k, cap))
    if not whole or top_k < 1 or cap < 1 or not 0 <= reserve <= 1:
        raise ValueError(
            f"top_k={top_k}, cap={cap}, reserve={reserve}: give whole numbers of at least 1, and a reserve of 0 to 1."
        )
    door = np.full(len(relevance), -1, np.int8)
    ranked = _ranked(relevance, np.arange(len(relevance)), min(len(relevance), max(top_k, cap)))
    kept = _enter(door, _ranked(relevance, own, int(reserve * cap)), DOORS.index("group"), cap)
    top = ranked[:top_k]
    kept += _enter(door, top, DOORS.index("similarity"), cap - kept)
    if kept < cap:
        near = _ranked(relevance, neighbours(top), 2 * cap)
        kept += _enter(door, near, DOORS.index("neighbour"), cap - kept)
    if kept < cap:
        kept += _enter(door, _ranked(relevance, own, cap), DOORS.index("group"), cap - kept)
    if kept < cap:
        _enter(door, ranked, DOORS.index("backfill"), cap - kept)
    rows = _ranked(relevance, np.flatnonzero(door >= 0), cap)
    ids = [names[row] for row in rows.tolist()]
    return Candidates(ids, rows, relevance[rows].astype(np.float64), [DOORS[d] for d in door[rows]], groups)


def _ranked(relevance: np.ndarray, rows: np.ndarray, most: int) -> np.ndarray:
    """The `most` most relevant rows, ties in table order."""
    if most <= 0 or not len(rows):
        return np.zeros(0, np.int64)
    rows = np.sort(np.asarray(rows, np.int64))
    values = relevance[rows]
    if most < len(rows):
        edge = np.partition(values, len(values) - most)[len(values) - most]
        rows, values = rows[values >= edge], values[values >= edge]
    return rows[np.argsort(-values, kind="stable")[:most]]


def _enter(door: np.ndarray, rows: np.ndarray, number: int, places: int) -> int:
    fresh = rows[door[rows] < 0][: max(places, 0)]
    door[fresh] = number
    return len(fresh)
