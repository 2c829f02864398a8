"""Personalised PageRank against networkx; seeds, weights and ties as stated."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgwork import Hypergraph
from hgwork.lookup import pagerank, pagerank_scores
from tests.strategies import hypergraphs


@given(hypergraphs(attributes=False), st.data())
def test_scores_are_those_of_networkx(H, data):
    """With isolated seeds, empty hyperedges, parallel hyperedges and unreachable parts."""
    graph = nx.Graph((("node", n), ("edge", e)) for e, members in H.to_dict().items() for n in members)
    vertices = [*(("node", n) for n in H.nodes.index), *(("edge", e) for e in H.edges.index)]
    graph.add_nodes_from(vertices)
    if not vertices:
        return
    weights = st.floats(0.01, 100)
    chosen = data.draw(st.dictionaries(st.sampled_from(vertices), weights, min_size=1, max_size=4))
    damping = data.draw(st.sampled_from([0.0, 0.5, 0.85, 0.95]))
    seeds = {name: w for (kind, name), w in chosen.items() if kind == "node"}
    edge_seeds = {name: w for (kind, name), w in chosen.items() if kind == "edge"}
    nodes, edges = pagerank_scores(H, seeds, damping, edge_seeds=edge_seeds)
    expected = nx.pagerank(graph, damping, personalization=chosen, tol=1e-13, max_iter=10_000)
    assert np.concatenate([nodes, edges]).tolist() == pytest.approx([expected[v] for v in vertices], abs=1e-8)
    reached = set().union(*(nx.node_connected_component(graph, v) for v in chosen))
    assert all((score > 0) == (("node", name) in reached) for name, score in nodes.items()) or damping == 0
    table = pagerank(H, seeds, damping, edge_seeds=edge_seeds)
    assert len(table) == len(vertices) and table["score"].sum() == pytest.approx(1)
    assert table["score"].round(12).is_monotonic_decreasing


def test_one_step_by_hand():
    # One hyperedge of x and y, seed x, d = 1/2: p(a) = d (p(x) + p(y)), p(y) = d p(a) / 2, p(x) = 1/2 + d p(a) / 2;
    # so p(a) = 1/4 + p(a)/4, p(a) = 1/3, p(y) = 1/12 and p(x) = 7/12.
    nodes, edges = pagerank_scores(Hypergraph.from_dict({"a": "xy"}), "x", 0.5)
    assert [*nodes, *edges] == pytest.approx([7 / 12, 1 / 12, 1 / 3], abs=1e-9)


def test_weights_matter_in_proportion_only():
    H = Hypergraph.from_dict({"a": "xy", "b": "yzw", "c": "wx"})
    plain = pagerank(H, {"x": 1, "z": 3})
    assert pagerank(H, {"x": 1e300, "z": 3e300}).equals(plain)
    assert pagerank(H, pd.Series({"x": 2, "z": 6})).equals(plain)
    assert pagerank(H, {"x": 1, "z": 3, "y": 0}).equals(plain)
    assert pagerank(H, ["x", "z"]).equals(pagerank(H, {"z": 5, "x": 5}))


def test_ties_are_nodes_first_then_table_order():
    H = Hypergraph.from_dict({"e2": ["n9", "b"], "e1": ["n9", "a"]})
    table = pagerank(H, "n9")
    assert table["name"].tolist()[1:] == ["e2", "e1", "b", "a"]
    assert pagerank(H, "n9", top=1)[["kind", "name"]].values.tolist() == [["node", "n9"], ["edge", "e2"]]
    lone = Hypergraph.from_dict({"e": []}, nodes={"n": {}})
    assert pagerank(lone, "n", edge_seeds="e")["name"].tolist() == ["n", "e"]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"seeds": "w"}, KeyError, "no node is named 'w'"),
        ({"edge_seeds": "w"}, KeyError, "no hyperedge is named 'w'"),
        ({}, ValueError, "no seed"),
        ({"seeds": {"x": 0}}, ValueError, "no seed"),
        ({"seeds": {"x": -1}}, ValueError, "weight -1"),
        ({"seeds": {"x": float("nan")}}, ValueError, "weight nan"),
        ({"seeds": "x", "damping": 1}, ValueError, "damping=1"),
        ({"seeds": "x", "damping": float("nan")}, ValueError, "damping=nan"),
        ({"seeds": "x", "tolerance": 0}, ValueError, "tolerance=0"),
        ({"seeds": "x", "top": -1}, ValueError, "top=-1"),
    ],
)
def test_bad_arguments_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        pagerank(Hypergraph.from_dict({"a": "xy"}), **arguments)
