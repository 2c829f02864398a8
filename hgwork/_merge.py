"""Merging nodes of one hypergraph and joining two, with every table kept in step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from .hypergraph import Hypergraph

__all__ = ["merge_nodes", "union"]

_NO_ROLE = 2


def merge_nodes(H: Hypergraph, mapping: Mapping[str, str], drop_collapsed: bool) -> Hypergraph:
    """See `Hypergraph.merge_nodes`."""
    mapping = {old: new for old, new in mapping.items() if old != new}
    for old, new in mapping.items():
        H._place(H._nodes.index, old, "node")
        if new in mapping:
            raise ValueError(f"{old!r} is merged into {new!r}, which is merged into {mapping[new]!r}. Map both to one name.")
    names = H._nodes.index.to_series().replace({}).map(lambda name: mapping.get(name, name))
    fresh, kept = pd.factorize(names)
    nodes = _merged_rows(H._nodes, fresh, kept)
    node_codes = fresh[H._node_codes].astype(np.int32)
    # the heaviest of the incidences that coincide comes first, and the first is kept
    order = np.arange(len(node_codes)) if H._weights is None else np.lexsort((np.arange(len(node_codes)), -H._weights))
    pick = lambda array: None if array is None else array[order]  # noqa: E731
    extra = None if H._extra is None else H._extra.iloc[order].reset_index(drop=True)
    merged = H._checked(
        nodes, H._edges, H._edge_codes[order], node_codes[order], pick(H._roles), pick(H._weights), extra, warn=False
    )
    if not drop_collapsed:
        return merged
    collapsed = (merged.sizes.to_numpy() == 1) & (H.sizes.to_numpy() > 1)
    touched = np.zeros(len(H), bool)
    touched[H._edge_codes[np.isin(H._nodes.index[H._node_codes], list(mapping))]] = True
    collapsed |= touched & _source_is_target(merged)
    return merged._part(~collapsed, np.ones(len(nodes), bool))


def _merged_rows(table: pd.DataFrame, fresh: np.ndarray, kept: pd.Index) -> pd.DataFrame:
    """One row a representative: its own row first, gaps filled from the merged ones, their names under `aliases`."""
    kept = pd.Index(kept, name="node")
    own = table.index == kept[fresh]
    rows = table.copy().assign(_group=fresh, _own=~own).sort_values(["_group", "_own"], kind="stable")
    merged_away = table.index[~own]
    if not len(table.columns) and not len(merged_away):
        return pd.DataFrame(index=kept)
    first = rows.drop(columns=["_own"]).groupby("_group", sort=True).first() if len(table.columns) else pd.DataFrame(index=range(len(kept)))
    first = first.astype({c: table[c].dtype for c in table.columns if first[c].notna().all()}, errors="ignore").set_axis(kept)
    if len(merged_away):
        previous = table["aliases"] if "aliases" in table else pd.Series([None] * len(table), index=table.index)
        names: dict[str, list[str]] = {}
        for name, group, is_own, old in zip(table.index, fresh, own, previous, strict=True):
            more = ([] if is_own else [name]) + (list(old) if isinstance(old, (list, tuple, np.ndarray)) else [])
            names[kept[group]] = names.get(kept[group], []) + more
        first["aliases"] = pd.Series({k: list(dict.fromkeys(v)) if v else None for k, v in names.items()}, dtype=object)
    return first


def _source_is_target(H: Hypergraph) -> np.ndarray:
    """Hyperedges with a source and a target set that are equal (and no undirected member)."""
    if H._roles is None:
        return np.zeros(len(H), bool)
    sets: list[tuple[set, set]] = [(set(), set()) for _ in range(len(H))]
    undirected = np.zeros(len(H), bool)
    for edge, node, role in zip(H._edge_codes.tolist(), H._node_codes.tolist(), H._roles.tolist(), strict=True):
        if role == _NO_ROLE:
            undirected[edge] = True
        else:
            sets[edge][role].add(node)
    return np.array([bool(s) and s == t for s, t in sets], bool) & ~undirected


def union(one: Hypergraph, two: Hypergraph) -> Hypergraph:
    """See `Hypergraph.union`."""
    shared = one._edges.index.intersection(two._edges.index, sort=False)
    if len(shared):
        ours, theirs = one.subgraph(edges=shared), two.subgraph(edges=shared)
        _refuse_conflicts(ours, theirs, shared)
    nodes = one._nodes.combine_first(two._nodes) if len(two._nodes.columns) else one._nodes
    order = one._nodes.index.append(two._nodes.index.difference(one._nodes.index, sort=False)).rename("node")
    rest = two._part(~two._edges.index.isin(shared), np.ones(len(two._nodes), bool))
    edges = pd.concat([t for t in (one._edges, rest._edges) if len(t.columns)] or [one._edges])
    edges = edges.reindex(one._edges.index.append(rest._edges.index).rename("edge"))
    frames = [table.astype({"edge": object, "node": object}) for table in (one._incidences, rest._incidences) if len(table)]
    frame = pd.concat(frames, ignore_index=True) if frames else one._incidences
    return one.from_frame(frame, edges=edges, nodes=nodes.reindex(order))


def _refuse_conflicts(ours: Hypergraph, theirs: Hypergraph, shared: pd.Index) -> None:
    from .hypergraph import _same_table

    def rows(H, edge):
        table = H.incidences[H.incidences["edge"] == edge].astype({"edge": object, "node": object, "role": object})
        return table.sort_values(["node", "role"]).reset_index(drop=True)

    if ours._edges.index.equals(theirs._edges.index) and ours.equals(theirs):
        return
    for edge in shared:
        same = _same_table(rows(ours, edge), rows(theirs, edge))
        if not same or not _same_table(ours._edges.loc[[edge]], theirs._edges.loc[[edge]]):
            raise ValueError(
                f"hyperedge id {edge!r} means different hyperedges in the two hypergraphs. "
                "Rename the ids of one of them (for instance with a prefix a corpus) and join again."
            )
