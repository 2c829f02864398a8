"""Paths and rings: every hyperedge and shared node is drawn, once, and can be read."""

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from hgwork import Hypergraph, plot
from hgwork.paths import hyperpaths
from tests.plot.test_topology_figures import assert_readable

LINE = {
    "a": ["grass", "fibre", "lignin"],
    "b": ["fibre", "PCL melt", "cellulose nanocrystals of tall fescue"],
    "c": ["PCL melt", "scaffold", "polylactic acid"],
    "d": ["scaffold", "cells", "collagen"],
    "e": ["cells", "tissue"],
    "f": ["lignin", "water"],
    "g": ["scaffold", "water"],
}
TEXT = {
    edge: {"relation": f"relation {edge}", "text": f"Statement {edge} says so.", "document": f"d-{edge}"}
    for edge in LINE
}
H = Hypergraph.from_dict(LINE, edges=TEXT, nodes={"grass": {"type": "plant"}, "PCL melt": {"type": "polymer"}})


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    plt.close("all")


def words(ax):
    return [" ".join(text.get_text().split()) for text in ax.texts]


def gids(ax, start):
    return [artist.get_gid() for artist in ax.get_children() if str(artist.get_gid() or "").startswith(start)]


@pytest.mark.parametrize(("target", "steps"), [("lignin", 1), ("PCL melt", 2), ("cells", 4), ("tissue", 5)])
def test_every_hyperedge_of_a_path_is_a_box_and_every_shared_node_stands_once(target, steps):
    path = hyperpaths(H, "grass", target, k=1)[0]
    ax = plot.paths([path])
    assert gids(ax, "hyperedge") == [f"hyperedge {i}" for i in range(1, steps + 1)]
    drawn = words(ax)
    for names in path.shared:
        for name in names:
            # the node where a line of boxes breaks stands at its end and at the next start
            assert drawn.count(name) in ((1, 2) if steps > 4 else (1,))
    for edge in path.edges:
        assert f"relation {edge}" in drawn and f"Statement {edge} says so." in drawn and f"d-{edge}" in drawn
    assert_readable(ax)


def test_paths_are_stacked_and_the_caption_says_how_many_are_left_out():
    found = hyperpaths(H, "grass", "scaffold", k=5)
    assert len(found) == 2
    ax = plot.paths(found, most=1)
    assert "1 hyperpath from grass to scaffold; 1 more not drawn" in plot.caption(ax)
    ax = plot.paths(found)
    assert sum("hyperedges," in text for text in words(ax)) == 2
    assert_readable(ax)


def test_paths_fit_given_axes():
    _, ax = plt.subplots(figsize=(3.5, 2.5))
    plot.paths(hyperpaths(H, "grass", "cells", k=1), ax=ax)
    assert_readable(ax, smallest=0)


def test_many_shared_nodes_and_members_are_cut_with_their_number():
    wide = Hypergraph.from_dict({"a": ["x", *map(str, range(20))], "b": ["y", *map(str, range(5, 30))]})
    drawn = words(plot.paths(hyperpaths(wide, "x", "y", k=1)))
    # 15 shared, 4 written; 5 and 10 others, 6 written
    assert "+ 11 more" in drawn and "+ 4 more" in drawn


def test_the_context_holds_the_path_and_what_touches_it():
    path = hyperpaths(H, "grass", "PCL melt", k=1)
    ax = plot.path_context(H, path)
    # of the hyperedges that hold grass, fibre or PCL melt, c is not on the path
    assert "among 1 others" in plot.caption(ax) and {"grass", "fibre", "PCL melt"} <= set(words(ax))
    assert_readable(ax)
    crowded = plot.path_context(H, hyperpaths(H, "grass", "cells", k=1), most=1)
    assert "1 more are not drawn" in plot.caption(crowded)  # e holds cells, g holds scaffold


def test_the_context_is_the_same_for_the_same_seed():
    path = hyperpaths(H, "grass", "cells", k=1)
    one, two = (plot.path_context(H, path, rng=3).collections[-1].get_offsets() for _ in range(2))
    np.testing.assert_array_equal(one, two)


def test_nothing_to_draw_and_foreign_paths_are_refused():
    path = hyperpaths(H, "grass", "cells", k=1)
    for call in (lambda: plot.paths([]), lambda: plot.path_context(H, [])):
        with pytest.raises(ValueError, match="nothing to draw"):
            call()
    with pytest.raises(ValueError, match="found in another one"):
        plot.path_context(Hypergraph.from_dict({"z": "xy"}), path)


def test_a_ring_has_its_steps_clockwise_from_twelve_and_spokes_for_every_member():
    ax = plot.ring(H, ["a", "b", "c", "d"], [0.5, 0.25, 0.125])
    numbers = {
        t.get_text(): t.get_position() for t in ax.texts if t.get_text().isdigit() and abs(t.get_position()[0]) < 1
    }
    at = {n: np.round(np.array(xy) / np.hypot(*xy), 3).tolist() for n, xy in numbers.items()}
    assert at == {"1": [0, 1], "2": [1, 0], "3": [0, -1], "4": [-1, 0]}
    assert {"0.50", "0.25", "0.12", "relation a", "polymer", "plant", "no type"} <= set(words(ax))
    bold = {" ".join(t.get_text().split()) for t in ax.texts if t.get_weight() == "bold" and not t.get_text().isdigit()}
    assert bold == {"fibre", "PCL melt", "scaffold", "Order (clockwise)"}
    assert_readable(ax, smallest=5.5)


def test_a_ring_leaves_out_concepts_of_one_hyperedge_first_and_says_so():
    large = Hypergraph.from_dict({f"e{i}": ["hub", *(f"n{i}{j}" for j in range(9))] for i in range(8)})
    ax = plot.ring(large, large.edges.index, most=30)
    assert "and 30 concepts" in plot.caption(
        ax
    ) and "43 concepts that stand in one hyperedge only are not" in plot.caption(ax)
    assert "hub" in words(ax)
    assert_readable(ax, smallest=5.5)


@pytest.mark.parametrize(
    ("edges", "probabilities", "message"),
    [
        ([], None, "1 to 30 hyperedges, and 0"),
        (["a", "nowhere"], None, "'nowhere' is not in this"),
        (["a", "a"], None, "'a' stands twice"),
        (["a", "b"], [0.1, 0.2], "2 probabilities for 1 transitions"),
    ],
)
def test_a_ring_that_cannot_be_drawn_says_why(edges, probabilities, message):
    with pytest.raises(ValueError, match=message):
        plot.ring(H, edges, probabilities)


def test_a_ring_of_thirty_steps_and_missing_facts_can_be_read():
    long = Hypergraph.from_dict(
        {f"e{i}": [f"n{i}", f"n{i + 1}"] for i in range(30)}, edges={f"e{i}": {"relation": pd.NA} for i in range(30)}
    )
    assert_readable(plot.ring(long, long.edges.index, [0.1] * 29), smallest=5.5)
