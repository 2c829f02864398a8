"""The kinds of facts: their semantic family (Table 3 of the order-aware paper), relation, values and units."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

__all__ = ["FAMILIES", "KINDS", "UNITS", "Kind", "pack", "unpack"]

FAMILIES = (
    "cyclone_state",
    "track_landfall",
    "timing",
    "advisory",
    "probability",
    "hazard_forecast",
    "hazard_observation",
    "threshold",
    "additional_hazard",
    "operation_status",
    "impact_prediction",
    "recovery_status",
    "cross_horizon",
)
"""The thirteen families in canonical phase order; the last one lies between horizons."""


class Kind(NamedTuple):
    """`of` is, for a change between horizons, the family whose value changes."""

    family: str
    relation: str
    values: tuple[str, ...]
    of: str = ""


KINDS: dict[str, Kind] = {
    "state": Kind("cyclone_state", "has_cyclone_state", ("status", "wind_mph", "pressure_mb")),
    "category": Kind("cyclone_state", "has_category_state", ("category",)),
    "position": Kind("cyclone_state", "has_position", ("lat", "lon", "miles", "point", "place")),
    "motion": Kind("cyclone_state", "has_motion", ("direction", "bearing", "speed_mph")),
    "track": Kind("track_landfall", "forecasts_track", ("places",)),
    "approach": Kind("track_landfall", "forecasts_closest_approach", ("closest_date", "leaving_date")),
    "landfall": Kind("track_landfall", "forecasts_landfall", ("places", "landfall_date")),
    "arrival": Kind("timing", "has_hours_to_landfall", ("hours",)),
    "strike": Kind("timing", "has_forecast_window", ("strike_hours", "offshore_hours")),
    "issued": Kind("advisory", "has_advisory", ("number", "issued")),
    "watch": Kind("advisory", "has_watch_status", ("alerts",)),
    "warning": Kind("advisory", "has_warning_status", ("alerts",)),
    "gale_chance": Kind("probability", "has_cumulative_probability", ("location", "knots", "percent")),
    "chance_unlisted": Kind("probability", "has_cumulative_probability", ("location", "below_percent")),
    "storm_chance": Kind("probability", "has_cumulative_probability", ("location", "knots", "percent")),
    "hurricane_chance": Kind("probability", "has_cumulative_probability", ("location", "knots", "percent")),
    "chance_by_lead": Kind("probability", "has_leadtime_probability", ("location", "by_24", "by_48", "by_72")),
    "onset": Kind("probability", "has_onset_probability", ("location", "after_hours", "before_hours", "percent")),
    "wind_forecast": Kind("hazard_forecast", "forecasts_hazard_at_horizon", ("mph_low", "mph_high")),
    "surge_forecast": Kind("hazard_forecast", "forecasts_hazard_at_horizon", ("feet_low", "feet_high")),
    "rain_forecast": Kind("hazard_forecast", "forecasts_hazard_at_horizon", ("inches_low", "inches_high")),
    "first_hazard": Kind("hazard_forecast", "expects_first_hazard", ("hazard",)),
    "extent": Kind("hazard_observation", "observes_hazard_at_horizon", ("gale_miles",)),
    "distance": Kind("hazard_observation", "observes_hazard_at_horizon", ("miles", "point")),
    "cone": Kind("hazard_observation", "observes_cone_status", ("inside",)),
    "rain_threshold": Kind("threshold", "has_threshold_status", ("inches", "exceeded")),
    "surge_threshold": Kind("threshold", "has_threshold_status", ("feet", "exceeded")),
    "gale_threshold": Kind("threshold", "has_threshold_status", ("percent", "exceeded")),
    "hazards": Kind("additional_hazard", "has_additional_hazard", ("hazards",)),
    "condition": Kind("operation_status", "has_operation_status", ("condition", "posted")),
    "condition_set": Kind("operation_status", "sets_port_condition", ("condition", "posted", "hours_before")),
    "traffic": Kind("operation_status", "affects_vessel_handling", ("condition", "traffic")),
    "closest": Kind("hazard_observation", "observes_closest_approach", ("distance_km", "storm_wind_kt")),
    "disruption": Kind(
        "impact_prediction", "causes_operational_disruption", ("disrupted_days", "peak_loss_percent", "lost_vessels")
    ),
    "disruption_start": Kind("impact_prediction", "starts_disruption", ("date",)),
    "recovery": Kind("recovery_status", "has_recovery_status", ("date", "recovery_days")),
    "wind_change": Kind("cross_horizon", "intensifies_to", ("before_mph", "after_mph"), "cyclone_state"),
    "category_change": Kind("cross_horizon", "changes_status_to", ("before", "after"), "cyclone_state"),
    "chance_change": Kind(
        "cross_horizon", "changes_probability_to", ("location", "before_percent", "after_percent"), "probability"
    ),
    "landfall_change": Kind("cross_horizon", "forecast_updates_to", ("before_date", "after_date"), "track_landfall"),
    "alert_change": Kind("cross_horizon", "changes_status_to", ("before", "after"), "advisory"),
    "condition_change": Kind("cross_horizon", "changes_status_to", ("before", "after"), "operation_status"),
    "port_location": Kind("", "has_location", ("lat", "lon", "state")),
    "condition_rule": Kind("", "sets_condition_before_gales", ("condition", "hours", "traffic")),
}

_LISTS = ("places", "alerts", "hazards")
_TEXTS = ("number",)


def pack(values: dict[str, Any]) -> str:
    """Values as one line, "key=value; key=value"; lists are joined by "|".

    Examples
    --------
    >>> pack({"places": ["Cuba", "Florida"], "hours": 12})
    'places=Cuba|Florida; hours=12'
    """
    parts = [f"{key}={'|'.join(value) if isinstance(value, list) else value}" for key, value in values.items()]
    if any(";" in part or part.count("=") != 1 for part in parts):
        raise ValueError(f"{values}: a value holds ';' or '='. Leave these characters out.")
    return "; ".join(parts)


def unpack(line: str) -> dict[str, Any]:
    """The values that `pack` wrote: numbers as int or float, lists as lists, the rest as text.

    Examples
    --------
    >>> unpack("places=Cuba|Florida; lat=21.4; number=3A; alerts=")
    {'places': ['Cuba', 'Florida'], 'lat': 21.4, 'number': '3A', 'alerts': []}
    """
    found: dict[str, Any] = {}
    for part in line.split("; "):
        key, equals, text = part.partition("=")
        if not equals or not key:
            raise ValueError(f"{line!r}: {part!r} is not key=value")
        if key in _LISTS:
            found[key] = text.split("|") if text else []
        elif key not in _TEXTS and re.fullmatch(r"-?\d+(\.\d+)?", text):
            found[key] = float(text) if "." in text else int(text)
        else:
            found[key] = text
    return found


UNITS = {
    "wind_mph": "miles an hour, one-minute mean",
    "pressure_mb": "millibar",
    "lat": "degrees north",
    "lon": "degrees east (west is negative)",
    "miles": "statute miles",
    "point": "compass point, seen from the place or port",
    "bearing": "degrees clockwise from north, direction of motion",
    "speed_mph": "miles an hour",
    "hours": "hours after the advisory",
    "strike_hours": "hours",
    "offshore_hours": "hours after the advisory",
    "knots": "knots",
    "percent": "percent within 120 hours of the wind table's base time",
    "below_percent": "percent; a place that the wind table does not list lies below it",
    "by_24": "percent within 24 hours",
    "by_48": "percent within 48 hours",
    "by_72": "percent within 72 hours",
    "after_hours": "hours after the wind table's base time",
    "before_hours": "hours after the wind table's base time",
    "mph_low": "miles an hour",
    "mph_high": "miles an hour",
    "feet_low": "feet above ground",
    "feet_high": "feet above ground",
    "inches_low": "inches",
    "inches_high": "inches",
    "gale_miles": "statute miles",
    "hours_before": "hours before expected landfall (negative: after)",
    "distance_km": "kilometres",
    "storm_wind_kt": "knots",
    "disrupted_days": "days",
    "peak_loss_percent": "percent of the usual vessels",
    "lost_vessels": "vessels over the event",
    "recovery_days": "days",
}
