"""Measures of retrieved sequences that need no reader: how they stand to the canonical order, and what they hold.

Order: Kendall's tau-b, the share of precedence-related pairs that stand in order, of pairs from two places of the
sequence that stand in time, of related neighbours in order. Content: phases, places of the sequence, needed evidence,
members of the own group. Whoever sorts by the rules scores well by the rules, so the reversed sequence and the one
sorted by horizon stand beside every method.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..order.precedence import Precedence

__all__ = ["CONTENT", "ORDER", "SEQUENCES", "SequenceMeasures", "compare_orders"]

ORDER = ("tau", "comparable", "pairs_in_order", "related", "direction", "neighbours_in_order")
CONTENT = ("phase_coverage", "horizon_coverage", "needed_coverage", "purity")
SEQUENCES = ("as given", "reversed", "sorted by horizon", "shuffled")


class SequenceMeasures:
    """Measures sequences of hyperedges of one hypergraph.

    Parameters
    ----------
    P : Precedence
        Of the hypergraph; gives groups, places and the canonical order.
    phase : Series or mapping of hyperedge to phase, optional
        Such as ``H.edges["phase"]``; without it there is no phase coverage.
    phases : sequence of str, optional
        S of equation 13 of [1]_; by default those of the domain, or all that occur.

    References
    ----------
    .. [1] Knowledge Is Not Static: Order-Aware Hypergraph RAG for Language Models, equations 11 and 13.

    Examples
    --------
    >>> import hgwork as hg
    >>> H = hg.datasets.load("toy")
    >>> measures = SequenceMeasures(hg.order.precedence(H))
    >>> measures(["paper 01", "paper 02", "paper 04"])["tau"], measures(["paper 04", "paper 01"])["tau"]
    (1.0, -1.0)
    """

    def __init__(self, P: Precedence, phase: Mapping | pd.Series | None = None, phases: Sequence[str] | None = None):
        self.P = P
        table = P.table
        self._row = {edge: row for row, edge in enumerate(table.index)}
        self._group = table["group"].to_numpy(object)
        self._place = table["place"].to_numpy(np.int64)
        self._rank = table["rank"].to_numpy(np.int64)
        self._tied = _codes(table, ["group", "place", "step", "change"])
        placed = table[table["place"] >= 0]
        self._places = placed.groupby("group")["place"].nunique().to_dict()
        self._phase = dict(phase) if phase is not None else {}
        known = {value for value in self._phase.values() if isinstance(value, str)}
        stated = P.domain.phases if P.domain else sorted(known)
        self.phases = tuple(phases if phases is not None else stated if known else ())

    def __call__(
        self, edges: Sequence[str] | Any, needed: Iterable[str] | None = None, group: str | None = None
    ) -> dict[str, float]:
        """All measures of one sequence.

        Parameters
        ----------
        edges : Trajectory or sequence of hyperedge ids
        needed : iterable of hyperedge ids, optional
            What an answer rests on.
        group : str, optional
            The own group; by default that of most steps, the first in case of a tie.

        Returns
        -------
        dict
            `tau`: (C − D) / √(n₀ (n₀ − t)) over the n₀ pairs of one group whose places are known, t of which are of
            one kind at one place and so have no order. `comparable`: n₀ as a share of all pairs. `pairs_in_order`:
            of pairs related by precedence the share in order; `related`: their share of all pairs. `direction`: of
            pairs of one group at two places the share in which the earlier place stands first.
            `neighbours_in_order`: equation 11. `phase_coverage`: equation 13. `horizon_coverage`: share of the places
            of the own group that occur. `needed_coverage`: share of the needed evidence that occurs. `purity`: share
            of steps in the own group. NaN where there is nothing to count.

        Raises
        ------
        KeyError
            If a hyperedge is unknown to the precedence.
        """
        ids = list(getattr(edges, "edges", edges))
        found = self._pairs(ids).measures(np.arange(len(ids))) | self._content(ids, group)
        wanted = set(needed) if needed is not None else set()
        found["needed_coverage"] = len(wanted & set(ids)) / len(wanted) if wanted else np.nan
        return found

    def _rows(self, ids: list[str]) -> np.ndarray:
        if lost := [edge for edge in ids if edge not in self._row]:
            raise KeyError(f"hyperedge {lost[0]!r} is not among the {len(self._row)} that the precedence orders.")
        return np.array([self._row[edge] for edge in ids], np.int64)

    def _pairs(self, ids: list[str]) -> _Pairs:
        rows = self._rows(ids)
        before = self.P.before_matrix(ids, ids) if ids else np.zeros((0, 0), bool)
        group, place, rank, kind = (values[rows] for values in (self._group, self._place, self._rank, self._tied))
        placed = place >= 0
        together = (group[:, None] == group[None, :]) & placed[:, None] & placed[None, :]
        tied = together & (kind[:, None] == kind[None, :])
        sign = np.sign(rank[None, :] - rank[:, None]) * (together & ~tied)
        time = np.sign(place[None, :] - place[:, None]) * together
        return _Pairs(before, together, tied, sign, time)

    def _content(self, ids: list[str], group: str | None) -> dict[str, float]:
        rows = self._rows(ids)
        groups = self._group[rows]
        named = pd.Series(groups).dropna()
        if group is None and len(named):
            counts = named.value_counts(sort=False)
            group = str(counts.index[int(np.argmax(counts.to_numpy()))])
        own = rows[groups == group]
        met = {self._phase.get(edge) for edge in ids} & set(self.phases)
        places = np.unique(self._place[own][self._place[own] >= 0])
        return {
            "phase_coverage": _share(len(met), len(self.phases)),
            "horizon_coverage": _share(len(places), self._places.get(group, 0)),
            "purity": _share(len(own), len(ids)),
        }

    def sorted_by_horizon(self, ids: Sequence[str]) -> list[str]:
        """From the first place to the last; steps of one place, and steps without a place at the end, as they stood."""
        rows = self._rows(list(ids))
        place = np.where(self._place[rows] < 0, np.iinfo(np.int64).max, self._place[rows])
        return [ids[k] for k in np.argsort(place, kind="stable").tolist()]


class _Pairs:
    """Of each pair of hyperedges of a set whether they can be compared and which comes first; asked by order."""

    def __init__(self, before, together, tied, sign, time):
        self.before, self.together, self.tied, self.sign, self.time = before, together, tied, sign, time

    def measures(self, order: np.ndarray) -> dict[str, float]:
        """`ORDER` for the set in an order; int array of places, shape (L,)."""
        one, two = np.triu_indices(len(order), 1)
        a, b = order[one], order[two]
        forward, backward = self.before[a, b], self.before[b, a]
        count, ties = int(self.together[a, b].sum()), int(self.tied[a, b].sum())
        time, next_to = self.time[a, b], two == one + 1
        return {
            "tau": float(self.sign[a, b].sum() / np.sqrt(count * (count - ties))) if count > ties else np.nan,
            "comparable": _share(count, len(a)),
            "pairs_in_order": _share(forward.sum(), (forward | backward).sum()),
            "related": _share((forward | backward).sum(), len(a)),
            "direction": _share((time > 0).sum(), (time != 0).sum()),
            "neighbours_in_order": _share(forward[next_to].sum(), (forward | backward)[next_to].sum()),
        }


def compare_orders(
    measures: SequenceMeasures, sequences: pd.DataFrame, *, shuffles: int = 5, rng: int | np.random.Generator = 0
) -> pd.DataFrame:
    """Measures of many sequences, with the same hyperedges reversed, sorted by horizon and shuffled beside them.

    Parameters
    ----------
    measures : SequenceMeasures
    sequences : DataFrame
        `edges` (list of ids) and optionally `needed`, `group`; all other columns are carried along, such as
        `question_id`, `storm`, `method`.
    shuffles : int, at least 1
        Permutations whose measures are averaged.
    rng : int or Generator

    Returns
    -------
    DataFrame
        One row a sequence and order: `sequence` ("as given", "reversed", "sorted by horizon", "shuffled"), the
        columns carried along, `ORDER` and `CONTENT`.
    """
    rng = np.random.default_rng(rng)
    rows = []
    for row in sequences.to_dict("records"):
        ids, needed, group = list(row.pop("edges")), row.pop("needed", None), row.get("group")
        content = measures(ids, needed, group if isinstance(group, str) and group else None)
        pairs, place = measures._pairs(ids), {edge: k for k, edge in enumerate(ids)}
        given = np.arange(len(ids))
        by_horizon = np.array([place[edge] for edge in measures.sorted_by_horizon(ids)], np.int64)
        orders = [[given], [given[::-1]], [by_horizon], [rng.permutation(len(ids)) for _ in range(shuffles)]]
        for name, several in zip(SEQUENCES, orders, strict=True):
            found = [pairs.measures(order) for order in several]
            mean = {key: sum(one[key] for one in found) / len(found) for key in ORDER}
            rows.append(row | {"sequence": name} | content | mean)
    first = ["sequence", *(name for name in sequences.columns if name not in ("edges", "needed"))]
    return pd.DataFrame(rows, columns=[*first, *ORDER, *CONTENT])


def _share(part, whole) -> float:
    return float(part) / float(whole) if whole else np.nan


def _codes(table: pd.DataFrame, columns: list[str]) -> np.ndarray:
    return table.groupby(columns, sort=False, dropna=False).ngroup().to_numpy(np.int64)
