"""The Parquet folder: whole or not there, and never over what is not ours."""

import json

import pandas as pd
import pytest

import hgwork as hg
from hgwork import Hypergraph


@pytest.fixture
def H():
    return Hypergraph.from_dict(
        {"a": "xy", "b": []}, nodes={"x": {"tags": ["t", {"k": None}], "mixed": 1}, "y": {"mixed": "1"}}
    )


def test_the_folder_holds_three_tables_that_other_programs_read(H, tmp_path):
    hg.write(H, tmp_path / "h.parquet")
    assert sorted(f.name for f in tmp_path.iterdir()) == ["h.parquet"]
    names = sorted(f.name for f in (tmp_path / "h.parquet").iterdir())
    assert names == ["edges.parquet", "incidences.parquet", "meta.json", "nodes.parquet"]
    nodes = pd.read_parquet(tmp_path / "h.parquet" / "nodes.parquet")
    assert nodes["node"].tolist() == ["x", "y"]
    assert json.loads(nodes["tags"][0]) == ["t", {"k": None}]
    meta = json.loads((tmp_path / "h.parquet" / "meta.json").read_text("utf-8"))
    assert (meta["format"], meta["version"]) == ("hgwork-hypergraph", 1)
    assert meta["json"] == {"nodes": ["tags", "mixed"], "edges": [], "incidences": []}
    assert hg.read(tmp_path / "h.parquet").nodes.loc["x"].to_dict() == {"tags": ["t", {"k": None}], "mixed": 1}


def test_one_of_ours_is_replaced_and_anything_else_is_refused(H, tmp_path):
    hg.write(H, tmp_path / "h.parquet")
    hg.write(H.dual(), tmp_path / "h.parquet")
    assert hg.read(tmp_path / "h.parquet").equals(H.dual())
    (tmp_path / "e.parquet").mkdir()
    hg.write(H, tmp_path / "e.parquet")
    (tmp_path / "data.parquet").mkdir()
    (tmp_path / "data.parquet" / "mine.txt").write_text("keep")
    (tmp_path / "file.parquet").write_text("keep")
    for name in ("data.parquet", "file.parquet"):
        with pytest.raises(FileExistsError, match=rf"{name} exists and was not written by hgwork"):
            hg.write(H, tmp_path / name)
    assert (tmp_path / "data.parquet" / "mine.txt").read_text() == "keep"
    assert (tmp_path / "file.parquet").read_text() == "keep"


def test_a_failure_leaves_the_old_folder_and_nothing_else(H, tmp_path):
    hg.write(H, tmp_path / "h.parquet")
    bad = Hypergraph.from_dict({"a": "x"}, edges=pd.DataFrame({"v": pd.Series([{1, 2}], dtype=object, index=["a"])}))
    with pytest.raises(ValueError, match=r"h\.parquet, edges\.parquet, column 'v': .*set.* has no JSON form"):
        hg.write(bad, tmp_path / "h.parquet")
    with pytest.raises(ValueError, match="the column name 7 is not text"):
        hg.write(Hypergraph.from_dict({"a": "x"}, nodes={"x": {7: 1}}), tmp_path / "new.parquet")
    assert [f.name for f in tmp_path.iterdir()] == ["h.parquet"]
    assert hg.read(tmp_path / "h.parquet").equals(H)


def test_a_folder_that_is_not_whole_or_not_ours_is_refused(H, tmp_path):
    (tmp_path / "x.parquet").mkdir()
    with pytest.raises(ValueError, match="no hypergraph folder"):
        hg.read(tmp_path / "x.parquet")
    hg.write(H, tmp_path / "h.parquet")
    meta = tmp_path / "h.parquet" / "meta.json"
    whole = meta.read_text("utf-8")
    meta.write_text(whole.replace('"version": 1', '"version": 2'), "utf-8")
    with pytest.raises(ValueError, match="version 2; this hgwork reads up to 1"):
        hg.read(tmp_path / "h.parquet")
    for damage in ({"version": None}, {"version": "2"}, {"json": None}, {"json": {"nodes": ["zz"], "edges": []}}):
        meta.write_text(json.dumps({**json.loads(whole), **damage}), "utf-8")
        with pytest.raises(ValueError, match=r"h\.parquet"):
            hg.read(tmp_path / "h.parquet")
    meta.write_text(whole, "utf-8")
    nodes = tmp_path / "h.parquet" / "nodes.parquet"
    kept = nodes.read_bytes()
    pd.DataFrame({"q": [1]}).to_parquet(nodes)
    with pytest.raises(ValueError, match=r"nodes\.parquet has no column 'node'"):
        hg.read(tmp_path / "h.parquet")
    nodes.write_bytes(kept)
    (tmp_path / "h.parquet" / "edges.parquet").write_bytes(b"PAR1 cut")
    with pytest.raises(ValueError, match=r"edges\.parquet cannot be read"):
        hg.read(tmp_path / "h.parquet")


def test_metadata_of_a_hif_file_travels_along(tmp_path):
    (tmp_path / "x.json").write_text('{"incidences": [], "network-type": "asc", "metadata": {"by": "A"}}')
    hg.write(hg.read(tmp_path / "x.json"), tmp_path / "h.parquet")
    hg.write(hg.read(tmp_path / "h.parquet"), tmp_path / "y.json")
    written = json.loads((tmp_path / "y.json").read_text("utf-8"))
    assert written["metadata"] == {"by": "A"}
    assert written["network-type"] == "asc"
