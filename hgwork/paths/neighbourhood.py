"""How far concepts are from one another, counted in hyperedges."""

from __future__ import annotations

import numpy as np
import pandas as pd

from .._arrays import place_of
from .hyperpaths import hyperpaths
from .index import path_index
from .steps import FAR

__all__ = ["distance", "neighbourhood"]


def distance(H, a: str, b: str, s: int = 1, directed: bool = False) -> float:
    """Hyperedges in a shortest path between two concepts; infinity where there is none.

    Parameters
    ----------
    H : Hypergraph
    a, b : str
    s : int, at least 1
        Nodes that consecutive hyperedges share.
    directed : bool
        See `hyperpaths`.

    Returns
    -------
    float
        0 where a is b, 1 where a hyperedge holds both. A metric for s = 1; not for s >= 2, where a path through a
        third concept may have to change hyperedges there.

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> H = Hypergraph.from_dict({"a": "xy", "b": "yz", "c": "w"})
    >>> distance(H, "x", "z"), distance(H, "x", "w")
    (2.0, inf)
    """
    found = hyperpaths(H, a, b, s, k=1, directed=directed)
    return 0.0 if a == b else float(len(found[0])) if found else float("inf")


def neighbourhood(H, node: str, h: int = 1, s: int = 1, directed: bool = False) -> pd.DataFrame:
    """Every concept within h hyperedges of one, and the hyperedge that first reaches it.

    Parameters
    ----------
    H : Hypergraph
    node : str
    h : int, at least 0
        Most hyperedges.
    s : int, at least 1
        Nodes that consecutive hyperedges share.
    directed : bool
        Enter hyperedges by sources and leave by targets, see `hyperpaths`.

    Returns
    -------
    DataFrame
        `node`, `distance` (0 for the node itself, else hyperedges) and `via` (of the hyperedges that reach it at that
        distance the first id as text; None for the node itself); nearest first, ties in table order.

    Raises
    ------
    KeyError
        If the node is unknown.
    ValueError
        If h is below 0 or s below 1.

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> H = Hypergraph.from_dict({"a": "xy", "b": "yz", "c": "zw"})
    >>> neighbourhood(H, "x", 2).values.tolist()
    [['x', 0, None], ['y', 1, 'a'], ['z', 2, 'b']]
    """
    if isinstance(h, bool) or int(h) != h or h < 0:
        raise ValueError(f"h={h!r}: give a whole number of hyperedges from 0 on.")
    if isinstance(s, bool) or int(s) != s or s < 1:
        raise ValueError(f"s={s!r}: give a whole number from 1 on.")
    start, index = place_of(H._nodes.index, node, "node"), path_index(H)
    steps = index.steps(int(s), False, directed, 0.0)
    leave, enter = steps.links.leave[0], steps.links.enter[1]
    reached, via = np.full(steps.n, -1), np.full(steps.n, -1)
    reached[start] = 0
    frontier = enter.indices[enter.indptr[start] : enter.indptr[start + 1]]
    seen = np.zeros(steps.m, bool)
    for distance in range(1, int(h) + 1):
        seen[frontier] = True
        frontier = frontier[np.argsort(steps.links.rank[frontier])]
        rows = np.repeat(frontier, np.diff(leave.indptr)[frontier])
        nodes, first = np.unique(leave[frontier].indices, return_index=True)
        fresh = reached[nodes] < 0
        reached[nodes[fresh]], via[nodes[fresh]] = distance, rows[first[fresh]]
        if distance < h:
            frontier = np.flatnonzero((steps.push(frontier, np.zeros(len(frontier), np.int64)) < FAR) & ~seen)
        if not len(frontier):
            break
    found = np.flatnonzero(reached >= 0)
    found = found[np.argsort(reached[found], kind="stable")]
    edges = [H._edges.index[row] if row >= 0 else None for row in via[found].tolist()]
    table = {"node": H._nodes.index[found], "distance": reached[found], "via": pd.Series(edges, dtype=object)}
    return pd.DataFrame(table)
