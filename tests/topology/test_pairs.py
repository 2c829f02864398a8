"""Co-membership: by hand, by brute force, and against networkx, igraph, XGI and hypergraphx."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hgwork as hg
from hgwork import Hypergraph
from hgwork.topology import co_membership
from hgwork.topology import overlap as module
from hgwork.topology.pairs import co_membership_matrix
from tests.strategies import hypergraphs


def test_the_toy_by_hand():
    H = hg.datasets.load("toy")
    assert co_membership(H).values.tolist() == [
        ["Sally", "Bob", 4],
        ["Sally", "David", 3],
        ["David", "Ella", 3],
        ["Sally", "Ella", 2],
        ["Bob", "David", 2],
        ["Carol", "Frank", 2],
        ["Bob", "Ella", 1],
        ["Ella", "Carol", 1],
        ["Carol", "Grace", 1],
        ["Frank", "Grace", 1],
    ]
    # sizes 4 2 1 3 2 3 2 2 2 3: 6 + 1 + 0 + 3 + 1 + 3 + 1 + 1 + 1 + 3
    assert co_membership(H)["hyperedges"].sum() == 20
    assert co_membership(H, multiplicity=False)["hyperedges"].tolist() == [1] * 10


@given(hypergraphs(attributes=False), st.sampled_from([1, 3, 2_000_000]))
def test_pairs_agree_with_brute_force_in_blocks_of_any_size(H, block):
    sets = [set(nodes) for nodes in H.to_dict().values()]
    expected = {(a, b): sum({a, b} <= held for held in sets) for a, b in combinations(H.nodes.index, 2)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BLOCK", block)
        table = co_membership(H)
    found = {(a, b): n for a, b, n in table.itertuples(index=False)}
    assert found == {pair: n for pair, n in expected.items() if n}
    assert table["hyperedges"].sum() == sum(len(held) * (len(held) - 1) // 2 for held in sets)
    assert table["hyperedges"].is_monotonic_decreasing
    product = (H.incidence.T @ H.incidence).toarray()
    np.fill_diagonal(product, 0)
    assert (co_membership_matrix(H).toarray() == product).all()


def test_networkx_and_igraph_project_the_same_pairs():
    H = hg.datasets.heavy_tailed(nodes=120, edges=250, rng=1)
    ours = {frozenset((a, b)): n for a, b, n in co_membership(H).itertuples(index=False)}
    assert {frozenset(e): w for *e, w in H.to_networkx("clique").edges(data="weight")} == ours
    igraph = pytest.importorskip("igraph")
    coo, (edges, nodes) = H.incidence.tocoo(), H.shape
    links = zip(coo.coords[1].tolist(), (coo.coords[0] + nodes).tolist(), strict=True)
    graph = igraph.Graph.Bipartite([0] * nodes + [1] * edges, list(links))
    side = graph.bipartite_projection(multiplicity=True, which=0)
    names = H.nodes.index
    theirs = {frozenset((names[e.source], names[e.target])): e["weight"] for e in side.es}
    assert theirs == ours


def test_xgi_projects_the_same_links_and_hypergraphx_merges_parallel_hyperedges():
    """XGI's graph has no multiplicity; hypergraphx keeps a node set once, so its counts are those of the simplified
    hypergraph."""
    xgi, hypergraphx = pytest.importorskip("xgi"), pytest.importorskip("hypergraphx")
    from hypergraphx.representations.projections import clique_projection

    H = hg.datasets.heavy_tailed(nodes=120, edges=250, rng=1)
    pairs = {frozenset(p) for p in co_membership(H)[["node", "other"]].values}
    assert {frozenset(e) for e in xgi.to_graph(xgi.Hypergraph(H.to_dict())).edges} == pairs
    theirs = hypergraphx.Hypergraph([tuple(held) for held in H.to_dict().values()])
    assert {frozenset(e) for e in clique_projection(theirs).edges} == pairs
    assert theirs.num_edges() == H.edge_classes().nunique() < len(H)


def test_nothing_in_common_gives_an_empty_table_with_its_columns():
    for H in (Hypergraph.from_dict({}), Hypergraph.from_dict({"a": "x", "b": "y"}), Hypergraph.from_dict({"a": []})):
        table = co_membership(H)
        assert table.empty and table.columns.tolist() == ["node", "other", "hyperedges"]
        assert co_membership_matrix(H).nnz == 0


def test_ten_thousand_copies_and_one_giant_hyperedge():
    copies = Hypergraph.from_dict(dict.fromkeys(range(10_000), "xyz"))
    assert co_membership(copies)["hyperedges"].tolist() == [10_000] * 3
    giant = Hypergraph.from_dict({"g": range(2000), "h": [1, 2]})
    table = co_membership(giant)
    assert len(table) == 2000 * 1999 // 2 and table.iloc[0].tolist() == ["1", "2", 2]
