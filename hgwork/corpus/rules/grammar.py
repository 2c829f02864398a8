"""Small questions about a dependency tree, asked all over the rules."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from .words import word_set

if TYPE_CHECKING:
    from spacy.tokens import Token

__all__ = [
    "RELATIVES", "SUBJECTS", "has", "is_clause", "is_nominal", "is_postnominal", "is_purpose", "kids", "verb_chain",
]  # fmt: skip

SUBJECTS = ("nsubj", "nsubjpass", "csubj", "csubjpass")
RELATIVES = frozenset({"which", "who", "whom", "that", "whose", "where"})
_CLAUSAL = word_set("ROOT conj relcl acl advcl ccomp xcomp pcomp csubj csubjpass parataxis dep")
_ARGUMENTS = ("nsubj", "nsubjpass", "dobj", "pobj", "attr", "appos", "conj")
_WITH_INFINITIVE = ("use", "employ", "need", "require", "know", "find")


def kids(token: Token, *deps: str, words: Collection[str] = (), after: bool = False) -> list[Token]:
    """The children with one of `deps`, in order; of `words` (lower-cased) and only to the right where asked."""
    children = token.rights if after else token.children
    return [c for c in children if c.dep_ in deps and (not words or c.lower_ in words)]


def has(token: Token, *deps: str, words: Collection[str] = ()) -> bool:
    """Whether there is such a child."""
    return bool(kids(token, *deps, words=words))


def is_nominal(token: Token) -> bool:
    """Whether a token can head an entity."""
    if token.pos_ in ("NOUN", "PROPN", "NUM", "PRON"):
        return True
    if token.lower_ in ("that", "which", "who", "whom", "those") and token.dep_ in _ARGUMENTS[:4]:
        return True
    if token.dep_ not in _ARGUMENTS or (token.dep_ == "conj" and token.head.pos_ not in ("NOUN", "PROPN")):
        return False
    if token.pos_ == "VERB":
        return token.tag_ == "VBG" and token.dep_ != "conj" and not has(token, "dobj", "nsubj", "aux")
    return token.pos_ in ("ADJ", "X", "SYM", "ADV") and (
        token.dep_ not in ("pobj", "attr") or token.text[0].isupper() or (token.dep_ == "pobj" and has(token, "det"))
    )


def is_clause(token: Token) -> bool:
    """Whether a token heads a clause of its own."""
    if token.pos_ not in ("VERB", "AUX") or token.dep_ not in _CLAUSAL:
        finite = has(token, "nsubj", "nsubjpass") and has(token, "cop", "aux", "auxpass")
        return finite and token.dep_ in ("ROOT", "conj", "relcl", "advcl", "ccomp")
    if has(token, *SUBJECTS):
        return True
    modifier = token.dep_ == "conj" and token.head.pos_ in ("NOUN", "PROPN", "ADJ") and token.tag_ in ("VBG", "VBN")
    return token.dep_ != "dep" and not (modifier and token.head.dep_ != "ROOT")


def is_purpose(verb: Token) -> bool:
    """Whether a clause is a to-infinitive that hangs on another clause."""
    return verb.dep_ in ("advcl", "acl", "xcomp", "relcl") and any(
        c.dep_ == "aux" and c.lower_ == "to" for c in verb.lefts
    )


def is_postnominal(token: Token) -> bool:
    """Whether an adjective follows its noun and takes a phrase: "fibres rich in silica"."""
    return (
        token.pos_ == "ADJ"
        and token.dep_ in ("amod", "acl", "relcl")
        and token.i > token.head.i
        and bool(kids(token, "prep", after=True))
    )


def verb_chain(head: Token) -> list[Token]:
    """The verbs of one group: "is known to cleave", "keeps growing", "is made by mixing"."""
    chain = [head]
    while len(chain) < 5:
        following = _continuation(chain[-1])
        if following is None:
            break
        chain.append(following)
    return chain


def _continuation(verb: Token) -> Token | None:
    objects = has(verb, "dobj", "attr")
    passive = has(verb, "auxpass") or (verb.tag_ == "VBN" and not objects)
    following = None
    for child in verb.rights:
        between = any(verb.i < p.i < child.left_edge.i for p in kids(verb, "prep", "agent"))
        if child.dep_ == "xcomp" and child.pos_ in ("VERB", "AUX"):
            if not (objects or between or has(child, *SUBJECTS)):
                following = child
        elif child.dep_ == "acomp":
            following = next((c for c in kids(child, "xcomp") if c.pos_ == "VERB"), None)
        elif child.dep_ in ("agent", "prep") and child.lower_ == "by" and passive and following is None:
            following = next((c for c in kids(child, "pcomp") if c.tag_ == "VBG"), None)
        elif child.dep_ == "advcl" and passive and verb.lemma_ in _WITH_INFINITIVE:
            following = child if child.i == verb.i + 2 and child.nbor(-1).lower_ == "to" else following
    return following
