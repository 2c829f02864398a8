"""How a hypergraph was made: what merging did to its nodes, and how well its events were extracted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from .encodings import MARKERS, OKABE_ITO
from .labels import Shortener, width_of
from .styling import grey, new_axes, set_caption, sizes, style

__all__ = ["merge_audit", "quality"]

AGREE = "two annotators agree"


def merge_audit(audit: pd.DataFrame, vetoes: pd.DataFrame, nodes: int | None = None, fig=None, rng=0) -> np.ndarray:
    """Draw what merging did, in four panels.

    Parameters
    ----------
    audit : DataFrame
        One row a name of a cluster, its representative among them: columns `cluster`, `representative`, `name`,
        `similarity` (cosine to the representative), `evidence` ("cosine", "spelling", "definition", joined by "+").
    vetoes : DataFrame
        One row a pair kept apart: `a`, `b`, `cosine`, `reason`.
    nodes : int, optional
        Nodes before merging; without it only the names in clusters are counted.
    fig : Figure, optional
    rng : int or numpy Generator
        Seeds the vertical scatter of panel c, which carries no meaning.

    Returns
    -------
    array of Axes, shape (4,)
        a nodes before and after; b cluster sizes; c cosine of merged pairs by evidence; d vetoed pairs by reason.
    """
    for table, what, columns in (
        (audit, "audit", ("cluster", "representative", "name", "similarity", "evidence")),
        (vetoes, "vetoes", ("cosine", "reason")),
    ):
        if lacking := [name for name in columns if name not in table]:
            raise ValueError(f"the table {what} has no column {', '.join(lacking)}; it has {list(table.columns)}.")
    cluster_sizes = audit.groupby("cluster")["name"].nunique()
    cluster_sizes = cluster_sizes[cluster_sizes > 1]
    gone = int((cluster_sizes - 1).sum())
    before = int(cluster_sizes.sum()) if nodes is None else nodes
    merged = audit[audit["name"] != audit["representative"]]
    with style():
        if fig is None:
            import matplotlib.pyplot as plt

            fig = plt.figure(figsize=(sizes.two_column, 4.0))
        axes = fig.subplots(2, 2).reshape(-1)
        _before_and_after(axes[0], before, before - gone, "nodes" if nodes is not None else "names in clusters")
        _cluster_sizes(axes[1], cluster_sizes)
        _similarity(axes[2], merged, np.random.default_rng(rng))
        _reasons(axes[3], vetoes)
        fig.subplots_adjust(left=0.2, right=0.965, top=0.93, bottom=0.115, wspace=0.5, hspace=0.62)
    set_caption(
        axes,
        f"Merging joined {gone + len(cluster_sizes)} names into {len(cluster_sizes)} nodes; "
        f"{len(vetoes)} candidate pairs were kept apart. Similarity is to the representative of the cluster, so "
        "two names of one cluster may be less alike; vertical scatter in (c) carries no meaning.",
    )
    return axes


def _before_and_after(ax, before: int, after: int, what: str) -> None:
    ax.barh([1, 0], [before, after], height=0.55, color=[grey.mid, OKABE_ITO[0]])
    for y, count in ((1, before), (0, after)):
        more = "" if y or not before else f"  (−{(before - after) / before:.1%})"
        ax.annotate(f"{count:,}{more}", (count, y), (3, 0), textcoords="offset points", va="center")
    ax.set(
        yticks=[1, 0],
        yticklabels=["before", "after"],
        xlabel=what,
        xlim=(0, before * 1.42 or 1),
        ylim=(-0.6, 1.6),
        title="a  Nodes",
    )
    ax.tick_params(axis="y", length=0)
    ax.locator_params(axis="x", nbins=4)
    ax.xaxis.set_major_formatter("{x:,.0f}")


def _cluster_sizes(ax, cluster_sizes: pd.Series) -> None:
    counts = cluster_sizes.value_counts().sort_index()
    ax.bar(counts.index, counts, width=0.7, color=OKABE_ITO[0])
    if len(counts) <= 12:
        for size, count in counts.items():
            ax.annotate(f"{count:,}", (size, count), (0, 2), textcoords="offset points", ha="center")
    top = max(counts.max() if len(counts) else 1, 1)
    ax.set(
        xlabel="names in the cluster",
        ylabel="clusters",
        title="b  Cluster sizes",
        xlim=(1.4, max(counts.index.max(), 4) + 0.6 if len(counts) else 4.6),
        ylim=(0, 1.18 * top),
    )
    from matplotlib.ticker import MaxNLocator

    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=4))


def _similarity(ax, merged: pd.DataFrame, rng) -> None:
    kinds = sorted(merged["evidence"].astype(str).unique(), key=lambda kind: (kind.count("+"), kind))
    names: list[str] = []
    for place, kind in enumerate(kinds):
        values = merged.loc[merged["evidence"].astype(str) == kind, "similarity"]
        y = place + rng.uniform(-0.26, 0.26, len(values))
        color, marker = OKABE_ITO[place % len(OKABE_ITO)], MARKERS[place % len(MARKERS)]
        ax.scatter(values, y, s=11, c=color, marker=marker, alpha=0.7, linewidths=0, zorder=3)
        ax.plot([values.median()] * 2, [place - 0.36, place + 0.36], color=grey.ink, lw=1.2, zorder=4)
        words = "all three" if kind.count("+") == 2 else kind.replace("+", " + ")
        names.append(f"{words} ({len(values):,})")
    low = min(merged["similarity"].min(), 0.9) if len(merged) else 0.9
    ax.set(yticks=range(len(kinds)), yticklabels=names, ylim=(len(kinds) - 0.4, -0.6),
           xlim=(low - 0.02, 1.01), xlabel="cosine to the representative (line: median)",
           title="c  Merged pairs by evidence")  # fmt: skip
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x")


def _reasons(ax, vetoes: pd.DataFrame) -> None:
    plain = vetoes["reason"].astype(str).str.replace(r"^via .*?: ", "", regex=True)
    counts = plain.value_counts()
    counts = counts.iloc[np.lexsort((counts.index, -counts.to_numpy()))]
    if len(counts) > 8:
        counts = pd.concat([counts.iloc[:7], pd.Series({f"{len(counts) - 7} more": counts.iloc[7:].sum()})])
    ax.barh(range(len(counts)), counts, height=0.65, color=OKABE_ITO[4])
    for y, count in enumerate(counts):
        ax.annotate(f"{count:,}", (count, y), (3, 0), textcoords="offset points", va="center")
    cut = Shortener(7, 2, numbered=False)
    names = [cut(name, 74) for name in counts.index]
    ax.set(yticks=range(len(counts)), yticklabels=names, ylim=(max(len(counts), 1) - 0.4, -0.6),
           xlabel="pairs kept apart", xlim=(0, 1.15 * counts.max() if len(counts) else 1),
           title="d  Vetoed pairs by reason")  # fmt: skip
    ax.tick_params(axis="y", length=0)


def _words(metric) -> str:
    return str(metric).replace("_", " ").replace(" f1", " F1")


def quality(table: pd.DataFrame, ceiling: Mapping[str, float] | pd.Series | None = None, ax=None):
    """Draw extraction scores with their 95 % intervals, metric by metric.

    Parameters
    ----------
    table : DataFrame
        Columns `system`, `metric`, `value`, `low`, `high`; metrics and systems are drawn in order of appearance.
    ceiling : mapping or Series, optional
        Metric -> agreement of two annotators, drawn as a line: no system can be shown to do better.
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    if lacking := [name for name in ("system", "metric", "value", "low", "high") if name not in table]:
        raise ValueError(f"the table has no column {', '.join(lacking)}; it has {list(table.columns)}.")
    systems, metrics = table["system"].drop_duplicates().tolist(), table["metric"].drop_duplicates().tolist()
    limits: dict[str, Any] = {} if ceiling is None else dict(ceiling)
    columns = 2 if max(width_of(str(name), 7) for name in [*systems, *[AGREE][: len(limits)], ""]) < 86 else 1
    entries = -(-(len(systems) + bool(limits)) // columns)
    step = 0.72 / max(len(systems), 1)
    with style():
        if ax is None:
            rows = len(metrics) * max(0.12 * len(systems) + 0.1, 0.28)
            left = max((width_of(_words(metric), 7) for metric in metrics), default=0) / 72 + 0.16
            ax = new_axes(sizes.one_column, rows + 0.5 + 0.155 * entries)
            high = ax.figure.get_size_inches()[1]
            ax.set_position((left / sizes.one_column, 0.42 / high, 0.96 - left / sizes.one_column, rows / high))
        for i, system in enumerate(systems):
            part = table[table["system"] == system]
            y = np.array([metrics.index(metric) for metric in part["metric"]]) + (i - (len(systems) - 1) / 2) * step
            color, marker = OKABE_ITO[i % len(OKABE_ITO)], MARKERS[i % len(MARKERS)]
            error = np.abs(np.vstack([part["value"] - part["low"], part["high"] - part["value"]]))
            ax.errorbar(
                part["value"],
                y,
                xerr=error,
                fmt=marker,
                color=color,
                ms=4.5,
                elinewidth=1.3,
                mec="white",
                mew=0.4,
                label=system,
                zorder=3,
                clip_on=False,
            )
        for place, metric in enumerate(metrics):
            if place % 2:
                ax.axhspan(place - 0.5, place + 0.5, color=grey.pale, zorder=0, lw=0)
            if metric in limits and pd.notna(limits[metric]):
                ax.plot(
                    [limits[metric]] * 2,
                    [place - 0.45, place + 0.45],
                    color=grey.ink,
                    lw=1.2,
                    ls=(0, (3, 1.5)),
                    zorder=2,
                    label=AGREE,
                )
        ax.set(yticks=range(len(metrics)), yticklabels=[_words(metric) for metric in metrics],
               ylim=(len(metrics) - 0.5, -0.5), xlim=(0, 1), xlabel="score, with 95 % interval")  # fmt: skip
        ax.tick_params(axis="y", length=0)
        ax.grid(axis="x")
        found = dict(zip(*ax.get_legend_handles_labels()[::-1], strict=True))
        if AGREE in found:
            found[AGREE] = found.pop(AGREE)
        ax.legend(
            found.values(), found.keys(), loc="lower right", bbox_to_anchor=(1, 1), ncols=columns, borderaxespad=0.2
        )
    set_caption(
        ax,
        "Extraction scores of each system against the gold set, with 95 % intervals."
        + (" Dashed: how well two annotators agree; differences beyond it mean little." if limits else ""),
    )
    return ax
