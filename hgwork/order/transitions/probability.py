"""Scores to log-probabilities over candidates, each row without itself; shared by the model and all baselines."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

__all__ = ["log_softmax", "normalised"]


def log_softmax(score: np.ndarray, ids_i: Sequence[str], ids_j: Sequence[str]) -> np.ndarray:
    """log P over the columns of each row, -inf where the column is the row itself.

    Examples
    --------
    >>> log_softmax(np.zeros((1, 3)), ["a"], ["a", "b", "c"]).round(3).tolist()
    [[-inf, -0.693, -0.693]]
    """
    score = np.array(score, np.float64)
    if score.size == 0:
        return score
    rows, columns = pd.Index(ids_i, dtype=object), pd.Index(ids_j, dtype=object)
    score[rows.to_numpy()[:, None] == columns.to_numpy()[None, :]] = -np.inf
    top = score.max(axis=1, keepdims=True)
    shifted = score - np.where(np.isfinite(top), top, 0)
    with np.errstate(divide="ignore"):
        return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True).clip(min=1e-300))


def normalised(log_p: np.ndarray) -> np.ndarray:
    """1 + log P / log |C|, where |C| counts the candidates of the row other than itself; 1 where there is one.

    Examples
    --------
    >>> normalised(np.log(np.full((1, 4), 0.25))).tolist()
    [[0.0, 0.0, 0.0, 0.0]]
    """
    count = np.isfinite(log_p).sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(count > 1, 1 + log_p / np.log(np.maximum(count, 2)), np.where(np.isfinite(log_p), 1.0, -np.inf))
