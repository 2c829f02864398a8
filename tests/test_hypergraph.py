"""The data structure: what each operation must keep, by hand on small cases and by property on random ones."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgwork import Event, Hypergraph
from hgwork._arrays import DuplicateIncidenceWarning
from tests.strategies import hypergraphs


@pytest.fixture
def teams():
    return Hypergraph.from_dict(
        {"a": ["Ada", "Bo", "Cy"], "b": ["Bo", "Cy"], "c": ["Cy", "Bo"], "d": ["Dee"], "e": []},
        nodes={"Ada": {"type": "person"}, "Zoe": {"type": "ghost"}},
        edges={"b": {"relation": "wrote"}},
    )


def as_sets(H):
    return {edge: frozenset(nodes) for edge, nodes in H.to_dict().items()}


def test_sizes_degrees_and_names_by_hand(teams):
    assert teams.shape == (5, 5)
    assert teams.sizes.to_dict() == {"b": 2, "a": 3, "c": 2, "d": 1, "e": 0}
    assert teams.degrees.to_dict() == {"Ada": 1, "Zoe": 0, "Bo": 3, "Cy": 3, "Dee": 1}
    assert teams.members("a") == ["Ada", "Bo", "Cy"]
    assert teams.incident("Bo") == ["b", "a", "c"]
    assert teams.incidence.toarray().sum() == 8


def test_an_unknown_name_is_refused_with_the_nearest_one(teams):
    with pytest.raises(KeyError, match="Close: 'Ada'"):
        teams.members_of = teams.incident("Adaa")
    with pytest.raises(AttributeError, match="does not change"):
        teams.size = 3


def test_tables_handed_out_do_not_change_the_hypergraph(teams):
    nodes = teams.nodes
    nodes["new"] = 1
    table = teams.edges
    table["relation"] = "x"
    assert "new" not in teams.nodes and teams.edges.loc["b", "relation"] == "wrote"
    with pytest.raises(ValueError, match="read-only"):
        teams.incidence.data[0] = 5


def test_both_meanings_of_an_induced_sub_hypergraph(teams):
    contained = teams.subgraph(nodes=["Bo", "Cy", "Zoe"])
    assert as_sets(contained) == {"b": {"Bo", "Cy"}, "c": {"Bo", "Cy"}, "e": frozenset()}
    assert contained.nodes.index.tolist() == ["Zoe", "Bo", "Cy"]
    restricted = teams.subgraph(nodes=["Bo", "Cy", "Zoe"], keep="restricted")
    assert as_sets(restricted) == {"a": {"Bo", "Cy"}, "b": {"Bo", "Cy"}, "c": {"Bo", "Cy"}}
    by_edge = teams.subgraph(edges=["d", "a"])
    assert by_edge.nodes.index.tolist() == ["Ada", "Bo", "Cy", "Dee"]
    assert by_edge.nodes.loc["Ada", "type"] == "person"
    with pytest.raises(KeyError, match="no node is named 'nobody'"):
        teams.subgraph(nodes=["nobody"])
    with pytest.raises(ValueError, match="keep='all'"):
        teams.subgraph(nodes=["Bo"], keep="all")


def test_merging_keeps_tables_incidences_and_provenance_in_step():
    events = [
        Event(source=["PLA"], relation="is", target=["polylactic acid"], evidence="s1", document="d1", chunk="d1/0"),
        Event(
            source=["polylactic acid"], relation="meets", target=["silk"], evidence="s2", document="d2", chunk="d2/0"
        ),
        Event(source=["PLA", "silk"], relation="hold", target=["cells"], evidence="s3", document="d2", chunk="d2/0"),
    ]
    nodes = {"polylactic acid": {"type": "polymer", "description": "long"}, "PLA": {"description": "short"}}
    H = Hypergraph.from_events(events, nodes=nodes)
    M = H.merge_nodes({"polylactic acid": "PLA"})
    assert as_sets(M) == {"d1/0/0": {"PLA"}, "d2/0/0": {"PLA", "silk"}, "d2/0/1": {"PLA", "silk", "cells"}}
    assert M.nodes.loc["PLA", ["type", "description"]].tolist() == ["polymer", "short"]
    assert M.nodes.loc["PLA", "aliases"] == ["polylactic acid"]
    assert M.edges["text"].tolist() == ["s1", "s2", "s3"]
    assert M.sentences().tolist()[1] == "PLA – meets – silk"
    D = H.merge_nodes({"polylactic acid": "PLA"}, drop_collapsed=True)
    assert D.edges.index.tolist() == ["d2/0/0", "d2/0/1"] == D.edges.index.tolist()
    assert set(D.incidences["edge"]) == {"d2/0/0", "d2/0/1"}
    assert "polylactic acid" not in D.nodes.index
    again = D.merge_nodes({"PLA": "poly(lactic acid)"})
    assert again.nodes.loc["poly(lactic acid)", "aliases"] == ["PLA", "polylactic acid"]


def test_drop_collapsed_spares_old_singletons_and_drops_source_equal_target():
    frame = pd.DataFrame(
        [
            ("one", "x", "member"),
            ("loop", "x", "source"),
            ("loop", "y", "source"),
            ("loop", "x2", "target"),
            ("loop", "y", "target"),
        ],
        columns=["edge", "node", "role"],
    )
    M = Hypergraph.from_frame(frame).merge_nodes({"x2": "x"}, drop_collapsed=True)
    assert M.edges.index.tolist() == ["one"]


def test_merging_refuses_chains_and_unknown_names(teams):
    with pytest.raises(ValueError, match="'Ada' is merged into 'Bo', which is merged into 'Cy'"):
        teams.merge_nodes({"Ada": "Bo", "Bo": "Cy"})
    with pytest.raises(KeyError, match="no node is named 'Nobody'"):
        teams.merge_nodes({"Nobody": "Bo"})


def test_merging_keeps_the_heaviest_of_coinciding_incidences():
    frame = pd.DataFrame({"edge": "e", "node": ["x", "y"], "weight": [1.0, 3.0]})
    M = Hypergraph.from_frame(frame).merge_nodes({"y": "x"})
    assert M.incidences["weight"].tolist() == [3.0]


def test_union_joins_equal_ids_and_refuses_conflicting_ones(teams):
    other = Hypergraph.from_dict({"f": ["Cy", "Eve"]}, nodes={"Cy": {"type": "robot"}, "Ada": {"type": "other"}})
    both = teams.union(other)
    assert both.nodes.loc["Ada", "type"] == "person" and both.nodes.loc["Cy", "type"] == "robot"
    assert as_sets(both) == {**as_sets(teams), "f": {"Cy", "Eve"}}
    assert teams.union(teams).equals(teams)
    with pytest.raises(ValueError, match="hyperedge id 'a' means different hyperedges"):
        teams.union(Hypergraph.from_dict({"a": ["Ada"]}))


def test_simplify_drops_only_what_is_asked(teams):
    assert teams.simplify().edges.index.tolist() == ["b", "a"]
    assert teams.simplify(duplicates=False).edges.index.tolist() == ["b", "a", "c"]
    kept = teams.simplify(duplicates=False, singletons=False, empty=False, isolated=True)
    assert kept.nodes.index.tolist() == ["Ada", "Bo", "Cy", "Dee"] and len(kept) == 5


def test_equal_node_sets_share_a_class_whatever_their_order(teams):
    classes = teams.edge_classes()
    assert classes["b"] == classes["c"] and classes.nunique() == 4


def test_repeated_incidences_warn_and_keep_the_first():
    frame = pd.DataFrame({"edge": ["e", "e"], "node": ["x", "x"], "weight": [2.0, 5.0]})
    with pytest.warns(DuplicateIncidenceWarning, match="1 incidence records repeat"):
        H = Hypergraph.from_frame(frame)
    assert H.incidences["weight"].tolist() == [2.0]


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        ({"edge": ["e"], "who": ["x"]}, "no column 'node'"),
        ({"edge": ["e", None], "node": ["x", "y"]}, "record 2: the edge is missing"),
        ({"edge": ["e", "e"], "node": ["x", np.nan]}, "record 2: the node is missing"),
        ({"edge": ["e", "e"], "node": [1, "1"]}, "read '1' as text"),
        ({"edge": ["e"], "node": ["x"], "role": ["head"]}, "role 'head' is unknown"),
        ({"edge": ["e"], "node": ["x"], "weight": ["heavy"]}, "weight 'heavy' is not a number"),
    ],
)
def test_a_bad_frame_names_the_record_and_the_fault(frame, message):
    with pytest.raises(ValueError, match=message):
        Hypergraph.from_frame(pd.DataFrame(frame))


def test_a_bad_event_is_named():
    with pytest.raises(ValueError, match="event 2 is not an event"):
        Hypergraph.from_events(
            [{"source": ["a"], "relation": "r", "target": ["b"]}, {"source": [], "relation": "r", "target": ["b"]}]
        )


def test_events_of_one_chunk_are_numbered_and_roles_kept():
    H = Hypergraph.from_events([{"source": ["a"], "relation": "r", "target": ["b", "a"], "chunk": "d/0"}] * 2)
    assert H.edges.index.tolist() == ["d/0/0", "d/0/1"]
    assert H.sizes.tolist() == [2, 2] and len(H.incidences) == 6
    assert Hypergraph.from_events([]).shape == (0, 0)


def test_from_incidence_reads_dense_and_sparse_alike():
    from scipy import sparse

    dense = np.array([[1, 0, 2], [0, 0, 0]])
    H = Hypergraph.from_incidence(dense, nodes=["x", "y", "z"])
    assert as_sets(H) == {"0": {"x", "z"}, "1": frozenset()} and H.incidences["weight"].tolist() == [1.0, 2.0]
    assert H.equals(Hypergraph.from_incidence(sparse.csr_array(dense), nodes=["x", "y", "z"]))
    with pytest.raises(ValueError, match="2 node names for a matrix of shape"):
        Hypergraph.from_incidence(dense, nodes=["x", "y"])


def test_a_hyperedge_of_ten_thousand_members():
    names = [f'名{i}\t"\n' for i in range(10_000)]
    H = Hypergraph.from_dict({"all": names, "pair": names[:2]})
    assert H.sizes.tolist() == [10_000, 2] and H.subgraph(nodes=names[:2]).edges.index.tolist() == ["pair"]
    assert H.dual().sizes.max() == 2 and H.members("all") == names


def test_the_card_escapes_names_and_survives_the_empty_hypergraph(teams):
    H = Hypergraph.from_dict({"e": ["<script>alert(1)</script>", "b&c"]})
    assert "<script>" not in H._repr_html_() and "b&amp;c" in H._repr_html_()
    assert "hyperedges" in Hypergraph.from_dict({})._repr_html_()
    assert "Bo, Cy" in teams._repr_html_()


def test_networkx_expansions_by_hand(teams):
    star = teams.to_networkx()
    assert star.number_of_nodes() == 10 and star.number_of_edges() == 8
    assert star.nodes["node", "Ada"]["type"] == "person"
    clique = teams.to_networkx("clique")
    assert {frozenset(e): d["weight"] for *e, d in clique.edges(data=True)} == {
        frozenset({"Ada", "Bo"}): 1,
        frozenset({"Ada", "Cy"}): 1,
        frozenset({"Bo", "Cy"}): 3,
    }
    with pytest.raises(ValueError, match="kind='star'"):
        teams.to_networkx("star")


@given(hypergraphs())
def test_the_dual_of_the_dual_is_the_hypergraph(H):
    assert H.dual().dual().equals(H)
    assert (H.dual().incidence != H.incidence.T).nnz == 0


@given(hypergraphs())
def test_sizes_and_degrees_agree_with_the_incidences(H):
    pairs = {(r.edge, r.node) for r in H.incidences.itertuples()}
    assert H.sizes.to_dict() == {e: sum(x == e for x, _ in pairs) for e in H.edges.index}
    assert H.degrees.to_dict() == {n: sum(x == n for _, x in pairs) for n in H.nodes.index}


@given(hypergraphs(), st.data())
def test_contained_and_restricted_sub_hypergraphs_agree_with_sets(H, data):
    names = H.nodes.index.tolist()
    chosen = set(data.draw(st.lists(st.sampled_from(names)))) if names else set()
    sets = as_sets(H)
    assert as_sets(H.subgraph(nodes=chosen)) == {e: s for e, s in sets.items() if s <= chosen}
    restricted = H.subgraph(nodes=chosen, keep="restricted")
    assert as_sets(restricted) == {e: s & chosen for e, s in sets.items() if s & chosen}
    assert set(restricted.nodes.index) == chosen


@given(hypergraphs(), st.data())
def test_merging_maps_every_table_and_incidence(H, data):
    names = H.nodes.index.tolist()
    if not names:
        return
    target = data.draw(st.sampled_from(names))
    merged = set(data.draw(st.lists(st.sampled_from(names)))) - {target}
    M = H.merge_nodes(dict.fromkeys(merged, target))
    move = lambda node: target if node in merged else node  # noqa: E731
    assert as_sets(M) == {e: frozenset(map(move, s)) for e, s in as_sets(H).items()}
    assert set(M.nodes.index) == {move(n) for n in names} and M.nodes.index.is_unique
    assert M.edges.index.equals(H.edges.index)
    roles = {(r.edge, move(r.node), r.role) for r in H.incidences.itertuples()}
    assert {(r.edge, r.node, r.role) for r in M.incidences.itertuples()} == roles
    assert len(M.incidences) == len(roles)
    if merged:
        assert merged <= set(M.nodes.loc[target, "aliases"])
    D = H.merge_nodes(dict.fromkeys(merged, target), drop_collapsed=True)
    gone = set(M.edges.index) - set(D.edges.index)
    assert all(M.sizes[e] == 1 < H.sizes[e] or _loops(M, e) for e in gone)
    assert not any(M.sizes[e] == 1 < H.sizes[e] for e in D.edges.index)
    assert set(D.incidences["edge"].astype(str)) <= set(D.edges.index.astype(str))


def _loops(H, edge):
    rows = H.incidences[H.incidences["edge"] == edge]
    by_role = rows.groupby("role", observed=True)["node"].agg(frozenset).to_dict()
    return set(by_role) == {"source", "target"} and by_role["source"] == by_role["target"]


@given(hypergraphs(), hypergraphs())
def test_union_holds_both(one, two):
    two = Hypergraph.from_frame(
        two.incidences.assign(edge=[f"other {e}" for e in two.incidences["edge"]]),
        edges=two.edges.rename(index=lambda e: f"other {e}"),
        nodes=two.nodes,
    )
    both = one.union(two)
    assert as_sets(both) == {**as_sets(one), **as_sets(two)}
    assert set(both.nodes.index) == set(one.nodes.index) | set(two.nodes.index)
    assert len(both.incidences) == len(one.incidences) + len(two.incidences)
    assert one.union(one).equals(one)


@given(hypergraphs())
def test_edge_classes_agree_with_sets(H):
    classes, sets = H.edge_classes(), as_sets(H)
    for one in H.edges.index:
        for two in H.edges.index:
            assert (classes[one] == classes[two]) == (sets[one] == sets[two])


@given(hypergraphs())
def test_simplify_leaves_distinct_sets_of_two_or_more(H):
    sets = list(as_sets(H.simplify()).values())
    assert len(sets) == len(set(sets)) and all(len(s) > 1 for s in sets)
    assert {s for s in as_sets(H).values() if len(s) > 1} == set(sets)


@pytest.mark.parametrize("name", [None, 5, float("nan"), ["Bo"], "Bo\0"])
def test_a_representative_that_no_node_could_have_is_refused(teams, name):
    with pytest.raises(ValueError, match=r"not text|NUL"):
        teams.merge_nodes({"Ada": name})


def test_odd_input_to_constructors_is_refused_or_read():
    with pytest.raises(ValueError, match="NUL"):
        Hypergraph.from_dict({"a": "x", "a\0": "y"})
    assert Hypergraph.from_dict({("p", 1): [("x", 2)]}).to_dict() == {"('p', 1)": ["('x', 2)"]}
    with pytest.raises(ValueError, match="column 'node' twice"):
        Hypergraph.from_frame(pd.DataFrame([["a", "x", "y"]], columns=["edge", "node", "node"]))
    for matrix in (np.ones(3), np.ones((2, 2, 2)), np.array([[np.nan]]), np.array([[1j]])):
        with pytest.raises(ValueError, match="hyperedges x nodes"):
            Hypergraph.from_incidence(matrix)


def test_what_is_no_name_is_not_found(teams):
    for thing in (["a"], slice(0, 1), None):
        with pytest.raises(KeyError, match="is not text"):
            teams.members(thing)


def test_union_keeps_large_integers_where_one_side_knows_none():
    one = Hypergraph.from_dict({"a": "x"}, nodes={"x": {"n": 1}}, edges={"a": {"m": 2**60 + 1}})
    two = Hypergraph.from_dict({"b": "y"}, nodes={"y": {"k": 2**60 + 1}})
    both = one.union(two)
    assert both.nodes.loc["y", "k"] == 2**60 + 1 and both.edges.loc["a", "m"] == 2**60 + 1
    assert both.nodes.loc["x", "n"] == 1 and both.nodes["n"].isna().tolist() == [False, True]


def test_columns_of_any_name_reach_networkx():
    frame = pd.DataFrame({"edge": ["a"], "node": ["x"], "u_of_edge": [1], 5: [2]})
    (row,) = (row for _, _, row in Hypergraph.from_frame(frame).to_networkx().edges(data=True))
    assert row["u_of_edge"] == 1 and row[5] == 2
