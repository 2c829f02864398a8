"""Reads the answers to CyPortQA's templates out of evidence sentences, without a language model.

Each template asks for one field. A pattern finds the field's text in a sentence, the reader of the benchmark's own
fields turns it into a value, and the value into a choice or a short answer. Steps are read in the order given and the
last one counts; steps later than the horizon of the question are passed over, and so is hindsight unless it is asked
for: it must not serve as evidence.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from ..datasets.cyportqa import values
from ..datasets.cyportqa.blocks import FIELDS, QUANTITIES
from ..datasets.cyportqa.questions import choice_letter
from ..datasets.cyportqa.scoring import score

__all__ = ["SLOTS", "TEMPLATE_FIELDS", "TemplateReader", "score_template"]


class Slot(NamedTuple):
    """How a field stands in a sentence; `storm_wide` where a sentence about another port of the storm says the same."""

    pattern: str
    storm_wide: bool = False


_END = r"\.?$"
SLOTS: dict[str, Slot] = {
    "category": Slot(r"^[\w -]+? is an? (?P<value>(?:Trop|Subtrop|Pot|Post|Cat|Hurr|Rem|Major)\w*.*)$", True),
    "coordinates": Slot(r" centred at (?P<value>[^,]+,[^,.]*(?:\.\d[^,.]*)?)", True),
    "direction": Slot(rf"^\S+ \d{{4}} moves (?P<value>.+?)(?: at .+?)?{_END}", True),
    "speed": Slot(rf"^\S+ \d{{4}} moves .+? at (?P<value>.+?){_END}", True),
    "hours_to_landfall": Slot(r" is (?P<value>.+) hours from landfall", True),
    "hours_of_strike": Slot(r" strikes .+? for (?P<value>.+?) hours(?: and is offshore|\.?$)"),
    "hours_to_offshore": Slot(r" is offshore again after (?P<value>.+?) hours"),
    "forecast_window": Slot(r"^The forecast for .+ covers (?P<value>.+?) days?", True),
    "within_cone": Slot(rf" within the cone of uncertainty of .+?: (?P<value>.+?){_END}"),
    "watch": Slot(rf"^The watch for .+? because of .+?: (?P<value>.+?)(?:, for .*)?{_END}"),
    "warning": Slot(rf"^The warning for .+? because of .+?: (?P<value>.+?)(?:, for .*)?{_END}"),
    "watch_text": Slot(rf"^The watch for .+? because of .+?: .+?, for (?P<value>.+?){_END}"),
    "warning_text": Slot(rf"^The warning for .+? because of .+?: .+?, for (?P<value>.+?){_END}"),
    "coast_text": Slot(rf"^The coast threatened by .+?: (?P<value>.+?){_END}", True),
    "wind_location": Slot(rf"^Wind probabilities for .+? are those of (?P<value>.+?){_END}"),
    "cumulative_34kt": Slot(
        rf"^The cumulative probability of 34-kt winds .+ is (?P<value>.+?)(?:, first above .*)?{_END}"
    ),
    "cumulative_50kt": Slot(rf"^The cumulative probability of 50-kt winds .+ is (?P<value>.+?)(?:, highest .*)?{_END}"),
    "hours_to_onset_34kt": Slot(r"^The cumulative probability of 34-kt .+ first above zero after (?P<value>.+?) hours"),
    "hours_to_peak_50kt": Slot(r"^The cumulative probability of 50-kt .+ highest after (?P<value>.+?) hours"),
    "peak_34kt": Slot(rf"^The highest single-period probability of 34-kt .+ is (?P<value>.+?)(?:, after .*)?{_END}"),
    "hours_to_peak_34kt": Slot(r"^The highest single-period probability of 34-kt .+, after (?P<value>.+?) hours"),
    "gale": Slot(rf"^Within (?P<lead>\d+) hours the probability of 34-kt winds .+ is (?P<value>.+?){_END}"),
    "first_hazard_text": Slot(rf"^The first hazard of .+? expected at .+?: (?P<value>.+?){_END}"),
    "rain_above_4_inch": Slot(rf"^More than 4 inches of rain at .+?: (?P<value>.+?){_END}"),
    "surge_above_3_feet": Slot(rf"^More than 3 feet of storm surge at .+?: (?P<value>.+?){_END}"),
    "port": Slot(r"(?:^Wind probabilities for |^The (?:watch|warning) for )(?P<value>.+?)(?: are | because )"),
    "hazards_text": Slot(rf"^Further hazards of .+?: (?P<value>.+?){_END}"),
    "condition": Slot(r"^The port condition of .+ is (?P<value>[\w-]+)"),
    "vessels": Slot(r"^Orders to vessels at .+?: (?P<value>.+)$"),
    "facilities": Slot(r"^Orders to facilities at .+?: (?P<value>.+)$"),
    "disruption_start": Slot(r"^The disruption of .+ began on (?P<value>[\d-]+)"),
    "disruption_end": Slot(r"^The disruption of .+ ended on (?P<value>[\d-]+)"),
    "disrupted_days": Slot(r"^The disruption of .+ took (?P<value>\d+) days"),
    "peak_loss": Slot(r"^The disruption of .+ (?P<value>\d+) percent of calls"),
    "lost_vessels": Slot(r"^The disruption of .+ and (?P<value>\d+) calls in all"),
    "recovery_days": Slot(r"^The recovery of .+ took (?P<value>\d+) days"),
}
"""Field -> how the sentences of `scenario_hypergraph` state it."""

_TEMPLATES = """
    Q1=within_cone Q2=watch Q3=warning Q4=watch_text Q5=warning_text Q6=coordinates Q7=direction Q8=speed
    Q9=coast_text Q10=wind_location Q11=cumulative_34kt Q12=cumulative_50kt Q13=hours_to_peak_34kt
    Q14=hours_to_peak_50kt Q15=peak_34kt Q16=port Q17=coast_text Q18=category Q19=port Q20=coast_text
    Q21=hours_to_landfall Q22=hours_to_offshore Q23=forecast_window Q24=hours_of_strike Q25=hours_to_peak_34kt
    Q26=peak_34kt Q27=hours_to_onset_34kt Q28=hours_to_landfall Q29=first_hazard_text Q30=surge_above_3_feet
    Q31=rain_above_4_inch Q32=hazards_text Q33=gale Q34=disruption_start Q36=disruption_end Q37=disrupted_days
    Q38=recovery_days Q39=peak_loss Q40=lost_vessels Q41=condition Q42=condition Q43=vessels Q45=facilities
    Q46=vessels Q48=facilities
