"""s-components of both kinds: by hand, against line graphs by brute force, and through the fallback."""

from itertools import combinations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgwork import Hypergraph
from hgwork.datasets import heavy_tailed
from hgwork.topology import components as module
from hgwork.topology import overlap, s_components, s_ladder
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


def test_the_libraries_have_the_same_components_but_for_hyperedges_below_s():
    """HyperNetX, XGI and hypergraphx build the line graph, in which a hyperedge smaller than s stands alone as a
    component; here it takes no part. hypergraphx merges parallel hyperedges, so it is compared without them. Their
    components of s = 1 are of nodes."""
    hypergraphx, xgi = pytest.importorskip("hypergraphx"), pytest.importorskip("xgi")
    from hypergraphx.representations.projections import line_graph

    H = heavy_tailed(nodes=80, edges=160, rng=4)
    theirs, third = H.to_hypernetx(), xgi.Hypergraph(H.to_dict())
    once = H.simplify()
    fourth = hypergraphx.Hypergraph([tuple(held) for held in once.to_dict().values()])
    for s in (1, 2, 3):
        small = {frozenset([e]) for e, size in H.sizes.items() if size < s}
        ours = found(s_components(H, s))
        assert {frozenset(c) for c in theirs.s_connected_components(s=s, return_singletons=True)} == ours | small
        assert {frozenset(c) for c in nx.connected_components(xgi.to_line_graph(third, s=s))} == ours | small
        lines, names = line_graph(fourth, s=s)
        parts = {frozenset(frozenset(names[e]) for e in c) for c in nx.connected_components(lines)}
        held = {e: frozenset(nodes) for e, nodes in once.to_dict().items()}
        mine = {frozenset(held[e] for e in part) for part in found(s_components(once, s))}
        assert {part for part in parts if max(map(len, part)) >= s} == mine
        nodes = {frozenset(c) for c in theirs.s_connected_components(s=s, edges=False)}
        assert nodes == {part for part in found(s_components(H, s, "node")) if len(part) > 1}
    assert {frozenset(c) for c in xgi.connected_components(third)} == found(s_components(H, 1, "node"))


def test_many_links_are_contracted_on_the_way():
    H = Hypergraph.from_dict({i: [*range(80), f"own {i}"] for i in range(60)} | {"apart": ["u", "v", "w"]})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SUBSETS", 0)
        patch.setattr(module, "LINKS", 5)
        patch.setattr(overlap, "_BLOCK", 1000)
        assert s_components(H, 3).sizes.tolist() == [60, 1]
        assert s_components(H, 2, "node").sizes.tolist() == [80]
        assert s_components(H, 60, "node").sizes.tolist() == [80]


def test_a_large_s_takes_the_products_instead_of_listing_millions_of_subsets():
    H = Hypergraph.from_dict({"a": range(40), "b": range(21, 61), "c": range(20, 60)})
    # C(40, 20) is 138 thousand million
    assert s_components(H, 20).sizes.tolist() == [3] and s_components(H, 21).sizes.tolist() == [2, 1]
