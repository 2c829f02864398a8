"""Documents, records, domain files and tables that are wrong in some way: an error that says so, or a report."""

import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgwork import Document, Hypergraph
from hgwork.order import (
    build,
    contradictions,
    load_domain,
    magnitude,
    normalise_relations,
    postprocess,
    precedence,
    quantity,
    split_blocks,
)
from hgwork.order._expressions import endless
from hgwork.order._tables import slug
from hgwork.order.clean import STEPS
from tests.order.domains import CAKES, cakes, written

CYCLONES = load_domain("cyclones")


def blocks_of(text, domain=CYCLONES, **about):
    return split_blocks([Document(id="d", text=text, **about)], domain)


# ---------------------------------------------------------------- headers


@pytest.mark.parametrize(
    "header",
    [
        "48 hours before",
        "48 hours before:",
        "48-hours before landfall:",
        "T–48 h",
        "T - 48",
        "T48:",
        "T minus 48 hours:",
        "Ｔ－４８：",
        "T-４８ hours before landfall:",
        "\ufeffT-48:",
        "\u200fT-48:",
        "T-48\u2003hours before landfall:",
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028"])
def test_a_header_is_found_in_any_width_and_with_any_line_end(header, end):
    text = f"{header}{end}It rains.{end}"
    blocks, _ = blocks_of(text)
    assert [(block.index, block.text.strip()) for block in blocks] == [(48, "It rains.")]
    assert all(text[block.start : block.end] == block.text for block in blocks)


def test_a_byte_order_mark_does_not_hide_what_a_document_is_about():
    assert blocks_of("\ufeffIrma (2017) and Miami\r\n\r\nT-48:\r\nIt rains.")[0][-1].group == "IRMA/Miami"


def test_paragraphs_of_windows_files_are_apart():
    built = build([Document(id="d", text="T-48:\r\nNothing here\r\n\r\nnor there.\r\n")], CYCLONES, progress=False)
    assert built.unmatched["text"].tolist() == ["Nothing here", "nor there."]


def test_a_line_that_looks_like_a_header_and_is_none_is_reported():
    text = "T-48:\nIt rains.\nT-36 hours before the landfall at Miami:\nIt pours.\nT-24 was worse.\n"
    blocks, problems = blocks_of(text, title="Irma (2017) and Miami")
    assert [block.index for block in blocks] == [48]
    assert problems[["place", "problem"]].values.tolist() == [["T-36 hours before the landfall at Miami:", "odd line"]]


@pytest.mark.parametrize(
    ("header", "text", "problem"),
    [
        (r"^Turn (?P<index>\w+):", "Turn one: We mix a and b.", "'one' is no number"),
        (r"^Turn(?: (?P<index>\d+))?:", "Turn: We mix a and b.", "None is no number"),
        (r"^Turn (?P<index>\d+):", f"Turn {'9' * 400}: We mix a and b.", "is no place"),
        (r"^Turn (?P<index>\d+) (?P<unit>\w+):", "Turn 4 weeks: We mix a and b.", "'weeks' is no unit of the domain"),
    ],
)
def test_a_header_that_says_no_place_is_reported_and_cuts_nothing(header, text, problem):
    blocks, problems = blocks_of(f"Cake: plum\n{text}", cakes(headers=[header]))
    assert [block.index for block in blocks] == [None]
    assert problems["problem"].tolist() == ["unread header", "no header"] and problem in problems["detail"][0]


def test_a_place_that_is_no_whole_number_is_reported():
    domain = cakes(headers=[r"^Turn (?P<index>[\d.]+):"])
    blocks, problems = blocks_of("Cake: plum\nTurn 4.4: x\nTurn 100.4: y", domain)
    assert [block.index for block in blocks if block.text.strip()] == [4, 100]
    assert problems["detail"].tolist() == ["4.4 was read as 4: places are whole numbers"]  # .4 in 100 does not matter


def test_two_documents_of_one_id_are_reported_and_both_read():
    texts = [
        Document(id="d", title="Irma (2017) and Miami", text=f"T-48:\nIrma moves west at {v} mph.") for v in (9, 12)
    ]
    built = build(texts, CYCLONES, progress=False)
    assert built.problems["problem"].tolist() == ["repeated document"]
    assert len(built.hypergraph) == 2 and built.reports["contradictions"]["attribute"].tolist() == ["speed"]


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"Irma (2017) and Port{i}\nT-48:\nx\n" for i in range(4000)),
        "Irma (2017) and M" + " " * 60_000 + ".",
        "Storm: Irma at M" + " a" * 30_000 + ".",
        "T-48:\n" + "the wind is blowing hard " * 8000,
        "T-48:\n" + "1" * 100_000,
    ],
)
def test_long_documents_take_no_longer_than_their_length(text):
    start = time.perf_counter()
    build([Document(id="d", text=text)], CYCLONES, progress=False)
    assert time.perf_counter() - start < 5