"""
TEMPLATE_FIELDS: dict[str, str] = {name: field for name, _, field in (p.partition("=") for p in _TEMPLATES.split())}
"""Template -> the field that it asks for."""

_READ = {field.column: field.read for field in FIELDS if field.read}
_HOST = {"hours_to_peak_50kt": "cumulative_50kt", "hours_to_peak_34kt": "peak_34kt"}
_NONE = "N/A"
_COUNTS = ("disrupted_days", "peak_loss", "lost_vessels", "recovery_days")


class TemplateReader:
    """Answers a template from the steps of trajectories.

    Parameters
    ----------
    hindsight : bool
        Whether evidence later than the horizon may answer the questions that ask about later.
    edges : DataFrame, optional
        ``H.edges``, to look steps up in; without it the table of each trajectory is made, which takes longer.

    Examples
    --------
    >>> steps = pd.DataFrame({"group": "ALEX 2022/Canaveral", "horizon": [48, 36, 24],
    ...                       "text": [f"ALEX 2022 moves N at {mph} mph." for mph in (5, 7, 9)]})
    >>> question = {"template": "Q8", "type": "SA", "group": "ALEX 2022/Canaveral", "lead": 36, "ahead": 0}
    >>> TemplateReader().answer(question, steps)
    '7 mph'
    """

    def __init__(self, hindsight: bool = False, edges: pd.DataFrame | None = None):
        self.hindsight = hindsight
        self._steps = None if edges is None else edges[["group", "horizon", "text"]].astype(object)

    def __call__(self, question: Mapping[str, Any], trajectories: Sequence[Any]) -> str | None:
        if not trajectories:
            return None
        if self._steps is not None:
            return self.answer(question, self._steps.loc[[edge for found in trajectories for edge in found.edges]])
        return self.answer(question, pd.concat([found.table for found in trajectories], ignore_index=True))

    def answer(self, question: Mapping[str, Any], steps: pd.DataFrame) -> str | None:
        """The answer, or None where no step states it.

        Parameters
        ----------
        question : mapping
            `template`, `type`, `group`, `lead`, `ahead`, `choices` (of `template_questions`).
        steps : DataFrame
            `group`, `horizon`, `text`, in the order in which they are read.
        """
        template = question["template"]
        field = TEMPLATE_FIELDS.get(template)
        if field is None:
            return None
        texts = list(self._visible(question, steps))
        found = _found(texts, field)
        if found is None or (found == _NONE and question["type"] != "SA"):
            return None
        return found if found == _NONE else _answer(question, field, found)

    def _visible(self, question: Mapping[str, Any], steps: pd.DataFrame) -> Iterable[tuple[str, bool]]:
        """Sentences that may be used, and whether each is of the question's own port."""
        later = self.hindsight and template_looks_ahead(question["template"])
        earliest = 0 if later and not question["ahead"] else question["lead"] - (question["ahead"] if later else 0)
        storm = str(question["group"]).partition("/")[0]
        for group, horizon, text in zip(steps["group"], steps["horizon"], steps["text"], strict=True):
            if (
                isinstance(group, str)
                and group.partition("/")[0] == storm
                and horizon == horizon
                and horizon >= earliest
            ):
                yield text, group == question["group"]


