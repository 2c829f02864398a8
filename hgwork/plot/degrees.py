"""How uneven and how entangled: degrees with both fits, overlaps, and how run time grows."""

from __future__ import annotations

import numpy as np
import pandas as pd

from .encodings import MARKERS, OKABE_ITO, PUBLISHED
from .styling import grey, new_axes, set_caption, sizes, style

__all__ = ["degrees", "growth", "overlaps"]

PAPER, CORRECTED = OKABE_ITO[4], OKABE_ITO[0]
_DASH = (0, (4, 1.6))


def degrees(binned: pd.DataFrame, counts: pd.DataFrame, ccdf: pd.Series, ols, mle, fig=None) -> np.ndarray:
    """Draw degrees three times: how many nodes, counts with the published line, and the tail with the accepted fit.

    Parameters
    ----------
    binned, counts : DataFrame
        `topology.degree_table` with and without bins.
    ccdf : Series
        `topology.ccdf`.
    ols, mle : DegreeFit
        `topology.degree_fit` by both methods.
    fig : Figure, optional

    Returns
    -------
    array of Axes, shape (3,)
    """
    from scipy.special import zeta

    with style():
        if fig is None:
            import matplotlib.pyplot as plt

            fig = plt.figure(figsize=(sizes.two_column, 2.75))
        axes = fig.subplots(1, 3, gridspec_kw={"width_ratios": (0.85, 1, 1)})
        _bars(axes[0], binned)
        axes[1].scatter(counts["degree"], counts["count"], s=7, c=grey.mid, alpha=0.6, linewidths=0, rasterized=True)
        axes[2].scatter(ccdf.index, ccdf, s=7, c=grey.mid, alpha=0.6, linewidths=0, rasterized=True)
        least, top = ccdf.min() / 2, counts["degree"].max()
        line = np.geomspace(2, top, 50)
        k = np.unique(np.geomspace(mle.xmin, top, 60).round())
        tail = zeta(mle.exponent, mle.xmin)
        old, new = f"least squares, {ols.exponent:.2f}", f"likelihood, {mle.exponent:.2f}"
        axes[1].plot(line, np.exp(ols.intercept) * line**-ols.exponent, color=PAPER, ls=_DASH, label=old)
        axes[1].plot(k, mle.tail * k**-mle.exponent / tail, color=CORRECTED, label=new)
        if ols.exponent > 1:
            implied = ols.share * zeta(ols.exponent, line) / zeta(ols.exponent, 2)
            axes[2].plot(line, implied, color=PAPER, ls=_DASH, label="what that line implies")
        axes[2].plot(k, mle.share * zeta(mle.exponent, k) / tail, color=CORRECTED, label="likelihood tail")
        for ax, y in zip(axes[1:], (0.62, 0.03), strict=True):
            ax.axvline(mle.xmin, color=CORRECTED, lw=0.7, ls=":")
            ax.annotate(f" xmin {mle.xmin}", (mle.xmin, y), xycoords=("data", "axes fraction"), color=CORRECTED)
            ax.set(xscale="log", yscale="log", xlabel="degree k")
            ax.legend(loc="upper right", handlelength=2, borderaxespad=0)
        axes[1].set(ylabel="nodes of degree k", title="b  Counts", ylim=(0.6, 8 * counts["count"].max()))
        axes[2].set(ylabel="share of nodes, degree ≥ k", title="c  Tail", ylim=(least, 8))
        fig.subplots_adjust(left=0.1, right=0.99, top=0.91, bottom=0.16, wspace=0.36)
    rivals = mle.comparisons
    alike = [name.replace("_", " ") for name in rivals.index[rivals["p"] > 0.1]] if len(rivals) else []
    set_caption(
        axes,
        f"(b) Dashed: the published method, least squares through ln counts from k = 2 (R² {ols.r2:.2f}); it weighs a "
        "degree that one node has like one that thousands have, and its exponent is too small. Solid: maximum "
        f"likelihood over the {mle.share:.2%} of nodes from degree {mle.xmin} on (KS {mle.ks:.3f}). (c) If the dashed "
        "line were right, the tail would follow the dashed curve. A straight tail is no proof of a power law"
        + (f"; not told apart from it here: {', '.join(alike)}." if alike else "."),
    )
    return axes


