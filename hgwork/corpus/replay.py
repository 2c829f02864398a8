"""Recorded events instead of an extractor: what a model found once, for anybody, offline."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import pandas as pd

from ..models.structured import what_is_wrong
from ..schema import Chunk, Event
from ._evidence import locate

__all__ = ["ReplayExtractor", "record_events"]


class ReplayExtractor:
    """Give recorded events, one `Event` a line of a JSONL file, chunk by chunk.

    An event belongs to the chunk that holds its span in its document; without a span, to the chunk it names; with
    neither, to the first chunk of its document. So a recording outlives another way of cutting chunks.

    Parameters
    ----------
    path : str or Path

    Attributes
    ----------
    failed : dict of str to str
        Chunks of documents of which nothing is recorded.
    misses : DataFrame
        Chunks asked for that have no recorded event: `chunk`, `document`, `reason`.
    rejected : DataFrame
        Lines that hold no event: `line`, `reason`, `record`.
    signature : str
        Changes with the file.

    Examples
    --------
    >>> import tempfile
    >>> event = Event(source=["guild"], relation="casts", target=["bells"], document="d", chunk="d/0")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = record_events([event], Path(folder) / "events.jsonl")
    ...     extractor = ReplayExtractor(path)
    >>> chunk = Chunk(id="d/0", document="d", index=0, start=0, end=22, text="The guild casts bells.")
    >>> [event.sentence for event in next(extractor.extract([chunk]))]
    ['guild – casts – bells']
    """

    def __init__(self, path: str | Path):
        self.path = Path(path)
        data = self.path.read_bytes()
        self.signature = f"replay:{hashlib.sha256(data).hexdigest()[:12]}"
        self.failed: dict[str, str] = {}
        self._misses: dict[str, dict[str, str]] = {}
        self._events: dict[str, list[Event]] = {}
        rejected = []
        for number, line in enumerate(data.decode("utf-8-sig", errors="replace").split("\n"), 1):
            if not line.strip():
                continue
            try:
                event = Event.model_validate_json(line)
                document = event.document or (event.chunk or "").rpartition("/")[0]
                if not document:
                    raise ValueError("names neither a document nor a chunk")
                self._events.setdefault(document, []).append(event)
            except ValueError as error:
                rejected.append({"line": number, "reason": what_is_wrong(error), "record": line[:200]})
        self.rejected = pd.DataFrame(rejected, columns=["line", "reason", "record"])

    def extract(self, chunks: Iterable[Chunk]) -> Iterator[list[Event]]:
        """One list of events a chunk, in order of the file."""
        for chunk in chunks:
            recorded = self._events.get(chunk.document, [])
            events = [_placed(event, chunk) for event in recorded if _belongs(event, chunk)]
            if not events:
                reason = "no event of this chunk" if recorded else "no event of this document"
                row = {"chunk": chunk.id, "document": chunk.document, "reason": f"{reason} in {self.path.name}"}
                self._misses[chunk.id] = row
                if not recorded:
                    self.failed[chunk.id] = row["reason"]
            yield events

    @property
    def misses(self) -> pd.DataFrame:
        """Chunks asked for that have no recorded event."""
        return pd.DataFrame(list(self._misses.values()), columns=["chunk", "document", "reason"])


def record_events(events: Iterable[Event], path: str | Path) -> Path:
    """Write events to a JSONL file that `ReplayExtractor` reads."""
    path = Path(path)
    path.write_text("".join(f"{event.model_dump_json(exclude_defaults=True)}\n" for event in events), "utf-8")
    return path


def _belongs(event: Event, chunk: Chunk) -> bool:
    if event.start is not None:
        return chunk.start <= event.start < chunk.end
    return event.chunk == chunk.id if event.chunk else chunk.index == 0


def _placed(event: Event, chunk: Chunk) -> Event:
    """The event in its chunk; a span that does not hold the evidence is looked for again."""
    update: dict[str, object] = {"document": chunk.document, "chunk": chunk.id}
    here = slice((event.start or 0) - chunk.start, (event.end or 0) - chunk.start)
    if event.evidence and (event.start is None or chunk.text[here] != event.evidence):
        place = locate(event.evidence, event.members, chunk.text)
        update |= {"start": None, "end": None}
        if place:
            start, end, _ = place
            update |= {"start": chunk.start + start, "end": chunk.start + end, "evidence": chunk.text[start:end]}
    return event.model_copy(update=update)
