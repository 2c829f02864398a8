"""Pairs of nodes that stand in one hyperedge: the clique expansion as a table."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import sparse

from .overlap import blocks

__all__ = ["co_membership", "co_membership_matrix", "linked_pairs"]


def co_membership(H, multiplicity: bool = True) -> pd.DataFrame:
    """Every pair of nodes that at least one hyperedge holds.

    Parameters
    ----------
    H : Hypergraph
    multiplicity : bool
        Count the hyperedges of each pair, parallel ones each. Without it every pair has weight 1, the clique expansion
        of [1]_.

    Returns
    -------
    DataFrame
        `node`, `other` (in table order) and `hyperedges`; heaviest first, ties in table order. With multiplicity the
        weights sum to Σ C(size, 2).

    References
    ----------
    .. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, section 1.2, Definition 1.

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> co_membership(Hypergraph.from_dict({"a": "xyz", "b": "yz"})).values.tolist()
    [['y', 'z', 2], ['x', 'y', 1], ['x', 'z', 1]]
    """
    i, j, count = linked_pairs(H.incidence)
    if not multiplicity:
        count = np.ones_like(count)
    order = np.lexsort((j, i, -count))
    names = H.nodes.index
    return pd.DataFrame({"node": names[i[order]], "other": names[j[order]], "hyperedges": count[order]})


def linked_pairs(matrix: sparse.csr_array) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Column pairs (i < j) that a row of a 0/1 matrix holds, and how many rows do; in order of i, then j."""
    n, sizes, keys = matrix.shape[1], np.diff(matrix.indptr), []
    for size in np.unique(sizes[sizes > 1]):
        first, second = np.triu_indices(size, 1)
        rows = np.flatnonzero(sizes == size)
        for block in blocks(rows, np.full(len(rows), len(first))):
            members = np.sort(matrix.indices[matrix.indptr[block][:, None] + np.arange(size)], axis=1).astype(np.int64)
            keys.append((members[:, first] * n + members[:, second]).ravel())
    if not keys:
        return (np.zeros(0, np.int64),) * 3
    key, count = np.unique(np.concatenate(keys), return_counts=True)
    return key // n, key % n, count


def co_membership_matrix(H) -> sparse.csr_array:
    """Symmetric node x node counts of shared hyperedges, without the diagonal."""
    i, j, count = linked_pairs(H.incidence)
    shape = (H.shape[1],) * 2
    upper = sparse.coo_array((count, (i, j)), shape=shape)
    return (upper + upper.T).tocsr()
