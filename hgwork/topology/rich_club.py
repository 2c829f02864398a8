"""Do the hubs hold together more than their degrees demand?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from .nulls import null_samples
from .pairs import linked_pairs

__all__ = ["rich_club"]


def rich_club(
    H,
    thresholds: int | Iterable[int] = (10, 20, 50, 100),
    definition: Literal["pairs", "hyperedges"] = "pairs",
    null: int | None = None,
    at: Literal[">=", ">"] = ">=",
    rng: int | np.random.Generator = 0,
    swaps_per_incidence: float = 10,
) -> pd.DataFrame:
    """Rich-club coefficient at degree thresholds.

    Parameters
    ----------
    H : Hypergraph
    thresholds : int or iterable of int
        The club of k are the nodes of degree at least k (`at`).
    definition : {"pairs", "hyperedges"}
        "pairs": ``φ(k) = linked pairs of the club / C(N, 2)``, in [0, 1]; a pair is linked when a hyperedge holds both.
        "hyperedges": ``φ(k) = 2E / (N(N−1))`` with E the hyperedges of size 2 or more that lie wholly in the club,
        parallel ones counted each. This is what Table 3 of [1]_ prints; it can exceed 1.
    null : int, optional
        Samples of the degree- and size-preserving null model. The coefficient of a hypergraph with hubs is high for
        that reason alone; only the ratio to the null says more [2]_.
    at : {">=", ">"}
    rng : int or Generator
    swaps_per_incidence : float

    Returns
    -------
    DataFrame, indexed by threshold, in the order asked
        `nodes`, `links` (pairs or hyperedges inside), `coefficient`; with a null also `null_mean`, `null_low`,
        `null_high` (least and greatest sample), `normalised` (coefficient / null_mean) and `z`. A club of fewer than
        two nodes has no coefficient (nan).

    Raises
    ------
    ValueError
        If a threshold is no whole number, definition or at is unknown, or null is below 1.

    References
    ----------
    .. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, Table 3.
    .. [2] Colizza, Flammini, Serrano, Vespignani, Detecting rich-club ordering in complex networks, Nature Physics 2,
       110 (2006).

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> H = Hypergraph.from_dict({"a": "xy", "b": "xyz", "c": "yz", "d": "xw"})
    >>> rich_club(H, [2, 3])["coefficient"].tolist()
    [1.0, 1.0]
    """
    if definition not in ("pairs", "hyperedges"):
        raise ValueError(f"definition={definition!r} is unknown. Use 'pairs' or 'hyperedges'.")
    if at not in (">=", ">"):
        raise ValueError(f"at={at!r} is unknown. Use '>=' or '>'.")
    if null is not None and null < 1:
        raise ValueError(f"null={null}: a band needs at least 1 sample; leave it out for the coefficient alone.")
    asked = np.array(list(thresholds) if isinstance(thresholds, Iterable) else [thresholds], float)
    if not (asked == np.floor(asked)).all():
        raise ValueError(f"thresholds={asked.tolist()}: degrees are whole numbers.")
    k = asked.astype(int)
    floor = k if at == ">=" else k + 1
    degrees = H.degrees.to_numpy()
    size = np.array([(degrees >= f).sum() for f in floor], int)
    possible = size * (size - 1) / 2
    links = _links(H, floor, definition)
    table = pd.DataFrame({"nodes": size, "links": links}, index=pd.Index(k, name="threshold"))
    table["coefficient"] = np.divide(links, possible, out=np.full(len(k), np.nan), where=possible > 0)
    if null is None:
        return table
    samples = [
        _links(sample, floor, definition, degrees)
        for sample in tqdm(
            null_samples(H, null, swaps_per_incidence=swaps_per_incidence, rng=rng),
            "rich club null",
            null,
            disable=null < 5,
        )
    ]
    ratios = np.divide(samples, possible, out=np.full((null, len(k)), np.nan), where=possible > 0)
    table["null_mean"] = ratios.mean(axis=0)
    table["null_low"], table["null_high"] = ratios.min(axis=0), ratios.max(axis=0)
    table["normalised"] = table["coefficient"] / table["null_mean"].where(table["null_mean"] > 0)
    spread = ratios.std(axis=0, ddof=1) if null > 1 else np.full(len(k), np.nan)
    table["z"] = np.divide(
        table["coefficient"] - table["null_mean"], spread, out=np.full(len(k), np.nan), where=spread > 0
    )
    return table


def _links(H, floor: np.ndarray, definition: str, degrees: np.ndarray | None = None) -> np.ndarray:
    """Pairs or hyperedges inside the club of each floor; a link is inside as long as its least degree reaches it."""
    degrees = H.degrees.to_numpy() if degrees is None else degrees
    if definition == "pairs":
        club = np.flatnonzero(degrees >= (floor.min() if len(floor) else 1))
        i, j, _ = linked_pairs(H.incidence[:, club])
        least = np.minimum(degrees[club][i], degrees[club][j])
    else:
        matrix = H.incidence
        sizes = np.diff(matrix.indptr)
        used = np.flatnonzero(sizes >= 2)
        if not len(used):
            return np.zeros(len(floor), int)
        matrix = matrix[used]
        least = np.minimum.reduceat(degrees[matrix.indices], matrix.indptr[:-1])
    least = np.sort(least)
    return len(least) - np.searchsorted(least, floor)
