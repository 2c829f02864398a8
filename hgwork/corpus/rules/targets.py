"""What a verb group says of its subject: objects, phrases, predicates, reported clauses; and the relation's words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .grammar import RELATIVES, SUBJECTS, has, is_nominal, is_purpose, kids
from .words import CONSEQUENCES, ROLES, TIME_ADVERBS

if TYPE_CHECKING:
    from spacy.tokens import Token

    from .clauses import Clauses
    from .phrases import Found, Phrases

__all__ = ["relation_of", "shared_agent", "targets"]

Argument = tuple[list["Found"], str]  # members, the words that link them to the verb
_CAUSATIVE = ("make", "render", "keep", "leave")


def targets(clauses: Clauses, chain: list[Token], fronted: list[Found]) -> Argument:
    """Target members in order and the word that links the first of them, or an agent, to the verb."""
    found = list(fronted)
    links: list[tuple[int, str]] = []
    for verb in chain:
        for child in verb.children:
            if child.dep_ in SUBJECTS:
                if child.lower_ in RELATIVES and any(c.i > child.i for c in kids(verb, *SUBJECTS)):
                    found += clauses.phrases.members(child)  # "which grasses store": the parser's two subjects
                continue
            if child.i in clauses.merged or (child.i < verb.i and child.dep_ == "prep" and fronted):
                continue
            new, link = _argument(clauses, child, verb)
            found += new
            if (new or (child.dep_ == "acomp" and link)) and child.i > chain[0].i:
                links.append((0 if child.dep_ == "agent" else child.i, link))
    return sorted(dict.fromkeys(found)), min(links, default=(0, ""))[1]


def _argument(clauses: Clauses, child: Token, verb: Token) -> Argument:
    phrases = clauses.phrases
    causative = verb.lemma_ in _CAUSATIVE
    if causative and child.dep_ in ("dobj", "oprd", "ccomp") and child.tag_ in ("JJ", "JJR"):
        nouns = [c for c in child.lefts if c.dep_ in ("compound", "nmod", "amod") and c.pos_ in ("NOUN", "PROPN")]
        if nouns:  # "make the film rougher", read as one phrase
            return phrases.members(nouns[-1]) + ([(child.i, phrases.word(child))] if child.tag_ == "JJ" else []), ""
    if (role := _role(phrases, child, verb)) is not None:
        return [f for c in kids(child, "prep", after=True) for f in phrases.phrase(c)], role
    if child.dep_ in ("dobj", "attr", "oprd", "dative", "npadvmod", "nmod") and is_nominal(child):
        return phrases.members(child), "no" if has(child, "det", words=("no",)) else ""
    if child.dep_ in ("prep", "agent", "dative", "prt") and child.pos_ in ("ADP", "SCONJ", "ADV", "VERB"):
        if any(c.i in clauses.merged for c in child.children):
            return [f for c in kids(child, "conj") if c.pos_ == "ADP" for f in phrases.phrase(c)], ""
        if child.lower_ == "by" and any(c.i in clauses.chains for c in kids(child, "pcomp")):
            return [], ""  # "by mixing X": an event of its own
        return phrases.phrase(child), child.lower_
    small = causative and child.dep_ == "ccomp" and child.tag_ == "VB" and child.n_rights == 0
    if child.dep_ in ("acomp", "oprd") or (child.dep_ == "ccomp" and child.pos_ == "ADJ") or small:
        return _adjective(clauses, child, verb)
    if child.dep_ in ("ccomp", "xcomp"):
        return _reported(clauses, child, verb), ""
    if child.dep_ == "advcl" and child.i > verb.i and has(child, "mark", words=("as",)):
        set_off = child.doc[child.left_edge.i - 1].text == ","
        return ([], "") if set_off else (clauses.frame(child).members, "as")
    if child.dep_ == "advcl" and child.lower_ == "using" and not has(child, *SUBJECTS):
        clauses.frames[child.i] = clauses.instrument(child)
        return clauses.frames[child.i].target, "using"
    if child.dep_ == "advmod" and child.i in phrases.relatives:
        return [(child.i, label) for label in phrases.relatives[child.i]], ""
    if child.dep_ == "advmod" and child.lower_ in TIME_ADVERBS:
        return [(child.i, phrases.word(child))], ""
    if child.dep_ == "advmod" and (links := kids(child, "prep", after=True)):  # "faster than X", "poorly to X"
        return [f for c in links for f in phrases.phrase(c)], f"{phrases.word(child)} {links[0].lower_}"
    return [], ""


def _reported(clauses: Clauses, child: Token, verb: Token) -> list[Found]:
    """The members of a reported or small clause: "predicts that X …", "makes X a Y"."""
    phrases = clauses.phrases
    if child.i in clauses.chains:  # "…; X verbs" is coordinated, not reported
        return [] if child.i < verb.i and child.dep_ == "ccomp" else clauses.frame(child).members
    if child.pos_ not in ("NOUN", "PROPN", "ADJ"):
        return []
    found = [f for c in kids(child, "nsubj") if is_nominal(c) for f in phrases.members(c)]
    found += [f for c in kids(child, "prep") for f in phrases.phrase(c)]
    if not has(child, "prep"):
        found += [(child.i, x) for x in (phrases.labels(child) if is_nominal(child) else [phrases.word(child)])]
    return sorted(found)


def _adjective(clauses: Clauses, child: Token, verb: Token) -> Argument:
    """ "is soft": the adjective is the target; "is rich in X": X is, and the adjective stands in the relation."""
    phrases = clauses.phrases
    graded = [phrases.word(w) for w in [*(c for c in child.lefts if c.dep_ == "advmod"), child]]
    preps = kids(child, "prep", after=True)
    for other in child.conjuncts:
        if not preps and other.pos_ == "ADJ":  # "shorter and richer in X"
            preps = kids(other, "prep", after=True)
            graded = (
                [phrases.word(w) for w in [*(c for c in other.lefts if c.dep_ == "advmod"), other]] if preps else graded
            )
    found = [f for p in preps for f in phrases.phrase(p)]
    inner = [f for c in kids(child, "nsubj") if is_nominal(c) for f in phrases.members(c)]
    if found:
        return sorted(inner + found), " ".join([*graded, preps[0].lower_])
    outer = [c for c in kids(verb, "prep", after=True) if c.i > child.i and phrases.phrase(c)]
    participle = child.lower_.endswith("ed") and (has(child, "xcomp", "advcl") or has(verb, "xcomp", "advcl"))
    fronted = verb.i in clauses.frames and clauses.frames[verb.i].fronted
    if outer or fronted or participle or child.tag_ in ("JJR", "RBR", "VBN"):
        return inner, " ".join([*graded, *(c.lower_ for c in outer[:1])])
    adjectives = [child, *(c for c in child.conjuncts if c.pos_ in ("ADJ", "VERB") and c.i not in clauses.chains)]
    return sorted(inner + [(a.i, phrases.word(a)) for a in adjectives]), ""


def _role(phrases: Phrases, child: Token, verb: Token) -> str | None:
    """ "is a precursor of X": the role noun stands in the relation."""
    if child.dep_ != "attr" or verb.lemma_ not in ("be", "become", "remain"):
        return None
    links = kids(child, "prep", after=True)
    bare = child.n_lefts == 1 and has(child, "det", words=("a", "an"))  # "is a city near X"
    if phrases.lemma(child) not in ROLES and not bare:
        return None
    if child.conjuncts or has(child, "poss") or not links or links[0].i != child.i + 1:
        return None
    if links[0].lower_ not in ("of", "for", "to") and not bare:
        return None
    return phrases.cut([*child.doc[child.left_edge.i : links[0].i + 1]])


def shared_agent(phrases: Phrases, head: Token) -> Argument:
    """ "written and directed by X": both by X."""
    if head.i + 2 < len(head.doc) and head.nbor(1).dep_ == "cc":
        other = head.nbor(2)
        if other.dep_ == "conj" and other.head == head and other.tag_ == "VBN":
            for child in kids(other, "agent"):
                return phrases.phrase(child), "by"
    return [], ""


def relation_of(phrases: Phrases, chain: list[Token], link: str) -> str:
    """The verb group verbatim, with what links the first target to it."""
    words: list[Token] = []
    for verb in chain:
        near = [c for c in kids(verb, "advmod") if c.tag_ == "RB" and verb.i - 3 < c.i < verb.i]
        words += [*kids(verb, "aux", "auxpass", "neg", "prt"), *(c for c in near if c.lower_ not in CONSEQUENCES), verb]
        if link and len(chain) > 1:
            words += [c for c in kids(verb, "acomp") if c.text not in link.split()]
    text = [phrases.word(w) for w in sorted(set(words), key=lambda w: w.i)]
    if text[0] == "To":
        text[0] = "to"
    if is_purpose(chain[0]) and text[0].lower() != "to":
        text.insert(0, "to")
    return " ".join([*text, link] if link and text[-1].lower() != link else text)
