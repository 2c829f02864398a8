"""s-centralities against HyperNetX's own; what projections distort, by hand and against XGI and networkx."""

import sys
import warnings

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgwork import Hypergraph
from hgwork.datasets import heavy_tailed
from hgwork.topology import PROJECTIONS, degree_assortativity, distortions, project, s_centrality
from hgwork.topology.centrality import numbered_hypernetx
from tests.strategies import hypergraphs

PATH = {"a": "wx", "b": "xy", "c": "yz", "d": "pq"}


def test_centralities_of_a_path_by_hand():
    H = Hypergraph.from_dict(PATH)  # line graph a - b - c, d apart
    assert s_centrality(H).tolist() == pytest.approx([0, 1 / 3, 0, 0])
    assert s_centrality(H, "closeness").tolist() == pytest.approx([2 / 3, 1, 2 / 3, 0])
    assert s_centrality(H, "harmonic").tolist() == pytest.approx([1.5, 2, 1.5, 0])
    assert s_centrality(H, "eccentricity").tolist() == [2, 1, 2, 0]
    assert s_centrality(H, "eccentricity", of="node").to_dict() == dict(zip("wxyzpq", [3, 2, 2, 3, 1, 1], strict=True))
    assert s_centrality(H, s=2).sum() == 0
    assert s_centrality(H, top=2).index.tolist() == ["b", "a"]


@given(hypergraphs(attributes=False), st.integers(1, 3), st.sampled_from(["edge", "node"]))
@settings(max_examples=25, deadline=None)
def test_they_are_hypernetxs(H, s, of):
    from hypernetx.algorithms.metrics import s_centrality_measures as theirs

    names = H.edges.index if of == "edge" else H.nodes.index
    if not len(H.incidence.indices):
        assert s_centrality(H, s=s, of=of).tolist() == [0] * len(names)
        return
    for kind in ("closeness", "harmonic", "betweenness"):
        value = getattr(theirs, f"s_{kind}_centrality")(numbered_hypernetx(H), s=s, edges=of == "edge")
        expected = [value.get(i, 0) for i in range(len(names))]
        assert s_centrality(H, kind, s, of).tolist() == pytest.approx(expected)


def test_assortativity_by_hand_and_by_networkx():
    # ordered pairs of degrees: x=3 with y, z, w=1, both ways round: perfectly opposed
    assert degree_assortativity(Hypergraph.from_dict({"a": "xy", "b": "xz", "c": "xw"})) == pytest.approx(-1)
    H = heavy_tailed(200, 300, rng=0).simplify()
    pairs = H.subgraph(edges=H.edges.index[H.sizes == 2])
    assert degree_assortativity(pairs) == pytest.approx(
        nx.degree_assortativity_coefficient(pairs.to_networkx("clique"))
    )


@given(hypergraphs(attributes=False))
def test_assortativity_agrees_with_xgi(H):
    xgi = pytest.importorskip("xgi")
    groups = [members for members in H.to_dict().values() if members]
    value = degree_assortativity(H)
    if not any(len(members) > 1 for members in groups):
        assert np.isnan(value)
        return
    with np.errstate(all="ignore"):
        theirs = xgi.degree_assortativity(xgi.Hypergraph(groups), kind="uniform", exact=True)
    assert np.nan_to_num(value) == pytest.approx(theirs, abs=1e-9)


def test_the_papers_example_distorts_as_the_paper_says():
    H = Hypergraph.from_dict({"Paper 1": ["Sally", "Bob", "David", "Ella"], "Paper 2": ["Ella", "Fay"]})
    table = distortions(H)
    assert table.columns.tolist() == ["hypergraph", *PROJECTIONS]
    # chain Sally - Bob - David - Ella - Fay: Bob and David appear as central as Ella, the only one of two papers
    assert table.loc["degree_rank", "chain"] < table.loc["degree_rank", "clique"] < 1
    assert table.loc["degree_rank", "star"] == table.loc["betweenness_rank", "clique"] == pytest.approx(1)
    # clique: Sally, Bob and David are in a full triangle, Ella has 3 of 6 pairs, Fay one neighbour
    assert table.loc["clustering", "clique"] == pytest.approx((1 + 1 + 1 + 0.5 + 0) / 5)
    assert table.loc["clustering", "star"] == 0
    # Ella: her two papers share no other member and none of the others has written with Fay: nothing is closed
    assert table.loc["clustering", "hypergraph"] == 0
    assert table["collapsed"].drop(["hyperedges", "clustering", "assortativity"]).isna().all()


@pytest.mark.parametrize("kind", [k for k in PROJECTIONS if k != "collapsed"])
def test_values_are_networkxs_and_scipys(kind):
    from scipy.stats import spearmanr

    H = heavy_tailed(60, 70, rng=2)
    table, graph = distortions(H), project(H, kind)
    nodes = [("node", n) if kind == "star" else n for n in H.nodes.index]
    assert table.loc["clustering", kind] == pytest.approx(nx.average_clustering(graph))
    assert table.loc["assortativity", kind] == pytest.approx(nx.degree_assortativity_coefficient(graph))
    degrees = [graph.degree[v] for v in nodes]
    assert table.loc["degree_rank", kind] == pytest.approx(spearmanr(degrees, H.degrees)[0])
    between = nx.betweenness_centrality(graph)
    ours = s_centrality(H, of="node").round(12)
    assert table.loc["betweenness_rank", kind] == pytest.approx(
        spearmanr([round(between[v], 12) for v in nodes], ours)[0]
    )


def test_a_large_hypergraph_is_sampled_and_repeats():
    H = heavy_tailed(500, 800, rng=0)
    one, two = distortions(H, most=80, rng=3), distortions(H, most=80, rng=3)
    assert one.equals(two) and (one.loc["hyperedges"] == 80).all()


def test_bad_input_has_an_answer_or_a_clear_error():
    giant = Hypergraph.from_dict({"g": [f"n{i}" for i in range(5_000)]})
    copies = Hypergraph.from_dict(dict.fromkeys(range(10000), "xyz"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for H in (
            Hypergraph.from_dict({}),
            Hypergraph.from_dict({"a": []}),
            Hypergraph.from_dict({i: [i] for i in range(9)}),
        ):
            table = distortions(H)
            assert table.loc["assortativity"].isna().all() and table.loc["degree_rank"].isna().all()
            assert (s_centrality(H) == 0).all() and np.isnan(degree_assortativity(H))
        assert (distortions(copies, most=50).loc["hyperedges"] == 50).all()
    assert np.isnan(degree_assortativity(copies)) and s_centrality(giant).tolist() == [0]
    for call in (distortions, lambda H: s_centrality(H, of="node")):
        with pytest.raises(ValueError, match="up to 12,497,500 links"):
            call(giant)
    with pytest.raises(ValueError, match="10,000 hyperedges are too many"):
        s_centrality(copies)
    for arguments in ({"kind": "x"}, {"of": "x"}, {"s": 0}):
        with pytest.raises(ValueError, match="|".join(f"{k}=" for k in arguments)):
            s_centrality(copies, **arguments)
    with pytest.raises(ValueError, match="most=0"):
        distortions(copies, most=0)
    assert sys.modules["hgwork.topology.centrality"].LINKS == 200_000
