"""A trajectory as two lanes: the steps in order above, the entities that join them below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np
import pandas as pd

from .encodings import marks
from .labels import Shortener, width_of
from .ring import step_colors
from .styling import grey, new_axes, points, set_caption, sizes, style

__all__ = ["MOST_ROWS", "entity_rows", "trajectory"]

MOST_STEPS, MOST_ROWS = 16, 30
_ROW, _LEFT, _RIGHT = 10.5, 122.0, 6.0
_PHASE, _BRACKET, _WORDS, _DISCS, _CHANCE, _KEY = 17.0, 17.0, 30.0, 18.0, 13.0, 19.0
_NONE = "no type"


def trajectory(t: Any, ax=None, most: int = MOST_ROWS, without: Sequence[str] | None = None):
    """Draw one trajectory, its steps from left to right.

    Parameters
    ----------
    t : Trajectory
        Read through `table` (`relation`, `phase`, `horizon` or `position`, `entities`, `probability`), `index`.
    ax : Axes, optional
        Without it, a two-column figure as high as it needs to be.
    most : int
        Rows of entities; those in a single step are left out first, the last ones first, and the caption says so.
    without : sequence of str, optional
        Types that get no row; by default the anchors, which the brackets show.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If there are no steps, or too many to be read.

    Notes
    -----
    Above, numbered discs, the relation over each; bands for phases, brackets for horizons; arrows as wide as the
    transition is likely, with its probability. Below, one row an entity in order of first appearance, a bar a
    hyperedge with a marker for each member, a pale band from an entity's first step to its last.
    """
    table = t.table
    if not 0 < len(table) <= MOST_STEPS:
        raise ValueError(f"a trajectory figure shows 1 to {MOST_STEPS} steps, and {len(table)} were given. Pass fewer.")
    rows, left = entity_rows([t], most, without)
    looks = marks({kind or _NONE for _, kind in rows})
    with style():
        height = _PHASE + _BRACKET + _WORDS + _DISCS + _CHANCE + _ROW * len(rows) + _KEY * _key_lines(looks) + 6
        ax = new_axes(sizes.two_column, height / 72, bare=True) if ax is None else ax
        page = _Page(ax, table, rows, looks, getattr(t, "index", ""), height)
        page.lanes()
        page.steps()
        page.members()
        page.key()
    chance = "Arrow widths and numbers: probability of the transition. " if table["probability"].notna().any() else ""
    more = f" {left} entities of a single step are not drawn." if left else ""
    set_caption(
        ax,
        f"{len(table)} steps from left to right. {chance}Below, one row an entity, by its name in the text; bold where "
        f"it stands in two or more steps.{more}",
    )
    return ax


def entity_rows(
    given: Sequence[Any], most: int = MOST_ROWS, without: Sequence[str] | None = None
) -> tuple[list[tuple[str, str]], int]:
    """Entities (name, type) in order of first appearance, at most so many; and how many are left out."""
    count: dict[tuple[str, str], int] = {}
    for t in given:
        hidden = set(without) if without is not None else _anchor_types(t)
        for entities in t.table["entities"]:
            for entity in dict.fromkeys(map(tuple, entities)):
                if entity[1] not in hidden:
                    count[entity] = count.get(entity, 0) + 1
    order = sorted(count, key=lambda entity: count[entity] < 2)[:most]
    kept = [entity for entity in count if entity in set(order)]
    return kept, len(count) - len(kept)


def _anchor_types(t: Any) -> set[str]:
    domain = getattr(getattr(t, "precedence", None), "domain", None)
    return {domain.index.anchor_type} if domain is not None else set()


def _key_lines(looks: Mapping[str, Any]) -> int:
    width = sum(width_of(name.replace("_", " "), 6.5) + 22 for name in looks)
    return 1 + int(width // (sizes.two_column * 72 - 20))


class _Page:
    """Everything in points, from the upper left corner down."""

    def __init__(self, ax, table: pd.DataFrame, rows, looks, index: str, height: float):
        self.ax, self.table, self.rows, self.looks, self.index = ax, table, rows, looks, index
        width, tall = points(ax)
        self.width, self.height = max(width, 260.0), max(height, min(tall, height))
        ax.set(xlim=(0, self.width), ylim=(self.height, 0))
        ax.axis("off")
        n = len(table)
        self.pitch = (self.width - _LEFT - _RIGHT) / n
        self.x = _LEFT + self.pitch * (np.arange(n) + 0.5)
        self.disc_y = _PHASE + _BRACKET + _WORDS + _DISCS / 2
        self.top = _PHASE + _BRACKET + _WORDS + _DISCS + _CHANCE
        self.y = {entity: self.top + _ROW * (i + 0.5) for i, entity in enumerate(rows)}
        self.colors = step_colors(n)
        self.small = 6.5 if n <= 9 else 5.8 if n <= 11 else 5.2

    def lanes(self) -> None:
        """Bands of phases, brackets of horizons."""
        bottom = self.top + _ROW * len(self.rows)
        for number, (phase, first, last) in enumerate(self._runs("phase")):
            low, high = self.x[first] - self.pitch / 2, self.x[last] + self.pitch / 2
            if number % 2 == 0:
                self.ax.fill_between([low, high], 0, bottom, color=grey.pale, lw=0, zorder=0)
            if phase:
                cut = Shortener(self.small, 2, numbered=False)
                words = cut(phase.replace("_", " "), (high - low - 2) / 1.15, bold=True)
                look = {"weight": "bold", "color": grey.dark, "size": self.small, "linespacing": 1.0}
                self._text((low + high) / 2, _PHASE / 2 + 1, words, **look)
        for label, first, last in self._runs(self.index):
            if not label:
                continue
            low, high = self.x[first] - self.pitch * 0.4, self.x[last] + self.pitch * 0.4
            y = _PHASE + 4
            self.ax.plot([low, high], [y, y], color=grey.mid, lw=1.2, solid_capstyle="butt", zorder=2)
            self._text((low + high) / 2, y + 6.5, label, color=grey.dark, size=self.small)

    def steps(self) -> None:
        from matplotlib.patches import FancyArrowPatch

        cut = Shortener(self.small, 4, numbered=False)
        radius = 6.4 if len(self.x) <= 12 else 5.2
        for i, (x, relation) in enumerate(zip(self.x, self.table["relation"], strict=True)):
            self.ax.scatter(
                x, self.disc_y, s=(2 * radius) ** 2, c=[self.colors[i]], lw=0, zorder=5, gid=f"step {i + 1}"
            )
            self._text(x, self.disc_y, str(i + 1), color="white", weight="bold", size=7, va="center_baseline", zorder=6)
            if isinstance(relation, str):
                words = cut(relation.replace("_", " ").removeprefix("has "), (self.pitch - 2) / 1.15)
                self._text(x, self.disc_y - radius - 3, words, va="bottom", size=self.small, linespacing=1.0)
        for i, chance in enumerate(self.table["probability"].to_numpy(float)[1:]):
            known = np.isfinite(chance)
            ends = [(self.x[i] + radius + 1.5, self.disc_y), (self.x[i + 1] - radius - 1.5, self.disc_y)]
            wide = 0.7 + 2.3 * (chance if known else 0)
            head = f"-|>,head_length={2.2 + wide},head_width={1.2 + wide * 0.6}"
            self.ax.add_patch(
                FancyArrowPatch(*ends, arrowstyle=head, lw=wide, color=grey.dark, shrinkA=0, shrinkB=0,
                                mutation_scale=1, zorder=4)
            )  # fmt: skip
            if known:
                middle = (self.x[i] + self.x[i + 1]) / 2
                self._text(middle, self.disc_y + radius + 6, _short(chance), size=self.small, color=grey.dark)

    def members(self) -> None:
        held = [[e for e in dict.fromkeys(map(tuple, entities)) if e in self.y] for entities in self.table["entities"]]
        places = {entity: [i for i, row in enumerate(held) if entity in row] for entity in self.y}
        cut = Shortener(6.5, 1, numbered=False)
        for entity, y in self.y.items():
            at, look = places[entity], self.looks[entity[1] or _NONE]
            self.ax.plot([_LEFT, self.width - _RIGHT], [y, y], color=grey.light, lw=0.4, zorder=1)
            if len(at) > 1:
                self.ax.plot([self.x[at[0]], self.x[at[-1]]], [y, y], color=look.color, alpha=0.3, lw=4, zorder=2,
                             solid_capstyle="butt")  # fmt: skip
            bold = len(at) > 1
            words = cut(entity[0], (_LEFT - 8) / 1.3, bold)
            self._text(_LEFT - 5, y, words, ha="right", size=6.5, weight="bold" if bold else "normal")
        for i, row in enumerate(held):
            if row:
                low, high = min(self.y[e] for e in row), max(self.y[e] for e in row)
                self.ax.plot(
                    [self.x[i]] * 2, [self.top - 1, high], color=self.colors[i], lw=0.9, alpha=0.55, zorder=2.5
                )
                self.ax.plot([self.x[i]] * 2, [low, high], color=self.colors[i], lw=2.6, zorder=3)
            for entity in row:
                look = self.looks[entity[1] or _NONE]
                self.ax.scatter(self.x[i], self.y[entity], s=26, c=look.color, marker=look.marker, ec="white", lw=0.6,
                                zorder=4)  # fmt: skip

    def key(self) -> None:
        x, y = 8.0, self.top + _ROW * len(self.rows) + _KEY / 2 + 3
        for name, look in self.looks.items():
            words = name.replace("_", " ")
            wide = width_of(words, 6.5) + 22
            if x + wide > self.width - 4:
                x, y = 8.0, y + _KEY * 0.7
            self.ax.scatter(x + 4, y, s=22, c=look.color, marker=look.marker, lw=0)
            self._text(x + 11, y, words, ha="left", size=6.5)
            x += wide

    def _runs(self, column: str) -> Iterator[tuple[str, int, int]]:
        if not column or column not in self.table:
            return
        labels = [_label(column, value) for value in self.table[column]]
        for label, part in groupby(range(len(labels)), key=lambda i: labels[i]):
            held = list(part)
            yield label, held[0], held[-1]

    def _text(self, x: float, y: float, text: str, **look) -> None:
        look = {"ha": "center", "va": "center", "color": grey.ink, "parse_math": False} | look
        self.ax.text(x, y, text, **look)


def _label(column: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if value is None or pd.isna(value):
        return ""
    return f"T-{value:g}" if column == "horizon" else f"{column} {value:g}"


def _short(chance: float) -> str:
    return f"{chance:.2f}" if chance >= 0.01 else "<.01"
