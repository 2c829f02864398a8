"""Words as they are compared: case, width, accents, Greek letters and plurals folded; what is shown is as written."""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import lru_cache

__all__ = ["GENERIC", "STOP", "content", "folded", "located", "names_something", "terms", "tokens"]

_split = str.split

STOP = frozenset(
    _split("""
    a about above after again against all along also although am among an and any are around as at be because been
    before being below between both but by can could did do does doing down during each either few for from further
    had has have having he her here hers him his how i if in into is it its itself just may me might more most much
    must my no nor not of off on once only onto or other our out over own per same shall she should since so some such
    than that the their them then there these they this those though through thus to together too toward towards under
    until up upon us versus very via was we were what when where whereas whether which while who whom whose why will
    with within without would you your
    """)
)
"""Words that join others and name nothing."""

GENERIC = frozenset(
    _split("""
    affect answer aspect behavior behaviour bridge case cause change chain compare comparison concept connect
    connected connection consequence context contribution describe difference discuss document effect evidence example
    explain explanation factor find finding give hypothesis idea impact improve increase influence interaction interplay
    kind lead link linked list literature make manner mean mechanism method outcome paper part path pathway people
    propose question reason relate related relation relationship result role show similarity sort statement study
    suggest summary tell thing topic type use usage used way work
    """)
)
"""Words of questions: what is asked, not what it is asked about."""

# scripts without blanks: Thai, Lao, Burmese, Khmer, kana, Han; and Hangul, whose particles join its words
_JOINED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_GREEK = dict(
    zip(
        "αβγδεζηθικλμνξοπρσςτυφχψω",
        _split(
            "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma tau "
            "upsilon phi chi psi omega"
        ),
        strict=True,
    )
)


def tokens(text: str) -> list[str]:
    """The words of a text, folded.

    A character of a script that is written without blanks is a word of its own; a single Greek letter is its name.

    Examples
    --------
    >>> tokens("Fescue grasses, PCL-based fibres, β-TCP, TiO₂, 材料")
    ['fescue', 'grass', 'pcl', 'based', 'fibre', 'beta', 'tcp', 'tio2', '材', '料']
    """
    return list(map(_word, (_ASCII if text.isascii() else _pattern()).findall(text)))


def located(text: str) -> list[tuple[str, int, int]]:
    """Folded words with their places: word, start and end in the text.

    Examples
    --------
    >>> located("MSCs on silk")
    [('msc', 0, 4), ('on', 5, 7), ('silk', 8, 12)]
    """
    pattern = _ASCII if text.isascii() else _pattern()
    return [(_word(match[0]), *match.span()) for match in pattern.finditer(text)]


def content(words: list[str]) -> list[str]:
    """Words without stop words; all of them where nothing else would be left.

    Examples
    --------
    >>> content(["bag", "of", "words"]), content(["the"])
    (['bag', 'words'], ['the'])
    """
    return words if STOP.isdisjoint(words) else [word for word in words if word not in STOP] or words


def terms(text: str) -> list[str]:
    """What passages are ranked by: words without stop words and, where blanks part no words, neighbouring characters
    as pairs too.

    Examples
    --------
    >>> terms("The 生物 silks")
    ['生', '物', '生物', 'silk']
    """
    if text.isascii():
        return [word for word in tokens(text) if word not in STOP]
    found: list[str] = []
    before, end = "", -1
    for word, start, stop in located(text):
        if word in STOP:
            continue
        found.append(word)
        joined = re.fullmatch(f"[{_JOINED}]", text[start:stop]) is not None
        if joined and start == end:
            found.append(before + word)
        before, end = (word, stop) if joined else ("", -1)
    return found


def names_something(words: list[str]) -> bool:
    """Whether a word is left besides stop words, words of questions and bare numbers."""
    return any(not (word in STOP or word in GENERIC or word.isdigit()) for word in words)


def folded(text: str) -> str:
    """A text with only its case, its compatibility forms and its blanks folded.

    Examples
    --------
    >>> folded("  Silk   FIBROIN "), folded("TiO₂")
    ('silk fibroin', 'tio2')
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(text.lower().split())


_ASCII = re.compile(r"\d+(?:[.,]\d+)+(?![A-Za-z0-9])|[A-Za-z0-9]+(?:'[A-Za-z0-9]+)?")  # five times as fast


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    marks = "".join(
        c for c in map(chr, range(0x300, min(sys.maxunicode, 0x20000))) if unicodedata.category(c)[0] == "M"
    )
    letter = f"[^\\W_{_JOINED}α-ωΑ-Ω]"
    return re.compile(
        rf"\d+(?:[.,]\d+)+(?!{letter})|[α-ωΑ-Ωά-ώ]+|[{_JOINED}]|{letter}(?:{letter}|[{marks}])*(?:['’]{letter}+)?"
    )


@lru_cache(maxsize=1 << 18)
def _word(written: str) -> str:
    """One word folded."""
    word = written.lower()
    if not word.isascii():
        word = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", written).casefold())
        bare = "".join(c for c in unicodedata.normalize("NFD", word) if not "\u0300" <= c <= "\u036f")
        word = _GREEK.get(bare, unicodedata.normalize("NFC", bare))
    return word if written.isupper() else _singular(word)


def _singular(word: str) -> str:
    """Regular English plurals; words of four letters and more, so that "gas" and "bias" stay."""
    word = word.removesuffix("'s").removesuffix("’s")
    if len(word) < 4 or word[-1] != "s" or word.endswith(("ss", "us", "is", "ias")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("sses", "shes", "ches", "xes", "zzes")) else word[:-1]
