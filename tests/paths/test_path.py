"""What a path says of itself: sentences, evidence, documents, tables; and functions over several concepts."""

import dataclasses
import json

import pandas as pd
import pytest

from hgwork import Event, Hypergraph
from hgwork.paths import (
    bridge_candidates,
    entity_path,
    hyperpaths,
    neighbourhood,
    pairs_paths,
    path_table,
    paths_table,
    subhypergraph,
)


@pytest.fixture
def H():
    return Hypergraph.from_events(
        [
            Event(
                source=["grass"], relation="gives", target=["methanol", "hydrogen"], evidence="Grass <gives> both.",
                document="d1", chunk="d1/0", start=3, end=22,
            ),
            Event(source=["methanol"], relation="precipitates", target=["PCL"], evidence="It works.", document="d2"),
            Event(source=["silk"], relation="joins", target=["PCL"], document="d1"),
        ]
    )  # fmt: skip


def test_a_path_carries_sentences_evidence_and_documents(H):
    path = hyperpaths(H, "grass", "PCL", directed=True)[0]
    assert path.edges == ("d1/0/0", "d2/0") and len(path) == path.cost == 2
    assert path.shared == (("methanol",),)
    assert path.members == (("grass", "methanol", "hydrogen"), ("methanol", "PCL"))
    assert path.sentences == ("grass – gives – methanol, hydrogen", "methanol – precipitates – PCL")
    assert path.evidence == ("Grass <gives> both.", "It works.")
    assert path.documents == ("d1", "d2")
    assert json.loads(json.dumps(path.to_dict()))["sentences"] == list(path.sentences)
    html = path._repr_html_()
    assert "Grass &lt;gives&gt; both." in html and "<gives>" not in html and "<b>methanol</b>" in html
    with pytest.raises(dataclasses.FrozenInstanceError):
        path.cost = 3


def test_the_table_has_a_row_a_hyperedge(H):
    table = hyperpaths(H, "grass", "PCL")[0].table
    assert table["step"].tolist() == [1, 2]
    assert table["relation"].tolist() == ["gives", "precipitates"]
    assert table["chunk"].tolist() == ["d1/0", None]
    assert table["start"].tolist() == [3, None] and table["end"].tolist() == [22, None]
    assert table["enters"].tolist() == [("grass",), ("methanol",)]
    assert table["leaves"].tolist() == [("methanol",), ("PCL",)]
    assert table["shared_with_next"].tolist() == [("methanol",), ()]


def test_a_hypergraph_without_attributes_has_the_same_columns():
    path = hyperpaths(Hypergraph.from_dict({"a": "xy"}), "x", "y")[0]
    assert path.table[["relation", "text", "document", "chunk"]].values.tolist() == [[None] * 4]
    assert path.sentences == ("{x, y}",) and path.evidence == ("",) and path.documents == ()


def test_several_paths_make_one_table_and_one_subhypergraph(H):
    paths = hyperpaths(H, "grass", "PCL") + hyperpaths(H, "grass", "silk")
    table = paths_table(paths)
    assert table["path"].tolist() == [1, 1, 2, 2, 2]
    assert table["target"].tolist() == ["PCL"] * 2 + ["silk"] * 3
    assert set(paths_table([]).columns) <= set(table.columns) and paths_table([]).empty
    part = subhypergraph(H, paths[:1])
    assert part.edges.index.tolist() == ["d1/0/0", "d2/0"]
    assert part.nodes.index.tolist() == ["grass", "methanol", "hydrogen", "PCL"]
    assert part.edges["text"].tolist() == ["Grass <gives> both.", "It works."]


def test_pairs_chains_and_their_refusals(H):
    found = pairs_paths(H, ["grass", "PCL", "silk", "grass"], k=1)
    assert {pair: [len(path) for path in paths] for pair, paths in found.items()} == {
        ("grass", "PCL"): [2],
        ("grass", "silk"): [3],
        ("PCL", "silk"): [1],
    }
    assert path_table(H, ["grass", "PCL", "silk"], k=1)["path"].tolist() == [1, 1, 2, 2, 2, 3]
    assert [leg.edges for leg in entity_path(H, ["silk", "PCL", "hydrogen"])] == [("d1/0",), ("d2/0", "d1/0/0")]
    apart = Hypergraph.from_dict({"a": "xy", "b": "z"})
    assert entity_path(apart, ["x", "y", "z"]) == []
    for call in (pairs_paths, entity_path):
        with pytest.raises(ValueError, match="two concepts"):
            call(H, ["grass"])
    with pytest.raises(ValueError, match="no k"):
        entity_path(H, ["grass", "PCL"], k=2)


def test_neighbourhood_refuses_what_it_cannot_do(H):
    with pytest.raises(ValueError, match="h=-1"):
        neighbourhood(H, "grass", -1)
    with pytest.raises(ValueError, match="s=0"):
        neighbourhood(H, "grass", 1, s=0)
    with pytest.raises(KeyError, match="Close: 'grass'"):
        neighbourhood(H, "gras")


def test_bridges_are_scored_by_special_go_betweens():
    # r and the hub meet through m (neighbours r, hub: k = 2) and n (neighbours r, hub, t: k = 3): 1/2 + 1/3
    # t shares a hyperedge with the hub and is no candidate; w reaches it through o (k = 2): 1/2; m, n, o neither
    groups = {"1": "rm", "2": ["m", "hub"], "3": "rn", "4": ["n", "hub"], "5": "nt", "6": ["t", "hub"]}
    H = Hypergraph.from_dict(groups | {"7": "wo", "8": ["o", "hub"], "9": ["hub"]})
    table = bridge_candidates(H, hubs=["hub"], rare=2)
    assert table[["rare", "hub", "common", "best", "degree"]].values.tolist() == [
        ["r", "hub", 2, "m", 2],
        ["w", "hub", 1, "o", 1],
    ]
    assert table["score"].tolist() == pytest.approx([1 / 2 + 1 / 3, 1 / 2])
    assert bridge_candidates(H, hubs=1, rare=["w"])["rare"].tolist() == ["w"]
    assert bridge_candidates(H, hubs=1, rare=2, top=1)["rare"].tolist() == ["r"]
    none = bridge_candidates(Hypergraph.from_dict({"a": "xy"}))
    assert isinstance(none, pd.DataFrame) and none.empty
