"""Open information extraction results as HippoRAG saves them: passages with their entities and triples."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pandas as pd

from ..hypergraph import Hypergraph
from ..schema import UNSTORABLE, Event
from ._files import read_text, warn_rejected

__all__ = ["read_openie", "read_openie_events"]


def read_openie(path: str | Path, strict: bool = False) -> Hypergraph:
    """A hyperedge a triple, its passage as evidence; named entities without a triple are isolated nodes.

    Nodes carry `documents`, the passages that name them as an entity. Triples that are not three texts are set aside
    and counted in a `RecordWarning`; `strict` stops at the first.
    """
    events, entities, rejected = read_openie_events(path)
    warn_rejected(path, rejected, "triples", len(events), "hgwork.io.read_openie_events lists them.", strict)
    return Hypergraph.from_events(events, nodes=entities)


def read_openie_events(path: str | Path) -> tuple[list[Event], pd.DataFrame, pd.DataFrame]:
    """Events, entities and rejected triples of an OpenIE file.

    Parameters
    ----------
    path : path
        JSON, also gzip: ``{"docs": [{"idx" or "title", "passage", "extracted_entities", "extracted_triples"}]}``.

    Returns
    -------
    events : list of Event
        `document` is the passage's `idx`, else its title (numbered where a title repeats), else its number.
    entities : DataFrame
        Index: name; column `documents`.
    rejected : DataFrame
        Columns `document`, `triple` (its number in the passage), `reason`, `record`.
    """
    try:
        docs = json.loads(read_text(path))["docs"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"{path} is not an OpenIE result: it needs JSON with a list `docs` ({error}).") from error
    if not isinstance(docs, list) or not all(isinstance(doc, dict) for doc in docs):
        raise ValueError(f"{path} is not an OpenIE result: its `docs` is no list of passages.")
    events, rejected = [], []
    entities: dict[str, dict[str, None]] = {}
    for document, doc in zip(_names(docs), docs, strict=True):
        for name in _listed(doc, "extracted_entities"):
            if _is_name(name):
                entities.setdefault(name, {})[document] = None
        evidence = UNSTORABLE.sub("\ufffd", str(doc.get("text") or doc.get("passage") or ""))
        for number, triple in enumerate(_listed(doc, "extracted_triples"), 1):
            if reason := _fault(triple):
                rejected.append((document, number, reason, triple))
                continue
            source, relation, target = triple
            event = Event(source=[source], relation=relation, target=[target], evidence=evidence, document=document)
            events.append(event)
    table = pd.DataFrame({"documents": pd.Series([list(x) for x in entities.values()], dtype=object)})
    report = pd.DataFrame(rejected, columns=["document", "triple", "reason", "record"])
    return events, table.set_axis(list(entities), axis=0), report


def _names(docs: list[dict]) -> list[str]:
    raw = []
    for number, doc in enumerate(docs, 1):
        name = doc["idx"] if doc.get("idx") is not None else doc.get("title")
        raw.append(str(name) if name not in (None, "") else f"passage {number}")
    often, seen, names = Counter(raw), Counter[str](), []
    for name in raw:
        seen[name] += 1
        names.append(f"{name} ({seen[name]})" if often[name] > 1 else name)
    return names


def _fault(triple) -> str | None:
    if not isinstance(triple, list) or len(triple) != 3:
        return f"{len(triple)} parts where a triple has 3" if isinstance(triple, list) else "it is not a list"
    wrong = [part for part in triple if not _is_name(part)]
    return f"its part {wrong[0]!r} is not a name" if wrong else None


def _is_name(part) -> bool:
    return isinstance(part, str) and bool(part.strip()) and not UNSTORABLE.search(part)


def _listed(doc: dict, name: str) -> list:
    found = doc.get(name)
    return found if isinstance(found, list) else []
