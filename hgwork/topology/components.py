"""s-connected components of a hypergraph, of its hyperedges and of its nodes.

Two hyperedges share at least s nodes exactly when they share a set of s nodes. Listing the s-subsets of every
hyperedge turns s-components into plain components of a bipartite graph, without the s-line graph [1]_.

References
----------
.. [1] Aksoy et al., Hypernetwork science via high-order hypergraph walks, EPJ Data Science 9, 16 (2020).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from typing import Literal

import numpy as np
import pandas as pd
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from .overlap import blocks, collapsed, row_work

__all__ = ["Components", "s_components", "s_ladder"]

SUBSETS = 20_000_000
"""Most s-subsets that are listed; the largest hyperedges go through blocked products beyond it."""


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
    Hyperedges smaller than s, and nodes of degree below s, take no part. Time and memory for "edge" follow the sum of
    C(size, s), bounded by `SUBSETS`; for "node" the pairs of nodes within hyperedges, in blocks.

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
    if not len(H):
        return np.zeros(0, int)
    matrix, _ = collapsed(H)
    sizes = np.diff(matrix.indptr)
    cut = _largest_listed(sizes, s)
    rows, subsets = _subsets(matrix, np.flatnonzero((sizes >= s) & (sizes <= cut)), s)
    links = [(rows, subsets + matrix.shape[0])] if len(rows) else []
    links += list(_large_links(matrix, np.flatnonzero((sizes >= s) & (sizes > cut)), s))
    size = matrix.shape[0] + (int(subsets.max()) + 1 if len(subsets) else 0)
    labels = _components(links, size)[: matrix.shape[0]]
    labels[sizes < s] = -1
    return labels[H.edge_classes().to_numpy()]


def _largest_listed(sizes: np.ndarray, s: int) -> int:
    """The largest size whose s-subsets still fit under the bound together with those of all smaller hyperedges."""
    total, cut = 0, s - 1
    for size, count in zip(*np.unique(sizes[sizes >= s], return_counts=True), strict=True):
        total += comb(int(size), s) * int(count)
        if total > SUBSETS:
            break
        cut = int(size)
    return cut


def _subsets(matrix, rows: np.ndarray, s: int) -> tuple[np.ndarray, np.ndarray]:
    """Row number and subset number of every s-subset that stands in two rows or more."""
    sizes, owners, tuples = np.diff(matrix.indptr), [], []
    for size in np.unique(sizes[rows]):
        group = rows[sizes[rows] == size]
        members = np.sort(matrix.indices[matrix.indptr[group][:, None] + np.arange(size)], axis=1)
        chosen = np.array(list(combinations(range(size), s)))
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
    for rows in blocks(large, row_work(matrix, large)):
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
        rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
        links = [(matrix.indices, rows + len(able))]
        labels[able] = _components(links, sum(matrix.shape))[: len(able)]
        return labels
    by_node = matrix.T.tocsr()
    sizes = np.diff(matrix.indptr)
    work = np.add.reduceat(np.append(sizes[by_node.indices], 0), by_node.indptr[:-1])
    links = []
    for rows in blocks(np.arange(len(able)), work):
        product = (by_node[rows] @ matrix).tocoo()
        i, j = rows[product.coords[0]], product.coords[1]
        keep = (product.data >= s) & (i < j)
        links.append((i[keep], j[keep]))
    labels[able] = _components(links, len(able))
    return labels


def _components(links, size: int) -> np.ndarray:
    i = np.concatenate([a for a, _ in links]) if links else np.zeros(0, int)
    j = np.concatenate([b for _, b in links]) if links else np.zeros(0, int)
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
