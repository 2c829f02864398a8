"""Plain words that stand in for rare ones while the parser reads.

The small parser guesses badly at words it has never seen ("albumin" an adjective, "linkages" a verb). Where its own
word lists leave no doubt about the part of speech, a rare word is read as a common word of the same kind; labels and
relations are cut from the source afterwards, so nothing of this shows.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ...models.parser import lexicon

__all__ = ["OTHER_NOUN", "kinds_of", "plain_word", "stand_in"]

_NOUN, _VERB, _ADJECTIVE = "machine", "affect", "strong"
OTHER_NOUN = "protein"  # as long as _NOUN
_PREFIX = re.compile(
    r"^(?:nano|micro|macro|bio|poly|cyto|osteo|photo|electro|thermo|hydro|immuno|neuro|cryo|electr|hemi|haemo|hemo|geo|auto|"
    r"anti|multi|tri|bi|di|mono|oligo|phospho|glyco|lipo|proteo|chondro|fibro|myo|angio|keratino|co|pre|post|non|sub|super|inter|"
    r"intra|extra|trans|over|under|re|un|de)-?"
)
_NOUN_END = re.compile(
    r"(?:ide|ine|ane|ene|ose|ase|ium|[aeiou]ol|gen|tin|san|sin|min|lin|rin|cyte|blast|ite|ome|some|ysis|[iy]sation|[iy]zation|"
    r"ication|ment|ness|[aiou]ity|ism|logy|graphy|metry|meter|particle|tube|gel|ester|mer|amide|oma|itis|ysin|onate|"
    r"phyte|zoa|crystal|fiber|sphere)s?$"
)
_ADJ_END = re.compile(
    r"(?:[^s]ous|[aeit]ic|ical|[aeiou]tive|ible|able|oidal|[rn]al|aceous|iform|philic|phobic|genic|escent|ular)$"
)


@lru_cache(maxsize=200_000)
def stand_in(word: str) -> str | None:
    """A common word to read instead of `word`, or None where `word` is known or open to doubt.

    Examples
    --------
    >>> stand_in("hydroxide"), stand_in("fibroblasts"), stand_in("stabilises"), stand_in("water")
    ('machine', 'machines', 'stabilizes', None)
    """
    lower = word.lower()
    known, _ = lexicon()
    if len(lower) < 4 or lower in known:
        return None
    kinds = kinds_of(lower)
    american = _american(lower)
    if american != lower:
        if american in known:
            return _cased(american, word)
        kinds = kinds or kinds_of(american)
    if not kinds:
        stem = _PREFIX.sub("", lower)
        kinds = kinds_of(stem) if stem != lower and len(stem) > 3 else frozenset()
    if not kinds:
        kinds = (
            frozenset({("noun", "s" if lower.endswith("s") and not lower.endswith("ss") else "")})
            if _NOUN_END.search(lower)
            else kinds
        )
        kinds = frozenset({("adj", "")}) if _ADJ_END.search(lower) else kinds
    parts = {kind for kind, _ in kinds}
    if len(parts) != 1:
        return None
    kind, ending = min(kinds)
    if kind == "verb" and ending in ("ed", "ing"):
        return None  # plain enough by their ending
    base = {"noun": _NOUN, "verb": _VERB, "adj": _ADJECTIVE}[kind]
    return _cased(base + (ending if kind != "adj" else ""), word)


def _american(word: str) -> str:
    word = re.sub(r"([a-z]{3})is(e|es|ed|er|ers|ing|ation|ations)$", r"\1iz\2", word)
    word = re.sub(r"([a-z]{3})ys(e|es|ed|er|ers|ing)$", r"\1yz\2", word)
    word = re.sub(r"(fib|cent|lit|met|theat)re(s?)$", r"\1er\2", word)
    return re.sub(r"([a-z]{2})our(s|ed|ing|al)?$", r"\1or\2", word).replace("sulph", "sulf")


@lru_cache(maxsize=200_000)
def kinds_of(word: str) -> frozenset[tuple[str, str]]:
    """(part of speech, ending) that the lemma lists allow."""
    _, lemmas = lexicon()
    found = {(kind, "") for kind in ("noun", "verb", "adj") if word in lemmas[kind]}
    for ending, stems in (
        (
            "s",
            [
                word[:-1],
                *([word[:-2]] if word.endswith("es") else []),
                *([word[:-3] + "y"] if word.endswith("ies") else []),
            ],
        ),
        ("ed", [word[:-2], word[:-1]]),
        ("ing", [word[:-3], word[:-3] + "e"]),
    ):
        if word.endswith(ending) and not word.endswith("ss"):
            for kind in ("noun", "verb") if ending == "s" else ("verb",):
                found |= {(kind, ending) for stem in stems if stem in lemmas[kind]}
    return frozenset(found)


def plain_word(kind: str, ending: str) -> str:
    """The common word of a kind: "noun", "verb", "adj" or "past", a verb that is no participle."""
    return {"noun": _NOUN, "verb": _VERB, "adj": _ADJECTIVE, "past": "took"}[kind] + ending


def _cased(text: str, like: str) -> str:
    return text.capitalize() if like[0].isupper() else text
