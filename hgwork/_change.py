"""One hypergraph from another: part, merge, union; every table kept in step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ._arrays import place_of, refuse_nul, same_table

if TYPE_CHECKING:
    from .hypergraph import Hypergraph

__all__ = ["edge_classes", "merge_nodes", "simplify", "subgraph", "union"]

_NO_ROLE = 2


def subgraph(H: Hypergraph, nodes: Iterable[str] | None, edges: Iterable[str] | None, keep: str) -> Hypergraph:
    """See `Hypergraph.subgraph`."""
    if keep not in ("contained", "restricted"):
        raise ValueError(f"keep={keep!r} is unknown. Use 'contained' or 'restricted'.")
    edge_mask = _mask(H._edges.index, edges, "hyperedge")
    if nodes is None:
        return H._part(edge_mask, np.ones(len(H._nodes), bool) if edges is None else _held(H, edge_mask))
    node_mask = _mask(H._nodes.index, nodes, "node")
    inside = np.bincount(H._edge_codes, node_mask[H._node_codes], minlength=len(H))
    held = np.bincount(H._edge_codes, minlength=len(H))
    return H._part(edge_mask & ((inside == held) if keep == "contained" else (inside > 0)), node_mask)


def _mask(index: pd.Index, names: Iterable[str] | None, what: str) -> np.ndarray:
    if names is None:
        return np.ones(len(index), bool)
    mask = np.zeros(len(index), bool)
    wanted = pd.Index(list(names), dtype=object)
    place = index.get_indexer(wanted)
    if (place < 0).any():
        place_of(index, wanted[place < 0][0], what)
    mask[place] = True
    return mask


def _held(H: Hypergraph, edge_mask: np.ndarray) -> np.ndarray:
    """Nodes that some of the hyperedges hold."""
    mask = np.zeros(len(H._nodes), bool)
    mask[H._node_codes[edge_mask[H._edge_codes]]] = True
    return mask


def simplify(H: Hypergraph, duplicates: bool, singletons: bool, empty: bool, isolated: bool) -> Hypergraph:
    """See `Hypergraph.simplify`."""
    sizes = H.sizes.to_numpy()
    edge_mask = ~((sizes == 1) & singletons) & ~((sizes == 0) & empty)
    if duplicates:
        edge_mask &= ~edge_classes(H).duplicated().to_numpy()
    return H._part(edge_mask, _held(H, edge_mask) if isolated else np.ones(len(H._nodes), bool))


def edge_classes(H: Hypergraph) -> pd.Series:
    """See `Hypergraph.edge_classes`."""
    matrix = H.incidence if H.incidence.has_sorted_indices else H.incidence.sorted_indices()
    sizes, labels, fresh = np.diff(matrix.indptr), np.zeros(len(H), np.int64), 0
    for size in np.unique(sizes):
        rows = np.flatnonzero(sizes == size)
        block = matrix.indices[matrix.indptr[rows][:, None] + np.arange(size)]
        codes = np.zeros(len(rows), np.int64)
        for column in block.T:  # exact: refine the classes one member at a time
            codes = pd.factorize(codes * H.shape[1] + column)[0]
        labels[rows] = codes + fresh
        fresh += codes.max() + 1
    return pd.Series(pd.factorize(labels)[0], index=H._edges.index, name="class")


def merge_nodes(H: Hypergraph, mapping: Mapping[str, str], drop_collapsed: bool) -> Hypergraph:
    """See `Hypergraph.merge_nodes`."""
    mapping = {old: new for old, new in mapping.items() if old != new}
    if wrong := [new for new in mapping.values() if not isinstance(new, str)]:
        raise ValueError(f"the representative {wrong[0]!r} is not text. Name one of the nodes, or a new one.")
    refuse_nul(list(mapping.values()), "node")
    for old, new in mapping.items():
        place_of(H._nodes.index, old, "node")
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
    nodes = _filled(one._nodes, two._nodes)
    rest = two._part(~two._edges.index.isin(shared), np.ones(len(two._nodes), bool))
    edges = _stacked(one._edges, rest._edges)
    names = {"edge": object, "node": object, "role": object}
    frame = _stacked(one._incidences.astype(names), rest._incidences.astype(names)).reset_index(drop=True)
    return one.from_frame(frame, edges=edges, nodes=nodes)


def _filled(one: pd.DataFrame, two: pd.DataFrame) -> pd.DataFrame:
    """Rows of both, those of one name joined: the first table's values, gaps filled from the second."""
    rows = _stacked(one, two.loc[~two.index.isin(one.index)]).rename_axis(one.index.name)
    for name, column in _exact(two).items():
        mine, theirs = rows[name], column.reindex(rows.index)
        gaps = mine.isna() & theirs.notna()
        if mine.isna().all():
            rows[name] = theirs
        elif gaps.any() and mine.dtype == theirs.dtype:
            rows[name] = mine.where(~gaps, theirs)
        elif gaps.any():
            rows[name] = mine.astype(object).where(~gaps, theirs.astype(object)).infer_objects()
    return rows


def _exact(table: pd.DataFrame) -> pd.DataFrame:
    """Integers in a kind of column that has gaps: no float that cannot hold them."""
    return table.astype({name: "Int64" for name in table.columns if table[name].dtype == "int64"})


def _stacked(one: pd.DataFrame, two: pd.DataFrame) -> pd.DataFrame:
    """Rows of both; a column that one of them lacks has gaps there."""
    one, two = _exact(one), _exact(two)
    columns = list(dict.fromkeys([*one.columns, *two.columns]))
    filled = [table.dropna(axis=1, how="all") for table in (one, two) if len(table)]
    filled = [table for table in filled if len(table.columns)]
    rows = pd.concat(filled) if filled else pd.DataFrame(index=one.index[:0])
    index = one.index.append(two.index)
    if len(rows) < len(index):  # rows of which nothing is known
        rows = rows.reindex(index.rename(one.index.name))
    return rows.reindex(columns=columns)


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
