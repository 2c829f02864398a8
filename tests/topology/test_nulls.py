"""Null models: uniform over all that could be by enumeration, exact or on average in what they keep, reproducible."""

import sys
from collections import Counter
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from scipy.stats import chisquare, norm

import hgwork as hg
from hgwork import Hypergraph
from hgwork.topology import mixing, null_samples, null_zscores, overlap_counts
from hgwork.topology.nulls import _alone, _pairs
from tests.strategies import hypergraphs


def every(sizes, degrees):
    """All tuples of node sets with these sizes in order and these degrees."""
    if not sizes:
        yield from [] if any(degrees) else [()]
        return
    for chosen in combinations(range(len(degrees)), sizes[0]):
        left = [d - (i in chosen) for i, d in enumerate(degrees)]
        if min(left, default=0) >= 0:
            yield from ((frozenset(chosen), *rest) for rest in every(sizes[1:], left))


def state(H):
    return tuple(frozenset(map(int, members)) for members in H.to_dict().values())


def build(sets, nodes):
    return Hypergraph.from_dict(dict(enumerate(sets)), nodes=pd.DataFrame(index=[str(i) for i in range(nodes)]))


SEQUENCES = [
    ([2, 2], [1, 1, 1, 1]),  # all pairs exchanging at once would never leave {ab, cd}
    ([1, 1, 1], [1, 1, 1]),
    ([2, 1], [1, 1, 1]),
    ([2, 2, 1], [2, 2, 1]),
    ([3, 2, 1], [2, 2, 1, 1]),
    ([2, 2, 2], [2, 2, 1, 1]),
    ([4, 2, 2], [2, 2, 2, 2]),
    ([3, 1, 1, 1], [3, 1, 1, 1]),
]


@pytest.mark.parametrize(("sizes", "degrees"), SEQUENCES)
def test_swaps_are_uniform_over_all_hypergraphs_with_these_degrees_and_sizes(sizes, degrees):
    states = sorted(every(sizes, degrees), key=lambda one: [sorted(held) for held in one])
    assert 2 < len(states) < 40
    H = build(states[0], len(degrees))
    seen = Counter(state(sample) for sample in null_samples(H, 25 * len(states), rng=1))
    assert set(seen) <= set(states)
    assert chisquare([seen[one] for one in states]).pvalue > 0.001


def test_one_round_takes_each_hypergraph_to_each_other_as_often_as_back():
    """The transition matrix of a round, estimated: symmetric, so the uniform law stays."""
    from hgwork.topology.nulls import _round

    rng = np.random.default_rng(0)
    states = list(every([3, 2, 1], [2, 2, 1, 1]))
    counts = np.zeros((len(states),) * 2)
    for i, start in enumerate(states):
        edge_of, node_of = _pairs(build(start, 4))
        for _ in range(1500):
            after, _ = _round(edge_of, node_of, 4, rng)
            sets = tuple(frozenset(after[edge_of == e].tolist()) for e in range(3))
            counts[i, states.index(sets)] += 1
    there, back = counts[np.triu_indices(len(states), 1)], counts.T[np.triu_indices(len(states), 1)]
    moved = there + back > 0
    assert (counts.sum(axis=1) > np.diag(counts)).all()
    z = (there - back)[moved] / np.sqrt((there + back)[moved])
    assert (z**2).sum() < moved.sum() + 5 * np.sqrt(2 * moved.sum())


@given(hypergraphs(attributes=False))
@settings(max_examples=60)
def test_swaps_keep_names_degrees_and_sizes_exactly(H):
    for sample in null_samples(H, 2, swaps_per_incidence=2):
        assert sample.degrees.equals(H.degrees) and sample.sizes.equals(H.sizes)
        assert sample.incidence.data.max(initial=1) == 1


@given(hypergraphs(attributes=False, max_nodes=4, max_edges=4))
@settings(max_examples=60)
def test_a_hypergraph_is_alone_just_when_enumeration_finds_no_other(H):
    others = list(every(H.sizes.tolist(), H.degrees.tolist()))
    assert _alone(*_pairs(H), H.shape[1]) == (len(others) == 1)


def test_the_same_seed_gives_the_same_samples():
    H = hg.datasets.heavy_tailed(nodes=100, edges=200)
    one, two, other = (
        [s.incidence.indices.tolist() for s in null_samples(H, 3, kind, rng=seed)]
        for kind, seed in (("swaps", 1), ("swaps", 1), ("swaps", 2))
    )
    assert one == two != other and one[0] != one[1]
    one, two = ([s.incidence.indices.tolist() for s in null_samples(H, 2, "chung_lu", rng=1)] for _ in range(2))
    assert one == two


def test_chung_lu_keeps_degrees_and_sizes_on_average():
    H = hg.datasets.heavy_tailed(nodes=60, edges=120, rng=3)
    degree, size, total = H.degrees.to_numpy(), H.sizes.to_numpy(), H.sizes.sum()
    samples = [(s.degrees.to_numpy(), s.sizes.to_numpy()) for s in null_samples(H, 400, "chung_lu", rng=0)]
    degrees, sizes = (np.array(part) for part in zip(*samples, strict=True))
    # a node of degree d is in a hyperedge of s draws unless all miss it
    chance = 1 - (1 - degree / total)[:, None] ** size
    for seen, expected, variance in (
        (degrees, chance.sum(axis=1), (chance * (1 - chance)).sum(axis=1)),
        (sizes, chance.sum(axis=0), None),
    ):
        spread = np.sqrt((seen.var(axis=0) if variance is None else variance) / 400)
        z = (seen.mean(axis=0) - expected)[spread > 0] / spread[spread > 0]
        assert np.abs(z).max() < norm.isf(1e-4 / len(z))
    assert abs(degrees.sum(axis=1).mean() / total - 1) < 0.1
    assert (sizes <= size).all()


