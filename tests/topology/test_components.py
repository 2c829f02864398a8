"""s-components of both kinds: by hand, against line graphs by brute force, and through the fallback."""

from itertools import combinations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgwork import Hypergraph
from hgwork.topology import components as module
from hgwork.topology import s_components, s_ladder
from tests.strategies import hypergraphs


def brute(sets, s):
    graph = nx.Graph()
    graph.add_nodes_from(name for name, held in sets.items() if len(held) >= s)
    graph.add_edges_from((a, b) for a, b in combinations(graph, 2) if len(sets[a] & sets[b]) >= s)
    return {frozenset(c) for c in nx.connected_components(graph)}


def found(result):
    groups = {}
    for name, label in result.labels.items():
        groups.setdefault(label, set()).add(name)
    groups.pop(-1, None)
    assert result.sizes.tolist() == [len(groups[k]) for k in sorted(groups)]
    assert result.sizes.is_monotonic_decreasing
    return {frozenset(g) for g in groups.values()}


def test_edge_components_by_hand():
    H = Hypergraph.from_dict({"a": "wxy", "b": "xyz", "c": "yz", "d": "zq", "e": "q"})
    assert found(s_components(H, 1)) == {frozenset("abcde")}
    assert found(s_components(H, 2)) == {frozenset("abc"), frozenset("d")}
    assert s_components(H, 2, drop_singletons=True).sizes.tolist() == [3]
    assert s_components(H, 2).labels.to_dict() == {"a": 0, "b": 0, "c": 0, "d": 1, "e": -1}
    assert s_components(H, 9).sizes.empty and (s_components(H, 9).labels == -1).all()


def test_node_components_by_hand():
    H = Hypergraph.from_dict({"a": "xy", "b": "xyz", "c": "zw"}, nodes={"lone": {}})
    assert found(s_components(H, 1, "node")) == {frozenset("xyzw")}
    assert found(s_components(H, 2, "node")) == {frozenset("xy"), frozenset("z")}
    assert s_components(H, 2, "node").members(0) == ["x", "y"]


@pytest.mark.parametrize(
    ("s", "kind", "message"), [(0, "edge", "s=0"), (1.5, "edge", "s=1.5"), (1, "both", "kind='both'")]
)
def test_bad_arguments_are_refused(s, kind, message):
    with pytest.raises(ValueError, match=message):
        s_components(Hypergraph.from_dict({"a": "x"}), s, kind)


@given(hypergraphs(), st.integers(1, 4), st.sampled_from([0, 6, 20_000_000]))
def test_edge_components_agree_with_the_line_graph_listed_or_multiplied(H, s, limit):
    sets = {e: set(nodes) for e, nodes in H.to_dict().items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SUBSETS", limit)
        assert found(s_components(H, s)) == brute(sets, s)


@given(hypergraphs(), st.integers(1, 4))
def test_node_components_agree_with_shared_hyperedges(H, s):
    sets = {n: set(H.incident(n)) for n in H.nodes.index}
    assert found(s_components(H, s, "node")) == brute(sets, s)


def test_one_giant_hyperedge_and_ten_thousand_copies():
    giant = Hypergraph.from_dict({"g": range(5000), "h": range(4990, 5010), "i": [1, 2]})
    assert s_components(giant, 8).sizes.tolist() == [2]
    copies = Hypergraph.from_dict(dict.fromkeys(range(10000), "xyz"))
    assert s_components(copies, 3).sizes.tolist() == [10_000]
    assert s_components(copies, 3, "node").sizes.tolist() == [3]


def test_the_ladder_names_components_by_their_most_used_concepts():
    H = Hypergraph.from_dict({"a": ["silk", "gel", "cell"], "b": ["silk", "gel"], "c": ["ion", "silk"]})
    ladder = s_ladder(H, s=(1, 2), top=2)
    assert ladder[["s", "size", "concepts"]].values.tolist() == [
        [1, 3, "silk, gel"],
        [2, 2, "silk, gel"],
        [2, 1, "silk, ion"],
    ]
