"""The same steps in another order: what is left of a trajectory when it is shuffled, reversed, or simply sorted.

Ties fall by relevance, and hyperedges of equal relevance (one sentence said at two horizons) by `neutral_places`. A
stable sort of what already stands in a good order, such as the rows of a document, would smuggle that order in.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any, Literal

import numpy as np
import pandas as pd

from ..hypergraph import Hypergraph
from ..order.transitions.reports import order_by_pairs, report_scores
from .trajectory import Trajectory

__all__ = ["ORDERS", "LearnedOrder", "neutral_places", "permutations", "reorder"]

Order = Literal["shuffled", "reversed", "horizon", "none", "heuristic", "canonical", "learned"]
_DIGITS = 6  # relevances that agree so far are tied: float32 cosines of one sentence differ beyond
_FAINT = 1e-3  # what all pairs weigh beside facts of one kind
ORDERS = ("shuffled", "reversed", "horizon", "none", "heuristic", "canonical", "learned")


def reorder(
    trajectory: Trajectory,
    order: Order,
    *,
    rng: int | np.random.Generator = 0,
    learned: LearnedOrder | pd.Series | None = None,
) -> Trajectory:
    """The steps of a trajectory in another order, scored anew.

    Parameters
    ----------
    trajectory : Trajectory
        As a search made it, with its candidates.
    order : {"shuffled", "reversed", "horizon", "none", "heuristic", "canonical", "learned"}
        "horizon": by the label, earliest first. "none": by relevance. "heuristic": by the rank of the phase alone.
        "canonical": by precedence and its tie-breaking. "learned": by `learned`, which sees no label. Ties fall by
        relevance (to 6 digits), then by `neutral_places`; what has no label or rank stands last.
    rng : int or Generator
        Of "shuffled".
    learned : LearnedOrder or Series of hyperedge to rank
        Of "learned".

    Returns
    -------
    Trajectory
        `method` says how it was put.

    Raises
    ------
    ValueError
        If the order is unknown, or cannot be had: no label, no precedence, nothing learned.

    Notes
    -----
    Ranks and labels are compared across knowledge groups as they are: the first step of one group stands beside the
    first of another.

    Examples
    --------
    >>> import hgwork as hg
    >>> H = hg.datasets.load("toy")
    >>> best = hg.retrieval.retrieve("groups", H, hg.order.precedence(H), method="dag", length=3, n=1)[0]
    >>> reorder(best, "reversed").edges == best.edges[::-1]
    True
    >>> reorder(reorder(best, "shuffled", rng=1), "canonical").edges == best.edges
    True
    """
    if trajectory.problem is None or trajectory.hypergraph is None:
        raise ValueError("the trajectory was read from a file and has no candidates: retrieve it again to reorder it.")
    places = np.array(trajectory.places, np.int64)
    if order == "shuffled":
        chosen = np.random.default_rng(rng).permutation(places)
    elif order == "reversed":
        chosen = places[::-1]
    else:
        keys, relevance = _keys(trajectory, order, learned), trajectory.problem.relevance[places].round(_DIGITS)
        chosen = places[np.lexsort([neutral_places(trajectory.edges), -relevance, keys])]
    return Trajectory.from_problem(
        trajectory.hypergraph,
        trajectory.precedence,
        trajectory.problem,
        chosen.tolist(),
        query=trajectory.query,
        method=f"{trajectory.method}, {order}",
        note=trajectory.note,
    )


def permutations(trajectory: Trajectory, n: int = 5, rng: int | np.random.Generator = 0) -> list[Trajectory]:
    """n random orders of a trajectory, drawn one after the other.

    Parameters
    ----------
    trajectory : Trajectory
        As a search made it, with its candidates.
    n : int, at least 1
        A shuffle test averages over several: a single order may be a lucky one.
    rng : int or Generator

    Returns
    -------
    list of Trajectory
        Two may agree by chance.

    Raises
    ------
    ValueError
        If n is below 1, or the candidates are gone.

    Examples
    --------
    >>> import hgwork as hg
    >>> H = hg.datasets.load("toy")
    >>> best = hg.retrieval.retrieve("groups", H, hg.order.precedence(H), method="dag", length=4, n=1)[0]
    >>> [set(shuffled.edges) == set(best.edges) for shuffled in permutations(best, 2)]
    [True, True]
    """
    if n < 1:
        raise ValueError(f"n={n}: give at least 1.")
    rng = np.random.default_rng(rng)
    return [reorder(trajectory, "shuffled", rng=rng) for _ in range(n)]


def neutral_places(ids: Iterable[str]) -> np.ndarray:
    """Places of ids by the digest (BLAKE2b) of their text: an order that has nothing to do with any order of facts.

    Rows of a table, and ids that count, stand as documents do; to break ties by them gives away what came first.

    Examples
    --------
    >>> neutral_places(["row 1", "row 2", "row 3", "row 4"]).tolist()
    [2, 1, 3, 0]
    """
    digests = [blake2b(str(name).encode("utf-8", "surrogatepass"), digest_size=8).digest() for name in ids]
    places = np.empty(len(digests), np.int64)
    places[sorted(range(len(digests)), key=digests.__getitem__)] = np.arange(len(digests))
    return places


def _keys(trajectory: Trajectory, order: str, learned) -> np.ndarray:
    assert trajectory.hypergraph is not None and trajectory.problem is not None
    H, rows = trajectory.hypergraph, trajectory.problem.candidates.rows[list(trajectory.places)]
    if order == "none":
        return np.zeros(len(rows))
    if order == "horizon":
        if not trajectory.index:
            raise ValueError("the hyperedges have neither 'horizon' nor 'position': there is no label to sort by.")
        column = pd.to_numeric(H._edges[trajectory.index].iloc[rows], errors="coerce").to_numpy(float)
        return np.where(np.isnan(column), np.inf, -column if trajectory.index == "horizon" else column)
    if order in ("heuristic", "canonical"):
        if trajectory.precedence is None:
            raise ValueError(f"order={order!r} needs a precedence: give one to the retriever.")
        column = "phase_rank" if order == "heuristic" else "rank"
        table = trajectory.precedence.table
        keys = table[column].to_numpy(float)[table.index.get_indexer(trajectory.edges)]
        return np.where(keys < 0, np.inf, keys)
    if order != "learned":
        raise ValueError(f"order={order!r}: give one of {', '.join(ORDERS)}.")
    if learned is None:
        raise ValueError("order='learned' needs learned=: a LearnedOrder, or ranks by hyperedge.")
    ranks = learned.rank(trajectory.edges) if isinstance(learned, LearnedOrder) else learned.reindex(trajectory.edges)
    return np.nan_to_num(np.asarray(ranks, float), nan=np.inf)


class LearnedOrder:
    """An order of the hyperedges of each group, learned from text, without a label of when anything was said.

    Whole reports (the hyperedges that stand in one chunk) are put in order by the summed direction of their pairs of
    facts of one kind, as in `hgwork.order.report_order`; two reports without such a pair by all their pairs. Within a
    report hyperedges stand by the sum of their directions. Which hyperedges share a chunk is used; the number of a
    chunk and the place in it are not: where the model has no preference, `neutral_places` of the ids decides.

    Parameters
    ----------
    H : Hypergraph
        With `group` and `chunk`; without `chunk` every hyperedge is a report of its own.
    model : TransitionModel or baseline
        Fitted without horizon tokens; reads H if it has not.

    Raises
    ------
    ValueError
        If the model, or what it has read, has horizon tokens: the order would be read off the label.

    Notes
    -----
    Hyperedges that were made between reports (synthesised changes) have no chunk and no rank.
    """

    def __init__(self, H: Hypergraph, model: Any):
        if any(getattr(one, "horizon_tokens", False) for one in (model, model.features)):
            raise ValueError("the model reads horizon tokens: fit one with horizon_tokens=False to learn an order.")
        if model.features is None or not pd.Index(model.features.ids).isin(H.edges.index).all():
            model.read(H)
        self.model = model
        known = H.edges.index.isin(model.features.ids)
        table = H.edges.loc[known, ["group"]].astype(object)
        table["report"] = H.edges.loc[known, "chunk"].astype(object) if "chunk" in H.edges else H.edges.index[known]
        self._table = table.dropna()
        self._group = self._table["group"]
        self._rows = self._table.groupby("group", sort=False).indices
        self._ranks: dict[str, pd.Series] = {}

    def rank(self, ids: Iterable[str]) -> np.ndarray:
        """Places within the group, NaN for what has none; float64."""
        ids = list(ids)
        groups = self._group.reindex(ids)
        for group in groups.dropna().unique():
            if group not in self._ranks:
                self._ranks[group] = self._ordered(group)
        found = [self._ranks[g].get(edge, np.nan) if isinstance(g, str) else np.nan for edge, g in groups.items()]
        return np.array(found, float)

    def ranks(self) -> pd.Series:
        """Of all hyperedges: what `Retriever` takes as `ranks`."""
        return pd.Series(self.rank(self._table.index), index=self._table.index)

    def reports(self, group: str) -> list[list[str]]:
        """The reports of a group in the learned order, hyperedges in theirs."""
        members = self._table.iloc[self._rows[group]].groupby("report", sort=False)
        reports = [_neutral(part.index) for _, part in members]
        reports = [reports[place] for place in np.argsort(neutral_places(map("\n".join, reports)))]
        scores, whole = (report_scores(self.model, reports, pairs) for pairs in ("same kind", "all"))
        scores = np.where(scores == 0, whole / max(np.abs(whole).max(initial=0), 1) * _FAINT, scores)
        return [self._within(reports[place]) for place in order_by_pairs(scores)]

    def _ordered(self, group: str) -> pd.Series:
        flat = [edge for report in self.reports(group) for edge in report]
        return pd.Series(np.arange(len(flat), dtype=float), index=flat)

    def _within(self, ids: list[str]) -> list[str]:
        lead = np.asarray(self.model.direction(ids, ids), float).sum(axis=1)
        return [ids[place] for place in np.lexsort([np.arange(len(ids)), -lead.round(_DIGITS)])]


def _neutral(ids: Iterable[str]) -> list[str]:
    ids = list(ids)
    return [ids[place] for place in np.argsort(neutral_places(ids))]
