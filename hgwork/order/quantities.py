"""Numbers with their units out of a few words: "35–45 mph", "<1%", "about 305 miles"."""

from __future__ import annotations

import re
from math import isfinite
from typing import Any

import numpy as np

__all__ = ["magnitude", "quantity"]

_NUMBER = r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_UNIT = r"(?P<unit>%|°\s?[CF]\b|percent\b|[A-Za-zµμ]+(?:/[A-Za-z]+\d?)?)?"
_QUANTITY = re.compile(
    rf"(?P<bound>[<>≤≥]=?\s*|(?:less than|under|below|more than|over|above|at least|at most)\s+)?"
    rf"(?P<low>{_NUMBER})(?:\s*(?:-|–|—|to)\s*(?P<high>{_NUMBER.replace('[-+]?', '')}))?\s*{_UNIT}",
    re.IGNORECASE,
)
_BOUNDS = {
    "less than": "<",
    "under": "<",
    "below": "<",
    "more than": ">",
    "over": ">",
    "above": ">",
    "at least": "≥",
    "at most": "≤",
    "<=": "≤",
    ">=": "≥",
}


def quantity(text: str) -> dict[str, Any] | str:
    """The quantity that a short text states, or the text itself where it states none.

    Parameters
    ----------
    text : str
        The whole text, words before it aside ("about", "near"), must be the quantity: a sentence that mentions a
        number stays text.

    Returns
    -------
    dict or str
        `value` (float; the middle of a range), `unit` (str, "" where there is none), `text`, and where they apply
        `low`, `high`, `bound` ("<", ">", "≤", "≥").

    Examples
    --------
    >>> quantity("35–45 mph")
    {'value': 40.0, 'unit': 'mph', 'text': '35–45 mph', 'low': 35.0, 'high': 45.0}
    >>> quantity("<1%")
    {'value': 1.0, 'unit': '%', 'text': '<1%', 'bound': '<'}
    >>> quantity("Category 2")
    'Category 2'
    """
    text = " ".join(text.split())
    match = re.fullmatch(
        rf"(?:(?:about|around|near|nearly|roughly|some|approximately|~|≈)\s*)?{_QUANTITY.pattern}\.?", text, re.I
    )
    if match is None:
        return text
    low, high = _float(match["low"]), _float(match["high"]) if match["high"] else None
    if not isfinite(low) or (high is not None and not isfinite(high)):
        return text
    unit = (match["unit"] or "").replace(" ", "")
    found: dict[str, Any] = {"value": low, "unit": "%" if unit.lower() == "percent" else unit, "text": text}
    if high is not None and high >= low:
        found |= {"value": (low + high) / 2, "low": low, "high": high}
    elif high is not None:
        return text
    if match["bound"]:
        bound = " ".join(match["bound"].lower().split())
        found["bound"] = _BOUNDS.get(bound, bound)
    return found


def magnitude(attribute: Any) -> float | None:
    """The number in an attribute: of a quantity its value, of a number itself, of text none, nor of what is not finite.

    Examples
    --------
    >>> magnitude(quantity("12 kt")), magnitude(3), magnitude("Yes")
    (12.0, 3.0, None)
    """
    if isinstance(attribute, dict):
        attribute = attribute.get("value")
    if isinstance(attribute, bool) or not isinstance(attribute, (int, float, np.integer, np.floating)):
        return None
    try:
        number = float(attribute)
    except OverflowError:
        return None
    return number if isfinite(number) else None


def _float(text: str) -> float:
    return float(text.replace(",", ""))
