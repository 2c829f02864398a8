"""HIF: every valid file reads, every other is refused with its JSON path, nothing is lost in silence."""

import json
import socket

import fastjsonschema
import pandas as pd
import pytest

import hgwork as hg
from hgwork import Hypergraph
from hgwork.io.hif import _validator


def put(tmp_path, data, name="x.hif.json"):
    file = tmp_path / name
    file.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return file


def test_the_smallest_valid_file_reads(tmp_path):
    assert hg.read(put(tmp_path, {"incidences": []})).shape == (0, 0)
    H = hg.read(put(tmp_path, {"incidences": [{"edge": 7, "node": "x"}]}))
    assert H.to_dict() == {"7": ["x"]}


def test_all_three_lists_their_order_weights_and_attributes_are_read(tmp_path):
    data = {
        "network-type": "undirected",
        "metadata": {"creator": {"name": "A", "tools": [1, 2]}},
        "incidences": [
            {"edge": "b", "node": "y", "weight": 2, "attrs": {"when": [2020, 1]}},
            {"edge": "b", "node": "z"},
        ],
        "nodes": [{"node": "lone", "weight": 0.5, "attrs": {"nested": {"k": [None, {"deep": True}]}}}, {"node": "z"}],
        "edges": [
            {"edge": "empty", "attrs": {"weight": 3, "tags": []}},
            {"edge": "b", "weight": 4, "attrs": {"weight": 5}},
        ],
    }
    H = hg.read(put(tmp_path, data))
    assert H.nodes.index.tolist() == ["lone", "z", "y"]
    assert H.edges.index.tolist() == ["empty", "b"]
    assert H.sizes.tolist() == [0, 2]
    assert H.nodes.loc["lone", "nested"] == {"k": [None, {"deep": True}]}
    assert H.nodes.loc["lone", "weight"] == 0.5
    assert H.edges["weight"].tolist() == [3, 4]
    assert H.edges.loc["b", "attrs.weight"] == 5  # both were there and differ
    assert H.edges.loc["empty", "tags"] == []
    assert H.incidences["weight"].tolist() == [2, 1]
    assert H.incidences["when"].tolist() == [[2020, 1], None]
    assert H.edges.attrs["hif"] == {"network-type": "undirected", "metadata": data["metadata"]}
    hg.write(H, tmp_path / "y.json")
    assert json.loads((tmp_path / "y.json").read_text("utf-8"))["metadata"] == data["metadata"]
    assert hg.read(tmp_path / "y.json").equals(H)


def test_tail_is_source_and_head_is_target(tmp_path):
    rows = [("e", "x", "tail"), ("e", "y", "head"), ("e", "x", "head")]
    incidences = [{"edge": e, "node": v, "direction": d} for e, v, d in rows]
    H = hg.read(put(tmp_path, {"network-type": "directed", "incidences": incidences}))
    assert sorted(zip(H.incidences["node"], H.incidences["role"], strict=True)) == [
        ("x", "source"),
        ("x", "target"),
        ("y", "target"),
    ]
    hg.write(H, tmp_path / "y.json")
    written = json.loads((tmp_path / "y.json").read_text("utf-8"))
    assert written["network-type"] == "directed"
    assert written["incidences"] == incidences


def test_sides_mixed_with_members_are_written_as_undirected_with_roles_in_attrs(tmp_path):
    frame = pd.DataFrame({"edge": ["e", "e"], "node": ["x", "y"], "role": ["source", "member"]})
    hg.write(Hypergraph.from_frame(frame), tmp_path / "y.json")
    written = json.loads((tmp_path / "y.json").read_text("utf-8"))
    assert written["network-type"] == "undirected"
    assert [record["attrs"]["role"] for record in written["incidences"]] == ["source", "member"]


def test_attributes_named_as_our_key_columns_are_kept_under_another_name(tmp_path):
    incidence = {"edge": "e", "node": "x", "attrs": {"role": "chair", "edge": 1, "weight": "heavy"}}
    data = {"incidences": [incidence], "nodes": [{"node": "x", "attrs": {"node": "n", "edge": "m"}}]}
    H = hg.read(put(tmp_path, data))
    assert H.incidences.iloc[0].to_dict() == {
        "edge": "e", "node": "x", "role": "member", "weight": 1.0,
        "attrs.role": "chair", "attrs.edge": 1, "attrs.weight": "heavy",
    }  # fmt: skip
    assert H.nodes.loc["x"].to_dict() == {"attrs.node": "n", "attrs.edge": "m"}


def test_repeated_records_collapse_in_silence_when_they_agree(tmp_path, recwarn):
    twice = [{"node": "x", "attrs": {"c": [1]}}, {"node": "x"}, {"node": "x", "attrs": {"c": [1], "d": 2}}]
    data = {"incidences": [{"edge": "e", "node": "x"}] * 2, "nodes": twice, "edges": [{"edge": "e"}] * 2}
    H = hg.read(put(tmp_path, data))
    assert len(H.incidences) == 1
    assert H.nodes.loc["x"].to_dict() == {"c": [1], "d": 2}
    assert not recwarn.list


def test_repeated_records_that_disagree_are_named(tmp_path):
    data = {
        "incidences": [{"edge": "e", "node": "x", "weight": 1}, {"edge": "e", "node": "x", "weight": 2}],
        "nodes": [{"node": "x", "attrs": {"colour": "red"}}, {"node": "x", "attrs": {"colour": "blue"}}],
    }
    with pytest.warns(hg.io.RecordWarning) as caught:
        H = hg.read(put(tmp_path, data))
    message = str(caught[0].message)
    assert "x.hif.json" in message
    assert "node 'x', 'colour': 'red' and 'blue'" in message
    assert "incidence ('e', 'x', 'member'), 'weight': 1 and 2" in message
    assert H.nodes.loc["x", "colour"] == "red"


