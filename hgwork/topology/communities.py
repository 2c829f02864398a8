"""Groups of concepts that stand together more than their degrees demand, and how far to trust them.

Louvain on the bipartite graph of nodes and hyperedges [1]_ labels both at once and needs no projection. HyperNetX's
hypergraph modularity [2]_ asks what share of each hyperedge lies in one community; it is for small hypergraphs. Both
depend on the order in which members are tried, so each is run from several seeds and the runs are compared. Around one
concept, a sweep over personalised PageRank finds the set of least conductance [3]_.

References
----------
.. [1] Blondel, Guillaume, Lambiotte, Lefebvre, Fast unfolding of communities in large networks, J. Stat. Mech. P10008
   (2008).
.. [2] Kamiński, Prałat, Théberge, Community detection algorithm using hypergraph modularity, Complex Networks IX
   (2020).
.. [3] Andersen, Chung, Lang, Local graph partitioning using PageRank vectors, FOCS (2006).
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy import sparse
from tqdm.auto import tqdm

from ..lookup.pagerank import pagerank_scores
from .centrality import numbered_hypernetx, refuse_many_links

__all__ = ["Communities", "communities", "local_community"]

SMALL = 1_000
"""Most hyperedges for hypergraph modularity."""
_COMPARED = 10_000


@dataclass(frozen=True)
class Communities:
    """A partition of nodes and hyperedges, the best of several runs.

    Attributes
    ----------
    nodes, edges : Series
        Community of each node and hyperedge, 0 the one of most nodes; -1 for a node in no hyperedge and a hyperedge
        without nodes. With "modularity", or where Louvain leaves it alone, a hyperedge goes to the community of most
        of its members, of equal ones the larger.
    table : DataFrame, indexed by community
        `nodes`, `hyperedges`, `inside` (share of the incidences of its nodes whose hyperedge has the same label),
        `concepts` (nodes of most incidences inside).
    runs : DataFrame, one row a seed
        `communities`, `modularity` (what the method maximises: Newman's on the bipartite graph, or HyperNetX's with
        linear weights).
    stability : Series
        `ari`, `ami`: adjusted Rand index and adjusted mutual information of the node labels, mean over pairs of runs;
        1 when all agree, about 0 for chance. Over at most 10,000 nodes, drawn once.
    """

    nodes: pd.Series = field(repr=False)
    edges: pd.Series = field(repr=False)
    table: pd.DataFrame
    runs: pd.DataFrame = field(repr=False)
    stability: pd.Series
    method: str

    @property
    def modularity(self) -> float:
        """Of the run that was kept: the highest."""
        return float(self.runs["modularity"].max())

    def members(self, label: int = 0) -> list[str]:
        """Nodes of one community, in table order."""
        return self.nodes.index[self.nodes == label].tolist()


def communities(
    H,
    method: Literal["louvain", "modularity"] = "louvain",
    seeds: int = 10,
    resolution: float = 1,
    rng: int | np.random.Generator = 0,
    top: int = 3,
) -> Communities:
    """Partition the nodes and hyperedges into communities.

    Parameters
    ----------
    H : Hypergraph
    method : {"louvain", "modularity"}
        "louvain": igraph on the bipartite graph, parallel hyperedges counted each. "modularity": HyperNetX moves
        single nodes as long as that helps ("last step" of [2]_), starting from Louvain on the clique expansion with
        weights ``Σ_e 1 / (|e| − 1)``; on at most `SMALL` hyperedges, singletons left out. (Its other start, Kumar's
        algorithm, took seven times as long on 400 hyperedges of the scaffolds corpus and ended no higher.)
    seeds : int
        Runs to compare.
    resolution : float
        Of Louvain, above 1 gives smaller communities. The last step knows none.
    rng : int or Generator
    top : int
        Concepts in a name.

    Returns
    -------
    Communities

    Raises
    ------
    ValueError
        If an argument is out of range, no hyperedge holds a node, or H is too large for "modularity".

    References
    ----------
    .. [2] Kamiński, Prałat, Théberge, Complex Networks IX (2020).

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> found = communities(Hypergraph.from_dict({"a": "xyz", "b": "xy", "c": "pqr", "d": "pq"}), seeds=2)
    >>> found.nodes.to_dict(), float(found.stability["ari"])
    ({'x': 0, 'y': 0, 'z': 0, 'p': 1, 'q': 1, 'r': 1}, 1.0)
    """
    if method not in ("louvain", "modularity") or seeds < 1 or not resolution > 0:
        raise ValueError(
            f"method={method!r}, seeds={seeds}, resolution={resolution}: method is 'louvain' or 'modularity', at least "
            "one seed, and a resolution above 0."
        )
    if not len(H.incidence.indices):
        raise ValueError("no hyperedge holds a node: there is nothing to partition.")
    if method == "modularity" and len(H) > SMALL:
        raise ValueError(
            f"{len(H):,} hyperedges are too many for hypergraph modularity (most {SMALL:,}). Take a part with "
            "H.subgraph(...), or use method='louvain'."
        )
    if method == "modularity":
        refuse_many_links(H.sizes, "the clique expansion")
    rng = np.random.default_rng(rng)
    run = _louvain(H, resolution) if method == "louvain" else _by_modularity(H, resolution)
    starts = rng.integers(2**31, size=seeds).tolist()
    bar = tqdm(starts, "communities", disable=method == "louvain" and len(H) < 10_000)
    raw, modularity = zip(*(run(start) for start in bar), strict=True)
    found = [_ranked(H, labels) for labels in raw]
    runs = pd.DataFrame({"communities": [nodes.max() + 1 for nodes, _ in found], "modularity": modularity})
    node_of, edge_of = found[int(np.argmax(modularity))]
    return Communities(
        pd.Series(node_of, H.nodes.index, name="community"),
        pd.Series(edge_of, H.edges.index, name="community"),
        _table(H, node_of, edge_of, top),
        runs.rename_axis("run"),
        _stability([nodes for nodes, _ in found], rng),
        method,
    )


def _louvain(H, resolution: float):
    import random

    import igraph  # networkx needs twenty times as long for the same modularity

    rows, cols = _incidences(H)
    graph = igraph.Graph(sum(H.shape), np.column_stack([cols, rows + H.shape[1]]))

    def run(start: int):
        igraph.set_random_number_generator(random.Random(start))
        try:
            parts = [part for part in graph.community_multilevel(resolution=resolution) if len(part) > 1]
        finally:
            igraph.set_random_number_generator(random)
        return _labels(H, parts), float(graph.modularity(_membership(graph, parts), resolution=resolution))

    return run


def _membership(graph, parts) -> list[int]:
    """A community a vertex; vertices without a link are each their own."""
    member = list(range(len(parts), len(parts) + graph.vcount()))
    for number, part in enumerate(parts):
        for vertex in part:
            member[vertex] = number
    return member


def _by_modularity(H, resolution: float):
    import networkx
    from hypernetx.algorithms.clustering import hypergraph_modularity as measures

    members = H.incidence[np.diff(H.incidence.indptr) > 1].astype(float)
    if not members.shape[0]:
        return lambda start: (_labels(H, []), np.nan)
    links = sparse.triu(members.T @ (members / (np.diff(members.indptr) - 1)[:, None]), 1).tocoo()
    graph: Any = networkx.Graph()
    graph.add_weighted_edges_from(zip(*(c.tolist() for c in (*links.coords, links.data)), strict=True))
    hypergraph = numbered_hypernetx(H, least=2)

    def run(start: int):
        first = networkx.community.louvain_communities(graph, resolution=resolution, seed=start)
        with _quiet(start):
            parts = [part for part in measures.last_step(hypergraph, first) if part]
            return _labels(H, parts), float(measures.modularity(hypergraph, parts))

    return run


@contextmanager
def _quiet(start: int):
    """HyperNetX draws from the global generator: seed it, and put it back. Its warnings about pandas are not ours."""
    state = np.random.get_state()  # noqa: NPY002
    np.random.seed(start)  # noqa: NPY002
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            yield
    finally:
        np.random.set_state(state)  # noqa: NPY002


def _incidences(H) -> tuple[np.ndarray, np.ndarray]:
    matrix = H.incidence
    return np.repeat(np.arange(len(H)), np.diff(matrix.indptr)), matrix.indices.astype(np.int64)


def _labels(H, parts) -> np.ndarray:
    """A label for each node, one in no part its own, and then each hyperedge, -1 for one in no part."""
    labels = np.append(np.arange(H.shape[1]) + len(parts), np.full(len(H), -1))
    for label, part in enumerate(parts):
        labels[list(part)] = label
    return labels


def _ranked(H, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Labels by falling number of nodes, then by first node; a hyperedge whose label no node has goes with the most of
    its members; -1 for the empty."""
    (rows, cols), n, sizes = _incidences(H), H.shape[1], np.diff(H.incidence.indptr)
    held = np.bincount(cols, minlength=n) > 0
    codes, kept = pd.factorize(labels[:n][held])
    order = np.argsort(-np.bincount(codes), kind="stable")
    rank = np.full(labels.max() + 2, -1)
    rank[kept[order]] = np.arange(len(order))
    node_of, edge_of = np.where(held, rank[labels[:n]], -1), rank[labels[n:]]
    votes = sparse.coo_array((np.ones(len(rows)), (rows, node_of[cols])), shape=(len(H), len(order))).tocsr()
    astray = (edge_of < 0) & (sizes > 0)
    edge_of[astray] = votes[astray].argmax(axis=1).ravel()
    return node_of, edge_of


