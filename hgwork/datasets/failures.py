"""Thirty-two short timelines of machines that failed, and the facts of twelve of them as a reader noted them."""

from __future__ import annotations

from typing import Literal

import pandas as pd

from ..schema import Document
from ._folder import data_folder

__all__ = ["failure_gold", "failures"]


def failures(half: Literal["dev", "test"] | None = None) -> list[Document]:
    """The timelines, for order in another domain than cyclones.

    Parameters
    ----------
    half : {"dev", "test"}, optional
        f01–f16, on which the patterns of the domain "failures" were written, or f17–f32; both by default.

    Returns
    -------
    list of Document
        `attributes`: `half`.

    Raises
    ------
    ValueError
        If the half is unknown.

    Examples
    --------
    >>> len(failures()), failures("test")[0].text.splitlines()[0]
    (32, 'Machine: reciprocating compressor RC-4')
    """
    if half not in (None, "dev", "test"):
        raise ValueError(f"half={half!r}: give 'dev', 'test' or None for both.")
    documents = []
    for path in sorted((data_folder() / "failures" / "documents").glob("f*.txt")):
        part = "dev" if int(path.stem[1:]) <= 16 else "test"
        if half in (None, part):
            text = path.read_text("utf-8")
            title = text.partition("\n")[0].partition(": ")[2]
            documents.append(Document(id=path.stem, title=title, text=text, path=path.name, attributes={"half": part}))
    return documents


def failure_gold() -> pd.DataFrame:
    """Facts of f17–f28, noted by reading.

    Returns
    -------
    DataFrame
        `document`, `sentence`, `relation`, `entities` (list of str).

    Examples
    --------
    >>> failure_gold()["document"].nunique()
    12
    """
    table = pd.read_csv(data_folder() / "failures" / "gold" / "test.csv", dtype=str, keep_default_na=False)
    return table.assign(entities=table["entities"].str.split("; "))
