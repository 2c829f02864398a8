"""What part a concept plays: the t-SNE map of structural signatures."""

from __future__ import annotations

import textwrap
from html import escape

import numpy as np
import pandas as pd

from .encodings import Mark, shades
from .hubs import SYMBOLS, dressed
from .styling import grey, set_caption, sizes, style

__all__ = ["roles", "roles_interactive"]

#: Ordered tiers are coded by an ordered ramp of the palette and by markers.
TIERS = {"low": Mark("#56B4E9", "o"), "moderate": Mark("#009E73", "^"), "hub": Mark("#E69F00", "s"),
         "super-hub": Mark("#D55E00", "D")}  # fmt: skip


def roles(embedding, signatures: pd.DataFrame, tiers: pd.Series, fig=None) -> np.ndarray:
    """Draw the map by degree and by tier: one mark a distinct signature, larger the more nodes have it.

    Parameters
    ----------
    embedding : Embedding
        `topology.tsne`.
    signatures : DataFrame
        `topology.structural_signatures`, without logarithms.
    tiers : Series
        `topology.tiers`.
    fig : Figure, optional

    Returns
    -------
    array of Axes, shape (2,)
    """
    from matplotlib.colors import LogNorm

    table = _places(embedding, signatures, tiers)
    area = 3 + 3 * np.sqrt(table["multiplicity"])
    with style():
        if fig is None:
            import matplotlib.pyplot as plt

            fig = plt.figure(figsize=(sizes.two_column, 4.0))
        axes = fig.subplots(1, 2, sharex=True, sharey=True)
        look = {"linewidths": 0.3, "edgecolors": "white", "alpha": 0.9, "rasterized": True}
        norm = LogNorm(1, max(table["degree"].max(), 2))
        dots = axes[0].scatter(table["x"], table["y"], s=area, c=table["degree"], cmap=shades(), norm=norm, **look)
        for name, mark in TIERS.items():
            part = table[table["tier"] == name]
            if len(part):
                axes[1].scatter(part["x"], part["y"], s=area[part.index], c=mark.color, marker=mark.marker, **look)
                label = f"{name} ({part['multiplicity'].sum():,})"
                axes[1].scatter([], [], s=22, c=mark.color, marker=mark.marker, label=label)
        for ax, title in zip(axes, ("a  By degree", "b  By tier (nodes)"), strict=True):
            ax.set(title=title, xticks=[], yticks=[])
            for side in ax.spines.values():
                side.set(visible=True, color=grey.light)
        fig.subplots_adjust(left=0.01, right=0.99, top=0.93, bottom=0.15, wspace=0.03)
        bar = fig.colorbar(dots, cax=fig.add_axes((0.03, 0.095, 0.16, 0.018)), orientation="horizontal")
        bar.set_label("degree", labelpad=1)
        bar.outline.set_visible(False)
        bar.minorticks_off()
        bar.ax.xaxis.set_major_formatter("{x:,g}")
        for count in _steps(table["multiplicity"].max()):
            axes[0].scatter([], [], s=3 + 3 * np.sqrt(count), c=grey.mid, label=f"{count:,}")
        axes[0].legend(loc="upper right", bbox_to_anchor=(1.0, -0.01), ncols=5, title="nodes with one signature",
                       title_fontsize=7, columnspacing=0.9, borderpad=0)  # fmt: skip
        axes[1].legend(loc="upper center", bbox_to_anchor=(0.5, -0.03), ncols=4, columnspacing=0.6, borderpad=0,
                       handletextpad=0, fontsize=6.5)  # fmt: skip
    set_caption(
        axes,
        f"{len(embedding.table):,} nodes in {embedding.rows:,} distinct signatures, each drawn once (trustworthiness "
        f"{embedding.trustworthiness:.2f}). t-SNE keeps neighbourhoods, not distances, areas or densities: gaps "
        "between islands are no measure of difference, and three features cannot say which concepts a node meets.",
    )
    return axes


def _places(embedding, signatures: pd.DataFrame, tiers: pd.Series) -> pd.DataFrame:
    """One row a distinct signature, the most shared first so that the rare ones are drawn on top."""
    table = embedding.table.join(signatures).join(tiers.rename("tier"))
    table = table.rename_axis("node").reset_index().drop_duplicates(["x", "y"])
    return table.sort_values("multiplicity", ascending=False, kind="stable", ignore_index=True)


def _steps(most: int) -> list[int]:
    return [10**i for i in range(5) if 10**i <= most]


def roles_interactive(embedding, signatures: pd.DataFrame, tiers: pd.Series, H):
    """The map in plotly: hover for the concepts behind a mark and a sentence that one of them stands in.

    Parameters
    ----------
    embedding, signatures, tiers
        As in `roles`.
    H : Hypergraph
        Where the sentences come from, if its hyperedges have `text`.

    Returns
    -------
    plotly Figure
    """
    import plotly.graph_objects as go

    table = _places(embedding, signatures, tiers)
    at = embedding.table.reset_index(names="node").groupby(["x", "y"], sort=False)["node"].apply(list)
    figure = go.Figure()
    for name, mark in TIERS.items():
        part = table[table["tier"] == name]
        if part.empty:
            continue
        nodes = [at[x, y] for x, y in zip(part["x"], part["y"], strict=True)]
        facts = part[["degree", "neighbours", "mean_size"]].itertuples(index=False)
        hover = [_card(H, found, *fact) for found, fact in zip(nodes, facts, strict=True)]
        figure.add_scatter(
            x=part["x"].round(2).tolist(), y=part["y"].round(2).tolist(), mode="markers", name=name, hovertext=hover,
            hovertemplate="%{hovertext}<extra></extra>",
            marker={"size": (4 + 2 * part["multiplicity"] ** 0.25).round(1).tolist(), "color": mark.color, "opacity": 1,
                    "symbol": SYMBOLS[mark.marker], "line": {"color": "white", "width": 0.5}},
        )  # fmt: skip
    return dressed(figure, "Structural signatures: each mark is one, hover for its concepts")


def _card(H, nodes: list[str], degree, neighbours, size) -> str:
    more = f" and {len(nodes) - 3:,} more" if len(nodes) > 3 else ""
    rows = [f"<b>{escape(', '.join(nodes[:3]))}</b>{more}",
            f"degree {degree:,}, {neighbours:,} neighbours, mean size {size:.2f}"]  # fmt: skip
    if "text" in H.edges and degree:
        rows += [
            f"<i>{escape(line)}</i>" for line in textwrap.wrap(str(H.edges["text"][H.incident(nodes[0])[0]]), 70)[:3]
        ]
    return "<br>".join(rows)
