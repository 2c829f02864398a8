"""The counts that open every look at a hypergraph."""

from __future__ import annotations

import numpy as np
import pandas as pd

from .overlap import counts_from, deepest, histogram

__all__ = ["gini", "summary"]


def summary(H, unique: bool = False) -> pd.Series:
    """Table 1 of [1]_, and what it leaves out.

    Parameters
    ----------
    H : Hypergraph
    unique : bool
        Count each distinct node set once. [1]_ counts parallel hyperedges each (the default).

    Returns
    -------
    Series
        `nodes`, `hyperedges`, `volume` (sum of sizes), `mean_size`, `max_size`, `mean_degree`, `max_degree`,
        `singletons` (hyperedges of one node), `duplicates` (hyperedges − distinct node sets), `max_intersection` (most
        nodes that two hyperedges share), `overlap_1`, `overlap_2`, `overlap_3` (pairs of hyperedges that share at
        least so many nodes), `degree_one_share` (of nodes), `gini` (of degrees).

    References
    ----------
    .. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, Table 1.

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> summary(Hypergraph.from_dict({"a": "xyz", "b": "yz"}))[["mean_size", "overlap_2"]].tolist()
    [2.5, 1.0]
    """
    duplicates = len(H) - H.edge_classes().nunique()
    if unique:
        H = H.simplify(singletons=False, empty=False)
    sizes, degrees = H.sizes, H.degrees
    pairs, distinct = histogram(H)
    overlaps = counts_from(H, [1, 2, 3], pairs)
    return pd.Series(
        {
            "nodes": len(degrees),
            "hyperedges": len(sizes),
            "volume": sizes.sum(),
            "mean_size": sizes.mean() if len(sizes) else 0.0,
            "max_size": sizes.max() if len(sizes) else 0,
            "mean_degree": degrees.mean() if len(degrees) else 0.0,
            "max_degree": degrees.max() if len(degrees) else 0,
            "singletons": (sizes == 1).sum(),
            "duplicates": duplicates,
            "max_intersection": deepest(pairs, distinct, degrees),
            **{f"overlap_{s}": overlaps[s] for s in overlaps.index},
            "degree_one_share": (degrees == 1).mean() if len(degrees) else 0.0,
            "gini": gini(degrees),
        },
        name="unique" if unique else "all",
        dtype=float,
    )


def gini(values) -> float:
    """Gini coefficient: 0 when all are equal, towards 1 when one holds all; ``Σ (2i − n − 1) x_i / (n Σ x)``.

    Examples
    --------
    >>> gini([0, 0, 0, 4])
    0.75
    """
    x = np.sort(np.asarray(values, float))
    if not x.sum():
        return 0.0
    return float(((2 * np.arange(1, len(x) + 1) - len(x) - 1) * x).sum() / (len(x) * x.sum()))
