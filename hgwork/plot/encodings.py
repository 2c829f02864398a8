"""What colours, markers and lines stand for: one coding for all figures, readable without colour.

The colours are those of Okabe and Ito, which stay apart under the common colour-vision deficiencies. A type always
has a colour and a marker of its own; a role has a colour and an arrowhead or a line style.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import pandas as pd

from .styling import grey

__all__ = ["MARKERS", "OKABE_ITO", "ROLES", "Mark", "Role", "marks", "shades", "tint"]

OKABE_ITO = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#4D4D4D")
MARKERS = ("o", "s", "^", "D", "P", "v", "X", "p", "h", "*")


class Mark(NamedTuple):
    color: str
    marker: str


class Role(NamedTuple):
    color: str
    line: str
    arrow: bool


ROLES = {
    "source": Role("#0072B2", "-", False),
    "target": Role("#D55E00", "-", True),
    "member": Role(grey.mid, (0, (3, 1.5)), False),  # type: ignore[arg-type]
    "relation": Role(grey.dark, "-", False),
}

PLAIN = Mark(grey.ink, "o")

#: Numbers from a paper, beside ours.
PUBLISHED = {"color": grey.ink, "marker": "D", "mfc": "white", "ls": ":", "lw": 1.0, "ms": 4.0, "zorder": 4}


def marks(types: Iterable) -> dict[str, Mark]:
    """Colour and marker of each type, given out in the order of their names; 70 types differ.

    Examples
    --------
    >>> marks(["Property", "Material", None, "Material"])
    {'Material': Mark(color='#0072B2', marker='o'), 'Property': Mark(color='#E69F00', marker='s')}
    """
    names = sorted({str(name) for name in types if not pd.isna(name)})
    return {name: Mark(OKABE_ITO[i % len(OKABE_ITO)], MARKERS[i % len(MARKERS)]) for i, name in enumerate(names)}


def tint(color: str, share: float = 0.18) -> tuple[float, float, float]:
    """The colour mixed with white, so that what lies below does not shine through."""
    from matplotlib.colors import to_rgb

    red, green, blue = (1 - share * (1 - part) for part in to_rgb(color))
    return red, green, blue


def shades():
    """The colour map of amounts: one hue, from pale to dark, its lightness falling evenly."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("hgwork", [(0, "#CFE3F1"), (0.55, OKABE_ITO[0]), (1, "#00263D")])
