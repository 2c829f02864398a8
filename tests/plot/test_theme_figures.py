"""Communities, motifs, nesting, distortions, sensitivity: what is drawn is what the tables hold, and can be read."""

from itertools import pairwise

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from hgwork import Hypergraph, datasets, plot, topology
from tests.plot.test_topology_figures import assert_readable

TOY = datasets.load("toy")
RANDOM = datasets.heavy_tailed(300, 500, rng=0)


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def found():
    return topology.communities(RANDOM, seeds=3)


def test_bars_are_the_nodes_of_a_community_and_their_share_inside(found):
    named, runs = plot.communities(found, n=5)
    widths = [bar.get_width() for bar in named.patches]
    assert widths[:5] == found.table["nodes"].head(5).tolist()
    assert np.allclose(widths[5:], (found.table["nodes"] * found.table["inside"]).head(5))
    assert runs.collections[0].get_offsets()[:, 0].tolist() == found.runs["modularity"].tolist()
    assert_readable([named, runs])


def test_every_run_of_every_copy_stands_in_the_row_of_its_name(found):
    copies = [topology.communities(copy, seeds=2) for copy in topology.null_samples(RANDOM, 2)]
    axes = plot.communities(found, {"shuffled": copies})
    own, others = axes[1].collections
    assert len(own.get_offsets()) == 3 and len(others.get_offsets()) == 4
    assert (np.round(others.get_offsets()[:, 1]) == 1).all()
    assert [label.get_text() for label in axes[1].get_yticklabels()] == ["observed", "shuffled"]
    assert f"of {len(found.table):,} communities" in plot.caption(axes)
    assert_readable(axes)


def test_communities_that_are_not_there_are_refused(found):
    with pytest.raises(ValueError, match="shuffled: 0"):
        plot.communities(found, {"shuffled": []})
    with pytest.raises(ValueError, match="n=0"):
        plot.communities(found, n=0)


def test_the_sweep_is_filled_inside_the_community_and_hollow_outside():
    # of {x, y, z, a, b}, volume 2 + 2 + 3 + 3 + 3 = 13, one incidence leads out: z in c
    H = Hypergraph.from_dict({"a": "xyz", "b": "xyz", "c": "zp", "d": "pqr", "e": "pqr"})
    table = topology.local_community(H, "x")
    ax = plot.local_community(table, "x")
    inside, outside = (part for part in ax.collections if len(part.get_offsets()))
    assert len(inside.get_offsets()) == 3 and len(outside.get_offsets()) == len(table) - 3
    assert [label.get_text() for label in ax.get_xticklabels()][:1] == ["x"]
    assert "least 0.08, at 3 concepts" in " ".join(text.get_text() for text in ax.texts)
    assert_readable(ax)


def test_a_long_sweep_shows_its_first_rows_only():
    table = topology.local_community(RANDOM, RANDOM.degrees.idxmax(), most=80)
    ax = plot.local_community(table, "the hub", rows=30)
    assert len(ax.get_xticklabels()) == 30 < len(table)
    assert_readable(ax)
    with pytest.raises(ValueError, match="rows=0"):
        plot.local_community(table, "the hub", rows=0)


def census_of(H, copies=2):
    null = pd.DataFrame([topology.motif_census(copy)["count"] for copy in topology.null_samples(H, copies)])
    return topology.motif_census(H), null


def test_motifs_that_occur_nowhere_are_left_out_and_open_ones_come_first():
    census, null = census_of(TOY)
    counts, significance = axes = plot.motif_census(census, null)
    met = census.index[(census["count"] > 0) | (null.max() > 0)]
    order = [m for m in met if 17 <= m <= 22] + [m for m in met if not 17 <= m <= 22]  # the open ones are 17 to 22
    drawn = counts.lines[0]
    values = np.maximum(census.loc[order, "count"], 0.4)  # zeros stand below one
    assert drawn.get_ydata().tolist() == values.tolist()
    glyphs = [ax.get_gid() for ax in counts.figure.axes if str(ax.get_gid()).startswith("motif")]
    assert glyphs == [f"motif {number}" for number in order]
    assert len(significance.patches) == len(order)
    assert_readable(axes)


def test_significance_is_one_where_chance_never_makes_a_motif_and_minus_one_where_only_chance_does():
    census = topology.motif_census(TOY)
    null = pd.DataFrame(0, index=[0], columns=census.index)
    null[2] = 5  # motif 2 is not in the toy
    _, significance = plot.motif_census(census, null)
    heights = {bar.get_height() for bar in significance.patches}
    assert heights == {1.0, -1.0}


def test_the_drawing_of_a_motif_fills_its_regions():
    from hgwork.plot.motifs import REGIONS, _regions

    # a lies up left, b up right, c below: where they overlap is between their centres
    side = len(_regions())
    at = lambda x, y: _regions()[round((1.35 - y) / 2.9 * (side - 1)), round((x + 1.45) / 2.9 * (side - 1))]  # noqa: E731
    places = {"a": (-1, 0.5), "b": (1, 0.5), "c": (0, -1.2), "ab": (0, 0.7), "bc": (0.6, -0.35), "ca": (-0.6, -0.35)}
    for name, place in (places | {"abc": (0, 0)}).items():
        assert REGIONS[at(*place) - 1] == name
    assert at(-1.4, -1.5) == 0


