"""Typed values from text fields that a model filled in: "N/A", "35–45 mph", "<1%", "Yes (western edge)".

Every reader returns the value and what it left unread: an empty remainder means that the whole text was
understood, None for the value with a remainder means that nothing was.
"""

from __future__ import annotations

import re
from datetime import date
from math import isfinite
from typing import NamedTuple

__all__ = [
    "CATEGORIES",
    "HAZARDS",
    "Quantity",
    "alerts",
    "amount",
    "blank_reason",
    "category",
    "compass",
    "coordinates",
    "day",
    "hazard_amount",
    "hazards",
    "hours",
    "is_blank",
    "likelihood",
    "percent",
    "place",
    "speed",
    "yes_no",
]

CATEGORIES = (
    "Potential Tropical Cyclone",
    "Post-Tropical Cyclone",
    "Remnants",
    "Tropical Depression",
    "Subtropical Depression",
    "Subtropical Storm",
    "Tropical Storm",
    "Category 1",
    "Category 2",
    "Category 3",
    "Category 4",
    "Category 5",
)
HAZARDS = {
    "tornadoes": r"tornad|waterspout",
    "rip currents": r"rip.?current",
    "high surf": r"surf|swell|rough sea|high sea|large wave|breaking wave|battering wave",
    "flash flooding": r"flash.{0,30}flood|urban.{0,20}flood|river.{0,20}flood|inland flood|flash/",
    "coastal flooding": r"coastal (flood|inundation)|tidal flood",
    "beach erosion": r"erosion",
    "lightning": r"lightning|thunderstorm",
    "landslides": r"landslide|mudslide",
    "low visibility": r"visibility|fog",
    "power outages": r"power outage|power loss",
}
_BLANK = {"", "n/a", "na", "none", "null", "nan", "unknown", "not applicable", "not available", "—", "-", "..."}
_NUMBER = r"\d+(?:\.\d+)?"
_DASH = r"\s*(?:[-–—]|to)\s*"
_BELOW = r"(?:below|under|less than|up to|at most|[<≤])"
_ABOVE = r"(?:above|over|more than|at least|exceed(?:s|ing)?|[>≥])"
_POINTS = ("N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW")
_WORDS = {"north": "N", "south": "S", "east": "E", "west": "W"}


class Quantity(NamedTuple):
    """A number known to lie between two bounds; equal bounds where it was given as one number."""

    low: float
    high: float

    @property
    def value(self) -> float:
        """The middle of the bounds."""
        return (self.low + self.high) / 2


def is_blank(text: object) -> bool:
    """Whether a field says that there is no value."""
    return text is None or str(text).strip().lower().rstrip(".") in _BLANK


def blank_reason(text: object) -> str:
    """What a field adds to "N/A" or "None" ("N/A – storm stays offshore" -> "storm stays offshore"), else "".

    Examples
    --------
    >>> blank_reason("N/A (already ashore)")
    'already ashore'
    """
    found = re.match(r"\s*(?:n/a|none)\b\W*(.+)", str(text), re.IGNORECASE | re.DOTALL)
    return found[1].strip(" ().") if found else ""


def amount(text: str, unit: str = "", ceiling: float | None = None) -> tuple[Quantity | None, str]:
    """A number or range with its unit; "<1 %" is (0, 1).

    Examples
    --------
    >>> amount("35–45 mph", "mph")[0]
    Quantity(low=35.0, high=45.0)
    >>> amount("<1%", "%", ceiling=100)
    (Quantity(low=0.0, high=1.0), '')
    """
    pattern = rf"(?P<sign>[<>≤≥~≈])?\s*(?P<low>{_NUMBER})(?:{_DASH}(?P<high>{_NUMBER}))?\s*(?P<plus>\+)?\s*{unit}"
    found = re.search(pattern, text, re.IGNORECASE)
    if not found:
        return None, text
    low = float(found["low"])
    high = float(found["high"]) if found["high"] else low
    if found["sign"] in ("<", "≤"):
        low = 0.0
    elif found["sign"] in (">", "≥") or found["plus"]:
        high = ceiling if ceiling is not None else high
    if not isfinite(high) or high < low or (ceiling is not None and high > ceiling):
        return None, text
    return Quantity(low, high), _rest(text, found)


def hazard_amount(text: str, unit: str) -> Quantity | None:
    """The first amount that a sentence on a hazard foresees, not one that it denies or sets as an open limit.

    Examples
    --------
    >>> hazard_amount("Minor surge of 1 to 2 ft; levels above 3 ft are not expected", "ft")
    Quantity(low=1.0, high=2.0)
    >>> hazard_amount("Any rise likely below 3 ft", "ft")
    Quantity(low=0.0, high=3.0)
    """
    for clause in re.split(r"[;.](?!\d)|,\s", text):
        if re.search(r"\b(no|not|none|unlikely|never)\b", clause, re.IGNORECASE):
            continue
        value, _ = amount(clause, unit)
        found = re.search(rf"({_BELOW}|{_ABOVE})\s*(?:about |around |approximately )?\d", clause, re.IGNORECASE)
        if value is None or (found and re.fullmatch(_ABOVE, found[1], re.IGNORECASE)):
            continue
        return Quantity(0.0, value.high) if found else value
    return None


def percent(text: str) -> tuple[Quantity | None, str]:
    """A probability in percent."""
    return amount(text, r"(?:%|percent)?", ceiling=100.0)


