"""Words as the citation checker compares them: without inflection, derivation, national spelling and abbreviation."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ..corpus._names import fold, stem
from ..corpus.definitions import find_definitions

__all__ = ["GENERIC", "Abbreviations", "listed", "root", "roots_of", "same_word", "words_of"]


def listed(text: str) -> list[str]:
    """A list of words written as one text."""
    return text.split()


# Nouns that speak of the evidence, of quantity, or of being, and name nothing that a source would have to state.
GENERIC = frozenset(
    listed(
        "ability absence account addition agreement amount analysis answer aspect basis behaviour behavior "
        "bridge capability capacity case cause chain change characteristic choice claim class combination "
        "comparison component concept condition connection consequence context contrast contribution course "
        "data degree dependence detail difference direction document effect end evidence example experiment "
        "extent fact factor feature finding form fraction function group half hand hypothesis idea impact "
        "implication importance increase decrease indication influence information instance interaction "
        "interval item kind lack level limit limitation link list material mean means mechanism member method "
        "middle mode need node number object observation one option order origin outcome overview pair part "
        "passage path pathway percentage period phenomenon place point possibility potential presence problem "
        "procedure process product property proportion purpose question range rate ratio reason relation "
        "relationship report requirement response result rise role route sample section sense sentence series "
        "set share side situation source stage start state statement step study subject substance sum summary "
        "support system target term run test thing time total type unit use usage value variety way whole work "
        "year"
    )
)
# Short names of substances that nobody defines in a text.
_COMMON = {
    "NaOH": "sodium hydroxide", "NaCl": "sodium chloride", "HCl": "hydrochloric acid", "ZnO": "zinc oxide",
    "CeO2": "cerium oxide", "TiO2": "titanium dioxide", "SiO2": "silica", "Al2O3": "alumina", "Fe3O4": "magnetite",
    "MgO": "magnesium oxide", "CaCl2": "calcium chloride", "CaCO3": "calcium carbonate", "H2O": "water",
    "H2O2": "hydrogen peroxide", "CO2": "carbon dioxide", "O2": "oxygen", "N2": "nitrogen", "H2": "hydrogen",
    "ROS": "reactive oxygen species", "UV": "ultraviolet", "DNA": "deoxyribonucleic acid",
    "PBS": "phosphate-buffered saline",
}  # fmt: skip
_ENDINGS = sorted(
    listed(
        "s es ed ing ings ion ions ation ations ition itions ization izations ive ative er ers or ors ment "
        "ments al ally ity ability ibility able ible ness y ies ied ly ance ances ence ences ancy ency ous ic "
        "ically ical ize izes ized izing izer ify ifies ified ification e en ens ened ening ful less ant "
        "ent ical"
    ),
    key=len,
    reverse=True,
)
# Latin roots whose form changes with the ending, and pairs that no ending joins.
_ALTERNATIONS = [
    (re.compile(r"hes(?=i|$)"), "her"),  # adhesion: adhere
    (re.compile(r"rpt(?=i|$)"), "rb"),  # absorption: absorb
    (re.compile(r"(?<=[aeiou])cept(?=i|$)"), "ceiv"),
    (re.compile(r"duct(?=i|$)"), "duc"),  # production: produce
    (re.compile(r"(?<=.)mis(s)?(?=i|$)"), "mit"),
    (re.compile(r"ros(?=i|$)"), "rod"),  # erosion: erode
    (re.compile(r"us(?=ion)"), "ud"),
]
_PAIRS = dict(
    pair.split(":")
    for pair in listed(
        "strength:strong strengthen:strong strengthened:strong length:long lengthen:long height:high "
        "depth:deep width:wide growth:grow grown:grow grew:grow loss:lose lost:lose solubility:solut "
        "soluble:solut solution:solut dissolve:solut dissolved:solut dissolution:solut insoluble:solut "
        "spun:spin spinning:spin bound:bind built:build fell:fall fallen:fall rose:rise risen:rise "
        "raised:raise made:make broke:break broken:break kept:keep held:hold led:lead found:find given:give "
        "gave:give taken:take took:take torn:tear tore:tear shut:close closure:close removal:remove "
        "survival:survive stiffness:stiff toxicity:toxic porosity:porous pore:porous affect:effect "
        "affected:effect affects:effect weight:weigh"
    )
)
_TOKEN = re.compile(r"[^\W_]+(?:[-–'’][^\W_]+)*[+]*")


def words_of(text: str) -> list[str]:
    """The words of a text; hyphenated ones whole."""
    return [word.removesuffix("'s").removesuffix("’s") for word in _TOKEN.findall(text)]


@lru_cache(maxsize=1 << 16)
def root(word: str) -> str:
    """What is left of a word of four letters or more without inflection and derivation.

    Examples
    --------
    >>> root("crosslinking") == root("crosslinked"), root("adhesion") == root("adhere")
    (True, True)
    >>> root("collagenase") == root("collagen"), root("chitin") == root("chitosan")
    (False, False)
    """
    if not word.islower() and not word.istitle():
        return stem(word)
    plain = stem(word)
    lower = word.lower()
    plain = fold(_PAIRS.get(lower, _PAIRS.get(plain, plain)))
    if len(plain) < 5:
        return plain
    for pattern, other in _ALTERNATIONS:
        plain = pattern.sub(other, plain)
    while ending := next((e for e in _ENDINGS if plain.endswith(e) and len(plain) - len(e) >= 4), None):
        plain = plain.removesuffix(ending)
    if len(plain) > 4 and plain[-1] == plain[-2] and plain[-1] not in "ls":
        plain = plain[:-1]
    return plain.removesuffix("e") if len(plain) > 4 else plain


def same_word(word: str, known: frozenset[str] | set[str]) -> bool:
    """Whether a word, or each part of a hyphenated one, is among known roots."""
    if root(word) in known or word in known:
        return True
    joined = re.sub(r"[-–]", "", word)
    parts = [part for part in re.split(r"[-–]", word) if part]
    if joined != word and root(joined) in known:
        return True
    return len(parts) > 1 and all(root(part) in known or len(part) < 3 or part.isdigit() for part in parts)


class Abbreviations:
    """Short and long forms that texts define, each good for the other.

    Examples
    --------
    >>> known = Abbreviations(["Polylactic acid (PLA) was blended."])
    >>> sorted(known.expand({"PLA"}))
    ['PLA', 'acid', 'polylact']
    """

    def __init__(self, texts: Iterable[str]):
        pairs = [pair for text in dict.fromkeys(texts) for pair in _defined(text)]
        self.pairs = [(root(short), roots_of(long)) for short, long in [*pairs, *_COMMON.items()]]

    def expand(self, roots: Iterable[str]) -> set[str]:
        """Roots, with the long form of each short one and the short form of what stands in full."""
        known = set(roots)
        for short, long in self.pairs:
            if short in known:
                known |= long
            elif long <= known:
                known.add(short)
        return known


def roots_of(text: str) -> set[str]:
    """Roots of the words of a text, of the parts of hyphenated words and of the words joined."""
    out = set()
    for word in words_of(text):
        parts = [part for part in re.split(r"[-–]", word) if part]
        out |= {root(word), root("".join(parts)), *(root(part) for part in parts)}
    return out


def _defined(text: str) -> list[tuple[str, str]]:
    if "(" not in text:
        return []
    found = find_definitions(text)
    inside = re.findall(r"\b([A-Z][a-z]+ [a-z]+) \(([A-Z]\. [a-z]+)\)", text)  # Escherichia coli (E. coli)
    return [*zip(found["short"], found["long"], strict=True), *((short, long) for long, short in inside)]
