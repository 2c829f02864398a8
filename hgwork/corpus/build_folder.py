"""The folder of a build: a lock, the work that survives a kill, and the result."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..io import write
from ..schema import Document
from .event_cache import EventCache

if TYPE_CHECKING:
    from .build import Build

__all__ = ["BuildFolder", "BuildInProgress", "is_build"]

_WORK, _SUMMARY = ".work", "build.json"


def is_build(path: Path) -> bool:
    """Whether a build, finished or not, lies in the folder."""
    return (path / _WORK / "events.sqlite").is_file() or (path / _SUMMARY).is_file()


class BuildInProgress(RuntimeError):
    """Another build writes to this folder."""


class BuildFolder:
    """Where a build keeps its work and its result; a temporary folder when none was named.

    The result is the hypergraph as ``hypergraph.parquet``, ``events.jsonl``, ``documents.jsonl``, the tables
    ``manifest``, ``merges``, ``vetoes`` and ``definitions`` as CSV, ``embeddings.npz`` and, written last,
    ``build.json`` with settings and counts. Each is written under a temporary name and renamed.
    """

    def __init__(self, path: Path, keep: bool):
        self.path, self.keep = path, keep
        self.work = path / _WORK
        (self.work / "vectors").mkdir(parents=True, exist_ok=True)
        self.events = EventCache(self.work / "events.sqlite")

    @classmethod
    @contextmanager
    def opened(cls, path: str | Path | None) -> Iterator[BuildFolder]:
        """The folder, locked for as long as it is open."""
        if path is None:
            with tempfile.TemporaryDirectory(prefix="hgwork-") as temporary:
                yield cls(Path(temporary), keep=False)
            return
        from filelock import FileLock, Timeout

        path = Path(path)
        if path.exists() and not path.is_dir():
            raise ValueError(f"{path} is a file. Name a folder for the build.")
        if path.is_dir() and any(path.iterdir()) and not (path / _WORK).is_dir() and not (path / _SUMMARY).exists():
            raise ValueError(f"{path} holds other files and is no build. Name an empty or a new folder.")
        (path / _WORK).mkdir(parents=True, exist_ok=True)
        lock = FileLock(path / _WORK / "lock", timeout=0)
        try:
            with lock:
                yield cls(path, keep=True)
        except Timeout:
            raise BuildInProgress(
                f"another build is writing to {path}. Wait for it to end, or give this one a folder of its own."
            ) from None

    def vectors(self, number: int, names: list[str], embedder) -> np.ndarray:
        """Unit vectors of the names of one merge, computed together or read back: the same bytes either way."""
        digest = hashlib.blake2b(json.dumps([embedder.signature, names]).encode(), digest_size=12).hexdigest()
        file = self.work / "vectors" / f"{number:05d}-{digest}.npy"
        try:
            return np.load(file, allow_pickle=False)
        except (OSError, EOFError, ValueError):  # not there, or damaged
            matrix = embedder.encode(names)
            _replace(file, lambda handle: np.save(handle, matrix))
            return matrix

    def write(self, build: Build, documents: list[Document]) -> None:
        """Write the result, ``build.json`` last."""
        if not self.keep:
            return
        write(build.hypergraph, self.path / "hypergraph.parquet")
        _write_lines(self.path / "events.jsonl", (e.model_dump_json(exclude_defaults=True) for e in build.events))
        _write_lines(self.path / "documents.jsonl", (d.model_dump_json(exclude_defaults=True) for d in documents))
        tables = {
            "manifest": build.manifest,
            "merges": build.merges.audit.round({"similarity": 4}),
            "vetoes": build.merges.vetoed.round({"cosine": 4}),
            "definitions": build.definitions,
        }
        for name, table in tables.items():
            _replace(self.path / f"{name}.csv", lambda f, t=table: f.write(t.to_csv(index=False).encode()))
        names, vectors = build.embeddings
        _replace(self.path / "embeddings.npz", lambda f: np.savez(f, names=np.array(names, dtype=str), vectors=vectors))
        counts = {
            "documents": len(documents),
            "left out": int((build.manifest["status"] == "left out").sum()),
            "failed chunks": int((build.manifest["status"] == "failed").sum()),
            "events": len(build.events),
            "names before merging": len(build.raw.nodes),
            "nodes": len(build.hypergraph.nodes),
            "hyperedges": len(build.hypergraph),
        }
        summary = {"format": 1, "settings": build.settings, "counts": counts}
        _write_lines(self.path / _SUMMARY, [json.dumps(summary, indent=1, ensure_ascii=False)])
        for left in self.path.glob(".hgwork-*.tmp"):  # of a write that was killed
            shutil.rmtree(left, ignore_errors=True)


def _write_lines(path: Path, lines) -> None:
    _replace(path, lambda handle: handle.writelines(f"{line}\n".encode() for line in lines))


def _replace(path: Path, fill: Callable) -> None:
    """Fill a temporary file beside `path`, then rename it over `path`."""
    temporary = path.with_name(f".{path.name}.tmp")
    with open(temporary, "wb") as handle:
        fill(handle)
        handle.flush()
        os.fsync(handle.fileno())
    os.replace(temporary, path)