def test_names_of_every_script_and_with_signs_are_kept():
    text = 'Cake: עוגת "שזיפים"/梅{x}\nTurn 1: We mix 小麦粉 and 卵.\nTurn ２: \u200fקמח eats'
    H = build([Document(id="d", text=text)], cakes(), progress=False).hypergraph
    assert H.edges["position"].tolist() == [1, 2] and set(H.edges["group"]) == {'עוגת "שזיפים"/梅{x}'}
    assert {"stuff:小麦粉", "stuff:卵", "stuff:קמח"} <= set(H.nodes.index)


def test_identifiers_keep_marks_of_letters_and_tell_pictographs_apart():
    assert len({slug(name) for name in ("की", "का", "हि", "हे")}) == 4
    assert slug("🌀") != slug("🌊") and slug("🌀").startswith("unnamed_")


# ---------------------------------------------------------------- records and sources


RECORD = {"cyclone": {"name": "Nemo", "category": "Tropical Storm"}, "port": {"name": "Port Royal"}}


@pytest.mark.parametrize("sources", ["text", Document(id="d", text="x"), {"record": RECORD}, [None], [3]])
def test_sources_that_are_neither_documents_nor_records_are_refused(sources):
    with pytest.raises(TypeError, match="give"):
        build(sources, CYCLONES, progress=False)


@pytest.mark.parametrize("index", [48.7, True, float("inf"), float("nan"), None, "T-48", [48], 10**30])
def test_a_record_at_no_whole_place_is_set_aside(index):
    built = build([{"document": "d", "index": index, "record": RECORD}], CYCLONES, progress=False)
    assert built.problems["problem"].tolist() == ["no index"] and not len(built.hypergraph)


def nested(depth):
    record = {"name": "x"}
    for _ in range(depth):
        record = {"cyclone": record}
    return record


@pytest.mark.parametrize(
    ("given", "problem", "detail"),
    [
        ({"scope": ["x"]}, "no record", "scope: list instead"),
        ({"scope": {"harbour": "x"}}, "unused key", "'harbour' is no key of the scope"),
        ({"record": nested(5000)}, "no record", "nested too deep"),
        ({"record": RECORD | {f"k{i}": i for i in range(9)}}, "unused key", "and 4 more"),
        ({"record": RECORD | {"port": {"name": "A\ud800\0"}}}, "unstorable", "port.name"),
        ({"record": RECORD | {"cyclone": {"cyclone": {"name": "B"}} | RECORD["cyclone"]}}, "nested", "left out"),
    ],
)
def test_what_is_odd_in_a_record_is_reported(given, problem, detail):
    built = build([{"document": "d", "index": 48, "record": RECORD} | given], CYCLONES, progress=False)
    rows = built.problems[built.problems["problem"] == problem]
    assert len(rows) == 1 and detail in rows["detail"].iloc[0]
    assert "cyclone:B" not in built.hypergraph.nodes.index  # the key at its own place counts


def test_a_second_record_of_a_group_and_place_is_reported():
    rows = [{"document": name, "index": 48, "record": RECORD} for name in "ab"]
    built = build(rows, CYCLONES, progress=False)
    assert built.problems[["document", "problem"]].values.tolist() == [["b", "repeated record"]]
    assert len(built.hypergraph) == 1 and built.reports["repeats"]["copies"].tolist() == [2]


def test_numbers_too_large_to_hold_are_text():
    assert quantity("9" * 400 + " mph") == "9" * 400 + " mph"
    assert [magnitude(v) for v in (10**400, float("nan"), float("inf"), np.float32(2))] == [None, None, None, 2.0]


