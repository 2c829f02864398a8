"""Names that a sentence embedder takes for one and a reader does not.

Cosine similarity hardly sees a number, a negation or who is coated with whom. `veto` compares two names word by word
and says why they must not be merged. It knows closed classes of English only (numbers, units, numerals, prefixes,
opposites, prepositions), no vocabulary of a field.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import product

from ._names import Name, Token, fold, is_passive, read_name, spelling_key, stem, unit_of

__all__ = ["veto"]

_w = str.split
_NEGATIONS = set(_w("non un not no without free less lacking lack absence absent minus never nor except"))
# Prefixes of one meaning stand joined; two words that differ in the meaning of a prefix, or in having one, differ.
_PREFIXES = {
    prefix: group
    for group in _w(
        "non=un=in=im=il=ir=dis=a=an anti=counter=contra de re pro pre=ante post hyper=over hypo=under=sub "
        "super=supra ultra infra up down out intra=endo extra=exo=ecto inter trans cis micro nano macro meso mega "
        "mono=uni di=bi tri tetra=quadri penta hexa hepta octa poly=multi oligo ortho meta para homo hetero iso aniso "
        "auto allo xeno pseudo quasi semi=hemi co mis mal bio neo mid ab eu"
    )
    for prefix in group.split("=")
}
_SUFFIXES = [
    group.split("/")
    for group in _w(
        "philic/phobic ate/ite/ide ane/ene/yne os/as/in blast/clast/cyte ogen/as/ less/ful/ ous/ic able/ed er/ee "
        "ia/ium a/um/on/one"
    )
]
# Groups of words that exclude each other; synonyms stand joined. Five letters or more stand for all words they begin.
_OPPOSITES = """
increas=enhanc=elevat=raised=augment decreas=reduc=diminish; high=higher=highest low=lower=lowest; upper lower; top
bottom; large=larger=largest=big small=smaller=smallest; long=longer short=shorter; thick=thicker thin=thinner;
wide=broad narrow; deep shallow; fast=rapid=quick=faster slow=slower; heavy light; hard soft; strong weak; hot=warm
cold=cool; wet dry; rough smooth; rigid=stiff flexib=compliant; dense=compact porous; open closed=close; full empty;
positive negative; active passive; acidic=acid basic=alkaline=base; acute chronic; early=earlier late=later; first
last; old=aged young=new; male=man female=woman; left right; front back=rear; inner=internal=interior
outer=external=exterior; anterior posterior; dorsal ventral; medial lateral; proximal distal; superior inferior;
cranial caudal; apical basal; central peripheral; axial radial; horizontal vertical; parallel perpendicular;
longitudinal transvers; north=northern south=southern east=eastern west=western; vivo vitro silico situ ovo utero;
before=prior after; day night; spring summer autumn=fall winter; maxim=max minim=min; input output; import export;
donor acceptor=recipient; source sink=target; agonist antagonist; inhibit=suppress=block
activat=stimulat=promot=induc; gain loss; benign malignant; dominant recessive; natural=native artificial=synthetic;
static dynamic; solid liquid gas=gaseous; linear branched; crystalline amorphous; cation=cationic
anion=anionic; oxidat=oxidi=oxidiz reduct; absor adsor desor; convex concave; local global=systemic; simple complex;
major minor; primary secondary tertiary; uptake release; presence absence; rich poor=free; systolic diastolic;
arterial venous; ascending descending; forward backward=reverse; upward downward; child adult; red orange yellow green
blue violet=purple brown black white gray pink; pro anti con; good bad; buy sell; win lose; accept reject;
attract=attractive repuls=repel=repulsive; synthes degrad; expan contract=shrink; monday tuesday wednesday thursday
friday saturday sunday; january february march april may june july august september october november december
"""
_WORDS: list[tuple[str, int, int]] = [
    (stem(word), line, place)
    for line, text in enumerate(_OPPOSITES.split(";"))
    for place, synonyms in enumerate(text.split())
    for word in synonyms.split("=")
]


def veto(a: str, b: str) -> str | None:
    """Why two names must not become one node, or None.

    Parameters
    ----------
    a, b : str
        Concept names; the order of the two makes no difference.

    Returns
    -------
    str or None
        "number", "unit", "numeral", "symbol", "letter", "case", "abbreviation", "script", "negation", "opposite",
        "prefix", "suffix", "role", "extra word" or "other word". None: nothing speaks against it, which is no
        evidence for it.

    Notes
    -----
    Names are read in a canonical order first, so that "porosity of the scaffold" and "scaffold porosity" are alike,
    as are plurals, British and American spelling, hyphens, Greek letters, subscripts and equal quantities
    ("1000 µm", "1 mm"). What is then left on one side only decides. "role" is the same words in another order around
    a participle or a preposition (A-coated B, oil-in-water) or with another head (palm oil). "extra word" is a name
    that says more than the other; "other word" is a word exchanged for one that is not akin to it while others are
    shared: in long names the shared words alone lift the cosine over any threshold.

    Examples
    --------
    >>> veto("type I collagen", "type II collagen"), veto("A-coated B", "B-coated A")
    ('numeral', 'role')
    >>> veto("porosity of the scaffold", "scaffold porosity") is None
    True
    """
    return _veto(*sorted((a, b)))


@lru_cache(maxsize=1 << 16)
def _veto(a: str, b: str) -> str | None:
    one, two = read_name(a), read_name(b)
    reason = _quantities(one, two)
    if reason or spelling_key(a) == spelling_key(b):
        return reason
    if not (one.tokens and two.tokens):
        return "symbol"
    if one.relations and two.relations and set(one.relations) != set(two.relations):
        return "role"
    left, right = _left_over(one, two), _left_over(two, one)
    if {t.text for t in left if t.kind == "symbol"} != {t.text for t in right if t.kind == "symbol"}:
        return "symbol"
    left, right = [t for t in left if t.kind != "symbol"], [t for t in right if t.kind != "symbol"]
    x, y = _joined(left), _joined(right)
    if x == y:
        return _role(one, two) if not x else None
    negations = [sum(t.stem in _NEGATIONS for t in side) for side in (left, right)]
    if negations[0] % 2 != negations[1] % 2:
        return "negation"
    if not (left and right):
        return "extra word"
    return _by_form(left, right) or _pairs(left, right) or _affix(x, y) or _other_word(left, right, one, two)


def _quantities(one: Name, two: Name) -> str | None:
    first, second = one.quantities, two.quantities
    if [v for v, _ in first] == [v for v, _ in second] and all(
        not u or not w or u == w for (_, u), (_, w) in zip(first, second, strict=True)
    ):
        return None
    if sorted(t.stem for t in one.tokens if t.kind in ("number", "numeral")) == sorted(
        t.stem for t in two.tokens if t.kind in ("number", "numeral")
    ):
        return "unit"
    if any(t.kind == "numeral" for t in (*one.tokens, *two.tokens)):
        return "numeral"
    return "number"


def _left_over(one: Name, two: Name) -> list[Token]:
    """Tokens of the first that the second lacks; numbers and the units behind them are compared already."""
    spare = Counter(t.stem for t in two.tokens)
    left, measured, units = [], False, any(unit for _, unit in two.quantities)
    for token in one.tokens:
        measured = token.kind == "number" or (measured and unit_of(token) is not None)
        if spare[token.stem]:
            spare[token.stem] -= 1
        elif token.kind not in ("number", "numeral") and not (measured and units):
            left.append(token)
    return left


def _joined(tokens: Iterable[Token]) -> str:
    return fold("".join(t.stem for t in tokens))


def _role(one: Name, two: Name) -> str | None:
    """The same words in another order: does the order carry meaning?"""

    def agents(name: Name):
        return {(before.stem, t.stem) for before, t in zip(name.tokens, name.tokens[1:], strict=False) if is_passive(t)}

    if Counter(t.stem for t in one.tokens) != Counter(t.stem for t in two.tokens):  # one quantity in two units
        return None
    hyphenated = any("-" in t.before and t.stem in ("to", "in", "on", "from", "by") for t in (*one.tokens, *two.tokens))
    relations = {*one.relations, *two.relations} - {"of"}
    if hyphenated or relations or agents(one) != agents(two):
        return "role"
    return "role" if one.tokens[-1].stem != two.tokens[-1].stem and not (one.symmetric or two.symmetric) else None


def _by_form(left: list[Token], right: list[Token]) -> str | None:
    """Units, letters, case, abbreviations and scripts that face each other."""
    for p, q in product(left, right):
        alone = len(left) == len(right) == 1
        if alone and p.kind == q.kind == "word" and unit_of(p) and unit_of(q):
            return "unit"
        if p.kind == q.kind == "letter":
            return "letter"
        if p.stem.casefold() == q.stem.casefold():
            return None if alone and _is_abbreviation(p) and _is_abbreviation(q) else "case"
    if any(map(_is_abbreviation, left)) and any(map(_is_abbreviation, right)):
        return "abbreviation"
    return "script" if all(any(map(_is_foreign, side)) for side in (left, right)) else None


def _is_foreign(token: Token) -> bool:
    return any(c.isalpha() and not unicodedata.name(c, "").startswith(("LATIN", "GREEK")) for c in token.stem)


def _is_abbreviation(token: Token) -> bool:
    return token.kind == "word" and sum(c.isupper() for c in token.stem) > 1


def _pairs(left: list[Token], right: list[Token]) -> str | None:
    for p, q in product(left, right):
        one, two = _classes(p.stem), _classes(q.stem)
        if any(one[line] != two[line] for line in one.keys() & two.keys()):
            return "opposite"
        if p.stem in _PREFIXES and q.stem in _PREFIXES and _PREFIXES[p.stem] != _PREFIXES[q.stem]:
            return "opposite"
        reason = _affix(p.stem, q.stem)
        if reason:
            return reason
    return None


@lru_cache(maxsize=1 << 16)
def _classes(word: str) -> dict[int, int]:
    return {
        line: place
        for known, line, place in _WORDS
        if word == known or (len(known) > 4 and word.startswith(known)) or word == known + "ly"
    }


def _affix(x: str, y: str) -> str | None:
    """Two words of one stem that differ in a prefix or a suffix with a meaning of its own."""
    for x, y in ((x, y), (y, x)):  # noqa: B020
        for size in range(1, min(len(x) - 2, 8)):
            prefix, rest = x[:size], x[size:]
            other = y[: -len(rest)] if y.endswith(rest) else None
            if prefix not in _PREFIXES or other is None or (other and other not in _PREFIXES):
                continue
            if not other or _PREFIXES[prefix] != _PREFIXES[other]:
                negative = _PREFIXES["non"] in (_PREFIXES[prefix], _PREFIXES.get(other))
                return "negation" if negative else "opposite" if other else "prefix"
    shared = _shared(x, y)
    for group in _SUFFIXES:
        for p, q in product(group, group):
            if p != q and shared > 2 and x.endswith(p) and y.endswith(q) and x.removesuffix(p) == y.removesuffix(q):
                return "suffix"
    return None


def _shared(x: str, y: str) -> int:
    return next((n for n, (c, d) in enumerate(zip(x, y, strict=False)) if c != d), min(len(x), len(y)))


def _other_word(left: list[Token], right: list[Token], one: Name, two: Name) -> str | None:
    if not {t.stem for t in one.tokens} & {t.stem for t in two.tokens}:
        return None
    for side, other in ((left, right), (right, left)):
        whole = _joined(other)
        for token in side:
            if token.kind == "word" and not any(_akin(token.stem, word) for word in (*(t.stem for t in other), whole)):
                return "other word"
    return None


def _akin(x: str, y: str) -> bool:
    """One word in two forms or spellings: a shared beginning of three fifths, or one letter apart in eight."""
    shared, longer = _shared(x, y), max(len(x), len(y))
    ends = _shared(x[shared:][::-1], y[shared:][::-1])
    return shared >= max(4, 0.6 * longer) or (longer > 7 and longer - shared - ends <= 1)
