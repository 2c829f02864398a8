"""The text a hyperedge is embedded by, with or without what gives its horizon away.

The text joins relation, evidence, entity names and types, and attribute values that the evidence does not hold [1]_.
Identifiers, anchors, clock times, dates, durations and advisory numbers all tell when a fact was known; "without
horizon tokens" is only meant where every one of them is gone.

References
----------
.. [1] Knowledge Is Not Static: Order-Aware Hypergraph RAG for Language Models, appendix A.4.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import pandas as pd

from ...hypergraph import Hypergraph

__all__ = ["LEAKING", "edge_texts", "leaks", "strip_horizon"]

_TELLING = """
    hours days day hour offshore strike window lead number issued posted date time closest leaving timing advisory
    horizon position to_horizon to_position
"""
LEAKING = frozenset(_TELLING.split())
"""Attributes that say when a fact was known or how long until landfall, whatever they hold."""

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]*\.?"
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_COUNT = (
    r"(?:\d+(?:\.\d+)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|eighteen|twenty[- ]four|"
    r"thirty[- ]six|forty[- ]eight|sixty|seventy[- ]two)"
)
_UNIT = r"(?:hours?|hrs?|h|days?|minutes?|mins?)"
_PATTERNS = [
    r"\bT ?[-+−–] ?\d+(?: ?h(?:ou)?rs?)?\b",
    r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?Z?)?",
    r"\b\d{1,2}/\d{1,2}/\d{2,4}\b",
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}\b(?:,? \d{{4}}\b)?",
    rf"\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b(?:,? \d{{4}}\b)?",
    rf"\b{_DAY}\b",
    r"\b\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]\.?m\.?\b)?(?: ?(?:UTC|GMT|Z|[ECMPA][SD]T)\b)?",
    r"\b\d{1,2} ?[ap]\.?m\b\.?(?: ?[ECMPA][SD]T\b)?",
    r"\b\d{1,4} ?(?:UTC|GMT|Z|[ECMPA][SD]T)\b",
    rf"\b{_COUNT}(?: ?(?:to|and|-|–|or) ?{_COUNT})?[- ]{_UNIT}\b",
    rf"\b\d+(?:\.\d+)?{_UNIT}\b",
    rf"\b{_UNIT} \d+(?: ?(?:to|and|-|–|or) ?\d+)?\b",
    r"\b(?:intermediate )?(?:advisory|bulletin)(?: (?:no\.?|number))?,? #?\d+[a-z]?\b",
    r"\b(?:number|no\.) ?\d+[a-z]?\b",
    r"\b(?:19|20)\d\d\b",
    r"\b(?:today|tonight|tomorrow|yesterday)\b",
]
_STRIP = re.compile("|".join(_PATTERNS), re.IGNORECASE)
_TIMED = re.compile(rf"(?:\d[\d.]*|\b){_UNIT}$", re.IGNORECASE)
_BLANK = "…"


def edge_texts(H: Hypergraph, horizon_tokens: bool = False) -> pd.Series:
    """One text a hyperedge for the embedder.

    Parameters
    ----------
    H : Hypergraph
        Hyperedges with `relation`, `text`, `attributes` where known; incidences with `surface`, nodes with `type` and
        `kind` where known.
    horizon_tokens : bool
        True keeps the texts as they stand and puts the anchors first. False strips anchors, transient identifiers,
        dates, clock times, durations and advisory numbers.

    Returns
    -------
    Series of str, index: hyperedge

    Examples
    --------
    >>> H = Hypergraph.from_dict({"e": ["cyclone:ALEX", "horizon:T-48"]},
    ...     edges={"e": {"relation": "has_motion", "text": "At T-48 Alex moves north; landfall is 50 hours away."}},
    ...     nodes={"cyclone:ALEX": {"type": "cyclone", "kind": "persistent"},
    ...            "horizon:T-48": {"type": "horizon_time", "kind": "anchor"}})
    >>> edge_texts(H)["e"]
    'has motion: At … Alex moves north; landfall is … away. [cyclone ALEX]'
    >>> edge_texts(H, horizon_tokens=True)["e"]
    'T-48. has motion: At T-48 Alex moves north; landfall is 50 hours away. [cyclone ALEX]'
    """
    edges = H.edges
    members = _members(H, horizon_tokens)
    rows = []
    columns = [_column(edges, name) for name in ("relation", "text", "attributes")]
    for edge, relation, text, attributes in zip(edges.index, *columns, strict=True):
        relation, text = (value if isinstance(value, str) else "" for value in (relation, text))
        attributes = attributes if isinstance(attributes, dict) else {}
        if not horizon_tokens:
            text = _without_values(text, attributes)
            attributes = {name: value for name, value in attributes.items() if not leaks(name, value)}
        more = [f"{name.replace('_', ' ')} {said}" for name, said in _unsaid(attributes, text)]
        anchors, names = members.get(edge, ([], []))
        body = f"{relation.replace('_', ' ')}: {text}" if relation else text
        if not horizon_tokens:
            body, more, names = strip_horizon(body), [strip_horizon(m) for m in more], [strip_horizon(n) for n in names]
        tail = "; ".join([*more, *names])
        lead = ", ".join(anchors) + ". " if anchors and horizon_tokens else ""
        rows.append(f"{lead}{body}" + (f" [{tail}]" if tail else ""))
    return pd.Series(rows, index=edges.index, dtype=object)


def strip_horizon(text: str) -> str:
    """The text with dates, times, durations, horizons and advisory numbers replaced by "…".

    Examples
    --------
    >>> strip_horizon("Advisory 12 was issued at 15:00 UTC on 3 August 2020, 36 hours before landfall (T-36).")
    '… was issued at … on …, … before landfall (…).'
    """
    return _STRIP.sub(_BLANK, text)


def leaks(name: str, value: Any) -> bool:
    """Whether an attribute tells the horizon: by its name, its unit, or a date or duration in its text.

    Examples
    --------
    >>> leaks("hours", 48), leaks("rest", {"value": 2.0, "unit": "hours", "text": "2 hours"}), leaks("wind", "65 mph")
    (True, True, False)
    """
    if name in LEAKING:
        return True
    if isinstance(value, dict):
        if "unit" in value or "text" in value:
            return bool(_TIMED.fullmatch(str(value.get("unit", "")))) or leaks("", str(value.get("text", "")))
        return any(leaks("", inner) for inner in value.values())
    if isinstance(value, (list, tuple)):
        return any(leaks("", inner) for inner in value)
    return isinstance(value, str) and _tells(value)


@lru_cache(1 << 16)
def _tells(text: str) -> bool:
    return bool(_STRIP.search(text))


def _column(edges: pd.DataFrame, name: str) -> list:
    return edges[name].tolist() if name in edges else [None] * len(edges)


def _spoken(value: Any) -> Iterable[str]:
    """The texts in which a value may stand in a sentence."""
    if isinstance(value, dict):
        if "text" in value or "value" in value:
            yield str(value.get("text") or value.get("value"))
        else:
            for inner in value.values():
                yield from _spoken(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _spoken(inner)
    elif isinstance(value, str) or (isinstance(value, (int, float)) and value == value):
        yield str(value)


def _without_values(text: str, attributes: dict) -> str:
    for name, value in attributes.items():
        if leaks(name, value):
            for said in sorted(_spoken(value), key=len, reverse=True):
                if said and any(character.isdigit() for character in said):
                    text = re.sub(rf"(?<![\w.-]){re.escape(said)}(?![\w.]*\d)", _BLANK, text)
    return text


def _unsaid(attributes: dict, text: str) -> list[tuple[str, str]]:
    low = text.casefold()
    pairs = [(str(name), said) for name, value in attributes.items() for said in _spoken(value)]
    return [(name, said) for name, said in pairs if said and said.casefold() not in low]


def _members(H: Hypergraph, horizon_tokens: bool) -> dict[str, tuple[list[str], list[str]]]:
    """Of each hyperedge the labels of its anchors, and "type name" of its lasting members or the type alone."""
    nodes = H.nodes
    found: dict[str, tuple[list[str], list[str]]] = {}
    kind = nodes["kind"].to_dict() if "kind" in nodes else {}
    type_ = nodes["type"].to_dict() if "type" in nodes else {}
    frame = H.incidences
    surface = frame["surface"].tolist() if "surface" in frame else [None] * len(frame)
    for edge, node, said in zip(frame["edge"].tolist(), frame["node"].tolist(), surface, strict=True):
        anchors, names = found.setdefault(edge, ([], []))
        what = type_.get(node)
        what = what.replace("_", " ") if isinstance(what, str) else ""
        bare = node.partition(":")[2] or node
        if kind.get(node) == "anchor":
            anchors += [bare] if bare not in anchors else []
            continue
        if kind.get(node) == "transient":
            entry = what or "state"
        else:
            name = said if isinstance(said, str) and said else bare.replace("_", " ")
            entry = f"{what} {name}".strip()
        if entry not in names:
            names.append(entry)
    return found
