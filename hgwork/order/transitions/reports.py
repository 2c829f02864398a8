"""The order of whole reports, without a label of when they were made.

One pair of facts says little about which report came first; the sum over all pairs of the same kind says much.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

__all__ = ["order_by_pairs", "report_order", "report_scores"]

_EXACT = 12


def report_order(
    model: Any, reports: Sequence[Sequence[str]], pairs: Literal["same kind", "all"] = "same kind"
) -> list[int]:
    """Order reports by the summed direction of their pairs of facts.

    Parameters
    ----------
    model : TransitionModel or baseline
        `direction(ids_i, ids_j)`; `features` for pairs="same kind".
    reports : sequence of sequences of hyperedge ids
        What each report states. Their order here does not count, except to break exact ties.
    pairs : {"same kind", "all"}
        Facts of one kind only ("wind at the port" against "wind at the port"), or every pair: the phases of facts
        that only one report states then weigh in.

    Returns
    -------
    list of int
        Places in `reports`, earliest first. The order with the largest sum of directions over pairs in that order:
        exact for up to 12 reports; above, the best of a start by row sums and moves of one report at a time.

    Examples
    --------
    >>> class Alphabet:
    ...     def direction(self, ids_i, ids_j):
    ...         return np.array([[ord(j[0]) - ord(i[0]) for j in ids_j] for i in ids_i], float)
    >>> report_order(Alphabet(), [["c1", "b2"], ["a1"], ["d1"]], pairs="all")
    [1, 0, 2]
    """
    return order_by_pairs(report_scores(model, reports, pairs))


def report_scores(model: Any, reports: Sequence[Sequence[str]], pairs: str = "same kind") -> np.ndarray:
    """Summed directions: entry (a, b) above zero says that report a came before b.

    Returns
    -------
    float64 array, shape (reports, reports), antisymmetric

    Raises
    ------
    ValueError
        If `pairs` is unknown.
    """
    if pairs not in ("same kind", "all"):
        raise ValueError(f"pairs={pairs!r}: give 'same kind' or 'all'.")
    ids = [edge for report in reports for edge in report]
    belongs = np.zeros((len(ids), len(reports)))
    belongs[np.arange(len(ids)), np.repeat(np.arange(len(reports)), [len(report) for report in reports])] = 1
    if not ids:
        return np.zeros((len(reports), len(reports)))
    direction = np.array(model.direction(ids, ids), float)
    if pairs == "same kind":
        kinds = model.features.kinds[model.features.rows(ids)]
        direction = np.where(kinds[:, None] == kinds[None, :], direction, 0.0)
    total = belongs.T @ direction @ belongs
    return (total - total.T) / 2


def order_by_pairs(scores: np.ndarray) -> list[int]:
    """The permutation with the largest sum of ``scores[a, b]`` over a before b (linear ordering problem).

    Exact by dynamic programming over subsets for up to 12 items; of equally good orders the first in lexical order.
    Above 12: sorted by row sums, then one item at a time is moved to its best place until nothing gains.
    """
    count = len(scores)
    if count <= 1:
        return list(range(count))
    return (
        _exact(scores) if count <= _EXACT else _moved(scores, np.argsort(-scores.sum(axis=1), kind="stable").tolist())
    )


def _exact(scores: np.ndarray) -> list[int]:
    """``best[S]``: the most that the items of S can gain among themselves when they stand last."""
    count = len(scores)
    best = np.full(1 << count, -np.inf)
    first = np.zeros(1 << count, np.int64)
    best[0] = 0.0
    inside = (np.arange(1 << count)[:, None] >> np.arange(count)) & 1
    for subset in range(1, 1 << count):
        members = np.flatnonzero(inside[subset])
        gain = scores[np.ix_(members, members)].sum(axis=1) + best[subset & ~(1 << members)]
        top = gain.max()
        choice = members[np.flatnonzero(gain >= top - 1e-9 * max(1.0, abs(top)))[0]]
        best[subset], first[subset] = top, choice
    order, left = [], (1 << count) - 1
    while left:
        order.append(int(first[left]))
        left &= ~(1 << order[-1])
    return order


def _moved(scores: np.ndarray, order: list[int]) -> list[int]:
    while True:
        gain, where = 1e-9, None
        for place, item in enumerate(order):
            rest = order[:place] + order[place + 1 :]
            ahead = np.concatenate([[0.0], np.cumsum(scores[rest, item])])
            behind = np.concatenate([np.cumsum(scores[item, rest][::-1])[::-1], [0.0]])
            total = ahead + behind
            if total.max() - total[place] > gain:
                gain, where = float(total.max() - total[place]), (place, int(total.argmax()))
        if where is None:
            return order
        item = order.pop(where[0])
        order.insert(where[1], item)
