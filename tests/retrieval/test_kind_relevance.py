"""Relevance by kind: hyperedges of the kind that is asked about come first, those of the group that is named before."""

import numpy as np
import pytest

from hgwork.lookup.words import tokens
from hgwork.order import precedence
from hgwork.retrieval import Retriever
from hgwork.retrieval.kind_relevance import KindRetriever
from tests.order.transition_scenarios import WordEmbedder, scenarios

QUESTION = "Which winds has STORM1 at Port 0?"


@pytest.fixture(scope="module")
def scene():
    H = scenarios(storms=3)
    return H, KindRetriever(H, precedence(H), None, WordEmbedder(32), words=4)


def first(retriever, query, count):
    return [retriever.ids[row] for row in np.argsort(-retriever.relevance(query), kind="stable")[:count]]


def test_the_reports_on_what_is_asked_come_first_whatever_their_wording(scene):
    H, retriever = scene
    own = H.edges[(H.edges["group"] == "STORM1/Port 0") & (H.edges["relation"] == "has_cyclone_state")]
    assert set(first(retriever, QUESTION, 4)) == set(own.index)


def test_without_a_share_or_a_bonus_it_is_the_cosine(scene):
    H, retriever = scene
    plain = KindRetriever(H, precedence(H), None, WordEmbedder(32), share=0, own=0)
    cosine = Retriever(H, precedence(H), None, WordEmbedder(32)).relevance(QUESTION)
    assert np.allclose(plain.relevance(QUESTION), cosine, atol=1e-6)
    vector = retriever.encode([QUESTION])[0]
    assert np.allclose(retriever.relevance(vector), cosine, atol=1e-6)  # a vector has no words


def test_hyperedges_of_a_kind_differ_by_their_own_cosine_alone(scene):
    H, retriever = scene
    rows = np.flatnonzero((H.edges["relation"] == "has_watch_status") & (H.edges["group"] == "STORM2/Port 0"))
    cosine = Retriever.relevance(retriever, QUESTION)[rows]
    found = retriever.relevance(QUESTION)[rows]
    assert np.allclose(found - found[0], 0.2 * (cosine - cosine[0]), atol=1e-6)


def test_a_named_group_gains_what_is_said(scene):
    H, retriever = scene
    more = KindRetriever(H, precedence(H), None, WordEmbedder(32), words=4, own=0.9)
    gain = more.relevance(QUESTION) - retriever.relevance(QUESTION)
    assert np.allclose(gain, np.where(H.edges["group"] == "STORM1/Port 0", 0.4, 0), atol=1e-6)


def test_kinds_are_scored_between_nothing_and_one(scene):
    _, retriever = scene
    score = dict(zip(retriever.kinds, retriever.kind_scores(QUESTION), strict=True))
    assert min(score.values()) == 0 and max(score.values()) == 1 and max(score, key=score.get) == "has_cyclone_state"


def test_each_topic_of_a_question_finds_its_own_kind(scene):
    H, retriever = scene
    whole = KindRetriever(H, precedence(H), None, WordEmbedder(32), words=4, by_topic=False)
    question = "Was the first watch at Port 0 for STORM1 before winds of 40 mph?"
    best = {kind for kind, score in zip(retriever.kinds, retriever.kind_scores(question), strict=True) if score > 0.5}
    assert {"has_cyclone_state", "has_watch_status"} <= best
    assert not np.allclose(whole.kind_scores(question), retriever.kind_scores(question))


def test_names_of_groups_are_no_words_of_kinds(scene):
    _, retriever = scene
    assert not set(retriever._word) & set(tokens("STORM1 Port")) and "mph" in retriever._word


def test_a_hypergraph_without_relations_has_one_kind():
    import hgwork as hg

    H = hg.datasets.load("toy")
    bare = hg.Hypergraph.from_frame(H.incidences, edges=H.edges.drop(columns="relation", errors="ignore"))
    retriever = KindRetriever(bare, embedder=WordEmbedder(16))
    assert np.allclose(retriever.relevance("groups"), Retriever(bare, embedder=WordEmbedder(16)).relevance("groups"))


@pytest.mark.parametrize("wrong", [{"share": 1.5}, {"words": -1}, {"own": float("nan")}])
def test_numbers_out_of_range_are_refused(wrong):
    with pytest.raises(ValueError, match="give 0 to 1"):
        KindRetriever(scenarios(storms=1), embedder=WordEmbedder(8), **wrong)
