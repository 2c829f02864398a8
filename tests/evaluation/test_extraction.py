"""Scores of extracted events, worked out by hand."""

import json
from hashlib import sha256

import pytest

from hgwork.evaluation.extraction import (
    Gold,
    GoldItem,
    NounChunkBaseline,
    TripleBaseline,
    agreement,
    item_table,
    match_events,
    read_gold,
    read_span_gold,
    relation_head,
    score_extraction,
)
from hgwork.schema import Chunk, Event

TEXT = "Silk binds water. Glass cracks in frost. Nothing is said here."


def event(source, relation, target, **more):
    return Event(source=source.split("+"), relation=relation, target=target.split("+"), **more)


def at(event, sentence, document="d"):
    start = TEXT.index(sentence)
    return event.model_copy(
        update={"document": document, "start": start, "end": start + len(sentence), "evidence": sentence}
    )


def gold(document="d"):
    items, place = [], 0
    for sentence, events in (
        ("Silk binds water.", (event("Silk", "binds", "water"),)),
        ("Glass cracks in frost.", (event("Glass", "cracks in", "frost"),)),
        ("Nothing is said here.", ()),
    ):
        start = TEXT.index(sentence, place)
        place = start + len(sentence)
        items.append(GoldItem(document, start, place, sentence, events))
    return Gold(tuple(items), {document: TEXT})


def test_the_assignment_has_the_most_pairs_before_the_best_pairs():
    # Jaccard: a–x 1, a–y 3/5, b–x 2/3, b–y 2/5. The best pair, a–x, would leave b and y alone; two pairs are possible.
    a, b = event("p", "r", "q+s"), event("p", "r", "q")
    x, y = event("p", "r", "q+s"), event("p", "r", "q+s+t+u")
    assert match_events([a, b], [x, y]) == [(0, 1, 3 / 5), (1, 0, 2 / 3)]


def test_ties_in_the_number_of_pairs_go_to_the_larger_overlap():
    one = event("p", "r", "q+s")
    assert match_events([event("p", "r", "q"), one], [one])[0][0] == 1


def test_pairs_below_one_half_are_none():
    assert match_events([event("p", "r", "q")], [event("p", "r", "s+t")]) == []
    assert match_events([], [event("p", "r", "q")]) == []


def test_scores_worked_by_hand():
    # Predicted: exact but reversed; {Glass, frost, ice} for {Glass, frost}; one event where there is none.
    predicted = [
        at(event("water", "is bound by", "silk"), "Silk binds water."),
        at(event("Glass", "breaks in", "frost+ice"), "Glass cracks in frost."),
        at(event("Nothing", "is said", "here"), "Nothing is said here."),
    ]
    value = score_extraction(predicted, gold(), n_boot=10)["value"]
    assert value["entity_precision"] == pytest.approx(4 / 7)
    assert value["entity_recall"] == 1
    assert value["entity_f1"] == pytest.approx(8 / 11)
    assert value["event_precision"] == pytest.approx(2 / 3)
    assert value["event_recall"] == 1
    assert value["event_f1"] == pytest.approx(4 / 5)
    assert value["exact_f1"] == pytest.approx(2 / 5)
    assert value["direction_accuracy"] == pytest.approx(1 / 2)
    assert value["head_accuracy"] == pytest.approx(1 / 2)


def test_a_prediction_is_aligned_by_overlap_of_characters():
    # A splitter that cut one sentence short and ran two together: both still find a gold sentence.
    whole = TEXT[: TEXT.index(" Nothing")]
    short = event("Glass", "cracks in", "frost", document="d", start=20, end=30, evidence=TEXT[20:30])
    long = event("Silk", "binds", "water", document="d", start=0, end=len(whole), evidence=whole)
    table = item_table([short, long], gold())
    assert table["event_predicted"].tolist() == [0, 2, 0]  # "Glass …" is the longer part of the long one
    elsewhere = event("a", "r", "b", document="other", start=0, end=3)
    assert item_table([elsewhere], gold()).attrs["outside"] == 1


def test_evidence_finds_its_place_where_offsets_come_from_another_rendering():
    moved = event("Glass", "cracks in", "frost", document="d", start=0, end=5, evidence="Glass cracks in frost.")
    assert item_table([moved], gold())["event_hit"].tolist() == [0, 1, 0]


