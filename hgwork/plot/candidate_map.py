"""The path of a trajectory through a map of its candidates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from .encodings import marks
from .ring import step_colors
from .styling import grey, new_axes, set_caption, sizes, style

__all__ = ["candidate_map"]


def candidate_map(coordinates: pd.DataFrame, t: Any, doors: Mapping[str, str] | pd.Series | None = None, ax=None):
    """Draw candidates as points and a trajectory as a numbered line through them.

    Parameters
    ----------
    coordinates : DataFrame, index: hyperedge
        Columns `x`, `y`, such as the two principal components of the vectors of the candidates.
    t : Trajectory
        Its `edges` are rows of `coordinates`.
    doors : mapping of hyperedge to text, optional
        Colour and marker of the points: how each came in, its group, its phase.
    ax : Axes, optional

    Returns
    -------
    Axes

    Raises
    ------
    KeyError
        If a step has no coordinates.
    """
    if lost := [edge for edge in t.edges if edge not in coordinates.index]:
        raise KeyError(f"step {lost[0]!r} has no coordinates: give a row for every candidate.")
    with style():
        if ax is None:
            ax = new_axes(sizes.one_column, 3.3)
            ax.figure.set_layout_engine("constrained")
        held = (
            pd.Series(doors if doors is not None else {}, dtype=object).reindex(coordinates.index).fillna("candidate")
        )
        for name, look in marks(held).items():
            part = coordinates[held == name]
            ax.scatter(part["x"], part["y"], s=9, c=look.color, marker=look.marker, alpha=0.55, lw=0, label=name)
        path = coordinates.loc[t.edges]
        colors = step_colors(len(path))
        for i in range(len(path) - 1):
            ax.annotate("", path.iloc[i + 1], path.iloc[i], zorder=3, arrowprops={
                "arrowstyle": "-|>,head_width=0.14,head_length=0.3", "color": grey.dark, "lw": 0.9, "shrinkA": 5,
                "shrinkB": 5, "connectionstyle": "arc3,rad=0.12"})  # fmt: skip
        for number, (spot, (x, y)) in enumerate(zip(_apart(path), path.to_numpy(), strict=True), start=1):
            ax.plot([x, spot[0]], [y, spot[1]], color=grey.mid, lw=0.5, zorder=3)
            ax.scatter(*spot, s=78, c=[colors[number - 1]], ec="white", lw=0.7, zorder=4)
            ax.text(
                *spot, str(number), size=6, weight="bold", color="white", ha="center", va="center_baseline", zorder=5
            )
        ax.set(xticks=[], yticks=[], xlabel="first component", ylabel="second component")
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.08), ncols=3, frameon=False, handletextpad=0.2)
    set_caption(
        ax,
        f"{len(coordinates)} candidates and a path of {len(path)} steps. The map keeps part of the distances; "
        "steps that lie close together are drawn beside their points.",
    )
    return ax


def _apart(path: pd.DataFrame) -> np.ndarray:
    """Places for the numbered discs, pushed apart until none covers another."""
    width = path.max() - path.min()
    scale = np.where(width > 0, width, 1.0)
    spots = path.to_numpy(float) / scale
    reach, turn = 0.085, np.random.default_rng(0)
    for _ in range(200):
        gap = spots[:, None, :] - spots[None, :, :]
        far = np.linalg.norm(gap, axis=2)
        near = (far < reach) & ~np.eye(len(spots), dtype=bool)
        if not near.any():
            break
        gap = np.where(far[..., None] > 1e-9, gap, turn.normal(0, 1e-3, gap.shape))
        far = np.maximum(np.linalg.norm(gap, axis=2), 1e-9)
        spots += (gap / far[..., None] * np.where(near, (reach - far) / 2, 0)[..., None]).sum(axis=1)
    return spots * scale
