"""Wind speed probability tables of the National Hurricane Center.

A row gives a place and a speed (34, 50 or 64 kt); a cell "12(13)" gives the probability that such wind begins in
that period (onset) and that it occurs by its end (cumulative), in percent; "X" is below one percent and is read as 0.
Periods begin at the model's base time, some hours before the table is issued.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta

import pandas as pd

from .advisory import month_number

__all__ = ["COLUMNS", "find_location", "location_index", "parse_wind_table", "place_name"]

COLUMNS = ["location", "knots", "hour", "ends", "onset", "cumulative"]
_ISSUED = re.compile(r"(?m)^(\d{2})(\d{2}) UTC [A-Z]{3} ([A-Z]{3}) (\d{1,2}) (\d{4})")
_ROW = re.compile(r"(?m)^(?P<place>[A-Z0-9].{0,15}?)\s+(?P<knots>34|50|64)\s+(?P<cells>[X\d(].*?)\s*$")
_CELL = re.compile(r"(X|\d+)\s*(?:\(\s*(X|\d+)\s*\))?")


def parse_wind_table(text: str) -> tuple[dict, pd.DataFrame, list[str]]:
    """Read one table of wind speed probabilities.

    Returns
    -------
    header : dict
        `number` (int), `time` (UTC of issue), `base` (UTC at which the periods begin), `hours` (the grid, a tuple).
    table : DataFrame
        One row a place, speed and period: `location`, `knots`, `hour` (end of the period, hours after `base`),
        `ends` (UTC), `onset`, `cumulative` (percent, int).
    unread : list of str
        Rows whose cells do not fit the grid.

    Raises
    ------
    ValueError
        If number, time of issue, base time or grid is missing.
    """
    number = re.search(r"PROBABILITIES\s+NUMBER\s+(\d+)", text)
    issued = _ISSUED.search(text)
    base = re.search(r"BETWEEN\s+(\d{2})Z [A-Z]{3} AND", text)
    grid = re.search(r"(?m)^FORECAST HOUR\s+(.*)$", text)
    for found, what in ((number, "number"), (issued, "time of issue"), (base, "base time"), (grid, "forecast hours")):
        if not found:
            raise ValueError(f"no {what}")
    assert number and issued and base and grid
    hour, minute, month, day, year = issued.groups()
    time = datetime(int(year), month_number(month), int(day), int(hour), int(minute))
    if not 1700 <= time.year <= 2200:
        raise ValueError(f"the year {time.year} is none of a cyclone")
    start = time.replace(hour=int(base[1]), minute=0)
    start -= timedelta(days=1) if start > time else timedelta()
    hours = tuple(int(value) for value in re.findall(r"\((\d+)\)", grid[1]))
    rows, unread = _rows(text[grid.end() :], hours)
    table = pd.DataFrame(rows, columns=["location", "knots", "hour", "onset", "cumulative"])
    table["ends"] = pd.Timestamp(start) + pd.to_timedelta(table["hour"], unit="h")
    return {"number": int(number[1]), "time": time, "base": start, "hours": hours}, table[COLUMNS], unread


def _rows(text: str, hours: tuple[int, ...]) -> tuple[list[tuple], list[str]]:
    rows: list[tuple] = []
    unread: list[str] = []
    for line in _ROW.finditer(text):
        cells = [_cell(*found) for found in _CELL.findall(line["cells"])]
        if len(cells) != len(hours):
            unread.append(line[0].strip())
            continue
        place = line["place"].strip()
        rows += [(place, int(line["knots"]), hour, *cell) for hour, cell in zip(hours, cells, strict=True)]
    return rows, unread


def _cell(onset: str, cumulative: str) -> tuple[int, int]:
    first = 0 if onset == "X" else int(onset)
    if not cumulative:
        return first, first
    return first, 0 if cumulative == "X" else int(cumulative)


def location_index(names: Iterable[str]) -> dict[str, str]:
    """How a place may be written -> its name in the tables; a spelling that two names share is left out."""
    index: dict[str, set[str]] = {}
    for name in sorted(set(names)):
        for key in (_plain(name), _plain(_without_state(name))):
            index.setdefault(key, set()).add(name)
    return {key: min(found) for key, found in sorted(index.items()) if len(found) == 1}


def find_location(text: str | None, index: dict[str, str]) -> str | None:
    """The place of the tables that a text names, or None.

    Tables cut names at fourteen characters and drop the state of the longer ones.

    Examples
    --------
    >>> find_location("Ft. Lauderdale, FL", location_index(["FT LAUDERDALE", "MIAMI FL"]))
    'FT LAUDERDALE'
    """
    name = re.sub(r"\s*\(.*", "", text or "").upper()
    for key in (_plain(name), _plain(_without_state(name)), _plain(_without_state(name)[:14])):
        if key in index:
            return index[key]
    return None


def _without_state(name: str) -> str:
    return re.sub(r",?\s+[A-Z]{2}\s*$", "", name.strip())


def _plain(name: str) -> str:
    return re.sub(r"[^A-Z0-9]", "", name.upper())


def place_name(name: str) -> str:
    """A place of the tables in ordinary letters, its state in capitals.

    Examples
    --------
    >>> place_name("COCOA BEACH FL"), place_name("BEAUFORT MCAS")
    ('Cocoa Beach FL', 'Beaufort MCAS')
    """
    kept = ("MCAS", "AFB", "NAS", "NS", "ARB", "JFK", "NYC", "AB")
    words = name.split()
    last = len(words) - 1
    states = [word for n, word in enumerate(words) if n == last and n > 0 and len(word) == 2]
    return " ".join(word if word in kept or word in states else word.capitalize() for word in words)
