"""Intervals by storm: values by hand, resamples against a plain loop, the same draws for all."""

import numpy as np
import pandas as pd
import pytest

from hgwork.evaluation.bootstrap import bootstrap_differences, bootstrap_means, resample


def results(*rows):
    return pd.DataFrame(rows, columns=["question_id", "storm", "method", "right"])


def random_results(rng, storms=7, questions=40, methods=("m", "n", "o")):
    storm = rng.integers(storms, size=questions)
    rows = [(f"q{q}", f"S{storm[q]}", m, float(rng.random() < 0.6)) for q in range(questions) for m in methods]
    return results(*rows)


def test_the_mean_counts_questions_or_storms_as_asked():
    table = results(("q1", "A", "m", 0), ("q2", "A", "m", 0), ("q3", "A", "m", 0), ("q4", "B", "m", 1))
    assert bootstrap_means(table).loc["m", "value"] == 0.25
    assert bootstrap_means(table, weigh="storm").loc["m", "value"] == 0.5
    assert bootstrap_means(table).loc["m", ["storms", "questions"]].tolist() == [2, 4]


def test_intervals_agree_with_a_loop_over_resamples():
    table = random_results(np.random.default_rng(3))
    storms = sorted(table["storm"].unique())
    found = bootstrap_means(table, draws=300, rng=5).loc["n"]
    one = table[table["method"] == "n"].groupby("storm")["right"]
    sums, counts = one.sum()[storms].to_numpy(), one.count()[storms].to_numpy()
    drawn = np.random.default_rng(5).integers(len(storms), size=(300, len(storms)))
    means = [sums[row].sum() / counts[row].sum() for row in drawn]
    assert np.allclose(found[["low", "high"]], np.quantile(means, [0.025, 0.975]))


def test_a_difference_is_paired_by_question():
    table = results(
        ("q1", "A", "m", 1), ("q1", "A", "n", 0), ("q2", "B", "m", 1), ("q2", "B", "n", 1), ("q3", "B", "m", 0)
    )  # q3 has no answer of n: 1 and 0 remain
    row = bootstrap_differences(table, "n").loc[("m", "n")]
    assert row["value"] == 0.5 and row["questions"] == 2 and row["storms"] == 2


def test_equal_methods_differ_by_nothing_in_every_resample():
    table = random_results(np.random.default_rng(0), methods=("m",))
    both = pd.concat([table, table.assign(method="copy")])
    assert bootstrap_differences(both, [("copy", "m")]).loc[("copy", "m"), ["value", "low", "high"]].tolist() == [
        0,
        0,
        0,
    ]


def test_a_constant_gain_has_no_width_although_the_means_have():
    rows = [(f"q{i}", f"S{i}", m, i / 10 + gain) for i in range(6) for m, gain in (("m", 0.2), ("n", 0.0))]
    table = results(*rows)
    gap, means = bootstrap_differences(table, "n").loc[("m", "n")], bootstrap_means(table)
    assert np.allclose(gap[["value", "low", "high"]].to_numpy(float), 0.2)
    assert (means["high"] - means["low"] > 0.2).all()
    # the same storms were drawn for both
    assert np.allclose(means.loc["m", ["low", "high"]] - means.loc["n", ["low", "high"]], 0.2)


def test_repeats_of_a_question_count_as_one():
    table = results(*[("q1", "A", "m", v) for v in (1, 0, 0, 0)], ("q2", "B", "m", 1))
    row = bootstrap_means(table).loc["m"]
    assert row["value"] == (0.25 + 1) / 2 and row["questions"] == 2


def test_missing_values_are_left_out_and_a_method_without_any_is_not_listed():
    table = results(("q1", "A", "m", 1), ("q2", "B", "m", None), ("q1", "A", "n", None))
    assert bootstrap_means(table)["questions"].to_dict() == {"m": 1}
    with pytest.raises(ValueError, match="no method 'n' in the table; there are m"):
        bootstrap_differences(table, "n")


def test_a_method_known_for_one_storm_alone_has_its_value_as_interval():
    table = results(("q1", "A", "m", 1), ("q2", "B", "m", 0), ("q1", "A", "n", 1))
    row = bootstrap_means(table).loc["n"]  # resamples without storm A say nothing about n
    assert row[["value", "low", "high"]].tolist() == [1, 1, 1] and row["storms"] == 1


def test_several_keys_make_rows_in_order_of_appearance():
    table = pd.concat([results(("q1", "A", "m", 1)).assign(kind=kind) for kind in ("z", "a")])
    assert bootstrap_means(table, by=["kind", "method"]).index.tolist() == [("z", "m"), ("a", "m")]


def test_draws_hold_as_many_storms_as_there_are_and_repeat_with_the_seed():
    one = resample(9, 50, 4)
    assert (one.sum(axis=1) == 9).all() and np.array_equal(one, resample(9, 50, 4))
    assert not np.array_equal(one, resample(9, 50, 5))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"unit": "ship"}, "no column 'ship'"),
        ({"weigh": "port"}, "weigh='port'"),
        ({"draws": 0}, "draws=0"),
        ({"level": 1.0}, "level=1.0"),
    ],
)
def test_what_is_wrong_is_named(options, message):
    with pytest.raises(ValueError, match=message):
        bootstrap_means(results(("q", "A", "m", 1)), **options)
