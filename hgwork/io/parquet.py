"""A folder of three Parquet tables, the fast and exact form: nodes, edges, incidences, and what they are in meta.json.

Columns of text, numbers, truth values and dates are Parquet's own; a column that holds lists, dicts or a mixture is
JSON text, and meta.json lists it, so that it comes back as it was.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd

from ..hypergraph import Hypergraph
from ._files import encoder, new_folder

__all__ = ["read_parquet", "write_parquet"]

_FORMAT, _VERSION = "hgwork-hypergraph", 1
_TABLES = ("nodes", "edges", "incidences")


def read_parquet(path: str | Path) -> Hypergraph:
    """Read a folder that `write_parquet` made.

    Raises
    ------
    ValueError
        If the folder is not one of ours, is of a later version, or lacks a table.
    """
    meta = _meta(Path(path))
    if meta is None:
        raise ValueError(f"{path} is no hypergraph folder: it needs meta.json with format {_FORMAT!r}, and {_TABLES}.")
    if not isinstance(version := meta.get("version"), int) or version > _VERSION:
        raise ValueError(f"{path} is of version {version}; this hgwork reads up to {_VERSION}. Update hgwork.")
    if not (isinstance(coded := meta.get("json"), dict) and all(isinstance(coded.get(name), list) for name in _TABLES)):
        raise ValueError(f"{path}: meta.json does not list the JSON columns of {_TABLES}. Write the folder again.")
    tables = {name: _read_table(Path(path), name, coded[name]) for name in _TABLES}
    for name in ("nodes", "edges"):
        tables[name] = tables[name].set_index(name[:-1])
        tables[name].index = tables[name].index.astype(object)
    H = Hypergraph.from_frame(tables["incidences"], edges=tables["edges"], nodes=tables["nodes"])
    if isinstance(about := meta.get("attrs"), dict):
        vars(H)["_edges"].attrs.update(about)
    return H


def _meta(path: Path) -> dict[str, Any] | None:
    try:
        meta = json.loads((path / "meta.json").read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return meta if isinstance(meta, dict) and meta.get("format") == _FORMAT else None


def _read_table(path: Path, name: str, coded: list[str]) -> pd.DataFrame:
    import pyarrow.parquet

    try:
        table = pyarrow.parquet.read_table(path / f"{name}.parquet", partitioning=None).to_pandas()
    except (OSError, pyarrow.ArrowException) as error:
        raise ValueError(f"{path}: {name}.parquet cannot be read ({error}). Write the folder again.") from error
    wanted = ["edge", "node"] if name == "incidences" else [name[:-1]]
    if missing := [column for column in (*wanted, *coded) if column not in table]:
        raise ValueError(f"{path}: {name}.parquet has no column {missing[0]!r}. Write the folder again.")
    for column in coded:
        values = [None if text is None else json.loads(text) for text in table[column]]
        table[column] = pd.Series(values, index=table.index, dtype=object)
    return table


def write_parquet(H: Hypergraph, path: str | Path) -> None:
    """Write the folder; one of ours of the same name is replaced when the new one is complete.

    Tuples and NumPy arrays among lists, dicts and mixed columns become lists, dates there ISO text.

    Raises
    ------
    FileExistsError
        If something of that name exists that hgwork did not write.
    """
    import pyarrow.parquet

    incidences = H.incidences
    if not incidences.columns.intersection(["weight"]).empty and (incidences["weight"] == 1).all():
        incidences = incidences.drop(columns="weight")
    tables = {"nodes": H.nodes.reset_index(), "edges": H.edges.reset_index(), "incidences": incidences}
    attrs = {name: value for name, value in H.edges.attrs.items() if name == "hif"}
    meta: dict[str, Any] = {"format": _FORMAT, "version": _VERSION, "json": {}, "attrs": attrs}
    with new_folder(path, lambda old: _meta(old) is not None) as folder:
        for name, table in tables.items():
            table, meta["json"][name] = _coded(table, f"{path}, {name}.parquet")
            arrow = pyarrow.Table.from_pandas(table, preserve_index=False)
            pyarrow.parquet.write_table(arrow, folder / f"{name}.parquet", compression="zstd")
        (folder / "meta.json").write_text(encoder(path=path).encode(meta), "utf-8")


def _coded(table: pd.DataFrame, path: str) -> tuple[pd.DataFrame, list[str]]:
    """The table with every column that Parquet has no type for as JSON text, and the names of these."""
    wrong = [name for name in table.columns if not isinstance(name, str)]
    if wrong:
        raise ValueError(f"{path}: the column name {wrong[0]!r} is not text. Rename the column.")
    table, coded = table.copy(deep=False), []
    table.attrs = {}
    for name in table.columns:
        column = table[name]
        if column.dtype != object or pd.api.types.infer_dtype(column, skipna=True) in ("string", "empty"):
            continue
        encode = encoder(allow_nan=True, path=f"{path}, column {name!r}").encode
        missing = [pd.api.types.is_scalar(value) and bool(pd.isna(value)) for value in column]
        text = [None if gone else encode(value) for value, gone in zip(column, missing, strict=True)]
        table[name] = pd.Series(text, index=table.index, dtype=object)
        coded.append(name)
    return table, coded
