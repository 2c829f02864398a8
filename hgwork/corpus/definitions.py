"""Abbreviations that a text defines: "polycaprolactone (PCL)", "NMR (nuclear magnetic resonance)".

The letters of the short form are looked for in the words before the parenthesis, from right to left; the first must
begin a word [1]_. Names of chemicals are full of parentheses of their own, "poly(lactic acid) (PLA)": a parenthesis
that touches the letter before it belongs to the name.

References
----------
.. [1] Schwartz & Hearst, A simple algorithm for identifying abbreviation definitions in biomedical text, Pacific
   Symposium on Biocomputing 8, 451-462 (2003).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

import pandas as pd

from ._names import GREEK, read_name, spelling_key, stem

__all__ = ["Definitions", "abbreviates", "find_definitions"]

_REFERENCE = re.compile(
    r"(figs?|figure|tab|table|eqs?|refs?|sec|section|see|cf|vs|e\.?g|i\.?e)\b|.*(et al|\b\d{4}[a-z]?$)", re.IGNORECASE
)
_LOCANT = re.compile(r"(?:(?:[\d,'′]+|[NOSRDLEZn]|[α-ω]|tert|sec|iso|cis|trans|\([\w,]+\))-)+$")
_SENTENCE_END = re.compile(r"(?<![ .]\w)[.!?;:]\s+(?=[^a-z])")
_COLUMNS = ["short", "long", "start", "end"]


def find_definitions(text: str) -> pd.DataFrame:
    """Short and long forms that a text defines, in order of appearance.

    Parameters
    ----------
    text : str

    Returns
    -------
    DataFrame
        `short`, `long` as written; `start`, `end`: the characters of the whole definition,
        ``text[start:end] == "long (short)"`` or ``"short (long)"``.

    Notes
    -----
    A short form has 2 to 10 characters in one or two words and at least two capitals or digits (or is two letters,
    "Ti"); the long form has at most min(n + 5, 2n) words for n characters and does not cross a sentence. A plural s
    ("MSCs") need not stand in the long form. Citations, values ("(5 kPa)", "(n = 3)") and references ("(Fig. 2)")
    are no short forms.

    Examples
    --------
    >>> found = find_definitions("Poly(lactic acid) (PLA) and HAp (hydroxyapatite) were mixed (Fig. 2).")
    >>> found[["short", "long"]].values.tolist()
    [['PLA', 'Poly(lactic acid)'], ['HAp', 'hydroxyapatite']]
    """
    rows = []
    for opening, closing in _parentheses(text):
        inside = re.split(r"[,;]\s", text[opening + 1 : closing])[0].strip()
        start = max(0, opening - 400)
        start = max((m.end() for m in _SENTENCE_END.finditer(text, start, opening)), default=start)
        before = text[start:opening].rstrip()
        if _is_short(inside):
            place = _long_form(inside, before)
            if place is not None:
                rows.append((inside, before[place:], start + place, closing + 1))
                continue
        word = re.search(r"[^\s(),;]+$", before)
        if word and opening and text[opening - 1].isspace() and _is_short(word[0]) and abbreviates(word[0], inside):
            rows.append((word[0], inside, start + word.start(), closing + 1))
    return pd.DataFrame(rows, columns=_COLUMNS).astype({"start": int, "end": int})


def abbreviates(short: str, long: str) -> bool:
    """Whether the whole of a long form can be read as what a short form stands for.

    Examples
    --------
    >>> abbreviates("PCL", "posterior cruciate ligament"), abbreviates("PCL", "the polycaprolactone")
    (True, False)
    """
    return _long_form(short, long) == 0


class Definitions:
    """The definitions of a corpus, as evidence about names: a short form with one meaning can be written out.

    Parameters
    ----------
    found : DataFrame
        Rows of `find_definitions`, of one text or many; columns `short` and `long`.

    Attributes
    ----------
    table : DataFrame
        `short`, `long` (the commonest spelling), `count`, `ambiguous`: whether the short form has another long form
        in the corpus too. Long forms that differ in spelling, case, plural or parentheses only are one.

    Examples
    --------
    >>> known = Definitions(find_definitions("We spun polycaprolactone (PCL). Hydroxyapatite (HA) was added."))
    >>> known.expand("PCL/HA scaffolds")
    'polycaprolactone/Hydroxyapatite scaffolds'
    >>> known.clash("HA", "hyaluronic acid")
    'other definition'
    """

    def __init__(self, found: pd.DataFrame):
        rows = found[["short", "long"]].astype(str)
        rows = rows.assign(key=rows["short"].map(_short_key), meaning=rows["long"].map(spelling_key))
        spelled = rows.groupby(["key", "meaning", "long", "short"]).size().reset_index(name="count")
        spelled = spelled.sort_values(["key", "meaning", "count"], ascending=[True, True, False], kind="stable")
        table = spelled.drop_duplicates(["key", "meaning"]).reset_index(drop=True)
        table["count"] = spelled.groupby(["key", "meaning"])["count"].sum().to_numpy()
        table["ambiguous"] = table.duplicated("key", keep=False)
        self.table = table[["short", "long", "count", "ambiguous"]]
        self._meanings: dict[str, list[str]] = {str(key): list(part) for key, part in table.groupby("key")["long"]}
        self._written: dict[str, str] = {}

    def meanings(self, short: str) -> list[str]:
        """The long forms of a short form; a plural s makes no difference."""
        return self._meanings.get(_short_key(short), [])

    def expand(self, name: str) -> str:
        """A name with its unambiguous short forms written out, and a definition inside it reduced to the long form."""
        if name not in self._written:
            self._written[name] = self._write_out(name)
        return self._written[name]

    def _write_out(self, name: str) -> str:
        if "(" in name:
            for short, long in find_definitions(name)[["short", "long"]].itertuples(index=False):
                name = re.sub(rf"(?<={re.escape(long)})\s*\(\s*{re.escape(short)}\s*\)", "", name)
        if not self._meanings:
            return name
        name = re.sub(r"[^\s/]+", lambda m: self._expanded(m[0]), name)
        part = r"(?<![\w-])[^\s/\-–]+(?=[-–])|(?<=[-–])[^\s/\-–]+(?![\w-])"  # "PCL" of "PCL-based"
        return re.sub(part, lambda m: self._expanded(m[0]), name)

    def _expanded(self, word: str) -> str:
        known = self.meanings(word)
        return known[0] if len(known) == 1 else word

    def clash(self, a: str, b: str) -> str | None:
        """Why a short form may not be merged with a long form that fits its letters, or None."""
        for short, long in ((a, b), (b, a)):
            known = {spelling_key(meaning) for meaning in self.meanings(short)}
            if not known or not (spelling_key(long) in known or abbreviates(short, long)):
                continue
            if len(known) > 1:
                return "ambiguous abbreviation"
            if spelling_key(long) not in known and spelling_key(long) != spelling_key(short):
                return "other definition"
        return None


def _short_key(short: str) -> str:
    return stem(unicodedata.normalize("NFKC", short))


def _parentheses(text: str) -> Iterator[tuple[int, int]]:
    """Balanced parentheses; one that touches what stands before it only if an abbreviation fills it."""
    stack: list[int] = []
    for match in re.finditer(r"[()]|\n\s*\n", text):
        if match[0] == "(":
            stack.append(match.start())
        elif match[0] != ")":
            stack.clear()
        elif stack:
            opening = stack.pop()
            glued = opening > 0 and not text[opening - 1].isspace()
            if not glued or _is_short(text[opening + 1 : match.start()]):
                yield opening, match.start()


def _is_short(text: str) -> bool:
    if not (2 <= len(text) <= 10 and len(text.split()) <= 2 and text[0].isalnum()) or _REFERENCE.match(text):
        return False
    capitals, digits = sum(c.isupper() for c in text), sum(c.isdigit() for c in text)
    if re.search(r"[=<>≤≥±%~/]", text) or re.fullmatch(r"[IVX]+", text):
        return False
    if digits and any(unit for _, unit in read_name(text).quantities):  # a value
        return False
    return capitals > 1 or bool(capitals and digits) or (len(text) == 2 and text.istitle())


def _long_form(short: str, before: str) -> int | None:
    """Where in `before` the long form begins that ends with it."""
    words = list(re.finditer(r"\S+", before))
    most = min(len(short) + 5, 2 * len(short))
    if not words:
        return None
    first = words[max(0, len(words) - most)].start()
    variants = [short, short[:-1]] if re.search(r"[A-Z\d]s$", short) else [short]
    place = next((p for p in (_align(v, before, first) for v in variants) if p is not None), None)
    if place is None:
        return None
    locant = _LOCANT.search(before, first, place)
    place = locant.start() if locant else place
    long = before[place:]
    depths = [0]
    for c in long:
        depths.append(depths[-1] + (c == "(") - (c == ")"))
    balanced = min(depths) == 0 == depths[-1]
    holds = re.search(rf"(?<!\w){re.escape(short)}(?!\w)", long)
    return place if balanced and not holds and len(long) > len(short) and not _is_short(long) else None


def _align(short: str, text: str, first: int) -> int | None:
    """Match the letters of the short form from right to left; the first must begin a word."""
    letters = [c for c in unicodedata.normalize("NFKC", short) if c.isalnum()]
    place = len(text)
    for n in range(len(letters) - 1, -1, -1):
        place -= 1
        while place >= first and not (
            _readings(letters[n]) & _readings(text[place]) and (n or place == 0 or not text[place - 1].isalnum())
        ):
            place -= 1
        if place < first:
            return None
    return place


def _readings(character: str) -> set[str]:
    plain = unicodedata.normalize("NFKC", character).casefold()[:1]
    return {plain, GREEK[plain][0]} if plain in GREEK else {plain}
