"""The 26 motifs: numbering, census by brute force, estimates with their errors."""

from collections import Counter
from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgwork import Hypergraph
from hgwork.datasets import heavy_tailed
from hgwork.topology import motif_census
from hgwork.topology.motifs import REGIONS
from tests.strategies import hypergraphs


def regions(a, b, c):
    return (
        bool(a - b - c), bool(b - a - c), bool(c - a - b),
        bool(a & b - c), bool(b & c - a), bool(c & a - b), bool(a & b & c),
    )  # fmt: skip


def connected(a, b, c):
    return bool(a & b) + bool(b & c) + bool(c & a) >= 2


def patterns(table):
    return {tuple(row): number for number, *row in table[list(REGIONS)].itertuples()}


def test_numbers_stand_for_all_patterns_of_connected_distinct_sets_once():
    table = motif_census(Hypergraph.from_dict({}))
    known = patterns(table)
    assert len(known) == 26 and table["closed"].sum() == 20
    for flags in product((False, True), repeat=7):
        named = {region for region, flag in zip(REGIONS, flags, strict=True) if flag}
        a, b, c = ({region for region in named if name in region} for name in "abc")
        orders = {regions(*order) for order in permutations((a, b, c))}
        fits = len({frozenset(x) for x in (a, b, c)}) == 3 and connected(a, b, c)
        assert len(orders & set(known)) == fits


@pytest.mark.parametrize(
    ("members", "number"),
    [  # read off the table of Lee, Ko and Shin's own program (MoCHy, motif_id.cpp, without its four impossible ids)
        (("px", "qx", "rx"), 2),
        (("px", "qx", "x"), 1),
        (("xy", "xyp", "x"), 3),
        (("xyp", "xyq", "x"), 4),
        (("xy", "xyp", "xq"), 5),
        (("xyp", "xyq", "xr"), 6),
        (("xy", "xyz", "xz"), 7),
        (("xy", "xyzp", "xz"), 8),
        (("xyp", "xyz", "xz"), 9),
        (("xyp", "xyzq", "xzr"), 12),
        (("xyu", "xzu", "yzu"), 13),
        (("xyup", "xzuq", "yzur"), 16),
        (("x", "xy", "y"), 17),
        (("x", "xyp", "y"), 18),
        (("xp", "xy", "y"), 19),
        (("xp", "xyq", "y"), 20),
        (("xp", "xy", "yq"), 21),
        (("xp", "xyq", "yr"), 22),
        (("xy", "yz", "zx"), 23),
        (("xyp", "yzq", "zxr"), 26),
    ],
)
def test_numbering_is_the_papers(members, number):
    for order in permutations(members):
        census = motif_census(Hypergraph.from_dict(dict(zip("abc", order, strict=True))))
        assert census.index[census["count"] > 0].tolist() == [number]


@given(hypergraphs(max_nodes=7, max_edges=8, attributes=False))
def test_the_census_is_the_brute_force_count(H):
    table = motif_census(H)
    known = patterns(table)
    sets = {frozenset(members) for members in H.to_dict().values() if members}
    expected = Counter()
    for triple in combinations(sets, 3):
        if connected(*triple):
            (number,) = {known[order] for order in (regions(*t) for t in permutations(triple)) if order in known}
            expected[number] += 1
    assert table.loc[table["count"] > 0, "count"].to_dict() == expected
    assert (table["standard_error"] == 0).all()


@pytest.mark.parametrize("seed", range(3))
def test_drawn_pairs_estimate_the_census_within_their_errors(seed):
    H = heavy_tailed(400, 500, rng=0)
    exact, drawn = motif_census(H, exact=10**12), motif_census(H, samples=3_000, rng=seed)
    met = drawn["standard_error"] > 0
    z = ((drawn["count"] - exact["count"]) / drawn["standard_error"])[met & (exact["count"] > 500)]
    assert len(z) >= 5 and (z.abs() < 4).all()
    assert drawn.equals(motif_census(H, samples=3_000, rng=seed))


@given(st.integers(2, 5), st.integers(0, 50))
def test_the_only_triple_is_estimated_exactly(samples, seed):
    census = motif_census(Hypergraph.from_dict({"a": "px", "b": "qx", "c": "rx"}), samples=samples, rng=seed)
    assert census["count"].sum() == pytest.approx(1) and census["standard_error"].max() < 1e-12


def test_bad_input_has_an_answer_or_a_clear_error():
    giant = [f"n{i}" for i in range(5_000)]
    for H in (
        Hypergraph.from_dict({}),
        Hypergraph.from_dict({"a": []}),
        Hypergraph.from_dict({i: [i] for i in range(100)}),
        Hypergraph.from_dict(dict.fromkeys(range(10000), "xyz")),
        Hypergraph.from_dict({"g": giant, "h": [*giant[1:], "z"]}),
    ):
        assert motif_census(H)["count"].sum() == 0
        assert np.allclose(motif_census(H, samples=5)[["count", "share"]], 0)
    assert motif_census(Hypergraph.from_dict({"g": giant, "a": giant[:2], "b": giant[:3]}))["count"].sum() == 1
    with pytest.raises(ValueError, match="at least 2 pairs"):
        motif_census(Hypergraph.from_dict({}), samples=1)
