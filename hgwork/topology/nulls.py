"""Random hypergraphs that keep what is trivial: the degree of every node and the size of every hyperedge.

`swaps` keeps both exactly by exchanging the nodes of two incidences. A round pairs incidences at random, lets a quarter
of the pairs sit out, and makes every exchange whose four incidences, two old and two new, stand nowhere else among the
old and proposed ones. The rule reads the same backwards, so rounds are reversible; and as any one pair may be the only
one that moves, every simple bipartite graph is reached: the chain is uniform over them [1]_. `chung_lu` keeps degrees
and sizes on average.

References
----------
.. [1] Chodrow, Configuration models of random hypergraphs, Journal of Complex Networks 8, cnaa018 (2020).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from ..hypergraph import Hypergraph

__all__ = ["mixing", "null_samples", "null_zscores"]


def null_samples(
    H,
    n: int = 20,
    kind: Literal["swaps", "chung_lu"] = "swaps",
    swaps_per_incidence: float = 10,
    rng: int | np.random.Generator = 0,
) -> Iterator[Hypergraph]:
    """Yield random hypergraphs with the names, degrees and sizes of H.

    Parameters
    ----------
    H : Hypergraph
    n : int
    kind : {"swaps", "chung_lu"}
        "swaps" keeps degrees and sizes exactly and never repeats a node in a hyperedge. "chung_lu" draws the members
        of each hyperedge by degree, with what repeats dropped: degrees and sizes hold on average, less what is
        dropped, which is little unless a node stands in a large share of all incidences.
    swaps_per_incidence : float
        Exchanges made before the first sample and between two samples, divided by the incidences.
    rng : int or Generator

    Yields
    ------
    Hypergraph
        Without attributes: a shuffled hyperedge states nothing.

    Raises
    ------
    ValueError
        If n is negative, kind is unknown or swaps_per_incidence is not above 0.

    Notes
    -----
    Where no exchange is possible (a complete or an empty incidence matrix, one hyperedge, a nested matrix) H itself is
    the only member of its class and is what comes.
    """
    if n < 0:
        raise ValueError(f"n={n}: the number of samples is 0 or more.")
    if kind not in ("swaps", "chung_lu"):
        raise ValueError(f"kind={kind!r} is unknown. Use 'swaps' or 'chung_lu'.")
    if not swaps_per_incidence > 0:
        raise ValueError(f"swaps_per_incidence={swaps_per_incidence}: a null model needs more than 0; 10 is usual.")
    return _samples(H, n, kind, swaps_per_incidence, np.random.default_rng(rng))


def _samples(H, n: int, kind: str, swaps_per_incidence: float, rng) -> Iterator[Hypergraph]:
    edge_of, node_of = _pairs(H)
    if kind == "chung_lu":
        stubs = node_of.copy()
        for _ in range(n):
            yield _hypergraph(H, edge_of, stubs if len(stubs) < 2 else rng.choice(stubs, len(stubs)))
        return
    rounds = _rounds(edge_of, node_of, H.shape[1], swaps_per_incidence, rng)
    for _ in range(n):
        node_of, _ = _shuffled(edge_of, node_of, H.shape[1], rounds, rng)
        yield _hypergraph(H, edge_of, node_of)


def _pairs(H) -> tuple[np.ndarray, np.ndarray]:
    matrix = H.incidence
    return np.repeat(np.arange(matrix.shape[0], dtype=np.int64), np.diff(matrix.indptr)), matrix.indices.astype(
        np.int64
    )


def _hypergraph(H, edge_of, node_of) -> Hypergraph:
    nodes, edges = pd.DataFrame(index=H.nodes.index), pd.DataFrame(index=H.edges.index)
    return Hypergraph._checked(nodes, edges, edge_of.astype(np.int32), node_of.astype(np.int32), warn=False)


def _rounds(edge_of, node_of, n_nodes: int, per_incidence: float, rng) -> int:
    """Rounds that make so many exchanges an incidence, from a pilot. The number is fixed before the chain starts:
    stopping after so many *accepted* exchanges would favour the graphs in which many are possible."""
    if _alone(edge_of, node_of, n_nodes):
        return 0
    made = 0
    for _ in range(pilot := 5):
        node_of, done = _round(edge_of, node_of, n_nodes, rng)
        made += done
    return int(np.clip(np.ceil(per_incidence * len(edge_of) * pilot / max(made, 1)), 1, 100 * per_incidence + 1))


def _alone(edge_of, node_of, n_nodes: int) -> bool:
    """No other graph has these degrees and sizes: just when the degrees are conjugate to the sizes (Gale and Ryser)."""
    sizes = np.bincount(edge_of)
    conjugate = len(sizes) - np.cumsum(np.bincount(sizes, minlength=n_nodes + 1))[:n_nodes]  # sizes above 0, 1, 2, …
    return bool((np.sort(np.bincount(node_of, minlength=n_nodes))[::-1] == conjugate).all())


def _shuffled(edge_of, node_of, n_nodes: int, rounds: int, rng) -> tuple[np.ndarray, int]:
    made = 0
    for _ in range(rounds):
        node_of, done = _round(edge_of, node_of, n_nodes, rng)
        made += done
    return node_of, made


def _round(edge_of, node_of, n_nodes: int, rng) -> tuple[np.ndarray, int]:
    half = int(rng.binomial(len(edge_of) // 2, 0.75))
    order = rng.permutation(len(edge_of))
    one, two = order[:half], order[half : 2 * half]
    old = edge_of * n_nodes + node_of
    new_one, new_two = edge_of[one] * n_nodes + node_of[two], edge_of[two] * n_nodes + node_of[one]
    every = np.sort(np.concatenate([old, new_one, new_two]))
    repeated = np.unique(every[1:][every[1:] == every[:-1]])
    free = np.ones(half, bool)
    mask = (1 << (16 * len(repeated)).bit_length()) - 1
    suspect = np.zeros(mask + 1, bool)  # by the last bits: few of the many keys are then looked up
    suspect[repeated & mask] = True
    for key in (old[one], old[two], new_one, new_two):
        place = np.flatnonzero(suspect[key & mask])
        free[place[np.isin(key[place], repeated)]] = False
    node_of = node_of.copy()
    a, b = one[free], two[free]
    node_of[a], node_of[b] = node_of[b], node_of[a]
    return node_of, len(a)


def mixing(H, measure: Callable[[Hypergraph], float], up_to: float = 20, steps: int = 20, rng=0) -> pd.DataFrame:
    """How far a measure and the incidences have moved after so many exchanges: enough is where both are flat.

    Parameters
    ----------
    H : Hypergraph
    measure : function of a Hypergraph to a number
    up_to : float
        Exchanges an incidence in total, about; a step makes at least one round, a third of an exchange an incidence.
    steps : int
        Rows of the answer after the first.

    Returns
    -------
    DataFrame
        `swaps_per_incidence` (made so far), `kept` (share of incidences that are as in H), `value` of the measure; the
        first row is H itself.

    Raises
    ------
    ValueError
        If up_to is not above 0 or steps is below 1.
    """
    if not up_to > 0 or steps < 1:
        raise ValueError(f"up_to={up_to}, steps={steps}: exchanges are above 0, and rows at least 1.")
    rng = np.random.default_rng(rng)
    edge_of, node_of = _pairs(H)
    n = H.shape[1]
    start = np.sort(edge_of * n + node_of)
    rows = [(0.0, 1.0, float(measure(H)))]
    rounds, made = _rounds(edge_of, node_of, n, up_to / steps, rng), 0
    for _ in range(steps):
        node_of, done = _shuffled(edge_of, node_of, n, rounds, rng)
        made += done
        kept = np.isin(edge_of * n + node_of, start).mean() if len(start) else 1.0
        rows.append((made / max(len(start), 1), float(kept), float(measure(_hypergraph(H, edge_of, node_of)))))
    return pd.DataFrame(rows, columns=["swaps_per_incidence", "kept", "value"])


def null_zscores(
    H,
    measures: dict[str, Callable[[Hypergraph], float]] | None = None,
    n: int = 20,
    kind: Literal["swaps", "chung_lu"] = "swaps",
    rng: int | np.random.Generator = 0,
) -> pd.DataFrame:
    """Measures of H beside the same measures of random hypergraphs.

    Parameters
    ----------
    H : Hypergraph
    measures : dict of name to function, optional
        By default: overlaps of two and three nodes, duplicates, the largest 1-, 2- and 3-component of hyperedges,
        linked pairs among the thirty hubs, and the mean clustering coefficient of the clique expansion (nan where
        that is too dense to count its triangles).
    n, kind, rng
        As in `null_samples`.

    Returns
    -------
    DataFrame, indexed by measure
        `observed`, `null_mean`, `null_low`, `null_high` (least and greatest sample), `z` (nan where the null does not
        vary) and `p`, the share of samples at least as far from the null mean, H counted among them.

    Raises
    ------
    ValueError
        If n is below 1, or as in `null_samples`.
    """
    if n < 1:
        raise ValueError(f"n={n}: a null model needs at least 1 sample.")
    measures = _default_measures() if measures is None else measures
    samples = [
        {name: float(measure(sample)) for name, measure in measures.items()}
        for sample in tqdm(null_samples(H, n, kind, rng=rng), "null model", n, disable=n < 5)
    ]
    null = pd.DataFrame(samples, columns=list(measures))
    observed = pd.Series({name: float(measure(H)) for name, measure in measures.items()})
    spread = null.std(ddof=1)
    far = ((null - null.mean()).abs() >= (observed - null.mean()).abs()).sum()
    return pd.DataFrame(
        {
            "observed": observed,
            "null_mean": null.mean(),
            "null_low": null.min(),
            "null_high": null.max(),
            "z": ((observed - null.mean()) / spread).where(spread > 0),
            "p": (far + 1) / (n + 1),
        }
    )


def _default_measures() -> dict[str, Callable[[Hypergraph], float]]:
    from .components import s_components
    from .hubs import hub_network
    from .overlap import overlap_counts

    def largest(s):
        return lambda H: s_components(H, s).sizes.to_numpy().max(initial=0)

    return {
        "overlap_2": lambda H: overlap_counts(H, 2).iloc[0],
        "overlap_3": lambda H: overlap_counts(H, 3).iloc[0],
        "duplicates": lambda H: len(H) - H.edge_classes().nunique(),
        **{f"largest_{s}_component": largest(s) for s in (1, 2, 3)},
        "hub_pairs": lambda H: hub_network(H, n=30, min_shared=1).number_of_edges(),
        "clustering": _mean_clustering,
    }


def _mean_clustering(H) -> float:
    from .clustering import TooDense, clustering

    try:
        return clustering(H, kinds=("projection",))["projection"].mean() if H.shape[1] else 0.0
    except TooDense:
        return np.nan
