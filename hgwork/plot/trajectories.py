"""Several trajectories side by side on shared rows, and one as two layers of nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .encodings import marks
from .labels import Shortener, width_of
from .ring import step_colors
from .styling import grey, new_axes, set_caption, sizes, style
from .trajectory import entity_rows

__all__ = ["MOST_TOGETHER", "trajectories", "trajectory_network"]

MOST_TOGETHER, MOST_ENTITIES = 4, 14
_ROW, _LEFT, _HEAD = 10.5, 122.0, 46.0
_NONE = "no type"


def trajectories(given: Sequence[Any], ax=None, most: int = 30):
    """Draw trajectories side by side; an entity has one row in all of them.

    Parameters
    ----------
    given : sequence of Trajectory
        At most `MOST_TOGETHER`, with 32 steps in all.
    ax : Axes, optional
        Without it, a two-column figure as high as it needs to be.
    most : int
        Rows; entities of a single step are left out first.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If there are none, or too many to be read.
    """
    given = list(given)
    total = sum(len(t) for t in given)
    if not 0 < len(given) <= MOST_TOGETHER or total > 32:
        raise ValueError(
            f"{len(given)} trajectories with {total} steps: it shows 1 to {MOST_TOGETHER}, with 32 steps in all."
        )
    rows, left = entity_rows(given, most)
    looks = marks({kind or _NONE for _, kind in rows})
    height = _HEAD + _ROW * len(rows) + 26
    with style():
        ax = new_axes(sizes.two_column, height / 72, bare=True) if ax is None else ax
        width = sizes.two_column * 72
        ax.set(xlim=(0, width), ylim=(height, 0))
        ax.axis("off")
        pitch = (width - _LEFT - 4) / (total + 0.8 * (len(given) - 1))
        y = {entity: _HEAD + _ROW * (i + 0.5) for i, entity in enumerate(rows)}
        holders = {e: sum(e in set(map(tuple, step)) for t in given for step in t.table["entities"]) for e in rows}
        start = _LEFT
        for number, t in enumerate(given, start=1):
            _block(ax, t, number, start, pitch, y, looks)
            start += pitch * (len(t) + 0.8)
        cut = Shortener(6.5, 1, numbered=False)
        for entity, at in y.items():
            bold = holders[entity] > 1
            ax.text(_LEFT - 5, at, cut(entity[0], (_LEFT - 8) / 1.3, bold), ha="right", va="center", size=6.5,
                    weight="bold" if bold else "normal", color=grey.ink, parse_math=False)  # fmt: skip
        _key(ax, looks, height - 11)
    more = f" {left} entities of a single step are not drawn." if left else ""
    set_caption(
        ax,
        f"{len(given)} trajectories, each from left to right, on shared rows of entities. Bold: in two or more "
        f"steps. Numbers are steps; over them the places they stand at.{more}",
    )
    return ax


def _block(ax, t: Any, number: int, start: float, pitch: float, y, looks) -> None:
    table, colors = t.table, step_colors(len(t))
    x = start + pitch * (np.arange(len(t)) + 0.5)
    end = start + pitch * len(t)
    bottom = _HEAD + _ROW * len(y)
    ax.fill_between([start, end], 16, bottom, color=grey.pale, lw=0, zorder=0)
    words = Shortener(6.5, 1, numbered=False)(f"{number}: {t.method}, score {t.score:.2f}", (end - start) / 1.3, True)
    ax.text((start + end) / 2, 8, words, ha="center", va="center", size=6.5, weight="bold", parse_math=False)
    radius = min(5.6, pitch * 0.42)
    for i in range(len(t)):
        place = table[t.index].iloc[i] if t.index else np.nan
        if np.isfinite(place) and (i == 0 or place != table[t.index].iloc[i - 1]):
            label = f"T-{place:g}" if t.index == "horizon" else f"{place:g}"
            if width_of(label, 5.5) < 1.9 * pitch:
                ax.text(x[i], 22, label, ha="center", va="center", size=5.5, color=grey.dark)
        ax.scatter(x[i], 34, s=(2 * radius) ** 2, c=[colors[i]], lw=0, zorder=5)
        ax.text(
            x[i], 34, str(i + 1), size=5.8, weight="bold", color="white", ha="center", va="center_baseline", zorder=6
        )
        held = [entity for entity in dict.fromkeys(map(tuple, table["entities"].iloc[i])) if entity in y]
        if held:
            ax.plot([x[i]] * 2, [min(y[e] for e in held), max(y[e] for e in held)], color=colors[i], lw=2, zorder=3)
        for entity in held:
            look = looks[entity[1] or _NONE]
            ax.scatter(x[i], y[entity], s=19, c=look.color, marker=look.marker, ec="white", lw=0.5, zorder=4)
    for at in y.values():
        ax.plot([start, end], [at, at], color=grey.light, lw=0.4, zorder=1)


def trajectory_network(t: Any, ax=None, most: int = MOST_ENTITIES):
    """Draw a trajectory as two layers: hyperedges in order above, the entities that they hold below.

    For few entities; with more, `trajectory` is easier to read.

    Parameters
    ----------
    t : Trajectory
    ax : Axes, optional
        Without it, a two-column figure.
    most : int
        Entities; those of a single step are left out first.

    Returns
    -------
    Axes
    """
    rows, left = entity_rows([t], most)
    looks = marks({kind or _NONE for _, kind in rows})
    colors, width, height = step_colors(len(t)), sizes.two_column * 72, 196.0
    with style():
        ax = new_axes(sizes.two_column, height / 72, bare=True) if ax is None else ax
        ax.set(xlim=(0, width), ylim=(height, 0))
        ax.axis("off")
        top = width * (np.arange(len(t)) + 0.5) / len(t)
        held = [set(map(tuple, entities)) for entities in t.table["entities"]]
        mean = {entity: np.mean([i for i, step in enumerate(held) if entity in step]) for entity in rows}
        order = sorted(rows, key=lambda entity: (mean[entity], rows.index(entity)))
        spot = {entity: width * (i + 0.5) / len(order) for i, entity in enumerate(order)}
        cut = Shortener(6.0, 3, numbered=False)
        for i, x in enumerate(top):
            for entity in (entity for entity in order if entity in held[i]):
                ax.plot([x, spot[entity]], [52, 128], color=colors[i], lw=1.1, alpha=0.75, zorder=1)
            ax.scatter(x, 46, s=165, c=[colors[i]], lw=0, zorder=4)
            ax.text(
                x, 46, str(i + 1), size=7, weight="bold", color="white", ha="center", va="center_baseline", zorder=5
            )
            relation = t.table["relation"].iloc[i]
            if isinstance(relation, str):
                words = cut(relation.replace("_", " ").removeprefix("has "), (width / len(t) - 4) / 1.2)
                ax.text(x, 35, words, size=6, ha="center", va="bottom", linespacing=1.0, parse_math=False)
            if i:
                ax.annotate("", (x - 8, 46), (top[i - 1] + 8, 46), zorder=3, arrowprops={
                    "arrowstyle": "-|>,head_width=0.16,head_length=0.3", "color": grey.dark, "lw": 0.9})  # fmt: skip
        for entity in order:
            look = looks[entity[1] or _NONE]
            ax.scatter(spot[entity], 130, s=42, c=look.color, marker=look.marker, ec="white", lw=0.7, zorder=4)
            words = cut(entity[0], (width / len(order) - 3) / 1.2)
            ax.text(spot[entity], 138, words, size=6, ha="center", va="top", linespacing=1.0, parse_math=False)
        _key(ax, looks, height - 9)
    more = f" {left} entities of a single step are not drawn." if left else ""
    set_caption(ax, f"{len(t)} hyperedges in order above, {len(rows)} entities below; a line joins a member.{more}")
    return ax


def _key(ax, looks, y: float) -> None:
    x = 8.0
    for name, look in looks.items():
        words = name.replace("_", " ")
        ax.scatter(x + 4, y, s=20, c=look.color, marker=look.marker, lw=0)
        ax.text(x + 11, y, words, ha="left", va="center", size=6.2, parse_math=False)
        x += width_of(words, 6.2) + 20
