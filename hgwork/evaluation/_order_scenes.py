"""What the cyclone facts say of each storm and port, report by report, and which hyperedges state it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pandas as pd

from ..answer.questions import QuestionForms
from ..answer.sentence_values import plain_value
from ..answer.streams import readings
from ..datasets.cyclones import cyclone_facts
from ..hypergraph import Hypergraph

__all__ = ["Scene", "scenes", "values_of"]

_POINTS: dict[str, str] = {
    "N": "north", "NNE": "north-northeast", "NE": "northeast", "ENE": "east-northeast", "E": "east",
    "ESE": "east-southeast", "SE": "southeast", "SSE": "south-southeast", "S": "south", "SSW": "south-southwest",
    "SW": "southwest", "WSW": "west-southwest", "W": "west", "WNW": "west-northwest", "NW": "northwest",
    "NNW": "north-northwest",
}  # fmt: skip
_LIKELY: dict[str, str] = {
    "no": "not expected",
    "yes": "expected",
    "unlikely": "unlikely",
    "possible": "possible",
    "likely": "likely",
}

_FACTS: dict[str, tuple[str, Callable[[Mapping[str, Any]], Any]]] = {
    "wind": ("state", lambda v: v.get("wind_mph")),
    "pressure": ("state", lambda v: v.get("pressure_mb")),
    "category": ("category", lambda v: v["category"]),
    "speed": ("motion", lambda v: v.get("speed_mph")),
    "heading": ("motion", lambda v: _POINTS.get(v.get("direction", ""))),
    "distance": ("distance", lambda v: v["miles"]),
    "gales": ("gale_chance", lambda v: v["percent"]),
    "gales_two_days": ("chance_by_lead", lambda v: v["by_48"]),
    "rain": ("rain_forecast", lambda v: _middle(v["inches_low"], v["inches_high"])),
    "surge": ("surge_forecast", lambda v: _middle(v["feet_low"], v["feet_high"])),
    "watch": ("watch", lambda v: _alerts(v["alerts"])),
    "warning": ("warning", lambda v: _alerts(v["alerts"])),
    "condition": ("condition", lambda v: v["condition"]),
    "cone": ("cone", lambda v: v["inside"]),
    "much_rain": ("rain_threshold", lambda v: _LIKELY[v["exceeded"]]),
    "high_surge": ("surge_threshold", lambda v: _LIKELY[v["exceeded"]]),
}
"""Attribute of the forms -> kind of fact that it is computed from, and how."""


class Scene(NamedTuple):
    """One storm and port.

    Attributes
    ----------
    group, storm, port : str
    reports : list of dict
        Earliest first, each attribute -> value.
    edges : dict of attribute to hyperedges that give it, earliest first
    complete : frozenset of str
        Attributes that have one hyperedge at each horizon of their values, and none besides.
    """

    group: str
    storm: str
    port: str
    reports: list[dict[str, Any]]
    edges: dict[str, list[str]]
    complete: frozenset[str]


def scenes(H: Hypergraph, forms: QuestionForms) -> list[Scene]:
    """Every storm and port of a hypergraph that has facts, sorted by group."""
    facts = cyclone_facts()
    facts = facts[facts["horizon"].notna() & ~facts["hindsight"] & facts["from_horizon"].isna()]
    by_storm = {storm: part for storm, part in facts.groupby("storm")}  # noqa: C416
    edges = H.edges[(H.edges["horizon"] > 0).fillna(False).astype(bool) & H.edges["family"].ne("cross_horizon")]
    found = []
    for group, held in edges.groupby("group", sort=True):
        storm, _, port = str(group).partition("/")
        if storm not in by_storm:
            continue
        own = by_storm[storm]
        own = own[own["port"].isin(["", port]) & own["horizon"].isin(set(held["horizon"]))]
        stated = _stated(held, forms)
        reports = _reports(own, forms, {name for name, ids in stated.items() if ids})
        told = {name: [at for at, report in reports.items() if name in report] for name in stated}
        complete = frozenset(name for name, ids in stated.items() if held["horizon"].loc[ids].tolist() == told[name])
        found.append(Scene(str(group), storm, port, list(reports.values()), stated, complete))
    return found


def values_of(scene: Scene, name: str) -> list[Any]:
    """The values of one attribute, earliest first."""
    return readings([(key, value) for report in scene.reports for key, value in report.items()], name)


def _reports(facts: pd.DataFrame, forms: QuestionForms, names: set[str]) -> dict[int, dict[str, Any]]:
    """Values by horizon, earliest first."""
    found: dict[int, dict[str, Any]] = {}
    rows = list(zip(facts["kind"], facts["horizon"].astype(int), facts["values"], strict=True))
    for name in forms.attributes:
        if name not in names or name not in _FACTS:
            continue
        kind, value_of = _FACTS[name]
        for other, horizon, values in rows:
            if other == kind and (value := value_of(values)) is not None:
                number = forms.attributes[name].type == "number"
                plain = float(value) if number else plain_value(replace(forms.attributes[name], strip=""), str(value))
                found.setdefault(horizon, {})[name] = plain
    return {horizon: found[horizon] for horizon in sorted(found, reverse=True)}


def _stated(edges: pd.DataFrame, forms: QuestionForms) -> dict[str, list[str]]:
    """Hyperedges of a group that give each attribute, earliest first."""
    found: dict[str, list[str]] = {name: [] for name in forms.attributes}
    order = edges.sort_values("horizon", ascending=False, kind="stable")
    for edge, relation, attributes in zip(order.index, order["relation"], order["attributes"], strict=True):
        for name, held in forms.attributes.items():
            if held.relation != relation or held.value not in (attributes or {}):
                continue
            if all(str(attributes.get(key, "")).startswith(text) for key, text in held.where.items()):
                found[name].append(edge)
    return found


def _middle(low: float, high: float) -> float:
    """The one number that a range is read as; a range from nothing is said as its upper end alone."""
    return float(high) if not low else (low + high) / 2


def _alerts(alerts: Sequence[str]) -> str:
    if not alerts:
        return "none"
    return alerts[0] if len(alerts) == 1 else f"{', '.join(alerts[:-1])} and {alerts[-1]}"
