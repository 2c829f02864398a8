"""The one data structure: an immutable hypergraph over three tables and one sparse matrix.

Nodes and hyperedges are names; what is known of them stands in the tables `nodes` and `edges`, and who belongs to
what stands in `incidences` and, as 0/1 CSR, in `incidence`. Every other room is a function of these.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd
from scipy import sparse

from ._arrays import (
    MEMBER,
    ROLES,
    as_text,
    encode,
    first_of_each,
    named_table,
    place_of,
    refuse_nul,
    role_codes,
    same_table,
    weight_column,
)

if TYPE_CHECKING:
    import hypernetx
    import networkx

    from .schema import Event

__all__ = ["Hypergraph"]


class Hypergraph:
    """Hyperedges over named nodes, with attributes on nodes, hyperedges and incidences.

    Build one with `from_dict`, `from_frame`, `from_events`, `from_incidence` or `from_hypernetx`. Nothing changes
    it: each operation returns a new value with nodes, hyperedges, incidences and provenance in step. Parallel
    hyperedges (equal node sets) and singletons are kept until `simplify` is asked to drop them. Names are exact
    text: ``"PLA"`` and ``"pla"`` are two nodes.

    Attributes
    ----------
    nodes : DataFrame, one row a node
        Index: node name. Columns where known: `type`, `description`, `confidence`, `aliases`, any more.
    edges : DataFrame, one row a hyperedge
        Index: hyperedge id. Columns where known: `relation`, `text`, `document`, `chunk`, `start`, `end`, `date`,
        `doi`, `confidence`, `kind`, `group`, `horizon`, `position`, `family`, `phase`, `attributes`, any more.
    incidences : DataFrame
        Columns `edge`, `node` (categorical), `role` ("source", "target" or "member"), `weight`, any more.
    incidence : scipy.sparse.csr_array, hyperedges x nodes
        0/1, each pair once whatever its roles.

    Examples
    --------
    >>> H = Hypergraph.from_dict({"paper 1": ["Ada", "Bo", "Cy"], "paper 2": ["Bo", "Cy"]})
    >>> H
    Hypergraph(3 nodes, 2 hyperedges, 5 incidences)
    >>> H.degrees.to_dict()
    {'Ada': 1, 'Bo': 2, 'Cy': 2}
    """

    _nodes: pd.DataFrame
    _edges: pd.DataFrame
    _edge_codes: np.ndarray
    _node_codes: np.ndarray
    _roles: np.ndarray | None
    _weights: np.ndarray | None
    _extra: pd.DataFrame | None

    def __init__(self, nodes, edges, edge_codes, node_codes, roles=None, weights=None, extra=None):
        put = self.__dict__
        put["_nodes"], put["_edges"] = nodes, edges
        put["_edge_codes"], put["_node_codes"] = edge_codes, node_codes
        put["_roles"], put["_weights"], put["_extra"] = roles, weights, extra
        for array in (edge_codes, node_codes, roles, weights):
            if array is not None:
                array.setflags(write=False)

    def __setattr__(self, name, value):
        raise AttributeError(f"a Hypergraph does not change: make a new one instead of setting {name!r}.")

    # ---------------------------------------------------------------- construct

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        edges: pd.DataFrame | Mapping | None = None,
        nodes: pd.DataFrame | Mapping | None = None,
    ) -> Hypergraph:
        """Build from one row an incidence.

        Parameters
        ----------
        frame : DataFrame
            Columns `edge` and `node`; optional `role`, `weight` and any more, which stay with the incidence.
        edges, nodes : DataFrame or mapping of rows, optional
            Attributes by hyperedge id and by node name. Their order comes first; names that stand only here become
            empty hyperedges and isolated nodes.

        Returns
        -------
        Hypergraph

        Raises
        ------
        ValueError
            If a column is missing, a name is missing or ambiguous, a role is unknown or a weight is no number.

        Examples
        --------
        >>> Hypergraph.from_frame(pd.DataFrame({"edge": ["a", "a", "b"], "node": ["x", "y", "y"]}))
        Hypergraph(2 nodes, 2 hyperedges, 3 incidences)
        """
        lacking = [name for name in ("edge", "node") if name not in frame.columns]
        if lacking:
            raise ValueError(
                f"the frame has no column {' and no column '.join(map(repr, lacking))}; it has "
                f"{list(frame.columns)}. Rename the columns that name hyperedges and nodes to 'edge' and 'node'."
            )
        if not frame.columns.is_unique:
            twin = frame.columns[frame.columns.duplicated()][0]
            raise ValueError(f"the frame has the column {twin!r} twice. Rename or drop one.")
        edge_table, node_table = named_table(edges, "edge"), named_table(nodes, "node")
        edge_codes, edge_names = encode(frame["edge"], "edge", edge_table.index if len(edge_table) else None)
        node_codes, node_names = encode(frame["node"], "node", node_table.index if len(node_table) else None)
        columns = [c for c in frame.columns if c not in ("edge", "node", "role", "weight")]
        return cls._checked(
            _extended(node_table, node_names),
            _extended(edge_table, edge_names),
            edge_codes,
            node_codes,
            role_codes(frame["role"]) if "role" in frame else None,
            weight_column(frame["weight"]) if "weight" in frame else None,
            frame[columns].reset_index(drop=True) if columns else None,
        )

    @classmethod
    def from_dict(cls, members: Mapping[Hashable, Iterable], edges=None, nodes=None) -> Hypergraph:
        """Build from ``{hyperedge id: its nodes}``; a repeated node in one hyperedge counts once.

        Examples
        --------
        >>> Hypergraph.from_dict({"a": "xyz", "b": []}).sizes.to_dict()
        {'a': 3, 'b': 0}
        """
        groups: list = [group if hasattr(group, "__len__") else list(group) for group in members.values()]
        sizes = np.fromiter((len(group) for group in groups), np.int64, len(groups))
        flat = np.fromiter(chain.from_iterable(groups), object, sizes.sum())
        names, table, node_table = (
            as_text(list(members), "edge"),
            named_table(edges, "edge"),
            named_table(nodes, "node"),
        )
        refuse_nul(names, "edge")
        codes, node_names = encode(flat, "node", node_table.index if len(node_table) else None)
        order = table.index.append(names.difference(table.index, sort=False)) if len(table) else names
        place = table.index.get_indexer(names) if len(table) else np.arange(len(names))
        place[place < 0] = len(table) + np.arange((place < 0).sum())
        edge_codes = np.repeat(place, sizes).astype(np.int32)
        return cls._checked(_extended(node_table, node_names), _extended(table, order), edge_codes, codes, warn=False)

    @classmethod
    def from_events(cls, events: Iterable[Event | Mapping], nodes=None) -> Hypergraph:
        """Build from events: one hyperedge an event, its members source ∪ target [1]_.

        The id of a hyperedge is ``{chunk}/{number of the event in its chunk}``, so that the same documents give the
        same ids.

        Parameters
        ----------
        events : iterable of Event or mapping
        nodes : DataFrame or mapping, optional
            Attributes by node name.

        Raises
        ------
        ValueError
            If an event lacks a source, a relation or a target; the message names the event.

        References
        ----------
        .. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, section 2.1.2.

        Examples
        --------
        >>> H = Hypergraph.from_events([{"source": ["PCL"], "relation": "joins", "target": ["chitosan", "silk"]}])
        >>> H.sentences().tolist()
        ['PCL – joins – chitosan, silk']
        """
        from ._events import event_tables

        frame, edges = event_tables(events)
        return cls.from_frame(frame, edges=edges, nodes=nodes)

    @classmethod
    def from_incidence(cls, matrix, edges=None, nodes=None) -> Hypergraph:
        """Build from a hyperedges x nodes matrix (sparse or dense); non-zero entries become weights.

        Parameters
        ----------
        matrix : sparse array or array, shape (hyperedges, nodes)
        edges, nodes : sequence of names or DataFrame, optional
            Names in the order of rows and columns; "0", "1", … where not given.
        """
        coo = sparse.coo_array(matrix)
        if coo.ndim != 2 or np.iscomplexobj(coo.data) or not np.isfinite(coo.data).all():
            raise ValueError(
                f"a matrix of shape {coo.shape} and type {coo.dtype}: give hyperedges x nodes, all finite real numbers."
            )
        coo.sum_duplicates()
        coo.eliminate_zeros()
        tables = []
        for given, count, what in ((edges, coo.shape[0], "edge"), (nodes, coo.shape[1], "node")):
            if not isinstance(given, pd.DataFrame):
                names = [str(i) for i in range(count)] if given is None else list(given)
                given = pd.DataFrame(index=pd.Index(names, dtype=object))
            tables.append(named_table(given, what))
            if len(tables[-1]) != count:
                raise ValueError(
                    f"{len(tables[-1])} {what} names for a matrix of shape {coo.shape} (hyperedges x nodes)."
                )
        weights = None if (coo.data == 1).all() else coo.data.astype(float)
        return cls._checked(
            tables[1], tables[0], coo.coords[0].astype(np.int32), coo.coords[1].astype(np.int32), None, weights
        )

    @classmethod
    def from_hypernetx(cls, hypergraph: hypernetx.Hypergraph) -> Hypergraph:
        """Build from a HyperNetX hypergraph, with its node, edge and incidence properties."""
        from ._hypernetx import read_hypernetx

        return cls.from_frame(**read_hypernetx(hypergraph))

    @classmethod
    def _checked(cls, nodes, edges, edge_codes, node_codes, roles=None, weights=None, extra=None, warn=True):
        rows = first_of_each(edge_codes, node_codes, roles, len(nodes), warn)
        if rows is not None:
            edge_codes, node_codes = edge_codes[rows], node_codes[rows]
            roles = None if roles is None else roles[rows]
            weights = None if weights is None else weights[rows]
            extra = None if extra is None else extra.iloc[rows].reset_index(drop=True)
        return cls(nodes, edges, edge_codes, node_codes, roles, weights, extra)

    # ---------------------------------------------------------------- look

    @property
    def nodes(self) -> pd.DataFrame:
        return self._nodes.copy(deep=False)

    @property
    def edges(self) -> pd.DataFrame:
        return self._edges.copy(deep=False)

    @property
    def incidences(self) -> pd.DataFrame:
        return self._incidences.copy(deep=False)

    @cached_property
    def _incidences(self) -> pd.DataFrame:
        count = len(self._edge_codes)
        roles = np.full(count, MEMBER, np.int8) if self._roles is None else self._roles
        table = pd.DataFrame(
            {
                "edge": pd.Categorical.from_codes(self._edge_codes, self._edges.index),
                "node": pd.Categorical.from_codes(self._node_codes, self._nodes.index),
                "role": pd.Categorical.from_codes(roles, list(ROLES)),
                "weight": np.ones(count) if self._weights is None else self._weights,
            }
        )
        return table if self._extra is None else table.join(self._extra)

    @cached_property
    def incidence(self) -> sparse.csr_array:
        ones = np.ones(len(self._edge_codes), np.int32)
        matrix = sparse.csr_array((ones, (self._edge_codes, self._node_codes)), shape=self.shape)
        matrix.sum_duplicates()
        matrix.data[:] = 1
        for array in (matrix.data, matrix.indices, matrix.indptr):
            array.setflags(write=False)
        return matrix

    @cached_property
    def _by_node(self) -> sparse.csr_array:
        return self.incidence.T.tocsr()

    @property
    def shape(self) -> tuple[int, int]:
        """(hyperedges, nodes)."""
        return len(self._edges), len(self._nodes)

    @property
    def sizes(self) -> pd.Series:
        """Distinct nodes of each hyperedge."""
        return pd.Series(np.diff(self.incidence.indptr), index=self._edges.index, name="size")

    @property
    def degrees(self) -> pd.Series:
        """Hyperedges that hold each node, parallel ones counted each."""
        counts = np.bincount(self.incidence.indices, minlength=len(self._nodes))
        return pd.Series(counts, index=self._nodes.index, name="degree")

    def members(self, edge: str) -> list[str]:
        """Distinct nodes of one hyperedge, in table order."""
        row = place_of(self._edges.index, edge, "hyperedge")
        return self._nodes.index[self.incidence.indices[slice(*self.incidence.indptr[row : row + 2])]].tolist()

    def incident(self, node: str) -> list[str]:
        """Hyperedges that hold one node, in table order."""
        row = place_of(self._nodes.index, node, "node")
        return self._edges.index[self._by_node.indices[slice(*self._by_node.indptr[row : row + 2])]].tolist()

    def sentences(self, edges: Iterable[str] | None = None) -> pd.Series:
        """``source – relation – target`` of each hyperedge; undirected members stand in braces."""
        from ._events import sentences

        return sentences(self, self._edges.index if edges is None else pd.Index(list(edges)))

    def equals(self, other: Hypergraph) -> bool:
        """Same names in the same order, same incidences whatever their order, same attributes."""
        if not (self._nodes.index.equals(other._nodes.index) and self._edges.index.equals(other._edges.index)):
            return False
        tables = ((self._nodes, other._nodes), (self._edges, other._edges), (self._sorted(), other._sorted()))
        return all(same_table(one, two) for one, two in tables)

    def _sorted(self) -> pd.DataFrame:
        table = self.incidences
        order = np.lexsort((table["role"].cat.codes, self._node_codes, self._edge_codes))
        return table.iloc[order].reset_index(drop=True)

    def __len__(self) -> int:
        return len(self._edges)

    def __repr__(self) -> str:
        counts = f"{len(self._nodes):,} nodes, {len(self._edges):,} hyperedges, {len(self._edge_codes):,} incidences"
        return f"Hypergraph({counts})"

    def _repr_html_(self) -> str:
        from ._html import hypergraph_card

        return hypergraph_card(self)

    # ---------------------------------------------------------------- change

    def subgraph(
        self,
        nodes: Iterable[str] | None = None,
        edges: Iterable[str] | None = None,
        keep: Literal["contained", "restricted"] = "contained",
    ) -> Hypergraph:
        """The part on some nodes, on some hyperedges, or both.

        Parameters
        ----------
        nodes : iterable of str, optional
            S. "contained" keeps the hyperedges that lie wholly in S: ``H[S] = (S, {e ∈ E : e ⊆ S})``, the induced
            sub-hypergraph of [1]_. "restricted" keeps ``e ∩ S`` of every hyperedge that meets S.
        edges : iterable of str, optional
            The hyperedges to keep; without `nodes`, their members are the nodes.
        keep : {"contained", "restricted"}

        Raises
        ------
        KeyError
            If a name is not in the hypergraph.

        References
        ----------
        .. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, section 1.2.

        Examples
        --------
        >>> H = Hypergraph.from_dict({"a": "xyz", "b": "yz"})
        >>> H.subgraph(nodes="yz").edges.index.tolist()
        ['b']
        >>> H.subgraph(nodes="yz", keep="restricted").sizes.to_dict()
        {'a': 2, 'b': 2}
        """
        from ._change import subgraph

        return subgraph(self, nodes, edges, keep)

    def _part(self, edge_mask: np.ndarray, node_mask: np.ndarray) -> Hypergraph:
        rows = edge_mask[self._edge_codes] & node_mask[self._node_codes]
        edge_at, node_at = np.cumsum(edge_mask) - 1, np.cumsum(node_mask) - 1
        return Hypergraph(
            self._nodes[node_mask],
            self._edges[edge_mask],
            edge_at[self._edge_codes[rows]].astype(np.int32),
            node_at[self._node_codes[rows]].astype(np.int32),
            None if self._roles is None else self._roles[rows],
            None if self._weights is None else self._weights[rows],
            None if self._extra is None else self._extra[rows].reset_index(drop=True),
        )

    def merge_nodes(self, mapping: Mapping[str, str], drop_collapsed: bool = False) -> Hypergraph:
        """Merge nodes into representatives: nodes, hyperedges, incidences and provenance in one step [1]_.

        Parameters
        ----------
        mapping : mapping of str to str
            Merged name -> representative. A representative need not exist yet; it may not be merged itself.
        drop_collapsed : bool
            Drop hyperedges that this merge collapses to one node, and those whose source becomes equal to their
            target (operation 3 of [1]_). Kept by default.

        Returns
        -------
        Hypergraph
            A representative keeps its own attributes, takes those it lacks from the nodes merged into it (in table
            order) and lists their names under `aliases`. Incidences that coincide become one, of the largest weight.

        Raises
        ------
        KeyError
            If a merged name is not a node.
        ValueError
            If a representative is itself merged into another.

        References
        ----------
        .. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, section 2.1.3.

        Examples
        --------
        >>> H = Hypergraph.from_dict({"a": ["PLA", "silk"], "b": ["polylactic acid", "PLA"]})
        >>> H.merge_nodes({"polylactic acid": "PLA"}, drop_collapsed=True).edges.index.tolist()
        ['a']
        """
        from ._change import merge_nodes

        return merge_nodes(self, mapping, drop_collapsed)

    def union(self, other: Hypergraph) -> Hypergraph:
        """All nodes and hyperedges of both; attributes of a shared node come from `self`, gaps from `other`.

        Raises
        ------
        ValueError
            If both use one hyperedge id for different hyperedges. An id with equal members, roles and attributes
            on both sides is one hyperedge.

        Examples
        --------
        >>> Hypergraph.from_dict({"a": "xy"}).union(Hypergraph.from_dict({"b": "yz"}))
        Hypergraph(3 nodes, 2 hyperedges, 4 incidences)
        """
        from ._change import union

        return union(self, other)

    def dual(self) -> Hypergraph:
        """Swap nodes and hyperedges; the dual of the dual is the hypergraph itself."""
        return Hypergraph(
            self._edges.rename_axis("node"),
            self._nodes.rename_axis("edge"),
            self._node_codes,
            self._edge_codes,
            self._roles,
            self._weights,
            self._extra,
        )

    def simplify(
        self, duplicates: bool = True, singletons: bool = True, empty: bool = True, isolated: bool = False
    ) -> Hypergraph:
        """Drop what is asked: repeated node sets (the first stays), hyperedges of one node or none, unused nodes.

        Parameters
        ----------
        duplicates, singletons, empty, isolated : bool
            `isolated` drops nodes that no remaining hyperedge holds.
        """
        from ._change import simplify

        return simplify(self, duplicates, singletons, empty, isolated)

    def edge_classes(self) -> pd.Series:
        """An integer for each hyperedge, the same for equal node sets (exact, by order of first appearance)."""
        from ._change import edge_classes

        return edge_classes(self)

    # ---------------------------------------------------------------- out

    def to_hypernetx(self) -> hypernetx.Hypergraph:
        """A HyperNetX hypergraph with the same names and attributes (about 20 s a million incidences)."""
        from ._hypernetx import to_hypernetx

        return to_hypernetx(self)

    def to_networkx(self, kind: Literal["bipartite", "clique"] = "bipartite") -> networkx.Graph:
        """A networkx graph: the star expansion ("bipartite") or the clique expansion ("clique").

        Bipartite nodes are ``("node", name)`` and ``("edge", id)``, so that equal names stay apart. Clique edges
        carry `weight`, the number of hyperedges that hold both.
        """
        from ._networkx import to_networkx

        return to_networkx(self, kind)

    def to_dict(self) -> dict[str, list[str]]:
        """``{hyperedge id: its distinct nodes}``."""
        matrix = self.incidence
        names = self._nodes.index.to_numpy()[matrix.indices].tolist()
        bounds = matrix.indptr.tolist()
        return {edge: names[bounds[i] : bounds[i + 1]] for i, edge in enumerate(self._edges.index)}


def _extended(table: pd.DataFrame, names: pd.Index) -> pd.DataFrame:
    if len(names) == len(table):
        return table
    names = names.rename(table.index.name)
    return table.reindex(names) if len(table.columns) else pd.DataFrame(index=names)
