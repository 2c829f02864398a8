"""The rules for notebooks, enforced on every one that is committed."""

import ast
import re
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "notebooks" / "src").glob("[0-9][0-9]_*.py"))
STEMS = [source.stem for source in SOURCES]


def executed(stem):
    return nbformat.read(ROOT / "notebooks" / f"{stem}.ipynb", as_version=4)


def code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def prose(notebook):
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def test_there_are_notebooks_and_every_source_has_its_page():
    assert STEMS
    pages = {path.stem for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert pages == set(STEMS)


@pytest.mark.parametrize("stem", STEMS)
def test_source_and_page_are_the_same_cells(stem):
    import jupytext

    source = jupytext.read(ROOT / "notebooks" / "src" / f"{stem}.py")
    assert [(c.cell_type, c.source) for c in source.cells] == [(c.cell_type, c.source) for c in executed(stem).cells]


@pytest.mark.parametrize("stem", STEMS)
def test_it_opens_with_question_inputs_outputs_run_time_then_parameters_then_setup(stem):
    notebook = executed(stem)
    first = notebook.cells[0]
    assert first.cell_type == "markdown" and first.source.startswith("# ")
    for word in ("Question", "Inputs", "Outputs", "Run time"):
        assert word in first.source
    cells = code(notebook)
    assert 'os.environ.get("HGWORK_SIZE", "small")' in cells[0].source
    assert "hg.notebook.setup()" in cells[1].source
    assert notebook.metadata.kernelspec.name == "python3"


@pytest.mark.parametrize("stem", STEMS)
def test_it_ran_in_order_without_errors_or_warnings(stem):
    cells = code(executed(stem))
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    for cell in cells:
        for output in cell.outputs:
            assert output.output_type != "error"
            assert not (output.output_type == "stream" and output.name == "stderr"), output.get("text")
            assert "Warning" not in str(output.get("text", ""))


@pytest.mark.parametrize("stem", STEMS)
def test_cells_are_few_and_short(stem):
    notebook = executed(stem)
    solutions = [c for c in code(notebook) if "solution" in c.metadata.get("tags", [])]
    cells = [c for c in code(notebook) if c not in solutions]
    assert 10 <= len(cells) <= 20, len(cells)
    assert all(len(cell.source.splitlines()) <= 12 for cell in code(notebook))
    kinds = [cell.cell_type for cell in notebook.cells]
    assert "code code code" not in " ".join(kinds[4:]), "prose belongs between the cells"


@pytest.mark.parametrize("stem", STEMS)
def test_it_ends_with_asserts_lessons_pitfalls_exercises_and_the_next_notebook(stem):
    notebook = executed(stem)
    text = prose(notebook)
    for heading in ("What we learned", "What could fool you here", "Exercises", "Next"):
        assert f"## {heading}" in text
    assert any(re.search(r"^assert ", cell.source, re.MULTILINE) for cell in code(notebook)[-6:])
    assert 3 <= text.count("<details>") <= 5


@pytest.mark.parametrize("stem", STEMS)
def test_it_is_small_holds_no_absolute_path_and_defines_nothing_another_notebook_defines(stem):
    path = ROOT / "notebooks" / f"{stem}.ipynb"
    assert path.stat().st_size <= 500_000
    assert not re.search(r"(/home/|/work/|/tmp/|/root/|[A-Z]:\\\\Users)", path.read_text(encoding="utf-8"))
    functions = {name: other for other in STEMS if other != stem for name in defined(other)}
    assert not {name for name in defined(stem) if name in functions}


def defined(stem):
    tree = ast.parse((ROOT / "notebooks" / "src" / f"{stem}.py").read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
