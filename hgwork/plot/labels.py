"""Text of known size: measured in points, wrapped, and cut only where it must be, with a key to what was cut."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["Label", "Shortener", "size_of", "width_of"]

LINE = 1.2  # line height, in font sizes
_SLACK = 1.04  # hinted glyphs on a pixel grid run wider than their outlines
_UP = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_BREAK = re.compile(r"[^\s\-–/]*[\-–/]+|[^\s\-–/]+|\s+")


@lru_cache(maxsize=20_000)
def width_of(text: str, size: float, bold: bool = False, italic: bool = False) -> float:
    """Width of one line in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(
        family="sans-serif", size=size, weight="bold" if bold else "normal", style="italic" if italic else "normal"
    )
    return float(text_to_path.get_text_width_height_descent(text, font, ismath=False)[0]) * _SLACK


class Label(str):
    """Wrapped text with the size it will have."""

    width: float
    height: float


def size_of(lines: list[str], size: float, bold: bool = False, italic: bool = False) -> Label:
    label = Label("\n".join(lines))
    label.width = max((width_of(line, size, bold, italic) for line in lines), default=0.0)
    label.height = len(lines) * size * LINE
    return label


class Shortener:
    """Wraps labels to a width and a number of lines; what does not fit ends in "…" and a number, kept in `key`."""

    def __init__(self, size: float, lines: int, numbered: bool = True):
        self.size, self.lines, self.numbered = size, lines, numbered
        self.key: dict[str, int] = {}

    def __call__(self, text: str, width: float, bold: bool = False, italic: bool = False) -> Label:
        text = " ".join(str(text).split())
        longest = max((width_of(part, self.size, bold, italic) for part in _BREAK.findall(text)), default=0.0)
        width = max(width, min(longest, 1.3 * width)) + 0.1
        fits = lambda part: width_of(part, self.size, bold, italic) <= width  # noqa: E731
        lines = _wrap(text, fits)
        if len(lines) > self.lines:
            number = self.key.setdefault(text, len(self.key) + 1)
            mark = "…" + (str(number).translate(_UP) if self.numbered else "")
            last = "".join(lines[self.lines - 1 :])
            while last and not fits(last + mark):
                last = last[:-1]
            lines = [*lines[: self.lines - 1], last.rstrip() + mark]
        return size_of([line.strip() for line in lines], self.size, bold, italic)


def _wrap(text: str, fits) -> list[str]:
    """Greedy lines, broken at blanks and after hyphens and slashes; inside a word (with a hyphen) only if it must."""
    lines = [""]
    for part in _BREAK.findall(text):
        if fits((lines[-1] + part).rstrip()):
            lines[-1] += part
            continue
        if lines[-1].strip():
            lines.append("")
        part = part.lstrip()
        while part and not fits(part):
            cut = next((i for i in range(len(part) - 1, 0, -1) if fits(part[:i] + "-")), 1)
            lines[-1] = part[:cut] + "-"
            lines.append("")
            part = part[cut:]
        lines[-1] = part
    return [line for line in lines if line.strip()] or [""]
