"""How well transitions order what they were not trained on: five folds by storm, intervals by storm, never pooled.

Pairs at one horizon, pairs of one attribute at two horizons and whole reports are different questions: a grammar of
phases settles the first and says nothing on the second. They stand in separate rows, and there is no total. Each
storm counts once, whatever its number of ports and hyperedges.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from ..hypergraph import Hypergraph
from ..order.precedence import Precedence
from ..order.transitions.features import EdgeFeatures, read_features
from ._order_measures import BINS, direction_rows, next_step_rows, report_rows, value_keys
from .bootstrap import bootstrap_means

__all__ = ["calibration", "folds_by_unit", "held_out", "learning_curve", "measure", "next_step_auc", "summary"]

AUC_WARNING = (
    "AUC of next steps against random pairs measures topic, not order: a model that cannot tell which of two comes "
    "first may reach .98. Read it beside the direction of the same model."
)
Maker = Callable[[], Any]


def held_out(
    makers: Mapping[str, Maker],
    H: Hypergraph | EdgeFeatures,
    P: Precedence,
    *,
    folds: int = 5,
    horizon_tokens: bool = False,
    rng: int | np.random.Generator = 0,
    pool: int = 150,
    progress: bool = False,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Train on all storms but a fold, measure on the fold; each storm is held out once.

    Parameters
    ----------
    makers : mapping of name to maker of an unfitted model
        Such as ``{"learned": lambda: TransitionModel(), "cosine": BASELINES["cosine"]}``.
    H : Hypergraph or EdgeFeatures
    P : Precedence
    folds : int, from 2 to the number of storms
    horizon_tokens : bool
        How to read H; the models must be made alike.
    rng : int or Generator
        Folds, training and pools.
    pool : int
        Candidates of the mixed pool.
    progress : bool

    Returns
    -------
    values : DataFrame
        One row a model, group and measure: `model`, `fold`, `unit` (storm), `group`, `measure`, `value`, `count`.
    reliability : DataFrame
        `model`, `unit`, `measure`, `bin`, `pairs`, `probability` and `right` (both summed over pairs).

    Raises
    ------
    ValueError
        If there are fewer storms than folds, or no maker.
    """
    rng = np.random.default_rng(rng)
    features = read_features(H, horizon_tokens=horizon_tokens) if isinstance(H, Hypergraph) else H
    parts = folds_by_unit(features, P, folds, rng)
    if not makers:
        raise ValueError("makers is empty: give at least one, such as {'cosine': BASELINES['cosine']}.")
    seeds = rng.integers(2**31, size=len(parts)).tolist()
    values, reliability = [], []
    with tqdm(total=len(parts) * len(makers), desc="folds", unit="fit", disable=not progress) as bar:
        for fold, (test, seed) in enumerate(zip(parts, seeds, strict=True)):
            train = [group for group in P.groups if group not in set(test)]
            for name, make in makers.items():
                model = make().fit(features, P, groups=train, rng=seed)
                found, bins = measure(model, features, P, test, rng=seed, pool=pool)
                values.append(found.assign(model=name, fold=fold))
                reliability.append(bins.assign(model=name))
                bar.update()
    first = ["model", "fold", "unit", "group", "measure", "value", "count"]
    return pd.concat(values, ignore_index=True)[first], pd.concat(reliability, ignore_index=True)


def folds_by_unit(features: EdgeFeatures, P: Precedence, folds: int, rng) -> list[list[str]]:
    """Groups of each fold; all groups of a storm are in one fold."""
    unit_of = _unit_of(features)
    units = sorted({unit_of[group] for group in P.groups})
    if not 2 <= folds <= len(units):
        raise ValueError(f"{folds} folds of {len(units)} storms: give 2 to {len(units)}.")
    order = np.random.default_rng(rng).permutation(len(units))
    chosen = {units[place]: number % folds for number, place in enumerate(order.tolist())}
    return [[group for group in P.groups if chosen[unit_of[group]] == fold] for fold in range(folds)]