def test_mixing_starts_at_the_hypergraph_and_levels_off():
    H = Hypergraph.from_dict({i: [f"{i % 20} {j}" for j in range(3)] for i in range(200)})  # 20 teams, 10 papers each
    table = mixing(H, lambda X: overlap_counts(X, 2).iloc[0], up_to=12, steps=12, rng=1)
    assert table.iloc[0].tolist() == [0, 1, 20 * 45]
    assert table["swaps_per_incidence"].tolist() == pytest.approx(range(13), rel=0.4)
    late = table.iloc[6:]
    # by chance an incidence is as before with probability degree / hyperedges = 0.05, and two of the C(200, 2) pairs
    # share 2 of 60 nodes with probability 3 * 57 / C(60, 3): 99 of them
    assert late["kept"].between(0.02, 0.09).all() and late["value"].between(60, 140).all()
    early = mixing(H, len, up_to=0.3, steps=1, rng=1).iloc[
        1
    ]  # one round: about a third of an exchange, two thirds move
    assert 0.2 < early["swaps_per_incidence"] < 0.5 and 0.2 < early["kept"] < 0.7
    pd.testing.assert_frame_equal(table, mixing(H, lambda X: overlap_counts(X, 2).iloc[0], up_to=12, steps=12, rng=1))


def test_planted_repeats_stand_out_and_a_shuffled_hypergraph_does_not():
    H = Hypergraph.from_dict({i: [f"{i % 20} {j}" for j in range(3)] for i in range(60)})
    table = null_zscores(H, n=19, rng=0)
    # 20 teams with three papers each: three pairs and two duplicates a team
    assert table.loc[["overlap_2", "overlap_3", "duplicates"], "observed"].tolist() == [60, 60, 40]
    # each team is a triangle of its own: everything is closed
    assert table.loc["clustering", "observed"] == 1 and table.loc["clustering", "null_high"] < 1
    assert table.loc["overlap_2", "null_mean"] < 10 and table.loc["overlap_2", "z"] > 5
    assert (table.loc[["overlap_2", "overlap_3", "duplicates"], "p"] == 1 / 20).all()
    assert (table["null_low"] <= table["null_mean"]).all() and (table["null_mean"] <= table["null_high"]).all()
    shuffled = next(null_samples(H, 1, rng=9))
    assert null_zscores(shuffled, {"overlap_2": lambda X: overlap_counts(X, 2).iloc[0]}, n=19)["p"].item() > 0.05


def test_clustering_is_nan_where_the_clique_expansion_is_too_dense(monkeypatch):
    monkeypatch.setattr(sys.modules["hgwork.topology.clustering"], "WEDGES", 2)
    table = null_zscores(Hypergraph.from_dict({"a": "wxyz", "b": "yzq", "c": "xq", "d": "qw"}), n=2)
    assert table.loc["clustering"].drop("p").isna().all() and table.drop("clustering")["observed"].notna().all()


def test_a_measure_that_the_null_keeps_has_no_z():
    H = Hypergraph.from_dict({"a": "xy", "b": "yz", "c": "zx"})
    table = null_zscores(H, {"volume": lambda X: X.sizes.sum()}, n=3)
    assert table.loc["volume", ["observed", "null_mean", "p"]].tolist() == [6, 6, 1] and table["z"].isna().all()


@pytest.mark.parametrize(
    "H",
    [
        Hypergraph.from_dict({}),
        Hypergraph.from_dict({"a": []}, nodes={"x": {}}),
        Hypergraph.from_dict({"g": range(5000)}),
        Hypergraph.from_dict(dict.fromkeys(range(10_000), "xyz")),
        Hypergraph.from_dict({"a": "wxyz", "b": "wxy", "c": "w"}),
    ],
    ids=["empty", "an empty hyperedge", "one giant hyperedge", "ten thousand copies", "nested"],
)
def test_where_no_exchange_is_possible_the_hypergraph_itself_comes_at_once(H):
    for sample in null_samples(H, 2):
        assert (sample.incidence != H.incidence).nnz == 0
    assert mixing(H, len, up_to=2, steps=2)["kept"].tolist() == [1, 1, 1]
    assert null_zscores(H, {"edges": len}, n=2)["p"].item() == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda H: null_samples(H, kind="erdos"), "kind='erdos' is unknown"),
        (lambda H: null_samples(H, -1), "n=-1"),
        (lambda H: null_samples(H, swaps_per_incidence=0), "swaps_per_incidence=0"),
        (lambda H: mixing(H, len, steps=0), "steps=0"),
        (lambda H: null_zscores(H, n=0), "n=0: a null model needs at least 1 sample"),
    ],
)
def test_bad_arguments_are_refused_at_once(call, message):
    with pytest.raises(ValueError, match=message):
        call(Hypergraph.from_dict({"a": "xy"}))
