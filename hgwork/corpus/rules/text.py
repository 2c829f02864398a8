"""Prose for the parser: what of a text can hold a statement, in a form that the parser reads well.

Headings, tables and debris are left out; parentheses are taken out and remembered; slashes, degree signs and
formulas are masked by characters the tokeniser does not trip over. `Prose.at` maps every character back to its
place, so labels and evidence are always cut from the text itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from .standins import kinds_of, plain_word, stand_in
from .words import word_set

__all__ = ["Parenthesis", "Prose", "is_english", "prose", "spread"]

MAX_CHARACTERS = 20_000  # of one paragraph: longer ones are read in pieces
_MARKER = re.compile(r"\s*(?:[-*+•‣–—▪●]\s+|\(?\d{1,3}[.)]\s+|>+\s+)")
_FRONT = re.compile(r"\A---[ \t]*\n.*?\n---[ \t]*(?:\n|\Z)", re.S)
_WORD = re.compile(r"[^\W\d_]+")
_END = re.compile(r"[.!?…][\"'”’)\]*_]*\s*$")
_WORD = re.compile(r"[^\W\d_]+")
_MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_PREFIX = "co|re|pre|post|non|anti|multi|pro|semi|micro|nano|bio|electro|sub|ultra|inter|poly"
_INNER = r"\([^()\s\"“'][^()]"
_STARTERS = "The|It|In|This|These|A|An|He|She|They|We|However|At|On|For|By|When|While|After|As|Its|To|Such|If|From|With"
_SPECIAL = re.compile(
    "|".join(
        f"(?P<{name}>{pattern})"
        for name, pattern in {
            "attached": rf"(?:[\w,′'’+–-]{{0,60}}{_INNER}{{0,40}}\)(?=[\w-])|[\w–-]{{1,60}}{_INNER}{{0,60}}\))"
            r"[\w()–+-]*",
            "initials": rf"(?<![\w.°])(?:[A-Z]\. ?){{0,3}}[A-Z]\.(?= (?!(?:{_STARTERS})\b)[A-Z][a-z])",
            "owing": r"\b[Oo]wing to\b",
            "math": r"\$[^$\n]{1,80}\$",
            "cited": r"\s?\[\s*\d+(?:\s*[,;–-]\s*\d+)*\s*\]",
            "parenthesis": r"\s*\((?P<inside>(?:[^()]|\([^()]*\)){0,400})\)",
            "date": rf"(?<![^\W_])(?:{_DAY} {_MONTH}(?:,? \d{{4}})?|{_MONTH} (?:{_DAY}, \d{{4}}|\d{{1,4}}))(?![\w-])",
            "unit": r"(?<=\d )[^\W\d_]{1,3}(?=\.(?:\s+[A-Z]|\s*\Z))",
            "alleged": r"\b[Ss]o-called(?= )",
            "type": r"\b[Tt]ype (?:[A-E]|[IVX]{1,4})\b(?=(?: (?P<typed>[a-z]+))?)",
            "joined": rf"(?<![\w/–])(?i:{_PREFIX})-(?P<rest>[a-z]{{3,}})\b(?!-)",
            "formula": r"(?<![\w/–])(?=\w*[A-Z])(?=[A-Z]?[A-Za-z]{1,2}\d)[A-Za-z\d]{2,12}[+⁺−]?(?![\w-])",
            "word": r"(?<![\w/–])[^\W\d_]{4,}(?![\w/(@–])",
        }.items()
    )
)
_ENGLISH = word_set(
    "the of and to in is are was were by with for from that which as at on this these has have an it be or its"
)
_FOREIGN = word_set(
    "der die das und ist ein eine nicht mit von zu den dem les des est une et le la du dans pour que qui el los "
    "las y en por con una del il di che della het een van de och att som är не и в на"
)


@dataclass(frozen=True)
class Parenthesis:
    """What stood in parentheses: where in the prose it was taken out, its text and its place in the source."""

    at: int
    text: str
    start: int


@dataclass
class Prose:
    """A paragraph for the parser (`text`), its source and the place (start, end) of each character in it (`at`)."""

    source: str
    text: str
    at: list[tuple[int, int]]
    parentheses: list[Parenthesis] = field(default_factory=list)

    def original(self, start: int, end: int) -> str:
        """The source behind ``text[start:end]``, white space made single; parentheses inside are left out."""
        pieces: list[str] = []
        last = None
        for begin, stop in self.at[start:end]:
            if last is not None and begin != last and not (pieces[-1].isspace() or self.source[begin].isspace()):
                pieces.append(" ")
            pieces.append(self.source[begin:stop])
            last = stop
        return " ".join("".join(pieces).split())

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The place of ``text[start:end]`` in the source."""
        return self.at[start][0], self.at[end - 1][1]


def prose(text: str) -> Iterator[Prose]:
    """The paragraphs of a text that may hold sentences, in order.

    Examples
    --------
    >>> [p.text for p in prose("# Results\\n\\n- Cells (n = 3) adhered to the PLA/silk film.\\n")]
    ['Cells adhered to the PLAxsilk film.']
    """
    front = _FRONT.match(text)
    for start, end in _paragraphs(text, front.end() if front else 0):
        if is_english(text[start:end]):
            for a in range(start, end, MAX_CHARACTERS):
                yield _masked(text, a, min(end, a + MAX_CHARACTERS))


