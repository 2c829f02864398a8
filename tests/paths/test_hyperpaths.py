"""Hyperpaths by hand: definitions, options, order, refusals."""

import os
import subprocess
import sys

import pandas as pd
import pytest

from hgwork import Hypergraph
from hgwork.datasets import heavy_tailed
from hgwork.paths import hyperpaths, prepare


def edges(*arguments, **options):
    return ["".join(path.edges) for path in hyperpaths(*arguments, **options)]


@pytest.fixture
def ladder():
    """u reaches v by a-b (sharing y), by a-c (sharing x, y: the stronger link), by a-b-c and a-c-b."""
    return Hypergraph.from_dict({"a": ["u", "x", "y"], "b": ["y", "v"], "c": ["x", "y", "v"]})


def test_more_shared_nodes_come_first_at_equal_length(ladder):
    assert edges(ladder, "u", "v") == ["ac", "ab"]
    assert [path.shared for path in hyperpaths(ladder, "u", "v")] == [(("x", "y"),), (("y",),)]


def test_ids_as_text_settle_what_is_left():
    H = Hypergraph.from_dict({"9": "uy", "z": "yv", "10": "yv", "B": "yv"})  # "10" < "B" < "z" as text
    assert [path.edges for path in hyperpaths(H, "u", "v")] == [("9", "10"), ("9", "B"), ("9", "z")]
    assert [path.edges for path in hyperpaths(H, "u", "v", k=1)] == [("9", "10")]


def test_longer_paths_follow_only_where_they_may_pass_through_the_target(ladder):
    assert edges(ladder, "u", "v", k=9) == ["ac", "ab"]
    # b and c share y and v: a-c-b shares 2 + 2 nodes, a-b-c 1 + 2
    assert edges(ladder, "u", "v", k=9, through_target=True) == ["ac", "ab", "acb", "abc"]


def test_at_least_and_exactly_s(ladder):
    assert edges(ladder, "u", "v", s=2) == ["ac"]
    assert edges(ladder, "u", "v", s=1, intersection="exactly") == ["ab"]
    assert edges(ladder, "u", "v", s=2, intersection="exactly") == ["ac"]
    assert edges(ladder, "u", "v", s=3) == []


@pytest.mark.parametrize("s", [1, 2, 5])
def test_one_hyperedge_that_holds_both_is_the_path_whatever_s(ladder, s):
    assert edges(ladder, "x", "u", s=s, k=1) == ["a"]


def test_without_the_shortcut_a_shared_hyperedge_is_no_path():
    H = Hypergraph.from_dict({"a": "uv", "b": "ux", "c": "xv"})
    assert edges(H, "u", "v") == ["a", "bc"]
    assert edges(H, "u", "v", shortcut=False) == ["bc"]
    # through the target, every sequence from a or b to a or c counts: any two share one node
    assert edges(H, "u", "v", shortcut=False, through_target=True, k=9) == ["ac", "ba", "bc", "abc", "bac", "bca"]


def test_parallel_hyperedges_are_paths_of_their_own_unless_members_are_asked_for():
    H = Hypergraph.from_dict({"b": "uy", "a": "uy", "c": "yv"})
    assert edges(H, "u", "v") == ["ac", "bc"]
    assert edges(H, "u", "v", distinct="members") == ["ac"]
    assert edges(H, "u", "y", distinct="members") == ["a"]


def test_parallel_hyperedges_of_other_roles_stay_apart_when_directed():
    rows = [("a", "u", "target"), ("a", "y", "source"), ("b", "u", "source"), ("b", "y", "target")]
    H = Hypergraph.from_frame(pd.DataFrame(rows, columns=["edge", "node", "role"]))
    assert edges(H, "u", "y", distinct="members") == ["a"]
    assert edges(H, "u", "y", distinct="members", directed=True) == ["b"]


def test_direction_follows_source_to_target_and_members_are_both():
    rows = [("a", "u", "source"), ("a", "y", "target"), ("b", "y", "source"), ("b", "v", "target")]
    rows += [("c", "v", "member"), ("c", "u", "member")]
    H = Hypergraph.from_frame(pd.DataFrame(rows, columns=["edge", "node", "role"]))
    assert edges(H, "u", "v", directed=True) == ["c", "ab"]
    assert edges(H, "v", "u", directed=True) == ["c"]
    assert edges(H, "v", "u") == ["c", "ba"]
    assert edges(H, "v", "y", directed=True) == ["ca"]