def test_an_annotation_agrees_with_itself():
    scores = agreement(gold(), gold(), n_boot=20)
    assert (scores["value"] == 1).all()
    assert (scores["low"] == 1).all()


def test_intervals_resample_documents_and_are_seeded():
    both = Gold(gold("d").items + gold("e").items, {"d": TEXT, "e": TEXT})
    right = at(event("Silk", "binds", "water"), "Silk binds water.", "e")
    scores = score_extraction([right], both, n_boot=200, rng=3)
    assert scores.equals(score_extraction([right], both, n_boot=200, rng=3))
    low, high = scores.loc["event_recall", ["low", "high"]]
    assert (low, high) == (0, 0.5)  # only d, only e: recall 0 or 1/2


def test_no_prediction_scores_zero_and_does_not_fail():
    scores = score_extraction([], gold(), n_boot=5)
    assert scores.loc["event_f1", "value"] == 0
    assert scores.loc["event_f1", "n"] == 2


@pytest.mark.parametrize(
    ("relation", "head"),
    [("binds", "bind"), ("was bound by", "bind"), ("are", "be"), ("is rich in", "rich"), ("leads to", "lead"),
     ("to improve", "improve"), ("can be used for", "use")],
)  # fmt: skip
def test_relation_heads(relation, head):
    assert relation_head(relation) == head


def test_gold_is_read_and_its_errors_name_the_place(tmp_path):
    (tmp_path / "documents").mkdir()
    (tmp_path / "gold").mkdir()
    (tmp_path / "documents" / "a.md").write_text("# Title\n\nSilk binds water.\n", encoding="utf-8")
    events = [{"source": ["Silk"], "relation": "binds", "target": ["water"], "kind": "explicit"}]
    file = tmp_path / "gold" / "gold.json"
    record = {"document": "a", "sentences": [{"text": "Silk binds water.", "events": events}]}
    file.write_text(json.dumps({"documents": [record]}), encoding="utf-8")
    item = read_gold(file).items[0]
    assert (item.start, item.end, item.events[0].target) == (7, 24, ["water"])
    record["sentences"][0]["text"] = "Silk repels water."
    file.write_text(json.dumps({"documents": [record]}), encoding="utf-8")
    with pytest.raises(ValueError, match="sentence 1 of document 'a'"):
        read_gold(file)


def test_spans_are_read_into_labels_and_changed_passages_are_left_out(tmp_path):
    passage = "Oral and nasal sprays work. They help."
    (tmp_path / "corpus.json").write_text(json.dumps([{"text": passage}]), encoding="utf-8")
    (tmp_path / "graph.json").write_text(json.dumps({"edges": [{"attrs": {"abstract": passage}}]}), encoding="utf-8")
    item = {
        "file": "corpus.json", "record": 0, "sha256": sha256(passage.encode()).hexdigest(), "sentence": [28, 38],
        "events": [{"source": [[[0, 4], [15, 21]]], "relation": "is", "target": [[[9, 21]]], "kind": "completed"}],
    }  # fmt: skip
    changed = {**item, "sha256": "0"}
    file = tmp_path / "gold.json"
    file.write_text(json.dumps({"items": [item, {**item, "file": "graph.json"}, changed]}), encoding="utf-8")
    with pytest.warns(UserWarning, match="item 3 left out"):
        read = read_span_gold(file, tmp_path)
    assert [i.text for i in read.items] == ["They help."] * 2
    assert read.items[0].events[0].source == ["Oral sprays"]
    assert read.items[1].events[0].target == ["nasal sprays"]


def test_baselines_share_the_interface_of_the_extractor():
    text = "The silk fibre binds cold water in the lab."
    chunk = Chunk(id="d/0", document="d", index=0, start=10, end=10 + len(text), text=text)
    (chunks,), (triples,) = NounChunkBaseline().extract([chunk]), TripleBaseline().extract([chunk])
    assert [e.members for e in chunks] == [["silk fibre", "cold water", "lab"]]
    assert [(e.source, e.relation, e.target) for e in triples] == [(["silk fibre"], "binds", ["cold water"])]
    assert (triples[0].start, triples[0].end, triples[0].evidence) == (10, 10 + len(text), text)
