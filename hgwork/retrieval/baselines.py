"""What trajectories are compared with: retrieval from text, from a binary graph, and from hyperedges without order.

Every baseline answers a query with the hyperedges that a reader gets, in the order in which it ranks them, so that
methods differ in what they choose and in its order, not in form or budget.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Literal

import numpy as np
import pandas as pd
import scipy.sparse as sp

from ..lookup.ranking import Ranker, fuse
from ..lookup.words import tokens
from .orders import reorder
from .retriever import Retriever
from .trajectory import Trajectory
from .weights import ZERO, Weights

__all__ = ["BinaryGraph", "EntityExpansion", "TextRAG", "Unordered"]


class _Baseline:
    """Holds a retriever; a kind of baseline ranks rows of its hyperedges."""

    name = ""

    def __init__(self, retriever: Retriever):
        self.retriever = retriever

    def rows(self, query: str, length: int) -> np.ndarray:
        raise NotImplementedError

    def retrieve(self, query: str, *, length: int = 8, weights: Weights = ZERO) -> list[Trajectory]:
        """One trajectory of at most `length` hyperedges, in the order in which they rank; [] where nothing is found.

        `weights` only score it: the baseline does not look at them.
        """
        rows = self.rows(query, length)[:length]
        if not len(rows):
            return []
        retriever = self.retriever
        problem = retriever.problem(query, rows=rows, weights=weights)
        places = range(len(rows))
        return [
            Trajectory.from_problem(
                retriever.hypergraph, retriever.precedence, problem, places, query=query, method=self.name
            )
        ]


class TextRAG(_Baseline):
    """The sentences of the best passages, in text order within a passage.

    Parameters
    ----------
    retriever : Retriever
    method : {"dense", "bm25", "fused"}
        How passages are ranked (`hgwork.lookup.Ranker`).
    unit : {"chunk", "sentence"}
        A passage: all that one chunk states (a report), or a single sentence.
    """

    def __init__(
        self,
        retriever: Retriever,
        method: Literal["dense", "bm25", "fused"] = "dense",
        unit: Literal["chunk", "sentence"] = "chunk",
    ):
        super().__init__(retriever)
        if method not in ("dense", "bm25", "fused") or unit not in ("chunk", "sentence"):
            raise ValueError(f"method={method!r}, unit={unit!r}: give dense, bm25 or fused, and chunk or sentence.")
        self.method, self.unit, self.name = method, unit, f"text {method}, by {unit}"

    def rows(self, query: str, length: int) -> np.ndarray:
        found = self._ranker.rank(query, self.method, k=length)["id"]
        return np.concatenate([self._passages[name] for name in found])

    @cached_property
    def _passages(self) -> dict[str, np.ndarray]:
        edges = self.retriever.hypergraph.edges
        stated = edges["text"].notna() if "text" in edges else pd.Series(False, edges.index)
        if self.unit == "sentence" or "chunk" not in edges:
            return {edges.index[row]: np.array([row]) for row in np.flatnonzero(stated)}
        stated &= edges["chunk"].notna()
        start = pd.to_numeric(edges["start"], errors="coerce") if "start" in edges else pd.Series(0.0, edges.index)
        table = pd.DataFrame({"chunk": edges["chunk"], "start": start, "row": np.arange(len(edges))})[stated]
        table = table.sort_values(["start", "row"], kind="stable")
        return {str(name): part.to_numpy(np.int64) for name, part in table.groupby("chunk", sort=True)["row"]}

    @cached_property
    def _ranker(self) -> Ranker:
        column = self.retriever.hypergraph.edges["text"].to_numpy(object)
        texts = {name: " ".join(dict.fromkeys(column[rows])) for name, rows in self._passages.items()}
        return Ranker(texts, embedder=self.retriever.embedder, progress=False)


class BinaryGraph(_Baseline):
    """Personalised PageRank on the clique expansion, from the entities that the query names.

    Every hyperedge becomes links between its members; a hyperedge scores the mean of its members'. With no entity
    named, the walk starts at the members of the most relevant hyperedge.

    Parameters
    ----------
    retriever : Retriever
    damping : float
    steps : int
        Of the power iteration.
    """

    name = "binary graph, personalised PageRank"

    def __init__(self, retriever: Retriever, damping: float = 0.5, steps: int = 20):
        super().__init__(retriever)
        self.damping, self.steps = damping, steps

    def rows(self, query: str, length: int) -> np.ndarray:
        seeds = self._entities.named(query)
        if not len(seeds):
            best = int(np.argmax(self.retriever.relevance(query)))
            seeds = self.retriever._members[[best]].indices
        start = np.zeros(self._walk.shape[0])
        start[seeds] = 1 / len(seeds)
        score, step = start.copy(), start
        for _ in range(self.steps):
            step = self.damping * (self._walk @ step)
            score += step
        members = self.retriever._members
        mean = (members @ score) / np.maximum(self.retriever._size, 1)
        return _best(mean, self.retriever.relevance(query), length)

    @cached_property
    def _walk(self) -> sp.csr_array:
        """Columns sum to one: from an entity to those it is linked to."""
        members = self.retriever._members
        links = sp.csr_array(members.T @ members)
        links.setdiag(0)
        links.eliminate_zeros()
        degree = np.asarray(links.sum(axis=0)).ravel()
        return sp.csr_array(links @ sp.diags_array(np.divide(1.0, degree, out=np.zeros_like(degree), where=degree > 0)))

    @cached_property
    def _entities(self) -> _EntityNames:
        return _EntityNames(self.retriever)


class Unordered(_Baseline):
    """Hyperedges by their own similarity and by that of their entities, fused by rank: retrieval as a set.

    Parameters
    ----------
    retriever : Retriever
    entities : int
        Most similar entity names that count.
    """

    name = "unordered hypergraph"

    def __init__(self, retriever: Retriever, entities: int = 20):
        super().__init__(retriever)
        self.entities = entities

    def rows(self, query: str, length: int) -> np.ndarray:
        relevance = self.retriever.relevance(query)
        names, vectors = self._named
        similar = vectors @ self.retriever.encode([query])[0]
        top = np.argsort(-similar, kind="stable")[: self.entities]
        weight = np.zeros(len(names))
        weight[top] = np.maximum(similar[top], 0)
        through = self._holds @ weight
        score = fuse([_places(relevance), np.where(through > 0, _places(through), np.inf)])
        return _best(score, relevance, length)

    @cached_property
    def _named(self) -> tuple[pd.Index, np.ndarray]:
        names = pd.Index(sorted(set(self._surface)), dtype=object)
        return names, self.retriever.embedder.encode(names.tolist())

    @cached_property
    def _surface(self) -> list[str]:
        table = self.retriever.hypergraph.incidences
        column = (
            table["surface"].where(table["surface"].notna(), table["node"]) if "surface" in table else table["node"]
        )
        return column.astype(str).tolist()

    @cached_property
    def _holds(self) -> sp.csr_array:
        """Hyperedges × names, 0/1."""
        H = self.retriever.hypergraph
        edge = H.edges.index.get_indexer(H.incidences["edge"])
        name = self._named[0].get_indexer(self._surface)
        matrix = sp.coo_array((np.ones(len(edge)), (edge, name)), shape=(len(H.edges), len(self._named[0]))).tocsr()
        matrix.data[:] = 1
        return matrix


class EntityExpansion(_Baseline):
    """The most relevant hyperedges of the groups that the query names, put in an order.

    Parameters
    ----------
    retriever : Retriever
    order : {"canonical", "horizon", "none", …}
        See `reorder`.
    """

    def __init__(self, retriever: Retriever, order: str = "canonical"):
        super().__init__(retriever)
        self.order, self.name = order, f"entity expansion, {order}"

    def rows(self, query: str, length: int) -> np.ndarray:
        groups = self.retriever.named(query)
        relevance = self.retriever.relevance(query)
        inside = np.isin(self.retriever._group, [self.retriever.groups.index(name) for name in groups])
        return _best(np.where(inside, relevance, -np.inf) if groups else relevance, relevance, length)

    def retrieve(self, query: str, *, length: int = 8, weights: Weights = ZERO) -> list[Trajectory]:
        found = super().retrieve(query, length=length, weights=weights)
        return [reorder(trajectory, self.order) for trajectory in found]  # type: ignore[arg-type]


class _EntityNames:
    """Nodes by the names that they go by, found whole in a query."""

    def __init__(self, retriever: Retriever):
        H = retriever.hypergraph
        table = H.incidences
        names = _surfaces(table)
        node = H.nodes.index.get_indexer(table["node"])
        if "kind" in H.nodes:
            lasting = H.nodes["kind"].eq("persistent").to_numpy(bool)
            names, node = names[lasting[node]], node[lasting[node]]
        self.nodes: dict[tuple[str, ...], list[int]] = {}
        for name, place in sorted(set(zip(names.astype(str), node.tolist(), strict=True))):
            words = tuple(tokens(name))
            if words and place not in self.nodes.setdefault(words, []):
                self.nodes[words].append(place)
        self._longest = max(map(len, self.nodes), default=0)

    def named(self, query: str) -> Sequence[int]:
        words = tokens(query)
        found: set[int] = set()
        for at in range(len(words)):
            for size in range(1, self._longest + 1):
                found.update(self.nodes.get(tuple(words[at : at + size]), []))
        return sorted(found)


def _surfaces(incidences: pd.DataFrame) -> pd.Series:
    """Names as they stand in the text; identifiers where there are none."""
    names = incidences["node"]
    return incidences["surface"].where(incidences["surface"].notna(), names) if "surface" in incidences else names


def _places(score: np.ndarray) -> np.ndarray:
    places = np.empty(len(score))
    places[np.argsort(-score, kind="stable")] = np.arange(1, len(score) + 1)
    return places


def _best(score: np.ndarray, relevance: np.ndarray, length: int) -> np.ndarray:
    """Rows by score, ties by relevance, then in table order; those of -inf are left out."""
    few = min(len(score), 4 * length)
    edge = np.partition(-score, few - 1)[few - 1] if len(score) else 0.0
    rows = np.flatnonzero((-score <= edge) & np.isfinite(score))
    return rows[np.lexsort([rows, -relevance[rows], -score[rows].round(12)])][:length]
