"""Scores of the CyPortQA templates: by type, and the mix that the order-aware paper calls "Overall".

The overall of [1]_ is the mix of its 40 templates of the tasks S1 and S2: 2 true-or-false, 13 multiple choice, 17 short
answers, 8 text descriptions. Descriptions need a judge; without one the mix is over the other three, and says so.

References
----------
.. [1] Knowledge Is Not Static: Order-Aware Hypergraph RAG for Language Models, Tables 1 and 2.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from pydantic import BaseModel, Field

from ..datasets.cyportqa.archive import open_files

if TYPE_CHECKING:
    from ..models.chat import Chat

__all__ = ["MIX", "Judgement", "judge_descriptions", "read_rubrics", "template_overall", "template_scores"]

MIX = {"TF": 0.05, "MC": 0.325, "SA": 0.425, "TD": 0.20}
"""Share of each type among the 40 templates."""

_RUBRICS = {"S1": "CycloneStatus", "S2": "Port-LevelHazard", "S3": "PortOperational"}


def template_overall(scores: Mapping[str, float]) -> float:
    """The template mix over the types that have a score; the weights are made to sum to one.

    Parameters
    ----------
    scores : mapping of type to mean score
        Of "TF", "MC", "SA", and "TD" where descriptions were judged. NaN counts as absent.

    Raises
    ------
    ValueError
        If a type is unknown, or one but "TD" is absent.

    Examples
    --------
    >>> round(template_overall({"TF": 0.833, "MC": 0.652, "SA": 0.452, "TD": 0.441}), 3)
    0.534
    >>> round(template_overall({"TF": 0.833, "MC": 0.652, "SA": 0.452}), 3)  # over TF, MC and SA
    0.557
    """
    if unknown := [name for name in scores if name not in MIX]:
        raise ValueError(f"no type is named {unknown[0]!r}; there are {', '.join(MIX)}.")
    known = {name: float(value) for name, value in scores.items() if not np.isnan(value)}
    if lost := [name for name in MIX if name not in known and name != "TD"]:
        raise ValueError(f"no score of type {lost[0]}: the mix needs TF, MC and SA.")
    return sum(MIX[name] * value for name, value in known.items()) / sum(MIX[name] for name in known)


def template_scores(results: pd.DataFrame, by: str | Sequence[str] = "method") -> pd.DataFrame:
    """Mean score and number of questions of each type, and their mix.

    Parameters
    ----------
    results : DataFrame
        `type`, `right` (missing where nothing could judge it), `question_id` and the columns `by`. Repeats of a
        question are averaged first.
    by : str or sequence of str

    Returns
    -------
    DataFrame
        Columns "TF", "MC", "SA", "TD", each with its "… questions", then `overall` and `over` ("TF, MC, SA" or "TF, MC,
        SA, TD"); `overall` is missing where one of the first three types has no question.
    """
    keys = [by] if isinstance(by, str) else list(by)
    rows = results.dropna(subset=["right"]).assign(right=lambda t: t["right"].astype(float))
    rows = rows.groupby([*keys, "type", "question_id"], sort=False, as_index=False)["right"].mean()
    cells = rows.groupby([*keys, "type"], sort=False)["right"].agg(["mean", "size"])
    names = list(dict.fromkeys(rows[keys].itertuples(index=False, name=None)))
    out = []
    for name in names:
        own = {kind: cells.loc[(*name, kind)] for kind in MIX if (*name, kind) in cells.index}
        row: dict[str, Any] = {}
        for kind in MIX:
            row[kind] = own[kind]["mean"] if kind in own else np.nan
            row[f"{kind} questions"] = int(own[kind]["size"]) if kind in own else 0
        whole = all(kind in own for kind in ("TF", "MC", "SA"))
        row["overall"] = template_overall({kind: row[kind] for kind in MIX}) if whole else np.nan
        row["over"] = ", ".join(kind for kind in MIX if kind in own)
        out.append(row)
    index = (
        pd.Index([n[0] for n in names], name=keys[0])
        if len(keys) == 1
        else pd.MultiIndex.from_tuples(names, names=keys)
    )
    return pd.DataFrame(out, index=index)


class Judgement(BaseModel):
    """What a judge says of one description."""

    score: float = Field(ge=0, le=1)
    hallucinated: bool = False


def read_rubrics(path: str | Path) -> dict[str, str]:
    """The published instructions to the judge by task ("S1", "S2", "S3"), from a copy of CyPortQA.

    Raises
    ------
    FileNotFoundError
        If the copy has no folder ``judge_prompts`` with all three.
    """
    files = open_files(path)
    found = {}
    for task, name in _RUBRICS.items():
        paths = [file for file in files.within("judge_prompts") if name in file]
        if not paths:
            raise FileNotFoundError(f"{path} has no judge_prompts/…{name}….txt; descriptions cannot be judged.")
        found[task] = files[paths[0]].decode("utf-8-sig", "replace")
    return found


def judge_descriptions(
    chat: Chat, rows: pd.DataFrame, rubrics: Mapping[str, str], progress: bool = False
) -> list[float | None]:
    """Scores of text descriptions by a chat model under the published rubrics.

    Parameters
    ----------
    chat : Chat
    rows : DataFrame
        `task`, `question`, `expected`, `answer` (missing: not answered, and 0 without asking).
    rubrics : mapping of task to instruction
        Of `read_rubrics`.
    progress : bool

    Returns
    -------
    list of float or None
        None where the model gave no usable judgement (see ``chat.failures``). A description with invented facts
        scores 0.
    """
    records = rows.reset_index(drop=True)
    asked = [n for n, answer in enumerate(records["answer"]) if isinstance(answer, str) and answer.strip()]
    found: list[float | None] = [0.0] * len(records)
    for task in sorted({records.loc[n, "task"] for n in asked}):
        own = [n for n in asked if records.loc[n, "task"] == task]
        prompts = [_case(records.loc[n]) for n in own]
        answers = chat.ask_many(prompts, Judgement, rubrics[task], progress=progress)
        for n, answer in zip(own, answers, strict=True):
            found[n] = (0.0 if answer.value.hallucinated else answer.value.score) if answer.ok else None
    return found


def _case(row: pd.Series) -> str:
    case = {"id": 1, "Question_Text": row["question"], "Answer_Ground_Truth": str(row["expected"])}
    case["Answer_LLM1"] = row["answer"]
    asked = "Judge Answer_LLM1 of this object alone. Give score and hallucinated."
    return f"{asked}\n\n{json.dumps(case, ensure_ascii=False)}"
