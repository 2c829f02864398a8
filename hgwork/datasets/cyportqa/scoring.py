"""Whether an answer is right, by the tolerances of the benchmark."""

from __future__ import annotations

import json
import re
from datetime import date, datetime
from typing import Any

from . import values

__all__ = ["TOLERANCES", "score"]

TOLERANCES = {"coordinates": 0.2, "speed": 2.0, "probability": 5.0, "hours": 12.0, "date": 1.0, "days": 1.0}
"""Degrees (latitude and longitude each), mph, percentage points, hours, days, days."""


def score(answer: str, expected: Any, measure: str) -> float | None:
    """Credit for an answer between 0 and 1; None for descriptions, which need a judge.

    Parameters
    ----------
    answer : str
        As a reader gave it.
    expected : str, float, date, tuple or dict
        As `questions` gives it; None stands for "N/A".
    measure : str
        One of "yes_no", "choice", the keys of `TOLERANCES`, "probabilities" (a JSON object of several) or "text".

    Raises
    ------
    ValueError
        If the measure is unknown.

    Examples
    --------
    >>> score("about 23.2N, 84.9W", (23.3, -85.0), "coordinates"), score("37 hours", 24, "hours")
    (1.0, 0.0)
    """
    if measure == "text":
        return None
    if measure == "probabilities":
        return _several(answer, expected)
    if measure == "choice":
        found = re.match(r"\W*([A-G])\b", answer.strip(), re.IGNORECASE)
        return float(bool(found) and found[1].upper() == expected)  # type: ignore[index]
    if measure == "yes_no":
        value, _ = values.yes_no(answer)
        return float(value is not None and value == (expected == "Yes"))
    if measure not in TOLERANCES:
        raise ValueError(
            f"measure={measure!r} is not one of yes_no, choice, probabilities, text, {', '.join(TOLERANCES)}"
        )
    if expected is None:
        return float(values.is_blank(answer))
    given = _read(answer, measure)
    if given is None:
        return 0.0
    return float(_distance(given, expected, measure) <= TOLERANCES[measure] + 1e-9)


def _several(answer: str, expected: dict[str, float]) -> float:
    try:
        found = json.loads(answer[answer.index("{") : answer.rindex("}") + 1])
    except ValueError:
        return 0.0
    found = found.get("gale_probability", found) if isinstance(found, dict) else {}
    credit = [score(str(found.get(name, "")), value, "probability") or 0.0 for name, value in expected.items()]
    return sum(credit) / len(credit)


def _read(answer: str, measure: str) -> Any:
    if measure == "coordinates":
        return values.coordinates(answer)[0]
    if measure == "date":
        return _day(answer)
    if measure == "speed":
        found = values.speed(answer)[0]
    else:
        found = values.amount(answer)[0]
    return None if found is None else found.value


def _day(answer: str) -> date | None:
    if found := re.search(r"(\d{1,2})-(\d{1,2})-(\d{4})", answer):
        try:
            return datetime(int(found[3]), int(found[2]), int(found[1])).date()
        except ValueError:
            return None
    return values.day(answer)[0]


def _distance(given: Any, expected: Any, measure: str) -> float:
    if measure == "coordinates":
        return max(abs(given[0] - expected[0]), abs(given[1] - expected[1]))
    if measure == "date":
        return abs((given - expected).days)
    return abs(given - float(expected))
