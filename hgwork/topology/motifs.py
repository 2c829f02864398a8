"""The 26 ways in which three connected hyperedges can overlap, and how often each occurs.

Three node sets divide their union into seven regions: in one of them only, in two, in all three. Which regions are
empty, up to the order of the sets, is a hypergraph motif [1]_. Every connected triple is met once from each of its
pairs that share a node: twice when it is open, three times when it is closed. Going through all pairs counts exactly;
drawing pairs estimates without bias.

References
----------
.. [1] Lee, Ko, Shin, Hypergraph motifs: concepts, algorithms, and discoveries, PVLDB 13(11), 2256 (2020).
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pandas as pd
from scipy import sparse

from .overlap import blocks, collapsed

__all__ = ["REGIONS", "motif_census"]

REGIONS = ("a", "b", "c", "ab", "bc", "ca", "abc")
SAMPLES = 10_000
EXACT = 50_000_000
"""Most neighbours of pairs (an upper bound) that are visited for an exact census."""


_BITS = 1 << np.arange(7)
# one pattern of each motif, 1 to 26 as numbered in [1]_, its regions as bits
_CODES = [67, 71, 73, 75, 83, 79, 88, 105, 89, 91, 115, 95, 120, 121, 123, 127, 24, 41, 25, 27, 51, 31, 56, 57, 59, 63]
_PATTERNS = np.array(_CODES)[:, None] & _BITS > 0
_CLOSED = _PATTERNS[:, 6] | _PATTERNS[:, 3:6].all(axis=1)


def motif_census(H, samples: int | None = None, rng: int | np.random.Generator = 0, exact: int = EXACT) -> pd.DataFrame:
    """Count the connected triples of distinct hyperedges by motif.

    Parameters
    ----------
    H : Hypergraph
        Parallel hyperedges are one, as in [1]_; empty ones are left out.
    samples : int, optional
        Pairs to draw. By default all pairs where that is cheap, 10,000 otherwise.
    rng : int or Generator
    exact : int
        How much work is cheap: a bound on the neighbours visited, ``Σ_e (Σ_{v ∈ e} degree(v))²``. Up to `SAMPLES`
        pairs are always counted.

    Returns
    -------
    DataFrame, indexed by motif, 1 to 26 as numbered in [1]_
        `a`, `b`, `c`, `ab`, `bc`, `ca`, `abc` (which of the seven regions hold a node), `closed` (all three pairs share
        a node), `count`, `standard_error` (0 when exact), `share`.

    Raises
    ------
    ValueError
        If `samples` is below 2.

    Notes
    -----
    A drawn pair comes from a node with chance C(degree, 2) / D, ``D = Σ_v C(degree(v), 2)``, so a pair that shares o
    nodes has chance o / D, and ``D · X_t / (o · r_t)`` is unbiased: X_t triples of motif t around the pair, r_t = 3 for
    a closed motif and 2 for an open one. The standard error is that of a mean of independent draws; a motif that no
    draw met has the estimate 0 and no more is known of it.

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> census = motif_census(Hypergraph.from_dict({"a": "xy", "b": "yz", "c": "zx", "d": "xw"}))
    >>> census.loc[census["count"] > 0, "count"].to_dict()
    {2: 1, 21: 2, 23: 1}
    """
    if samples is not None and samples < 2:
        raise ValueError(f"samples={samples}: an estimate with its error takes at least 2 pairs.")
    matrix = collapsed(H)[0] if len(H) else H.incidence
    matrix = matrix[np.diff(matrix.indptr) > 0].sorted_indices()
    degree = np.bincount(matrix.indices, minlength=matrix.shape[1]).astype(np.int64)
    work = np.asarray(matrix @ degree, np.int64)
    pairs = degree * (degree - 1) // 2
    estimated = samples is not None or (pairs.sum() > SAMPLES and (work.astype(float) ** 2).sum() > exact)
    if estimated and pairs.sum():
        one, two, shared = _drawn(matrix, pairs, samples or SAMPLES, np.random.default_rng(rng))
        weight, repeats = pairs.sum() / shared, len(one)
    else:
        one, two = _all(matrix)
        weight, repeats, estimated = np.ones(len(one)), 1, False
    total, square = np.zeros(len(_CLOSED)), np.zeros(len(_CLOSED))
    for part in blocks(np.arange(len(one)), work[one] + work[two]):
        found = _around(matrix, one[part], two[part]) * weight[part, None] / np.where(_CLOSED, 3, 2)
        total, square = total + found.sum(axis=0), square + (found**2).sum(axis=0)
    mean = total / repeats
    error = np.sqrt(np.maximum(square / repeats - mean**2, 0) / (repeats - 1)) if estimated else np.zeros(len(mean))
    table = pd.DataFrame(_PATTERNS, columns=list(REGIONS), index=pd.RangeIndex(1, 27, name="motif"))
    return table.assign(
        closed=_CLOSED,
        count=mean if estimated else mean.round().astype(np.int64),
        standard_error=error,
        share=mean / mean.sum() if mean.sum() else 0.0,
    )


def _numbers() -> np.ndarray:
    """The motif of each of the 128 patterns, 0 where the triple is not connected or two of its sets are equal."""
    numbers = np.zeros(128, int)
    for number, pattern in enumerate(_PATTERNS, 1):
        for order in permutations(range(3)):
            pairs = [(3, 5, 4)[order[i] + order[(i + 1) % 3] - 1] for i in range(3)]  # ab, bc, ca of the new order
            numbers[pattern[[*order, *pairs, 6]] @ _BITS] = number
    return numbers


def _all(matrix) -> tuple[np.ndarray, np.ndarray]:
    product_ = sparse.triu(matrix @ matrix.T.tocsr(), k=1).tocoo()
    return product_.coords[0].astype(np.int64), product_.coords[1].astype(np.int64)


def _drawn(matrix, pairs: np.ndarray, samples: int, rng) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pairs of rows, each through a node that both hold, and how many they hold."""
    by_node = matrix.T.tocsr()
    nodes = np.searchsorted(np.cumsum(pairs), rng.integers(0, pairs.sum(), samples), side="right")
    degree = np.diff(by_node.indptr)[nodes]
    first, second = rng.integers(0, degree), rng.integers(0, degree - 1)
    second = second + (second >= first)
    one, two = (by_node.indices[by_node.indptr[nodes] + place] for place in (first, second))
    return one, two, np.asarray(matrix[one].multiply(matrix[two]).sum(axis=1)).ravel()


