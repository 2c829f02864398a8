"""Star and clique expansion as networkx graphs."""

from __future__ import annotations

from typing import Any

from scipy import sparse

from ._arrays import known

__all__ = ["to_networkx"]


def to_networkx(H, kind: str):
    """See `Hypergraph.to_networkx`."""
    import networkx

    graph: Any = networkx.Graph()
    if kind == "bipartite":
        graph.add_nodes_from((("node", name), {"bipartite": 0, **row}) for name, row in known(H.nodes))
        graph.add_nodes_from((("edge", name), {"bipartite": 1, **row}) for name, row in known(H.edges))
        table = H.incidences.astype({"edge": object, "node": object, "role": object})
        for row in table.to_dict("records"):
            link = (("edge", row.pop("edge")), ("node", row.pop("node")))
            if graph.has_edge(*link):  # a node that is both source and target
                row["role"] = f"{graph.edges[link]['role']}, {row['role']}"
            graph.add_edges_from([(*link, row)])
    elif kind == "clique":
        graph.add_nodes_from(known(H.nodes))
        shared = sparse.triu(H.incidence.T @ H.incidence, k=1).tocoo()
        names = H.nodes.index
        graph.add_weighted_edges_from(
            zip(names[shared.coords[0]], names[shared.coords[1]], shared.data.tolist(), strict=True)
        )
    else:
        raise ValueError(f"kind={kind!r} is unknown. Use 'bipartite' or 'clique'.")
    return graph
