"""Measures of sequences against values worked out by hand on four reports of four facts."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau

from hgwork.evaluation.trajectory_measures import ORDER, SEQUENCES, SequenceMeasures, compare_orders
from hgwork.order import precedence
from tests.order.transition_scenarios import scenarios


@pytest.fixture(scope="module")
def scene():
    """Two groups; e0000 to e0015 is the first: T-48, 36, 24, 12, each with state, watch, wind and operation."""
    H = scenarios(storms=2)
    P = precedence(H)
    phase = H.edges["relation"].map(
        {
            "has_cyclone_state": "advisory",
            "has_watch_status": "advisory",
            "forecasts_hazard_at_horizon": "hazard_forecast",
            "has_operation_status": "operation_status",
        }
    )
    return P, SequenceMeasures(P, phase)


def test_the_canonical_order_is_in_order_by_every_measure_and_its_reverse_by_none(scene):
    P, measures = scene
    order = P.canonical_order(P.groups[0])
    right, wrong = measures(order), measures(order[::-1])
    assert [right[name] for name in ("tau", "pairs_in_order", "direction", "neighbours_in_order")] == [1, 1, 1, 1]
    assert [wrong[name] for name in ("tau", "pairs_in_order", "direction", "neighbours_in_order")] == [-1, 0, 0, 0]


def test_measures_by_hand(scene):
    _, measures = scene
    # wind T-36, state T-48, wind T-48, operation T-48: canonical places 6, 0, 2, 3, so of 6 pairs 3 stand in order.
    # Related: state < wind < operation at T-48 (3 pairs, right), wind 48 < wind 36 and so state 48 < wind 36 (wrong);
    # operation 48 and wind 36 are not: 3 of 5. Two places: the pairs of T-36 with the others, all wrong.
    found = measures(["e0006", "e0000", "e0002", "e0003"])
    assert found["tau"] == 0 and found["comparable"] == 1
    assert found["pairs_in_order"] == 3 / 5 and np.isclose(found["related"], 5 / 6)
    assert found["direction"] == 0 and np.isclose(found["neighbours_in_order"], 2 / 3)
    assert found["phase_coverage"] == 3 / 6 and found["horizon_coverage"] == 2 / 4


def test_pairs_of_two_groups_cannot_be_compared(scene):
    _, measures = scene
    found = measures(["e0000", "e0016", "e0004"])
    assert found["tau"] == 1 and np.isclose(found["comparable"], 1 / 3)
    assert np.isclose(found["purity"], 2 / 3) and measures(["e0000", "e0016"], group="STORM1/Port 0")["purity"] == 0.5


def test_two_facts_of_one_kind_at_one_place_have_no_order(scene):
    H = scenarios(storms=1)
    edges = H.edges.copy()
    edges.loc["e0001", "relation"] = "has_cyclone_state"  # now of the kind of e0000, at T-48
    from hgwork import Hypergraph

    P = precedence(Hypergraph.from_frame(H.incidences, edges=edges, nodes=H.nodes))
    measures = SequenceMeasures(P)
    assert np.isnan(measures(["e0001", "e0000"])["tau"])
    # three pairs, one tied, two in order: 2 / sqrt(3 * 2), which is what SciPy finds for ranks 0, 0, 1
    found = measures(["e0001", "e0000", "e0003"])["tau"]
    assert np.isclose(found, kendalltau([0, 1, 2], [0, 0, 1]).statistic) and np.isclose(found, 2 / np.sqrt(6))


def test_tau_is_that_of_scipy_for_any_order_without_ties(scene):
    P, measures = scene
    order = P.canonical_order(P.groups[1])[::3]
    for several in itertools.islice(itertools.permutations(order), 0, 120, 7):
        ranks = [order.index(edge) for edge in several]
        assert np.isclose(measures(several)["tau"], kendalltau(range(len(ranks)), ranks).statistic)


def test_needed_evidence_is_counted_once(scene):
    _, measures = scene
    assert measures(["e0000", "e0001", "e0001"], needed=["e0001", "e0001", "e0002"])["needed_coverage"] == 0.5
    assert np.isnan(measures(["e0000"])["needed_coverage"]) and np.isnan(measures(["e0000"], [])["needed_coverage"])


def test_what_cannot_be_counted_is_missing_not_zero(scene):
    _, measures = scene
    one, none = measures(["e0000"]), measures([])
    assert all(np.isnan(one[name]) for name in ORDER) and one["purity"] == 1
    assert np.isnan(none["purity"]) and none["phase_coverage"] == 0
    assert np.isnan(none["horizon_coverage"]) and one["horizon_coverage"] == 0.25


def test_a_trajectory_is_measured_by_its_edges(scene):
    _, measures = scene

    class Steps:
        edges = ("e0000", "e0004")

    assert measures(Steps())["direction"] == 1


def test_an_unknown_hyperedge_is_named(scene):
    _, measures = scene
    with pytest.raises(KeyError, match="'nothing' is not among the 32"):
        measures(["nothing"])


def test_other_orders_of_the_same_set_stand_beside(scene):
    _, measures = scene
    rows = [{"question_id": "q", "method": "m", "edges": ["e0006", "e0002", "e0000"], "needed": ["e0000", "e0009"]}]
    table = compare_orders(measures, pd.DataFrame(rows), shuffles=400, rng=1).set_index("sequence")
    assert table.index.tolist() == list(SEQUENCES)
    # wind 36, wind 48, state 48: reversed it is in time and in phase; sorted, wind still stands before state
    assert table["direction"].tolist()[:3] == [0, 1, 1]
    assert table["pairs_in_order"].tolist()[:3] == [0, 1, 2 / 3]
    assert abs(table.loc["shuffled", "direction"] - 0.5) < 0.05 and abs(table.loc["shuffled", "tau"]) < 0.1
    assert (table["needed_coverage"] == 0.5).all() and (table["question_id"] == "q").all()


def test_the_same_seed_gives_the_same_permutations(scene):
    _, measures = scene
    rows = pd.DataFrame([{"question_id": "q", "edges": [f"e{k:04d}" for k in range(12)]}])
    one, two = (compare_orders(measures, rows, rng=3) for _ in range(2))
    pd.testing.assert_frame_equal(one, two)
    assert compare_orders(measures, rows, rng=4)["tau"].iloc[3] != one["tau"].iloc[3]


def test_steps_without_a_place_stand_last_when_sorted():
    H = scenarios(storms=1)
    edges = H.edges.copy()
    edges.loc["e0000", "horizon"] = None
    from hgwork import Hypergraph

    measures = SequenceMeasures(precedence(Hypergraph.from_frame(H.incidences, edges=edges, nodes=H.nodes)))
    assert measures.sorted_by_horizon(["e0000", "e0009", "e0008", "e0004"]) == ["e0004", "e0009", "e0008", "e0000"]
