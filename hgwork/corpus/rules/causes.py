"""Pass 2: causal connectives; members of the cause clause lead to members of the effect clause [1]_.

References
----------
.. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, section 2.1.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .clauses import Clauses, Frame
from .grammar import has
from .phrases import Found
from .words import CAUSES, CONSEQUENCES

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

__all__ = ["causes"]

_Pair = tuple[list[Found], list[Found]]
_DEGREES = ("as", "far", "much", "many", "-")


def causes(sentence: Span, clauses: Clauses) -> list[Frame]:
    """A frame ``cause – leads to – effect`` for each connective; "thereby V-ing" takes the place of its clause."""
    frames: dict[int, Frame] = {}
    for token in sentence:
        word = token.lower_
        if word in CAUSES and token.dep_ == "mark":
            pair = _because(clauses, token)
        elif word in CONSEQUENCES or (word == "result" and token.i > 1 and token.nbor(-2).lower_ == "as"):
            pair = _therefore(clauses, token, sentence)
        elif word == "why" and token.i > 1 and token.nbor(-2).lower_ == "which":
            effect = [f.verb for i, f in sorted(clauses.frames.items()) if i > token.i][:1]
            pair = _union(clauses, _main(clauses, token.i)), _union(clauses, effect)
        else:
            continue
        cause, effect_members = pair
        if cause and effect_members:
            frames.setdefault(token.i, Frame(token, cause, "leads to", effect_members, "completed"))
    return list(frames.values())


def _because(clauses: Clauses, token: Token) -> _Pair:
    inner = token.head
    governors = [clauses.merged.get(a.i, a) for a in inner.ancestors]
    outer = next((g for g in governors if g.i in clauses.frames), None)
    if inner.i not in clauses.frames or outer is None or (token.lower_ == "as" and not _set_off(inner)):
        return [], []
    effects = [outer, *_coordinated(clauses, outer)] if inner.i < outer.i else [outer]
    return _union(clauses, [inner, *_coordinated(clauses, inner)]), _union(clauses, effects)


def _therefore(clauses: Clauses, token: Token, sentence: Span) -> _Pair:
    verb, word = _clause_of(clauses, token), token.lower_
    following = token.nbor(1).lower_ if token.i + 1 < sentence.end else ""
    if verb is None or (word == "so" and following in _DEGREES):
        return [], []
    frame = clauses.frames[verb.i]
    if word == "so" and token.dep_ == "advmod" and token.head.pos_ in ("ADV", "ADJ"):  # "so slowly that …"
        that = [f.verb for i, f in clauses.frames.items() if i > token.i and has(f.verb, "mark", words=("that",))]
        return (_union(clauses, [verb]), _union(clauses, that[:1])) if that else ([], [])
    if word == "thereby":
        frame.shown = False
        return frame.source, frame.target
    earlier = _union(clauses, _main(clauses, min(token.i, verb.i)))
    if word == "so" and token.i and token.nbor(-1).lower_ == "and" and not has(verb, "nsubj", "nsubjpass"):
        return earlier, frame.target
    return earlier, _union(clauses, [verb, *_coordinated(clauses, verb)])


def _main(clauses: Clauses, before: int) -> list[Token]:
    """The verbs of main and adverbial clauses up to a place; relative and participle clauses are none."""
    return [f.verb for i, f in sorted(clauses.frames.items()) if i < before and _is_main(f.verb)]


def _is_main(verb: Token) -> bool:
    base = verb
    while base.dep_ == "conj":
        base = base.head
    return base.dep_ in ("ROOT", "ccomp", "parataxis", "advcl") and not has(base, "aux", words=("to",))


def _union(clauses: Clauses, verbs: list[Token]) -> list[Found]:
    """The members of some clauses, each label once."""
    seen: dict[str, Found] = {}
    for verb in sorted(verbs, key=lambda v: v.i):
        for found in clauses.frames[verb.i].members if verb.i in clauses.frames else []:
            seen.setdefault(found[1], found)
    return list(seen.values())


def _coordinated(clauses: Clauses, verb: Token) -> list[Token]:
    return [c for c in verb.conjuncts if c.i > verb.i and c.i in clauses.frames]


def _clause_of(clauses: Clauses, token: Token) -> Token | None:
    for ancestor in [token, *token.ancestors]:
        head = clauses.merged.get(ancestor.i, ancestor)
        if head.i in clauses.frames and head.i != token.i:
            following = [c for c in _coordinated(clauses, head) if c.i > token.i]
            return head if head.i > token.i or not following else following[0]
    return None


def _set_off(verb: Token) -> bool:
    """Whether a clause is set off by a comma: "as" then gives a reason, else a time."""
    start, end = verb.left_edge.i, verb.right_edge.i
    after = end + 1 < len(verb.doc) and verb.doc[end + 1].text == "," and start == verb.sent.start
    return after or (start > 0 and verb.doc[start - 1].text == ",")
