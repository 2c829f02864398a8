"""Documents from files: one reader a format, one manifest of what was read and what was left out.

Whatever a file holds becomes plain text whose characters are what all later spans count in. Headings are kept with
their place. A file or record that cannot be read is set aside in the manifest with its reason.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import pandas as pd
from pydantic_core import to_json

from ..schema import UNSTORABLE, Document
from ._text import decode, encoding_of, from_docx, from_html, from_markdown, from_pdf
from .build_folder import is_build

__all__ = ["MANIFEST", "Corpus", "read_documents"]

_FIELDS = ("id", "title", "text", "doi", "date")
MANIFEST = ["path", "status", "id", "characters", "encoding", "reason"]
_BINARY = (".pdf", ".docx")
_README = re.compile(r"(readme|license|licence|notice|changelog)(\.\w+)?$", re.IGNORECASE)


class LeftOut(ValueError):
    """Why a file or a record is no document."""


@dataclass(frozen=True)
class Corpus:
    """Documents in reading order and the manifest: one row a file or record, with its reason where left out."""

    documents: list[Document]
    manifest: pd.DataFrame = field(repr=False)

    def summary(self) -> str:
        """One line: how much was read, what was left out first."""
        left = self.manifest[self.manifest["status"] == "left out"]
        line = f"{len(self.documents)} of {len(self.manifest)} documents read"
        if not len(left):
            return line + "."
        first = left.iloc[0]
        return f"{line}; {len(left)} left out, the first {first['path']}: {first['reason']}."


def read_documents(path: str | Path, strict: bool = False) -> Corpus:
    """Read a file or every file below a folder.

    Parameters
    ----------
    path : str or Path
        .md, .txt, .html, .jsonl and .csv (one document a record: `id`, `title`, `text`, `doi`, `date`; further
        fields become attributes); .pdf and .docx with the extra ``hgwork[pdf]``. Hidden files and the folders of
        builds are passed over; README, LICENSE and the like are left out of a folder and say so, as do links to
        folders. Characters that no UTF-8 file holds (NUL, half a surrogate pair) become U+FFFD.
    strict : bool
        Stop at the first file or record that cannot be read instead of setting it aside.

    Returns
    -------
    Corpus
        Documents sorted by path, then by place in their file. An id stands in a file's front matter or record;
        otherwise it is the path, with ``#`` and the record's number where a file holds several.

    Raises
    ------
    FileNotFoundError
        If there is nothing at `path`.
    ValueError
        With ``strict=True``, at the first problem; otherwise only when no document at all could be read.
    """
    root = Path(path)
    if not root.exists():
        raise FileNotFoundError(f"{root} does not exist. Give a file or a folder of documents.")
    files = [root] if root.is_file() else sorted(_visible(root), key=lambda f: f.relative_to(root).as_posix())
    base = root.parent if root.is_file() else root
    documents: dict[str, Document] = {}
    rows: list[tuple] = []
    for file in files:
        name = _storable(file.relative_to(base).as_posix())
        for label, outcome in _read_file(file, name, alone=root.is_file()):
            if isinstance(outcome, Document) and outcome.id in documents:
                outcome = LeftOut(f"its id {outcome.id!r} is taken by an earlier document; give it an id of its own")
            if isinstance(outcome, Document):
                documents[outcome.id] = outcome
                rows.append(_row(label, "read", outcome.id, len(outcome.text), encoding=_encoding(file)))
                continue
            if strict:
                raise ValueError(f"{label}: {outcome}.") from outcome
            rows.append(_row(label, "left out", reason=str(outcome)))
    manifest = pd.DataFrame(rows, columns=MANIFEST)
    if not documents:
        reasons = "; ".join(f"{r.path}: {r.reason}" for r in manifest.head(3).itertuples()) or "the folder is empty"
        raise ValueError(f"no document could be read from {root} ({reasons}).")
    return Corpus(list(documents.values()), manifest)


def _visible(root: Path) -> Iterator[Path]:
    """The files and links below a folder; an earlier build that lies there is no document of this one."""
    found = [
        file
        for file in root.rglob("*")
        if not any(part.startswith((".", "~$")) for part in file.relative_to(root).parts)
        and (file.is_symlink() or file.is_file())
    ]
    builds = {folder for folder in {file.parent for file in found} - {root} if is_build(folder)}
    return (file for file in found if builds.isdisjoint(file.parents))


def _storable(text: str) -> str:
    return UNSTORABLE.sub("\ufffd", text)


def _row(path, status, id=None, characters=0, reason="", encoding=None) -> tuple:
    return path, status, id, characters, encoding, reason


@lru_cache(maxsize=1)
def _encoding(file: Path) -> str | None:
    return None if file.suffix.lower() in _BINARY else encoding_of(file.read_bytes())


def _read_file(file: Path, name: str, alone: bool) -> Iterator[tuple[str, Document | Exception]]:
    reader = _READERS.get(file.suffix.lower())
    try:
        if not alone and _README.match(file.name):
            raise LeftOut("describes the folder; name the file itself to read it")
        if not file.is_file():
            raise LeftOut(
                "a link to a folder; name that folder itself to read it" if file.is_dir() else "a broken link"
            )
        if reader is None:
            known = ", ".join(sorted(_READERS))
            raise LeftOut(f"{file.suffix or 'no ending'} is not a document format (known: {known})")
        empty = True
        for outcome in reader(file, name):
            empty = False
            yield outcome
        if empty:
            raise LeftOut("holds no record")
    except ImportError as error:
        yield name, LeftOut(f"needs the package {error.name}: pip install 'hgwork[pdf]'")
    except Exception as error:  # one broken file must not end the others
        yield name, error if isinstance(error, LeftOut) else LeftOut(f"{type(error).__name__}: {error}".split("\n")[0])


def _document(record: dict[str, Any], name: str, fallback_id: str, headings=()) -> Document:
    text = record.get("text")
    if not isinstance(text, str):
        raise LeftOut(f"field 'text' is {type(text).__name__}, not text" if "text" in record else "no field 'text'")
    if not text.strip():
        raise LeftOut("holds no text")
    more = {k: v for k, v in record.items() if k not in _FIELDS and k is not None}
    try:
        to_json(more)
    except ValueError as error:
        raise LeftOut(f"its further fields cannot be stored ({error})") from error
    given = {k: _storable(str(record[k])) for k in ("id", "title", "doi", "date") if record.get(k) not in (None, "")}
    return Document(
        **{"id": fallback_id, **given},
        text=_storable(text),
        path=name,
        headings=list(headings),
        attributes=more,
    )


def _pages(convert):
    """A reader for a format of one document a file: `convert` gives text, headings and fields."""

    def read(file: Path, name: str):
        text, headings, fields = convert(file.read_bytes())
        title = fields.get("title") or (headings[0][2] if headings else Path(name).stem)
        yield name, _document({**fields, "title": title, "text": text}, name, name, headings)

    return read


def _read_jsonl(file: Path, name: str):
    for number, line in enumerate(decode(file.read_bytes()).split("\n"), 1):
        if line.strip():
            yield _record(lambda line=line: _json_object(line), name, number, f"{name}, line {number}")


def _json_object(line: str) -> dict:
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        raise LeftOut(f"not JSON ({error.msg} at character {error.pos})") from error
    except RecursionError as error:
        raise LeftOut("JSON that nests too deep") from error
    if not isinstance(record, dict):
        raise LeftOut(f"a JSON {type(record).__name__}, not an object with the field 'text'")
    return record


def _read_csv(file: Path, name: str):
    text = decode(file.read_bytes())
    csv.field_size_limit(2**31 - 1)
    header = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=header.count)
    # NUL, which the text does not hold, is a last record: it cannot be met when a quote is still open
    rows = csv.DictReader(io.StringIO(f"{text}\n\0", newline=""), delimiter=delimiter)
    columns = {c: c.strip().lower() if c.strip().lower() in _FIELDS else c for c in rows.fieldnames or []}
    names = [columns[c] for c in rows.fieldnames or []]
    if "text" not in names:
        raise LeftOut(f"no column 'text'; it has {', '.join(names).strip(chr(0)) or 'none'}")
    if twice := [name for name in _FIELDS if names.count(name) > 1]:
        raise LeftOut(f"the column {twice[0]!r} stands there twice")
    for number, row in enumerate(rows, 1):
        if next(iter(row.values())) != "\0":
            yield _record(
                lambda row=row: _csv_record(row, columns, delimiter), name, number, f"{name}, record {number}"
            )


def _csv_record(row: dict, columns: dict[str, str], delimiter: str) -> dict:
    more = [value for value in row.pop(None, []) if value]
    if any(value and value.endswith("\0") for value in [*row.values(), *more]):
        raise LeftOut("a quotation mark opens in it and is never closed: all that follows in the file belongs to it")
    if more:
        raise LeftOut(f"more fields than columns; put a text that holds {delimiter!r} in quotation marks")
    return {columns[k]: v for k, v in row.items() if v not in (None, "")}


def _record(make, name: str, number: int, label: str):
    try:
        return label, _document(make(), name, f"{name}#{number}")
    except ValueError as error:
        return label, error


_READERS = {
    ".md": _pages(from_markdown),
    ".markdown": _pages(from_markdown),
    ".txt": _pages(lambda data: (decode(data), [], {})),
    ".html": _pages(from_html),
    ".htm": _pages(from_html),
    ".pdf": _pages(from_pdf),
    ".docx": _pages(from_docx),
    ".jsonl": _read_jsonl,
    ".csv": _read_csv,
}
