"""Every file format, read and write: ``hg.read(path)`` and ``hg.write(H, path)``; `formats` lists them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from ..hypergraph import Hypergraph
from ._files import RecordWarning
from .drawing import write_gexf, write_graphml
from .events import read_event_graph, read_events, write_event_graph, write_events
from .hif import read_hif, write_hif
from .openie import read_openie, read_openie_events
from .parquet import read_parquet, write_parquet
from .published import Published, read_published
from .restricted_pickle import RefusedPickle
from .table import read_csv, write_csv

__all__ = [
    "Published",
    "RecordWarning",
    "RefusedPickle",
    "formats",
    "read",
    "read_events",
    "read_openie_events",
    "read_published",
    "write",
    "write_events",
]


@dataclass(frozen=True)
class _Format:
    extensions: tuple[str, ...]
    read: Callable[[str | Path], Hypergraph] | None
    write: Callable[[Hypergraph, str | Path], None] | None
    loses: str


_JSON = "tuples and arrays become lists, dates ISO text, keys of nested dicts text"
_DRAWN = "lists, dicts and mixtures become JSON text, control characters U+FFFD"
_FORMATS = {
    "hif": _Format((".hif.json", ".json"), read_hif, write_hif, f"nothing but kinds of values: {_JSON}"),
    "parquet": _Format((".parquet",), read_parquet, write_parquet, f"in list, dict and mixed columns only: {_JSON}"),
    "events": _Format(
        (".jsonl",), read_event_graph, write_event_graph,
        "ids (made anew), node attributes, weights, columns that Event lacks; refuses hyperedges that are no events",
    ),
    "csv": _Format(
        (".csv",), read_csv, write_csv,
        "isolated nodes, empty hyperedges, all attributes of nodes and hyperedges; further columns come back as text",
    ),
    "graphml": _Format((".graphml",), None, write_graphml, _DRAWN),
    "gexf": _Format((".gexf",), None, write_gexf, _DRAWN),
    "openie": _Format((), read_openie, None, "triples that are not three texts, set aside with a warning"),
    "published": _Format((), lambda path: read_published(path).hypergraph, None, "what read_published gives beside it"),
}  # fmt: skip


def formats() -> pd.DataFrame:
    """The formats: their extensions (each also with ``.gz``, folders apart), what can be done, and what is lost.

    Examples
    --------
    >>> formats().loc["hif", "extensions"]
    '.hif.json .json'
    """
    rows = {
        name: {
            "extensions": " ".join(form.extensions) or f"give format={name!r}",
            "reads": form.read is not None,
            "writes": form.write is not None,
            "loses": form.loses,
        }
        for name, form in _FORMATS.items()
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("format")


def read(path: str | Path, format: str | None = None) -> Hypergraph:
    """Read a hypergraph from a file or folder.

    Parameters
    ----------
    path : path
        The extension says the format (`formats` lists them); ``.gz`` may follow it.
    format : str, optional
        Name of the format, where the extension does not say it: "openie" for OpenIE results, "published" for the
        folder of the higher-order paper.

    Raises
    ------
    ValueError
        If the format is unknown or is only written, or the file does not hold it.

    Warns
    -----
    RecordWarning
        If single records were set aside; the message counts them and gives the first reason.
    """
    if (Path(path) / "hypergraph.parquet").is_dir() and format is None:  # the folder of a build
        path = Path(path) / "hypergraph.parquet"
    reader = _format(path, format, "read").read
    if not Path(path).exists():
        raise FileNotFoundError(f"{path} does not exist (looked in {Path(path).absolute().parent}).")
    assert reader is not None
    with _named(path):
        return reader(path)


def write(H: Hypergraph, path: str | Path, format: str | None = None) -> None:
    """Write a hypergraph; the file takes its name only when it is complete.

    Parameters
    ----------
    H : Hypergraph
    path : path
        The extension says the format (`formats` lists them and what each loses); ``.gz`` may follow it.
    format : str, optional
        Name of the format, where the extension does not say it.

    Examples
    --------
    >>> import tempfile
    >>> H = Hypergraph.from_dict({"a": "xy", "b": []})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write(H, f"{folder}/h.hif.json")
    ...     read(f"{folder}/h.hif.json").equals(H)
    True
    """
    writer = _format(path, format, "write").write
    if not Path(path).absolute().parent.is_dir():
        raise FileNotFoundError(f"the folder {Path(path).absolute().parent} does not exist. Make it first.")
    assert writer is not None
    with _named(path):
        writer(H, path)


@contextmanager
def _named(path: str | Path) -> Iterator[None]:
    """Errors that rise from deeper rooms name the file too."""
    try:
        yield
    except ValueError as error:
        if str(path) in str(error):
            raise
        raise ValueError(f"{path}: {error}") from error
    except (RecursionError, OverflowError) as error:
        raise ValueError(f"{path} nests too deep or holds a number too large: {error}.") from error


def _format(path: str | Path, name: str | None, verb: str) -> _Format:
    able = {key: form for key, form in _FORMATS.items() if getattr(form, verb) is not None}
    if name is None:
        file = Path(path).name.lower().removesuffix(".gz")
        name = next((key for key, form in _FORMATS.items() if file.endswith(form.extensions or (" ",))), None)
        if name is None:
            ways = ", ".join(ext for form in able.values() for ext in form.extensions)
            raise ValueError(f"{path}: its extension is unknown. Use {ways}, or give format=… of {', '.join(able)}.")
    if name not in able:
        reason = f"cannot be {'read' if verb == 'read' else 'written'}" if name in _FORMATS else "is unknown"
        raise ValueError(f"{path}: format {name!r} {reason}. Use one of {', '.join(able)}.")
    return able[name]