def speed(text: str) -> tuple[Quantity | None, str]:
    """A speed in mph; "stationary" is zero.

    Examples
    --------
    >>> speed("Stationary")
    (Quantity(low=0.0, high=0.0), '')
    """
    if re.search(r"stationary|nearly stationary", text, re.IGNORECASE):
        return Quantity(0.0, 0.0), ""
    return amount(text, r"(?:mph)?")


def hours(text: str) -> tuple[Quantity | None, str]:
    """A count of hours, not negative; a leading minus makes it unreadable."""
    if re.match(r"\s*[-−]\s*\d", text):
        return None, text
    return amount(text, r"(?:h(?:ou)?rs?|h)?\b")


def day(text: str) -> tuple[date | None, str]:
    """An ISO date.

    Examples
    --------
    >>> day("2022-06-04 (Saturday)")
    (datetime.date(2022, 6, 4), '(Saturday)')
    """
    found = re.search(r"(\d{4})-(\d{1,2})-(\d{1,2})", text)
    if not found:
        return None, text
    try:
        return date(*map(int, found.groups())), _rest(text, found)
    except ValueError:
        return None, text


def coordinates(text: str) -> tuple[tuple[float, float] | None, str]:
    """Latitude and longitude in degrees, north and east positive.

    Examples
    --------
    >>> coordinates("23.3N, 85.0W")
    ((23.3, -85.0), '')
    """
    found = re.search(rf"({_NUMBER})\s*°?\s*([NS])\W*({_NUMBER})\s*°?\s*([EW])", text, re.IGNORECASE)
    if not found:
        return None, text
    lat, north, lon, east = found.groups()
    place = (float(lat) * (1 if north.upper() == "N" else -1), float(lon) * (1 if east.upper() == "E" else -1))
    return (None, text) if abs(place[0]) > 90 or abs(place[1]) > 180 else (place, _rest(text, found))


def compass(text: str) -> tuple[str | None, str]:
    """One of the sixteen compass points.

    Examples
    --------
    >>> compass("north-northwest")[0], compass("WNW")[0]
    ('NNW', 'WNW')
    """
    words = re.findall(r"north|south|east|west", text.lower())
    if words and not re.search(r"\b(or|to|then)\b", text.lower()):
        point = "".join(_WORDS[word] for word in words)
        return (point, "") if point in _POINTS else (None, text)
    found = re.search(rf"\b({'|'.join(sorted(_POINTS, key=len, reverse=True))})\b", text)
    return (found[1], _rest(text, found)) if found else (None, text)


def category(text: str) -> tuple[str | None, str]:
    """Strength class; a Saffir–Simpson category wins over the bare word "hurricane".

    Examples
    --------
    >>> category("Tropical Storm (below hurricane strength)")[0]
    'Tropical Storm'
    """
    flat = re.sub(r"[-–\s]+", " ", text)
    finds = []
    for name in CATEGORIES:
        words = name.replace("-", " ").replace("Remnants", "Remnant")
        if found := re.search(rf"\b{words}s?\b", flat, re.IGNORECASE):
            finds.append((found.start(), -len(name), name, found))
    if not finds:
        return None, text
    _, _, name, found = min(finds, key=lambda item: item[:3])
    return name, _rest(flat, found)


def yes_no(text: str) -> tuple[bool | None, str]:
    """Yes or no at the beginning of the text."""
    found = re.match(r"\s*(yes|no)\b", text, re.IGNORECASE)
    return (found[1].lower() == "yes", _rest(text, found)) if found else (None, text)


def likelihood(text: str) -> tuple[str | None, str]:
    """One of "no", "unlikely", "possible", "likely", "yes", from the beginning of the text."""
    found = re.match(r"\s*(yes|no|unlikely|possible|possibly|likely)\b", text, re.IGNORECASE)
    if not found:
        return None, text
    word = found[1].lower()
    return "possible" if word == "possibly" else word, _rest(text, found)


def alerts(text: str) -> tuple[tuple[str, ...] | None, str]:
    """The kinds of watch or warning that a text names, strongest first; an empty tuple for none.

    Examples
    --------
    >>> alerts("Hurricane Watch (also under Storm Surge Watch)")[0]
    ('Hurricane', 'Storm Surge')
    """
    if re.match(r"\s*(no|none)\b", text, re.IGNORECASE):
        return (), ""
    kinds = tuple(kind for kind in ("Hurricane", "Tropical Storm", "Storm Surge") if kind.lower() in text.lower())
    return (kinds, "") if kinds else (None, text)


def hazards(text: str) -> tuple[str, ...]:
    """Names of further hazards that a text mentions without denying them, in a fixed order.

    Examples
    --------
    >>> hazards("Isolated tornadoes; dangerous rip currents")
    ('tornadoes', 'rip currents')
    """
    clauses = [
        clause for clause in re.split(r"[;.]", text) if not re.search(r"\b(no|none|not|without)\b", clause, re.I)
    ]
    return tuple(
        name for name, pattern in HAZARDS.items() if any(re.search(pattern, clause, re.I) for clause in clauses)
    )


def place(text: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """The names out of `known` that a text holds as whole words, in the order of the text, longest first."""
    if not known:
        return ()
    pattern = "|".join(re.escape(name) for name in sorted(known, key=lambda name: (-len(name), name)))
    return tuple(dict.fromkeys(found[0] for found in re.finditer(rf"\b(?:{pattern})\b", text)))


def _rest(text: str, found: re.Match) -> str:
    return (text[: found.start()] + text[found.end() :]).strip(" .,;")
