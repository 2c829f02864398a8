"""The ports of CyPortQA: short names, and the names under which Coast Guard bulletins list them.

Coordinates are not here: they stand in the table of events. A bulletin name counts only where it names the port, its
harbour or a river port of the same Captain of the Port zone as one word of the list.
"""

from __future__ import annotations

import re

__all__ = ["SHORT", "bulletin_names", "ports_named", "short_name"]

# Full name: short name, names in bulletins (lower case, without blanks and points).
_PORTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "Baltimore, MD": ("Baltimore", ("baltimore", "maryland")),
    "Beaumont, TX": ("Beaumont", ("beaumont",)),
    "Boston, MA": ("Boston", ("boston",)),
    "Brownsville, TX": ("Brownsville", ("brownsville",)),
    "Calhoun Port Authority, TX": ("Calhoun", ("calhoun", "portlavaca")),
    "Canaveral Port District, FL": ("Canaveral", ("canaveral", "portcanaveral")),
    "Cleveland-Cuyahoga Port, OH": ("Cleveland", ("cleveland",)),
    "Corpus Christi, TX": ("Corpus Christi", ("corpuschristi",)),
    "Detroit-Wayne County Port, MI": ("Detroit", ("detroit",)),
    "Galveston, TX": ("Galveston", ("galveston",)),
    "Houston Port Authority, TX": ("Houston", ("houston",)),
    "Jacksonville, FL": ("Jacksonville", ("jacksonville", "jaxport")),
    "Kansas City Port Authority, MO": ("Kansas City", ("kansascity",)),
    "Lake Charles Harbor District, LA": ("Lake Charles", ("lakecharles",)),
    "Manatee County Port, FL": ("Port Manatee", ("manatee", "portmanatee")),
    "Mobile, AL": ("Mobile", ("mobile",)),
    "New Orleans, LA": ("New Orleans", ("neworleans",)),
    "New York, NY & NJ": ("New York", ("newyork", "newyorknewjersey")),
    "Northern Indiana District, IN": ("Northern Indiana", ("northernindiana",)),
    "Ottawa Port District, IL": ("Ottawa", ("ottawa",)),
    "Philadelphia Regional Port, PA": ("Philadelphia", ("philadelphia", "philly")),
    "Plaquemines Port District, LA": ("Plaquemines", ("plaquemines",)),
    "Port Arthur, TX": ("Port Arthur", ("portarthur",)),
    "Port Everglades, FL": ("Port Everglades", ("everglades", "porteverglades")),
    "Port Freeport, TX": ("Freeport", ("freeport",)),
    "Port of Brunswick, GA": ("Brunswick", ("brunswick",)),
    "Port of Charleston, SC": ("Charleston", ("charleston",)),
    "Port of Greater Baton Rouge, LA": ("Baton Rouge", ("batonrouge",)),
    "Port of Long Beach, CA": ("Long Beach", ("longbeach",)),
    "Port of Los Angeles, CA": ("Los Angeles", ("losangeles",)),
    "Port of Palm Beach District, FL": ("Palm Beach", ("palmbeach", "portofpalmbeach")),
    "Port of Pascagoula, MS": ("Pascagoula", ("pascagoula",)),
    "Port of Savannah, GA": ("Savannah", ("savannah",)),
    "PortMiami, FL": ("PortMiami", ("miami", "portmiami")),
    "San Diego Unified Port, CA": ("San Diego", ("sandiego",)),
    "San Juan, PR": ("San Juan", ("sanjuan", "puertorico", "puerto")),
    "South Jersey Port Corp, NJ": ("South Jersey", ("southjersey", "camden")),
    "South Louisiana, LA, Port of": ("South Louisiana", ("southlouisiana",)),
    "Tampa Port Authority, FL": ("Tampa", ("tampa", "tampabay")),
    "Texas City, TX": ("Texas City", ("texascity",)),
    "Toledo-Lucas County Port, OH": ("Toledo", ("toledo",)),
    "Virgin Islands - St. Croix, VI": ("St. Croix", ("stcroix", "christiansted", "frederiksted")),
    "Virginia, VA, Port of": ("Port of Virginia", ("virginia", "hamptonroads", "norfolk", "newportnews", "va")),
    "Wilmington, DE": ("Wilmington DE", ("delaware", "delawareriver", "delawarebay")),
    "Wilmington, NC": ("Wilmington NC", ("wilmington", "northcarolina")),
}
SHORT = {full: short for full, (short, _) in _PORTS.items()}
_BY_NAME = {name: full for full, (_, names) in _PORTS.items() for name in names}


def short_name(full: str) -> str:
    """The short name of a port; a port that is not listed keeps its name without the state.

    Examples
    --------
    >>> short_name("Canaveral Port District, FL"), short_name("Portland, ME")
    ('Canaveral', 'Portland')
    """
    return SHORT.get(full, full.split(",")[0])


def bulletin_names(full: str) -> tuple[str, ...]:
    """The names under which bulletins list a port."""
    return _PORTS[full][1] if full in _PORTS else ()


def ports_named(listing: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Ports that a bulletin's list names, and the names in it that are none of ours.

    Lists come in two forms, "Tampa, StPetersburg" and "['KEY', 'WEST']"; in the second, words of one name are apart.

    Examples
    --------
    >>> ports_named("Miami, Everglades, FortPierce")
    (('Port Everglades, FL', 'PortMiami, FL'), ('FortPierce',))
    >>> ports_named("['NEW', 'ORLEANS']")
    (('New Orleans, LA',), ())
    """
    words = [word for word in re.split(r"[,\[\]'\"]+", listing) if word.strip()]
    plain = [re.sub(r"[^a-z]", "", word.lower()) for word in words]
    found: set[str] = set()
    used: set[int] = set()
    for length in (3, 2, 1):
        for start in range(len(plain) - length + 1):
            span = range(start, start + length)
            joined = "".join(plain[start : start + length])
            if joined in _BY_NAME and not used & set(span):
                found.add(_BY_NAME[joined])
                used |= set(span)
    return tuple(sorted(found)), tuple(word.strip() for n, word in enumerate(words) if n not in used)
