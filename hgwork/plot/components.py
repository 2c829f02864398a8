"""How connected: samples beside their null, sizes of s-components, and what survives as s grows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from ..hypergraph import Hypergraph
from .encodings import MARKERS, OKABE_ITO, PUBLISHED, shades, tint
from .labels import Shortener, width_of
from .styling import grey, new_axes, points, set_caption, sizes, style

__all__ = ["beside_null", "s_components", "s_ladder"]

EDGE = "#c3c7d0"
_KINDS = {"edge": "hyperedges sharing ≥ s nodes", "node": "nodes sharing ≥ s hyperedges"}


def beside_null(rows: Mapping[str, Sequence[Hypergraph]], fig=None, rng=0) -> np.ndarray:
    """Draw samples of hyperedges, unlabelled, with rows of random hypergraphs of the same degrees beside them.

    Parameters
    ----------
    rows : mapping of a name to Hypergraphs
        One row of panels each, equally many in every row.
    fig : Figure, optional
    rng : int or numpy Generator
        Seeds the spring layout (Fruchterman–Reingold, by igraph), which is the same for all panels.

    Returns
    -------
    array of Axes, shape (rows, samples)
    """
    columns = {len(row) for row in rows.values()}
    if len(columns) != 1 or not min(columns):
        raise ValueError(
            f"rows hold {[len(row) for row in rows.values()]} hypergraphs: give equally many, at least one."
        )
    across, rng = columns.pop(), np.random.default_rng(rng)
    most = max(int(H.degrees.max()) for row in rows.values() for H in row)
    with style():
        if fig is None:
            import matplotlib.pyplot as plt

            side = (sizes.two_column - 0.3) / across
            fig = plt.figure(figsize=(sizes.two_column, side * len(rows) + 0.62))
        axes = fig.subplots(len(rows), across, squeeze=False)
        for line, (name, row) in zip(axes, rows.items(), strict=True):
            for ax, H in zip(line, row, strict=True):
                dots = _sketch(ax, H, most, rng)
                if ax in axes[0]:
                    ax.set_title(f"{len(H):,} hyperedges", loc="center", weight="normal")
            line[0].set_ylabel(name, weight="bold")
        high = fig.get_size_inches()[1]
        fig.subplots_adjust(left=0.035, right=0.995, top=1 - 0.22 / high, bottom=0.5 / high, wspace=0.03, hspace=0.03)
        bar = fig.colorbar(dots, cax=fig.add_axes((0.35, 0.38 / high, 0.3, 0.06 / high)), orientation="horizontal")
        bar.set_label("degree within the panel", labelpad=1)
        bar.outline.set_visible(False)
        bar.minorticks_off()
        bar.ax.xaxis.set_major_formatter("{x:g}")
    set_caption(
        axes,
        "Random samples of hyperedges: dots are nodes, lines lead to the undrawn middle of a hyperedge. A shuffled row "
        "keeps every degree and every size of the row above and nothing else. A dense middle with loose pieces around "
        "it is what a spring layout makes of any hypergraph with a few hubs; it is no evidence of a core.",
    )
    return axes


def _sketch(ax, H: Hypergraph, most: int, rng):
    """Nodes and incidences at the places of a spring layout of the bipartite graph."""
    import random

    import igraph
    from matplotlib.collections import LineCollection
    from matplotlib.colors import LogNorm

    m, n = H.shape
    edge, node = H.incidence.nonzero()
    graph = igraph.Graph(n=m + n, edges=np.column_stack([edge, m + node]).tolist())
    igraph.set_random_number_generator(random.Random(int(rng.integers(2**31))))
    start = rng.normal(size=(m + n, 2)) * np.sqrt(m + n) / 3
    place = np.array(graph.layout_fruchterman_reingold(seed=start.tolist(), niter=100, grid="nogrid").coords)
    igraph.set_random_number_generator(random)
    place -= np.median(place, axis=0)
    lines = LineCollection([*np.stack([place[edge], place[m + node]], axis=1)], colors=EDGE, linewidths=0.4, zorder=1)
    lines.set_rasterized(True)
    ax.add_collection(lines)
    degree = H.degrees.to_numpy()
    order = np.argsort(degree, kind="stable")
    dots = ax.scatter(*place[m:][order].T, s=1.2 + 1.6 * degree[order], c=degree[order], cmap=shades(), linewidths=0,
                      norm=LogNorm(1, most), zorder=2, rasterized=True)  # fmt: skip
    reach = 1.04 * np.abs(place).max()
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach), xticks=[], yticks=[], aspect="equal")
    for side in ax.spines.values():
        side.set(visible=True, color=grey.light)
    return dots


def s_components(ladders: Mapping[str, pd.DataFrame], published: pd.Series | None = None, fig=None) -> np.ndarray:
    """Draw the sizes of the largest s-components by s, of both kinds.

    Parameters
    ----------
    ladders : mapping of "edge" or "node" to DataFrame
        `topology.s_ladder` with as many components a rung as are to be drawn.
    published : Series, optional
        Largest size by s, drawn in every panel: see which kind it follows.
    fig : Figure, optional

    Returns
    -------
    array of Axes, one a kind
    """
    with style():
        if fig is None:
            import matplotlib.pyplot as plt

            fig = plt.figure(figsize=(sizes.two_column, 2.7))
        axes = fig.subplots(1, len(ladders), sharey=True, squeeze=False)[0]
        for i, (ax, (kind, ladder)) in enumerate(zip(axes, ladders.items(), strict=True)):
            first, rest = ladder[ladder["component"] == 0], ladder[ladder["component"] > 0]
            color, marker = OKABE_ITO[i], MARKERS[i]
            ax.scatter(rest["s"], rest["size"], s=14, marker=marker, c=[tint(color, 0.45)], linewidths=0,
                       label="next largest")  # fmt: skip
            ax.plot(first["s"], first["size"], color=color, marker=marker, label="largest")
            if published is not None:
                ax.plot(published.index, published, **PUBLISHED, label="published “largest”")
            names = [f"{s}\n{count:,}" for s, count in zip(first["s"], first["components"], strict=True)]
            ax.set_xticks(first["s"], names)
            ax.set(yscale="log", title=f"{'abcdef'[i]}  {_KINDS[kind]}", xlabel="s, and number of components",
                   xlim=(first["s"].min() - 0.4, first["s"].max() + 0.4))  # fmt: skip
            ax.grid(axis="y")
            ax.legend(loc="upper right")
        axes[0].set_ylabel("members of a component")
        fig.set_layout_engine("tight")
    set_caption(
        axes,
        "Sizes of the largest s-components; counts below include components of one member. Both kinds are called "
        "s-components in the literature and answer different questions."
        + (" The published sizes were counted in nodes, whatever their name says." if published is not None else ""),
    )
    return axes


def s_ladder(table: pd.DataFrame, ax=None):
    """Draw which concepts hold together as s grows: a bar a component, named by its top concepts.

    Parameters
    ----------
    table : DataFrame
        `topology.s_ladder`.
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    with style():
        if ax is None:
            high = 0.165 * len(table) + 0.09 * table["s"].nunique() + 0.5
            ax = new_axes(sizes.two_column, high)
            ax.set_position((0.075, 0.4 / high, 0.915, 1 - 0.45 / high))
        room, low = points(ax)[0], 0.8
        y = np.arange(len(table)) + 0.55 * table["s"].rank(method="dense").to_numpy()
        cut = Shortener(7, 1, numbered=False)
        texts = [
            f"{size:,}   {cut(names, 0.6 * room)}" for size, names in zip(table["size"], table["concepts"], strict=True)
        ]
        reach = np.log(table["size"].to_numpy() / low)
        span = max(long / (1 - (width_of(text, 7) + 6) / room) for long, text in zip(reach, texts, strict=True))
        colors = shades()(0.25 + 0.6 * (table["s"].rank(method="dense") - 1) / max(table["s"].nunique() - 1, 1))
        ax.barh(y, table["size"] - low, left=low, height=0.7, color=colors)
        for place, size, text in zip(y, table["size"], texts, strict=True):
            ax.annotate(text, (size, place), (4, 0), textcoords="offset points", va="center", size=7, parse_math=False)
        middle = pd.Series(y).groupby(table["s"].to_numpy()).mean()
        ax.set(xscale="log", xlim=(low, low * np.exp(span)), ylim=(y[-1] + 0.6, y[0] - 0.6), yticks=middle,
               yticklabels=[f"s = {s}" for s in middle.index], xlabel="members of the component")  # fmt: skip
        ax.tick_params(axis="y", length=0, labelsize=7.5)
        ticks = 10 ** np.arange(int(np.log10(table["size"].max())) + 1)
        ax.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
        ax.minorticks_off()
    set_caption(
        ax,
        "The largest components on each rung, named by the concepts most used inside them. At small s a component is "
        "large because hubs touch everything; what is left at large s may be one statement repeated.",
    )
    return ax
