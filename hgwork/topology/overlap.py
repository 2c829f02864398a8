"""How many nodes hyperedges share, counted exactly without the line graph.

Equal node sets are collapsed with their multiplicity first. Pairs that share two nodes or more are found through the
node pairs that they share; pairs that share one follow from the degrees: the sum of overlaps over all pairs of
hyperedges is the sum of C(degree, 2) over all nodes, so
``N(≥1) = Σ_v C(d_v, 2) − Σ_{pairs with overlap ≥ 2} (overlap − 1)``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd
from scipy import sparse

__all__ = ["max_intersection", "overlap_counts", "overlapping_pairs"]

LARGE = 64
_BLOCK = 2_000_000


def overlap_counts(H, s: int | Iterable[int] = (1, 2, 3)) -> pd.Series:
    """Unordered pairs of hyperedges that share at least s nodes, parallel hyperedges counted each [1]_.

    Parameters
    ----------
    H : Hypergraph
    s : int or iterable of int, each at least 1

    Returns
    -------
    Series of int, indexed by s

    Raises
    ------
    ValueError
        If some s is no whole number from 1 on.

    References
    ----------
    .. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, Table 1, where the line for one
       shared node lost a digit (22,106,585 for 221,063,585).

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> overlap_counts(Hypergraph.from_dict({"a": "xyz", "b": "yz", "c": "zw"})).tolist()
    [3, 1, 0]
    """
    asked = list(s) if isinstance(s, Iterable) else [s]
    if any(int(k) != k or k < 1 for k in asked):
        raise ValueError(f"s={asked}: two hyperedges overlap in a whole number of nodes, at least 1 node.")
    return counts_from(H, [int(k) for k in asked], histogram(H)[0])


def counts_from(H, thresholds: list[int], histogram: dict[int, int]) -> pd.Series:
    counts = [sum(n for overlap, n in histogram.items() if overlap >= k) for k in thresholds]
    degrees = H.degrees.to_numpy(np.int64)
    one = int((degrees * (degrees - 1) // 2).sum()) - sum((o - 1) * n for o, n in histogram.items())
    pairs = [one if k == 1 else n for k, n in zip(thresholds, counts, strict=True)]
    return pd.Series(pairs, pd.Index(thresholds, name="s"), name="pairs", dtype="int64")


def max_intersection(H, unique: bool = False) -> int:
    """The most nodes that two hyperedges share.

    Parameters
    ----------
    H : Hypergraph
    unique : bool
        Compare distinct node sets only. By default two parallel hyperedges share all their nodes, as they do in
        `overlap_counts` and in Table 1 of the paper that it cites.

    Returns
    -------
    int
        0 where no two hyperedges share a node.

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> H = Hypergraph.from_dict({"a": "xyz", "b": "xyz", "c": "yzw"})
    >>> max_intersection(H), max_intersection(H, unique=True)
    (3, 2)
    """
    pairs, distinct = histogram(H)
    return distinct if unique else deepest(pairs, distinct, H.degrees)


def deepest(pairs: dict[int, int], distinct: int, degrees: pd.Series) -> int:
    """Largest overlap of any two hyperedges, from `histogram`, parallel ones included."""
    return max(*pairs, distinct, int(degrees.max() > 1) if len(degrees) else 0, 0)


def overlapping_pairs(matrix: sparse.csr_array) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Row pairs (i < j) of a 0/1 matrix that share two columns or more, in blocks: i, j, overlap.

    Time and memory follow the pairs of columns inside rows, Σ C(size, 2), for rows up to `LARGE`; larger rows are
    multiplied with all others, a block at a time.
    """
    sizes = np.diff(matrix.indptr)
    small, large = np.flatnonzero((sizes >= 2) & (sizes <= LARGE)), np.flatnonzero(sizes > LARGE)
    if len(small):
        yield from _through_pairs(matrix, sizes, small)
    transposed = matrix.T.tocsr() if len(large) else None
    for rows in blocks(large, row_work(matrix)[large]):
        product = (matrix[rows] @ transposed).tocoo()
        i, j = rows[product.coords[0]], product.coords[1]
        keep = (product.data >= 2) & ((sizes[j] <= LARGE) | (i < j))
        i, j, overlap = i[keep], j[keep], product.data[keep]
        yield np.minimum(i, j), np.maximum(i, j), overlap


def _through_pairs(matrix, sizes, rows):
    n = matrix.shape[1]
    keys, owners = [], []
    for size in np.unique(sizes[rows]):
        group = rows[sizes[rows] == size]
        members = np.sort(matrix.indices[matrix.indptr[group][:, None] + np.arange(size)], axis=1).astype(np.int64)
        first, second = np.triu_indices(size, 1)
        keys.append((members[:, first] * n + members[:, second]).ravel())
        owners.append(np.repeat(group, len(first)))
    key, owner = np.concatenate(keys), np.concatenate(owners)
    _, column, count = np.unique(key, return_inverse=True, return_counts=True)
    shared = count[column] > 1
    column, owner = column[shared], owner[shared]
    if not len(owner):
        return
    column = np.unique(column, return_inverse=True)[1]
    pairs = sparse.csr_array(
        (np.ones(len(owner), np.int32), (owner, column)), shape=(matrix.shape[0], column.max() + 1)
    )
    weight = np.bincount(column)
    work = np.bincount(owner, weight[column], minlength=matrix.shape[0])
    used, transposed = np.flatnonzero(np.diff(pairs.indptr)), pairs.T.tocsr()
    for block in blocks(used, work[used]):
        product = (pairs[block] @ transposed).tocoo()
        i, j = block[product.coords[0]], product.coords[1]
        keep = i < j
        # C(overlap, 2) shared pairs -> overlap
        yield i[keep], j[keep], ((1 + np.sqrt(1 + 8 * product.data[keep])) / 2).round().astype(np.int64)


def row_work(matrix) -> np.ndarray:
    """Products that each row of ``matrix @ matrix.T`` takes: the degrees of its columns, added up."""
    degree = np.bincount(matrix.indices, minlength=matrix.shape[1])
    return np.diff(np.append(0, np.cumsum(degree[matrix.indices]))[matrix.indptr])


def blocks(rows: np.ndarray, work: np.ndarray) -> list[np.ndarray]:
    """Rows in runs of about `_BLOCK` products each."""
    if not len(rows):
        return []
    place = (np.cumsum(work) // _BLOCK).astype(int)
    return np.split(rows, np.flatnonzero(np.diff(place)) + 1)


def collapsed(H) -> tuple[sparse.csr_array, np.ndarray]:
    """The incidence of distinct node sets, and how often each stands."""
    if not len(H):
        return H.incidence, np.zeros(0, int)
    classes = H.edge_classes().to_numpy()
    _, first = np.unique(classes, return_index=True)
    return H.incidence[first], np.bincount(classes)


def histogram(H) -> tuple[dict[int, int], int]:
    """Overlap (2 and more) -> pairs of hyperedges with exactly that overlap; and the largest of distinct node sets."""
    matrix, copies = collapsed(H)
    sizes, top = np.diff(matrix.indptr), int((np.bincount(matrix.indices, minlength=1) > 1).any())
    total = np.zeros(int(sizes.max(initial=0)) + 1, np.int64)
    np.add.at(total, sizes, copies.astype(np.int64) * (copies - 1) // 2)
    for i, j, overlap in overlapping_pairs(matrix):
        np.add.at(total, overlap, copies[i].astype(np.int64) * copies[j])
        top = max(top, int(overlap.max(initial=0)))
    return {overlap: int(n) for overlap, n in enumerate(total) if overlap >= 2 and n}, top
