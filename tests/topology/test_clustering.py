"""Clustering coefficients by hand, against XGI and networkx, sampled against exact."""

import sys

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgwork import Hypergraph
from hgwork.datasets import heavy_tailed
from hgwork.topology import clustering
from tests.strategies import hypergraphs

module = sys.modules["hgwork.topology.clustering"]


def as_xgi(H):
    xgi = pytest.importorskip("xgi")
    graph = xgi.Hypergraph()
    graph.add_nodes_from(range(H.shape[1]))
    place = {name: i for i, name in enumerate(H.nodes.index)}
    held = (members for members in H.to_dict().values() if members)
    for i, members in enumerate(held):  # XGI's local coefficient takes ids for positions: they must be 0, 1, 2, …
        graph.add_edge([place[m] for m in members], i)
    return xgi, graph


def test_by_hand():
    # x meets y, z, w: of three pairs only y-z is linked. E_x = {a, c, d}; with y and z it shares 1 of 4, with w 1 of 3.
    # Pairs of hyperedges at x: (a, c) is joined by y-z, 2 of 2; (a, d) and (c, d) are not: 1/3.
    row = clustering(Hypergraph.from_dict({"a": "xy", "b": "yz", "c": "zx", "d": "xw"})).loc["x"]
    assert row.tolist() == pytest.approx([3, 1 / 3, (1 / 4 + 1 / 4 + 1 / 3) / 3, 1 / 3])


def test_asked_for_one_kind_the_others_are_left_out_and_the_values_are_the_same():
    H = Hypergraph.from_dict({"a": "xy", "b": "yz", "c": "zx", "d": "xw"})
    for kind in ("projection", "shared", "extra_overlap"):
        some = clustering(H, kinds=[kind])
        assert some.columns.tolist() == ["neighbours", kind] and some.equals(clustering(H)[["neighbours", kind]])
    with pytest.raises(ValueError, match=r"kinds=.'local'.: the clustering coefficients are"):
        clustering(H, kinds=["local"])


def test_one_hyperedge_is_closed_on_the_clique_expansion_only():
    table = clustering(Hypergraph.from_dict({"a": "xyz"}))
    assert table.mean().to_dict() == {"neighbours": 2, "projection": 1, "shared": 1, "extra_overlap": 0}


@given(hypergraphs(max_nodes=7, max_edges=7, attributes=False))
def test_all_three_agree_with_xgi(H):
    table = clustering(H, pairs=None)
    xgi, graph = as_xgi(H)
    if not len(H) or not H.shape[1]:
        assert (table == 0).all(axis=None)
        return
    for column, function in (
        ("projection", xgi.clustering_coefficient),
        ("shared", xgi.two_node_clustering_coefficient),
        ("extra_overlap", xgi.local_clustering_coefficient),
    ):
        theirs = function(graph)
        assert table[column].tolist() == pytest.approx([theirs[i] for i in range(H.shape[1])])


@pytest.mark.parametrize("seed", range(3))
def test_the_projection_agrees_with_networkx_where_hubs_and_twins_are(seed):
    H = heavy_tailed(300, 600, rng=seed)
    table = clustering(H, pairs=1)
    graph = H.to_networkx("clique")
    assert table["projection"].to_dict() == pytest.approx(nx.clustering(graph))
    assert table["neighbours"].to_dict() == dict(graph.degree)


def test_drawn_pairs_estimate_the_same_mean():
    H = heavy_tailed(300, 900, rng=1)
    exact, drawn = clustering(H, pairs=None), clustering(H, pairs=2_000, rng=1)
    hubs = H.degrees.nlargest(10).index
    assert (np.abs(exact.loc[hubs, "extra_overlap"] - drawn.loc[hubs, "extra_overlap"]) < 0.05).all()
    assert drawn.equals(clustering(H, pairs=2_000, rng=1))
    few = H.degrees.index[H.degrees < 60]
    assert drawn.loc[few].equals(exact.loc[few])


@given(hypergraphs(attributes=False), st.integers(0, 99))
def test_blocks_and_draws_change_nothing_where_all_pairs_are_taken(H, rng):
    with pytest.MonkeyPatch.context() as patch:
        exact = clustering(H, pairs=None)
        patch.setattr(sys.modules["hgwork.topology.overlap"], "_BLOCK", 3)
        assert np.allclose(exact, clustering(H, pairs=1_000, rng=rng))


def test_bad_input_has_an_answer_or_a_clear_error():
    assert clustering(Hypergraph.from_dict({})).empty
    assert clustering(Hypergraph.from_dict({i: [i] for i in range(50)})).to_numpy().sum() == 0
    giant = [f"n{i}" for i in range(5_000)]
    table = clustering(Hypergraph.from_dict({"giant": giant, "a": ["n0", "n1"], "b": ["n0", "p"]}))
    assert table.loc["n9", ["neighbours", "projection"]].tolist() == [4999, 1]
    # n0 has 5,000 neighbours, p linked to none of the others
    assert table.loc["n0", "projection"] == pytest.approx(4999 * 4998 / (5000 * 4999))
    copies = clustering(Hypergraph.from_dict(dict.fromkeys(range(10000), "xyz")))
    assert copies["extra_overlap"].tolist() == [0, 0, 0] and copies["shared"].tolist() == [1, 1, 1]
    two = Hypergraph.from_dict({"g": giant, "h": [*giant[2_500:], "z"]})
    with pytest.raises(ValueError, match="too dense to count triangles"):
        clustering(two)
    with pytest.raises(ValueError, match="pairs=0"):
        clustering(two, pairs=0)


def test_too_many_lookups_are_refused(monkeypatch):
    monkeypatch.setattr(module, "LOOKUPS", 3)
    with pytest.raises(ValueError, match="Draw fewer pairs"):
        clustering(Hypergraph.from_dict({"a": "xyz", "b": "xw"}))
