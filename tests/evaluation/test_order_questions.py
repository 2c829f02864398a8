"""Questions depend on order, controls do not; answers come from facts, readers from sentences alone."""

from importlib import import_module

import numpy as np
import pandas as pd
import pytest

import hgwork as hg
from hgwork.answer import LabelReader, StateReader, question_forms
from hgwork.evaluation._order_scenes import scenes
from hgwork.evaluation.order_questions import control_questions, grade, order_questions


@pytest.fixture(scope="module")
def scene():
    documents = [d for d in hg.datasets.cyclones() if d.attributes["split"] != "test"][:16]
    H = hg.order.build(documents, "cyclones", progress=False).hypergraph
    P = hg.order.precedence(H)
    return H, P, order_questions(H, n=320), control_questions(H, n=60)


def evidence(H, ids):
    return "Trajectory 1\n" + "\n".join(f"[{n}] {H.edges.loc[edge, 'text']}" for n, edge in enumerate(ids, 1))


def labelled(H, ids):
    steps = (
        f"[Step {n}] [T-{H.edges.loc[e, 'horizon']:g}]\n  Evidence: {H.edges.loc[e, 'text']}" for n, e in enumerate(ids)
    )
    return "Trajectory 1\n" + "\n".join(steps)


def accuracy(H, questions, put, reader, text=evidence):
    graded = [
        grade(q, reader.read(q["question"], text(H, put(list(q["needed"])))).answer)
        for q in questions.to_dict("records")
    ]
    return float(np.mean(graded))


def test_a_question_can_be_answered_from_its_evidence_in_order_and_in_no_other(scene):
    H, P, questions, _ = scene
    rank, rng = P.table["rank"], np.random.default_rng(0)
    in_order = lambda ids: sorted(ids, key=lambda e: rank[e])  # noqa: E731
    assert accuracy(H, questions, in_order, StateReader()) >= 0.9
    assert accuracy(H, questions, lambda ids: rng.permutation(ids).tolist(), StateReader()) < 0.5
    assert accuracy(H, questions, lambda ids: in_order(ids)[::-1], StateReader()) < 0.4


def test_labels_put_shuffled_evidence_in_order_again(scene):
    H, _, questions, _ = scene
    rng = np.random.default_rng(1)
    assert accuracy(H, questions, lambda ids: rng.permutation(ids).tolist(), LabelReader(), labelled) >= 0.85


def test_controls_do_not_care(scene):
    H, _, _, controls = scene
    rng = np.random.default_rng(2)
    straight = accuracy(H, controls, lambda ids: ids, StateReader())
    assert straight >= 0.9
    assert accuracy(H, controls, lambda ids: rng.permutation(ids).tolist(), StateReader()) == straight
    assert (controls["sensitivity"] == 0).all()


def test_no_constant_answer_wins_in_a_kind(scene):
    _, _, questions, _ = scene
    share = questions.groupby("kind")["answer"].agg(lambda a: a.map(str).value_counts(normalize=True).iloc[0])
    assert (share <= 0.5).all()
    assert questions["sensitivity"].min() >= 0.4


def test_questions_say_what_they_need(scene):
    H, _, questions, _ = scene
    assert questions["question_id"].is_unique and set(questions["type"]) == {"yes_no", "choice", "number", "state"}
    for row in questions.to_dict("records"):
        assert 1 < len(row["needed"]) <= 8
        assert set(H.edges.loc[row["needed"], "group"]) == {row["group"]}
        assert row["answer"] in row["choices"] or not row["choices"]


def backwards(H, questions):
    """Whether the state reader, given the needed sentences latest report first, answers otherwise than in order."""
    horizon, reader = H.edges["horizon"], StateReader()
    for row in questions.to_dict("records"):
        late = sorted(row["needed"], key=lambda edge: horizon[edge])
        answers = [reader.read(row["question"], evidence(H, ids)).answer for ids in (late[::-1], late)]
        yield answers[0] != answers[1]


