"""A sentence with the events found in it: every span stands below its place in the sentence.

What extraction did is best judged against the words. A label that the sentence does not hold word for word was
completed by the extractor, and is shown as a dashed tag.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..schema import Event
from .encodings import ROLES, tint
from .labels import width_of
from .styling import grey, new_axes, points, set_caption, sizes, style

__all__ = ["find_spans", "sentence"]

_UNIT = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uff00-\uffef]|[^\s\u3040-\u30ff\u3400-\u9fff\uff00-\uffef]+")
_EDGE, _LEFT = 8.0, 20.0  # margins in points; the event numbers stand in the left one
_ABOVE = 12.0  # room for arrows above a line of spans


def find_spans(text: str, label: str, words: bool = False) -> list[tuple[int, int]]:
    """Where a label stands in a text: its first occurrence, exact before case-folded, whole words before parts.

    With `words`, a label that is interrupted is found word by word, in order, with at most three words between.
    Empty where it does not occur.

    Examples
    --------
    >>> find_spans("Lipases attack ester linkages.", "lipases")
    [(0, 7)]
    >>> find_spans("It is quickly attacked.", "is attacked", words=True)
    [(3, 5), (14, 22)]
    """
    for pattern in (rf"(?<!\w){re.escape(label)}(?!\w)", re.escape(label)):
        for flags in (0, re.IGNORECASE):
            found = re.search(pattern, text, flags)
            if found and label:
                return [found.span()]
    parts = label.split()
    if words and len(parts) > 1:
        between = r"(?:\W+\w+){0,3}?\W+"
        found = re.search(between.join(rf"(?<!\w)({re.escape(part)})(?!\w)" for part in parts), text, re.IGNORECASE)
        if found:
            return [found.span(i + 1) for i in range(len(parts))]
    return []


def sentence(text: str, events: Iterable[Event | Mapping], ax=None):
    """Draw a sentence and, below it, its events, each span in its place.

    Parameters
    ----------
    text : str
    events : iterable of Event or mapping with `source`, `relation`, `target`
    ax : Axes, optional
        Its size is kept and the type made smaller until all fits; without it, a two-column figure.

    Returns
    -------
    Axes
        `plot.caption(ax)` says how to read it.
    """
    rows = [event if isinstance(event, Event) else Event.model_validate(dict(event)) for event in events]
    if not text.strip():
        raise ValueError("the sentence is empty: there is nothing to draw.")
    with style():
        width = sizes.two_column * 72 if ax is None else points(ax)[0]
        room = None if ax is None else points(ax)[1]
        scale = 1.0
        page = _Page(" ".join(text.split()), rows, width)
        while room is not None and page.height > room * scale and scale < 4:
            scale *= 1.1
            page = _Page(" ".join(text.split()), rows, width * scale)
        if ax is None:
            ax = new_axes(width / 72, page.height / 72, bare=True)
        ax.set(xlim=(0, width * scale), ylim=(page.height if room is None else room * scale, 0))
        ax.axis("off")
        page.draw(ax, 1 / scale)
    tags = sum(span.implied for row in page.spans for span in row)
    set_caption(
        ax,
        f"A sentence and {len(rows)} event{'s' * (len(rows) != 1)} extracted from it. Each span stands below its first "
        "occurrence in the sentence; a word that occurs more than once may have been meant elsewhere."
        + (f" {tags} dashed label(s) do not occur word for word." if tags else ""),
    )
    return ax


@dataclass
class _Span:
    role: str
    text: str
    line: int
    x: float
    width: float
    implied: bool = False
    y: float = 0.0
    first: bool = True
    last: bool = True
    twin: int = 0

    @property
    def middle(self) -> float:
        return self.x + self.width / 2


class _Page:
    size = 8.0

    def __init__(self, text: str, events: list[Event], width: float):
        self.text, self.events, self.right = text, events, width - _EDGE
        labels = [label for event in events for label in (*event.source, *event.target, event.relation)]
        self.held = sorted({span for label in labels for span in find_spans(text, label)})
        self._set()
        y = _EDGE + self.size * 0.7
        self.words_y = []
        for _ in range(self.lines):
            self.words_y.append(y)
            y += self.size * 1.5
        self.spans: list[list[_Span]] = []
        self.rules: list[float] = []
        for event in events:
            self.rules.append(y - self.size * 0.6)
            y += 2
            row = self._row(event)
            for line in sorted({span.line for span in row}):
                y += _ABOVE + (4 if line > min(span.line for span in row) else 0)
                for span in row:
                    if span.line == line:
                        span.y = y
                y += self.size * 0.95
            y += self.size * 0.75
            self.spans.append(row)
        self.height = y + 12

    def _set(self) -> None:
        """Lines of words, broken within a span only if it is long: for every unit its characters, line and x."""
        self.units: list[tuple[int, int, int, float]] = []
        x, line, last = _LEFT, 0, 0
        space = width_of("a a", self.size) - width_of("aa", self.size)
        for match in _UNIT.finditer(self.text):
            start, end = match.span()
            wide = width_of(match.group(), self.size)
            x += space if start > last and x > _LEFT else 0
            whole = max(
                (width_of(self.text[one:two], self.size) for one, two in self.held if one == start), default=wide
            )
            if x + max(wide, whole if whole < (self.right - _LEFT) / 3 else 0) > self.right and x > _LEFT:
                x, line = _LEFT, line + 1
            self.units.append((start, end, line, x))
            x += wide
            last = end
        self.lines = line + 1

    def _pieces(self, start: int, end: int) -> list[tuple[int, float, float, str]]:
        """Line, x, width and text of a stretch of characters, one a line it touches."""
        out: list[tuple[int, float, float, str]] = []
        for one, two, line, x in self.units:
            low, high = max(start, one), min(end, two)
            if low >= high:
                continue
            left = x + (width_of(self.text[one:low], self.size) if low > one else 0)
            right = x + width_of(self.text[one:high], self.size)
            if out and out[-1][0] == line:
                known = out.pop()
                gap = " " if self.text[low - 1 : low].isspace() else ""
                out.append((line, known[1], right - known[1], known[3] + gap + self.text[low:high]))
            else:
                out.append((line, left, right - left, self.text[low:high]))
        return out

    def _row(self, event: Event) -> list[_Span]:
        """The spans of one event; labels that do not occur come as tags on a line of their own, -1, above."""
        row: list[_Span] = []
        tags: list[tuple[str, str]] = []
        labels = (
            [("source", x) for x in event.source]
            + [("relation", event.relation)]
            + [("target", x) for x in event.target]
        )
        for role, label in labels:
            found = find_spans(self.text, label, words=role == "relation")
            parts = [part for span in found for part in self._pieces(*span)]
            for i, (line, x, wide, words) in enumerate(parts):
                twin = sum((one.line, one.x, one.width) == (line, x, wide) for one in row)
                row.append(_Span(role, words, line, x, wide, first=i == 0, last=i == len(parts) - 1, twin=twin))
            if not parts:
                tags.append((role, label))
        return self._tags(tags, row) + row

    def _tags(self, tags: list[tuple[str, str]], row: list[_Span]) -> list[_Span]:
        """Tags on lines above the others, over the relation or, where that is a tag itself, over the middle."""
        out: list[list[_Span]] = []
        x = self.right
        for role, label in tags:
            wide = min(width_of(label, self.size, italic=True), self.right - _LEFT)
            if x + wide > self.right:
                out.append([])
                x = _LEFT
            out[-1].append(_Span(role, label, len(out) - 1 - len(tags), x, wide, implied=True))
            x += wide + 18
        over = [span for span in row if span.role == "relation"] or row
        for line in out:
            center = [span for span in line if span.role == "relation" and span.role != over[0].role] if over else []
            left, right = (center or line)[0].x, (center or line)[-1].x + (center or line)[-1].width
            wish = float(np.mean([span.middle for span in over])) if over else 0.0
            shift = min(max(wish - (left + right) / 2, _LEFT - line[0].x), self.right - line[-1].x - line[-1].width)
            for span in line:
                span.x += max(0.0, shift)
        return [span for line in out for span in line]

    # ---------------------------------------------------------------- drawing

    def draw(self, ax, k: float) -> None:
        self.k = k
        words: dict[int, list[tuple[float, str]]] = {}
        for start, end, line, x in self.units:
            words.setdefault(line, []).append((x, self.text[start:end]))
        for line, parts in words.items():
            for x, word in parts:
                self._text(ax, x, self.words_y[line], word, grey.ink)
        for number, (row, rule) in enumerate(zip(self.spans, self.rules, strict=True), 1):
            ax.plot([_EDGE, self.right], [rule, rule], color=grey.light, lw=0.6 * k, zorder=0)
            y = min(span.y for span in row)
            self._text(ax, _EDGE, y, str(number), grey.mid, weight="bold")
            self._event(ax, row)
        self._key(ax)

    def _event(self, ax, row: list[_Span]) -> None:
        from matplotlib.patches import Rectangle

        for span in row:
            color, half, more = ROLES[span.role].color, self.size * 0.62, 1.6 * span.twin
            box = Rectangle(
                (span.x - 1 - more, span.y - half - more), span.width + 2 + 2 * more, 2 * (half + more),
                fc="none" if span.twin else tint(color, 0.14), ec=color, lw=0.8 * self.k, zorder=2 - span.twin * 0.5,
                ls=(0, (2.5, 1.5)) if span.implied else "-", gid=f"{span.role}{' implied' * span.implied}",
            )  # fmt: skip
            ax.add_patch(box)
            if not span.twin:
                self._text(ax, span.x, span.y, span.text, grey.ink, style="italic" if span.implied else "normal")
            if not span.last and span.role != "relation":
                self._text(ax, span.x + span.width + 2, span.y, "›", color, weight="bold")
            if not span.first and span.role != "relation":
                self._text(ax, span.x - 5, span.y, "‹", color, weight="bold")
        relations = [span for span in row if span.role == "relation"]
        for span in row:
            if span.role != "relation" and span.first:
                near = min(relations, key=lambda one: (one.line != span.line, abs(one.middle - span.middle)))
                self._arrow(ax, span, near)

    def _arrow(self, ax, span: _Span, relation: _Span) -> None:
        """Source to relation, or relation to target: along the line above, or from line to line."""
        from matplotlib.patches import FancyArrowPatch
        from matplotlib.path import Path

        half = self.size * 0.62 + 0.6
        out = span.role == "target"
        share = (0.14 if out else 0.34) * (1 if span.middle > relation.middle else -1)
        near = (relation.middle + share * relation.width, relation.y)
        far = (span.middle + 5 * span.twin, span.y)
        (one, two) = (near, far) if out else (far, near)
        bus = max(one[1], two[1]) - half - (7.5 if out else 4.8)
        ends = [y - half if y == max(one[1], two[1]) else y + half for y in (one[1], two[1])]
        step = float(np.clip((two[0] - one[0]) / 2, -3, 3))
        route = [(one[0], ends[0]), (one[0], bus), (one[0], bus), (one[0] + step, bus), (two[0] - step, bus),
                 (two[0], bus), (two[0], bus), (two[0], ends[1])]  # fmt: skip
        path = Path(route, [1, 2, 3, 3, 2, 3, 3, 2])
        color = ROLES[span.role].color
        ax.add_patch(
            FancyArrowPatch(path=path, arrowstyle="-|>,head_length=2.2,head_width=1.2", mutation_scale=1.6 * self.k,
                            color=color, lw=0.8 * self.k, shrinkA=0, shrinkB=0, zorder=1.4, gid=f"arrow {span.role}")
        )  # fmt: skip

    def _key(self, ax) -> None:
        from matplotlib.patches import Rectangle

        x, y = _LEFT, self.height - 8
        implied = any(span.implied for row in self.spans for span in row)
        for name in ["source", "relation", "target"] + ["not in the sentence word for word"] * implied:
            color = ROLES[name].color if name in ROLES else grey.mid
            ax.add_patch(
                Rectangle((x, y - 3.5), 10, 7, fc=tint(color, 0.14) if name in ROLES else "none", ec=color,
                          lw=0.8 * self.k, ls="-" if name in ROLES else (0, (2.5, 1.5)))
            )  # fmt: skip
            self._text(ax, x + 13, y, name, grey.dark, size=6.5)
            x += 13 + width_of(name, 6.5) + 14

    def _text(self, ax, x: float, y: float, text: str, color: str, size: float | None = None, **more: Any) -> None:
        ax.text(
            x,
            y,
            text,
            fontsize=(size or self.size) * self.k,
            color=color,
            va="center_baseline",
            zorder=4,
            parse_math=False,
            **more,
        )
