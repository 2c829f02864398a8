"""From documents or records to the order-aware hypergraph: extraction, then the five clean-up steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import pandas as pd

from ..hypergraph import Hypergraph
from ..schema import Document
from .blocks import PROBLEMS, Block, split_blocks
from .clean import postprocess
from .domain import Domain, load_domain
from .facts import Fact, to_hypergraph
from .records import facts_of_records
from .rules import facts_by_rules

if TYPE_CHECKING:
    from ..models.chat import Chat

__all__ = ["Built", "Extraction", "build", "extract"]

Method = Literal["rules", "chat", "chat_whole"]


@dataclass(frozen=True)
class Extraction:
    """Facts as found.

    Attributes
    ----------
    hypergraph : Hypergraph
        Before any clean-up.
    facts : list of Fact
    blocks : list of Block
        Of documents; empty for records.
    problems : DataFrame
        `document`, `place`, `problem`, `detail`.
    unmatched : DataFrame
        Sentences without a fact: `document`, `chunk`, `start`, `end`, `text`.
    """

    hypergraph: Hypergraph
    facts: list[Fact]
    blocks: list[Block]
    problems: pd.DataFrame
    unmatched: pd.DataFrame


@dataclass(frozen=True)
class Built:
    """An order-aware hypergraph and how it came about: `problems` and `unmatched` of the extraction, `reports` of the
    clean-up by step."""

    hypergraph: Hypergraph
    extraction: Extraction
    reports: dict[str, pd.DataFrame] = field(default_factory=dict)

    @property
    def problems(self) -> pd.DataFrame:
        return self.extraction.problems

    @property
    def unmatched(self) -> pd.DataFrame:
        return self.extraction.unmatched


def build(
    sources: Iterable[Document | Mapping],
    domain: Domain | str,
    method: Method = "rules",
    chat: Chat | None = None,
    threshold: float = 88,
    progress: bool = True,
) -> Built:
    """Extract facts and clean them up.

    Parameters
    ----------
    sources, domain, method, chat, progress
        As in `extract`.
    threshold : float
        As in `normalise_relations`.

    Returns
    -------
    Built

    Examples
    --------
    >>> record = {"cyclone": {"name": "Nemo", "category": "Tropical Storm"}, "port": {"name": "Port Royal"}}
    >>> rows = [{"document": "d", "index": 48, "record": record}]
    >>> built = build(rows, "cyclones", progress=False)
    >>> sorted(built.hypergraph.nodes.index)
    ['cyclone:NEMO', 'cyclone_state:NEMO:T-48', 'horizon:T-48']
    """
    domain = load_domain(domain)
    extraction = extract(sources, domain, method, chat, progress)
    H, reports = postprocess(extraction.hypergraph, domain, threshold)
    return Built(H, extraction, reports)


def extract(
    sources: Iterable[Document | Mapping],
    domain: Domain | str,
    method: Method = "rules",
    chat: Chat | None = None,
    progress: bool = True,
) -> Extraction:
    """Facts of documents or of records.

    Parameters
    ----------
    sources : iterable of Document, or of mapping
        Documents with headers, or records ``{"document", "index", "record"}`` (see `facts_of_records`).
    domain : Domain, name or path
    method : {"rules", "chat", "chat_whole"}
        Patterns of the domain; a chat model on each block; a chat model on each document at once.
    chat : Chat, optional
        For the last two.
    progress : bool

    Raises
    ------
    ValueError
        If documents and records are mixed, or the method is unknown or lacks a chat model.
    TypeError
        If a source is neither.
    """
    if isinstance(sources, (Document, Mapping, str)):
        raise TypeError(f"sources is one {type(sources).__name__}: give a list of documents or of records.")
    domain, sources = load_domain(domain), list(sources)
    for number, source in enumerate(sources):
        if not isinstance(source, (Document, Mapping)):
            raise TypeError(f"source {number} is of type {type(source).__name__}: give documents or records.")
    texts = [source for source in sources if isinstance(source, Document)]
    if texts and len(texts) < len(sources):
        raise ValueError("documents and records in one list: extract them apart and join the hypergraphs by `union`.")
    if method not in ("rules", "chat", "chat_whole"):
        raise ValueError(f"method={method!r}: give 'rules', 'chat' or 'chat_whole'.")
    unmatched = pd.DataFrame(columns=["document", "chunk", "start", "end", "text"])
    if sources and not texts:
        if method != "rules":
            raise ValueError("records are read by the mapping of the domain: method='rules'.")
        facts, problems = facts_of_records(sources, domain, progress)  # type: ignore[arg-type]
        return Extraction(to_hypergraph(facts, domain), facts, [], problems, unmatched)
    blocks, problems = split_blocks(texts, domain)
    if method == "rules":
        facts, unmatched = facts_by_rules(blocks, domain, progress)
    else:
        from .llm import facts_by_chat

        if chat is None:
            raise ValueError(f"method={method!r} needs chat=hgwork.models.Chat(…).")
        facts, more = facts_by_chat(texts, blocks, domain, chat, whole=method == "chat_whole", progress=progress)
        problems = pd.concat([problems, more], ignore_index=True)[PROBLEMS]
    return Extraction(to_hypergraph(facts, domain), facts, blocks, problems, unmatched)
