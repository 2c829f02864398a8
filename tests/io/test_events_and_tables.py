"""Events, CSV, OpenIE, drawings, and the one door to all formats."""

import json
import warnings

import networkx as nx
import pandas as pd
import pytest

import hgwork as hg
from hgwork import Event, Hypergraph
from hgwork.io import RecordWarning, read_events, read_openie_events, write_events

EVENTS = [
    Event(
        source=["PCL"],
        relation="has",
        target=["silk", "日本\n語"],
        evidence="A, B.",
        document="d",
        chunk="d/0",
        start=3,
    ),
    Event(source=["silk"], relation="is", target=["x"], document="d", chunk="d/0", confidence=0.5, kind="completed"),
]


# ------------------------------------------------------------------ events


@pytest.mark.parametrize("name", ["x.jsonl", "x.jsonl.gz"])
def test_events_come_back_one_a_line(name, tmp_path):
    write_events(EVENTS, tmp_path / name)
    events, rejected = read_events(tmp_path / name)
    assert events == EVENTS
    assert rejected.empty
    H = Hypergraph.from_events(EVENTS)
    assert hg.read(tmp_path / name).equals(H)
    hg.write(H, tmp_path / name)
    assert read_events(tmp_path / name)[0] == EVENTS


def test_bad_lines_are_set_aside_with_number_and_reason(tmp_path):
    good = EVENTS[0].model_dump_json()
    rest = '"relation": "r", "target": ["x"]}'
    lines = [good, "", "{cut", '{"source": [], ' + rest, "[1]", '{"source": [" "], ' + rest, good]
    file = tmp_path / "x.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    events, rejected = read_events(file)
    assert len(events) == 2
    assert rejected["line"].tolist() == [3, 4, 5, 6]
    assert rejected["record"].tolist() == lines[2:6]
    assert rejected["reason"][0].startswith("not JSON")
    assert rejected["reason"][1].startswith("source: List should have at least 1 item")
    assert "an entity has an empty name" in rejected["reason"][3]
    with pytest.warns(RecordWarning, match=r"x\.jsonl: 4 of 6 lines set aside; the first \(line 3\): not JSON"):
        assert len(hg.read(file)) == 2
    with pytest.raises(ValueError, match=r"x\.jsonl, line 3: not JSON"):
        read_events(file, strict=True)


@pytest.mark.parametrize(
    ("frame", "edges", "reason"),
    [
        ({"edge": ["e"], "node": ["x"]}, {"e": {"relation": "r"}}, "'x' is neither source nor target"),
        ({"edge": ["e"], "node": ["x"], "role": ["source"]}, {"e": {"relation": "r"}}, "target: List should have"),
        ({"edge": ["e", "e"], "node": ["x", "y"], "role": ["source", "target"]}, None, "relation: Field required"),
    ],
)
def test_hyperedges_that_are_no_events_are_refused(frame, edges, reason, tmp_path):
    with pytest.raises(ValueError, match=rf"hyperedge 'e' is not an event \({reason}"):
        hg.write(Hypergraph.from_frame(pd.DataFrame(frame), edges=edges), tmp_path / "x.jsonl")
    assert not list(tmp_path.iterdir())


# ------------------------------------------------------------------ CSV


def test_csv_of_others_reads(tmp_path):
    (tmp_path / "x.csv").write_bytes(b"\xef\xbb\xbfnode,edge,weight,page\r\nNA,7,0.1,007\r\n,7,,\r\n\r\n")
    H = hg.read(tmp_path / "x.csv")
    assert H.to_dict() == {"7": ["NA", ""]}
    assert H.incidences["weight"].tolist() == [0.1, 1]
    assert H.incidences["page"].tolist() == ["007", None]


def test_rows_that_do_not_fit_are_set_aside(tmp_path):
    rows = ['a,"x\ny",source,1', "a,y", "a,z,boss,1", "a,w,,much", 'a,"x\ny",source,2', ""]
    (tmp_path / "x.csv").write_text("\n".join(["edge,node,role,weight", *rows]))
    with pytest.warns(RecordWarning, match=r"4 of 5 rows set aside; the first \(line 4\): 2 fields where the header"):
        H = hg.read(tmp_path / "x.csv")
    assert H.to_dict() == {"a": ["x\ny"]}
    with pytest.raises(ValueError, match="line 4: 2 fields"):
        hg.io.table.read_csv(tmp_path / "x.csv", strict=True)


