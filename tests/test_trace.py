"""Traces: order and nesting, plain values, exact JSON, pages that obey no text."""

import datetime
import json
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgwork.trace import Trace


def sample() -> Trace:
    trace = Trace("search")
    with trace.step("entities", query="ceria and PCL", k=3) as step:
        step.outputs["entities"] = ["ceria", "PCL"]
        with trace.step("join") as inner:
            inner.counts |= {"events": 50, "kept": np.int64(12)}
            inner.table = pd.DataFrame({"id": ["a", "b"], "score": [0.5, np.nan]}, index=[7, 9])
    with trace.step("answer") as step:
        step.tokens, step.note = 30, "cached"
    return trace


def test_steps_are_numbered_in_order_and_nested():
    trace = sample()
    table = trace.table
    assert table["step"].tolist() == ["1", "1.1", "2"]
    assert table["name"].tolist() == ["entities", "join", "answer"]
    assert table["inputs"].tolist() == ["query ceria and PCL, k 3", "", ""]
    assert table["outputs"][0] == 'entities ["ceria", "PCL"]'
    assert table["tokens"].isna().tolist() == [True, True, False] and trace.tokens == 30
    assert trace.counts.loc["1.1", ["events", "kept"]].tolist() == [50, 12] and trace.counts["events"].isna().sum() == 2
    assert trace["1.1"] is trace["join"] and len(trace) == 3
    with pytest.raises(KeyError, match="'entities', 'join', 'answer'"):
        trace["nothing"]


def test_seconds_of_a_step_hold_those_inside_it():
    trace = sample()
    assert trace["entities"].seconds >= trace["join"].seconds >= 0
    assert trace.seconds == pytest.approx(trace["entities"].seconds + trace["answer"].seconds)


def test_what_is_shown_is_what_was_true_when_the_step_closed():
    trace, found = Trace(), ["a"]
    with trace.step("look", words=found) as step:
        step.outputs["found"] = found
    found.append("b")
    assert trace["look"].inputs == {"words": ["a"]} and trace["look"].outputs == {"found": ["a"]}


def test_an_error_is_noted_and_passes_on():
    trace = Trace()
    with pytest.raises(RuntimeError, match="disk full"), trace.step("outer"), trace.step("inner", what=object()):
        raise RuntimeError("disk full")
    assert trace.table["failure"].tolist() == ["RuntimeError: disk full"] * 2
    assert trace["inner"].inputs == {"what": "<object>"}
    with trace.step("next"):
        pass
    assert trace.table["step"].tolist() == ["1", "1.1", "2"]


def test_values_become_plain():
    trace = Trace()
    with trace.step(
        "all",
        whole=np.int32(3),
        real=np.float32(0.5),
        missing=[np.nan, float("inf"), None, pd.NA, pd.NaT],
        array=np.arange(4).reshape(2, 2),
        pair=(1, 2),
        few={"b", "a"},
        day=datetime.date(2024, 5, 1),
        flag=np.bool_(True),
        series=pd.Series({"x": 1}),
        frame=pd.DataFrame({"x": [1]}),
        keys={1: "one"},
        half="\ud800",
    ):
        pass
    assert trace["all"].inputs == {
        "whole": 3,
        "real": 0.5,
        "missing": [None] * 5,
        "array": [[0, 1], [2, 3]],
        "pair": [1, 2],
        "few": ["a", "b"],
        "day": "2024-05-01",
        "flag": True,
        "series": {"x": 1},
        "frame": [{"x": 1}],
        "keys": {"1": "one"},
        "half": "\ufffd",
    }


@pytest.mark.parametrize(
    ("values", "message"),
    [({"x": object()}, "step 's', inputs, 'x': a object"), ({"x": {1: "a", "1": "b"}}, "equal as text")],
)
def test_values_without_a_json_form_are_refused(values, message):
    with pytest.raises(ValueError, match=message), Trace().step("s", **values):
        pass
    with pytest.raises(ValueError, match="table is list"), Trace().step("s") as step:
        step.table = [1]


