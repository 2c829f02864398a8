"""What is drawn: counted artists, labels that do not overlap at print size, arrows where targets are."""

import json
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from hgwork import Hypergraph, plot
from hgwork.plot.encodings import marks
from hgwork.plot.sentences import find_spans
from hgwork.topology import projection_losses

GOLD = json.loads((Path(__file__).parents[2] / "data/scaffolds/gold/dev.json").read_text(encoding="utf-8"))
SENTENCES = [sentence for document in GOLD["documents"] for sentence in document["sentences"]]
EVENTS = [
    {"document": document["document"], "evidence": sentence["text"]}
    | {k: event[k] for k in ("source", "relation", "target")}
    for document in GOLD["documents"]
    for sentence in document["sentences"]
    for event in sentence["events"]
]
SCAFFOLDS = Hypergraph.from_events(EVENTS)
TYPED = Hypergraph.from_events(
    [
        {"source": ["chitosan", "PLA"], "relation": "blended by", "target": ["freeze-drying"]},
        {"source": ["freeze-drying"], "relation": "raises", "target": ["porosity"]},
    ],
    nodes={"chitosan": {"type": "Material"}, "PLA": {"type": "Material"}, "freeze-drying": {"type": "Process"}},
)


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    plt.close("all")


def boxes(axes, dpi=300):
    """Text and its box in inches, as saved."""
    axes = list(np.atleast_1d(axes).flat)
    figure = axes[0].figure
    figure.set_dpi(dpi)
    figure.canvas.draw()
    out = []
    for ax in axes:
        ticks = [(ax.xaxis, ax.get_xlim()), (ax.yaxis, ax.get_ylim())]
        off = [
            t.label1
            for axis, ends in ticks
            for t in axis.get_major_ticks()
            if not min(ends) <= t.get_loc() <= max(ends)
        ]
        for text in [
            *ax.texts,
            ax.title,
            ax._left_title,
            ax.xaxis.label,
            ax.yaxis.label,
            *ax.get_xticklabels(),
            *ax.get_yticklabels(),
        ]:
            if (
                text.get_text().strip()
                and text not in off
                and (ax.axison or text in [*ax.texts, ax.title, ax._left_title])
            ):
                out.append((text, text.get_window_extent().transformed(figure.dpi_scale_trans.inverted())))
    return figure, out


def assert_readable(axes, smallest=6.4):
    figure, found = boxes(axes)
    width, height = figure.get_size_inches()
    for text, box in found:
        assert text.get_fontsize() >= smallest, text
        assert box.x0 >= -0.01 and box.y0 >= -0.01 and box.x1 <= width + 0.01 and box.y1 <= height + 0.01, text
    for (one, a), (two, b) in combinations(found, 2):
        wide, high = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
        assert wide <= 0.01 or high <= 0.01, (one.get_text(), two.get_text(), wide, high)


def gids(ax, start):
    return [patch.get_gid() for patch in ax.patches if (patch.get_gid() or "").startswith(start)]


@pytest.mark.parametrize(("n", "seed"), [(1, 3), (2, 0), (8, 3), (12, 7), (20, 1), (50, 2), (50, 5)])
def test_every_hyperedge_label_and_arrow_is_drawn_and_no_labels_overlap(n, seed):
    H = plot.sample(SCAFFOLDS, n, rng=seed)
    ax = plot.hypergraph(H)
    assert sorted(gids(ax, "hyperedge ")) == sorted(f"hyperedge {edge}" for edge in H.edges.index)
    roles = H.incidences["role"].astype(str)
    assert len(gids(ax, "arrow ")) == (roles == "target").sum()
    assert len(gids(ax, "source ")) == (roles == "source").sum()
    said = " ".join(text.get_text() for text in ax.texts).replace("\n", " ")
    whole = [name for name in H.nodes.index if len(name) < 30 and "-" not in name and "/" not in name]
    assert all(name in said or name[:8] in said for name in whole)
    assert_readable(ax)
    assert f"{n} hyperedge" in plot.caption(ax)


def test_dense_pieces_are_readable_too():
    assert_readable(
        plot.hypergraph(SCAFFOLDS.subgraph(edges=SCAFFOLDS.edges.index[SCAFFOLDS.edges["document"] == "s01"]))
    )
    assert_readable(plot.hypergraph(plot.sample(SCAFFOLDS, 80, rng=0)))


def test_sources_stand_left_of_targets_in_a_single_hyperedge():
    ax = plot.hypergraph(Hypergraph.from_events([EVENTS[2]]))
    x = {text.get_text().replace("\n", " "): text.get_window_extent().x0 for text in ax.texts}
    assert x["Polycaprolactone"] < x["is produced by"] < min(x["ring-opening polymerisation"], x["ε-caprolactone"])


def test_few_hyperedges_have_hulls_or_ribbons_and_many_plain_lines():
    H = Hypergraph.from_dict({"Paper 1": ["Sally", "Bob", "David", "Ella"]})
    assert gids(plot.hypergraph(H), "hull") == ["hull Paper 1"]
    crossed = Hypergraph.from_dict({"a": "uvwx", "b": "vx", "c": "uw"})
    assert len(gids(plot.hypergraph(crossed), "ribbon")) == 3
    ax = plot.hypergraph(plot.sample(SCAFFOLDS, 20))
    assert not gids(ax, "hull") and not gids(ax, "ribbon")
    assert not gids(plot.hypergraph(TYPED, directed=False), "arrow ")


