"""Real texts go through the whole build; what comes out knows where it came from."""

import pytest

from hgwork.corpus import build
from hgwork.datasets import data_folder, read_multihop, read_publications
from hgwork.evaluation import read_span_gold

pytestmark = pytest.mark.real_data


def check(result, documents):
    """Every hyperedge quotes its document at its span and has two members or more."""
    H, texts = result.hypergraph, {d.id: d.text for d in documents}
    rows = zip(H.edges["document"], H.edges["start"], H.edges["end"], H.edges["text"], strict=True)
    assert all(texts[document][start:end] == text for document, start, end, text in rows)
    assert (H.sizes >= 2).all() and not (result.manifest["status"] == "failed").any()


@pytest.mark.slow
def test_all_abstracts_build_and_merge(shared_data):
    documents = read_publications(shared_data / "hif" / "publications.hif.json")
    assert len(documents) == 246
    result = build(documents, progress=False)
    check(result, documents)
    assert len(result.hypergraph) > 1000 and result.merges.mapping
    assert result.hypergraph.edges["date"].str.startswith("2024").all()


@pytest.mark.slow
def test_all_musique_passages_build(shared_data):
    documents, _ = read_multihop(shared_data / "multihop" / "musique")
    assert len(documents) == 3141
    result = build(documents, merge="none", progress=False)
    check(result, documents)
    assert len(result.hypergraph) > 10_000


def test_the_gold_of_real_sentences_fits_the_data_and_holds_none_of_its_text(shared_data):
    path = data_folder() / "real_sentences" / "gold.json"
    gold = read_span_gold(path, shared_data)
    assert len(gold.items) >= 100
    assert all(len(event.members) >= 2 for item in gold.items for event in item.events)
    stored = path.read_text(encoding="utf-8")
    for item in gold.items:
        assert item.text not in stored
        long = [m for event in item.events for m in event.members if len(m) > 15]
        assert not any(label in stored for label in long)
