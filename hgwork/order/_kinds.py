"""Kinds of hyperedges (place, family, relation, change or not) and the rules between them (appendix A.3 of [1]_).

References
----------
.. [1] Knowledge Is Not Static: Order-Aware Hypergraph RAG for Language Models.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ..hypergraph import Hypergraph
from ._tables import missing
from .domain import Domain, Rule

__all__ = ["kinds_of", "rule_edges"]

Edge = tuple[int, int, str]


def kinds_of(H: Hypergraph, domain: Domain | None, steps: str) -> pd.DataFrame:
    """One row a hyperedge: where it stands, and the number of its kind within its group."""
    edges = H.edges
    column = _index_column(edges, domain)
    if "group" not in edges:
        raise ValueError("the hyperedges have no column 'group': order holds within a knowledge group. Add it.")
    table = pd.DataFrame(index=edges.index)
    table["group"] = _text(edges["group"])
    for name in (column, f"to_{column}", f"from_{column}"):
        if name in edges and pd.api.types.is_datetime64_any_dtype(edges[name]):
            raise ValueError(f"the column {name!r} holds dates: give numbers, such as hours before the event.")
    index = pd.to_numeric(edges[column].astype(object), errors="coerce")
    if (wrong := index.isna() & edges[column].notna()).any():
        raise ValueError(f"hyperedge {wrong.idxmax()!r}: {column} {edges.loc[wrong.idxmax(), column]!r} is no number.")
    table["index"] = index.astype(float)
    if (endless := np.isinf(table["index"])).any():
        raise ValueError(f"hyperedge {endless.idxmax()!r}: {column} is infinite. Correct it or leave it out.")
    to = pd.to_numeric(edges[f"to_{column}"], errors="coerce") if f"to_{column}" in edges else index * np.nan
    if f"from_{column}" in edges:  # a table of sentences: a change stands where it is stated, at the later place
        start = pd.to_numeric(edges[f"from_{column}"], errors="coerce").astype(float)
        to = to.astype(float).where(start.isna(), table["index"])
        table["index"] = table["index"].where(start.isna(), start)
    sign = -1.0 if column == "horizon" else 1.0
    table["place"], table["to_place"] = _places(table["group"], sign * table["index"], sign * to.astype(float))
    for name in ("relation", "family"):
        table[name] = _text(edges[name]) if name in edges else None
    table["change"], table["step"], table["phase_rank"] = False, -1, -1
    if domain is not None:
        _by_domain(table, edges, domain, steps)
    table["text_rank"] = _text_rank(edges)
    table["kind"] = _numbered(table)
    return table


def _text(column: pd.Series) -> pd.Series:
    """Names as text; None where there is none."""
    values = [None if missing(value) else str(value) for value in column]
    return pd.Series(values, index=column.index, dtype=object)


def _index_column(edges: pd.DataFrame, domain: Domain | None) -> str:
    wanted = [domain.index.column] if domain else ["horizon", "position"]
    found = [name for name in wanted if name in edges and edges[name].notna().any()] or [
        name for name in wanted if name in edges
    ]
    if not found:
        raise ValueError(
            f"the hyperedges have no column {' or '.join(map(repr, wanted))}: nothing says what comes first."
        )
    return found[0]


def _places(groups: pd.Series, value: pd.Series, to: pd.Series) -> tuple[pd.Series, pd.Series]:
    """Places 0, 1, … among the values of each group (those that changes lead to count too); -1 where unknown."""
    both = pd.DataFrame({"group": pd.concat([groups, groups]), "value": pd.concat([value, to])})
    known = both["group"].notna().to_numpy() & both["value"].notna().to_numpy()
    ranks = both[known].groupby("group", sort=False)["value"].rank("dense").astype(np.int64) - 1
    place = np.full(len(both), -1, np.int64)
    place[known] = ranks.to_numpy()
    half = len(groups)
    return pd.Series(place[:half], groups.index), pd.Series(place[half:], groups.index)


def _by_domain(table: pd.DataFrame, edges: pd.DataFrame, domain: Domain, steps: str) -> None:
    """Family, change, step and phase rank as the vocabulary has them; what it does not know keeps -1."""
    relation = table["relation"]
    family = relation.map(domain.family_of)
    change = (family == domain.crossing) if domain.crossing else pd.Series(False, table.index)
    of = relation.map({name: relation.underlying for name, relation in domain.relations.items() if relation.underlying})
    if "underlying" in edges:
        stated = _text(edges["underlying"])
        of = stated.where(stated.isin(list(domain.families)), of)
    table["change"], table["family"] = change.to_numpy(bool), family.where(~change, of).astype(object)
    first = {name: min(domain.steps[r] for r in f.relations) for name, f in domain.families.items()}
    phase = {name: domain.phases.index(f.phase) if f.phase else -1 for name, f in domain.families.items()}
    table["phase_rank"] = table["family"].map(phase).fillna(-1).astype(np.int64)
    by_family = table["family"].map(first)
    step = relation.map(domain.steps).where(~change, by_family).where(table["family"].notna())
    table["step"] = step.fillna(-1).astype(np.int64) if steps == "families" else table["phase_rank"]


def _text_rank(edges: pd.DataFrame) -> np.ndarray:
    """Where each hyperedge stands in the texts: by document, place in it, row of the table."""
    document = _codes(edges["document"]) if "document" in edges else np.zeros(len(edges))
    start = (
        pd.to_numeric(edges["start"], errors="coerce").to_numpy(float, na_value=np.inf)
        if "start" in edges
        else document * 0
    )
    rank = np.empty(len(edges), np.int64)
    rank[np.lexsort([np.arange(len(edges)), start, document])] = np.arange(len(edges))
    return rank


def _codes(column: pd.Series) -> np.ndarray:
    return pd.factorize(column)[0]


def _numbered(table: pd.DataFrame) -> np.ndarray:
    """The kind of each hyperedge, numbered 0, 1, … within its group by first appearance; -1 where it has no place."""
    if not len(table):
        return np.zeros(0, np.int64)
    parts = [table["place"], table["change"], table["step"], _codes(table["family"]), _codes(table["relation"])]
    group = _codes(table["group"])
    wide, distinct = pd.MultiIndex.from_arrays([group, *parts]).factorize()
    of_group = distinct.get_level_values(0).to_numpy()
    usable = (of_group >= 0) & (distinct.get_level_values(1).to_numpy() >= 0)
    number = np.full(len(distinct), -1, np.int64)
    number[usable] = pd.Series(of_group[usable]).groupby(of_group[usable]).cumcount().to_numpy()
    return number[wide]


def rule_edges(kinds: pd.DataFrame, domain: Domain | None, include: Iterable[str], changes: str) -> pd.DataFrame:
    """Which kind of a group precedes which: `before`, `after`, `reason`.

    Only neighbours are listed where the closure gives the rest: one step with the next step that occurs at the
    place, a family at one place with the next place where it occurs.
    """
    columns = [kinds.index, *(kinds[name] for name in ("place", "step", "family", "relation", "change"))]
    every = [_Kind(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]
    facts, crossing = [k for k in every if not k.change], [k for k in every if k.change]
    found: list[Edge] = []
    if domain is not None:
        if "phase" in include:
            found += _within(facts, f"within_{domain.index.column}")
        if "evolution" in include:
            found += _evolution(every)
        if "change" in include:
            found += _to_change(facts, crossing, changes)
        if "causal" in include:
            found += [edge for rule in domain.rules for edge in _causal(facts, domain, rule)]
    if "sequence" in include:
        found += _between(_levels(every, "place"), "sequence")
    before, after, reasons = zip(*found, strict=True) if found else ((), (), ())
    ends = {"before": np.array(before, np.int64), "after": np.array(after, np.int64)}
    return pd.DataFrame({**ends, "reason": np.array(reasons, object)})


class _Kind(NamedTuple):
    number: int
    place: int
    step: int
    family: str | None
    relation: str | None
    change: bool


def _by(kinds: list[_Kind], field: str) -> dict[Any, list[_Kind]]:
    found: dict[Any, list[_Kind]] = {}
    for kind in kinds:
        found.setdefault(getattr(kind, field), []).append(kind)
    return found


def _levels(kinds: list[_Kind], field: str) -> list[list[int]]:
    by_value = _by(kinds, field)
    return [[kind.number for kind in by_value[value]] for value in sorted(by_value)]


def _between(levels: list[list[int]], reason: str) -> list[Edge]:
    return [(u, v, reason) for before, after in pairwise(levels) for u in before for v in after]


def _within(facts: list[_Kind], reason: str) -> list[Edge]:
    by_place = _by([kind for kind in facts if kind.step >= 0], "place")
    return [edge for here in by_place.values() for edge in _between(_levels(here, "step"), reason)]


def _evolution(kinds: list[_Kind]) -> list[Edge]:
    """A family from place to place: facts and changes to the facts and changes where it next occurs."""
    by_family = _by([kind for kind in kinds if isinstance(kind.family, str)], "family")
    return [edge for one in by_family.values() for edge in _between(_levels(one, "place"), "family_evolution")]


def _to_change(facts: list[_Kind], changes: list[_Kind], scope: str) -> list[Edge]:
    by_place = _by(facts, "place")
    return [
        (fact.number, change.number, "family_to_change")
        for change in changes
        for fact in by_place.get(change.place, [])
        if scope == "horizon" or fact.family == change.family
    ]


def _causal(facts: list[_Kind], domain: Domain, rule: Rule) -> list[Edge]:
    before, after = set(domain.relations_of(rule.before)), set(domain.relations_of(rule.after))
    places = _by(facts, "place").values() if rule.at == "same" else [facts]
    return [
        (one.number, two.number, rule.name)
        for here in places
        for one in here
        if one.relation in before
        for two in here
        if two.relation in after
    ]