@pytest.mark.parametrize("places", [("incidences", "incidences"), ("nodes", "incidences"), ("nodes", "nodes")])
def test_a_number_and_a_text_of_the_same_name_are_refused(places, tmp_path):
    data = {"incidences": [], "nodes": []}
    for place, name in zip(places, (1, "1"), strict=True):
        data[place].append({"node": name} if place == "nodes" else {"edge": "e", "node": name})
    with pytest.raises(ValueError, match=r"x\.hif\.json: the node ids 1 \(a number\) and '1' \(text\) both occur"):
        hg.read(put(tmp_path, data))


def test_a_node_and_a_hyperedge_may_share_a_name(tmp_path):
    assert hg.read(put(tmp_path, {"incidences": [{"edge": 1, "node": "1"}]})).to_dict() == {"1": ["1"]}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, r"\$ must contain \['incidences'\]"),
        ([], r"\$ must be object"),
        ({"incidences": [{"edge": 1}]}, r"\$\.incidences\[0\] must contain \['node'\]"),
        (
            {"incidences": [{"edge": 1, "node": 2.5}]},
            r"\$\.incidences\[0\]\.node must be string or integer; found 2\.5",
        ),
        (
            {"incidences": [{"edge": True, "node": 2}]},
            r"\$\.incidences\[0\]\.edge must be string or integer; found True",
        ),
        (
            {"incidences": [], "nodes": [{"node": "x"}, {"node": "y", "colour": 1}]},
            r"\$\.nodes\[1\] must not contain \{'colour'\}",
        ),
        (
            {"incidences": [], "edges": [{"edge": "x", "weight": "2"}]},
            r"\$\.edges\[0\]\.weight must be number; found '2'",
        ),
        ({"incidences": [], "network-type": "tree"}, r"\$\.network-type must be one of .* found 'tree'"),
        ({"incidences": [], "extra": 1}, r"\$ must not contain \{'extra'\}"),
        ({"docs": []}, r"read it with format='openie'"),
        ('{"incidences": [}', r"line 1, column 17: not JSON"),
        ("[" * 100_000, r"nests too deep"),
        ('{"incidences": [{"edge": 1, "node": 1, "weight": 1' + "0" * 400 + "}]}", r"number too large"),
    ],
)
def test_what_is_not_hif_is_refused_with_file_path_and_value(data, message, tmp_path):
    with pytest.raises(ValueError, match=r"x\.hif\.json.*" + message):
        hg.read(put(tmp_path, data))


@pytest.mark.parametrize("bad", [{1, 2}, float("inf"), object(), [float("nan")]])
def test_a_value_without_json_form_is_refused_and_the_old_file_stays(bad, tmp_path):
    file = tmp_path / "x.json"
    hg.write(Hypergraph.from_dict({"old": "x"}), file)
    nodes = pd.DataFrame({"v": pd.Series([bad], dtype=object, index=["x"])})
    with pytest.raises(ValueError, match=r"x\.json: .* has no JSON form, in \{'node': 'x'"):
        hg.write(Hypergraph.from_dict({"new": "x"}, nodes=nodes), file)
    assert hg.read(file).edges.index.tolist() == ["old"]
    assert [f.name for f in tmp_path.iterdir()] == ["x.json"]


def test_no_network_is_touched(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("the network was touched")

    monkeypatch.setattr(socket, "socket", refuse)
    _validator.cache_clear()
    hg.write(Hypergraph.from_dict({"a": "x"}), tmp_path / "x.json")
    hg.read(tmp_path / "x.json")


@pytest.mark.real_data
def test_our_schema_and_our_files_agree_with_the_reference_schema(shared_data, tmp_path):
    reference = fastjsonschema.compile(json.loads((shared_data / "hif" / "hif_schema.json").read_text("utf-8")))
    files = sorted((shared_data / "hif").glob("*compliant/*.json"))
    assert len(files) >= 15
    for file in files:
        data, verdicts = json.loads(file.read_text("utf-8")), []
        for validate in (reference, _validator()):
            try:
                validate(data)
                verdicts.append(True)
            except fastjsonschema.JsonSchemaValueException:
                verdicts.append(False)
        assert verdicts == [file.parent.name == "compliant"] * 2, file
    frame = pd.DataFrame({"edge": ["e", "e"], "node": ["x", "y"], "role": ["source", "target"], "weight": [1, 2.5]})
    hg.write(Hypergraph.from_frame(frame, nodes={"x": {"a": {"b": [1]}}}), tmp_path / "x.json")
    reference(json.loads((tmp_path / "x.json").read_text("utf-8")))


@pytest.mark.real_data
def test_public_files_read_or_are_refused_by_name(shared_data, tmp_path):
    for file in sorted((shared_data / "hif" / "non-compliant").glob("*.json")):
        with pytest.raises(ValueError, match=rf"{file.name} is not valid HIF: \$"):
            hg.read(file)
    counts = {"diseasome.json": (938, 516), "lesmis.hif.json": (402, 80), "publications.hif.json": (533, 1960)}
    files = [*(shared_data / "hif" / "compliant").glob("*.json"), *(shared_data / "hif" / name for name in counts)]
    for file in files:
        H = hg.read(file)
        hg.write(H, tmp_path / "again.json")
        assert hg.read(tmp_path / "again.json").equals(H), file
        assert H.shape == counts.get(file.name, H.shape)
