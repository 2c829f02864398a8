"""Paths among several concepts: all pairs, a chain, and pairs of a rare concept and a hub worth asking about."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, pairwise

import numpy as np
import pandas as pd

from .._arrays import place_of
from .hyperpaths import hyperpaths
from .index import path_index
from .path import Path, paths_table

__all__ = ["bridge_candidates", "entity_path", "pairs_paths", "path_table"]


def pairs_paths(H, concepts: Iterable[str], k: int = 3, **options) -> dict[tuple[str, str], list[Path]]:
    """The paths of every unordered pair of concepts [1]_.

    Parameters
    ----------
    H : Hypergraph
    concepts : iterable of str
        Nodes, such as the matches of the keywords of a question; repeated ones count once.
    k : int, at least 1
        Paths a pair.
    **options
        As `hyperpaths` takes them.

    Returns
    -------
    dict of (str, str) to list of Path
        Pairs in the order of the concepts; a pair without a path has an empty list.

    Raises
    ------
    ValueError
        If there are fewer than two concepts.

    References
    ----------
    .. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, section 4.4.

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> H = Hypergraph.from_dict({"a": "xy", "b": "yz"})
    >>> {pair: len(paths) for pair, paths in pairs_paths(H, ["x", "y", "z"], k=1).items()}
    {('x', 'y'): 1, ('x', 'z'): 1, ('y', 'z'): 1}
    """
    names = _several(concepts)
    return {pair: hyperpaths(H, *pair, k=k, **options) for pair in combinations(names, 2)}


def path_table(H, concepts: Iterable[str], k: int = 3, **options) -> pd.DataFrame:
    """`pairs_paths` as one table, see `paths_table`; paths are numbered through, pairs without a path have no row.

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> path_table(Hypergraph.from_dict({"a": "xy", "b": "yz"}), ["x", "z"])["edge"].tolist()
    ['a', 'b']
    """
    return paths_table(path for found in pairs_paths(H, concepts, k, **options).values() for path in found)


def entity_path(H, concepts: Iterable[str], **options) -> list[Path]:
    """The best path from each concept to the next.

    Parameters
    ----------
    H : Hypergraph
    concepts : iterable of str
        Nodes in the order to be visited.
    **options
        As `hyperpaths` takes them, without `k`.

    Returns
    -------
    list of Path
        One a pair of successive concepts; empty if some pair has none.

    Raises
    ------
    ValueError
        If there are fewer than two concepts.

    See Also
    --------
    hyperpaths : with `via`, one path through waypoints, the best as a whole; here each leg is the best of its own.

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> [leg.edges for leg in entity_path(Hypergraph.from_dict({"a": "xy", "b": "yz", "c": "zw"}), ["x", "z", "w"])]
    [('a', 'b'), ('c',)]
    """
    if "k" in options:
        raise ValueError("entity_path takes the best path of each leg, so it has no k. Use pairs_paths for several.")
    names = [concepts] if isinstance(concepts, str) else list(concepts)
    _several(names)
    legs = [hyperpaths(H, one, other, k=1, **options) for one, other in pairwise(names)]
    return [leg[0] for leg in legs] if all(legs) else []


def _several(concepts: Iterable[str]) -> list[str]:
    names = list(dict.fromkeys([concepts] if isinstance(concepts, str) else concepts))
    if len(names) < 2:
        raise ValueError(f"a path needs two concepts; {names} is fewer. Name at least two different nodes.")
    return names


def bridge_candidates(
    H, hubs: int | Iterable[str] = 20, rare: int | Iterable[str] = 2, top: int | None = 20
) -> pd.DataFrame:
    """Pairs of a rare concept and a hub that no hyperedge holds, but that common neighbours link: worth asking about.

    What a rare concept has to do with a hub is asked by its path in [1]_; this ranks such pairs by the resource
    allocation index [2]_, ``score(u, v) = Σ 1 / k(w)`` over the concepts w that stand in a hyperedge with u and in
    one with v, where k(w) counts the concepts that stand in a hyperedge with w: many and special go-betweens count.

    Parameters
    ----------
    H : Hypergraph
    hubs : int or iterable of str
        So many nodes of highest degree (ties in table order), or nodes by name.
    rare : int or iterable of str
        The nodes of degree 1 up to this, hubs aside; or nodes by name.
    top : int or None
        Pairs to return; None for all.

    Returns
    -------
    DataFrame
        `rare`, `hub`, `score`, `common` (go-betweens), `best` (the most special of them), `degree` (of the rare one);
        highest score first, ties in table order of the rare concept, then of the hub.

    References
    ----------
    .. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, section 2.3.
    .. [2] Zhou, Lü and Zhang, Predicting missing links via local information, EPJ B 71, 623 (2009).

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> H = Hypergraph.from_dict({"a": ["ceria", "silk"], "b": ["silk", "PCL"], "c": ["PCL", "bone"], "d": ["PCL"]})
    >>> bridge_candidates(H, hubs=1, rare=["ceria"])[["rare", "hub", "score", "best"]].values.tolist()
    [['ceria', 'PCL', 0.5, 'silk']]
    """
    index = path_index(H)
    names, degree = H._nodes.index, index.degree
    hub_rows = (
        np.argsort(-degree, kind="stable")[:hubs]
        if isinstance(hubs, int)
        else np.array([place_of(names, name, "node") for name in dict.fromkeys(hubs)], int)
    )
    if isinstance(rare, int):
        rare_rows = np.setdiff1d(np.flatnonzero((degree >= 1) & (degree <= rare)), hub_rows)
    else:
        rare_rows = np.array([place_of(names, name, "node") for name in dict.fromkeys(rare)], int)
    matrix, by_node = index.matrix, index.by_node
    linked = (by_node[rare_rows] @ matrix).astype(bool).tocoo()
    rare_at, between = linked.coords[0], linked.coords[1]
    keep = between != rare_rows[rare_at]
    rare_at, between = rare_at[keep], between[keep]
    near = (by_node[hub_rows] @ matrix).toarray() > 0  # hubs x nodes
    width = np.zeros(len(names))
    used = np.unique(between)
    for part in np.array_split(used, max(len(used) // 2000, 1)):
        width[part] = np.diff((by_node[part] @ matrix).indptr) - 1
    tables = []
    for hub, held in zip(hub_rows.tolist(), near, strict=True):
        common = held[between] & (between != hub)
        at, node = rare_at[common], between[common]
        order = np.lexsort((node, width[node], at))
        at, node = at[order], node[order]
        pair, first = np.unique(at, return_index=True)
        score = np.bincount(at, 1 / width[node], len(rare_rows))[pair]
        count, best = np.bincount(at, minlength=len(rare_rows))[pair], node[first] if len(first) else pair
        fresh = ~held[rare_rows[pair]] & (rare_rows[pair] != hub)
        columns = {"rare": rare_rows[pair], "hub": hub, "score": score, "common": count, "best": best}
        tables.append(pd.DataFrame(columns)[fresh])
    table = pd.concat(tables or [pd.DataFrame(columns=["rare", "hub", "score", "common", "best"])], ignore_index=True)
    order = np.lexsort((table["hub"].astype(int), table["rare"].astype(int), -table["score"].astype(float).round(12)))
    table = table.iloc[order][:top].reset_index(drop=True)
    table["degree"] = degree[table["rare"].astype(int)]
    for column in ("rare", "hub", "best"):
        table[column] = names[table[column].astype(int)]
    return table
