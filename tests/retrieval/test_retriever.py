"""Candidates, names and bad input of a retriever."""

import numpy as np
import pandas as pd
import pytest

import hgwork as hg
from hgwork.retrieval import ZERO, GroupNames, Retriever, Weights, in_document_order, scope

from .scenario import Uniform, Words, retriever, storms

QUERY = "How strong does One blow at Harbour?"


def test_a_query_is_about_the_group_that_its_names_point_to():
    names = GroupNames(storms())
    assert names.named(QUERY) == ("ONE/Harbour",)
    assert names.named("Was the quay closed?") == ("TWO/Quay",)
    assert names.named("What did One do at Quay?") == ("ONE/Harbour", "TWO/Quay")
    assert names.named("ein Sturm über dem Meer") == names.named("") == ()


def test_names_count_in_any_case_and_written_apart():
    edges = {"a": {"group": "NICHOLAS/PortMiami"}, "b": {"group": "ALEX/PortMiami"}, "c": {"group": "NICHOLAS/Tampa"}}
    names = GroupNames(hg.Hypergraph.from_dict({"a": ["x"], "b": ["x"], "c": ["x"]}, edges=edges))
    assert names.named("Was Port Miami closed when Nicholas came?") == ("NICHOLAS/PortMiami",)
    assert names.named("ALEX at PortMiami") == names.named("alex at port miami") == ("ALEX/PortMiami",)


def test_of_groups_that_hold_the_names_alike_the_one_called_so_is_meant():
    members = {"a": ["ONE", "Quay", "Harbour"], "b": ["ONE", "Quay", "Harbour"], "c": ["TWO"]}
    edges = {"a": {"group": "ONE/Quay"}, "b": {"group": "ONE/Harbour"}, "c": {"group": "TWO/Pier"}}
    # both groups know both places: "one" alone points to two
    H = hg.Hypergraph.from_dict(members | {"d": ["TWO"]}, edges=edges | {"d": {"group": "TWO/Dock"}})
    assert GroupNames(H).named("One at the quay") == ("ONE/Quay",)
    assert GroupNames(H).named("Where did One go?") == ("ONE/Harbour", "ONE/Quay")


def test_a_name_that_most_groups_share_tells_none_apart():
    H = hg.Hypergraph.from_dict(
        {f"e{i}": ["Shared", f"Own{i}"] for i in range(4)}, edges={f"e{i}": {"group": f"g{i}"} for i in range(4)}
    )
    assert GroupNames(H).named("Shared") == ()
    assert GroupNames(H).named("Shared and Own2") == ("g2",)


def test_doors_open_in_the_stated_order():
    relevance = np.array([0.1, 0.9, 0.8, 0.2, 0.3, 0.7, 0.0, 0.05])
    own = np.array([0, 3, 4])
    names = [f"e{i}" for i in range(8)]
    found = scope(relevance, own, lambda rows: np.array([6]), names, ("g",), top_k=2, cap=5, reserve=0.4)
    # floor(0.4 x 5) = 2 own by relevance: e4, e3; top two e1, e2; then the neighbour e6
    assert dict(zip(found.ids, found.doors, strict=True)) == {
        "e1": "similarity", "e2": "similarity", "e4": "group", "e3": "group", "e6": "neighbour",
    }  # fmt: skip
    assert found.ids == ["e1", "e2", "e4", "e3", "e6"]
    assert found.report["hyperedges"].to_dict() == {"group": 2, "similarity": 2, "neighbour": 1, "backfill": 0}


def test_what_no_door_lets_in_is_filled_by_relevance():
    relevance = np.linspace(1, 0, 10)
    found = scope(relevance, np.array([], int), lambda rows: rows, [f"e{i}" for i in range(10)], top_k=2, cap=4)
    assert found.doors == ["similarity", "similarity", "backfill", "backfill"]


@pytest.mark.parametrize("wrong", [{"top_k": 0}, {"cap": 0}, {"top_k": 2.5}, {"reserve": 1.5}, {"reserve": -0.1}])
def test_scoping_refuses_numbers_out_of_range(wrong):
    with pytest.raises(ValueError, match="give whole numbers of at least 1"):
        retriever().candidates(QUERY, **wrong)


