"""Facts as English sentences: what is said for each value, and which of several forms says it.

A form is a sentence with named places ("{storm} is {miles} from {port}."). Every place is filled from one fact, so each
entity of a sentence is known with its span and type. Forms of a kind come in two sets; those of the second are used for
test storms only.
"""

from __future__ import annotations

import hashlib
import string
from collections.abc import Callable
from datetime import date, datetime
from typing import Any, NamedTuple

__all__ = ["Form", "Sentence", "pick", "read_forms", "say", "spoken", "variant"]

_WORDS = {"N": "north", "S": "south", "E": "east", "W": "west"}
_NORMAL = "NORMAL"
_VERDICTS = {
    "yes": "expected",
    "likely": "likely",
    "possible": "possible",
    "unlikely": "unlikely",
    "no": "not expected",
}
_TYPES = {
    "storm": "cyclone",
    "port": "port",
    "status": "cyclone_state",
    "category": "cyclone_state",
    "wind": "cyclone_state",
    "pressure": "cyclone_state",
    "before_horizon": "horizon_time",
    "place": "location",
    "places": "location",
    "location": "location",
    "state": "location",
    "direction": "motion",
    "speed": "motion",
    "alerts": "alert",
    "hazard": "hazard",
    "hazards": "hazard",
    "range": "hazard_forecast",
    "chance": "probability",
    "by_24": "probability",
    "by_48": "probability",
    "by_72": "probability",
    "condition": "port_condition",
    "traffic": "operation_status",
    "verdict": "threshold_status",
}


class Form(NamedTuple):
    """A sentence form; `held_out` forms are for test storms."""

    id: str
    text: str
    held_out: bool


class Sentence(NamedTuple):
    """A sentence, the form that it was made by, and its entities as (start, text, type)."""

    text: str
    form: str
    held_out: bool
    entities: list[tuple[int, str, str]]


def read_forms(raw: dict[str, dict[str, dict[str, list[str]]]]) -> dict[tuple[str, str], list[Form]]:
    """Forms by kind and variant, from kind -> variant -> {"all": [...], "test": [...]}.

    Raises
    ------
    ValueError
        If a variant has fewer than six forms, or not a third of them are held out.
    """
    forms: dict[tuple[str, str], list[Form]] = {}
    for kind, variants in raw.items():
        for name, sets in variants.items():
            common, held_out = sets["all"], sets["test"]
            if len(common) + len(held_out) < 6 or 3 * len(held_out) < len(common) + len(held_out):
                raise ValueError(f"forms of {kind}/{name}: six or more are needed, a third of them under 'test'")
            texts = [*((text, False) for text in common), *((text, True) for text in held_out)]
            label = kind if name == "any" else f"{kind}.{name}"
            forms[kind, name] = [Form(f"{label}.{n}", text, out) for n, (text, out) in enumerate(texts, 1)]
    return forms


