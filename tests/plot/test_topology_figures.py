"""Figures of topology: what is drawn is what the tables hold, and nothing overlaps or is cut at print size."""

from itertools import combinations

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from hgwork import Hypergraph, datasets, plot, topology
from hgwork.plot.encodings import shades

TOY = datasets.load("toy")
LARGE = datasets.heavy_tailed(2_000, 4_000, rng=0)


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    plt.close("all")


def assert_readable(axes, smallest=6.4):
    """Every text is large enough, inside the figure and on no other text."""
    axes = list(np.atleast_1d(axes).flat)
    figure = axes[0].figure
    figure.set_dpi(300)
    figure.canvas.draw()
    width, height = figure.get_size_inches()
    found = []
    for ax in figure.axes:
        ticks = []
        for axis, ends in ((ax.xaxis, ax.get_xlim()), (ax.yaxis, ax.get_ylim())):
            ticks += [
                t.label1
                for t in axis.get_major_ticks()
                if min(ends) <= t.get_loc() <= max(ends) and t.label1.get_visible()
            ]
        legend = ax.get_legend()
        texts = [
            *ax.texts,
            ax.title,
            ax._left_title,
            ax.xaxis.label,
            ax.yaxis.label,
            *(legend.get_texts() if legend else []),
        ]
        found += [*texts, *ticks] if ax.axison else [*ax.texts, *(legend.get_texts() if legend else [])]
    boxes = [
        (t, t.get_window_extent().transformed(figure.dpi_scale_trans.inverted())) for t in found if t.get_text().strip()
    ]
    for text, box in boxes:
        assert text.get_fontsize() >= smallest, text
        assert box.x0 >= -0.01 and box.y0 >= -0.01 and box.x1 <= width + 0.01 and box.y1 <= height + 0.01, text
    for (one, a), (two, b) in combinations(boxes, 2):
        wide, high = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
        assert wide <= 0.01 or high <= 0.01, (one.get_text(), two.get_text(), wide, high)


def degree_panels(H, **options):
    tables = topology.degree_table(H, 3), topology.degree_table(H), topology.ccdf(H)
    return plot.degrees(*tables, topology.degree_fit(H, "ols"), topology.degree_fit(H, compare=False), **options)


def test_the_triptych_holds_every_node_and_both_fits():
    axes = degree_panels(LARGE)
    assert sum(bar.get_width() for bar in axes[0].patches) == (LARGE.degrees > 0).sum()
    assert len(axes[1].collections[0].get_offsets()) == LARGE.degrees.nunique()
    ols, mle = topology.degree_fit(LARGE, "ols"), topology.degree_fit(LARGE, compare=False)
    dashed, solid = axes[1].lines[:2]
    slope = np.diff(np.log(dashed.get_ydata())) / np.diff(np.log(dashed.get_xdata()))
    assert np.allclose(slope, -ols.exponent)
    assert solid.get_xdata()[0] == mle.xmin
    tail = next(line for line in axes[2].lines if line.get_label() == "likelihood tail")
    assert tail.get_ydata()[0] == pytest.approx(mle.share)  # all of the tail lies at xmin or above
    assert "no proof" in plot.caption(axes) and f"{ols.r2:.2f}" in plot.caption(axes)
    assert_readable(axes)


def test_an_exponent_of_one_or_less_implies_no_tail():
    axes = degree_panels(TOY)  # the least-squares line of the toy even rises
    assert len(axes[2].lines) == 2  # likelihood tail and xmin, no implied tail


def test_overlaps_leave_zeros_out_and_draw_published_points_hollow():
    table = pd.DataFrame({"ours": [5, 2, 0], "published": [7, 3, 1]}, index=[1, 2, 3])
    ax = plot.overlaps(table)
    ours, published = ax.lines
    assert ours.get_ydata().tolist() == [5, 2] and published.get_ydata().tolist() == [7, 3, 1]
    assert published.get_markerfacecolor() == "white"
    assert_readable(ax)
    assert len(plot.overlaps(topology.overlap_counts(TOY)).lines) == 1


