"""The heads of a model of transitions: a low-rank bilinear score, features beside the text, and a direction.

The bilinear score is equation 3 of [1]_ with W = UᵀV. One W trades direction against the rank of the next step, so
the direction has a head of its own that is antisymmetric by construction.

References
----------
.. [1] Knowledge Is Not Static: Order-Aware Hypergraph RAG for Language Models, equation 3 and appendix A.4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Shape", "arrays_of", "initial", "line", "project", "scores"]


@dataclass(frozen=True)
class Shape:
    """Sizes: text dimension, rank, number of features (0: text alone), rank of the direction head (0: none)."""

    dim: int
    rank: int
    features: int
    direction: int


def initial(shape: Shape, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Weights before training, float32, by name; drawn in a stated order so that a seed gives the same bytes.

    ``U``, ``V``: (rank, dim). ``U_features``, ``V_features``: (features, rank). ``bias``: (dim,), and of features: how
    often a hyperedge is next at all (with features alone; the paper's form has none). ``lateness``: (dim,),
    ``lateness_features``: (features,): how late a hyperedge stands. ``A``, ``B``: (direction, dim), and of features:
    the antisymmetric rest. ``direction_weight``: () the logit of direction in the transition score.
    """
    weights = {name: rng.normal(0, 0.3, (shape.rank, shape.dim)) for name in ("U", "V")}
    if shape.features:
        weights |= {f"{name}_features": rng.normal(0, 0.1, (shape.features, shape.rank)) for name in ("U", "V")}
    if shape.features:
        weights |= {"bias": np.zeros(shape.dim), "bias_features": np.zeros(shape.features)}
    if shape.direction:
        weights["lateness"] = np.zeros(shape.dim)
        weights |= {name: rng.normal(0, 0.1, (shape.direction, shape.dim)) for name in ("A", "B")}
        weights["direction_weight"] = np.zeros(1)
        if shape.features:
            weights["lateness_features"] = np.zeros(shape.features)
            wide = (shape.features, shape.direction)
            weights |= {f"{name}_features": rng.normal(0, 0.1, wide) for name in ("A", "B")}
    return {name: value.astype(np.float32) for name, value in weights.items()}


def scores(weights: dict[str, Any], source: tuple, target: tuple) -> tuple[Any, Any]:
    """Transition logits and directions between two lists of hyperedges (torch tensors in and out).

    Parameters
    ----------
    weights : dict of tensor
    source, target : (vectors (n, dim), index (n, k), weight (n, k))

    Returns
    -------
    logits, direction : (n, m)
        ``direction[i, j] = -direction[j, i]`` is the logit of "i precedes j"; None without such a head.
    """
    from torch.nn import functional as F

    left, right = project(weights, "U", source), project(weights, "V", target)
    logits = left @ right.T
    if "bias_features" in weights:
        logits = logits + line(weights, "bias", target)[None, :]
    if "A" not in weights:
        return logits, None
    late = line(weights, "lateness", target)[None, :] - line(weights, "lateness", source)[:, None]
    turn = project(weights, "A", source) @ project(weights, "B", target).T
    turn = turn - project(weights, "B", source) @ project(weights, "A", target).T
    direction = late + turn
    return logits + F.softplus(weights["direction_weight"]) * F.logsigmoid(direction), direction


def project(weights: dict[str, Any], name: str, given: tuple):
    """Hyperedges by one matrix of a head, and by its features where it has some; (n, rank of the head)."""
    vectors, index, weight = given
    out = vectors @ weights[name].T
    if f"{name}_features" in weights:
        out = out + _summed(weights[f"{name}_features"], index, weight)
    return out


def line(weights: dict[str, Any], name: str, given: tuple):
    """Hyperedges by one vector of a head, and by its features; (n,)."""
    vectors, index, weight = given
    out = vectors @ weights[name]
    if f"{name}_features" in weights:
        out = out + _summed(weights[f"{name}_features"][:, None], index, weight)[:, 0]
    return out


def _summed(table, index, weight):
    """Rows of a table summed by weight: (features, k), (n, active), (n, active) -> (n, k)."""
    from torch.nn import functional as F

    return F.embedding_bag(index, table, per_sample_weights=weight, mode="sum")


def arrays_of(weights: dict[str, Any]) -> dict[str, np.ndarray]:
    """The weights as NumPy arrays on the CPU."""
    return {name: value.detach().cpu().numpy().copy() for name, value in weights.items()}
