"""Readers of public benchmarks that are not bundled: two multi-hop question sets, publications with abstracts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd

from ..schema import Document

__all__ = ["read_multihop", "read_publications"]


def read_multihop(folder: str | Path) -> tuple[list[Document], pd.DataFrame]:
    """Read a multi-hop pool: passages, and questions with the passages that answer them.

    Parameters
    ----------
    folder : str or Path
        Holds ``corpus.json`` (``[{title, text}]``) and ``questions.json`` (``[{id, question, answer, gold}]``, gold
        as ``[[title, text]]``), the layout cut from 2WikiMultiHopQA [1]_ and MuSiQue [2]_.

    Returns
    -------
    documents : list of Document
        Ids number the passages ("2wiki/00001"), so that an id gives away no title.
    questions : DataFrame
        Index: question id. Columns `question`, `answer`, `aliases` (list), `type`, `hops` (gold passages), `gold`
        (list of document ids), `missing` (gold passages that the corpus lacks), `exact` where given.

    Raises
    ------
    FileNotFoundError, ValueError
        If a file is missing, or a record lacks a field; the message names file and record.

    Notes
    -----
    Titles repeat in MuSiQue, so gold is matched by title and text together.

    References
    ----------
    .. [1] Ho et al., Constructing A Multi-hop QA Dataset for Comprehensive Evaluation of Reasoning Steps, COLING 2020.
    .. [2] Trivedi et al., MuSiQue: Multihop Questions via Single-hop Question Composition, TACL 2022.
    """
    folder = Path(folder)
    passages = _records(folder / "corpus.json", ("title", "text"))
    texts = [
        Document(id=f"{folder.name}/{number:05d}", title=record["title"], text=record["text"])
        for number, record in enumerate(passages, 1)
    ]
    place = {(text.title, text.text): text.id for text in reversed(texts)}
    rows = {}
    for record in _records(folder / "questions.json", ("id", "question", "answer", "gold")):
        gold = [place.get((title, text)) for title, text in record["gold"]]
        rows[record["id"]] = {
            "question": record["question"],
            "answer": record["answer"],
            "aliases": list(record.get("answer_aliases", [])),
            "type": record.get("type", record.get("hops")),
            "hops": len(gold),
            "gold": [name for name in gold if name],
            "missing": sum(name is None for name in gold),
            **({"exact": record["exact"]} if "exact" in record else {}),
        }
    return texts, pd.DataFrame.from_dict(rows, orient="index").rename_axis("id")


def read_publications(path: str | Path) -> list[Document]:
    """Read the publications that have an abstract from a HIF file whose hyperedges are papers and nodes authors [1]_.

    Returns
    -------
    list of Document
        Text: the abstract; `date` where known; `attributes`: authors, tags. Ids count all publications of the file
        ("publications/006"), also those left out for want of an abstract.

    Raises
    ------
    FileNotFoundError, ValueError
        If there is no such file or it is no HIF.

    References
    ----------
    .. [1] The publications example of the Hypergraph Interchange Format, https://github.com/pszufe/HIF-standard (MIT).
    """
    path = Path(path)
    content = _json(path)
    if not isinstance(content, dict) or not isinstance(content.get("edges"), list):
        raise ValueError(f"{path} is no HIF with a list 'edges'.")
    authors: dict[str, list[str]] = {}
    for incidence in content.get("incidences", []):
        authors.setdefault(incidence["edge"], []).append(incidence["node"])
    texts = []
    for number, edge in enumerate(content["edges"], 1):
        known = edge.get("attrs") or {}
        if (known.get("abstract") or "").strip():
            texts.append(
                Document(
                    id=f"{path.name.split('.')[0]}/{number:03d}",
                    title=str(edge["edge"]),
                    text=known["abstract"],
                    date=known.get("date") or None,
                    attributes={"authors": authors.get(edge["edge"], []), "tags": known.get("tags") or []},
                )
            )
    return texts


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise FileNotFoundError(f"{path} does not exist. Name the benchmark's own folder or file.") from None
    except ValueError as error:
        raise ValueError(f"{path} is not JSON in UTF-8: {error}") from error


def _records(path: Path, fields: tuple[str, ...]) -> list[dict]:
    records = _json(path)
    if not isinstance(records, list):
        raise ValueError(f"{path} holds a {type(records).__name__}, not a list of records.")
    for number, record in enumerate(records, 1):
        lacking = [name for name in fields if not isinstance(record, dict) or name not in record]
        if lacking:
            raise ValueError(f"{path}, record {number}: no field {', '.join(map(repr, lacking))}.")
    return records
