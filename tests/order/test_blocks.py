"""Documents are cut at their headers, however these are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgwork import Document
from hgwork.order import extract, load_domain, split_blocks
from hgwork.order.blocks import plain, sentences
from tests.order.domains import cakes

CYCLONES = load_domain("cyclones")


@pytest.mark.parametrize(
    "header",
    [
        "T-48 hours before expected landfall:",
        "T–48 h:",
        "T−48 hours before landfall:",
        "T‑48:",
        "T - 48 hrs:",
        "## T-48 hours before expected landfall",
        "**T-48 hours before expected landfall:**",
        "48 hours before:".replace(":", " landfall:"),
        "48 h prior to the expected landfall",
        "t-48\u00a0hours ahead of landfall:",
    ],
)
def test_a_header_is_found_in_every_spelling(header):
    text = f"{header}\nIt rains.\n"
    (block,), problems = split_blocks([Document(id="d", text=text)], CYCLONES)
    assert (block.index, block.text.strip()) == (48, "It rains.")
    assert text[block.start : block.end] == block.text
    assert "no header" not in problems["problem"].tolist()


def test_a_mention_of_a_horizon_is_no_header():
    text = "T-48 hours before landfall:\nT-60 forecasts called for rain. It was 36 hours before landfall and calm."
    blocks, _ = split_blocks([Document(id="d", text=text)], CYCLONES)
    assert [block.index for block in blocks] == [48]


def test_a_document_without_headers_is_reported_and_gives_no_facts():
    found = extract([Document(id="d", text="Irma moves north at 12 mph.")], CYCLONES, progress=False)
    assert found.problems[["document", "problem"]].values.tolist() == [["d", "no header"]]
    assert not found.facts and len(found.hypergraph) == 0


def test_a_missing_horizon_between_two_is_reported():
    text = "T-48:\nIt rains.\n\nT-24:\nIt pours."
    _, problems = split_blocks([Document(id="d", title="Irma (2017) and Miami", text=text)], CYCLONES)
    assert problems[["place", "problem"]].values.tolist() == [["T-36", "missing place"]]


def test_a_repeated_block_is_reported_and_its_facts_collapse():
    from hgwork.order import build

    text = "Cake: plum\nTurn 1:\nWe mix flour and eggs.\nTurn 1:\nWe mix flour and eggs.\nTurn 2: Ann eats."
    built = build([Document(id="d", text=text)], cakes(), progress=False)
    assert built.problems[["problem", "detail"]].values.tolist() == [
        ["repeated header", "stands again, with the same text"]
    ]
    assert len(built.extraction.facts) == 3 and len(built.hypergraph) == 2
    assert built.reports["repeats"]["copies"].tolist() == [2]


def test_two_storms_in_one_document_are_two_groups():
    text = (
        "Irma (2017) and Miami\n\nT-48:\nIrma moves west at 12 mph.\n\n"
        "Jose (2017) and Tampa\n\nT-48:\nJose moves north at 9 mph.\n"
    )
    facts = extract([Document(id="d", text=text)], CYCLONES, progress=False).facts
    assert [(f.group, f.scope["storm"], f.attributes["speed"]["value"]) for f in facts] == [
        ("IRMA/Miami", "IRMA", 12.0),
        ("JOSE/Tampa", "JOSE", 9.0),
    ]


def test_a_document_that_does_not_say_what_it_is_about_is_its_own_group():
    blocks, problems = split_blocks([Document(id="notes", text="T-48:\nIt rains.")], CYCLONES)
    assert blocks[0].group == "notes" and problems["problem"].tolist() == ["no scope"]


def test_what_was_known_only_afterwards_stands_last():
    text = "T-12:\nIt rains.\n\nAfter the storm, known only in hindsight:\nIt rained."
    blocks, _ = split_blocks([Document(id="d", text=text)], CYCLONES)
    assert [(b.index, b.text.strip()) for b in blocks] == [(12, "It rains."), (0, "It rained.")]


def test_units_of_a_header_become_one_scale():
    text = "Machine: pump\nt+0 min:\nx\nt + 40 min:\nx\nt+2 h:\nx\nt+1.5 h:\nx\nt+1 day:\nx"
    blocks, _ = split_blocks([Document(id="d", text=text)], load_domain("failures"))
    assert [b.index for b in blocks if b.index is not None] == [0, 40, 120, 90, 1440]


def test_abbreviations_and_decimals_end_no_sentence():
    text = "It is 3.5 miles W of St. Croix. Then Ft. Myers.\n- a list\n- of two"
    assert [text[a:b] for a, b in sentences(text, CYCLONES)] == [
        "It is 3.5 miles W of St. Croix.",
        "Then Ft. Myers.",
        "a list",
        "of two",
    ]


@given(st.text(alphabet="T-–48 hours:\n.aZ\u00a0", max_size=80))
def test_spans_always_count_in_the_document(text):
    blocks, _ = split_blocks([Document(id="d", text=text)], CYCLONES)
    assert all(text[b.start : b.end] == b.text for b in blocks)
    assert len(plain(text)) == len(text)
    spans = sentences(text, CYCLONES)
    assert all(a < b <= len(text) for a, b in spans) and spans == sorted(spans)
