"""What trajectories are compared with: retrieval from text, from a binary graph, and from hyperedges without order.

Every baseline answers a query with the hyperedges that a reader gets, in the order in which it ranks them, so that
methods differ in what they choose and in its order, not in form or budget. What ranks alike stands by relevance, then
by `neutral_places`: rows stand as documents do, and would give the order away.
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal

import numpy as np
import pandas as pd
import scipy.sparse as sp
from scipy.stats import rankdata

from ..lookup.ranking import Ranker, fuse
from ..lookup.words import tokens
from .orders import ORDERS, neutral_places, reorder
from .retriever import Retriever
from .trajectory import Trajectory
from .weights import ZERO, Weights

__all__ = ["BinaryGraph", "EntityExpansion", "TextRAG", "Unordered"]

_DIGITS = 6  # cosines that agree so far are tied


class _Baseline:
    """Holds a retriever; a kind of baseline ranks rows of its hyperedges."""

    name = ""

    def __init__(self, retriever: Retriever):
        self.retriever = retriever

    def rows(self, query: str, length: int) -> np.ndarray:
        """At most `length` rows of ``H.edges``, the best first."""
        raise NotImplementedError

    def retrieve(self, query: str, *, length: int = 8, n: int = 1, weights: Weights = ZERO) -> list[Trajectory]:
        """At most n trajectories of at most `length` hyperedges, in the order in which they rank.

        Parameters
        ----------
        query : str
        length : int, at least 1
        n : int, at least 1
            The second trajectory holds the next hyperedges, and so on.
        weights : Weights
            Of the score alone: the baseline does not look at them.

        Returns
        -------
        list of Trajectory
            Fewer, or [], where less is found.

        Raises
        ------
        ValueError
            If the query is empty or a number is out of range.
        """
        if not isinstance(query, str) or not query.strip():
            raise ValueError(f"the query is {query!r}: give some text.")
        for name, value in (("length", length), ("n", n)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise ValueError(f"{name}={value!r}: give a whole number of at least 1.")
        if not self.retriever.ids:
            return []
        rows = self.rows(query, length * n)[: length * n]
        parts = [rows[start : start + length] for start in range(0, len(rows), length)]
        return [self._trajectory(query, part, weights) for part in parts]

    def _trajectory(self, query: str, rows: np.ndarray, weights: Weights) -> Trajectory:
        retriever = self.retriever
        problem = retriever.problem(query, rows=rows, weights=weights)
        return Trajectory.from_problem(
            retriever.hypergraph, retriever.precedence, problem, range(len(rows)), query=query, method=self.name
        )

    def _best(self, score: np.ndarray, relevance: np.ndarray, length: int) -> np.ndarray:
        """Rows by score, ties by relevance, then by `neutral_places`; those of -inf are left out."""
        few = min(len(score), length)
        edge = np.partition(-score, few - 1)[few - 1]
        rows = np.flatnonzero((-score <= edge + 1e-9) & np.isfinite(score))
        keys = [self._neutral[rows], -relevance[rows].round(_DIGITS), -score[rows].round(9)]
        return rows[np.lexsort(keys)][:length]

    @cached_property
    def _neutral(self) -> np.ndarray:
        return neutral_places(self.retriever.ids)

    @cached_property
    def _entities(self) -> _EntityNames:
        return _EntityNames(self.retriever)


class TextRAG(_Baseline):
    """The sentences of the best passages, in text order within a passage.

    Parameters
    ----------
    retriever : Retriever
    method : {"dense", "bm25", "fused"}
        How passages are ranked (`hgwork.lookup.Ranker`). With "bm25" passages without a word of the query are left out.
    unit : {"chunk", "sentence"}
        A passage: all that one chunk states (a report), or a single sentence.

    Notes
    -----
    A step is a hyperedge with its sentence, as for every method: a passage that does not fit the budget is cut.

    Examples
    --------
    >>> import hgwork as hg
    >>> edges = {"a": {"text": "Rain falls.", "chunk": "1"}, "b": {"text": "Wind rises.", "chunk": "2"},
    ...          "c": {"text": "Roofs are lost.", "chunk": "2"}}
    >>> H = hg.Hypergraph.from_dict({"a": "xy", "b": "yz", "c": "z"}, edges=edges)
    >>> TextRAG(hg.retrieval.Retriever(H), "bm25").retrieve("Where does wind rise?")[0].edges
    ['b', 'c']
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
        if not self._passages:
            return np.zeros(0, np.int64)
        score = self._scores(query)
        few = min(len(score), length)
        near = np.flatnonzero((-score <= np.partition(-score, few - 1)[few - 1]) & np.isfinite(score))
        best = near[np.lexsort([self._neutral_passages[near], -score[near]])][:length]
        return np.concatenate([np.zeros(0, np.int64), *(self._passages[place][1] for place in best)])

    def _scores(self, query: str) -> np.ndarray:
        """Of every passage, -inf where no word of the query stands in it; alike passages share the better rank."""
        ranker = self._ranker
        if self.method == "dense":
            return ranker.scores(query, "dense")
        words = ranker.scores(query, "bm25")
        if self.method == "bm25":
            return np.where(words > 0, words, -np.inf)
        named = np.where(words > 0, rankdata(-words, "min"), np.inf)
        return fuse([named, rankdata(-ranker.scores(query, "dense"), "min")], ranker.constant)

    @cached_property
    def _passages(self) -> list[tuple[str, np.ndarray]]:
        """Names, and rows in text order."""
        edges = self.retriever.hypergraph.edges
        if "text" not in edges:
            return []
        stated = edges["text"].map(lambda text: isinstance(text, str) and bool(text.strip())).to_numpy(bool)
        if self.unit == "sentence" or "chunk" not in edges:
            return [(edges.index[row], np.array([row])) for row in np.flatnonzero(stated)]
        stated &= edges["chunk"].notna().to_numpy(bool)
        start = pd.to_numeric(edges["start"], errors="coerce").astype(float) if "start" in edges else 0.0
        table = pd.DataFrame({"chunk": edges["chunk"], "start": start, "row": np.arange(len(edges))})[stated]
        table = table.sort_values(["start", "row"], kind="stable")
        return [(str(name), part.to_numpy(np.int64)) for name, part in table.groupby("chunk", sort=True)["row"]]

    @cached_property
    def _neutral_passages(self) -> np.ndarray:
        return neutral_places(name for name, _ in self._passages)

    @cached_property
    def _ranker(self) -> Ranker:
        column = self.retriever.hypergraph.edges["text"].to_numpy(object)
        texts = {name: " ".join(dict.fromkeys(column[rows])) for name, rows in self._passages}
        return Ranker(texts, embedder=self.retriever.embedder, progress=False)


