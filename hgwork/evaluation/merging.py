"""How well names are merged: false and missed merges on labelled pairs, by threshold and by system.

A pair is decided as `corpus.merge.judge` decides it, the pair's own context standing for the corpus that defines its
abbreviations. A false merge joins two concepts for good; a missed one leaves a name beside its twin.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..corpus.definitions import Definitions, find_definitions
from ..corpus.merge import judge

__all__ = ["read_merge_pairs", "score_merging"]

_COLUMNS = ["id", "split", "a", "b", "same", "category", "context"]
_RATES = ["false_merge_rate", "missed_merge_rate", "precision", "recall", "f1"]


def read_merge_pairs(path: str | Path, split: str | None = None) -> pd.DataFrame:
    """Read labelled pairs (``data/merge_pairs/pairs.csv``), names as written.

    Parameters
    ----------
    path : path of a CSV file with the columns `id`, `split`, `a`, `b`, `same` (0 or 1), `category`, `context`
    split : {"dev", "test"}, optional
        Guards are tuned on "dev"; "test" is for the final score.

    Raises
    ------
    ValueError
        If a column is missing, a label is neither 0 nor 1, or no row has that split.
    """
    pairs = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8")
    lacking = [name for name in _COLUMNS if name not in pairs]
    if lacking:
        raise ValueError(f"{path} has no column {lacking[0]!r}; it has {list(pairs.columns)}.")
    bad = pairs.index[~pairs["same"].isin(["0", "1"])]
    if len(bad):
        raise ValueError(f"{path}, line {bad[0] + 2}: same is {pairs['same'][bad[0]]!r}, not 0 or 1.")
    if split is not None and not (pairs["split"] == split).any():
        raise ValueError(f"{path} has no rows of split {split!r}; it has {sorted(pairs['split'].unique())}.")
    pairs["same"] = pairs["same"].astype(int)
    return pairs if split is None else pairs[pairs["split"] == split].reset_index(drop=True)


def score_merging(
    pairs: pd.DataFrame,
    embedder,
    thresholds: Sequence[float] = (0.80, 0.85, 0.90, 0.95, 0.98),
    guards: bool = True,
    definitions: bool = True,
    default: float = 0.95,
    samples: int = 2000,
    rng: int | np.random.Generator = 0,
) -> pd.DataFrame:
    """False-merge and missed-merge rates of cosine alone and with what is added to it.

    Parameters
    ----------
    pairs : DataFrame
        `a`, `b`, `same`, `category`, `context`, as `read_merge_pairs` gives them.
    embedder : Embedder
        Or any object with ``encode(texts)`` -> unit rows.
    thresholds : sequence of float
    guards, definitions : bool
        Score the systems that use them.
    default : float
        The threshold at which categories are scored.
    samples : int
        Bootstrap samples over pairs; 0 for none.
    rng : int or Generator

    Returns
    -------
    DataFrame
        One row a system, threshold and category ("all", and each category at `default`): `pairs`, `false_merges`,
        `missed_merges`, then `false_merge_rate` = false merges / pairs of two concepts, `missed_merge_rate` = missed
        merges / pairs of one, `precision`, `recall`, `f1`, each with the ends of its 95 % percentile interval
        (`..._low`, `..._high`). A rate without a denominator is NaN. Systems: "cosine" (the paper), "+ guards",
        "+ definitions", "+ both", and "guarded", which adds equal spelling: the default of `find_merges`.

    Notes
    -----
    The pairs are hard on purpose and close to half are one concept, so that rates compare systems; they do not
    foretell the share of wrong merges in a real graph.
    """
    generator = np.random.default_rng(rng)
    a, b = embedder.encode(pairs["a"].tolist()), embedder.encode(pairs["b"].tolist())
    cosines = np.einsum("ij,ij->i", a, b, dtype=np.float64)
    systems: dict[str, dict[str, bool]] = {"cosine": {}}
    systems |= {"+ guards": {"guards": True}} if guards else {}
    systems |= {"+ definitions": {"definitions": True}} if definitions else {}
    systems |= {"+ both": {"guards": True, "definitions": True}} if guards and definitions else {}
    systems["guarded"] = {"guards": guards, "definitions": definitions, "spelling": True}
    known = [Definitions(find_definitions(text)) for text in pairs["context"]]
    draws = generator.integers(0, len(pairs), (samples, len(pairs))) if len(pairs) else np.zeros((0, 0), int)
    same = pairs["same"].to_numpy() == 1
    rows: list[dict[str, Any]] = []
    for system, uses in systems.items():
        for threshold in sorted({*thresholds, default}):
            merged = np.array(
                [
                    judge(
                        x,
                        y,
                        cosine,
                        threshold,
                        text if uses.get("definitions") else None,
                        guards=uses.get("guards", False),
                        spelling=uses.get("spelling", False),
                    ).same
                    for x, y, cosine, text in zip(pairs["a"], pairs["b"], cosines, known, strict=True)
                ],
                bool,
            )
            parts = {"all": np.ones(len(pairs), bool)}
            if threshold == default:
                parts |= {name: (pairs["category"] == name).to_numpy() for name in sorted(pairs["category"].unique())}
            for category, part in parts.items():
                counted = {"system": system, "threshold": threshold, "category": category}
                rows.append(counted | _scores(same, merged, part, draws))
    return pd.DataFrame(rows)


def _scores(same, merged, part, draws) -> dict[str, Any]:
    """Counts, rates and their bootstrap intervals; a sample weighs each pair by how often it was drawn."""
    cells = np.stack([merged & same, merged & ~same, ~merged & same, ~merged & ~same]) & part
    hits, false, missed, _ = cells.sum(1)
    row: dict[str, Any] = {
        "pairs": int(part.sum()),
        "false_merges": int(false),
        "missed_merges": int(missed),
        "merges": int(hits + false),
    }
    rates = _rates(cells.sum(1)[:, None])[:, 0]
    row |= dict(zip(_RATES, rates.tolist(), strict=True))
    if not len(draws):
        return row
    sampled = _rates(np.stack([cell[draws].sum(1) for cell in cells]))
    for name, values, rate in zip(_RATES, sampled, rates, strict=True):
        usable = values[~np.isnan(values)]
        low, high = np.percentile(usable, [2.5, 97.5]) if len(usable) and not np.isnan(rate) else (np.nan, np.nan)
        row |= {f"{name}_low": float(low), f"{name}_high": float(high)}
    return row


def _rates(counts: np.ndarray) -> np.ndarray:
    hits, false, missed, apart = counts.astype(float)
    with np.errstate(invalid="ignore", divide="ignore"):
        precision, recall = hits / (hits + false), hits / (hits + missed)
        f1 = 2 * hits / (2 * hits + false + missed)
        return np.stack([false / (false + apart), missed / (hits + missed), precision, recall, f1])
