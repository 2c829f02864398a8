"""A language model as a reader of trajectories: one call over all of them, or one call each and a vote (A.8 of [1]_).

References
----------
.. [1] Knowledge Is Not Static: Order-Aware Hypergraph RAG for Language Models, appendix A.8.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field

from ..models.chat import Answer, Chat
from .reading import Reading, combined
from .trajectory_evidence import evidence_text, one_by_one

__all__ = ["ChatReader", "Said"]

PROMPT = Path(__file__).parent / "prompts" / "trajectory_reader.md"
Type = Literal["yes_no", "choice", "number", "state", "text"]
_NUMBER = re.compile(r"-?\d+(?:,\d{3})*(?:\.\d+)?")
_ASKS = {
    "yes_no": "Answer yes or no.",
    "number": "Answer with a number, without its unit.",
    "state": "Answer with the value as the evidence words it.",
    "text": "Answer in one or two sentences.",
}


class Said(BaseModel):
    """What the model is asked to return."""

    answer: str = ""
    confidence: float = Field(default=0.0, ge=0, le=1)
    rationale: str = ""
    trajectory: int = Field(default=0, ge=0)


class ChatReader:
    """Reads trajectories with a chat model.

    Parameters
    ----------
    chat : Chat
        Its cache, budget and recorded answers hold here too; without an endpoint recorded answers are still read.
    mode : {"together", "each"}
        "together": one call over all trajectories. "each": one call a trajectory, then a vote weighted by confidence,
        or of numbers the weighted mean. "together" falls back to "each" where its call fails, as it may when all
        trajectories do not fit.
    labels : bool
        Show step labels (`evidence_text`).

    Notes
    -----
    A failed call is a reading without an answer whose rationale says why; it raises nothing, so that one question does
    not end a run. `Chat.failures` lists them. Without evidence nothing is asked.
    """

    def __init__(self, chat: Chat, mode: Literal["together", "each"] = "together", labels: bool = True):
        if mode not in ("together", "each"):
            raise ValueError(f"mode={mode!r}: give 'together' or 'each'.")
        self.chat, self.mode, self.labels = chat, mode, labels
        self._system = PROMPT.read_text("utf-8")

    def read(
        self, question: str, evidence: str | Sequence[Any], type: Type = "text", choices: Sequence[str] = ()
    ) -> Reading:
        """Answer a question from evidence.

        Parameters
        ----------
        question : str
        evidence : str or trajectories
        type : {"yes_no", "choice", "number", "state", "text"}
            What is wanted: numbers come back as floats, yes or no and choices as they are written in `choices`.
        choices : sequence of str

        Returns
        -------
        Reading
            `tokens` are those that were spent on it, failed calls included: 0 where it was cached or recorded.
        """
        before = self._spent()
        text = evidence if isinstance(evidence, str) else evidence_text(evidence, self.labels)
        reading = self._read(question, text, type, choices)
        return replace(reading, tokens=self._spent() - before)

    def _read(self, question: str, text: str, type: str, choices: Sequence[str]) -> Reading:
        single = one_by_one(text)
        if not single:
            return combined([])
        if self.mode == "together" or len(single) < 2:
            answer = self._ask([self._prompt(question, text, type, choices)])[0]
            if answer.ok or len(single) < 2:
                return self._reading(answer, type, choices)
        answers = self._ask([self._prompt(question, one, type, choices) for one in single])
        return combined([self._reading(answer, type, choices) for answer in answers], numeric="mean")

    def _spent(self) -> int:
        return int(self.chat.usage[["prompt_tokens", "completion_tokens"]].to_numpy().sum())

    def _ask(self, prompts: list[str]) -> list[Answer]:
        return self.chat.ask_many(prompts, Said, system=self._system, progress=False)

    def _prompt(self, question: str, text: str, type: str, choices: Sequence[str]) -> str:
        asks = f"Answer with one of: {'; '.join(choices)}." if choices else _ASKS.get(type, _ASKS["text"])
        material = text.replace("<", "\\u003c")
        return f"Question: {question}\n{asks}\n\n<evidence>\n{material}\n</evidence>"

    def _reading(self, answer: Answer, type: str, choices: Sequence[str]) -> Reading:
        if not answer.ok:
            return Reading(None, 0.0, f"No answer from the model: {answer.kind}, {answer.message}")
        said: Said = answer.value
        value = _typed(said.answer, type, choices)
        trajectory = said.trajectory or None
        return Reading(value, said.confidence if value is not None else 0.0, said.rationale, trajectory)


def _typed(text: str, type: str, choices: Sequence[str]) -> Any:
    """The answer as wanted; None where the text holds none."""
    plain = " ".join(text.split()).strip(" .")
    if not plain:
        return None
    if choices or type == "yes_no":
        known = {choice.casefold(): choice for choice in (choices or ("yes", "no"))}
        low = plain.casefold()
        found = [choice for key, choice in known.items() if re.match(rf"{re.escape(key)}(?!\w)", low)]
        return max(found, key=len) if found else None
    if type == "number":
        numbers = _NUMBER.findall(plain)
        return float(numbers[0].replace(",", "")) if len(numbers) == 1 else None
    return plain.casefold() if type == "state" else plain