# ---------------------------------------------------------------- domain files


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"headers": [r"^(?P<index>\d*)"]}, "found in the empty text"),
        ({"asides": [{"match": "", "index": 0}]}, "found in the empty text"),
        ({"scope_patterns": ["(?P<cake>x*)"]}, "found in the empty text"),
        ({"headers": [r"^(?P<index>(\d+)+):"]}, "repeats a repetition"),
        ({"group": "{cake!z}"}, "cannot be filled in"),
        ({"group": "{cake"}, "expected '}'"),
        ({"change_text": "{nope}"}, "change_text 'nope' is not declared"),
        ({"index": CAKES["index"] | {"label": "#{index:zz}"}}, "index.label: .*cannot be filled in"),
        ({"index": CAKES["index"] | {"anchor_type": "stuff"}}, "'stuff' is of a type whose kind is not anchor"),
        ({"index": CAKES["index"] | {"units": {"h": float("nan")}}}, "index.units.h"),
        ({"phases": ["make", "make", "eat"]}, "phases: 'make' stands twice"),
        ({"families": CAKES["families"] | {"z": {"phase": "make", "relations": {}}}}, "families.z.relations"),
        ({"changes": [{"relation": "warms_to", "of": ["between"]}]}, "'between' is a change itself"),
        ({"changes": [{"relation": "baking", "of": ["heats"]}]}, "changes.relation 'baking' is not declared"),
        ({"patterns": [CAKES["patterns"][0] | {"match": "<<w>> (?P<a>x) (?P<b>y)"}]}, "<<w>> is not among `words`"),
        ({"patterns": [CAKES["patterns"][0] | {"later": ["q"]}]}, "'q' is neither a group"),
        ({"patterns": [CAKES["patterns"][0] | {"qualifiers": {"stuff": "{q}"}}]}, "'q' is neither a group"),
        ({"patterns": [CAKES["patterns"][0] | {"set": {"x": float("inf")}}]}, "patterns.0.set.x"),
    ],
)
def test_a_domain_that_could_not_work_is_refused_when_it_is_read(tmp_path, changes, message):
    with pytest.raises(ValueError, match=message):
        load_domain(written(tmp_path, **changes))


@pytest.mark.parametrize("text", ["[" * 1200, "name: x\npatterns: &p [{match: x, find: &f {a: *f}}]\nwords: {a: b}\n"])
def test_a_file_without_a_bottom_is_refused(tmp_path, text):
    (tmp_path / "deep.yaml").write_text(text)
    with pytest.raises(ValueError, match=r"deep\.yaml"):
        load_domain(tmp_path / "deep.yaml")


@pytest.mark.parametrize("name", [None, 5, ["cyclones"]])
def test_a_domain_is_named_by_text_or_path(name):
    with pytest.raises(TypeError, match="name or the path"):
        load_domain(name)


@pytest.mark.parametrize("pattern", ["(a+)+", "(?:a*)*b", r"(?:\w+\s?)*x", "(?:(a|b+))+", "x(?:(?:y+?))*"])
def test_repeated_repetitions_are_found(pattern):
    assert endless(pattern)


@pytest.mark.parametrize("pattern", ["a+b*", r"(?:\w+,)*", r"(?:, \w+)+", "(?:a{1,3})+", "(?:ab+c)*", "(?:(?=a+)b)*"])
def test_harmless_repetitions_are_not(pattern):
    assert not endless(pattern)


def test_words_where_a_place_should_stand_make_no_fact():
    pattern = CAKES["patterns"][0] | {"relation": "warms_to", "to": "b"}
    built = build(
        [Document(id="d", text="Cake: plum\nTurn 1: We mix a and b.")], cakes(patterns=[pattern]), progress=False
    )
    assert not len(built.hypergraph) and built.unmatched["text"].tolist() == ["We mix a and b."]


# ---------------------------------------------------------------- tables


def table(index=(48, 36, 36), column="horizon", **columns):
    """Three hyperedges of one group."""
    edges = pd.DataFrame(
        {"relation": "has_motion", "text": ["a", "b", "c"], "group": "g"},
        index=pd.Index(["e0", "e1", "e2"], dtype=object),
    )
    for name, values in {column: index, **columns}.items():
        edges[name] = pd.Series(list(values), index=edges.index, dtype=object)
    frame = pd.DataFrame({"edge": np.repeat(edges.index, 2), "node": ["x", "y"] * 3})
    return Hypergraph.from_frame(frame, edges=edges)


