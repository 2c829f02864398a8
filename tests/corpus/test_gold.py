"""The bundled gold data keeps its promises: complete, placed, split by document, blind halves apart."""

import json
from itertools import combinations

import pytest

from hgwork.corpus import read_documents
from hgwork.datasets import data_folder
from hgwork.evaluation import agreement, read_gold, read_merge_pairs

FOLDER = data_folder() / "scaffolds"
FILES = ("dev", "test", "test_annotator_a", "test_annotator_b")


@pytest.fixture(scope="module")
def texts():
    return {d.id: d.text for d in read_documents(FOLDER / "documents").documents}


@pytest.mark.parametrize("name", FILES)
def test_every_sentence_is_listed_in_order_and_events_have_two_members(name, texts):
    records = json.loads((FOLDER / "gold" / f"{name}.json").read_text(encoding="utf-8"))["documents"]
    for record in records:
        listed = " ".join(sentence["text"] for sentence in record["sentences"])
        assert listed.split() == texts[record["document"]].split()
    for item in read_gold(FOLDER / "gold" / f"{name}.json").items:
        assert all(len(event.members) >= 2 for event in item.events)


def test_the_halves_are_24_documents_each_and_hold_over_500_events(texts):
    halves = [read_gold(FOLDER / "gold" / f"{name}.json") for name in ("dev", "test")]
    names = [{item.document for item in half.items} for half in halves]
    assert [len(n) for n in names] == [24, 24] and not names[0] & names[1] and names[0] | names[1] == set(texts)
    assert sum(len(item.events) for half in halves for item in half.items) >= 500
    assert all(150 <= len(text.split()) <= 250 for text in texts.values())


def test_no_two_documents_share_a_sentence(texts):
    sentences = {name: {s.strip() for s in text.split(". ") if len(s) > 40} for name, text in texts.items()}
    assert not [(a, b) for a, b in combinations(sentences, 2) if sentences[a] & sentences[b]]


def test_the_two_annotators_agree_well_but_are_two_people():
    one, two = (read_gold(FOLDER / "gold" / f"test_annotator_{x}.json") for x in "ab")
    scores = agreement(one, two)["value"]
    assert 0.85 < scores["event_f1"] < 1 and 0.9 < scores["entity_f1"] < 1


def test_merge_pairs_are_150_a_half_without_a_shared_name():
    path = data_folder() / "merge_pairs" / "pairs.csv"
    halves = [read_merge_pairs(path, part) for part in ("dev", "test")]
    assert [len(half) for half in halves] == [150, 150]
    names = [set(half["a"]) | set(half["b"]) for half in halves]
    assert not names[0] & names[1]
