"""Retrieval as one call: a query, a hypergraph with an order, and trajectories through it (section 3.2 of [1]_).

References
----------
.. [1] Knowledge Is Not Static: Order-Aware Hypergraph RAG for Language Models.
"""

from __future__ import annotations

from typing import Any

from ..hypergraph import Hypergraph
from .retriever import Retriever
from .trajectory import Trajectory
from .weights import Weights

__all__ = ["retrieve"]

_PREPARE = (
    "vectors", "signature", "horizon_tokens", "phases", "ranks", "with_anchors", "change_coverage", "progress",
)  # fmt: skip


def retrieve(
    query: str,
    H: Hypergraph,
    precedence: Any = None,
    transitions: Any = None,
    embedder: Any = None,
    weights: Weights | None = None,
    method: str = "beam",
    beam: int = 8,
    length: int = 8,
    n: int = 3,
    **options: Any,
) -> list[Trajectory]:
    """The best trajectories for one query.

    To ask more than once, make a `Retriever`, which embeds the hyperedges once. Arguments are those of `Retriever` and
    of `Retriever.retrieve`, which also say what is returned and raised.

    Examples
    --------
    >>> import hgwork as hg
    >>> H = hg.datasets.load("toy")
    >>> found = retrieve("Which papers came before the last?", H, hg.order.precedence(H), method="dag", length=4, n=2)
    >>> [len(trajectory) for trajectory in found]
    [4, 4]
    """
    prepare = {name: options.pop(name) for name in _PREPARE if name in options}
    retriever = Retriever(H, precedence, transitions, embedder, **prepare)
    return retriever.retrieve(query, weights=weights, method=method, beam=beam, length=length, n=n, **options)
