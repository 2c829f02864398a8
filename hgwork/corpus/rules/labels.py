"""How one label is cut from a noun phrase.

Verbatim, without determiners, approximators and comparatives; with numbers, hyphenated parts, and "of …" in names
and fixed terms; a head shared by coordinated modifiers is distributed ("oral and nasal sprays").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .grammar import has, kids
from .words import APPROXIMATORS, CONSEQUENCES, DROPPED, FIXED_TERMS, QUANTIFIERS, word_set

if TYPE_CHECKING:
    from spacy.tokens import Token

    from .phrases import Phrases

__all__ = ["distributed", "in_label", "names_whole", "words_of"]

_LEFT = word_set("amod compound nmod nummod quantmod npadvmod advmod punct hmod dep prep intj")
_DROP_TAGS = word_set("DT PDT PRP$ WP$ WDT WP JJR RBR IN CC POS")


def words_of(phrases: Phrases, token: Token) -> list[Token]:
    """The tokens of the label of `token`, in order, the head among them."""
    allowed = {w.i for c in token.lefts if c.dep_ in _LEFT or (c.dep_ == "poss" and names_whole(c)) for w in c.subtree}
    owned = {w.i for c in kids(token, "poss") if names_whole(c) for w in c.subtree}
    place = token.i
    while place - 1 in allowed and place > token.left_edge.i:
        place -= 1
    while place > 1 and _hyphen(token.doc[place - 1]):
        place -= 2
    words = list(token.doc[place : token.i])
    while words and _droppable(phrases, words[0]):
        words.pop(0)
    if words and words[0].lower_ == "most" and words[0].head == token:
        words.pop(0)
    words = [w for w in words if w.tag_ not in ("JJR", "RBR") or w.i in owned]
    words = [w for w in words if not (w.lower_ in DROPPED and w.head == token)]
    if words and words[-1].is_punct and words[-1].text not in ("-", "'", '"', "”", "%"):
        words = []
    return [*words, token, *_tail(phrases, token)]


def _hyphen(mark: Token) -> bool:
    """Whether `mark` joins the words on both sides without spaces."""
    return mark.text in ("-", "–", "/") and mark.i > 0 and not mark.whitespace_ and not mark.nbor(-1).whitespace_


def _droppable(phrases: Phrases, word: Token) -> bool:
    name = word.pos_ == "PROPN" and word.text[0].isupper()
    return (
        (word.tag_ in _DROP_TAGS and not name)
        or word.lower_ in APPROXIMATORS
        or word.lower_ in CONSEQUENCES
        or (word.lower_ in QUANTIFIERS and word.tag_ not in ("RBS", "JJS"))
        or (word.is_punct and word.text != '"')
        or phrases.word(word).lower() == "so-called"
    )


def names_whole(owner: Token) -> bool:
    """Whether a possessive stands inside a name: "St. Mary's Abbey"."""
    return owner.pos_ == "PROPN" and owner.head.pos_ == "PROPN" and any(c.text in ("'s", "'") for c in owner.children)


def _tail(phrases: Phrases, token: Token) -> list[Token]:
    """The tokens after a head that belong to its label: numbers, hyphenated parts, "of …" in names and fixed terms."""
    doc, end = token.doc, token.i + 1
    while end < len(doc) and doc[end].head == token and doc[end].dep_ in ("nummod", "npadvmod"):
        if doc[end].pos_ not in ("NUM", "PROPN"):
            break
        end += 1
    for child in token.rights:
        if child.i == end and in_label(phrases, child, token):
            return [*doc[token.i + 1 : kids(child, "pobj")[0].i + 1]]
    while end + 1 < len(doc) and _hyphen(doc[end]):
        end += 2  # "ISO 1234-5"
    return [*doc[token.i + 1 : end]]


def in_label(phrases: Phrases, preposition: Token, head: Token) -> bool:
    """Whether "head preposition …" is one name or fixed term: "Duke of York", "quality of life"."""
    inner = kids(preposition, "pobj")
    if preposition.i != head.i + 1 or preposition.dep_ != "prep" or len(inner) != 1:
        return False
    noun = inner[0]
    if any(c.dep_ != "prep" for c in noun.rights):
        return False
    if (phrases.lemma(head), preposition.lower_) in FIXED_TERMS:
        return noun.n_lefts == 0 and noun.pos_ in ("NOUN", "VERB") and not noun.text[0].isupper()
    if preposition.lower_ != "of" or head.tag_ in ("NNS", "NNPS") or noun.text.isupper():
        return False
    return all(t.pos_ == "PROPN" and t.text[0].isupper() for t in (head, noun))


def distributed(phrases: Phrases, token: Token, words: list[Token]) -> list[str]:
    """The label, or one for each of its coordinated modifiers."""
    places = {w.i for w in words}
    for child in token.lefts:
        if child.dep_ not in ("amod", "compound", "nmod") or child.i not in places:
            continue
        joined = [child, *(c for c in child.conjuncts if c.i < token.i)]
        marks = {w.lower_ for w in token.doc[child.i : joined[-1].i] if w.dep_ == "cc"}
        if len(joined) < 2 or not marks:
            continue
        nouns = any(j.pos_ in ("NOUN", "PROPN") for j in joined)
        if not (nouns or "or" in marks or token.tag_ == "NNS" or not has(token, "det")):
            continue
        rest = [w for w in words if w.i > joined[-1].i]
        first, last = joined[0], joined[-1]
        # "collagen, silk or hyaluronic acid", "melt extrusion and fused deposition": two phrases, no shared head
        apart = first.pos_ in ("NOUN", "PROPN") and (last.pos_ == "ADJ" or has(first, "compound", "amod"))
        apart = apart or (first.tag_ == "VBG" and last.pos_ in ("NOUN", "PROPN"))
        groups = []
        for item, following in zip(joined, [*joined[1:], None], strict=True):
            stop = following.i if following is not None else item.i + 1
            own = [w for w in item.subtree if w.i <= item.i and w.i in places and w.dep_ not in ("cc", "punct")]
            own = [w for w in own if not _droppable(phrases, w)]
            own += [w for w in token.doc[item.i + 1 : stop] if w.dep_ == "punct" and w.text == "-"]
            groups.append([*own, *(rest if following is None or not apart else [])])
        return [phrases.cut(group) for group in groups]
    for number, word in enumerate(words[:-1]):
        if number and word.dep_ == "cc" and word.lower_ in ("and", "or") and words[number - 1].pos_ == "NOUN":
            return [phrases.cut(words[:number]), phrases.cut(words[number + 1 :])]
    return [phrases.cut(words)]
