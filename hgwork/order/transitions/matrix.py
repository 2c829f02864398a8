"""Mean transition probabilities between families of hyperedges, learned, counted or by rule, for a figure."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ...hypergraph import Hypergraph

__all__ = ["asymmetry", "transition_matrix"]


def transition_matrix(model: Any, H: Hypergraph, by: str = "family") -> pd.DataFrame:
    """Where a step from a hyperedge of one family leads: probability mass by family, averaged.

    Within each group the probabilities of the other hyperedges are summed by family; rows then average over all
    hyperedges of the family that have another in their group.

    Parameters
    ----------
    model : TransitionModel or baseline
        That has read H.
    H : Hypergraph
        Hyperedges with `group` and the column `by`.
    by : str
        A column of the hyperedges, such as "family", "phase", "relation".

    Returns
    -------
    DataFrame, square
        Row: from, column: to, in order of first appearance. Rows sum to one; a family that is always alone in its
        group has a row of zeros.

    Raises
    ------
    ValueError
        If a column is missing or names nothing.
    """
    edges = H.edges
    for column in ("group", by):
        if column not in edges or not edges[column].notna().any():
            raise ValueError(
                f"the hyperedges have no column {column!r} with values; there are {', '.join(edges.columns)}."
            )
    known = edges[edges[by].notna() & edges["group"].notna()]
    names = pd.unique(known[by].astype(str))
    code = pd.Series(pd.Categorical(known[by].astype(str), categories=names).codes.astype(int), index=known.index)
    total, count = np.zeros((len(names), len(names))), np.zeros(len(names))
    for _, rows in known.groupby("group", sort=False):
        if len(rows) < 2:
            continue
        ids = rows.index.tolist()
        kind = np.eye(len(names))[code[ids].to_numpy()]
        total += kind.T @ np.exp(model.log_prob(ids, ids)) @ kind
        count += kind.sum(axis=0)
    mean = total / np.maximum(count, 1)[:, None]
    return pd.DataFrame(mean, index=pd.Index(names, name="from"), columns=pd.Index(names, name="to"))


def asymmetry(matrix: pd.DataFrame) -> pd.DataFrame:
    """How one-sided each transition is: (M − Mᵀ) / (M + Mᵀ), from −1 to 1; 0 where neither way occurs.

    Examples
    --------
    >>> asymmetry(pd.DataFrame([[0.0, 0.9], [0.3, 0.7]])).round(2).to_numpy().tolist()
    [[0.0, 0.5], [-0.5, 0.0]]
    """
    values = matrix.to_numpy(float)
    both = values + values.T
    share = np.divide(values - values.T, both, out=np.zeros_like(both), where=both > 0)
    return pd.DataFrame(share, index=matrix.index, columns=matrix.columns)