def test_questions_can_be_held_to_change_when_read_backwards(scene):
    H, _, questions, controls = scene
    held = order_questions(H, n=160, require=["reversed", "complete"])
    assert held["reversed"].all() and held["complete"].all() and held["kind"].nunique() >= 12
    assert np.mean(list(backwards(H, held))) >= 0.95
    same = questions[~questions["reversed"]]
    assert (
        set(same["kind"]) > {"longest_run"} and not questions.loc[questions["kind"] == "longest_run", "reversed"].any()
    )
    assert np.mean(list(backwards(H, same))) <= 0.05
    assert not controls["reversed"].any()


def test_an_attribute_is_complete_while_no_hyperedge_of_its_values_is_missing(scene):
    H, _, questions, _ = scene
    whole = questions[questions["complete"] & questions["kind"].isin(["latest", "trend", "rises", "change"])]
    assert len(whole) >= 20 and (whole["needed_count"] == whole["reports"]).all()
    forms, group = question_forms("cyclones"), whole["group"].iloc[0]
    before = next(s for s in scenes(H, forms) if s.group == group)
    name = next(name for name in ("distance", "condition") if name in before.complete)
    fewer = H.subgraph(edges=[edge for edge in H.edges.index if edge != before.edges[name][0]])
    after = next(s for s in scenes(fewer, forms) if s.group == group)
    assert before.complete - after.complete == {name}
    assert after.reports == before.reports, "the answers still follow from the facts"


def test_no_questions_at_all_is_said(scene):
    with pytest.raises(ValueError, match="no question that are reversed of longest_run"):
        order_questions(scene[0], ["longest_run"], n=10, require=["reversed"])
    with pytest.raises(ValueError, match="give some of reversed, complete"):
        order_questions(scene[0], n=10, require=["hard"])
    with pytest.raises(ValueError, match="no order changes"):
        control_questions(scene[0], n=10, require=["reversed"])


def test_the_same_seed_draws_the_same_questions(scene):
    H, _, questions, _ = scene
    pd.testing.assert_frame_equal(order_questions(H, n=320), questions)
    assert not order_questions(H, n=320, rng=1)["question"].equals(questions["question"])


def test_readers_work_without_the_table_of_facts(scene, monkeypatch):
    H, P, questions, _ = scene

    def gone():
        raise AssertionError("a reader asked for the facts")

    for module in ("hgwork.evaluation._order_scenes", "hgwork.datasets", "hgwork.datasets.cyclones"):
        monkeypatch.setattr(import_module(module), "cyclone_facts", gone)
    some = questions.groupby("kind").head(2)
    assert accuracy(H, some, lambda ids: sorted(ids, key=lambda e: P.table["rank"][e]), StateReader()) > 0.8
    with pytest.raises(AssertionError, match="asked for the facts"):
        order_questions(H, n=10)


def test_every_question_is_read_back_by_its_form(scene):
    _, _, questions, controls = scene
    forms = question_forms("cyclones")
    for table in (questions, controls):
        assert all(forms.read(text).kind == kind for text, kind in zip(table["question"], table["kind"], strict=True))


@pytest.mark.parametrize(
    ("answer", "given", "right"),
    [
        (3.0, 3.005, 1),
        (3.0, 3.02, 0),
        (3.0, "3", 1),
        (3.0, "three", 0),
        ("yes", "YES ", 1),
        ("yes", None, 0),
        (0.0, None, 0),
    ],
)
def test_grades(answer, given, right):
    assert grade({"answer": answer}, given) == right


def test_a_question_may_bring_its_own_tolerance():
    assert grade({"answer": 3.0, "tolerance": 0.5}, 3.4) == 1 and grade({"answer": 3.0, "tolerance": 0.5}, 3.6) == 0
    assert grade({"answer": 3.0, "tolerance": 0.0}, 3.005) == 0


def test_unknown_kinds_are_named(scene):
    with pytest.raises(ValueError, match="no kind 'riddle'; there are latest"):
        order_questions(scene[0], ["riddle"])


def test_few_reports_are_put_in_every_order():
    from hgwork.evaluation.order_questions import _orders

    assert sorted(_orders(2)) == [(0, 1), (1, 0)] and len(set(_orders(4))) == 24
    assert len(_orders(5)) == 24 and all(sorted(order) == list(range(5)) for order in _orders(5))
