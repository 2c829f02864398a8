"""Recorded events in place of an extractor."""

from __future__ import annotations

import pytest

from hgwork import Chunk, Document, Event
from hgwork.corpus.replay import ReplayExtractor, record_events
from hgwork.corpus.split import split

TEXT = "Glass fibres reinforce epoxy resin. Carbon fibres cost more than glass fibres.\n\nResin cures at 80 °C."
ONE = Event(source=["Glass fibres"], relation="reinforce", target=["epoxy resin"], evidence=TEXT[:35], start=0, end=35)
TWO = Event(
    source=["Resin"], relation="cures at", target=["80 °C"], evidence="Resin cures at 80 °C.", start=80, end=101
)


@pytest.fixture
def replay(tmp_path):
    def make(*events):
        return ReplayExtractor(record_events(events, tmp_path / "events.jsonl"))

    return make


def chunks(size):
    return split(Document(id="d", text=TEXT), size=size)


@pytest.mark.parametrize("size", [40, 80, 1_000])
def test_events_with_spans_come_back_whatever_the_chunks(replay, size):
    extractor = replay(ONE.model_copy(update={"document": "d"}), TWO.model_copy(update={"document": "d"}))
    events = [
        (chunk, event)
        for chunk, found in zip(chunks(size), extractor.extract(chunks(size)), strict=True)
        for event in found
    ]
    assert [event.relation for _, event in events] == ["reinforce", "cures at"]
    assert all(TEXT[event.start : event.end] == event.evidence and event.chunk == chunk.id for chunk, event in events)


def test_events_that_name_a_chunk_or_only_a_document_come_back_with_it(replay):
    bare = {"start": None, "end": None}
    named = TWO.model_copy(update={**bare, "chunk": "d/1"})
    loose = ONE.model_copy(update={**bare, "document": "d", "evidence": ""})
    first, second = replay(named, loose).extract(chunks(80))
    assert [e.relation for e in first] == ["reinforce"] and first[0].start is None
    assert TEXT[second[0].start : second[0].end] == "Resin cures at 80 °C."


def test_a_span_that_does_not_hold_the_evidence_is_looked_for_again(replay):
    (found,) = replay(ONE.model_copy(update={"document": "d", "start": 3, "end": 9})).extract(chunks(1_000))
    assert (found[0].start, found[0].end) == (0, 35)
    gone = ONE.model_copy(update={"document": "d", "evidence": "Nothing of this.", "source": ["x"], "target": ["y"]})
    (found,) = replay(gone).extract(chunks(1_000))
    assert found[0].start is None and found[0].evidence == "Nothing of this."


def test_misses_and_bad_lines_are_listed(tmp_path):
    path = record_events([ONE.model_copy(update={"document": "d"})], tmp_path / "events.jsonl")
    path.write_text(
        path.read_text("utf-8") + '{"source": ["a"], "relation": "r", "target": ["b"]}\n\n{"source": []\n', "utf-8"
    )
    extractor = ReplayExtractor(path)
    other = Chunk(id="e/0", document="e", index=0, start=0, end=1, text="x")
    assert [len(found) for found in extractor.extract([*chunks(80), other])] == [1, 0, 0]
    assert extractor.misses["chunk"].tolist() == ["d/1", "e/0"]
    assert extractor.failed == {"e/0": "no event of this document in events.jsonl"}
    assert extractor.rejected["line"].tolist() == [2, 4]
    assert "neither a document nor a chunk" in extractor.rejected["reason"][0]


def test_the_signature_changes_with_the_file(replay):
    assert replay(ONE).signature == replay(ONE).signature != replay(TWO).signature
