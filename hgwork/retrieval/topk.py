"""The most relevant candidates, in the order of their relevance: retrieval without order."""

from __future__ import annotations

import numpy as np

from .problem import Problem
from .result import Found

__all__ = ["topk"]


def topk(problem: Problem, length: int = 8, n: int = 1) -> list[Found]:
    """The `length` most relevant candidates; the next ones for the second trajectory, and so on.

    Ties stand in candidate order. Fewer than n where the candidates run out.
    """
    ranked = np.argsort(-problem.relevance, kind="stable")
    parts = [ranked[start : start + length] for start in range(0, min(len(ranked), n * length), length)]
    return [Found(tuple(part.tolist()), float(problem.relevance[part].sum())) for part in parts]