def test_same_seed_draws_the_same_picture():
    H = plot.sample(SCAFFOLDS, 15, rng=4)
    places = [[(t.get_text(), *t.get_position()) for t in plot.hypergraph(H, rng=1).texts] for _ in range(2)]
    assert places[0] == places[1]


def test_over_200_hyperedges_are_refused_with_a_way_out():
    with pytest.raises(ValueError, match=r"plot\.sample\(H, 50"):
        plot.hypergraph(SCAFFOLDS)
    with pytest.raises(ValueError, match="empty"):
        plot.hypergraph(Hypergraph.from_dict({}))


def test_empty_hyperedges_isolated_nodes_mathtext_and_long_labels_are_drawn():
    long = "a name that goes on and on " * 8
    H = Hypergraph.from_dict({"none": [], "$5_x$": ["$\\alpha^2", long]}, nodes={"alone": {"type": "x"}})
    ax = plot.hypergraph(H)
    said = [text.get_text() for text in ax.texts]
    assert {"none", "$5_x$", "$\\alpha^2", "alone"} <= set(said)
    assert any(text.endswith("…¹") for text in said) and "cut" in plot.caption(ax)
    assert " ".join(text.removeprefix("1  ") for text in said[-3:]).count("goes on") >= 4
    assert_readable(ax)


def test_given_axes_keep_their_size_and_small_type_is_warned_of():
    figure, axes = plt.subplots(1, 2, figsize=(7.2, 3.4))
    assert plot.hypergraph(TYPED, ax=axes[0]) is axes[0]
    with pytest.warns(UserWarning, match="pt to fit"):
        plot.hypergraph(plot.sample(SCAFFOLDS, 20, rng=1), ax=axes[1])
    assert_readable(axes, smallest=1)
    assert tuple(figure.get_size_inches()) == (7.2, 3.4)


def test_types_have_colour_and_marker_by_name_order():
    assert marks(["b", "a", None, np.nan]) == marks(["a", "b"])
    many = marks(f"t{i:02}" for i in range(70))
    assert len(set(many.values())) == 70
    said = [text.get_text() for text in plot.hypergraph(TYPED).texts]
    assert {"Material", "Process"} <= set(said)


def test_sample_is_uniform_without_replacement_and_keeps_table_order():
    H = plot.sample(SCAFFOLDS, 30, rng=3)
    assert len(H) == 30 and plot.sample(SCAFFOLDS, 30, rng=3).equals(H)
    place = SCAFFOLDS.edges.index.get_indexer(H.edges.index)
    assert (np.diff(place) > 0).all()
    assert len(plot.sample(TYPED, 99)) == 2


# -------------------------------------------------------------------- sentences


def test_spans_are_found_exact_then_folded_then_word_by_word():
    text = "PCL, like pcl-b, is then slowly attacked by lipases."
    assert find_spans(text, "PCL") == [(0, 3)]
    assert find_spans(text, "Lipases") == [(44, 51)]
    assert [text[a:b] for a, b in find_spans(text, "is attacked by", words=True)] == ["is", "attacked", "by"]
    assert find_spans(text, "chitosan") == [] and find_spans(text, "is attacked by") == []


def test_spans_stand_below_their_words_and_absent_labels_are_tags():
    ax = plot.sentence(
        "It melts near 60 °C.", [{"source": ["Polycaprolactone"], "relation": "melts near", "target": ["60 °C"]}]
    )
    assert sorted(gids(ax, "source") + gids(ax, "relation") + gids(ax, "target")) == [
        "relation",
        "source implied",
        "target",
    ]
    assert sorted(gids(ax, "arrow")) == ["arrow source", "arrow target"]
    words = {text.get_text(): text.get_position() for text in reversed(ax.texts)}
    spans = {text.get_text(): text.get_position() for text in ax.texts}
    assert spans["melts near"][0] == words["melts"][0] and spans["melts near"][1] > words["melts"][1]
    assert "1 dashed label" in plot.caption(ax)
    assert_readable(ax)


@pytest.mark.parametrize("index", range(0, len(SENTENCES), 23))
def test_sentences_of_the_gold_are_readable(index):
    sentence = SENTENCES[index]
    ax = plot.sentence(sentence["text"], sentence["events"])
    ends = sum(len(event["source"]) + len(event["target"]) for event in sentence["events"])
    assert len(gids(ax, "arrow")) == ends
    assert_readable(ax)


def test_a_sentence_without_blanks_wraps():
    text = "Ж" * 30 + " " + "壳聚糖支架具有良好的生物相容性。" * 6
    with pytest.warns(UserWarning, match="missing from font") if not _cjk() else _nothing():
        ax = plot.sentence(text, [{"source": ["壳聚糖支架"], "relation": "具有", "target": ["良好的生物相容性"]}])
        assert_readable(ax)
    assert len({round(t.get_position()[1], 3) for t in ax.texts}) > 3