def test_a_census_without_triples_or_with_a_foreign_null_is_refused():
    census, null = census_of(Hypergraph.from_dict({"a": "xy", "b": "zw"}), 1)
    with pytest.raises(ValueError, match="no three hyperedges"):
        plot.motif_census(census, null)
    with pytest.raises(ValueError, match="column for each motif"):
        plot.motif_census(census, null[[1, 2]])


def test_the_toy_chain_is_four_boxes_each_in_the_next():
    # {Sally} in {Sally, Bob} in {Sally, Bob, David} in {Sally, Bob, David, Ella}
    axes = plot.nesting(TOY, topology.maximal_chains(TOY, n=1))
    boxes = sorted((box for box in axes[0].patches), key=lambda box: box.get_gid())
    assert len(boxes) == 4
    spans = [(box.get_x(), box.get_x() + box.get_width(), box.get_y(), box.get_y() + box.get_height()) for box in boxes]
    for inner, outer in pairwise(spans):
        assert outer[0] < inner[0] and inner[1] < outer[1] and outer[2] < inner[2] and inner[3] < outer[3]
    middle = {text.get_text(): text.get_position()[0] for text in axes[0].texts}
    for size, (left, right, *_) in enumerate(spans, 1):
        within = [name for name in ("Sally", "Bob", "David", "Ella") if left < middle[name] < right]
        assert within == ["Sally", "Bob", "David", "Ella"][:size]
    assert_readable(axes)


def test_long_names_stay_in_their_cells_and_the_evidence_can_stand_beside():
    names = ["poly(ethylene glycol) diacrylate", "intracellular reactive oxygen species", "PCL", "cell", "RGD", "ROS"]
    edges = {"one": names[:2], "two": names[:4], "three": names}
    H = Hypergraph.from_dict(edges, edges={edge: {"text": f"What {edge} says."} for edge in edges})
    axes = plot.nesting(H, topology.maximal_chains(H), text="text")
    assert {"What one says.", "What two says.", "What three says."} <= {text.get_text() for text in axes[0].texts}
    assert_readable(axes)


def test_nesting_refuses_what_it_cannot_draw():
    wide = Hypergraph.from_dict({"a": [f"node {i}" for i in range(11)], "b": ["node 0"]})
    with pytest.raises(ValueError, match="up to 11 members"):
        plot.nesting(wide, topology.maximal_chains(wide))
    with pytest.raises(ValueError, match="0 chains"):
        plot.nesting(TOY, topology.maximal_chains(TOY).head(0))
    with pytest.raises(ValueError, match="text='proof'"):
        plot.nesting(TOY, topology.maximal_chains(TOY), text="proof")


def test_every_measure_of_every_projection_is_a_mark():
    tables = {"toy": topology.distortions(TOY), "random": topology.distortions(RANDOM, most=40)}
    axes = plot.distortions(tables)
    measures = ["clustering", "assortativity", "degree_rank", "closeness_rank", "betweenness_rank"]
    for ax, measure in zip(axes, measures, strict=True):
        for line, table in zip(ax.lines, tables.values(), strict=False):
            assert np.array_equal(line.get_xdata(), table.loc[measure], equal_nan=True)
    assert [label.get_text() for label in axes[0].get_yticklabels()][:2] == ["hypergraph", "clique"]
    assert any(text.get_text() == "undefined" for text in axes[2].texts)  # a collapsed graph has no concepts
    assert_readable(axes)
    assert_readable(plot.distortions(tables["toy"]))
    with pytest.raises(ValueError, match="no table"):
        plot.distortions({})


def test_sensitivity_draws_ratios_to_the_base_setting():
    raw = Hypergraph.from_dict({"a": ["PLA", "silk"], "b": ["PLLA", "silk"], "c": ["PLA", "PLLA"]})
    made = {"raw": raw, "merged": raw.merge_nodes({"PLLA": "PLA"}), "less": raw.subgraph(edges=["a"])}
    axes = plot.sensitivity({"merging": topology.sensitivity(made)})
    merged, less = (line for line in axes[0].lines if line.get_label() in ("merged", "less"))
    # nodes: 3, of which 2 are left; hyperedges: 3, and 1 in the part
    assert merged.get_xdata()[0] == pytest.approx(2 / 3) and less.get_xdata()[1] == pytest.approx(1 / 3)
    assert axes[0].get_xlabel() == "ratio to raw"
    assert_readable(axes)
    other = plot.sensitivity({"merging": topology.sensitivity(made)}, {"merging": "less"})
    assert other[0].get_xlabel() == "ratio to less"
    with pytest.raises(ValueError, match=r"'0\.5' is no setting"):
        plot.sensitivity({"merging": topology.sensitivity(made)}, {"merging": "0.5"})


def test_settings_of_a_merge_table_stand_in_its_order_without_the_count_of_merges():
    vectors = np.eye(len(TOY.nodes), dtype=np.float32)
    vectors[1] = vectors[0]  # Sally and Bob
    table = topology.merge_sensitivity(TOY, vectors, thresholds=(0.99, 0.9), mode="paper")
    axes = plot.sensitivity({"cosine": table, "again": table}, {"cosine": 0.99})
    assert [text.get_text() for text in axes[0].get_legend().get_texts()] == ["unmerged", "0.9"]
    assert "merged" not in [label.get_text() for label in axes[0].get_yticklabels()]
    assert_readable(axes)