def test_directed_steps_count_only_targets_that_become_sources():
    rows = [("a", node, "target") for node in "xy"] + [("a", "u", "source")]
    rows += [("b", "x", "source"), ("b", "y", "target"), ("b", "v", "target")]
    H = Hypergraph.from_frame(pd.DataFrame(rows, columns=["edge", "node", "role"]))
    assert edges(H, "u", "v", s=2) == ["ab"]
    assert edges(H, "u", "v", s=2, directed=True) == []
    assert hyperpaths(H, "u", "v", directed=True)[0].shared == (("x",),)


def test_a_price_on_hubs_takes_the_longer_way_round():
    # hub has degree 8, the highest; p and q have degree 2, and log 2 / log 8 = 1/3
    H = Hypergraph.from_dict(
        {"a": ["u", "hub"], "b": ["hub", "v"], "c": ["u", "p"], "d": ["p", "q"], "e": ["q", "v"]}
        | {f"z{i}": ["hub"] for i in range(6)}
    )
    assert edges(H, "u", "v", k=1) == edges(H, "u", "v", k=1, avoid_hubs=None) == ["ab"]
    found = hyperpaths(H, "u", "v", k=2, avoid_hubs=3.0)
    # a-b: 1 + (1 + 3 * 1) = 5; c-d-e: 1 + 2 * (1 + 3 / 3) = 5, less the rounding of 1/3 to 0.333333
    assert [("".join(path.edges), path.cost) for path in found] == [("cde", 1 + 2 * 1.999999), ("ab", 5.0)]
    assert edges(H, "u", "v", k=2, avoid_hubs=3.0, max_length=2) == ["ab"]


def test_waypoints_are_met_in_order_and_may_be_alternatives():
    H = Hypergraph.from_dict({"a": "up", "b": "pq", "c": "qv", "d": "pv", "e": "qr"})
    assert edges(H, "u", "v", k=1) == ["ad"]
    assert edges(H, "u", "v", k=1, via="q") == edges(H, "u", "v", k=1, via=["p", "q"]) == ["abc"]
    assert edges(H, "u", "v", k=1, via=[["q", "p"]]) == ["ad"]
    # to r through e, and from there back through e's neighbours
    assert edges(H, "u", "v", k=1, via=["r"]) == ["abec"]
    # r, then p: b comes again, after the waypoint; b-c and b-d tie, and c comes first
    assert edges(H, "u", "v", k=2, via=["r", "p"]) == ["abebc", "abebd"]


def test_a_waypoint_out_of_reach_gives_no_path():
    H = Hypergraph.from_dict({"a": "uv", "b": "w"})
    assert edges(H, "u", "v", via=["w"]) == []


def test_forbidden_nodes_stand_in_no_hyperedge(ladder):
    assert edges(ladder, "u", "v", forbid="x") == []  # a holds x
    H = Hypergraph.from_dict({"a": "uy", "b": "yxv", "c": "yv"})
    assert edges(H, "u", "v", forbid=["x"]) == ["ac"]


def test_several_sources_and_targets():
    H = Hypergraph.from_dict({"a": "uy", "b": "yv", "c": "ty", "d": "yw"})
    assert edges(H, ["u", "t"], ["v", "w"], k=9) == ["ab", "ad", "cb", "cd"]
    found = hyperpaths(H, ["t", "u"], ["w", "v"], k=1)[0]
    assert (found.source, found.target) == ("u", "v")


def test_source_and_target_alike_give_the_hyperedges_that_hold_it(ladder):
    assert edges(ladder, "u", "u") == ["a"]
    assert edges(ladder, "y", "y") == ["a", "b", "c"]


def test_no_path_is_an_empty_list():
    H = Hypergraph.from_dict({"a": "uu", "b": "v", "c": []}, nodes={"lone": {}})
    assert edges(H, "u", "v") == edges(H, "u", "lone") == edges(H, "lone", "lone") == []
    assert edges(H, "v", "v") == ["b"]


def test_max_length_cuts_off():
    H = Hypergraph.from_dict({"a": "ux", "b": "xy", "c": "yv"})
    assert edges(H, "u", "v", max_length=3) == ["abc"]
    assert edges(H, "u", "v", max_length=2) == []


def test_ties_beyond_number_are_not_listed():
    # 12 ranks of 30 parallel hyperedges: 30 ** 12 shortest paths
    H = Hypergraph.from_dict({f"{i:02d}.{j:02d}": [f"n{i}", f"n{i + 1}"] for i in range(12) for j in range(30)})
    found = hyperpaths(H, "n0", "n12", k=31)
    first = tuple(f"{i:02d}.00" for i in range(12))
    assert found[0].edges == first
    assert [path.edges[-1] for path in found[:30]] == [f"11.{j:02d}" for j in range(30)]
    assert found[30].edges == (*first[:10], "10.01", "11.00")


