"""The command as a person types it: a process, its output, its exit code."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import hgwork as hg

ROOT = Path(__file__).parents[1]


def hgwork(*arguments, cwd=ROOT):
    return subprocess.run(
        [sys.executable, "-m", "hgwork.cli", *map(str, arguments)], capture_output=True, text=True, cwd=cwd
    )


@pytest.fixture
def toy_file(tmp_path):
    path = tmp_path / "toy.hif.json"
    hg.write(hg.Hypergraph.from_dict({"a": ["Ada", "Bo"], "b": ["Bo"], "c": ["Bo", "Ada"]}), path)
    return path


def test_help_lists_the_commands_and_how_to_begin():
    page = hgwork("--help").stdout
    for word in ("build", "info", "convert", "run", "lab", "hgwork build my_papers"):
        assert word in page
    assert "same" in hgwork("build", "--help").stdout
    assert hgwork("--version").stdout.strip() == hg.__version__


def test_info_prints_counts_worked_out_by_hand(toy_file):
    done = hgwork("info", toy_file)
    facts = dict(line.rsplit(None, 1) for line in done.stdout.split("\n\n")[0].splitlines())
    assert done.returncode == 0
    assert (facts["nodes"], facts["hyperedges"], facts["singletons"], facts["duplicates"]) == ("2", "3", "1", "1")
    assert done.stdout.rstrip().splitlines()[-2].split() == ["3", "Bo"]


def test_convert_goes_through_formats(toy_file, tmp_path):
    for name in ("toy.parquet", "toy.csv", "back.hif.json"):
        assert hgwork("convert", toy_file, tmp_path / name).returncode == 0
    assert hg.read(tmp_path / "back.hif.json").equals(hg.read(toy_file))
    assert json.loads((tmp_path / "back.hif.json").read_text())["incidences"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("info", "nowhere.json"), "nowhere.json"),
        (("build", "nowhere", "--out", "x"), "does not exist"),
        (("run", "42"), "no notebook is called '42'"),
        (("convert", "README.md", "x.hif.json"), "README.md"),
    ],
)
def test_an_error_is_one_clear_line_and_exit_2(arguments, message):
    done = hgwork(*arguments)
    assert done.returncode == 2 and message in done.stderr
    assert done.stderr.startswith("hgwork: ") and len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" in hgwork("--debug", *arguments).stderr


def test_lab_and_run_say_where_to_stand(tmp_path):
    for command in ("lab", "run"):
        done = hgwork(command, cwd=tmp_path)
        assert done.returncode == 2 and "from the project's folder" in done.stderr


@pytest.mark.slow
def test_build_then_info_on_a_folder_of_documents(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text(
        "The river Aare flows through Bern. Bern hosts the Federal Assembly.", encoding="utf-8"
    )
    (tmp_path / "docs" / "b.bin").write_bytes(b"\0")
    done = hgwork("build", tmp_path / "docs", "--out", tmp_path / "out")
    assert done.returncode == 0 and "1 of 2 documents read" in done.stderr
    page = hgwork("info", tmp_path / "out").stdout
    assert "Bern" in page and "hyperedges" in page


def test_a_failing_notebook_is_named_with_its_cell(tmp_path):
    source = tmp_path / "notebooks" / "src"
    source.mkdir(parents=True)
    (source / "01_good.py").write_text("# %% [markdown]\n# # Good\n\n# %%\nx = 1\n", encoding="utf-8")
    (source / "02_bad.py").write_text("# %%\nx = 1\n\n# %%\ny = 1 / 0\n", encoding="utf-8")
    done = hgwork("run", cwd=tmp_path)
    assert done.returncode == 2
    assert "02_bad, code cell 2 (y = 1 / 0): ZeroDivisionError" in done.stderr
    assert (tmp_path / "build" / "pages" / "01_good.html").exists()
    assert not (tmp_path / "notebooks" / "01_good.ipynb").exists()
    assert hgwork("run", "01", "--update", cwd=tmp_path).returncode == 0
    assert (tmp_path / "notebooks" / "01_good.ipynb").exists()


def test_a_corpus_without_a_statement_says_so(tmp_path):
    (tmp_path / "a.txt").write_text("细胞粘附在玻璃上。", encoding="utf-8")
    done = hgwork("build", tmp_path / "a.txt", "--out", tmp_path / "out", "--merge", "none")
    assert done.returncode == 0 and "No statement was found" in done.stderr
    done = hgwork("build", tmp_path / "a.txt", "--out", tmp_path / "out", "--extractor", "replay:")
    assert done.returncode == 2 and "names no file of recorded events" in done.stderr
