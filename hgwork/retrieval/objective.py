"""The retrieval objective: five terms of a sequence of hyperedges, a whole batch of sequences at once.

Equation 5 of [1]_ sums relevance and transitions over a sequence and adds three shares: related neighbours that stand
in order (equation 11), mean Jaccard similarity of neighbours (equation 12) and phases met (equation 13). Algorithm 1
adds other increments, step by step; `increments` gives those.

References
----------
.. [1] Knowledge Is Not Static: Order-Aware Hypergraph RAG for Language Models, equations 5 and 11 to 13, algorithm 1.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from .problem import Problem

__all__ = [
    "TERMS",
    "continuity",
    "coverage",
    "increments",
    "new_phases",
    "objective",
    "order_coherence",
    "precedence_consistency",
    "relevance",
    "terms_of",
    "totals",
]

TERMS = ("relevance", "order", "precedence", "continuity", "coverage")


def objective(problem: Problem, sequences) -> pd.DataFrame:
    """The weighted terms of equation 5 for a batch of sequences.

    Parameters
    ----------
    problem : Problem
    sequences : int array, shape (B, L)
        Places among the candidates; all of one length.

    Returns
    -------
    DataFrame, B rows
        `relevance`, `order`, `precedence`, `continuity`, `coverage`, each with its weight, and their sum `total`.

    Raises
    ------
    ValueError
        If the sequences are no array of places.

    Examples
    --------
    >>> import hgwork as hg
    >>> H = hg.datasets.load("toy")
    >>> retriever = hg.retrieval.Retriever(H, hg.order.precedence(H), vectors=np.eye(10))
    >>> problem = retriever.problem(np.eye(10)[0])
    >>> objective(problem, [[0, 1]])[["relevance", "precedence"]].round(2).values.tolist()
    [[1.0, 0.3]]
    """
    sequences = _checked(problem, sequences)
    columns = _terms(problem, sequences)
    table = pd.DataFrame(dict(zip(TERMS, columns, strict=True)))
    return table.assign(total=table.sum(axis=1))


def terms_of(problem: Problem, places) -> dict[str, float]:
    """The weighted terms of one sequence and their sum `total`, without a table."""
    columns = _terms(problem, np.asarray([list(places)], np.int64))
    found = dict(zip(TERMS, (float(column[0]) for column in columns), strict=True))
    return found | {"total": sum(found.values())}


def totals(problem: Problem, sequences) -> np.ndarray:
    """Equation 5 alone; float64, shape (B,)."""
    return np.sum(_terms(problem, np.asarray(sequences, np.int64)), axis=0)


def _terms(problem: Problem, sequences: np.ndarray) -> list[np.ndarray]:
    weights = problem.weights
    precedence = np.nan_to_num(precedence_consistency(problem, sequences), nan=0.0)
    covered = np.nan_to_num(coverage(problem, sequences), nan=0.0)
    return [
        relevance(problem, sequences),
        weights.order * order_coherence(problem, sequences) if weights.order else np.zeros(len(sequences)),
        weights.precedence * precedence,
        weights.continuity * continuity(problem, sequences),
        weights.coverage * covered,
    ]


def relevance(problem: Problem, sequences: np.ndarray) -> np.ndarray:
    """Sum of relevance; (B, L) -> (B,)."""
    return problem.relevance[sequences].sum(axis=1)


def order_coherence(problem: Problem, sequences: np.ndarray) -> np.ndarray:
    """Sum of the transition terms of neighbours, raw or normalised as the problem holds them."""
    return problem.order[sequences[:, :-1], sequences[:, 1:]].sum(axis=1)


def precedence_consistency(problem: Problem, sequences: np.ndarray) -> np.ndarray:
    """Of related neighbours the share in order (equation 11); NaN where no neighbours are related: it then adds 0."""
    one, two = sequences[:, :-1], sequences[:, 1:]
    forward = problem.before[one, two].sum(axis=1)
    related = forward + problem.before[two, one].sum(axis=1)
    with np.errstate(invalid="ignore"):
        return np.where(related > 0, forward / np.maximum(related, 1), np.nan)


def continuity(problem: Problem, sequences: np.ndarray) -> np.ndarray:
    """Mean Jaccard similarity of neighbours (equation 12); 0 for a single step."""
    steps = sequences.shape[1] - 1
    return problem.jaccard[sequences[:, :-1], sequences[:, 1:]].sum(axis=1) / max(steps, 1)


def coverage(problem: Problem, sequences: np.ndarray) -> np.ndarray:
    """Share of the phases that are met (equation 13); NaN where no phases are known: it then adds 0."""
    if not problem.phases:
        return np.full(len(sequences), np.nan)
    return new_phases(problem, sequences).sum(axis=1) / len(problem.phases)


def new_phases(problem: Problem, sequences: np.ndarray) -> np.ndarray:
    """Whether each step is the first of its phase; bool, (B, L)."""
    phase = problem.phase[sequences]
    earlier = phase[:, :, None] == phase[:, None, :]
    earlier &= np.tri(sequences.shape[1], k=-1, dtype=bool)[None, :, :]
    return (phase >= 0) & ~earlier.any(axis=2)


def increments(problem: Problem) -> np.ndarray:
    """What Algorithm 1 adds for a step from row to column, but for coverage; float64, (|C|, |C|).

    ``Rel(e') + λ log P(e' | e) + μ [e ≺ e'] + ν J(e, e')``: here μ and ν count at every step, not as shares of the
    whole. The diagonal is -inf.
    """
    weights = problem.weights
    step = problem.relevance[None, :] + weights.precedence * problem.before + weights.continuity * problem.jaccard
    if weights.order:
        step = step + weights.order * np.where(np.isfinite(problem.order), problem.order, 0.0)
        step[~np.isfinite(problem.order)] = -np.inf
    np.fill_diagonal(step, -np.inf)
    return step


def _checked(problem: Problem, sequences) -> np.ndarray:
    found = np.asarray(sequences)
    if found.ndim != 2 or not np.issubdtype(found.dtype, np.integer):
        raise ValueError("sequences is no integer array of shape (B, L): give places among the candidates, row by row.")
    if found.size and not (found.min() >= 0 and found.max() < len(problem)):
        raise ValueError(f"sequences holds a place outside the {len(problem)} candidates.")
    return found.astype(np.int64)
