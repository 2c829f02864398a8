"""Merging nodes of one hypergraph and joining two, with every table kept in step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ._arrays import same_table

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
            raise ValueError(
                f"{old!r} is merged into {new!r}, which is merged into {mapping[new]!r}. Map both to one name."
            )
    old_names = H._nodes.index
    fresh, kept = pd.factorize(np.array([mapping.get(name, name) for name in old_names], dtype=object))
    nodes = _merged_rows(H._nodes, mapping, pd.Index(kept, dtype=object, name=old_names.name))
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


def _merged_rows(table: pd.DataFrame, mapping: Mapping[str, str], kept: pd.Index) -> pd.DataFrame:
    """One row a representative: its own first, gaps filled from the merged ones, their names under `aliases`."""
    if not mapping:
        return table
    rows = table.reindex(kept)
    merged = table.loc[table.index.isin(list(mapping))]
    into = merged.index.map(mapping)
    for column in [c for c in table.columns if c != "aliases"]:
        filler = merged[column].groupby(into).first().dropna()
        gaps = rows[column].isna() & kept.isin(filler.index)
        if gaps.any():
            rows[column] = rows[column].where(~gaps, filler.reindex(kept))
    before = table["aliases"].to_dict() if "aliases" in table else {}
    names: dict[str, list[str]] = {n: list(a) for n, a in before.items() if n in kept and _is_list(a)}
    for old, new in zip(merged.index, into, strict=True):
        names.setdefault(new, []).extend([old, *(before[old] if _is_list(before.get(old)) else [])])
    aliases = [list(dict.fromkeys(names[n])) if n in names else None for n in kept]
    return rows.assign(aliases=pd.Series(aliases, index=kept, dtype=object))


def _is_list(value) -> bool:
    return isinstance(value, (list, tuple, np.ndarray))


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
    columns = list(dict.fromkeys([*one._nodes.columns, *two._nodes.columns]))
    order = one._nodes.index.append(two._nodes.index.difference(one._nodes.index, sort=False)).rename("node")
    nodes = nodes.reindex(index=order, columns=columns)
    rest = two._part(~two._edges.index.isin(shared), np.ones(len(two._nodes), bool))
    edges = pd.concat([t for t in (one._edges, rest._edges) if len(t.columns)] or [one._edges])
    edges = edges.reindex(one._edges.index.append(rest._edges.index).rename("edge"))
    frames = [
        table.astype({"edge": object, "node": object}) for table in (one._incidences, rest._incidences) if len(table)
    ]
    frame = pd.concat(frames, ignore_index=True) if frames else one._incidences
    return one.from_frame(frame, edges=edges, nodes=nodes)


def _refuse_conflicts(ours: Hypergraph, theirs: Hypergraph, shared: pd.Index) -> None:
    def rows(H, edge):
        table = H.incidences[H.incidences["edge"] == edge].astype({"edge": object, "node": object, "role": object})
        return table.sort_values(["node", "role"]).reset_index(drop=True)

    if ours._edges.index.equals(theirs._edges.index) and ours.equals(theirs):
        return
    for edge in shared:
        same = same_table(rows(ours, edge), rows(theirs, edge))
        if not same or not same_table(ours._edges.loc[[edge]], theirs._edges.loc[[edge]]):
            raise ValueError(
                f"hyperedge id {edge!r} means different hyperedges in the two hypergraphs. "
                "Rename the ids of one of them (for instance with a prefix a corpus) and join again."
            )
