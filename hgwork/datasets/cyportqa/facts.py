"""The table of facts behind the bundled cyclone corpus, made from a copy of CyPortQA.

One row is one fact: a few values of one kind about a storm, or a storm and a port, at one horizon, with the file it
comes from and that file's own time. Facts are numbers, categories, places and times; no sentence of the source is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ...io._files import new_text
from . import values
from .bulletins import RULES, condition_at
from .geography import STATES, compass_from, distance_miles, places_in, saffir_simpson
from .kinds import KINDS, pack
from .reader import CyPortQA
from .selection import choose_pairs
from .wind import find_location, location_index, place_name

__all__ = ["COLUMNS", "TRAFFIC", "facts", "write_facts"]

COLUMNS = ["fact", "storm", "year", "port", "horizon", "from_horizon", "kind", "values", "time", "hindsight", "source"]
TRAFFIC = {
    "NORMAL": "open",
    "WHISKEY": "open",
    "X-RAY": "open, departures planned",
    "YANKEE": "closed to inbound traffic",
    "ZULU": "closed to all traffic",
}


def write_facts(data: CyPortQA, path: str | Path, pairs: list[tuple[str, str]] | None = None) -> pd.DataFrame:
    """Write the facts of some storm–port pairs as CSV, sorted, and return the table.

    Parameters
    ----------
    data : CyPortQA
        From :func:`hgwork.datasets.cyportqa`.
    pairs : list of (storm, full port name), optional
        Default: `choose_pairs(data)`.

    Examples
    --------
    To make the bundled table again::

        data = hg.datasets.cyportqa("cyportqa.tar.gz")
        write_facts(data, "data/cyclones/facts.csv")
    """
    table = facts(data, choose_pairs(data) if pairs is None else pairs)
    with new_text(path) as file:
        table.to_csv(file, index=False, lineterminator="\n")
    return table


def facts(data: CyPortQA, pairs: list[tuple[str, str]]) -> pd.DataFrame:
    """The facts of some storm–port pairs.

    Returns
    -------
    DataFrame
        Columns `COLUMNS`: `fact` (id), `storm` ("ALEX"), `year`, `port` (short name; empty for facts of the storm
        alone), `horizon` (hours before expected landfall; missing for hindsight and for facts that hold always),
        `from_horizon` (of a change), `kind` (of `KINDS`), `values` (as :func:`unpack` reads them), `time` (UTC of the
        source; of the post for a bulletin; missing where the source has none), `hindsight`, `source`.

    Notes
    -----
    A change lies at the later of its two horizons, the first at which it can be known. A bulletin is stated at the
    first horizon whose advisory is not older than its post; one posted after the last horizon is hindsight.
    """
    maker = _Maker(data)
    rows = list(maker.always({port for _, port in pairs}))
    for storm in sorted({storm for storm, _ in pairs}):
        rows += maker.of_storm(storm)
        for port in sorted(port for name, port in pairs if name == storm):
            rows += maker.of_pair(storm, port)
    table = pd.DataFrame(rows, columns=COLUMNS)
    if (twice := table["fact"].duplicated()).any():
        raise ValueError(f"fact {table['fact'][twice].iloc[0]!r} was made twice. The data holds a scenario twice.")
    for column in ("year", "horizon", "from_horizon"):
        table[column] = table[column].astype("Int64")
    return table


class _Maker:
    """Looks rows up by storm, port and lead; `_row` is the one place where a fact is put together."""

    def __init__(self, data: CyPortQA):
        self.data = data
        self.short = data.ports["short"]
        self.landfall = data.landfall()
        self.advisories = {(row["storm"], row["lead"]): row for row in data.advisories.to_dict("records")}
        self.tables = {(row["storm"], row["lead"]): row for row in data.wind_tables.to_dict("records")}
        self.chances = dict(iter(data.wind.groupby(["storm", "lead", "location"])))
        self.locations = location_index(data.wind["location"])
        self.scenarios = {(row["storm"], row["port"], row["lead"]): row for row in data.scenarios.to_dict("records")}
        self.leads = (
            data.scenarios.groupby(["storm", "port"])["lead"].apply(lambda s: sorted(s, reverse=True)).to_dict()
        )

    def always(self, ports: set[str]) -> Iterator[tuple]:
        for condition, hours in RULES.items():
            found = {"condition": condition, "hours": hours, "traffic": TRAFFIC[condition]}
            yield self._row("condition_rule", found, None, None, None, "US Coast Guard port conditions", name=condition)
        for port in sorted(ports):
            row = self.data.ports.loc[port]
            if pd.notna(row["lat"]):
                state = next((name for code, name in STATES.items() if f" {code}" in port), "")
                found = {"lat": round(row["lat"], 3), "lon": round(row["lon"], 3), "state": state}
                source = "events/CyPort Events Extracted.csv"
                yield self._row("port_location", found, None, port, None, source)

    def of_storm(self, storm: str) -> Iterator[tuple]:
        before: dict[str, Any] | None = None
        leads = sorted({lead for (name, _), all_leads in self.leads.items() if name == storm for lead in all_leads})
        for lead in reversed(leads):
            advisory = self.advisories.get((storm, lead))
            if advisory is None:
                continue
            for kind, found in _advisory_facts(advisory):
                yield self._row(kind, found, storm, None, lead, advisory["file"], advisory["issued"])
            if before is not None:
                for kind, found in _advisory_changes(before, advisory):
                    args = (kind, found, storm, None, lead, advisory["file"], advisory["issued"])
                    yield self._row(*args, start=before["lead"])
            before = advisory

    def of_pair(self, storm: str, port: str) -> Iterator[tuple]:
        before: dict[str, Any] = {}
        seen: set[int] = set()
        for lead in self.leads[storm, port]:
            scenario, advisory = self.scenarios[storm, port, lead], self.advisories.get((storm, lead))
            issued = advisory["issued"] if advisory else None
            for kind, found in _scenario_facts(scenario):
                yield self._row(kind, found, storm, port, lead, scenario["file"], issued)
            if advisory:
                yield from self._distance(storm, port, lead, advisory)
            now: dict[str, Any] = {"lead": lead, "scenario": scenario}
            yield from self._wind(storm, port, lead, scenario, now)
            if issued is not None:
                yield from self._bulletins(storm, port, lead, issued, seen, now)
            if before:
                yield from self._changes(storm, port, before, now, issued)
            before = now
        yield from self._hindsight(storm, port, seen)

    def _distance(self, storm, port, lead, advisory) -> Iterator[tuple]:
        place = self.data.ports.loc[port]
        if advisory["lat"] is None or pd.isna(place["lat"]):
            return
        here, there = (place["lat"], place["lon"]), (advisory["lat"], advisory["lon"])
        found = {"miles": int(round(distance_miles(here, there), -1)), "point": compass_from(here, there)}
        source = f"{advisory['file']}; events/CyPort Events Extracted.csv"
        yield self._row("distance", found, storm, port, lead, source, advisory["issued"])

    def _wind(self, storm, port, lead, scenario, now) -> Iterator[tuple]:
        header = self.tables.get((storm, lead))
        location = find_location(scenario["wind_location"], self.locations)
        if header is None or not location:
            return
        table = self.chances.get((storm, lead, location))
        place = {"location": place_name(location)}
        source = (header["file"], header["issued"])
        if table is None:
            yield self._row("chance_unlisted", place | {"below_percent": 3}, storm, port, lead, *source)
            return
        for knots, kind in ((34, "gale_chance"), (50, "storm_chance"), (64, "hurricane_chance")):
            rows = table[table["knots"] == knots]
            if len(rows):
                found = place | {"knots": knots, "percent": int(rows["cumulative"].max())}
                yield self._row(kind, found, storm, port, lead, *source)
        gales = table[table["knots"] == 34].set_index("hour")
        if not len(gales):
            return
        now["gale"] = (place["location"], int(gales["cumulative"].max()))
        by = {f"by_{hour}": int(gales["cumulative"][hour]) for hour in (24, 48, 72) if hour in gales.index}
        yield self._row("chance_by_lead", place | by, storm, port, lead, *source)
        first = gales["onset"].idxmax()
        starts = [0, *gales.index]
        found = place | {"after_hours": starts[starts.index(first) - 1], "before_hours": int(first)}
        if gales["onset"][first] > 0:
            percent = {"percent": int(gales["onset"][first])}
            yield self._row("onset", found | percent, storm, port, lead, *source)

    def _bulletins(self, storm, port, lead, issued, seen, now) -> Iterator[tuple]:
        posted = condition_at(self.data.bulletins, storm, port, issued)
        for row in posted.to_dict("records"):
            if row["bulletin"] not in seen:
                seen.add(row["bulletin"])
                yield self._set(storm, port, row, lead, hindsight=False)
        last = posted.iloc[-1].to_dict() if len(posted) else None
        now["condition"] = last["condition"] if last else "none"
        if last is None:
            yield self._row("condition", {"condition": "none"}, storm, port, lead, "bulletins", issued)
            return
        source = f"bulletin {last['bulletin']}"
        found = {"condition": last["condition"], "posted": _iso(last["posted"])}
        yield self._row("condition", found, storm, port, lead, source, last["posted"])
        found = {"condition": last["condition"], "traffic": TRAFFIC[last["condition"]]}
        yield self._row(
            "traffic", found, storm, port, lead, f"{source}; US Coast Guard port conditions", last["posted"]
        )

    def _set(self, storm, port, row, lead, hindsight) -> tuple:
        hours = round((self.landfall[storm] - row["posted"]) / pd.Timedelta(hours=1))
        found = {"condition": row["condition"], "posted": _iso(row["posted"]), "hours_before": hours}
        source, name = f"bulletin {row['bulletin']}", str(row["bulletin"])
        args = ("condition_set", found, storm, port, lead, source, row["posted"])
        return self._row(*args, name=name, hindsight=hindsight)

    def _changes(self, storm, port, before, now, issued) -> Iterator[tuple]:
        place = (storm, port, now["lead"])
        old, new = before["scenario"], now["scenario"]
        if "gale" in before and "gale" in now and before["gale"][0] == now["gale"][0] and before["gale"] != now["gale"]:
            location, percent = now["gale"]
            found = {"location": location, "before_percent": before["gale"][1], "after_percent": percent}
            header = self.tables[storm, now["lead"]]
            yield self._row("chance_change", found, *place, header["file"], header["issued"], start=before["lead"])
        if (a := old["landfall_date"]) and (b := new["landfall_date"]) and pd.notna(a) and pd.notna(b) and a != b:
            found = {"before_date": a.isoformat(), "after_date": b.isoformat()}
            yield self._row("landfall_change", found, *place, new["file"], issued, start=before["lead"])
        if (a := _alert(old)) != (b := _alert(new)):
            yield self._row(
                "alert_change", {"before": a, "after": b}, *place, new["file"], issued, start=before["lead"]
            )
        a, b = before.get("condition"), now.get("condition")
        if a and b and a != b:
            found = {"before": a, "after": b}
            yield self._row("condition_change", found, *place, "bulletins", issued, start=before["lead"])

    def _hindsight(self, storm, port, seen) -> Iterator[tuple]:
        later = self.data.bulletins
        later = later[(later["storm"] == storm) & (later["port"] == port) & ~later["bulletin"].isin(seen)]
        for row in later.to_dict("records"):
            yield self._set(storm, port, row, None, hindsight=True)
        events = self.data.disruption
        for row in events[(events["storm"] == storm) & (events["port"] == port)].head(1).to_dict("records"):
            for kind, found in _event_facts(row):
                source = f"{row['file']}, row {row['event']}"
                yield self._row(kind, found, storm, port, None, source, hindsight=True)

    def _row(self, kind, found, storm, port, lead, source, time=None, start=None, name="", hindsight=False) -> tuple:
        short = self.short[port] if port else ""
        parts = (storm or "", short, f"T-{lead}" if lead is not None else "after" if hindsight else "", kind, name)
        identifier = "/".join(part for part in parts if part)
        unknown = [key for key in found if key not in KINDS[kind].values]
        if unknown:
            raise ValueError(f"{identifier}: {kind} has no value {', '.join(unknown)}. Name it in KINDS.")
        year = int(storm[-4:]) if storm else None
        when = _iso(time) if time is not None else ""
        alone = storm[:-5] if storm else ""
        return (identifier, alone, year, short, lead, start, kind, pack(found), when, hindsight, source)


def _advisory_facts(row: dict[str, Any]) -> Iterator[tuple[str, dict]]:
    yield "issued", {"number": row["number"], "issued": _iso(row["issued"])}
    if _known(row, "status", "wind_mph", "pressure_mb"):
        found = {"status": row["status"], "wind_mph": int(row["wind_mph"]), "pressure_mb": int(row["pressure_mb"])}
        yield "state", found
        yield "category", {"category": saffir_simpson(row["status"], row["wind_mph"])}
    if _known(row, "lat", "lon") and row["references"]:
        miles, point, place = row["references"][0]
        yield "position", {"lat": row["lat"], "lon": row["lon"], "miles": miles, "point": point, "place": place}
    if _known(row, "direction", "bearing", "speed_mph"):
        found = {"direction": row["direction"], "bearing": int(row["bearing"]), "speed_mph": int(row["speed_mph"])}
        yield "motion", found
    if _known(row, "gale_extent_miles"):
        yield "extent", {"gale_miles": int(row["gale_extent_miles"])}


def _advisory_changes(old: dict[str, Any], new: dict[str, Any]) -> Iterator[tuple[str, dict]]:
    if _known(old, "wind_mph") and _known(new, "wind_mph") and old["wind_mph"] != new["wind_mph"]:
        yield "wind_change", {"before_mph": int(old["wind_mph"]), "after_mph": int(new["wind_mph"])}
    if _known(old, "status", "wind_mph") and _known(new, "status", "wind_mph"):
        before, after = (saffir_simpson(row["status"], row["wind_mph"]) for row in (old, new))
        if before != after:
            yield "category_change", {"before": before, "after": after}


def _scenario_facts(row: dict[str, Any]) -> Iterator[tuple[str, dict]]:
    if places := places_in(row["trajectory_text"]):
        yield "track", {"places": list(places[:3])}
    if _known(row, "closest_date", "leaving_date") and row["closest_date"] <= row["leaving_date"]:
        yield "approach", {key: row[key].isoformat() for key in ("closest_date", "leaving_date")}
    if (places := places_in(row["landfall_text"])) and _known(row, "landfall_date"):
        yield "landfall", {"places": list(places[:2]), "landfall_date": row["landfall_date"].isoformat()}
    if _known(row, "hours_to_landfall"):
        yield "arrival", {"hours": _plain(row["hours_to_landfall"])}
    if _known(row, "hours_of_strike", "hours_to_offshore"):
        found = {"strike_hours": _plain(row["hours_of_strike"]), "offshore_hours": _plain(row["hours_to_offshore"])}
        yield "strike", found
    for kind in ("watch", "warning"):
        if isinstance(row[kind], tuple):
            yield kind, {"alerts": list(row[kind])}
    for kind, column, unit in _RANGES:
        if _known(row, f"{column}_low", f"{column}_high"):
            low, high = _plain(row[f"{column}_low"]), _plain(row[f"{column}_high"])
            yield kind, {f"{unit}_low": low, f"{unit}_high": high}
    if (first := _first_hazard(row["first_hazard_text"])) is not None:
        yield "first_hazard", {"hazard": first}
    if row["within_cone"] is not None and pd.notna(row["within_cone"]):
        yield "cone", {"inside": "yes" if row["within_cone"] else "no"}
    if _known(row, "rain_above_4_inch"):
        yield "rain_threshold", {"inches": 4, "exceeded": row["rain_above_4_inch"]}
    if _known(row, "surge_above_3_feet"):
        yield "surge_threshold", {"feet": 3, "exceeded": row["surge_above_3_feet"]}
    if _known(row, "peak_34kt"):
        yield "gale_threshold", {"percent": 20, "exceeded": "yes" if row["peak_34kt"] >= 20 else "no"}
    if row["hazards"]:
        yield "hazards", {"hazards": list(row["hazards"])}


_RANGES = (
    ("wind_forecast", "wind_mph", "mph"),
    ("surge_forecast", "surge_feet", "feet"),
    ("rain_forecast", "rain_inches", "inches"),
)


def _event_facts(row: dict[str, Any]) -> Iterator[tuple[str, dict]]:
    yield "closest", {"distance_km": round(row["distance_km"]), "storm_wind_kt": int(row["storm_wind_kt"])}
    if not row["peak_loss"] > 0:
        yield "disruption", {"disrupted_days": 0, "peak_loss_percent": 0, "lost_vessels": 0}
        return
    loss = {"peak_loss_percent": round(100 * row["peak_loss"]), "lost_vessels": round(row["lost_vessels"], 1)}
    yield "disruption", {"disrupted_days": int(row["disrupted_days"])} | loss
    if pd.notna(row["disruption_start"]):
        yield "disruption_start", {"date": row["disruption_start"].date().isoformat()}
    if pd.notna(row["disruption_end"]):
        found = {"date": row["disruption_end"].date().isoformat(), "recovery_days": int(row["recovery_days"])}
        yield "recovery", found


def _first_hazard(text: str | None) -> str | None:
    if text is None or values.is_blank(text):
        return None
    for word in ("wind", "rain", "surge"):
        if word in text.lower() and "none" not in text.lower():
            return {"wind": "tropical-storm-force wind", "rain": "heavy rain", "surge": "storm surge"}[word]
    return None


def _alert(row: dict[str, Any]) -> str:
    """The strongest alert for a port: a warning before a watch, hurricane before tropical storm before surge."""
    for kind in ("warning", "watch"):
        if isinstance(row[kind], tuple) and row[kind]:
            return f"{row[kind][0]} {kind.title()}"
    return "none"


def _known(row: dict[str, Any], *columns: str) -> bool:
    return all(row[column] is not None and pd.notna(row[column]) for column in columns)


def _plain(number: float) -> int | float:
    return int(number) if float(number).is_integer() else round(float(number), 1)


def _iso(time: Any) -> str:
    return np.datetime_as_string(np.datetime64(pd.Timestamp(time)), unit="m") + "Z"