@pytest.mark.parametrize("step", [normalise_relations, postprocess, contradictions, *STEPS.values()])
def test_a_hypergraph_without_facts_is_refused_by_every_step(step):
    with pytest.raises(ValueError, match="no column 'relation'"):
        step(Hypergraph.from_dict({"a": "xy"}), CYCLONES)


@pytest.mark.parametrize("index", ["T-48", 48.5, float("inf"), [48]])
def test_a_place_that_is_no_whole_number_is_refused_by_the_clean_up(index):
    with pytest.raises(ValueError, match=r"hyperedge 'e0': horizon .* is no whole number"):
        postprocess(table([index, 36, 12]), CYCLONES)


@pytest.mark.parametrize("attributes", ["text", [1]])
def test_attributes_that_are_no_dictionary_are_refused(attributes):
    with pytest.raises(ValueError, match="hyperedge 'e0': the attributes are of type"):
        postprocess(table(attributes=[attributes, None, {}]), CYCLONES)


@pytest.mark.parametrize("threshold", [-1, 101, float("nan"), "88", None])
def test_a_threshold_out_of_range_is_refused(threshold):
    with pytest.raises(ValueError, match="from 0 to 100"):
        postprocess(table(), CYCLONES, threshold)


@pytest.mark.parametrize("said", [None, {}, {"speed": None}, {"speed": float("nan")}, {"speed": pd.NA}, {1: 2, "b": 3}])
def test_attributes_that_say_nothing_are_no_change(said):
    H, reports = postprocess(table(attributes=[said, said, {"speed": 3}]), CYCLONES)
    assert len(H) == 3 and reports["changes"]["changed"].tolist() in ([], [0])
    assert postprocess(H, CYCLONES)[0].equals(H)


@pytest.mark.parametrize(
    "said", [float("inf"), [1, {"a": 2}], np.array([1, 2]), {"value": float("nan"), "text": "4 or so"}]
)
def test_odd_values_that_differ_are_a_change(said):
    H, reports = postprocess(table(attributes=[{"speed": said}, {"speed": 3}, None]), CYCLONES)
    (made,) = H.edges.query("origin == 'synthesis'").to_dict("records")
    assert (made["relation"], made["horizon"], made["to_horizon"]) == ("forecast_updates_to", 48, 36)
    assert reports["changes"]["changed"].tolist() == [1] and postprocess(H, CYCLONES)[0].equals(H)


def test_a_value_that_is_no_number_neither_rises_nor_falls():
    domain = cakes(changes=[{"relation": "warms_to", "of": ["heats"], "when": "falls", "attribute": "degrees"}])
    facts = [{"degrees": {"value": float("nan"), "text": "?"}}, {"degrees": 200}, {"degrees": 180}]
    H = table([1, 2, 3], "position", relation=["heats"] * 3, attributes=facts)
    assert postprocess(H, domain)[0].edges["to_position"].dropna().tolist() == [3]


def test_hyperedges_without_a_relation_are_reported():
    report = postprocess(table(relation=[None, "has_motion", "sings"]), CYCLONES)[1]["relations"]
    assert report["how"].tolist() == ["exact", "unknown", "missing"] and report["hyperedges"].tolist() == [1, 1, 1]


@pytest.mark.parametrize("group", [[1, 1, 2], [1.0, 1.0, 2.0], [("a",), ("a",), ("b",)], [["a"], ["a"], ["b"]]])
def test_groups_of_any_kind_are_ordered_by_their_text(group):
    P = precedence(table(group=group), CYCLONES)
    assert P.groups == [str(group[0]), str(group[2])]
    assert P.before("e0", "e1") and not P.before("e0", "e2") and P.canonical_order(P.groups[0]) == ["e0", "e1"]


@pytest.mark.parametrize(
    ("index", "message"),
    [
        (["T-48", 36, 12], "'e0': horizon 'T-48' is no number"),
        ([48, float("-inf"), 12], "'e1': horizon is infinite"),
        (pd.to_datetime(["2020-01-01"] * 3), "no number|holds dates"),
    ],
)
def test_places_that_have_no_order_are_refused(index, message):
    with pytest.raises(ValueError, match=message):
        precedence(table(index), CYCLONES)
    dates = table().edges.assign(horizon=pd.to_datetime(["2020-01-01"] * 3))
    with pytest.raises(ValueError, match="'horizon' holds dates"):
        precedence(Hypergraph.from_dict({"e0": "x", "e1": "y", "e2": "z"}, edges=dates), CYCLONES)


