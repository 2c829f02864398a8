"""Documents -> chunks -> events -> one hypergraph, names merged as it grows (Algorithm 1 of [1]_).

Extraction is the slow step and is kept on disk a batch at a time; everything after it is a function of the documents
and the settings. A build that was killed and run again therefore gives the same bytes as one that was not.

Where this departs from the algorithm as printed: the vectors of *all* nodes new since the last merge are compared, not
only those of the current document; a name merged once stays merged when it turns up again; and definitions ("long form
(ABBR)") are read off the whole corpus first, so that a short form with two meanings is known before it is merged.

References
----------
.. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, sections 2.1.2 and 2.1.3.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from ..hypergraph import Hypergraph
from ..schema import Chunk, Document, Event
from .build_folder import BuildFolder
from .definitions import Definitions, find_definitions
from .documents import MANIFEST, Corpus, read_documents
from .merge import Merges, compose, find_merges
from .split import split

__all__ = ["Build", "build"]

_BLOCK = 150_000  # characters


@dataclass(frozen=True)
class Build:
    """What a build made.

    Attributes
    ----------
    hypergraph : Hypergraph
        After merging. `raw` is the one before it, and ``raw.merge_nodes(merges.mapping)`` leads from one to the other.
    raw : Hypergraph
    events : list of Event
        As extracted, in the order of the documents.
    merges : Merges
        `mapping` (merged name -> representative), `audit` (who was merged into whom, on what evidence) and `vetoed`
        (which pairs were kept apart, and why). `undo` takes some back.
    definitions : DataFrame
        The short and long forms that the documents define.
    embeddings : (Index, float32 array)
        Names and unit vectors of the nodes; empty without merging.
    manifest : DataFrame
        Documents read and left out, chunks that failed.
    settings : dict
    """

    hypergraph: Hypergraph
    raw: Hypergraph = field(repr=False)
    events: list[Event] = field(repr=False)
    merges: Merges = field(repr=False)
    definitions: pd.DataFrame = field(repr=False)
    embeddings: tuple[pd.Index, np.ndarray] = field(repr=False)
    manifest: pd.DataFrame = field(repr=False)
    settings: dict[str, Any]


def build(
    documents: str | Path | Corpus | Iterable[Document],
    extractor=None,
    embedder=None,
    out: str | Path | None = None,
    *,
    every: int = 10,
    threshold: float = 0.95,
    merge: Literal["guarded", "paper", "none"] = "guarded",
    size: int = 10_000,
    overlap: int = 0,
    strict: bool = False,
    progress: bool = True,
) -> Build:
    """Build a hypergraph from documents.

    Parameters
    ----------
    documents : path, Corpus or iterable of Document
    extractor : object with ``extract(chunks)`` and ``signature``, optional
        `RuleExtractor` by default.
    embedder : object with ``encode(texts)`` and ``signature``, or a name, optional
        The packaged MiniLM by default.
    out : str or Path, optional
        Folder for the result. Run again after an interruption, or with more documents, only what is missing is
        extracted. A folder that another build is writing to is refused.
    every : int
        Documents between two merges, f of [1]_.
    threshold : float
        Least cosine of two names that are merged, θ of [1]_.
    merge : {"guarded", "paper", "none"}
        "paper" is cosine alone and drops collapsed hyperedges; "guarded" adds definitions as evidence and keeps
        apart names that differ in a number, unit, numeral, negation or opposite.
    size, overlap : int
        Characters a chunk, and shared by neighbours.
    strict : bool
        Stop at the first unreadable document or failed chunk.

    Returns
    -------
    Build

    Raises
    ------
    ValueError
        If a setting is out of range or no document can be read.
    BuildInProgress
        If another build holds `out`.

    References
    ----------
    .. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, Algorithm 1.
    """
    if every < 1 or not -1 <= threshold <= 1 or merge not in ("guarded", "paper", "none"):
        raise ValueError(
            f"every={every}, threshold={threshold}, merge={merge!r}: every is at least 1, threshold in [-1, 1]."
        )
    corpus = _as_corpus(documents, strict)
    extractor, embedder = _default_extractor(extractor), _default_embedder(embedder, merge)
    chunks = split(corpus.documents, size, overlap)
    settings = {
        "extractor": extractor.signature,
        "embedder": embedder.signature if embedder else None,
        "merge": merge,
        "every": every,
        "threshold": threshold,
        "size": size,
        "overlap": overlap,
    }
    with BuildFolder.opened(out) as folder:
        events, failed = _extracted(chunks, extractor, folder, strict, progress)
        _date(events, corpus.documents)
        grown = _Growing(embedder, folder, merge, threshold, _definitions(corpus.documents))
        for number, document in enumerate(tqdm(corpus.documents, "merge", disable=not (progress and embedder)), 1):
            grown.add(events.get(document.id, []))
            if embedder and (number % every == 0 or number == len(corpus.documents)):
                grown.merge()
        result = _result(corpus, events, failed, grown, settings)
        folder.write(result, corpus.documents)
    return result


def _as_corpus(documents, strict: bool) -> Corpus:
    if isinstance(documents, Corpus):
        return documents
    if isinstance(documents, (str, Path)):
        return read_documents(documents, strict)
    documents = list(documents)
    if wrong := [d for d in documents if not isinstance(d, Document)]:
        raise TypeError(f"{wrong[0]!r:.80} is {type(wrong[0]).__name__}, no Document; `read_documents` reads files.")
    ids = pd.Index([d.id for d in documents])
    if not ids.is_unique:
        raise ValueError(f"two documents have the id {ids[ids.duplicated()][0]!r}. Give each its own.")
    rows = [(d.path, "read", d.id, len(d.text), None, "") for d in documents]
    return Corpus(documents, pd.DataFrame(rows, columns=MANIFEST))


def _default_extractor(extractor):
    if extractor is None:
        from .rules import RuleExtractor

        return RuleExtractor()
    return extractor


def _default_embedder(embedder, merge: str):
    if merge == "none":
        return None
    if embedder is None or isinstance(embedder, str):
        from ..models.embedder import embedder as named

        return named(embedder or "minilm")
    return embedder


def _extracted(chunks: list[Chunk], extractor, folder: BuildFolder, strict: bool, progress: bool):
    """Events by document, and the chunks that failed; what the folder holds already is not extracted again."""
    cache, signature = folder.events, extractor.signature
    missing = {chunk.id for chunk in cache.missing(chunks, signature)}
    done, total = len(chunks) - len(missing), len(chunks)
    bar = tqdm(total=total, initial=done, desc="extract", unit="chunk", disable=not progress)
    failed: dict[str, str] = {}
    with bar:
        for block in _blocks(chunks):
            batch = [chunk for chunk in block if chunk.id in missing]
            if not batch:
                continue
            pairs = list(zip(batch, extractor.extract(batch), strict=True))
            wrong = dict(getattr(extractor, "failed", {}))
            if strict and wrong:
                chunk, reason = next(iter(wrong.items()))
                raise ValueError(f"chunk {chunk}: {reason}")
            failed |= {chunk.id: wrong[chunk.id] for chunk, _ in pairs if chunk.id in wrong}
            cache.put([(chunk, found) for chunk, found in pairs if chunk.id not in wrong], signature)
            bar.update(len(batch))
    events: dict[str, list[Event]] = {}
    for chunk, found in cache.get(chunks, signature):
        events.setdefault(chunk.document, []).extend(found or [])
    return events, failed


def _blocks(chunks: list[Chunk]) -> list[list[Chunk]]:
    """What is extracted and stored together. Blocks depend on the documents alone, not on what a killed build had
    done, so that the parser meets each text in the same company."""
    size = np.cumsum([0, *(len(chunk.text) for chunk in chunks)])
    block = (size[:-1] // _BLOCK).tolist()
    return [[chunks[i] for i in group] for _, group in groupby(range(len(chunks)), key=block.__getitem__)]


def _date(events: dict[str, list[Event]], documents: list[Document]) -> None:
    known = {d.id: {k: v for k, v in (("date", d.date), ("doi", d.doi)) if v} for d in documents}
    for document, found in events.items():
        if known[document]:
            events[document] = [event.model_copy(update=known[document]) for event in found]


def _definitions(documents: list[Document]) -> pd.DataFrame:
    found = [find_definitions(d.text).assign(document=d.id) for d in documents if "(" in d.text]
    found = [table for table in found if len(table)]
    return pd.concat(found, ignore_index=True) if found else find_definitions("").assign(document="")


class _Growing:
    """Names, degrees and vectors while documents are added; `mapping` always leads to a name that still stands."""

    def __init__(self, embedder, folder: BuildFolder, mode: Any, threshold: float, definitions: pd.DataFrame):
        self.embedder, self.folder, self.mode, self.threshold = embedder, folder, mode, threshold
        self.definitions, self.known = definitions, Definitions(definitions) if mode == "guarded" else None
        self.found: Merges | None = None
        self.incident: dict[str, set[int]] = {}
        self.names: list[str] = []
        self.vectors = np.zeros((0, getattr(embedder, "dim", 0)), np.float32)
        self.rounds, self.edges = 0, 0

    @property
    def mapping(self) -> dict[str, str]:
        return self.found.mapping if self.found else {}

    def add(self, events: list[Event]) -> None:
        mapping = self.mapping
        for event in events:
            for name in event.members:
                self.incident.setdefault(mapping.get(name, name), set()).add(self.edges)
            self.edges += 1

    def merge(self) -> None:
        held = set(self.names)
        fresh = [name for name in self.incident if name not in held]
        if not fresh:
            return
        self.rounds += 1
        self.names += fresh
        self.vectors = np.vstack([self.vectors, self.folder.vectors(self.rounds, fresh, self.embedder)])
        found = find_merges(
            self.names,
            np.array([len(self.incident[name]) for name in self.names]),
            self.vectors,
            threshold=self.threshold,
            definitions=self.known,
            mode=self.mode,
            new=np.arange(len(self.names)) >= len(held),
            before=self.mapping,
            progress=False,
        )
        self.found = compose(self.found, found) if self.found else found
        for old, new in found.mapping.items():
            self.incident[new] |= self.incident.pop(old)
        stays = np.array([name not in found.mapping for name in self.names])
        self.names, self.vectors = [n for n, kept in zip(self.names, stays, strict=True) if kept], self.vectors[stays]


def _result(corpus: Corpus, events: dict[str, list[Event]], failed: dict[str, str], grown: _Growing, settings) -> Build:
    ordered = [event for document in corpus.documents for event in events.get(document.id, [])]
    raw = Hypergraph.from_events(ordered)
    hypergraph = raw.merge_nodes(grown.mapping, drop_collapsed=True) if grown.mapping else raw
    vectors = dict(zip(grown.names, grown.vectors, strict=True))
    names = hypergraph.nodes.index
    matrix = np.array([vectors[n] for n in names], np.float32) if vectors else np.zeros((0, 0), np.float32)
    bad = pd.DataFrame([(c, "failed", None, 0, None, r) for c, r in failed.items()], columns=MANIFEST)
    merges = grown.found or find_merges(([], []), np.zeros((0, 0)), progress=False)
    return Build(
        hypergraph=hypergraph,
        raw=raw,
        events=ordered,
        merges=merges,
        definitions=grown.definitions,
        embeddings=(names if vectors else names[:0], matrix),
        manifest=pd.concat([corpus.manifest, bad], ignore_index=True) if len(bad) else corpus.manifest,
        settings=settings,
    )
