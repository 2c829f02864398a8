"""Run files: what was asked, retrieved and answered, one line each, so that a run can stop and go on.

A run is JSON lines under a temporary name ("runs.jsonl.part") that takes its own name when the run is complete. Each
line carries the hash of its configuration: what was answered under the same hash is not asked again. Rankings are also
written in TREC's format, with the needed evidence as relevance judgements, for the tools that read those.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote, unquote

import pandas as pd

from ..io._files import RecordWarning, encoder, new_text, read_text

__all__ = [
    "RUN_COLUMNS",
    "RunFile",
    "configuration_hash",
    "read_qrels",
    "read_runs",
    "read_trec",
    "write_qrels",
    "write_trec",
]

KEY = ("query_id", "method", "reader", "repeat")
RUN_COLUMNS = (
    *("query_id", "query", "method", "reader", "repeat", "trajectory", "score", "terms", "answer", "right"),
    *("configuration", "hash", "seconds", "tokens"),
)
"""Columns that every line has; a run may add more. `trajectory` is a list of {"edge", …}, first step first."""


def configuration_hash(configuration: Mapping[str, Any]) -> str:
    """Sixteen hexadecimal digits that change with any setting, not with the order in which settings are given.

    Examples
    --------
    >>> configuration_hash({"length": 8, "beam": 4}) == configuration_hash({"beam": 4, "length": 8})
    True
    >>> configuration_hash({"length": 8}) == configuration_hash({"length": 9})
    False
    """
    text = json.dumps(json.loads(encoder().encode(dict(configuration))), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class RunFile:
    """A run that is written line by line, to be used in a ``with`` statement.

    Parameters
    ----------
    path : str or Path
        "….jsonl". Lines of an earlier, whole or broken-off run of this name are kept.

    Notes
    -----
    A line that was cut off when a run was stopped is set aside with a warning; its question is asked again.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "runs.jsonl"
    >>> with RunFile(path) as run:
    ...     _ = run.add({"query_id": "q1", "method": "dag", "right": 1.0}, {"length": 8})
    ...     run.find("q1", "dag", configuration={"length": 8})["right"]
    1.0
    >>> read_runs(path)["query_id"].tolist()
    ['q1']
    """

    def __init__(self, path: str | Path):
        self.path = Path(path)
        self.part = self.path.with_name(self.path.name + ".part")
        self._known: dict[tuple, dict[str, Any]] = {}
        self._file: IO[str] | None = None

    def __enter__(self) -> RunFile:
        if not self.part.exists() and self.path.exists():
            shutil.copyfile(self.path, self.part)
        if self.part.exists():
            _cut_broken_end(self.part)
            for _, record in _records(self.part):
                self._known[_key(record)] = record
        self._file = open(self.part, "a", encoding="utf-8", newline="\n")
        return self

    def __exit__(self, kind, error, trace) -> None:
        assert self._file is not None
        self._file.close()
        if kind is None:
            os.replace(self.part, self.path)

    def find(
        self,
        query_id: str,
        method: str = "",
        reader: str = "",
        repeat: int = 0,
        *,
        configuration: Mapping[str, Any],
    ) -> dict[str, Any] | None:
        """The line of a question that was already answered under the same configuration."""
        return self._known.get((query_id, method, reader, repeat, configuration_hash(configuration)))

    def add(self, record: Mapping[str, Any], configuration: Mapping[str, Any]) -> dict[str, Any]:
        """Write one line and give it back; `configuration` and `hash` are added, missing columns of a run are null."""
        if self._file is None:
            raise ValueError(f"{self.path} is not open: use it as `with RunFile(path) as run:`.")
        line: dict[str, Any] = dict.fromkeys(RUN_COLUMNS) | {"method": "", "reader": "", "repeat": 0} | dict(record)
        if not isinstance(line["query_id"], str) or not line["query_id"]:
            raise ValueError(f"{self.path}: query_id is {line['query_id']!r}: give the id of the question.")
        line |= {"configuration": dict(configuration), "hash": configuration_hash(configuration)}
        text = encoder(path=self.path).encode(line)
        self._file.write(text + "\n")
        self._file.flush()
        line = json.loads(text)
        self._known[_key(line)] = line
        return line


def _key(record: Mapping[str, Any]) -> tuple:
    return (*(record[name] for name in KEY), record["hash"])


def _cut_broken_end(path: Path) -> None:
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    if whole < len(data):
        line = data.count(b"\n") + 1
        warnings.warn(
            f"{path}, line {line}: cut off; it is set aside and will be asked again.", RecordWarning, stacklevel=3
        )
        with open(path, "r+b") as file:
            file.truncate(whole)


def read_runs(path: str | Path) -> pd.DataFrame:
    """Read a run file, whole or broken off (give the name with ".part").

    Returns
    -------
    DataFrame
        `RUN_COLUMNS` first, then what the run added.

    Raises
    ------
    ValueError
        If a line is no JSON object or lacks a column; the message names file and line.
    """
    rows = [record for _, record in _records(Path(path))]
    table = pd.DataFrame(rows, columns=None if rows else list(RUN_COLUMNS))
    return table[[*RUN_COLUMNS, *(name for name in table.columns if name not in RUN_COLUMNS)]]


def _records(path: Path) -> Iterable[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            raise ValueError(
                f"{path}, line {number}: not JSON ({error}). Remove the line or write the run anew."
            ) from None
        if not isinstance(record, dict):
            raise ValueError(f"{path}, line {number}: holds a {type(record).__name__}, not an object.")
        if lost := [name for name in RUN_COLUMNS if name not in record]:
            raise ValueError(f"{path}, line {number}: lacks {', '.join(lost)}; this is no run of hgwork.")
        yield number, record


def write_trec(path: str | Path, runs: pd.DataFrame, tag: str | None = None) -> None:
    """Write rankings as TREC runs, ``qid Q0 docid rank score tag``.

    Parameters
    ----------
    path : str or Path
    runs : DataFrame
        `query_id`, `trajectory` (as `read_runs` gives it), `method`; one line a question and method is ranked, the
        first repeat alone.
    tag : str, optional
        By default the method.

    Notes
    -----
    The rank is the step, so the score is 1 / rank: TREC tools sort by score and would undo the order otherwise.
    White space in ids is written as in addresses ("%20").
    """
    rows = runs.drop_duplicates(["query_id", "method"])
    with new_text(path) as file:
        for row in rows.to_dict("records"):
            edges = list(dict.fromkeys(step["edge"] for step in row["trajectory"] or []))
            for rank, edge in enumerate(edges, start=1):
                name = _word(tag or row["method"] or "run")
                file.write(f"{_word(row['query_id'])} Q0 {_word(edge)} {rank} {1 / rank:.6f} {name}\n")


def read_trec(path: str | Path) -> pd.DataFrame:
    """Read a TREC run: `query_id`, `edge`, `rank`, `score`, `tag`; errors name file and line."""
    rows = [
        (unquote(qid), unquote(edge), int(rank), float(score), unquote(tag))
        for qid, _, edge, rank, score, tag in _fields(Path(path), 6, (3, 4))
    ]
    return pd.DataFrame(rows, columns=["query_id", "edge", "rank", "score", "tag"])


def write_qrels(path: str | Path, questions: pd.DataFrame) -> None:
    """Write the needed evidence of questions (`question_id`, `needed`) as TREC judgements, ``qid 0 docid 1``."""
    with new_text(path) as file:
        for name, needed in zip(questions["question_id"], questions["needed"], strict=True):
            for edge in dict.fromkeys(needed):
                file.write(f"{_word(name)} 0 {_word(edge)} 1\n")


def read_qrels(path: str | Path) -> pd.DataFrame:
    """Read TREC judgements: `query_id`, `edge`, `relevance`; errors name file and line."""
    rows = [(unquote(qid), unquote(edge), int(grade)) for qid, _, edge, grade in _fields(Path(path), 4, (3,))]
    return pd.DataFrame(rows, columns=["query_id", "edge", "relevance"])


def _word(text: str) -> str:
    """One word: white space, "%" and what is not printable ASCII are written as in addresses."""
    return quote(str(text), safe=_SAFE)


_SAFE = "!\"#$&'()*+,-./:;<=>?@[\\]^_`{|}~"


def _fields(path: Path, count: int, numbers: tuple[int, ...]) -> Iterable[list[str]]:
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        parts = line.split()
        if not parts:
            continue
        if len(parts) != count:
            raise ValueError(f"{path}, line {number}: {len(parts)} fields instead of {count}.")
        for place in numbers:
            try:
                float(parts[place])
            except ValueError:
                raise ValueError(f"{path}, line {number}: {parts[place]!r} is no number.") from None
        yield parts
