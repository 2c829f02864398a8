"""Clauses of a text, each with whether it affirms or denies, and which way it says that something goes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..models.parser import load_parser
from ._words import Abbreviations, listed, root, roots_of, words_of

if TYPE_CHECKING:
    from spacy.tokens import Token

__all__ = ["Clause", "clauses", "contradiction"]

_ASIDE = re.compile(r",?\s*but not ((?:[^,;.]|\.(?=\w))+),\s*")
_NOT_DENIED = re.compile(
    r"\b(not (?:only|just|merely)|no (?:more|less|fewer|later|earlier) than|not (?:more|less) than|no doubt)\b",
    re.IGNORECASE,
)
_DENIALS = frozenset(
    listed(
        "not n't no never neither nor none cannot without nothing nowhere hardly scarcely fail fails failed "
        "failing lack lacks lacked lacking absence absent unable unaffected unchanged ineffective insoluble "
        "inactive incapable incompatible impermeable impossible unlikely unstable unsuitable insensitive "
        "immiscible nontoxic non-toxic refute refutes refuted deny denies denied false untrue"
    )
)
_SPLITS = frozenset(
    listed(
        "but while whereas because although though which when since unless where whereby who until before after if so"
    )
)
_UPWARD = frozenset(
    root(w)
    for w in listed(
        "increase raise improve enhance elevate  promote stimulate accelerate upregulate boost "
        "augment favour gain heighten intensify facilitate"
    )
)
_DOWNWARD = frozenset(
    root(w)
    for w in listed(
        "decrease lower reduce impair weaken inhibit suppress slow downregulate diminish hinder hamper "
        "decline worsen attenuate retard block prevent"
    )
)


@dataclass(frozen=True)
class Clause:
    """Roots of a clause's words, whether it denies, and its sense: 1 upward, -1 downward, 0 neither."""

    roots: frozenset[str]
    denies: bool
    sense: int
    text: str


def clauses(text: str, known: Abbreviations) -> list[Clause]:
    """The clauses of a text; one that lacks its own subject or verb takes that of the clause before.

    Examples
    --------
    >>> found = clauses("Keratin does not dissolve in water but dissolves in acid.", Abbreviations([]))
    >>> [(clause.denies, "keratin" in clause.roots) for clause in found]
    [(True, True), (False, True)]
    """
    text = _NOT_DENIED.sub(lambda found: "-" * len(found[0]), text)
    if aside := _ASIDE.search(text):
        whole = text[: aside.start()] + " " + text[aside.end() :]
        rest = text[aside.end() :]
        return clauses(whole, known) + [_clause(f"not {aside[1]} {rest}", set(), known)]
    out: list[Clause] = []
    before: list[Token] = []
    for piece in _pieces(text):
        out.append(_clause("".join(token.text_with_ws for token in piece), _carried(before, piece), known))
        before = piece if _has_verb(piece) else [*before, *piece]
    return out


def _pieces(text: str) -> list[list[Token]]:
    pieces: list[list[Token]] = [[]]
    tokens = list(load_parser()(text))
    for place, token in enumerate(tokens):
        word = token.lower_
        ahead = [t.lower_ for t in tokens[place + 1 : place + 3]]
        again = (
            word in ("and", "or")
            and ahead
            and (ahead[0] in _DENIALS | {"does", "did", "do", "is", "was", "are", "has"})
        )
        reason = word == "as" and place > 0 and tokens[place - 1].text == ","
        if (word in _SPLITS or word in (";", ":") or again or reason) and pieces[-1]:
            pieces.append([])
        if word not in (";", ":"):
            pieces[-1].append(token)
    return [piece for piece in pieces if any(token.is_alpha for token in piece)]


def _has_verb(piece: list[Token]) -> bool:
    return any(token.pos_ in ("VERB", "AUX") for token in piece)


def _carried(before: list[Token], piece: list[Token]) -> set[str]:
    """What a clause takes from the one before: its subject, and its verb where it has none of its own."""
    if not before:
        return set()
    verbs = [place for place, token in enumerate(before) if token.pos_ in ("VERB", "AUX")]
    own = [token for token in piece if token.lower_ not in _SPLITS and not token.is_punct]
    if piece[0].lower_ in ("which", "who", "where"):  # says more of the noun just before
        nouns = [token for token in before if token.pos_ in ("NOUN", "PROPN")][-2:]
        return roots_of(" ".join(token.text for token in nouns))
    if not _has_verb(piece):
        end = verbs[-1] + 1 if verbs else len(before)
    elif own and (own[0].pos_ in ("VERB", "AUX") or own[0].lower_ in _DENIALS):
        end = verbs[0] if verbs else len(before)
    else:
        return set()
    return roots_of(" ".join(token.text for token in before[:end])) - {root(word) for word in _DENIALS}


def _clause(text: str, carried: set[str], known: Abbreviations) -> Clause:
    words = [word.lower() for word in words_of(text.replace("n't", " not").replace("n’t", " not"))]
    denials = sum(word in _DENIALS for word in words)
    stop = load_parser().Defaults.stop_words
    own = {
        r
        for word in words_of(text)
        if word.lower() not in stop and word.lower() not in _DENIALS
        for r in roots_of(word)
    }
    own |= {r for word in words if word.startswith("insol") for r in (root(word),)}
    up, down = bool(own & _UPWARD), bool(own & _DOWNWARD)
    return Clause(frozenset(known.expand(own | carried)), denials % 2 == 1, int(up) - int(down), text.strip())


def contradiction(claim: list[Clause], evidence: list[Clause]) -> str | None:
    """Where a claim affirms what the nearest clauses of the evidence deny, denies what they affirm, or turns a rise
    into a fall; None if nowhere.

    The nearest clauses are those that share most words; one of them that agrees is enough.
    """
    for clause in claim:
        shared = [len(clause.roots & other.roots) for other in evidence]
        most = max(shared, default=0)
        if most < min(2, len(clause.roots)) or most == 0:
            continue
        near = [other for count, other in zip(shared, evidence, strict=True) if count == most]
        if all(other.denies != clause.denies for other in near):
            told = "denies" if near[0].denies else "affirms"
            return f"the evidence {told} it: {near[0].text!r}"
        agreeing = [other for other in near if other.denies == clause.denies]
        if clause.sense and all(other.sense == -clause.sense for other in agreeing):
            return f"the evidence says the opposite: {agreeing[0].text!r}"
    return None