def _bars(ax, binned: pd.DataFrame) -> None:
    y = np.arange(len(binned))
    ax.barh(y, binned["count"], height=0.72, color=grey.mid)
    for place, count in zip(y, binned["count"], strict=True):
        ax.annotate(f"{count:,}", (max(count, 0.8), place), (2, 0), textcoords="offset points", va="center", size=6.5)
    spans = zip(binned["low"], binned["high"], strict=True)
    names = [f"{low:,}" if low == high else f"{low:,}–{high:,}" for low, high in spans]
    ax.set(xscale="log", yticks=y, yticklabels=names, ylim=(len(y) - 0.4, -0.6), xlabel="nodes", title="a  Degrees",
           xlim=(0.8, 9 * binned["count"].max() + 9))  # fmt: skip
    ax.tick_params(axis="y", length=0, labelsize=6.5)


def overlaps(table: pd.DataFrame | pd.Series, ax=None):
    """Draw how many pairs of hyperedges share at least s nodes.

    Parameters
    ----------
    table : DataFrame or Series
        `topology.overlap_counts`; one column a hypergraph or convention, "published" drawn hollow. Zeros are left out:
        the axis is logarithmic.
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    table = table.to_frame() if isinstance(table, pd.Series) else table
    with style():
        ax = new_axes(sizes.one_column, 2.5) if ax is None else ax
        for i, (name, column) in enumerate(table.items()):
            shown = column[column > 0]
            look = (
                PUBLISHED
                if name == "published"
                else {"color": OKABE_ITO[i % 7], "marker": MARKERS[i], "mec": "white", "mew": 0.4}
            )
            ax.plot(shown.index, shown, **look, label=name)
        ax.set(yscale="log", xticks=table.index, xlabel="shared nodes, at least", ylabel="pairs of hyperedges")
        ax.grid(axis="y")
        ax.legend()
        ax.figure.set_layout_engine("tight")
    set_caption(
        ax,
        "Unordered pairs of hyperedges that share at least s nodes. With duplicates counted, copies of one statement "
        "make most of the pairs at larger s: compare the column without them before reading coherence into the curve.",
    )
    return ax


def growth(seconds: pd.DataFrame, fits: pd.DataFrame | None = None, ax=None, fitted_from: float = 1e5):
    """Draw run time against size, operation by operation, as `make bench` tabulates them.

    Parameters
    ----------
    seconds : DataFrame
        One row an operation, one column a number of hyperedges (numbers, or their digits as JSON has them).
    fits : DataFrame, optional
        By operation: `exponent` and `seconds at a million`, the power law that is drawn from `fitted_from` on.
    ax : Axes, optional
    fitted_from : float

    Returns
    -------
    Axes
    """
    sizes_of = np.array([float(column) for column in seconds.columns])
    with style():
        if ax is None:
            ax = new_axes(sizes.two_column, 3.2)
            ax.set_position((0.08, 0.14, 0.52, 0.82))
        for i, (name, row) in enumerate(seconds.iterrows()):
            look = {
                "color": OKABE_ITO[i % len(OKABE_ITO)],
                "marker": MARKERS[i % len(MARKERS)],
                "mec": "white",
                "mew": 0.4,
            }
            known = row.notna().to_numpy()
            label = str(name)
            if fits is not None and name in fits.index:
                power, start = fits.loc[name, ["exponent", "seconds at a million"]]
                x = sizes_of[sizes_of >= fitted_from]
                ax.plot(x, start * (x / 1e6) ** power, color=look["color"], lw=1)
                label += f", $m^{{{power:.2f}}}$"
            ax.plot(sizes_of[known], row[known].astype(float), ls="none", label=label, **look)
        ax.set(xscale="log", yscale="log", xlabel="hyperedges m", ylabel="seconds")
        ax.grid(axis="both")
        ax.legend(loc="center left", bbox_to_anchor=(1.02, 0.5), borderaxespad=0)
    set_caption(
        ax,
        "Run time by number of hyperedges on one machine. Lines: power laws fitted to the sizes that they span; they "
        "say how time grew there, not how it will beyond.",
    )
    return ax
