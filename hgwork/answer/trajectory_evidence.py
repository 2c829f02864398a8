"""Trajectories as text for a reader: numbered steps with their labels, or the bare sentences in order (A.8 of [1]_).

References
----------
.. [1] Knowledge Is Not Static: Order-Aware Hypergraph RAG for Language Models, appendix A.8.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import pandas as pd

__all__ = ["EvidenceStep", "evidence_text", "one_by_one", "read_evidence"]

_BETWEEN = re.compile(r"\n\n(?=Trajectory \d+\b)")
_HEAD = re.compile(r"^Trajectory (\d+)\b")
_LABELLED = re.compile(r"^\[Step (\d+)\](?: \[(?P<label>[^\]=]+)\])?")
_PLAIN = re.compile(r"^\[(\d+)\] (?P<text>.*)$")


class EvidenceStep(NamedTuple):
    """A step as a reader finds it in the text; `label` ("T-48") is "" where none is shown."""

    text: str
    label: str = ""


def evidence_text(trajectories: Sequence[Any] | Any, labels: bool = True) -> str:
    """The evidence of trajectories as text.

    Parameters
    ----------
    trajectories : Trajectory or sequence of Trajectory
        Read through `.table`, `.terms`, `.known`, `.reasons`; without labels only through `.sentences`.
    labels : bool
        True: step, horizon, phase, family, relation, evidence, reasoning tags and entities, with a summary of each
        trajectory before it. False: the sentences in order, numbered, and nothing that names their horizon, phase or
        family.

    Returns
    -------
    str

    Examples
    --------
    >>> import hgwork as hg
    >>> H = hg.datasets.load("toy")
    >>> found = hg.retrieval.retrieve("groups", H, hg.order.precedence(H), method="dag", length=2, n=1)
    >>> [line[:8] for line in evidence_text(found).splitlines() if line[0] == "["]
    ['[Step 1]', '[Step 2]']
    """
    given = list(trajectories) if isinstance(trajectories, Sequence) else [trajectories]
    blocks = []
    for number, trajectory in enumerate(given, start=1):
        lines = [_head(number, trajectory) if labels else f"Trajectory {number}"]
        if labels:
            reasons = trajectory.reasons
            rows = trajectory.table.to_dict("records")
            lines += [_step(row, tags) for row, tags in zip(rows, reasons, strict=True)]
        else:
            lines += [f"[{place}] {_line(text)}" for place, text in enumerate(trajectory.sentences, start=1)]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def read_evidence(text: str) -> list[list[EvidenceStep]]:
    """The steps of each trajectory in an evidence text, in the order in which they stand."""
    found: list[list[EvidenceStep]] = []
    label = ""
    for line in text.splitlines():
        if _HEAD.match(line):
            found.append([])
        elif match := _LABELLED.match(line):
            label = match["label"] or ""
        elif line.startswith("  Evidence: ") and found:
            found[-1].append(EvidenceStep(line.removeprefix("  Evidence: "), label))
        elif (match := _PLAIN.match(line)) and found:
            found[-1].append(EvidenceStep(match["text"]))
    return found


def one_by_one(text: str) -> list[str]:
    """An evidence text cut into one text a trajectory, each numbered 1 as it stands alone; a blank text into none.

    Examples
    --------
    >>> one_by_one("Trajectory 1\\n[1] It rains.\\n\\nTrajectory 2\\n[1] It pours.")
    ['Trajectory 1\\n[1] It rains.', 'Trajectory 1\\n[1] It pours.']
    """
    return [_HEAD.sub("Trajectory 1", one, count=1) for one in _BETWEEN.split(text) if one.strip()]


def _head(number: int, trajectory: Any) -> str:
    said = [f"{len(trajectory)} steps", f"score {trajectory.score:.2f}"]
    related = trajectory.table["precedence"].dropna()
    if len(related):
        said.append(f"{int(related.sum())} of {len(related)} related neighbours in order")
    if trajectory.known.get("coverage"):
        said.append(f"{int(trajectory.table['new_phase'].sum())} phases met")
    return f"Trajectory {number} ({', '.join(said)})"


def _step(row: dict[str, Any], reasons: tuple[str, ...]) -> str:
    labels = [f"Step {row['step']}", _place(row)]
    labels += [f"{name}={row[name]}" for name in ("phase", "family") if isinstance(row[name], str)]
    lines = [" ".join(f"[{label}]" for label in labels if label)]
    if isinstance(row["relation"], str):
        lines.append(f"Relation: {row['relation']}")
    lines.append(f"Evidence: {_line(row['text'])}")
    if reasons:
        lines.append(f"Reasoning: {', '.join(reasons)}")
    entities = (f"{_line(name)} [{kind}]" if kind else _line(name) for name, kind in row["entities"])
    lines.append(f"Entities: {'; '.join(entities)}")
    return "\n  ".join(lines)


def _place(row: dict[str, Any]) -> str:
    if not pd.isna(row.get("horizon")):
        return f"T-{row['horizon']:g}"
    return "" if pd.isna(row.get("position")) else f"position {row['position']:g}"


def _line(text: Any) -> str:
    """One line: a text with line breaks must not look like steps of its own."""
    return " ".join(text.split()) if isinstance(text, str) else ""
