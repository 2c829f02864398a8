"""The question templates of CyPortQA with answers computed from its tables.

Templates name fields that no scenario file has: ``cyclone_condition_and_forecast`` is the file's ``cyclone``,
``impact_prediction`` is joined from the table of events and ``operation`` from the bulletins. Answers about impact, and
about conditions later than the horizon, are hindsight: they may serve as labels, never as evidence.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import pandas as pd
from tqdm import tqdm

from .archive import Files
from .problems import Problems

if TYPE_CHECKING:
    from .reader import CyPortQA

__all__ = ["TYPES", "answer_questions", "choice_letter", "question_type", "read_templates"]

TYPES = {"TF": "TF", "MC": "MC", "NU": "SA", "DE": "TD"}
"""Last tag of a template -> type: true or false, multiple choice, short answer, text description."""

_FUTURE = (12, 24, 36, 48)
_FILE = "CyPortQA_template.json"


def read_templates(files: Files, problems: Problems) -> pd.DataFrame:
    """The templates as published.

    Returns
    -------
    DataFrame
        Index: "Q1" … Columns `task` ("S1"), `type` ("TF", "MC", "SA", "TD"), `tags`, `question`, `choices` (list),
        `path` (the answer's path without braces), `per_port` (whether the question names the port), `modalities`.
    """
    columns = ["task", "type", "tags", "question", "choices", "path", "per_port", "modalities"]
    empty = pd.DataFrame(columns=columns).rename_axis("template")
    if _FILE not in files:
        problems.add(_FILE, "", "", "file", "not in the data set; there are no questions")
        return empty
    try:
        records = json.loads(files[_FILE].decode("utf-8-sig"))
        rows = {record["question_type"][0]: _template(record) for record in records}
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
        problems.add(_FILE, "", "", "file", f"not a list of templates: {error!r}")
        return empty
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("template")


def question_type(tags: Iterable[str]) -> str:
    """Type by the last tag; the tag "AUTO" (choices drawn by the makers) is passed over.

    Examples
    --------
    >>> question_type(["Q6", "S1", "SA", "NU"]), question_type(["Q16", "S1", "SA", "EI", "MC", "AUTO"])
    ('SA', 'MC')
    """
    last = [tag for tag in tags if tag != "AUTO"][-1]
    if last not in TYPES:
        raise ValueError(f"last tag {last!r} is not one of {', '.join(TYPES)}")
    return TYPES[last]


def _template(record: dict[str, Any]) -> dict[str, Any]:
    tags = record["question_type"]
    asked = record["question"]
    return {
        "task": tags[1],
        "type": question_type(tags),
        "tags": list(tags),
        "question": asked,
        "choices": list(record.get("choice", [])),
        "path": record["answer"].strip("{}").replace("senario.time.<key>.", "").replace("senario.", ""),
        "per_port": "{senario.port.name}" in record["context"],
        "modalities": list(record["modalities"]),
    }


def answer_questions(data: CyPortQA, templates: Iterable[str] | None = None, progress: bool = False) -> pd.DataFrame:
    """Fill the templates for every scenario and compute the answers.

    Parameters
    ----------
    templates : iterable of str, optional
        Ids ("Q11"); default all that the archive holds.
    progress : bool
        Show a progress bar.

    Returns
    -------
    DataFrame
        Index `question_id` ("Q11/ALEX_2022/Canaveral/T-24"; templates on later conditions add "/+24"). Columns
        `template`, `task`, `type`, `storm`, `port`, `lead`, `question`, `choices`, `answer` (typed; a letter for
        choices; None for "N/A"), `measure` (see :func:`hgwork.datasets.cyportqa.scoring.score`), `hindsight`.

    Notes
    -----
    A question without a computable answer is left out: a field that was not read, an event or bulletin that is not on
    record, the date of the worst day (Q35), which the table of events lacks. "Likely" is not among the choices of Q30
    and Q31 and counts as "Possible".
    """
    known = list(data.templates.index)
    wanted = known if templates is None else list(templates)
    if missing := [name for name in wanted if name not in known]:
        raise ValueError(f"no template {', '.join(missing)}. The archive has {', '.join(known) or 'none'}.")
    sources = _Sources(data)
    scenarios = data.scenarios.to_dict("index")
    rows: dict[str, dict[str, Any]] = {}
    for name in tqdm(wanted, desc="questions", disable=not progress, leave=False):
        template = data.templates.loc[name].to_dict()
        future = "<key>" in template["path"]
        for scenario, row in scenarios.items():
            for ahead in _FUTURE if future else (0,):
                found = sources.answer(name, template, row, ahead)
                if found is not _UNKNOWN:
                    identifier = f"{name}/{scenario}" + (f"/+{ahead}" if ahead else "")
                    rows[identifier] = _question(name, template, row, sources, ahead) | {"answer": found}
    return pd.DataFrame(list(rows.values()), index=pd.Index(list(rows), name="question_id"), columns=_COLUMNS)


_COLUMNS = [
    "template",
    "task",
    "type",
    "storm",
    "port",
    "lead",
    "question",
    "choices",
    "answer",
    "measure",
    "hindsight",
]


def _question(name: str, template: dict, row: dict, sources: _Sources, ahead: int) -> dict[str, Any]:
    event = sources.events.get((row["storm"], row["port"]))
    count = f"{event['normal_vessels']:g}" if event else "unknown"
    asked = template["question"].replace("{senario.port.name}", row["port"])
    asked = asked.replace("{senario.port.daily_vessel_count}", count)
    asked = asked.replace("{senario.time.<key>.operation.<key>}", f"in {ahead}h")
    head = {"template": name} | {key: template[key] for key in ("task", "type")}
    origin = {"storm": row["storm"], "port": sources.short[row["port"]], "lead": row["lead"]}
    filled = (choice.replace("{senario.port.name}", row["port"]) for choice in template["choices"])
    choices = list(dict.fromkeys(filled))  # the port may be among the fixed choices as well
    hindsight = template["path"].startswith("impact_prediction") or ahead > 0
    tail = {"question": asked, "choices": choices, "measure": _measure(name, template), "hindsight": hindsight}
    return head | origin | tail


class _Sources:
    """What answers are taken from, by storm and port."""

    def __init__(self, data: CyPortQA):
        pair = ["storm", "port"]
        self.events = {(row["storm"], row["port"]): row for row in data.disruption.to_dict("records")}
        self.issued = {(row["storm"], row["lead"]): row["issued"] for row in data.advisories.to_dict("records")}
        self.posted = {key: group.to_dict("records") for key, group in data.bulletins.groupby(pair)}
        self.texts = data.bulletin_texts.to_dict("index")
        self.short = data.ports["short"].to_dict()
        lost = data.report[data.report["kind"].isin(["unreadable", "missing field"])]
        self.unread = set(zip(lost["file"], lost["field"], strict=True))

    def answer(self, name: str, template: dict[str, Any], row: dict[str, Any], ahead: int) -> Any:
        path, choices = template["path"], template["choices"]
        if path == "port.name":
            return "A" if choices else _UNKNOWN
        if path.startswith("operation"):
            return self._operation(path, choices, row, ahead)
        column = _column(name, path)
        if column is None or (row["file"], path.replace("cyclone_condition_and_forecast", "cyclone")) in self.unread:
            return _UNKNOWN
        if path.startswith("impact_prediction"):
            return _impact(column, choices, self.events.get((row["storm"], row["port"])))
        value = _scenario_value(column, row)
        if template["type"] == "TF":
            yes = None if value is None else value if column == "within_cone" else value >= 20
            return _UNKNOWN if yes is None else "Yes" if yes else "No"
        if choices:
            return choice_letter(column, value, choices)
        return _UNKNOWN if value is None and column not in _MAY_LACK else value

    def _operation(self, path: str, choices: list[str], row: dict[str, Any], ahead: int) -> Any:
        records = self.posted.get((row["storm"], row["port"]))
        time = self.issued.get((row["storm"], row["lead"]))
        if not records or time is None or pd.isna(time):
            return _UNKNOWN
        posted = [record for record in records if record["posted"] <= time + pd.Timedelta(hours=ahead)]
        last = path.rsplit(".", 1)[-1]
        if last == "Condition":
            condition = posted[-1]["condition"] if posted else "NORMAL"
            names = [choice.upper() for choice in choices]
            return "ABCDEFG"[names.index(condition)] if condition in names else _UNKNOWN
        text = self.texts[posted[-1]["bulletin"]][_TEXTS[last]] if posted else None
        return text or _UNKNOWN


_UNKNOWN = object()
_CYCLONE = {
    "coordinates": "coordinates",
    "category": "category",
    "motion.direction": "direction",
    "motion.speed": "speed",
}
_CYCLONE |= {name: name for name in ("hours_to_landfall", "hours_to_offshore", "hours_of_strike")}
_WEATHER = {
    "within_uncertainty_cone": "within_cone",
    "forecast_window": "forecast_window",
    "under_watch": "watch",
    "under_warning": "warning",
    "watch_coast": "watch_text",
    "warning_coast": "warning_text",
    "impacted_coast": "coast_text",
    "closest_wind_data_location": "wind_location",
    "culmulative_wind_34kt": "cumulative_34kt",
    "culmulative_wind_50kt": "cumulative_50kt",
    "34kt_max": "peak_34kt",
    "time_to_34kt_max": "hours_to_peak_34kt",
    "time_to_50kt_max": "hours_to_peak_50kt",
    "time_to_34kt_non_zero": "hours_to_onset_34kt",
    "first_hazard": "first_hazard_text",
    "storm_surge_above_3_feet": "surge_above_3_feet",
    "rain_fall_above_4_inch": "rain_above_4_inch",
    "other_hazards": "hazards_text",
    "gale_probability": "gale",
}
_IMPACT = {"start_impact_date": "disruption_start", "day_of_impact": "disrupted_days", "max_impact": "peak_loss"}
_IMPACT |= {"total_impact_value": "lost_vessels", "day_of_recover": "recovery_days"}
_TEXTS = {"VesselOps": "vessels", "OceanVesselOps": "ocean_vessels", "FacilityOps": "facilities"}
_MEASURES = {"speed": "speed", "coordinates": "coordinates", "disruption_start": "date", "disruption_end": "date"}
_MEASURES |= {"disrupted_days": "days", "recovery_days": "days", "peak_loss": "probability", "gale": "probabilities"}
_MAY_LACK = {"hours_to_landfall", "hours_to_offshore", "hours_to_peak_34kt", "hours_to_peak_50kt"}


def _column(name: str, path: str) -> str | None:
    part, _, rest = path.partition(".")
    if part == "impact_prediction":
        return "disruption_end" if name == "Q36" else _IMPACT.get(rest)  # Q36 asks for a date at the path of a count
    return {"cyclone_condition_and_forecast": _CYCLONE, "weather_observation": _WEATHER}.get(part, {}).get(rest)


def _measure(name: str, template: dict[str, Any]) -> str:
    if template["type"] != "SA":
        return {"TF": "yes_no", "MC": "choice", "TD": "text"}[template["type"]]
    column = _column(name, template["path"]) or ""
    return _MEASURES.get(column, "hours" if column.startswith("hours") else "probability")


def _scenario_value(column: str, row: dict[str, Any]) -> Any:
    if column == "coordinates":
        return None if pd.isna(row["lat"]) else (row["lat"], row["lon"])
    if column == "gale":
        found = {f"in {lead}h": row[f"gale_{lead}h"] for lead in (12, 24, 48, 72, 96)}
        return None if any(pd.isna(value) for value in found.values()) else found
    value = row[column]
    return value if isinstance(value, tuple) else None if value is None or pd.isna(value) else value


def _impact(column: str, choices: list[str], event: dict[str, Any] | None) -> Any:
    if event is None or event["precedes"] or pd.isna(event[column]):
        return _UNKNOWN
    value = event[column]
    if choices:
        return choice_letter(column, float(value), choices)
    if column.startswith("disruption"):
        return value.date()
    return round(100 * value) if column == "peak_loss" else int(value)


def _below(*limits: float) -> Callable[[float], int]:
    return lambda value: sum(value > limit for limit in limits)


_BINS: dict[str, Callable[[float], int]] = {
    "hours_of_strike": _below(0, 12, 23.999),
    "hours_to_peak_34kt": _below(12, 24, 48),
    "hours_to_onset_34kt": _below(0, 24, 48),
    "lost_vessels": _below(0, 10, 20),
    "forecast_window": lambda days: int(days) - 2,
}
_HAZARD_WORDS = ("wind", "rain", "surge")


def choice_letter(column: str, value: Any, choices: list[str]) -> Any:
    """The letter of the choice that a value of a field falls into; no text where it falls into none."""
    place: int | None = None
    if column in _BINS and value is not None:
        place = _BINS[column](value)
    elif column in ("watch", "warning") and value is not None:
        names = ["none" if not value else "hurricane" if "Hurricane" in value else value[0].lower()]
        place = _index(names[0], choices)
    elif column == "first_hazard_text":
        words = [n for n, word in enumerate(_HAZARD_WORDS) if word in str(value or "").lower()]
        place = 3 if value is None or "none" in str(value).lower() else words[0] if words else None
    elif column in ("surge_above_3_feet", "rain_above_4_inch") and value is not None:
        place = _index("possible" if value == "likely" else value, choices)
    elif value is not None:
        place = _index(str(value).lower(), choices)
    return "ABCDEFG"[place] if place is not None and 0 <= place < len(choices) else _UNKNOWN


def _index(name: str, choices: list[str]) -> int | None:
    lowered = [choice.lower() for choice in choices]
    return lowered.index(name) if name in lowered else None