def _cjk():
    from matplotlib import font_manager

    return any("CJK" in font.name for font in font_manager.fontManager.ttflist)


def _nothing():
    from contextlib import nullcontext

    return nullcontext()


def test_a_sentence_fits_given_axes():
    _, ax = plt.subplots(figsize=(3.5, 2))
    sentence = SENTENCES[1]
    assert_readable(plot.sentence(sentence["text"], sentence["events"], ax=ax), smallest=1)


# -------------------------------------------------------------------- projections, merging, quality


def test_projections_draw_the_links_they_count():
    axes = plot.projections()
    drawn = [sum(line.get_gid() == "link" for line in ax.lines) for ax in axes.flat]
    counted = projection_losses(Hypergraph.from_dict({"Paper 1": ["Sally", "Bob", "David", "Ella"]}))["edges"]
    assert drawn == [0, *counted.iloc[1:]]
    assert len(gids(axes.flat[0], "hull")) == 1
    said = [text.get_text() for text in axes.flat[5].texts]
    assert "3 links · degree 1 or 2 · ≤ 3 apart" in said
    assert_readable(axes)
    with pytest.raises(ValueError, match="one hyperedge"):
        plot.projections(TYPED)


@pytest.mark.parametrize("n", [2, 3, 5, 8])
def test_projections_of_other_sizes_are_readable(n):
    names = ["Sally Mae Johnson", "Bob", "David", "Ella", "Fay", "Gus", "Hal", "Ida"]
    assert_readable(plot.projections(Hypergraph.from_dict({"A rather long title": names[:n]})))


def test_same_clique_draws_both_and_refuses_different_graphs():
    axes = plot.same_clique()
    assert [len(gids(ax, "hull")) for ax in axes] == [2, 0, 4]
    assert_readable(axes)
    with pytest.raises(ValueError, match="differ in 1 links"):
        plot.same_clique(Hypergraph.from_dict({"a": "xy", "b": "yz"}), Hypergraph.from_dict({"a": "xy", "b": "z"}))


AUDIT = pd.DataFrame(
    [
        (0, "PCL", "PCL", 9, 1.0, "definition"),
        (0, "PCL", "polycaprolactone", 4, 0.55, "definition"),
        (0, "PCL", "PCLs", 1, 0.97, "cosine+spelling"),
        (1, "scaffold", "scaffold", 8, 1.0, "spelling"),
        (1, "scaffold", "scaffolds", 7, 0.98, "spelling"),
    ],
    columns=["cluster", "representative", "name", "degree", "similarity", "evidence"],
)
VETOES = pd.DataFrame(
    [("a", "b", 0.97, "numeral"), ("c", "d", 0.96, "via 'x' and 'y': numeral"), ("e", "f", 0.99, "other definition")],
    columns=["a", "b", "cosine", "reason"],
)


def test_the_merge_audit_counts_by_hand():
    axes = plot.merge_audit(AUDIT, VETOES, nodes=100)
    assert [bar.get_width() for bar in axes[0].patches] == [100, 97]  # 5 names became 2 nodes
    assert [(round(bar.get_x() + bar.get_width() / 2), bar.get_height()) for bar in axes[1].patches] == [(2, 1), (3, 1)]
    assert sum(len(dots.get_offsets()) for dots in axes[2].collections) == 3
    assert [bar.get_width() for bar in axes[3].patches] == [2, 1]
    assert_readable(axes)
    assert_readable(plot.merge_audit(AUDIT[:0], VETOES[:0]))
    with pytest.raises(ValueError, match="has no column reason"):
        plot.merge_audit(AUDIT, VETOES.drop(columns="reason"))


def test_quality_draws_each_score_with_its_interval_and_the_ceiling():
    metrics = ["entity_f1", "event_f1", "direction_accuracy"]
    rows = [(s, m, 0.5, 0.4, 0.6) for s in ("rules", "noun chunks", "triples") for m in metrics]
    table = pd.DataFrame(rows, columns=["system", "metric", "value", "low", "high"])
    ax = plot.quality(table, ceiling={"entity_f1": 0.85, "event_f1": 0.8})
    assert len(ax.containers) == 3
    assert sum(line.get_linestyle() == "--" and len(line.get_xdata()) == 2 for line in ax.lines) == 2
    assert [text.get_text() for text in ax.get_legend().get_texts()][-1] == "two annotators agree"
    assert_readable(ax)
    legend = ax.get_legend().get_window_extent().transformed(ax.figure.dpi_scale_trans.inverted())
    assert legend.y1 <= ax.figure.get_size_inches()[1] and legend.x1 <= 3.5


def test_text_stays_text_in_pdf_and_matplotlib_loads_late(tmp_path):
    with plot.style():
        plot.projections().flat[0].figure.savefig(tmp_path / "a.pdf")
    assert b"/FontType0" in (tmp_path / "a.pdf").read_bytes() or b"/Type0" in (tmp_path / "a.pdf").read_bytes()
    code = "import sys, hgwork.plot; print(any(m in sys.modules for m in ('matplotlib', 'networkx')))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
