"""How well events are extracted: predictions against a gold set, sentence by sentence.

Both sides are compared as the conventions in ``notes/annotation.md`` say (rule 6): entities by exact lower-cased
label within an item, events by a one-to-one assignment with the most pairs of Jaccard overlap at least one half.
Intervals resample whole documents, because the sentences of one document are alike.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ..corpus.documents import read_documents
from ..models.parser import parse
from ..schema import Chunk, Event

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

__all__ = [
    "Gold",
    "GoldItem",
    "NounChunkBaseline",
    "TripleBaseline",
    "agreement",
    "item_table",
    "match_events",
    "read_gold",
    "read_span_gold",
    "relation_head",
    "score_extraction",
]


@dataclass(frozen=True)
class GoldItem:
    """One annotated sentence: its place ``start``–``end`` in the text of its document, and its events."""

    document: str
    start: int
    end: int
    text: str
    events: tuple[Event, ...] = ()


@dataclass(frozen=True)
class Gold:
    """Annotated sentences and the texts they stand in (`texts`: document -> text)."""

    items: tuple[GoldItem, ...]
    texts: dict[str, str] = field(default_factory=dict)

    def chunks(self) -> list[Chunk]:
        """Every document as one chunk: what an extractor is given."""
        return [
            Chunk(id=f"{name}/0", document=name, index=0, start=0, end=len(text), text=text)
            for name, text in self.texts.items()
        ]

    def only(self, documents: Iterable[str]) -> Gold:
        """The part on some documents."""
        kept = set(documents)
        return Gold(
            tuple(item for item in self.items if item.document in kept),
            {name: text for name, text in self.texts.items() if name in kept},
        )


# ---------------------------------------------------------------- read


def read_gold(path: str | Path, documents: str | Path | None = None) -> Gold:
    """Read ``{"documents": [{"document", "sentences": [{"text", "events": [...]}]}]}``.

    Parameters
    ----------
    path : path
    documents : path, optional
        Folder of ``{document}.md`` or ``.txt``; the sibling folder ``../documents`` by default. Where a document has
        no file, its sentences joined by spaces stand for its text.

    Raises
    ------
    ValueError
        If a sentence is not in its document, or an event is malformed; the message names it.
    """
    path = Path(path)
    folder = Path(documents) if documents is not None else path.parent.parent / "documents"
    items, texts = [], {}
    for record in json.loads(path.read_text(encoding="utf-8"))["documents"]:
        name = record["document"]
        files = [file for suffix in ("md", "txt") if (file := folder / f"{name}.{suffix}").is_file()]
        sentences = [sentence["text"] for sentence in record["sentences"]]
        text = texts[name] = read_documents(files[0]).documents[0].text if files else " ".join(sentences)
        at = 0
        for number, sentence in enumerate(record["sentences"], 1):
            start = text.find(sentence["text"], at)
            if start < 0:
                raise ValueError(
                    f"{path}: sentence {number} of document {name!r} is not in its text: {sentence['text']!r}"
                )
            at = start + len(sentence["text"])
            items.append(
                GoldItem(name, start, at, sentence["text"], _events(sentence["events"], f"{path}: {name}:{number}"))
            )
    return Gold(tuple(items), texts)


def read_span_gold(path: str | Path, shared_data: str | Path) -> Gold:
    """Read gold that stores places, not words: ``{"items": [{"file", "record", "sha256", "sentence", "events"}]}``.

    A member is a list of spans into the passage, joined by one space; a relation is spans or a literal. The passage
    is record number `record` of ``shared_data/file``: `text` of a list, ``attrs.abstract`` of the edges of an HIF file.
    An item whose passage is not the one that was annotated (its SHA-256 differs) is left out, with a warning.
    """
    import warnings
    from hashlib import sha256

    path, root = Path(path), Path(shared_data)
    files: dict[str, Any] = {}
    items, texts = [], {}
    for number, item in enumerate(json.loads(path.read_text(encoding="utf-8"))["items"], 1):
        name = item["file"]
        if name not in files:
            files[name] = json.loads((root / name).read_text(encoding="utf-8"))
        text = _passage(files[name], item["record"])
        if sha256(text.encode()).hexdigest() != item["sha256"]:
            message = f"{path}: item {number} left out: record {item['record']} of {name} is not the annotated text."
            warnings.warn(message, stacklevel=2)
            continue

        def words(spans: Any, text: str = text) -> str:
            return spans if isinstance(spans, str) else " ".join(text[start:end] for start, end in spans)

        events = [
            {
                "source": [*map(words, e["source"])],
                "relation": words(e["relation"]),
                "target": [*map(words, e["target"])],
                "kind": e.get("kind", "explicit"),
            }
            for e in item["events"]
        ]  # fmt: skip
        start, end = item["sentence"]
        document = f"{name}#{item['record']}"
        texts[document] = text
        items.append(GoldItem(document, start, end, text[start:end], _events(events, f"{path}: item {number}")))
    return Gold(tuple(items), texts)


def _passage(data: Any, record: int) -> str:
    """The text of record number `record`: of a list of passages, or of the edges of an HIF file."""
    return data[record]["text"] if isinstance(data, list) else data["edges"][record]["attrs"]["abstract"]


def _events(records: Iterable[dict], where: str) -> tuple[Event, ...]:
    try:
        return tuple(Event.model_validate(record) for record in records)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from error


# ---------------------------------------------------------------- match


def _members(event: Event) -> frozenset[str]:
    return frozenset(name.lower() for name in event.members)


def match_events(predicted: list[Event], gold: list[Event], threshold: float = 0.5) -> list[tuple[int, int, float]]:
    """Pair predicted with gold events: the most pairs of Jaccard >= `threshold`, then the largest total Jaccard.

    Returns
    -------
    list of (index in predicted, index in gold, Jaccard)

    Examples
    --------
    >>> a, b = Event(source=["x"], relation="r", target=["y"]), Event(source=["x"], relation="r", target=["y", "z"])
    >>> match_events([b], [a, b])
    [(0, 1, 1.0)]
    """
    from scipy.optimize import linear_sum_assignment

    if not predicted or not gold:
        return []
    left, right = [_members(e) for e in predicted], [_members(e) for e in gold]
    jaccard = np.array([[len(p & g) / len(p | g) for g in right] for p in left])
    good = jaccard >= threshold
    rows, columns = linear_sum_assignment(np.where(good, jaccard + min(jaccard.shape) + 1, 0.0), maximize=True)
    return [(int(i), int(j), float(jaccard[i, j])) for i, j in zip(rows, columns, strict=True) if good[i, j]]


def _same_direction(one: Event, two: Event) -> bool:
    source, target = ({name.lower() for name in side} for side in (one.source, one.target))
    source2, target2 = ({name.lower() for name in side} for side in (two.source, two.target))
    return len(source & source2) + len(target & target2) > len(source & target2) + len(target & source2)


@lru_cache(maxsize=50_000)
def relation_head(relation: str) -> str:
    """The head of a relation: the lemma of its last verb; without a verb, of its first noun or adjective; else ``be``.

    Auxiliaries, modals and copulas are no verbs here: "has been used for" -> use, "is" -> be.

    Examples
    --------
    >>> relation_head("was reinforced by"), relation_head("is")
    ('reinforce', 'be')
    """
    (doc,) = parse([f"It {relation}" if relation.split()[:1] != ["to"] else relation])
    tokens = list(doc)[1:]
    verbs = [t for t in tokens if t.pos_ == "VERB"]
    other = [t for t in tokens if t.pos_ in ("NOUN", "PROPN", "ADJ")]
    if verbs or other:
        return (verbs[-1] if verbs else other[0]).lemma_.lower()
    return "be" if any(t.pos_ == "AUX" for t in tokens) or not relation.split() else relation.split()[0].lower()


# ---------------------------------------------------------------- score

_COUNTS = ["entity_hit", "entity_predicted", "entity_gold", "event_hit", "event_predicted", "event_gold", "exact_hit",
           "direction_hit", "head_hit"]  # fmt: skip


def _aligned(predicted: Iterable[Event], gold: Gold) -> tuple[list[list[Event]], int]:
    """Predicted events by the gold item that their evidence overlaps most, and how many overlap none."""
    places: dict[str, list[int]] = {}
    for number, item in enumerate(gold.items):
        places.setdefault(item.document, []).append(number)
    aligned: list[list[Event]] = [[] for _ in gold.items]
    outside = 0
    for event in predicted:
        text, start, end = gold.texts.get(event.document or "", ""), event.start, event.end
        if event.evidence and (start is None or end is None or text[start:end] != event.evidence):
            start = text.find(event.evidence)  # extracted from another rendering of the document
            end = start + len(event.evidence) if start >= 0 else start
        start, end = (0, 0) if start is None or end is None else (start, end)
        overlaps = [
            (min(end, gold.items[n].end) - max(start, gold.items[n].start), -n)
            for n in places.get(event.document or "", [])
        ]
        best = max(overlaps, default=(0, 0))
        if best[0] > 0:
            aligned[-best[1]].append(event)
        else:
            outside += 1
    return aligned, outside


def item_table(predicted: Iterable[Event], gold: Gold) -> pd.DataFrame:
    """Counts of each gold item (columns `document`, hits, predicted, gold), what `score_extraction` adds up.

    ``.attrs["outside"]`` is the number of predicted events whose evidence lies in no annotated sentence; they cannot
    be judged and are not scored.
    """
    aligned, outside = _aligned(predicted, gold)
    rows = []
    for item, events in zip(gold.items, aligned, strict=True):
        truth = list(item.events)
        found, wanted = ({name for e in side for name in _members(e)} for side in (events, truth))
        pairs = match_events(events, truth)
        exact = Counter(map(_members, events)) & Counter(map(_members, truth))
        rows.append([
            item.document, len(found & wanted), len(found), len(wanted), len(pairs), len(events), len(truth),
            exact.total(),
            sum(_same_direction(events[i], truth[j]) for i, j, _ in pairs),
            sum(relation_head(events[i].relation) == relation_head(truth[j].relation) for i, j, _ in pairs),
        ])  # fmt: skip
    table = pd.DataFrame(rows, columns=["document", *_COUNTS])
    table.attrs["outside"] = outside
    return table


def score_extraction(
    predicted: Iterable[Event], gold: Gold, n_boot: int = 1000, rng: int | np.random.Generator = 0
) -> pd.DataFrame:
    """Score extracted events against a gold set.

    Parameters
    ----------
    predicted : iterable of Event
        With `document`, `start`, `end` and `evidence`, from which each finds its sentence.
    gold : Gold
    n_boot : int
        Bootstrap samples of documents for the 95 % intervals.
    rng : seed or Generator

    Returns
    -------
    DataFrame
        Index `metric` (``entity``, ``event`` and ``exact`` with ``_precision``, ``_recall``, ``_f1``;
        ``direction_accuracy`` and ``head_accuracy`` on matched pairs), columns `value`, `low`, `high`, `n` (the
        denominator; for F1 predicted + gold).

    Notes
    -----
    F1 is ``2 hits / (predicted + gold)``. A matched pair has the right direction when its sides agree on more
    members than its crossed sides; its relation head is defined by `relation_head`.
    """
    table = item_table(predicted, gold)
    by_document = table.groupby("document", sort=True)[_COUNTS].sum().to_numpy(float)
    generator = np.random.default_rng(rng)
    draws = (
        generator.integers(0, len(by_document), (n_boot, len(by_document)))
        if len(by_document)
        else np.zeros((0, 0), int)
    )
    names, values, sizes = _metrics(by_document.sum(0, keepdims=True))
    _, samples, _ = _metrics(by_document[draws].sum(1)) if len(draws) else (None, values, None)
    with np.errstate(all="ignore"):
        low, high = np.nanquantile(samples, [0.025, 0.975], axis=0)
    scores = pd.DataFrame({"value": values[0], "low": low, "high": high, "n": sizes[0].astype(int)}, index=names)
    scores.attrs["outside"] = table.attrs["outside"]
    return scores.rename_axis("metric")


def _metrics(counts: np.ndarray) -> tuple[list[str], np.ndarray, np.ndarray]:
    c = dict(zip(_COUNTS, counts.T, strict=True))
    columns = {}
    for name, hit, predicted, gold in (
        ("entity", "entity_hit", "entity_predicted", "entity_gold"),
        ("event", "event_hit", "event_predicted", "event_gold"),
        ("exact", "exact_hit", "event_predicted", "event_gold"),
    ):
        columns[f"{name}_precision"] = (c[hit], c[predicted])
        columns[f"{name}_recall"] = (c[hit], c[gold])
        columns[f"{name}_f1"] = (2 * c[hit], c[predicted] + c[gold])
    columns["direction_accuracy"] = (c["direction_hit"], c["event_hit"])
    columns["head_accuracy"] = (c["head_hit"], c["event_hit"])
    with np.errstate(all="ignore"):
        values = np.stack([np.where(n > 0, hit / np.maximum(n, 1), 0.0) for hit, n in columns.values()], axis=1)
    return list(columns), values, np.stack([n for _, n in columns.values()], axis=1)


def agreement(
    annotation_a: Gold, annotation_b: Gold, n_boot: int = 1000, rng: int | np.random.Generator = 0
) -> pd.DataFrame:
    """Score one annotation against another as if it were a prediction; F1 and accuracies are symmetric."""
    events = [
        event.model_copy(
            update={"document": item.document, "start": item.start, "end": item.end, "evidence": item.text}
        )
        for item in annotation_a.items
        for event in item.events
    ]
    return score_extraction(events, annotation_b, n_boot, rng)


# ---------------------------------------------------------------- baselines


class _Baseline:
    def extract(self, chunks: Iterable[Chunk]) -> Iterator[list[Event]]:
        """One list of events a chunk, as `RuleExtractor.extract` gives them."""
        chunks = list(chunks)
        for chunk, doc in zip(chunks, parse(c.text.replace("\n", " ") for c in chunks), strict=True):
            yield [
                Event(
                    source=source, relation=relation, target=target, document=chunk.document, chunk=chunk.id,
                    evidence=chunk.text[s.start_char : s.end_char],
                    start=chunk.start + s.start_char, end=chunk.start + s.end_char,
                )
                for s in doc.sents
                for source, relation, target in self.statements(s)
            ]  # fmt: skip

    def statements(self, sentence: Any) -> Iterator[tuple[list[str], str, list[str]]]:
        raise NotImplementedError


class NounChunkBaseline(_Baseline):
    """Every sentence is one hyperedge over its noun chunks, determiners dropped: the first to the rest."""

    def statements(self, sentence: Any) -> Iterator[tuple[list[str], str, list[str]]]:
        names = list(dict.fromkeys(filter(None, (_plain(chunk) for chunk in sentence.noun_chunks))))
        if len(names) > 1:
            yield names[:1], "co-occurs with", names[1:]


class TripleBaseline(_Baseline):
    """Plain subject–verb–object triples: head noun chunks of nsubj and dobj, attr or an agent; nothing else."""

    def statements(self, sentence: Any) -> Iterator[tuple[list[str], str, list[str]]]:
        chunks = {chunk.root.i: _plain(chunk) for chunk in sentence.noun_chunks}
        for verb in sentence:
            children: list[Token] = list(verb.children)
            subjects = [chunks.get(c.i, "") for c in children if c.dep_ in ("nsubj", "nsubjpass")]
            objects = [chunks.get(c.i, "") for c in children if c.dep_ in ("dobj", "attr")]
            objects += [chunks.get(p.i, "") for c in children if c.dep_ == "agent" for p in c.children]
            for subject in filter(None, subjects):
                for thing in filter(None, objects):
                    yield [subject], verb.text, [thing]


def _plain(chunk: Doc | Any) -> str:
    words = [t for t in chunk if t.pos_ not in ("DET", "PRON", "SPACE") and t.dep_ != "det"]
    return " ".join(chunk.doc[words[0].i : words[-1].i + 1].text.split()) if words else ""
