"""Reading documents: every format, encodings, and what is set aside with its reason."""

import json
import os
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgwork import Document
from hgwork.corpus import read_documents, split


def one(folder):
    (document,) = read_documents(folder).documents
    return document


def test_markdown_front_matter_headings_lists_and_tables(tmp_path):
    (tmp_path / "a.md").write_text(
        "---\nid: m1\ntitle: A title\ndate: 2021-05-06\nlab: North\n---\n# First\n\nSome *loud* [text](http://x.y).\n\n"
        "## Second\n- one\n- two\n\n| k | v |\n|---|---|\n| 1 | 2 |\n",
        encoding="utf-8",
    )
    document = one(tmp_path)
    assert (document.id, document.title, document.date) == ("m1", "A title", "2021-05-06")
    assert document.attributes == {"lab": "North"}
    assert document.text == "First\n\nSome loud text.\n\nSecond\n\none\n\ntwo\n\nk | v\n\n1 | 2"
    assert [document.text[o : o + len(h)] for o, _, h in document.headings] == ["First", "Second"]


def test_html_is_read_without_scripts_and_in_its_own_encoding(tmp_path):
    page = (
        "<html><head><meta charset='latin-1'><title>A page</title><meta name='date' content='2020'></head>"
        "<body><nav>menu</nav><h2>Käse</h2><p>Très <b>bon</b>.</p>loose <i>wo</i>rds<script>no()</script></body></html>"
    )
    (tmp_path / "p.html").write_bytes(page.encode("latin-1"))
    document = one(tmp_path)
    assert document.text == "Käse\n\nTrès bon.\n\nloose words"
    assert (document.title, document.date, document.headings) == ("A page", "2020", [(0, 2, "Käse")])


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<!DOCTYPE html><p>Hi</p>", "Hi"),
        ("<?xml version='1.0'?><p>a<br>b</p>", "a b"),
        ("<div>A b.</div>\n<div><b>C</b> <i>d</i>.</div>", "A b.\n\nC d."),
        ("<li>outer<ul><li>inner</li></ul>tail</li>", "outer\n\ninner\n\ntail"),
        ("<table><tr><td><p>a</p></td><td></td><td><p>b</p></td></tr></table>", "a | | b"),
        ("<table><tr><td>x<table><tr><td>in</td></tr></table></td></tr></table>", "x\n\nin"),
        ("<p>one <p>two <li>three", "one\n\ntwo\n\nthree"),
    ],
)
def test_the_text_of_a_page_is_read_once_and_broken_where_a_reader_sees_a_break(tmp_path, page, text):
    (tmp_path / "p.html").write_text(page, encoding="utf-8")
    assert one(tmp_path).text == text


def test_tags_without_end_nest_deep_and_lose_nothing(tmp_path):
    (tmp_path / "p.html").write_text("<li>word " * 5000, encoding="utf-8")
    assert one(tmp_path).text == "\n\n".join(["word"] * 5000)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_text_in_several_encodings(tmp_path, encoding):
    text = "Der Käse aus Gruyère wurde früh am Morgen für die Gäste aufgeschnitten – naïvely, à la carte."
    (tmp_path / "t.txt").write_bytes(text.encode(encoding))
    assert one(tmp_path).text == text


def test_jsonl_and_csv_records_become_documents(tmp_path):
    rows = [{"id": "j1", "title": "T", "text": "x y", "doi": "10.1/2", "date": "2020", "kind": 3}, {"text": "no id"}]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text('ID;Text;note\nc1;"two\nlines; here";n\n', encoding="utf-8")
    j1, j2, c1 = read_documents(tmp_path).documents
    assert (j1.id, j1.doi, j1.attributes) == ("j1", "10.1/2", {"kind": 3})
    assert j2.id == "a.jsonl#2"
    assert (c1.id, c1.text, c1.attributes) == ("c1", "two\nlines; here", {"note": "n"})


