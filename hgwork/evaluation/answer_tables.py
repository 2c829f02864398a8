"""Tables of an experiment: scores by kind of question, paired differences, and where the needed evidence stood."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from .bootstrap import bootstrap_differences, bootstrap_means

__all__ = ["answer_table", "cells", "difference_table", "needed_positions"]


def answer_table(
    results: pd.DataFrame, by: str | None = "kind", value: str = "right", rows: str | Sequence[str] = "method"
) -> pd.DataFrame:
    """Mean score of each method in each kind of question, with the number of questions.

    Parameters
    ----------
    results : DataFrame
        Of `run_methods`; one reader, or "reader" among `rows`.
    by : str or None
        Column that splits the questions.
    value : str
    rows : str or sequence of str

    Returns
    -------
    DataFrame
        Columns (kind, "value") and (kind, "questions"), kinds sorted, "all" last. Repeats are averaged first.

    Examples
    --------
    >>> rows = [("q1", "a", "m", 1), ("q2", "a", "m", 0), ("q3", "b", "m", 1)]
    >>> table = pd.DataFrame(rows, columns=["question_id", "kind", "method", "right"])
    >>> cells(answer_table(table)).loc["m"].tolist()
    ['0.500 (2)', '1.000 (1)', '0.667 (3)']
    """
    keys = [rows] if isinstance(rows, str) else list(rows)
    extra = [by] if by else []
    known = results.dropna(subset=[value])
    known = known.groupby([*keys, *extra, "question_id"], sort=False, as_index=False)[value].mean()
    parts = {"all": known} if not by else dict(iter(known.groupby(by, sort=True))) | {"all": known}
    order = list(dict.fromkeys(known[keys].itertuples(index=False, name=None)))
    columns = {}
    for kind, part in parts.items():
        cell = part.groupby(keys, sort=False)[value].agg(["mean", "size"])
        columns[kind, "value"], columns[kind, "questions"] = cell["mean"], cell["size"]
    table = pd.DataFrame(columns).loc[[name if len(keys) > 1 else name[0] for name in order]]
    for kind in parts:
        table[kind, "questions"] = table[kind, "questions"].fillna(0).astype(int)
    return table


def cells(table: pd.DataFrame, digits: int = 3) -> pd.DataFrame:
    """An `answer_table` to print: "0.812 (160)" a cell."""
    kinds = list(dict.fromkeys(table.columns.get_level_values(0)))
    text = {
        kind: [
            f"{value:.{digits}f} ({count})" if count else "-"
            for value, count in zip(table[kind, "value"], table[kind, "questions"], strict=True)
        ]
        for kind in kinds
    }
    return pd.DataFrame(text, index=table.index)


def difference_table(
    results: pd.DataFrame,
    against: str | Sequence[tuple[str, str]],
    by: str | None = None,
    value: str = "right",
    **bootstrap: Any,
) -> pd.DataFrame:
    """Paired differences of methods with intervals by storm, on all questions or kind by kind.

    Parameters
    ----------
    results : DataFrame
        Of `run_methods`, one reader.
    against : str or pairs
        As in `bootstrap_differences`.
    by : str, optional
        Column that splits the questions; "all" is added.
    bootstrap
        Options of `bootstrap_differences`.

    Returns
    -------
    DataFrame, index (method, against) or (`by`, method, against)

    Raises
    ------
    ValueError
        If the results are of several readers.
    """
    names = list(map(str, results["reader"].unique())) if "reader" in results else []
    if len(names) > 1:
        raise ValueError(f"the results are of several readers ({', '.join(names)}): choose one.")
    whole = bootstrap_differences(results, against, value, **bootstrap)
    if by is None:
        return whole
    parts = {kind: bootstrap_differences(part, against, value, **bootstrap) for kind, part in results.groupby(by)}
    return pd.concat(parts | {"all": whole}, names=[by])


def needed_positions(results: pd.DataFrame, value: str = "right", bins: int = 3, **bootstrap: Any) -> pd.DataFrame:
    """Score by where in the list the needed evidence stood: does a reader favour the beginning or the end?

    Parameters
    ----------
    results : DataFrame
        Of `run_methods`; rows without needed evidence in the list are left out.
    bins : int
        Equal parts of the list, first to last.

    Returns
    -------
    DataFrame, index (method, part)
        As from `bootstrap_means`; `part` counts from 1.
    """
    rows = results.dropna(subset=["needed_position", value])
    part = np.minimum((rows["needed_position"].to_numpy(float) * bins).astype(int), bins - 1) + 1
    found = bootstrap_means(rows.assign(part=part), value, ["method", "part"], **bootstrap)
    order = {name: n for n, name in enumerate(dict.fromkeys(rows["method"]))}
    return found.sort_index(key=lambda index: index.map(order) if index.name == "method" else index, kind="stable")
