"""Groups of concepts: their names and sizes beside what chance gives, and the sweep that finds one around a seed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from .encodings import MARKERS, OKABE_ITO, tint
from .labels import Shortener
from .styling import grey, new_axes, points, set_caption, sizes, style

__all__ = ["communities", "local_community"]

_FONT = 7.0


def communities(found, beside: Mapping[str, Any] | None = None, n: int = 12, fig=None) -> np.ndarray:
    """Draw the largest communities by name, and the modularity of every run beside that of other hypergraphs.

    Parameters
    ----------
    found : Communities
        `topology.communities`.
    beside : mapping of a name to a list of Communities, optional
        For instance ``{"shuffled": [topology.communities(G) for G in topology.null_samples(H)]}``.
    n : int
        Communities to name, largest first.
    fig : Figure, optional

    Returns
    -------
    array of Axes, shape (2,)
        Named communities; modularity and agreement of the runs, a row a hypergraph.

    Raises
    ------
    ValueError
        If n is below 1, or a list holds no communities.
    """
    groups = {"observed": [found], **{name: list(group) for name, group in (beside or {}).items()}}
    if n < 1 or not all(groups.values()):
        raise ValueError(f"n={n}, {', '.join(f'{k}: {len(g)}' for k, g in groups.items())}: at least one of each.")
    table = found.table.head(n)
    with style():
        high = max(0.2 * len(table) + 0.75, 0.55 * len(groups) + 1.0)
        if fig is None:
            import matplotlib.pyplot as plt

            fig = plt.figure(figsize=(sizes.two_column, high))
        low, tall = 0.4 / high, 1 - 0.65 / high
        axes = np.array([fig.add_axes((0.355, low, 0.3, tall)), fig.add_axes((0.765, low, 0.215, tall))])
        _named(axes[0], table)
        _runs(axes[1], groups)
    total = len(found.table)
    set_caption(
        axes,
        f"(a) The {len(table)} largest of {total:,} communities, named by the concepts of most incidences inside them; "
        "the pale end is what lies in hyperedges of other communities. (b) Modularity of every run; ARI is the mean "
        "agreement of two runs. Louvain finds communities in shuffled hypergraphs too: only the distance to them "
        "speaks of themes, and only a high ARI of their borders.",
    )
    return axes


def _named(ax, table: pd.DataFrame) -> None:
    y = np.arange(len(table))
    ax.barh(y, table["nodes"], height=0.72, color=[tint(OKABE_ITO[0], 0.3)])
    ax.barh(y, table["nodes"] * table["inside"], height=0.72, color=OKABE_ITO[0])
    for place, (nodes, inside) in enumerate(zip(table["nodes"], table["inside"], strict=True)):
        ax.annotate(f"{inside:.0%}", (nodes, place), (3, 0), textcoords="offset points", va="center", size=6.5,
                    color=grey.dark)  # fmt: skip
    room = 72 * ax.figure.get_size_inches()[0] * ax.get_position().x0 - 10
    cut = Shortener(_FONT, 1, numbered=False)
    ax.set_yticks(y, [cut(names, room) for names in table["concepts"]], parse_math=False)
    ax.set(ylim=(len(y) - 0.4, -0.6), xlim=(0, 1.22 * table["nodes"].max()), xlabel="concepts (and share inside)")
    ax.set_title("a  Named communities")
    ax.tick_params(axis="y", length=0, labelsize=_FONT)


def _runs(ax, groups: dict[str, list]) -> None:
    for i, (name, group) in enumerate(groups.items()):
        scores = np.concatenate([each.runs["modularity"].to_numpy() for each in group])
        height = i + np.linspace(-0.16, 0.16, len(scores))
        ax.scatter(scores, height, s=11, c=OKABE_ITO[i % 7], marker=MARKERS[i % len(MARKERS)], linewidths=0,
                   alpha=0.6, gid=f"runs {name}")  # fmt: skip
        ari = np.mean([each.stability["ari"] for each in group])
        ax.annotate(f"ARI {ari:.2f}", (scores.mean(), i + 0.24), (0, -2), textcoords="offset points", va="top",
                    ha="center", size=_FONT, color=grey.dark)  # fmt: skip
    low, top = ax.get_xlim()
    wide = max(top - low, 0.02)
    ax.set(xlim=(low - 0.3 * wide, top + 0.3 * wide), ylim=(len(groups) - 0.35, -0.5), xlabel="modularity",
           title="b  Every run")  # fmt: skip
    ax.set_yticks(range(len(groups)), [*groups])
    ax.locator_params(axis="x", nbins=4)
    ax.grid(axis="x")
    ax.tick_params(axis="y", length=0)


def local_community(table: pd.DataFrame, seed: str, rows: int = 36, ax=None):
    """Draw the sweep around a seed: conductance as concepts are added, and where it is least.

    Parameters
    ----------
    table : DataFrame
        `topology.local_community`.
    seed : str
        What it was asked for; for the title.
    rows : int
        Concepts to draw, in the order of the sweep.
    ax : Axes, optional

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If rows is below 1.
    """
    if rows < 1:
        raise ValueError(f"rows={rows}: draw at least one concept.")
    shown = table.head(rows)
    with style():
        if ax is None:
            ax = new_axes(sizes.two_column, 3.3)
            ax.set_position((0.075, 0.47, 0.91, 0.45))
        x, inside = np.arange(len(shown)), shown["inside"].to_numpy()
        size = int(table["inside"].sum())
        if shown["inside"].any():
            ax.axvspan(-0.5, min(size, len(shown)) - 0.5, color=tint(OKABE_ITO[0], 0.1), lw=0)
        ax.plot(x, shown["conductance"], color=grey.mid, lw=1)
        for part, fill in ((inside, OKABE_ITO[0]), (~inside, "white")):
            ax.scatter(x[part], shown["conductance"][part], s=20, c=fill, edgecolors=OKABE_ITO[0], linewidths=0.8,
                       zorder=3)  # fmt: skip
        least = table["conductance"].min()
        if len(x) and np.isfinite(least):
            ax.axhline(least, color=OKABE_ITO[4], lw=0.8, ls=":")
            ax.annotate(f"least {least:.2f}, at {size} concepts", (len(x) - 0.6, least), (0, -3), va="top", ha="right",
                        textcoords="offset points", size=_FONT, color=OKABE_ITO[4])  # fmt: skip
        cut = Shortener(6.5, 1, numbered=False)
        room = points(ax)[1] / ax.get_position().height * ax.get_position().y0 - 10
        ax.set_xticks(x, [cut(name, room) for name in shown["concept"]], rotation=90, size=6.5, parse_math=False)
        ax.tick_params(axis="x", length=2, pad=2)
        ax.set(xlim=(-0.6, len(x) - 0.4), ylabel="conductance", title=f"Around {seed}")
        lowest, top = np.nanmin(shown["conductance"]), np.nanmax(shown["conductance"])
        ax.set_ylim(max(0, lowest - 0.3 * (top - lowest) - 0.02), top + 0.08 * (top - lowest) + 0.01)
        ax.grid(axis="y")
    set_caption(
        ax,
        "Concepts in the order in which a walk that keeps returning to the seed reaches them, for their degree. "
        "Conductance is the share of the set's incidences that lead out of it; the community (shaded) ends where it is "
        "least. A flat curve has many minima: the last concepts inside and the first outside differ by little.",
    )
    return ax
