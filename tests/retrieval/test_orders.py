"""The same steps in other orders, and that no tie gives an order away."""

import numpy as np
import pytest

import hgwork as hg
from hgwork.retrieval import LearnedOrder, Retriever, TextRAG, Weights, permutations, reorder
from hgwork.retrieval.orders import neutral_places

from .scenario import Uniform, Words, retriever, storms

QUERY = "How strong does One blow at Harbour?"


@pytest.fixture
def asked():
    return retriever(transitions=Uniform())


@pytest.fixture
def found(asked):
    return asked.retrieve(QUERY, method="beam", length=5, n=2, weights=Weights(1, 1, 1, 1))[0]


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


def equal():
    """All hyperedges equally relevant, in rows that stand in canonical order."""
    H = storms()
    return Retriever(H, hg.order.precedence(H), embedder=Words(), vectors=np.ones((len(H.edges), 64)))


def neutral(ids):
    return [ids[place] for place in np.argsort(neutral_places(ids))]


def test_equal_relevance_does_not_give_the_canonical_order_away():
    t = equal().retrieve("One", method="dag", length=6, n=1, group="ONE/Harbour")[0]
    assert t.edges == ["a1", "a2", "a3", "a4", "a5", "a6"]
    none = reorder(t, "none").edges
    assert none == neutral(t.edges) and none not in (t.edges, t.edges[::-1])
    by_label = reorder(t, "horizon").edges
    assert by_label == [*neutral(["a1", "a2"]), *neutral(["a3", "a4"]), *neutral(["a5", "a6"])]


def test_the_heuristic_knows_phases_and_nothing_else():
    r = equal()
    r.precedence.table["phase_rank"] = r.hypergraph.edges["phase"].map({"watch": 0, "act": 1})
    t = r.retrieve("One", method="dag", length=6, n=1, group="ONE/Harbour")[0]
    assert reorder(t, "heuristic").edges == [*neutral(["a1", "a3", "a5"]), *neutral(["a2", "a4", "a6"])]


def test_ties_do_not_depend_on_the_order_they_come_in():
    t = equal().retrieve("One", method="dag", length=6, n=1, group="ONE/Harbour")[0]
    for order in ("none", "horizon", "heuristic", "canonical"):
        assert reorder(reorder(t, "reversed"), order).edges == reorder(t, order).edges


def test_the_text_order_of_a_passage_does_not_break_ties(asked):
    t = TextRAG(asked, "bm25").retrieve("Harbour is restricted", length=6)[0]
    none = reorder(t, "none").table["relevance"].round(6)
    assert t.table["relevance"].round(6).tolist() != none.tolist() and none.is_monotonic_decreasing
    by_label = reorder(t, "horizon").table
    assert by_label.groupby("horizon")["relevance"].apply(lambda r: r.round(6).is_monotonic_decreasing).all()


def test_a_learned_order_that_knows_nothing_says_nothing():
    class Nothing(Uniform):
        def direction(self, ids_i, ids_j):
            return np.zeros((len(ids_i), len(ids_j)))

    reports = LearnedOrder(storms(), Nothing()).reports("ONE/Harbour")
    reports_by_text = [neutral(["a1", "a2"]), neutral(["a3", "a4"]), neutral(["a5", "a6"])]
    key = ["\n".join(report) for report in reports_by_text]
    assert reports == [reports_by_text[key.index(k)] for k in neutral(key)]
    assert [edge for report in reports for edge in report] != ["a1", "a2", "a3", "a4", "a5", "a6"]


def test_a_learned_order_does_not_see_rows_chunk_names_or_places_in_the_text():
    H, rng = storms(), np.random.default_rng(3)
    rows = rng.permutation(len(H.edges))
    edges = H.edges.iloc[rows].assign(start=rng.permutation(len(rows)))
    edges["chunk"] = edges["chunk"].map({name: f"c{rng.integers(1e9)}" for name in H.edges["chunk"].unique()})
    other = hg.Hypergraph.from_frame(H.incidences[["edge", "node"]], edges=edges, nodes=H.nodes)

    class Cycle(Uniform):  # every report before the next, the last before the first: all rotations are as good
        def direction(self, ids_i, ids_j):
            step = (np.array([[int(j[1:]) // 3 - int(i[1:]) // 3 for j in ids_j] for i in ids_i]) + 1) % 3 - 1
            return step.astype(float)

    assert LearnedOrder(other, Cycle()).reports("ONE/Harbour") == LearnedOrder(H, Cycle()).reports("ONE/Harbour")


def test_a_model_with_horizon_tokens_has_no_say_in_a_learned_order():
    model = Uniform()
    model.horizon_tokens = True
    with pytest.raises(ValueError, match="horizon_tokens=False"):
        LearnedOrder(storms(), model)


def test_learned_ranks_are_what_dag_takes(asked):
    H = storms()

    class Backwards(Uniform):
        def direction(self, ids_i, ids_j):
            return -super().direction(ids_i, ids_j)

    ranks = LearnedOrder(H, Backwards()).ranks()
    t = retriever(ranks=ranks).retrieve(QUERY, method="dag", length=6, n=1, group="ONE/Harbour")[0]
    assert t.edges == ["a6", "a5", "a4", "a3", "a2", "a1"]


def test_what_has_no_chunk_has_no_rank_and_stands_last():
    H = storms()
    edges = H.edges.copy()
    edges.loc["a1", "chunk"] = None
    H = hg.Hypergraph.from_frame(H.incidences[["edge", "node"]], edges=edges, nodes=H.nodes)
    learned = LearnedOrder(H, Uniform())
    assert np.isnan(learned.rank(["a1"])[0]) and learned.rank(["a2", "a3"]).tolist() == [0, 1]
    r = Retriever(H, hg.order.precedence(H), embedder=Words())
    t = r.retrieve(QUERY, method="topk", length=6, n=1, group="ONE/Harbour", cap=6, reserve=1)[0]
    assert reorder(t, "learned", learned=learned).edges == ["a2", "a3", "a4", "a5", "a6", "a1"]


def test_scores_are_those_of_the_new_order(asked):
    t = asked.retrieve(QUERY, method="dag", length=6, n=1, group="ONE/Harbour", weights=Weights(0, 1, 0, 0))[0]
    back = reorder(t, "reversed")
    assert t.terms["precedence"] == 1 and back.terms["precedence"] == 0
    assert back.search_score is None and back.score == pytest.approx(t.score - 1)


def test_permutations_are_at_least_one(found):
    assert len(permutations(found)) == 5
    with pytest.raises(ValueError, match="n=0"):
        permutations(found, 0)


def test_positions_sort_upwards_where_there_are_no_horizons():
    H = hg.datasets.load("toy")
    r = Retriever(H, hg.order.precedence(H), vectors=np.eye(10, 64), embedder=Words())
    t = r.retrieve("groups", method="topk", length=10, n=1)[0]
    places = reorder(t, "horizon").table["position"]
    assert places.is_monotonic_increasing and reorder(t, "horizon").index == "position"
