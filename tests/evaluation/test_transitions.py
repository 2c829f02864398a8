"""Held-out measures: what a perfect and a blind model must score, and that no storm is on both sides."""

import numpy as np
import pandas as pd
import pytest

from hgwork.evaluation import transitions as ev
from hgwork.evaluation._order_measures import _pool, value_keys
from hgwork.order import precedence
from hgwork.order.transitions import BASELINES, TransitionModel, read_features
from tests.order.transition_scenarios import WordEmbedder, scenarios


@pytest.fixture(scope="module")
def scene():
    H = scenarios(storms=6, ports=2)
    return read_features(H, WordEmbedder()), precedence(H)


class Blind:
    """Everything scores alike."""

    def __init__(self):
        self.trained_on = None

    def fit(self, features, P, groups=None, rng=0):
        self.features, self.trained_on = features, set(groups)
        return self

    def score(self, ids_i, ids_j):
        return np.zeros((len(ids_i), len(ids_j)))

    direction = score


def by_measure(model, features, P):
    return ev.measure(model, features, P, P.groups)[0].groupby("measure")["value"].mean()


def test_a_model_that_knows_the_order_scores_one_everywhere(scene):
    features, P = scene
    values = by_measure(BASELINES["rules"]().fit(features, P), features, P)
    assert len(values) == 13 and (values == 1).all()


def test_a_blind_model_scores_a_half_and_the_middle_rank(scene):
    features, P = scene
    values = by_measure(Blind().fit(features, P, P.groups), features, P)
    directions = values[values.index.str.contains("same|report")]
    assert (directions == 0.5).all()
    # 15 candidates that tie have a mean rank of 8; a pool of 150 one of 75.5
    assert np.isclose(values["MRR, own group"], 1 / 8) and values["Hits@5, own group"] == 0
    assert np.isclose(values["MRR, pool of 150"], 1 / 75.5)


def test_a_reversed_order_scores_nothing(scene):
    features, P = scene
    right = BASELINES["rules"]().fit(features, P)

    class Reversed(Blind):
        def direction(self, ids_i, ids_j):
            return -right.direction(ids_i, ids_j)

    values = by_measure(Reversed().fit(features, P, P.groups), features, P)
    assert (values[values.index.str.contains("same|report")] == 0).all()


def test_strata_count_the_pairs_they_say(scene):
    features, P = scene
    rows = ev.measure(Blind().fit(features, P, P.groups), features, P, P.groups[:1])[0].set_index("measure")["count"]
    # 4 horizons: 6 pairs of facts in each (four phases); 4 attributes x 6 pairs of horizons; a watch never differs
    assert rows["same horizon"] == 24 and rows["same attribute"] == 24
    assert rows["same attribute, values differ"] == 18
    assert rows["report pairs"] == 6 and rows["consecutive reports"] == 3
    keys = value_keys(features)
    assert keys[1] == keys[5] and keys[0] != keys[4]


def test_no_storm_is_trained_on_and_tested(scene):
    features, P = scene
    fitted = []

    class Spy(Blind):
        def fit(self, *args, **kwargs):
            fitted.append(self)
            return super().fit(*args, **kwargs)

    values, _ = ev.held_out({"spy": Spy}, features, P, folds=3, rng=4)
    assert sorted(values["unit"].unique()) == [f"STORM{i}" for i in range(6)]
    assert set(values["group"]) == set(P.groups)
    for fold, model in enumerate(fitted):
        tested = set(values.loc[values["fold"] == fold, "unit"])
        assert tested and not tested & {group.split("/")[0] for group in model.trained_on}
    assert values.groupby("unit")["fold"].nunique().eq(1).all()


def test_the_same_seed_gives_the_same_table(scene):
    features, P = scene
    makers = {"m": lambda: TransitionModel(4, direction=2, embedder=WordEmbedder(), epochs=2), "c": BASELINES["cosine"]}
    one, two = (ev.held_out(makers, features, P, folds=2, rng=7) for _ in range(2))
    pd.testing.assert_frame_equal(one[0], two[0])
    pd.testing.assert_frame_equal(one[1], two[1])


def test_folds_need_as_many_storms(scene):
    features, P = scene
    with pytest.raises(ValueError, match="7 folds of 6 storms"):
        ev.held_out({}, features, P, folds=7)


