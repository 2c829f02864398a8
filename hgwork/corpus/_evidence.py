"""Where a quoted sentence stands in a text, however loosely it was quoted."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache

__all__ = ["locate"]

LOOSE, GUESSED = 0.8, 0.5  # confidence in a near quotation, and in the sentence that shares most words
_SHORT = "".join(
    rf"(?<!\b{word})" for word in ("Fig", "Figs", "Eq", "Ref", "al", "vs", "ca", "No", "Dr", r"e\.g", r"i\.e")
)
_BREAK = re.compile(rf"{_SHORT}[.!?][\"'”’)\]]*(\s+)(?=[\"'“‘(\[]*[A-Z0-9Α-Ω])|(\n\s*\n)")
_WORD = re.compile(r"\w+")


def locate(quote: str, names: Iterable[str], text: str) -> tuple[int, int, float] | None:
    """The sentences of a text that a quotation comes from: (start, end, confidence).

    A quotation that stands in the text but for white space and case counts 1.0, a near one (similarity of at least
    0.8 to a sentence) 0.8, and otherwise the sentence that shares most words with the quotation and the names 0.5.
    None where no sentence shares half of the words of the names.

    Examples
    --------
    >>> text = "It rains. The guild casts bells of brass."
    >>> locate("the guild  casts bells", [], text)
    (10, 41, 1.0)
    >>> locate("", ["guild", "bells"], text)
    (10, 41, 0.5)
    """
    names = list(names)
    pattern = r"\s+".join(map(re.escape, quote.split()))
    found = [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)] if pattern else []
    if found:  # of several places the one whose sentence holds most names
        spans = [_widened(start, end, text) for start, end in found]
        return (*max(spans, key=lambda span: _held(names, text[slice(*span)])), 1.0)
    wanted, named = _words(f"{quote} {' '.join(names)}"), _words(" ".join(names))
    best = max(_sentences(text), key=lambda span: len(wanted & _words(text[slice(*span)])), default=None)
    if best is None:
        return None
    sentence = text[slice(*best)]
    if SequenceMatcher(None, quote.casefold(), sentence.casefold(), autojunk=False).ratio() >= 0.8:
        return (*best, LOOSE)
    shared = named & _words(sentence)
    return (*best, GUESSED) if shared and 2 * len(shared) >= len(named) else None


def _widened(start: int, end: int, text: str) -> tuple[int, int]:
    touched = [span for span in _sentences(text) if span[0] < end and span[1] > start]
    return min(start, touched[0][0]), max(end, touched[-1][1])


def _held(names: list[str], sentence: str) -> int:
    return sum(name.casefold() in sentence.casefold() for name in names)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


@lru_cache(maxsize=16)
def _sentences(text: str) -> tuple[tuple[int, int], ...]:
    gaps = [match.span(match.lastindex or 0) for match in _BREAK.finditer(text)]
    starts, ends = [0] + [end for _, end in gaps], [start for start, _ in gaps] + [len(text)]
    spans = []
    for start, end in zip(starts, ends, strict=True):
        piece = text[start:end]
        if piece.strip():
            spans.append((start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())))
    return tuple(spans)
