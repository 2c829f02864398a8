"""Questions whose answers depend on the order of reports, and a control set whose answers do not.

Answers are computed from the table of facts of the cyclone corpus; methods and readers see sentences. A question enters
the first set only if putting the reports in other orders changes its answer, the second only if no order does. Both are
drawn so that no constant answer gets far.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations, product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ..answer.questions import Asked, Event, QuestionForms, question_forms
from ..answer.sentence_values import plain_value
from ..answer.streams import answer_from, readings
from ..datasets.cyclones import cyclone_facts
from ..hypergraph import Hypergraph

__all__ = ["control_questions", "grade", "order_questions"]

MOST_NEEDED = 8
_ORDERS, _SENSITIVE = 24, 0.4
_TOLERANCE = 0.011

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


class _Scene(NamedTuple):
    """One storm and port: its reports, earliest first, each attribute -> value; and the hyperedges that say so."""

    group: str
    storm: str
    port: str
    reports: list[dict[str, Any]]
    edges: dict[str, list[str]]


def order_questions(
    H: Hypergraph,
    kinds: Sequence[str] | None = None,
    n: int = 2400,
    rng: int | np.random.Generator = 0,
    *,
    most_needed: int = MOST_NEEDED,
    forms: QuestionForms | None = None,
) -> pd.DataFrame:
    """Draw questions whose answers depend on order.

    Parameters
    ----------
    H : Hypergraph
        Of the cyclone corpus (`hgwork.order.build`), to say which hyperedges hold the needed evidence.
    kinds : sequence of str, optional
        All sixteen by default.
    n : int
        About as many; the same number of each kind as far as there are any.
    rng : int or Generator
    most_needed : int
        Questions that need more hyperedges are left out: no method with so many steps could answer them.

    Returns
    -------
    DataFrame
        `question_id`, `kind`, `type` ("yes_no", "choice", "number", "state"), `storm`, `port`, `group`, `question`,
        `choices`, `answer`, `needed` (hyperedge ids: every reading of the attributes asked about), `reports` (how many
        there are), `sensitivity` (share of random orders of the reports that change the answer).

    Notes
    -----
    The answer is the same whichever of two attributes a report gives first; readings of one report carry no order.
    Of 24 random orders of the reports at least 40 % change it (a yes or no can change in half of them at best).
    Within a kind an answer is drawn at most as often as all others together.
    """
    return _drawn(H, kinds, n, rng, most_needed, forms or question_forms("cyclones"), controls=False)


def control_questions(
    H: Hypergraph,
    kinds: Sequence[str] | None = None,
    n: int = 500,
    rng: int | np.random.Generator = 0,
    *,
    most_needed: int = MOST_NEEDED,
    forms: QuestionForms | None = None,
) -> pd.DataFrame:
    """Draw questions whose answers no order of the reports changes; the table is that of `order_questions`."""
    return _drawn(H, kinds, n, rng, most_needed, forms or question_forms("cyclones"), controls=True)


def grade(question: Mapping[str, Any], answer: Any) -> float:
    """1 for a right answer, 0 for a wrong one or none.

    Numbers may be off by 0.01; text is compared without case.

    Examples
    --------
    >>> grade({"answer": 40.0}, 40.0), grade({"answer": "yes"}, "Yes"), grade({"answer": "yes"}, None)
    (1.0, 1.0, 0.0)
    """
    right = question["answer"]
    if answer is None:
        return 0.0
    if isinstance(right, float | int):
        try:
            return float(abs(float(answer) - right) < _TOLERANCE)
        except (TypeError, ValueError):
            return 0.0
    return float(str(answer).strip().casefold() == str(right).casefold())


# -------------------------------------------------------------------- draw


def _drawn(H, kinds, n: int, rng, most_needed: int, forms: QuestionForms, controls: bool) -> pd.DataFrame:
    known = forms.controls if controls else forms.kinds
    kinds = list(known) if kinds is None else list(kinds)
    if unknown := [kind for kind in kinds if kind not in known]:
        raise ValueError(f"there is no kind {unknown[0]!r}; there are {', '.join(known)}.")
    rng = np.random.default_rng(rng)
    scenes = _scenes(H, forms)
    rows: list[dict[str, Any]] = []
    for kind in kinds:
        found = [
            row
            for scene in scenes
            for asked in _asked(kind, scene, forms)
            if (row := _row(asked, scene, forms, most_needed, controls))
        ]
        rows += _balanced(found, -(-n // len(kinds)), rng)
    for row in rows:
        row["question"] = forms.render(row.pop("asked"), int(rng.integers(2)))
    table = pd.DataFrame(rows)
    table.insert(0, "question_id", [f"{row['kind']}-{place:04d}" for place, row in enumerate(rows)])
    return table


def _row(asked: Asked, scene: _Scene, forms: QuestionForms, most_needed: int, controls: bool) -> dict[str, Any] | None:
    names = asked.attributes
    needed = [edge for name in names for edge in scene.edges[name]]
    reports = [report for report in scene.reports if any(name in report for name in names)]
    if not len(reports) >= 2 or len(set(needed)) > most_needed:
        return None
    answer = _answer(reports, names, asked, forms)
    if answer is None or any(_answer(reports, list(other), asked, forms) != answer for other in permutations(names)):
        return None
    draw = np.random.default_rng(len(reports))
    others = [
        _answer([reports[i] for i in draw.permutation(len(reports))], names, asked, forms) for _ in range(_ORDERS)
    ]
    sensitivity = float(np.mean([other != answer for other in others]))
    if (sensitivity > 0) if controls else (sensitivity < _SENSITIVE):
        return None
    choices = list(forms.choices.get(asked.kind, []))
    kind = (
        "yes_no"
        if choices == ["yes", "no"]
        else "choice"
        if choices
        else "state"
        if isinstance(answer, str)
        else "number"
    )
    head = {"kind": asked.kind, "type": kind, "storm": scene.storm, "port": scene.port, "group": scene.group}
    tail = {"choices": choices, "answer": answer, "needed": list(dict.fromkeys(needed)), "reports": len(reports)}
    return head | {"asked": asked, "question": ""} | tail | {"sensitivity": round(sensitivity, 3)}


def _answer(reports: list[dict[str, Any]], names: list[str], asked: Asked, forms: QuestionForms) -> Any:
    stream = [(name, report[name]) for report in reports for name in names if name in report]
    return answer_from(stream, asked, forms.attributes)


def _balanced(rows: list[dict[str, Any]], count: int, rng: np.random.Generator) -> list[dict[str, Any]]:
    """Draw storm by storm, so that none dominates; an answer at most as often as all others together."""
    by_answer: dict[Any, list[dict[str, Any]]] = defaultdict(list)
    for place in rng.permutation(len(rows)).tolist():
        by_answer[rows[place]["answer"]].append(rows[place])
    if len(by_answer) < 2:
        return []
    sizes = sorted((len(held) for held in by_answer.values()), reverse=True)
    most = min(count // 2, sum(sizes[1:]))
    pool = [row for held in by_answer.values() for row in _by_turns(held)[:most]]
    return _by_turns([pool[place] for place in rng.permutation(len(pool)).tolist()], most)[:count]


def _by_turns(rows: list[dict[str, Any]], most: int | None = None) -> list[dict[str, Any]]:
    """One question a storm in turn; no answer more often than `most`."""
    turn: Counter[str] = Counter()
    placed = []
    for place, row in enumerate(rows):
        placed.append((turn[row["storm"]], place, row))
        turn[row["storm"]] += 1
    used: Counter[Any] = Counter()
    kept = []
    for _, _, row in sorted(placed, key=lambda item: item[:2]):
        if most is None or used[row["answer"]] < most:
            used[row["answer"]] += 1
            kept.append(row)
    return kept


# -------------------------------------------------------------------- ask


def _asked(kind: str, scene: _Scene, forms: QuestionForms) -> Iterator[Asked]:
    """Everything that a kind can ask of a storm and port."""
    scope = {"storm": scene.storm, "port": scene.port}
    numbers = [name for name, held in forms.attributes.items() if held.type == "number" and _values(scene, name)]
    states = [name for name, held in forms.attributes.items() if held.type == "state" and _values(scene, name)]
    if kind in ("latest", "earliest", "previous", "superseded"):
        yield from (Asked(kind, scope, a=name) for name in [*numbers, *states])
    elif kind in ("longest_run",):
        yield from (Asked(kind, scope, a=a, state=state) for a in states for state in sorted(set(_values(scene, a))))
    elif kind == "different":
        yield from (Asked(kind, scope, a=name) for name in [*numbers, *states])
    elif kind == "ever":
        yield from (Asked(kind, scope, event=event) for event in _events(scene, forms, wide=True))
    elif kind == "at_event":
        yield from (
            Asked(kind, scope, a=a, event=e)
            for e in _events(scene, forms)
            for a in [*numbers, *states]
            if a != e.attribute
        )
    elif kind == "highest_after":
        yield from (
            Asked(kind, scope, a=a, event=e) for e in _events(scene, forms) for a in numbers if a != e.attribute
        )
    elif kind == "before_after":
        pairs = product(_events(scene, forms), repeat=2)
        yield from (Asked(kind, scope, event=one, later=two) for one, two in pairs if one.attribute != two.attribute)
    elif kind == "justified":
        for event in _events(scene, forms):
            if event.attribute in ("warning", "condition", "watch"):
                reasons = [
                    e
                    for e in _events(scene, forms, wide=True)
                    if e.attribute in ("gales", "gales_two_days", "wind", "rain", "surge")
                ]
                yield from (Asked(kind, scope, event=event, later=reason) for reason in reasons)
    elif kind == "joint":
        for a, b in product(numbers, states):
            marks = _marks(_values(scene, a))
            yield from (
                Asked(kind, scope, a=a, b=b, x=x, state=state)
                for x in marks
                for state in sorted(set(_values(scene, b)))
            )
    else:
        yield from (Asked(kind, scope, a=name) for name in numbers)


def _events(scene: _Scene, forms: QuestionForms, wide: bool = False) -> list[Event]:
    """First times that come about in the reports; `wide` also those that may not."""
    found: list[Event] = []
    for name, held in forms.attributes.items():
        values = _values(scene, name)
        if not values:
            continue
        if held.type == "state":
            found += [Event(name, None, state) for state in sorted(set(values)) if state != held.rest]
        elif held.towards:
            marks = _marks(values)
            step = (max(values) - min(values)) or 1.0
            more = [round(max(values) + step / 2), round(min(values) - step / 2)] if wide else []
            found += [Event(name, float(x)) for x in dict.fromkeys([*marks, *more]) if x > 0]
    return found


def _marks(values: list[float]) -> list[float]:
    """Round marks between the readings: one at the middle of their range, one near the top."""
    low, high = min(values), max(values)
    if low == high:
        return []
    return list(dict.fromkeys(float(round(low + share * (high - low))) for share in (0.5, 0.8)))


def _values(scene: _Scene, name: str) -> list[Any]:
    return readings([(key, value) for report in scene.reports for key, value in report.items()], name)


# -------------------------------------------------------------------- facts


def _scenes(H: Hypergraph, forms: QuestionForms) -> list[_Scene]:
    facts = cyclone_facts()
    facts = facts[facts["horizon"].notna() & ~facts["hindsight"] & facts["from_horizon"].isna()]
    by_storm = {storm: part for storm, part in facts.groupby("storm")}  # noqa: C416
    edges = H.edges[(H.edges["horizon"] > 0).fillna(False).astype(bool) & H.edges["family"].ne("cross_horizon")]
    scenes = []
    for group, held in edges.groupby("group", sort=True):
        storm, _, port = str(group).partition("/")
        if storm not in by_storm:
            continue
        own = by_storm[storm]
        own = own[own["port"].isin(["", port]) & own["horizon"].isin(set(held["horizon"]))]
        stated = _stated(held, forms)
        reports = _reports(own, forms, {name for name, found in stated.items() if found})
        scenes.append(_Scene(str(group), storm, port, reports, stated))
    return scenes


def _reports(facts: pd.DataFrame, forms: QuestionForms, names: set[str]) -> list[dict[str, Any]]:
    """Values by report, earliest first."""
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
    return [found[horizon] for horizon in sorted(found, reverse=True)]


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
