"""The clean-up of extracted facts: relations, identifiers, anchors, changes and repeats, each a step of its own.

Every step takes a hypergraph and gives one, with a table of what it did; run again on its own result it does nothing
(appendix A.2 of [1]_).

References
----------
.. [1] Knowledge Is Not Static: Order-Aware Hypergraph RAG for Language Models.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import pandas as pd

from ..hypergraph import Hypergraph
from ._tables import assembled, fact_table, incidence_table, missing, slug, without_anchors
from .changes import Stated, series_of, synthesise_changes
from .domain import Domain, load_domain

__all__ = ["STEPS", "canonicalise_ids", "deduplicate", "inject_anchors", "normalise_relations", "postprocess"]


def postprocess(
    H: Hypergraph, domain: Domain | str, threshold: float = 88
) -> tuple[Hypergraph, dict[str, pd.DataFrame]]:
    """Run the five steps in order.

    Parameters
    ----------
    H : Hypergraph
        Of facts, as `hgwork.order.extract` makes it; a result of this function is given back unchanged.
    domain : Domain, name or path
    threshold : float
        Of `normalise_relations`.

    Returns
    -------
    H : Hypergraph
    reports : dict of str to DataFrame
        "relations", "ids", "anchors", "changes", "repeats", and "contradictions".

    Examples
    --------
    >>> from hgwork.order import build
    >>> from hgwork.schema import Document
    >>> H = build([Document(id="d", text="T-48: Nothing is known.")], "cyclones", progress=False).hypergraph
    >>> postprocess(H, "cyclones")[0].equals(H)
    True
    """
    domain, reports = load_domain(domain), {}
    H, reports["relations"] = normalise_relations(H, domain, threshold)
    for name, step in STEPS.items():
        H, reports[name] = step(H, domain)
    reports["contradictions"] = contradictions(H, domain)
    return H, reports


def normalise_relations(H: Hypergraph, domain: Domain | str, threshold: float = 88) -> tuple[Hypergraph, pd.DataFrame]:
    """Map relations to the vocabulary, and set family, phase and underlying family.

    Parameters
    ----------
    H : Hypergraph
    domain : Domain, name or path
    threshold : float, 0 to 100
        Least similarity (normalised indel, by rapidfuzz) of a relation to a name or alias of the vocabulary. Where
        two relations are equally near it counts as unknown.

    Returns
    -------
    H : Hypergraph
        Unknown relations stay as they are, without a family.
    report : DataFrame
        `stated`, `relation`, `how` ("exact", "alias", "fuzzy", "unknown", "missing"), `score`, `hyperedges`.

    Raises
    ------
    ValueError
        If the threshold is out of its range, or the hyperedges are no facts (a column that is missing, a place that
        is no whole number); all steps check the latter.
    """
    domain = load_domain(domain)
    if not isinstance(threshold, (int, float)) or not 0 <= threshold <= 100:
        raise ValueError(f"threshold={threshold!r}: give a similarity from 0 to 100.")
    edges = fact_table(H, domain)
    counts = edges["relation"].value_counts(sort=False)
    found = {stated: _relation(str(stated), domain, threshold) for stated in counts.index}
    rows: list[tuple] = [(stated, *found[stated], count) for stated, count in counts.items()]
    if none := int(edges["relation"].isna().sum()):
        rows.append((None, None, "missing", 0.0, none))
    report = pd.DataFrame(rows, columns=["stated", "relation", "how", "score", "hyperedges"])
    relation = edges["relation"].map({stated: name for stated, (name, _, _) in found.items()}).astype(object)
    family = relation.map(domain.family_of).astype(object)
    changes = family == domain.crossing if domain.crossing else family.isna() & False
    of = relation.map({name: r.underlying for name, r in domain.relations.items() if r.underlying}).astype(object)
    if "underlying" in edges:
        stated_family = edges["underlying"].astype(object)
        of = stated_family.where(stated_family.isin(list(domain.families)), of)
    of = of.where(changes, None)
    phase = family.where(~changes, of).map({name: f.phase for name, f in domain.families.items()}).astype(object)
    columns = {"relation": relation, "family": family, "phase": phase, "underlying": of}
    edges = edges.assign(**{name: column.where(column.notna(), None) for name, column in columns.items()})
    return assembled(incidence_table(H), edges, H.nodes, domain), report


def _relation(stated: str, domain: Domain, threshold: float) -> tuple[str, str, float]:
    if stated in domain.relations:
        return stated, "exact", 100.0
    if stated in domain.alias_of:
        return domain.alias_of[stated], "alias", 100.0
    from rapidfuzz import fuzz, process

    names = {name: name for name in domain.relations} | domain.alias_of
    scored = process.extract(_words(stated), {n: _words(n) for n in names}, scorer=fuzz.ratio, limit=None)
    best = max((score for _, score, _ in scored), default=0.0)
    near = list(dict.fromkeys(names[name] for _, score, name in scored if score == best))
    if best < threshold or len(near) != 1:
        return stated, "unknown", round(float(best), 1)
    return near[0], "alias" if best == 100 else "fuzzy", round(float(best), 1)


def _words(relation: str) -> str:
    return " ".join(relation.replace("_", " ").replace("-", " ").casefold().split())


def canonicalise_ids(H: Hypergraph, domain: Domain | str) -> tuple[Hypergraph, pd.DataFrame]:
    """Name entities by type, scope and place, so that one thing has one name in all blocks.

    The surface form stays with the incidence (`surface`). Of a change, entities with the role "target" are named
    after the place it leads to.

    Returns
    -------
    H : Hypergraph
    report : DataFrame
        By type: `incidences`, `entities`, `grounded` (incidences whose surface stands in the evidence, case and
        white space aside), `rate`; the last row, "all", sums up. Anchors and synthesised changes are left out.
    """
    domain = load_domain(domain)
    frame, edges = incidence_table(H), fact_table(H, domain)
    columns = [domain.index.column, f"to_{domain.index.column}", "group", *domain.scope]
    about = edges.reindex(columns=columns).astype(object).to_dict("index")
    fields = {edge: _scope_fields(row, domain) for edge, row in about.items()}
    columns = ["edge", "node", "role", "surface", "type", "qualifier"]
    names = [
        _identifier(about[edge], fields[edge], node, role, surface, kind, qualifier, domain)
        for edge, node, role, surface, kind, qualifier in frame[columns].itertuples(index=False, name=None)
    ]
    renamed = frame.assign(node=names)
    pairs = pd.DataFrame({"old": frame["node"], "new": names}).drop_duplicates()
    nodes = H.nodes.reindex(columns=["description", "confidence"]).loc[pairs["old"]].set_axis(pairs["new"])
    return assembled(renamed, edges, nodes, domain), _grounding(renamed, edges, domain)


def _scope_fields(edge: dict, domain: Domain) -> dict[str, str]:
    values = {key: edge[key] if isinstance(edge[key], str) else str(edge["group"]) for key in domain.scope}
    return {key: slug(value, domain.scope[key].case) for key, value in values.items()}


def _identifier(edge: dict, scope: dict, node: str, role: str, surface: str, kind: str, qualifier: str, domain) -> str:
    entity = domain.entity_types.get(kind)
    if entity is None or entity.kind == "anchor":
        return node
    column = domain.index.column
    places = [edge[f"to_{column}"]] if role == "target" else []
    index = next((place for place in [*places, edge[column]] if pd.notna(place)), None)
    key = next((key for key, about in domain.scope.items() if about.type == kind), None)
    name = slug(surface, domain.scope[key].case if key else "lower")
    if key and _meant(name, scope[key]):
        name = scope[key]  # "Irma" within the scope "IRMA 2017" is that storm
    fields = {"name": name, "qualifier": slug(qualifier) if qualifier else "any"}
    return entity.id.format(**scope, **fields, anchor="unplaced" if index is None else domain.label(index))


def _meant(name: str, scope: str) -> bool:
    """Whether a short name is the beginning, the end or the middle of the name of the scope, word for word."""
    return f"_{name}_".casefold() in f"_{scope}_".casefold()


def _grounding(frame: pd.DataFrame, edges: pd.DataFrame, domain: Domain) -> pd.DataFrame:
    stated = without_anchors(frame, domain)
    if "origin" in edges:
        stated = stated[(edges["origin"] != "synthesis").reindex(stated["edge"]).to_numpy(bool)]
    texts = edges["text"].map(lambda text: " ".join(str(text).casefold().split()))
    inside = [
        " ".join(str(surface).casefold().split()) in text
        for surface, text in zip(stated["surface"], texts.reindex(stated["edge"]), strict=True)
    ]
    table = stated.assign(grounded=inside)
    report = table.groupby("type", sort=True).agg(
        incidences=("node", "size"), entities=("node", "nunique"), grounded=("grounded", "sum")
    )
    report.loc["all"] = [len(table), table["node"].nunique(), int(sum(inside))]
    report = report.astype(int)
    return report.assign(rate=(report["grounded"] / report["incidences"].where(report["incidences"] > 0)))


def inject_anchors(H: Hypergraph, domain: Domain | str) -> tuple[Hypergraph, pd.DataFrame]:
    """Give every hyperedge with a place exactly one anchor entity, a change those it leads from and to.

    Anchors that an extraction named itself are replaced.

    Returns
    -------
    H : Hypergraph
    report : DataFrame
        By anchor: `hyperedges`; "unplaced" counts hyperedges without a place, which get none, "open change" changes
        that do not say where they lead.
    """
    domain = load_domain(domain)
    edges, column = fact_table(H, domain, "family"), domain.index.column
    frame = without_anchors(incidence_table(H), domain)
    crossing = (edges["family"] == domain.crossing) if domain.crossing else pd.Series(False, edges.index)
    index = edges[column]
    to = (
        edges[f"to_{column}"].where(crossing & index.notna())
        if f"to_{column}" in edges
        else index.where(index.isna() & False)
    )
    sides = []
    for places, role in ((index[index.notna()], None), (to[to.notna()], "target")):
        labels = {value: (domain.anchor(value), domain.label(value)) for value in places.unique()}
        roles = ["source" if c else "member" for c in crossing[places.index]] if role is None else role
        sides.append(
            pd.DataFrame(
                {
                    "edge": places.index.to_numpy(),
                    "node": [labels[value][0] for value in places],
                    "role": roles,
                    "surface": [labels[value][1] for value in places],
                    "type": domain.index.anchor_type,
                    "qualifier": "",
                }
            )
        )
    both = pd.concat([frame, *(side for side in sides if len(side))], ignore_index=True)
    anchors = pd.concat([side for side in sides if len(side)], ignore_index=True) if any(map(len, sides)) else sides[0]
    explanation = domain.entity_types[domain.index.anchor_type].explanation
    fresh = pd.DataFrame({"description": explanation, "confidence": 1.0}, index=pd.unique(anchors["node"]))
    nodes = pd.concat([H.nodes.reindex(columns=["description", "confidence"]), fresh])
    report = anchors["node"].value_counts(sort=False).rename("hyperedges").rename_axis("anchor").to_frame()
    report.loc["unplaced"] = int(index.isna().sum())
    report.loc["open change"] = int((crossing & index.notna() & to.isna()).sum())
    result = assembled(both, edges, nodes, domain)
    _check_anchors(result, domain, index, to)
    return result, report


def _check_anchors(H: Hypergraph, domain: Domain, index: pd.Series, to: pd.Series) -> None:
    """Exactly one anchor a place: what the retrieval of one place relies on."""
    frame = incidence_table(H)
    anchors = frame[frame["type"] == domain.index.anchor_type].drop_duplicates(["edge", "node"])
    held = anchors.groupby("edge").size().reindex(H.edges.index, fill_value=0)
    wanted = index.notna().astype(int) + (to.notna() & (to != index).fillna(False)).astype(int)
    if (wrong := held != wanted).any():
        edge = wrong.idxmax()
        raise ValueError(
            f"hyperedge {edge!r} has {held[edge]} anchors instead of {wanted[edge]}: report this as a fault."
        )


def deduplicate(H: Hypergraph, domain: Domain | str) -> tuple[Hypergraph, pd.DataFrame]:
    """Name hyperedges after a hash of relation, entity set and evidence, and collapse exact repeats.

    The hash counts in the knowledge group and the places: two groups that state the same keep a hyperedge each, as
    precedence holds within a group. Attributes are part of it, so that two readings of one sentence stay apart. The
    first of several stays.

    Returns
    -------
    H : Hypergraph
    report : DataFrame
        One row a hyperedge that repeats: `edge`, `copies`, `relation`, `group`.
    """
    domain = load_domain(domain)
    frame, edges = incidence_table(H), fact_table(H, domain)
    ids = pd.Series(_hashes(frame, edges, domain), index=edges.index, dtype=object)
    first = ~ids.duplicated()
    kept = edges[first.to_numpy()].set_axis(pd.Index(ids[first.to_numpy()], name="edge", dtype=object))
    frame = frame[first.reindex(frame["edge"]).to_numpy(bool)]
    frame = frame.assign(edge=ids.reindex(frame["edge"]).to_numpy())
    copies = ids.value_counts(sort=False)
    again = copies[copies > 1]
    report = pd.DataFrame({"edge": again.index, "copies": again.to_numpy()})
    for name in ("relation", "group"):
        report[name] = kept[name].reindex(again.index).to_numpy()
    return assembled(frame, kept, H.nodes, domain), report


def _hashes(frame: pd.DataFrame, edges: pd.DataFrame, domain: Domain) -> list[str]:
    members: dict[str, set[str]] = {}
    for edge, node in zip(frame["edge"].tolist(), frame["node"].tolist(), strict=True):
        members.setdefault(edge, set()).add(node)
    column, found = domain.index.column, []
    fields = ["relation", "text", "group", "attributes", column, f"to_{column}"]
    rows = edges.reindex(columns=fields).astype(object)
    for edge, *values in rows.itertuples():
        relation, text, group, attributes, *places = (None if missing(value) else value for value in values)
        said = sorted((attributes or {}).items(), key=lambda item: str(item[0]))
        key = repr((relation, sorted(members.get(edge, ())), text, group, said, places))
        found.append(f"{relation}:{hashlib.sha256(key.encode()).hexdigest()[:12]}")
    return found


def contradictions(H: Hypergraph, domain: Domain | str) -> pd.DataFrame:
    """Facts of one series at one place that state different values: both are kept, and listed here.

    Returns
    -------
    DataFrame
        `group`, `index`, `relation`, `attribute`, `edges` (list), `values` (list).
    """
    domain, rows = load_domain(domain), []
    table = fact_table(H, domain)
    edges = table["attributes"].to_dict() if "attributes" in table else {}
    for (group, _), stated in series_of(H, domain).items():
        by_index: dict[int, list[Stated]] = {}
        for fact in stated:
            by_index.setdefault(fact.index, []).append(fact)
        for index, here in by_index.items():
            for name in dict.fromkeys(name for fact in here for name in fact.compared):
                holding = [fact for fact in here if name in fact.compared]
                values = {repr(fact.compared[name]): edges[fact.edge][name] for fact in holding}
                if len(values) > 1:
                    rows.append(
                        (group, index, here[0].relation, name, [f.edge for f in holding], list(values.values()))
                    )
    return pd.DataFrame(rows, columns=["group", "index", "relation", "attribute", "edges", "values"])


STEPS: dict[str, Callable] = {
    "ids": canonicalise_ids,
    "anchors": inject_anchors,
    "changes": synthesise_changes,
    "repeats": deduplicate,
}