def test_growth_draws_every_time_and_the_given_power_law():
    seconds = pd.DataFrame(
        {"10000": [0.02, 0.1], "100000": [0.2, None], "1000000": [2.0, 9.0]}, ["summary", "overlaps"]
    )
    fits = pd.DataFrame({"exponent": [1.0], "seconds at a million": [2.0]}, ["summary"])
    ax = plot.growth(seconds, fits)
    line, *points = ax.lines
    assert line.get_xdata().tolist() == [1e5, 1e6] and np.allclose(line.get_ydata(), [0.2, 2.0])
    assert [len(drawn.get_xdata()) for drawn in points] == [3, 2]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["summary, $m^{1.00}$", "overlaps"]
    assert_readable(ax)


def test_samples_beside_their_null_draw_every_node_and_incidence():
    sample = plot.sample(LARGE, 60, rng=0)
    null = next(topology.null_samples(sample, 1, rng=0))
    axes = plot.beside_null({"sample": [sample], "shuffled": [null]}, rng=0)
    assert axes.shape == (2, 1)
    for ax, H in zip(axes.flat, (sample, null), strict=True):
        lines, dots = ax.collections
        assert len(lines.get_segments()) == H.sizes.sum() and len(dots.get_offsets()) == len(H.nodes)
    again = plot.beside_null({"sample": [sample], "shuffled": [null]}, rng=0)
    places = [a.flat[0].collections[1].get_offsets() for a in (axes, again)]
    assert np.array_equal(*places)
    assert_readable(axes)
    with pytest.raises(ValueError, match="equally many"):
        plot.beside_null({"sample": [sample], "shuffled": []})


def test_component_profiles_show_both_kinds_and_the_published_sizes():
    ladders = {kind: topology.s_ladder(LARGE, kind=kind, components=5) for kind in ("edge", "node")}
    axes = plot.s_components(ladders, published=pd.Series({1: 900, 2: 30}))
    for ax, ladder in zip(axes, ladders.values(), strict=True):
        first = ladder[ladder["component"] == 0]
        assert ax.lines[0].get_ydata().tolist() == first["size"].tolist()
        assert ax.lines[1].get_ydata().tolist() == [900, 30]
        assert f"{first['components'].iloc[0]:,}" in ax.get_xticklabels()[0].get_text()
    assert "counted in nodes" in plot.caption(axes)
    assert_readable(axes)


def test_a_ladder_has_a_bar_and_a_name_for_each_component():
    table = topology.s_ladder(TOY, s=(1, 2, 3))
    ax = plot.s_ladder(table)
    assert [round(bar.get_width() + 0.8) for bar in ax.patches] == table["size"].tolist()
    said = " ".join(text.get_text() for text in ax.texts)
    assert all(name in said for name in table["concepts"])
    assert_readable(ax)
    long = table.assign(concepts="a concept with a remarkably long name, " * 6, size=10 ** np.arange(len(table)))
    assert_readable(plot.s_ladder(long))


@pytest.fixture(scope="module")
def hubs():
    return topology.hub_network(LARGE, n=30, min_shared=3)


def test_every_hub_is_drawn_with_a_label_that_touches_no_other(hubs):
    themes = pd.Series({name: "even" if i % 2 else "odd" for i, name in enumerate(hubs)})
    ax = plot.hub_network(hubs, themes)
    names = {text.get_text().replace("\n", " ") for text in ax.texts}
    assert len(names) == len(hubs) and "bone tissue engineering" in names
    links = {line.get_gid() for line in ax.lines}
    assert links == {f"link {a} {b}" for a, b in hubs.edges} | {f"link {b} {a}" for a, b in hubs.edges} & links
    assert len(ax.lines) == hubs.number_of_edges()
    widths = {line.get_gid(): line.get_linewidth() for line in ax.lines}
    heaviest = max(hubs.edges(data="weight"), key=lambda link: link[2])
    assert widths[f"link {heaviest[0]} {heaviest[1]}"] == max(widths.values())
    assert_readable(ax)
    assert f"{hubs.number_of_edges()} links" in plot.caption(ax)


