"""Events already extracted, kept on disk so that an interrupted build goes on where it stopped."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

from ..schema import Chunk, Event

__all__ = ["EventCache"]


class EventCache:
    """Events by extractor, chunk id and chunk text, in one SQLite file.

    A batch is written in one transaction: after a kill it is there whole or not at all.
    """

    def __init__(self, path: str | Path):
        self.path = Path(path)
        try:
            self._create()
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError as error:
            raise ValueError(f"{path} is damaged ({error}). Delete it; its events are extracted again.") from error

    def _create(self) -> None:
        with closing(self._open()) as db, db:
            db.execute("CREATE TABLE IF NOT EXISTS events (key TEXT PRIMARY KEY, events TEXT NOT NULL) WITHOUT ROWID")

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=30)

    @staticmethod
    def key(chunk: Chunk, signature: str) -> str:
        """What the events of a chunk depend on, as a digest."""
        parts = json.dumps([signature, chunk.id, chunk.start, chunk.text])
        return hashlib.blake2b(parts.encode(), digest_size=16).hexdigest()

    def missing(self, chunks: Iterable[Chunk], signature: str) -> list[Chunk]:
        """The chunks whose events are not stored yet, in the order given."""
        with closing(self._open()) as db:
            held = {key for (key,) in db.execute("SELECT key FROM events")}
        return [chunk for chunk in chunks if self.key(chunk, signature) not in held]

    def put(self, batch: Iterable[tuple[Chunk, list[Event]]], signature: str) -> None:
        """Store the events of several chunks at once."""
        rows = [
            (self.key(chunk, signature), json.dumps([e.model_dump(exclude_defaults=True) for e in events]))
            for chunk, events in batch
        ]
        with closing(self._open()) as db, db:
            db.executemany("INSERT OR REPLACE INTO events VALUES (?, ?)", rows)

    def get(self, chunks: Iterable[Chunk], signature: str) -> Iterator[tuple[Chunk, list[Event] | None]]:
        """Each chunk with its events, or None where they are not stored."""
        with closing(self._open()) as db:
            for chunk in chunks:
                row = db.execute("SELECT events FROM events WHERE key = ?", (self.key(chunk, signature),)).fetchone()
                yield chunk, None if row is None else [Event.model_validate(e) for e in json.loads(row[0])]
