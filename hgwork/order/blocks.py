"""A document in many places of a sequence, cut at the headers that name them.

Headers and the lines that say what a stretch is about (its storm and port, its machine) are expressions of the domain
file. Dashes, spaces, line ends and letters of every width are read as the plain ones, character for character, so that
spans still count in the document.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from typing import Any

import pandas as pd

from ..schema import Document
from .domain import Domain, fields_of

__all__ = ["LARGEST", "PROBLEMS", "Block", "plain", "sentences", "split_blocks"]

PROBLEMS = ["document", "place", "problem", "detail"]
LARGEST = 2**31  # a place beyond it is a slip of the pen
_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}  # full-width letters, digits and punctuation
_UNSEEN = "\ufeff\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069"
_SPACES = "\t\u00a0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u202f\u205f\u3000"
_READ: dict[Any, Any] = {
    **_WIDE,
    **dict.fromkeys("‐‑‒–—―−﹣－", "-"),
    **dict.fromkeys(_SPACES + _UNSEEN, " "),
    **dict.fromkeys("\v\f\x85\u2028\u2029\r", "\n"),
    "’": "'",
    "‘": "'",
}
_PLAIN = str.maketrans(_READ)


def plain(text: str) -> str:
    """The text with plain dashes, spaces, line ends and apostrophes, each character in its place.

    Marks that show nothing (of byte order, of writing direction) become spaces, full-width letters narrow ones.

    Examples
    --------
    >>> plain("T–48\\u00a0hours：\\r\\n")
    'T-48 hours: \\n'
    """
    return text.replace("\r\n", " \n").translate(_PLAIN)


@dataclass(frozen=True)
class Block:
    """A stretch of a document at one place of the sequence.

    Attributes
    ----------
    document : str
    number : int
        Within the document; the id of the block is ``{document}/{number}``.
    index : int or None
        Horizon or position; None before the first header.
    scope : dict of str to str
    group : str
    start, end : int
        ``document.text[start:end] == text``, the header left out.
    """

    document: str
    number: int
    index: int | None
    scope: dict[str, str] = field(hash=False)
    group: str
    start: int
    end: int
    text: str
    header: str

    @property
    def id(self) -> str:
        return f"{self.document}/{self.number}"


def split_blocks(documents: Iterable[Document], domain: Domain) -> tuple[list[Block], pd.DataFrame]:
    """Cut documents at their headers.

    Parameters
    ----------
    documents : iterable of Document
        `attributes` may give the scope, and lines that the scope patterns match change it from there on, so that a
        document may speak of two storms.
    domain : Domain

    Returns
    -------
    blocks : list of Block
    problems : DataFrame
        `document`, `place`, `problem` ("no header", "unread header", "odd line", "rounded place", "no scope",
        "repeated header", "repeated document", "missing place"), `detail`.

    Examples
    --------
    >>> from hgwork.order import load_domain
    >>> text = "T-48 hours before expected landfall: It rains.\\n36 hours before landfall:\\nIt pours."
    >>> blocks, problems = split_blocks([Document(id="d", text=text)], load_domain("cyclones"))
    >>> [(block.index, block.text.strip()) for block in blocks]
    [(48, 'It rains.'), (36, 'It pours.')]
    """
    blocks, problems = [], []
    seen: set[str] = set()
    for document in documents:
        if document.id in seen:
            again = "a second document of this id is read too; give every document its own id"
            problems.append((document.id, "", "repeated document", again))
        seen.add(document.id)
        cuts, notes = _cuts(document, domain)
        found = [block for block in _between(cuts, document, domain) if block.index is not None or block.text.strip()]
        blocks += found
        problems += notes + _problems(document, found, domain)
    return blocks, pd.DataFrame(problems, columns=PROBLEMS)


def _like_a_label(domain: Domain) -> str:
    """A short line that begins with a label of the domain and is no sentence."""
    label = re.escape(plain(domain.label(7))).replace("7", r"\d+(?!\d)")
    return rf"^[^\w\n]{{0,5}}{label}[^\n]{{0,80}}(?<![.!?])$"


Cut = tuple[int, int, int | None, dict[str, str]]


def _cuts(document: Document, domain: Domain) -> tuple[list[Cut], list[tuple[str, str, str, str]]]:
    """Where headers and lines of the scope stand (start, end, place, scope), and headers that say no place."""
    text, notes = plain(document.text), []
    headed: list[Cut] = []
    for header in _expressions(tuple(domain.headers)):
        for m in header.finditer(text):
            index, problem, detail = _index(m, domain)
            if problem:
                notes.append((document.id, m[0].strip()[:60], problem, detail))
            if index is not None:
                headed.append((*m.span(), index, {}))
    for aside in domain.asides:
        headed += [(*m.span(), aside.index, {}) for m in _expressions((aside.match,))[0].finditer(text)]
    headed.sort(key=lambda cut: (cut[0], -cut[1]))
    starts, ends = [cut[0] for cut in headed], list(accumulate((cut[1] for cut in headed), max))
    scoped: list[Cut] = []
    for pattern in _expressions(tuple(domain.scope_patterns)):
        for m in pattern.finditer(text):
            earlier = bisect_left(starts, m.end())
            if not earlier or ends[earlier - 1] <= m.start():  # a header is no line of the scope
                scoped.append((*m.span(), None, _stated(m, domain)))
    for m in _expressions((_like_a_label(domain),))[0].finditer(text):
        earlier = bisect_left(starts, m.end())
        if not earlier or ends[earlier - 1] <= m.start():
            detail = "begins like a header and is none; what follows stays with the place above"
            notes.append((document.id, document.text[slice(*m.span())].strip(), "odd line", detail))
    first: Cut = (0, 0, None, {})
    return _without_overlaps(sorted([first, *headed, *scoped], key=lambda cut: (cut[0], -cut[1]))), notes


def _between(cuts: list[Cut], document: Document, domain: Domain) -> Iterator[Block]:
    """The stretches that begin at the cuts, each with the scope that holds there."""
    scope = {key: str(value) for key, value in document.attributes.items() if key in domain.scope}
    for pattern in _expressions(tuple(domain.scope_patterns)):
        if found := pattern.search(plain(document.title)):
            scope = _stated(found, domain) | scope
    first, stated, keys = scope, False, set(fields_of(domain.group))
    for number, (start, end, index, said) in enumerate(cuts):
        until = cuts[number + 1][0] if number + 1 < len(cuts) else len(document.text)
        if said:  # the first scope that a text states adds to what is known of the whole document
            scope = (said | first) if not stated else (scope | said)
            stated = True
        group = domain.group.format(**scope) if keys <= set(scope) else document.id
        shown = document.text[start:end].strip()
        yield Block(document.id, number, index, dict(scope), group, end, until, document.text[end:until], shown)


def _stated(match: re.Match[str], domain: Domain) -> dict[str, str]:
    found = {key: " ".join(value.split()) for key, value in match.groupdict().items() if value}
    return {key: value.upper() if domain.scope[key].case == "upper" else value for key, value in found.items()}


def _without_overlaps(cuts):
    kept: list[tuple] = []
    for cut in cuts:
        if not kept or cut[0] >= kept[-1][1]:
            kept.append(cut)
    return kept


def _index(match: re.Match[str], domain: Domain) -> tuple[int | None, str, str]:
    """The place that a header names, and a problem with its detail where there is one."""
    said, unit = match["index"], match.groupdict().get("unit")
    if unit and unit.lower() not in domain.index.units:
        known = ", ".join(domain.index.units) or "none"
        return None, "unread header", f"{unit!r} is no unit of the domain ({known}); its text stays with what is above"
    try:
        value = float(said) * (domain.index.units[unit.lower()] if unit else 1)
    except (TypeError, ValueError):
        return None, "unread header", f"{said!r} is no number; its text stays with what is above"
    if not abs(value) < LARGEST:
        return None, "unread header", f"{said[:20]!r} is no place; its text stays with what is above"
    index = round(value)
    far = abs(value - index) > 0.01 * abs(value)
    rounded = f"{value:g} was read as {index}: places are whole numbers" if far else ""
    return index, "rounded place" if rounded else "", rounded


@lru_cache(maxsize=64)
def _expressions(patterns: tuple[str, ...]) -> list[re.Pattern[str]]:
    return [re.compile(pattern, re.MULTILINE | re.IGNORECASE) for pattern in patterns]


def _problems(document: Document, blocks: list[Block], domain: Domain) -> list[tuple[str, str, str, str]]:
    placed = [block for block in blocks if block.index is not None]
    if not placed:
        wanted = f"headers such as {domain.label(domain.index.expected[0])!r}" if domain.index.expected else "headers"
        return [(document.id, "", "no header", f"no {wanted} in {len(document.text)} characters; no facts are taken")]
    found = []
    if lost := sorted({key for block in placed for key in fields_of(domain.group) if key not in block.scope}):
        found.append(
            (document.id, "", "no scope", f"{', '.join(lost)} not stated; the group is named after the document")
        )
    seen: dict[tuple[str, int], Block] = {}
    for block in placed:
        earlier = seen.setdefault((block.group, block.index), block)  # type: ignore[arg-type]
        if earlier is not block:
            same = "with the same text" if block.text.split() == earlier.text.split() else "with another text"
            found.append((document.id, domain.label(block.index), "repeated header", f"stands again, {same}"))
    places: dict[str, set[int]] = {}
    for block in placed:
        places.setdefault(block.group, set()).add(block.index)  # type: ignore[arg-type]
    for group, here in places.items():
        inside = [i for i in domain.index.expected if min(here) < i < max(here) and i not in here]
        found += [
            (document.id, domain.label(i), "missing place", f"none between its neighbours of {group}") for i in inside
        ]
    return found


def sentences(text: str, domain: Domain) -> list[tuple[int, int]]:
    """Spans of the sentences of a text; lines of a list are sentences, abbreviations of the domain end none."""
    ends = _breaks(tuple(domain.abbreviations))
    spans, start = [], 0
    for match in [*ends.finditer(text), None]:
        end = match.end() if match else len(text)
        piece = text[start:end]
        if piece.strip():
            left = len(piece) - len(piece.lstrip(" \n\r-*•"))
            spans.append((start + left, start + len(piece.rstrip())))
        start = end
    return [(a, b) for a, b in spans if a < b]


@lru_cache(maxsize=16)
def _breaks(abbreviations: tuple[str, ...]) -> re.Pattern[str]:
    behind = "".join(rf"(?<!\b{re.escape(word)})" for word in abbreviations)
    return re.compile(rf"{behind}[.!?][\"'”)\]]*(?=\s|$)|\n[ \t]*\n|\n(?=[ \t]*[-*•])")