def test_pdf_and_docx_with_their_headings(tmp_path):
    docx = pytest.importorskip("docx")
    file = docx.Document()
    file.add_heading("Results", level=2)
    file.add_paragraph("Cells grew on the mat.")
    table = file.add_table(rows=1, cols=2)
    table.rows[0].cells[0].text, table.rows[0].cells[1].text = "left", "right"
    file.save(str(tmp_path / "w.docx"))
    document = one(tmp_path)
    assert document.text == "Results\n\nCells grew on the mat.\n\nleft | right"
    assert document.headings == [(0, 2, "Results")]


def test_pdf_text_is_reflowed_and_an_empty_one_is_explained(tmp_path):
    pypdf = pytest.importorskip("pypdf")
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib.figure import Figure

    figure = Figure()
    figure.text(0.1, 0.8, "A mat of fine fibres holds the cells.\nIt degrades slowly.")
    figure.savefig(tmp_path / "a.pdf")
    writer = pypdf.PdfWriter()
    writer.add_blank_page(100, 100)
    writer.write(tmp_path / "blank.pdf")
    corpus = read_documents(tmp_path)
    assert "fine fibres holds the cells. It degrades slowly." in " ".join(corpus.documents[0].text.split())
    assert "no text on any of its 1 pages" in corpus.manifest.set_index("path").loc["blank.pdf", "reason"]


def test_what_cannot_be_read_is_set_aside_with_its_reason(tmp_path):
    (tmp_path / "a.txt").write_text("fine", encoding="utf-8")
    (tmp_path / "b.txt").write_text("", encoding="utf-8")
    (tmp_path / "c.txt").write_bytes(b"\x00\x01\x02")
    (tmp_path / "d.xyz").write_text("?", encoding="utf-8")
    (tmp_path / "e.jsonl").write_text('{"text": "ok", "id": "a.txt"}\n{oops\n[1]\n{"text": 5}\n{}\n', encoding="utf-8")
    (tmp_path / "f.csv").write_text("id,body\n1,x\n", encoding="utf-8")
    (tmp_path / "g.md").write_text("---\n: [\n---\ntext", encoding="utf-8")
    (tmp_path / "h.pdf").write_bytes(b"not a pdf")
    (tmp_path / "README.md").write_text("about", encoding="utf-8")
    (tmp_path / ".hidden.txt").write_text("secret", encoding="utf-8")
    corpus = read_documents(tmp_path)
    reasons = corpus.manifest.set_index("path")["reason"]
    assert [d.id for d in corpus.documents] == ["a.txt"]
    assert ".hidden.txt" not in reasons
    for path, words in {
        "b.txt": "no text",
        "c.txt": "binary",
        "d.xyz": "not a document format",
        "e.jsonl, line 1": "taken by an earlier document",
        "e.jsonl, line 2": "not JSON",
        "e.jsonl, line 3": "a JSON list",
        "e.jsonl, line 4": "is int, not text",
        "e.jsonl, line 5": "no field 'text'",
        "f.csv": "no column 'text'; it has id, body",
        "g.md": "front matter is not YAML",
        "h.pdf": "Pdf",
        "README.md": "describes the folder",
    }.items():
        assert words in reasons[path], path
    assert corpus.summary().startswith("1 of 13 documents read; 12 left out")
    with pytest.raises(ValueError, match=r"README.md: describes|b.txt: holds no text"):
        read_documents(tmp_path, strict=True)


def test_records_that_would_be_cut_or_run_together_are_set_aside(tmp_path):
    (tmp_path / "a.csv").write_text('id,text\n1,"Cells, glass"\n2,Cells adhere, they do\n3,"fine",,\n', "utf-8")
    (tmp_path / "b.csv").write_text('id;text\nb1;well\nb2;"open\nb3;lost\n', "utf-8")
    (tmp_path / "c.csv").write_text("text,text\nx,y\n", "utf-8")
    (tmp_path / "d.csv").write_text("id,text\n", "utf-8")
    deep = "[" * 100_000
    (tmp_path / "e.jsonl").write_text(f'{deep}\n{{"id": 0, "text": "after"}}\n', "utf-8")
    (tmp_path / "f.jsonl").write_text("", "utf-8")
    corpus = read_documents(tmp_path)
    assert [d.id for d in corpus.documents] == ["1", "3", "b1", "0"]
    reasons = corpus.manifest.set_index("path")["reason"]
    for path, words in {
        "a.csv, record 2": "more fields than columns",
        "b.csv, record 2": "never closed",
        "c.csv": "'text' stands there twice",
        "d.csv": "no record",
        "e.jsonl, line 1": "nests too deep",
        "f.jsonl": "no record",
    }.items():
        assert words in reasons[path], path


