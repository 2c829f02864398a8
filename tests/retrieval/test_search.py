"""Searches against enumeration and against the same algorithms in plain Python."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hgwork as hg
from hgwork.retrieval import ZERO, Weights, beam, certificate, dag, objective, relaxed_bound, topk, viterbi

from . import reference

SEEDS = st.integers(0, 10_000)
WEIGHTS = st.builds(Weights, *[st.sampled_from([0.0, 0.2, 1.0]) for _ in range(4)])


@settings(max_examples=40, deadline=None)
@given(SEEDS, WEIGHTS)
def test_the_terms_are_those_of_the_formula(seed, weights):
    p = reference.problem(7, seed, weights)
    rows = np.random.default_rng(seed).permuted(np.tile(np.arange(7), (5, 1)), axis=1)[:, :4]
    table = objective(p, rows)
    for row, places in zip(table.to_dict("records"), rows.tolist(), strict=True):
        assert row == pytest.approx({**reference.terms(p, places), "total": reference.total(p, places)})


@settings(max_examples=40, deadline=None)
@given(SEEDS, WEIGHTS, st.integers(1, 5), st.integers(1, 4), st.sampled_from([0.0, 0.1, 2.0]))
def test_the_beam_is_algorithm_1(seed, weights, length, width, diversity):
    p = reference.problem(8, seed, weights)
    found = beam(p, length, 3, width, diversity)
    wanted = reference.beam(p, length, 3, width, diversity)
    assert [one.places for one in found] == [places for places, _ in wanted]
    assert [one.score for one in found] == pytest.approx([score for _, score in wanted])


@settings(max_examples=40, deadline=None)
@given(SEEDS, WEIGHTS, st.integers(1, 5))
def test_viterbi_finds_the_best_sequence_without_revisits(seed, weights, length):
    p = reference.problem(7, seed, weights)
    best = viterbi(p, length)[0]
    assert best.proven and len(set(best.places)) == length
    assert best.score == pytest.approx(reference.best_two_terms(p, length))
    assert best.score <= relaxed_bound(p, length) + 1e-9


@settings(max_examples=40, deadline=None)
@given(SEEDS, WEIGHTS, st.integers(1, 5), st.integers(1, 2))
def test_dag_finds_the_best_sequence_along_the_order(seed, weights, length, groups):
    p = reference.problem(8, seed, weights, groups)
    best = dag(p, length)[0]
    assert best.score == pytest.approx(reference.best_along_rank(p, len(best.places)))
    if len(best.places) < length:
        assert np.bincount(p.group).max() == len(best.places)


@settings(max_examples=30, deadline=None)
@given(SEEDS, WEIGHTS, st.integers(1, 5), st.integers(0, 2))
def test_dag_takes_the_best_of_the_own_groups(seed, weights, length, own):
    p = reference.problem(8, seed, weights, 3, own=[own])
    best = dag(p, length)[0]
    if not p.own.any():  # none among the candidates: any group will do
        p = replace(p, own=np.ones(8, bool))
    assert len(best.places) == min(length, np.bincount(p.group[p.own]).max())
    assert best.score == pytest.approx(reference.best_along_rank(p, len(best.places)))


@settings(max_examples=30, deadline=None)
@given(SEEDS, WEIGHTS, st.integers(1, 5))
def test_dag_across_groups_takes_one_group_after_the_other(seed, weights, length):
    p = reference.problem(8, seed, weights, 3, own=[1])
    # the own group first, the others by their most relevant candidate: candidates stand by relevance
    first = {g: (g != 1, int(np.flatnonzero(p.group == g)[0])) for g in set(p.group.tolist())}
    line = sorted(range(8), key=lambda a: (first[p.group[a]], p.rank[a]))
    joined = replace(p, group=np.zeros(8, int), own=np.ones(8, bool), rank=np.argsort(line))
    best = dag(p, length, across=True)[0]
    assert best.score == pytest.approx(reference.best_along_rank(joined, length))
    places = [line.index(a) for a in best.places]
    assert places == sorted(places) and len(places) == length


def test_dag_refuses_more_phases_than_its_table_can_hold():
    p = replace(reference.problem(14, 1), phase=np.arange(14), phases=tuple("abcdefghijklmn"))
    with pytest.raises(ValueError, match="hold 14 phases: 'dag' follows at most 12"):
        dag(p, 3)
    assert len(dag(p.weighted(p.weights.without("coverage")), 3)[0].places) == 3


@settings(max_examples=25, deadline=None)
@given(SEEDS, st.integers(1, 6))
def test_without_weights_every_search_takes_the_most_relevant(seed, length):
    p = reference.problem(9, seed, ZERO)
    wanted = set(topk(p, length)[0].places)
    for found in (beam(p, length, 1, 8, 0.0), viterbi(p, length, 1, 0.0), dag(p, length, 1, 0.0)):
        assert set(found[0].places) == wanted


@settings(max_examples=25, deadline=None)
@given(SEEDS, WEIGHTS)
def test_no_trajectory_scores_above_its_ceiling(seed, weights):
    p = reference.problem(6, seed, weights)
    every = np.array(list(permutations(range(6), 3)))
    table = objective(p, every)
    assert certificate(p, table["total"].max(), 3)["gap"] >= -1e-9
    running = max(score for _, score in reference.beam(p, 3, 120, 120, 0.0))  # 6 x 5 x 4 sequences: all
    found = certificate(p, 0.0, 3, running)
    assert found["search_ceiling"] >= running - 1e-9


def test_a_return_that_cannot_be_watched_is_mended_and_not_called_proven():
    unproven = 0
    for seed in range(20):
        p = reference.problem(7, seed, Weights(order=1.0))
        best = viterbi(p, 4, most_states=1)[0]
        largest = reference.best_two_terms(p, 4)
        assert len(set(best.places)) == 4 and best.score <= largest + 1e-9
        assert not best.proven or best.score == pytest.approx(largest)
        unproven += not best.proven
    assert unproven


@settings(max_examples=10, deadline=None)
@given(SEEDS, st.sampled_from([0.05, 0.3, 1.2]), st.booleans())
def test_no_exchange_improves_what_viterbi_proves_among_150(seed, order, raw):
    p = reference.problem(150, seed, Weights(order=order))
    if raw:
        p = replace(p, order=p.log_prob)
    best = viterbi(p, 8)[0]
    assert len(set(best.places)) == 8 and best.score <= relaxed_bound(p, 8) + 1e-9
    rng = np.random.default_rng(seed)
    others = [list(rng.choice(150, 8, replace=False)) for _ in range(50)]
    others += [[*best.places[:k], new, *best.places[k + 1 :]] for k in range(8) for new in range(150)]
    others = np.array([one for one in others if len(set(one)) == 8])
    worth = p.relevance[others].sum(axis=1) + order * p.order[others[:, :-1], others[:, 1:]].sum(axis=1)
    assert worth.max() <= best.score + 1e-9


def test_equal_scores_fall_in_candidate_order():
    p = reference.problem(6, 1, ZERO)
    p.relevance[:] = 0.5
    assert topk(p, 3)[0].places == (0, 1, 2)
    assert beam(p, 3, 1, 4, 0.0)[0].places == (0, 1, 2)
    best = viterbi(p, 3)[0]
    assert best.proven and best.score == 1.5 and best == viterbi(p, 3)[0]


def test_fewer_candidates_than_steps_end_early():
    p = reference.problem(3, 1)
    for found in (beam(p, 8, 1), viterbi(p, 8), dag(p, 8), topk(p, 8)):
        assert 1 <= len(found[0].places) <= 3
    assert len(beam(p, 8, 1)[0].places) == 3


def test_one_candidate_is_a_trajectory_of_one_step():
    p = reference.problem(1, 1, order=False)
    for found in (beam(p, 8, 3), viterbi(p, 8, 3), dag(p, 8, 3), topk(p, 8, 3)):
        assert [one.places for one in found] == [(0,)]


def test_further_trajectories_differ_from_the_first():
    p = reference.problem(9, 5)
    for found in (viterbi(p, 3, 3, 0.5), dag(p, 3, 3, 0.5), topk(p, 3, 3)):
        assert len({one.places for one in found}) == len(found) == 3


@pytest.mark.parametrize("value", [-0.1, float("nan"), float("inf"), "much", None, True])
def test_a_weight_must_be_a_finite_number_of_at_least_zero(value):
    with pytest.raises(ValueError, match="the weight coverage"):
        hg.retrieval.Weights(coverage=value)