def test_dag_stays_in_the_named_group_and_in_order():
    best = retriever().retrieve(QUERY, method="dag", length=4, n=1)[0]
    horizons = best.table["horizon"].tolist()
    assert horizons == sorted(horizons, reverse=True) and set(best.table["group"]) == {"ONE/Harbour"}
    assert best.terms["precedence"] == pytest.approx(0.3) and best.proven


def test_dag_stays_in_the_named_group_where_another_holds_more():
    asked = retriever()
    best = asked.retrieve("Was the quay closed?", method="dag", length=4, n=1)[0]
    assert best.edges == ["b1", "b2"] and best.note == "2 steps instead of 4: no more candidates can follow."
    wide = asked.retrieve("Was the quay closed?", method="dag", length=8, n=1, across=True)[0]
    assert wide.edges == ["b1", "b2", "a1", "a2", "a3", "a4", "a5", "a6"]


def test_given_ranks_take_the_place_of_precedence():
    ranks = pd.Series({"a6": 0, "a5": 1, "a4": 2, "a3": 3, "a2": 4, "a1": 5})
    best = retriever(ranks=ranks).retrieve(QUERY, method="dag", length=6, n=1)[0]
    assert best.edges == ["a6", "a5", "a4", "a3", "a2", "a1"]


def test_without_weights_and_penalty_every_method_takes_the_same_set():
    asked = retriever(transitions=Uniform())
    sets = {
        frozenset(asked.retrieve(QUERY, weights=ZERO, method=m, length=3, n=1, diversity=0, group="ONE/Harbour", cap=6,
                                 reserve=1)[0].edges)
        for m in hg.retrieval.METHODS
    }  # fmt: skip
    assert len(sets) == 1


def test_all_weights_reach_the_score():
    asked = retriever(transitions=Uniform())
    best = asked.retrieve(QUERY, method="beam", length=4, n=1, weights=Weights(1, 1, 1, 1))[0]
    assert best.known == dict.fromkeys(best.terms, True)
    assert best.terms["order"] == pytest.approx(0)  # uniform transitions are 0 once normalised
    raw = asked.retrieve(QUERY, method="beam", length=4, n=1, weights=Weights(1, 1, 1, 1), normalise=False)[0]
    assert raw.terms["order"] == pytest.approx(-3 * np.log(7))


def test_confidence_weighs_relevance():
    plain, weighed = (
        retriever().retrieve(QUERY, method="topk", length=2, n=1, weights=Weights(confidence=c))[0] for c in (0, 2)
    )
    assert weighed.terms["relevance"] == pytest.approx(plain.terms["relevance"] * 0.9**2)


def test_what_is_not_known_is_said_and_adds_nothing():
    H = storms().subgraph(edges=["a1", "a2"])
    H = hg.Hypergraph.from_dict({e: list(H.incidences.query("edge == @e")["node"]) for e in ("a1", "a2")})
    best = Retriever(H, embedder=Words()).retrieve("One", method="beam", length=2, n=1)[0]
    assert best.known == {"relevance": True, "order": False, "precedence": False, "continuity": True, "coverage": False}
    assert best.terms["order"] == best.terms["precedence"] == best.terms["coverage"] == 0
    assert "n/a" in best._repr_html_()


def test_fewer_candidates_than_steps_are_said():
    best = retriever().retrieve(QUERY, method="beam", length=20, n=1)[0]
    assert len(best) == 8 and best.note == "8 steps instead of 20: no more candidates can follow."


def test_an_empty_hypergraph_has_no_trajectory():
    H = hg.Hypergraph.from_dict({})
    assert Retriever(H, embedder=Words(), vectors=np.zeros((0, 64))).retrieve("anything") == []


@pytest.mark.parametrize("query", ["", "   ", None, 3])
def test_a_query_needs_text(query):
    with pytest.raises((ValueError, TypeError)):
        retriever().retrieve(query)


