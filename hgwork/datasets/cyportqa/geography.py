"""Distances, compass points, place names and strength classes."""

from __future__ import annotations

import math
import re

__all__ = ["PLACES", "STATES", "compass_from", "distance_miles", "places_in", "saffir_simpson"]

STATES = {
    "AL": "Alabama",
    "CA": "California",
    "CT": "Connecticut",
    "DE": "Delaware",
    "FL": "Florida",
    "GA": "Georgia",
    "IL": "Illinois",
    "IN": "Indiana",
    "LA": "Louisiana",
    "MA": "Massachusetts",
    "MD": "Maryland",
    "ME": "Maine",
    "MI": "Michigan",
    "MO": "Missouri",
    "MS": "Mississippi",
    "NC": "North Carolina",
    "NJ": "New Jersey",
    "NY": "New York",
    "OH": "Ohio",
    "PA": "Pennsylvania",
    "PR": "Puerto Rico",
    "RI": "Rhode Island",
    "SC": "South Carolina",
    "TX": "Texas",
    "VA": "Virginia",
    "VI": "US Virgin Islands",
}
_MORE = """Azores;Bahamas;Baja California;Bermuda;Big Bend;Biloxi;Brownsville;Cape Cod;Cape Fear;Cape Hatteras;
Cape Lookout;Cape May;Caribbean Sea;Carolinas;Cedar Key;Charleston;Chesapeake Bay;Corpus Christi;Cuba;Delmarva;
Dominican Republic;Florida Keys;Florida Panhandle;Fort Myers;Galveston;Great Lakes;Gulf of Mexico;Gulfport;Haiti;
Hispaniola;Houston;Jacksonville;Jamaica;Key West;Lake Charles;Leeward Islands;Lesser Antilles;Long Island;
Los Angeles;Marco Island;Matagorda Bay;Mexico;Mexico Beach;Miami;Mid-Atlantic;Mobile;Mobile Bay;Morehead City;
Morgan City;Myrtle Beach;Naples;New England;New Orleans;Newfoundland;Nova Scotia;Outer Banks;Palm Beach;
Panama City;Pascagoula;Pensacola;Port Arthur;Port O'Connor;Punta Gorda;Sabine Pass;San Diego;Savannah;
Tampa;Tampa Bay;Vermilion Bay;Virgin Islands;West Palm Beach;Wilmington;Windward Islands;Yucatan Peninsula"""
PLACES: tuple[str, ...] = tuple(sorted({*STATES.values(), *_MORE.replace("\n", "").split(";")}))
"""Names that are read from forecasts; longer names win over shorter ones that they contain."""

_PATTERN = re.compile(r"\b(?:" + "|".join(re.escape(p) for p in sorted(PLACES, key=lambda p: (-len(p), p))) + r")\b")
_POINTS = ("N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW")
_EARTH_MILES = 3958.8


def distance_miles(here: tuple[float, float], there: tuple[float, float]) -> float:
    """Great-circle distance of two (latitude, longitude) in statute miles, by the haversine formula.

    Examples
    --------
    >>> round(distance_miles((0, 0), (0, 90)))  # a quarter of the equator
    6218
    """
    lat, lon = math.radians(here[0]), math.radians(here[1])
    lat2, lon2 = math.radians(there[0]), math.radians(there[1])
    half = math.sin((lat2 - lat) / 2) ** 2 + math.cos(lat) * math.cos(lat2) * math.sin((lon2 - lon) / 2) ** 2
    return 2 * _EARTH_MILES * math.asin(math.sqrt(half))


def compass_from(here: tuple[float, float], there: tuple[float, float]) -> str:
    """The compass point in which `there` lies, seen from `here`, along the great circle.

    Examples
    --------
    >>> compass_from((28.4, -80.6), (22.4, -86.8))
    'SW'
    """
    lat, lat2, across = math.radians(here[0]), math.radians(there[0]), math.radians(there[1] - here[1])
    north = math.cos(lat) * math.sin(lat2) - math.sin(lat) * math.cos(lat2) * math.cos(across)
    bearing = math.degrees(math.atan2(math.sin(across) * math.cos(lat2), north)) % 360
    return _POINTS[round(bearing / 22.5) % 16]


def places_in(text: str | None) -> tuple[str, ...]:
    """Known place names in a text, in its order, each once.

    Examples
    --------
    >>> places_in("crossing western Cuba, then toward Tampa Bay, Florida")
    ('Cuba', 'Tampa Bay', 'Florida')
    """
    return tuple(dict.fromkeys(found[0] for found in _PATTERN.finditer(text or "")))


def saffir_simpson(status: str, wind_mph: float) -> str:
    """Strength class of a cyclone: its status, or its category on the Saffir–Simpson scale if it is a hurricane.

    Examples
    --------
    >>> saffir_simpson("Hurricane", 115), saffir_simpson("Tropical Storm", 60)
    ('Category 3', 'Tropical Storm')
    """
    if status != "Hurricane":
        return status
    return f"Category {1 + sum(wind_mph >= limit for limit in (96, 111, 130, 157))}"
