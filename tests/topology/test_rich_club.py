"""Rich clubs: by hand, by brute force, against networkx, and against null models with and without a planted club."""

from itertools import combinations

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hgwork as hg
from hgwork import Hypergraph
from hgwork.topology import rich_club
from tests.strategies import hypergraphs


def test_the_toy_by_hand():
    # degrees: Sally 6; Bob, David, Ella 4; Carol 3; Frank 2; Grace 1
    H = hg.datasets.load("toy")
    pairs = rich_club(H, [1, 2, 3, 4, 6, 7])
    # of 4: SB SD SE BD BE DE; with Carol EC; with Frank CF; with Grace CG, FG
    assert pairs["nodes"].tolist() == [7, 6, 5, 4, 1, 0]
    assert pairs["links"].tolist() == [10, 8, 7, 6, 0, 0]
    assert pairs["coefficient"].tolist() == pytest.approx([10 / 21, 8 / 15, 0.7, 1, np.nan, np.nan], nan_ok=True)
    # papers 1 2 4 8 9 10 inside the four, 5 with Carol, 7 with Frank, 6 with Grace; paper 3 has one author
    whole = rich_club(H, [1, 2, 3, 4, 6], "hyperedges")
    assert whole["links"].tolist() == [9, 8, 7, 6, 0]
    assert whole["coefficient"].tolist() == pytest.approx([9 / 21, 8 / 15, 0.7, 1, np.nan], nan_ok=True)
    pd.testing.assert_frame_equal(
        rich_club(H, [0, 2, 3], at=">").reset_index(drop=True), rich_club(H, [1, 3, 4]).reset_index(drop=True)
    )


def test_the_published_rows_follow_from_their_own_counts():
    """Table 3: the coefficient is 2E / (N(N - 1)), with E the hyperedges inside."""
    rows = {10: (9295, 115698, 0.002679), 20: (4445, 85438, 0.00865), 50: (1611, 53481, 0.041239)}
    rows[100] = (701, 34996, 0.142637)
    for n, e, printed in rows.values():
        assert round(2 * e / (n * (n - 1)), 6) == printed


def test_the_published_definition_can_exceed_one_and_the_corrected_cannot():
    H = Hypergraph.from_dict(dict.fromkeys(range(5), "xy") | {"t": "xyz"})
    assert rich_club(H, [6], "hyperedges")["coefficient"].tolist() == [5]
    assert rich_club(H, [6])["coefficient"].tolist() == [1]


@given(hypergraphs(attributes=False), st.sampled_from([">=", ">"]))
def test_both_definitions_agree_with_brute_force(H, at):
    sets = {e: set(nodes) for e, nodes in H.to_dict().items()}
    degree = {n: len(H.incident(n)) for n in H.nodes.index}
    pairs, whole = rich_club(H, range(7), at=at), rich_club(H, range(7), "hyperedges", at=at)
    for k in range(7):
        club = {n for n, d in degree.items() if (d >= k if at == ">=" else d > k)}
        linked = sum(any({a, b} <= held for held in sets.values()) for a, b in combinations(club, 2))
        inside = sum(len(held) >= 2 and held <= club for held in sets.values())
        assert pairs.loc[k, ["nodes", "links"]].tolist() == [len(club), linked]
        assert whole.loc[k, ["nodes", "links"]].tolist() == [len(club), inside]


def test_networkx_agrees_on_a_plain_graph_and_not_on_a_hypergraph():
    """On hyperedges of two, without parallel ones, both count the same. `networkx.rich_club_coefficient` of the clique
    projection ranks nodes by their projected degree, which is another club: there they part."""
    graph = nx.barabasi_albert_graph(60, 3, seed=1)
    H = Hypergraph.from_dict(dict(enumerate(graph.edges)))
    theirs = nx.rich_club_coefficient(graph, normalized=False)
    ours = rich_club(H, sorted(theirs), at=">")["coefficient"]
    assert ours.to_dict() == pytest.approx(theirs)
    # w stands in two hyperedges and has five neighbours, x in three and has three
    H = Hypergraph.from_dict({"a": "wabc", "b": "wxd", "c": "xy", "d": "xy"})
    projected = H.to_networkx("clique")
    assert H.degrees[["w", "x"]].tolist() == [2, 3] and [projected.degree(n) for n in "wx"] == [5, 3]
    assert rich_club(H, [3])["nodes"].item() == 1
    assert sum(d >= 3 for _, d in projected.degree) == 5


def test_the_null_has_a_band_that_the_seed_fixes():
    H = hg.datasets.heavy_tailed(nodes=200, edges=400, rng=1)
    one, two = (rich_club(H, [5, 10], null=6, rng=3) for _ in range(2))
    pd.testing.assert_frame_equal(one, two)
    assert (one["null_low"] <= one["null_mean"]).all() and (one["null_mean"] <= one["null_high"]).all()
    assert one["normalised"].tolist() == pytest.approx((one["coefficient"] / one["null_mean"]).tolist())
    assert not one["null_mean"].equals(rich_club(H, [5, 10], null=6, rng=4)["null_mean"])
    pd.testing.assert_frame_equal(one[["nodes", "links", "coefficient"]], rich_club(H, [5, 10]))
    single = rich_club(H, [5], null=1)
    assert single["z"].isna().all() and single["null_low"].equals(single["null_high"])


def test_a_planted_club_stands_out_of_the_null_and_a_random_hypergraph_does_not():
    rng = np.random.default_rng(0)
    hubs, others = [f"hub {i}" for i in range(10)], [f"n {i}" for i in range(400)]
    ground = {f"g{i}": rng.choice(others, 3, replace=False) for i in range(700)}  # degrees about 5
    club = {f"c{i}": pair for i, pair in enumerate(combinations(hubs, 2))}

    def alone(n):  # n memberships of each hub, with nobody of the club
        return {f"{h}/{i}": [h, *rng.choice(others, 2, replace=False)] for h in hubs for i in range(n)}

    H = Hypergraph.from_dict(ground | club | alone(11))  # hubs of degree 20
    planted = rich_club(H, [20], null=10).iloc[0]
    assert planted["coefficient"] == 1 and planted["normalised"] > 1.5 and planted["z"] > 3
    apart = rich_club(Hypergraph.from_dict(ground | alone(20)), [20], null=10).iloc[0]
    assert apart["coefficient"] == 0 and apart["normalised"] == 0 and apart["z"] < -3
    shuffled = next(hg.topology.null_samples(H, 1, rng=5))
    assert abs(rich_club(shuffled, [20], null=10, rng=6)["z"].iloc[0]) < 4


def test_thresholds_may_be_one_number_none_or_in_any_order():
    H = Hypergraph.from_dict({"a": "xy", "b": "xyz"})
    assert rich_club(H, 2)["coefficient"].tolist() == [1]
    assert rich_club(H, [])["coefficient"].tolist() == []
    assert rich_club(H, (k for k in (2, 1)))["nodes"].tolist() == [2, 3]
    assert rich_club(H, [2.0])["nodes"].tolist() == [2]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"definition": "pair"}, "definition='pair' is unknown"),
        ({"at": "=="}, "at='==' is unknown"),
        ({"null": 0}, "null=0: a band needs at least 1 sample"),
        ({"thresholds": [1.5]}, "degrees are whole numbers"),
    ],
)
def test_bad_arguments_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        rich_club(Hypergraph.from_dict({"a": "xy"}), **options)