@pytest.mark.parametrize(("text", "message"), [("a,b\n1,2\n", "has no column 'edge'"), ("", "has no column 'edge'")])
def test_csv_without_the_columns_is_refused(text, message, tmp_path):
    (tmp_path / "x.csv").write_text(text)
    with pytest.raises(ValueError, match=r"x\.csv: the header .*" + message):
        hg.read(tmp_path / "x.csv")


# ------------------------------------------------------------------ OpenIE

DOCS = [
    {"title": "A", "passage": "A\nx is y.", "text": "x is y.", "extracted_entities": ["x", "lone", 3],
     "extracted_triples": [["x", "is", "y"], ["x", "is"], ["x", 1, "y"]]},
    {"title": "B", "passage": "B", "extracted_entities": ["x"],
     "extracted_triples": ["no list", ["x", "of", " "], ["a", "b", "c", "d"]]},
    {"title": "B", "passage": "B again", "extracted_entities": [],
     "extracted_triples": [["y", "in", "z"], ["y", None, "z"]]},
    {"idx": 0, "title": "C", "passage": "", "extracted_entities": [], "extracted_triples": [["y", "in", "z"]]},
]  # fmt: skip


def test_openie_triples_become_hyperedges_and_entities_nodes(tmp_path):
    (tmp_path / "x.json").write_text(json.dumps({"docs": DOCS}))
    with pytest.warns(RecordWarning, match=r"6 of 9 triples set aside; the first \(document A, triple 2\): 2 parts"):
        H = hg.read(tmp_path / "x.json", format="openie")
    assert H.edges.index.tolist() == ["A/0", "B (2)/0", "0/0"]
    assert H.sentences().tolist() == ["x – is – y", "y – in – z", "y – in – z"]
    assert H.edges["text"].tolist() == ["x is y.", "B again", ""]
    assert H.degrees.to_dict() == {"x": 1, "lone": 0, "y": 3, "z": 2}
    assert H.nodes["documents"].dropna().to_dict() == {"x": ["A", "B (1)"], "lone": ["A"]}
    rejected = read_openie_events(tmp_path / "x.json")[2]
    assert rejected["reason"].tolist() == [
        "2 parts where a triple has 3", "its part 1 is not a name", "it is not a list",
        "its part ' ' is not a name", "4 parts where a triple has 3", "its part None is not a name",
    ]  # fmt: skip
    with pytest.raises(ValueError, match="read it with format='openie'"):
        hg.read(tmp_path / "x.json")
    (tmp_path / "y.json").write_text("[]")
    with pytest.raises(ValueError, match=r"y\.json is not an OpenIE result"):
        hg.read(tmp_path / "y.json", format="openie")


@pytest.mark.real_data
def test_public_openie_results_read_whole(shared_data):
    file = shared_data / "openie" / "openie_results_1890_passages.json.gz"
    events, entities, rejected = read_openie_events(file)
    assert (len(events), len(rejected)) == (17_234, 185)  # 17,419 triples, counted with a loop over the JSON
    assert len(entities) == len(set(entities.index))
    with pytest.warns(RecordWarning, match="185 of 17419 triples"):
        H = hg.read(file, format="openie")
    assert len(H) == 17_234
    assert H.edges["document"].nunique() > 1_800


# ------------------------------------------------------------------ drawings


