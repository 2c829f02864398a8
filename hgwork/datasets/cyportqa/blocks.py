"""One scenario file of CyPortQA: a storm, a port and a lead time, with fields that a model filled in as text."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from . import values
from .problems import Problems

__all__ = ["FIELDS", "QUANTITIES", "Field", "parse_block"]


class Field(NamedTuple):
    """Where a field lies, the column it becomes and what reads it (None: kept as text)."""

    path: tuple[str, ...]
    column: str
    read: Callable[[str], tuple[Any, str]] | None
    unit: str = ""


def _storm(key: str, column: str, read=None, unit: str = "") -> Field:
    return Field(("cyclone", *key.split("/")), column, read, unit)


def _weather(key: str, column: str, read=None, unit: str = "") -> Field:
    return Field(("weather_observation", *key.split("/")), column, read, unit)


FIELDS: tuple[Field, ...] = (
    _storm("name", "name"),
    _storm("category", "category", values.category),
    _storm("current_location", "location_text"),
    _storm("coordinates", "coordinates", values.coordinates, "degrees, north and east positive"),
    _storm("motion/direction", "direction", values.compass),
    _storm("motion/speed", "speed", values.speed, "mph"),
    _storm("trajectory", "trajectory_text"),
    _storm("expected_landfall_location", "landfall_text"),
    _storm("expected_landfall_date", "landfall_date", values.day),
    _storm("hours_to_landfall", "hours_to_landfall", values.hours, "hours"),
    _storm("hours_to_offshore", "hours_to_offshore", values.hours, "hours"),
    _storm("hours_of_strike", "hours_of_strike", values.hours, "hours"),
    Field(("port", "name"), "port_name", None),
    _weather("within_uncertainty_cone", "within_cone", values.yes_no),
    _weather("forecast_window", "forecast_window", values.amount, "days"),
    _weather("under_watch", "watch", values.alerts),
    _weather("under_warning", "warning", values.alerts),
    _weather("watch_coast", "watch_text"),
    _weather("warning_coast", "warning_text"),
    _weather("impacted_coast", "coast_text"),
    _weather("expected_closest_date_to_port", "closest_date", values.day),
    _weather("expected_leaving_port_date", "leaving_date", values.day),
    _weather("closest_wind_data_location", "wind_location"),
    _weather("culmulative_wind_34kt", "cumulative_34kt", values.percent, "percent"),
    _weather("culmulative_wind_50kt", "cumulative_50kt", values.percent, "percent"),
    _weather("34kt_max", "peak_34kt", values.percent, "percent"),
    _weather("time_to_34kt_max", "hours_to_peak_34kt", values.hours, "hours"),
    _weather("time_to_34kt_non_zero", "hours_to_onset_34kt", values.hours, "hours"),
    _weather("time_to_50kt_max", "hours_to_peak_50kt", values.hours, "hours"),
    *(
        _weather(f"gale_probability/in {lead}h", f"gale_{lead}h", values.percent, "percent")
        for lead in (12, 24, 48, 72, 96)
    ),
    _weather("first_hazard", "first_hazard_text"),
    _weather("rain_fall_above_4_inch", "rain_above_4_inch", values.likelihood),
    _weather("storm_surge_above_3_feet", "surge_above_3_feet", values.likelihood),
    _weather("wind", "wind_text"),
    _weather("storm_surge", "surge_text"),
    _weather("rainfall", "rain_text"),
    _weather("other_hazards", "hazards_text"),
)
QUANTITIES = tuple(
    field.column for field in FIELDS if field.read in (values.speed, values.hours, values.percent, values.amount)
)
"""Columns that come with `…_low` and `…_high` beside their middle value."""

_LONGEST = 5000  # characters of a field; the longest published has 600
_TEXTUAL = {"wind_text": "mph", "surge_text": r"(?:feet|foot|ft)\b", "rain_text": r"(?:inch(?:es)?|in)\b"}
_AMOUNTS = {"wind_text": "wind_mph", "surge_text": "surge_feet", "rain_text": "rain_inches"}


def parse_block(content: bytes, file: str, problems: Problems) -> dict[str, Any] | None:
    """Read one scenario file into a flat row; what cannot be read is added to `problems` and left missing.

    Returns
    -------
    dict or None
        Column -> value, one of `FIELDS` each; quantities also as `…_low` and `…_high`; `lat`, `lon`; `wind_mph`,
        `surge_feet`, `rain_inches` (bounds read from the sentences on hazards), `hazards` (tuple). None where the
        file is not JSON or holds no object.
    """
    try:
        record = json.loads(content.decode("utf-8-sig"), object_pairs_hook=_Pairs)
        flat = dict(_leaves(record))
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        problems.add(file, "", "", "file", f"not JSON: {error}")
        return None
    if not isinstance(record, dict):
        problems.add(file, "", repr(record)[:80], "file", f"holds a {type(record).__name__}, not an object")
        return None
    for name, value in _repeated(record):
        problems.add(file, name, value, "qualified", "the key stands twice; the last one counts")
    row: dict[str, Any] = {}
    used = set()
    for field in FIELDS:
        path = _find(field.path, flat)
        if path is None:
            problems.add(file, ".".join(field.path), "", "missing field", "not in the file")
            text: Any = None
        else:
            text = flat[path]
            used.add(path)
            if path != field.path:
                problems.add(file, ".".join(field.path), text, "nested", f"found at {'.'.join(path)}")
        row.update(_typed(field, text, file, problems))
    for path in sorted(set(flat) - used):
        problems.add(file, ".".join(path), flat[path], "unknown key", "no field of the layout has this name")
    return row


class _Pairs(dict):
    """An object that remembers keys that stood twice."""

    def __init__(self, pairs):
        super().__init__(pairs)
        last = {name: place for place, (name, _) in enumerate(pairs)}
        self.repeated = [(name, value) for place, (name, value) in enumerate(pairs) if last[name] != place]


def _repeated(node: Any, path: tuple[str, ...] = ()):
    """Keys that stand twice, at any depth, with the value that does not count."""
    for name, value in getattr(node, "repeated", []):
        yield ".".join([*path, name]), value
    for name, value in node.items() if isinstance(node, dict) else ():
        yield from _repeated(value, (*path, name))


def _leaves(node: Any, path: tuple[str, ...] = ()):
    if isinstance(node, dict):
        for name, value in node.items():
            yield from _leaves(value, (*path, str(name)))
    else:
        yield path, node


def _find(wanted: tuple[str, ...], flat: dict[tuple[str, ...], Any]) -> tuple[str, ...] | None:
    """The field's own place, else the only path that ends like it, by ever shorter endings."""
    if wanted in flat:
        return wanted
    for length in range(len(wanted), 0, -1):
        if length == 1 and wanted[-1] in ("name", "direction", "speed"):
            return None  # too common a word to say whose it is
        ending = wanted[-length:]
        found = [path for path in flat if path[-length:] == ending]
        if len(found) == 1:
            return found[0]
    return None


