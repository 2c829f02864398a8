"""Order and transitions: every cell, arrow, family, model and storm count of the tables is drawn and can be read."""

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
import pandas as pd
import pytest

import hgwork as hg
from hgwork import plot
from tests.plot.test_topology_figures import assert_readable


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def failures():
    H = hg.order.build(hg.datasets.failures()[:6], "failures", progress=False).hypergraph
    return H, hg.order.precedence(H)


def words(ax):
    return [" ".join(text.get_text().split()) for text in ax.texts]


def test_precedence_counts_every_hyperedge_of_the_group(failures):
    H, P = failures
    group = P.groups[0]
    ax = plot.precedence(P, group)
    assert sum(int(text) for text in words(ax) if text.isdigit()) == (H.edges["group"] == group).sum()
    assert {str(name).replace("_", " ") for name in H.edges.loc[H.edges["group"] == group, "family"]} <= set(words(ax))
    arrows = [patch for patch in ax.patches if str(patch.get_gid() or "").startswith("arrow")]
    assert arrows and len(arrows) <= len(P.transitive_reduction(group))
    assert_readable(ax)
    few = plot.precedence(P, group, most=1)
    assert f"{len(arrows) - 1} arrows of few pairs are not drawn" in plot.caption(few)
    with pytest.raises(KeyError, match="'nowhere' is unknown"):
        plot.precedence(P, "nowhere")


def test_precedence_of_a_storm_has_a_column_a_horizon_and_a_row_of_changes():
    document = next(d for d in hg.datasets.cyclones() if d.attributes["group"] == "ARLENE/PortMiami")
    P = hg.order.precedence(hg.order.build([document], "cyclones", progress=False).hypergraph)
    ax = plot.precedence(P, P.groups[0])
    assert {"T-36", "T-24", "T-12", "changes", "cyclone state"} <= set(words(ax))
    assert_readable(ax)


def test_structure_places_every_group_and_names_those_asked_for(failures):
    H, P = failures
    report = hg.order.structure_report(H, P)
    ax = plot.structure(report, [report.index[0]])
    assert sum(len(points.get_offsets()) for points in ax.collections) == len(report)
    assert f"{report.index[0]} ({report['score'].iloc[0]:.2f})" == ax.get_legend().get_texts()[0].get_text()
    assert_readable(ax)
    with pytest.raises(ValueError, match="no groups"):
        plot.structure(report.iloc[:0])


def test_matrices_share_one_scale_and_must_share_their_names():
    one = pd.DataFrame([[0.2, 0.8], [1.0, 0.0]], index=["state", "track"], columns=["state", "track"])
    axes = plot.transition_matrices({"learned": one, "rules": one / 2})
    assert [ax.images[0].get_clim() for ax in axes] == [(0, 1.0)] * 2
    assert axes[0].images[0].get_array().mask.tolist() == [[False, False], [False, True]]  # never: white
    assert_readable(axes)
    with pytest.raises(ValueError, match="'b' has other names"):
        plot.transition_matrices({"a": one, "b": one.rename(index={"state": "x"})})
    with pytest.raises(ValueError, match="no matrix"):
        plot.transition_matrices({})


def test_held_out_draws_a_panel_a_measure_and_a_mark_a_model():
    index = pd.MultiIndex.from_product(
        [["same horizon", "MRR, own group"], ["learned", "cosine"]], names=["measure", "model"]
    )
    table = pd.DataFrame(
        {"value": [0.9, 0.5, 0.3, 0.1], "low": [0.8, 0.5, 0.2, 0.0], "high": [1, 0.5, 0.4, 0.2]}, index
    )
    axes = plot.held_out(table)
    assert [float(line.get_xdata()[0]) for line in axes[0].lines if line.get_marker() != "None"] == [0.9, 0.5]
    assert len(axes[0].lines) == 5 and len(axes[1].lines) == 4  # only the first panel has a line of guessing
    assert_readable(axes)
    with pytest.raises(ValueError, match="empty"):
        plot.held_out(table.iloc[:0])


def test_training_and_learning_curves_draw_their_tables():
    history = pd.DataFrame(
        {"epoch": [1, 2, 3], "loss": [3.0, 2.0, 1.5], "held_out_loss": [3.1, 2.5, 2.4], "best": True}
    )
    ax = plot.training(history)
    assert [line.get_ydata().tolist() for line in ax.lines] == [[3.0, 2.0, 1.5], [3.1, 2.5, 2.4]]
    assert_readable(ax)
    with pytest.raises(ValueError, match="holds no loss"):
        plot.training(pd.DataFrame({"epoch": [1]}))
    index = pd.MultiIndex.from_product([["report pairs", "same horizon"], [3, 6]], names=["measure", "training storms"])
    table = pd.DataFrame({"value": [0.6, 0.8, 0.9, 1], "low": 0.5, "high": 1.0, "held out": 4}, index)
    ax = plot.learning_curve(table)
    assert [line.get_ydata().tolist() for line in ax.lines[:2]] == [[0.6, 0.8], [0.9, 1]]
    assert "over 4 held-out storms" in plot.caption(ax)
    assert_readable(ax)