def test_graphml_and_gexf_carry_names_kinds_and_attributes(tmp_path):
    edges = {
        "e": {"relation": '<is> & "so"', "start": 3, "tags": ["a", 1], "odd": 1, "big": 2**40},
        "f": {"odd": "1", "big": 1},
    }
    frame = pd.DataFrame({"edge": ["e", "e"], "node": ["x", "y"], "role": ["source", "target"], "weight": [1, 2.5]})
    H = Hypergraph.from_frame(frame, edges=edges, nodes={"x": {"type": "thing", "label": "mine", "good": True}})
    for name, reader in (("x.graphml", nx.read_graphml), ("x.gexf", nx.read_gexf)):
        hg.write(H, tmp_path / name)
        graph = reader(tmp_path / name)
        x, e, f = graph.nodes["n0"], graph.nodes["e0"], graph.nodes["e1"]
        assert (x["label"], x["class"], x["type"], x["label_"], x["good"]) == ("x", "node", "thing", "mine", True)
        assert (e["label"], e["class"], e["relation"], e["start_"]) == ("e", "hyperedge", '<is> & "so"', 3)
        assert json.loads(e["tags"]) == ["a", 1]
        assert (e["odd"], f["odd"], e["big"]) == ("1", "1", str(2**40))
        assert graph.edges["e0", "n1"]["weight"] == 2.5
        assert graph.edges["e0", "n0"]["role"] == "source"


def test_control_characters_are_replaced_in_drawings_and_reported(tmp_path):
    H = Hypergraph.from_dict({"e\x0b": ["x\x01", "tab\tstays"]})
    for name in ("x.graphml", "x.gexf"):
        with pytest.warns(RecordWarning, match="2 texts hold control characters that XML forbids"):
            hg.write(H, tmp_path / name)
    graph = nx.read_graphml(tmp_path / "x.graphml")
    assert [graph.nodes[n]["label"] for n in ("n0", "n1", "e0")] == ["x\ufffd", "tab\tstays", "e\ufffd"]


# ------------------------------------------------------------------ the door


def test_formats_tells_what_each_does_and_loses():
    table = hg.io.formats()
    assert table.index.tolist() == ["hif", "parquet", "events", "csv", "graphml", "gexf", "openie", "published"]
    assert table["reads"].tolist() == [True, True, True, True, False, False, True, True]
    assert table["writes"].tolist() == [True, True, True, True, True, True, False, False]
    assert (table["loses"].str.len() > 10).all()


@pytest.mark.parametrize("name", ["X.HIF.JSON", "x.json", "x.data.json.gz", "x.csv"])
def test_the_extension_says_the_format_and_a_format_overrides_it(name, tmp_path):
    H = Hypergraph.from_dict({"a": "xy"})
    hg.write(H, tmp_path / name)
    assert hg.read(tmp_path / name).equals(H)
    hg.write(H, tmp_path / "x.txt", format="hif")
    assert hg.read(str(tmp_path / "x.txt"), format="hif").equals(H)


def test_unknown_formats_and_places_are_refused_with_a_way_out(tmp_path):
    H = Hypergraph.from_dict({"a": "xy"})
    with pytest.raises(ValueError, match=r"x\.xlsx: its extension is unknown. Use \.hif\.json, \.json, \.parquet"):
        hg.write(H, tmp_path / "x.xlsx")
    with pytest.raises(ValueError, match=r"format 'yaml' is unknown. Use one of hif"):
        hg.read(tmp_path / "x.json", format="yaml")
    with pytest.raises(ValueError, match=r"format 'graphml' cannot be read"):
        hg.read(tmp_path / "x.graphml")
    with pytest.raises(FileNotFoundError, match=r"x\.json does not exist \(looked in "):
        hg.read(tmp_path / "x.json")
    with pytest.raises(FileNotFoundError, match=r"the folder .*nowhere does not exist. Make it first"):
        hg.write(H, tmp_path / "nowhere" / "x.json")
    (tmp_path / "d.json").mkdir()
    with pytest.raises(IsADirectoryError, match=r"d\.json is a folder"):
        hg.write(H, tmp_path / "d.json")


@pytest.mark.parametrize("name", ["x.json", "x.csv", "x.jsonl"])
def test_files_that_are_not_text_or_are_only_pointers_are_refused(name, tmp_path):
    file = tmp_path / name
    file.write_bytes(b"edge,node\n\xe9,x\n")
    with pytest.raises(ValueError, match=rf"{name}, line 2: byte 10 is not utf-8"):
        hg.read(file)
    file.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    with pytest.raises(ValueError, match="git-LFS pointer"):
        hg.read(file)
    file.write_bytes(b"\x1f\x8b\x08cut")
    with pytest.raises(ValueError, match="not whole gzip data"):
        hg.read(file)


