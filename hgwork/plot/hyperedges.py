"""A hypergraph as a drawing that can be read: every node, every relation and the direction of each hyperedge.

Figure 4 of [1]_ samples hyperedges of the scaffold hypergraph; its labels overlap and its direction is left out "for
clarity". Here each hyperedge reads from left to right, source – relation → target, and shared nodes join them.

References
----------
.. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, Figure 4.
"""

from __future__ import annotations

import warnings
from typing import Any, Literal

import numpy as np
import pandas as pd

from ..hypergraph import Hypergraph
from .encodings import OKABE_ITO, PLAIN, ROLES, Mark, Role, marks, tint
from .labels import Shortener, width_of
from .packing import Box, Link, Piece, pack, piece
from .styling import grey, new_axes, points, set_caption, sizes, style

__all__ = ["FEW", "MOST", "hypergraph", "sample"]

SMALL, FEW, MOST = 4, 12, 200
PAGE = 9.4 * 72  # height that labels are cut for, if that is enough
_TRIES = [(3, 7.0, 1.0), (3, 6.5, 1.0), (2, 6.5, 1.0), (1, 6.5, 1.0), *((2, 6.5, 1.15**i) for i in range(1, 14))]
_EDGE = 8.0  # margin of the figure, and
_DOT = 9.0  # room for a marker, and
_HEAD = 5.0  # length of an arrowhead, in points


def sample(H: Hypergraph, n: int, rng=0) -> Hypergraph:
    """So many hyperedges drawn uniformly without replacement, in table order, with their nodes.

    Parameters
    ----------
    H : Hypergraph
    n : int
        All of H if it has no more.
    rng : int or numpy Generator

    Examples
    --------
    >>> H = Hypergraph.from_dict({str(i): [str(i), str(i + 1)] for i in range(9)})
    >>> len(sample(H, 4, rng=1))
    4
    """
    chosen = np.random.default_rng(rng).choice(len(H), min(n, len(H)), replace=False)
    return H.subgraph(edges=H.edges.index[np.sort(chosen)])


def hypergraph(
    H: Hypergraph,
    ax=None,
    labels: bool = True,
    directed: bool = True,
    layout: Literal["auto", "hulls", "ribbons", "lines"] = "auto",
    rng=0,
):
    """Draw up to 200 hyperedges with node and relation labels and direction.

    Parameters
    ----------
    H : Hypergraph
        Node column `type`, where known, is coded by colour and marker. Nodes in two or more hyperedges are bold.
    ax : Axes, optional
        Its size is kept: labels are cut, and at last made smaller, until all fit. Without it a figure of one
        column (up to two hyperedges) or two is made, as high as the drawing needs.
    labels : bool
        Without them only markers and lozenges are drawn.
    directed : bool
        Draw arrowheads at targets; without, all members are alike.
    layout : {"auto", "hulls", "ribbons", "lines"}
        How a hyperedge is held together. "auto": a hull round its members up to 12 hyperedges, if no hull encloses
        a foreign node (ribbons otherwise); plain lines above.
    rng : int or numpy Generator
        Seeds the order of labels within a column.

    Returns
    -------
    Axes
        `plot.caption(ax)` says what is drawn, what was cut and what could fool the reader.

    Raises
    ------
    ValueError
        If H has more than 200 hyperedges, or none and no nodes.
    """
    if len(H) > MOST:
        raise ValueError(
            f"{len(H):,} hyperedges cannot be read in one drawing (at most {MOST}). "
            "Draw a sample, plot.hypergraph(plot.sample(H, 50, rng=0)), or H.subgraph(nodes=…)."
        )
    if not sum(H.shape):
        raise ValueError("the hypergraph is empty: there is nothing to draw.")
    if layout not in ("auto", "hulls", "ribbons", "lines"):
        raise ValueError(f"layout={layout!r} is unknown. Use 'auto', 'hulls', 'ribbons' or 'lines'.")
    with style():
        width, room = sizes.two_column * 72, np.inf
        if ax is not None:
            width, room = points(ax)
        elif len(H) <= SMALL and _Page(H, sizes.one_column * 72, 3, 7.0, labels, directed, layout, 0).fits:
            width = sizes.one_column * 72
        pages = (
            _Page(H, width * scale, lines, font, labels, directed, layout, rng)
            for lines, font, scale in _TRIES[: 3 if ax is None else None]
        )
        page = _first_that_fits(pages, PAGE if ax is None else room, width)
        scale = page.width / width
        if page.font / scale < 6.4:
            warnings.warn(
                f"labels are {page.font / scale:.1f} pt to fit {width / 72:.1f} x {room / 72:.1f} in; leave ax out for "
                "a figure of its own size, or draw fewer hyperedges.",
                stacklevel=2,
            )
        if ax is None:
            ax = new_axes(width / 72, page.height / 72, bare=True)
        spare = 0.0 if np.isinf(room) else (room * scale - page.height) / 2
        ax.set(xlim=(0, page.width), ylim=(page.height + spare, -spare))
        ax.axis("off")
        page.draw(ax, 1 / scale)
    set_caption(ax, page.caption())
    return ax


