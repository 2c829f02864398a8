"""A document in many places of a sequence, cut at the headers that name them.

Headers and the lines that say what a stretch is about (its storm and port, its machine) are expressions of the domain
file. Dashes and spaces of every kind are read as the plain ones, character for character, so that spans still count
in the document.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

import pandas as pd

from ..schema import Document
from .domain import Domain

__all__ = ["PROBLEMS", "Block", "plain", "sentences", "split_blocks"]

PROBLEMS = ["document", "place", "problem", "detail"]
_PLAIN = str.maketrans(
    {**dict.fromkeys("‐‑‒–—―−﹣－", "-"), **dict.fromkeys("\u00a0\u2007\u2009\u202f\u3000\t", " "), "’": "'", "‘": "'"}
)


def plain(text: str) -> str:
    """The text with plain dashes, spaces and apostrophes, each character in its place.

    Examples
    --------
    >>> plain("T–48\\u00a0hours")
    'T-48 hours'
    """
    return text.translate(_PLAIN)


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
        `document`, `place`, `problem` ("no header", "no scope", "repeated header", "missing place"), `detail`.

    Examples
    --------
    >>> from hgwork.order import load_domain
    >>> text = "T-48 hours before expected landfall: It rains.\\n36 hours before landfall:\\nIt pours."
    >>> blocks, problems = split_blocks([Document(id="d", text=text)], load_domain("cyclones"))
    >>> [(block.index, block.text.strip()) for block in blocks]
    [(48, 'It rains.'), (36, 'It pours.')]
    """
    blocks, problems = [], []
    for document in documents:
        found = [block for block in _of_document(document, domain) if block.index is not None or block.text.strip()]
        blocks += found
        problems += _problems(document, found, domain)
    return blocks, pd.DataFrame(problems, columns=PROBLEMS)


def _of_document(document: Document, domain: Domain) -> Iterator[Block]:
    text = plain(document.text)
    cuts: list[tuple[int, int, int | None, dict[str, str]]] = [(0, 0, None, {})]
    for header in _expressions(tuple(domain.headers)):
        cuts += [(*m.span(), _index(m, domain), {}) for m in header.finditer(text)]
    for aside in domain.asides:
        cuts += [(*m.span(), aside.index, {}) for m in _expressions((aside.match,))[0].finditer(text)]
    headed = {(start, end) for start, end, index, _ in cuts if index is not None}
    for pattern in _expressions(tuple(domain.scope_patterns)):
        for m in pattern.finditer(text):
            if not any(m.start() < end and start < m.end() for start, end in headed):
                cuts.append((*m.span(), None, _stated(m, domain)))
    scope = {key: str(value) for key, value in document.attributes.items() if key in domain.scope}
    for pattern in _expressions(tuple(domain.scope_patterns)):
        if found := pattern.search(plain(document.title)):
            scope = _stated(found, domain) | scope
    cuts = _without_overlaps(sorted(cuts, key=lambda cut: (cut[0], -cut[1])))
    first, stated = scope, False
    for number, (start, end, index, said) in enumerate(cuts):
        until = cuts[number + 1][0] if number + 1 < len(cuts) else len(text)
        if said:  # the first scope that a text states adds to what is known of the whole document
            scope = (said | first) if not stated else (scope | said)
            stated = True
        group = domain.group.format(**scope) if set(_keys(domain.group)) <= set(scope) else document.id
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


def _keys(text: str) -> list[str]:
    return re.findall(r"\{(\w+)\}", text)


def _index(match: re.Match[str], domain: Domain) -> int:
    unit = match.groupdict().get("unit")
    factor = domain.index.units.get(unit.lower(), 1) if unit else 1
    return round(float(match["index"]) * factor)


@lru_cache(maxsize=64)
def _expressions(patterns: tuple[str, ...]) -> list[re.Pattern[str]]:
    return [re.compile(pattern, re.MULTILINE | re.IGNORECASE) for pattern in patterns]


def _problems(document: Document, blocks: list[Block], domain: Domain) -> list[tuple[str, str, str, str]]:
    placed = [block for block in blocks if block.index is not None]
    if not placed:
        wanted = f"headers such as {domain.label(domain.index.expected[0])!r}" if domain.index.expected else "headers"
        return [(document.id, "", "no header", f"no {wanted} in {len(document.text)} characters; no facts are taken")]
    found = []
    if lost := sorted({key for block in placed for key in _keys(domain.group) if key not in block.scope}):
        found.append(
            (document.id, "", "no scope", f"{', '.join(lost)} not stated; the group is named after the document")
        )
    seen: dict[tuple[str, int], Block] = {}
    for block in placed:
        earlier = seen.setdefault((block.group, block.index), block)  # type: ignore[arg-type]
        if earlier is not block:
            same = "with the same text" if block.text.split() == earlier.text.split() else "with another text"
            found.append((document.id, domain.label(block.index), "repeated header", f"stands again, {same}"))
    for group in dict.fromkeys(block.group for block in placed):
        here = {block.index for block in placed if block.group == group and block.index is not None}
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