@pytest.mark.parametrize("name", ["x.json", "x.csv", "x.csv.gz", "x.parquet"])
def test_half_a_surrogate_pair_is_refused_and_leaves_no_file(name, tmp_path):
    with pytest.raises(ValueError, match=rf"{name}: .*(half a surrogate pair|surrogates not allowed)"):
        hg.write(Hypergraph.from_dict({"a": ["\ud800x"]}), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_errors_of_the_hypergraph_name_the_file(tmp_path):
    (tmp_path / "x.json").write_text('{"incidences": [{"edge": "a", "node": "b\\u0000c"}]}')
    with pytest.raises(ValueError, match=r"x\.json: the node name 'b\\x00c' holds a NUL character"):
        hg.read(tmp_path / "x.json")


def test_names_that_only_a_nul_tells_apart_are_refused_not_merged():
    """pandas factorizes text as C strings: both would be the node 'a'."""
    with pytest.raises(ValueError, match="NUL"):
        Hypergraph.from_dict({"e": ["a", "a\0b"]})
    with pytest.raises(ValueError, match="NUL"):
        Hypergraph.from_dict({"e": ["a"]}, nodes={"a\0": {}})


def test_names_of_which_nothing_is_known_are_kept():
    H = Hypergraph.from_dict({"e": ["a"]}, nodes={"lone": {}, "a": {"t": 1}}, edges={"empty": {}})
    assert H.nodes.index.tolist() == ["lone", "a"]
    assert H.edges.index.tolist() == ["empty", "e"]


def test_written_files_have_the_usual_permissions(tmp_path):
    (tmp_path / "plain").write_text("")
    H = Hypergraph.from_dict({"a": "xy"})
    hg.write(H, tmp_path / "x.json")
    assert (tmp_path / "x.json").stat().st_mode == (tmp_path / "plain").stat().st_mode
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hg.read(tmp_path / "x.json")


def test_lines_of_events_that_nothing_can_hold_are_set_aside(tmp_path):
    event = {"source": ["a"], "relation": "r", "target": ["b"]}
    rows = [event, event | {"source": ["a\0"]}, event | {"start": 10**30}, event | {"evidence": "\ud800"}]
    (tmp_path / "e.jsonl").write_text("\n".join(["[" * 100_000, *map(json.dumps, rows)]), "utf-8")
    events, rejected = read_events(tmp_path / "e.jsonl")
    assert len(events) == 1 and rejected["line"].tolist() == [1, 3, 4, 5]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("edge,node,node\n1,2,3\n", "column 'node' stands there twice"),
        ('edge,node\n1,"2\n3,4\n', "unexpected end of data"),
    ],
)
def test_csv_that_would_be_misread_is_refused(tmp_path, text, message):
    (tmp_path / "x.csv").write_text(text, "utf-8")
    with pytest.raises(ValueError, match=message):
        hg.read(tmp_path / "x.csv")


def test_long_fields_of_csv_come_back(tmp_path):
    H = Hypergraph.from_dict({"a": ["x" * 200_000]})
    hg.write(H, tmp_path / "x.csv")
    assert hg.read(tmp_path / "x.csv").equals(H)


@pytest.mark.parametrize("docs", ["1", "null", "[1]", "{}"])
def test_what_is_no_openie_result_is_refused(tmp_path, docs):
    (tmp_path / "x.json").write_text(f'{{"docs": {docs}}}', "utf-8")
    with pytest.raises(ValueError, match="no list of passages"):
        hg.read(tmp_path / "x.json", "openie")


def test_openie_passages_without_lists_or_with_odd_names_are_read(tmp_path):
    docs = [
        {"title": ["x"], "extracted_triples": None, "extracted_entities": None},
        {"idx": "p", "extracted_triples": [["a", "b", "c"], ["a\0", "b", "c"]], "extracted_entities": ["q\0"]},
    ]
    (tmp_path / "x.json").write_text(json.dumps({"docs": docs}), "utf-8")
    events, entities, rejected = read_openie_events(tmp_path / "x.json")
    assert len(events) == 1 and not len(entities) and rejected["reason"].tolist() == ["its part 'a\\x00' is not a name"]