class BinaryGraph(_Baseline):
    """Personalised PageRank on the clique expansion, from the entities that the query names.

    Every hyperedge becomes links between its members, as strong as the number of hyperedges that hold both. With no
    entity named, the walk starts at the members of the most relevant hyperedge.

    Parameters
    ----------
    retriever : Retriever
    damping : float in [0, 1)
        Chance to walk on; the walk starts anew otherwise.
    steps : int, at least 1
        Of the power iteration; what is left out is below ``damping ** (steps + 1)``.
    by : {"mean", "sum"}
        What a hyperedge scores of the scores of its members.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> import hgwork as hg
    >>> H = hg.Hypergraph.from_dict({"a": ["Ada", "Bea"], "b": ["Cy", "Di"], "c": ["Bea", "Cy"]})
    >>> BinaryGraph(hg.retrieval.Retriever(H)).retrieve("Who works with Ada?")[0].edges
    ['a', 'c', 'b']
    """

    def __init__(
        self, retriever: Retriever, damping: float = 0.5, steps: int = 20, by: Literal["mean", "sum"] = "mean"
    ):
        super().__init__(retriever)
        if not 0 <= damping < 1 or steps < 1 or by not in ("mean", "sum"):
            raise ValueError(
                f"damping={damping}, steps={steps}, by={by!r}: give 0 <= damping < 1, at least one step, mean or sum."
            )
        self.damping, self.steps, self.by = damping, steps, by
        self.name = "binary graph, personalised PageRank" + (", sum" if by == "sum" else "")

    def rows(self, query: str, length: int) -> np.ndarray:
        relevance = self.retriever.relevance(query)
        members = self.retriever._members
        seeds = self._entities.nodes_in(query)
        if not len(seeds):
            seeds = members[[int(self._best(relevance, relevance, 1)[0])]].indices
        start = np.zeros(members.shape[1])
        start[seeds] = 1 / max(len(seeds), 1)
        score, step = start.copy(), start
        for _ in range(self.steps):
            step = self.damping * (self._walk @ step)
            score += step
        reached = members @ score
        if self.by == "mean":
            reached = reached / np.maximum(self.retriever._size, 1)
        return self._best(reached, relevance, length)

    @cached_property
    def _walk(self) -> sp.csr_array:
        """Columns sum to one: from an entity to those it is linked to."""
        members = self.retriever._members
        links = sp.csr_array(members.T @ members)
        links.setdiag(0)
        links.eliminate_zeros()
        degree = np.asarray(links.sum(axis=0)).ravel()
        return sp.csr_array(links @ sp.diags_array(np.divide(1.0, degree, out=np.zeros_like(degree), where=degree > 0)))


