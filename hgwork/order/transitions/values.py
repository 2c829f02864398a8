"""Parsed attribute values of hyperedges: numbers and short words, each under the name of its attribute.

Texts say little about size to an embedder ("45 mph" lies next to "95 mph"), and across horizons size is most of what
orders two facts of one kind. A number also counts by its place among the numbers of the same attribute in its group:
0 for the smallest, 1 for the largest. That needs no horizon, and is the same for a weak and a strong storm.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from ...hypergraph import Hypergraph
from ..quantities import magnitude
from .text import leaks

__all__ = ["edge_kinds", "edge_numbers", "edge_words"]

_COORDINATE = re.compile(r"[-+]?(\d+(?:\.\d+)?) ?°? ?([NSEW])")
_LONGEST = 40


def edge_kinds(H: Hypergraph) -> pd.Series:
    """What a hyperedge is about, whatever its value and horizon: relation, family that changes, qualifiers.

    Returns
    -------
    Series of str, index: hyperedge
        Such as "has_threshold_status|surge". Two facts of one kind in one group state the same attribute.

    Examples
    --------
    >>> H = Hypergraph.from_dict({"e": ["x"]}, edges={"e": {"relation": "has_motion"}})
    >>> edge_kinds(H)["e"]
    'has_motion'
    """
    edges = H.edges
    parts = pd.Series("", index=edges.index, dtype=object)
    if "relation" in edges:
        parts = edges["relation"].astype(object).where(edges["relation"].notna(), "").astype(str)
    if "underlying" in edges:
        known = edges["underlying"].notna()
        parts = parts.where(~known, parts + "|" + edges["underlying"].astype(str))
    frame = H.incidences
    if "qualifier" in frame:
        said = frame[frame["qualifier"].notna() & (frame["qualifier"].astype(str) != "")]
        joined = said.groupby("edge", observed=True)["qualifier"].agg(lambda q: "+".join(sorted(set(map(str, q)))))
        joined.index = joined.index.astype(object)
        more = joined.reindex(edges.index)
        parts = parts.where(more.isna(), parts + "|" + more.astype(str))
    return parts


def edge_numbers(H: Hypergraph, kinds: pd.Series, groups: np.ndarray, horizon_tokens: bool = False) -> pd.DataFrame:
    """The numbers in the attributes, one row each.

    Returns
    -------
    DataFrame
        `row` (of the hyperedge), `slot` ("kind/attribute"), `value`, `rank` (0 to 1 among the different values of
        the slot in its group; 0.5 where there is one). Missing and infinite values are left out.
    """
    rows = list(_flat(H, kinds, horizon_tokens))
    found = [(row, slot, number) for row, slot, value in rows if (number := _number(value)) is not None]
    table = pd.DataFrame(found, columns=["row", "slot", "value"]).astype({"row": np.int64, "value": float})
    by = [groups[table["row"].to_numpy()], table["slot"]]
    dense = table["value"].groupby(by).rank("dense")
    most = dense.groupby(by).transform("max")
    table["rank"] = ((dense - 1) / (most - 1).clip(lower=1)).where(most > 1, 0.5)
    return table


def edge_words(H: Hypergraph, kinds: pd.Series, horizon_tokens: bool = False) -> pd.DataFrame:
    """The short texts in the attributes, one row each: `row`, `word` ("kind/attribute=text", lower case)."""
    rows = list(_flat(H, kinds, horizon_tokens))
    found = [(row, f"{slot}={word}") for row, slot, value in rows if (word := _word(value)) is not None]
    return pd.DataFrame(found, columns=["row", "word"]).astype({"row": np.int64})


def _flat(H: Hypergraph, kinds: pd.Series, horizon_tokens: bool) -> Iterator[tuple[int, str, Any]]:
    if "attributes" not in H.edges:
        return
    for row, (kind, attributes) in enumerate(zip(kinds.tolist(), H.edges["attributes"].tolist(), strict=True)):
        if not isinstance(attributes, dict):
            continue
        for name, value in attributes.items():
            if not horizon_tokens and leaks(str(name), value):
                continue
            if isinstance(value, dict) and "value" not in value and "text" not in value:
                for part, inner in value.items():
                    yield row, f"{kind}/{name}/{part}", inner
            else:
                yield row, f"{kind}/{name}", value


def _number(value: Any) -> float | None:
    number = magnitude(value)
    if number is None and isinstance(value, str) and (found := _COORDINATE.fullmatch(value.strip())):
        number = float(found[1]) * (-1 if found[2] in "SW" else 1)
    return number if number is not None and np.isfinite(number) else None


def _word(value: Any) -> str | None:
    if isinstance(value, dict):
        value = value.get("text") if value.get("value") is None else None
    if not isinstance(value, str) or _number(value) is not None:
        return None
    word = " ".join(value.split()).rstrip(".").casefold()
    return word if 0 < len(word) <= _LONGEST else None
