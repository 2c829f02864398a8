"""Port disruption after the event, derived from ship positions (AIS) by the makers of CyPortQA: hindsight only."""

from __future__ import annotations

import io
import re
import warnings

import numpy as np
import pandas as pd

from .archive import Files
from .geography import distance_miles
from .problems import Problems

__all__ = ["COLUMNS", "match_events", "read_events"]

COLUMNS = {
    "SID": "track",
    "port": "port",
    "PORT_LON": "lon",
    "PORT_LAT": "lat",
    "start_date": "storm_start",
    "end_date": "storm_end",
    "start_recovery_date": "disruption_start",
    "end_recovery_date": "disruption_end",
    "total_impact": "disrupted_days",
    "total_impact_value": "lost_vessels",
    "max_impact": "peak_loss",
    "day_of_recover": "recovery_days",
    "DISTANCE": "distance_km",
    "WIND": "storm_wind_kt",
    "PRESSURE": "storm_pressure_mb",
    "Wind_speed": "port_wind",
    "Surge_height": "port_surge",
    "Rainfall": "port_rain",
    "D_normal": "normal_vessels",
    "D_cyclone": "cyclone_vessels",
}
"""Published column -> column here. `peak_loss` is a share (0 to 1) of the usual vessels, `lost_vessels` vessels over
the whole event, `normal_vessels` vessels a day. Units of `port_wind`, `port_surge`, `port_rain` are not published."""

_DATES = ("storm_start", "storm_end", "disruption_start", "disruption_end")
_TEXTS = ("track", "port")
_TRACK = re.compile(r"(\d{4})(\d{3})([NS])(\d{2})(\d{3})")
_SLACK = pd.Timedelta(days=3)
_FASTEST = 40.0  # mph, mean over the way from the place of birth


def read_events(files: Files, problems: Problems) -> pd.DataFrame:
    """Read the table of events: one row a track and port, columns of `COLUMNS`, `event` (published number) as index.

    ``0`` and blanks in a date column mean "none" and are missing here.
    """
    names = [name for name in files.within("events") if name.endswith(".csv")]
    if not names:
        problems.add("events/", "", "", "file", "no table of events; disruption and port coordinates are missing")
        return pd.DataFrame(columns=[*COLUMNS.values(), "file"]).rename_axis("event")
    for other in names[1:]:
        problems.add(other, "", "", "left out", f"a second table of events; {names[0]} counts")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)  # a row that is longer than the header
            table = pd.read_csv(io.BytesIO(files[names[0]]), encoding="utf-8-sig", index_col=False)
    except (UnicodeDecodeError, ValueError, pd.errors.ParserWarning) as error:
        problems.add(names[0], "", "", "file", f"not a table: {error}")
        return pd.DataFrame(columns=[*COLUMNS.values(), "file"]).rename_axis("event")
    table.columns = [str(column).strip() for column in table.columns]
    if missing := sorted({*COLUMNS, "ID"} - set(table.columns)):
        problems.add(names[0], ", ".join(missing), "", "file", "the header lacks these columns; the file is left out")
        return pd.DataFrame(columns=[*COLUMNS.values(), "file"]).rename_axis("event")
    events = table.set_index("ID")[list(COLUMNS)].rename(columns=COLUMNS).rename_axis("event")
    for event in events.index[events[list(_TEXTS)].isna().any(axis=1)]:
        problems.add(names[0], f"event {event}", "", "unmatched", "no track or no port")
    for column in (name for name in events if name not in (*_DATES, *_TEXTS)):
        number = pd.to_numeric(events[column], errors="coerce").astype(float)
        number = number.where(np.isfinite(number))
        wrong = (number.isna() & events[column].notna()).to_numpy()
        for event, value in zip(events.index[wrong], events[column].to_numpy(object)[wrong], strict=True):
            problems.add(names[0], f"event {event}.{column}", value, "unreadable", "not a number")
        events[column] = number if wrong.any() else events[column]
    for column in _DATES:
        text = events[column].astype(str).where(~events[column].astype(str).isin(["0", "nan", ""]))
        events[column] = pd.to_datetime(text, errors="coerce", format="mixed").dt.normalize()
        wrong = (text.notna() & events[column].isna()).to_numpy()
        for event, value in zip(events.index[wrong], text.to_numpy(object)[wrong], strict=True):
            problems.add(names[0], f"event {event}.{column}", value, "unreadable", "not a date")
    backwards = events["disruption_end"] < events["disruption_start"]
    for number in events.index[backwards]:
        problems.add(names[0], f"event {number}", "", "date order", "the disruption ends before it begins")
    return events.assign(file=names[0])


