"""The offline extractor: two passes of rules over the packaged parser [1]_.

References
----------
.. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, section 2.1.1.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from ...models.parser import PIPELINE, parse
from ...schema import Chunk, Event
from . import completion
from .causes import causes
from .clauses import Clauses, Frame
from .composites import parts
from .grammar import has, kids
from .memory import Memory
from .phrases import Phrases
from .repair import Reading, best_readings
from .text import Parenthesis, is_english, prose

if TYPE_CHECKING:
    from spacy.tokens import Span

__all__ = ["RuleExtractor"]

CHARACTERS_AT_ONCE = 25_000
"""Read together, by one process: neither memory nor the wait for the first events grows with the corpus."""


class RuleExtractor:
    """Extract n-ary events from English text by rules, without a network and without chance.

    Parameters
    ----------
    workers : int, optional
        Processes. By default one for short input and one a core, at most eight, where there is much to read. The
        events are the same.
    max_tokens : int
        Longer sentences are lists or debris and give no events.

    Examples
    --------
    >>> for event in RuleExtractor().extract_text("Glass fibres (GF) reinforce the epoxy resin."):
    ...     print(event.sentence)
    Glass fibres – is – GF
    Glass fibres – reinforce – epoxy resin
    """

    def __init__(self, workers: int | None = None, max_tokens: int = 100):
        self.workers, self.max_tokens = workers, max_tokens

    @property
    def signature(self) -> str:
        """Changes with the rules, the parser and what bears on their result."""
        digest = hashlib.blake2b(digest_size=8)
        for file in sorted(Path(__file__).parent.glob("*.py")):
            digest.update(file.read_bytes())
        return f"rules-{digest.hexdigest()}-{PIPELINE}-{self.max_tokens}"

    def extract(self, chunks: Iterable[Chunk]) -> Iterator[list[Event]]:
        """One list of events a chunk, in text order.

        Parameters
        ----------
        chunks : iterable of Chunk

        Yields
        ------
        list of Event
            `evidence` is the sentence verbatim, ``start``–``end`` its place in the document.
        """
        pieces = _pieces(chunks)
        first = list(islice(pieces, 3))
        workers = (min(os.cpu_count() or 1, 8) if len(first) == 3 else 1) if self.workers is None else self.workers
        if workers == 1:
            for piece in chain(first, pieces):
                yield from self._extract(piece)
            return
        from joblib import Parallel, delayed

        jobs = (delayed(_extract_piece)(self.max_tokens, piece, os.getpid()) for piece in chain(first, pieces))
        for found in Parallel(n_jobs=workers, return_as="generator")(jobs):
            yield from found

    def _extract(self, piece: list[Chunk]) -> Iterator[list[Event]]:
        paragraphs = [(number, p) for number, chunk in enumerate(piece) for p in prose(chunk.text)]
        docs = parse(p.text for _, p in paragraphs)
        numbers: list[int] = []
        readings: list[Reading] = []
        for (number, paragraph), doc in zip(paragraphs, docs, strict=True):
            kept = [s for s in doc.sents if 3 <= len(s) <= self.max_tokens and is_english(s.text)]
            numbers += [number] * len(kept)
            readings += [(paragraph, sentence) for sentence in kept]
        places = [p.span(s.start_char, s.end_char) for p, s in readings]
        inside = [[x for x in p.parentheses if s.start_char < x.at <= s.end_char] for p, s in readings]
        rows = zip(numbers, best_readings(readings), places, inside, strict=True)
        grouped = {number: list(group) for number, group in groupby(rows, key=itemgetter(0))}
        for number, chunk in enumerate(piece):
            memory, seen, events = Memory(), set[str](), list[Event]()
            for _, (text, sentence), place, parentheses in grouped.get(number, []):
                memory.begin()
                frames = self._frames(sentence, Phrases(text, memory), seen, parentheses)
                events += [self._event(frame, chunk, *place) for frame in frames]
            yield events

    def extract_text(self, text: str) -> list[Event]:
        """The events of one text."""
        return next(self.extract([Chunk(id="text/0", document="text", index=0, start=0, end=len(text), text=text)]))

    @staticmethod
    def _event(frame: Frame, chunk: Chunk, start: int, end: int) -> Event:
        completed = frame.kind == "completed"
        source, target = ([label for _, label in side] for side in (frame.source, frame.target))
        return Event(
            source=source, relation=frame.relation, target=target,
            evidence=chunk.text[start:end], start=chunk.start + start, end=chunk.start + end, document=chunk.document,
            chunk=chunk.id, kind="completed" if completed else "explicit", confidence=0.7 if completed else 0.9,
        )  # fmt: skip

    def _frames(self, sentence: Span, phrases: Phrases, seen: set[str], inside: list[Parenthesis]) -> list[Frame]:
        clauses = Clauses(sentence, phrases)
        frames = clauses.read()
        extra = causes(sentence, clauses)
        extra += completion.appositions(sentence, phrases) + completion.purposes(sentence, phrases)
        extra += completion.actions(sentence, phrases)
        extra += completion.parentheses(sentence, phrases, inside)
        for place, label in sorted({f for frame in [*frames, *extra] for f in frame.members}):
            if label.lower() not in seen and (made := parts(label, seen)):
                members, whole = [(place, part) for part in made], [(place, label)]
                extra.append(Frame(sentence.doc[place], members, "compose", whole, "completed"))
            seen.add(label.lower())
        kept, known = [], set()
        for frame in sorted([*frames, *extra], key=lambda f: (f.verb.i, f.kind == "completed")):
            labels = {label.lower() for _, label in frame.members}
            key = (frozenset(labels), frame.relation)
            said = frame.shown and frame.source and frame.target and frame.relation
            if said and len(labels) > 1 and key not in known:
                known.add(key)
                kept.append(frame)
        for frame in frames:
            self._remember(frame, phrases)
        return kept

    @staticmethod
    def _remember(frame: Frame, phrases: Phrases) -> None:
        """ "X is a Y" lets a later "the Y" mean X."""
        if frame.relation in ("is", "are", "was", "were"):
            for noun in kids(frame.verb, "attr")[:1]:
                if frame.source and not has(noun, "poss") and not has(noun, "det", words=("the",)):
                    phrases.memory.isa.setdefault(phrases.lemma(noun), (frame.source[0][1],))


def _pieces(chunks: Iterable[Chunk]) -> Iterator[list[Chunk]]:
    """Chunks to be read together; the same whatever the number of processes."""
    piece, size = list[Chunk](), 0
    for chunk in chunks:
        piece.append(chunk)
        size += len(chunk.text)
        if size >= CHARACTERS_AT_ONCE:
            yield piece
            piece, size = [], 0
    if piece:
        yield piece


def _extract_piece(max_tokens: int, piece: list[Chunk], parent: int) -> list[list[Event]]:
    """In a process of its own."""
    _end_with(parent)
    return list(RuleExtractor(1, max_tokens)._extract(piece))


@lru_cache(maxsize=1)
def _end_with(parent: int) -> None:
    """This process ends when its parent is killed: half a gigabyte would wait for work without end."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