def test_a_pool_holds_the_truth_the_reversals_and_never_the_source():
    rng = np.random.default_rng(0)
    pool = _pool(40, 100, 300, 150, rng)
    assert len(pool) == len(set(pool.tolist())) == 150
    assert 41 in pool and 40 not in pool
    assert set(range(10, 40)) <= set(pool.tolist())  # the 30 that directly precede
    assert ((pool < 100) & (pool > 41)).sum() + ((pool < 10).sum()) == 45  # others of the group
    small = _pool(0, 3, 4, 150, rng)
    assert sorted(small.tolist()) == [1, 2, 3, 4, 5, 6]


def test_storms_count_once_and_intervals_hold_the_mean():
    rows = [
        ("m", s, f"{s}/{p}", "x", v, 1)
        for s, vs in {"A": [0, 0, 0], "B": [1], "C": [1]}.items()
        for p, v in enumerate(vs)
    ]
    table = pd.DataFrame(rows, columns=["model", "unit", "group", "measure", "value", "count"])
    row = ev.summary(table, rng=0).loc[("x", "m")]
    assert np.isclose(row["value"], 2 / 3)  # not 2 of 5 groups
    assert row["low"] <= row["value"] <= row["high"] and row["storms"] == 3 and row["groups"] == 5


def test_calibration_by_hand():
    bins = pd.DataFrame(
        {
            "model": "m",
            "unit": ["A", "A", "B"],
            "measure": "x",
            "bin": [0, 9, 9],
            "pairs": [10, 10, 40],
            "probability": [5.5, 9.8, 39.2],
            "right": [5.5, 8.8, 37.2],
        }
    )
    table, error = ev.calibration(bins)
    # bin 9: half of storm A (.98 stated, .88 right) and all of B (.98, .93), so (½·.98 + .98) − (½·.88 + .93) = .1
    # bin 0 is exact; two storms weigh 1 each: .1 / 2
    assert np.isclose(error["ece"].iloc[0], 0.05)
    assert (
        np.isclose(table.loc[("m", "x", 9), "right"], (0.44 + 0.93) / 1.5) and table.loc[("m", "x", 9), "pairs"] == 50
    )
    assert table.loc[("m", "x", 0), ["low", "high"]].tolist() == [0.5, 0.55]


def test_reliability_counts_every_pair_once(scene):
    features, P = scene
    values, bins = ev.measure(BASELINES["attribute counts"]().fit(features, P), features, P, P.groups)
    pairs = values[values["measure"].str.startswith("same")].groupby("measure")["count"].sum()
    assert bins.groupby("measure")["pairs"].sum().to_dict() == pairs.to_dict()
    assert (bins["probability"] >= bins["pairs"] / 2 - 1e-9).all()


def test_the_learning_curve_holds_one_set_of_storms_out(scene):
    features, P = scene
    table = ev.learning_curve(BASELINES["attribute counts"], features, P, [1, 3, 5], rng=0)
    assert table.loc["same horizon", "value"].tolist() == [1.0, 1.0, 1.0]
    assert (table["held out"] == 1).all()
    with pytest.raises(ValueError, match="6 training storms"):
        ev.learning_curve(BASELINES["cosine"], features, P, [6])


def test_auc_comes_with_its_warning_and_sees_no_direction(scene):
    features, P = scene
    row = ev.next_step_auc(Blind().fit(features, P, P.groups), features, P, P.groups).iloc[0]
    assert row["auc"] == 0.5 and "topic, not order" in row["warning"] and row["pairs"] == 12 * 15 * 2


@pytest.mark.slow
def test_facts_of_storms_never_seen_are_ordered_without_horizon_tokens():
    """Fourteen storms of the cyclone corpus, two folds, texts by word vectors; far above the half of a blind model."""
    import hgwork as hg

    H = hg.order.build(hg.datasets.cyclones("test"), "cyclones").hypergraph
    kept = (H.edges["family"] != "cross_horizon") & (H.edges["horizon"] > 0).fillna(False).astype(bool)
    H = H.subgraph(edges=H.edges.index[kept])
    features = read_features(H, WordEmbedder(64))
    makers = {
        "learned": lambda: TransitionModel(rank=16, embedder=WordEmbedder(64)),
        "counts": BASELINES["family counts"],
    }
    values = ev.summary(ev.held_out(makers, features, precedence(H), folds=2, rng=0)[0])["value"]
    assert values["same horizon", "learned"] > 0.95
    assert values["same attribute, values differ", "learned"] > 0.6 and values["same attribute", "counts"] == 0.5
    assert values["report pairs", "learned"] > 0.85 and values["report pairs", "counts"] < 0.7
    assert values["MRR, own group", "learned"] > values["MRR, own group", "counts"]
