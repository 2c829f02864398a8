"""log P among the candidates of a query, from parts of the model that are computed once for all hyperedges."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["TransitionScores"]

_ONE_THREAD = 1 << 18  # multiplications below which OpenBLAS starts no thread


class TransitionScores:
    """The transition terms of any rows of a hypergraph.

    Parameters
    ----------
    model : TransitionModel or baseline
        Fitted, and with the hyperedges of H read. Of a `TransitionModel` the projections of all hyperedges are kept,
        so that a query costs two small products; of any other, `log_prob` is asked.
    ids : sequence of str
        All hyperedge ids, in the order of ``H.edges``.

    Raises
    ------
    KeyError
        If the model has not read a hyperedge.
    """

    def __init__(self, model: Any, ids):
        self.model = model
        self.ids = list(ids)
        rows = model.features.rows(self.ids)
        self._parts = _projected(model, rows) if hasattr(model, "weights") and "U" in model.weights else None

    def log_prob(self, rows: np.ndarray) -> np.ndarray:
        """log P(column | row) among the rows, -inf on the diagonal; float64, (len(rows), len(rows))."""
        if self._parts is None:
            ids = [self.ids[row] for row in rows]
            return np.asarray(self.model.log_prob(ids, ids), np.float64)
        score = self._scores(rows, self._parts)
        np.fill_diagonal(score, -np.inf)
        if len(score) < 2:
            return score
        shifted = score - score.max(axis=1, keepdims=True)
        return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))

    def _scores(self, rows: np.ndarray, held: dict[str, np.ndarray]) -> np.ndarray:
        parts = {name: value[rows] for name, value in held.items()}
        score = _product(parts["U"], parts["V"])
        if "bias" in parts:
            score += parts["bias"][None, :]
        if "A" in parts:
            turn = _product(parts["A"], parts["B"])
            direction = parts["lateness"][None, :] - parts["lateness"][:, None] + turn - turn.T
            weight = np.logaddexp(0, float(self.model.weights["direction_weight"][0]))
            score -= weight * np.logaddexp(0, -direction)
        return score


def _product(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """``left @ right.T`` in blocks that BLAS keeps on one thread: to wake a second takes longer than the product."""
    rows = max(1, _ONE_THREAD // max(right.size, 1))
    blocks = [left[start : start + rows] @ right.T for start in range(0, len(left), rows)]
    return np.concatenate(blocks or [np.zeros((0, len(right)))]).astype(np.float64)


def _projected(model, rows: np.ndarray) -> dict[str, np.ndarray]:
    """Each head's side of the products, one row a hyperedge."""
    import torch

    from ..order.transitions.network import line, project

    weights = {name: torch.as_tensor(value) for name, value in model.weights.items()}
    given = tuple(torch.as_tensor(part)[torch.as_tensor(rows)] for part in model._given)
    with torch.no_grad():
        parts = {name: project(weights, name, given) for name in ("U", "V", "A", "B") if name in weights}
        if "bias_features" in weights:
            parts["bias"] = line(weights, "bias", given)
        if "A" in weights:
            parts["lateness"] = line(weights, "lateness", given)
    return {name: value.numpy() for name, value in parts.items()}
