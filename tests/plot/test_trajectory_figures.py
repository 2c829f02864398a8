"""Figures of trajectories and experiments: everything is drawn, nothing overlaps, nothing is cut off."""

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import hgwork as hg
from hgwork import plot
from tests.plot.test_topology_figures import assert_readable
from tests.retrieval.scenario import Uniform, retriever

LONG = [
    "Outer Banks and North Carolina", "tropical-storm-force wind within five days", "Cape Henlopen", "33 hours",
    "closed to all inbound traffic", "potential tropical cyclone", "Port Condition WHISKEY", "1003 mb", "rip currents",
]  # fmt: skip


class Drawn:
    """A trajectory of so many steps and entities, as figures read it."""

    method, index, score, precedence = "dag", "horizon", 5.25, None
    known = dict.fromkeys(hg.retrieval.TERMS, True)

    def __init__(self, steps=12, entities=30, seed=0):
        rng = np.random.default_rng(seed)
        names = [f"{LONG[i % len(LONG)]} {i}" for i in range(entities - 2)]
        kinds = ["timing", "hazard_forecast", "wind_probability", "port_condition_status"]
        own = [[] for _ in range(steps)]
        for i, name in enumerate(names):
            own[i % steps].append((name, kinds[i % 4]))
        self.edges = [f"e{i}" for i in range(steps)]
        phases = ["advisory", "hazard_forecast", "hazard_observation", "operation_status"]
        relations = ["has_cumulative_probability", "forecasts_hazard_at_horizon", "observes_closest_approach"]
        parts = rng.normal(0, 0.3, (steps, 5))
        self.table = pd.DataFrame(
            {
                "step": np.arange(1, steps + 1),
                "relation": [relations[i % 3] for i in range(steps)],
                "phase": [phases[i * 4 // steps] for i in range(steps)],
                "horizon": [48.0 if i < steps // 2 else 24.0 for i in range(steps)],
                "probability": [np.nan, *rng.random(steps - 1)],
                "entities": [[("ALEX", "cyclone"), ("Canaveral", "port"), *held] for held in own],
                **{f"score_{term}": parts[:, i] for i, term in enumerate(hg.retrieval.TERMS)},
                "score": parts.sum(axis=1),
            }
        )

    def __len__(self):
        return len(self.edges)


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    plt.close("all")


def words(ax):
    return [" ".join(text.get_text().split()) for text in ax.texts]


@pytest.mark.parametrize("steps", [1, 4, 8, 10, 12])
def test_every_step_and_entity_of_a_trajectory_stands_apart(steps):
    t = Drawn(steps)
    ax = plot.trajectory(t)
    drawn = words(ax)
    assert [str(i) for i in range(1, steps + 1)] == [word for word in drawn if word.isdigit()][:steps]
    assert {"ALEX", "Canaveral"} <= set(drawn)
    assert_readable(ax, smallest=5.1)


def test_probabilities_stand_under_their_arrows():
    t = Drawn(8)
    drawn = words(plot.trajectory(t))
    for chance in t.table["probability"].iloc[1:]:
        assert f"{chance:.2f}" in drawn
    t.table["probability"] = np.nan
    ax = plot.trajectory(t)
    assert not any(word.startswith("0.") for word in words(ax)) and "probability" not in plot.caption(ax)


def test_entities_of_one_step_are_left_out_first_and_counted():
    ax = plot.trajectory(Drawn(8, 40), most=12)
    assert "28 entities of a single step are not drawn" in plot.caption(ax) and "ALEX" in words(ax)


def test_a_real_trajectory_is_drawn_without_its_anchors():
    t = retriever(transitions=Uniform()).retrieve("How strong does One blow at Harbour?", method="dag", length=6, n=3)
    for ax in (plot.trajectory(t[0]), plot.ring(t[0]), plot.trajectory_network(t[0]), plot.trajectories(t)):
        assert_readable(ax, smallest=5)
    assert "ONE" in words(plot.trajectory(t[0]))


def test_trajectories_share_their_rows():
    ax = plot.trajectories([Drawn(8, 16, 0), Drawn(8, 16, 1), Drawn(6, 16, 2)])
    assert words(ax).count("ALEX") == 1
    assert_readable(ax, smallest=5.4)
    with pytest.raises(ValueError, match="it shows 1 to 4"):
        plot.trajectories([])


def test_two_layers_hold_every_step():
    ax = plot.trajectory_network(Drawn(8, 14))
    assert_readable(ax, smallest=5.9)


def test_score_terms_sum_to_the_steps():
    t = Drawn(8)
    ax = plot.score_terms(t)
    assert_readable(ax)
    line = next(line for line in ax.lines if line.get_label() == "step in all")
    bars = np.zeros(8)
    for bar in ax.patches:
        bars[round(bar.get_x() + bar.get_width() / 2) - 1] += bar.get_height()
    assert np.allclose(line.get_ydata(), bars) and "sum to 5.25" in plot.caption(ax)


def table(**more):
    index = ["dag", "dag without labels, shuffled", "top-k, by horizon", "beam, raw log P"]
    values = {"value": [0.9, 0.4, 0.42, 0.1], "low": [0.85, 0.3, 0.35, 0.05], "high": [0.95, 0.5, 0.5, 0.2]}
    return pd.DataFrame({**values, **more}, index=index)


def test_variants_stand_with_their_intervals():
    ax = plot.ablation(table(storms=49), "dag")
    assert [t.get_text() for t in ax.get_yticklabels()] == list(table().index)
    assert "49 storms" in plot.caption(ax) and "Dashed: dag" in plot.caption(ax)
    assert_readable(ax)
    with pytest.raises(ValueError, match="reference 'x' is no row"):
        plot.ablation(table(), "x")
    with pytest.raises(ValueError, match="no column 'low'"):
        plot.ablation(table().drop(columns="low"))


def test_differences_that_hold_zero_are_grey():
    ax = plot.differences(table(low=[0.85, -0.1, 0.35, -0.05]), aim=0.25)
    colors = [line.get_color() for line in ax.lines if line.get_marker() == "o"]
    assert colors[0] == colors[2] != colors[1] == colors[3]
    assert_readable(ax)


def test_the_heatmap_writes_every_number_and_frames_the_chosen():
    rows = pd.DataFrame(
        [(a, b, a + b) for a in (0, 0.5) for b in (0, 0.1, 0.2)], columns=["order", "coverage", "value"]
    )
    ax = plot.weight_heatmap(rows, "order", "coverage", "value", chosen=(0.5, 0.2))
    assert sorted(words(ax)) == ["0.00", "0.10", "0.20", "0.50", "0.60", "0.70"] and len(ax.patches) == 1
    assert_readable(ax)


def test_steps_that_lie_together_are_drawn_apart():
    t = Drawn(8)
    place = pd.DataFrame({"x": [0.0] * 8 + [1, 2], "y": [0.0] * 8 + [1, 2]}, index=[*t.edges, "other", "far"])
    ax = plot.candidate_map(place, t, {"other": "group"})
    assert [w for w in words(ax) if w.isdigit()] == [str(i) for i in range(1, 9)]
    assert_readable(ax, smallest=5.9)
    with pytest.raises(KeyError, match="has no coordinates"):
        plot.candidate_map(place.drop("e3"), t)


def test_a_trajectory_too_long_to_read_is_refused():
    with pytest.raises(ValueError, match="1 to 16 steps"):
        plot.trajectory(Drawn(17))
