"""Readers of public benchmarks: on hand-made files, then on the real ones."""

import json

import pytest

from hgwork.datasets import read_multihop, read_publications


@pytest.fixture
def pool(tmp_path):
    folder = tmp_path / "mini"
    folder.mkdir()
    corpus = [{"title": "Port", "text": "One."}, {"title": "Port", "text": "Two."}, {"title": "Bay", "text": "Three."}]
    gold = [["Port", "Two."], ["Bay", "Three."], ["Bay", "Not there."]]
    question = {
        "id": "q1",
        "question": "Where?",
        "answer": "There",
        "answer_aliases": ["Yonder"],
        "hops": "2hop",
        "gold": gold,
    }
    (folder / "corpus.json").write_text(json.dumps(corpus))
    (folder / "questions.json").write_text(json.dumps([question]))
    return folder


def test_gold_is_matched_by_title_and_text(pool):
    documents, questions = read_multihop(pool)
    assert [text.id for text in documents] == ["mini/00001", "mini/00002", "mini/00003"]
    row = questions.loc["q1"]
    assert row["gold"] == ["mini/00002", "mini/00003"]
    assert (row["hops"], row["missing"], row["type"], row["aliases"]) == (3, 1, "2hop", ["Yonder"])


def test_a_record_without_a_field_is_named(pool):
    (pool / "corpus.json").write_text(json.dumps([{"title": "Port", "text": "One."}, {"title": "Port"}]))
    with pytest.raises(ValueError, match=r"corpus\.json, record 2: no field 'text'"):
        read_multihop(pool)


def test_a_missing_or_broken_file_is_named(pool):
    (pool / "questions.json").write_text("[{")
    with pytest.raises(ValueError, match=r"questions\.json is not JSON"):
        read_multihop(pool)
    with pytest.raises(FileNotFoundError, match=r"corpus\.json does not exist"):
        read_multihop(pool / "nowhere")


def test_publications_without_an_abstract_are_left_out(tmp_path):
    path = tmp_path / "papers.hif.json"
    edges = [
        {"edge": "A", "attrs": {"abstract": " ", "date": "2024-01-01"}},
        {"edge": "B", "attrs": {"abstract": "Text of B.", "date": "2024-02-02", "tags": ["x"]}},
        {"edge": "C"},
    ]
    incidences = [{"edge": "B", "node": "Ada"}, {"edge": "B", "node": "Bo"}, {"edge": "A", "node": "Ada"}]
    path.write_text(json.dumps({"edges": edges, "incidences": incidences}))
    (text,) = read_publications(path)
    assert (text.id, text.title, text.text, text.date) == ("papers/002", "B", "Text of B.", "2024-02-02")
    assert text.attributes == {"authors": ["Ada", "Bo"], "tags": ["x"]}
    path.write_text("[]")
    with pytest.raises(ValueError, match="no HIF"):
        read_publications(path)


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("name", "documents", "questions", "hops"),
    [("2wiki", 6119, 987, {1: 1, 2: 751, 4: 235}), ("musique", 3141, 200, {2: 145, 3: 32, 4: 23})],
)
def test_the_multihop_pools(shared_data, name, documents, questions, hops):
    texts, table = read_multihop(shared_data / "multihop" / name)
    assert (len(texts), len(table)) == (documents, questions)
    assert len({text.id for text in texts}) == documents
    assert table["hops"].value_counts().to_dict() == hops
    assert table["missing"].sum() == 0
    if name == "2wiki":
        assert table["exact"].sum() == 754


@pytest.mark.real_data
def test_the_publications_with_abstracts(shared_data):
    texts = read_publications(shared_data / "hif" / "publications.hif.json")
    assert len(texts) == 246
    assert all(text.text.strip() and text.title and text.date.startswith("202") for text in texts)
