"""Pairs for the transition model come from right answers of training groups, and from nothing else."""

import pytest

import hgwork as hg
from hgwork.retrieval import Retriever, preferred_pairs, reorder, self_train

from .scenario import Words, retriever, storms

QUERY = "How strong does One blow at Harbour?"


def test_pairs_are_consecutive_steps_each_once():
    found = retriever().retrieve(QUERY, method="dag", length=4, n=1)
    pairs = preferred_pairs(found * 2, ["ONE/Harbour"])
    assert pairs == list(zip(found[0].edges[:-1], found[0].edges[1:], strict=True))


def test_steps_of_two_groups_are_no_pair():
    found = retriever().retrieve(QUERY, method="beam", length=8, n=1)
    pairs = preferred_pairs(found, ["ONE/Harbour", "TWO/Quay"])
    assert pairs and all(a[0] == b[0] for a, b in pairs)


def test_a_group_that_is_not_trained_on_is_refused():
    found = retriever().retrieve(QUERY, method="dag", length=3, n=1)
    with pytest.raises(ValueError, match="'ONE/Harbour', no training group"):
        preferred_pairs(found, ["TWO/Quay"])


def test_right_answers_alone_are_learned_from():
    H = storms()
    P = hg.order.precedence(H)
    model = hg.order.TransitionModel(rank=4, direction=2, epochs=2, embedder=Words()).fit(H, P, groups=["ONE/Harbour"])
    before = model.log_prob(["a1"], ["a2", "a3", "a4"])

    def ask(model, query):
        return Retriever(H, P, model, Words()).retrieve(query, method="dag", length=3, n=1, group="ONE/Harbour")

    done = self_train(model, H, P, [QUERY, "One", "Harbour"], ask, lambda q, _: q == QUERY, groups=["ONE/Harbour"])
    assert done.rounds.values.tolist() == [[1, 3, 1, 2]]
    assert (done.model.log_prob(["a1"], ["a2", "a3", "a4"]) != before).any()
    with pytest.raises(ValueError, match="of 1 questions none was answered right"):
        self_train(model, H, P, ["One"], ask, lambda *_: False, groups=["ONE/Harbour"])


def test_the_pairs_that_most_trajectories_hold_are_kept():
    some = retriever().retrieve(QUERY, method="dag", length=4, n=1)[0]
    one, two = reorder(some, "reversed"), some
    pairs = preferred_pairs([one, two, two], ["ONE/Harbour"], most=3)
    assert pairs == list(zip(two.edges[:-1], two.edges[1:], strict=True))  # twice each, the others once
    assert preferred_pairs([one, two], ["ONE/Harbour"], most=1) == [tuple(one.edges[:2])]
    with pytest.raises(ValueError, match="most=0"):
        preferred_pairs([one], ["ONE/Harbour"], most=0)


class Counting:
    """Stands for a model: what it is trained on, and how often."""

    def __init__(self):
        self.fits = []

    def fit(self, H, P, pairs, groups, rng, warm_start):
        self.fits.append((pairs, list(groups), warm_start))
        return self


def test_each_round_shows_its_gain_or_loss():
    some = retriever().retrieve(QUERY, method="dag", length=3, n=1)
    values = iter([0.5, 0.7, 0.6])
    model = Counting()
    done = self_train(model, None, None, ["q"], lambda *_: some, lambda *_: True, groups=["ONE/Harbour"], rounds=2,
                      most=1, measure=lambda model: next(values))  # fmt: skip
    assert done.rounds.columns.tolist() == ["round", "questions", "right", "pairs", "before", "after"]
    assert done.rounds.values.tolist() == [[1, 1, 1, 1, 0.5, 0.7], [2, 1, 1, 1, 0.7, 0.6]]
    assert model.fits == [([tuple(some[0].edges[:2])], ["ONE/Harbour"], True)] * 2


def test_evaluation_groups_never_reach_the_model():
    some = retriever().retrieve(QUERY, method="beam", length=8, n=1)  # holds steps of both groups
    model = Counting()
    with pytest.raises(ValueError, match="no training group"):
        self_train(model, None, None, ["q"], lambda *_: some, lambda *_: True, groups=["ONE/Harbour"])
    assert not model.fits


def test_rounds_that_cannot_teach_are_refused():
    alone = retriever().retrieve(QUERY, method="topk", length=1, n=1)
    with pytest.raises(ValueError, match="1 were answered right, but no two neighbours are of one group"):
        self_train(Counting(), None, None, ["q"], lambda *_: alone, lambda *_: True, groups=["ONE/Harbour"])
    with pytest.raises(ValueError, match="rounds=0"):
        self_train(Counting(), None, None, ["q"], lambda *_: alone, lambda *_: True, groups=["ONE/Harbour"], rounds=0)
