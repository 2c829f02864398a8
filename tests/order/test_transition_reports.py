"""Ordering whole reports: the best permutation, by brute force."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgwork.order.transitions.reports import order_by_pairs, report_order, report_scores


def gain(scores, order):
    return sum(scores[a, b] for place, a in enumerate(order) for b in order[place + 1 :])


def turning(values):
    scores = np.array(values, float)
    return scores - scores.T


matrices = st.integers(1, 6).flatmap(
    lambda n: st.lists(st.lists(st.integers(-9, 9), min_size=n, max_size=n), min_size=n, max_size=n)
)


@given(matrices)
def test_few_reports_are_ordered_exactly_and_ties_go_to_the_first(values):
    scores = turning(values)
    best = max(gain(scores, order) for order in permutations(range(len(scores))))
    first = next(list(o) for o in permutations(range(len(scores))) if gain(scores, o) == best)
    assert order_by_pairs(scores) == first


@given(st.permutations(range(20)))
def test_many_reports_with_a_plain_order_are_found_whatever_they_come_in(order):
    late = np.argsort(order).astype(float)
    assert order_by_pairs(late[None, :] - late[:, None]) == list(order)


@given(st.integers(0, 10_000))
def test_the_heuristic_ends_where_no_single_move_gains(seed):
    scores = turning(np.random.default_rng(seed).normal(size=(14, 14)))
    order = order_by_pairs(scores)
    reached = gain(scores, order)
    assert sorted(order) == list(range(14))
    start = np.argsort(-scores.sum(axis=1), kind="stable").tolist()
    assert reached >= gain(scores, start) - 1e-9
    for item in order:
        rest = [other for other in order if other != item]
        assert all(gain(scores, [*rest[:p], item, *rest[p:]]) <= reached + 1e-6 for p in range(14))


class Late:
    """Direction by a number in the id: "wind 3" comes before "wind 5"."""

    class features:
        kinds = np.array(["wind", "wind", "rain", "rain"], object)

        @staticmethod
        def rows(ids):
            return np.array([{"wind": 0, "rain": 2}[edge.split()[0]] for edge in ids], int)

    def direction(self, ids_i, ids_j):
        late = [np.array([float(edge.split()[1]) for edge in ids]) for ids in (ids_i, ids_j)]
        return late[1][None, :] - late[0][:, None]


def test_scores_add_up_pairs_of_one_kind_or_all_by_hand():
    reports = [["wind 1", "rain 9"], ["wind 4"]]
    # wind 1 against wind 4: +3; rain 9 against wind 4 would add -5
    assert report_scores(Late(), reports).tolist() == [[0, 3], [-3, 0]]
    assert report_scores(Late(), reports, pairs="all").tolist() == [[0, -2], [2, 0]]
    assert report_order(Late(), reports) == [0, 1] and report_order(Late(), reports, pairs="all") == [1, 0]


def test_no_report_one_report_and_an_unknown_option():
    assert report_order(Late(), []) == [] and report_order(Late(), [["wind 1"]]) == [0]
    assert report_order(Late(), [[], ["wind 1"]]) == [0, 1]
    with pytest.raises(ValueError, match="same kind"):
        report_order(Late(), [["wind 1"]], pairs="some")
