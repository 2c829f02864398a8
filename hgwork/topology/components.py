"""s-connected components of a hypergraph, of its hyperedges and of its nodes.

Two hyperedges share at least s nodes exactly when they share a set of s nodes. Listing the s-subsets of every
hyperedge turns s-components into plain components of a bipartite graph, without the s-line graph [1]_.

References
----------
.. [1] Aksoy et al., Hypernetwork science via high-order hypergraph walks, EPJ Data Science 9, 16 (2020).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain, combinations
from math import comb
from typing import Literal

import numpy as np
import pandas as pd
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from .overlap import blocks, collapsed, row_work

__all__ = ["Components", "s_components", "s_ladder"]

SUBSETS = 20_000_000
"""Most s-subsets that are listed; beyond it the hyperedges with the most of them go through blocked products."""
LINKS = 20_000_000
"""Most links that are held before they are contracted to the components that they make."""


@dataclass(frozen=True)
class Components:
    """`labels`: Series, one integer a member, 0 the largest component, -1 where a member cannot take part.
    `sizes`: Series by label, largest first. `s` and `kind` as asked."""

    labels: pd.Series = field(repr=False)
    sizes: pd.Series
    s: int
    kind: str

    def members(self, label: int = 0) -> list[str]:
        """Names in one component, in table order."""
        return self.labels.index[self.labels == label].tolist()


def s_components(H, s: int = 1, kind: Literal["edge", "node"] = "edge", drop_singletons: bool = False) -> Components:
    """Label the s-connected components.

    Parameters
    ----------
    H : Hypergraph
        m hyperedges, n nodes; parallel hyperedges count each.
    s : int, at least 1
        Shared nodes (``kind="edge"``) or shared hyperedges (``kind="node"``) that link two members.
    kind : {"edge", "node"}
        "edge" is the definition of [1]_ and of the text of [2]_. "node" is what Table 4 of [2]_ prints under its name.
    drop_singletons : bool
        Leave components of one member out of `sizes`, as Table 4 of [2]_ does; their labels stay.

    Returns
    -------
    Components

    Raises
    ------
    ValueError
        If s is below 1 or kind is unknown.

    Notes
    -----
    Hyperedges smaller than s, and nodes of degree below s, take no part. For "edge" each hyperedge takes the cheaper
    way: its C(size, s) subsets are listed, at most `SUBSETS` in all, or it is multiplied with all others, a block at a
    time. For "node" the pairs of nodes within hyperedges are multiplied in blocks.

    References
    ----------
    .. [1] Aksoy et al., EPJ Data Science 9, 16 (2020).
    .. [2] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, section 2.2 and Table 4.

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> H = Hypergraph.from_dict({"a": "xyz", "b": "yz", "c": "w"})
    >>> s_components(H, s=2).sizes.tolist()
    [2]
    """
    if int(s) != s or s < 1:
        raise ValueError(f"s={s!r}: members are linked by at least 1 shared element, so s is a whole number from 1 on.")
    if kind not in ("edge", "node"):
        raise ValueError(f"kind={kind!r} is unknown. Use 'edge' or 'node'.")
    if kind == "edge":
        raw, names = _edge_labels(H, int(s)), H.edges.index
    else:
        raw, names = _node_labels(H, int(s)), H.nodes.index
    labels, sizes = _ranked(raw)
    if drop_singletons:
        sizes = sizes[sizes > 1]
    series = pd.Series(labels, names, name="component")
    return Components(series, pd.Series(sizes, pd.RangeIndex(len(sizes), name="component"), name="size"), int(s), kind)


def _ranked(raw: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Labels renumbered by size, then by first member; -1 stays."""
    takes_part = raw >= 0
    codes, _ = pd.factorize(raw[takes_part])
    counts = np.bincount(codes) if len(codes) else np.zeros(0, int)
    order = np.argsort(-counts, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    labels = np.full(len(raw), -1)
    labels[takes_part] = rank[codes] if len(codes) else []
    return labels, counts[order]


def _edge_labels(H, s: int) -> np.ndarray:
    if s == 1:
        labels, sizes = _by_membership(H.incidence)[: len(H)], np.diff(H.incidence.indptr)
        labels[sizes < 1] = -1
        return labels
    matrix, _ = collapsed(H)
    sizes = np.diff(matrix.indptr)
    listed = _listed(matrix, sizes, s)
    rows, subsets = _subsets(matrix, np.flatnonzero(listed), s)
    links = chain([(rows, subsets + matrix.shape[0])], _large_links(matrix, np.flatnonzero((sizes >= s) & ~listed), s))
    size = matrix.shape[0] + int(subsets.max(initial=-1)) + 1
    labels = _components(links, size)[: matrix.shape[0]]
    labels[sizes < s] = -1
    return labels[H.edge_classes().to_numpy()]


def _by_membership(matrix) -> np.ndarray:
    """Component of every row, then of every column, of the bipartite graph."""
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    return _components([(rows, matrix.indices + matrix.shape[0])], sum(matrix.shape))


def _listed(matrix, sizes: np.ndarray, s: int) -> np.ndarray:
    """Rows whose s-subsets are fewer than the products that the row would take, the fewest first up to the bound."""
    kinds, kind = np.unique(sizes, return_inverse=True)
    subsets = np.array([min(comb(int(size), s), 2**40) for size in kinds], np.int64)[kind]
    able = np.flatnonzero((sizes >= s) & (subsets <= row_work(matrix)))
    able = able[np.argsort(subsets[able], kind="stable")]
    listed = np.zeros(len(sizes), bool)
    listed[able[np.cumsum(subsets[able]) <= SUBSETS]] = True
    return listed


def _subsets(matrix, rows: np.ndarray, s: int) -> tuple[np.ndarray, np.ndarray]:
    """Row number and subset number of every s-subset that stands in two rows or more."""
    sizes, owners, tuples = np.diff(matrix.indptr), [], []
    for size in np.unique(sizes[rows]):
        group = rows[sizes[rows] == size]
        members = np.sort(matrix.indices[matrix.indptr[group][:, None] + np.arange(size)], axis=1)
        flat = chain.from_iterable(combinations(range(size), s))
        chosen = np.fromiter(flat, np.int32, comb(int(size), s) * s).reshape(-1, s)
        tuples.append(members[:, chosen].reshape(-1, s))
        owners.append(np.repeat(group, len(chosen)))
    if not owners:
        return np.zeros(0, int), np.zeros(0, int)
    rows_of, table = np.concatenate(owners), np.concatenate(tuples)
    codes = table[:, 0].astype(np.int64)
    for column in table.T[1:]:  # a code per tuple, refined one member at a time: exact for any s
        codes = pd.factorize(codes * matrix.shape[1] + column)[0]
    shared = (np.bincount(codes) > 1)[codes]
    return rows_of[shared], pd.factorize(codes[shared])[0]


def _large_links(matrix, large: np.ndarray, s: int):
    """Pairs (large row, any row) that share at least s columns, by blocked products."""
    if not len(large):
        return
    transposed = matrix.T.tocsr()
    for rows in blocks(large, row_work(matrix)[large]):
        product = (matrix[rows] @ transposed).tocoo()
        keep = product.data >= s
        yield rows[product.coords[0][keep]], product.coords[1][keep]


def _node_labels(H, s: int) -> np.ndarray:
    degrees = H.degrees.to_numpy()
    labels = np.full(len(degrees), -1)
    able = np.flatnonzero(degrees >= s)
    if not len(able):
        return labels
    matrix = H.incidence[:, able]
    if s == 1:
        labels[able] = _by_membership(matrix)[matrix.shape[0] :]
        return labels
    labels[able] = _components(_shared_links(matrix, s), len(able))
    return labels


def _shared_links(matrix, s: int):
    """Pairs of columns that at least s rows hold, by blocked products."""
    by_node = matrix.T.tocsr()
    for rows in blocks(np.arange(matrix.shape[1]), row_work(by_node)):
        product = (by_node[rows] @ matrix).tocoo()
        i, j = rows[product.coords[0]], product.coords[1]
        keep = (product.data >= s) & (i < j)
        yield i[keep], j[keep]


def _components(links, size: int) -> np.ndarray:
    """Components of a graph whose links come in parts; what has come is contracted whenever much is held."""
    held, count = [], 0
    for part in links:
        held.append(part)
        count += len(part[0])
        if count > LINKS + size:
            labels = _labels(held, size)
            held, count = [(np.arange(size), np.unique(labels, return_index=True)[1][labels])], size
    return _labels(held, size)


def _labels(held, size: int) -> np.ndarray:
    i, j = (np.concatenate([part[side] for part in held] or [np.zeros(0, int)]) for side in (0, 1))
    graph = sparse.coo_array((np.ones(len(i), bool), (i, j)), shape=(size, size))
    return connected_components(graph, directed=False)[1]


def s_ladder(
    H, s=(1, 2, 3, 4), kind: Literal["edge", "node"] = "edge", top: int = 3, components: int = 3
) -> pd.DataFrame:
    """Which concepts hold together as s grows: the largest components of each rung, named by their top concepts.

    Parameters
    ----------
    H : Hypergraph
    s : iterable of int
    kind : {"edge", "node"}
    top : int
        Concepts in a name: those of highest degree inside the component.
    components : int
        Components a rung.

    Returns
    -------
    DataFrame
        One row a component: `s`, `component`, `size`, `share` (of the members that can take part), `components` (on
        that rung, single members included), `concepts`.
    """
    degrees = H.degrees
    rows = []
    for rung in s:
        found = s_components(H, rung, kind)
        part = max(int((found.labels >= 0).sum()), 1)
        for label, size in found.sizes.head(components).items():
            inside = degrees
            if kind == "edge":
                mask = (found.labels == label).to_numpy()
                inside = pd.Series(np.asarray(H.incidence[mask].sum(axis=0)).ravel(), degrees.index)
            else:
                inside = degrees[found.labels == label]
            names = inside[inside > 0].sort_values(ascending=False, kind="stable").index[:top]
            rows.append((rung, label, size, size / part, len(found.sizes), ", ".join(names)))
    return pd.DataFrame(rows, columns=["s", "component", "size", "share", "components", "concepts"])
