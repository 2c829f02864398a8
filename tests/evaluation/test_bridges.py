"""Bridge recall on hypergraphs whose answer is plain to see."""

from __future__ import annotations

import pandas as pd
import pytest

from hgwork import Hypergraph
from hgwork.evaluation.bridges import bridge_recall, sample_bridges

# m joins a and b besides the hyperedge that holds all three; so does x; z hangs on a alone
H = Hypergraph.from_dict(
    {"abm": "abm", "am": "am", "mb": "mb", "ax": "ax", "xb": "xb", "az": "az"},
    edges={
        "abm": {"text": "a, b and m."},
        "am": {"text": "a with m."},
        "mb": {"text": "m with b."},
        "ax": {"text": "a with x."},
        "xb": {"text": "x with c."},
        "az": {"text": "a with z."},
    },
)
TRIPLE = pd.DataFrame([("a", "m", "b")], columns=["a", "m", "b"])


def recall_of(H, triples=TRIPLE, **settings):
    table = bridge_recall(H, triples, **{"s": [1], "k": [1, 3], "avoid_hubs": [0.0], "progress": False, **settings})
    return {(row.method, row.k): (row.found, row.candidates) for row in table.itertuples()}


def test_the_hyperedges_that_hold_all_three_are_gone_and_both_ways_are_found():
    found = recall_of(H)
    # ties by id: (am, mb) before (ax, xb); k = 3 adds x and no third path
    assert found["hyperpaths", 1] == (1, 1.0) and found["hyperpaths", 3] == (1, 2.0)
    assert found["clique graph", 3] == (1, 2.0)
    # sentences write a with m and m with b; x is never written with b
    assert found["sentences", 1] == (1, 1.0)


def test_a_middle_that_joins_nothing_else_is_not_found():
    dead = H.subgraph(edges=["abm", "am", "ax", "xb"])
    assert recall_of(dead)["hyperpaths", 3] == (0, 1.0)


def test_two_shared_nodes_are_asked_for_where_s_is_two():
    pair = Hypergraph.from_dict({"abm": "abm", "amx": "amx", "mxb": "mxb", "ay": "ay", "yb": "yb"})
    assert recall_of(pair, s=[2])["hyperpaths", 1] == (1, 2.0)  # by m and x together
    assert recall_of(H, s=[2])["hyperpaths", 3] == (0, 0.0)


def test_ends_and_sentences_may_be_removed_too():
    both = Hypergraph.from_dict(
        {"abm": "abm", "abq": "abq", "am": "am", "mb": "mb"}, edges={e: {"text": e} for e in ("abm", "abq")}
    )
    same = Hypergraph.from_dict(
        {"abm": "abm", "am": "am", "mb": "mb", "ax": "ax", "xb": "xb"},
        edges={
            "abm": {"text": "t"},
            "am": {"text": "t"},
            "mb": {"text": "u"},
            "ax": {"text": "v"},
            "xb": {"text": "w"},
        },
    )
    assert recall_of(both, remove="ends")["hyperpaths", 3] == (1, 1.0)
    assert recall_of(same, remove="together")["hyperpaths", 1] == (1, 1.0)
    assert recall_of(same, remove="sentence")["hyperpaths", 3] == (
        0,
        1.0,
    )  # am came from the removed sentence: x is left


def test_a_hub_is_passed_by_where_hubs_have_a_price():
    spokes = {f"h{i}": ["hub", f"leaf{i}"] for i in range(9)}
    wheel = Hypergraph.from_dict(
        {"all": ["a", "m", "b"], "ah": ["a", "hub"], "hb": ["hub", "b"], "x1": ["a", "m"], "x2": ["m", "b"], **spokes}
    )
    assert recall_of(wheel, k=[1])["hyperpaths", 1] == (0, 1.0)  # (ah, hb) comes first by id
    assert recall_of(wheel, k=[1], avoid_hubs=[1.0])["hyperpaths", 1] == (1, 1.0)


def test_differences_are_paired_and_zero_for_the_reference():
    table = bridge_recall(H, TRIPLE, s=[1, 2], k=[1], progress=False).set_index(["method", "s"]).sort_index()
    reference = table.loc[("hyperpaths", 1)].iloc[0]
    assert reference[["difference", "difference_low", "difference_high"]].tolist() == [0, 0, 0]
    assert table.loc[("hyperpaths", 2)].iloc[0]["difference"] == -1
    # Wilson, 1 of 1: the lower bound is 1 / (1 + z²) with z = 1.96
    assert reference["low"] == pytest.approx(1 / (1 + 1.959964**2), abs=1e-6) and reference["high"] == pytest.approx(1)


def test_triples_are_held_together_can_be_joined_otherwise_and_come_by_seed():
    drawn = sample_bridges(H, 10, rng=3)
    # only abm holds three; each of a, m, b stands in others too: one triple for each middle
    assert sorted(drawn["m"]) == ["a", "b", "m"] and (drawn["a"] < drawn["b"]).all()
    assert sample_bridges(H, 10, rng=3).equals(drawn)
    one = bridge_recall(H, 3, rng=5, progress=False)
    pd.testing.assert_frame_equal(one, bridge_recall(H, 3, rng=5, progress=False))


def test_without_triples_and_with_an_unknown_option_it_says_so():
    with pytest.raises(ValueError, match="no triple"):
        bridge_recall(Hypergraph.from_dict({"e": "abc"}), 5, progress=False)
    with pytest.raises(ValueError, match="'together', 'ends' or 'sentence'"):
        bridge_recall(H, TRIPLE, remove="all", progress=False)


def test_asked_for_other_links_the_second_way_is_named_where_parallel_statements_hide_it():
    crowd = {f"h{i}": ["a", "hub"] for i in range(4)} | {f"i{i}": ["hub", "b"] for i in range(4)}
    H = Hypergraph.from_dict({"abm": "abm", **crowd, "x": ["a", "m"], "y": ["m", "b"]})
    table = bridge_recall(H, TRIPLE, s=[1], k=[2], avoid_hubs=[0.0], links=True, progress=False).set_index("method")
    assert table.loc["hyperpaths", "found"] == 0 and table.loc["hyperpaths, links differ", "found"] == 1