@pytest.mark.parametrize(
    "change, message",
    [
        ({"s": 0}, "s=0"),
        ({"s": 1.5}, "s=1.5"),
        ({"k": 0}, "k=0"),
        ({"max_length": 0}, "max_length=0"),
        ({"avoid_hubs": -1}, "avoid_hubs=-1"),
        ({"intersection": "some"}, "intersection='some'"),
        ({"distinct": "nodes"}, "distinct='nodes'"),
        ({"forbid": ["u"]}, "'u' is source and forbidden"),
        ({"forbid": "v"}, "'v' is target and forbidden"),
        ({"via": ["x"], "forbid": "x"}, "'x' is via and forbidden"),
        ({"source": []}, "source names no node"),
        ({"via": [[]]}, "via names no node"),
    ],
)
def test_what_cannot_be_asked_is_refused(ladder, change, message):
    with pytest.raises(ValueError, match=message):
        hyperpaths(ladder, **({"source": "u", "target": "v"} | change))


@pytest.mark.parametrize("where", ["source", "target", "via", "forbid"])
def test_an_unknown_node_is_refused_with_the_nearest(where):
    H = Hypergraph.from_dict({"a": ["chitosan", "silk"]})
    with pytest.raises(KeyError, match="Close: 'chitosan'"):
        hyperpaths(H, **({"source": "silk", "target": "silk"} | {where: "chitosn"}))


def test_what_is_prepared_goes_with_the_hypergraph():
    import gc
    import weakref

    from hgwork.paths.index import path_index

    H = Hypergraph.from_dict({"a": "xy", "b": "yz"})
    prepare(H, directed=True)
    before, kept = dict(H.__dict__), path_index(H)
    assert edges(H, "x", "z") == ["ab"] and path_index(H) is kept
    assert {key for key in H.__dict__ if key not in before} == set()
    gone = weakref.ref(kept)
    del H, kept, before
    gc.collect()
    assert gone() is None


SCRIPT = """
from hgwork.datasets import heavy_tailed
from hgwork.paths import bridge_candidates, hyperpaths, path_table
H = heavy_tailed(nodes=200, edges=450)
for s in (1, 2):
    print(path_table(H, ["scaffolds", "chitosan", "concept 00190"], k=7, s=s, shortcut=False).to_json())
print([p.edges for p in hyperpaths(H, "concept 00150", "concept 00190", k=30, avoid_hubs=1.0, via="chitosan")])
print(bridge_candidates(H).to_json())
"""


@pytest.mark.slow
def test_output_does_not_depend_on_the_hash_seed():
    runs = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1] and len(runs[0]) > 5000


def test_hubs_of_a_heavy_tail_agree_with_a_line_graph():
    import networkx as nx

    H = heavy_tailed(nodes=150, edges=320)
    product = (H.incidence @ H.incidence.T).tocoo()
    names = H.edges.index
    one, other = product.coords
    for s in (1, 2):
        keep = (product.data >= s) & (one != other)
        graph = nx.Graph(list(zip(names[one[keep]], names[other[keep]], strict=True)))
        pairs = [("scaffolds", "concept 00149"), ("chitosan", "concept 00100"), ("concept 00120", "concept 00110")]
        for source, target in pairs:
            begins, ends = set(H.incident(source)), set(H.incident(target))
            lengths = nx.multi_source_dijkstra_path_length(graph, begins & set(graph)) if begins & set(graph) else {}
            lengths |= dict.fromkeys(begins, 0)
            expected = min((lengths[edge] + 1 for edge in ends if edge in lengths), default=None)
            found = hyperpaths(H, source, target, s=s, k=1)
            assert (len(found[0]) if found else None) == expected


def test_paths_with_links_of_their_own_are_the_first_of_each_way():
    # x to y through h in 3 x 2 ways, through p in one; all of two hyperedges, ids in text order
    H = Hypergraph.from_dict({"a1": "xh", "a2": "xh", "a3": "xh", "b1": "hy", "b2": "hy", "c": "xp", "d": "py"})
    assert edges(H, "x", "y", k=2) == ["a1b1", "a1b2"]
    assert edges(H, "x", "y", k=2, distinct="links") == ["a1b1", "cd"]
    ways = [path.shared for path in hyperpaths(H, "x", "y", k=50, distinct="links")]
    assert len(ways) == len(set(ways))
    assert set(ways) == {(("h",),), (("p",),)}  # a1 a2 b1 is linked by h twice: a detour
    assert hyperpaths(H, "x", "y", k=3, forbid=["h", "p"], distinct="links") == []