def pick(count: int, *key: object) -> int:
    """A number below `count` that depends on the key alone, the same on every machine."""
    digest = hashlib.blake2b("|".join(map(str, key)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % count


def variant(kind: str, values: dict[str, Any]) -> str:
    """Which set of forms says a fact: its kind's own, or one of several by value ("up" or "down").

    Examples
    --------
    >>> variant("wind_change", {"before_mph": 40, "after_mph": 65}), variant("arrival", {"hours": 12})
    ('up', 'any')
    """
    rule = _VARIANTS.get(kind)
    return rule(values) if rule else "any"


_VARIANTS: dict[str, Callable[[dict[str, Any]], str]] = {
    "watch": lambda v: "some" if v["alerts"] else "none",
    "warning": lambda v: "some" if v["alerts"] else "none",
    "cone": lambda v: "inside" if v["inside"] == "yes" else "outside",
    "gale_threshold": lambda v: "reached" if v["exceeded"] == "yes" else "below",
    "condition": lambda v: "none" if v["condition"] == "none" else "some",
    "disruption": lambda v: "some" if v["peak_loss_percent"] else "none",
    "wind_change": lambda v: "up" if v["after_mph"] > v["before_mph"] else "down",
    "chance_change": lambda v: "up" if v["after_percent"] > v["before_percent"] else "down",
    "landfall_change": lambda v: "later" if v["after_date"] > v["before_date"] else "earlier",
    "alert_change": lambda v: "lifted" if v["after"] == "none" else "raised" if v["before"] == "none" else "replaced",
    "condition_change": lambda v: "first" if v["before"] == "none" else "next",
    "strike": lambda v: "some" if v["strike_hours"] else "none",
}


def say(form: Form, words: dict[str, str]) -> Sentence:
    """Fill a form.

    Examples
    --------
    >>> say(Form("x.1", "{storm} nears {port}.", False), {"storm": "Alex", "port": "Canaveral"}).entities
    [(0, 'Alex', 'cyclone'), (11, 'Canaveral', 'port')]
    """
    text, entities = "", []
    for literal, name, _, _ in string.Formatter().parse(form.text):
        text += literal
        if name is None:
            continue
        if name not in words:
            raise ValueError(
                f"form {form.id} asks for {name!r}, which its facts do not have: {', '.join(sorted(words))}"
            )
        word = words[name]
        if not text:
            word = word[:1].upper() + word[1:]
        for start, part in _parts(word, name):
            entities.append((len(text) + start, part, _TYPES.get(name, "value")))
        text += word
    return Sentence(text, form.id, form.held_out, entities)


def _parts(word: str, name: str):
    """A list of places, alerts or hazards is one entity an item."""
    start = 0
    items = word.replace(" and ", ", ").split(", ") if name in ("places", "alerts", "hazards") else [word]
    for item in items:
        start = word.index(item, start)
        yield start, item
        start += len(item)


def spoken(kind: str, values: dict[str, Any], from_horizon: int | None = None) -> dict[str, str]:
    """Words for the values of a fact, by the names that its forms use."""
    words = {key: _word(key, value) for key, value in values.items()}
    for unit, one in (("mph", "mph"), ("feet", "foot"), ("inches", "inch")):
        if f"{unit}_low" in values:
            low, high = values[f"{unit}_low"], values[f"{unit}_high"]
            words["range"] = _range(low, high, one if high == 1 else unit)
    if "percent" in values:
        words["chance"] = f"{values['percent']} percent"
    if "exceeded" in values:
        words["verdict"] = _VERDICTS[values["exceeded"]]
    if kind == "condition_set":
        hours = values["hours_before"]
        words["when"] = f"{_count(abs(hours), 'hour')} {'before' if hours >= 0 else 'after'} expected landfall"
    if from_horizon is not None:
        words["before_horizon"] = f"T-{from_horizon}"
    return words


def _word(key: str, value: Any) -> str:
    rule = _SAID.get(key)
    return rule(value) if rule else str(value)


def _day(text: str) -> str:
    day = date.fromisoformat(text)
    return f"{day.day} {day:%B} {day.year}"


def _clock(text: str) -> str:
    time = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return f"{time:%H:%M} UTC on {time.day} {time:%B} {time.year}"


def _list(items: list[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}" if items else "none"


def _count(number: float, unit: str) -> str:
    return f"{number:g} {unit}" if number == 1 else f"{number:g} {unit}s"


def _range(low: float, high: float, unit: str) -> str:
    return f"{low:g} {unit}" if low == high else f"up to {high:g} {unit}" if low == 0 else f"{low:g} to {high:g} {unit}"


def _degrees(value: float, positive: str, negative: str) -> str:
    return f"{abs(value):g}°{positive if value >= 0 else negative}"


def _compass(point: str) -> str:
    head, tail = (point[0], point[1:]) if len(point) == 3 else ("", point)
    word = "".join(_WORDS[letter] for letter in tail)
    return f"{_WORDS[head]}-{word}" if head else word


def _condition(name: str) -> str:
    return "the normal condition" if name == _NORMAL else name if name == "none" else f"Port Condition {name}"


def _strength(name: str) -> str:
    return name if name.startswith("Category") else name.lower()


_SAID: dict[str, Callable[[Any], str]] = {
    "status": _strength,
    "category": _strength,
    "wind_mph": lambda v: f"{v} mph",
    "pressure_mb": lambda v: f"{v} mb",
    "before_mph": lambda v: f"{v} mph",
    "after_mph": lambda v: f"{v} mph",
    "speed_mph": lambda v: f"{v} mph",
    "lat": lambda v: _degrees(v, "N", "S"),
    "lon": lambda v: _degrees(v, "E", "W"),
    "miles": lambda v: _count(v, "mile"),
    "gale_miles": lambda v: _count(v, "mile"),
    "point": _compass,
    "direction": _compass,
    "hours": lambda v: _count(v, "hour"),
    "strike_hours": lambda v: _count(v, "hour"),
    "offshore_hours": lambda v: _count(v, "hour"),
    "after_hours": str,
    "before_hours": lambda v: _count(v, "hour"),
    "places": _list,
    "alerts": _list,
    "hazards": _list,
    "date": _day,
    "closest_date": _day,
    "leaving_date": _day,
    "landfall_date": _day,
    "before_date": _day,
    "after_date": _day,
    "issued": _clock,
    "posted": _clock,
    "condition": _condition,
    "by_24": lambda v: f"{v} percent",
    "by_48": lambda v: f"{v} percent",
    "by_72": lambda v: f"{v} percent",
    "before_percent": lambda v: f"{v} percent",
    "after_percent": lambda v: f"{v} percent",
    "below_percent": lambda v: f"{v} percent",
    "peak_loss_percent": lambda v: f"{v} percent",
    "knots": lambda v: f"{v}-knot",
    "distance_km": lambda v: f"{v} km",
    "storm_wind_kt": lambda v: _count(v, "knot"),
    "disrupted_days": lambda v: _count(v, "day"),
    "recovery_days": lambda v: _count(v, "day"),
    "lost_vessels": lambda v: f"{v:g}",
}
