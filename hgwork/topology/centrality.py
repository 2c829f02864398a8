"""Centralities on s-walks, on the line graphs of HyperNetX, for hypergraphs small enough for it.

Two hyperedges are s-adjacent when they share at least s nodes; two nodes, when at least s hyperedges hold both. The
s-centralities are the graph centralities of the s-line graph that this gives [1]_.

References
----------
.. [1] Aksoy et al., Hypernetwork science via high-order hypergraph walks, EPJ Data Science 9, 16 (2020).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    import hypernetx
    import networkx

__all__ = ["numbered_hypernetx", "refuse_many_links", "s_centrality"]

LINKS = 200_000
"""Most links of a graph that networkx is given to search from every vertex, counted with repetition."""


def s_centrality(
    H,
    kind: Literal["closeness", "harmonic", "betweenness", "eccentricity"] = "betweenness",
    s: int = 1,
    of: Literal["edge", "node"] = "edge",
    top: int | None = None,
    most: int = 2_000,
) -> pd.Series:
    """The s-centrality of every hyperedge or node of a small hypergraph.

    Parameters
    ----------
    H : Hypergraph
    kind : {"closeness", "harmonic", "betweenness", "eccentricity"}
        With d the distance in the s-line graph, σ(u, w) its shortest paths and σ(u, w | v) those through v:

        - closeness: ``(c − 1) / Σ_u d(v, u)`` over the c members of the component of v.
        - harmonic: ``Σ_u 1 / d(v, u)``.
        - betweenness: ``2 / ((n−1)(n−2)) · Σ_{u<w} σ(u, w | v) / σ(u, w)``, n all non-empty hyperedges (nodes).
        - eccentricity: ``max_u d(v, u)`` over the component of v (HyperNetX stops where there are several).
    s : int, at least 1
    of : {"edge", "node"}
    top : int, optional
        Only so many, highest first; ties in table order.
    most : int
        Hyperedges beyond which to refuse: the line graph grows with the square of the degrees.

    Returns
    -------
    Series, in table order (highest first with `top`)
        0 for a member without s-neighbours.

    Raises
    ------
    ValueError
        If an argument is unknown, H has more than `most` hyperedges or the line graph more than `LINKS` links.

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> s_centrality(Hypergraph.from_dict({"a": "xy", "b": "yz", "c": "zw"})).to_dict()
    {'a': 0.0, 'b': 1.0, 'c': 0.0}
    """
    if kind not in ("closeness", "harmonic", "betweenness", "eccentricity") or of not in ("edge", "node"):
        raise ValueError(
            f"kind={kind!r}, of={of!r}: kind is 'closeness', 'harmonic', 'betweenness' or 'eccentricity', "
            "of is 'edge' or 'node'."
        )
    if int(s) != s or s < 1:
        raise ValueError(f"s={s!r}: members are linked by at least 1 shared element, so s is a whole number from 1 on.")
    if len(H) > most:
        raise ValueError(
            f"{len(H):,} hyperedges are too many for s-centralities (most={most:,}). Take a part with "
            "H.subgraph(nodes=...) or H.subgraph(edges=...), or raise `most`."
        )
    refuse_many_links(H.degrees if of == "edge" else H.sizes, f"the line graph of the {of}s")
    names = H.edges.index if of == "edge" else H.nodes.index
    values = np.zeros(len(names))
    if len(H.incidence.indices):
        graph = numbered_hypernetx(H).get_linegraph(s=int(s), edges=of == "edge")
        for code, value in _measured(graph, kind).items():
            values[code] = value
    result = pd.Series(values, names, name=f"{s}-{kind}")
    return result if top is None else result.sort_values(ascending=False, kind="stable").head(top)


def refuse_many_links(sizes: pd.Series, what: str) -> None:
    """ValueError where cliques of these sizes have too many links."""
    links = float((sizes.to_numpy(float) * (sizes.to_numpy(float) - 1) / 2).sum())
    if links > LINKS:
        raise ValueError(
            f"{what} has up to {links:,.0f} links (most {LINKS:,}): {sizes.name} {sizes.max():,} of {sizes.idxmax()!r} "
            "alone makes many. Take a part with H.subgraph(...)."
        )


def numbered_hypernetx(H, least: int = 1) -> hypernetx.Hypergraph:
    """Hyperedges of at least so many nodes in HyperNetX, rows and columns as names: its sets of numbers have one order
    in every process, its sets of text do not."""
    import hypernetx

    matrix = H.incidence
    rows = np.flatnonzero(np.diff(matrix.indptr) >= least).tolist()
    return hypernetx.Hypergraph({r: matrix.indices[slice(*matrix.indptr[r : r + 2])].tolist() for r in rows})


def _measured(graph: networkx.Graph, kind: str) -> dict[int, float]:
    """HyperNetX's measures of its line graph. It makes a hypergraph of every component first, nearly all of its time;
    the same numbers come from the whole line graph."""
    import networkx

    if kind == "closeness":
        return networkx.closeness_centrality(graph, wf_improved=False)
    if kind == "harmonic":
        return networkx.harmonic_centrality(graph)
    if kind == "betweenness":
        scale = (len(graph) - 1) * (len(graph) - 2) / 2
        return {v: b / max(scale, 1) for v, b in networkx.betweenness_centrality(graph, normalized=False).items()}
    parts = (networkx.eccentricity(graph.subgraph(part)) for part in networkx.connected_components(graph))
    return {code: far for part in parts for code, far in part.items()}