def _first_that_fits(pages, room: float, width: float) -> _Page:
    """The first page no higher than `room` (in the units of the page, and no wider than it), or else the lowest."""
    lowest = None
    for page in pages:
        high = max(page.height * width / page.width / room, page.right / (page.width - 2))
        if lowest is None or high < lowest[0]:
            lowest = high, page
        if high <= 1:
            break
    assert lowest is not None
    return lowest[1]


class _Page:
    """One attempt at the drawing: label sizes, pieces, places."""

    def __init__(self, H, width, lines, font, labels, directed, layout, rng):
        self.H, self.width, self.font, self.labels, self.directed = H, width, font, labels, directed
        self.few = layout in ("hulls", "ribbons") or (layout == "auto" and len(H) <= FEW)
        self.layout = layout
        self.cut = Shortener(font, lines)
        rng = np.random.default_rng(rng)
        types = H.nodes["type"] if "type" in H.nodes else pd.Series(None, index=H.nodes.index, dtype=object)
        self.types = marks(types)
        self.mark = {name: self.types.get(str(kind), PLAIN) for name, kind in types.items()}
        self.roles = set(H.incidences["role"].astype(str)) if directed else {"member"}
        self.shared = set(H.degrees.index[H.degrees > 1])
        inner = width - 2 * _EDGE
        cards = 1 if inner < 330 or len(H) < 4 else 2
        cell = (inner - 16 * (cards - 1)) / cards
        self.limit = {"edge": 0.235 * cell, "node": (0.765 * cell - 34) / 2 - _DOT}
        self.text: dict[tuple[str, str], str] = {}
        self.pieces = []
        for boxes, links in self._parts():
            self.pieces.append(piece(boxes, links, inner, rng, 8.0 if self.few else 2.0))
        body = pack(self.pieces, inner, (16.0, 13.0 if self.few else 6.5))
        for one in self.pieces:
            for box in one.boxes:
                box.x += one.x + _EDGE
                box.y += one.y + _EDGE
        self.right = max(box.bounds[2] for one in self.pieces for box in one.boxes)
        self.fits = self.right <= width - 2
        spare = max(0.0, width - _EDGE - self.right) / 2
        for one in self.pieces:
            one.x += spare
            for box in one.boxes:
                box.x += spare
        self.foot = self._foot(inner, body + 2 * _EDGE)
        self.height = body + 2 * _EDGE + (self.foot[-1][1] - body - 2 * _EDGE + font + 4 if self.foot else 0)

    def _parts(self) -> list[tuple[list[Box], list[Link]]]:
        """Boxes and links of each connected piece, in table order."""
        from scipy.sparse import block_array
        from scipy.sparse.csgraph import connected_components

        m, n = self.H.shape
        matrix = self.H.incidence
        names = [("edge", name) for name in self.H.edges.index] + [("node", name) for name in self.H.nodes.index]
        both = block_array([[None, matrix], [matrix.T, None]]) if m and n else None
        piece_of = range(m + n) if both is None else connected_components(both, directed=False)[1]
        parts: dict[int, tuple[list[Box], list[Link]]] = {}
        place = []
        for name, which in zip(names, piece_of, strict=True):
            boxes, _ = parts.setdefault(int(which), ([], []))
            place.append(len(boxes))
            boxes.append(self._box(name))
        table = self.H.incidences
        roles = table["role"].astype(str) if self.directed else ["member"] * len(table)
        seen = set()
        for edge, node, role in zip(table["edge"].cat.codes, table["node"].cat.codes, roles, strict=True):
            if (edge, node, role) not in seen:
                seen.add((edge, node, role))
                parts[int(piece_of[edge])][1].append(Link(place[m + node], place[edge], role))
        return list(parts.values())

    def _box(self, name: tuple[str, str]) -> Box:
        kind, key = name
        relation = self.H.edges["relation"].get(key) if "relation" in self.H.edges else None
        words = key if kind == "node" or not isinstance(relation, str) else relation
        if not self.labels:
            return Box(name, _DOT, 8.0)
        bold = kind == "node" and key in self.shared
        label = self.cut(words, self.limit[kind], bold, italic=kind == "edge")
        self.text[name] = label
        more = 9.0 if kind == "edge" else _DOT + 3
        return Box(name, label.width + more, max(label.height + (4.0 if kind == "edge" else 0.5), 8.6))

    def _foot(self, inner: float, top: float) -> list[tuple[float, float, str, Mark | Role | None]]:
        """The key to types and to cut labels, set in lines: (x, y, text, mark)."""
        entries: list[tuple[str, Mark | Role | None]] = [
            (role, ROLES[role]) for role in ROLES if role in self.roles and self.roles != {"member"}
        ]
        entries += self.types.items()
        numbered = sorted(self.cut.key.items(), key=lambda item: item[1])
        out: list[tuple[float, float, str, Mark | Role | None]] = []
        x, y = _EDGE, top + self.font * 0.5
        for text, mark in entries:
            need = width_of(text, self.font) + _DOT + 14
            if x + need > inner + _EDGE and x > _EDGE:
                x, y = _EDGE, y + self.font * 1.4
            out.append((x, y, text, mark))
            x += need
        y += self.font * 1.5 if entries else 0
        whole = Shortener(6.5, 9)
        for text, number in numbered:
            for line in whole(f"{number}  {text}", inner).split("\n"):
                out.append((_EDGE, y, line, None))
                y += 6.5 * 1.3
        return out

    # ---------------------------------------------------------------- drawing

    def draw(self, ax, k: float) -> None:
        self.k = k
        from matplotlib.patches import PathPatch, Polygon
        from matplotlib.path import Path

        hulls, ribbons = {}, {}  # type: ignore[var-annotated]
        if self.few:
            hulls = self._hulls()
            self.how = "hulls" if hulls and (self.layout == "hulls" or self._clean(hulls)) else "ribbons"
        else:
            self.how = "lines"
        skips = any(abs(p.boxes[k.node].column - p.boxes[k.relation].column) > 1 for p in self.pieces for k in p.links)
        colors = {name: OKABE_ITO[i % 6] for i, name in enumerate(self.H.edges.index)}
        if self.how == "hulls":
            for name, path in hulls.items():
                face = (*tint(colors[name], 0.9), 0.10)
                ax.add_patch(
                    PathPatch(
                        path, fc=face, ec=(*tint(colors[name], 0.9), 0.75), lw=0.9 * k, zorder=1, gid=f"hull {name}"
                    )
                )
        for one in self.pieces:
            pairs: dict[tuple[int, int], int] = {}
            for link in one.links:
                pairs[link.node, link.relation] = pairs.get((link.node, link.relation), 0) + 1
            for link in one.links:
                twice = pairs[link.node, link.relation] > 1
                shift = {"source": -2.2, "target": 2.2}.get(link.role, 0.0) * twice
                ribbons.setdefault(one.boxes[link.relation].name[1], []).append(self._link(ax, one, link, shift))
            for box in one.boxes:
                self._label(ax, box, colors, one, skips)
        for name, paths in ribbons.items() if self.how == "ribbons" else ():
            color = (*tint(colors[name], 0.9), 0.22)
            whole = Path.make_compound_path(*paths)
            ax.add_patch(
                PathPatch(whole, fc="none", ec=color, lw=7 * k, capstyle="round", zorder=1, gid=f"ribbon {name}")
            )
        for x, y, text, mark in self.foot:
            size = 6.5 if mark is None else self.font
            if isinstance(mark, Mark):
                ax.scatter([x + 4], [y], s=18 * k**2, c=mark.color, marker=mark.marker, linewidths=0, zorder=4)
            elif isinstance(mark, Role):
                ax.plot([x, x + _DOT], [y, y], color=self._color(text), lw=0.9 * k, ls=mark.line, solid_capstyle="butt")
                if mark.arrow:
                    head = [(x + _DOT, y), (x + _DOT - _HEAD, y - _HEAD / 2.2), (x + _DOT - _HEAD, y + _HEAD / 2.2)]
                    ax.add_patch(Polygon(head, fc=self._color(text), ec="none"))
            ax.text(
                x + (_DOT + 3) * (mark is not None),
                y,
                text,
                fontsize=size * k,
                va="center",
                color=grey.dark,
                parse_math=False,
            )

    def _link(self, ax, one: Piece, link: Link, shift: float):
        from matplotlib.patches import PathPatch, Polygon
        from matplotlib.path import Path

        node, relation = one.boxes[link.node], one.boxes[link.relation]
        right = relation.column > node.column
        start = (node.x + node.width if right else node.x, node.y + shift)
        end = (relation.x if right else relation.x + relation.width, relation.y + shift)
        a, b = (stub + one.x + _EDGE for stub in link.stubs)
        role, color, k = ROLES[link.role], self._color(link.role), self.k
        line = "-" if self.roles == {"member"} else role.line
        if role.arrow:
            tip, back = start, start[0] + (_HEAD if right else -_HEAD)
            start, a = (back, start[1]), (max if right else min)(a, back)
        bend = (a + b) / 2
        path = Path([start, (a, start[1]), (bend, start[1]), (bend, end[1]), (b, end[1]), end], [1, 2, 4, 4, 4, 2])
        ax.add_patch(
            PathPatch(path, fc="none", ec=color, lw=0.9 * k, ls=line, zorder=2, gid=f"{link.role} {relation.name[1]}")
        )
        if role.arrow:
            corners = [tip, (back, tip[1] + _HEAD / 2.2), (back, tip[1] - _HEAD / 2.2)]
            ax.add_patch(Polygon(corners, fc=color, ec="none", zorder=2.5, gid=f"arrow {relation.name[1]}"))
        return path

    def _color(self, role: str) -> str:
        return grey.mid if self.types or role == "member" else ROLES[role].color

    def _label(self, ax, box: Box, colors, one: Piece, halo: bool) -> None:
        from matplotlib.patches import FancyBboxPatch
        from matplotlib.patheffects import withStroke

        (kind, key), k = box.name, self.k
        if kind == "edge":
            edge = tint(colors[key], 0.9) if self.few else grey.mid
            if not self.labels:
                ax.scatter(
                    [box.x + box.width / 2],
                    [box.y],
                    s=16 * k**2,
                    marker="D",
                    c=[grey.pale],
                    edgecolors=[edge],
                    linewidths=0.8 * k,
                    zorder=3,
                )
                return
            ax.add_patch(
                FancyBboxPatch(
                    (box.x + 3, box.y - box.height / 2 + 3), box.width - 6, box.height - 6, zorder=3,
                    gid=f"hyperedge {key}", boxstyle="round,pad=3,rounding_size=4",
                    fc="white" if self.few else grey.pale, ec=edge, lw=0.8 * k,
                )
            )  # fmt: skip
            ax.text(box.x + box.width / 2, box.y, self.text[box.name], fontsize=self.font * k, style="italic",
                    ha="center", va="center", color=grey.ink, zorder=4, linespacing=1.12, parse_math=False)  # fmt: skip
            return
        place = next(i for i, other in enumerate(one.boxes) if other is box)
        turned = {one.boxes[k.relation].column > box.column for k in one.links if k.node == place} == {True}
        x = box.x + (box.width - _DOT / 2 if turned else _DOT / 2)
        mark = self.mark[key]
        size = 26 if key in self.shared else 17
        ax.scatter(
            [x],
            [box.y],
            s=size * k**2,
            c=mark.color,
            marker=mark.marker,
            edgecolors="white",
            linewidths=0.6 * k,
            zorder=4,
        )
        if self.labels:
            ax.text(
                x + (-_DOT / 2 - 1 if turned else _DOT / 2 + 1), box.y, self.text[box.name], fontsize=self.font * k,
                weight="bold" if key in self.shared else "normal", ha="right" if turned else "left", va="center",
                color=grey.ink, zorder=4, linespacing=1.12, parse_math=False,
                path_effects=[withStroke(linewidth=2, foreground="white", alpha=0.85)] if halo else None,
            )  # fmt: skip

    # ---------------------------------------------------------------- hulls

    def _hulls(self) -> dict[str, Any]:
        """A rounded convex outline round the labels of each hyperedge."""
        from matplotlib.path import Path
        from scipy.spatial import ConvexHull

        turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        ring = 5.0 * np.column_stack([np.cos(turn), np.sin(turn)])
        out = {}
        for one in self.pieces:
            held: dict[int, set[int]] = {i: {i} for i, box in enumerate(one.boxes) if box.name[0] == "edge"}
            for link in one.links:
                held[link.relation].add(link.node)
            for relation, members in held.items():
                corners = [
                    (x, y) for i in sorted(members) for x in one.boxes[i].bounds[::2] for y in one.boxes[i].bounds[1::2]
                ]
                cloud = (np.array(corners)[:, None] + ring[None]).reshape(-1, 2)
                outline = cloud[ConvexHull(cloud).vertices]
                out[one.boxes[relation].name[1]] = Path(np.vstack([outline, outline[:1]]), closed=True)
        return out

    def _clean(self, hulls: dict[str, Any]) -> bool:
        """No hull touches a label that is not of its hyperedge."""
        from matplotlib.transforms import Bbox

        members = self.H.to_dict()
        for name, path in hulls.items():
            own = {("edge", name), *(("node", node) for node in members[name])}
            for one in self.pieces:
                for box in one.boxes:
                    x0, y0, x1, y1 = box.bounds
                    if box.name not in own and path.intersects_bbox(Bbox([[x0, y0], [x1, y1]]), filled=True):
                        return False
        return True

    def caption(self) -> str:
        H = self.H
        m, n = H.shape
        parts = [f"{m} hyperedge{'s' * (m != 1)} over {n} node{'s' * (n != 1)} in {len(self.pieces)} connected "
                 f"component{'s' * (len(self.pieces) != 1)}."]  # fmt: skip
        if self.labels:
            parts.append(
                "Lozenges are relations" + (", bold nodes stand in two or more hyperedges." if self.shared else ".")
            )
        if self.roles != {"member"}:
            parts.append("Lines run from sources to the relation, arrows from the relation to targets.")
        parts.append("Position and distance carry no meaning; components are packed by size.")
        if self.cut.key:
            parts.append(f"{len(self.cut.key)} long label(s) are cut; the numbered key gives them whole.")
        return " ".join(parts)