def _stability(labels: list[np.ndarray], rng) -> pd.Series:
    from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score

    held = np.flatnonzero(labels[0] >= 0)
    if len(held) > _COMPARED:
        held = np.sort(rng.choice(held, _COMPARED, replace=False))
    pairs = list(combinations([label[held] for label in labels], 2))
    means = {}
    for name, score in (("ari", adjusted_rand_score), ("ami", adjusted_mutual_info_score)):
        scores = [1.0 if np.array_equal(a, b) else score(a, b) for a, b in pairs]
        means[name] = np.mean(scores) if scores else np.nan
    return pd.Series(means, name="stability")


def _table(H, node_of: np.ndarray, edge_of: np.ndarray, top: int) -> pd.DataFrame:
    rows, cols = _incidences(H)
    same = edge_of[rows] == node_of[cols]
    size = node_of.max() + 1
    within = np.bincount(cols[same], minlength=H.shape[1])
    order = np.lexsort((-within, node_of))
    order = order[node_of[order] >= 0]
    groups = np.split(H.nodes.index.to_numpy()[order], np.flatnonzero(np.diff(node_of[order])) + 1)
    return pd.DataFrame(
        {
            "nodes": np.bincount(node_of[node_of >= 0], minlength=size),
            "hyperedges": np.bincount(edge_of[edge_of >= 0], minlength=size),
            "inside": np.bincount(node_of[cols[same]], minlength=size) / np.bincount(node_of[cols], minlength=size),
            "concepts": [", ".join(group[:top]) for group in groups],
        },
        index=pd.RangeIndex(size, name="community"),
    )


