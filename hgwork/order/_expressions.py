"""Regular expressions that would run for ever on some text, found by their shape.

A repetition of something that may itself be nothing but a repetition, such as ``(x+)+``, splits a run of n characters
in 2ⁿ ways, and a match that fails tries them all. Other slow shapes, such as ``(a|a)+``, are not found.
"""

from __future__ import annotations

import re
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

__all__ = ["endless"]

_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT)


def endless(pattern: str) -> bool:
    """Whether an expression repeats, without limit, what may be a repetition without limit and nothing else.

    Examples
    --------
    >>> endless(r"(x+)+y"), endless(r"(?:\\w+\\s*)*y"), endless(r"(?:\\w+,)*y")
    (True, True, False)
    """
    return _holds(_parser.parse(pattern, re.IGNORECASE))


def _holds(tree: Any) -> bool:
    for code, detail in tree:
        if code in _REPEATS and detail[1] is codes.MAXREPEAT and _only_repeats(detail[2]):
            return True
        if any(_holds(part) for part in _parts(code, detail)):
            return True
    return False


def _only_repeats(tree: Any) -> bool:
    """Whether a tree may match as one repetition without limit, all else in it being empty."""
    items = list(tree)
    needed = [place for place, (code, detail) in enumerate(items) if _least(tree, place) > 0]
    for place, (code, detail) in enumerate(items):
        if set(needed) - {place}:
            continue
        if code in _REPEATS and detail[1] is codes.MAXREPEAT:
            return True
        if any(_only_repeats(part) for part in _parts(code, detail) if code not in _LOOKS):
            return True
    return False


_LOOKS = (codes.ASSERT, codes.ASSERT_NOT)


def _least(tree: Any, place: int) -> int:
    """Fewest characters that one item takes."""
    return tree[place : place + 1].getwidth()[0]


def _parts(code: Any, detail: Any) -> list[Any]:
    if code in _REPEATS:
        return [detail[2]]
    if code is codes.SUBPATTERN:
        return [detail[3]]
    if code is codes.BRANCH:
        return list(detail[1])
    if code in _LOOKS:
        return [detail[1]]
    if code is codes.GROUPREF_EXISTS:
        return [part for part in detail[1:] if part is not None]
    return []
