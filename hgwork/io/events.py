"""Events, one JSON object a line: what construction yields and `Hypergraph.from_events` takes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pandas as pd
from pydantic import ValidationError

from .._arrays import known
from ..hypergraph import Hypergraph
from ..schema import Event
from ._files import encoder, new_text, read_text, warn_rejected

__all__ = ["read_event_graph", "read_events", "write_event_graph", "write_events"]


def read_events(path: str | Path, strict: bool = False) -> tuple[list[Event], pd.DataFrame]:
    """Read a file of events.

    Parameters
    ----------
    path : path
        ``.jsonl``, also ``.jsonl.gz``; blank lines are passed over.
    strict : bool
        Stop at the first line that is not an event.

    Returns
    -------
    events : list of Event
    rejected : DataFrame
        Columns `line`, `reason`, `record`: the lines set aside.
    """
    events, rejected = [], []
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if not line.strip():
            continue
        try:
            events.append(Event.model_validate(json.loads(line)))
        except ValidationError as error:
            rejected.append((number, _reason(error), line))
        except (ValueError, RecursionError) as error:
            rejected.append((number, f"not JSON ({error})", line))
    report = pd.DataFrame(rejected, columns=["line", "reason", "record"])
    if strict:
        warn_rejected(path, report, "lines", len(events), "", strict=True)
    return events, report


def _reason(error: ValidationError) -> str:
    first = error.errors()[0]
    place = ".".join(map(str, first["loc"]))
    return f"{place}: {first['msg']}" if place else first["msg"]


def read_event_graph(path: str | Path, strict: bool = False) -> Hypergraph:
    """The hypergraph of a file of events; lines set aside are counted in a `RecordWarning`."""
    events, rejected = read_events(path, strict)
    warn_rejected(path, rejected, "lines", len(events), "hgwork.io.read_events lists them.", strict)
    return Hypergraph.from_events(events)


def write_events(events: Iterable[Event], path: str | Path) -> None:
    """Write events, one a line, without the fields that are not known."""
    with new_text(path) as file:
        for event in events:
            file.write(event.model_dump_json(exclude_none=True) + "\n")


def write_event_graph(H: Hypergraph, path: str | Path) -> None:
    """Write each hyperedge as an event.

    Raises
    ------
    ValueError
        If a hyperedge is not an event: it lacks a relation, a source or a target, or has members without a side.
    """
    frame = H.incidences.astype({"edge": object, "node": object, "role": object})
    sides: dict[str, dict[str, list]] = {edge: {"source": [], "target": [], "member": []} for edge in H.edges.index}
    for edge, node, role in zip(frame["edge"], frame["node"], frame["role"], strict=True):
        sides[edge][role].append(node)
    encode = encoder(path=path).encode
    with new_text(path) as file:
        for edge, row in known(H.edges):
            fields = {name: row[name] for name in Event.model_fields if name in row}
            fields["evidence"] = row.get("text", "")
            members = sides[edge].pop("member")
            try:
                if members:
                    raise ValueError(f"{members[0]!r} is neither source nor target")
                event = Event.model_validate({**fields, **sides[edge]})
            except ValueError as error:
                reason = _reason(error) if isinstance(error, ValidationError) else str(error)
                raise ValueError(
                    f"{path}: hyperedge {edge!r} is not an event ({reason}). Write HIF (.hif.json) or a .parquet "
                    "folder, which hold any hypergraph."
                ) from error
            file.write(encode(event.model_dump(exclude_none=True)) + "\n")
