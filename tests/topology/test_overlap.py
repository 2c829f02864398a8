"""Overlap counts: by hand, against brute force, and through both ways of finding pairs."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgwork import Hypergraph
from hgwork.topology import gini, max_intersection, overlap_counts, summary
from hgwork.topology import overlap as module
from tests.strategies import hypergraphs


def brute(H, s):
    sets = [set(nodes) for nodes in H.to_dict().values()]
    return sum(len(one & two) >= s for one, two in combinations(sets, 2))


def test_overlaps_by_hand():
    H = Hypergraph.from_dict({"a": "wxyz", "b": "xyz", "c": "xyz", "d": "zq", "e": "q", "f": ""})
    # pairs sharing >= 1: ab ac bc ad bd cd de; >= 2: ab ac bc; >= 3: ab ac bc
    assert overlap_counts(H).to_dict() == {1: 7, 2: 3, 3: 3}
    assert overlap_counts(H, 4).to_dict() == {4: 0}
    assert max_intersection(H) == max_intersection(H, unique=True) == 3


def test_summary_by_hand_with_and_without_duplicates():
    H = Hypergraph.from_dict({"a": "xyz", "b": "zyx", "c": "z", "d": "zw"}, nodes={"lone": {}})
    facts = summary(H)
    assert facts[["nodes", "hyperedges", "volume", "singletons", "duplicates"]].tolist() == [5, 4, 9, 1, 1]
    assert facts[["mean_size", "max_size", "mean_degree", "max_degree"]].tolist() == [2.25, 3, 1.8, 4]
    assert facts[["overlap_1", "overlap_2", "max_intersection"]].tolist() == [6, 1, 3]
    assert facts["degree_one_share"] == 0.2
    once = summary(H, unique=True)
    assert once[["hyperedges", "duplicates", "overlap_1", "overlap_2", "max_intersection"]].tolist() == [3, 1, 3, 0, 1]
    assert summary(Hypergraph.from_dict({})).sum() == 0


def test_gini_of_equal_and_of_unequal_values():
    assert gini([3, 3, 3]) == 0 and gini([0, 0, 0, 4]) == 0.75 and gini([0, 0]) == 0


def test_a_threshold_below_one_is_refused():
    with pytest.raises(ValueError, match="at least 1 node"):
        overlap_counts(Hypergraph.from_dict({"a": "x"}), 0)


@given(hypergraphs(), st.sampled_from([0, 2, 64]), st.sampled_from([3, 2_000_000]))
def test_overlaps_agree_with_brute_force_in_blocks_and_by_products(H, large, block):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "LARGE", large)
        patch.setattr(module, "_BLOCK", block)
        assert overlap_counts(H, range(1, 6)).tolist() == [brute(H, s) for s in range(1, 6)]
        distinct = H.simplify(singletons=False, empty=False)
        for unique, held in ((False, H), (True, distinct)):
            assert max_intersection(H, unique) == max((s for s in range(1, 12) if brute(held, s)), default=0)
