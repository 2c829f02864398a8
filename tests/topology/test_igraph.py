"""What igraph defines on graphs, on the graphs that hgwork makes of a hypergraph.

The clique expansion and the bipartite graph are built here from the members, not by `project`. igraph's degree counts
distinct neighbours; a hypergraph's degree counts hyperedges, so the two are compared only where parallel links are
counted each.
"""

from itertools import combinations

import igraph
import numpy as np
import pytest
from hypothesis import given

from hgwork import Hypergraph
from hgwork.datasets import heavy_tailed
from hgwork.topology import clustering, co_membership, degree_assortativity, project, s_components
from tests.strategies import hypergraphs


def clique(H) -> igraph.Graph:
    place = {name: i for i, name in enumerate(H.nodes.index)}
    links = {tuple(sorted((place[a], place[b]))) for held in H.to_dict().values() for a, b in combinations(held, 2)}
    return igraph.Graph(n=len(place), edges=sorted(links))


def bipartite(H) -> igraph.Graph:
    n, place = H.shape[1], {name: i for i, name in enumerate(H.nodes.index)}
    held = enumerate(H.to_dict().values())
    return igraph.Graph(n=n + len(H), edges=[(place[m], n + i) for i, members in held for m in members])


def check(H):
    graph = clique(H)
    np.testing.assert_allclose(
        clustering(H, kinds=["projection"])["projection"], graph.transitivity_local_undirected(mode="zero"), atol=1e-12
    )
    assert len(co_membership(H)) == project(H, "clique").number_of_edges() == graph.ecount()
    parts = [[v for v in part if v >= H.shape[1]] for part in bipartite(H).connected_components()]
    sizes = sorted((len(part) for part in parts if part), reverse=True)
    empty = int((H.sizes == 0).sum())  # igraph: a component each; here: they hold no node, so they take no part
    assert s_components(H, 1).sizes.tolist() == sizes[: len(sizes) - empty]
    return graph


@given(hypergraphs())
def test_clustering_links_and_components_agree_with_igraph(H):
    check(H)


def test_they_agree_where_hubs_and_parallel_hyperedges_are():
    check(heavy_tailed(2_000, 4_000, rng=3))


def test_assortativity_agrees_where_every_hyperedge_is_a_pair_that_stands_once():
    rng = np.random.default_rng(5)
    pairs = sorted({tuple(sorted(map(int, rng.choice(30, 2, replace=False)))) for _ in range(80)})
    H = Hypergraph.from_dict({f"e{i}": [str(a), str(b)] for i, (a, b) in enumerate(pairs)})
    assert degree_assortativity(H) == pytest.approx(igraph.Graph(edges=pairs).assortativity_degree(directed=False))
