"""Bundled corpora by name: their documents, and the hypergraph that they make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from ..hypergraph import Hypergraph
from ..schema import Document
from ._folder import data_folder
from .cyclones import cyclones
from .failures import failures
from .toy import toy

__all__ = ["documents", "load", "names"]


@dataclass(frozen=True)
class _Dataset:
    title: str
    read: Callable[[], list[Document]]
    build: Callable[[list[Document]], Hypergraph]
    documents: int
    nodes: int | None
    hyperedges: int | None


def _by_rules(texts: list[Document]) -> Hypergraph:
    from .. import corpus

    return corpus.build(texts, progress=False).hypergraph


def _files(path: str) -> Callable[[], list[Document]]:
    def read() -> list[Document]:
        from ..corpus import read_documents

        return read_documents(data_folder() / path, strict=True).documents

    return read


def _in_order(domain: str) -> Callable[[list[Document]], Hypergraph]:
    def build(texts: list[Document]) -> Hypergraph:
        raise ValueError(
            f"{domain!r} is ordered knowledge, which hgwork.order builds: call "
            f"hg.order.build(hg.datasets.documents({domain!r}), {domain!r}).hypergraph instead of load."
        )

    return build


_LICENCE = "Apache-2.0, written for hgwork"
_DATASETS = {
    "toy": _Dataset("Ten papers of seven co-authors, in order", _files("toy/papers.jsonl"), toy, 10, 7, 10),
    "scaffolds": _Dataset(
        "Biocomposite scaffolds, short documents", _files("scaffolds/documents"), _by_rules, 48, None, None
    ),
    "cyclones": _Dataset("Cyclones and ports by horizon", cyclones, _in_order("cyclones"), 142, None, None),
    "failures": _Dataset("Machines that failed, step by step", failures, _in_order("failures"), 32, None, None),
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
    ValueError
        If the dataset is ordered knowledge ("cyclones", "failures"): `hgwork.order.build` makes it of `documents`.
    FileNotFoundError
        If the bundled data is not where it should be.

    Examples
    --------
    >>> load("toy")
    Hypergraph(7 nodes, 10 hyperedges, 24 incidences)
    """
    return _named(name).build(documents(name))


def documents(name: str) -> list[Document]:
    """The documents of a bundled dataset; "cyclones" are rendered with seed 0 (see `cyclones`).

    Examples
    --------
    >>> documents("toy")[0].title
    'Counting groups'
    """
    return _named(name).read()


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
