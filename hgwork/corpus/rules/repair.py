"""Second readings of sentences that the parser misread.

A small parser mistakes verbs for nouns ("the composite rises at …") and nouns for verbs ("cellulose nanocrystals").
A reading is given a penalty for what good parses do not have; where there is any, the words in doubt are replaced by
plain verbs or nouns, one at a time, and the reading with the smallest penalty is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...models.parser import parse
from .grammar import SUBJECTS, has, kids
from .standins import OTHER_NOUN, kinds_of, plain_word
from .text import Prose, spread
from .words import word_set

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

__all__ = ["best_readings", "penalty"]

MAX_VARIANTS = 6
_TIMES = word_set("day days week weeks month months year years time times night hour hours morning evening")

_VERB_ONLY, _NOUN_ONLY = ({(kind, ""), (kind, "s")} for kind in ("verb", "noun"))

Reading = tuple[Prose, "Span"]


def best_readings(readings: list[Reading], rounds: int = 2) -> list[Reading]:
    """The best reading of each sentence; all second readings of a round are parsed in one batch."""
    best = list(readings)
    lowest = {place: cost for place, (_, span) in enumerate(best) if (cost := penalty(span))}
    places = list(lowest)
    for _ in range(rounds):
        tasks = [(place, cost, variant) for place in places for cost, variant in variants(*best[place])]
        better = set[int]()
        for (place, cost, variant), doc in zip(tasks, parse(variant.text for _, _, variant in tasks), strict=True):
            score = penalty(doc[:]) + 2 * (sum(1 for _ in doc.sents) - 1) + cost
            if score < lowest[place] - 0.25:
                lowest[place], best[place] = score, (variant, doc[:])
                better.add(place)
        places = [place for place in sorted(better) if penalty(best[place][1])]
    return best


def penalty(span: Span) -> float:
    """How unlike a good parse this is; 0 for a finite main verb with a subject and nothing odd.

    Examples
    --------
    >>> penalty(next(parse(["The cells adhered to the glass."]))[:])
    0.0
    """
    root = span.root
    total = 2.0 * any(c.lower_ != "that" for c in kids(root, "mark"))
    if root.pos_ not in ("VERB", "AUX"):
        total += 3
    elif not has(root, *SUBJECTS, "expl"):
        total += 2
    return total + sum(_oddity(token, token.nbor(1) if token.i + 1 < span.end else None) for token in span)


def _oddity(token: Token, after: Token | None) -> float:
    total = 0.5 * (token.dep_ == "dep")
    kinds = kinds_of(token.lower_) if token.is_lower else frozenset()
    if kinds and kinds <= _VERB_ONLY:
        total += token.pos_ in ("NOUN", "ADJ")
    elif kinds and kinds <= _NOUN_ONLY:
        total += token.pos_ == "VERB" and token.tag_ in ("VBZ", "VBP", "VB")
    if after is not None and token.pos_ in ("NOUN", "PROPN"):
        opens = after.tag_ in ("DT", "PRP$") and after.lower_ not in ("both", "all", "each", "that")
        total += token.lower_ not in _TIMES and (opens or after.lower_ == "whether")  # "shields its …"
        if token.dep_ == "conj" and token.tag_ in ("NN", "NNP") and token.n_lefts == 0:
            strong = token.head.pos_ == "ADJ" or after.tag_ in ("DT", "PRP$") or after.lower_ == "as"
            if after.tag_ in ("IN", "DT", "PRP$", "TO") and ("verb", "") in kinds_of(token.lower_):
                total += 1 if strong else 0.5  # "are soft and contract under …"
        if token.tag_ == "NNS" and token.dep_ == "compound" and token.head.tag_ == "NNS":
            total += 0.5
    if token.dep_ == "mark":
        total += token.head.pos_ not in ("VERB", "AUX", "ADJ") and not has(token.head, "cop")
    if token.tag_ in ("VBZ", "VBP", "VBD") and token.dep_ not in ("aux", "auxpass"):
        total += not _has_subject(token)
        total += 0.5 * (
            token.tag_ == "VBZ" and any(c.tag_ == "NNS" and not has(c, "conj") for c in kids(token, "nsubj"))
        )
    if token.tag_ == "RB" and token.dep_ == "advmod" and token.head.pos_ in ("NOUN", "PROPN"):
        total += 0.5 * (token.i > token.head.i)
    return total


def _has_subject(verb: Token) -> bool:
    while not has(verb, *SUBJECTS, "expl"):
        shared = verb.dep_ in ("conj", "xcomp") or (verb.dep_ in ("ccomp", "parataxis") and verb.head.i > verb.i)
        if not shared:
            return verb.dep_ == "acl"
        verb = verb.head
    return True


def variants(text: Prose, span: Span) -> list[tuple[float, Prose]]:
    """(cost, the same sentence with a word in doubt replaced), at most `MAX_VARIANTS`, the most plausible first."""
    made: list[tuple[float, Prose]] = []
    noun, start, end = plain_word("noun", ""), span.start_char, span.end_char
    if noun in span.text:
        made.append((0.1, Prose(text.source, text.text[start:end].replace(noun, OTHER_NOUN), text.at[start:end])))
    for token in span:
        word = text.original(token.idx, token.idx + len(token))
        if not word.isalpha() or len(word) < 3 or not (word.islower() or token.i == span.start):
            continue
        ending = "s" if word.endswith("s") and not word.endswith("ss") else ""
        for kind, cost in (
            ("verb", _cost_as_verb(token, span, ending, word)),
            ("noun", _cost_as_noun(token, ending, word)),
        ):
            if cost is not None:
                made.append((cost, _replaced(text, span, token, plain_word(kind, ending))))
        if token.tag_ in ("VBD", "VBN") and token.dep_ in ("amod", "acl", "compound", "nmod") and word.endswith("ed"):
            made.append((0.2, _replaced(text, span, token, plain_word("past", ""))))
    return sorted(made, key=lambda pair: pair[0])[:MAX_VARIANTS]


def _cost_as_verb(token: Token, span: Span, ending: str, word: str) -> float | None:
    """How far-fetched it is to read a noun or adjective as a verb; None where it cannot be one."""
    if token.i == span.start or token.i + 1 >= span.end or token.pos_ not in ("NOUN", "ADJ", "PROPN", "ADV"):
        return None
    before, after = token.nbor(-1), token.nbor(1)
    if token.tag_ == "RB" or after.pos_ in ("VERB", "AUX") or ("verb", ending) not in kinds_of(word.lower()):
        return None
    if before.pos_ not in ("NOUN", "PROPN", "NUM", "ADV", "ADJ", "PRON", "CCONJ", "PUNCT"):
        return None
    if not ending and before.tag_ not in ("NNS", "NNPS", "RB", "CC", "NN", "NNP"):
        return None
    cost = 0 if after.tag_ in ("DT", "PRP$") else 0.1 if after.tag_ in ("IN", "RB", "TO") else 0.4
    if not ending and (before.tag_ == "NN" or before.pos_ == "ADJ"):
        cost += 0.4  # "the glass transition": a singular noun takes no bare verb
    return cost + (0.3 if before.pos_ in ("ADJ", "CCONJ", "PUNCT") else 0)


def _cost_as_noun(token: Token, ending: str, word: str) -> float | None:
    """How far-fetched it is to read a verb, adverb or adjective as a noun; None where it cannot be one."""
    if token.pos_ not in ("VERB", "ADV", "ADJ") or token.tag_ in ("VBG", "VBN", "VBD") or has(token, "auxpass"):
        return None
    kinds = kinds_of(word.lower())
    if ("noun", ending) not in kinds or word.lower() in ("is", "are", "has", "have", "does"):
        return None
    return 0 if {kind for kind, _ in kinds} == {"noun"} else 0.35


def _replaced(text: Prose, span: Span, token: Token, word: str) -> Prose:
    """The sentence as prose of its own, `token` read as `word`."""
    start, a, b, end = span.start_char, token.idx, token.idx + len(token), span.end_char
    places = spread(word, text.at[a][0], text.at[b - 1][1])
    changed = text.text[start:a] + word + text.text[b:end]
    return Prose(text.source, changed, [*text.at[start:a], *places, *text.at[b:end]])