def test_what_no_file_of_ours_could_hold_does_not_end_the_build_later(tmp_path):
    rows = [
        {"id": "a", "title": "t\ud800", "text": "x\0y \ud83d"},
        {"id": "b", "text": "x", "note": "\ud800"},
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    (tmp_path / "b.md").write_text("---\nx: &a [*a]\n---\nText.", "utf-8")
    with open(os.fsencode(tmp_path) + b"/c\xff.txt", "w") as file:
        file.write("Text.")
    corpus = read_documents(tmp_path)
    a, c = corpus.documents
    assert (a.text, a.title, c.id) == ("x\ufffdy \ufffd", "t\ufffd", "c\ufffd.txt")
    reasons = corpus.manifest.set_index("path")["reason"]
    assert "cannot be stored" in reasons["a.jsonl, line 2"] and "reference" in reasons["b.md"]
    with pytest.raises(ValueError, match="cannot be stored"):
        Document(id="a", text="x\0")


def test_links_that_are_not_followed_are_listed(tmp_path):
    (tmp_path / "a.txt").write_text("fine", "utf-8")
    (tmp_path / "folder").symlink_to(tmp_path)
    (tmp_path / "gone.txt").symlink_to(tmp_path / "nowhere")
    (tmp_path / "same.txt").symlink_to(tmp_path / "a.txt")
    corpus = read_documents(tmp_path)
    assert [d.id for d in corpus.documents] == ["a.txt", "same.txt"]
    assert corpus.manifest["reason"].str.contains("link").sum() == 2


def test_nothing_to_read_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError, match="does not exist"):
        read_documents(tmp_path / "none")
    with pytest.raises(ValueError, match="the folder is empty"):
        read_documents(tmp_path)
    (tmp_path / "README.md").write_text("alone", encoding="utf-8")
    assert one(tmp_path / "README.md").text == "alone"


@given(st.text(st.characters(exclude_characters="\0", codec="utf-8"), min_size=1, max_size=400), st.integers(1, 60))
def test_chunks_know_their_place_and_lose_only_white_space(text, size):
    document = Document(id="d", text=text)
    chunks = split(document, size=size)
    assert all(text[c.start : c.end] == c.text and len(c.text) <= size for c in chunks)
    assert [c.id for c in chunks] == [f"d/{i}" for i in range(len(chunks))]
    assert all(one.end <= two.start for one, two in pairwise(chunks))
    assert "".join("".join(c.text for c in chunks).split()) == "".join(text.split())


def test_chunks_break_at_paragraphs_then_sentences_and_carry_their_heading():
    text = "Intro\n\nA first sentence. A second one.\n\nMethods\n\nThird."
    document = Document(id="d", text=text, headings=[(0, 1, "Intro"), (text.index("Methods"), 1, "Methods")])
    chunks = split(document, size=30)
    assert [(c.text.strip(), c.heading) for c in chunks] == [
        ("Intro", "Intro"),
        ("A first sentence.", "Intro"),
        ("A second one.", "Intro"),
        ("Methods\n\nThird.", "Methods"),
    ]


def test_overlap_and_bad_sizes():
    chunks = split(Document(id="d", text="one two three four five six"), size=12, overlap=5)
    assert len(chunks) > 2 and any(two.start < one.end for one, two in pairwise(chunks))
    text = "a. a.\ta a\na. . a a.\n\na a" * 9
    for overlap in range(7):
        chunks = split(Document(id="d", text=text), size=8, overlap=overlap)
        held = {place for c in chunks for place in range(c.start, c.end)}
        assert all(c.text == text[c.start : c.end] and len(c.text) <= 8 for c in chunks)
        assert all(text[place].isspace() for place in set(range(len(text))) - held)
    with pytest.raises(ValueError, match="size=0"):
        split(Document(id="d", text="x"), size=0)
