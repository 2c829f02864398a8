"""Reading a concept name: its words, numbers and units, and the spelling under which equal names meet.

A name becomes a list of tokens in a canonical order ("porosity of the scaffold" reads "scaffold porosity"), each with
the form it was written in and the stem it is compared by. Only general English rules and closed classes stand here:
determiners, inflection, British and American endings, Greek letters, Roman numerals, SI units.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache

__all__ = ["GREEK", "Name", "Token", "fold", "is_passive", "read_name", "spelling_key", "stem", "unit_of"]

_w = str.split

_LETTERS = _w(
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi "
    "psi omega"
)
GREEK = dict(zip("αβγδεζηθικλμνξοπρστυφχψω", _LETTERS, strict=True)) | {"ς": "sigma"}
_DETERMINERS = set(
    _w(
        "the this that these those its their our his her such some any each several various many certain said both "
        "respective corresponding aforementioned abovementioned"
    )
)
PREPOSITIONS = set(_w("of for in on at to from with by into onto within via under over between through"))
_PASSIVE = re.compile(r"(ed|laden|bound|grown|born|made|spun|woven)$")
_NUMBERS = _w("zero one two three four five six seven eight nine ten eleven twelve")
_NUMBER_WORDS = {word: str(n) for n, word in enumerate(_NUMBERS)}
_ORDINALS = _w("first second third fourth fifth sixth seventh eighth ninth tenth")
_NUMBER_WORDS |= {word: str(n) for n, word in enumerate(_ORDINALS, 1)}
_ROMAN = re.compile(r"(?=[IVX])(X{0,3})(IX|IV|V?I{0,3})(?P<tail>[a-e]?)")
# plural:singular where no rule leads from one to the other, and spellings that no rule covers
_IRREGULAR = dict(
    pair.split(":")
    for pair in _w(
        "bacteria:bacterium criteria:criterion phenomena:phenomenon mitochondria:mitochondrion ganglia:ganglion "
        "media:medium strata:stratum spectra:spectrum quanta:quantum ova:ovum sera:serum septa:septum atria:atrium "
        "symposia:symposium memoranda:memorandum curricula:curriculum automata:automaton polyhedra:polyhedron "
        "taxa:taxon foramina:foramen cilia:cilium flagella:flagellum endothelia:endothelium epithelia:epithelium "
        "crania:cranium phyla:phylum matrices:matrix vertices:vertex indices:index cortices:cortex apices:apex "
        "appendices:appendix helices:helix vortices:vortex cervices:cervix men:man women:woman children:child "
        "feet:foot teeth:tooth geese:goose mice:mouse lice:louse oxen:ox people:person leaves:leaf halves:half "
        "lives:life knives:knife calves:calf wolves:wolf shelves:shelf hooves:hoof genera:genus corpora:corpus "
        "axes:axis oases:oasis theses:thesis crises:crisis bases:base aluminium:aluminum artefact:artifact "
        "defence:defense offence:offense licence:license grey:gray mould:mold ageing:aging percent:% micron:μm"
    )
)
_SAME_IN_PLURAL = set(_w("gas lens bias canvas atlas pancreas series species news"))
_SINGULAR = [  # the first that fits; a final e that a plural may have brought goes too
    (re.compile(r"(?<=[a-z]{3})(ys|es|os|as)(is|es)$"), r"\1"),
    (re.compile(r"(s|x|z|ch|sh)es?$"), r"\1"),
    (re.compile(r"(?<=..)(ies|ie)$"), "y"),
    (re.compile(r"(?<=..)oes?$"), "o"),
    (re.compile(r"(?<=..)ae$"), "a"),
    (re.compile(r"(?<=...)i$"), "us"),
    (re.compile(r"(?<![su])(?<!is)s$"), ""),
]
_AMERICAN = [  # all of them, in this order
    (re.compile(r"our(?=$|ed$|ing$|al$|able$|less$|ful$|ation$)"), "or"),
    (re.compile(r"(?<=[bct])re$"), "er"),
    (re.compile(r"(?<=y)s(?=(e|ed|ing|er)?$)|(?<=..i)s(?=(e|ed|ing|er|ation)?$)"), "z"),
    (re.compile(r"sulph"), "sulf"),
    (re.compile(r"ogue$"), "og"),
    (re.compile(r"(?<=...[ae])ll(?=(ed|ing|er)$)"), "l"),
]

_LONGEST = 200  # words: what is longer is no name, and its order stands

_POWERS = {"f": -15, "p": -12, "n": -9, "μ": -6, "u": -6, "m": -3, "c": -2, "d": -1, "": 0, "k": 3, "M": 6, "G": 9}
_POWER_WORDS = dict(
    zip(_w("femto pico nano micro milli centi deci kilo mega giga"), _w("f p n μ m c d k M G"), strict=True)
)
_BASES = _w("m g L Pa N V A W J Hz mol M Da eV B bit K S F T s Gy Bq Ω l")
_FIXED = {unit: unit for unit in _w("% wt% vol% mol% °C °F rpm ppm ppb U IU")} | {"l": "L"}
_UNIT_WORDS = dict(
    pair.split(":")
    for pair in _w(
        "meter:m metre:m gram:g liter:L litre:L pascal:Pa newton:N volt:V ampere:A watt:W joule:J hertz:Hz mole:mol "
        "molar:M dalton:Da byte:B min:min minute:min h:h hr:h hour:h d:d day:d week:wk wk:wk month:mo year:yr yr:yr "
        "second:s sec:s"
    )
)

_TOKEN = re.compile(
    r"(?P<drop>(?i:well|so|above)[- ](?i:known|called|mentioned)\b)"
    r"|(?P<number>(?:(?<![\w)])[-−])?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|(?<!\w)\.\d+)"
    r"|(?P<unit>(?:wt|vol|mol)\s?%|°[CF]|%|(?<![^\W\d])μ(?:mol|[mgLlMsNAJVWF])(?![^\W\d_]))"
    r"|(?P<greek>[α-ω])"
    r"|(?P<word>(?<!\w)[A-Z](?:\+\+|#)|[^\W\d_α-ω]+(?:['’](?!s\b)[^\W\d_α-ω]+)*)(?:['’]s?(?!\w))?"
    r"|(?P<symbol>(?<=\w)\++(?!\w)|(?:(?<=\d)|(?<=\b[A-Z])|(?<=\b[A-Z][a-z]))-(?!\w)|[#<>≤≥=±×*′″°‰])"
)


@dataclass(frozen=True)
class Token:
    """One word, number, unit or symbol: as written, as compared, and what stood before it."""

    text: str
    stem: str
    kind: str  # word, number, numeral, unit, letter, symbol
    before: str = " "


@dataclass(frozen=True)
class Name:
    """A name read: tokens in canonical order, its prepositions ("of" and "for" as one), its numbers with units."""

    tokens: tuple[Token, ...]
    relations: tuple[str, ...]
    symmetric: bool
    quantities: tuple[tuple[float, str], ...]


@lru_cache(maxsize=1 << 14)
def read_name(name: str) -> Name:
    """Tokens of a name in canonical order.

    "X of (the) Y" is read "Y X", at the leftmost preposition first; "Z coated with Y" is read "Y-coated Z". The other
    prepositions are remembered, because around them order carries meaning (`guards.veto`).

    Examples
    --------
    >>> [token.stem for token in read_name("porosity of the scaffolds").tokens]
    ['scaffold', 'porosity']
    """
    tokens = _with_numerals(_tokens(name))
    symmetric = any(re.search(r"[/–—,&]", token.before) for token in tokens)
    relations: list[str] = []
    ordered = tuple(_canonical(tokens, relations) if len(tokens) <= _LONGEST else tokens)
    return Name(ordered, tuple(sorted(relations)), symmetric, tuple(sorted(_quantities(tokens))))


@lru_cache(maxsize=1 << 18)
def spelling_key(name: str) -> str:
    """The spelling under which names meet that differ in case, inflection, hyphen, script of a letter or word order.

    Letter case is folded only in words where it carries no meaning: "Gel" meets "gel", "PET" does not meet "pet".

    Examples
    --------
    >>> spelling_key("TiO₂ nano-fibres") == spelling_key("TiO2 nanofiber")
    True
    >>> spelling_key("PET") == spelling_key("pet")
    False
    """
    read = read_name(name)
    marks = ((re.search(r"[&/]", t.before) or [""])[0] for t in read.tokens)
    stems = (f"<{t.stem}>" if t.kind in ("number", "numeral") else t.stem for t in read.tokens)
    key = fold("".join(mark + word for mark, word in zip(marks, stems, strict=True)))
    return "|".join([key or unicodedata.normalize("NFKC", name).strip(), *(r for r in read.relations if r != "of")])


def fold(joined: str) -> str:
    """Joined stems with British ae and oe as e: "haemostat" as "hemostat", and "nano-emulsion" still as one word."""
    return re.sub(r"[ao]e(?=[a-z])", "e", joined)


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """A word without case where that says nothing, accents, plural and national spelling.

    Examples
    --------
    >>> stem("Tumours"), stem("mitochondria"), stem("MSCs"), stem("PBS")
    ('tumor', 'mitochondrion', 'MSC', 'PBS')
    """
    if len(word) > 2:
        parts = unicodedata.normalize("NFD", word)
        word = unicodedata.normalize("NFC", "".join(c for c in parts if not "\u0300" <= c <= "\u036f"))
    folds = word.islower() or (len(word) > 2 and word.istitle()) or (len(word) > 5 and word.isupper())
    if not folds:
        return word[:-1] if len(word) > 2 and word[-1] == "s" and word[-2].isupper() else word
    word = word.lower()
    word = _IRREGULAR.get(word, _IRREGULAR.get(word.removesuffix("s"), word))
    if len(word) < 4:
        return word
    if word not in _SAME_IN_PLURAL:
        for pattern, plain in _SINGULAR:
            word, found = pattern.subn(plain, word)
            if found:
                break
    for pattern, plain in _AMERICAN if len(word) > 4 else ():
        word = pattern.sub(plain, word)
    return word


def _tokens(name: str) -> list[Token]:
    text = unicodedata.normalize("NFKC", name.replace("´", "'").replace("µ", "μ")).strip()
    text = re.sub(r"(?<=\d)(st|nd|rd|th)\b", "", re.sub(r"[‐‑‒]", "-", text))
    text = re.sub(r"\b[xX][- ]?(?=rays?\b)", "X-", text)
    text = re.sub(r"\bμ-?(?=[A-Z]{2})", "micro-", re.sub(r"\band\b", "&", text))
    found, end = [], 0
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "word"
        found.append((match[kind], kind, text[end : match.start()], text[match.end() : match.end() + 1]))
        end = match.end()
    tokens: list[Token] = []
    carried = ""
    for place, (written, kind, before, after) in enumerate(found):
        before, carried = carried + before, ""
        if len(found) > 1 and (kind == "drop" or _is_determiner(written, before, after, place, tokens)):
            carried = before
            continue
        tokens.append(_token(written, kind, before if tokens else ""))
    return tokens or [_token(written, "word" if kind == "drop" else kind, "") for written, kind, *_ in found]


def _is_determiner(written: str, before: str, after: str, place: int, tokens: list[Token]) -> bool:
    if not (written.islower() or (place == 0 and written.istitle())):
        return False
    if written.lower() in _DETERMINERS:
        return True
    follows = not tokens or tokens[-1].stem in PREPOSITIONS
    return written.lower() in ("a", "an") and after == " " and before in ("", " ") and follows


def _token(written: str, kind: str, before: str) -> Token:
    lower = written.lower()
    if kind == "number":
        value = float(written.replace(",", "").replace("−", "-"))
        return Token(written, f"{value:.12g}", kind, before)
    if kind == "greek":
        return Token(written, GREEK[written], "letter", before)
    if kind == "unit":
        return Token(written, written.replace(" ", ""), kind, before)
    if kind == "symbol":
        return Token(written, written, kind, before)
    if lower in _NUMBER_WORDS:
        return Token(written, _NUMBER_WORDS[lower], "number", before)
    if lower in _LETTERS:
        return Token(written, lower, "letter", before)
    if lower == "dimensional":
        return Token(written, "D", "letter", before)
    if written[0].isascii() and (len(written) == 1 or written[1:] in ("++", "#")):
        return Token(written, written, "letter", before)
    return Token(written, stem(written), kind, before)


def _with_numerals(tokens: list[Token]) -> list[Token]:
    """Roman numerals after a word, or in parentheses, as numbers; a letter behind one (IIa) on its own."""
    out: list[Token] = []
    for token in tokens:
        match = _ROMAN.fullmatch(token.text)
        if not (match and out) or (token.text in ("X", "V") and out[-1].kind == "number"):
            out.append(token)
            continue
        tens, ones, tail = match.groups()
        value = 10 * len(tens) + {"IX": 9, "IV": 4}.get(ones, 5 * ones.count("V") + ones.count("I"))
        out.append(replace(token, stem=str(value), kind="numeral"))
        if tail:
            out.append(Token(tail, tail, "letter", ""))
    return out


def _canonical(tokens: list[Token], relations: list[str]) -> list[Token]:
    for place, token in enumerate(tokens):
        if token.stem not in PREPOSITIONS or not token.text.islower() or place == len(tokens) - 1:
            continue
        head, rest = tokens[:place], tokens[place + 1 :]
        if "-" in rest[0].before:  # oil-in-water: one word, its order stands
            continue
        rest = _canonical(rest, relations)
        if len(head) > 1 and is_passive(head[-1]):  # gold coated with silica
            return [*rest, head[-1], *head[:-1]]
        relations.append("of" if token.stem == "for" else token.stem)
        return [*rest, *head]
    return tokens


def is_passive(token: Token) -> bool:
    """Whether a word is a participle that something can stand before: "coated", "laden", "woven"."""
    return token.kind == "word" and len(token.text) > 3 and _PASSIVE.search(token.text) is not None


def _quantities(tokens: list[Token]) -> list[tuple[float, str]]:
    """Numbers with the unit behind them, in the unit without prefix: "5 kPa" is (5000, "Pa")."""
    out = []
    for place, token in enumerate(tokens):
        if token.kind not in ("number", "numeral"):
            continue
        power, unit = 0, ""
        for step, follower in enumerate(tokens[place + 1 :] if token.kind == "number" else ()):
            part = unit_of(follower)
            if part is None or (step and follower.before != "/"):
                break
            power += -part[0] if step else part[0]
            unit += "/" * bool(step) + part[1]
        out.append((float(f"{float(token.stem) * 10.0**power:.9g}"), unit))
    return out


def unit_of(token: Token) -> tuple[int, str] | None:
    """Power of ten and unit, or None: "kPa" is (3, "Pa")."""
    text = token.text if token.kind != "word" or len(token.text) < 4 else token.stem
    if text in _FIXED:
        return 0, _FIXED[text]
    for long, short in {**_POWER_WORDS, "": ""}.items():
        if text.startswith(long) and text.removeprefix(long) in _UNIT_WORDS:
            return _POWERS[short], _UNIT_WORDS[text.removeprefix(long)]
    for base in _BASES:
        if text.endswith(base) and text.removesuffix(base) in _POWERS:
            return _POWERS[text.removesuffix(base)], _FIXED.get(base, base)
    return None
