"""One hyperedge and the five graphs of pairs that stand in for it, and two hypergraphs behind one graph."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ..hypergraph import Hypergraph
from ..topology.projections import PROJECTIONS, project, projection_losses
from .encodings import OKABE_ITO, tint
from .labels import Shortener, width_of
from .styling import grey, set_caption, sizes, style

__all__ = ["projections", "same_clique"]

_NAMES = {
    "hypergraph": "Hyperedge", "clique": "Clique", "star": "Star", "collapsed": "Collapsed",
    "cycle": "Cyclic (implicit)", "chain": "Chain (implicit)",
}  # fmt: skip
_LOST = {
    "group": "which group", "individuals": "the individuals", "multiplicity": "how often",
    "equal_members": "equal standing", "order_free": "freedom from listing order",
}  # fmt: skip


def projections(H: Hypergraph | None = None, fig=None) -> np.ndarray:
    """Draw one hyperedge and its five projections, each with what it loses.

    Parameters
    ----------
    H : Hypergraph, optional
        One hyperedge of 2 to 8 nodes; the example of four co-authors if not given.
    fig : Figure, optional
        To draw into; a two-column figure if not given.

    Returns
    -------
    array of Axes, shape (2, 3)
        The lines beneath are read off `topology.projection_losses`.

    Raises
    ------
    ValueError
        If H has not exactly one hyperedge of 2 to 8 nodes.
    """
    H = Hypergraph.from_dict({"Paper 1": ["Sally", "Bob", "David", "Ella"]}) if H is None else H
    if len(H) != 1 or not 2 <= H.sizes.iloc[0] <= 8:
        raise ValueError(f"{len(H)} hyperedges of {H.sizes.tolist()[:5]} nodes: draw one hyperedge of 2 to 8 nodes.")
    losses, edge = projection_losses(H), H.edges.index[0]
    members = list(dict.fromkeys(H.incidences["node"]))
    place = _circle(members)
    with style():
        fig, axes = _panels(fig, 2, 3, 4.4)
        for ax, kind in zip(axes.flat, ("hypergraph", *PROJECTIONS), strict=True):
            row = losses.loc[kind]
            _frame(ax, _NAMES[kind])
            if kind == "hypergraph":
                _hull(ax, [place[name] for name in members], OKABE_ITO[0])
                _tag(ax, (0, 0), edge)
                _people(ax, place)
            elif kind == "collapsed":
                _draw(ax, [((-0.48, 0), (0.78, 0))])
                _tag(ax, (-0.48, 0), ",\n".join(members), box="square,pad=0.5", color=grey.dark)
                _tag(ax, (0.78, 0), edge)
            else:
                at: dict[Any, tuple[float, float]] = dict(place)
                at |= {("node", name): xy for name, xy in place.items()} | {("edge", edge): (0.0, 0.0)}
                graph = project(H, kind)  # type: ignore[arg-type]
                _draw(ax, [(at[one], at[two]) for one, two in graph.edges])
                if kind == "star":
                    _tag(ax, (0, 0), edge)
                _people(ax, place)
            _note(ax, *_line(row, kind))
    set_caption(
        axes,
        "One hyperedge and its five projections to pairs. Under each: links, degrees of the members, most links "
        "between two members, and what can no longer be told from the bare graph. Losses of one hyperedge; where "
        "hyperedges overlap, clique, cycle and chain lose more.",
    )
    return axes


def _line(row, kind: str) -> tuple[str, str]:
    """Numbers, and losses."""
    links = "1 link" if row["edges"] == 1 else f"{row['edges']} links"
    if kind == "hypergraph":
        return "1 hyperedge", "loses nothing"
    if kind != "collapsed":
        far = row["distance"]
        degrees = sorted({int(row["degree_low"]), int(row["degree_high"])})
        links += f" · degree {' or '.join(map(str, degrees))} · {'≤ ' if far > 1 else ''}{far:.0f} apart"
    lost = [words for name, words in _LOST.items() if pd.notna(row[name]) and not row[name]]
    if kind == "star":
        return links, "adds a vertex of another kind" + (f"; loses {', '.join(lost)}" if lost else "")
    return links, f"loses {', '.join(lost)}" if lost else "loses nothing"


def same_clique(H1: Hypergraph | None = None, H2: Hypergraph | None = None, fig=None) -> np.ndarray:
    """Draw two hypergraphs on the same nodes and the one clique expansion that they share.

    Parameters
    ----------
    H1, H2 : Hypergraph, optional
        `topology.same_clique_expansion()` if not given. Up to 8 nodes.
    fig : Figure, optional

    Returns
    -------
    array of Axes, shape (3,)

    Raises
    ------
    ValueError
        If their clique expansions differ.
    """
    if H1 is None or H2 is None:
        from ..topology.projections import same_clique_expansion

        H1, H2 = same_clique_expansion()
    graphs = [project(H, "clique") for H in (H1, H2)]
    links = [{frozenset(link) for link in graph.edges} for graph in graphs]
    if links[0] != links[1] or set(H1.nodes.index) != set(H2.nodes.index):
        raise ValueError(f"the clique expansions differ in {len(links[0] ^ links[1])} links: they are not one graph.")
    place = _circle(list(H1.nodes.index))
    with style():
        fig, axes = _panels(fig, 1, 3, 2.2)
        for ax, H in zip(axes[[0, 2]], (H1, H2), strict=True):
            _frame(ax, f"{len(H)} hyperedges")
            sizes_ = H.sizes.sort_values(ascending=False, kind="stable")
            for i, name in enumerate(sizes_.index):
                _hull(ax, [place[node] for node in H.members(name)], OKABE_ITO[i % 6], max(0.36 - 0.035 * i, 0.2))
            _people(ax, place)
            _note(ax, "sizes " + ", ".join(map(str, sizes_)), "")
        _frame(axes[1], "One clique expansion")
        _draw(axes[1], [(place[one], place[two]) for one, two in graphs[0].edges])
        _people(axes[1], place)
        _note(axes[1], f"{len(links[0])} links, of either", "which of the two it was is lost")
    set_caption(axes, "Two different hypergraphs, left and right, have one clique expansion: neither can be read back.")
    return axes.reshape(-1)


# -------------------------------------------------------------------- parts


def _panels(fig, rows: int, columns: int, height: float):
    if fig is None:
        import matplotlib.pyplot as plt

        fig = plt.figure(figsize=(sizes.two_column, height))
    axes = fig.subplots(rows, columns, squeeze=False)
    fig.subplots_adjust(left=0.01, right=0.99, top=1 - 0.22 / height, bottom=0.04 / height, wspace=0.04, hspace=0.14)
    return fig, axes if rows > 1 else axes[0]


def _circle(names: list[str]) -> dict[str, tuple[float, float]]:
    turn = 2 * np.pi * (np.arange(len(names)) + 0.5) / len(names)
    x, y = np.sin(turn), np.cos(turn)
    wide, high = (0.57, 0.47) if len(names) > 2 else (0.9, 0.0)
    x, y = wide * x / abs(x).max(), high * y / abs(y).max()
    return dict(zip(names, zip(x.tolist(), y.tolist(), strict=True), strict=True))


def _frame(ax, title: str) -> None:
    ax.set(xlim=(-1.5, 1.5), ylim=(-1.5, 0.9), aspect="equal", anchor="N")
    ax.axis("off")
    ax.set_title(title, loc="center", pad=2)


def _note(ax, first: str, second: str) -> None:
    """What the drawing has, and what it loses, in at most three lines."""
    room = 2.25 * 72
    lines = Shortener(7, 2, numbered=False)(second, room).split("\n") if second else []
    ax.text(0, -1.03, first, ha="center", va="center", fontsize=7, color=grey.dark, parse_math=False)
    for i, line in enumerate(lines):
        ax.text(0, -1.21 - 0.16 * i, line, ha="center", va="center", fontsize=7, color=grey.ink, parse_math=False)


def _people(ax, place) -> None:
    for name, (x, y) in place.items():
        ax.scatter([x], [y], s=34, c=grey.ink, edgecolors="white", linewidths=0.8, zorder=4)
        text = Shortener(7.5, 1, numbered=False)(name, 58 if len(place) < 5 else 36)
        up = y >= 0
        ax.annotate(text, (x, y), (0, 5 if up else -5), textcoords="offset points", ha="center",
                    va="bottom" if up else "top", fontsize=7.5, zorder=5, parse_math=False)  # fmt: skip


def _draw(ax, links) -> None:
    for (x0, y0), (x1, y1) in links:
        ax.plot([x0, x1], [y0, y1], color=grey.mid, lw=1.3, zorder=2, solid_capstyle="round", gid="link")


def _tag(ax, xy, text: str, box: str = "round,pad=0.4,rounding_size=0.6", color: str = OKABE_ITO[0]) -> None:
    if width_of(max(text.split("\n"), key=len), 7) > 56:
        text = Shortener(7, 7, numbered=False)(text, 56)
    slant, frame = "italic" if "round" in box else "normal", {"boxstyle": box, "fc": "white", "ec": color, "lw": 0.9}
    ax.text(*xy, text, ha="center", va="center", fontsize=7, style=slant, zorder=5, bbox=frame, parse_math=False)


def _hull(ax, corners, color: str, radius: float = 0.36) -> None:
    """A rounded convex outline round some points."""
    from matplotlib.patches import Polygon
    from scipy.spatial import ConvexHull

    turn = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    cloud = (np.array(corners)[:, None] + radius * np.column_stack([np.cos(turn), np.sin(turn)])[None]).reshape(-1, 2)
    line = tint(color, 0.9)
    ax.add_patch(Polygon(cloud[ConvexHull(cloud).vertices], fc=(*line, 0.15), ec=line, lw=1.0, gid="hull"))
