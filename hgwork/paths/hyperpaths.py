"""Hyperpaths: sequences of hyperedges from one concept to another, each sharing nodes with the next.

A path is a sequence of hyperedges, the first of which holds the source and the last the target, where consecutive ones
share at least s nodes [1]_. As many paths may tie, all orders are total and only the first k are ever made.

References
----------
.. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, sections 1.4 and 4.4.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Literal

import numpy as np

from .._arrays import place_of
from .index import MILLION, path_index
from .path import Path, as_path
from .search import best_paths
from .space import Space
from .steps import Steps, cost_of, shared_of

__all__ = ["LOOKED_AT", "hyperpaths"]

LOOKED_AT = 16
"""Paths that are compared, for each path asked for, to find those with links of their own."""


def hyperpaths(
    H,
    source: str | Iterable[str],
    target: str | Iterable[str],
    s: int = 1,
    k: int = 3,
    intersection: Literal["at_least", "exactly"] = "at_least",
    directed: bool = False,
    max_length: int | None = None,
    avoid_hubs: float | None = 0.0,
    via: str | Iterable[str | Iterable[str]] = (),
    forbid: str | Iterable[str] = (),
    shortcut: bool = True,
    through_target: bool = False,
    distinct: Literal["edges", "members", "links"] = "edges",
) -> list[Path]:
    """The k best paths of hyperedges between two concepts.

    Parameters
    ----------
    H : Hypergraph
        What the first search prepares is kept beside it for the next; see `prepare`.
    source, target : str or iterable of str
        A node, or several of which any will do. Where both name one node, every hyperedge that holds it is a path.
    s : int, at least 1
        Nodes that consecutive hyperedges share.
    k : int, at least 1
        Paths asked for: first all of the least cost, then, by Yen's algorithm, those beyond. Fewer come back where
        there are no more.
    intersection : {"at_least", "exactly"}
        "at_least" is the text of [1]_, section 4.4; "exactly" is its Figures 8 and 11.
    directed : bool
        Follow roles: a path enters its first hyperedge by a source of it that is `source`, leaves its last by a target
        that is `target`, and the nodes that count as shared are targets of one hyperedge and sources of the next. A
        member is both.
    max_length : int, optional
        Most hyperedges in a path.
    avoid_hubs : float or None
        Price of common concepts. With p this number and d(v) the degree, a step costs
        ``1 + p · min log d(v) / log d_max`` over the nodes v that it shares, rounded to the millionth: a step is as
        common as the rarest concept that it shares. Paths then come by cost, not by length.
    via : str or iterable of (str or iterable of str)
        Waypoints in order; a path holds each in some hyperedge, not before the one that holds the last waypoint. No
        hyperedge comes twice, except that it may come again once a further waypoint has been reached.
    forbid : str or iterable of str
        Nodes that no hyperedge of a path holds.
    shortcut : bool
        Whether a path of one hyperedge counts. It does in [1]_: where one holds source and target, it is the shortest
        path whatever s. Without, paths have two hyperedges or more: how are two concepts related besides?
    through_target : bool
        Whether a path may go on through a hyperedge that holds the target, or come again to one that holds the source.
        By default only its last holds the target and only its first the source, and so a hyperedge that holds both
        is a path of its own or no part of one.
    distinct : {"edges", "members", "links"}
        "members" keeps, of parallel hyperedges (directed: with equal roles too), the first id as text. "links" keeps,
        of the paths that are linked by the same shared nodes step by step, the first, and none in which a node links
        twice: k paths then show k ways, or all those that there are among the first `LOOKED_AT` · k paths.

    Returns
    -------
    list of Path
        In order of cost (without a price: hyperedges), then more shared nodes, counted over all steps, then ids
        compared as text (by code point) one after the other. Empty where there is no path.

    Raises
    ------
    KeyError
        If a node is unknown; the message names the nearest.
    ValueError
        If s, k or max_length is below 1, the price is negative, an option is unknown, or source, target or a
        waypoint is forbidden or empty.

    Notes
    -----
    Where one shared node is enough, hyperedges are reached through nodes and the pairs that share exactly one are never
    listed. Reading tied paths off the labels takes k times their length in expansions, however many tie.

    References
    ----------
    .. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, sections 1.4, 2.3 and 4.4.
    .. [2] Yen, Management Science 17, 712 (1971).

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> H = Hypergraph.from_dict({"a": ["grass", "methanol"], "b": ["methanol", "water"], "c": ["methanol", "PCL"]})
    >>> [path.edges for path in hyperpaths(H, "grass", "PCL")]
    [('a', 'c'), ('a', 'b', 'c')]
    """
    _check(s, k, max_length, avoid_hubs, intersection, distinct)
    index = path_index(H)
    sources, targets, forbidden = (
        _places(H, names, what) for names, what in ((source, "source"), (target, "target"), (forbid, "forbid"))
    )
    waypoints = [_places(H, names, "via") for names in ([via] if isinstance(via, str) else via)]
    for places, what in ((sources, "source"), (targets, "target"), *((w, "via") for w in waypoints)):
        if not len(places):
            raise ValueError(f"{what} names no node. Give a node, or several of which any will do.")
        if both := set(places) & set(forbidden):
            name = H._nodes.index[min(both)]
            raise ValueError(f"{name!r} is {what} and forbidden. Take it out of one of the two.")
    price = 0.0 if avoid_hubs is None else float(avoid_hubs)
    steps = index.steps(s, intersection == "exactly", directed, price)
    enter, leave = steps.links.enter[1], steps.links.leave[1]
    allowed = ~_holding(index.by_node, forbidden)
    if distinct == "members":
        allowed &= index.first_of_roles if directed else index.first_of_members
    space = Space(
        steps,
        _holding(enter, sources),
        _holding(leave, targets),
        [_holding(index.by_node, places) for places in waypoints],
        allowed,
        through_target,
        max_length,
    )
    finished = lambda found: [_finished(H, steps, path, sources, targets, directed) for path in found]  # noqa: E731
    if distinct != "links":
        return finished(best_paths(space, int(k), shortcut))
    for more in (1, 4, LOOKED_AT):
        found = finished(best_paths(space, int(k) * more, shortcut))
        ways = {path.shared: path for path in reversed(found) if _straight(path)}.values()
        if len(ways) >= k or len(found) < k * more:
            break
    return sorted(ways, key=found.index)[: int(k)]


def _check(s, k, max_length, price, intersection, distinct) -> None:
    for value, what in ((s, "s"), (k, "k"), (1 if max_length is None else max_length, "max_length")):
        if isinstance(value, bool) or int(value) != value or value < 1:
            raise ValueError(f"{what}={value!r}: give a whole number from 1 on.")
    if price is not None and not 0 <= price <= 1000:
        raise ValueError(f"avoid_hubs={price!r}: give 0 (hubs cost nothing more) or a positive price up to 1000.")
    for value, what, known in (
        (intersection, "intersection", ("at_least", "exactly")),
        (distinct, "distinct", ("edges", "members", "links")),
    ):
        if value not in known:
            raise ValueError(f"{what}={value!r} is unknown. Use one of {', '.join(map(repr, known))}.")


def _straight(path: Path) -> bool:
    """No node links twice: a hyperedge between two that share the node is a detour, not another way."""
    links = [name for names in path.shared for name in names]
    return len(set(links)) == len(links)


def _places(H, names, what: str) -> np.ndarray:
    """Places of the named nodes, each once, in the order given."""
    names = [names] if isinstance(names, str) else list(names)
    return np.array(list(dict.fromkeys(place_of(H._nodes.index, name, "node") for name in names)), np.int64)


def _holding(by_node, places) -> np.ndarray:
    mask = np.zeros(by_node.shape[1], bool)
    for place in places:
        mask[by_node.indices[by_node.indptr[place] : by_node.indptr[place + 1]]] = True
    return mask


def _finished(H, steps: Steps, found, sources, targets, directed: bool) -> Path:
    rows = [state % steps.m for state in found.states]
    enter, leave = steps.links.enter[0], steps.links.leave[0]
    held = lambda side, row: side.indices[side.indptr[row] : side.indptr[row + 1]]  # noqa: E731
    shared = [np.intersect1d(held(leave, a), held(enter, b)) for a, b in pairwise(rows)]
    assert sum(map(len, shared)) == shared_of(found.weight)
    source = next(place for place in sources if place in held(enter, rows[0]))
    target = next(place for place in targets if place in held(leave, rows[-1]))
    cost = 1 + int(cost_of(found.weight)) / MILLION if steps.priced else 1 + int(cost_of(found.weight))
    return as_path(H, rows, shared, source, target, cost)
