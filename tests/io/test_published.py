"""Artifacts made as the authors made them (HyperNetX 2.4, pandas, pickle) read back with all that they hold."""

import pickle

import hypernetx
import numpy as np
import pandas as pd
import pytest

import hgwork as hg
from hgwork.io import RefusedPickle, read_published

EDGES = {
    "blended with_chunkaa11_0": ["PCL", "chitosan", "silk"],
    "is_chunkaa11_1": ["PCL", "polymer"],
    "is a kind of_chunkbb22_0": ["PCL", "polymer"],
    "scaffolds_chunks_chunkbb22_1": ["silk", "chitosan"],
}
ROWS = pd.DataFrame(
    {
        "edge": list(EDGES),
        "nodes": [set(nodes) for nodes in EDGES.values()],
        "source": [["PCL"], ["PCL"], ["PCL"], ["silk"]],
        "target": [["chitosan", "silk"], ["polymer"], ["polymer"], ["chitosan"]],
        "chunk": ["aa11", "aa11", "bb22", "bb22"],
    }
).set_index("edge")


def put(file, thing):
    file.write_bytes(pickle.dumps(thing))


@pytest.fixture
def folder(tmp_path):
    put(tmp_path / "final_graph.pkl", hypernetx.Hypergraph(EDGES))
    put(tmp_path / "updated_sub_dfs.pkl", [ROWS.iloc[:2], ROWS.iloc[2:]])
    vectors = {name: np.full(768, i, np.float32) for i, name in enumerate(["PCL", "silk", "chitosan", "polymer"])}
    put(tmp_path / "composite_LLAMA4_70b.pkl", vectors)
    chunks = pd.DataFrame({"text": ['PCL, "blended"\nwith silk', "NA"], "chunk_id": ["aa11", "bb22"]})
    chunks.to_csv(tmp_path / "composite_chunks_clean.csv", index=False)
    pd.DataFrame({"other": [1]}).to_csv(tmp_path / "log.csv", index=False)
    return tmp_path


def test_the_whole_folder_reads(folder):
    found = read_published(folder)
    H = found.hypergraph
    assert H.to_dict().keys() == EDGES.keys()
    assert {edge: set(nodes) for edge, nodes in H.to_dict().items()} == {e: set(n) for e, n in EDGES.items()}
    assert H.edges["relation"].tolist() == ["blended with", "is", "is a kind of", "scaffolds_chunks"]
    assert H.edges["chunk"].tolist() == ["aa11", "aa11", "bb22", "bb22"]
    assert H.sentences().iloc[0] == "PCL – blended with – chitosan, silk"
    assert H.sentences().iloc[3] == "silk – scaffolds_chunks – chitosan"
    assert found.names.tolist() == ["PCL", "silk", "chitosan", "polymer"]
    assert found.embeddings.dtype == np.float32
    assert found.embeddings.shape == (4, 768)
    assert found.embeddings[:, 5].tolist() == [0, 1, 2, 3]
    assert found.chunks["text"].to_dict() == {"aa11": 'PCL, "blended"\nwith silk', "bb22": "NA"}
    assert found.mismatches.empty
    assert found.mismatches.columns.tolist() == ["edge", "reason"]
    assert hg.read(folder, format="published").equals(H)


def test_rows_without_index_are_matched_by_their_members_and_chunk(folder):
    """`is` and `is a kind of` have the same members: only the chunk tells their rows apart."""
    whole = read_published(folder).hypergraph
    swapped = ROWS.iloc[[2, 1, 3, 0]].reset_index(drop=True)
    swapped.loc[0, "source"], swapped.loc[0, "target"] = ["polymer"], ["PCL"]
    put(folder / "updated_sub_dfs.pkl", [swapped])
    found = read_published(folder)
    assert found.mismatches.empty
    sentences = found.hypergraph.sentences()
    assert sentences["is a kind of_chunkbb22_0"] == "polymer – is a kind of – PCL"
    assert sentences.drop("is a kind of_chunkbb22_0").equals(whole.sentences().drop("is a kind of_chunkbb22_0"))


def test_what_does_not_agree_is_reported_and_the_graph_is_believed(folder):
    rows = ROWS.reset_index().astype({"edge": object})
    rows["nodes"] = [{"PCL", "chitin", "silk"}, *rows["nodes"][1:]]  # merged in the graph only
    rows["target"] = [["chitin", "silk"], *rows["target"][1:]]
    rows.loc[1, "chunk"] = "cc33"
    rows.loc[2, "edge"] = "unknown_chunkbb22_7"
    lone = pd.DataFrame({"nodes": [{"a", "b"}], "source": [["a"]], "target": [["b"]], "chunk": ["aa11"]})
    put(folder / "updated_sub_dfs.pkl", [rows.set_index("edge"), lone])
    found = read_published(folder)
    report = found.mismatches
    first = report[report["edge"] == "blended with_chunkaa11_0"]["reason"].tolist()
    assert first[0] == "its members are ['PCL', 'chitosan', 'silk'], in the tables ['PCL', 'chitin', 'silk']"
    assert first[1] == "the tables name ['chitin'] as source or target, which are not its members"
    assert first[2] == "['chitosan'] are neither source nor target in the tables"
    assert report.set_index("edge").loc["is_chunkaa11_1", "reason"] == "its id says chunk 'aa11', the tables 'cc33'"
    assert report.set_index("edge").loc["is a kind of_chunkbb22_0", "reason"] == "no row of the tables belongs to it"
    rest = report[report["edge"].isna()]["reason"].tolist()
    assert rest == [
        "the tables have a row 'unknown_chunkbb22_7', which is not in the graph",
        "a row without id has the members ['a', 'b'], which no free hyperedge has",
    ]
    assert len(report) == 7
    roles = found.hypergraph.incidences.set_index(["edge", "node"])["role"]
    assert roles["blended with_chunkaa11_0", "chitosan"] == "member"
    assert roles["blended with_chunkaa11_0", "PCL"] == "source"
    assert roles["is a kind of_chunkbb22_0", "PCL"] == "member"


