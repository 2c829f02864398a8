"""Events in, sentences out: the directed reading of a hypergraph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd

from ._arrays import MEMBER, place_of
from .schema import Event

__all__ = ["event_tables", "sentences"]

_COLUMNS = ["relation", "text", "document", "chunk", "start", "end", "date", "doi", "confidence", "kind"]


def event_tables(events: Iterable[Event | Mapping]) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """The incidences and the hyperedge table of events, numbered within their chunk."""
    records, seen = [], dict[str, int]()
    rows: dict[str, list] = {"edge": [], "node": [], "role": []}
    for number, event in enumerate(events, 1):
        if not isinstance(event, Event):
            try:
                event = Event.model_validate(dict(event))
            except ValueError as error:
                raise ValueError(f"event {number} is not an event: {error}") from error
        chunk = event.chunk or event.document or "event"
        seen[chunk] = seen.get(chunk, -1) + 1
        record = event.model_dump(exclude={"source", "target", "evidence"})
        records.append({"edge": f"{chunk}/{seen[chunk]}", "text": event.evidence, **record})
        for role, members in (("source", event.source), ("target", event.target)):
            rows["edge"] += [records[-1]["edge"]] * len(members)
            rows["node"] += members
            rows["role"] += [role] * len(members)
    if not records:
        return pd.DataFrame(rows, dtype=object), None
    edges = pd.DataFrame.from_records(records, index="edge").astype({"start": "Int64", "end": "Int64"})
    return pd.DataFrame(rows), edges[_COLUMNS].dropna(axis=1, how="all")


def sentences(H, edges: pd.Index) -> pd.Series:
    """See `Hypergraph.sentences`."""
    place = np.array([place_of(H._edges.index, edge, "hyperedge") for edge in edges], dtype=int)
    names: dict[int, tuple[list, list, list]] = {row: ([], [], []) for row in place.tolist()}
    chosen = np.isin(H._edge_codes, place)
    roles = np.full(chosen.sum(), MEMBER) if H._roles is None else H._roles[chosen]
    labels = H._nodes.index[H._node_codes[chosen]]
    for row, label, role in zip(H._edge_codes[chosen].tolist(), labels, roles.tolist(), strict=True):
        names[row][role].append(label)
    relations = H._edges["relation"].iloc[place] if "relation" in H._edges else [None] * len(place)
    lines = [_sentence(*names[row], relation) for row, relation in zip(place.tolist(), relations, strict=True)]
    return pd.Series(lines, index=edges, name="sentence", dtype=object)


def _sentence(source: list, target: list, member: list, relation) -> str:
    relation = relation if isinstance(relation, str) and relation else None
    if not source and not target:
        inside = "{" + ", ".join(member) + "}"
        return f"{relation} {inside}" if relation else inside
    parts = [", ".join(source) or "·", relation or "→", ", ".join(target) or "·"]
    return " – ".join(parts) + (" {" + ", ".join(member) + "}" if member else "")
