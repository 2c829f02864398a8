"""How far from the best a trajectory can be: its score beside a ceiling that no sequence exceeds.

The relaxed recursion bounds relevance and transitions alone. Each share of equation 5 is at most one, so the ceiling
of the whole is that bound plus μ + ν + ρ; for the running score of Algorithm 1, which counts μ and ν at each of L − 1
steps, it is the bound plus (L − 1)(μ + ν) + ρ.
"""

from __future__ import annotations

from .problem import Problem
from .viterbi import relaxed_bound

__all__ = ["certificate"]


def certificate(problem: Problem, score: float, length: int, search_score: float | None = None) -> dict[str, float]:
    """Scores beside their ceilings.

    Returns
    -------
    dict
        `score`, `ceiling`, `gap` of equation 5; `search_score`, `search_ceiling` of Algorithm 1 where it is given.

    Notes
    -----
    A share that cannot be earned (no precedence, no phases) is left out of the ceiling.
    """
    weights, bound = problem.weights, relaxed_bound(problem, length)
    precedence = weights.precedence if problem.before.any() else 0.0
    covered = weights.coverage if problem.phases else 0.0
    steps = max(min(length, len(problem)) - 1, 0)
    shares = (precedence + weights.continuity) * bool(steps) + covered
    ceiling = bound + shares
    found = {"score": score, "ceiling": ceiling, "gap": ceiling - score}
    if search_score is not None:
        found |= {
            "search_score": search_score,
            "search_ceiling": bound + steps * (precedence + weights.continuity) + covered,
        }
    return found
