"""Paths in their surroundings: what else is said about the concepts that they pass through."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from .encodings import OKABE_ITO, tint
from .labels import Label, Shortener
from .styling import grey, new_axes, points, set_caption, sizes, style

__all__ = ["path_context"]

_FONT, _GAP = 7.0, 4.0


def path_context(H, paths: Sequence, ax=None, most: int = 60, rng=0):
    """Draw paths as a bipartite graph within the hyperedges around them.

    Parameters
    ----------
    H : Hypergraph
        The hypergraph in which the paths were found.
    paths : sequence of Path
    ax : Axes, optional
    most : int
        Surrounding hyperedges drawn: those that hold most concepts of the paths, then by their order in H.
    rng : int or numpy Generator
        Seeds the layout.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If there are no paths, or they are not of H.
    """
    if not len(paths):
        raise ValueError("no path was given: there is nothing to draw. Try a smaller s or other concepts.")
    steps = list(dict.fromkeys(edge for path in paths for edge in path.edges))
    if missing := [edge for edge in steps if edge not in H.edges.index]:
        raise ValueError(f"hyperedge {missing[0]!r} is not in this hypergraph: were the paths found in another one?")
    spine = list(dict.fromkeys(name for p in paths for part in ((p.source,), *p.shared, (p.target,)) for name in part))
    around, left = _around(H, steps, spine, most)
    with style():
        ax = new_axes(sizes.two_column, 4.6, bare=True) if ax is None else ax
        size = points(ax)
        members = {edge: list(H.members(edge)) for edge in (*steps, *around)}
        place = _layout(members, spine, size, np.random.default_rng(rng))
        _draw(ax, members, set(steps), spine, {p.source for p in paths} | {p.target for p in paths}, place)
        ax.set(xlim=(0, size[0]), ylim=(size[1], 0))
        ax.axis("off")
    set_caption(
        ax,
        f"{len(steps)} hyperedges of {len(paths)} path{'s' * (len(paths) != 1)} (blue squares) among {len(around)} "
        "others that hold concepts of theirs (grey)"
        + (f"; {left:,} more are not drawn" if left else "")
        + ". Dots are concepts: orange the ends, blue those passed through, grey the others. Distance has no meaning.",
    )
    return ax


def _around(H, steps: Iterable[str], spine: list[str], most: int) -> tuple[list[str], int]:
    matrix = H.incidence
    columns = H.nodes.index.get_indexer(spine)
    held = np.asarray(matrix[:, columns].sum(axis=1)).ravel()
    held[H.edges.index.get_indexer(list(steps))] = 0
    order = np.argsort(-held, kind="stable")
    order = order[held[order] > 0]
    return list(H.edges.index[order[:most]]), max(len(order) - most, 0)


def _layout(members: dict, spine: list[str], size: tuple[float, float], rng) -> dict:
    """Places in points: a force layout of the bipartite graph, its ranks mixed in to fill the page evenly."""
    import random

    import igraph

    drawn = dict.fromkeys(name for held in members.values() for name in held) | dict.fromkeys(spine)
    at = {("node", name): i for i, name in enumerate(drawn)}
    at |= {("edge", edge): len(at) + i for i, edge in enumerate(members)}
    links = [(at["node", name], at["edge", edge]) for edge, held in members.items() for name in held]
    graph = igraph.Graph(n=len(at), edges=links)
    state = random.Random(int(rng.integers(2**31)))
    igraph.set_random_number_generator(state)
    try:
        start = rng.normal(size=(len(at), 2)).tolist()
        xy = np.array(graph.layout_fruchterman_reingold(niter=1500, seed=start).coords)
    finally:
        igraph.set_random_number_generator(random)
    ranks = xy.argsort(axis=0, kind="stable").argsort(axis=0, kind="stable") / max(len(at) - 1, 1)
    span = np.maximum(np.ptp(xy, axis=0), 1e-9)
    mixed = 0.45 * (xy - xy.min(axis=0)) / span + 0.55 * ranks
    margin = np.array([36.0, 14.0])
    xy = margin + mixed * (np.array(size) - 2 * margin)
    return {key: xy[i] for key, i in at.items()}


def _draw(ax, members: dict, steps: set, spine: list[str], ends: set, place: dict) -> None:
    from matplotlib.collections import LineCollection

    for chosen, color, width in ((False, grey.light, 0.5), (True, tint(OKABE_ITO[0], 0.6), 1.1)):
        lines = [
            (place["node", name], place["edge", edge])
            for edge, held in members.items()
            if (edge in steps) == chosen
            for name in held
        ]
        ax.add_collection(LineCollection(lines, colors=[color], linewidths=width, zorder=1 + chosen))
    groups = {
        "hyperedge around": ([place["edge", e] for e in members if e not in steps], "s", 8, "white", grey.mid),
        "concept around": ([xy for (kind, name), xy in place.items() if kind == "node" and name not in spine], "o", 7,
                           grey.mid, "white"),
        "hyperedge": ([place["edge", e] for e in members if e in steps], "s", 34, OKABE_ITO[0], "white"),
        "passed": ([place["node", n] for n in spine if n not in ends], "o", 38, OKABE_ITO[0], "white"),
        "end": ([place["node", n] for n in spine if n in ends], "o", 52, OKABE_ITO[1], grey.ink),
    }  # fmt: skip
    for level, (name, (xy, marker, area, face, line)) in enumerate(groups.items()):
        if xy:
            ax.scatter(*np.transpose(xy), s=area, marker=marker, c=face, edgecolors=line, linewidths=0.6,
                       zorder=3 + level / 10, gid=name)  # fmt: skip
    _labels(ax, spine, ends, members, steps, place)


def _labels(ax, spine: list[str], ends: set, members: dict, steps: set, place: dict) -> None:
    """The concepts of the path in bold, the other members of its hyperedges small where there is room."""
    from matplotlib.patheffects import withStroke

    taken = [(*place["edge", e], 5.0, 5.0) for e in steps] + [(*place["node", n], 5.0, 5.0) for n in spine]
    others = dict.fromkeys(n for e in steps for n in members[e] if n not in spine)
    halo = [withStroke(linewidth=2, foreground="white", alpha=0.9)]
    wide, narrow = Shortener(_FONT, 2, numbered=False), Shortener(_FONT - 0.5, 2, numbered=False)
    limit = (*ax.get_xlim(), *ax.get_ylim())
    for name in [*sorted(spine, key=lambda n: n not in ends), *others]:
        bold = name in spine
        label = (wide if bold else narrow)(name, 90 if bold else 70, bold)
        spot = _spot(place["node", name], label, taken, points(ax), must=bold)
        if spot is None:
            continue
        taken.append((*spot, label.width / 2, label.height / 2))
        ax.text(*spot, label, size=_FONT if bold else _FONT - 0.5, weight="bold" if bold else "normal", ha="center",
                va="center", color=grey.ink if bold else grey.dark, zorder=6, linespacing=1.1, parse_math=False,
                path_effects=halo)  # fmt: skip
    ax.set(xlim=limit[:2], ylim=limit[2:])


def _spot(at, label: Label, taken: list, size: tuple[float, float], must: bool):
    """The place around a dot where a label overlaps least; None where it overlaps and need not stand."""
    half = np.array([label.width / 2, label.height / 2])
    best, least = None, np.inf
    for dx, dy in ((0, 1), (0, -1), (1, 0), (-1, 0), (0.8, 1), (-0.8, 1), (0.8, -1), (-0.8, -1)):
        centre = np.asarray(at) + np.array([dx, dy]) * (half + _GAP)
        centre = np.clip(centre, half + 2, np.array(size) - half - 2)
        over = 0.0
        for x, y, w, h in taken:
            room = half + (w, h) - np.abs(centre - (x, y))
            over += float(room.prod()) if (room > 0).all() else 0.0
        if over < least - 1e-9:
            best, least = centre, over
    return best if must or least == 0 else None
