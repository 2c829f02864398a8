"""Hyperedges inside hyperedges, drawn as boxes inside boxes, with what each of them says."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..hypergraph import Hypergraph
from .encodings import OKABE_ITO, tint
from .labels import Shortener
from .styling import grey, set_caption, sizes, style

__all__ = ["nesting"]

_FONT, _NAME, _GAP, _CELL = 7.0, 6.5, 8.0, 56.0
_TEXT = 165.0  # points for the sentences
_MOST = 10


def nesting(H: Hypergraph, chains: pd.DataFrame, text: str = "sentence", fig=None) -> np.ndarray:
    """Draw chains of nested hyperedges: every box is one, its sentence stands beside it.

    Parameters
    ----------
    H : Hypergraph
    chains : DataFrame
        `topology.maximal_chains`, or those of its chains that are wanted.
    text : {"sentence", "text"}
        What stands beside a chain: the hyperedge read out, or its evidence, the column `text`.
    fig : Figure, optional

    Returns
    -------
    array of Axes, one a chain
        Boxes are numbered from the innermost; the same number leads its sentence.

    Raises
    ------
    ValueError
        If there is no chain, or a hyperedge has more than 10 members.
    """
    if not len(chains) or chains["size"].max() > _MOST:
        raise ValueError(
            f"{chains['chain'].nunique()} chains, hyperedges of up to {chains['size'].max()} members: draw one chain "
            f"or more, of up to {_MOST} members."
        )
    if text not in ("sentence", "text") or (text == "text" and "text" not in H.edges):
        raise ValueError(f"text={text!r}: 'sentence', or 'text' where the hyperedges have that column.")
    parts = [group.sort_values("level") for _, group in chains.groupby("chain", sort=False)]
    said = H.edges["text"] if text == "text" else None
    widest = max(int(part["size"].max()) for part in parts)
    cell = min(_CELL, (sizes.two_column * 72 - _TEXT - 2 * _GAP * max(map(len, parts)) - 20) / widest)
    drawn = [_Chain(H, part, cell, said) for part in parts]
    with style():
        if fig is None:
            import matplotlib.pyplot as plt

            fig = plt.figure(figsize=(sizes.two_column, (sum(c.height for c in drawn) + 12 * len(drawn)) / 72))
        high, down, axes = fig.get_size_inches()[1] * 72, 6.0, []
        for chain in drawn:
            ax = fig.add_axes((0, 1 - (down + chain.height) / high, 1, chain.height / high))
            chain.draw(ax)
            axes.append(ax)
            down += chain.height + 12
    set_caption(
        axes,
        "Chains of hyperedges each inside the next, to which none can be added. A box holds the members of a "
        "hyperedge; its number leads to what it says. Nested statements of one sentence can be one statement "
        "extracted in pieces: read the sentences before counting them as agreement.",
    )
    return np.array(axes, dtype=object)


class _Chain:
    """One chain laid out in points: members in the order in which the boxes take them in."""

    def __init__(self, H: Hypergraph, part: pd.DataFrame, cell: float, said: pd.Series | None):
        members: dict[str, None] = {}
        for edge in part["edge"]:
            members |= dict.fromkeys(H.members(edge))
        self.sizes, self.cell, self.levels = part["size"].tolist(), cell, len(part)
        cut = Shortener(_NAME, 4, numbered=False)
        self.names = [cut(name, (cell - 4) / 1.3) for name in members]
        self.entry = np.searchsorted(self.sizes, np.arange(len(members)), side="right")
        sentences = H.sentences(part["edge"].tolist()) if said is None else said[part["edge"]]
        self.sentences = [Shortener(_FONT, 5, numbered=False)(str(s), _TEXT) for s in sentences]
        inner = max(name.height for name in self.names) + 4
        boxes = inner + 2 * (_GAP + 1) * self.levels + 4
        lines = sum(s.height + 4 for s in self.sentences)
        self.height = max(boxes, lines)

    def draw(self, ax) -> None:
        from matplotlib.patches import FancyBboxPatch

        ax.set(xlim=(0, sizes.two_column * 72), ylim=(self.height, 0))
        ax.axis("off")
        middle, start = self.height / 2, 4 + _GAP * self.levels
        half = max(name.height for name in self.names) / 2 + 2
        for level in reversed(range(self.levels)):
            color, tall = OKABE_ITO[level % 6], half + (_GAP + 1) * level + 5
            left, right = start - _GAP * level - 3, start + self.sizes[level] * self.cell + _GAP * level + 3
            ax.add_patch(FancyBboxPatch((left, middle - tall), right - left, 2 * tall,
                         boxstyle="round,pad=0,rounding_size=5", fc=tint(color, 0.16), ec=color, lw=1.0,
                         gid=f"box {level}"))  # fmt: skip
            ax.text(right - 3, middle - tall + 0.5, str(level + 1), ha="right", va="top", size=_NAME, weight="bold",
                    color=color)  # fmt: skip
        for place, (name, level) in enumerate(zip(self.names, self.entry, strict=True)):
            ax.text(start + (place + 0.5) * self.cell + _GAP * level, middle, name, ha="center", va="center",
                    size=_NAME, color=grey.ink, parse_math=False)  # fmt: skip
        down = (self.height - sum(s.height + 4 for s in self.sentences)) / 2
        left = sizes.two_column * 72 - _TEXT - 4
        for level, sentence in enumerate(self.sentences):
            ax.text(left - 6, down, str(level + 1), ha="right", va="top", size=_FONT, weight="bold",
                    color=OKABE_ITO[level % 6])  # fmt: skip
            ax.text(left, down, sentence, ha="left", va="top", size=_FONT, color=grey.ink, parse_math=False)
            down += sentence.height + 4
