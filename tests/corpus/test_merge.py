"""Search against brute force; clusters, chains, representatives, undo and rounds worked out by hand."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgwork import Hypergraph
from hgwork.corpus import merge as module
from hgwork.corpus.definitions import find_definitions
from hgwork.corpus.merge import compose, find_merges, judge, similar_pairs, undo

quiet = {"progress": False}


def brute(vectors, threshold, new=None):
    unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1), 1e-30)[:, None]
    fresh = range(len(unit)) if new is None else set(np.flatnonzero(new))
    pairs = itertools.combinations(range(len(unit)), 2)
    return [(i, j) for i, j in pairs if (i in fresh or j in fresh) and unit[i] @ unit[j] >= threshold]


def pairs_of(found):
    return list(zip(found[0].tolist(), found[1].tolist(), strict=True))


@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 2**32 - 1), st.integers(0, 40), st.integers(1, 9), st.sampled_from([0.3, 0.71, 0.95]), st.booleans()
)
def test_blocked_search_agrees_with_brute_force(seed, n, block, threshold, incremental):
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(n, 3))
    new = rng.random(n) < 0.3 if incremental else None
    found = similar_pairs(vectors.astype(np.float32), new=new, threshold=threshold, block=block, **quiet)
    assert pairs_of(found) == brute(vectors.astype(np.float32).astype(float), threshold, new)


def test_pairs_across_a_block_boundary_and_at_the_threshold_are_found():
    # 3-4-5: the cosine of (1, 0) and (3, 4)/5 is exactly 0.6
    vectors = np.array([[1, 0], [0, 1], [0.6, 0.8], [1, 0]], np.float32)
    for block in (1, 2, 3, 4, 5):
        assert pairs_of(similar_pairs(vectors, threshold=1.0, block=block, **quiet)) == [(0, 3)]
        assert (0, 2) in pairs_of(similar_pairs(vectors, threshold=0.59999, block=block, **quiet))


def test_cosines_do_not_depend_on_the_blocks():
    vectors = np.random.default_rng(3).normal(size=(50, 16)).astype(np.float32)
    one, two = (similar_pairs(vectors, threshold=0.1, block=b, **quiet) for b in (7, 64))
    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


def test_zero_rows_are_similar_to_none_and_bad_rows_are_named():
    assert pairs_of(similar_pairs(np.zeros((3, 2)), threshold=0.1, **quiet)) == []
    assert pairs_of(similar_pairs(np.zeros((0, 4)), **quiet)) == []
    with pytest.raises(ValueError, match="vector 1"):
        similar_pairs(np.array([[1.0, 0], [np.nan, 0]]), **quiet)
    with pytest.raises(ValueError, match="mask"):
        similar_pairs(np.eye(3), new=[True], **quiet)


def test_too_many_pairs_stop_with_advice(monkeypatch):
    monkeypatch.setattr(module, "MAX_PAIRS", 2)
    with pytest.raises(ValueError, match="Raise the threshold"):
        similar_pairs(np.ones((4, 2)), **quiet)


def angle(*degrees):
    turn = np.radians(degrees)
    return np.stack([np.cos(turn), np.sin(turn)], 1)


def test_paper_mode_is_connected_components_over_cosine_alone():
    # 0-10-20 degrees: neighbours have cosine .985, the ends .940 < .95; 90 stands alone. Numbers do not count.
    names, degrees = ["film 1", "film 2", "film 3", "gel"], [1, 5, 2, 9]
    merges = find_merges((names, degrees), angle(0, 10, 20, 90), mode="paper")
    assert merges.mapping == {"film 1": "film 2", "film 3": "film 2"}
    assert merges.audit["name"].tolist() == ["film 2", "film 3", "film 1"]
    assert merges.audit["similarity"].round(3).tolist() == [1.0, 0.985, 0.985]
    assert not len(merges.vetoed)


def test_representative_has_the_highest_degree_and_ties_go_by_name():
    merges = find_merges(["silks", "the silk", "silk"], [2, 2, 1], np.ones((3, 2)))
    assert set(merges.mapping.values()) == {"silks"}
    merges = find_merges(["silks", "the silk", "silk"], [2, 3, 1], np.ones((3, 2)))
    assert set(merges.mapping.values()) == {"the silk"}


def test_hypergraph_is_merged_by_its_own_degrees():
    H = Hypergraph.from_dict({"a": ["silk", "gel"], "b": ["silks", "gel"], "c": ["silks", "bone"]})
    merges = find_merges(H, np.eye(4))
    assert merges.mapping == {"silk": "silks"}
    assert sorted(H.merge_nodes(merges.mapping).nodes.index) == ["bone", "gel", "silks"]


def test_vetoed_pairs_are_listed_with_cosine_and_reason():
    merges = find_merges(["phase 1 trial", "phase 2 trial"], [1, 1], np.ones((2, 2)))
    assert merges.mapping == {}
    assert merges.vetoed.to_numpy().tolist() == [["phase 1 trial", "phase 2 trial", 1.0, "cosine", "number"]]


def test_a_chain_to_a_vetoed_pair_is_cut_at_its_weaker_link():
    # "firm" is 5 degrees from "stable" and 8 from "unstable": the nearer joins, the other is refused for the cluster
    names, vectors = ["stable", "firm", "unstable"], angle(0, 5, 13)
    merges = find_merges(names, [1, 2, 9], vectors)
    assert merges.mapping == {"stable": "firm"}
    assert merges.vetoed[["a", "b", "reason"]].to_numpy().tolist() == [
        ["firm", "unstable", "via 'stable' and 'unstable': negation"],
        ["stable", "unstable", "negation"],
    ]
    assert merges.audit["vetoes"].tolist() == [
        "unstable (via 'stable' and 'unstable': negation)",
        "unstable (negation)",
    ]
    assert find_merges(names, [1, 2, 9], vectors, guards=False).mapping == {"stable": "unstable", "firm": "unstable"}
    # with the weaker link alone in reach, "firm" goes to the other side
    assert find_merges(names, [1, 2, 9], angle(0, 9, 13)).mapping == {"firm": "unstable"}


@settings(deadline=None, max_examples=40)
@given(st.permutations(range(6)))
def test_result_does_not_depend_on_the_order_of_names(order):
    names = ["bath", "baths", "basin", "tub", "tub 1", "tub 2"]
    degrees, vectors = np.array([2, 2, 3, 1, 1, 1]), angle(0, 3, 6, 9, 9, 12)
    usual = find_merges(names, degrees, vectors)
    other = find_merges([names[k] for k in order], degrees[list(order)], vectors[list(order)])
    assert usual.mapping == other.mapping
    assert usual.audit.equals(other.audit)


def test_definitions_join_and_ambiguous_short_forms_are_kept_apart():
    text = "Silk fibroin (SF) was cast. Bone ash (BA) is white. Butyl acetate (BA) smells."
    names = ["SF film", "silk fibroin films", "BA", "bone ash", "butyl acetate"]
    merges = find_merges(names, [1, 2, 5, 1, 1], np.eye(5), definitions=find_definitions(text))
    assert merges.mapping == {"SF film": "silk fibroin films"}
    assert merges.audit["evidence"].tolist() == ["definition", "definition"]
    assert merges.vetoed[["a", "b", "reason"]].to_numpy().tolist() == [
        ["BA", "bone ash", "ambiguous abbreviation"],
        ["BA", "butyl acetate", "ambiguous abbreviation"],
    ]


def test_another_meaning_of_a_defined_short_form_is_refused_whatever_the_cosine():
    known = find_definitions("Silk fibroin (SF) was cast.")
    merges = find_merges(["SF", "solar furnace"], [1, 1], np.ones((2, 2)), definitions=known)
    assert merges.mapping == {}
    assert merges.vetoed["reason"].tolist() == ["other definition"]


def test_evidence_can_be_switched_off():
    names, vectors = ["silk", "silks", "silk 2"], np.array([[1.0, 0], [0, 1], [1, 0]])
    assert find_merges(names, [1, 1, 1], vectors, spelling=False).mapping == {}
    assert find_merges(names, [1, 1, 1], vectors, spelling=False, guards=False).mapping == {"silk 2": "silk"}
    assert find_merges(names, [1, 1, 1], vectors).mapping == {"silks": "silk"}


def test_new_names_only_are_compared_and_earlier_merges_still_guard():
    names, vectors = ["silk", "firm", "gel", "gels"], angle(0, 0, 90, 180)
    new = np.array([False, False, False, True])
    assert find_merges(names, [3, 2, 1, 1], vectors, new=new).mapping == {"gels": "gel"}
    # "firm" took "unstable" in before; "stable" may not follow it there
    names, vectors = ["firm", "stable"], np.ones((2, 2))
    assert find_merges(names, [2, 1], vectors, new=[1]).mapping == {"stable": "firm"}
    held = find_merges(names, [2, 1], vectors, new=[1], before={"unstable": "firm"})
    assert held.mapping == {}
    assert held.vetoed["reason"].tolist() == ["via 'unstable' and 'stable': negation"]


def test_undo_takes_whole_clusters_back():
    merges = find_merges(["silk", "silks", "gel", "gels", "bone"], [4, 1, 3, 1, 1], np.eye(5))
    assert merges.audit["cluster"].tolist() == [0, 0, 1, 1]
    assert undo(merges, 0).mapping == {"gels": "gel"}
    assert undo(merges, "gel").mapping == {"silks": "silk"}
    assert undo(merges, ["silks", 1]).mapping == {}
    assert merges.mapping == {"silks": "silk", "gels": "gel"}
    for unknown in ("bone", 7):
        with pytest.raises(KeyError, match="no cluster"):
            undo(merges, unknown)


def test_two_rounds_compose_to_one_mapping():
    first = find_merges(["silk", "silks"], [2, 1], np.eye(2))
    second = find_merges(["silk", "the silk"], [3, 5], np.eye(2))
    both = compose(first, second)
    assert both.mapping == {"silks": "the silk", "silk": "the silk"}
    assert both.audit[["cluster", "representative", "name"]].to_numpy().tolist() == [
        [0, "the silk", "the silk"],
        [0, "the silk", "silk"],
        [0, "the silk", "silks"],
    ]
    assert undo(both, "silks").mapping == {}
    nothing = find_merges(["gel", "non-gel"], [1, 1], np.ones((2, 2)))
    for one in (compose(first, nothing), compose(nothing, first)):
        assert one.mapping == first.mapping and one.audit.equals(first.audit)
        assert one.vetoed.equals(nothing.vetoed)


def test_judge_decides_a_pair_as_find_merges_does():
    names = ["silk", "silks", "silk 2", "gel"]
    vectors = np.random.default_rng(1).normal(size=(4, 8))
    unit = vectors / np.linalg.norm(vectors, axis=1)[:, None]
    for a, b in itertools.combinations(range(4), 2):
        pair = [names[a], names[b]]
        merged = find_merges(pair, [1, 1], vectors[[a, b]], threshold=0.0).mapping
        assert judge(*pair, unit[a] @ unit[b], threshold=0.0).same == bool(merged)


def test_wrong_shapes_are_refused():
    with pytest.raises(ValueError, match="one of each"):
        find_merges(["a"], [1, 2], np.eye(2))
    with pytest.raises(ValueError, match="mode"):
        find_merges(["a"], [1], np.eye(1), mode="loose")
    with pytest.raises(TypeError, match="find_merges takes"):
        find_merges(["a"], np.eye(1))


def test_a_threshold_that_is_no_number_is_refused_and_a_name_may_be_a_whole_page():
    with pytest.raises(ValueError, match="threshold is NaN"):
        find_merges(["a", "b"], [1, 1], np.ones((2, 2)), threshold=float("nan"), **quiet)
    pages = ["x of the y " * 2000, "y of the x " * 2000]
    assert find_merges(pages, [1, 1], np.eye(2), **quiet).mapping == {}
