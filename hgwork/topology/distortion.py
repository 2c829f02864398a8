"""What measuring a projection says in place of the hypergraph: clustering, assortativity and who is central.

References
----------
.. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, section 1.4.
.. [2] Chodrow, Configuration models of random hypergraphs, Journal of Complex Networks 8, cnaa018 (2020).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from .centrality import s_centrality
from .clustering import clustering
from .projections import PROJECTIONS, project

__all__ = ["degree_assortativity", "distortions"]


def degree_assortativity(H) -> float:
    """Do nodes of like degree meet: the correlation of degrees over all ordered pairs of members of a hyperedge [1]_.

    Returns
    -------
    float
        Pearson's, in [-1, 1]; nan where no hyperedge has two members or all degrees in such are equal. XGI's
        ``degree_assortativity(kind="uniform", exact=True)``, which gives 0 there; on hyperedges of two without
        repeats, networkx's ``degree_assortativity_coefficient``.

    References
    ----------
    .. [1] Chodrow, Journal of Complex Networks 8, cnaa018 (2020), "uniform" degree assortativity.

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> round(degree_assortativity(Hypergraph.from_dict({"a": "xy", "b": "xz", "c": "xw"})), 3)
    -1.0
    """
    matrix = H.incidence.astype(float)
    degrees = H.degrees.to_numpy().astype(float)
    one, two = matrix @ degrees, matrix @ degrees**2
    others = np.diff(matrix.indptr) - 1
    count = float((others * (others + 1)).sum())
    if not count:
        return float("nan")
    mean = (others * one).sum() / count
    variance = (others * two).sum() / count - mean**2
    covariance = (one**2 - two).sum() / count - mean**2
    return float(covariance / variance) if variance > 1e-12 * max(mean**2, 1) else float("nan")


def distortions(H, most: int = 500, rng: int | np.random.Generator = 0) -> pd.DataFrame:
    """Measures of the hypergraph beside the same measures of its five projections.

    Parameters
    ----------
    H : Hypergraph
    most : int
        Hyperedges to measure; of a larger H so many are drawn uniformly, with their nodes, and all values, the
        hypergraph's own too, are of that part. A part of your choice comes with ``H.subgraph(...)``.
    rng : int or Generator

    Returns
    -------
    DataFrame, indexed by measure; columns `hypergraph` and one a projection of `project`
        - `hyperedges`: measured (the same in all columns).
        - `clustering`: mean over the nodes of the extra overlap (`clustering`); over all vertices of the graph the
          mean of linked pairs of neighbours / possible pairs. A star expansion is bipartite and has none.
        - `assortativity`: `degree_assortativity`; on a graph, that of its links (nan where all degrees are equal).
        - `degree_rank`, `closeness_rank`, `betweenness_rank`: Spearman's correlation, over the nodes, of degree with
          the degree in H, and of closeness and betweenness with the s-centralities of the nodes at s = 1
          (`s_centrality`). Both closenesses are within a component. nan where nodes are no vertices (collapsed) or one
          side is constant. The clique expansion *is* the 1-line graph of the nodes: there both are 1, whereas its
          degree, the number of co-members, is not the degree in H.

    Raises
    ------
    ValueError
        If `most` is below 1, or the hyperedges are so large that the clique expansion has too many links.

    References
    ----------
    .. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, section 1.4.

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> table = distortions(Hypergraph.from_dict({"a": "wxyz", "b": "xy", "c": "xv"}))
    >>> table.loc["clustering", ["clique", "star"]].round(2).tolist()
    [0.7, 0.0]
    """
    if most < 1:
        raise ValueError(f"most={most}: measure at least one hyperedge.")
    if len(H) > most:
        rows = np.sort(np.random.default_rng(rng).choice(len(H), most, replace=False))
        H = H.subgraph(edges=H.edges.index[rows])
    own = {
        "degree_rank": H.degrees,
        **{f"{kind}_rank": s_centrality(H, kind, of="node", most=most) for kind in ("closeness", "betweenness")},
    }
    mean = float(clustering(H, pairs=None)["extra_overlap"].mean()) if H.shape[1] else np.nan
    columns = {"hypergraph": {"hyperedges": len(H), "clustering": mean, "assortativity": degree_assortativity(H)}}
    columns["hypergraph"] |= {name: _spearman(values, values) for name, values in own.items()}
    projection: Any
    for projection in PROJECTIONS:
        graph = project(H, projection)
        columns[projection] = {"hyperedges": len(H), **_measures(graph, projection, own)}
    return pd.DataFrame(columns, dtype=float).rename_axis("measure")


def _measures(graph: Any, kind: str, own: dict[str, pd.Series]) -> dict[str, float]:
    import networkx

    measures = {
        "clustering": networkx.average_clustering(graph) if len(graph) else np.nan,
        "assortativity": _assortativity(graph),
        **dict.fromkeys(own, np.nan),
    }
    if kind == "collapsed":
        return measures
    scores = {
        "degree_rank": dict(graph.degree),
        "closeness_rank": networkx.closeness_centrality(graph, wf_improved=False),
        "betweenness_rank": networkx.betweenness_centrality(graph),
    }
    for name, values in own.items():
        keys = [("node", node) if kind == "star" else node for node in values.index]
        measures[name] = _spearman(values, pd.Series([scores[name][key] for key in keys], values.index, dtype=float))
    return measures


def _assortativity(graph: Any) -> float:
    """networkx's, without its warning where all degrees are equal."""
    import networkx

    if len({graph.degree[v] for link in graph.edges for v in link}) < 2:
        return float("nan")
    return float(networkx.degree_assortativity_coefficient(graph))


def _spearman(one: pd.Series, two: pd.Series) -> float:
    ranks = [values.round(12).rank().to_numpy() for values in (one, two)]  # equal but for rounding is a tie
    if any(np.ptp(rank) == 0 if len(rank) else True for rank in ranks):
        return float("nan")
    return float(np.corrcoef(*ranks)[0, 1])
