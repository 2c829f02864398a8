"""Entities and facts, the tuples of the paper, and the hypergraph that facts make.

An entity is (name, type, explanation, confidence), a hyperedge (entities, relation, description, attributes,
confidence) [1]_. What else a fact knows says where it stands: its place in the sequence, its scope, its evidence.

References
----------
.. [1] Knowledge Is Not Static: Order-Aware Hypergraph RAG for Language Models, equations 6 and 7.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import pandas as pd
from pydantic import BaseModel, ConfigDict, Field, field_validator

from ..hypergraph import Hypergraph
from ..schema import Place, Text
from .domain import Domain

__all__ = ["Entity", "Fact", "to_hypergraph"]

Origin = Literal["rules", "record", "model", "synthesis"]


class Entity(BaseModel):
    """One participant, as the evidence names it.

    `side` says of a change whether the entity belongs to where it starts ("from") or to where it leads ("to");
    `qualifier` tells two transient entities of one type and place apart.
    """

    model_config = ConfigDict(frozen=True)

    name: Text = Field(min_length=1)
    type: str = Field(min_length=1)
    explanation: Text = ""
    confidence: float = Field(default=1.0, gt=0, le=1)
    qualifier: str = ""
    side: Literal["from", "to"] | None = None


class Fact(BaseModel):
    """One hyperedge with its evidence.

    Attributes
    ----------
    entities : list of Entity, at least 2
    relation : str
        As found; `hgwork.order.normalise_relations` maps it to the vocabulary.
    description : str
        The evidence sentence.
    attributes : dict
        Text, or quantities (`hgwork.order.quantity`).
    index, to_index : int, optional
        Horizon or position; of a change also the one it leads to.
    about : str, optional
        Of a change, the family it speaks of.
    scope : dict
        Such as ``{"storm": "IRMA 2017", "port": "Port Arthur"}``.

    Examples
    --------
    >>> sky, sea = Entity(name="Irma", type="cyclone"), Entity(name="Category 2", type="cyclone_state")
    >>> Fact(entities=[sky, sea], relation="has_category_state", description="Irma is a Category 2.").confidence
    1.0
    """

    model_config = ConfigDict(frozen=True)

    entities: list[Entity] = Field(min_length=2)
    relation: Text = Field(min_length=1)
    description: Text = Field(min_length=1)
    attributes: dict[str, Any] = {}
    confidence: float = Field(default=1.0, gt=0, le=1)
    index: int | None = None
    to_index: int | None = None
    about: str | None = None
    scope: dict[str, str] = {}
    group: str = Field(default="", min_length=0)
    document: Text | None = None
    chunk: Text | None = None
    start: Place | None = None
    end: Place | None = None
    origin: Origin = "rules"

    @field_validator("entities")
    @classmethod
    def _different(cls, entities: list[Entity]) -> list[Entity]:
        distinct = list({(e.name, e.type, e.qualifier, e.side): e for e in entities}.values())
        if len(distinct) < 2:
            raise ValueError("fewer than two different entities")
        return distinct


_EDGE = ["relation", "document", "chunk", "start", "end", "group", "confidence", "attributes", "origin"]
_ROLE = {"from": "source", "to": "target", None: "member"}


def to_hypergraph(facts: Iterable[Fact], domain: Domain) -> Hypergraph:
    """The hypergraph of facts as they were found, before any clean-up.

    Returns
    -------
    Hypergraph
        One hyperedge a fact, ``{chunk}/{number}``; nodes ``{type}:{name}``. Incidences carry `surface` (the name),
        `type` and `qualifier`.
    """
    facts, seen = list(facts), dict[str, int]()
    rows: dict[str, list] = {name: [] for name in ("edge", "node", "role", "surface", "type", "qualifier")}
    edges, nodes = [], dict[str, dict[str, Any]]()
    for fact in facts:
        chunk = fact.chunk or fact.document or "fact"
        seen[chunk] = seen.get(chunk, -1) + 1
        edge = f"{chunk}/{seen[chunk]}"
        edges.append({"edge": edge, "text": fact.description, **{name: getattr(fact, name) for name in _EDGE}})
        edges[-1] |= {"underlying": fact.about}
        edges[-1] |= {"stated_relation": fact.relation, "group": fact.group or fact.document or "group"}
        edges[-1] |= {domain.index.column: fact.index, f"to_{domain.index.column}": fact.to_index}
        edges[-1] |= {key: fact.scope.get(key) for key in domain.scope}
        for entity in fact.entities:
            name = f"{entity.type}:{entity.name}" + (f" ({entity.qualifier})" if entity.qualifier else "")
            known = nodes.setdefault(name, {"type": entity.type, "description": "", "confidence": 0.0})
            known["description"] = known["description"] or entity.explanation
            known["confidence"] = max(known["confidence"], entity.confidence)
            values = (edge, name, _ROLE[entity.side], entity.name, entity.type, entity.qualifier)
            for column, value in zip(rows.values(), values, strict=True):
                column.append(value)
    columns = ["edge", "relation", "stated_relation", "text", "document", "chunk", "start", "end", "group"]
    columns += [domain.index.column, f"to_{domain.index.column}", "family", "phase", "underlying", "attributes"]
    columns += ["confidence", "origin", "domain", *domain.scope]
    table = pd.DataFrame.from_records(edges, columns=[c for c in columns if c not in _LATER] if not edges else None)
    table = table.assign(family=None, phase=None, domain=domain.name)[columns].set_index("edge")
    whole = ["start", "end", domain.index.column, f"to_{domain.index.column}"]
    table = table.astype(dict.fromkeys(whole, "Int64"))
    node_table = pd.DataFrame(list(nodes.values()), index=pd.Index(list(nodes), dtype=object))
    frame = pd.DataFrame(rows, dtype=object)
    return Hypergraph.from_frame(frame, edges=table, nodes=node_table)


_LATER = ("family", "phase", "domain")
