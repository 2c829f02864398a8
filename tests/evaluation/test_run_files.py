"""Runs go on where they stopped, never lose a line, and say where a file is broken."""

import json

import pandas as pd
import pytest

from hgwork.evaluation.run_files import (
    RUN_COLUMNS,
    RunFile,
    configuration_hash,
    read_qrels,
    read_runs,
    read_trec,
    write_qrels,
    write_trec,
)
from hgwork.io._files import RecordWarning

SHORT, LONG = {"length": 4}, {"length": 8}


def answered(query_id, edges=("e1",), **more):
    return {"query_id": query_id, "method": "dag", "trajectory": [{"edge": e} for e in edges], **more}


def test_a_run_takes_its_name_only_when_it_is_complete(tmp_path):
    path = tmp_path / "r.jsonl"
    with RunFile(path) as run:
        run.add(answered("q1"), SHORT)
        assert not path.exists()
    assert path.exists() and [file.name for file in tmp_path.iterdir()] == ["r.jsonl"]


def test_a_stopped_run_goes_on_where_it_stopped(tmp_path):
    path = tmp_path / "r.jsonl"
    with pytest.raises(KeyboardInterrupt), RunFile(path) as run:
        run.add(answered("q1", right=1.0), SHORT)
        raise KeyboardInterrupt
    assert not path.exists()
    with RunFile(path) as run:
        assert run.find("q1", "dag", configuration=dict(SHORT))["right"] == 1.0
        assert run.find("q2", "dag", configuration=SHORT) is None
        run.add(answered("q2"), SHORT)
    assert read_runs(path)["query_id"].tolist() == ["q1", "q2"]


def test_another_configuration_method_reader_or_repeat_is_asked_anew(tmp_path):
    with RunFile(tmp_path / "r.jsonl") as run:
        run.add(answered("q1", reader="state", repeat=1), SHORT)
        assert run.find("q1", "dag", "state", 1, configuration=SHORT)
        assert not run.find("q1", "dag", "state", 1, configuration=LONG)
        assert not run.find("q1", "beam", "state", 1, configuration=SHORT)
        assert not run.find("q1", "dag", "label", 1, configuration=SHORT)
        assert not run.find("q1", "dag", "state", 0, configuration=SHORT)


def test_a_whole_run_that_is_opened_again_keeps_its_lines(tmp_path):
    path = tmp_path / "r.jsonl"
    for name, settings in (("q1", SHORT), ("q1", LONG)):
        with RunFile(path) as run:
            run.add(answered(name), settings)
    table = read_runs(path)
    assert len(table) == 2 and table["hash"].nunique() == 2


def test_a_line_that_was_cut_off_is_set_aside_and_said(tmp_path):
    path, part = tmp_path / "r.jsonl", tmp_path / "r.jsonl.part"
    with RunFile(path) as run:
        run.add(answered("q1"), SHORT)
        run.add(answered("q2"), SHORT)
    part.write_bytes(path.read_bytes()[:-20])
    path.unlink()
    with pytest.warns(RecordWarning, match="r.jsonl.part, line 2: cut off"), RunFile(path) as run:
        assert run.find("q1", "dag", configuration=SHORT) and not run.find("q2", "dag", configuration=SHORT)
        run.add(answered("q2"), SHORT)
    assert read_runs(path)["query_id"].tolist() == ["q1", "q2"]


def test_a_broken_line_is_named(tmp_path):
    path = tmp_path / "r.jsonl"
    with RunFile(path) as run:
        run.add(answered("q1"), SHORT)
    whole = path.read_text()
    for broken, message in (
        ("{", "line 2: not JSON"),
        ("[1]", "line 2: holds a list"),
        ('{"query_id": "q"}', "line 2: lacks query"),
    ):
        path.write_text(whole + broken + "\n")
        with pytest.raises(ValueError, match=f"r.jsonl, {message}"):
            read_runs(path)


def test_a_line_needs_a_question_and_values_that_json_knows(tmp_path):
    with RunFile(tmp_path / "r.jsonl") as run:
        with pytest.raises(ValueError, match="query_id is None"):
            run.add({"method": "dag"}, SHORT)
        with pytest.raises(ValueError, match="no JSON form"):
            run.add(answered("q1", answer=object()), SHORT)
    with pytest.raises(ValueError, match="not open"):
        RunFile(tmp_path / "s.jsonl").add(answered("q1"), SHORT)


def test_an_empty_run_has_the_columns(tmp_path):
    with RunFile(tmp_path / "r.jsonl"):
        pass
    assert read_runs(tmp_path / "r.jsonl").columns.tolist() == list(RUN_COLUMNS)


def test_the_hash_does_not_depend_on_the_order_of_settings_or_on_numpy():
    import numpy as np

    assert configuration_hash({"a": 1, "b": [2, 3]}) == configuration_hash({"b": np.array([2, 3]), "a": np.int64(1)})
    assert configuration_hash({"a": {"x": 1}}) != configuration_hash({"a": {"x": 2}})
    assert len(configuration_hash({})) == 16


def test_trec_runs_and_judgements_come_back_as_they_were(tmp_path):
    odd = "a b%/é"
    runs = pd.DataFrame([answered(odd, ("e 2", "e1", "e 2")), answered(odd, ("other",), repeat=1)])
    write_trec(tmp_path / "run.txt", runs)
    table = read_trec(tmp_path / "run.txt")
    assert table["query_id"].unique().tolist() == [odd] and table["tag"].unique().tolist() == ["dag"]
    assert table["edge"].tolist() == ["e 2", "e1"] and table["rank"].tolist() == [1, 2]
    assert table["score"].is_monotonic_decreasing
    assert all(len(line.split()) == 6 for line in (tmp_path / "run.txt").read_text().splitlines())
    write_qrels(tmp_path / "qrels.txt", pd.DataFrame({"question_id": [odd, "q2"], "needed": [["e1", "e1", "e 3"], []]}))
    assert read_qrels(tmp_path / "qrels.txt").to_numpy().tolist() == [[odd, "e1", 1], [odd, "e 3", 1]]


@pytest.mark.parametrize(
    ("text", "message"), [("a 0 b\n", "line 1: 3 fields instead of 4"), ("\na 0 b x\n", "line 2: 'x'")]
)
def test_a_broken_trec_line_is_named(tmp_path, text, message):
    (tmp_path / "qrels.txt").write_text(text)
    with pytest.raises(ValueError, match=message):
        read_qrels(tmp_path / "qrels.txt")


def test_lines_are_plain_json_with_the_configuration(tmp_path):
    with RunFile(tmp_path / "r.jsonl") as run:
        run.add(answered("q1", seconds=0.5, extra="é"), LONG)
    (line,) = (tmp_path / "r.jsonl").read_text("utf-8").splitlines()
    record = json.loads(line)
    assert record["configuration"] == LONG and record["hash"] == configuration_hash(LONG) and record["extra"] == "é"
