"""Storm -> port -> horizon: one scenario as objects, each part with its units and its own dated source.

The objects are built from the tables of a :class:`~hgwork.datasets.CyPortQA`; a horizon holds what had been published
by then and nothing later. Disruption is hindsight and hangs on the port, not on a horizon.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import pandas as pd

from .bulletins import condition_at
from .values import Quantity
from .wind import find_location, location_index

if TYPE_CHECKING:
    from .reader import CyPortQA

__all__ = [
    "Advisory",
    "Bulletin",
    "Chance",
    "Disruption",
    "Forecast",
    "Horizon",
    "Port",
    "Source",
    "Storm",
    "storm",
    "units",
]


@dataclass(frozen=True)
class Source:
    """A file of the data set, its number ("3A") where it has one and the time from which it was known (UTC)."""

    file: str
    number: str | None
    issued: pd.Timestamp | None


@dataclass(frozen=True)
class Advisory:
    """The cyclone as a public advisory states it."""

    source: Source
    status: str | None
    lat: Annotated[float | None, "degrees north"]
    lon: Annotated[float | None, "degrees east"]
    wind: Annotated[int | None, "mph"]
    pressure: Annotated[int | None, "mb"]
    direction: Annotated[str | None, "compass point"]
    speed: Annotated[int | None, "mph"]
    gale_extent: Annotated[int | None, "statute miles"]
    alerts: Annotated[tuple[tuple[str, tuple[str, ...]], ...], "kind, areas"]


@dataclass(frozen=True)
class Chance:
    """One cell of a wind table: wind of `knots` at `location` by `ends`."""

    location: str
    knots: Annotated[int, "knots"]
    hour: Annotated[int, "hours after the table's base time"]
    ends: Annotated[pd.Timestamp, "UTC"]
    onset: Annotated[int, "percent"]
    cumulative: Annotated[int, "percent"]


@dataclass(frozen=True)
class Forecast:
    """What the scenario file says about a port at a horizon; it is dated by the advisory it was drawn from."""

    source: Source
    category: str | None
    within_cone: bool | None
    watch: tuple[str, ...]
    warning: tuple[str, ...]
    landfall: date | None
    closest: date | None
    leaving: date | None
    hazards: tuple[str, ...]
    rain_above_4_inch: str | None
    surge_above_3_feet: str | None
    hours_to_landfall: Annotated[Quantity | None, "hours"]
    hours_to_offshore: Annotated[Quantity | None, "hours"]
    hours_of_strike: Annotated[Quantity | None, "hours"]
    cumulative_34kt: Annotated[Quantity | None, "percent"]
    cumulative_50kt: Annotated[Quantity | None, "percent"]
    wind: Annotated[Quantity | None, "mph"]
    surge: Annotated[Quantity | None, "feet"]
    rain: Annotated[Quantity | None, "inches"]


@dataclass(frozen=True)
class Bulletin:
    """A port condition, known from the moment its source was posted; `effective` is as published, zone unstated."""

    source: Source
    condition: str
    effective: pd.Timestamp | None


@dataclass(frozen=True)
class Horizon:
    """A port so many hours before expected landfall, with what had been published by then."""

    lead: Annotated[int, "hours before expected landfall"]
    forecast: Forecast
    advisory: Advisory | None
    wind_source: Source | None
    chances: tuple[Chance, ...]
    bulletins: tuple[Bulletin, ...]

    @property
    def condition(self) -> str | None:
        """The port condition in force, None where none was posted by then."""
        return self.bulletins[-1].condition if self.bulletins else None


@dataclass(frozen=True)
class Disruption:
    """Ship traffic lost at a port, known only after the event."""

    source: Source
    start: date | None
    end: date | None
    precedes: bool
    days: Annotated[int, "days"]
    peak_loss: Annotated[float, "share of usual vessels"]
    lost_vessels: Annotated[float, "vessels over the event"]
    recovery: Annotated[int, "days"]
    hindsight: bool = True


@dataclass(frozen=True)
class Port:
    """A port under one storm; horizons from the earliest on."""

    name: str
    short: str
    lat: Annotated[float | None, "degrees north"]
    lon: Annotated[float | None, "degrees east"]
    horizons: tuple[Horizon, ...]
    disruption: Disruption | None


@dataclass(frozen=True)
class Storm:
    """A storm and its ports by name."""

    name: str
    year: int
    identifier: str | None
    landfall: Annotated[pd.Timestamp | None, "UTC, expected"]
    ports: tuple[Port, ...]

    def port(self, short: str) -> Port:
        """The port of this short name."""
        for port in self.ports:
            if port.short == short:
                return port
        raise KeyError(
            f"{self.name} {self.year} has no port {short!r}. It has {', '.join(p.short for p in self.ports)}."
        )


def units(part: Any) -> dict[str, str]:
    """Field -> unit of one of the classes above, for fields that have one.

    Examples
    --------
    >>> units(Disruption)["peak_loss"]
    'share of usual vessels'
    """
    hints = get_type_hints(part, include_extras=True)
    return {name: hint.__metadata__[0] for name, hint in hints.items() if hasattr(hint, "__metadata__")}


def storm(data: CyPortQA, name: str) -> Storm:
    """One storm with its ports and horizons; :meth:`CyPortQA.storm` calls this."""
    rows = data.scenarios[data.scenarios["storm"] == name]
    if not len(rows):
        raise KeyError(f"no scenario of storm {name!r}. Storms: {', '.join(sorted(set(data.scenarios['storm'])))}.")
    advisories = data.advisories[data.advisories["storm"] == name].set_index("lead").to_dict("index")
    tables = data.wind_tables[data.wind_tables["storm"] == name].set_index("lead").to_dict("index")
    chances = data.wind[data.wind["storm"] == name]
    index = location_index(data.wind["location"])
    ports = []
    for port, group in rows.groupby("port", sort=True):
        horizons = []
        for row in group.sort_values("lead", ascending=False).to_dict("records"):
            advisory, table = advisories.get(row["lead"]), tables.get(row["lead"])
            place = find_location(row["wind_location"], index)
            cells = chances[(chances["lead"] == row["lead"]) & (chances["location"] == place)]
            horizons.append(_horizon(data, row, advisory, table, cells))
        place = data.ports.loc[port]
        lat, lon = (None if pd.isna(value) else float(value) for value in (place["lat"], place["lon"]))
        ports.append(Port(str(port), place["short"], lat, lon, tuple(horizons), _disruption(data, name, port)))
    identifier = next((row["identifier"] for row in advisories.values()), None)
    return Storm(name[:-5], int(name[-4:]), identifier, data.landfall().get(name), tuple(ports))


def _horizon(data: CyPortQA, row: dict, advisory: dict | None, table: dict | None, cells: pd.DataFrame) -> Horizon:
    known = Source(advisory["file"], advisory["number"], advisory["issued"]) if advisory else None
    issued = advisory["issued"] if advisory else None
    posted = condition_at(data.bulletins, row["storm"], row["port"], issued) if issued is not None else pd.DataFrame()
    files = data.bulletin_texts["file"]
    bulletins = tuple(
        Bulletin(Source(files[b["bulletin"]], str(b["bulletin"]), b["posted"]), b["condition"], _value(b["effective"]))
        for b in posted.to_dict("records")
    )
    columns = ["location", "knots", "hour", "ends", "onset", "cumulative"]
    return Horizon(
        lead=row["lead"],
        forecast=_forecast(row, issued),
        advisory=_advisory(advisory, known) if advisory and known else None,
        wind_source=Source(table["file"], str(table["number"]), table["issued"]) if table else None,
        chances=tuple(Chance(**cell) for cell in cells[columns].to_dict("records")),
        bulletins=bulletins,
    )


def _advisory(row: dict, source: Source) -> Advisory:
    whole: dict[str, Any] = {name: None if pd.isna(row[key]) else int(row[key]) for name, key in _WHOLE.items()}
    rest: dict[str, Any] = {name: _value(row[name]) for name in ("status", "lat", "lon", "direction")}
    return Advisory(source=source, alerts=tuple(row["alerts"].items()), **whole, **rest)


_WHOLE = {"wind": "wind_mph", "pressure": "pressure_mb", "speed": "speed_mph", "gale_extent": "gale_extent_miles"}


def _forecast(row: dict, issued: pd.Timestamp | None) -> Forecast:
    named = ("hours_to_landfall", "hours_to_offshore", "hours_of_strike", "cumulative_34kt", "cumulative_50kt")
    quantities: dict[str, Any] = {name: _quantity(row, name) for name in named}
    for name, column in (("wind", "wind_mph"), ("surge", "surge_feet"), ("rain", "rain_inches")):
        quantities[name] = _quantity(row, column)
    plain = ("category", "within_cone", "rain_above_4_inch", "surge_above_3_feet")
    quantities |= {name: _value(row[name]) for name in plain}
    return Forecast(
        source=Source(row["file"], None, issued),
        watch=row["watch"] if isinstance(row["watch"], tuple) else (),
        warning=row["warning"] if isinstance(row["warning"], tuple) else (),
        landfall=_value(row["landfall_date"]),
        closest=_value(row["closest_date"]),
        leaving=_value(row["leaving_date"]),
        hazards=row["hazards"],
        **quantities,
    )


def _disruption(data: CyPortQA, name: str, port: Any) -> Disruption | None:
    table = data.disruption
    rows = table[(table["storm"] == name) & (table["port"] == port)].to_dict("records")
    if not rows:
        return None
    row = rows[0]
    start, end = (_value(row[f"disruption_{key}"]) for key in ("start", "end"))
    return Disruption(
        source=Source(row["file"], str(row["event"]), None),
        start=start.date() if start is not None else None,
        end=end.date() if end is not None else None,
        precedes=bool(row["precedes"]),
        days=int(row["disrupted_days"]),
        peak_loss=float(row["peak_loss"]),
        lost_vessels=float(row["lost_vessels"]),
        recovery=int(row["recovery_days"]),
    )


def _quantity(row: dict, column: str) -> Quantity | None:
    low, high = row[f"{column}_low"], row[f"{column}_high"]
    return None if pd.isna(low) else Quantity(float(low), float(high))


def _value(value: Any) -> Any:
    return None if value is None or pd.isna(value) else value
