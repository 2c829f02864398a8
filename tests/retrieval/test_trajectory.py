"""What a trajectory shows, how it is kept, put in another order, compared and explained."""

import numpy as np
import pandas as pd
import pytest

import hgwork as hg
from hgwork.retrieval import (
    TERMS,
    BinaryGraph,
    EntityExpansion,
    LearnedOrder,
    TextRAG,
    Trajectory,
    Unordered,
    Weights,
    compare,
    permutations,
    reorder,
    why,
)

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


def test_orders_are_what_they_say(asked):
    t = asked.retrieve(QUERY, method="topk", length=6, n=1, group="ONE/Harbour", cap=6, reserve=1)[0]
    assert reorder(t, "reversed").edges == t.edges[::-1]
    assert reorder(t, "none").edges == t.edges
    assert reorder(t, "canonical").edges == ["a1", "a2", "a3", "a4", "a5", "a6"]
    by_label = reorder(t, "horizon").table
    assert by_label["horizon"].tolist() == [48, 48, 24, 24, 12, 12]
    assert by_label.groupby("horizon")["relevance"].apply(lambda r: r.is_monotonic_decreasing).all()
    assert reorder(t, "horizon").terms["relevance"] == pytest.approx(t.terms["relevance"])
    assert sorted(reorder(t, "shuffled", rng=3).edges) == sorted(t.edges)


def test_shuffles_differ_and_repeat_with_the_seed(found):
    some = [t.edges for t in permutations(found, 5, rng=1)]
    assert some == [t.edges for t in permutations(found, 5, rng=1)]
    assert len(set(map(tuple, some))) > 1


def test_the_learned_order_reads_no_label(asked):
    H, model = storms(), Uniform()
    learned = LearnedOrder(H, model)
    assert learned.reports("ONE/Harbour") == [["a1", "a2"], ["a3", "a4"], ["a5", "a6"]]
    shift = {"horizon": -H.edges["horizon"], "chunk": H.edges["chunk"].map(lambda name: name[::-1])}
    other = hg.Hypergraph.from_frame(H.incidences[["edge", "node"]], edges=H.edges.assign(**shift), nodes=H.nodes)
    assert LearnedOrder(other, Uniform()).reports("ONE/Harbour") == learned.reports("ONE/Harbour")
    t = asked.retrieve(QUERY, method="topk", length=8, n=1)[0]
    put = [edge for edge in reorder(t, "learned", learned=learned).edges if edge[0] == "a"]
    assert put == ["a1", "a2", "a3", "a4", "a5", "a6"]


def test_orders_that_cannot_be_had_are_refused(found):
    with pytest.raises(ValueError, match="give one of shuffled"):
        reorder(found, "sideways")
    with pytest.raises(ValueError, match="needs learned="):
        reorder(found, "learned")
    H = hg.Hypergraph.from_dict({"a": "xy", "b": "yz"})
    bare = hg.retrieval.Retriever(H, embedder=retriever().embedder).retrieve("x", method="topk")[0]
    with pytest.raises(ValueError, match="no label to sort by"):
        reorder(bare, "horizon")
    with pytest.raises(ValueError, match="needs a precedence"):
        reorder(bare, "canonical")


def test_two_trajectories_side_by_side(asked):
    one = asked.retrieve(QUERY, method="topk", length=3, n=1)[0]
    two = reorder(one, "reversed")
    found = compare(one, two)
    assert found.steps["same"].tolist() == [False, True, False] and found.shared == 1
    assert found.steps["one_at"].tolist() == [3, 2, 1]
    assert found.terms.loc["relevance", "difference"] == pytest.approx(0)


def test_why_compares_whole_trajectories(found):
    table = why(found, 2, most=2)
    assert table.index[0] == found.edges[1] and table["total"].iloc[0] == pytest.approx(found.score)
    rival = table.iloc[1]
    gaps = {term: rival[term] - table.iloc[0][term] for term in TERMS}
    assert rival["difference"] == pytest.approx(sum(gaps.values()))
    decides = min if rival["difference"] < 0 else max
    assert rival["decided_by"] == decides(gaps, key=gaps.get)
    with pytest.raises(ValueError, match="steps 1 to 5"):
        why(found, 9)


def test_baselines_answer_within_the_budget(asked):
    for baseline in (TextRAG(asked), TextRAG(asked, "bm25"), TextRAG(asked, "fused", "sentence"), BinaryGraph(asked),
                     Unordered(asked), EntityExpansion(asked)):  # fmt: skip
        best = baseline.retrieve(QUERY, length=4)[0]
        assert 1 <= len(best) <= 4 and len(set(best.edges)) == len(best)
        assert [t.edges for t in baseline.retrieve(QUERY, length=4)] == [best.edges]


def test_text_keeps_the_order_of_its_passage(asked):
    best = TextRAG(asked, "bm25").retrieve("Harbour is restricted", length=2)[0]
    assert best.edges == ["a3", "a4"]  # the report of 24 hours, in text order


def test_the_binary_graph_walks_from_the_named_entities(asked):
    best = BinaryGraph(asked).retrieve("Quay", length=2)[0]
    assert best.edges[0] == "b2"


def test_entity_expansion_is_in_order_and_in_the_group(asked):
    best = EntityExpansion(asked).retrieve(QUERY, length=6)[0]
    assert best.edges == ["a1", "a2", "a3", "a4", "a5", "a6"]


def test_shares_are_divided_over_related_neighbours_only(asked):
    t = asked.retrieve(QUERY, method="topk", length=6, n=1, group="ONE/Harbour", cap=6, reserve=1)[0]
    table = reorder(t, "reversed").table
    related = table["precedence"].notna()
    assert np.allclose(table.loc[~related, "score_precedence"], 0)
    assert table["score_precedence"].sum() == pytest.approx(0.3 * table["precedence"].sum() / related.sum())