def test_hubs_without_links_and_without_themes_are_drawn_too():
    graph = topology.hub_network(TOY, n=7, min_shared=3)
    assert any(not degree for _, degree in graph.degree)
    ax = plot.hub_network(graph)
    assert {text.get_text() for text in ax.texts} == set(graph)
    assert_readable(ax)
    alone = topology.hub_network(TOY, n=3, min_shared=9)
    assert_readable(plot.hub_network(alone))
    with pytest.raises(ValueError, match="no hubs"):
        plot.hub_network(topology.hub_network(Hypergraph.from_dict({}), n=3))


def test_the_interactive_network_tells_degree_and_partners(hubs):
    themes = pd.Series(dict.fromkeys(list(hubs)[:10], "first"))
    figure = plot.hub_network_interactive(hubs, themes)
    drawn = [name for trace in figure.data for name in (trace.text or ())]
    assert sorted(drawn) == sorted(hubs)
    cards = dict(zip(drawn, (card for trace in figure.data for card in (trace.hovertext or ())), strict=True))
    assert f"{hubs.nodes['scaffolds']['degree']:,} hyperedges" in cards["scaffolds"]
    assert "theme: first" in cards["scaffolds"]
    assert {"first", "no theme"} <= {trace.name for trace in figure.data}


def test_rich_club_draws_the_band_and_the_ratio():
    tables = {"pairs": topology.rich_club(LARGE, (5, 10, 20), null=3, rng=0)}
    axes = plot.rich_club(tables)
    assert axes[1, 0].lines[-1].get_ydata().tolist() == tables["pairs"]["normalised"].tolist()
    assert [text.get_text() for text in axes[1, 0].get_xticklabels()] == ["5", "10", "20"]
    assert_readable(axes)
    with pytest.raises(ValueError, match="null"):
        plot.rich_club({"bare": topology.rich_club(LARGE)})


@pytest.fixture(scope="module")
def embedded():
    signatures = topology.structural_signatures(LARGE)
    return topology.tsne(signatures, iterations=300), signatures, topology.tiers(LARGE.degrees)


def test_roles_draw_each_distinct_signature_once_with_marker_and_colour_by_tier(embedded):
    embedding, _, tiers = embedded
    axes = plot.roles(*embedded)
    assert len(axes[0].collections[0].get_offsets()) == embedding.rows
    labels = {text.get_text(): text for text in axes[1].get_legend().get_texts()}
    for tier, count in tiers.value_counts().items():
        assert (f"{tier} ({count:,})" in labels) == (count > 0)
    colors = {tuple(np.round(dots.get_facecolor()[0, :3], 3)) for dots in axes[1].collections}
    assert len(colors) == (tiers.value_counts() > 0).sum()
    assert f"{embedding.rows:,} distinct" in plot.caption(axes)
    assert_readable(axes)


def test_hovering_a_role_shows_concepts_and_a_sentence():
    signatures = topology.structural_signatures(TOY)
    embedding = topology.tsne(signatures, iterations=300)
    figure = plot.roles_interactive(embedding, signatures, topology.tiers(TOY.degrees), TOY)
    cards = [card for trace in figure.data for card in trace.hovertext]
    assert len(cards) == embedding.rows
    grace = next(card for card in cards if card.startswith("<b>Grace"))
    assert "degree 1, 2 neighbours" in grace and "measured three components" in grace


def test_amounts_are_coded_by_evenly_falling_lightness():
    rgb = shades()(np.linspace(0, 1, 30))[:, :3]
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    lightness = 116 * np.cbrt(linear @ [0.2126, 0.7152, 0.0722]) - 16
    steps = -np.diff(lightness)
    assert (steps > 0).all() and steps.max() < 2 * steps.min()


def test_light_pictures_do_nothing_outside_ipython():
    plot.light_pictures()
