"""What is written reads back as the same hypergraph, whatever is in it."""

import warnings

import hypernetx
import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings

import hgwork as hg
from hgwork import Hypergraph
from tests.strategies import hypergraphs

FEW = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def again(H, path):
    hg.write(H, path)
    return hg.read(path)


@FEW
@given(H=hypergraphs())
def test_hif_is_exact(H, tmp_path):
    assert again(H, tmp_path / "h.hif.json").equals(H)


@FEW
@given(H=hypergraphs())
def test_a_parquet_folder_is_exact(H, tmp_path):
    K = again(H, tmp_path / "h.parquet")
    assert K.equals(H)
    for mine, theirs in ((K.nodes, H.nodes), (K.edges, H.edges)):
        typed = [name for name in theirs.columns if theirs[name].dtype != object]
        assert (mine[typed].dtypes == theirs[typed].dtypes).all()


@FEW
@given(H=hypergraphs())
def test_hypernetx_is_exact_with_order_roles_isolated_nodes_and_empty_hyperedges(H):
    assert Hypergraph.from_hypernetx(H.to_hypernetx()).equals(H)


@FEW
@given(H=hypergraphs(attributes=False))
def test_csv_keeps_every_incidence(H, tmp_path):
    K = again(H, tmp_path / "h.csv")

    def rows(X):
        columns = [X.incidences[name].tolist() for name in ("edge", "node", "role", "weight")]
        return sorted(zip(*columns, strict=True))

    assert rows(K) == rows(H)
    assert set(K.nodes.index) == set(H.degrees[H.degrees > 0].index)


@FEW
@given(H=hypergraphs())
def test_graphml_and_gexf_hold_every_node_hyperedge_and_incidence(H, tmp_path):
    import networkx as nx

    for name, reader in (("h.graphml", nx.read_graphml), ("h.gexf", nx.read_gexf)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", hg.io.RecordWarning)
            hg.write(H, tmp_path / name)
        graph = reader(tmp_path / name)
        pairs = zip(H.incidences["edge"].cat.codes, H.incidences["node"].cat.codes, strict=True)
        links = {(f"e{edge}", f"n{node}") for edge, node in pairs}
        assert set(graph) == {f"n{i}" for i in range(len(H.nodes))} | {f"e{i}" for i in range(len(H.edges))}
        assert {tuple(sorted(link)) for link in graph.edges} == links


@pytest.mark.parametrize("name", ["h.hif.json", "h.json.gz", "h.parquet", "h.csv.gz"])
def test_a_hyperedge_of_ten_thousand_members(name, tmp_path):
    members = [f"node {i}" for i in range(10_000)]
    H = Hypergraph.from_dict({"all": members, "two": members[:2]})
    assert again(H, tmp_path / name).equals(H)


@pytest.mark.parametrize("name", ["h.json.gz", "h.csv.gz"])
def test_the_same_hypergraph_gives_the_same_bytes(name, tmp_path):
    H = Hypergraph.from_dict({"a": "xyz", "b": "yz"})
    files = [tmp_path / part / name for part in ("1", "2")]
    for file in files:
        file.parent.mkdir()
        hg.write(H, file)
    assert files[0].read_bytes() == files[1].read_bytes()
    assert files[0].read_bytes()[:2] == b"\x1f\x8b"


def test_integers_beyond_two_to_the_53rd_and_dates_survive_parquet(tmp_path):
    big = 2**60 + 1
    nodes = pd.DataFrame(
        {"n": pd.array([big, None], dtype="Int64"), "day": pd.to_datetime(["2020-01-02", None])}, index=["x", "y"]
    )
    K = again(Hypergraph.from_frame(pd.DataFrame({"edge": [], "node": []}), nodes=nodes), tmp_path / "h.parquet")
    assert K.nodes["n"].iloc[0] == big
    assert K.nodes["n"].dtype == "Int64"
    assert K.nodes["day"].iloc[0] == pd.Timestamp("2020-01-02")


def test_dates_and_arrays_become_text_and_lists_in_hif(tmp_path):
    nodes = {"x": {"day": pd.Timestamp("2020-01-02"), "v": np.array([1, 2]), "n": np.float32(0.5)}}
    K = again(Hypergraph.from_dict({"a": "x"}, nodes=nodes), tmp_path / "h.hif.json")
    assert K.nodes.loc["x"].to_dict() == {"day": "2020-01-02T00:00:00", "v": [1, 2], "n": 0.5}


def test_hypernetx_users_changes_come_back():
    theirs = Hypergraph.from_dict(
        {"a": "xy", "b": []}, nodes={"x": {"weight": 1, "t": 1}, "lone": {"t": 2}}
    ).to_hypernetx()
    assert isinstance(theirs, hypernetx.Hypergraph)
    assert set(theirs.nodes) == {"x", "y"}  # HyperNetX shows no isolated node
    theirs.nodes["x"].weight = 5
    theirs.nodes["y"].colour = "red"
    H = Hypergraph.from_hypernetx(theirs)
    assert H.nodes.index.tolist() == ["x", "lone", "y"]
    assert H.nodes["weight"].tolist()[0] == 5
    assert H.nodes["weight"].isna().tolist() == [False, True, True]
    assert H.nodes.loc["y", "colour"] == "red"
    assert H.sizes.to_dict() == {"a": 2, "b": 0}


def test_a_foreign_hypernetx_hypergraph_is_read_without_its_unused_properties():
    theirs = hypernetx.Hypergraph(
        {"a": {1: {"weight": 2, "role": "source"}, 2: {}}}, node_properties={2: {"t": 1}, 9: {"t": 2}}
    )
    H = Hypergraph.from_hypernetx(theirs)
    assert H.nodes.index.tolist() == ["2", "1"]  # its property table first; 9 is in no hyperedge
    assert H.incidences.set_index("node")["weight"].to_dict() == {"1": 2.0, "2": 1.0}
    assert H.incidences.set_index("node")["role"].to_dict() == {"1": "source", "2": "member"}
