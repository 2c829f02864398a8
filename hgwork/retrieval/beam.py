"""Order-aware beam search, Algorithm 1 of [1]_.

References
----------
.. [1] Knowledge Is Not Static: Order-Aware Hypergraph RAG for Language Models, appendix A.7.
"""

from __future__ import annotations

import numpy as np

from .objective import increments, totals
from .problem import Problem
from .result import Found

__all__ = ["beam"]

_DIGITS = 9  # scores that agree so far are tied: sums in another order differ beyond


def beam(problem: Problem, length: int = 8, n: int = 3, width: int = 8, diversity: float = 0.1) -> list[Found]:
    """Grow sequences from the most relevant candidates, keeping the best.

    Parameters
    ----------
    problem : Problem
    length : int
        L; with fewer candidates a trajectory ends when they run out.
    n : int
        Trajectories returned.
    width : int
        B. The first beam holds the 2B most relevant candidates (line 2).
    diversity : float, at least 0
        δ: at each step (line 10) beams are kept one by one, and what is left loses δ times its largest Jaccard
        similarity, as sets, to one already kept. 0 switches it off.

    Returns
    -------
    list of Found
        By equation 5, best first; `score` is the running score of Algorithm 1, which counts precedence and continuity
        at every step and leaves out the coverage of the first. Ties (to 9 digits): the higher running score, then
        candidate order.
    """
    size = len(problem)
    gain = increments(problem)
    per_phase = problem.weights.coverage / len(problem.phases) if problem.phases else 0.0
    start = np.argsort(-problem.relevance, kind="stable")[: 2 * width]
    sequences, scores = start[:, None], problem.relevance[start]
    used = np.zeros((len(start), size), bool)
    used[np.arange(len(start)), start] = True
    seen = np.zeros((len(start), len(problem.phases) + 1), bool)
    seen[np.arange(len(start)), problem.phase[start]] = True
    for _ in range(min(length, size) - 1):
        grown = scores[:, None] + gain[sequences[:, -1]]
        if per_phase:
            fresh = ~seen[:, problem.phase] & (problem.phase >= 0)[None, :]
            grown += per_phase * fresh
        grown[used] = -np.inf
        parents, added = _kept(grown, used, sequences.shape[1] + 1, width, diversity)
        scores = grown[parents, added]
        sequences = np.concatenate([sequences[parents], added[:, None]], axis=1)
        rows = np.arange(len(parents))
        used, seen = used[parents], seen[parents]
        used[rows, added] = True
        seen[rows, problem.phase[added]] = True
    final = totals(problem, sequences)
    best = np.lexsort([np.arange(len(final)), -scores.round(_DIGITS), -final.round(_DIGITS)])[:n]
    return [Found(tuple(sequences[row].tolist()), float(scores[row])) for row in best]


def _kept(grown, used, size: int, width: int, diversity: float) -> tuple[np.ndarray, np.ndarray]:
    """Parents and added candidates of the beams that are kept, at most `width`.

    The sets of two grown beams share what their parents share, and one more for each new member that the other holds.
    """
    columns = grown.shape[1]
    if not diversity:
        flat = np.argsort(-grown.round(_DIGITS), axis=None, kind="stable")[:width]
        flat = flat[np.isfinite(grown.ravel()[flat])]
        return flat // columns, flat % columns
    among = used.astype(np.float64) @ used.T.astype(np.float64)
    largest = np.zeros(grown.shape)
    left = grown.copy()
    parents: list[int] = []
    added: list[int] = []
    for _ in range(width):
        place = int(np.argmax((left - diversity * largest).round(_DIGITS)))
        row, column = divmod(place, columns)
        if not np.isfinite(left[row, column]):
            break
        parents.append(row)
        added.append(column)
        left[row, column] = -np.inf
        shared = (among[:, row] + used[:, column])[:, None] + used[row][None, :]
        shared[:, column] += 1
        np.maximum(largest, shared / (2 * size - shared), out=largest)
    return np.array(parents, np.int64), np.array(added, np.int64)
