"""HyperNetX, both ways."""

from __future__ import annotations

import pandas as pd

from ._arrays import known

__all__ = ["read_hypernetx", "to_hypernetx"]

_OWN = {"weight", "misc_properties"}


def read_hypernetx(hypergraph) -> dict:
    """The three tables of a HyperNetX hypergraph, as the arguments of `Hypergraph.from_frame`."""
    frame = hypergraph.incidences.to_dataframe.reset_index()
    frame = _unpacked(frame.rename(columns={"edges": "edge", "nodes": "node"}), ("edge", "node"))
    edges = _unpacked(hypergraph.edges.to_dataframe.rename_axis("edge").reset_index(), ("edge",))
    nodes = _unpacked(hypergraph.nodes.to_dataframe.rename_axis("node").reset_index(), ("node",))
    # HyperNetX orders its tables by its own rules; the incidences say which names are used
    return {"frame": frame, "edges": edges.set_index("edge"), "nodes": nodes.set_index("node")}


def _unpacked(table: pd.DataFrame, keys: tuple[str, ...]) -> pd.DataFrame:
    """Its free-form properties as columns; its default weight of 1 dropped."""
    free = table["misc_properties"] if "misc_properties" in table else pd.Series([{}] * len(table))
    more = pd.DataFrame([x if isinstance(x, dict) else {} for x in free], index=table.index)
    plain = table.drop(columns=[c for c in table.columns if c in _OWN and c not in keys])
    if "weight" in table and not (table["weight"] == 1).all():
        plain["weight"] = table["weight"]
    return plain.join(more[[c for c in more.columns if c not in plain.columns]])


def to_hypernetx(H):
    """See `Hypergraph.to_hypernetx`."""
    import hypernetx

    frame = H.incidences.astype({"edge": object, "node": object, "role": object})
    properties = frame.drop(columns=["edge", "node", "weight"]).to_dict("records")
    setsystem = pd.DataFrame(
        {"edge": frame["edge"], "node": frame["node"], "weight": frame["weight"], "misc_properties": properties}
    ).drop_duplicates(["edge", "node"])
    return hypernetx.Hypergraph(
        setsystem,
        edge_col="edge",
        node_col="node",
        cell_weight_col="weight",
        misc_cell_properties_col="misc_properties",
        edge_properties=dict(known(H.edges)),
        node_properties=dict(known(H.nodes)),
    )

