"""Two readers that need no language model: one reads in the order given, one sorts by labels first.

Both keep what is currently known of each attribute and answer from that. The state reader never looks at a label, an
hour or a date to put things in order; so what it gets right depends on the order in which it is given the evidence. The
label reader shows what sorting by the horizon label alone would buy.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .questions import Asked, QuestionForms, question_forms
from .reading import Reading, combined
from .sentence_values import SentenceValues
from .streams import answer_from
from .trajectory_evidence import EvidenceStep, evidence_text, read_evidence

__all__ = ["LabelReader", "StateReader"]

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


class StateReader:
    """Reads evidence from its first sentence to its last, whatever their labels.

    Parameters
    ----------
    domain : name or path
        Of the question forms.

    Notes
    -----
    The answer is what the readings say in the order in which they stand (`hgwork.answer.streams`). Where they do not
    hold what the question needs, the answer is None; there is no guess. Confidence is n / (n + 1) for n readings of
    the attributes asked about. Several trajectories are read one by one and vote.

    Examples
    --------
    >>> reader = StateReader("cyclones")
    >>> text = "Trajectory 1\\n[1] Alex moves north at 5 mph.\\n[2] Alex moves north at 9 mph."
    >>> reader.read("What forward speed does the last report on ALEX at Canaveral give?", text).answer
    9.0
    """

    labels = False

    def __init__(self, domain: str | Path = "cyclones"):
        self.forms: QuestionForms = question_forms(domain)
        self._values = SentenceValues(self.forms)

    def read(
        self, question: str, evidence: str | Sequence[Any], type: str = "", choices: Sequence[str] = ()
    ) -> Reading:
        """Answer a question from evidence.

        Parameters
        ----------
        question : str
            The text alone.
        evidence : str or trajectories
            Text as `evidence_text` writes it; trajectories are turned into such text.
        type, choices
            As for every reader; not looked at, since the form of the question says what is wanted.

        Returns
        -------
        Reading
        """
        asked = self.forms.read(question)
        if asked is None:
            return Reading(None, 0.0, f"No form of question fits {question!r}.")
        text = evidence if isinstance(evidence, str) else evidence_text(evidence, labels=self.labels)
        return combined([self._one(asked, self._put(steps)) for steps in read_evidence(text)])

    def _put(self, steps: list[EvidenceStep]) -> list[EvidenceStep]:
        return steps

    def _one(self, asked: Asked, steps: list[EvidenceStep]) -> Reading:
        wanted = set(asked.attributes)
        stream = [r for step in steps for r in self._values(step.text, asked.scope) if r[0] in wanted]
        said = "; ".join(
            f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}" for name, value in stream
        )
        answer = answer_from(stream, asked, self.forms.attributes)
        sure = len(stream) / (len(stream) + 1) if answer is not None else 0.0
        return Reading(answer, sure, f"Read in order: {said}." if said else "Nothing of what is asked was read.")


class LabelReader(StateReader):
    """Sorts the steps by the horizon or position that their labels name, then reads as the state reader does.

    Steps of one label keep the order in which they were given; those without a label come last.
    """

    labels = True

    def _put(self, steps: list[EvidenceStep]) -> list[EvidenceStep]:
        return sorted(steps, key=lambda step: _place(step.label))


def _place(label: str) -> float:
    number = _NUMBER.search(label.removeprefix("T-"))
    if number is None:
        return float("inf")
    return -float(number[0]) if label.startswith("T-") else float(number[0])
