"""The methods of an experiment: everything that is compared, and what is left when a term or the order is taken away.

`comparison` are the rows of Table 1 of [1]_ with the orders that any set can be put in; `ablation` those of Table 2 for
one search. All ask one retriever, whose candidates for a question are computed once.

References
----------
.. [1] Knowledge Is Not Static: Order-Aware Hypergraph RAG for Language Models, Tables 1 and 2.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Literal, TypeAlias

import numpy as np
import pandas as pd

from ..retrieval import Problem, Retriever, Trajectory, Weights, beam, dag, topk, viterbi
from ..retrieval.baselines import BinaryGraph, EntityExpansion, TextRAG, Unordered
from ..retrieval.orders import LearnedOrder, reorder
from .experiment import Method

__all__ = ["Searches", "ablation", "comparison", "needed_at", "paper_methods", "reordered", "shuffled"]

Search = Literal["beam", "viterbi", "dag", "topk"]
Learned: TypeAlias = LearnedOrder | pd.Series | None


class Searches:
    """One retriever asked in many ways.

    Parameters
    ----------
    retriever : Retriever
    length, n, width : int
        Steps L, trajectories N, beams B.
    diversity : float
    scoping
        `top_k`, `cap`, `reserve` of the retriever's candidates.
    """

    def __init__(
        self,
        retriever: Retriever,
        length: int = 8,
        n: int = 1,
        width: int = 8,
        diversity: float = 0.1,
        **scoping: Any,
    ):
        self.retriever, self.length, self.n, self.width, self.diversity = retriever, length, n, width, diversity
        self.scoping = scoping
        self._query = ""
        self._problems: dict[bool, Problem] = {}
        self._found: dict[tuple, list[Trajectory]] = {}

    def problem(self, question: Mapping[str, Any], normalise: bool = True) -> Problem:
        """The candidates of a question; kept until another is asked."""
        query = _query(question)
        if self._query != query:
            self._query, self._problems, self._found = query, {}, {}
        if normalise not in self._problems:
            self._problems[normalise] = self.retriever.problem(query, normalise=normalise, **self.scoping)
        return self._problems[normalise]

    def find(
        self, question: Mapping[str, Any], search: Search, weights: Weights, normalise: bool = True
    ) -> list[Trajectory]:
        """Trajectories by one search under some weights; kept until another question is asked."""
        problem, key = self.problem(question, normalise), (search, weights, normalise)
        if key not in self._found:
            self._found[key] = self.search(problem, question, search, weights)
        return self._found[key]

    def search(
        self, problem: Problem, question: Mapping[str, Any], search: Search, weights: Weights
    ) -> list[Trajectory]:
        """The same for candidates that are at hand."""
        problem = problem.weighted(weights)
        if search == "beam":
            found = beam(problem, self.length, self.n, self.width, self.diversity)
        elif search == "topk":
            found = topk(problem, self.length, self.n)
        else:
            found = {"viterbi": viterbi, "dag": dag}[search](problem, self.length, self.n, self.diversity)
        query = _query(question)
        return [
            self.retriever.trajectory(problem, one, query=query, method=search, length=self.length) for one in found
        ]

    def method(self, search: Search, weights: Weights, normalise: bool = True) -> Method:
        """A search as a method of an experiment."""
        settings: dict[str, Any] = {"search": search, "length": self.length, "n": self.n, "normalise": normalise}
        settings |= {"weights": asdict(weights), "diversity": self.diversity, "width": self.width} | self.scoping
        settings["retriever"] = type(self.retriever).__name__
        return Method(lambda question: self.find(question, search, weights, normalise), settings=settings)


def _query(question: Mapping[str, Any]) -> str:
    return question.get("query") or question["question"]


def comparison(
    searches: Searches,
    weights: Weights,
    *,
    paper: Weights | None = None,
    learned: Learned = None,
    unlabelled: Searches | None = None,
    shuffles: int = 5,
    rng: int = 0,
) -> dict[str, Method]:
    """What Table 1 compares, each with the same budget of steps.

    Parameters
    ----------
    searches : Searches
        With a precedence; with transitions where the beam is to use them.
    weights : Weights
        Of "dag", tuned on training storms.
    paper : Weights, optional
        Of "beam"; the published ones by default.
    learned : LearnedOrder or Series of ranks, optional
        Order from text alone; adds the rows "…, learned order".
    unlabelled : Searches, optional
        A retriever whose `ranks` are a learned order and that has no precedence; adds "dag without labels".
    shuffles : int
        Permutations of each "…, shuffled".
    rng : int

    Returns
    -------
    dict of name to Method
    """
    retriever, length = searches.retriever, searches.length
    paper = paper or Weights()
    methods = {
        "text, dense": _baseline(TextRAG(retriever, "dense"), length),
        "text, BM25": _baseline(TextRAG(retriever, "bm25"), length),
        "text, fused": _baseline(TextRAG(retriever, "fused"), length),
        "sentences, dense": _baseline(TextRAG(retriever, "dense", "sentence"), length),
        "sentences, fused": _baseline(TextRAG(retriever, "fused", "sentence"), length),
        "binary graph": _baseline(BinaryGraph(retriever), length),
        "unordered hypergraph": _baseline(Unordered(retriever), length),
        "top-k": searches.method("topk", weights),
        "entity expansion, by horizon": _baseline(EntityExpansion(retriever, "horizon"), length),
        "beam": searches.method("beam", paper),
        "beam, raw log P": searches.method("beam", paper, normalise=False),
        "viterbi": searches.method("viterbi", paper),
        "dag": searches.method("dag", weights),
    }
    methods["top-k, by horizon"] = reordered(methods["top-k"], "horizon")
    for name in ("top-k", "beam", "dag"):
        methods[f"{name}, shuffled"] = shuffled(methods[name], shuffles, rng)
    methods["dag, reversed"] = reordered(methods["dag"], "reversed")
    methods["dag, by horizon"] = reordered(methods["dag"], "horizon")
    if learned is not None:
        methods["top-k, learned order"] = reordered(methods["top-k"], "learned", learned)
        methods["dag, learned order"] = reordered(methods["dag"], "learned", learned)
    if unlabelled is not None:
        methods["dag without labels"] = unlabelled.method("dag", weights.without("precedence"))
        methods["dag without labels, shuffled"] = shuffled(methods["dag without labels"], shuffles, rng)
    return methods


def ablation(
    searches: Searches,
    weights: Weights,
    search: Search = "dag",
    *,
    learned: Learned = None,
    shuffles: int = 5,
    rng: int = 0,
) -> dict[str, Method]:
    """What Table 2 takes away from one search.

    Parameters
    ----------
    searches, weights, learned, shuffles, rng
        As in `comparison`.
    search : {"beam", "viterbi", "dag"}

    Returns
    -------
    dict of name to Method
        "dag (full)", "dag (shuffled)", "dag − λ", … "− ρ"; "dag, no order" (λ = μ = 0, steps by relevance), "dag,
        heuristic order" (λ = 0, steps by the rank of their phase), "dag, learned order" (steps in the learned order).
    """
    full = searches.method(search, weights)
    methods = {f"{search} (full)": full, f"{search} (shuffled)": shuffled(full, shuffles, rng)}
    for sign, name in (("λ", "order"), ("μ", "precedence"), ("ν", "continuity"), ("ρ", "coverage")):
        methods[f"{search} − {sign}"] = searches.method(search, weights.without(name))
    plain = searches.method(search, weights.without("order", "precedence"))
    methods[f"{search}, no order"] = reordered(plain, "none")
    methods[f"{search}, heuristic order"] = reordered(searches.method(search, weights.without("order")), "heuristic")
    if learned is not None:
        methods[f"{search}, learned order"] = reordered(full, "learned", learned)
    return methods


def paper_methods(
    searches: Searches, weights: Weights, *, paper: Weights | None = None, **options: Any
) -> dict[str, Method]:
    """Both tables at once: `comparison`, and `ablation` of "dag" and "beam"; options are those of `comparison`."""
    inner = {name: value for name, value in options.items() if name != "unlabelled"}
    methods = comparison(searches, weights, paper=paper, **options)
    methods |= ablation(searches, weights, "dag", **inner)
    return methods | ablation(searches, paper or Weights(), "beam", **inner)


def reordered(method: Method, order: str, learned: Learned = None) -> Method:
    """The trajectories of a method with their steps in another order (`hgwork.retrieval.reorder`)."""

    def find(question: Mapping[str, Any], repeat: int = 0) -> list[Trajectory]:
        return [reorder(found, order, learned=learned) for found in method(question, repeat)]  # type: ignore[arg-type]

    return Method(find, method.repeats, {**method.settings, "order": order})


def shuffled(method: Method, times: int = 5, rng: int = 0) -> Method:
    """The trajectories of a method in random orders, drawn by question, repeat and seed alone."""
    if times < 1:
        raise ValueError(f"times={times}: give at least 1.")

    def find(question: Mapping[str, Any], repeat: int = 0) -> list[Trajectory]:
        seed = [rng, repeat, zlib.crc32(str(question["question_id"]).encode())]
        drawn = np.random.default_rng(seed)
        return [reorder(found, "shuffled", rng=drawn) for found in method(question)]

    return Method(find, times, {**method.settings, "order": "shuffled", "seed": rng})


def needed_at(method: Method, where: Literal["first", "middle", "last"]) -> Method:
    """The trajectories of a method with the needed evidence moved together, its own order and that of the rest kept.

    A reader without position bias scores the same wherever the evidence stands.
    """
    if where not in ("first", "middle", "last"):
        raise ValueError(f"where={where!r}: give 'first', 'middle' or 'last'.")

    def find(question: Mapping[str, Any], repeat: int = 0) -> list[Trajectory]:
        needed = question.get("needed")
        wanted = set(needed) if isinstance(needed, (list, tuple)) else set()
        return [_moved(found, wanted, where) for found in method(question, repeat)]

    return Method(find, method.repeats, {**method.settings, "needed": where})


def _moved(found: Trajectory, wanted: set[str], where: str) -> Trajectory:
    own = [place for place, edge in zip(found.places, found.edges, strict=True) if edge in wanted]
    rest = [place for place, edge in zip(found.places, found.edges, strict=True) if edge not in wanted]
    cut = {"first": 0, "middle": len(rest) // 2, "last": len(rest)}[where]
    assert found.hypergraph is not None and found.problem is not None
    return Trajectory.from_problem(
        found.hypergraph, found.precedence, found.problem, [*rest[:cut], *own, *rest[cut:]],
        query=found.query, method=f"{found.method}, needed {where}",
    )  # fmt: skip


def _baseline(baseline: Any, length: int) -> Method:
    find: Callable = lambda question: baseline.retrieve(_query(question), length=length)  # noqa: E731
    return Method(find, settings={"baseline": baseline.name, "length": length})