def match_events(
    events: pd.DataFrame, ports: dict[str, set[str]], storms: pd.DataFrame, problems: Problems
) -> pd.DataFrame:
    """Join events to the storms and ports of the scenarios.

    The table of events names no storm; its track identifiers begin with the day and place of birth
    ("2022154N21273": day 154, 21 N, 273 E). A storm can own a track that was born at most a day after its first
    advisory here, from whose place of birth it could have come at `_FASTEST`, whose dates overlap its own and which
    shares a port. Of all such pairs the ones with most ports in common are settled first, then those born nearest in
    time; a track has one storm.

    Parameters
    ----------
    ports : dict
        Storm -> the full names of its ports.
    storms : DataFrame
        Index: storm. Columns `first` (UTC of its first advisory), `lat`, `lon` (there), `landfall` (UTC, expected).

    Returns
    -------
    DataFrame
        Columns `storm`, `port`, `event`, those of `events`, `precedes` (the disruption ends before the first advisory).
    """
    tracks = {str(track): group for track, group in events.groupby("track", sort=True)}
    ranked = sorted(found for storm in sorted(ports) for found in _candidates(storm, ports[storm], storms, tracks))
    owner: dict[str, str] = {}
    for *_, storm, track in ranked:
        if storm not in owner and track not in owner.values():
            owner[storm] = track
    kept = []
    for storm in sorted(ports):
        if storm not in owner:
            problems.add("events/", storm, "", "unmatched", "no track has its dates, ports and place of birth")
            continue
        found = tracks[owner[storm]]
        found = found[found["port"].isin(ports[storm])].reset_index()
        found.insert(0, "storm", storm)
        found["precedes"] = found["disruption_end"] < storms.loc[storm, "first"].normalize()
        kept.append(found)
        for row in found[found["precedes"]].to_dict("records"):
            reason = "the disruption lies before the storm's first advisory here"
            problems.add(row["file"], f"event {row['event']}", storm, "date order", reason)
        for port in sorted(ports[storm] - set(found["port"])):
            problems.add("events/", f"{storm}.{port}", "", "unmatched", "the track has no row of this port")
    columns = ["storm", "port", "event", *(c for c in events.columns if c != "port"), "precedes"]
    return pd.concat(kept, ignore_index=True)[columns] if kept else pd.DataFrame(columns=columns)


def _candidates(storm: str, ports: set[str], storms: pd.DataFrame, tracks: dict[str, pd.DataFrame]):
    if storm not in storms.index:
        return
    known = storms.loc[storm]
    for track, rows in tracks.items():
        found, shared = _TRACK.fullmatch(track), len(ports & set(rows["port"]))
        if not found or not shared or int(found[1]) != known["first"].year or pd.isna(known["lat"]):
            continue
        born = pd.Timestamp(int(found[1]), 1, 1) + pd.Timedelta(days=int(found[2]) - 1)
        hours = (known["first"] - born) / pd.Timedelta(hours=1)
        birthplace = (float(found[4]) * (1 if found[3] == "N" else -1), float(found[5]) - 360)
        miles = distance_miles(birthplace, (known["lat"], known["lon"]))
        before, after = known["first"] - _SLACK, known["landfall"] + _SLACK
        overlaps = rows["storm_start"].min() <= after and rows["storm_end"].max() >= before
        if overlaps and hours >= -24 and miles <= 150 + _FASTEST * max(hours, 24):
            yield -shared, abs(hours), miles, storm, track
