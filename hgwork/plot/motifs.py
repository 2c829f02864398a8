"""How three hyperedges overlap: the 26 motifs as small drawings, and how often each occurs beside chance."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pandas as pd

from ..topology.motifs import REGIONS
from .encodings import OKABE_ITO, tint
from .styling import grey, set_caption, sizes, style

__all__ = ["motif_census"]

_CENTRES = np.array([(-0.5, 0.29), (0.5, 0.29), (0.0, -0.58)])  # of a, b, c
_RADIUS = 0.85
_FLOOR = 0.4  # where a count of zero is drawn


def motif_census(census: pd.DataFrame, null: pd.DataFrame, fig=None) -> np.ndarray:
    """Draw how often each motif of three hyperedges occurs, beside random hypergraphs.

    Parameters
    ----------
    census : DataFrame
        `topology.motif_census`; motifs that neither it nor the null holds are left out.
    null : DataFrame
        One row a random hypergraph, one column a motif: ``[motif_census(G)["count"] for G in null_samples(H)]``.
    fig : Figure, optional

    Returns
    -------
    array of Axes, shape (2,)
        Counts; significance ``(M − M₀) / (M + M₀)``, M₀ the mean of the null [1]_.

    Raises
    ------
    ValueError
        If the columns of `null` are not the motifs of `census`, or nothing was counted.

    References
    ----------
    .. [1] Lee, Ko, Shin, Hypergraph motifs: concepts, algorithms, and discoveries, PVLDB 13(11), 2256 (2020), without
       its added constant.
    """
    if not len(null) or list(null.columns) != list(census.index):
        raise ValueError(
            "null needs a row a random hypergraph and a column for each motif of the census, in its order."
        )
    met = (census["count"] > 0) | (null.max() > 0)
    if not met.any():
        raise ValueError("no three hyperedges are connected: there is no motif to draw.")
    shown, null = census[met].sort_values("closed", kind="stable"), null.loc[:, met]
    null = null[shown.index]
    with style():
        if fig is None:
            import matplotlib.pyplot as plt

            fig = plt.figure(figsize=(sizes.two_column, 3.7))
        wide, high = fig.get_size_inches()
        left, width = 0.1, 0.89
        axes = np.array([fig.add_axes((left, 0.43, width, 0.5)), fig.add_axes((left, 0.2, width, 0.2))])
        _counts(axes[0], shown, null)
        mean = null.mean()
        change = (shown["count"] - mean) / (shown["count"] + mean)
        axes[1].bar(np.arange(len(shown)), change, width=0.68,
                    color=[OKABE_ITO[0] if value > 0 else OKABE_ITO[4] for value in change])  # fmt: skip
        axes[1].axhline(0, color=grey.dark, lw=0.7)
        axes[1].set(ylim=(-1.05, 1.05), yticks=(-1, 0, 1), ylabel="significance")
        opened = int((~shown["closed"]).sum())
        for ax in axes:
            ax.set(xlim=(-0.7, len(shown) - 0.3), xticks=[])
            ax.grid(axis="y")
            if 0 < opened < len(shown):
                ax.axvline(opened - 0.5, color=grey.mid, lw=0.7, ls=(0, (3, 1.5)))
        for ax in axes:
            ax.yaxis.set_label_coords(-0.082, 0.5)
        side = min(width * wide / (len(shown) + 0.4) * 0.94, 0.34)
        for place, (number, row) in enumerate(shown.iterrows()):
            middle = left + width * (place + 0.7) / (len(shown) + 0.4)
            _glyph(fig, middle, 0.18, side / wide, side / high, row, str(number))
        for text, start, stop in (("open", 0, opened), ("closed", opened, len(shown))):
            if stop > start:
                middle = left + width * ((start + stop) / 2 + 0.2) / (len(shown) + 0.4)
                fig.text(middle, 0.02, text, ha="center", va="bottom", size=7.5, weight="bold")
    set_caption(
        axes,
        "Connected triples of distinct hyperedges by motif, numbered as by Lee, Ko and Shin: a filled region holds at "
        "least one concept. Bars: least to greatest of the random hypergraphs with the same degrees and sizes; counts "
        "of zero lie on the axis. Significance is (M − M₀)/(M + M₀): 1 when chance never makes it, −1 when only chance "
        "does. A few triples can score 1; read it with the counts.",
    )
    return axes


def _counts(ax, shown: pd.DataFrame, null: pd.DataFrame) -> None:
    x = np.arange(len(shown))
    low, high = (np.maximum(values.to_numpy(float), _FLOOR) for values in (null.min(), null.max()))
    ax.vlines(x, low, np.maximum(high, low * 1.35), color=[tint(grey.dark, 0.45)], lw=6,
              label="shuffled, least to greatest")  # fmt: skip
    count, error = np.maximum(shown["count"].to_numpy(float), _FLOOR), shown["standard_error"].to_numpy()
    ax.vlines(x, np.maximum(count - error, _FLOOR), count + error, color=OKABE_ITO[0], lw=0.8)
    ax.plot(x, count, "o", ms=4.5, color=OKABE_ITO[0], mec="white", mew=0.4, label="observed", zorder=3)
    top = max(shown["count"].max(), null.to_numpy().max())
    ax.set(yscale="log", ylim=(_FLOOR * 0.8, 12 * top), ylabel="triples")
    ticks = 10 ** np.arange(int(np.log10(top)) + 1, dtype=float)
    ax.set_yticks([_FLOOR, *ticks], ["0", *(f"{tick:,.0f}" for tick in ticks)])
    ax.minorticks_off()
    ax.legend(loc="upper right", ncols=2, borderaxespad=0)
    ax.set_title("Three hyperedges, by how they overlap")


def _glyph(fig, x: float, top: float, wide: float, high: float, row: pd.Series, number: str) -> None:
    from matplotlib.patches import Circle

    ax = fig.add_axes((x - wide / 2, top - high, wide, high), gid=f"motif {number}")
    picture = np.ones((*_regions().shape, 3))
    for code, region in enumerate(REGIONS, 1):
        if row[region]:
            picture[_regions() == code] = tint(OKABE_ITO[0], 0.75)
    ax.imshow(picture, extent=(-1.45, 1.45, -1.55, 1.35), interpolation="nearest", zorder=1)
    for centre in _CENTRES:
        ax.add_patch(Circle(centre, _RADIUS, fc="none", ec=grey.dark, lw=0.5, zorder=2))
    ax.set(xlim=(-1.45, 1.45), ylim=(-1.55, 1.35))
    ax.axis("off")
    fig.text(x, top - high - 0.008, number, ha="center", va="top", size=6.5)


@lru_cache(maxsize=1)
def _regions(side: int = 160) -> np.ndarray:
    """For each pixel the number of its region in `REGIONS`, from 1; 0 outside all circles."""
    x, y = np.meshgrid(np.linspace(-1.45, 1.45, side), np.linspace(1.35, -1.55, side))
    a, b, c = (np.hypot(x - cx, y - cy) < _RADIUS for cx, cy in _CENTRES)
    number = np.zeros((side, side), int)
    inside = (a & ~b & ~c, b & ~a & ~c, c & ~a & ~b, a & b & ~c, b & c & ~a, c & a & ~b, a & b & c)
    for code, mask in enumerate(inside, 1):
        number[mask] = code
    return number
