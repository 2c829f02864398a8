"""What must not change: names, the order of hyperedges, and, by known factors, copies; and what bad input gives."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hgwork as hg
from hgwork import Hypergraph
from hgwork.topology import (
    ccdf,
    co_membership,
    degree_fit,
    degree_table,
    hub_integration,
    hub_network,
    hub_table,
    max_intersection,
    null_zscores,
    overlap_counts,
    rich_club,
    s_components,
    s_ladder,
    structural_signatures,
    summary,
)
from tests.strategies import hypergraphs


def renamed(H, seed):
    """Other names, another order of nodes, of hyperedges and of members; and the names by their old ones."""
    rng = np.random.default_rng(seed)
    new = {name: f"v{i}" for i, name in zip(rng.permutation(H.shape[1]), H.nodes.index, strict=True)}
    groups = [
        (f"e{i}", rng.permutation([new[n] for n in held]).tolist()) for i, held in enumerate(H.to_dict().values())
    ]
    order = rng.permutation(len(groups))
    return Hypergraph.from_dict(
        dict(groups[i] for i in order), nodes=pd.DataFrame(index=rng.permutation(list(new.values())))
    ), new


def partition(labels):
    return {frozenset(g.index) for label, g in labels.groupby(labels) if label >= 0}


@given(hypergraphs(attributes=False), st.integers(0, 3))
@settings(max_examples=40)
def test_nothing_depends_on_names_or_order(H, seed):
    other, new = renamed(H, seed)
    pd.testing.assert_series_equal(summary(H), summary(other))
    pd.testing.assert_series_equal(summary(H, unique=True), summary(other, unique=True))
    pd.testing.assert_series_equal(overlap_counts(H, range(1, 6)), overlap_counts(other, range(1, 6)))
    assert max_intersection(H) == max_intersection(other)
    pd.testing.assert_frame_equal(degree_table(H), degree_table(other))
    pd.testing.assert_series_equal(ccdf(H), ccdf(other))
    for definition in ("pairs", "hyperedges"):
        pd.testing.assert_frame_equal(rich_club(H, range(5), definition), rich_club(other, range(5), definition))
    old = {name: node for node, name in new.items()}
    for s in (1, 2, 3):
        assert s_components(H, s).sizes.equals(s_components(other, s).sizes)
        mine, theirs = s_components(H, s, "node").labels, s_components(other, s, "node").labels
        assert partition(mine) == {frozenset(old[n] for n in part) for part in partition(theirs)}
    weights = {frozenset((new[a], new[b])): n for a, b, n in co_membership(H).itertuples(index=False)}
    assert weights == {frozenset((a, b)): n for a, b, n in co_membership(other).itertuples(index=False)}
    pd.testing.assert_frame_equal(
        structural_signatures(H).rename(new).sort_index(), structural_signatures(other).sort_index(), check_names=False
    )
    table, theirs = hub_table(H, 9).rename(new), hub_table(other, 9)
    columns = ["degree", "share", "neighbours", "neighbours_per_degree", "ego_density"]
    pd.testing.assert_frame_equal(table[columns].sort_index(), theirs[columns].sort_index(), check_names=False)
    assert hub_integration(H, 9).rename(new).to_dict() == hub_integration(other, 9).to_dict()


@given(hypergraphs(attributes=False), st.integers(2, 3))
@settings(max_examples=40)
def test_copies_count_by_known_factors(H, k):
    copies = Hypergraph.from_dict(
        {f"{i} {e}": held for e, held in H.to_dict().items() for i in range(k)}, nodes=pd.DataFrame(index=H.nodes.index)
    )
    unlike = ["hyperedges", "duplicates"]
    pd.testing.assert_series_equal(summary(H, True).drop(unlike), summary(copies, True).drop(unlike))
    sizes = H.sizes.to_numpy()
    for s, pairs in overlap_counts(H, range(1, 5)).items():
        # each pair k * k times, and each hyperedge of s nodes with its own copies
        assert overlap_counts(copies, s).item() == k * k * pairs + (sizes >= s).sum() * k * (k - 1) // 2
        assert s_components(copies, s).sizes.tolist() == (k * s_components(H, s).sizes).tolist()
        assert partition(s_components(copies, k * s, "node").labels) == partition(s_components(H, s, "node").labels)
    one, many = (rich_club(x, t) for x, t in ((H, range(1, 5)), (copies, range(k, 5 * k, k))))
    pd.testing.assert_frame_equal(one.reset_index(drop=True), many.reset_index(drop=True))
    whole = [rich_club(x, t, "hyperedges")["links"] for x, t in ((H, range(1, 5)), (copies, range(k, 5 * k, k)))]
    assert (k * whole[0]).tolist() == whole[1].tolist()
    assert max_intersection(copies, unique=True) == max_intersection(H, unique=True)
    assert max_intersection(copies) == (H.sizes.max() if len(H) else 0)


def test_the_published_means_follow_from_the_published_sums():
    """Table 1: 753,630 incidences over 320,201 hyperedges and 161,172 nodes."""
    assert round(753_630 / 320_201, 2) == 2.35 and round(753_630 / 161_172, 2) == 4.68
    assert 320_201 - 58_997 == 261_204
    # one hub of degree 11,157 makes more pairs than the 22,106,585 that are printed
    assert 11_157 * 11_156 // 2 == 62_233_746 > 22_106_585


EMPTY = {
    "empty": Hypergraph.from_dict({}),
    "nodes without hyperedges": Hypergraph.from_dict({}, nodes={"x": {}, "y": {}}),
    "hyperedges without nodes": Hypergraph.from_dict({"a": [], "b": []}),
}


@pytest.mark.parametrize("H", EMPTY.values(), ids=EMPTY)
@pytest.mark.filterwarnings("error")
def test_a_hypergraph_without_incidences_has_defined_answers(H):
    facts = summary(H)
    assert facts[["volume", "mean_size", "max_degree", "max_intersection", "overlap_1", "gini"]].tolist() == [0] * 6
    assert facts["duplicates"] == max(len(H) - 1, 0)  # two hyperedges of no node are parallel
    assert overlap_counts(H).tolist() == [0, 0, 0] and max_intersection(H) == 0
    for kind in ("edge", "node"):
        found = s_components(H, 1, kind)
        assert found.sizes.empty and (found.labels == -1).all() and found.members() == []
    assert s_ladder(H).empty and degree_table(H).empty and degree_table(H, 5)["count"].sum() == 0 and ccdf(H).empty
    assert rich_club(H)[["nodes", "links"]].to_numpy().sum() == 0
    assert rich_club(H, null=2)["null_mean"].isna().all()
    assert (hub_table(H)["degree"] == 0).all() and (hub_integration(H) == 0).all()
    assert hub_network(H).number_of_edges() == 0 and co_membership(H).empty
    assert (structural_signatures(H) == 0).all(axis=None)
    assert null_zscores(H, n=2)["observed"].drop("duplicates").tolist() == [0] * 7


@pytest.mark.filterwarnings("error")
def test_all_singletons():
    H = Hypergraph.from_dict({i: [f"n{i}"] for i in range(50)})
    facts = summary(H)
    assert facts[["singletons", "overlap_1", "gini", "degree_one_share"]].tolist() == [50, 0, 0, 1]
    assert s_components(H, 1).sizes.tolist() == s_components(H, 1, "node").sizes.tolist() == [1] * 50
    assert s_components(H, 1, drop_singletons=True).sizes.empty and s_components(H, 2).sizes.empty
    assert rich_club(H, 1)[["nodes", "links", "coefficient"]].values.tolist() == [[50, 0, 0]]
    assert rich_club(H, 1, "hyperedges")["coefficient"].item() == 0
    assert null_zscores(H, n=2)["observed"].filter(like="component").tolist() == [1, 0, 0]
    with pytest.raises(ValueError, match=r"1 distinct degrees \(1\).* no power law"):
        degree_fit(H)


@pytest.mark.filterwarnings("error")
def test_one_giant_hyperedge_of_five_thousand_nodes():
    H = Hypergraph.from_dict({"g": range(5000), "h": range(4990, 5010), "i": [1, 2]})
    assert overlap_counts(H, (1, 2, 3, 11)).tolist() == [2, 2, 1, 0] and max_intersection(H) == 10
    assert [s_components(H, s).sizes.tolist() for s in (1, 2, 3, 11, 21)] == [[3], [3], [2], [1, 1], [1]]
    assert [s_components(H, s, "node").sizes.max() for s in (1, 2)] == [5010, 10]
    club = rich_club(H, [1, 2])
    assert club["nodes"].tolist() == [5010, 12] and club["links"].tolist() == [12_497_500 + 145, 66]
    ego = hub_table(H, 3)
    assert ego.index.tolist() == ["1", "2", "4990"] and ego["neighbours"].tolist() == [4999, 4999, 5009]
    assert ego["ego_density"].iloc[0] == 1


@pytest.mark.filterwarnings("error")
def test_ten_thousand_copies_of_one_hyperedge():
    H = Hypergraph.from_dict(dict.fromkeys(range(10_000), "xyz"))
    assert overlap_counts(H, (1, 2, 3, 4)).tolist() == [49_995_000] * 3 + [0]
    assert summary(H)[["duplicates", "max_intersection"]].tolist() == [9999, 3]
    assert s_components(H, 10_000, "node").sizes.tolist() == [3] and s_components(H, 10_001, "node").sizes.empty
    assert rich_club(H, [10_000, 10_001])["coefficient"].tolist() == pytest.approx([1, np.nan], nan_ok=True)
    assert hub_integration(H).tolist() == [20_000] * 3


def test_thresholds_above_everything_have_defined_answers():
    H = hg.datasets.load("toy")
    assert overlap_counts(H, 10**9).tolist() == [0]
    for kind in ("edge", "node"):
        found = s_components(H, 10**9, kind)
        assert found.sizes.empty and (found.labels == -1).all()
    assert s_ladder(H, s=(1, 99))["s"].unique().tolist() == [1]
    assert rich_club(H, 10**9)[["nodes", "links"]].values.tolist() == [[0, 0]]
    assert np.isnan(rich_club(H, 10**9)["coefficient"].item())


@pytest.mark.parametrize("s", [0, -1, 1.5, [1, 0]])
def test_a_threshold_that_is_no_whole_number_from_one_on_is_refused(s):
    with pytest.raises(ValueError, match="whole number"):
        overlap_counts(hg.datasets.load("toy"), s)
