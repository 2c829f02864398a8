"""Hubs: by hand, by brute force, against networkx, HyperNetX and XGI, and the published ratios."""

from itertools import combinations

import networkx as nx
import pytest
from hypothesis import given

import hgwork as hg
from hgwork import Hypergraph
from hgwork.topology import hub_integration, hub_network, hub_table, top_hubs
from tests.strategies import hypergraphs


def test_the_toy_by_hand():
    H = hg.datasets.load("toy")
    table = hub_table(H, n=5)
    assert table.index.tolist() == ["Sally", "Bob", "David", "Ella", "Carol"]  # Bob, David, Ella: 4 each, table order
    sally, carol = table.loc["Sally"], table.loc["Carol"]
    # Sally wrote with Bob (papers 1 2 4 8), David (1 4 10), Ella (1 10); the three wrote with each other
    assert sally.tolist() == [6, 0.6, 3, 0.5, 1.0, "Bob (4), David (3), Ella (2)"]
    # Carol wrote with Ella, Frank, Grace; of their three pairs only Frank and Grace wrote together
    assert carol.tolist() == [3, 0.3, 3, 1.0, pytest.approx(1 / 3), "Frank (2), Ella (1), Grace (1)"]


def test_the_toys_hub_network_by_hand():
    H = hg.datasets.load("toy")
    network = hub_network(H, n=4, min_shared=2)
    assert {frozenset(e): w for *e, w in network.edges(data="weight")} == {
        frozenset(("Sally", "Bob")): 4,
        frozenset(("Sally", "David")): 3,
        frozenset(("Sally", "Ella")): 2,
        frozenset(("Bob", "David")): 2,
        frozenset(("David", "Ella")): 3,
    }
    assert dict(network.nodes(data="degree")) == {"Sally": 6, "Bob": 4, "David": 4, "Ella": 4}
    assert nx.density(network) == pytest.approx(5 / 6)
    # Sally: 2 of 3 pairs of neighbours; Bob 1 of 1; David 2 of 3; Ella 1 of 1
    assert nx.average_clustering(network) == pytest.approx((2 / 3 + 1 + 2 / 3 + 1) / 4)
    # Bob and Ella share one paper: 4 + 3 + 2; 3 + 2 + 3; 4 + 2 + 1; 2 + 1 + 3
    assert hub_integration(H, n=4).to_dict() == {"Sally": 9, "David": 8, "Bob": 7, "Ella": 6}


def test_the_published_ratios_are_neighbours_over_degree():
    """Table 2 calls it a density. Two rows are misprinted there: PCL 0.786888, biodegradability 0.652326."""
    rows = {
        "scaffolds": (5440, 11157, 0.487586), "biocompatibility": (4103, 5329, 0.769938),
        "chitosan": (3697, 5211, 0.709461), "bone tissue engineering": (2153, 4148, 0.519045),
        "mechanical properties": (2980, 3521, 0.84635), "cells": (2068, 3360, 0.615476),
        "proliferation": (2126, 2182, 0.974335), "alginate": (1591, 1847, 0.861397),
    }  # fmt: skip
    for neighbours, degree, printed in rows.values():
        assert round(neighbours / degree, 6) == printed
    assert round(2651 / 3369, 6) == 0.786880 and round(1717 / 2632, 6) == 0.652356


def test_the_published_hub_network_is_dense_by_its_own_counts():
    assert round(207 / (30 * 29 / 2), 3) == 0.476
    assert round(100 * 11157 / 320201, 3) == 3.484  # printed 3.60 %


@given(hypergraphs(attributes=False))
def test_hubs_agree_with_brute_force_and_networkx(H):
    sets = [set(nodes) for nodes in H.to_dict().values()]
    graph = H.to_networkx("clique")
    table = hub_table(H, n=10, top=2)
    assert table["degree"].is_monotonic_decreasing
    for name, row in table.iterrows():
        around = {n for held in sets if name in held for n in held} - {name}
        assert row["degree"] == sum(name in held for held in sets)
        assert row["neighbours"] == len(around) == graph.degree(name)
        if len(around) > 1:
            assert row["ego_density"] == pytest.approx(nx.density(graph.subgraph(around)))
        else:
            assert row["ego_density"] != row["ego_density"]
    shared = {(a, b): sum({a, b} <= held for held in sets) for a, b in combinations(H.nodes.index, 2)}
    network = hub_network(H, n=10, min_shared=2)
    assert {frozenset(e): w for *e, w in network.edges(data="weight")} == {
        frozenset(pair): n for pair, n in shared.items() if n >= 2
    }
    score = hub_integration(H, n=10)
    assert score.is_monotonic_decreasing
    assert score.to_dict() == {v: sum(n for pair, n in shared.items() if v in pair) for v in H.nodes.index}


def test_integration_counts_the_chosen_hubs_only():
    H = Hypergraph.from_dict({"a": "xyz", "b": "xy", "c": "x"})
    assert hub_integration(H, n=2).to_dict() == {"x": 2, "y": 2}
    assert hub_integration(H, n=1).to_dict() == {"x": 0}


def test_hypernetx_and_xgi_have_the_same_neighbours():
    xgi = pytest.importorskip("xgi")
    H = hg.datasets.heavy_tailed(nodes=150, edges=300, rng=2)
    theirs, third = H.to_hypernetx(), xgi.Hypergraph(H.to_dict())
    for name, row in hub_table(H, n=10).iterrows():
        assert row["degree"] == theirs.degree(name) == third.nodes.degree[name]
        assert row["neighbours"] == len(theirs.neighbors(name)) == len(third.nodes.neighbors(name))


def test_more_hubs_than_nodes_are_all_nodes_and_fewer_than_none_are_refused():
    H = Hypergraph.from_dict({"a": "xyz", "b": "xy"}, nodes={"lone": {}})
    assert len(top_hubs(H, 99)) == len(hub_table(H, 99)) == 4 and hub_table(H, 0).empty
    assert hub_table(H, 99).loc["lone", ["degree", "neighbours", "top_co_members"]].tolist() == [0, 0, ""]
    assert hub_network(H, 99, min_shared=10**9).number_of_edges() == 0
    with pytest.raises(ValueError, match="n=-1"):
        hub_table(H, -1)
    with pytest.raises(ValueError, match="min_shared=0"):
        hub_network(H, min_shared=0)
