"""Pairs for the transition model come from right answers of training groups, and from nothing else."""

import pytest

import hgwork as hg
from hgwork.retrieval import Retriever, preferred_pairs, self_train

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
