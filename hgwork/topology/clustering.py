"""How closed the surroundings of a node are: three clustering coefficients of hypergraphs.

They answer different questions. On the clique expansion one large hyperedge alone makes everything closed; the shared
hyperedges of two nodes ask whether co-members meet again; the extra overlap asks whether hyperedges that meet in a node
are joined by others elsewhere. XGI has all three, and the values here are the same.

References
----------
.. [1] Gallagher, Goldberg, Clustering coefficients in protein interaction hypernetworks, ACM BCB (2013).
.. [2] Zhou, Nakhleh, Properties of metabolic graphs, BMC Bioinformatics 12, 132 (2011).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from scipy import sparse

from .overlap import blocks, collapsed
from .pairs import linked_pairs

__all__ = ["clustering"]

KINDS = ("projection", "shared", "extra_overlap")
WEDGES = 3_000_000_000
"""Most paths of two links, each towards the node of more links, that are followed."""
LOOKUPS = 200_000_000
"""Most pairs of nodes, one in each of two hyperedges that meet, that are looked up."""


class TooDense(ValueError):
    """The clique expansion has too many paths of two links to count its triangles."""


def clustering(
    H,
    pairs: int | None = 500,
    rng: int | np.random.Generator = 0,
    kinds: Sequence[str] = KINDS,
) -> pd.DataFrame:
    """Clustering coefficients of every node; ``clustering(H).mean()`` is the mean over all nodes.

    Parameters
    ----------
    H : Hypergraph
    pairs : int, optional
        Of a node in more pairs of hyperedges than this, so many are drawn (with replacement) for `extra_overlap`. None
        takes all: Σ C(degree, 2) in time.
    rng : int or Generator
    kinds : sequence of str
        Which coefficients to compute; `extra_overlap` is by far the slowest.

    Returns
    -------
    DataFrame, indexed by node
        - `neighbours`: distinct co-members k.
        - `projection`: linked pairs of neighbours / C(k, 2), on the clique expansion [1]_. XGI's and networkx's
          ``clustering_coefficient``.
        - `shared`: mean over the neighbours u of ``|E_v ∩ E_u| / |E_v ∪ E_u|``, E_v the hyperedges that hold v [1]_.
          XGI's ``two_node_clustering_coefficient(kind="union")``.
        - `extra_overlap`: mean over the pairs of hyperedges e, f that hold v of ``(|N(e∖f) ∩ (f∖e)| + |N(f∖e) ∩ (e∖f)|)
          / |(e∖f) ∪ (f∖e)|``, N the co-members of any of these nodes; 0 for e = f [2]_. XGI's
          ``local_clustering_coefficient``.

        0 where a node has fewer than two neighbours (`projection`), none (`shared`), or fewer than two hyperedges
        (`extra_overlap`), as in XGI. Parallel hyperedges count each, except on the clique expansion.

    Raises
    ------
    ValueError
        If a kind is unknown, the clique expansion is too dense to count its triangles, or the hyperedges are too large
        to compare in pairs.

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> clustering(Hypergraph.from_dict({"a": "xy", "b": "yz", "c": "zx", "d": "xw"})).loc["x"].round(3).tolist()
    [3.0, 0.333, 0.278, 0.333]
    """
    if pairs is not None and pairs < 1:
        raise ValueError(f"pairs={pairs}: draw at least one pair of hyperedges a node, or None for all.")
    if unknown := sorted(set(kinds) - set(KINDS)):
        raise ValueError(f"kinds={unknown}: the clustering coefficients are {', '.join(KINDS)}.")
    twins, first = _twins(H)
    matrix, copies = H.incidence[:, first], np.bincount(twins, minlength=len(first))
    degree = np.bincount(matrix.indices, minlength=len(first))
    i, j, weight = linked_pairs(matrix)
    own = np.where(degree > 0, copies - 1, 0)
    neighbours = own + np.bincount(i, copies[j], len(first)) + np.bincount(j, copies[i], len(first))
    compute: dict[str, Callable[[], np.ndarray]] = {
        "projection": lambda: _share(_closed(i, j, copies, own), neighbours * (neighbours - 1) / 2),
        "shared": lambda: _share(_shared(i, j, weight, degree, copies, own), neighbours),
        "extra_overlap": lambda: _extra_overlap(H, matrix, first, twins, i * len(first) + j, pairs, rng),
    }
    table = {"neighbours": neighbours.astype(int)} | {kind: compute[kind]() for kind in KINDS if kind in kinds}
    return pd.DataFrame({name: values[twins] for name, values in table.items()}, index=H.nodes.index)


def _share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)


def _shared(i, j, weight, degree, copies, own) -> np.ndarray:
    same = weight / (degree[i] + degree[j] - weight)
    return own + np.bincount(i, same * copies[j], len(copies)) + np.bincount(j, same * copies[i], len(copies))


def _twins(H) -> tuple[np.ndarray, np.ndarray]:
    """A class for each node, and the first node of each: nodes whose only node set is the same are twins.

    Twins have equal values, and a hyperedge of thousands of nodes found nowhere else is one class."""
    n = H.shape[1]
    key = np.arange(n)
    if len(H):
        matrix, _ = collapsed(H)
        once = np.bincount(matrix.indices, minlength=n) == 1
        rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
        lone = once[matrix.indices]
        key[matrix.indices[lone]] = n + rows[lone]
    twins, _ = pd.factorize(key)
    return twins, np.unique(twins, return_index=True)[1]


def _closed(i: np.ndarray, j: np.ndarray, copies: np.ndarray, own: np.ndarray) -> np.ndarray:
    """Linked pairs among the neighbours of each class: both twins, one a twin, both in one class, in two classes."""
    size = len(copies)
    around = np.bincount(i, copies[j], size) + np.bincount(j, copies[i], size)
    twice = copies * (copies - 1) / 2
    closed = own * (own - 1) / 2 + own * around + np.bincount(i, twice[j], size) + np.bincount(j, twice[i], size)
    links = np.bincount(i, minlength=size) + np.bincount(j, minlength=size)
    rank = np.empty(size, np.int64)
    rank[np.argsort(links, kind="stable")] = np.arange(size)
    low, high = np.minimum(rank[i], rank[j]), np.maximum(rank[i], rank[j])
    work = int((np.bincount(low, minlength=1).astype(np.int64) ** 2).sum())
    if work > WEDGES:
        raise TooDense(
            f"the clique expansion is too dense to count triangles ({work:,} paths of two links, most {WEDGES:,}). "
            "Leave out the largest hyperedges with H.subgraph(edges=H.sizes.index[H.sizes < ...])."
        )
    mass = np.empty(size)
    mass[rank] = copies
    up = sparse.csr_array((np.ones(len(low)), (low, high)), shape=(size, size))
    weighted = up * mass[:, None]  # rows u -> v, weighted by the copies of u
    ends = (up @ weighted).multiply(up).tocsr()  # u < w: copies of all v between them
    middle = (up.T.tocsr() @ weighted).multiply(up).tocsr()  # v < w: copies of all u below both
    triangles = ends @ mass + ends.T @ mass + middle @ mass
    return closed + triangles[rank]


def _extra_overlap(H, matrix, first, twins, keys, pairs: int | None, rng) -> np.ndarray:
    rng, by_node = np.random.default_rng(rng), matrix.T.tocsr()
    degree = np.diff(by_node.indptr).astype(np.int64)
    possible = degree * (degree - 1) // 2
    drawn = possible if pairs is None else np.minimum(possible, pairs)
    sizes = np.diff(H.incidence.indptr)
    total, classes = np.zeros(len(first)), H.edge_classes().to_numpy() if len(H) else np.zeros(0, int)
    able = np.flatnonzero(possible)
    volume, square = (np.asarray(by_node @ sizes.astype(float) ** power)[able] for power in (1, 2))
    work = drawn[able] * (volume**2 - square) / (2 * possible[able])  # expected, exact where all pairs are taken
    if work.sum() > LOOKUPS:
        raise ValueError(
            f"{work.sum():.1e} pairs of nodes to look up for extra_overlap (most {LOOKUPS:.0e}). Draw fewer pairs of "
            "hyperedges with `pairs`, or leave out the largest with H.subgraph(edges=H.sizes.index[H.sizes < ...])."
        )
    for nodes in blocks(able, work):
        v = np.repeat(nodes, drawn[nodes])
        number = np.arange(len(v)) - np.repeat(np.cumsum(drawn[nodes]) - drawn[nodes], drawn[nodes])
        number = np.where(possible[v] > drawn[v], rng.integers(0, possible[v]), number)
        two = ((1 + np.sqrt(1 + 8 * number)) // 2).astype(np.int64)  # pair number -> places one < two
        one = number - two * (two - 1) // 2
        e, f = by_node.indices[by_node.indptr[v] + one], by_node.indices[by_node.indptr[v] + two]
        differ = np.flatnonzero(classes[e] != classes[f])  # equal sets have no extra overlap
        for part in blocks(differ, sizes[e[differ]].astype(np.int64) * sizes[f[differ]]):
            values = _overlaps(H.incidence, sizes, e[part], f[part], twins, keys, len(first))
            total += np.bincount(v[part], values, len(first))
    return np.divide(total, drawn, out=np.zeros(len(first)), where=drawn > 0)


def _overlaps(whole, sizes, e, f, twins, keys, count: int) -> np.ndarray:
    """Extra overlap of hyperedges e[k] and f[k]: all pairs of a member of one and a member of the other, looked up."""
    width, wide = sizes[f].astype(np.int64), sizes[e].astype(np.int64) * sizes[f]
    pair = np.repeat(np.arange(len(e)), wide)
    step = np.arange(len(pair)) - np.repeat(np.cumsum(wide) - wide, wide)
    row, column = step // width[pair], step % width[pair]
    x, y = whole.indices[whole.indptr[e[pair]] + row], whole.indices[whole.indptr[f[pair]] + column]
    equal = np.flatnonzero(x == y)
    left, right = np.cumsum(sizes[e]) - sizes[e], np.cumsum(width) - width
    at, to = left[pair] + row, right[pair] + column
    outside_e, outside_f = np.ones(sizes[e].sum(), bool), np.ones(width.sum(), bool)
    outside_e[at[equal]] = outside_f[to[equal]] = False
    one, two = twins[x], twins[y]
    key = np.minimum(one, two) * count + np.maximum(one, two)
    place = np.minimum(np.searchsorted(keys, key), max(len(keys) - 1, 0))
    linked = (one == two) | (keys[place] == key if len(keys) else False)
    linked &= outside_e[at] & outside_f[to]
    met_e, met_f = np.zeros(len(outside_e), bool), np.zeros(len(outside_f), bool)
    met_e[at[linked]] = met_f[to[linked]] = True
    owner_e, owner_f = np.repeat(np.arange(len(e)), sizes[e]), np.repeat(np.arange(len(e)), width)
    met = np.bincount(owner_e, met_e, len(e)) + np.bincount(owner_f, met_f, len(e))
    apart = np.bincount(owner_e, outside_e, len(e)) + np.bincount(owner_f, outside_f, len(e))
    return np.divide(met, apart, out=np.zeros(len(e)), where=apart > 0)
