"""The concepts that hold a hypergraph together: Tables 2 and 3 and Figure 6 of the higher-order paper.

References
----------
.. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, section 2.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    import networkx

__all__ = ["hub_integration", "hub_network", "hub_table", "top_hubs"]


def top_hubs(H, n: int) -> pd.Series:
    """The n nodes of highest degree; equal degrees in table order."""
    return H.degrees.sort_values(ascending=False, kind="stable").head(n)


def hub_table(H, n: int = 20, top: int = 3) -> pd.DataFrame:
    """The ego networks of the hubs.

    Parameters
    ----------
    H : Hypergraph
    n : int
        Hubs, by degree.
    top : int
        Co-members to name.

    Returns
    -------
    DataFrame, indexed by concept
        `degree`; `share` (degree / hyperedges; the percentages that [1]_ prints follow no formula of its code);
        `neighbours` (distinct co-members); `neighbours_per_degree` (what [1]_ calls neighbour density: high means that
        co-members repeat *less*); `ego_density` (linked pairs among the neighbours / possible pairs; nan below two
        neighbours); `top_co_members` ("name (hyperedges shared)").

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> hub_table(Hypergraph.from_dict({"a": "xyz", "b": "xw"}), n=1)[["degree", "neighbours"]].values.tolist()
    [[2, 3]]
    """
    hubs = top_hubs(H, n)
    place = H.nodes.index.get_indexer(hubs.index)
    matrix, by_node = H.incidence, H.incidence.T.tocsr()
    shared = (by_node[place] @ matrix).tocsr()
    rows = []
    for row, degree in enumerate(hubs):
        span = slice(*shared.indptr[row : row + 2])
        others, counts = shared.indices[span], shared.data[span]
        keep = others != place[row]
        others, counts = others[keep], counts[keep]
        first = np.lexsort((others, -counts))[:top]
        names = [f"{H.nodes.index[o]} ({c})" for o, c in zip(others[first], counts[first], strict=True)]
        density = _density(matrix, by_node, np.sort(others))
        per_degree = len(others) / degree if degree else np.nan
        rows.append((degree, degree / max(len(H), 1), len(others), per_degree, density, ", ".join(names)))
    columns = ["degree", "share", "neighbours", "neighbours_per_degree", "ego_density", "top_co_members"]
    return pd.DataFrame(rows, columns=columns, index=hubs.index.rename("concept"))


def _density(matrix, by_node, others: np.ndarray) -> float:
    """Linked pairs among some nodes over possible pairs, counted in the hyperedges that hold two of them."""
    from .pairs import linked_pairs

    if len(others) < 2:
        return float("nan")
    edges = np.flatnonzero(np.bincount(by_node[others].indices, minlength=matrix.shape[0]) >= 2)
    linked, _, _ = linked_pairs(matrix[edges][:, others])
    return 2 * len(linked) / (len(others) * (len(others) - 1))


def hub_network(H, n: int = 30, min_shared: int = 10) -> networkx.Graph:
    """The hubs, linked where enough hyperedges hold both (Figure 6 of [1]_).

    Parameters
    ----------
    H : Hypergraph
    n : int
    min_shared : int
        Least hyperedges that hold both ends of a link.

    Returns
    -------
    networkx.Graph
        Node attribute `degree` (in H), edge attribute `weight` (hyperedges shared). The statistics of [1]_ are
        ``networkx.density`` and ``networkx.average_clustering`` of it, unweighted.
    """
    import networkx

    if min_shared < 1:
        raise ValueError(f"min_shared={min_shared}: a link needs at least one shared hyperedge.")
    hubs, shared = _shared(H, n)
    graph: networkx.Graph = networkx.Graph()
    graph.add_nodes_from((hub, {"degree": int(degree)}) for hub, degree in hubs.items())
    for i, j in zip(*np.nonzero(np.triu(shared, 1) >= min_shared), strict=True):
        graph.add_edge(hubs.index[i], hubs.index[j], weight=int(shared[i, j]))
    return graph


def hub_integration(H, n: int = 20) -> pd.Series:
    """For each hub, the hyperedges shared with each of the other hubs, added up (Table 3 of [1]_); largest first."""
    hubs, shared = _shared(H, n)
    np.fill_diagonal(shared, 0)
    score = pd.Series(shared.sum(axis=0), hubs.index.rename("concept"), name="score")
    return score.sort_values(ascending=False, kind="stable")


def _shared(H, n: int) -> tuple[pd.Series, np.ndarray]:
    hubs = top_hubs(H, n)
    columns = H.incidence[:, H.nodes.index.get_indexer(hubs.index)]
    return hubs, (columns.T @ columns).toarray()
