"""Losses of a transition model: a stable default, and equation 4 of [1]_ to the letter.

Equation 4 adds ``alpha * mean(log P)`` over negatives. A log-probability has no lower bound, so the loss has none
either: it falls without end while the ranking of next steps gets worse. `literal` is kept to show that.

References
----------
.. [1] Knowledge Is Not Static: Order-Aware Hypergraph RAG for Language Models, equation 4.
"""

from __future__ import annotations

from typing import Any

__all__ = ["LOSSES", "literal", "next_step", "reports", "reversals"]

LOSSES = ("stable", "literal")


def next_step(log_p: Any, positive: Any, weight: Any) -> Any:
    """Softmax cross-entropy: each source counts once, whatever the number of its positives; 0 without positives.

    Parameters
    ----------
    log_p : tensor (n, m)
    positive : int tensor (pairs, 2)
    weight : tensor (pairs,)
    """
    import torch

    source, target = positive.T
    mass = torch.zeros(len(log_p), dtype=weight.dtype, device=weight.device).index_add(0, source, weight)
    share = weight / mass[source]
    return -(share * log_p[source, target]).sum() / (mass > 0).sum().clamp(min=1)


def reversals(apart: Any, strata: dict[str, Any], margin: float, mass: dict[str, float]) -> tuple[Any, dict[str, Any]]:
    """Pairwise logistic loss on ordered pairs: log(1 + exp(margin − apart)), averaged within each stratum first.

    Equal mass to each stratum keeps the many pairs across places from drowning the few within one.

    Parameters
    ----------
    apart : tensor (n, n)
        How much more "i before j" scores than "j before i".
    strata : dict of int tensor (pairs, 2)
    margin : float
    mass : dict of float
        Share of each stratum.
    """
    from torch.nn import functional as F

    parts = {
        name: F.softplus(margin - apart[pairs[:, 0], pairs[:, 1]]).mean()
        for name, pairs in strata.items()
        if len(pairs) and mass.get(name, 0) > 0
    }
    whole = sum(mass[name] for name in parts)
    return (sum(mass[name] * part for name, part in parts.items()) / whole if parts else apart.sum() * 0), parts


def reports(apart: Any, places: Any, kinds: Any) -> Any:
    """Pairwise logistic loss on whole reports: all that a group states at one place against all at another.

    A report's evidence is the sum over pairs of the same kind, as `report_order` adds it up.

    Parameters
    ----------
    apart : tensor (n, n)
    places, kinds : int tensor (n,)
        Places below zero are unknown and left out.
    """
    import torch
    from torch.nn import functional as F

    known = places >= 0
    if not bool(known.any()):
        return apart.sum() * 0
    belongs = F.one_hot(places.clamp(min=0)).to(apart.dtype) * known[:, None]
    comparable = (kinds[:, None] == kinds[None, :]).to(apart.dtype)
    between = belongs.T @ (apart * comparable) @ belongs
    pairs = torch.triu((belongs.T @ comparable @ belongs) > 0, 1)
    return F.softplus(-between[pairs]).mean() if bool(pairs.any()) else apart.sum() * 0


def literal(log_p: Any, positive: Any, strata: dict[str, Any], count: int, alpha: float) -> Any:
    """Equation 4: mean −log P over positives plus alpha × mean log P over negatives.

    Negatives are the reversals of all ordered pairs and the cross-group columns from `count` on, as appendix A.4 has
    them. Unbounded below.
    """
    import torch

    gain = -log_p[positive[:, 0], positive[:, 1]].sum() / max(len(positive), 1)
    pairs = torch.cat([pairs for pairs in strata.values() if len(pairs)] or [positive])
    negative = [log_p[pairs[:, 1], pairs[:, 0]].sum() / max(len(pairs), 1)]
    if log_p.shape[1] > count:
        negative.append(log_p[:, count:].mean())
    return gain + alpha * sum(negative) / len(negative)
