"""Who a clause without a full subject of its own is about: relative, participle and fronted clauses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .grammar import RELATIVES, SUBJECTS, has, is_nominal, kids
from .phrases import Found, Phrases
from .words import GENERIC, SUMMING_VERBS

if TYPE_CHECKING:
    from collections.abc import Collection

    from spacy.tokens import Span, Token

__all__ = ["antecedent", "bind_relatives", "labels_of", "look_ahead", "named_by"]


def antecedent(phrases: Phrases, noun: Token, plural: bool | None = None, before: int = 0) -> list[Found]:
    """What a clause on `noun` is about: `noun`, or what `noun` is said of ("PCL is a polyester that …").

    `plural` is the number of the clause's verb where it shows, `before` where the clause begins: one that follows a
    whole coordination is about all of it.
    """
    if noun.dep_ == "attr" and noun.head.lemma_ == "be" and not has(noun, "poss"):
        subjects = kids(noun.head, "nsubj", "nsubjpass")
        if subjects and subjects[0].pos_ in ("NOUN", "PROPN", "PRON") and subjects[0].lower_ != "there":
            return labels_of(phrases, subjects[0]) or labels_of(phrases, noun)
    start = noun.left_edge.i
    loose = noun.dep_ in ("oprd", "npadvmod", "nmod", "dobj") and has(noun, "det", words=("a", "an"))
    if loose and start > 1 and noun.doc[start - 1].text == "," and not phrases.labels(noun):
        host = noun.doc[start - 2]  # ", a technique in which …", hung elsewhere by the parser
        if is_nominal(host):
            return labels_of(phrases, host, alone=True)
    if noun.dep_ == "appos" and noun.head.pos_ in ("NOUN", "PROPN") and not phrases.is_list(noun):
        return labels_of(phrases, named_by(noun))
    if noun.pos_ not in ("NOUN", "PROPN", "PRON", "NUM", "ADJ", "X"):
        return []
    first = noun
    if plural and noun.tag_ in ("NN", "NNP"):
        while first.dep_ == "conj" and is_nominal(first.head):
            first = first.head
    if plural is False and noun.tag_ == "NNS" and noun.dep_ == "pobj" and noun.head.head.tag_ in ("NN", "NNP"):
        return antecedent(phrases, noun.head.head)
    apart = noun.tag_ in ("NN", "NNP") or any(noun.i < c.i < before for c in noun.conjuncts)
    return labels_of(phrases, first, alone=not (plural and apart))


def named_by(apposition: Token) -> Token:
    """The noun that an apposition is about: the one before its comma where the parser chose one across a verb."""
    head, doc, start = apposition.head, apposition.doc, apposition.left_edge.i
    across = any(t.pos_ in ("VERB", "AUX") for t in doc[head.i : start] if t in head.ancestors or t.head == head.head)
    if across and start > 1 and doc[start - 1].text == "," and is_nominal(doc[start - 2]):
        return doc[start - 2]
    return head


def labels_of(phrases: Phrases, noun: Token, alone: bool = False) -> list[Found]:
    """The labels of a noun and, unless `alone`, of its conjuncts, without what hangs on them."""
    heads = [noun]
    while not alone and (following := [c for c in kids(heads[-1], "conj", after=True) if is_nominal(c)]):
        heads.append(following[0])
    found = [(h.i, label) for h in heads for label in phrases.labels(h)]
    if not found and noun.lemma_.lower() in GENERIC:
        found = [f for c in kids(noun, "prep", words=("of",), after=True) for f in phrases.phrase(c)]
    return found


def look_ahead(phrases: Phrases, sentence: Span) -> None:
    """Let a pronoun in front of the main subject mean it: "Because its pores are wide, the foam …"."""
    subjects = [c for c in kids(sentence.root, "nsubj", "nsubjpass") if c.pos_ in ("NOUN", "PROPN")]
    start = subjects[0].left_edge.i if subjects else 0
    if start > sentence.start + 1 and any(t.tag_ in ("PRP", "PRP$") for t in sentence.doc[sentence.start : start]):
        plural = subjects[0].tag_ in ("NNS", "NNPS") or has(subjects[0], "conj")
        phrases.subject = True
        phrases.cataphor = (start, [label for _, label in labels_of(phrases, subjects[0])], plural)


def bind_relatives(phrases: Phrases, head: Token, clauses: Collection[int]) -> None:
    """Tell the phrases what the relative word of a clause stands for; nothing where it sums up a clause."""
    tags = ("WDT", "WP", "WP$", "WRB", "IN")
    words = [t for t in head.subtree if t.lower_ in RELATIVES and t.tag_ in tags and t.i < max(head.i, t.head.i)]
    if head.dep_ != "relcl" or not words:
        return
    word = words[0]
    between = [a for a in word.ancestors if head.is_ancestor(a)]
    if any(a.dep_ == "relcl" and a.i in clauses and a.i != head.i for a in between):
        return
    verb = next((c for c in kids(head, "aux", "auxpass") if c.tag_ in ("VBZ", "VBP")), head)
    subject = word.dep_ in SUBJECTS
    plural = {"VBP": True, "VBZ": False}.get(verb.tag_) if subject else None
    start = word.i - 1 - (word.i > 0 and word.nbor(-1).pos_ == "ADP")
    if not subject and start > 0 and word.doc[start].text == ",":
        plural = True  # ", in which": about a whole coordination
    found = [] if subject and _sums_up(head, word, verb) else antecedent(phrases, head.head, plural, word.i)
    phrases.relatives[word.i] = list(dict.fromkeys(label for _, label in found))


def _sums_up(head: Token, word: Token, verb: Token) -> bool:
    """Whether ", which …" is about the whole clause before it."""
    noun = head.head
    if word.lower_ != "which" or word.i == 0 or word.nbor(-1).text != ",":
        return False
    disagree = noun.tag_ == "NNS" and verb.tag_ == "VBZ"
    return disagree or noun.pos_ in ("VERB", "AUX") or head.lemma_ in SUMMING_VERBS
