"""What a search is given: the candidates of one query as arrays, and which terms are known.

Everything that a score needs is computed once a query; searches then only add numbers up.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from .weights import Weights

__all__ = ["DOORS", "Candidates", "Problem"]

DOORS = ("group", "similarity", "neighbour", "backfill")


@dataclass(frozen=True, eq=False)
class Candidates:
    """The hyperedges among which a query searches, most relevant first.

    Attributes
    ----------
    ids : list of str, |C|
    rows : int array, shape (|C|,)
        Places in ``H.edges``.
    relevance : float64 array, shape (|C|,)
        Cosine of query and hyperedge.
    doors : list of str
        How each came in: its own "group", "similarity" (top-K), "neighbour" (shares an entity with one of the top-K),
        "backfill".
    groups : tuple of str
        The knowledge groups that the query is about: given, or named in it; () where none is known.
    report : DataFrame, index door
        `hyperedges`, `lowest`, `highest` relevance.
    """

    ids: list[str]
    rows: np.ndarray
    relevance: np.ndarray
    doors: list[str]
    groups: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def report(self) -> pd.DataFrame:
        table = pd.DataFrame({"door": self.doors, "relevance": self.relevance})
        found = table.groupby("door")["relevance"].agg(["size", "min", "max"])
        found = found.rename(columns={"size": "hyperedges", "min": "lowest", "max": "highest"})
        return found.reindex(list(DOORS)).assign(hyperedges=lambda t: t["hyperedges"].fillna(0).astype(int))


@dataclass(frozen=True, eq=False)
class Problem:
    """Arrays over the |C| candidates of one query.

    Attributes
    ----------
    candidates : Candidates
    weights : Weights
    relevance : float64, (|C|,)
        With confidence, where it is weighted.
    log_prob : float64, (|C|, |C|)
        log P(column | row) over the candidates, -inf on the diagonal; None without transitions.
    order : float64, (|C|, |C|)
        The term as scored: `log_prob`, or 1 + log P / log(|C| − 1); zeros without transitions.
    before : bool, (|C|, |C|)
        Whether the row precedes the column.
    jaccard : float64, (|C|, |C|)
        Of the entity sets.
    phase : int64, (|C|,)
        Place in `phases`; -1 where a hyperedge counts for none.
    phases : tuple of str
        S of equation 13; () where no phases are known.
    rank : int64, (|C|,)
        Place in the order along which "dag" searches, compared within a group; all different.
    group : int64, (|C|,)
        Number of the knowledge group; -1 for none.
    has_precedence : bool
    own : bool, (|C|,), optional
        Whether a candidate is of the groups that the query is about; None where none is known.
    """

    candidates: Candidates
    weights: Weights
    relevance: np.ndarray
    log_prob: np.ndarray | None
    order: np.ndarray
    before: np.ndarray
    jaccard: np.ndarray
    phase: np.ndarray
    phases: tuple[str, ...]
    rank: np.ndarray
    group: np.ndarray
    has_precedence: bool = True
    own: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.relevance)

    def weighted(self, weights: Weights) -> Problem:
        """The same candidates under other weights (of confidence the same)."""
        if weights.confidence != self.weights.confidence:
            raise ValueError("the weight of confidence is part of relevance: make the problem anew to change it.")
        return replace(self, weights=weights)

    @property
    def related(self) -> np.ndarray:
        """Pairs that stand in either order; bool, (|C|, |C|)."""
        return self.before | self.before.T
