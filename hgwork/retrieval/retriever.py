"""A hypergraph prepared to be asked for trajectories: vectors, entity sets, order and transitions, made once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..hypergraph import Hypergraph
from ..order.transitions.probability import normalised
from ..order.transitions.text import edge_texts
from .beam import beam
from .candidates import scope
from .dag import dag
from .edge_arrays import confidences, dense, entity_sets, group_codes, phase_codes, placed, unit
from .naming import GroupNames
from .problem import Candidates, Problem
from .result import Found
from .topk import topk
from .trajectory import Trajectory
from .transition_scores import TransitionScores
from .viterbi import viterbi
from .weights import Weights

__all__ = ["METHODS", "Retriever"]

METHODS = ("beam", "viterbi", "dag", "topk")


class Retriever:
    """Ask one hypergraph many questions.

    Parameters
    ----------
    H : Hypergraph
        m hyperedges; `text`, `group`, `phase` and an order where known.
    precedence : Precedence, optional
        Of H. Without it no pair is in order, and "dag" follows the rows of ``H.edges`` unless `ranks` are given.
    transitions : TransitionModel or baseline, optional
        Fitted; one that has not read H reads it now.
    embedder : Embedder, name, optional
        Of queries and hyperedges; the packaged one by default.
    vectors : float array, shape (m, dimension), optional
        Vectors of the hyperedges, so that they need not be embedded again.
        Brought to length one where they are not.
    signature : str, optional
        Of the embedder that made `vectors`; compared with that of `embedder`.
    horizon_tokens : bool
        Whether the texts that are embedded keep what tells their horizon (`hgwork.order.transitions.edge_texts`).
        Given vectors are taken as they are.
    phases : sequence of str, optional
        S of equation 13; by default the phases of the domain, without one those that the hyperedges name. () for none.
    ranks : Series or mapping of hyperedge to number, optional
        A learned or given order for "dag", within each group; in place of the canonical one.
    with_anchors : bool
        Whether injected anchors count as shared entities: they make all facts of a horizon alike.
    change_coverage : bool
        Whether a change between horizons counts for the phase of its family.

    Raises
    ------
    ValueError
        If vectors are not finite, of another number or of another embedder, or the precedence does not hold a
        hyperedge of H; the message says which.

    Examples
    --------
    >>> import hgwork as hg
    >>> H = hg.datasets.load("toy")
    >>> retriever = Retriever(H, hg.order.precedence(H))
    >>> best = retriever.retrieve("Who counted groups?", method="dag", length=3, n=1)[0]
    >>> len(best), best.terms["precedence"]
    (3, 0.3)
    """

    def __init__(
        self,
        H: Hypergraph,
        precedence: Any = None,
        transitions: Any = None,
        embedder: Any = None,
        *,
        vectors: np.ndarray | None = None,
        signature: str | None = None,
        horizon_tokens: bool = True,
        phases: Sequence[str] | None = None,
        ranks: pd.Series | Mapping[str, float] | None = None,
        with_anchors: bool = True,
        change_coverage: bool = False,
        progress: bool = False,
    ):
        self.hypergraph, self.precedence = H, precedence
        self._embedder, self._progress = embedder, progress
        self._horizon_tokens = horizon_tokens
        self.ids = H.edges.index.tolist()
        self._placed = placed(precedence, self.ids)
        self.vectors = self._checked_vectors(vectors, signature)
        self._query_vectors: dict[str, np.ndarray] = {}
        self._members = entity_sets(H, with_anchors)
        self._shared = self._members if not with_anchors else entity_sets(H, False)
        self._size = np.asarray(self._members.sum(axis=1)).ravel()
        self._group, self.groups = group_codes(H)
        self._rows_of = {name: np.flatnonzero(self._group == code) for code, name in enumerate(self.groups)}
        self._names: GroupNames | None = None
        self.phases, self._phase = phase_codes(H, precedence, phases, self._placed, change_coverage)
        self._confidence = confidences(H)
        self._rank = self._ranks(ranks)
        self._transitions = self._scores(transitions)

    # ---------------------------------------------------------------- ask

    def retrieve(
        self,
        query: str,
        *,
        weights: Weights | None = None,
        method: str = "beam",
        beam: int = 8,
        length: int = 8,
        n: int = 3,
        diversity: float = 0.1,
        group: str | Sequence[str] | None = None,
        normalise: bool = True,
        across: bool = False,
        **scoping: Any,
    ) -> list[Trajectory]:
        """The best trajectories for a query.

        Parameters
        ----------
        query : str
        weights : Weights
            The paper's by default.
        method : {"beam", "viterbi", "dag", "topk"}
            "beam" is the paper's Algorithm 1; "viterbi" is exact for relevance and transitions; "dag" is exact along
            the order that precedence gives; "topk" takes the most relevant.
        beam, length, n : int, at least 1
            Width B, steps L, trajectories N.
        diversity : float, at least 0
            Penalty on what an earlier trajectory holds (see each search).
        group : str or sequence of str, optional
            The knowledge groups that the query is about; by default those that it names.
        normalise : bool
            Score transitions by 1 + log P / log(|C| − 1), not by log P, which outweighs relevance.
        across : bool
            Let a trajectory of "dag" go through several groups, one after the other.
        **scoping
            `top_k` (80), `cap` (150), `reserve` (0.4): see `scope`.

        Returns
        -------
        list of Trajectory
            At most n, best first: by equation 5 for "beam", in the order found for the others.

        Raises
        ------
        ValueError
            If the query is empty or an argument is out of range.
        KeyError
            If there is no such group.
        """
        if method not in METHODS:
            raise ValueError(f"method={method!r}: give one of {', '.join(METHODS)}.")
        for name, value in (("beam", beam), ("length", length), ("n", n)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise ValueError(f"{name}={value!r}: give a whole number of at least 1.")
        if not diversity >= 0:
            raise ValueError(f"diversity={diversity!r}: give a number of at least 0.")
        problem = self.problem(query, weights=weights, group=group, normalise=normalise, **scoping)
        found = _search(problem, method, beam, length, n, diversity, across)
        return [self.trajectory(problem, one, query=query, method=method, length=length) for one in found]

    def trajectory(self, problem: Problem, found: Found, *, query: str, method: str, length: int = 0) -> Trajectory:
        """What a search found, as a `Trajectory`."""
        short = len(found.places) < length
        note = f"{len(found.places)} steps instead of {length}: no more candidates can follow." if short else ""
        return Trajectory.from_problem(
            self.hypergraph, self.precedence, problem, found.places, query=query, method=method,
            search_score=found.score, proven=found.proven, note=note,
        )  # fmt: skip

    def problem(
        self,
        query: str | np.ndarray,
        *,
        weights: Weights | None = None,
        group: str | Sequence[str] | None = None,
        normalise: bool = True,
        rows: np.ndarray | None = None,
        **scoping: Any,
    ) -> Problem:
        """The candidates of a query and all that scores them; `rows` gives the candidates instead of scoping."""
        weights = Weights() if weights is None else weights
        if not isinstance(weights, Weights):
            raise TypeError(f"weights is {type(weights).__name__}: give hgwork.retrieval.Weights(…).")
        candidates = self.candidates(query, group=group, **scoping) if rows is None else self._given(query, rows)
        rows = candidates.rows
        relevance = candidates.relevance
        if weights.confidence:
            relevance = relevance * self._confidence[rows] ** weights.confidence
        log_prob = self._transitions.log_prob(rows) if self._transitions is not None and len(rows) else None
        order = (
            np.zeros((len(rows), len(rows))) if log_prob is None else normalised(log_prob) if normalise else log_prob
        )
        return Problem(
            candidates=candidates, weights=weights, relevance=relevance, log_prob=log_prob, order=order,
            before=self._before(rows), jaccard=self._jaccard(rows), phase=self._phase[rows], phases=self.phases,
            rank=dense(self._rank[rows]), group=self._group[rows], has_precedence=self.precedence is not None,
            own=self._of_own(rows, candidates.groups),
        )  # fmt: skip

    def candidates(
        self, query: str | np.ndarray, *, group: str | Sequence[str] | None = None, **scoping: Any
    ) -> Candidates:
        """The hyperedges that a query searches among (`scope`)."""
        relevance = self.relevance(query)
        groups = self._own(query, group)
        own = np.concatenate([self._rows_of[name] for name in groups]) if groups else np.zeros(0, np.int64)
        return scope(relevance, own, self._neighbours, self.ids, groups, **scoping)

    def relevance(self, query: str | np.ndarray) -> np.ndarray:
        """Cosine of a query with every hyperedge; float32, (m,)."""
        vector = self.encode([query])[0] if isinstance(query, str) else np.asarray(query, np.float32)
        if vector.shape != self.vectors.shape[1:]:
            raise ValueError(
                f"the query vector has shape {vector.shape}, the hyperedges have {self.vectors.shape[1]} dimensions."
            )
        if not np.isfinite(vector).all():
            raise ValueError("the query vector holds NaN or infinity: embed the query again.")
        return self.vectors @ unit(vector[None, :])[0]

    def encode(self, queries: Sequence[str], progress: bool = False) -> np.ndarray:
        """Unit vectors of queries, kept: encode many at once before asking them one by one."""
        for query in queries:
            if not isinstance(query, str) or not query.strip():
                raise ValueError(f"the query is {query!r}: give some text.")
        fresh = [query for query in dict.fromkeys(queries) if query not in self._query_vectors]
        if fresh:
            vectors = self.embedder.encode(fresh, progress=progress)
            if vectors.shape[1:] != self.vectors.shape[1:]:
                raise ValueError(
                    f"queries embedded by {self.embedder.signature!r} have {vectors.shape[1]} dimensions, the vectors "
                    f"of the hyperedges {self.vectors.shape[1]}. Give the embedder that made them."
                )
            self._query_vectors |= dict(zip(fresh, vectors, strict=True))
        return np.stack([self._query_vectors[query] for query in queries])

    def named(self, query: str) -> tuple[str, ...]:
        """The knowledge groups that a query names (`GroupNames`)."""
        if self._names is None:
            self._names = GroupNames(self.hypergraph)
        return self._names.named(query)

    @property
    def embedder(self) -> Any:
        if self._embedder is None or isinstance(self._embedder, str):
            from ..models.embedder import embedder

            self._embedder = embedder(self._embedder or "minilm")
        return self._embedder

    def __repr__(self) -> str:
        about = f"{len(self.ids):,} hyperedges, {len(self.groups):,} groups"
        known = {"precedence": self.precedence is not None, "transitions": self._transitions is not None}
        return f"<Retriever: {about}, {', '.join(f'{k} {v}' for k, v in known.items())}>"

    # ---------------------------------------------------------------- prepare

    def _checked_vectors(self, vectors, signature) -> np.ndarray:
        if signature is not None and signature != self.embedder.signature:
            raise ValueError(
                f"the stored vectors are of {signature!r}, the embedder is {self.embedder.signature!r}: cosines of "
                "the two mean nothing. Give the embedder that made them, or leave the vectors out."
            )
        if vectors is None:
            texts = edge_texts(self.hypergraph, horizon_tokens=self._horizon_tokens).tolist()
            vectors = self.embedder.encode(texts, progress=self._progress)
        vectors = np.ascontiguousarray(vectors, np.float32)
        if vectors.ndim != 2 or len(vectors) != len(self.ids):
            raise ValueError(f"vectors has shape {vectors.shape}: give one row for each of {len(self.ids)} hyperedges.")
        if not np.isfinite(vectors).all():
            row = int(np.flatnonzero(~np.isfinite(vectors).all(axis=1))[0])
            raise ValueError(f"the vector of hyperedge {self.ids[row]!r} holds NaN or infinity: embed its text again.")
        return unit(vectors)

    def _ranks(self, ranks) -> np.ndarray:
        if ranks is not None:
            found = pd.Series(ranks, dtype=float).reindex(self.ids)
            return found.fillna(np.inf).to_numpy()
        if self.precedence is not None:
            return self.precedence.table["rank"].reindex(self.ids).to_numpy(float)
        return np.arange(len(self.ids), dtype=float)

    def _scores(self, transitions) -> TransitionScores | None:
        if transitions is None:
            return None
        features = getattr(transitions, "features", None)
        if features is None or not pd.Index(features.ids).equals(self.hypergraph.edges.index):
            transitions.read(self.hypergraph)
        return TransitionScores(transitions, self.ids)

    def _own(self, query, group) -> tuple[str, ...]:
        if group is None:
            return self.named(query) if isinstance(query, str) else ()
        given = (group,) if isinstance(group, str) else tuple(group)
        for name in given:
            if name not in self._rows_of:
                some = ", ".join(map(repr, self.groups[:5])) + ", …" * (len(self.groups) > 5) or "none"
                raise KeyError(f"no knowledge group is named {name!r}; there are {some}.")
        return given

    def _given(self, query, rows) -> Candidates:
        rows = np.asarray(rows, np.int64)
        return Candidates([self.ids[row] for row in rows], rows, self.relevance(query)[rows].astype(np.float64),
                          ["given"] * len(rows))  # fmt: skip

    def _neighbours(self, rows: np.ndarray) -> np.ndarray:
        nodes = np.unique(self._shared[rows].indices)
        chosen = np.zeros(self._shared.shape[1])
        chosen[nodes] = 1
        return np.flatnonzero(self._shared @ chosen)

    def _jaccard(self, rows: np.ndarray) -> np.ndarray:
        part = self._members[rows]
        shared = (part @ part.T).toarray()
        size = self._size[rows]
        return shared / np.maximum(size[:, None] + size[None, :] - shared, 1)

    def _before(self, rows: np.ndarray) -> np.ndarray:
        if self._placed is None:
            return np.zeros((len(rows), len(rows)), bool)
        at = self._placed[rows]
        return self.precedence.before_matrix_of_rows(at, at)

    def _of_own(self, rows: np.ndarray, groups: tuple[str, ...]) -> np.ndarray | None:
        codes = [code for code, name in enumerate(self.groups) if name in groups]
        return np.isin(self._group[rows], codes) if codes else None


def _search(
    problem: Problem, method: str, width: int, length: int, n: int, diversity: float, across: bool
) -> list[Found]:
    if not len(problem):
        return []
    if method == "beam":
        return beam(problem, length, n, width, diversity)
    if method == "viterbi":
        return viterbi(problem, length, n, diversity)
    return dag(problem, length, n, diversity, across) if method == "dag" else topk(problem, length, n)