class Unordered(_Baseline):
    """Hyperedges by their own similarity and by that of their entities, fused by rank: retrieval as a set.

    Parameters
    ----------
    retriever : Retriever
    entities : int, at least 1
        Most similar entity names that count.

    Notes
    -----
    ``1 / (60 + rank by cosine) + 1 / (60 + rank by entities)``; a hyperedge scores by entities the sum of the cosines
    of those of its names that are among the `entities` nearest. Hyperedges that score alike share the better rank: all
    that name one storm and port do.

    Examples
    --------
    >>> import hgwork as hg
    >>> edges = {"a": {"text": "Ada met Bea."}, "b": {"text": "Cy met Di."}}
    >>> H = hg.Hypergraph.from_dict({"a": ["Ada", "Bea"], "b": ["Cy", "Di"]}, edges=edges)
    >>> Unordered(hg.retrieval.Retriever(H)).retrieve("Whom did Cy meet?", length=1)[0].edges
    ['b']
    """

    name = "unordered hypergraph"

    def __init__(self, retriever: Retriever, entities: int = 20):
        super().__init__(retriever)
        if entities < 1:
            raise ValueError(f"entities={entities}: give at least 1.")
        self.entities = entities

    def rows(self, query: str, length: int) -> np.ndarray:
        relevance = self.retriever.relevance(query)
        names, vectors = self._named
        similar = np.round(vectors @ self.retriever.encode([query])[0], _DIGITS)
        top = np.argsort(-similar, kind="stable")[: self.entities]
        weight = np.zeros(len(names))
        weight[top] = np.maximum(similar[top], 0)
        through = (self._holds @ weight).round(9)
        places = [rankdata(-relevance.round(_DIGITS), "min"), np.where(through > 0, rankdata(-through, "min"), np.inf)]
        return self._best(fuse(places), relevance, length)

    @cached_property
    def _named(self) -> tuple[pd.Index, np.ndarray]:
        names = pd.Index(sorted(set(self._surface)), dtype=object)
        return names, self.retriever.embedder.encode(names.tolist())

    @cached_property
    def _surface(self) -> list[str]:
        return _surfaces(self.retriever.hypergraph.incidences).astype(str).tolist()

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
    """The most relevant hyperedges of what the query names, put in an order.

    Parameters
    ----------
    retriever : Retriever
    order : {"canonical", "horizon", "none", …}
        See `reorder`.
    through : {"groups", "entities"}
        "groups": the hyperedges of the knowledge groups that the query names. "entities": those that hold an entity it
        names, first those that hold most of its names. With nothing named, all hyperedges.

    Raises
    ------
    ValueError
        If an argument is unknown; on retrieval, if the order cannot be had.

    Examples
    --------
    >>> import hgwork as hg
    >>> H = hg.Hypergraph.from_dict({"a": ["Ada", "Bea"], "b": ["Cy", "Di"], "c": ["Ada", "Cy"]})
    >>> expansion = EntityExpansion(hg.retrieval.Retriever(H), "none", "entities")
    >>> sorted(expansion.retrieve("What did Ada do?")[0].edges)
    ['a', 'c']
    """

    def __init__(
        self, retriever: Retriever, order: str = "canonical", through: Literal["groups", "entities"] = "groups"
    ):
        super().__init__(retriever)
        if through not in ("groups", "entities") or order not in ORDERS:
            raise ValueError(f"through={through!r}, order={order!r}: give groups or entities, and one of {ORDERS}.")
        self.order, self.through = order, through
        self.name = f"entity expansion, {order}" if through == "groups" else f"entity expansion by entities, {order}"

    def rows(self, query: str, length: int) -> np.ndarray:
        relevance = self.retriever.relevance(query)
        if self.through == "entities":
            score = self._entities.held(query)
        else:
            codes = [self.retriever.groups.index(name) for name in self.retriever.named(query)]
            score = np.isin(self.retriever._group, codes).astype(float)
        found = score > 0
        return self._best(np.where(found, score, -np.inf) if found.any() else score, relevance, length)

    def _trajectory(self, query: str, rows: np.ndarray, weights: Weights) -> Trajectory:
        return reorder(super()._trajectory(query, rows, weights), self.order)  # type: ignore[arg-type]


