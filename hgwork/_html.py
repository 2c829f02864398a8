"""The card that a hypergraph shows of itself in a notebook."""

from __future__ import annotations

from html import escape

import numpy as np
import pandas as pd

__all__ = ["hypergraph_card"]

_BLUE, _GREY = "#0072B2", "#8a8a8a"


def hypergraph_card(H) -> str:
    """Counts, size and degree histograms and five hyperedges as sentences."""
    sizes, degrees = H.sizes, H.degrees
    facts = {
        "nodes": f"{len(degrees):,}",
        "hyperedges": f"{len(sizes):,}",
        "mean size": f"{sizes.mean():.2f}" if len(sizes) else "–",
        "largest": f"{sizes.max():,}" if len(sizes) else "–",
        "mean degree": f"{degrees.mean():.2f}" if len(degrees) else "–",
        "highest degree": f"{degrees.max():,}" if len(degrees) else "–",
    }
    cells = "".join(
        f"<div><div style='font-size:1.25em'>{value}</div><div style='color:{_GREY}'>{name}</div></div>"
        for name, value in facts.items()
    )
    sample = H.edges.index[np.unique(np.linspace(0, len(sizes) - 1, 5).astype(int))] if len(sizes) else []
    items = "".join(f"<li>{escape(_cut(text))}</li>" for text in H.sentences(sample))
    return (
        "<div style='font-family:sans-serif;font-size:13px;max-width:760px'>"
        f"<div style='display:flex;gap:28px;flex-wrap:wrap;margin-bottom:8px'>{cells}</div>"
        f"<div style='display:flex;gap:36px;flex-wrap:wrap'>{_bars(sizes, 'hyperedge size')}"
        f"{_bars(degrees, 'node degree')}</div>"
        f"<ol style='margin:8px 0 0 0;padding-left:20px;list-style:none;color:inherit'>{items}</ol></div>"
    )


def _cut(text: str, length: int = 160) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


def _bars(values: pd.Series, title: str) -> str:
    """A bar a power of two: 0, 1, 2–3, 4–7, …; heights are on a log scale, counts stand above."""
    if not len(values):
        return ""
    bins = np.where(values > 0, np.floor(np.log2(np.maximum(values, 1))).astype(int) + 1, 0)
    counts = np.bincount(bins)
    first = 0 if counts[0] else 1
    width, height, bars = 44, 46, []
    for place, count in enumerate(counts[first:]):
        low = 0 if place + first == 0 else 2 ** (place + first - 1)
        label = f"{low}" if low < 2 else f"{low}–{2 * low - 1}"
        tall = 0 if not count else 6 + (height - 6) * np.log1p(count) / np.log1p(counts.max())
        x = place * width
        text = "<text text-anchor='middle' font-size='10' fill='currentColor' x='{}' y='{:.1f}'>{}</text>"
        bars.append(
            f"<rect x='{x + 6}' y='{14 + height - tall:.1f}' width='{width - 12}' height='{tall:.1f}' fill='{_BLUE}'/>"
            + text.format(x + width / 2, 10 + height - tall, _short(count))
            + text.format(x + width / 2, height + 27, label)
        )
    total = width * len(counts[first:])
    return (
        f"<figure style='margin:0'><svg width='{total}' height='{height + 32}' role='img' "
        f"aria-label='{title}, log scale'>{''.join(bars)}</svg>"
        f"<figcaption style='color:{_GREY}'>{title} (log scale)</figcaption></figure>"
    )


def _short(count: int) -> str:
    if count < 1000:
        return str(count)
    return f"{count / 1000:.0f}k" if count < 1_000_000 else f"{count / 1e6:.1f}M"
