"""Two trajectories side by side, and why a step was taken."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hgwork as hg
from hgwork.retrieval import TERMS, Trajectory, Weights, beam, compare, dag, reorder, topk, viterbi, why

from . import reference
from .scenario import Uniform, retriever

QUERY = "How strong does One blow at Harbour?"
SEEDS = st.integers(0, 10_000)
WEIGHTS = st.builds(Weights, *[st.sampled_from([0.0, 0.2, 1.0]) for _ in range(4)])


def trajectory(problem, found, method):
    H = hg.Hypergraph.from_dict({edge: ["x"] for edge in problem.candidates.ids})
    return Trajectory.from_problem(H, None, problem, found.places, query="q", method=method)


@pytest.fixture
def asked():
    return retriever(transitions=Uniform())


@pytest.fixture
def found(asked):
    return asked.retrieve(QUERY, method="beam", length=5, n=2, weights=Weights(1, 1, 1, 1))[0]


def test_two_trajectories_side_by_side(asked):
    one = asked.retrieve(QUERY, method="topk", length=3, n=1)[0]
    two = reorder(one, "reversed")
    found = compare(one, two)
    assert found.steps["same"].tolist() == [False, True, False] and found.shared == 1
    assert found.steps["one_at"].tolist() == [3, 2, 1]
    assert found.terms.loc["relevance", "difference"] == pytest.approx(0)


def test_why_compares_whole_trajectories(found):
    table = why(found, 2, most=2, by="objective")
    assert table.index[0] == found.edges[1] and table["total"].iloc[0] == pytest.approx(found.score)
    rival = table.iloc[1]
    gaps = {term: rival[term] - table.iloc[0][term] for term in TERMS}
    assert rival["difference"] == pytest.approx(sum(gaps.values()))
    decides = min if rival["difference"] < 0 else max
    assert rival["decided_by"] == decides(gaps, key=gaps.get)
    with pytest.raises(ValueError, match="steps 1 to 5"):
        why(found, 9)


@settings(max_examples=30, deadline=None)
@given(SEEDS, WEIGHTS, st.integers(1, 5))
def test_an_exact_search_has_no_better_rival_in_any_place(seed, weights, length):
    p = reference.problem(8, seed, weights, groups=2)
    for method, search in (("viterbi", viterbi), ("dag", dag), ("topk", topk)):
        t = trajectory(p, search(p, length)[0], method)
        for step in range(1, len(t) + 1):
            assert (why(t, step, most=8)["difference"] <= 1e-9).all()


@settings(max_examples=30, deadline=None)
@given(SEEDS, WEIGHTS)
def test_the_gains_of_a_beam_sum_to_its_running_score(seed, weights):
    p = reference.problem(8, seed, weights)
    found = beam(p, 5, 1, 4, 0.0)[0]
    t = trajectory(p, found, "beam")
    assert sum(why(t, step)["total"].iloc[0] for step in range(1, 6)) == pytest.approx(found.score)


@settings(max_examples=30, deadline=None)
@given(SEEDS, WEIGHTS)
def test_a_beam_one_wide_takes_no_step_that_another_would_beat(seed, weights):
    p = reference.problem(8, seed, weights)
    t = trajectory(p, beam(p, 5, 1, 1, 0.0)[0], "beam")
    for step in range(3, 6):  # the first beam is two wide
        assert (why(t, step, most=8)["difference"] <= 1e-8).all()


def test_a_step_of_top_k_is_explained_by_relevance_alone(asked):
    t = asked.retrieve(QUERY, method="topk", length=4, n=1)[0]
    table = why(t, 2, most=2)
    assert table.index.tolist()[:2] == t.edges[1:3]  # the runner-up is what comes next
    assert set(table["decided_by"]) == {"", "relevance"} and (table["total"] == table["relevance"]).all()


def test_rivals_along_the_order_stand_between_the_neighbours(asked):
    t = asked.retrieve(QUERY, method="dag", length=3, n=1, group="ONE/Harbour")[0]
    order = ["a1", "a2", "a3", "a4", "a5", "a6"]
    at = [order.index(edge) for edge in t.edges]
    assert set(why(t, 2, most=9).index) == set(order[at[0] + 1 : at[2]])
    assert set(why(t, 1, most=9).index) == set(order[: at[1]])


def test_what_no_search_chose_is_explained_by_the_objective(found):
    table = why(reorder(found, "reversed"), 2)
    assert table["total"].iloc[0] == pytest.approx(reorder(found, "reversed").score)


def test_equal_rivals_are_a_tie():
    H = hg.Hypergraph.from_dict({"a": "x", "b": "x", "c": "x"})
    t = hg.retrieval.Retriever(H, vectors=np.ones((3, 64)), embedder=retriever().embedder)
    table = why(t.retrieve("one", method="topk", length=1, n=1)[0], 1)
    assert table["decided_by"].tolist() == ["", "tie", "tie"]


@pytest.mark.parametrize("step", [0, 6, "2", 2.0, True])
def test_a_step_that_is_none_is_refused(found, step):
    with pytest.raises(ValueError, match="steps 1 to 5"):
        why(found, step)


def test_an_unknown_way_to_explain_is_refused(found):
    with pytest.raises(ValueError, match="give 'search' or 'objective'"):
        why(found, 1, by="luck")


def test_trajectories_of_other_lengths_and_without_candidates_are_compared(asked):
    one = asked.retrieve(QUERY, method="topk", length=2, n=1)[0]
    two = asked.retrieve(QUERY, method="topk", length=4, n=1)[0]
    found = compare(Trajectory.from_json(one.to_json()), two)
    assert found.shared == 0.5 and found.steps["same"].tolist() == [True, True, False, False]
    assert found.steps["one"].isna().tolist() == [False, False, True, True]
    assert found.steps["score_one"].isna().tolist() == [False, False, True, True]
