"""Graphs of pairs that stand in for a hypergraph, and what each of them loses.

A pairwise graph can only approximate a hyperedge. Section 1.4 of [1]_ defines five ways to do it: two formal ones
(clique, star) and three that language models fall into when they are asked for triples (collapsed, cycle, chain).
All are undirected here: roles are ignored, and members come in the order of the incidences.

References
----------
.. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, section 1.4, definitions 1 to 5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from ..hypergraph import Hypergraph

if TYPE_CHECKING:
    import networkx

__all__ = ["PROJECTIONS", "project", "projection_losses", "same_clique_expansion"]

PROJECTIONS = ("clique", "star", "collapsed", "cycle", "chain")
Kind = Literal["clique", "star", "collapsed", "cycle", "chain"]


def project(H: Hypergraph, kind: Kind = "clique") -> networkx.Graph:
    """The pairwise graph of a hypergraph by one of the five definitions of [1]_.

    Parameters
    ----------
    H : Hypergraph
        Members v1 … vn of each hyperedge e are taken in the order of ``H.incidences``.
    kind : {"clique", "star", "collapsed", "cycle", "chain"}
        - clique: ``E = ∪ C(e, 2)``, every pair of members.
        - star: ``V ∪ E`` joined by ``{(v, e) : v ∈ e}``; vertices are ``("node", v)`` and ``("edge", e)``, as in
          `Hypergraph.to_networkx`.
        - collapsed: one link a hyperedge, from the group as an atom, ``("group", its sorted members)``, to its
          label, ``("edge", e)``.
        - cycle: ``{(vi, vi+1) : 1 ≤ i < n} ∪ {(vn, v1)}``; for n = 2 the two halves are one link.
        - chain: ``{(vi, vi+1) : 1 ≤ i < n}``.

    Returns
    -------
    networkx.Graph
        Simple, as in [1]_. Links carry `weight`, the number of hyperedges behind them, and, to trace them back,
        the tuples `edge` (ids) and `relation`. A singleton gives no link in clique, cycle and chain.

    Raises
    ------
    ValueError
        If kind is unknown.

    References
    ----------
    .. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, section 1.4.

    Examples
    --------
    >>> H = Hypergraph.from_dict({"Paper 1": ["Sally", "Bob", "David", "Ella"]})
    >>> {kind: project(H, kind).number_of_edges() for kind in PROJECTIONS}
    {'clique': 6, 'star': 4, 'collapsed': 1, 'cycle': 4, 'chain': 3}
    """
    import networkx

    if kind not in PROJECTIONS:
        raise ValueError(f"kind={kind!r} is unknown. Use one of {', '.join(map(repr, PROJECTIONS))}.")
    groups, edges = _ordered_members(H), H.edges
    relations = edges["relation"] if "relation" in edges else pd.Series(None, index=edges.index, dtype=object)
    graph: Any = networkx.Graph()
    if kind == "star":
        graph.add_nodes_from((("node", name) for name in H.nodes.index), bipartite=0)
        graph.add_nodes_from((("edge", name) for name in edges.index), bipartite=1)
    elif kind != "collapsed":
        graph.add_nodes_from(H.nodes.index)
    for (name, members), relation in zip(groups.items(), relations, strict=True):
        for one, two in _links(name, members, kind):
            if graph.has_edge(one, two):
                row = graph.edges[one, two]
                row["weight"] += 1
                row["edge"] += (name,)
                row["relation"] += (relation,)
            else:
                graph.add_edge(one, two, weight=1, edge=(name,), relation=(relation,))
    return graph


def _ordered_members(H: Hypergraph) -> dict[Any, list[str]]:
    table = H.incidences
    groups: dict[str, dict[str, None]] = {name: {} for name in H.edges.index}
    for edge, node in zip(table["edge"], table["node"], strict=True):
        groups[edge][node] = None
    return {name: list(members) for name, members in groups.items()}


def _links(name: str, members: Sequence, kind: str) -> Iterator[tuple[Any, Any]]:
    """The links that one hyperedge gives."""
    if kind == "clique":
        yield from combinations(members, 2)
    elif kind == "star":
        yield from ((("node", member), ("edge", name)) for member in members)
    elif kind == "collapsed":
        yield ("group", tuple(sorted(members))), ("edge", name)
    else:
        yield from pairwise(members)
        if kind == "cycle" and len(members) > 2:
            yield members[-1], members[0]


def projection_losses(H: Hypergraph) -> pd.DataFrame:
    """What each projection of this hypergraph keeps and loses, computed on the graphs themselves.

    Only the bare graph counts (which vertices, which links), as in the definitions; `weight` and `edge` are not used.

    Parameters
    ----------
    H : Hypergraph

    Returns
    -------
    DataFrame, indexed by kind, the hypergraph itself first
        - `nodes`, `edges`: vertices and links.
        - `individuals`: every node of H is a vertex of its own.
        - `group`: for every hyperedge some one vertex or link stands for exactly its members.
        - `multiplicity`: the graph of H with its hyperedges repeated differs from the graph of H.
        - `equal_members`: the members of any one hyperedge have equal degree in its own projection; missing where
          they are no vertices.
        - `order_free`: listing the first two members of every hyperedge the other way round gives the same graph.
        - `reconstructs`: no other hypergraph on these nodes has this graph, so that the hyperedges of H can be read
          back (see Notes).
        - `clustering`: mean clustering coefficient of the graph.
        - `degree_low`, `degree_high`: over the nodes of H in the graph.
        - `distance`: most links between two members of one hyperedge, within its own projection.

    Notes
    -----
    Every link of a clique, cycle or chain graph may be a hyperedge of two. So the graph is unambiguous just when it
    leaves no room for a larger one: a clique graph without a triangle, a cycle graph without a cycle, a chain graph
    in which no two links meet; and H is read back when besides it has no singletons and nothing parallel.

    Examples
    --------
    >>> H = Hypergraph.from_dict({"Paper 1": ["Sally", "Bob", "David", "Ella"]})
    >>> losses = projection_losses(H)
    >>> losses.index[~losses["group"]].tolist()
    ['clique', 'cycle', 'chain']
    >>> losses["edges"].to_dict()
    {'hypergraph': 1, 'clique': 6, 'star': 4, 'collapsed': 1, 'cycle': 4, 'chain': 3}
    """
    degrees = H.degrees.to_numpy()
    rows = [
        {
            "kind": "hypergraph", "nodes": H.shape[1], "edges": H.shape[0], "individuals": True, "group": True,
            "multiplicity": True, "equal_members": True, "order_free": True, "reconstructs": True,
            "clustering": np.nan, "distance": 1.0, "degree_low": min(degrees, default=np.nan),
            "degree_high": max(degrees, default=np.nan),
        }
    ]  # fmt: skip
    rows += [{"kind": kind, **_losses(H, kind)} for kind in PROJECTIONS]
    table = pd.DataFrame(rows).set_index("kind")
    floats = dict.fromkeys(("clustering", "degree_low", "degree_high", "distance"), float)
    return table.astype({"equal_members": "boolean", **floats})


def _losses(H: Hypergraph, kind: Any) -> dict[str, Any]:
    import networkx

    graph = project(H, kind)
    groups = _ordered_members(H)
    vertices = {("node", name) if kind == "star" else name for name in H.nodes.index} & set(graph)
    degrees = [graph.degree[vertex] for vertex in vertices]
    shapes = [_shape(size, kind) for size in sorted({len(members) for members in groups.values()}) if size > 1]
    stands = {frozenset(name for tag, name in graph[vertex]) for vertex in graph} if kind == "star" else set()
    stands |= {frozenset(vertex[1]) for vertex in graph if kind == "collapsed" and vertex[0] == "group"}
    stands |= {frozenset(link) for link in graph.edges} if kind not in ("star", "collapsed") else set()
    repeated = {**groups, **{("again", name): group for name, group in groups.items()}}
    twice = Hypergraph.from_dict(repeated, nodes=H.nodes)
    other = Hypergraph.from_dict({name: group[1::-1] + group[2:] for name, group in groups.items()}, nodes=H.nodes)
    return {
        "nodes": graph.number_of_nodes(),
        "edges": graph.number_of_edges(),
        "individuals": len(vertices) == H.shape[1],
        "group": all(frozenset(group) in stands for group in groups.values()),
        "multiplicity": not _same(graph, project(twice, kind)),
        "equal_members": None if kind == "collapsed" else all(equal for equal, _ in shapes),
        "order_free": _same(graph, project(other, kind)),
        "reconstructs": _reads_back(graph, groups, kind),
        "clustering": networkx.average_clustering(graph) if len(graph) else np.nan,
        "degree_low": min(degrees, default=np.nan),
        "degree_high": max(degrees, default=np.nan),
        "distance": np.nan if kind == "collapsed" or not shapes else max(far for _, far in shapes),
    }


def _same(one, two) -> bool:
    links = [{frozenset(link) for link in graph.edges} for graph in (one, two)]
    return set(one) == set(two) and links[0] == links[1]


def _shape(size: int, kind: Any) -> tuple[bool, int]:
    """Of one hyperedge of this size: have its members equal degree, and how far apart are two of them at most?"""
    import networkx

    graph = project(Hypergraph.from_dict({"e": [str(i) for i in range(size)]}), kind)
    members = [vertex for vertex in graph if vertex != ("edge", "e")]
    if kind == "collapsed":
        return True, 0
    far = dict(networkx.all_pairs_shortest_path_length(graph))
    return len({graph.degree[v] for v in members}) == 1, max(far[one][two] for one in members for two in members)


def _reads_back(graph, groups: dict[str, list[str]], kind: str) -> bool:
    """Whether the bare graph has only one reading as a hypergraph, and that reading is this one."""
    import networkx

    if kind == "star":
        read = [{name for _, name in graph[vertex]} for vertex, side in graph.nodes("bipartite") if side]
    elif kind == "collapsed":
        read = [set(vertex[1]) for vertex in graph if vertex[0] == "group" for _ in graph[vertex]]
    else:
        alone = {
            "clique": lambda: not any(networkx.triangles(graph).values()),
            "cycle": lambda: len(graph) == 0 or networkx.is_forest(graph),
            "chain": lambda: all(degree < 2 for _, degree in graph.degree),
        }
        if not alone[kind]():
            return False
        read = [set(link) for link in graph.edges]
    return Counter(map(frozenset, read)) == Counter(map(frozenset, groups.values()))


def same_clique_expansion() -> tuple[Hypergraph, Hypergraph]:
    """Two different hypergraphs with one clique expansion: a paper of three authors, or three papers of two.

    Examples
    --------
    >>> together, pairwise = same_clique_expansion()
    >>> together.to_dict() == pairwise.to_dict()
    False
    >>> project(together, "clique").edges == project(pairwise, "clique").edges
    True
    """
    last = {"Paper 2": ["David", "Ella"]}
    together: dict[Any, list[str]] = {"Paper 1": ["Sally", "Bob", "David"], **last}
    pairs: dict[Any, list[str]] = {
        "Paper 1a": ["Sally", "Bob"],
        "Paper 1b": ["Bob", "David"],
        "Paper 1c": ["Sally", "David"],
        **last,
    }
    return Hypergraph.from_dict(together), Hypergraph.from_dict(pairs)
