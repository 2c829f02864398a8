"""What was published of the scaffold hypergraph, and how near a hypergraph comes to it.

References
----------
.. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, Tables 1-3 and Figure 5, corrected
   from its saved notebook outputs (221,063,585 pairs overlap; the paper lost a digit).
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import sparse

from ..hypergraph import Hypergraph

__all__ = ["HUBS", "heavy_tailed_targets"]

#: Table 2: concept -> degree.
HUBS = {
    "scaffolds": 11157, "biocompatibility": 5329, "chitosan": 5211, "bone tissue engineering": 4148,
    "hydrogels": 4076, "tissue engineering": 3713, "mechanical properties": 3521, "PCL": 3369, "cells": 3360,
    "bone regeneration": 3317, "porosity": 3154, "hydroxyapatite": 3117, "collagen": 2788, "samples": 2756,
    "biodegradability": 2632, "HA": 2338, "gelatin": 2303, "composites": 2234, "proliferation": 2182,
    "alginate": 1847,
}  # fmt: skip
NODES, EDGES, INCIDENCES, DUPLICATES = 161_172, 320_201, 753_630, 58_997
SIZES = {1: 98, 2: 246_468, 3: 48_559}
LARGEST, DEEPEST = 32, 15  # the largest hyperedge, the largest intersection
REACH = {10: 9295, 20: 4445, 50: 1611, 100: 701}  # degree -> nodes that reach it
RICH = {10: 115_698, 20: 85_438, 50: 53_481, 100: 34_996}  # degree -> hyperedges among those nodes
OVERLAPS = {1: 221_063_585, 2: 2_787_076, 3: 212_355}
ONES, GINI, HUB_LINKS = 0.593, 0.718, 207


def heavy_tailed_targets(H: Hypergraph) -> pd.DataFrame:
    """Hold a hypergraph against what was published of the scaffold hypergraph.

    Overlaps are counted exactly: pairs that share two nodes or more through the node pairs they share, and from them
    the pairs that share one, ``sum C(degree, 2) - sum (overlap - 1)``.

    Returns
    -------
    DataFrame
        Columns `fact`, `published`, `reached`, `ratio`; published numbers are not scaled to the size of `H`.

    Examples
    --------
    >>> heavy_tailed_targets(Hypergraph.from_dict({"a": "xyz", "b": "yz"})).set_index("fact")["reached"]["overlap >= 2"]
    np.float64(1.0)
    """
    degree, size = np.sort(H.degrees.to_numpy())[::-1].astype(np.int64), H.sizes.to_numpy()
    overlaps, deepest = _overlaps(H)
    facts: dict[str, tuple[float, float]] = {"nodes": (NODES, len(degree)), "hyperedges": (EDGES, len(size))}
    facts["incidences"] = INCIDENCES, size.sum()
    facts |= {f"size {k}": (count, (size == k).sum()) for k, count in SIZES.items()}
    facts["largest size"] = LARGEST, size.max()
    facts["duplicates"] = DUPLICATES, H.edge_classes().duplicated().sum()
    facts |= {f"hub degree {i}": (d, degree[i - 1 : i].sum()) for i, d in enumerate(HUBS.values(), 1)}
    facts |= {f"nodes of degree >= {k}": (count, (degree >= k).sum()) for k, count in REACH.items()}
    facts["share of degree 1"] = ONES, (degree == 1).sum() / max(len(degree), 1)
    rank = np.arange(1, len(degree) + 1)
    mean_rank = (rank * degree).sum() / max(degree.sum(), 1)
    facts["Gini of degrees"] = GINI, (len(degree) + 1 - 2 * mean_rank) / max(len(degree), 1)
    facts |= {f"overlap >= {s}": (count, overlaps[s]) for s, count in OVERLAPS.items()}
    facts["deepest overlap"] = DEEPEST, deepest
    matrix, of_node = H.incidence, H.degrees.to_numpy()
    for k, count in RICH.items():
        facts[f"hyperedges among degree >= {k}"] = count, ((matrix @ (of_node >= k) == size) & (size >= 2)).sum()
    hubs = matrix[:, np.argsort(-of_node, kind="stable")[:30]]
    shared = sparse.triu(hubs.T @ hubs, 1)
    facts["links among 30 hubs"] = HUB_LINKS, (shared.data >= 10).sum()
    table = pd.DataFrame.from_dict(facts, orient="index", columns=["published", "reached"]).astype(float)
    return table.assign(ratio=table["reached"] / table["published"]).rename_axis("fact").reset_index()


def _overlaps(H: Hypergraph) -> tuple[dict[int, int], int]:
    """Pairs of hyperedges that share at least 1, 2, 3 nodes, and the most that any two share."""
    classes = H.edge_classes().to_numpy()
    first = np.unique(classes, return_index=True)[1]
    copies, matrix = np.bincount(classes), H.incidence[first]
    size, pairs = np.diff(matrix.indptr), []
    for k in np.unique(size[size > 1]):
        rows = np.flatnonzero(size == k)
        block = np.sort(matrix.indices[matrix.indptr[rows][:, None] + np.arange(k)], axis=1).astype(np.int64)
        one, two = np.triu_indices(k, 1)
        pairs.append((np.repeat(rows, len(one)), (block[:, one] * matrix.shape[1] + block[:, two]).ravel()))
    edge, pair = (np.concatenate(part) for part in zip(*pairs, strict=True)) if pairs else (np.zeros(0, int),) * 2
    shape, pair = (len(first), len(np.unique(pair))), np.unique(pair, return_inverse=True)[1]
    through = sparse.csr_array((np.ones(len(edge), np.int64), (edge, pair)), shape=shape)
    common = sparse.triu(through @ through.T, 1).tocoo()
    shared = np.concatenate([((1 + np.sqrt(1 + 8 * common.data)) / 2).round().astype(np.int64), size])
    times = np.concatenate([np.prod(copies[np.stack(common.coords)], axis=0), copies * (copies - 1) // 2])
    degree = H.degrees.to_numpy().astype(np.int64)
    deep = shared >= 2
    counts = {s: int(times[shared >= s].sum()) for s in (2, 3)}
    counts[1] = int((degree * (degree - 1) // 2).sum() - ((shared[deep] - 1) * times[deep]).sum())
    return counts, int(shared[times > 0].max(initial=counts[1] > 0))
