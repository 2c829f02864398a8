"""What a reader says: an answer, how sure it is, and why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Reading", "combined"]


@dataclass(frozen=True)
class Reading:
    """An answer from evidence.

    Attributes
    ----------
    answer : str, float or None
        None: the evidence does not say.
    confidence : float in [0, 1]
    rationale : str
        What was read, in the order in which it was read.
    trajectory : int or None
        The one that supports the answer, from 1.
    tokens : int or None
        Spent on a language model; None for readers that need none.
    parts : list of Reading
        One a trajectory, where they were read one by one.
    """

    answer: Any
    confidence: float = 0.0
    rationale: str = ""
    trajectory: int | None = None
    tokens: int | None = None
    parts: list[Reading] = field(default_factory=list, repr=False)


def combined(parts: Sequence[Reading], numeric: str = "vote") -> Reading:
    """One reading of several: a vote weighted by confidence; of numbers, if asked, the weighted mean.

    Ties fall to the answer of the earliest trajectory. Readings without an answer do not vote.

    Examples
    --------
    >>> combined([Reading("yes", 0.4), Reading("no", 0.7), Reading("yes", 0.5)]).answer
    'yes'
    >>> combined([Reading(10.0, 0.5), Reading(20.0, 0.5)], numeric="mean").answer
    15.0
    """
    tokens = sum(part.tokens for part in parts if part.tokens) or None
    said = [(place, part) for place, part in enumerate(parts, start=1) if part.answer is not None]
    if not said:
        why = parts[0].rationale if parts else "There is no evidence."
        return Reading(None, 0.0, why, None, tokens, list(parts))
    total = sum(part.confidence for _, part in said)
    first = said[0][1]
    if numeric == "mean" and total > 0 and all(isinstance(part.answer, int | float) for _, part in said):
        mean = sum(part.answer * part.confidence for _, part in said) / total
        return Reading(mean, total / len(said), first.rationale, said[0][0], tokens, list(parts))
    votes: dict[Any, float] = defaultdict(float)
    for _, part in said:
        votes[part.answer] += part.confidence
    top = max(votes.values())
    place, best = next((p, part) for p, part in said if votes[part.answer] >= top - 1e-12)
    return Reading(best.answer, top / max(len(parts), 1), best.rationale, place, tokens, list(parts))
