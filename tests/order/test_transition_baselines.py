"""Baselines: their interface, and what they count, by hand."""

import numpy as np
import pytest

from hgwork.order import precedence
from hgwork.order.transitions import BASELINES, read_features
from hgwork.order.transitions.baselines import Counts, DocumentOrder, NumericRule, Rules

from .transition_scenarios import WordEmbedder, scenarios


@pytest.fixture(scope="module")
def scene():
    H = scenarios(storms=5)
    return read_features(H, WordEmbedder()), precedence(H)


@pytest.mark.parametrize("name", BASELINES)
def test_each_baseline_has_the_interface_of_the_model(scene, name):
    features, P = scene
    one, two = (BASELINES[name]().fit(features, P, groups=P.groups[:4], rng=1) for _ in range(2))
    ids = P.canonical_order(P.groups[4])
    score, direction, log_p = (ask(ids[:5], ids) for ask in (one.score, one.direction, one.log_prob))
    assert score.shape == direction.shape == log_p.shape == (5, 16) and np.isfinite(score).all()
    assert np.allclose(np.exp(log_p).sum(axis=1), 1) and np.isneginf(np.diag(log_p)).all()
    square = one.direction(ids, ids)
    assert np.allclose(square, -square.T, atol=1e-6)
    assert np.array_equal(score, two.score(ids[:5], ids))  # same seed, same numbers


def test_the_rules_know_the_canonical_order(scene):
    features, P = scene
    rules = Rules().fit(features, P)
    ids = P.canonical_order(P.groups[0])
    score = rules.score(ids, ids)
    np.fill_diagonal(score, -np.inf)
    assert score[:-1].argmax(axis=1).tolist() == list(range(1, 16))
    assert np.array_equal(rules.direction(ids, ids) > 0, P.before_matrix(ids, ids))


def test_the_phase_grammar_is_blind_across_horizons(scene):
    features, P = scene
    grammar = Rules(places=False).fit(features, P)
    ids = P.canonical_order(P.groups[0])
    assert grammar.direction([ids[0]], [ids[1], ids[4]]).tolist() == [[1, 0]]  # the next phase; the same, later


def test_text_order_follows_the_text(scene):
    features, P = scene
    order = DocumentOrder().fit(features, P)
    assert order.score(["e0003"], ["e0002", "e0004", "e0009"]).argmax() == 1
    assert (
        order.direction(["e0003"], ["e0002", "e0004"])[0].tolist()[0] < 0 < order.direction(["e0003"], ["e0004"])[0, 0]
    )


def test_counts_by_hand(scene):
    features, P = scene
    counts = Counts().fit(features, P, groups=P.groups[:2])
    state, watch, wind, port = counts.code[:4]
    # two groups of four horizons: state to watch 8 times, port to the next state 6 times, each plus one
    assert counts.following[state, watch] == 9 and counts.following[port, state] == 7
    assert counts.following[watch, state] == 1 and counts.following[wind].sum() == 4 + 8
    assert counts.direction(["e0000"], ["e0001"])[0, 0] > 0
    assert counts.direction(["e0000"], ["e0004"])[0, 0] == 0  # one kind: counts cannot tell
    with pytest.raises(ValueError, match="by='word'"):
        Counts("word")


def test_the_numeric_rule_by_hand(scene):
    features, P = scene
    rule = NumericRule().fit(features, P, groups=P.groups[:2])
    # winds rise in all 2 x 6 pairs of horizons: log((12 + 1) / (0 + 1))
    assert np.isclose(rule.direction(["e0000"], ["e0004"])[0, 0], np.log(13))
    assert np.isclose(rule.direction(["e0004"], ["e0000"])[0, 0], -np.log(13))
    assert rule.direction(["e0001"], ["e0005"])[0, 0] == 0  # a watch has no number
