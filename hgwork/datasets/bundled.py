"""Bundled corpora by name: their documents, and the hypergraph that they make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from ..hypergraph import Hypergraph
from ..schema import Document
from ._folder import data_folder
from .toy import toy

__all__ = ["documents", "load", "names"]


@dataclass(frozen=True)
class _Dataset:
    title: str
    path: str
    build: Callable[[list[Document]], Hypergraph]
    documents: int
    nodes: int | None
    hyperedges: int | None


def _by_rules(texts: list[Document]) -> Hypergraph:
    from .. import corpus

    return corpus.build(texts, progress=False).hypergraph


def _cyclones() -> list[Document]:
    from .cyclones import cyclones

    return cyclones()


def _failures() -> list[Document]:
    from .failures import failures

    return failures()


_LICENCE = "Apache-2.0, written for hgwork"
_DATASETS = {
    "toy": _Dataset("Ten papers of seven co-authors, in order", "toy/papers.jsonl", toy, 10, 7, 10),
    "scaffolds": _Dataset("Biocomposite scaffolds, short documents", "scaffolds/documents", _by_rules, 48, None, None),
}


def load(name: str) -> Hypergraph:
    """A bundled hypergraph.

    Parameters
    ----------
    name : {"toy", "scaffolds"}
        "toy" is read as it stands; "scaffolds" is built from its documents by the rule extractor, names merged.

    Raises
    ------
    KeyError
        If no dataset has this name; the message lists them.
    FileNotFoundError
        If the bundled data is not where it should be.

    Examples
    --------
    >>> load("toy")
    Hypergraph(7 nodes, 10 hyperedges, 24 incidences)
    """
    return _named(name).build(documents(name))


def documents(name: str) -> list[Document]:
    """The documents of a bundled dataset.

    Examples
    --------
    >>> documents("toy")[0].title
    'Counting groups'
    """
    from ..corpus import read_documents

    return read_documents(data_folder() / _named(name).path, strict=True).documents


def names() -> pd.DataFrame:
    """What is bundled; nodes and hyperedges are missing where an extraction decides them."""
    columns = ["title", "documents", "nodes", "hyperedges", "licence"]
    rows = [(d.title, d.documents, d.nodes, d.hyperedges, _LICENCE) for d in _DATASETS.values()]
    table = pd.DataFrame(rows, columns=columns, index=list(_DATASETS))
    return table.astype({"nodes": "Int64", "hyperedges": "Int64"}).rename_axis("name")


def _named(name: str) -> _Dataset:
    if name not in _DATASETS:
        raise KeyError(f"no dataset is named {name!r}. Bundled: {', '.join(_DATASETS)}.")
    return _DATASETS[name]
