"""What trajectories are held against: each baseline by hand or by brute force, and no order given away by ties."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau

import hgwork as hg
from hgwork.retrieval import (
    BinaryGraph,
    EntityExpansion,
    Retriever,
    TextRAG,
    Trajectory,
    Unordered,
    compare,
    reorder,
    why,
)
from hgwork.retrieval.orders import neutral_places

from .scenario import Uniform, Words, retriever, storms

QUERY = "How strong does One blow at Harbour?"


@pytest.fixture
def asked():
    return retriever(transitions=Uniform())


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


def dense_pagerank(H, seeds, damping):
    """Σ (d W)^k s, by solving; W: columns of the clique expansion, divided by their sums."""
    incidence = H.incidence.toarray()
    links = incidence.T @ incidence
    np.fill_diagonal(links, 0)
    walk = links / np.maximum(links.sum(axis=0), 1)
    start = H.nodes.index.isin(seeds) / len(seeds)
    return incidence @ np.linalg.solve(np.eye(len(start)) - damping * walk, start)


@pytest.mark.parametrize("by", ["mean", "sum"])
@pytest.mark.parametrize("damping", [0.3, 0.5, 0.85])
def test_the_walk_is_personalised_pagerank(asked, damping, by):
    H = storms()
    score = dense_pagerank(H, ["Harbour", "ONE"], damping)
    score = score / (H.sizes.to_numpy() if by == "mean" else 1)
    found = BinaryGraph(asked, damping, steps=200, by=by).retrieve("ONE at Harbour", length=8)[0]
    got = pd.Series(score, H.edges.index)[found.edges]
    assert (np.diff(got) <= 1e-9).all() and len(got) == 8


def test_anchors_that_do_not_count_do_not_shift_the_seeds():
    r = retriever(with_anchors=False)
    assert BinaryGraph(r).retrieve("Quay", length=1)[0].edges == ["b2"]
    assert EntityExpansion(r, "none", "entities").retrieve("Quay")[0].edges == ["b2"]


def test_with_nothing_named_the_walk_starts_at_the_most_relevant():
    r = retriever()
    best = r.retrieve("blows at 30 mph", method="topk", length=1, n=1)[0].edges[0]
    assert BinaryGraph(r).retrieve("blows at 30 mph", length=1)[0].edges[0][0] == best[0] == "b"


def test_expansion_by_entities_holds_first_what_holds_most_of_them():
    expansion = EntityExpansion(retriever(), "none", "entities")
    assert set(expansion.retrieve("ONE at Harbour", length=3)[0].edges) == {"a2", "a4", "a6"}
    assert set(expansion.retrieve("ONE at Harbour", length=8)[0].edges) == {"a1", "a2", "a3", "a4", "a5", "a6"}


def test_unordered_fuses_two_ranks():
    class Letters:
        signature, dim = "letters", 3

        def encode(self, texts, progress=False):
            return np.array([{"Ada": [1, 0, 0], "Bea": [0, 1, 0]}.get(text, [0.8, 0, 0.6]) for text in texts], float)

    H = hg.Hypergraph.from_dict({"a": ["Bea"], "b": ["Ada"], "c": ["Ada"]})
    vectors = np.array([[0.8, 0, 0.6], [1, 0, 0], [0, 1, 0]])  # cosines with the query 1, .8, 0: ranks 1, 2, 3
    r = Retriever(H, embedder=Letters(), vectors=vectors)
    # by entities: Ada .8, Bea 0: b and c share rank 1, a has none. b 1/62 + 1/61, c 1/63 + 1/61, a 1/61
    assert Unordered(r).retrieve("?")[0].edges == ["b", "c", "a"]


@pytest.mark.parametrize("kind", [BinaryGraph, Unordered, lambda r: EntityExpansion(r, "none")])
def test_what_ranks_alike_does_not_stand_as_in_the_document(kind):
    names = [f"e{place:02d}" for place in range(40)]
    H = hg.Hypergraph.from_dict({name: ["x"] for name in names}, edges={name: {"group": "x"} for name in names})
    r = Retriever(H, embedder=Words(), vectors=np.ones((40, 64)))
    edges = kind(r).retrieve("x", length=40)[0].edges
    assert edges == [names[place] for place in np.argsort(neutral_places(names))]
    assert abs(kendalltau(range(40), [names.index(edge) for edge in edges]).statistic) < 0.3


def test_passages_that_rank_alike_do_not_stand_by_the_number_of_their_chunk():
    names = [f"e{place:02d}" for place in range(30)]
    edges = {name: {"text": "One blows.", "chunk": f"c{place:02d}"} for place, name in enumerate(names)}
    r = Retriever(hg.Hypergraph.from_dict({name: ["x"] for name in names}, edges=edges), embedder=Words())
    chunks = [f"c{place:02d}" for place in range(30)]
    for method in ("dense", "bm25", "fused"):
        found = TextRAG(r, method).retrieve("blows", length=30)[0].edges
        assert found == [names[place] for place in np.argsort(neutral_places(chunks))]


def test_the_next_trajectory_holds_what_comes_next(asked):
    for baseline in (BinaryGraph(asked), Unordered(asked), TextRAG(asked, unit="sentence")):
        whole = baseline.retrieve(QUERY, length=8)[0].edges
        parts = baseline.retrieve(QUERY, length=3, n=3)
        assert [len(part) for part in parts] == [3, 3, 2]
        assert [edge for part in parts for edge in part.edges] == whole


def test_passages_without_a_word_of_the_query_are_not_found(asked):
    assert TextRAG(asked, "bm25").retrieve("zebra") == []
    assert TextRAG(asked, "bm25", "sentence").retrieve("restricted")[0].edges == ["a4"]


def test_a_hypergraph_without_text_or_hyperedges_gives_nothing():
    bare = Retriever(hg.Hypergraph.from_dict({"a": "xy", "b": "yz"}), embedder=Words())
    assert TextRAG(bare).retrieve("x") == []
    assert set(BinaryGraph(bare).retrieve("x")[0].edges) == set(Unordered(bare).retrieve("x")[0].edges) == {"a", "b"}
    empty = Retriever(hg.Hypergraph.from_dict({}), embedder=Words(), vectors=np.zeros((0, 64)))
    for kind in (TextRAG, BinaryGraph, Unordered, EntityExpansion):
        assert kind(empty).retrieve("x") == []


@pytest.mark.parametrize(
    ("query", "options", "message"),
    [("", {}, "give some text"), (" ", {}, "give some text"), (None, {}, "give some text"),
     ("x", {"length": 0}, "length=0"), ("x", {"n": 0}, "n=0"), ("x", {"length": 2.5}, "length=2.5")],
)  # fmt: skip
def test_a_bad_question_is_refused_alike_by_all(asked, query, options, message):
    for baseline in (TextRAG(asked, "bm25"), BinaryGraph(asked), Unordered(asked), EntityExpansion(asked)):
        with pytest.raises(ValueError, match=message):
            baseline.retrieve(query, **options)


def test_bad_settings_are_refused(asked):
    for make in (lambda: TextRAG(asked, "sparse"), lambda: BinaryGraph(asked, 1.0), lambda: BinaryGraph(asked, steps=0),
                 lambda: BinaryGraph(asked, by="max"), lambda: Unordered(asked, 0),
                 lambda: EntityExpansion(asked, "sideways"),
                 lambda: EntityExpansion(asked, through="luck")):  # fmt: skip
        with pytest.raises(ValueError, match="give"):
            make()


@pytest.mark.parametrize("corpus", ["toy", "failures"])
def test_all_of_it_works_on_any_hypergraph_with_an_order(corpus):
    if corpus == "toy":
        H = hg.datasets.load("toy")
    else:
        H = hg.order.build(hg.datasets.failures(), "failures", progress=False).hypergraph
    r = Retriever(H, hg.order.precedence(H), embedder=Words(), vectors=Words().encode(H.edges["text"].tolist()))
    query = f"What happened in {r.groups[0]}?"
    for baseline in (TextRAG(r, "fused", "sentence"), BinaryGraph(r), Unordered(r), EntityExpansion(r),
                     EntityExpansion(r, "horizon", "entities")):  # fmt: skip
        (found,) = baseline.retrieve(query, length=6)
        assert len(found) == 6 and sorted(reorder(found, "canonical").edges) == sorted(found.edges)
        back = Trajectory.from_json(found.to_json())
        assert compare(found, back).steps["same"].all() and back.to_json() == found.to_json()
        assert len(why(found, 3)) == min(4, len(found.problem) - 5)
