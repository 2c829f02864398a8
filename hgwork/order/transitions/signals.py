"""What a model of transitions learns from: positive pairs of three kinds, and reversals to tell apart (appendix A.4).

References
----------
.. [1] Knowledge Is Not Static: Order-Aware Hypergraph RAG for Language Models, appendix A.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..precedence import Precedence
from .features import EdgeFeatures

__all__ = ["SIGNALS", "STRATA", "GroupSignals", "signals_of"]

SIGNALS = ("document", "entity", "retrieved")
STRATA = ("same place", "same attribute", "other")


@dataclass(frozen=True, eq=False)
class GroupSignals:
    """One group in canonical order.

    Attributes
    ----------
    group, unit : str
    rows : int array, shape (n,)
        Rows of `EdgeFeatures`, in canonical order.
    positive : int array, shape (pairs, 2)
        Places in `rows`: what follows what.
    weight : float32 array, shape (pairs,)
    strata : dict of int array, shape (pairs, 2)
        Ordered pairs whose reversal is wrong, by stratum.
    places, kinds : int array, shape (n,)
        Place in the sequence (-1: unknown) and number of the kind.
    """

    group: str
    unit: str
    rows: np.ndarray
    positive: np.ndarray
    weight: np.ndarray
    strata: dict[str, np.ndarray]
    places: np.ndarray
    kinds: np.ndarray


def signals_of(
    features: EdgeFeatures,
    P: Precedence,
    groups: Sequence[str] | None = None,
    *,
    pairs: Iterable[tuple[str, str]] | pd.DataFrame | None = None,
    signals: Sequence[str] = SIGNALS,
    with_anchors: bool = False,
) -> list[GroupSignals]:
    """Positive pairs and reversals of each group.

    Parameters
    ----------
    features : EdgeFeatures
    P : Precedence
        Of the same hypergraph.
    groups : sequence of str, optional
        Training groups; all by default.
    pairs : iterable of (before, after), optional
        Consecutive hyperedges of trajectories that led to right answers ("retrieved"). Pairs outside the training
        groups are refused: answers on held-out groups must not train.
    signals : subset of {"document", "entity", "retrieved"}
        "document": each hyperedge and the next in canonical order. "entity": each hyperedge and the next that shares
        an entity; and all precedence-related pairs that share one, as reversals to tell apart. "retrieved": `pairs`.
    with_anchors : bool
        Let injected anchors count as shared entities. They make everything at one horizon overlap.

    Raises
    ------
    ValueError
        If a signal or a group is unknown, a pair crosses groups or leaves the training groups, or nothing is left to
        learn from: the message says which groups were too small.
    """
    if unknown := [name for name in signals if name not in SIGNALS]:
        raise ValueError(f"signals names {unknown[0]!r}; there are {', '.join(SIGNALS)}.")
    if isinstance(groups, str):
        raise TypeError(f"groups={groups!r} is one group: give a list of them.")
    groups = P.groups if groups is None else list(dict.fromkeys(groups))
    if strange := sorted(set(groups) - set(P.groups)):
        raise ValueError(f"no group is named {strange[0]!r}; there are {', '.join(map(repr, P.groups[:5]))}, ….")
    extra = _by_group(features, pairs, groups) if "retrieved" in signals else {}
    found = [_one(features, P, group, extra.get(group), signals, with_anchors) for group in groups]
    kept = [one for one in found if len(one.positive)]
    if not kept:
        small = [one.group for one in found if len(one.rows) < 2]
        why = f"{len(small)} of {len(found)} groups hold one hyperedge" if small else "no signal names a pair"
        why = why if found else "there is no group"
        raise ValueError(
            f"there is no positive pair to learn from ({why}; signals={tuple(signals)}). A group needs two hyperedges "
            "with a place each: check the columns 'group' and 'horizon' or 'position', or switch on a signal."
        )
    return kept


def _one(features: EdgeFeatures, P: Precedence, group: str, extra, signals, with_anchors: bool) -> GroupSignals:
    ids = P.canonical_order(group)
    rows = features.rows(ids)
    places = P.table["place"].to_numpy()[P.table.index.get_indexer(pd.Index(ids, dtype=object))]
    placed = np.flatnonzero(places >= 0)  # what has no place is in no order
    before = P.before_matrix(ids, ids)
    positive: list[np.ndarray] = []
    reversals = np.zeros_like(before)
    if "document" in signals and len(placed) > 1:
        steps = np.column_stack([placed[:-1], placed[1:]])
        positive.append(steps)
        reversals[tuple(steps.T)] = before[tuple(steps.T)]
    if "entity" in signals and len(placed) > 1:
        shared = features.shared(rows, with_anchors)
        positive.append(_next_shared(shared, placed))
        reversals |= before & shared
    if extra is not None:
        known = {int(row): place for place, row in enumerate(rows)}
        positive.append(np.array([(known[int(i)], known[int(j)]) for i, j in extra], np.int64))
        reversals[tuple(positive[-1].T)] = True
    steps = np.concatenate(positive) if positive else np.zeros((0, 2), np.int64)
    steps, counts = np.unique(steps.reshape(-1, 2), axis=0, return_counts=True)
    unit = features.units[rows[0]] if len(rows) else None
    strata = _strata(reversals, places, features.kinds[rows])
    kinds = np.unique(features.kinds[rows].astype(str), return_inverse=True)[1]
    return GroupSignals(group, str(unit or group), rows, steps, counts.astype(np.float32), strata, places, kinds)


def _next_shared(shared: np.ndarray, placed: np.ndarray) -> np.ndarray:
    """Each hyperedge with the next in canonical order that shares an entity."""
    later = np.triu(shared[np.ix_(placed, placed)], 1)
    has = later.any(axis=1)
    return np.column_stack([placed[has], placed[later[has].argmax(axis=1)]])


def _strata(ordered: np.ndarray, places: np.ndarray, kinds: np.ndarray) -> dict[str, np.ndarray]:
    same_place = places[:, None] == places[None, :]
    same_kind = kinds[:, None] == kinds[None, :]
    masks = {
        "same place": ordered & same_place,
        "same attribute": ordered & ~same_place & same_kind,
        "other": ordered & ~same_place & ~same_kind,
    }
    return {name: np.argwhere(mask) for name, mask in masks.items()}


def _by_group(features: EdgeFeatures, pairs, groups: Sequence[str]) -> dict[str, np.ndarray]:
    if pairs is None:
        return {}
    listed = (
        pairs.iloc[:, :2].to_numpy(object).tolist() if isinstance(pairs, pd.DataFrame) else [tuple(p) for p in pairs]
    )
    if not listed:
        return {}
    if wrong := [pair for pair in listed if len(pair) != 2]:
        raise ValueError(f"pairs holds {wrong[0]!r}: give (before, after), two hyperedges each.")
    i, j = features.rows([pair[0] for pair in listed]), features.rows([pair[1] for pair in listed])
    allowed = set(groups)
    found: dict[str, list[tuple[int, int]]] = {}
    for one, two, pair in zip(i.tolist(), j.tolist(), listed, strict=True):
        group = features.groups[one]
        if group != features.groups[two] or one == two:
            raise ValueError(f"the pair {tuple(pair)} does not join two hyperedges of one group. Leave it out.")
        if group not in allowed:
            raise ValueError(
                f"the pair {tuple(pair)} is of group {group!r}, which is not trained on: pairs from held-out groups "
                "would leak the answers. Leave it out."
            )
        found.setdefault(str(group), []).append((one, two))
    return {group: np.array(list_of, np.int64) for group, list_of in found.items()}
