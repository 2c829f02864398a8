"""Projections against the paper's example, worked by hand, and against brute force on few nodes."""

from collections import Counter
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgwork import Hypergraph
from hgwork.topology.projections import PROJECTIONS, project, projection_losses, same_clique_expansion

S, B, D, E = "Sally", "Bob", "David", "Ella"
ELLIPSIS = {"Paper 1": [S, B, D, E]}


def links(graph):
    return {frozenset(link) for link in graph.edges}


def pairs(*names):
    return {frozenset(name) for name in names}


def test_the_papers_example_gives_the_papers_triples():
    H = Hypergraph.from_dict(ELLIPSIS, edges={"Paper 1": {"relation": "are co-authors of"}})
    paper = ("edge", "Paper 1")
    expected = {
        "clique": pairs((S, B), (S, D), (S, E), (B, D), (B, E), (D, E)),
        "star": pairs(*((("node", name), paper) for name in (S, B, D, E))),
        "collapsed": pairs((("group", (B, D, E, S)), paper)),
        "cycle": pairs((S, B), (B, D), (D, E), (E, S)),
        "chain": pairs((S, B), (B, D), (D, E)),
    }
    for kind in PROJECTIONS:
        graph = project(H, kind)
        assert links(graph) == expected[kind]
        assert all(
            row == (1, ("Paper 1",), ("are co-authors of",))
            for row in (tuple(d.values()) for *_, d in graph.edges.data())
        )


def test_what_the_papers_example_loses_by_hand():
    table = projection_losses(Hypergraph.from_dict(ELLIPSIS))
    assert table["edges"].to_dict() == {"hypergraph": 1, "clique": 6, "star": 4, "collapsed": 1, "cycle": 4, "chain": 3}
    assert table.index[table["individuals"]].tolist() == ["hypergraph", "clique", "star", "cycle", "chain"]
    assert table.index[table["group"]].tolist() == ["hypergraph", "star", "collapsed"]
    assert table.index[table["multiplicity"]].tolist() == ["hypergraph", "star", "collapsed"]
    assert table.index[table["reconstructs"]].tolist() == ["hypergraph", "star", "collapsed"]
    assert table.index[table["equal_members"].eq(False).fillna(False)].tolist() == ["chain"]
    assert table.index[~table["order_free"]].tolist() == ["cycle", "chain"]
    assert table.loc["chain", ["degree_low", "degree_high", "distance"]].tolist() == [1, 2, 3]
    assert table.loc["clique", "clustering"] == 1 and table.loc["star", "clustering"] == 0


def test_weight_counts_hyperedges_and_ids_are_kept():
    graph = project(Hypergraph.from_dict({"a": "xyz", "b": "yx", "c": "yz"}), "clique")
    assert {frozenset((u, v)): (d["weight"], d["edge"]) for u, v, d in graph.edges(data=True)} == {
        frozenset("xy"): (2, ("a", "b")),
        frozenset("xz"): (1, ("a",)),
        frozenset("yz"): (2, ("a", "c")),
    }


def test_members_come_in_incidence_order_not_table_order():
    H = Hypergraph.from_dict({"first": "abc", "second": "cab"})
    assert links(project(H.subgraph(edges=["second"]), "chain")) == pairs("ca", "ab")


def test_singletons_and_empty_hyperedges_give_no_link_and_pairs_one():
    H = Hypergraph.from_dict({"one": "x", "none": [], "two": "yz"})
    for kind in ("clique", "cycle", "chain"):
        assert links(project(H, kind)) == pairs("yz")
    assert project(H, "star").number_of_nodes() == 6
    with pytest.raises(ValueError, match="'ring' is unknown"):
        project(H, "ring")


def test_two_hypergraphs_share_a_clique_expansion():
    one, two = same_clique_expansion()
    assert {frozenset(x) for x in one.to_dict().values()} != {frozenset(x) for x in two.to_dict().values()}
    assert set(one.nodes.index) == set(two.nodes.index)
    assert links(project(one)) == links(project(two))


hyperedges = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=4, unique=True), min_size=1, max_size=4)


@given(hyperedges)
def test_links_agree_with_the_definitions(groups):
    H = Hypergraph.from_dict(dict(enumerate(groups)))
    clique = Counter(frozenset(pair) for group in groups for pair in combinations(sorted(group), 2))
    graph = project(H, "clique")
    assert {frozenset(link): graph.edges[link]["weight"] for link in graph.edges} == clique
    chain = {frozenset(g[i : i + 2]) for g in groups for i in range(len(g) - 1)}
    assert links(project(H, "chain")) == chain
    assert links(project(H, "cycle")) == chain | {frozenset((g[0], g[-1])) for g in groups if len(g) > 1}
    assert project(H, "star").number_of_edges() == sum(map(len, groups))
    assert project(H, "collapsed").number_of_edges() == len(groups)


CANDIDATES = [frozenset(c) for size in (2, 3, 4) for c in combinations("abcd", size)]


def images(group, kind):
    """Every link set that one hyperedge can give, over all orders of its members."""
    out = set()
    for g in permutations(sorted(group)):
        path = {frozenset(g[i : i + 2]) for i in range(len(g) - 1)}
        every = {frozenset(pair) for pair in combinations(g, 2)}
        out.add(frozenset({"clique": every, "chain": path, "cycle": path | {frozenset((g[0], g[-1]))}}[kind]))
    return out


def readings(target, kind):
    """Every set of hyperedges on a, b, c, d whose graph can be the target, by trying all."""
    fitting = [(group, [i for i in images(group, kind) if i <= target]) for group in CANDIDATES]
    found = {frozenset(): {frozenset()}}  # links covered -> sets of hyperedges that cover them
    for group, shapes in fitting:
        for covered, sets in list(found.items()):
            for shape in shapes:
                found.setdefault(covered | shape, set()).update(chosen | {group} for chosen in list(sets))
    return found.get(frozenset(target), set())


@pytest.mark.parametrize("kind", ["clique", "cycle", "chain"])
@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(st.sampled_from("abcd"), min_size=2, max_size=4, unique=True), min_size=1, max_size=3))
def test_reconstructs_just_when_brute_force_finds_one_reading(kind, groups):
    H = Hypergraph.from_dict(dict(enumerate(groups)))
    parallel = len({frozenset(g) for g in groups}) < len(groups)
    only = len(readings(links(project(H, kind)), kind)) == 1
    assert projection_losses(H).loc[kind, "reconstructs"] == (only and not parallel)