def _around(matrix, one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """For each pair of rows, the third rows that meet one of them, by motif: one sparse product whose entries hold the
    three overlaps as digits."""
    sizes = np.diff(matrix.indptr).astype(np.int64)
    base = int(sizes.max()) + 1
    a, b = matrix[one].astype(np.int64), matrix[two].astype(np.int64)
    both = a.multiply(b).tocsr()
    shared = np.asarray(both.sum(axis=1)).ravel()
    met = ((a + base * b + base**2 * both).tocsr() @ matrix.T.tocsr().astype(np.int64)).tocoo()
    pair, c = met.coords
    other = (c != one[pair]) & (c != two[pair])
    pair, c, digits = pair[other], c[other], met.data[other]
    ca, bc, abc = digits % base, digits // base % base, digits // base**2
    ab, size_a, size_b = shared[pair], sizes[one[pair]], sizes[two[pair]]
    regions = (
        size_a - ab - ca + abc,
        size_b - ab - bc + abc,
        sizes[c] - ca - bc + abc,
        ab - abc,
        bc - abc,
        ca - abc,
        abc,
    )
    number = _numbers()[sum((region > 0) * (1 << bit) for bit, region in enumerate(regions))]
    return np.bincount(pair * 27 + number, minlength=27 * len(one)).reshape(-1, 27)[:, 1:]
