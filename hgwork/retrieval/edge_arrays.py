"""What a retriever keeps of every hyperedge: entity sets, groups, phases, place in the precedence, confidence."""

from __future__ import annotations

import numpy as np
import pandas as pd
import scipy.sparse as sp

from ..hypergraph import Hypergraph

__all__ = ["confidences", "dense", "entity_sets", "group_codes", "phase_codes", "placed", "unit"]


def entity_sets(H: Hypergraph, with_anchors: bool) -> sp.csr_array:
    """Hyperedges by nodes, 0 or 1; without the columns of anchors if they are not to count."""
    matrix = sp.csr_array(H.incidence, dtype=np.float64)
    if with_anchors or "kind" not in H.nodes:
        return matrix
    return sp.csr_array(matrix[:, np.flatnonzero((H.nodes["kind"] != "anchor").to_numpy(bool))])


def group_codes(H: Hypergraph) -> tuple[np.ndarray, list[str]]:
    """The number of every hyperedge's knowledge group, -1 for none, and the names of the groups."""
    if "group" not in H.edges:
        return np.full(len(H.edges), -1, np.int64), []
    codes, names = pd.factorize(H.edges["group"])
    return codes.astype(np.int64), [str(name) for name in names]


def placed(precedence, ids: list[str]) -> np.ndarray | None:
    """The row of every hyperedge in the table of the precedence."""
    if precedence is None:
        return None
    at = precedence.table.index.get_indexer(pd.Index(ids, dtype=object))
    if (at < 0).any():
        missing = ids[int(np.flatnonzero(at < 0)[0])]
        raise ValueError(
            f"the precedence does not hold hyperedge {missing!r} ({int((at < 0).sum())} of {len(ids)} are missing): "
            "it is of another hypergraph. Make it of this one with hgwork.order.precedence(H)."
        )
    return at


def phase_codes(
    H: Hypergraph, precedence, given, rows: np.ndarray | None, change_coverage: bool
) -> tuple[tuple[str, ...], np.ndarray]:
    """S, and the place in it of every hyperedge: as given, of the domain, else the phases that the hyperedges name."""
    if isinstance(given, str):
        raise ValueError(f"phases={given!r}: give a sequence of names, or () for none.")
    none = np.full(len(H.edges), -1, np.int64)
    if "phase" not in H.edges:
        return (), none
    domain = getattr(precedence, "domain", None)
    if given is None:
        given = domain.phases if domain is not None else H.edges["phase"].dropna().unique().tolist()
    phases = tuple(dict.fromkeys(given))
    found = pd.Index(phases, dtype=object).get_indexer(H.edges["phase"].astype(object)) if phases else none
    if not change_coverage and rows is not None:
        found = np.where(precedence.table["change"].to_numpy(bool)[rows], -1, found)
    return phases, found.astype(np.int64)


def unit(vectors: np.ndarray) -> np.ndarray:
    """Rows brought to length one; rows of zeros stay, and what has length one is left as it is."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    if np.allclose(length[length > 0], 1, atol=1e-4):
        return vectors
    return vectors / np.where(length > 0, length, 1)


def confidences(H: Hypergraph) -> np.ndarray:
    """Between 0 and 1; 1 where none is given."""
    if "confidence" not in H.edges:
        return np.ones(len(H.edges))
    return pd.to_numeric(H.edges["confidence"], errors="coerce").fillna(1.0).clip(0, 1).to_numpy(float)


def dense(ranks: np.ndarray) -> np.ndarray:
    """Ranks as 0, 1, …, ties in candidate order."""
    dense = np.empty(len(ranks), np.int64)
    dense[np.argsort(ranks, kind="stable")] = np.arange(len(ranks))
    return dense
