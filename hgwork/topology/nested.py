"""Hyperedges inside hyperedges.

A hyperedge is nested in another when its nodes are a subset of the other's (section 1.2 of [1]_). Parallel hyperedges
are one set here, and only proper subsets count; hyperedges without nodes, which lie in all others, are left out.
Containment is read off the overlaps: the smaller set lies inside when they share as many nodes as it has.

References
----------
.. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, section 1.2.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush

import numpy as np
import pandas as pd
from scipy import sparse

from .overlap import collapsed, overlapping_pairs

__all__ = ["containment", "containment_depth", "maximal_chains"]


def containment(H) -> pd.DataFrame:
    """Every pair of distinct node sets of which one lies inside the other.

    Parameters
    ----------
    H : Hypergraph

    Returns
    -------
    DataFrame
        `inner`, `outer` (the first hyperedge of each set), `inner_size`, `outer_size`, `inner_copies`, `outer_copies`
        (hyperedges with that set); in table order of `outer`, then `inner`.

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> containment(Hypergraph.from_dict({"a": "xyz", "b": "xy", "c": "x"}))[["inner", "outer"]].values.tolist()
    [['b', 'a'], ['c', 'a'], ['c', 'b']]
    """
    matrix, copies, first = _distinct(H)
    inner, outer = _pairs(matrix)
    sizes, names = np.diff(matrix.indptr), H.edges.index[first]
    return pd.DataFrame(
        {
            "inner": names[inner],
            "outer": names[outer],
            "inner_size": sizes[inner],
            "outer_size": sizes[outer],
            "inner_copies": copies[inner],
            "outer_copies": copies[outer],
        }
    )


def _distinct(H) -> tuple[sparse.csr_array, np.ndarray, np.ndarray]:
    """Distinct node sets, their copies, the row of the first of each; in table order."""
    if not len(H):
        return H.incidence, np.zeros(0, int), np.zeros(0, int)
    matrix, copies = collapsed(H)
    return matrix, copies, np.unique(H.edge_classes().to_numpy(), return_index=True)[1]


def _pairs(matrix) -> tuple[np.ndarray, np.ndarray]:
    sizes = np.diff(matrix.indptr)
    found = [(np.zeros(0, np.int64), np.zeros(0, np.int64))]
    for i, j, overlap in overlapping_pairs(matrix):
        whole = overlap == np.minimum(sizes[i], sizes[j])
        i, j = i[whole], j[whole]
        found.append((np.where(sizes[i] < sizes[j], i, j), np.where(sizes[i] < sizes[j], j, i)))
    ones = np.flatnonzero(sizes == 1)
    holders = (matrix[ones] @ matrix.T.tocsr()).tocoo()
    one, other = ones[holders.coords[0]], holders.coords[1]
    found.append((one[sizes[other] > 1], other[sizes[other] > 1]))
    inner, outer = (np.concatenate(column) for column in zip(*found, strict=True))
    order = np.lexsort((inner, outer))
    return inner[order], outer[order]


def containment_depth(H) -> pd.Series:
    """How many hyperedges, each inside the next, stand inside each hyperedge: the longest such chain.

    Returns
    -------
    Series of int, one row a hyperedge
        0 where nothing is nested; ``depth(e) = 1 + max depth(f)`` over the proper subsets f of e.

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> containment_depth(Hypergraph.from_dict({"a": "xyz", "b": "xy", "c": "x", "d": "xyz"})).to_dict()
    {'a': 2, 'b': 1, 'c': 0, 'd': 2}
    """
    matrix, _, _ = _distinct(H)
    depth = _depth(matrix, *_pairs(matrix))
    classes = H.edge_classes().to_numpy() if len(H) else np.zeros(0, int)
    return pd.Series(depth[classes], H.edges.index, name="depth", dtype=int)


def _depth(matrix, inner: np.ndarray, outer: np.ndarray) -> np.ndarray:
    sizes, depth = np.diff(matrix.indptr), np.zeros(matrix.shape[0], int)
    order = np.argsort(sizes[outer], kind="stable")
    for part in np.split(order, np.flatnonzero(np.diff(sizes[outer[order]])) + 1):  # the smaller are settled first
        np.maximum.at(depth, outer[part], depth[inner[part]] + 1)
    return depth


def maximal_chains(H, n: int = 10) -> pd.DataFrame:
    """The n longest chains of nested hyperedges to which no hyperedge of H can be added.

    Parameters
    ----------
    H : Hypergraph
    n : int
        Chains; of equal length, those whose outermost hyperedge comes first, then the next inner one.

    Returns
    -------
    DataFrame, one row a hyperedge of a chain, outermost first
        `chain` (0 the longest), `level` (0 the innermost), `edge` (the first of its set), `size`, `copies`. Hyperedges
        that neither hold another nor lie in one are no chain.

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> H = Hypergraph.from_dict({"a": "xyz", "b": "xy", "c": "x", "d": "z"})
    >>> maximal_chains(H)[["chain", "edge"]].values.tolist()
    [[0, 'a'], [0, 'b'], [0, 'c'], [1, 'a'], [1, 'd']]
    """
    if n < 1:
        raise ValueError(f"n={n}: ask for at least one chain.")
    matrix, copies, first = _distinct(H)
    inner, outer = _pairs(matrix)
    depth = _depth(matrix, inner, outer)
    below = _covers(inner, outer, matrix.shape[0])
    tops = np.setdiff1d(outer, inner)
    # best first: the depth below is exactly how much longer a chain can become, so chains come out by length, and
    # those of equal length in the order of their hyperedges
    heap: list[tuple[int, tuple[int, ...]]] = [(-int(depth[top]), (int(top),)) for top in tops]
    heapify(heap)
    rows, found = [], 0
    sizes, names = np.diff(matrix.indptr), H.edges.index[first]
    while heap and found < n:
        _, chain = heappop(heap)
        children = below.indices[slice(*below.indptr[chain[-1] : chain[-1] + 2])].tolist()
        if not children:
            rows += [(found, len(chain) - 1 - i, names[e], sizes[e], copies[e]) for i, e in enumerate(chain)]
            found += 1
        for child in children:
            heappush(heap, (-len(chain) - int(depth[child]), (*chain, child)))
    return pd.DataFrame(rows, columns=["chain", "level", "edge", "size", "copies"])


def _covers(inner: np.ndarray, outer: np.ndarray, count: int) -> sparse.csr_array:
    """Outer x inner, without the pairs that have a third set between them."""
    inside = sparse.csr_array((np.ones(len(inner), np.int32), (outer, inner)), shape=(count, count))
    between = (inside @ inside).multiply(inside).tocsr()
    between.data[:] = 1
    covers = (inside - between).tocsr()
    covers.eliminate_zeros()
    covers.sort_indices()
    return covers