def test_an_id_of_another_form_is_reported(folder):
    put(folder / "final_graph.pkl", hypernetx.Hypergraph({**EDGES, "no id": ["a", "b"]}))
    found = read_published(folder)
    reasons = found.mismatches[found.mismatches["edge"] == "no id"]["reason"].tolist()
    assert reasons[0] == "its id does not read {relation}_chunk{md5}_{i}"
    assert found.hypergraph.edges.loc["no id", ["relation", "chunk"]].tolist() == [None, None]


def test_a_node_on_both_sides_is_both(folder):
    rows = ROWS.copy()
    rows["target"] = [rows["target"].iloc[0], ["polymer", "PCL"], *rows["target"].iloc[2:]]
    put(folder / "updated_sub_dfs.pkl", [rows])
    table = read_published(folder).hypergraph.incidences
    table = table[(table["edge"] == "is_chunkaa11_1") & (table["node"] == "PCL")]
    assert table["role"].tolist() == ["source", "target"]


def test_hypergraphs_made_in_other_ways_read_too(folder):
    frame = pd.DataFrame([(e, n) for e, nodes in EDGES.items() for n in nodes], columns=["edge", "node"])
    theirs = hypernetx.Hypergraph(frame, node_properties={"PCL": {"type": "polymer"}})
    theirs = theirs.restrict_to_edges(list(EDGES)[:2])
    theirs.incidence_matrix()
    theirs.nodes["silk"].type = "protein"
    put(folder / "final_graph.pkl", theirs)
    H = read_published(folder).hypergraph
    assert H.edges.index.tolist() == list(EDGES)[:2]
    assert set(H.nodes.index) == {"PCL", "silk", "chitosan", "polymer"}
    assert H.nodes["type"].dropna().to_dict() == {"PCL": "polymer", "silk": "protein"}


def test_only_the_graph_is_required(folder):
    for name in ("updated_sub_dfs.pkl", "composite_LLAMA4_70b.pkl", "composite_chunks_clean.csv"):
        (folder / name).unlink()
    found = read_published(folder)
    assert len(found.hypergraph) == 4
    assert found.embeddings.shape == (0, 0)
    assert found.chunks.empty
    assert set(found.hypergraph.incidences["role"]) == {"member"}
    (folder / "final_graph.pkl").unlink()
    with pytest.raises(FileNotFoundError, match=r"holds no final_graph\.pkl"):
        read_published(folder)


def test_a_git_lfs_pointer_is_recognised(folder):
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n"
    for name in ("composite_chunks_clean.csv", "composite_LLAMA4_70b.pkl", "updated_sub_dfs.pkl", "final_graph.pkl"):
        (folder / name).write_text(pointer)
        with pytest.raises(ValueError, match=rf"{name} is a git-LFS pointer.*git lfs pull"):
            read_published(folder)


def test_embeddings_are_told_apart_or_asked_for(folder):
    put(folder / "original_sub_dfs.pkl", [ROWS])
    with pytest.raises(ValueError, match=r"composite_LLAMA4_70b\.pkl.*Say which: embeddings="):
        read_published(folder)
    assert len(read_published(folder, embeddings=folder / "composite_LLAMA4_70b.pkl").names) == 4
    put(folder / "hypergraph_embeddings.pkl", {"x": np.ones(3, np.float32), "y": np.ones(4, np.float32)})
    with pytest.raises(ValueError, match="the vector of 'y' has another length"):
        read_published(folder)
    put(folder / "hypergraph_embeddings.pkl", [1, 2])
    with pytest.raises(ValueError, match=r"holds no embeddings.*list"):
        read_published(folder)


def test_pickles_of_something_else_are_refused(folder):
    put(folder / "final_graph.pkl", {"a": 1})
    with pytest.raises(ValueError, match=r"no HyperNetX 2\.4 hypergraph"):
        read_published(folder)
    put(folder / "final_graph.pkl", hypernetx.Hypergraph(EDGES))
    put(folder / "updated_sub_dfs.pkl", [ROWS.drop(columns="source")])
    with pytest.raises(ValueError, match="table 1 has no column source"):
        read_published(folder)
    put(folder / "updated_sub_dfs.pkl", [ROWS, print])
    with pytest.raises(RefusedPickle, match=r"names builtins\.print"):
        read_published(folder)
