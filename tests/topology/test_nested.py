"""Containment, depth and chains: by hand and by brute force."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgwork import Hypergraph
from hgwork.topology import containment, containment_depth, maximal_chains
from tests.strategies import hypergraphs

NEST = {"a": "wxyz", "b": "xyz", "c": "xy", "d": "x", "e": "xyz", "f": "yz", "g": "q"}


def distinct(H):
    first = {}
    for edge, members in H.to_dict().items():
        first.setdefault(frozenset(members), edge)
    return {edge: members for members, edge in first.items() if members}


def test_by_hand():
    H = Hypergraph.from_dict(NEST)
    table = containment(H)
    pairs = set(zip(table["inner"], table["outer"], strict=True))
    assert pairs == {(i, "a") for i in "bcdf"} | {(i, "b") for i in "cdf"} | {("d", "c")}
    assert table.loc[(table["inner"] == "b"), "inner_copies"].tolist() == [2]
    assert containment_depth(H).to_dict() == {"a": 3, "b": 2, "c": 1, "d": 0, "e": 2, "f": 0, "g": 0}
    chains = maximal_chains(H).groupby("chain")["edge"].apply("".join)
    assert chains.tolist() == ["abcd", "abf"]
    assert maximal_chains(H, 1)["level"].tolist() == [3, 2, 1, 0]


@given(hypergraphs(max_nodes=6, max_edges=9, attributes=False), st.sampled_from([1, 64]))
def test_containment_is_proper_subset(H, large):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hgwork.topology.overlap.LARGE", large)
        table = containment(H)
        depth = containment_depth(H)
    sets = distinct(H)
    assert set(zip(table["inner"], table["outer"], strict=True)) == {
        (i, o) for i in sets for o in sets if sets[i] < sets[o]
    }
    assert len(table) == len(table.drop_duplicates(["inner", "outer"]))
    classes = H.edge_classes()
    assert table["inner_copies"].tolist() == [(classes == classes[e]).sum() for e in table["inner"]]

    def height(members):
        return max((1 + height(s) for s in sets.values() if s < members), default=0)

    assert depth.to_dict() == {edge: height(frozenset(members)) for edge, members in H.to_dict().items()}


def chains_by_force(sets):
    covers = {
        o: [i for i in sets if sets[i] < sets[o] and not any(sets[i] < m < sets[o] for m in sets.values())]
        for o in sets
    }

    def down(o):
        return [(o, *rest) for i in covers[o] for rest in down(i)] or [(o,)]

    tops = [o for o in sets if not any(sets[o] < m for m in sets.values())]
    return [chain for top in tops for chain in down(top) if len(chain) > 1]


@given(hypergraphs(max_nodes=5, max_edges=10, attributes=False), st.integers(1, 5))
def test_maximal_chains_are_all_and_longest_first(H, n):
    place = {edge: i for i, edge in enumerate(H.edges.index)}
    expected = sorted(chains_by_force(distinct(H)), key=lambda c: (-len(c), [place[e] for e in c]))
    for count in (n, 10_000):
        table = maximal_chains(H, count)
        assert [tuple(g["edge"]) for _, g in table.groupby("chain")] == expected[:count]


def test_bad_input_has_an_answer_or_a_clear_error():
    giant = [f"n{i}" for i in range(5_000)]
    for H in (
        Hypergraph.from_dict({}),
        Hypergraph.from_dict({"a": []}),
        Hypergraph.from_dict({i: [i] for i in range(100)}),
        Hypergraph.from_dict(dict.fromkeys(range(10000), "xyz")),
        Hypergraph.from_dict({"g": giant}),
    ):
        assert containment(H).empty and maximal_chains(H).empty and (containment_depth(H) == 0).all()
    H = Hypergraph.from_dict({"g": giant, "h": giant[1:], "a": giant[:1], "b": giant[5:8]})
    assert containment_depth(H).tolist() == [2, 1, 0, 0]
    with pytest.raises(ValueError, match="n=0"):
        maximal_chains(H, 0)