def _paragraphs(text: str, begin: int) -> Iterator[tuple[int, int]]:
    """Places of paragraphs: blank lines, headings and list marks end one; short lines without an end mark are none."""
    start, place = None, begin
    fenced = False
    blocks: list[tuple[int, int]] = []
    for line in text[begin:].splitlines(keepends=True):
        bare = line.strip()
        marker = _MARKER.match(line)
        if bare.startswith("```"):
            fenced = not fenced
        breaks = not bare or fenced or bare.startswith(("#", "```", "|", "===", "<!--", "$$"))
        if start is not None and (breaks or marker):
            blocks.append((start, place))
            start = None
        if not breaks and start is None:
            start = place + (marker.end() if marker else 0)
        place += len(line)
    if start is not None:
        blocks.append((start, place))
    for start, end in blocks:
        while end > start and text[end - 1].isspace():
            end -= 1
        if _END.search(text[start:end]) or len(text[start:end].split()) > 5:
            yield start, end


def is_english(text: str) -> bool:
    """Whether a text reads as English prose: Latin letters, and more English than foreign function words.

    Examples
    --------
    >>> is_english("Cells adhere to glass."), is_english("细胞粘附。"), is_english("Die Zellen haften an dem Glas.")
    (True, False, False)
    """
    letters = [c for c in text if c.isalpha()]
    latin = sum(c < "ɐ" or "ʹ" <= c <= "Ͽ" for c in letters)  # and Greek: units, amino acids
    if len(letters) < 0.5 * sum(not c.isspace() for c in text) or latin < 0.8 * len(letters):
        return False
    words = [word.lower() for word in _WORD.findall(text[:5000])]
    english, foreign = sum(w in _ENGLISH for w in words), sum(w in _FOREIGN for w in words)
    return len(words) > 1 and english >= foreign and (english > 0 or len(words) < 8)


def _masked(text: str, start: int, end: int) -> Prose:
    out: list[str] = []
    at: list[tuple[int, int]] = []
    parentheses = []
    place = start

    def copy(until: int) -> None:
        for i in range(place, until):
            if text[i].isspace() and out[-1:] == [" "]:
                continue
            out.append(_mask(text, i, text[i]))
            at.append((i, i + 1))

    for match in _SPECIAL.finditer(text, start, end):
        word = _read_as(match, text, start)
        if word is None:
            continue
        copy(match.start())
        place = match.end()
        if match["parenthesis"]:
            parentheses.append(Parenthesis(len(out), match["inside"].strip(), match.start("inside")))
        out.extend(word)
        at.extend(spread(word, match.start(), match.end()))
    copy(end)
    return Prose(text, "".join(out), at, parentheses)


def _read_as(match: re.Match[str], text: str, start: int) -> str | None:
    """What the parser reads instead of a match: nothing at all for "", the match itself for None."""
    kind, found = match.lastgroup, match.group()
    if kind in ("inside", "parenthesis"):
        return "" if match.start() > start else None
    if kind == "attached":  # "poly(lactic acid)" is one word
        return re.sub(r"[^\w-]", "x", found)
    if kind in ("typed", "type"):
        modifier = match["typed"] and {("noun", ""), ("noun", "s")} & kinds_of(match["typed"])
        return plain_word("adj", "") if modifier else plain_word("noun", "")
    if kind in ("rest", "joined"):
        return stand_in(match["rest"]) or match["rest"]
    if kind == "word":
        before = text[max(start, match.start() - 3) : match.start()].strip()[-1:]
        name = found[0].isupper() and before not in (".", "!", "?", "")
        return stand_in(found) if found[1:].islower() and not name else None
    fixed = {
        "cited": "",
        "date": "1950",
        "unit": "%",
        "alleged": plain_word("adj", ""),
        "initials": "John",
        "owing": "With",
    }
    return fixed.get(str(kind), plain_word("noun", ""))  # formulas, mathematics


def spread(word: str, start: int, stop: int) -> list[tuple[int, int]]:
    """Places for the characters of a word that stands for ``source[start:stop]``; the last holds what is left."""
    if not word:
        return []
    size = min(len(word), stop - start)
    places = [(start + i, start + i + 1) for i in range(size - 1)] + [(start + size - 1, stop)]
    return places + [(stop, stop)] * (len(word) - size)


def _mask(text: str, place: int, character: str) -> str:
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    if character == "°" and after in "CFK":
        return "k"
    if before == "°" and character in "CFK":
        return "m"
    if character in "/–" and before.isalpha() and after.isalpha():
        return "x" if character == "/" or before.islower() or after.islower() else "-"
    if character in "–—−" and after.isdigit() and (before.isdigit() or (before.isspace() and character == "−")):
        return "0"
    if (
        character == " "
        and text[max(place - 2, 0) : place] == "In"
        and re.match(r"(?:situ|vivo|vitro) ", text[place + 1 : place + 7])
    ):
        return "-"
    if character.isupper() and after == "." and re.match(r"[a-z] [A-Z]\.(?:\s|$)", text[max(place - 2, 0) : place + 3]):
        return "1"
    if character in "+⁺" and before.isalnum() and not after.isalnum():
        return "x"
    if character in "·×" and before and not before.isspace():
        return "x"
    if character.isspace():
        return " "
    return {"−": "-", "’": "'", "½": "x"}.get(character, character)
