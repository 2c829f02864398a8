"""What a question gives: the answer, and all it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

import pandas as pd

from .claims import Claim, Hypothesis, cite

__all__ = ["Result", "render"]

_FAULT = "#D55E00"


@dataclass(frozen=True)
class Result:
    """The answer to one question.

    Attributes
    ----------
    question, answer : str
        The answer as Markdown, with citations such as [1, 3].
    label : str
        Who wrote it: a chat model by name, or "composed from templates, no language model".
    claims : DataFrame
        `agent`, `text`, `statements`: the Engineer's claims and the rationale of the hypotheses.
    hypotheses : list of Hypothesis
    statements : DataFrame
        What the numbers stand for; see `hgwork.answer.Evidence`.
    paths : list of Path
    hypergraph : Hypergraph
        Of all hyperedges of the paths.
    nodes : list of str
        Concepts that were joined.
    matches : DataFrame
        How the words of the question were read.
    report : DataFrame
        The citation check: `agent`, `claim`, `cited`, `verdict`, `detail`.
    cut, flags : DataFrame
        Statements left out for lack of room; statements that read like instructions to a model.
    calls : DataFrame
        Tools that agents called: `agent`, `round`, `tool`, `arguments`, `result`, `fault`.
    transcript : Trace
        Every step; as a table, JSON and a page.
    failure : str or None
        Why the chat model gave no answer; what was reached before stands in the rest.
    """

    question: str
    label: str
    claims: pd.DataFrame
    hypotheses: list[Hypothesis]
    statements: pd.DataFrame
    paths: list[Any]
    hypergraph: Any
    nodes: list[str]
    matches: pd.DataFrame
    report: pd.DataFrame
    cut: pd.DataFrame
    flags: pd.DataFrame
    calls: pd.DataFrame
    transcript: Any
    failure: str | None = None
    groups: Sequence[Sequence[Claim]] = field(default=(), repr=False)
    note: str = field(default="", repr=False)

    @property
    def answer(self) -> str:
        return render(self)

    @property
    def faults(self) -> pd.DataFrame:
        """Rows of the citation check that are not supported."""
        return self.report[self.report["verdict"] != "supported"]

    def __repr__(self) -> str:
        counts = f"{len(self.paths)} paths, {len(self.statements)} statements, {len(self.claims)} claims"
        state = f"failed: {self.failure}" if self.failure else f"{len(self.faults)} unsupported"
        return f"Result({counts}, {state}; {self.label})"

    def _repr_html_(self) -> str:
        wrong = {row.claim: row for row in self.faults.itertuples()}
        parts = [
            f"<h3 style='margin:0'>{escape(self.question)}</h3><div style='opacity:.65'>{escape(self.label)}</div>"
        ]
        for line in self.answer.split("\n"):
            if line.strip():
                tag = "h4" if line.startswith("#") else "p"
                parts.append(f"<{tag} style='margin:8px 0'>{escape(line.lstrip('# '))}</{tag}>")
        if wrong:
            items = "".join(
                f"<li>{escape(row.claim)} <b>{escape(row.verdict)}</b>: {escape(row.detail)}</li>"
                for row in wrong.values()
            )
            parts.append(f"<p style='color:{_FAULT}'>Not borne out by what is cited:</p><ul>{items}</ul>")
        if len(self.flags):
            numbers = ", ".join(map(str, self.flags["number"]))
            parts.append(f"<p style='color:{_FAULT}'>Reads like an instruction to a model: statement {numbers}.</p>")
        if len(self.cut):
            parts.append(f"<p>{len(self.cut)} statements were left out for lack of room.</p>")
        rows = "".join(
            f"<li value='{number}'>{escape(sentence)} <span style='opacity:.7'>{escape(text)}</span> "
            f"<small style='opacity:.6'>{escape(document)}</small></li>"
            for number, sentence, text, document in zip(
                self.statements.index,
                self.statements["sentence"],
                self.statements["text"],
                self.statements["document"],
                strict=True,
            )
        )
        parts.append(f"<details><summary>{len(self.statements)} statements</summary><ol>{rows}</ol></details>")
        return f"<div style='font-family:sans-serif;font-size:13px;max-width:760px'>{''.join(parts)}</div>"


def render(result: Result) -> str:
    """The answer as Markdown."""
    parts = [result.note] if result.note else []
    groups = [group for group in result.groups if group]
    if len(result.groups) == len(result.paths) and groups:  # one group a path
        ends = None
        for path, group in zip(result.paths, result.groups, strict=True):
            if group and ends != (path.source, path.target):
                ends = (path.source, path.target)
                parts.append(f"### From {path.source} to {path.target}")
            parts += [" ".join(map(cite, group))] if group else []
    elif groups:
        parts.append(" ".join(cite(claim) for group in groups for claim in group))
    if result.hypotheses:
        parts.append("### To be tested" if len(result.hypotheses) == 1 else "### Hypotheses to be tested")
    for hypothesis in result.hypotheses:
        why = " ".join(map(cite, hypothesis.rationale))
        parts.append(f"Conjecture: {hypothesis.text}" + f" Grounds: {why}" * bool(why) + f" Test: {hypothesis.test}")
    if result.failure:
        parts.append(f"The chat model gave no further answer ({result.failure}).")
    return "\n\n".join(parts)
