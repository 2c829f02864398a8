"""Means and differences with bootstrap intervals by storm, the same resamples for all that is compared.

Questions about one storm rise and fall together, so storms are drawn, not questions. Sums and counts by storm are all
that a resample needs: a matrix of draws (how often each storm is drawn) times those sums gives every resampled mean of
every column at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import pandas as pd

__all__ = ["bootstrap_differences", "bootstrap_means", "resample"]

Weigh = Literal["question", "storm"]


def bootstrap_means(
    table: pd.DataFrame,
    value: str = "right",
    by: str | Sequence[str] = "method",
    *,
    unit: str = "storm",
    question: str = "question_id",
    weigh: Weigh = "question",
    draws: int = 2000,
    level: float = 0.95,
    rng: int | np.random.Generator = 0,
) -> pd.DataFrame:
    """Mean of a value for each method, with a percentile interval by storm.

    Parameters
    ----------
    table : DataFrame
        One row a question and method. Rows of one question and method (repeats, such as permutations) are averaged
        first; missing values are left out.
    value : str
        Column of numbers.
    by : str or sequence of str
        What gets a row of its own.
    unit : str
        Column of what is drawn.
    question : str
        Column that names the question.
    weigh : {"question", "storm"}
        "question": sum over questions / their number. "storm": mean of the means of storms.
    draws : int, at least 1
        Resamples, as many storms each as there are, drawn with replacement.
    level : float, between 0 and 1
    rng : int or Generator

    Returns
    -------
    DataFrame, index `by`, in order of first appearance
        `value`, `low`, `high`, `storms`, `questions`.

    Raises
    ------
    ValueError
        If a column is missing or an option is out of range.

    Examples
    --------
    >>> rows = [("q1", "A", "m", 1), ("q2", "A", "m", 0), ("q3", "B", "m", 1)]
    >>> table = pd.DataFrame(rows, columns=["question_id", "storm", "method", "right"])
    >>> bootstrap_means(table).round(3).loc["m"].tolist()
    [0.667, 0.5, 1.0, 2.0, 3.0]
    """
    keys = [by] if isinstance(by, str) else list(by)
    _check(table, [value, unit, question, *keys], weigh, draws, level)
    rows = _one_a_question(table, value, keys, unit, question)
    units = np.sort(rows[unit].unique())
    names = list(dict.fromkeys(rows[keys].itertuples(index=False, name=None)))
    column = rows[keys].apply(tuple, axis=1).map({name: n for n, name in enumerate(names)}).to_numpy(np.int64)
    place = np.searchsorted(units, rows[unit].to_numpy())
    shape = (len(units), len(names))
    sums, counts = _sums(place, column, rows[value].to_numpy(float), shape)
    found = _intervals(sums, counts, weigh, draws, level, rng)
    found.insert(3, "storms", (counts > 0).sum(axis=0))
    found["questions"] = counts.sum(axis=0).astype(int)
    found.index = pd.Index([n[0] for n in names], name=keys[0]) if len(keys) == 1 else _index(names, keys)
    return found


def bootstrap_differences(
    table: pd.DataFrame,
    against: str | Sequence[tuple[str, str]],
    value: str = "right",
    by: str = "method",
    *,
    unit: str = "storm",
    question: str = "question_id",
    weigh: Weigh = "question",
    draws: int = 2000,
    level: float = 0.95,
    rng: int | np.random.Generator = 0,
) -> pd.DataFrame:
    """Paired differences between methods, over the questions that both answered, with an interval by storm.

    Parameters
    ----------
    table : DataFrame
        As in `bootstrap_means`.
    against : str, or sequence of (method, other)
        One method that all others are compared with, or the pairs to compare.

    Returns
    -------
    DataFrame, index (method, against)
        `value` (mean of method minus other), `low`, `high`, `storms`, `questions` (that both have).

    Raises
    ------
    ValueError
        If a column or method is missing or an option is out of range.

    Examples
    --------
    >>> rows = [("q1", "A", "m", 1), ("q2", "B", "m", 1), ("q1", "A", "n", 0), ("q2", "B", "n", 1)]
    >>> table = pd.DataFrame(rows, columns=["question_id", "storm", "method", "right"])
    >>> bootstrap_differences(table, "n").loc[("m", "n")].tolist()
    [0.5, 0.0, 1.0, 2.0, 2.0]
    """
    _check(table, [value, unit, question, by], weigh, draws, level)
    rows = _one_a_question(table, value, [by], unit, question)
    wide = rows.pivot(index=[unit, question], columns=by, values=value)
    known = list(dict.fromkeys(rows[by]))
    pairs = [(name, against) for name in known if name != against] if isinstance(against, str) else list(against)
    wanted = [against] if isinstance(against, str) else [name for pair in pairs for name in pair]
    if lost := [name for name in wanted if name not in known]:
        raise ValueError(f"no {by} {lost[0]!r} in the table; there are {', '.join(map(str, known))}.")
    units, place = np.unique(wide.index.get_level_values(0).to_numpy(), return_inverse=True)
    one, two = (wide[[pair[side] for pair in pairs]].to_numpy(float) for side in (0, 1))
    gap = one - two
    both = ~np.isnan(gap)
    each = np.zeros((len(wide), len(units)))
    each[np.arange(len(wide)), place] = 1
    sums, counts = each.T @ np.where(both, gap, 0.0), each.T @ both
    found = _intervals(sums, counts, weigh, draws, level, rng)
    found["storms"] = (counts > 0).sum(axis=0)
    found["questions"] = counts.sum(axis=0).astype(int)
    found.index = _index(pairs, [by, "against"])
    return found


def resample(units: int, draws: int, rng: int | np.random.Generator = 0) -> np.ndarray:
    """How often each unit is drawn in each resample.

    Returns
    -------
    float64 array, shape (draws, units); each row sums to `units`

    Examples
    --------
    >>> resample(5, 3).sum(axis=1).tolist()
    [5.0, 5.0, 5.0]
    """
    drawn = np.random.default_rng(rng).integers(units, size=(draws, units))
    flat = drawn + units * np.arange(draws)[:, None]
    return np.bincount(flat.ravel(), minlength=draws * units).reshape(draws, units).astype(float)


def _intervals(sums, counts, weigh: Weigh, draws: int, level: float, rng) -> pd.DataFrame:
    """`value`, `low`, `high` for each column of sums and counts, shape (units, columns)."""
    if weigh == "storm":
        sums, counts = np.divide(sums, counts, out=np.zeros_like(sums), where=counts > 0), (counts > 0).astype(float)
    drawn = resample(len(sums), draws, rng)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = sums.sum(axis=0) / counts.sum(axis=0)
        means = (drawn @ sums) / (drawn @ counts)
    edges = [(1 - level) / 2, (1 + level) / 2]
    empty = np.isnan(means).all(axis=0)
    low, high = np.nanquantile(np.where(empty, 0.0, means), edges, axis=0)
    found = {"value": value, "low": np.where(empty, np.nan, low), "high": np.where(empty, np.nan, high)}
    return pd.DataFrame(found)


def _sums(place: np.ndarray, column: np.ndarray, values: np.ndarray, shape: tuple[int, int]):
    flat, size = place * shape[1] + column, shape[0] * shape[1]
    sums = np.bincount(flat, values, size).reshape(shape)
    return sums, np.bincount(flat, minlength=size).reshape(shape).astype(float)


def _one_a_question(table: pd.DataFrame, value: str, keys: list[str], unit: str, question: str) -> pd.DataFrame:
    columns = list(dict.fromkeys([*keys, unit, question]))
    numbers = table[columns].assign(**{value: pd.to_numeric(table[value]).astype(float)})
    return numbers.dropna().groupby(columns, sort=False, as_index=False)[value].mean()


def _index(pairs, names: list[str]) -> pd.MultiIndex:
    return pd.MultiIndex.from_tuples(pairs, names=names) if pairs else pd.MultiIndex.from_arrays([[], []], names=names)


def _check(table: pd.DataFrame, columns: list[str], weigh: str, draws: int, level: float) -> None:
    if lost := [name for name in columns if name not in table]:
        raise ValueError(f"the table has no column {lost[0]!r}; there are {', '.join(map(str, table.columns))}.")
    if weigh not in ("question", "storm"):
        raise ValueError(f"weigh={weigh!r}: give 'question' or 'storm'.")
    if draws < 1 or not 0 < level < 1:
        raise ValueError(f"draws={draws}, level={level}: give at least one draw and a level between 0 and 1.")
