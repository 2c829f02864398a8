"""Precedence between hyperedges: which of two facts of a knowledge group comes first, and why.

Four families of rules order the hyperedges of a group [1]_: the phases at one place of the sequence, one family from
place to place, causal chains, and facts before the change that starts from them. They compare kinds of hyperedges
(place, relation, change or not), so the rules make a small directed acyclic graph of kinds, whose transitive closure
is the partial order. Equation 10 of [1]_ taken by itself is no order where a hyperedge spans two places; here each
hyperedge has one place, and precedence is the closure.

References
----------
.. [1] Knowledge Is Not Static: Order-Aware Hypergraph RAG for Language Models, equations 2 and 10, appendix A.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Literal

import numpy as np
import pandas as pd

from .._arrays import place_of
from ..hypergraph import Hypergraph
from . import _graph
from ._kinds import kinds_of, rule_edges
from .domain import Domain, load_domain

__all__ = ["Precedence", "RULES", "precedence"]

RULES = ("phase", "evolution", "causal", "change", "sequence")
Order = Literal["horizon_major", "phase_major"]


def precedence(
    H: Hypergraph,
    rules: Domain | str | None = None,
    order: Order = "horizon_major",
    *,
    include: Sequence[str] | None = None,
    steps: Literal["families", "phases"] = "families",
    changes: Literal["family", "horizon"] = "family",
) -> Precedence:
    """Order the hyperedges of each knowledge group.

    Parameters
    ----------
    H : Hypergraph
        Hyperedges with `group` and `horizon` (larger is earlier) or `position` (smaller is earlier); `relation`,
        `family`, `underlying`, `start` where known.
    rules : Domain, name or path, optional
        By default the domain that the column `domain` names; without one, only the places order (`sequence`).
    order : {"horizon_major", "phase_major"}
        Ties of the canonical order. "horizon_major" goes from place to place, changes at the end of the place they
        start from, as Figure 3 of [1]_ is drawn. "phase_major" is the tie-breaking of appendix A.3 read literally:
        phase, family, place, position in the text. Both are linear extensions of the same partial order.
    include : sequence of {"phase", "evolution", "causal", "change", "sequence"}, optional
        Families of rules. By default the first four for a domain and "sequence" without one. "sequence" is equation
        10: everything at one place precedes everything at a later one. "causal" follows from "phase" unless a domain
        adds rules of its own: it then only adds tags (`reasons`).
    steps : {"families", "phases"}
        What "phase" orders at one place: the families of the domain (relations where a family is ordered, so track
        before landfall), or only its phases.
    changes : {"family", "horizon"}
        What precedes a change: the facts of its family at the place it starts from (appendix A.3), or all facts
        there, so that a change comes strictly after its horizon.

    Returns
    -------
    Precedence

    Raises
    ------
    ValueError
        If a column is missing, an option is unknown, or the rules contradict each other in a group: the message
        names the cycle.

    Examples
    --------
    >>> import hgwork as hg
    >>> P = precedence(hg.datasets.load("toy"))
    >>> P.before("paper 01", "paper 04"), P.before("paper 04", "paper 01")
    (True, False)
    >>> P.canonical_order("papers on groups")[:2]
    ['paper 01', 'paper 02']
    """
    domain = _domain(H, rules)
    include = tuple(include) if include is not None else RULES[:4] if domain else RULES[4:]
    for name, value, known in (
        ("order", order, ("horizon_major", "phase_major")),
        ("steps", steps, ("families", "phases")),
    ):
        if value not in known:
            raise ValueError(f"{name}={value!r}: give one of {', '.join(known)}.")
    if unknown := [name for name in include if name not in RULES]:
        raise ValueError(f"include names {unknown[0]!r}; the families of rules are {', '.join(RULES)}.")
    if changes not in ("family", "horizon"):
        raise ValueError(f"changes={changes!r}: give 'family' or 'horizon'.")
    if changes == "horizon" and order == "phase_major":
        raise ValueError("changes='horizon' puts a change after every phase: it goes with order='horizon_major'.")
    table = kinds_of(H, domain, steps)
    return Precedence(table, domain, order, _edges_by_group(table, domain, include, changes), include)


def _domain(H: Hypergraph, rules) -> Domain | None:
    if rules is not None:
        return load_domain(rules)
    names = H.edges["domain"].dropna().unique().tolist() if "domain" in H.edges else []
    if len(names) > 1:
        raise ValueError(f"the hyperedges are of {len(names)} domains ({', '.join(map(str, names))}): give rules=.")
    return load_domain(names[0]) if names else None


def _edges_by_group(table: pd.DataFrame, domain, include, changes) -> dict[str, tuple[pd.DataFrame, pd.DataFrame]]:
    """Of each group its kinds, and which kind precedes which by what rule."""
    placed = table[table["place"] >= 0].drop_duplicates(["group", "kind"])  # once for all groups: there may be many
    placed = placed.sort_values("kind", kind="stable").set_index("kind")
    found = {}
    for group, kinds in placed.groupby("group", sort=False):
        found[str(group)] = (kinds, rule_edges(kinds, domain, include, changes))
    return found


class Precedence:
    """The partial order of hyperedges within each group, made by `precedence`.

    Attributes
    ----------
    table : DataFrame, one row a hyperedge
        Index: hyperedge. `group`, `index` (horizon or position), `place` (0, 1, … in sequence; -1 where unknown),
        `step` (within a place), `phase_rank`, `change`, `rank` (in the canonical order of its group).
    groups : list of str
        In order of first appearance.
    unplaced : list of str
        Hyperedges without a group or an index: unrelated to all others, last in the canonical order.
    order, include : as given

    Notes
    -----
    Memory is one bit for each pair of kinds of hyperedges in a group, not of hyperedges.
    """

    def __init__(self, table: pd.DataFrame, domain: Domain | None, order: str, rules: dict, include: tuple[str, ...]):
        self.domain, self.order, self.include = domain, order, include
        self._rules = rules
        self.groups: list[str] = table["group"].dropna().unique().tolist()
        code = {group: number for number, group in enumerate(self.groups)}
        self._group = table["group"].map(code).fillna(-1).astype(np.int64).to_numpy()
        self._group[table["place"].to_numpy() < 0] = -1
        self._kind = table["kind"].to_numpy(np.int64)
        keys = _sort_keys(table, order)
        self._rank = np.zeros(len(table), np.int64)
        self._width, self._offset = np.zeros(len(code), np.int64), np.zeros(len(code), np.int64)
        blocks, offset = [], 0
        rows_of = table.groupby("group", sort=False).indices
        for group, number in code.items():
            rows = rows_of[group]
            packed = self._ordered(group, rows, keys[rows], table)
            self._width[number], self._offset[number] = packed.shape[1], offset
            offset += packed.size
            blocks.append(packed.ravel())
        self._bits = np.concatenate(blocks) if blocks else np.zeros(0, np.uint8)
        loose = np.flatnonzero(table["group"].isna().to_numpy())
        self._rank[loose] = np.argsort(np.argsort(keys[loose], kind="stable"), kind="stable")
        self.table = table.drop(columns=["kind"]).assign(rank=self._rank)

    def _ordered(self, group: str, rows: np.ndarray, keys: np.ndarray, table: pd.DataFrame) -> np.ndarray:
        """Set the ranks of a group; the closure of its kinds."""
        placed = self._group[rows] >= 0
        kinds, edges = self._rules.get(group, (None, None))
        if kinds is None:
            self._rank[rows[np.argsort(keys, kind="stable")]] = np.arange(len(rows))
            return np.zeros((0, 1), np.uint8)
        pairs = np.unique(edges[["before", "after"]].to_numpy(np.int64).reshape(-1, 2), axis=0)
        inside = rows[placed]
        order = _graph.topological(self._kind[inside], keys[placed], pairs, len(kinds))
        if len(order) < len(inside):
            stuck = set(self._kind[inside].tolist()) - set(self._kind[inside[order]].tolist())
            raise ValueError(self._named_cycle(group, kinds, edges, stuck))
        loose = rows[~placed]
        final = np.concatenate([inside[order], loose[np.argsort(keys[~placed], kind="stable")]])
        self._rank[final] = np.arange(len(final))
        sequence = pd.unique(self._kind[inside[order]])
        by_kind = _graph.topological(np.arange(len(kinds)), np.argsort(sequence), pairs, len(kinds))
        return _graph.closure(pairs, by_kind)

    def _named_cycle(self, group: str, kinds: pd.DataFrame, edges: pd.DataFrame, stuck: set[int]) -> str:
        pairs = edges[["before", "after"]].to_numpy(np.int64)
        steps = [
            f"{self._kind_name(kinds, int(pairs[e, 0]))} -[{edges['reason'].iloc[e]}]-> "
            for e in _graph.cycle(pairs, stuck)
        ]
        first = steps[0].split(" -[")[0]
        return (
            f"group {group!r}: the rules contradict each other: {''.join(steps)}{first}. "
            "Correct the rules of the domain, or leave a family of rules out (include=)."
        )

    def _kind_name(self, kinds: pd.DataFrame, kind: int) -> str:
        row = kinds.loc[kind]
        place = self.domain.label(row["index"]) if self.domain else f"{row['index']:g}"
        return f"{row['relation']} at {place}" if isinstance(row["relation"], str) else f"position {place}"

    # ---------------------------------------------------------------- ask

    def before(self, e1: str, e2: str) -> bool:
        """Whether hyperedge e1 precedes e2.

        Raises
        ------
        KeyError
            If a hyperedge is unknown.
        """
        return bool(self.before_matrix([e1], [e2])[0, 0])

    def before_matrix(self, ids_i: Iterable[str], ids_j: Iterable[str]) -> np.ndarray:
        """Whether each hyperedge of one list precedes each of another.

        Returns
        -------
        bool array, shape (len(ids_i), len(ids_j))
        """
        return self.before_matrix_of_rows(self._rows(ids_i), self._rows(ids_j))

    def before_matrix_of_rows(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """`before_matrix` for hyperedges given by their rows in the table."""
        same = (self._group[i][:, None] == self._group[j][None, :]) & (self._group[i] >= 0)[:, None]
        found = np.zeros(same.shape, bool)
        a, b = np.nonzero(same)
        number = self._group[i][a]
        column = self._kind[j][b]
        byte = self._offset[number] + self._kind[i][a] * self._width[number] + (column >> 3)
        found[a, b] = (self._bits[byte] >> (7 - (column & 7)).astype(np.uint8)) & 1
        return found

    def canonical_order(self, group: str) -> list[str]:
        """All hyperedges of a group in one line: the topological order with ties as `order` says.

        Raises
        ------
        KeyError
            If there is no such group; the message lists some.
        """
        rows = self._of_group(group)
        return self.table.index[rows[np.argsort(self._rank[rows], kind="stable")]].tolist()

    def pairs(self, group: str) -> pd.DataFrame:
        """All related pairs of a group: `before`, `after`, in canonical order."""
        ordered = self.canonical_order(group)
        i, j = np.nonzero(self.before_matrix(ordered, ordered))
        names = np.array(ordered, dtype=object)
        return pd.DataFrame({"before": names[i], "after": names[j]}, dtype=object)

    def transitive_reduction(self, group: str) -> pd.DataFrame:
        """The related pairs of a group with nothing between them: `before`, `after`, `reason`; for drawing."""
        ordered = self.canonical_order(group)
        matrix = self.before_matrix(ordered, ordered)
        i, j = _graph.reduction(matrix).T
        names = np.array(ordered, dtype=object)
        reasons = [", ".join(self.reasons(a, b)) for a, b in zip(names[i], names[j], strict=True)]
        return pd.DataFrame({"before": names[i], "after": names[j], "reason": reasons}, dtype=object)

    def reasons(self, e1: str, e2: str) -> tuple[str, ...]:
        """The rules that put e1 directly before e2, as tags; empty where none does.

        "within_horizon" ("within_position"), "family_evolution", "family_to_change", "sequence" or the name of a
        rule of the domain, such as "hazard_to_operation".
        """
        _, edges = self._edges_of(e1, e2)
        if edges is None:
            return ()
        u, v = self._kind[self._rows([e1, e2])]
        direct = edges[(edges["before"] == u) & (edges["after"] == v)]["reason"].tolist()
        one, two = self.table.loc[e1], self.table.loc[e2]
        more = self._implied(one, two)
        return tuple(dict.fromkeys([*more, *direct]))

    def _implied(self, one: pd.Series, two: pd.Series) -> list[str]:
        """Reasons that `rule_edges` leaves to the closure because something lies between."""
        found = []
        if "phase" in self.include and not one["change"] and not two["change"]:
            found += [self._within] * bool(one["place"] == two["place"] and 0 <= one["step"] < two["step"])
        same = isinstance(one["family"], str) and one["family"] == two["family"]
        if "evolution" in self.include and same and one["place"] < two["place"]:
            found.append("family_evolution")
        if "sequence" in self.include and one["place"] < two["place"]:
            found.append("sequence")
        return found

    @property
    def _within(self) -> str:
        return f"within_{self.domain.index.column if self.domain else 'position'}"

    def explain(self, e1: str, e2: str) -> pd.DataFrame:
        """Why e1 precedes e2: a shortest chain of rules.

        Returns
        -------
        DataFrame
            One row a step: `before`, `after` (hyperedges; in between the first of their kind in canonical order),
            `reason`. Empty where e1 does not precede e2.
        """
        columns = ["before", "after", "reason"]
        group, edges = self._edges_of(e1, e2)
        if edges is None or not self.before(e1, e2):
            return pd.DataFrame(columns=columns, dtype=object)
        if direct := self.reasons(e1, e2):
            return pd.DataFrame([(e1, e2, ", ".join(direct))], columns=columns)
        u, v = self._kind[self._rows([e1, e2])].tolist()
        way = _graph.chain(edges[["before", "after"]].to_numpy(np.int64), u, v)
        first: dict[int, str] = {}
        for name in self.canonical_order(group):
            first.setdefault(int(self._kind[self._rows([name])[0]]), name)
        names = [e1, *(first[int(edges["after"].iloc[place])] for place in way[:-1]), e2]
        reasons = [", ".join(self.reasons(a, b)) for a, b in pairwise(names)]
        return pd.DataFrame({"before": names[:-1], "after": names[1:], "reason": reasons})

    # ---------------------------------------------------------------- look

    @cached_property
    def unplaced(self) -> list[str]:
        return self.table.index[self._group < 0].tolist()

    def rule_table(self, group: str) -> pd.DataFrame:
        """The rules at work in a group, kind by kind: `before`, `after`, `reason`."""
        self._of_group(group)
        kinds, edges = self._rules.get(group, (None, pd.DataFrame(columns=["before", "after", "reason"])))
        names = {kind: self._kind_name(kinds, kind) for kind in kinds.index} if kinds is not None else {}
        return edges.assign(before=edges["before"].map(names), after=edges["after"].map(names))

    def __repr__(self) -> str:
        about = f"{len(self.table):,} hyperedges, {len(self.groups):,} groups, {self.order}"
        return f"Precedence({about}, rules: {', '.join(self.include)})"

    def _rows(self, ids: Iterable[str]) -> np.ndarray:
        if isinstance(ids, str):
            raise TypeError(f"{ids!r} is one hyperedge: give a list of them.")
        ids = list(ids)
        rows = self.table.index.get_indexer(pd.Index(ids, dtype=object))
        if (rows < 0).any():
            place_of(self.table.index, ids[int(np.flatnonzero(rows < 0)[0])], "hyperedge")
        return rows

    def _of_group(self, group: str) -> np.ndarray:
        rows = self._by_group.get(group)
        if rows is None:
            raise KeyError(f"no group is named {group!r}; there are {', '.join(map(repr, self.groups[:5]))}, …")
        return rows

    @cached_property
    def _by_group(self) -> dict[str, np.ndarray]:
        return dict(self.table.groupby("group", sort=False).indices)

    def _edges_of(self, e1: str, e2: str):
        one, two = self._group[self._rows([e1, e2])].tolist()
        if one != two or one < 0:
            return None, None
        group = self.groups[one]
        return group, self._rules[group][1]


def _sort_keys(table: pd.DataFrame, order: str) -> np.ndarray:
    """A distinct integer a hyperedge: its rank by the tie-breaking alone."""
    place, step = table["place"].to_numpy(), table["step"].to_numpy()
    last = np.where(step < 0, np.iinfo(np.int64).max, step)
    change, to = table["change"].to_numpy(), table["to_place"].to_numpy()
    text = table["text_rank"].to_numpy()
    if order == "horizon_major":
        columns = [text, to, last, change, place]
    else:
        phase = table["phase_rank"].to_numpy()
        columns = [text, to, change, place, last, np.where(phase < 0, np.iinfo(np.int64).max, phase)]
    keys = np.empty(len(table), np.int64)
    keys[np.lexsort(columns)] = np.arange(len(table))
    return keys
