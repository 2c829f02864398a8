"""Events by a chat model, in the two passes of the paper [1]_, each with the sentence that states it.

The prompts are files (`prompts/`); their examples are about things that do not exist, so that a model that copies them
gives itself away (`hgwork.corpus.leakage`).

References
----------
.. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, section 2.1.1.
"""

from __future__ import annotations

import base64
import hashlib
import mimetypes
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import pandas as pd
from pydantic import BaseModel, WithJsonSchema

from ..models.structured import what_is_wrong
from ..schema import Chunk, Event
from ._evidence import locate

if TYPE_CHECKING:
    from ..models.chat import Chat

__all__ = ["PROMPTS", "LLMExtractor"]

PROMPTS = Path(__file__).parent / "prompts"
_BATCH = 64


class _Found(BaseModel):
    """What one event looks like to the model."""

    source: list[str]
    relation: str
    target: list[str]
    evidence: str
    kind: Literal["explicit", "completed"]


class Extraction(BaseModel):
    """Events of one chunk, each still unchecked: one bad record must not cost the others."""

    events: list[Annotated[Any, WithJsonSchema(_Found.model_json_schema())]]


class LLMExtractor:
    """Extract events with a chat model.

    Parameters
    ----------
    chat : Chat
    distil : bool
        First have the model shorten each chunk to its facts. Spans count in the original all the same.
    prompts : path
        Folder with `extract.md`, `distil.md` and `figure.md`.
    progress : bool

    Attributes
    ----------
    failed : dict of str to str
        Chunk -> why it got no answer. Such a chunk gives no events, and should be asked again.
    rejected : DataFrame
        Events that were set aside: `chunk`, `reason`, `record`.
    signature : str
        Changes with the model, its settings and the prompts.

    Examples
    --------
    >>> from hgwork.models.chat import Chat
    >>> LLMExtractor(Chat(url="http://localhost:8000/v1", model="small")).signature[:10]
    'llm:small:'
    """

    def __init__(self, chat: Chat, distil: bool = False, prompts: str | Path = PROMPTS, progress: bool = True):
        self.chat, self.distil, self.prompts, self.progress = chat, distil, Path(prompts), progress
        self.failed: dict[str, str] = {}
        self._rejected: dict[str, list[dict[str, Any]]] = {}

    def extract(self, chunks: Iterable[Chunk]) -> Iterator[list[Event]]:
        """One list of events a chunk, in order; a batch of chunks is asked at a time.

        Yields
        ------
        list of Event
            `evidence` stands word for word at `start` to `end` of the document. `confidence` is lower where the
            model did not quote it exactly.

        Raises
        ------
        ChatError
            If no endpoint is set. Every other failure is listed in `failed`.
        """
        chunks = iter(chunks)
        while batch := list(islice(chunks, _BATCH)):
            texts = [chunk.text for chunk in batch]
            for chunk in batch:
                self.failed.pop(chunk.id, None)
                self._rejected.pop(chunk.id, None)
            if self.distil:
                texts = [text or "" for text in self._asked(batch, texts, "distil", None)]
            for chunk, answer in zip(batch, self._asked(batch, texts, "extract", Extraction), strict=True):
                yield self._events(chunk, answer.events if answer else [])

    def describe_figure(self, path: str | Path, caption: str = "") -> str:
        """Sentences on what a figure or an image of a table shows, from an endpoint that can see.

        Raises
        ------
        ValueError
            If the file is not an image.
        ChatError
            If the endpoint gives no answer.
        """
        kind = mimetypes.guess_type(str(path))[0] or ""
        if not kind.startswith("image/"):
            raise ValueError(f"{path}: not an image by its name. Save it as PNG or JPEG.")
        data = base64.b64encode(Path(path).read_bytes()).decode()
        words = self._prompt("figure") + (f"\n\nCaption: {caption}" if caption else "")
        image = {"type": "image_url", "image_url": {"url": f"data:{kind};base64,{data}"}}
        return self.chat.ask([{"role": "user", "content": [{"type": "text", "text": words}, image]}])

    @property
    def rejected(self) -> pd.DataFrame:
        """Events that were set aside, and why."""
        rows = [row for rows in self._rejected.values() for row in rows]
        return pd.DataFrame(rows, columns=["chunk", "reason", "record"])

    @property
    def signature(self) -> str:
        """What the events depend on."""
        prompts = [self._prompt(name) for name in ("extract", *(["distil"] if self.distil else []))]
        digest = hashlib.sha256(repr((prompts, Extraction.model_json_schema(), self.chat.settings)).encode())
        return f"llm:{self.chat.model}:{digest.hexdigest()[:12]}"

    def _prompt(self, name: str) -> str:
        return (self.prompts / f"{name}.md").read_text("utf-8")

    def _asked(self, chunks: list[Chunk], texts: list[str], prompt: str, output) -> list[Any]:
        """What the model answers to each chunk that has a text; None, and listed, where it does not."""
        ask = [(chunk, text) for chunk, text in zip(chunks, texts, strict=True) if text.strip()]
        ids = [chunk.id for chunk, _ in ask]
        given = self.chat.ask_many([text for _, text in ask], output, self._prompt(prompt), ids, self.progress)
        self.failed |= {c.id: f"{a.kind}: {a.message}" for (c, _), a in zip(ask, given, strict=True) if not a.ok}
        values = {chunk.id: answer.value for (chunk, _), answer in zip(ask, given, strict=True)}
        return [values.get(chunk.id) for chunk in chunks]

    def _events(self, chunk: Chunk, records: list[Any]) -> list[Event]:
        events = []
        for record in records:
            try:
                events.append(_event(chunk, record))
            except ValueError as error:
                row = {"chunk": chunk.id, "reason": what_is_wrong(error), "record": record}
                self._rejected.setdefault(chunk.id, []).append(row)
        return events


def _event(chunk: Chunk, record: Any) -> Event:
    """The event of a record, with its evidence found in the chunk."""
    if not isinstance(record, dict):
        raise ValueError("not a record with source, relation and target")
    known = {name: record[name] for name in _Found.model_fields if name in record}
    for side in ("source", "target"):
        if isinstance(known.get(side), list):
            known[side] = [" ".join(name.split()) if isinstance(name, str) else name for name in known[side]]
    event = Event.model_validate(known)
    if len(event.members) < 2:
        raise ValueError("fewer than two members")
    place = locate(event.evidence, event.members, chunk.text)
    if place is None:
        raise ValueError("its evidence does not stand in the chunk")
    start, end, confidence = place
    return event.model_copy(
        update={
            "evidence": chunk.text[start:end],
            "confidence": confidence,
            "document": chunk.document,
            "chunk": chunk.id,
            "start": chunk.start + start,
            "end": chunk.start + end,
        }
    )
