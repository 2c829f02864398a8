"""Numbers of a text with their units, so that "35 percent in four weeks" meets "35% … in 28 days"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..corpus._names import Token, stem, unit_of
from ._words import listed

__all__ = ["Quantity", "quantities", "without_pointers"]

_SMALL = listed("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen")
_WORDS = {word: float(n) for n, word in enumerate(_SMALL)}
_WORDS |= dict(
    zip(
        listed("seventeen eighteen nineteen twenty thirty forty fifty sixty"),
        (17, 18, 19, 20, 30, 40, 50, 60),
        strict=True,
    )
)
_WORDS |= {"seventy": 70.0, "eighty": 80.0, "ninety": 90.0, "hundred": 100.0, "dozen": 12.0, "thousand": 1e3}
_FOLDS: dict[str, float] = {
    "double": 2,
    "doubles": 2,
    "doubled": 2,
    "doubling": 2,
    "twice": 2,
    "triple": 3,
    "triples": 3,
    "tripled": 3,
}
_FOLDS |= {"thrice": 3, "quadruple": 4, "quadrupled": 4, "quadruples": 4, "halve": 0.5, "halves": 0.5, "halved": 0.5}
_SECONDS = {"s": 1, "min": 60, "h": 3600, "d": 86400, "wk": 604800, "mo": 2629800, "yr": 31557600}
_ABOUT = "statements? steps? paths? documents? figures? tables? sources? links? hyperedges? nodes? concepts? claims?"
_POINTER = re.compile(
    rf"\b({_ABOUT.replace(' ', '|')})\s+#?\d+(?:\s*(?:[-–,]|and|to)\s*\d+)*\b"
    rf"|\b(?:{'|'.join(_SMALL)})\s+({_ABOUT.replace(' ', '|')})\b",
    re.IGNORECASE,
)
_NUMBER = r"(?:\d{1,3}(?:[,\u202f\u00a0]\d{3})+|\d{1,3}(?: \d{3})+(?![\d.])|\d+)(?:\.\d+)?"
_WORD = "|".join(sorted([*_WORDS, *_FOLDS], key=len, reverse=True))
_FOUND = re.compile(
    rf"(?<![\w.])(?P<fold>(?:{_NUMBER}|{_WORD})[- ]?(?:fold|times)\b|(?:by )?a factor of (?:{_NUMBER}|{_WORD})\b)"
    rf"|(?<![\w.])(?<![^\W\d][-–])(?P<sign>(?<![\w.%°)])[-−–])?(?P<number>{_NUMBER})(?![\w]*[+]|\w*-?\w*\d)"
    rf"|\b(?P<word>{_WORD})\b",
    re.IGNORECASE,
)
_UNIT = re.compile(r"\s*-?((?:wt|vol|mol)\s?%|%|°\s?[CFK]?|[µμ]?[^\W\d_]+(?:\s*(?:/|\bper\b)\s*[µμ]?[^\W\d_]+)?)")
_UNCOUNTED = re.compile(
    r"\b(the|these|those|all|both|no|any|each|every|that|this|at least|only|as|either)\s+$", re.IGNORECASE
)


@dataclass(frozen=True)
class Quantity:
    """A number with its unit; `value` is in the base unit, `kind` names it ("" for a bare number)."""

    value: float
    kind: str
    text: str
    start: int
    end: int

    def meets(self, other: Quantity) -> bool:
        """Whether two say the same; a bare number in the claim meets any unit of the evidence."""
        if self.kind and self.kind != other.kind:
            return False
        return abs(self.value - other.value) <= 1e-6 * max(abs(self.value), abs(other.value))


def quantities(text: str) -> list[Quantity]:
    """The quantities of a text, in order; digits inside names (TGF-β1, Ce3+) are no quantities.

    Examples
    --------
    >>> [(q.value, q.kind) for q in quantities("IL-10 lost 1,250 % within four weeks at 0.8 to 2.4 MPa")]
    [(1250.0, '%'), (2419200.0, 's'), (800000.0, 'Pa'), (2400000.0, 'Pa')]
    """
    text = without_pointers(text)
    raw = [(found, *_value(found)) for found in _FOUND.finditer(text)]
    units = [_unit(text, found.end()) if kind is None else (1.0, kind, found.end()) for found, _, kind in raw]
    out: list[Quantity] = []
    for place, (found, value, _) in enumerate(raw):
        factor, unit, end = units[place]
        if not unit and place + 1 < len(raw):  # "150–200 µm", "0.8 to 2.4 MPa": the unit stands once
            between = text[found.end() : raw[place + 1][0].start()]
            if re.fullmatch(r"\s*(?:[-–−]|to|and|or|:|,)\s*", between):
                factor, unit, _ = units[place + 1]
        if found["word"] and not _counts(text, found, unit):
            continue
        out.append(Quantity(value * factor, unit, text[found.start() : end].strip(), found.start(), end))
    return out


def without_pointers(text: str) -> str:
    """A text with "statement 7" and "two documents" blanked: they are about the evidence, not in it."""
    return _POINTER.sub(lambda found: " " * len(found[0]), text)


def _value(found: re.Match[str]) -> tuple[float, str | None]:
    if found["fold"]:
        bare = re.sub(r"(?i)(by )?a factor of |[- ]?(fold|times)$", "", found["fold"])
        return _number(bare), "fold"
    if found["word"]:
        word = found["word"].lower()
        return (_FOLDS[word], "fold") if word in _FOLDS else (_WORDS[word], None)
    value = _number(found["number"])
    return (-value if found["sign"] else value), None


def _number(text: str) -> float:
    word = text.lower()
    known = {**_WORDS, **_FOLDS}
    return float(known[word] if word in known else re.sub(r"[^\d.]", "", text))


def _counts(text: str, found: re.Match[str], unit: str) -> bool:
    """Whether a number word counts something: "the two" and "one of them" do not."""
    if found["word"].lower() in _FOLDS or unit:
        return True
    return found["word"].lower() != "one" and not _UNCOUNTED.search(text[: found.start()])


def _unit(text: str, place: int) -> tuple[float, str, int]:
    """(factor to the base unit, base unit, where the unit ends) of what stands at a place."""
    if cent := re.match(r"\s*per\s?cent\b", text[place:], re.IGNORECASE):
        return 1.0, "%", place + cent.end()
    found = _UNIT.match(text, place)
    if not found:
        return 1.0, "", place
    written = re.sub(r"\s*\bper\b\s*|\s*/\s*", "/", found[1].replace("µ", "μ"))
    if written.startswith("°"):
        return 1.0, written.replace(" ", ""), found.end()
    parts = [_base(part) for part in written.split("/")]
    if parts[0] is None:
        return 1.0, "", place
    factor, kind = parts[0]
    if len(parts) == 1 or parts[1] is None:
        return factor, kind, place + len(re.split(r"/|\bper\b", found[0])[0])
    return factor / parts[1][0], f"{kind}/{parts[1][1]}", found.end()


def _base(unit: str) -> tuple[float, str] | None:
    word = unit.lower()
    if word in ("percent", "percentage"):
        return 1.0, "%"
    if word in ("degree", "degrees"):
        return 1.0, "°C"
    if unit.replace(" ", "") in ("wt%", "vol%", "mol%"):
        return 1.0, "%"
    known = unit_of(Token(unit, stem(unit), "word" if unit.isalpha() else "unit"))
    if known is None or unit in ("a", "A", "in"):
        return None
    power, base = known
    return (_SECONDS[base] * 10.0**power, "s") if base in _SECONDS else (10.0**power, base)
