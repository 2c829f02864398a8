"""Algorithm 1 end to end, with an extractor small enough to work out by hand; kills and locks for real."""

import hashlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import hgwork as hg
from hgwork import Document, Event
from hgwork.corpus import BuildInProgress, build

ROOT = Path(__file__).parents[2]


class Lines:
    """A line of text is an event: ``a, b > relation > c``. Counts what it was asked for."""

    signature = "lines-1"

    def __init__(self, broken=()):
        self.seen, self.broken, self.failed = [], set(broken), {}

    def extract(self, chunks):
        self.failed = {}
        for chunk in chunks:
            self.seen.append(chunk.id)
            if chunk.id in self.broken:
                self.failed[chunk.id] = "the endpoint hung up"
                yield []
                continue
            yield [self._event(line, chunk) for line in chunk.text.split("\n") if ">" in line]

    @staticmethod
    def _event(line, chunk):
        source, relation, target = (part.strip() for part in line.split(">"))
        start = chunk.start + chunk.text.index(line)
        return Event(
            source=source.split(", "),
            relation=relation,
            target=target.split(", "),
            evidence=line,
            document=chunk.document,
            chunk=chunk.id,
            start=start,
            end=start + len(line),
        )


class Letters:
    """Names that begin with the same letter point the same way."""

    signature, dim, name = "letters-1", 26, "letters"

    def __init__(self):
        self.calls = []

    def encode(self, texts, progress=False):
        self.calls.append(list(texts))
        return np.eye(26, dtype=np.float32)[[ord(t[0].lower()) - 97 for t in texts]]


DOCUMENTS = [
    Document(id="one", text="silk, pla > meets > cells\npla > holds > gel", date="2020"),
    Document(id="two", text="pllactide > degrades into > acid", doi="10.1/x"),
    Document(id="three", text="pla > is > pllactide\nno event here", date="2021-02"),
]


def test_events_become_hyperedges_with_document_chunk_date_and_span():
    H = build(DOCUMENTS, Lines(), merge="none", progress=False).hypergraph
    assert H.edges.index.tolist() == ["one/0/0", "one/0/1", "two/0/0", "three/0/0"]
    assert H.edges["document"].tolist() == ["one", "one", "two", "three"]
    assert H.edges["date"].tolist()[:2] == ["2020", "2020"] and H.edges.loc["two/0/0", "doi"] == "10.1/x"
    for edge, row in H.edges.iterrows():
        text = next(d.text for d in DOCUMENTS if d.id == row["document"])
        assert text[row["start"] : row["end"]] == row["text"], edge


def test_paper_mode_merges_by_cosine_alone_and_drops_what_collapses():
    result = build(DOCUMENTS, Lines(), Letters(), merge="paper", every=2, progress=False)
    # degrees when documents one and two are in: pla 2, pllactide 1; silk, cells, gel, acid 1 each
    assert result.merges.mapping == {"pllactide": "pla"}
    assert result.hypergraph.edges.index.tolist() == ["one/0/0", "one/0/1", "two/0/0"]
    assert result.raw.merge_nodes(result.merges.mapping, drop_collapsed=True).equals(result.hypergraph)
    assert result.hypergraph.nodes.loc["pla", "aliases"] == ["pllactide"]
    names, vectors = result.embeddings
    assert names.tolist() == result.hypergraph.nodes.index.tolist() and vectors.shape == (5, 26)


def test_every_new_name_is_embedded_once_whatever_the_merge_interval():
    for every in (1, 2, 10):
        letters = Letters()
        build(DOCUMENTS, Lines(), letters, merge="paper", every=every, progress=False)
        asked = [name for call in letters.calls for name in call]
        assert sorted(asked) == sorted({"silk", "pla", "cells", "gel", "pllactide", "acid"})
        assert len(letters.calls) == (2 if every == 1 else 1)  # the third document brings no new name


def test_settings_out_of_range_and_double_ids_are_refused():
    with pytest.raises(ValueError, match=r"threshold=1\.5"):
        build(DOCUMENTS, Lines(), Letters(), threshold=1.5)
    with pytest.raises(ValueError, match="two documents have the id 'one'"):
        build([DOCUMENTS[0], DOCUMENTS[0]], Lines(), merge="none")


def test_a_failed_chunk_is_listed_and_tried_again_next_time(tmp_path):
    first = build(DOCUMENTS, Lines(broken=["two/0"]), Letters(), tmp_path / "b", progress=False)
    assert first.manifest.set_index("path").loc["two/0", ["status", "reason"]].tolist() == [
        "failed",
        "the endpoint hung up",
    ]
    again = Lines()
    second = build(DOCUMENTS, again, Letters(), tmp_path / "b", progress=False)
    assert again.seen == ["two/0"] and len(second.events) == 4
    with pytest.raises(ValueError, match="chunk two/0: the endpoint hung up"):
        build(DOCUMENTS, Lines(broken=["two/0"]), merge="none", strict=True, progress=False)


