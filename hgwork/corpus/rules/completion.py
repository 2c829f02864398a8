"""Pass 2: what a sentence implies within its own bounds [1]_.

Light verbs of action nouns, appositions and parentheses (``is``) and purposes (``used for``); causes are in
`causes`. Labels stay verbatim, only relations are abstracted.

References
----------
.. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, section 2.1.1 (pass 2).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .antecedents import antecedent, named_by
from .clauses import Frame
from .grammar import has, is_nominal, kids
from .phrases import Phrases
from .words import NOT_USED, TIMES

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

    from .text import Parenthesis

__all__ = ["actions", "appositions", "parentheses", "purposes"]


def actions(sentence: Span, phrases: Phrases) -> list[Frame]:
    """Light verbs of the action nouns that the clauses met."""
    return [
        Frame(sentence.doc[place], source, f"{verb} {link}".strip(), target, "completed")
        for place, (verb, source, link, target) in phrases.actions.items()
        if sentence.start <= place < sentence.end
    ]


def appositions(sentence: Span, phrases: Phrases) -> list[Frame]:
    """ "X, a Y": X is Y; a bare "a structure" names nothing and only carries its clause."""
    frames = []
    for token in sentence:
        head = named_by(token)
        if token.dep_ != "appos" or not is_nominal(head) or not is_nominal(token) or phrases.is_list(token):
            continue
        described = has(token, "det", "amod") or token.pos_ == "PROPN"
        if not described and token.doc[token.left_edge.i - 1].lower_ != "or":
            continue
        first = _first_conjunct(head) if token.tag_ == "NNS" else head
        heads = [first, *(c for c in first.conjuncts if first.i < c.i <= head.i)]
        said_of = antecedent(phrases, head) if head.dep_ == "attr" else []
        source = said_of or [(h.i, label) for h in heads for label in phrases.labels(h)]
        target = phrases.members(token)
        if source and target and set(source) != set(target):
            frames.append(Frame(token, source, "is", target, "completed"))
            phrases.memory.isa.setdefault(phrases.lemma(token), tuple(label for _, label in source))
    return frames


def _first_conjunct(noun: Token) -> Token:
    while noun.dep_ == "conj" and is_nominal(noun.head):
        noun = noun.head
    return noun


def purposes(sentence: Span, phrases: Phrases) -> list[Frame]:
    """ "an X for Y": X is used for Y."""
    frames = []
    for token in sentence:
        things = kids(token, "pobj", "pcomp")
        if token.lower_ != "for" or token.dep_ != "prep" or token.i == sentence.start or not things:
            continue
        own = token.head.pos_ in ("NOUN", "PROPN") and token.head.i < token.i
        head = token.head if own else token.nbor(-1)  # hung on the verb, but "blended with silk for better adhesion"
        if head.pos_ not in ("NOUN", "PROPN") or head.i + 3 < token.i or phrases.lemma(head) in NOT_USED:
            continue
        span_of_time = things[0].pos_ == "NUM" or any(c.pos_ == "NUM" for c in things[0].children)
        if span_of_time or things[0].lemma_ in TIMES or (head != token.head and head.dep_ in ("nsubjpass", "nsubj")):
            continue
        first = head if own else _first_conjunct(head)
        heads = [first, *(c for c in first.conjuncts if first.i < c.i <= head.i)]
        source, target = [(h.i, label) for h in heads for label in phrases.labels(h)], phrases.phrase(token)
        if source and target:
            frames.append(Frame(token, source, "used for", target, "completed"))
    return frames


def parentheses(sentence: Span, phrases: Phrases, inside: list[Parenthesis]) -> list[Frame]:
    """ "long form (ABBR)": long form is ABBR; "X (12 %)": X is 12 %; "X (born 1900)": X born 1900."""
    frames = []
    for parenthesis in inside:
        before = [t for t in sentence if phrases.text.span(t.idx, t.idx + len(t))[1] < parenthesis.start]
        if not before or not is_nominal(before[-1]) or before[-1].pos_ == "PRON":
            continue
        last = head = before[-1]
        while head.head.i > head.i and head.dep_ in ("compound", "amod", "nmod", "nummod"):
            head = head.head
        while head.dep_ == "conj" and head.pos_ == "PROPN" and head.head.dep_ in ("conj", "pobj"):
            head = head.head
        if head.dep_ == "pobj" and head.pos_ == head.head.head.pos_ == "PROPN" and head.head.lower_ == "of":
            head = head.head.head  # Margaret of Anjou (born 1430)
        if re.match(r"[nN] ?= ?\d", parenthesis.text):  # counts what the whole phrase names
            while head.dep_ == "pobj" and head.head.head.pos_ == "NOUN":
                head = head.head.head
        if head.i <= last.i:
            long = phrases.labels(head)
        else:  # the parenthesis stands inside the phrase: what comes before it
            long = [phrases.cut(list(sentence.doc[last.left_edge.i : last.i + 1]))]
        for relation, labels in _contents(parenthesis.text):
            target = [(last.i, label) for label in labels if label not in long]
            frames.append(Frame(last, [(head.i, label) for label in long[-1:]], relation, target, "completed"))
    return frames


_LIFE = re.compile(r"((?:\d{1,2} \w+ |\w+ \d{1,2}, )?\d{3,4})\s*[–—-]\s*((?:\d{1,2} \w+ |\w+ \d{1,2}, )?\d{3,4})")
_SHORTHAND = re.compile(r"^[\d\s–—-]{4,}$|\d{4}\??\s*[–—-]|^(?:d|c|r|fl|lit|translit)\.")
_EXAMPLES = re.compile(
    r"^(?:e\.g\.|for example|for instance|such as|including|i\.e\.|that is|(?:also )?known as|also|or|formerly)[, ]+",
    re.I,
)
_REFERENCE = re.compile(r"\b(?:fig|figs|figure|table|ref|refs|eq|et al|see|p|pp|http|https)\b", re.I)
_EVENT = re.compile(r"^(born|died|established|founded|formed|released)\b[ :]*(?:on |in |c\. ?)?([^,;]+)")
_LANGUAGE = re.compile(r"^[A-Z][a-z]+: ?")
_LEADING = re.compile(r"^(?:about|approximately|around|ca\.|~|roughly|the|an?) ?")


def _contents(text: str) -> list[tuple[str, list[str]]]:
    """(relation, labels) of what stands in parentheses, or nothing for references and remarks."""
    body = _EXAMPLES.sub("", text).strip()
    if not body or _REFERENCE.search(body):
        return []
    if event := _EVENT.match(body):
        return [(event[1], [event[2].strip()])]
    if life := _LIFE.fullmatch(body):
        return [("is", [life[1], life[2]])]
    if _SHORTHAND.search(body) or len(body.split()) > 8:
        return []
    if re.match(r"^[nN] ?= ?\d", body):
        return [("is", [body])]
    labels = [_LEADING.sub("", part).strip(' "“”') for part in re.split(r"[,;] *", _LANGUAGE.sub("", body))]
    short = [x for x in labels if len(x.split()) <= 4 and any(c.isalnum() for c in x) and not x[:4].isdigit()]
    return [("is", short)] if short else []
