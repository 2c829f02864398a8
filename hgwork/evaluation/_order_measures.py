"""Measures of one fitted transition model on one held-out group; `transitions` runs them over folds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ..order.precedence import Precedence
from ..order.transitions.features import EdgeFeatures
from ..order.transitions.reports import report_scores

__all__ = ["BINS", "direction_rows", "next_step_rows", "report_rows", "value_keys"]

BINS = 10


def value_keys(features: EdgeFeatures) -> np.ndarray:
    """What a hyperedge states, as text: equal for two hyperedges of one kind whose parsed values all agree."""
    numbers = features.numbers.assign(
        said=features.numbers["slot"].astype(str) + "=" + features.numbers["value"].astype(str)
    )
    words = features.words.rename(columns={"word": "said"})
    both = pd.concat([numbers[["row", "said"]], words[["row", "said"]]]).sort_values(["row", "said"], kind="stable")
    joined = both.groupby("row")["said"].agg("|".join)
    return joined.reindex(range(len(features.ids))).fillna("").to_numpy(object)


def _group(features: EdgeFeatures, P: Precedence, group: str):
    ids = P.canonical_order(group)
    places = P.table["place"].to_numpy()[P.table.index.get_indexer(pd.Index(ids, dtype=object))]
    return ids, features.rows(ids), places


def _right(direction: np.ndarray) -> np.ndarray:
    """1 where the direction is right, half where it cannot tell."""
    return (direction > 0) + 0.5 * (direction == 0)


def direction_rows(model: Any, features: EdgeFeatures, P: Precedence, group: str, keys: np.ndarray):
    """Direction by stratum, and the calibration of the probability sigmoid(direction).

    Returns
    -------
    measures : list of (measure, value, count)
    reliability : list of (measure, bin, pairs, summed probability, right)
        Each pair counts once, the way round that the model holds likelier.
    """
    ids, rows, places = _group(features, P, group)
    before, direction = P.before_matrix(ids, ids), model.direction(ids, ids)
    kinds = features.kinds[rows]
    here = places[:, None] == places[None, :]
    attribute = before & ~here & (kinds[:, None] == kinds[None, :])
    differ = attribute & (keys[rows][:, None] != keys[rows][None, :])
    strata = {"same horizon": before & here, "same attribute": attribute, "same attribute, values differ": differ}
    measures, reliability = [], []
    for name, mask in strata.items():
        if mask.any():
            found = direction[mask]
            measures.append((name, float(_right(found).mean()), int(mask.sum())))
            reliability += _reliability(name, found)
    return measures, reliability


def _reliability(name: str, direction: np.ndarray) -> list[tuple]:
    sure = 1 / (1 + np.exp(-np.abs(np.clip(direction, -50, 50))))
    bin_of = np.minimum(((sure - 0.5) * 2 * BINS).astype(int), BINS - 1)
    right = _right(direction)
    return [
        (name, int(b), int((bin_of == b).sum()), float(sure[bin_of == b].sum()), float(right[bin_of == b].sum()))
        for b in np.unique(bin_of)
    ]


def report_rows(model: Any, features: EdgeFeatures, P: Precedence, group: str) -> list[tuple]:
    """Pairs of whole reports of a group, all and neighbouring, by either sum of `report_order`."""
    ids, _, places = _group(features, P, group)
    kept = np.unique(places[places >= 0])
    if len(kept) < 2:
        return []
    reports = [[edge for edge, place in zip(ids, places, strict=True) if place == one] for one in kept]
    out = []
    for pairs, label in (("same kind", ""), ("all", ", every pair summed")):
        right = _right(report_scores(model, reports, pairs))
        upper = np.triu_indices(len(kept), 1)
        out.append((f"report pairs{label}", float(right[upper].mean()), len(upper[0])))
        out.append((f"consecutive reports{label}", float(np.diag(right, 1).mean()), len(kept) - 1))
    return out


def next_step_rows(
    model: Any,
    features: EdgeFeatures,
    P: Precedence,
    group: str,
    others: np.ndarray,
    rng: np.random.Generator,
    pool: int = 150,
) -> list[tuple]:
    """Rank of the next hyperedge in canonical order: in the own group, and in a pool of hard and foreign candidates.

    The pool of a source: the next step, up to a fifth of `pool` that directly precede the source (reversals), up to
    three tenths drawn from the rest of its group, and hyperedges of `others` (rows of other groups) up to `pool`.
    Ties count by their mean rank.
    """
    ids, _, _ = _group(features, P, group)
    count = len(ids)
    if count < 2:
        return []
    foreign = [features.ids[row] for row in rng.permutation(others)[: 2 * pool].tolist()]
    score = np.asarray(model.score(ids, [*ids, *foreign]), float)
    score[np.arange(count), np.arange(count)] = -np.inf
    own, mixed = np.zeros(count - 1), np.zeros(count - 1)
    for i in range(count - 1):
        own[i] = _rank(score[i], i + 1, np.delete(np.arange(count), i))
        mixed[i] = _rank(score[i], i + 1, _pool(i, count, len(foreign), pool, rng))
    out = []
    for name, rank in (("own group", own), (f"pool of {pool}", mixed)):
        out.append((f"MRR, {name}", float((1 / rank).mean()), count - 1))
        out += [(f"Hits@{k}, {name}", float((rank <= k).mean()), count - 1) for k in (1, 5)]
    return out


def _pool(i: int, count: int, foreign: int, size: int, rng: np.random.Generator) -> np.ndarray:
    reversed_ = np.arange(max(0, i - size // 5), i)
    rest = np.setdiff1d(np.arange(count), [i, i + 1, *reversed_.tolist()])
    near = rng.permutation(rest)[: size * 3 // 10]
    far = count + rng.permutation(foreign)[: size - 1 - len(reversed_) - len(near)]
    return np.concatenate([[i + 1], reversed_, near, far]).astype(np.int64)


def _rank(score: np.ndarray, true: int, candidates: np.ndarray) -> float:
    others = score[candidates[candidates != true]]
    return 1 + float((others > score[true]).sum()) + float((others == score[true]).sum()) / 2
