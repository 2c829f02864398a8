"""The headline figures and how they move."""

import numpy as np
import pytest
from hypothesis import given

from hgwork import Hypergraph
from hgwork.datasets import heavy_tailed
from hgwork.topology import degree_fit, headline, merge_sensitivity, overlap_counts, sensitivity
from tests.strategies import hypergraphs

H = Hypergraph.from_dict(
    {"a": ["PLA", "silk"], "b": ["the PLA", "silk"], "c": ["PLA", "bone"], "d": ["PLA", "the PLA"]}
)
VECTORS = np.array([[1, 0, 0], [0, 1, 0], [0.96, 0.28, 0], [0, 0, 1]])  # cosine of PLA and the PLA: 0.96


def test_headline_by_hand():
    values = headline(Hypergraph.from_dict({"a": "xyz", "b": "yz", "c": "w", "d": "yz"}))
    # 1-component a, b, d of four; 2-component a, b, d of three; yz twice; three pairs share y and z
    shares = {"largest_1_component": 0.75, "largest_2_component": 1}
    expected = {"nodes": 4, "hyperedges": 4, "max_degree": 3, "overlap_2": 3, **shares}
    assert {name: values[name] for name in expected} == expected
    assert values["duplicates"] == 1 and np.isnan(values["rich_club_10"]) and np.isnan(values["exponent"])


def test_headline_is_what_the_measures_say():
    graph = heavy_tailed(300, 600, rng=0)
    values = headline(graph)
    assert values["exponent"] == degree_fit(graph, compare=False).exponent
    assert values["overlap_2"] == overlap_counts(graph, 2).iloc[0] and 0 < values["rich_club_10"] <= 1


@given(hypergraphs(attributes=False))
def test_headline_is_defined_for_any_hypergraph(H):
    values = headline(H)
    assert values["nodes"] == H.shape[1] and values["overlap_2"] >= 0


def test_a_lower_threshold_merges_more():
    table = merge_sensitivity(H, VECTORS, [0.99, 0.95], mode="paper")
    wide = table.pivot(index="setting", columns="measure", values="value")
    assert wide["merged"].to_dict() == {"unmerged": 0, 0.99: 0, 0.95: 1}
    assert wide["nodes"].to_dict() == {"unmerged": 4, 0.99: 4, 0.95: 3}
    # {PLA, the PLA} collapses and goes; a and b become equal
    assert wide["hyperedges"].to_dict() == {"unmerged": 4, 0.99: 4, 0.95: 3}
    assert wide["duplicates"].to_dict() == {"unmerged": 0, 0.99: 0, 0.95: 1}


def test_settings_can_be_hypergraphs_or_builds():
    class Made:
        hypergraph = H

    table = sensitivity({"rules": Made(), "gold": H})
    assert table.columns.tolist() == ["setting", "measure", "value"]
    assert table.pivot(index="measure", columns="setting", values="value").pipe(lambda t: t["rules"].equals(t["gold"]))
    assert sensitivity({}).empty


def test_vectors_must_be_there_for_every_node():
    with pytest.raises(ValueError, match="one of each a node"):
        merge_sensitivity(H, VECTORS[:3])


def test_bad_input_has_an_answer():
    giant = Hypergraph.from_dict({"g": [f"n{i}" for i in range(5_000)]})
    copies = Hypergraph.from_dict(dict.fromkeys(range(10000), "xyz"))
    singles = Hypergraph.from_dict({i: [i] for i in range(100)})
    assert headline(giant)["largest_2_component"] == 1 and np.isnan(headline(giant)["exponent"])
    assert headline(copies)["overlap_2"] == 10_000 * 9_999 / 2 and headline(copies)["duplicates"] == 9_999
    assert headline(singles)["largest_1_component"] == 0.01 and np.isnan(headline(singles)["largest_2_component"])
    assert merge_sensitivity(Hypergraph.from_dict({}), np.zeros((0, 3)), [0.9])["value"].fillna(0).sum() == 0


@pytest.mark.slow
def test_a_real_corpus_runs_in_seconds():
    from hgwork import corpus, datasets, models

    raw = corpus.build(datasets.documents("scaffolds")[:3], merge="none", progress=False).raw
    vectors = models.embedder("minilm").encode(raw.nodes.index.tolist())
    wide = merge_sensitivity(raw, vectors, [0.99, 0.9, 0.8]).pivot(index="setting", columns="measure", values="value")
    assert wide.loc[[0.99, 0.9, 0.8], "nodes"].is_monotonic_decreasing
