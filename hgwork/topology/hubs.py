"""The concepts that hold a hypergraph together: Tables 2 and 3 and Figure 6 of the higher-order paper.

References
----------
.. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, section 2.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from .pairs import linked_pairs

if TYPE_CHECKING:
    import networkx

__all__ = ["hub_integration", "hub_network", "hub_table", "top_hubs"]


def top_hubs(H, n: int) -> pd.Series:
    """The n nodes of highest degree, all where there are fewer; equal degrees in table order."""
    if n < 0:
        raise ValueError(f"n={n}: the number of hubs is 0 or more.")
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
    shared = (H._by_node[place] @ H.incidence).tocsr()
    one, two, _ = linked_pairs(H.incidence)
    rows = []
    for row, degree in enumerate(hubs):
        span = slice(*shared.indptr[row : row + 2])
        others, counts = shared.indices[span], shared.data[span]
        keep = others != place[row]
        others, counts = others[keep], counts[keep]
        first = np.lexsort((others, -counts))[:top]
        names = [f"{H.nodes.index[o]} ({c})" for o, c in zip(others[first], counts[first], strict=True)]
        near = np.zeros(H.shape[1], bool)
        near[others] = True
        possible = len(others) * (len(others) - 1) / 2
        density = np.count_nonzero(near[one] & near[two]) / possible if possible else np.nan
        per_degree = len(others) / degree if degree else np.nan
        rows.append((degree, degree / max(len(H), 1), len(others), per_degree, density, ", ".join(names)))
    columns = ["degree", "share", "neighbours", "neighbours_per_degree", "ego_density", "top_co_members"]
    return pd.DataFrame(rows, columns=columns, index=hubs.index.rename("concept"))


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
    """For each hub, the hyperedges shared with each of the other hubs, added up (Table 3 of [1]_); largest first.

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> hub_integration(Hypergraph.from_dict({"a": "xyz", "b": "xy", "c": "xw"}), n=3).to_dict()
    {'x': 3, 'y': 3, 'z': 2}
    """
    hubs, shared = _shared(H, n)
    np.fill_diagonal(shared, 0)
    score = pd.Series(shared.sum(axis=0), hubs.index.rename("concept"), name="score")
    return score.sort_values(ascending=False, kind="stable")


def _shared(H, n: int) -> tuple[pd.Series, np.ndarray]:
    hubs = top_hubs(H, n)
    columns = H.incidence[:, H.nodes.index.get_indexer(hubs.index)]
    return hubs, (columns.T @ columns).toarray()
