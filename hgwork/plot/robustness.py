"""What a figure depends on: the projection it was measured on, and the choices made when the corpus was built."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from .encodings import MARKERS, OKABE_ITO
from .styling import grey, set_caption, sizes, style

__all__ = ["distortions", "sensitivity"]

_MEASURES = {
    "clustering": "clustering", "assortativity": "degree\nassortativity", "degree_rank": "order by\ndegree",
    "closeness_rank": "order by\ncloseness", "betweenness_rank": "order by\nbetweenness",
}  # fmt: skip
_HEADLINE = {
    "max_degree": "greatest degree", "largest_1_component": "largest 1-component",
    "largest_2_component": "largest 2-component", "rich_club_10": "rich club, degree ≥ 10",
    "overlap_2": "pairs sharing ≥ 2",
}  # fmt: skip


def distortions(tables: Mapping[str, pd.DataFrame] | pd.DataFrame, fig=None) -> np.ndarray:
    """Draw what five measures become on each projection, beside the hypergraph's own.

    Parameters
    ----------
    tables : DataFrame, or mapping of a name to DataFrame
        `topology.distortions`, of one hypergraph or several.
    fig : Figure, optional

    Returns
    -------
    array of Axes, one a measure
        A row a projection, the hypergraph itself first.
    """
    tables = {"": tables} if isinstance(tables, pd.DataFrame) else dict(tables)
    if not tables:
        raise ValueError("there is no table to draw. Give topology.distortions(H).")
    kinds = list(next(iter(tables.values())).columns)
    with style():
        if fig is None:
            import matplotlib.pyplot as plt

            fig = plt.figure(figsize=(sizes.two_column, 2.5 + 0.22 * (len(tables) > 1)))
        axes = fig.subplots(1, len(_MEASURES), sharey=True)
        for ax, (measure, title) in zip(axes, _MEASURES.items(), strict=True):
            for i, (name, table) in enumerate(tables.items()):
                y = np.arange(len(kinds)) + (i - (len(tables) - 1) / 2) * 0.6 / max(len(tables), 3)
                ax.plot(table.loc[measure, kinds], y, ls="none", color=OKABE_ITO[i % 7], mec="white", mew=0.4,
                        marker=MARKERS[i % len(MARKERS)], label=name, zorder=3)  # fmt: skip
            for row, kind in enumerate(kinds):
                if all(np.isnan(table.loc[measure, kind]) for table in tables.values()):
                    ax.text(0.5, row, "undefined", transform=ax.get_yaxis_transform(), ha="center", va="center",
                            size=6.5, color=grey.mid)  # fmt: skip
            ax.axhspan(-0.5, 0.5, color=grey.pale, lw=0, zorder=0)
            ax.set_title(title, loc="center", size=7.5)
            ax.tick_params(axis="y", length=0)
            ax.grid(axis="x")
        low = min(0.0, *(ax.get_xlim()[0] for ax in axes[2:]))
        for ax in axes[2:]:
            ax.set(xlim=(low - 0.06, 1.08), xticks=(0, 0.5, 1), xticklabels=("0", "0.5", "1"))
        axes[0].set(xlim=(-0.08, 1.04), xticks=(0, 0.5, 1), xticklabels=("0", "0.5", "1"), xlabel="value")
        axes[1].axvline(0, color=grey.mid, lw=0.7)
        axes[1].margins(x=0.12)
        axes[1].locator_params(axis="x", nbins=3)
        axes[1].set_xlabel("value")
        axes[3].set_xlabel("rank correlation with the hypergraph’s")
        axes[0].set(yticks=np.arange(len(kinds)), yticklabels=kinds, ylim=(len(kinds) - 0.4, -0.6))
        high, named = fig.get_size_inches()[1], len(tables) > 1
        fig.subplots_adjust(
            left=0.105, right=0.99, top=1 - 0.4 / high, bottom=(0.42 + 0.24 * named) / high, wspace=0.16
        )
        if named:
            handles, labels = axes[0].get_legend_handles_labels()
            fig.legend(handles, labels, loc="lower center", ncols=min(len(tables), 5), borderaxespad=0.2)
    set_caption(
        axes,
        "Five measures on the hypergraph (shaded) and on its five projections. A star expansion keeps the order by "
        "degree and nearly that by closeness but has no triangle; the clique expansion keeps distances and turns every "
        "large hyperedge into a cluster; cycles and chains depend on the order in which members were listed.",
    )
    return axes


def sensitivity(tables: Mapping[str, pd.DataFrame], base: Mapping[str, object] | None = None, fig=None) -> np.ndarray:
    """Draw how far each headline figure moves when a choice behind it is changed.

    Parameters
    ----------
    tables : mapping of the name of a choice to DataFrame
        `topology.sensitivity` or `topology.merge_sensitivity`; a panel each.
    base : mapping of the name of a choice to a setting, optional
        The setting that the others are divided by; the first of each table if not given.
    fig : Figure, optional

    Returns
    -------
    array of Axes, one a choice
        A row a measure, a mark a setting; the axis is the ratio to the base setting, logarithmic.

    Raises
    ------
    ValueError
        If there is no table, or a base setting is not in its table.
    """
    base = dict(base or {})
    wide = {}
    for name, table in tables.items():
        values = table[table["measure"] != "merged"].pivot(index="measure", columns="setting", values="value")
        values = values.loc[[m for m in table["measure"].unique() if m != "merged"], table["setting"].unique()]
        start = base.get(name, values.columns[0])
        if start not in values:
            raise ValueError(f"{name}: {start!r} is no setting. There are {', '.join(map(repr, values.columns))}.")
        wide[name] = values, start
    if not wide:
        raise ValueError("there is no table to draw. Give topology.merge_sensitivity(H, vectors) or sensitivity(…).")
    with style():
        rows = max(len(values) for values, _ in wide.values())
        if fig is None:
            import matplotlib.pyplot as plt

            fig = plt.figure(figsize=(sizes.two_column, 0.24 * rows + 1.15))
        axes = fig.subplots(1, len(wide), sharey=True, squeeze=False)[0]
        high = fig.get_size_inches()[1]
        fig.subplots_adjust(left=0.175, right=0.985, top=1 - 0.26 / high, bottom=0.86 / high, wspace=0.14)
        for i, (ax, (name, (values, start))) in enumerate(zip(axes, wide.items(), strict=True)):
            _ratios(ax, values, start)
            ax.set_title(f"{'abcdef'[i]}  {name}")
        names = [_HEADLINE.get(m, str(m).replace("_", " ")) for m in next(iter(wide.values()))[0].index]
        axes[0].set(yticks=np.arange(rows), yticklabels=names, ylim=(rows - 0.4, -0.6))
    set_caption(
        axes,
        "Headline figures under other settings, divided by those of the setting whose name is set in the axis. A "
        "figure whose marks lie together does not depend on the choice; one whose marks spread should be reported with "
        "it. Zero and undefined values are left out.",
    )
    return axes


def _ratios(ax, values: pd.DataFrame, start) -> None:
    others = [setting for setting in values.columns if setting != start]
    ratio = values[others].div(values[start], axis=0)
    ratio = ratio.where((ratio > 0) & np.isfinite(ratio))
    y = np.arange(len(values))
    ax.hlines(y, ratio.min(axis=1).fillna(1).clip(upper=1), ratio.max(axis=1).fillna(1).clip(lower=1),
              color=grey.light, lw=3)  # fmt: skip
    ax.axvline(1, color=grey.dark, lw=1, ls=(0, (3, 1.5)))
    for i, setting in enumerate(others):
        dodge = (i - (len(others) - 1) / 2) * 0.5 / max(len(others), 4)
        ax.plot(ratio[setting], y + dodge, ls="none", marker=MARKERS[i % len(MARKERS)], color=OKABE_ITO[i % 7],
                ms=4, mec="white", mew=0.4, label=str(setting))  # fmt: skip
    low, top = np.nanmin([*ratio.min(), 0.9]), np.nanmax([*ratio.max(), 1.1])
    room = (top / low) ** 0.06
    ends = low / room, top * room
    fine, coarse = (0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2), (0.001, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 100)
    ticks = [tick for tick in (fine if top / low < 3 else coarse) if ends[0] <= tick <= ends[1]]
    ax.set(xscale="log", xlim=ends, xlabel=f"ratio to {start}")
    ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.minorticks_off()
    ax.grid(axis="x")
    ax.tick_params(axis="y", length=0)
    drop = 0.36 / (ax.get_position().height * ax.figure.get_size_inches()[1])
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -drop), ncols=3, columnspacing=0.7, handletextpad=0,
              fontsize=6.5, borderaxespad=0)  # fmt: skip
