"""Who acts on whom: a claim read against the source and the target of a statement."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ._words import Abbreviations, listed, root, roots_of, words_of

__all__ = ["reversed_by"]

_SYMMETRICAL = frozenset(
    root(word)
    for word in listed(
        "is are was were be been has have bind bound blend mix combine join link connect relate associate "
        "interact correlate equal resemble match contact meet neighbour pair coincide coexist compare differ"
    )
)
_CONVERSE = {root("follow"): root("precede"), root("succeed"): root("precede")}
_SMALL = frozenset(
    listed(
        "is are was were be been being has have had do does did not no can could may might will would should "
        "must by to of in on at for with from into onto as than the a an it its and or also then"
    )
)
_PREPOSITIONS = frozenset(
    listed("to of in on at for with from into onto under over through upon within during near against")
)
_BREAKS = re.compile(r"[;:]|, (?=which|while|whereas|but|who)|\b(?:while|whereas|but)\b")


def reversed_by(claim: str, statements: Iterable[tuple[list[str], str, list[str]]], known: Abbreviations) -> str | None:
    """The statement that a claim turns around, described; None if none, or if another statement says it that way.

    Parameters
    ----------
    claim : str
        Without citations.
    statements : iterable of (source names, relation, target names)
    known : Abbreviations

    Notes
    -----
    Read are claims that use the relation's own verb (or its converse: follows, precedes) between a name of the source
    and a name of the target. Voice is taken from "by" after the verb; symmetrical relations (binds, is linked to) have
    no direction.

    Examples
    --------
    >>> statement = (["lysozyme"], "degrades", ["chitosan"])
    >>> reversed_by("Chitosan is degraded by lysozyme.", [statement], Abbreviations([]))
    >>> reversed_by("Chitosan degrades lysozyme.", [statement], Abbreviations([]))
    'lysozyme – degrades – chitosan'
    """
    turned = None
    for source, relation, target in statements:
        first, second = _own(source, target, known), _own(target, source, known)
        way = _read_relation(relation)
        if not (first and second and way):
            continue
        for part in _BREAKS.split(claim):
            found = _order(part, first, second, way, known)
            if found is True:
                return None
            if found is False:
                turned = turned or f"{', '.join(source)} – {relation} – {', '.join(target)}"
    return turned


def _own(names: list[str], others: list[str], known: Abbreviations) -> set[str]:
    """Roots that only these names hold."""
    mine, theirs = (known.expand(r for name in group for r in roots_of(name)) for group in (names, others))
    return {word for word in mine - theirs if len(word) > 1}


def _read_relation(relation: str) -> tuple[str, bool, str | None] | None:
    """(root of its verb, whether the target acts, preposition that leads to the target)."""
    words = [word.lower() for word in words_of(relation)]
    verbs = [word for word in words if word not in _SMALL]
    if not verbs or root(verbs[-1]) in _SYMMETRICAL:
        return None
    last = words[-1]
    verb = root(verbs[-1])
    passive = last == "by" and len(words) > 1
    if passive and verbs[-1].endswith(("s", "ing")):  # "limits by": no passive, and no telling what it is
        return None
    if verb in _CONVERSE:
        return _CONVERSE[verb], not passive, None
    return verb, passive, last if last in _PREPOSITIONS else None


def _order(part: str, first: set[str], second: set[str], way, known: Abbreviations) -> bool | None:
    """True if a clause tells the statement's direction, False if the opposite, None if it tells none."""
    verb, target_acts, preposition = way
    words = words_of(part)
    kinds = [_kind(word, first, second, known) for word in words]
    for place, word in enumerate(words):
        own = root(word.lower())
        swapped = _CONVERSE.get(own) == verb
        if own != verb and not swapped:
            continue
        before = next((k for k in reversed(kinds[:place]) if k), None)
        after_place = next((i for i in range(place + 1, len(words)) if kinds[i]), None)
        if before is None or after_place is None or before == kinds[after_place]:
            continue
        between = [w.lower() for w in words[place + 1 : after_place]]
        passive = "by" in between
        led = next((w for w in between if w in _PREPOSITIONS), None)
        if preposition is not None:  # "extracted from": the source stands left whatever the voice
            if led == preposition and not passive:
                return before == "first"
            continue
        if led and not passive:  # "gels in the presence of": the verb has no object here
            continue
        source_acts = (before == "first") != passive
        return (source_acts == target_acts) if swapped else (source_acts != target_acts)
    return None


def _kind(word: str, first: set[str], second: set[str], known: Abbreviations) -> str | None:
    roots = roots_of(word)
    one, other = bool(roots & first), bool(roots & second)
    return None if one == other else "first" if one else "second"
