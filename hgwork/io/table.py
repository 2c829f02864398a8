"""CSV, one row an incidence: for spreadsheets and other programs."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pandas as pd

from .._arrays import ROLES
from ..hypergraph import Hypergraph
from ._files import encoder, new_text, read_text, warn_rejected

__all__ = ["read_csv", "write_csv"]


def read_csv(path: str | Path, strict: bool = False) -> Hypergraph:
    """Read incidences: a header with `edge` and `node`, optional `role`, `weight` and more, which stay text.

    Rows that do not fit are set aside and counted in a `RecordWarning`; `strict` stops at the first.
    """
    csv.field_size_limit(2**31 - 1)
    reader = csv.reader(io.StringIO(read_text(path), newline=""), strict=True)
    rows, rejected, seen = [], [], set()
    try:
        header = next(reader, [])
        if missing := [name for name in ("edge", "node") if name not in header]:
            raise ValueError(f"{path}: the header {header} has no column {missing[0]!r}. Name the two edge and node.")
        if twice := [name for name in header if header.count(name) > 1]:
            raise ValueError(f"{path}: the column {twice[0]!r} stands there twice. Rename or remove one.")
        for row in reader:
            if not row:
                continue
            if reason := _fault(header, row):
                rejected.append((reader.line_num, reason, row))
                continue
            record = dict(zip(header, row, strict=True))
            key = record["edge"], record["node"], record.get("role") or "member"
            if key in seen:
                rejected.append((reader.line_num, "it repeats an earlier incidence (edge, node and role)", row))
            else:
                seen.add(key)
                rows.append(row)
    except csv.Error as error:
        raise ValueError(f"{path}, line {reader.line_num}: {error}. Is it CSV, with double quotes?") from error
    report = pd.DataFrame(rejected, columns=["line", "reason", "record"])
    warn_rejected(path, report, "rows", len(rows), "Correct them in the file.", strict)
    frame = pd.DataFrame(rows, columns=header, dtype=object)
    more = [name for name in header if name not in ("edge", "node")]
    frame[more] = frame[more].where(frame[more] != "", None)
    if "weight" in frame:  # pandas' own reading of "0.1" is off by a last digit now and then
        frame["weight"] = [None if text is None else float(text) for text in frame["weight"]]
    return Hypergraph.from_frame(frame)


def _fault(header: list[str], row: list[str]) -> str | None:
    if len(row) != len(header):
        return f"{len(row)} fields where the header names {len(header)}"
    record = dict(zip(header, row, strict=True))
    if record.get("role") and record["role"] not in ROLES:
        return f"role {record['role']!r} is unknown; use one of {', '.join(ROLES)}"
    try:
        float(record.get("weight") or 1)
    except ValueError:
        return f"weight {record['weight']!r} is not a number"
    return None


def write_csv(H: Hypergraph, path: str | Path) -> None:
    """Write incidences; every field is quoted, so that names may hold commas, quotes and line breaks."""
    frame = H.incidences.astype({"edge": object, "node": object, "role": object})
    encode = encoder(path=path).encode

    def text(value):
        if pd.api.types.is_scalar(value):
            return "" if pd.isna(value) else str(value)
        return encode(value)

    for name in frame.columns.difference(["edge", "node", "role"]):
        frame[name] = [text(value) for value in frame[name]]
    with new_text(path) as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerow(frame.columns)
        writer.writerows(frame.itertuples(index=False, name=None))
