"""The order in which documents state their facts, for corpora that know neither horizons nor positions."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..hypergraph import Hypergraph

__all__ = ["in_document_order"]


def in_document_order(H: Hypergraph) -> Hypergraph:
    """Make every document a knowledge group whose hyperedges are placed as they stand in it.

    Parameters
    ----------
    H : Hypergraph
        Hyperedges with `document`; with `start` (character in the document) where known.

    Returns
    -------
    Hypergraph
        The same with `group` (the document) and `position` (0, 1, … in it): what `hgwork.order.precedence` reads.
        Hyperedges of one sentence start alike and share a position: neither comes first. Without `start` the order is
        that of the table. Hyperedges without a document, or without the start that others have, stay without a place.

    Raises
    ------
    ValueError
        If the hyperedges name no document.

    Examples
    --------
    >>> import hgwork as hg
    >>> edges = {"b": {"document": "d", "start": 40}, "a": {"document": "d", "start": 3}}
    >>> H = in_document_order(hg.Hypergraph.from_dict({"b": "xy", "a": "yz"}, edges=edges))
    >>> hg.order.precedence(H).canonical_order("d")
    ['a', 'b']
    """
    edges = H.edges
    if "document" not in edges or not edges["document"].notna().any():
        raise ValueError("the hyperedges name no document: there is no order to take from the text.")
    if "start" in edges and edges["start"].notna().any():
        start = pd.to_numeric(edges["start"], errors="coerce").astype(float)
    else:
        start = pd.Series(np.arange(len(edges), dtype=float), edges.index)
    place = start.groupby(edges["document"]).rank("dense") - 1
    table = edges.assign(group=edges["document"].astype(object), position=place.astype("Int64"))
    return Hypergraph.from_frame(H.incidences, edges=table, nodes=H.nodes)
