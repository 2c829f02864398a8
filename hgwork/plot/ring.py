"""An ordered set of hyperedges as a ring: the steps clockwise inside, their members on arcs by type outside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd

from ..hypergraph import Hypergraph
from .encodings import Mark, marks
from .labels import Shortener, width_of
from .styling import grey, new_axes, set_caption, sizes, style

__all__ = ["MOST_STEPS", "ring", "step_colors"]

MOST_STEPS = 30
_INNER, _OUTER, _GAP = 0.54, 1.0, 0.10  # radius of the steps, of the arcs, and the gap between two arcs in radians
_NONE = "no type"


def step_colors(n: int) -> list[tuple[float, float, float, float]]:
    """Colours of so many steps in order: from dark violet to green, lightness rising evenly."""
    from matplotlib import colormaps

    return [tuple(colormaps["viridis"](x)) for x in np.linspace(0.02, 0.74, max(n, 1))]


def ring(
    H: Any,
    edges: Sequence[str] | None = None,
    probabilities: Sequence[float] | None = None,
    ax=None,
    most: int = 44,
    names: Mapping[str, str] | pd.Series | None = None,
):
    """Draw hyperedges in order as a ring.

    Parameters
    ----------
    H : Hypergraph or Trajectory
        `type` of its nodes, where there is one, decides the arc. A trajectory brings its hyperedges, probabilities and
        the names that stand in its texts.
    edges : sequence of str
        Hyperedge ids in order, at most `MOST_STEPS`.
    probabilities : sequence of float, optional
        Of each transition; one fewer than the hyperedges.
    ax : Axes, optional
        Without it, a two-column figure.
    most : int
        Concepts drawn; those in a single hyperedge are left out first, and the caption says how many.
    names : mapping of node to text, optional
        What to write where the nodes are identifiers.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If there are no hyperedges or too many, one is unknown or stands twice, or the probabilities do not fit.
    """
    if edges is None:
        H, edges, probabilities, names = _of_trajectory(H, probabilities, names)
    edges = list(edges)
    _check(H, edges, probabilities)
    with style():
        ax = new_axes(sizes.two_column, 4.7, bare=True) if ax is None else ax
        page = _Ring(H, edges, most, {} if names is None else dict(names))
        page.draw(ax)
        page.key(ax, probabilities)
        ax.set(xlim=(-1.78, 3.0), ylim=(-1.56, 1.56))
        ax.set_aspect("equal")
        ax.axis("off")
    left = f" {page.left} concepts that stand in one hyperedge only are not drawn." if page.left else ""
    set_caption(
        ax,
        f"{len(edges)} hyperedges in order, clockwise from twelve o'clock, and {len(page.angle)} concepts on arcs by "
        "type. Bold names and coloured spokes: concepts in two or more of the hyperedges. Arcs are placed so that "
        f"spokes are short; their place carries no meaning.{left}",
    )
    return ax


def _of_trajectory(t: Any, probabilities, names):
    """What a ring needs of a trajectory; anchors go without a spoke of their own."""
    H = getattr(t, "hypergraph", None)
    if H is None:
        raise ValueError("a ring needs a hypergraph and hyperedges, or a trajectory as it was retrieved.")
    found = t.table["probability"].to_numpy(float)[1:]
    if probabilities is None and np.isfinite(found).all():
        probabilities = found.tolist()
    rows = H.incidences[H.incidences["edge"].isin(t.edges)]
    if names is None and "surface" in rows:
        said = rows[rows["surface"].notna()].drop_duplicates("node")
        names = dict(zip(said["node"], said["surface"].astype(str), strict=True))
    return H, t.edges, probabilities, names


def _check(H: Hypergraph, edges: list[str], probabilities: Sequence[float] | None) -> None:
    if not 0 < len(edges) <= MOST_STEPS:
        raise ValueError(f"a ring shows 1 to {MOST_STEPS} hyperedges, and {len(edges)} were given. Pass fewer.")
    if missing := [edge for edge in edges if edge not in H.edges.index]:
        raise ValueError(f"hyperedge {missing[0]!r} is not in this hypergraph.")
    if len(set(edges)) < len(edges):
        twice = next(edge for edge in edges if edges.count(edge) > 1)
        raise ValueError(f"hyperedge {twice!r} stands twice: a ring shows each once.")
    if probabilities is not None and len(probabilities) != len(edges) - 1:
        raise ValueError(f"{len(probabilities)} probabilities for {len(edges) - 1} transitions.")


@dataclass
class _Arc:
    type: str
    nodes: list[str]
    start: float = 0.0
    end: float = 0.0


class _Ring:
    def __init__(self, H: Hypergraph, edges: list[str], most: int, names: dict[str, str]):
        self.edges, self.names = edges, names
        members = {edge: list(H.members(edge)) for edge in edges}
        count = pd.Series([node for held in members.values() for node in held], dtype=object).value_counts(sort=False)
        order = sorted(count.index, key=lambda node: count[node] < 2)[: max(most, int((count > 1).sum()))]
        self.left = len(count) - len(order)
        self.shared = {node for node in order if count[node] > 1}
        self.holders = {node: [i for i, edge in enumerate(edges) if node in members[edge]] for node in order}
        self.relation = [_plain(H.edges["relation"].get(edge)) if "relation" in H.edges else edge for edge in edges]
        types = H.nodes["type"] if "type" in H.nodes else pd.Series(dtype=object)
        self.type = {node: _plain(types.get(node)) or _NONE for node in order}
        self.marks: dict[str, Mark] = marks(self.type.values())
        self.step = np.pi / 2 - 2 * np.pi * np.arange(len(edges)) / len(edges)
        self.colors = step_colors(len(edges))
        self.arcs = self._placed()
        self.angle = {
            node: arc.start - (arc.start - arc.end) * (i + 0.5) / len(arc.nodes)
            for arc in self.arcs
            for i, node in enumerate(arc.nodes)
        }

    def _mean(self, node: str) -> complex:
        return complex(np.exp(1j * self.step[self.holders[node]]).mean())

    def _placed(self) -> list[_Arc]:
        """Arcs in the order and rotation with the shortest spokes; inside an arc by the mean place of the holders."""
        groups: dict[str, list[str]] = {}
        for node in self.holders:
            groups.setdefault(self.type[node], []).append(node)
        few = sorted(groups, key=lambda t: (-len(groups[t]), t))
        middle = {t: sum(self._mean(node) for node in groups[t]) for t in groups}
        orders = permutations(few[1:]) if len(few) <= 6 else [sorted(few[1:], key=lambda t: -np.angle(middle[t]))]
        best: tuple[float, list[_Arc]] = (np.inf, [])
        for order in orders:
            arcs = self._around([few[0], *order], groups)
            for turn in np.linspace(0, 2 * np.pi, 36, endpoint=False):
                cost = sum(
                    abs(np.exp(1j * (arc.start + turn - (arc.start - arc.end) / 2)) - middle[arc.type] / len(arc.nodes))
                    * len(arc.nodes)
                    for arc in arcs
                )
                if cost < best[0] - 1e-9:
                    best = cost, [_Arc(a.type, a.nodes, a.start + turn, a.end + turn) for a in arcs]
        for arc in best[1]:
            centre = (arc.start + arc.end) / 2
            away = {n: (np.angle(self._mean(n)) - centre + np.pi) % (2 * np.pi) for n in arc.nodes}
            arc.nodes = sorted(arc.nodes, key=lambda n: (-round(away[n], 6), n))
        return best[1]

    def _around(self, order: list[str], groups: dict[str, list[str]]) -> list[_Arc]:
        total = sum(len(groups[t]) + 0.6 for t in order)
        room, at, arcs = 2 * np.pi - _GAP * len(order), np.pi / 2, []
        for t in order:
            width = room * (len(groups[t]) + 0.6) / total
            arcs.append(_Arc(t, groups[t], at, at - width))
            at -= width + _GAP
        return arcs

    def draw(self, ax) -> None:
        from matplotlib.patches import Circle

        ax.add_patch(Circle((0, 0), _INNER, fc=grey.pale, ec=grey.light, lw=0.6, zorder=0))
        for arc in self.arcs:
            turn = np.linspace(arc.start, arc.end, 60)
            ax.plot(1.04 * np.cos(turn), 1.04 * np.sin(turn), color=self.marks[arc.type].color, lw=3.2,
                    solid_capstyle="butt", zorder=2, gid=f"arc {arc.type}")  # fmt: skip
        for node, angle in sorted(self.angle.items(), key=lambda item: item[0] in self.shared):
            self._spokes(ax, node, angle)
        self._labels(ax)
        self._steps(ax)

    def _spokes(self, ax, node: str, angle: float) -> None:
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        bold, look = node in self.shared, self.marks[self.type[node]]
        end = 0.95 * np.array([np.cos(angle), np.sin(angle)])
        for i in self.holders[node]:
            start = _INNER * np.array([np.cos(self.step[i]), np.sin(self.step[i])])
            between = np.angle(np.exp(1j * angle) + np.exp(1j * self.step[i]) * 1.0001)
            bend = (
                0.74
                * np.array([np.cos(between), np.sin(between)])
                * (0.35 + 0.65 * abs(np.cos((angle - self.step[i]) / 2)))
            )
            line = {"ec": self.colors[i], "lw": 1.5} if bold else {"ec": "#b9bcc4", "lw": 0.6}
            ax.add_patch(PathPatch(Path([start, bend, end], [1, 3, 3]), fc="none", zorder=1.5 + bold, **line))
        ax.scatter(*end, s=24 if bold else 11, c=look.color, marker=look.marker, edgecolors="white", linewidths=0.5,
                   zorder=4)  # fmt: skip

    def _labels(self, ax) -> None:
        size = 6.5
        cut = Shortener(size, 1, numbered=False)
        for node, angle in self.angle.items():
            bold = node in self.shared
            turn, left = np.degrees(angle) % 360, np.cos(angle) < -1e-9
            name, room = _plain(self.names.get(node)) or node, min(84.0, _room(angle))
            label = cut(name, room if width_of(name, size, bold) <= room else room / 1.3, bold)
            ax.text(1.09 * np.cos(angle), 1.09 * np.sin(angle), label, size=size, weight="bold" if bold else "normal",
                    rotation=turn - 180 if left else turn, rotation_mode="anchor", va="center", parse_math=False,
                    ha="right" if left else "left", color=grey.ink if bold else grey.dark)  # fmt: skip

    def _steps(self, ax) -> None:
        n = len(self.edges)
        disc = 5.5 if n <= 16 else 4.2
        for i, angle in enumerate(self.step):
            x, y = _INNER * np.cos(angle), _INNER * np.sin(angle)
            ax.scatter(x, y, s=(2 * disc) ** 2, c=[self.colors[i]], edgecolors="white", linewidths=0.8, zorder=5)
            ax.text(x, y, str(i + 1), size=6.5 if n <= 16 else 5.5, weight="bold", color="white", ha="center",
                    va="center_baseline", zorder=6)  # fmt: skip
        for one, two in zip(self.step, self.step[1:], strict=False):
            clear = min(0.11 / _INNER, (one - two) * 0.3)
            spots = [0.8 * _INNER * np.array([np.cos(t), np.sin(t)]) for t in (one - clear, two + clear)]
            ax.annotate("", spots[1], spots[0], zorder=3, arrowprops={
                "arrowstyle": "-|>,head_width=0.16,head_length=0.3", "color": grey.dark, "lw": 0.9, "shrinkA": 0,
                "shrinkB": 0, "connectionstyle": "arc3,rad=-0.2"})  # fmt: skip

    def key(self, ax, probabilities: Sequence[float] | None) -> None:
        n = len(self.edges)
        pitch = min(0.165, 2.85 / (n + len(self.marks) + 1.5))
        cut = Shortener(6.5, 1, numbered=False)
        x, y = 1.86, 1.44
        ax.text(x - 0.05, y, "Order (clockwise)", size=7, weight="bold", va="center")
        for i, relation in enumerate(self.relation):
            y -= pitch
            ax.scatter(x, y, s=56 if pitch > 0.1 else 30, c=[self.colors[i]], linewidths=0)
            ax.text(x, y, str(i + 1), size=5.5, weight="bold", color="white", ha="center", va="center_baseline")
            words = cut(relation.replace("_", " ").removeprefix("has "), 100 if probabilities is None else 78)
            ax.text(x + 0.1, y, words, size=6.5, va="center", parse_math=False, color=grey.ink)
            if probabilities is not None and i:
                ax.text(2.97, y, f"{probabilities[i - 1]:.2f}", size=6.5, va="center", ha="right", color=grey.dark)
        y -= 1.6 * pitch
        for name, look in self.marks.items():
            ax.scatter(x, y, s=20, c=look.color, marker=look.marker, linewidths=0)
            ax.text(x + 0.1, y, name.replace("_", " "), size=6.5, va="center", color=grey.ink, parse_math=False)
            y -= min(pitch, 0.125)


def _room(angle: float) -> float:
    """Points from the arcs to the edge of the page in this direction."""
    x, y = np.cos(angle), np.sin(angle)
    reach = min((1.74 if x < 0 else 1.78) / max(abs(x), 1e-9), 1.53 / max(abs(y), 1e-9))
    return 72 * 4.7 / 3.12 * (reach - 1.09)


def _plain(value) -> str:
    return "" if value is None or (isinstance(value, float) and np.isnan(value)) or value is pd.NA else str(value)