def test_a_build_folder_reads_back_and_more_documents_extend_it(tmp_path):
    out = tmp_path / "b"
    result = build(DOCUMENTS[:2], Lines(), Letters(), out, progress=False)
    assert hg.read(out).equals(result.hypergraph)
    extractor = Lines()
    more = build(DOCUMENTS, extractor, Letters(), out, progress=False)
    assert extractor.seen == ["three/0"]
    assert more.hypergraph.equals(build(DOCUMENTS, Lines(), Letters(), progress=False).hypergraph)
    counts = json.loads((out / "build.json").read_text())["counts"]
    assert counts["documents"] == 3 and counts["events"] == 4
    assert len(pd.read_csv(out / "manifest.csv")) == 3


def test_a_folder_of_other_files_and_a_file_are_refused(tmp_path):
    (tmp_path / "thesis.docx").write_text("precious")
    with pytest.raises(ValueError, match="holds other files and is no build"):
        build(DOCUMENTS, Lines(), merge="none", out=tmp_path, progress=False)
    with pytest.raises(ValueError, match="is a file"):
        build(DOCUMENTS, Lines(), merge="none", out=tmp_path / "thesis.docx", progress=False)
    assert os.listdir(tmp_path) == ["thesis.docx"]


def test_a_second_build_on_one_folder_is_refused(tmp_path):
    from filelock import FileLock

    build(DOCUMENTS, Lines(), merge="none", out=tmp_path / "b", progress=False)
    with (
        FileLock(tmp_path / "b" / ".work" / "lock"),
        pytest.raises(BuildInProgress, match="another build is writing to"),
    ):
        build(DOCUMENTS, Lines(), merge="none", out=tmp_path / "b", progress=False)


def digests(folder: Path) -> dict[str, str]:
    files = [f for f in folder.rglob("*") if f.is_file() and ".work" not in f.parts]
    return {f.relative_to(folder).as_posix(): hashlib.sha256(f.read_bytes()).hexdigest() for f in files}


def corpus_of(folder: Path, count: int) -> Path:
    folder.mkdir()
    for i in range(count):
        (folder / f"{i:03d}.txt").write_text(
            f"The nurse of ward {i} trained {i % 7 + 2} volunteers in Leeds. The volunteers, who lived nearby, "
            f"repaired the old boiler of the clinic (OBC) with copper pipe {i % 5}. Heating therefore improved.\n",
            encoding="utf-8",
        )
    return folder


MOMENTS = {
    "extracting": lambda out: (out / ".work" / "events.sqlite").exists(),
    "merging": lambda out: any((out / ".work" / "vectors").glob("*.npy")),
    "writing": lambda out: (out / "hypergraph.parquet").exists(),
}


@pytest.mark.slow
def test_a_build_killed_at_any_moment_and_run_again_gives_the_same_bytes(tmp_path):
    documents = corpus_of(tmp_path / "documents", 60)
    command = [sys.executable, "-m", "hgwork.cli", "build", str(documents), "--out"]
    whole = tmp_path / "whole"
    subprocess.run([*command, str(whole)], check=True, capture_output=True, cwd=ROOT)
    expected, killed = digests(whole), []
    for name, reached in MOMENTS.items():
        out = tmp_path / name
        process = subprocess.Popen([*command, str(out)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT)
        while process.poll() is None and not reached(out):
            time.sleep(0.002)
        if process.poll() is None:
            killed.append(name)
        process.kill()
        process.wait()
        subprocess.run([*command, str(out)], check=True, capture_output=True, cwd=ROOT)
        assert digests(out) == expected, name
    assert {"extracting", "merging"} <= set(killed)  # the last moment is short and may be missed


def test_a_build_inside_the_folder_of_documents_is_no_document_of_the_next(tmp_path):
    for document in DOCUMENTS:
        (tmp_path / f"{document.id}.txt").write_text(document.text, "utf-8")
    first = build(tmp_path, Lines(), out=tmp_path / "build", merge="none", progress=False)
    manifest = (tmp_path / "build" / "manifest.csv").read_bytes()
    again = build(tmp_path, Lines(), out=tmp_path / "build", merge="none", progress=False)
    assert again.hypergraph.equals(first.hypergraph)
    assert (tmp_path / "build" / "manifest.csv").read_bytes() == manifest


def test_work_that_is_damaged_is_made_anew_or_named(tmp_path):
    whole = build(DOCUMENTS, Lines(), Letters(), tmp_path, progress=False).hypergraph
    (tmp_path / ".hgwork-killed.tmp").mkdir()
    for file in (tmp_path / ".work" / "vectors").iterdir():
        file.write_bytes(b"x")
    assert build(DOCUMENTS, Lines(), Letters(), tmp_path, progress=False).hypergraph.equals(whole)
    assert not (tmp_path / ".hgwork-killed.tmp").exists()
    (tmp_path / ".work" / "events.sqlite").write_bytes(b"no database" * 99)
    with pytest.raises(ValueError, match=r"events\.sqlite is damaged"):
        build(DOCUMENTS, Lines(), Letters(), tmp_path, progress=False)


def test_what_is_no_document_is_named():
    with pytest.raises(TypeError, match=r"'a\.txt' is str, no Document"):
        build(["a.txt"], Lines(), merge="none", progress=False)
