"""Hyperpaths: hyperedges in a row, overlapping where they share nodes, and the sentences that each step rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from .encodings import OKABE_ITO, tint
from .labels import LINE, Label, Shortener, width_of
from .styling import grey, new_axes, points, set_caption, sizes, style

__all__ = ["paths"]

_EDGE, _PAD, _DISC, _GAP = (
    6.0,
    4.0,
    5.0,
    2.5,
)  # margin, padding, radius of a number, gap between names
_ROW = 4  # hyperedges in a line at most
_BESIDE = 2  # paths up to this length leave room for the sentences beside them
_NAMES, _MEMBERS = 4, 6  # shared nodes and other members that are written out
_COLORS = (OKABE_ITO[0], OKABE_ITO[1], OKABE_ITO[2], OKABE_ITO[3], OKABE_ITO[5])


def paths(paths: Sequence, ax=None, most: int = 5, text: bool = True):
    """Draw paths below each other: every hyperedge a box, shared nodes where two boxes overlap.

    Parameters
    ----------
    paths : sequence of Path
        Of `hyperpaths`.
    ax : Axes, optional
        Its size is kept and the type made smaller until all fits; without it, a two-column figure.
    most : int
        Paths drawn; the caption says how many were left out.
    text : bool
        Write the sentences beside or below.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If there are no paths.
    """
    shown = list(paths)[:most]
    if not shown:
        raise ValueError("no path was given: there is nothing to draw. Try a smaller s or other concepts.")
    with style():
        width = sizes.two_column * 72 if ax is None else points(ax)[0]
        room = None if ax is None else points(ax)[1]
        scale = 1.0
        page = _Page(shown, width, text)
        while room is not None and page.height > room * scale and scale < 4:
            scale *= 1.1
            page = _Page(shown, width * scale, text)
        if ax is None:
            ax = new_axes(width / 72, page.height / 72, bare=True)
        ax.set(xlim=(0, width * scale), ylim=(page.height if room is None else room * scale, 0))
        ax.axis("off")
        page.draw(ax, 1 / scale)
    left = len(paths) - len(shown)
    set_caption(
        ax,
        f"{len(shown)} hyperpath{'s' * (len(shown) != 1)} from {' / '.join(dict.fromkeys(p.source for p in shown))} to "
        f"{' / '.join(dict.fromkeys(p.target for p in shown))}"
        + (f"; {left} more not drawn" if left else "")
        + ". Boxes are hyperedges, read from left to right; bold names stand where two boxes overlap and are what the "
        "hyperedges share. A path shows that statements share concepts, not that one causes the next.",
    )
    return ax


@dataclass
class _Box:
    """One hyperedge of a path, its parts measured."""

    number: int
    left: list[Label]
    right: list[Label]
    relation: Label
    members: list[Label]
    arrow: bool = False
    x: tuple[float, float, float, float] = (0, 0, 0, 0)

    @property
    def height(self) -> float:
        middle = 2 * _DISC + self.relation.height + _GAP + 3 + _tall(self.members, 0)
        return max(middle, _tall(self.left), _tall(self.right)) + 2 * _PAD


@dataclass
class _Row:
    title: str
    lines: list[list[_Box]] = field(default_factory=list)
    sentences: list[tuple[int, Label, Label]] = field(default_factory=list)
    text_x: float = 0.0
    beside: bool = False

    def line_height(self, line: list[_Box]) -> float:
        return max(box.height for box in line)

    @property
    def boxes_height(self) -> float:
        return sum(self.line_height(line) + 8 for line in self.lines)

    @property
    def text_height(self) -> float:
        return sum(one.height + two.height + 4 for _, one, two in self.sentences)

    @property
    def height(self) -> float:
        both = max(self.boxes_height, self.text_height) if self.beside else self.boxes_height + self.text_height
        return 7.0 * LINE + 4 + both + 6


class _Page:
    font = 7.0

    def __init__(self, paths: Sequence, width: float, text: bool):
        self.width, self.text = width, text
        self.rows = [self._row(i, path) for i, path in enumerate(paths, 1)]
        self.height = sum(row.height for row in self.rows) + 2 * _EDGE

    def _row(self, number: int, path) -> _Row:
        steps = len(path.edges)
        documents = list(dict.fromkeys(d for d in path.documents if d))
        about = f"{steps} hyperedge{'s' * (steps != 1)}, {len(documents)} document{'s' * (len(documents) != 1)}"
        row = _Row(f"{number}   {path.source} → {path.target}   ({about})")
        row.beside = self.text and steps <= _BESIDE
        inner = self.width - 2 * _EDGE
        wide = inner * (0.62 if steps > 1 else 0.4) if row.beside else inner
        slots = [(path.source,), *path.shared, (path.target,)]
        for start in range(0, steps, _ROW):
            count = min(_ROW, steps - start)
            row.lines.append(self._line(path, slots, start, count, wide * min(1.0, (count + 0.6) / (_ROW * 0.75))))
        if self.text:
            row.text_x = _EDGE + (wide + 10 if row.beside else 0)
            self._sentences(row, path)
        return row

    def _line(self, path, slots, start: int, count: int, wide: float) -> list[_Box]:
        cell = wide / (2 * count + 1)
        name, small = Shortener(self.font, 3, numbered=False), Shortener(self.font - 0.5, 2, numbered=False)
        members, relations = path.members, list(path.table["relation"])
        line = []
        for i in range(start, start + count):
            known = {*slots[i], *slots[i + 1]}
            others = [m for m in members[i] if m not in known]
            box = _Box(
                i + 1,
                _listed(slots[i], name, cell, _NAMES, bold=True),
                _listed(slots[i + 1], name, cell, _NAMES, bold=True),
                small(_plain(relations[i]), cell - 4, italic=True),
                _listed(others, small, cell, _MEMBERS),
            )
            at = _EDGE + 2 * (i - start) * cell
            box.x = (at, at + cell, at + 2 * cell, at + 3 * cell)
            line.append(box)
        return line

    def _sentences(self, row: _Row, path) -> None:
        wrap = Shortener(self.font, 6, numbered=False)
        source = Shortener(self.font - 0.5, 1, numbered=False)
        wide = self.width - _EDGE - row.text_x - 3 * _DISC
        for i, (_, step) in enumerate(path.table.iterrows(), 1):
            said = _plain(step.get("text")) or _plain(step.get("sentence"))
            row.sentences.append((i, wrap(said, wide), source(_plain(step.get("document")), wide)))

    def draw(self, ax, scale: float) -> None:
        y = _EDGE
        for row in self.rows:
            ax.text(_EDGE, y, row.title, size=7.0 * scale, weight="bold", va="top", color=grey.ink, parse_math=False)
            y += 7.0 * LINE + 4
            top = y
            for line in row.lines:
                self._draw_line(ax, line, y, row.line_height(line), scale)
                y += row.line_height(line) + 8
            below = top if row.beside else y
            self._draw_sentences(ax, row, below, scale)
            y = max(y, below + row.text_height) + 6

    def _draw_line(self, ax, line: list[_Box], y: float, height: float, scale: float) -> None:
        from matplotlib.patches import FancyBboxPatch

        for i, box in enumerate(line):
            color, inset = _COLORS[(box.number - 1) % len(_COLORS)], 1.5 * (i % 2)
            x, right = box.x[0], box.x[3]
            outline = FancyBboxPatch(
                (x, y + inset), right - x, height - 2 * inset, boxstyle="round,pad=0,rounding_size=7",
                fc=(*tint(color, 0.16), 0.55), ec=color, lw=0.9 * scale, zorder=1, gid=f"hyperedge {box.number}",
            )  # fmt: skip
            ax.add_patch(outline)
            middle = (box.x[1] + box.x[2]) / 2
            self._disc(ax, middle, y + _PAD + _DISC, box.number, scale)
            at = y + _PAD + 2 * _DISC + 1
            at = _stack(ax, [box.relation], middle, at, self.font - 0.5, scale, style="italic", color=grey.dark)
            _stack(ax, box.members, middle, at + 2, self.font - 0.5, scale, gap=0, color=grey.dark)
            ends = [(box.left, box.x[0], box.x[1]), (box.right, box.x[2], box.x[3])]
            for labels, one, two in ends if i == len(line) - 1 else ends[:1]:
                _stack(ax, labels, (one + two) / 2, y + (height - _tall(labels)) / 2, self.font, scale, weight="bold")

    def _draw_sentences(self, ax, row: _Row, y: float, scale: float) -> None:
        for number, said, where in row.sentences:
            self._disc(ax, row.text_x + _DISC, y + _DISC, number, scale)
            x = row.text_x + 3 * _DISC
            ax.text(x, y, said, size=self.font * scale, va="top", linespacing=1.1, parse_math=False, color=grey.ink)
            ax.text(x, y + said.height, where, size=(self.font - 0.5) * scale, va="top", color=grey.dark,
                    parse_math=False)  # fmt: skip
            y += said.height + where.height + 4

    def _disc(self, ax, x: float, y: float, number: int, scale: float) -> None:
        color = _COLORS[(number - 1) % len(_COLORS)]
        ax.scatter([x], [y], s=(2 * _DISC * scale) ** 2, c="white", edgecolors=color, linewidths=1.1 * scale, zorder=3)
        ax.text(x, y, str(number), size=6.5 * scale, ha="center", va="center_baseline", zorder=4, color=grey.ink)


def _tall(labels: Sequence[Label], gap: float = _GAP) -> float:
    return sum(label.height + gap for label in labels) - gap * bool(labels)


def _stack(ax, labels, x: float, y: float, size: float, scale: float, gap: float = _GAP, **look) -> float:
    for label in labels:
        ax.text(x, y, label, size=size * scale, ha="center", va="top", zorder=4, linespacing=1.1, parse_math=False,
                **{"color": grey.ink, **look})  # fmt: skip
        y += label.height + gap
    return y


def _listed(names: Sequence[str], shorten: Shortener, width: float, most: int, bold: bool = False) -> list[Label]:
    shown = [_fitted(name, shorten, width, bold) for name in names[:most]]
    if len(names) > most:
        shown.append(shorten(f"+ {len(names) - most} more", width))
    return shown


def _fitted(name: str, shorten: Shortener, width: float, bold: bool) -> Label:
    """Wrapped to the width with some air, or with little where a long word needs it."""
    longest = max(width_of(word, shorten.size, bold) for word in [*name.split(), ""])
    return shorten(name, width - 2 * _PAD if longest <= width - 4 else (width - 4) / 1.3, bold)


def _plain(value) -> str:
    return "" if value is None or (isinstance(value, float) and np.isnan(value)) else " ".join(str(value).split())