def local_community(
    H, seed: str | Iterable[str], most: int = 100, restart: float = 0.15, tolerance: float = 1e-10
) -> pd.DataFrame:
    """The concepts around a seed that least is linked out of.

    Parameters
    ----------
    H : Hypergraph
    seed : str or iterable of str
        One concept or several.
    most : int
        Concepts that the community may hold, and rows of the answer.
    restart : float
        Chance of a jump back to the seed at each step of the walk node - hyperedge - node.
    tolerance : float
        The walk is followed until what remains of it weighs less.

    Returns
    -------
    DataFrame, the seed's surroundings in the order of the sweep
        `concept`; `score` (`lookup.pagerank`); `inside`; `conductance`, the least among the sets that end with this
        concept and the hyperedges that follow it. The community ends at the least of the column.

    Raises
    ------
    KeyError
        If a seed is not a node.
    ValueError
        If no seed is in a hyperedge, or a setting is out of range.

    Notes
    -----
    Vertices of the bipartite graph, nodes and hyperedges, are sorted by score / degree, the seed first; of the sets
    that begin this order, the one of least conductance ``φ(S) = cut(S) / min(vol S, vol V∖S)`` is taken [1]_, of equal
    ones the smallest. The whole graph has no conductance and is never the answer. A wider `most` can find a wider
    community around the first. The same input gives the same bytes.

    References
    ----------
    .. [1] Andersen, Chung, Lang, Local graph partitioning using PageRank vectors, FOCS (2006).

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> H = Hypergraph.from_dict({"a": "xyz", "b": "xyz", "c": "zp", "d": "pqr", "e": "pqr"})
    >>> local_community(H, "x").query("inside")["concept"].tolist()
    ['x', 'y', 'z']
    """
    if not 0 < restart < 1 or most < 1 or not tolerance > 0:
        raise ValueError(f"restart={restart}, most={most}, tolerance={tolerance}: 0 < restart < 1, the others above 0.")
    seeds = [seed] if isinstance(seed, str) else list(dict.fromkeys(seed))
    place, n = H.nodes.index.get_indexer(seeds), H.shape[1]
    if (place < 0).any():
        raise KeyError(f"{seeds[int(np.argmin(place))]!r} is not a node. hgwork.lookup.match finds names like it.")
    degree = np.concatenate([H.degrees.to_numpy(), H.sizes.to_numpy()])
    place = place[degree[place] > 0]
    if not len(place):
        raise ValueError(f"{', '.join(map(repr, seeds))}: in no hyperedge, so in no community.")
    score = np.concatenate(pagerank_scores(H, H.nodes.index[place], 1 - restart, tolerance=tolerance))
    density = np.divide(score, degree, out=np.zeros(len(score)), where=degree > 0)
    density[place] = np.inf
    order = np.argsort(-density, kind="stable")
    order = order[: (density > 0).sum()]
    is_node = order < n
    order = order[: np.searchsorted(np.cumsum(is_node), most + 1)]
    conductance = _sweep(H, order, degree)
    begins = np.flatnonzero(order < n)
    conductance[: begins[len(place) - 1]] = np.inf  # a community holds its seeds
    least = np.minimum.reduceat(conductance, begins)
    least[~np.isfinite(least)] = np.nan
    inside = begins <= (int(conductance.argmin()) if np.isfinite(conductance).any() else len(order))
    nodes = order[begins]
    return pd.DataFrame(
        {"concept": H.nodes.index[nodes], "score": score[nodes], "inside": inside, "conductance": least}
    )


def _sweep(H, order: np.ndarray, degree: np.ndarray) -> np.ndarray:
    """Conductance of every set that begins `order`."""
    rows, cols = _incidences(H)
    rank = np.full(len(degree), len(order))
    rank[order] = np.arange(len(order))
    later = np.maximum(rank[cols], rank[rows + H.shape[1]])
    inner = np.cumsum(np.bincount(later, minlength=len(order) + 1)[: len(order)])
    volume = np.cumsum(degree[order])
    small = np.minimum(volume, degree.sum() - volume)
    return np.divide(volume - 2 * inner, small, out=np.full(len(order), np.inf), where=small > 0)
