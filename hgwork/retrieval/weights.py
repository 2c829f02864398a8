"""The weights of the retrieval objective (equation 5 of [1]_).

References
----------
.. [1] Knowledge Is Not Static: Order-Aware Hypergraph RAG for Language Models.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from numbers import Real

__all__ = ["ZERO", "Weights"]


@dataclass(frozen=True)
class Weights:
    """How much each term counts beside relevance, which counts one.

    Parameters
    ----------
    order : float, at least 0
        λ, of the transition terms.
    precedence : float, at least 0
        μ, of the share of related steps that stand in order.
    continuity : float, at least 0
        ν, of the mean Jaccard similarity of neighbours.
    coverage : float, at least 0
        ρ, of the share of phases that are met.
    confidence : float, at least 0
        Exponent: relevance is multiplied by confidence to this power; 0 leaves confidence out, as the paper does.

    Raises
    ------
    ValueError
        If a weight is negative, not finite or no number; the message names it.

    Examples
    --------
    >>> Weights(order=0.5).without("coverage")
    Weights(order=0.5, precedence=0.3, continuity=0.2, coverage=0.0, confidence=0.0)
    """

    order: float = 1.2
    precedence: float = 0.3
    continuity: float = 0.2
    coverage: float = 0.5
    confidence: float = 0.0

    def __post_init__(self):
        for name, value in asdict(self).items():
            if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value) or value < 0:
                raise ValueError(f"the weight {name} is {value!r}: give a finite number of at least 0.")
            object.__setattr__(self, name, float(value))

    def without(self, *names: str) -> Weights:
        """The same weights with some set to zero, as in an ablation."""
        held = asdict(self)
        if unknown := [name for name in names if name not in held]:
            raise ValueError(f"there is no weight {unknown[0]!r}; there are {', '.join(held)}.")
        return Weights(**{**held, **dict.fromkeys(names, 0.0)})


ZERO = Weights(0, 0, 0, 0)