def test_without_times_two_runs_give_the_same_bytes():
    assert sample().to_json(times=False) == sample().to_json(times=False)
    assert sample().to_html(times=False) == sample().to_html(times=False)
    assert "seconds" not in sample().to_json(times=False)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(st.tuples(st.text(), json_values, json_values), max_size=3), st.booleans())
def test_json_goes_round_exactly(steps, times):
    trace = Trace("t")
    for name, value, cell in steps:
        with trace.step(name, value=value) as step:
            step.table = pd.DataFrame({"c": pd.Series([cell, 1, 1.0, None], dtype=object)})
            with trace.step("inner"):
                step.counts["n"] = 1
    text = trace.to_json(times=times)
    text.encode("utf-8")
    json.loads(text, parse_constant=lambda name: pytest.fail(name))  # no NaN, no Infinity
    again = Trace.from_json(text)
    assert again.to_json(times=times) == text
    assert again.to_html(times=times) == trace.to_html(times=times)
    if times:
        assert again.table.equals(trace.table) and again.steps == trace.steps


def test_files_are_written_and_read(tmp_path):
    for name in ("trace.json", "trace.json.gz"):
        text = sample().to_json(tmp_path / name, times=False)
        assert Trace.from_json(tmp_path / name).to_json(times=False) == text
        assert Trace.from_json(str(tmp_path / name)).title == "search"
    sample().to_html(tmp_path / "trace.html")
    assert "ceria and PCL" in (tmp_path / "trace.html").read_text(encoding="utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["trace.html", "trace.json", "trace.json.gz"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ('{"a": 1}', "no trace of version"),
        ('{"hgwork_trace": 1, "steps": 3}', "steps is int"),
        ('{"hgwork_trace": 1, "steps": [{"seconds": 1}]}', "step 1 has no name"),
        ('{"hgwork_trace": 1, "steps": [{"name": "a", "steps": [{"name": "b", "odd": 1}]}]}', "step 1: step 1 has"),
    ],
)
def test_what_is_no_trace_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        Trace.from_json(text)


class _Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.text, self.open = set(), set(), "", []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize("attack", ["<script>alert(1)</script>", "'><img src=x onerror=alert(1)>", "</pre></details>"])
def test_no_text_is_obeyed(attack):
    trace = Trace(attack)
    with pytest.raises(RuntimeError), trace.step(attack, **{attack: attack, "long": attack * 100}) as step:
        step.outputs[attack] = {attack: [attack]}
        step.counts[attack] = attack
        step.note = attack
        step.table = pd.DataFrame({attack: [attack]})
        raise RuntimeError(attack)
    page = _Tags()
    page.feed(trace._repr_html_())
    assert not page.open
    assert page.tags <= {"div", "span", "b", "details", "summary", "pre", "table", "tr", "th", "td"}
    assert page.attributes <= {"style", "open"}
    assert page.text.count(attack) >= 10


def test_long_values_and_tables_are_cut_and_say_so():
    trace = Trace()
    with trace.step("long", text="x" * 10_000) as step:
        step.table = pd.DataFrame({"n": range(60)})
    page = trace.to_html()
    assert "10,000 characters in all" in page and "10 more rows" in page and len(page) < 12_000
    assert trace["long"].table["n"].tolist() == list(range(60)) and len(trace["long"].inputs["text"]) == 10_000


def test_marks_that_turn_the_direction_of_writing_are_shown():
    trace = Trace()
    with trace.step("s", text="abc\u202edef\x00"):
        pass
    assert "abc\ufffddef\ufffd" in trace.to_html()


def test_an_empty_trace_has_a_table_and_a_page():
    trace = Trace()
    assert len(trace.table) == 0 and trace.seconds == 0 and "0 steps" in trace._repr_html_()
    assert len(trace.counts) == 0 and Trace.from_json(trace.to_json()).steps == []