def template_looks_ahead(template: str) -> bool:
    """Whether a template asks for impact (Q34 to Q40) or later port conditions (Q42, Q46 and on)."""
    number = int(template[1:])
    return 34 <= number <= 40 or number == 42 or number >= 46


def _found(texts: Iterable[tuple[str, bool]], field: str) -> str | dict[str, str] | None:
    slot, last = SLOTS[field], None
    several: dict[str, str] = {}
    for text, own in texts:
        if not (own or slot.storm_wide):
            continue
        if match := re.search(slot.pattern, text):
            last = match["value"].strip()
            if field == "gale":
                several[match["lead"]] = last
        elif field in _HOST and re.search(SLOTS[_HOST[field]].pattern, text):
            last = _NONE  # the sentence that would give the hour gives none
    return (several or None) if field == "gale" else last


def _answer(question: Mapping[str, Any], field: str, found: Any) -> str | None:
    if field == "gale":
        return json.dumps({f"in {lead}h": text for lead, text in found.items()})
    choices = question.get("choices", ())
    if field == "port":
        return _named_choice(choices, found)
    if not len(choices) and question["type"] != "TF":
        return found if field != "peak_loss" else f"{found}%"
    value = _value(field, found)
    if question["type"] == "TF":
        yes = value if field == "within_cone" else None if value is None else value >= 20
        return None if yes is None else "Yes" if yes else "No"
    if field == "condition":
        names = [choice.upper() for choice in choices]
        return "ABCDEFG"[names.index(value.upper())] if value.upper() in names else None
    letter = choice_letter(field, value, list(choices))
    return letter if isinstance(letter, str) else None


def _value(field: str, text: str) -> Any:
    """The typed value of a field as its scenario file would give it."""
    if field in _COUNTS:
        return float(text)
    if text.lower() in ("no watch", "no warning", "no hazard"):
        return () if field in ("watch", "warning") else "None"
    read = _READ.get(field)
    if read is None:
        return text
    value, _ = read(text)
    return value.value if field in QUANTITIES and value is not None else value


def _named_choice(choices: Sequence[str], port: str) -> str | None:
    """The letter of the choice that holds most words of a port's name; None where none holds any."""
    said = set(re.findall(r"[a-z]{2,}", port.lower())) - {"port", "of"}
    counts = [len(said.intersection(re.findall(r"[a-z]{2,}", choice.lower()))) for choice in choices]
    most = max(counts, default=0)
    return "ABCDEFG"[counts.index(most)] if most else None


def score_template(question: Mapping[str, Any], answer: str | None) -> float | None:
    """Credit by the benchmark's tolerances; 0 without an answer; None for descriptions, which need a judge."""
    if question["measure"] == "text":
        return None
    if answer is None or (values.is_blank(answer) and question["answer"] is not None):
        return 0.0
    return score(answer, question["answer"], question["measure"])
