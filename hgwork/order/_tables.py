"""A hypergraph of facts as plain tables, and back: what the clean-up steps work on."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import lru_cache

import numpy as np
import pandas as pd

from ..hypergraph import Hypergraph
from .domain import Domain

__all__ = ["assembled", "fact_table", "incidence_table", "missing", "slug", "without_anchors"]

_EXTRA = ("surface", "type", "qualifier")


def fact_table(H: Hypergraph, domain: Domain, *more: str) -> pd.DataFrame:
    """The table of hyperedges, once it is known to hold facts: relation, text, group, whole places, attributes.

    Raises
    ------
    ValueError
        If a column is missing (`more` are needed too), a place is no whole number or attributes are no dictionary.
    """
    edges, column = H.edges, domain.index.column
    if lacking := [name for name in ("relation", "text", "group", column, *more) if name not in edges]:
        raise ValueError(
            f"the hyperedges have no column {lacking[0]!r}: the clean-up works on facts with a relation, a text, a "
            f"group and a {column}, as hgwork.order.extract makes them. Add it."
        )
    for name in (column, f"to_{column}"):
        values = edges[name].astype(object) if name in edges else pd.Series(dtype=object)
        number = pd.to_numeric(values, errors="coerce").astype(float)
        wrong = values.notna() & (~np.isfinite(number) | (number.round() != number))
        if wrong.any():
            edge = wrong.idxmax()
            raise ValueError(
                f"hyperedge {edge!r}: {name} {values[edge]!r} is no whole number. Correct it or leave it out."
            )
    for edge, value in edges["attributes"].items() if "attributes" in edges else ():
        if not isinstance(value, dict) and not missing(value):
            raise ValueError(
                f"hyperedge {edge!r}: the attributes are of type {type(value).__name__}. Give a dictionary or nothing."
            )
    return edges


def missing(value: object) -> bool:
    """Whether a cell says nothing: None, NaN, NA, NaT."""
    return value is None or (np.isscalar(value) and bool(pd.isna(value))) or value is pd.NA or value is pd.NaT


def incidence_table(H: Hypergraph) -> pd.DataFrame:
    """Incidences with plain text columns `edge`, `node`, `role`, `surface`, `type`, `qualifier`, in edge order."""
    frame = H.incidences
    order = frame["edge"].cat.codes.to_numpy().argsort(kind="stable")
    table = pd.DataFrame({name: frame[name].astype(object).to_numpy() for name in ("edge", "node", "role")})
    for name in _EXTRA:
        table[name] = frame[name].astype(object).to_numpy() if name in frame else None
    known = H.nodes["type"].reindex(table["node"]).to_numpy() if "type" in H.nodes else None
    table["surface"] = table["surface"].where(table["surface"].notna(), table["node"])
    table["type"] = table["type"].where(table["type"].notna(), known if known is not None else "")
    table["qualifier"] = table["qualifier"].where(table["qualifier"].notna(), "")
    return table.iloc[order].reset_index(drop=True)


def assembled(frame: pd.DataFrame, edges: pd.DataFrame, nodes: pd.DataFrame, domain: Domain) -> Hypergraph:
    """A hypergraph of tables: nodes in order of first appearance, those of no hyperedge left out.

    Parameters
    ----------
    frame : DataFrame
        As `incidence_table` gives it.
    edges : DataFrame
    nodes : DataFrame
        `type`, `description`, `confidence` by name; names may repeat, the first description and the largest
        confidence stay.
    """
    place = pd.Series(range(len(edges)), index=edges.index)
    frame = frame.iloc[frame["edge"].map(place).to_numpy().argsort(kind="stable")]
    frame = frame.drop_duplicates(["edge", "node", "role"]).reset_index(drop=True)
    used = pd.Index(pd.unique(frame["node"]), dtype=object)
    kinds = frame.drop_duplicates("node").set_index("node")["type"].reindex(used)
    table = pd.DataFrame({"type": kinds.to_numpy()}, index=used)
    table["kind"] = [domain.entity_types[t].kind if t in domain.entity_types else None for t in table["type"]]
    described, sure = dict[str, str](), dict[str, float]()
    known = nodes.reindex(columns=["description", "confidence"]).astype(object)
    for name, text, confidence in known.itertuples():
        if isinstance(text, str) and not described.get(name):
            described[name] = text
        if confidence == confidence and confidence is not None:  # not NaN
            sure[name] = max(float(confidence), sure.get(name, 0.0))
    table["description"] = [described.get(name, "") for name in used]
    table["confidence"] = [sure.get(name, 1.0) for name in used]
    return Hypergraph.from_frame(frame, edges=edges, nodes=table)


def without_anchors(frame: pd.DataFrame, domain: Domain) -> pd.DataFrame:
    """Incidences of all but the anchors."""
    anchors = {name for name, kind in domain.entity_types.items() if kind.kind == "anchor"}
    return frame[~frame["type"].isin(anchors)]


@lru_cache(maxsize=65536)
def slug(name: str, case: str = "lower", longest: int = 60) -> str:
    """A name as a piece of an identifier: letters, their marks and digits of any script, all else one underscore.

    A name without any of them, such as a pictograph, is named by a hash.

    Examples
    --------
    >>> slug("Port Arthur, TX"), slug("Irma 2017", "upper")
    ('port_arthur_tx', 'IRMA_2017')
    """
    text = unicodedata.normalize("NFKC", name)
    text = text.lower() if case == "lower" else text.upper() if case == "upper" else text
    kept = "".join(c if c.isalnum() or unicodedata.category(c).startswith("M") else "_" for c in text)
    plain = re.sub("_+", "_", kept).strip("_")
    if not any(map(str.isalnum, plain)):
        return f"unnamed_{hashlib.sha256(text.encode()).hexdigest()[:6]}"
    if len(plain) <= longest:
        return plain
    return f"{plain[:longest].rstrip('_')}_{hashlib.sha256(text.encode()).hexdigest()[:6]}"