def test_no_hyperedge_has_no_order():
    P = precedence(Hypergraph.from_frame(pd.DataFrame({"edge": [], "node": []}), edges=table().edges[:0]), CYCLONES)
    assert P.groups == [] and P.unplaced == []


def test_one_name_is_no_list_of_names():
    with pytest.raises(TypeError, match="'e0' is one hyperedge: give a list"):
        precedence(table(), CYCLONES).before_matrix("e0", ["e1"])


def test_the_time_of_ordering_grows_with_the_number_of_groups():
    count = 800
    edges = pd.DataFrame({"group": [f"g{i // 2}" for i in range(2 * count)], "horizon": [48, 36] * count})
    edges["relation"] = "has_motion"
    edges.index = edges.index.map(str)
    H = Hypergraph.from_frame(pd.DataFrame({"edge": edges.index, "node": "x"}), edges=edges)
    start = time.perf_counter()
    P = precedence(H, CYCLONES, include=["phase", "evolution"])
    assert len(P.groups) == count and P.canonical_order("g799") == ["1598", "1599"] and P.before("0", "1")
    assert time.perf_counter() - start < 10  # about a second on an idle machine


# ---------------------------------------------------------------- figures


def test_a_group_of_one_hyperedge_an_unknown_relation_and_one_without_a_place_is_drawn():
    from matplotlib import pyplot as plt

    from hgwork.plot.order import precedence as draw

    for index, relation in (([48, None, None], "has_motion"), ([48, 36, 12], "sings")):
        P = precedence(table(index, relation=[relation] * 3), CYCLONES)
        draw(P, "g").figure.canvas.draw()
        plt.close("all")


def test_what_cannot_be_drawn_is_said_so():
    from hgwork.order import structure_report
    from hgwork.plot import order, transitions

    H = table([None, None, None])
    with pytest.raises(ValueError, match="no hyperedge of group 'g' has a place"):
        order.precedence(precedence(H, CYCLONES), "g")
    report = structure_report(table(), precedence(table(), CYCLONES))
    with pytest.raises(KeyError, match="group 'zz' is not in the report"):
        order.structure(report, named=["zz"])
    with pytest.raises(ValueError, match="nothing to draw"):
        transitions.transition_matrices({"a": pd.DataFrame()})
    with pytest.raises(ValueError, match="nothing to draw"):
        transitions.held_out(pd.DataFrame())


# ---------------------------------------------------------------- again and again

WORDS = st.sampled_from(["heats", "Heats!", "stirs", "eats", "warms_to", "sings", "mixxes"])
VALUES = st.sampled_from(
    [None, {}, {"degrees": 3}, {"degrees": {"value": 4.0, "unit": "°C", "text": "4 °C"}}, {"degrees": "hot"}]
)
NAMES = st.sampled_from(["plum", "Plum ", "卵", "🌀", "की", "T-1", 'a/b"c'])
ROWS = st.lists(
    st.tuples(
        WORDS, st.integers(1, 3) | st.none(), VALUES, NAMES, st.sampled_from(["cake", "stuff", "heat", "turn", "?"])
    ),
    min_size=1,
    max_size=8,
)


@settings(max_examples=4, deadline=None)
@given(ROWS)
def test_every_step_done_again_changes_nothing(rows):
    domain = cakes()
    ids = [f"e{i}" for i in range(len(rows))]
    edges = pd.DataFrame(
        {"relation": [r[0] for r in rows], "text": "It says plum.", "group": "g", "attributes": [r[2] for r in rows]},
        index=pd.Index(ids, dtype=object),
    )
    edges["position"] = pd.array([r[1] for r in rows], dtype="Int64")
    members = [
        (edge, name, kind) for edge, row in zip(ids, rows, strict=True) for name, kind in (row[3:], ("z", "cake"))
    ]
    frame = pd.DataFrame(
        [(edge, f"{kind}:{name}", name, kind, "") for edge, name, kind in members],
        columns=["edge", "node", "surface", "type", "qualifier"],
    ).drop_duplicates(["edge", "node"])
    H = Hypergraph.from_frame(frame, edges=edges)
    for step in (normalise_relations, *STEPS.values()):
        H, _ = step(H, domain)
        assert step(H, domain)[0].equals(H), step.__name__
    assert postprocess(H, domain)[0].equals(H)