def _unit_of(features: EdgeFeatures) -> dict[str, str]:
    pairs = zip(features.groups.tolist(), features.units.tolist(), strict=True)
    return {str(group): str(unit or group) for group, unit in pairs if group is not None}


def measure(
    model: Any,
    features: EdgeFeatures,
    P: Precedence,
    groups: Sequence[str],
    *,
    rng: int | np.random.Generator = 0,
    pool: int = 150,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """All measures of a fitted model on held-out groups; the tables of `held_out` without `model` and `fold`.

    Measures: "same horizon", "same attribute", "same attribute, values differ" (share of precedence-related pairs
    that `model.direction` turns the right way; undecided pairs count half), "report pairs" and "consecutive reports",
    "MRR", "Hits@1", "Hits@5" in the own group and in a pool. A group without such pairs gives no row.
    """
    rng = np.random.default_rng(rng)
    unit_of, keys = _unit_of(features), value_keys(features)
    inside = np.isin(features.groups.astype(str), list(groups))
    values, reliability = [], []
    for group in groups:
        others = np.flatnonzero(inside & (features.groups != group))
        found, bins = direction_rows(model, features, P, group, keys)
        found += report_rows(model, features, P, group)
        found += next_step_rows(model, features, P, group, others, rng, pool)
        values += [(unit_of[group], group, *row) for row in found]
        reliability += [(unit_of[group], *row) for row in bins]
    table = pd.DataFrame(values, columns=["unit", "group", "measure", "value", "count"])
    return table, pd.DataFrame(reliability, columns=["unit", "measure", "bin", "pairs", "probability", "right"])


def summary(values: pd.DataFrame, *, draws: int = 1000, rng: int | np.random.Generator = 0) -> pd.DataFrame:
    """Mean over storms with a bootstrap interval by storm.

    Parameters
    ----------
    values : DataFrame
        Of `held_out`.
    draws : int
        Resamples of storms; the same resamples for every model, so that differences can be compared.
    rng : int or Generator

    Returns
    -------
    DataFrame, index (measure, model)
        `value`, `low`, `high` (95 %), `storms`, `groups`, `count`.

    Examples
    --------
    >>> rows = [("m", "A", "A/1", "x", 1.0, 9), ("m", "A", "A/2", "x", 0.0, 9), ("m", "B", "B/1", "x", 1.0, 9)]
    >>> table = pd.DataFrame(rows, columns=["model", "unit", "group", "measure", "value", "count"])
    >>> float(summary(table)["value"].iloc[0])  # storm A counts 0.5, storm B 1
    0.75
    """
    if not len(values):
        raise ValueError("there is no value to sum up: no held-out group has a pair to measure. Give larger groups.")
    groups = values.groupby(["measure", "unit", "model"], sort=False, as_index=False)["value"].mean()
    counts = values.groupby(["measure", "model"], sort=False).agg(groups=("group", "nunique"), count=("count", "sum"))
    seed = int(np.random.default_rng(rng).integers(2**31))
    found = bootstrap_means(
        groups, "value", ["measure", "model"], unit="unit", question="unit", weigh="storm", draws=draws, rng=seed
    )
    return found.drop(columns="questions").join(counts.astype(int))


def calibration(reliability: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Reliability table and expected calibration error of the direction probability sigmoid(direction).

    Parameters
    ----------
    reliability : DataFrame
        Of `held_out`.

    Returns
    -------
    table : DataFrame, index (model, measure, bin)
        Bins from .5 to 1: `low`, `high`, `pairs`, `probability` (mean stated), `right` (share that came true).
    error : DataFrame, index (model, measure)
        `ece`: sum over bins of share of pairs × |probability − right|; each storm weighs the same.

    Examples
    --------
    >>> bins = pd.DataFrame({"model": "m", "unit": "A", "measure": "x", "bin": [9], "pairs": [10],
    ...                      "probability": [9.5], "right": [8.5]})
    >>> calibration(bins)[1]["ece"].round(3).tolist()
    [0.1]
    """
    mass = reliability.groupby(["model", "measure", "unit"])["pairs"].transform("sum")
    even = reliability.assign(share=reliability["pairs"] / mass)
    for name in ("probability", "right"):
        even[name] = reliability[name] / mass
    keys = ["model", "measure", "bin"]
    table = even.groupby(keys)[["share", "probability", "right"]].sum()
    table.insert(0, "pairs", reliability.groupby(keys)["pairs"].sum())
    whole = table["share"].groupby(["model", "measure"]).transform("sum")
    gap = (table["probability"] - table["right"]).abs() / whole
    error = gap.groupby(["model", "measure"]).sum().rename("ece").to_frame()
    for name in ("probability", "right"):
        table[name] = table[name] / table["share"]
    number = table.index.get_level_values("bin").to_numpy()
    table.insert(0, "high", 0.5 + (number + 1) / (2 * BINS))
    table.insert(0, "low", 0.5 + number / (2 * BINS))
    return table.drop(columns="share"), error


def learning_curve(
    make: Maker,
    H: Hypergraph | EdgeFeatures,
    P: Precedence,
    sizes: Sequence[int],
    *,
    test_share: float = 0.2,
    horizon_tokens: bool = False,
    rng: int | np.random.Generator = 0,
    progress: bool = False,
) -> pd.DataFrame:
    """Measures on one set of held-out storms against the number of training storms, each a superset of the last.

    Returns
    -------
    DataFrame, index (measure, storms)
        `value`, `low`, `high` as in `summary`.

    Raises
    ------
    ValueError
        If a size is below 1 or above the number of storms left for training, or there is none.
    """
    if not len(sizes):
        raise ValueError("sizes is empty: give numbers of training storms, such as [1, 2, 4].")
    rng = np.random.default_rng(rng)
    features = read_features(H, horizon_tokens=horizon_tokens) if isinstance(H, Hypergraph) else H
    unit_of = _unit_of(features)
    units = sorted({unit_of[group] for group in P.groups})
    order = [units[place] for place in rng.permutation(len(units)).tolist()]
    held = max(1, round(test_share * len(units)))
    if wrong := [size for size in sizes if not 1 <= size <= len(units) - held]:
        raise ValueError(f"{wrong[0]} training storms: there are {len(units) - held} beside the {held} held out.")
    seed = int(rng.integers(2**31))
    test = [group for group in P.groups if unit_of[group] in set(order[:held])]
    rows = []
    for size in tqdm(list(sizes), desc="learning curve", unit="fit", disable=not progress):
        chosen = set(order[held : held + size])
        model = make().fit(features, P, groups=[g for g in P.groups if unit_of[g] in chosen], rng=seed)
        values = measure(model, features, P, test, rng=seed)[0].assign(model=size)
        rows.append(summary(values, rng=seed))
    table = pd.concat(rows).rename_axis(index={"model": "training storms"})
    return table.sort_index(kind="stable")[["value", "low", "high", "storms"]].rename(columns={"storms": "held out"})


def next_step_auc(
    model: Any, features: EdgeFeatures, P: Precedence, groups: Sequence[str], *, rng: int | np.random.Generator = 0
) -> pd.DataFrame:
    """AUC of next steps against random pairs across groups: a measure of topic, with its warning in the table.

    Returns
    -------
    DataFrame, one row: `auc`, `pairs`, `warning`
    """
    from sklearn.metrics import roc_auc_score

    rng = np.random.default_rng(rng)
    inside = np.flatnonzero(np.isin(features.groups.astype(str), list(groups)))
    scores, truth = [], []
    for group in groups:
        ids = P.canonical_order(group)
        foreign = [features.ids[row] for row in rng.choice(inside, size=len(ids)).tolist()]
        matrix = model.score(ids, [*ids, *foreign])
        at = np.arange(len(ids) - 1)
        scores += [matrix[at, at + 1], matrix[at, len(ids) + at]]
        truth += [np.ones(len(at)), np.zeros(len(at))]
    if not sum(map(len, truth)):
        raise ValueError("no group here has two hyperedges: there is no step to score.")
    value = roc_auc_score(np.concatenate(truth), np.concatenate(scores))
    return pd.DataFrame([{"auc": float(value), "pairs": sum(map(len, truth)), "warning": AUC_WARNING}])
