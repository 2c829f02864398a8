"""HyperNetX, both ways.

HyperNetX holds a pair of hyperedge and node once, forgets nodes and hyperedges without incidences, lists both in set
order from its getters, and gives everything the weight 1. So all of ours, in their order, goes into its property
tables; what it cannot hold goes into the free-form properties under `hgwork_unused` and `hgwork_more`; and we read
its tables, never its getters.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from ._arrays import known

__all__ = ["attribute_table", "hypernetx_tables", "read_hypernetx", "to_hypernetx"]

_UNUSED, _MORE = "hgwork_unused", "hgwork_more"


def to_hypernetx(H):
    """See `Hypergraph.to_hypernetx`."""
    import hypernetx

    cells: dict[tuple, dict] = {}
    for row in H.incidences.astype({"edge": object, "node": object, "role": object}).to_dict("records"):
        pair = (row.pop("edge"), row.pop("node"))
        row = {k: v for k, v in row.items() if not pd.api.types.is_scalar(v) or pd.notna(v)}
        if pair in cells:  # the node is both source and target here
            cells[pair].setdefault(_MORE, []).append(row)
        else:
            cells[pair] = row
    setsystem = pd.DataFrame(list(cells), columns=["edge", "node"], dtype=object)
    setsystem["weight"] = pd.Series([row["weight"] for row in cells.values()], dtype=float)
    setsystem["misc_properties"] = pd.Series(
        [{k: v for k, v in row.items() if k != "weight"} for row in cells.values()], dtype=object
    )
    return hypernetx.Hypergraph(
        setsystem,
        edge_col="edge",
        node_col="node",
        cell_weight_col="weight",
        misc_cell_properties_col="misc_properties",
        edge_properties=_properties(H.edges, H.sizes),
        node_properties=_properties(H.nodes, H.degrees),
        misc_properties_col="misc_properties",
    )


def _properties(table: pd.DataFrame, uses: pd.Series) -> pd.DataFrame | None:
    """A property table of all names; a known weight also stands among the free-form properties, to mark it as known."""
    rows = [{**row, **({_UNUSED: True} if not used else {})} for (_, row), used in zip(known(table), uses, strict=True)]
    weights = pd.Series([row.get("weight", 1) for row in rows], dtype=object).infer_objects()
    columns = {"uid": table.index, "weight": weights, "misc_properties": pd.Series(rows, dtype=object)}
    return pd.DataFrame(columns) if rows else None


def read_hypernetx(hypergraph) -> dict:
    """The three tables of a HyperNetX hypergraph, as the arguments of `Hypergraph.from_frame`."""
    views = (hypergraph.incidences, hypergraph.edges, hypergraph.nodes)
    return hypernetx_tables(*(view.property_store.properties for view in views))


def hypernetx_tables(cells: pd.DataFrame, edges: pd.DataFrame, nodes: pd.DataFrame) -> dict:
    """Arguments of `Hypergraph.from_frame` from the property tables of incidences, hyperedges and nodes."""
    frame: list[dict] = []
    for (edge, node), row in zip(cells.index, _rows(cells), strict=True):
        more = row.pop(_MORE, [])
        frame += [{**one, "edge": edge, "node": node} for one in (row, *more)]
    tables = {"frame": attribute_table(frame, columns=("edge", "node"))}
    for what, table in (("edge", edges), ("node", nodes)):
        used = set(tables["frame"][what])
        rows = dict(zip(table.index, _rows(table), strict=True))
        rows = {name: row for name, row in rows.items() if row.pop(_UNUSED, False) or name in used}
        names = pd.Index(list(rows), dtype=object, name=what)
        tables[f"{what}s"] = attribute_table(list(rows.values()), names, rename=("edge", "node"))
    return tables


def _rows(table: pd.DataFrame) -> list[dict[str, Any]]:
    """What is known of each row: its own columns, its free-form properties, and a weight that says something."""
    free: list = table["misc_properties"].tolist() if "misc_properties" in table else [{}] * len(table)
    weights = table["weight"].tolist() if "weight" in table else [1] * len(table)
    plain = (row for _, row in known(table.drop(columns=["weight", "misc_properties"], errors="ignore")))
    rows = [{**(more if isinstance(more, dict) else {}), **row} for more, row in zip(free, plain, strict=True)]
    marked = any("weight" in row for row in rows)
    anything = any(_differs(weight) for weight in weights)
    for row, weight in zip(rows, weights, strict=True):
        if "weight" in row or (anything and (not marked or _differs(weight))):
            row["weight"] = weight
    return rows


def _differs(weight: Any) -> bool:
    return not pd.api.types.is_number(weight) or weight != 1


def attribute_table(rows: list[dict], index: pd.Index | None = None, columns=(), rename=()) -> pd.DataFrame:
    """A table of attribute records, one row each, exact: no integer becomes a float because another row lacks it.

    Attributes named as in `rename` stand under ``attrs.<name>``: a table of hyperedges has no column "edge".
    """
    names = dict.fromkeys((*columns, *(name for row in rows for name in row)))
    data = {f"attrs.{k}" if k in rename else k: _column([row.get(k) for row in rows], index) for k in names}
    return pd.DataFrame(data, index=pd.RangeIndex(len(rows)) if index is None else index)


def _column(values: list, index: pd.Index | None) -> pd.Series:
    kinds = {type(value) for value in values if value is not None}
    gaps = any(value is None for value in values)
    dtype = "object"
    if kinds == {bool}:
        dtype = "boolean" if gaps else "bool"
    elif kinds == {int} and all(abs(value) < 2**63 for value in values if value is not None):
        dtype = "Int64" if gaps else "int64"
    elif kinds == {float} or (kinds == {int, float} and all(abs(v) < 2**53 for v in values if isinstance(v, int))):
        dtype = "float64"
    return pd.Series(values, index=index, dtype=dtype)
