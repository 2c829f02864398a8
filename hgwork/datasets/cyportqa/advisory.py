"""Public advisories of the National Hurricane Center: the header, the summary block, watches and warnings, extents.

The texts are works of the US Government. Only what stands in fixed places is read, so that a value is either the
forecaster's own or missing.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

__all__ = ["MONTHS", "OFFSETS", "month_number", "parse_advisory"]

OFFSETS = {"UTC": 0, "CVT": 1, "AST": 4, "EDT": 4, "EST": 5, "CDT": 5, "CST": 6, "MDT": 6, "MST": 7, "PDT": 7}
MONTHS = {
    name: n
    for n, name in enumerate(["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"], 1)
}
OFFSETS |= {"PST": 8, "HST": 10}
_HEADING = re.compile(
    r"(?im)^(?P<title>.+?)[ ]+(?:(?:INTERMEDIATE|SPECIAL)[ ]+)?ADVISORY[ ]+NUMBER[ ]+(?P<number>\d+[A-Z]?)"
)
_ISSUED = re.compile(
    r"(?im)^(?P<clock>\d{3,4}) (?P<half>AM|PM) (?P<zone>[A-Z]{3}) [A-Z]{3} (?P<month>[A-Z]{3}) "
    r"(?P<day>\d{1,2}) (?P<year>\d{4})"
)
_REFERENCE = re.compile(r"(?m)^ABOUT (\d+) MI\.\.\.\d+ KM ([NESW]{1,3}) OF (.+?)\s*$")
_MOVEMENT = re.compile(r"PRESENT MOVEMENT\.\.\.([NESW]{1,3}) OR (\d+) DEGREES AT (\d+) MPH")
_KINDS = r"(POTENTIAL TROPICAL CYCLONE|POST-TROPICAL CYCLONE|TROPICAL DEPRESSION|TROPICAL STORM|HURRICANE|REMNANTS OF|"
_KINDS += r"SUBTROPICAL DEPRESSION|SUBTROPICAL STORM)\s+(.+)"


def parse_advisory(text: str) -> dict[str, Any]:
    """Read one public advisory.

    Returns
    -------
    dict
        `number` ("3A"), `status` ("Tropical Storm"), `name`, `identifier` ("AL012022"), `time` (UTC, naive datetime),
        `lat`, `lon` (degrees, east positive), `references` (tuple of (miles, compass point, place)), `wind_mph`,
        `pressure_mb`, `direction`, `bearing` (degrees), `speed_mph`, `gale_extent_miles`, `hurricane_extent_miles`,
        `alerts` (dict from "Tropical Storm Warning" … to the areas it is in effect for). A value that the text lacks
        is None.

    Raises
    ------
    ValueError
        If the text has no advisory number or no time of issue.

    Examples
    --------
    >>> a = parse_advisory('''BULLETIN
    ... Tropical Storm Ada Advisory Number 4
    ... NWS National Hurricane Center Miami FL AL992022
    ... 1100 PM EDT Fri Jun 03 2022
    ... LOCATION...22.4N 86.8W
    ... MAXIMUM SUSTAINED WINDS...40 MPH...65 KM/H
    ... ''')
    >>> a["number"], a["status"], str(a["time"]), a["lon"], a["wind_mph"], a["pressure_mb"]
    ('4', 'Tropical Storm', '2022-06-04 03:00:00', -86.8, 40, None)
    """
    heading, issued = _HEADING.search(text), _ISSUED.search(text)
    if not heading:
        raise ValueError("no line '… Advisory Number …'")
    if not issued:
        raise ValueError("no time of issue ('700 AM CDT Fri Jun 03 2022')")
    kind = re.search(_KINDS, heading["title"].upper())
    located = re.search(r"(?m)^LOCATION\.\.\.([\d.]+)([NS]) ([\d.]+)([EW])", text)
    moving = _MOVEMENT.search(text)
    still = re.search(r"PRESENT MOVEMENT\.\.\.STATIONARY", text)
    return {
        "number": heading["number"],
        "status": kind[1].title().replace("Remnants Of", "Remnants") if kind else None,
        "name": kind[2].strip() if kind else heading["title"].strip().upper(),
        "identifier": _first(r"\b((?:AL|EP|CP)\d{6})\b", text, str),
        "time": _utc(issued),
        "lat": _signed(located, 1, "N"),
        "lon": _signed(located, 3, "E"),
        "references": tuple((int(miles), point, _titled(place)) for miles, point, place in _REFERENCE.findall(text)),
        "wind_mph": _first(r"MAXIMUM SUSTAINED WINDS\.\.\.(\d+) MPH", text, int),
        "pressure_mb": _first(r"MINIMUM CENTRAL PRESSURE\.\.\.(\d+) MB", text, int),
        "direction": moving[1] if moving else None,
        "bearing": int(moving[2]) if moving else None,
        "speed_mph": int(moving[3]) if moving else 0 if still else None,
        "gale_extent_miles": _extent("tropical-storm", text),
        "hurricane_extent_miles": _extent("hurricane", text),
        "alerts": _alerts(text),
    }


def _utc(issued: re.Match) -> datetime:
    zone = issued["zone"].upper()
    if zone not in OFFSETS:
        raise ValueError(f"time zone {zone} is not one of {', '.join(OFFSETS)}")
    clock = int(issued["clock"])
    hour = clock // 100 % 12 + (12 if issued["half"].upper() == "PM" else 0)
    local = datetime(int(issued["year"]), month_number(issued["month"]), int(issued["day"]), hour, clock % 100)
    if not 1700 <= local.year <= 2200:
        raise ValueError(f"the year {local.year} is none of a cyclone")
    return local + timedelta(hours=OFFSETS[zone])


def month_number(name: str) -> int:
    """1 for "Jan"; ValueError where the name is no month."""
    if name.upper() not in MONTHS:
        raise ValueError(f"{name!r} is no month")
    return MONTHS[name.upper()]


def _first(pattern: str, text: str, kind: type) -> Any:
    found = re.search(pattern, text)
    return kind(found[1]) if found else None


def _signed(found: re.Match | None, group: int, positive: str) -> float | None:
    if not found:
        return None
    return float(found[group]) * (1 if found[group + 1] == positive else -1)


def _extent(kind: str, text: str) -> int | None:
    flat = re.sub(r"\s+", " ", text)
    found = re.search(rf"{kind}[- ]force winds (?:currently )?extend outward (?:up to )?(\d+) miles", flat, re.I)
    return int(found[1]) if found else None


def _alerts(text: str) -> dict[str, tuple[str, ...]]:
    pattern = (
        r"(?ims)^An? (?P<kind>[A-Z ]+? (?:Watch|Warning)) is in effect for\.{0,3}\s*\n(?P<areas>.*?)(?=\n\s*\n|\Z)"
    )
    found: dict[str, tuple[str, ...]] = {}
    for match in re.finditer(pattern, text):
        areas = re.split(r"(?m)^\s*\*\s*", match["areas"])
        names = tuple(re.sub(r"\s+", " ", area).strip() for area in areas if area.strip())
        found.setdefault(match["kind"].title(), names)
    return found


def _titled(place: str) -> str:
    """Names in capitals as names: "THE WESTERN TIP OF CUBA" -> "the western tip of Cuba"."""
    common = {"the", "of", "and", "on", "in", "western", "eastern", "northern", "southern", "central", "tip", "mouth"}
    common |= {"coast", "near", "line", "border", "northwestern", "northeastern", "southwestern", "southeastern", "end"}
    return " ".join(word.lower() if word.lower() in common else word.capitalize() for word in place.split())
