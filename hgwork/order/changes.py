"""What differs from one place of the sequence to the next, as hyperedges of their own.

Facts of one relation about the same things form a series; where its values differ between neighbouring places, the
change becomes a hyperedge that holds both states and both anchors (step 4 of appendix A.2 in [1]_).

References
----------
.. [1] Knowledge Is Not Static: Order-Aware Hypergraph RAG for Language Models.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pandas as pd

from ..hypergraph import Hypergraph
from ._tables import assembled, fact_table, incidence_table, missing, without_anchors
from .domain import Change, Domain, load_domain
from .quantities import magnitude

__all__ = ["Stated", "series_of", "synthesise_changes"]


def synthesise_changes(H: Hypergraph, domain: Domain | str) -> tuple[Hypergraph, pd.DataFrame]:
    """Add a hyperedge for every series that differs between neighbouring places.

    Changes that an earlier run added are made anew. A place that contradicts itself counts with what it states last;
    a fact without a value does not hide one with it.

    Returns
    -------
    H : Hypergraph
        Changes stand last, `origin` "synthesis", without a span; `text` is a sentence of ours and no evidence.
        Members: the persistent entities that both facts share, the transient ones of the earlier fact (role "source")
        and of the later (role "target"), and both anchors.
    report : DataFrame
        By relation of the change and underlying family: `compared` (neighbouring pairs), `changed`.
    """
    domain = load_domain(domain)
    frame, edges = incidence_table(H), fact_table(H, domain)
    made = (edges["origin"] == "synthesis").to_numpy() if "origin" in edges else None
    if made is not None and made.any():
        frame = frame[(~pd.Series(made, edges.index)).reindex(frame["edge"]).to_numpy(bool)]
        edges = edges[~made]
    series = series_of(assembled(frame, edges, H.nodes, domain), domain)
    rows, members, counts = _made(series, frame, edges, domain)
    report = pd.DataFrame(
        [(*key, *value) for key, value in counts.items()], columns=["relation", "of", "compared", "changed"]
    )
    if rows:
        fresh = pd.DataFrame.from_records(rows, index="edge").astype(object)
        edges = _joined(edges, fresh[[name for name in fresh if name in edges or fresh[name].notna().any()]])
        frame = pd.concat([frame, pd.DataFrame(members, columns=frame.columns)], ignore_index=True)
    return assembled(frame, edges, H.nodes, domain), report


def _joined(edges: pd.DataFrame, fresh: pd.DataFrame) -> pd.DataFrame:
    """Both tables with the columns of both; a column keeps its type where the new rows allow it."""
    columns = [*edges.columns, *(name for name in fresh if name not in edges)]
    both = pd.concat([edges.reindex(columns=columns).astype(object), fresh.reindex(columns=columns)])
    for name in columns:
        kind: Any = edges[name].dtype if name in edges else None
        if name in ("to_horizon", "to_position") or (kind is not None and pd.api.types.is_integer_dtype(kind)):
            kind = "Int64"
        elif kind is None or (both[name].isna().any() and not pd.api.types.is_float_dtype(kind)):
            kind = object
        both[name] = both[name].where(both[name].notna(), None).astype(kind)
    return both


@dataclass(frozen=True, slots=True)
class Stated:
    """One fact of a series: `series` is (relation, key attributes, persistent entities), `compared` its attributes
    reduced to what counts as different."""

    edge: str
    group: str
    series: tuple
    index: int
    relation: str
    compared: dict[str, Any]


def series_of(H: Hypergraph, domain: Domain) -> dict[tuple[str, tuple], list[Stated]]:
    """The facts that some change of the domain compares, by group and series, in table order."""
    edges, frame = fact_table(H, domain), without_anchors(incidence_table(H), domain)
    wanted = edges["relation"].isin(list(_changes_of(domain))) & edges[domain.index.column].notna()
    kept = frame[frame["type"].isin(_lasting(domain)) & wanted.reindex(frame["edge"]).to_numpy(bool)]
    subjects: dict[str, set[str]] = {}
    for edge, node in zip(kept["edge"].tolist(), kept["node"].tolist(), strict=True):
        subjects.setdefault(edge, set()).add(node)
    found: dict[tuple[str, tuple], list[Stated]] = {}
    columns = ["group", "relation", "attributes", domain.index.column]
    for edge, group, relation, attributes, index in edges.reindex(columns=columns)[wanted].itertuples():
        keys = domain.relations[relation].key
        said = (attributes if isinstance(attributes, dict) else {}).items()
        stated = {name: plain for name, value in said if not missing(plain := _plain(value))}
        series = (relation, tuple(repr(stated.get(key)) for key in keys), tuple(sorted(subjects.get(edge, ()))))
        compared = {name: value for name, value in stated.items() if name not in keys}
        found.setdefault((group, series), []).append(Stated(edge, group, series, int(index), relation, compared))
    return found


def _lasting(domain: Domain) -> set[str]:
    return {name for name, kind in domain.entity_types.items() if kind.kind == "persistent"}


def _changes_of(domain: Domain) -> dict[str, list[Change]]:
    found: dict[str, list[Change]] = {}
    for change in domain.changes:
        for relation in domain.relations_of(change.of):
            found.setdefault(relation, []).append(change)
    return found


def _plain(value: Any) -> Any:
    """What makes two attributes different: number, unit and bound, or the words without case and end stop.

    None where an attribute says nothing.
    """
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, dict) and missing(value.get("value", "")):
        value = value.get("text")
    if isinstance(value, dict):
        return (value.get("value"), value.get("low"), value.get("high"), value.get("unit", ""), value.get("bound", ""))
    return " ".join(value.split()).rstrip(".").casefold() if isinstance(value, str) else value


Members = dict[str, list[tuple[str, str, str, str]]]


def _made(series: dict[tuple[str, tuple], list[Stated]], frame: pd.DataFrame, edges: pd.DataFrame, domain: Domain):
    """Rows of the hyperedge table, rows of incidences, and counts by (relation, family)."""
    plain, by_edge = without_anchors(frame, domain), Members()
    for edge, *member in zip(*(plain[name].tolist() for name in ("edge", *_MEMBER)), strict=True):
        by_edge.setdefault(edge, []).append(tuple(member))
    about, changes = edges.to_dict("index"), _changes_of(domain)
    rows: list[dict] = []
    members: list[tuple] = []
    counts: dict[tuple[str, str], list[int]] = {}
    for stated in series.values():
        last = {fact.index: fact for fact in sorted(stated, key=lambda fact: bool(fact.compared))}
        for one, two in pairwise(last[i] for i in sorted(last, reverse=domain.index.column == "horizon")):
            possible = changes[one.relation]
            change, differing = _change(one, two, possible, about)
            count = counts.setdefault(((change or possible[-1]).relation, domain.family_of[one.relation]), [0, 0])
            count[0] += 1
            if change is None:
                continue
            count[1] += 1
            rows.append({"edge": f"change {len(rows)}", **_row(one, two, change, differing, about, domain)})
            members += _members(rows[-1]["edge"], one, two, by_edge, domain)
    return rows, members, dict(sorted(counts.items()))


def _change(one: Stated, two: Stated, possible: list[Change], about) -> tuple[Change | None, list[str]]:
    """The first change of the domain that fits, and the attributes that differ."""
    shared = [name for name in one.compared if name in two.compared]
    for change in possible:
        names = [name for name in shared if change.attribute in (None, name)]
        differing = [name for name in names if one.compared[name] != two.compared[name]]
        if change.when != "differs":
            old, new = about[one.edge]["attributes"], about[two.edge]["attributes"]
            differing = [n for n in differing if _moves(old[n], new[n], change)]
        if differing:
            return change, differing
    return None, []


def _moves(old: Any, new: Any, change: Change) -> bool:
    before, after = _level(old, change.scale), _level(new, change.scale)
    if before is None or after is None or before == after:
        return False
    return (after > before) == (change.when == "rises")


def _level(value: Any, scale: list[str]) -> float | None:
    """The number of a value, or the place on the scale of the first of its names that the text holds."""
    if not scale:
        return magnitude(value)
    text = (value.get("text", "") if isinstance(value, dict) else str(value)).casefold()
    found = [
        (text.find(name.casefold()), -len(name), place) for place, name in enumerate(scale) if name.casefold() in text
    ]
    return float(min(found)[2]) if found else None


def _row(one: Stated, two: Stated, change: Change, differing: list[str], about, domain: Domain) -> dict[str, Any]:
    earlier, later = about[one.edge], about[two.edge]
    old, new = earlier["attributes"], later["attributes"]
    labels = {"start": domain.label(one.index), "end": domain.label(two.index)}
    subject = ", ".join(str(earlier[key]) for key in domain.scope if isinstance(earlier.get(key), str)) or one.group
    keys = [str(_said(old[key])) for key in domain.relations[one.relation].key if key in old]
    sentences = [
        domain.change_text.format(
            relation=change.relation,
            attribute=" ".join([name.replace("_", " "), *(f"({key})" for key in keys)]),
            subject=subject,
            old=_said(old[name]),
            new=_said(new[name]),
            **labels,
        )
        for name in differing
    ]
    family = domain.family_of[one.relation]
    column = domain.index.column
    return {
        "relation": change.relation,
        "stated_relation": change.relation,
        "text": " ".join(sentences),
        "document": later.get("document"),
        "chunk": None,
        "group": one.group,
        column: one.index,
        f"to_{column}": two.index,
        "family": domain.crossing,
        "phase": domain.families[family].phase,
        "underlying": family,
        "attributes": {name: {"from": old[name], "to": new[name]} for name in differing}
        | {key: old[key] for key in domain.relations[one.relation].key if key in old},
        "confidence": min(known) if (known := _known(earlier, later, "confidence")) else None,
        "origin": "synthesis",
        "domain": domain.name,
        **{key: earlier.get(key) for key in domain.scope},
    }


def _known(earlier: dict, later: dict, name: str) -> list:
    return [row[name] for row in (earlier, later) if not missing(row.get(name))]


def _said(value: Any) -> str:
    return str(value.get("text", value.get("value"))) if isinstance(value, dict) else str(value)


_MEMBER = ("node", "surface", "type", "qualifier")


def _members(edge: str, one: Stated, two: Stated, by_edge: Members, domain: Domain) -> list[tuple]:
    """Incidences of a change in the column order of `incidence_table`."""
    lasting = _lasting(domain)
    earlier, later = by_edge.get(one.edge, []), by_edge.get(two.edge, [])
    shared = {member[0] for member in earlier} & {member[0] for member in later}
    found = []
    for rows, role in ((earlier, "source"), (later, "target")):
        for node, surface, kind, qualifier in rows:
            if kind not in lasting:
                found.append((edge, node, role, surface, kind, qualifier))
            elif node in shared and role == "source":
                found.append((edge, node, "member", surface, kind, qualifier))
    for index, role in ((one.index, "source"), (two.index, "target")):
        found.append((edge, domain.anchor(index), role, domain.label(index), domain.index.anchor_type, ""))
    return found
