"""Answers on disk: a folder that answers the same question once, and a JSONL file that replays a run offline.

A folder holds one small file an answer, written beside its place and renamed into it, so that several processes may
share it and a kill leaves either the whole answer or none. A recording is one line an answer, fit to be committed.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import warnings
from pathlib import Path
from typing import Any

__all__ = ["AnswerFolder", "Recording", "request_key"]

Record = dict[str, Any]


def request_key(**parts: Any) -> str:
    """What an answer depends on (model, messages, schema, temperature, options) as a digest."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


class AnswerFolder:
    """Answers by key in a folder, one JSON file each. A damaged file counts as no answer and is written again.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     AnswerFolder(folder).put("ab12", {"answer": "yes"})
    ...     AnswerFolder(folder).get("ab12")
    {'answer': 'yes'}
    """

    def __init__(self, path: str | Path):
        self.path = Path(path).expanduser()

    def get(self, key: str) -> Record | None:
        try:
            record = json.loads((self.path / key[:2] / f"{key}.json").read_text("utf-8"))
        except (FileNotFoundError, ValueError):
            return None
        return record if isinstance(record, dict) and isinstance(record.get("answer"), str) else None

    def put(self, key: str, record: Record) -> None:
        place = self.path / key[:2] / f"{key}.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=place.parent, prefix=".", suffix=".part")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(record, file, ensure_ascii=True)
            os.replace(name, place)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


class Recording:
    """Answers in a JSONL file: ``{"key", "model", "input", "answer"}`` a line, the last of a key counts.

    Lines that cannot be read (a line torn by a kill) are set aside with a warning that names them.
    """

    def __init__(self, path: str | Path, required: bool = False):
        self.path = Path(path).expanduser()
        self.records: dict[str, Record] = {}
        self._torn = False
        if not self.path.exists():
            if required:
                raise FileNotFoundError(f"{self.path}: no such recording. Make one with Chat(record={str(path)!r}).")
            return
        text = self.path.read_text("utf-8", errors="replace")
        self._torn = bool(text) and not text.endswith("\n")
        for number, line in enumerate(text.split("\n"), 1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
                self.records[record["key"]] = {**record, "answer": str(record["answer"])}
            except (ValueError, KeyError, TypeError):
                warnings.warn(f"{self.path}, line {number}: not a recorded answer; set aside.", stacklevel=2)

    def get(self, key: str) -> Record | None:
        return self.records.get(key)

    def put(self, key: str, record: Record) -> None:
        """Append one answer in a single write; nothing if it is held already."""
        held = self.records.get(key, {})
        if held.get("answer") == record["answer"] and held.get("calls") == record.get("calls"):
            return
        self.records[key] = record = {"key": key, **record}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab", buffering=0) as file:
            file.write(b"\n" * self._torn + json.dumps(record).encode() + b"\n")
        self._torn = False
