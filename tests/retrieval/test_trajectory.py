"""What a trajectory shows, and how it is kept."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hgwork as hg
from hgwork.retrieval import TERMS, Trajectory, Weights, reorder, why

from . import reference
from .scenario import Uniform, retriever, storms

QUERY = "How strong does One blow at Harbour?"


@pytest.fixture
def asked():
    return retriever(transitions=Uniform())


@pytest.fixture
def found(asked):
    return asked.retrieve(QUERY, method="beam", length=5, n=2, weights=Weights(1, 1, 1, 1))[0]


def test_the_steps_add_up_to_the_terms_and_the_terms_to_the_score(found):
    for term in TERMS:
        assert found.table[f"score_{term}"].sum() == pytest.approx(found.terms[term])
    assert found.table["score"].sum() == pytest.approx(found.score) == pytest.approx(sum(found.terms.values()))


def test_a_step_says_what_it_is_and_where_it_stands(found):
    row = found.table.set_index("edge").loc["a3"]
    assert (row["horizon"], row["phase"], row["group"]) == (24, "watch", "ONE/Harbour")
    assert (row["document"], row["start"], row["end"]) == ("ONE/Harbour", 30, 30 + len(row["text"]))
    assert row["entities"] == [("ONE", "thing"), ("h24", "anchor"), ("wind b", "thing")]
    assert found.sentences[found.edges.index("a3")] == "One blows at 60 mph."


def test_json_gives_the_trajectory_back(found):
    back = Trajectory.from_json(found.to_json())
    assert back.to_json() == found.to_json()
    pd.testing.assert_frame_equal(back.table, found.table, check_dtype=False)
    with pytest.raises(ValueError, match="candidates"):
        reorder(back, "none")
    with pytest.raises(ValueError, match="candidates"):
        why(back, 1)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": 1}'])
def test_other_json_is_refused(text):
    with pytest.raises(ValueError, match="no trajectory"):
        Trajectory.from_json(text)


def test_a_page_shows_texts_and_obeys_none(asked):
    H = storms()
    edges = H.edges.copy()
    edges["text"] = "<script>alert(1)</script>"
    H = hg.Hypergraph.from_frame(H.incidences[["edge", "node"]], edges=edges, nodes=H.nodes)
    page = hg.retrieval.Retriever(H, embedder=asked.embedder).retrieve("<b>One</b>", method="topk")[0]._repr_html_()
    assert "<script>" not in page and "<b>One" not in page and "&lt;script&gt;" in page


def test_the_trace_has_one_step_a_hyperedge(found):
    assert len(found.trace.table) == len(found)


def test_shares_are_divided_over_related_neighbours_only(asked):
    t = asked.retrieve(QUERY, method="topk", length=6, n=1, group="ONE/Harbour", cap=6, reserve=1)[0]
    table = reorder(t, "reversed").table
    related = table["precedence"].notna()
    assert np.allclose(table.loc[~related, "score_precedence"], 0)
    assert table["score_precedence"].sum() == pytest.approx(0.3 * table["precedence"].sum() / related.sum())


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 7), st.booleans(), st.booleans())
def test_any_sequence_adds_up(seed, length, order, phases):
    weights = Weights(*np.random.default_rng(seed).random(4))
    p = reference.problem(7, seed, weights, phases=3 * phases, order=order)
    places = np.random.default_rng(seed).permutation(7)[:length].tolist()
    H = hg.Hypergraph.from_dict({edge: ["x"] for edge in p.candidates.ids})
    t = Trajectory.from_problem(H, None, p, places, query="q", method="beam")
    wanted = reference.terms(p, places)
    for term in TERMS:
        assert t.table[f"score_{term}"].sum() == pytest.approx(wanted[term], abs=1e-12)
    assert t.table["score"].sum() == pytest.approx(t.score, abs=1e-12)
    assert t.score == pytest.approx(reference.total(p, places), abs=1e-12)


def test_log_p_is_shown_raw_and_normalised():
    p = reference.problem(6, 3)
    H = hg.Hypergraph.from_dict({edge: ["x"] for edge in p.candidates.ids})
    row = Trajectory.from_problem(H, None, p, [2, 4], query="q", method="beam").table.iloc[1]
    assert row["log_prob"] == p.log_prob[2, 4] and row["probability"] == pytest.approx(np.exp(p.log_prob[2, 4]))
    assert row["log_prob_normalised"] == pytest.approx(1 + p.log_prob[2, 4] / np.log(5))  # five others to go to


def test_reasons_and_notes_are_kept(asked):
    t = asked.retrieve(QUERY, method="dag", length=50, n=1, group="ONE/Harbour")[0]
    back = Trajectory.from_json(t.to_json())
    assert t.reasons[0] == () and any(t.reasons) and back.reasons == t.reasons
    assert t.note.startswith("6 steps instead of 50") and back.note == t.note and t.note in back._repr_html_()


def test_a_hyperedge_without_relation_or_text_is_shown_without():
    H = storms()
    edges = H.edges.copy()
    edges[["relation", "text"]] = np.nan
    H = hg.Hypergraph.from_frame(H.incidences[["edge", "node"]], edges=edges, nodes=H.nodes)
    t = hg.retrieval.Retriever(H, embedder=retriever().embedder).retrieve("One", method="topk", length=1, n=1)[0]
    assert t.trace.table["name"].iloc[0].startswith("step at ") and t.sentences == [""]
    assert "nan" not in t._repr_html_() and Trajectory.from_json(t.to_json()).sentences == [""]


def test_json_of_other_things_says_what_is_wrong(found):
    plain = json.loads(found.to_json())
    for change, message in (
        ({"version": 2}, "version 2"), ({"steps": []}, "5 edges, but 0 steps"),
        ({"steps": [{}] * 5}, "without an edge"),
        ({"weights": {"luck": 1}}, "luck"), ({"luck": 1}, "has no luck"), ({"weights": {"order": -1}}, "order"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=f"no trajectory.*{message}"):
            Trajectory.from_json(json.dumps(plain | change))
