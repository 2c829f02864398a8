"""Port-condition bulletins of the US Coast Guard, matched to storms and ports.

A bulletin counts from the moment it was posted (`time_utc`). The effective time that it names is kept as published:
its time zone is not stated, and it can lie half a day before the post. A bulletin is never visible at a horizon whose
advisory is older than the post.
"""

from __future__ import annotations

import io
from typing import Any

import pandas as pd

from .archive import Files
from .ports import ports_named
from .problems import Problems

__all__ = ["CONDITIONS", "RULES", "condition_at", "match_bulletins", "read_bulletins"]

CONDITIONS = {
    "WHISKEY": "WHISKEY",
    "X-RAY": "X-RAY",
    "XRAY": "X-RAY",
    "YANKEE": "YANKEE",
    "ZULU": "ZULU",
    "FOUR": "NORMAL",
    "V": "NORMAL",
    "FIVE": "NORMAL",
    "NORMAL": "NORMAL",
}
"""Conditions as published -> as used here; four and five are the seasonal readiness to which ports return."""

RULES = {"WHISKEY": 72, "X-RAY": 48, "YANKEE": 24, "ZULU": 12}
"""Hours before sustained gale-force wind within which the Coast Guard sets each condition."""

_FILES = ("uscg__port_conditions_enriched.csv", "uscg__port_conditions_filtered.csv")
_RENAMED = {("ISAIAH", 2020): "ISAIAS", ("ISAIS", 2020): "ISAIAS", ("NINE", 2020): "ISAIAS", ("NINE", 2016): "HERMINE"}
_RENAMED |= {("EIGHT", 2016): "HERMINE", ("TWENTYNINE", 2020): "ETA"}
_NEEDED = {"id", "time_utc", "CycloneName", "Year", "PortList", "Condition"}
_BEFORE, _AFTER = pd.Timedelta(hours=240), pd.Timedelta(hours=120)


def read_bulletins(files: Files, problems: Problems) -> pd.DataFrame:
    """Read both bulletin files into one table, a bulletin each (the second file corrects names in the first).

    Returns
    -------
    DataFrame
        Index `bulletin` (the published number). Columns `posted` (UTC), `effective` (as published, zone unstated;
        missing where not given), `storm_name`, `year`, `ports` (tuple of full names), `condition`, `vessels`,
        `ocean_vessels`, `facilities` (text or missing), `file`.
    """
    rows: dict[int, dict[str, Any]] = {}
    for name in _FILES:
        table = _table(files, name, problems)
        for record in table.to_dict("records"):
            row = _row(record, name, problems)
            if row is None:
                continue
            known = rows.get(row["bulletin"])
            if known is None:
                rows[row["bulletin"]] = row
                continue
            known |= {key: row[key] for key in ("storm_name", "condition", "file")}
            known["ports"] = row["ports"] or known["ports"]
    columns = ["bulletin", "posted", "effective", "storm_name", "year", "ports", "condition"]
    columns += ["vessels", "ocean_vessels", "facilities", "file"]
    table = pd.DataFrame(list(rows.values()), columns=columns)
    return table.sort_values(["posted", "bulletin"], kind="stable").set_index("bulletin")


def match_bulletins(bulletins: pd.DataFrame, landfall: dict[str, pd.Timestamp], problems: Problems) -> pd.DataFrame:
    """One row a bulletin, storm and port, for bulletins of storms that the scenarios know.

    Parameters
    ----------
    landfall : dict
        Storm ("IRMA_2017") -> expected landfall (UTC). A bulletin belongs to a storm by name and year, and must lie
        between 240 hours before and 120 hours after it.

    Returns
    -------
    DataFrame
        Columns `storm`, `port`, `posted`, `effective`, `condition`, `bulletin`, by storm, port, time.
    """
    rows = []
    for number, row in bulletins.iterrows():
        storm = f"{row['storm_name']}_{row['year']}"
        file = row["file"]
        if storm not in landfall:
            problems.add(file, f"bulletin {number}", storm, "unmatched", "no scenario of this storm")
        elif not landfall[storm] - _BEFORE <= row["posted"] <= landfall[storm] + _AFTER:
            problems.add(
                file, f"bulletin {number}", str(row["posted"]), "unmatched", f"too far from {storm}'s landfall"
            )
        elif not row["ports"]:
            problems.add(file, f"bulletin {number}", storm, "unmatched", "names no port of CyPortQA")
        else:
            common = (row["posted"], row["effective"], row["condition"], number)
            rows += [(storm, port, *common) for port in row["ports"]]
    table = pd.DataFrame(rows, columns=["storm", "port", "posted", "effective", "condition", "bulletin"])
    return table.sort_values(["storm", "port", "posted", "bulletin"], kind="stable", ignore_index=True)


def condition_at(matched: pd.DataFrame, storm: str, port: str, time: pd.Timestamp) -> pd.DataFrame:
    """The bulletins of a storm and port that had been posted by `time`, oldest first; the last one is in force."""
    return matched[(matched["storm"] == storm) & (matched["port"] == port) & (matched["posted"] <= time)]


def _table(files: Files, name: str, problems: Problems) -> pd.DataFrame:
    if name not in files:
        problems.add(name, "", "", "file", "not in the data set; its bulletins are missing")
        return pd.DataFrame()
    try:
        table = pd.read_csv(io.BytesIO(files[name]), encoding="utf-8-sig", dtype=str, keep_default_na=False)
    except (UnicodeDecodeError, ValueError) as error:
        problems.add(name, "", "", "file", f"not a table: {error}")
        return pd.DataFrame()
    table.columns = [column.strip() for column in table.columns]
    if missing := sorted(_NEEDED - set(table.columns)):
        problems.add(name, ", ".join(missing), "", "file", "the header lacks these columns; the file is left out")
        return pd.DataFrame()
    return table


def _row(record: dict[str, str], file: str, problems: Problems) -> dict[str, Any] | None:
    number, label = record["id"].strip(), f"bulletin {record['id'].strip()}"
    posted = pd.to_datetime(record["time_utc"], errors="coerce")
    condition = CONDITIONS.get(record["Condition"].strip().upper())
    if not number.isdecimal() or not record["Year"].strip().isdecimal() or pd.isna(posted):
        problems.add(file, label, record["time_utc"], "unreadable", "no number, year or time of the post")
        return None
    if condition is None:
        problems.add(file, label, record["Condition"], "unreadable", f"condition is none of {', '.join(CONDITIONS)}")
        return None
    ports, _ = ports_named(record["PortList"])
    effective = pd.to_datetime(record.get("ConditionEffectiveTime", ""), errors="coerce")
    year = int(record["Year"])
    name = record["CycloneName"].strip().upper()
    text = {key: record.get(source) or None for key, source in _TEXTS.items()}
    shared = {"bulletin": int(number), "posted": posted, "effective": effective, "year": year, "ports": ports}
    return shared | {"storm_name": _RENAMED.get((name, year), name), "condition": condition, "file": file} | text


_TEXTS = {"vessels": "VesselOps", "ocean_vessels": "OceanVesselOps", "facilities": "FacilityOps"}
