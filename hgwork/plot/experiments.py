"""Experiments: variants with intervals, paired differences against zero and an aim, weights as a map."""

from __future__ import annotations

import numpy as np
import pandas as pd

from .encodings import OKABE_ITO, shades
from .styling import grey, new_axes, set_caption, sizes, style

__all__ = ["ablation", "differences", "weight_heatmap"]

_ROW = 0.185  # inches


def ablation(table: pd.DataFrame, reference: str | None = None, ax=None, label: str = "share answered right"):
    """Draw variants as dots with intervals, in the order of the table.

    Parameters
    ----------
    table : DataFrame, index: variant
        `value`, `low`, `high`; `questions` or `storms`, where there are such columns, go to the caption.
    reference : str, optional
        A variant whose value is drawn as a line through all rows.
    ax : Axes, optional
    label : str

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If a column is missing or the reference is no variant.
    """
    _needs(table, ["value", "low", "high"])
    if reference is not None and reference not in table.index:
        raise ValueError(f"reference {reference!r} is no row; there are {', '.join(map(str, table.index))}.")
    with style():
        ax = _rows(table, ax)
        if reference is not None:
            ax.axvline(table.loc[reference, "value"], color=OKABE_ITO[0], lw=0.8, ls="--", zorder=1)
        colors = [OKABE_ITO[0] if name == reference else grey.dark for name in table.index]
        _dots(ax, table, colors)
        ax.set(xlabel=label)
    counts = [f"{int(table[name].max()):,} {name}" for name in ("questions", "storms") if name in table]
    line = f" Dashed: {reference}." if reference is not None else ""
    set_caption(ax, f"Means with 95 % intervals{', ' + ', '.join(counts) if counts else ''}.{line}")
    return ax


def differences(table: pd.DataFrame, aim: float | None = None, ax=None, label: str = "difference in points"):
    """Draw paired differences with intervals against zero.

    Parameters
    ----------
    table : DataFrame, index: what is compared
        `value`, `low`, `high`, in the unit of `label`.
    aim : float, optional
        Drawn as a dotted line.
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    _needs(table, ["value", "low", "high"])
    with style():
        ax = _rows(table, ax)
        ax.axvline(0, color=grey.dark, lw=0.8, zorder=1)
        if aim is not None:
            ax.axvline(aim, color=OKABE_ITO[4], lw=0.9, ls=":", zorder=1)
        outside = (table["low"] > 0) | (table["high"] < 0)
        _dots(ax, table, [OKABE_ITO[0] if clear else grey.mid for clear in outside])
        ax.set(xlabel=label)
    goal = f" Dotted: the aim, {aim:g}." if aim is not None else ""
    set_caption(ax, f"Paired differences with 95 % intervals; grey where the interval holds zero.{goal}")
    return ax


def weight_heatmap(
    table: pd.DataFrame, x: str, y: str, value: str, chosen: tuple | None = None, ax=None, label: str | None = None
):
    """Draw a value over two weights, with its number in every cell.

    Parameters
    ----------
    table : DataFrame
        One row a pair of weights; of several the best is drawn.
    x, y, value : str
        Columns.
    chosen : (x, y), optional
        A cell that gets a frame.
    ax : Axes, optional
    label : str, optional

    Returns
    -------
    Axes
    """
    _needs(table, [x, y, value])
    from matplotlib.patches import Rectangle

    grid = table.pivot_table(index=y, columns=x, values=value, aggfunc="max").sort_index()
    with style():
        if ax is None:
            ax = new_axes(sizes.one_column, 0.9 + 0.3 * len(grid))
            ax.figure.set_layout_engine("constrained")
        numbers = grid.to_numpy(float)
        picture = ax.imshow(numbers, cmap=shades(), aspect="auto", origin="lower")
        low, high = np.nanmin(numbers), np.nanmax(numbers)
        for row, column in np.argwhere(np.isfinite(numbers)):
            dark = numbers[row, column] > low + 0.45 * (high - low)
            ax.text(column, row, f"{numbers[row, column]:.2f}", ha="center", va="center", size=6.5,
                    color="white" if dark else grey.ink)  # fmt: skip
        ax.set(xlabel=x, ylabel=y)
        ax.set_xticks(range(grid.shape[1]), [f"{v:g}" for v in grid.columns])
        ax.set_yticks(range(grid.shape[0]), [f"{v:g}" for v in grid.index])
        ax.tick_params(length=0)
        ax.grid(False)
        if chosen is not None:
            column, row = grid.columns.get_loc(chosen[0]), grid.index.get_loc(chosen[1])
            corner = (column - 0.48, row - 0.46)
            ax.add_patch(Rectangle(corner, 0.96, 0.92, fill=False, ec=OKABE_ITO[4], lw=1.6, zorder=3))
        ax.figure.colorbar(picture, ax=ax, label=label or value, pad=0.03)
    mark = " The frame marks the chosen pair." if chosen is not None else ""
    set_caption(ax, f"{label or value} by weight of {x} and {y}, the best over all other weights.{mark}")
    return ax


def _needs(table: pd.DataFrame, columns: list[str]) -> None:
    if missing := [name for name in columns if name not in table]:
        raise ValueError(f"the table has no column {missing[0]!r}; it has {', '.join(map(str, table.columns))}.")
    if not len(table):
        raise ValueError("the table has no rows: there is nothing to draw.")


def _rows(table: pd.DataFrame, ax):
    if ax is None:
        ax = new_axes(sizes.one_column * 1.3, 0.55 + _ROW * len(table))
        ax.figure.set_layout_engine("constrained")
    ax.set_yticks(range(len(table)), [str(name) for name in table.index], parse_math=False)
    ax.set_ylim(len(table) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", visible=False)
    return ax


def _dots(ax, table: pd.DataFrame, colors: list[str]) -> None:
    for row, (value, low, high, color) in enumerate(
        zip(table["value"], table["low"], table["high"], colors, strict=True)
    ):
        ax.plot([low, high], [row, row], color=color, lw=1.4, solid_capstyle="butt", zorder=2)
        ax.plot(value, row, "o", ms=4.2, color=color, zorder=3)
