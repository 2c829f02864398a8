"""Action nouns and gerunds with two participants become light verbs: "removal of water by silica" -> remove [1]_.

Their participants, not the noun, then stand in the outer clause.

References
----------
.. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, section 2.1.1 (pass 2).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .words import ACTION_ENDINGS, ACTION_NOUNS, NOT_ACTIONS

if TYPE_CHECKING:
    from spacy.tokens import Token

    from .phrases import Found, Phrases

__all__ = ["action_parts", "verb_of"]

_LINKS = ("by", "with", "to", "into", "onto", "from", "as", "through", "via", "in", "on")


_VERBS = {
    "isation": "ise", "ization": "ize", "ication": "icate", "idation": "idise", "ation": "ate", "ysis": "yse",
    "ption": "b", "ction": "ct", "ution": "ute", "ition": "e", "ission": "it", "sion": "se", "ment": "", "oval": "ove",
    "ance": "", "ery": "er",
}  # fmt: skip


def verb_of(noun: str) -> str | None:
    """The light verb of an action noun, or None where the noun names no action.

    Examples
    --------
    >>> verb_of("oxidation"), verb_of("blending"), verb_of("treatment"), verb_of("region")
    ('oxidise', 'blend', 'treat', None)
    """
    noun = noun.lower()
    if noun in ACTION_NOUNS:
        return ACTION_NOUNS[noun]
    if noun in NOT_ACTIONS or not noun.endswith(ACTION_ENDINGS) or len(noun) < 7:
        return None
    for ending, verb in _VERBS.items():
        if noun.endswith(ending):
            return noun.removesuffix(ending) + verb
    stem = noun.removesuffix("ing")
    return stem[:-1] if re.search(r"([bdgmnprt])\1$", stem) else stem


def action_parts(token: Token, phrases: Phrases) -> tuple[str, list[Found], str, list[Found]] | None:
    """(verb, source, preposition, target) of an action noun or gerund with two participants, else None."""
    if token.pos_ == "VERB" and token.tag_ == "VBG":
        verb: str | None = token.lemma_.lower()
        objects = [c for c in token.children if c.dep_ == "dobj"]
    elif token.pos_ in ("NOUN", "PROPN") and token.tag_ in ("NN", "NNP"):
        verb, objects = verb_of(phrases.word(token)), []
    else:
        return None
    if verb is None or token.tag_ == "NNS":
        return None
    preps = _prepositions(token)
    patients = [f for o in objects for f in phrases.members(o)]
    patients += [f for p in preps if p.lower_ == "of" for f in phrases.phrase(p)]
    owners = [c for c in token.children if c.dep_ == "poss"]
    others = [p for p in preps if p.lower_ in _LINKS and p.i > token.i]
    if not others or (
        len(others) == 1 and others[0].lower_ in ("in", "on", "through") and verb != "use" and token.pos_ != "VERB"
    ):
        return None
    agents = [f for p in others if p.lower_ == "by" for f in phrases.phrase(p)]
    for owner in owners:
        patients += phrases.members(owner)
    rest = [p for p in others if p.lower_ != "by"]
    targets = [f for p in rest for f in phrases.phrase(p)]
    patients = [f for f in patients if f not in agents and f not in targets]
    if not patients:
        return None
    if agents:
        return verb, agents, "", sorted(patients + targets)
    if verb == "release" and rest and rest[0].lower_ == "from" and targets:
        return verb, targets, "", patients
    if not targets:
        return None
    return verb, patients, rest[0].lower_, targets


def _prepositions(token: Token) -> list[Token]:
    """The prepositions of a noun, also those that the parser hung on the noun of its "of …"."""
    preps = [c for c in token.rights if c.dep_ in ("prep", "agent")]
    for preposition in list(preps):
        if preposition.lower_ == "of":
            for noun in preposition.children:
                preps += [
                    p
                    for p in noun.rights
                    if p.dep_ in ("prep", "agent") and p.lower_ in ("by", "to", "with", "into", "from", "as")
                ]
    return preps