def test_a_query_in_another_language_still_ranks():
    assert len(retriever().retrieve("风有多大？", method="dag", length=2, n=1)[0]) == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "greedy"}, "give one of beam, viterbi, dag, topk"),
        ({"length": 0}, "length=0"),
        ({"beam": 2.5}, "beam=2.5"),
        ({"n": True}, "n=True"),
        ({"diversity": -1}, "diversity=-1"),
        ({"group": "THREE/Quay"}, "no knowledge group is named 'THREE/Quay'; there are 'ONE/Harbour'"),
    ],
)
def test_arguments_out_of_range_are_named(options, message):
    with pytest.raises((ValueError, KeyError), match=message):
        retriever().retrieve(QUERY, **options)


def test_weights_must_be_weights():
    with pytest.raises(TypeError, match=r"give hgwork\.retrieval\.Weights"):
        retriever().retrieve(QUERY, weights={"order": 1})


def test_vectors_are_checked():
    H, good = storms(), np.ones((8, 64), np.float32)
    with pytest.raises(ValueError, match=r"shape \(7, 64\): give one row for each of 8"):
        Retriever(H, embedder=Words(), vectors=good[:7])
    with pytest.raises(ValueError, match="vector of hyperedge 'a3' holds NaN"):
        Retriever(H, embedder=Words(), vectors=np.where(np.arange(8)[:, None] == 2, np.nan, good))
    with pytest.raises(ValueError, match="stored vectors are of 'other'"):
        Retriever(H, embedder=Words(), vectors=good, signature="other")
    with pytest.raises(ValueError, match="have 64 dimensions"):
        Retriever(H, embedder=Words(), vectors=good[:, :10]).retrieve(QUERY)


def test_vectors_of_any_length_give_cosines():
    H = storms()
    plain = Words().encode(H.edges["text"].tolist())
    long = Retriever(H, embedder=Words(), vectors=100 * plain)
    wanted = Retriever(H, embedder=Words(), vectors=plain).relevance(QUERY)
    assert np.allclose(long.relevance(QUERY), wanted, atol=1e-6)
    assert np.allclose(long.relevance(7 * Words().encode([QUERY])[0]), wanted, atol=1e-6)


def test_a_query_whose_vector_is_not_finite_is_refused():
    class Broken(Words):
        def encode(self, texts, progress=False):
            return super().encode(texts) * (np.nan if len(texts) == 1 else 1)

    with pytest.raises(ValueError, match="the query vector holds NaN"):
        Retriever(storms(), embedder=Broken()).retrieve(QUERY)


def test_a_precedence_is_read_by_name_and_must_hold_every_hyperedge():
    H = storms()
    P = hg.order.precedence(H)
    ids = H.edges.index.tolist()[::-1]
    turned = hg.Hypergraph.from_frame(H.incidences, edges=H.edges.loc[ids], nodes=H.nodes)
    for other in (turned, H.subgraph(edges=["a1", "a4", "b2"])):
        problem = Retriever(other, P, embedder=Words()).problem(QUERY)
        found = problem.candidates.ids
        assert (problem.before == P.before_matrix(found, found)).all() and problem.before.any()
        ordered = [found[place] for place in np.argsort(problem.rank)]
        wanted = P.canonical_order("ONE/Harbour")
        assert [e for e in ordered if e[0] == "a"] == [e for e in wanted if e in found]
    less = hg.order.precedence(H.subgraph(edges=["a1", "a4", "b2"]))
    with pytest.raises(ValueError, match=r"does not hold hyperedge 'a2' \(5 of 8 are missing\)"):
        Retriever(H, less, embedder=Words())


def test_texts_can_be_embedded_without_what_tells_their_horizon():
    class Kept(Words):
        def encode(self, texts, progress=False):
            self.texts = texts
            return super().encode(texts)

    with_, without = Kept(), Kept()
    Retriever(storms(), embedder=with_)
    Retriever(storms(), embedder=without, horizon_tokens=False)
    assert all("h48" in text or "h24" in text or "h12" in text for text in with_.texts)
    assert not any("h48" in text or "h24" in text or "h12" in text for text in without.texts)


def test_the_phases_that_count_can_be_named():
    asked = retriever(phases=("act",))
    best = asked.retrieve(QUERY, method="dag", length=2, n=1, weights=Weights(0, 0, 0, 10))[0]
    assert best.terms["coverage"] == 10 and asked.phases == ("act",)
    none = retriever(phases=()).retrieve(QUERY, method="dag", length=2, n=1)[0]
    assert none.terms["coverage"] == 0 and not none.known["coverage"]
    with pytest.raises(ValueError, match="phases='act': give a sequence"):
        retriever(phases="act")


