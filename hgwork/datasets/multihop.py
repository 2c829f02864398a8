"""A small multi-hop pool written for hgwork: passages about an invented country, questions that need two to four.

Public multi-hop sets [1]_ [2]_ are large, and models have read the encyclopaedia they were cut from. In this one no
fact is true, so that nothing can be answered but from its passages, and it is small enough to be read in an evening.
Passages share names, aliases and surnames on purpose; half of the questions are for tuning, half for scoring.

References
----------
.. [1] Ho et al., Constructing A Multi-hop QA Dataset for Comprehensive Evaluation of Reasoning Steps, COLING 2020.
.. [2] Trivedi et al., MuSiQue: Multihop Questions via Single-hop Question Composition, TACL 2022.
"""

from __future__ import annotations

import json
from typing import Any, Literal

import pandas as pd

from ..schema import Document
from ._folder import data_folder

__all__ = ["multihop"]


def multihop(split: Literal["dev", "test"] | None = None) -> tuple[list[Document], pd.DataFrame]:
    """The bundled multi-hop pool: every passage, and the questions of one half or of both.

    Parameters
    ----------
    split : {"dev", "test"}, optional
        Questions to tune on or questions to score; both by default. No passage is gold in both halves. The passages
        are all of them in every case, since the other half's are distractors.

    Returns
    -------
    documents : list of Document
        Ids number the passages ("multihop/001") in an order that says nothing. Two titles stand twice.
    questions : DataFrame
        Index: question id. The columns of `read_multihop`: `question`, `answer`, `aliases` (list), `type` (bridge,
        comparison, composition, temporal), `hops` (gold passages), `gold` (list of document ids, in the order of the
        reasoning), `missing` (always 0); and `split`, `links` (list of dict: in `from`, the question or a document
        id, stand the words `mention`, in the document `to` the words `target` for the same thing).

    Raises
    ------
    ValueError
        If the split is unknown.
    FileNotFoundError
        If the bundled data is not where it should be.

    Examples
    --------
    >>> documents, questions = multihop("dev")
    >>> len(documents), sorted(questions["hops"].unique().tolist())
    (153, [2, 3, 4])
    """
    if split not in (None, "dev", "test"):
        raise ValueError(f"split={split!r}: give 'dev', 'test' or None for both.")
    documents = [Document(**record) for record in _lines("passages.jsonl")]
    known = {document.id for document in documents}
    rows = {}
    for record in _lines("questions.jsonl"):
        if split in (None, record["split"]):
            gold = [name for name in record["gold"] if name in known]
            rows[record["id"]] = {
                "question": record["question"],
                "answer": record["answer"],
                "aliases": record["answer_aliases"],
                "type": record["type"],
                "hops": record["hops"],
                "gold": gold,
                "missing": len(record["gold"]) - len(gold),
                "split": record["split"],
                "links": record["links"],
            }
    return documents, pd.DataFrame.from_dict(rows, orient="index").rename_axis("id")


def _lines(name: str) -> list[dict[str, Any]]:
    path = data_folder() / "multihop" / name
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]