class _EntityNames:
    """Nodes by the names that they go by, found whole in a query."""

    def __init__(self, retriever: Retriever):
        H = retriever.hypergraph
        self._members = retriever._members
        names, column = _surfaces(H.incidences).to_numpy(object), self._columns(H)
        node = H.nodes.index.get_indexer(H.incidences["node"])
        lasting = H.nodes["kind"].eq("persistent").to_numpy(bool) if "kind" in H.nodes else np.ones(len(H.nodes), bool)
        kept = lasting[node] & (column[node] >= 0)
        self.nodes: dict[tuple[str, ...], list[int]] = {}
        for name, place in sorted(set(zip(map(str, names[kept]), column[node[kept]].tolist(), strict=True))):
            words = tuple(tokens(name))
            if words and place not in self.nodes.setdefault(words, []):
                self.nodes[words].append(place)
        self._longest = max(map(len, self.nodes), default=0)

    def _columns(self, H) -> np.ndarray:
        """The column of each node among the members that the retriever counts; -1 for anchors left out of them."""
        if self._members.shape[1] == len(H.nodes):
            return np.arange(len(H.nodes))
        kept = (H.nodes["kind"] != "anchor").to_numpy(bool)
        return np.where(kept, np.cumsum(kept) - 1, -1)

    def nodes_in(self, query: str) -> list[int]:
        """Columns of the entities that the query names."""
        return sorted({place for found in self._found(query) for place in found})

    def held(self, query: str) -> np.ndarray:
        """Of every hyperedge the number of names in the query that one of its entities goes by."""
        count = np.zeros(self._members.shape[0])
        for places in self._found(query):
            named = np.zeros(self._members.shape[1])
            named[places] = 1
            count += (self._members @ named) > 0
        return count

    def _found(self, query: str) -> list[list[int]]:
        words = tokens(query)
        spans = (tuple(words[at : at + size]) for at in range(len(words)) for size in range(1, self._longest + 1))
        return [self.nodes[name] for name in dict.fromkeys(spans) if name in self.nodes]


def _surfaces(incidences: pd.DataFrame) -> pd.Series:
    """Names as they stand in the text; identifiers where there are none."""
    names = incidences["node"]
    return incidences["surface"].where(incidences["surface"].notna(), names) if "surface" in incidences else names