def _typed(field: Field, text: Any, file: str, problems: Problems) -> dict[str, Any]:
    column = field.column
    plain = None if values.is_blank(text) else str(text).strip()
    if plain and len(plain) > _LONGEST:
        problems.add(file, ".".join(field.path), plain[:60] + "…", "unreadable", f"{len(plain):,} characters long")
        plain = text = None
    if field.read is None:
        row: dict[str, Any] = {column: plain}
        if column in _TEXTUAL:
            found = values.hazard_amount(plain, _TEXTUAL[column]) if plain else None
            row |= _bounds(_AMOUNTS[column], found)
        if column == "hazards_text":
            row["hazards"] = values.hazards(plain or "")
        return row
    if field.read is values.alerts:
        plain = "None" if plain is None and text is not None else plain
    elif plain and (why := values.blank_reason(plain)):
        problems.add(file, ".".join(field.path), text, "qualified", f"read as missing; the field adds: {why}")
        plain = None
    value: Any = None
    rest = ""
    if plain is not None:
        value, rest = field.read(plain)
    if plain is not None and value is None:
        problems.add(file, ".".join(field.path), text, "unreadable", f"no {field.unit or column} in it")
    elif rest:
        problems.add(file, ".".join(field.path), text, "qualified", f"read as {_shown(value)}")
    if column == "coordinates":
        return {"lat": value[0] if value else None, "lon": value[1] if value else None}
    return _bounds(column, value) if column in QUANTITIES else {column: value}


def _bounds(column: str, value: values.Quantity | None) -> dict[str, float | None]:
    if value is None:
        return {column: None, f"{column}_low": None, f"{column}_high": None}
    return {column: value.value, f"{column}_low": value.low, f"{column}_high": value.high}


def _shown(value: Any) -> str:
    if isinstance(value, values.Quantity):
        return f"{value.low:g}" if value.low == value.high else f"{value.low:g} to {value.high:g}"
    return str(value)
