"""What holds for the package as a whole: quick import, layers, no pickle, no leftovers."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HEAVY = [
    "torch",
    "sentence_transformers",
    "transformers",
    "spacy",
    "hypernetx",
    "networkx",
    "sklearn",
    "plotly",
    "matplotlib",
    "openai",
    "typer",
    "jsonschema",
    "langchain_text_splitters",
    "powerlaw",
    "anywidget",
    "tqdm",
]


def python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout


def test_importing_hgwork_loads_nothing_heavy():
    loaded = python("import sys, hgwork; hgwork.Hypergraph.from_dict({'a': 'xy'}); print(*sys.modules)").split()
    assert not set(HEAVY) & set(loaded)


ROOMS = (
    "io", "models", "lookup", "corpus", "datasets", "topology",
    "paths", "order", "retrieval", "answer", "evaluation", "plot",
)  # fmt: skip


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_loads_by_name_without_the_model_libraries(room):
    loaded = python(f"import sys, hgwork; hgwork.{room}; print(*sys.modules)").split()
    assert not {"torch", "sentence_transformers", "spacy", "hypernetx", "openai", "plotly", "sklearn.manifold"} & set(
        loaded
    )


def test_an_unknown_attribute_is_an_attribute_error():
    import hgwork

    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        getattr(hgwork, "nothing")  # noqa: B009
    assert {"read", "write", "Hypergraph", "topology"} <= set(dir(hgwork))


def test_no_pickle_is_written_and_no_path_is_absolute():
    for file in [*ROOT.glob("hgwork/**/*.py"), *ROOT.glob("notebooks/src/*.py")]:
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"pickle\.(dump|dumps|load|loads)\(|to_pickle\(|torch\.(save|load)\(", text), file
        assert not re.search(r"[\"'](/home|/work|/tmp|/root|C:\\\\)", text), file


def test_modules_stay_one_topic_long():
    long = {
        f.name: n for f in ROOT.glob("hgwork/**/*.py") if (n := len(f.read_text(encoding="utf-8").splitlines())) > 560
    }
    assert not long


def test_layers_hold():
    done = subprocess.run([Path(sys.executable).parent / "lint-imports"], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout
