"""What each step adds to a trajectory's score, term by term."""

from __future__ import annotations

from typing import Any

import numpy as np

from .encodings import OKABE_ITO
from .styling import grey, new_axes, set_caption, sizes, style

__all__ = ["score_terms"]

_TERMS = {"relevance": 0, "order": 1, "precedence": 2, "continuity": 3, "coverage": 5}
_HATCH = {"relevance": "", "order": "////", "precedence": "....", "continuity": "\\\\\\\\", "coverage": "xxxx"}


def score_terms(t: Any, ax=None):
    """Draw the weighted contributions of every step, stacked; what lowers the score hangs below zero.

    Parameters
    ----------
    t : Trajectory
        Read through `table` (`score_relevance`, …, `score`), `known` and `score`.
    ax : Axes, optional
        Without it, a one-column figure.

    Returns
    -------
    Axes
    """
    table, known = t.table, getattr(t, "known", {})
    with style():
        if ax is None:
            ax = new_axes(sizes.one_column, 2.6)
            ax.figure.set_layout_engine("constrained")
        step = np.arange(1, len(table) + 1)
        above, below = np.zeros(len(table)), np.zeros(len(table))
        for term, color in _TERMS.items():
            value = table[f"score_{term}"].to_numpy(float)
            if not known.get(term, True) or not value.any():
                continue
            start = np.where(value >= 0, above, below)
            ax.bar(step, value, 0.72, start, color=OKABE_ITO[color], hatch=_HATCH[term], ec="white", lw=0.4, label=term)
            above, below = above + np.maximum(value, 0), below + np.minimum(value, 0)
        ax.plot(step, table["score"], ls="", marker="D", ms=3.2, color=grey.ink, label="step in all")
        ax.axhline(0, color=grey.dark, lw=0.6)
        ax.set(xlabel="step", ylabel="adds to the score", xticks=step, xlim=(0.4, len(table) + 0.6))
        ax.set_ylim(1.06 * min(below.min(), 0), 1.28 * max(above.max(), 0.01))
        ax.legend(ncols=3, loc="upper left", frameon=False, handlelength=1.2, columnspacing=1.0)
    missing = [term for term in _TERMS if not known.get(term, True)]
    gone = f" Not known here, and 0: {', '.join(missing)}." if missing else ""
    set_caption(
        ax,
        f"Weighted terms of equation 5 over {len(table)} steps; they sum to {t.score:.2f}. Shares of the whole "
        f"(precedence, continuity, coverage) stand at the steps that earn them.{gone}",
    )
    return ax