def test_anchors_can_be_left_out_of_the_overlap():
    with_, without = (retriever(with_anchors=yes).problem(QUERY) for yes in (True, False))
    place = {edge: n for n, edge in enumerate(with_.candidates.ids)}
    # a1 ONE, h48, wind a; a2 ONE, Harbour, h48: two of four are shared, without h48 one of three
    assert with_.jaccard[place["a1"], place["a2"]] == pytest.approx(2 / 4)
    assert with_.candidates.ids == without.candidates.ids
    assert without.jaccard[place["a1"], place["a2"]] == pytest.approx(1 / 3)


def _failures():
    return hg.order.build(hg.datasets.failures("dev"), "failures", progress=False).hypergraph


@pytest.mark.parametrize(
    ("make", "query"),
    [(lambda: hg.datasets.load("toy"), "Who counted groups?"), (_failures, "What failed on the quarry conveyor C7?")],
)
@pytest.mark.parametrize("method", hg.retrieval.METHODS)
def test_other_domains_give_trajectories(make, query, method):
    H = make()
    P = hg.order.precedence(H)
    found = Retriever(H, P, embedder=Words()).retrieve(query, method=method, length=6, n=2)
    assert len(found) == 2 and found[0].edges != found[1].edges
    for trajectory in found:
        assert len(set(trajectory.edges)) == len(trajectory) <= 6
    if method == "dag":
        assert len(set(found[0].table["group"])) == 1
        ranks = P.table["rank"][found[0].edges].tolist()
        assert ranks == sorted(ranks)


def test_documents_without_positions_are_read_in_their_own_order():
    edges = {
        "c": {"document": "two", "start": 5}, "b": {"document": "one", "start": 90},
        "a": {"document": "one", "start": 10}, "a2": {"document": "one", "start": 10}, "x": {"document": None},
    }  # fmt: skip
    H = in_document_order(hg.Hypergraph.from_dict({name: ["n", name] for name in edges}, edges=edges))
    assert H.edges["position"].astype(object).where(H.edges["position"].notna(), None).to_dict() == {
        "c": 0, "b": 1, "a": 0, "a2": 0, "x": None,
    }  # fmt: skip
    P = hg.order.precedence(H)
    assert P.before("a", "b") and not P.before("a", "a2") and not P.before("a2", "a") and not P.before("a", "c")
    best = Retriever(H, P, embedder=Words()).retrieve("n", method="dag", length=3, n=1, group="one")[0]
    assert best.edges[-1] == "b" and set(best.edges) == {"a", "a2", "b"}
    with pytest.raises(ValueError, match="name no document"):
        in_document_order(hg.datasets.load("toy").subgraph(edges=[]))


def test_equal_scores_and_disconnected_candidates_give_a_stated_answer():
    H = hg.Hypergraph.from_dict({f"e{i}": [f"n{i}", f"m{i}"] for i in range(5)})
    asked = Retriever(H, embedder=Words(), vectors=np.ones((5, 64), np.float32))
    for method in ("beam", "dag", "topk"):
        assert asked.retrieve("anything", method=method, length=3, n=1)[0].edges == ["e0", "e1", "e2"]


def test_transition_scores_are_those_of_the_model():
    H = storms()
    P = hg.order.precedence(H)
    model = hg.order.TransitionModel(rank=4, direction=2, epochs=2, embedder=Words()).fit(H, P)
    problem = Retriever(H, P, model, Words()).problem(QUERY)
    ids = problem.candidates.ids
    wanted = model.log_prob(ids, ids)
    assert np.array_equal(np.isfinite(wanted), np.isfinite(problem.log_prob))
    assert np.allclose(wanted, problem.log_prob, atol=1e-5)
    assert np.allclose(problem.order[0, 1], 1 + wanted[0, 1] / np.log(7), atol=1e-5)


def test_the_same_question_gives_the_same_bytes():
    one, two = (retriever(transitions=Uniform()).retrieve(QUERY, length=4) for _ in range(2))
    assert [t.to_json() for t in one] == [t.to_json() for t in two]
