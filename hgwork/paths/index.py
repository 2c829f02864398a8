"""What path searches prepare once for a hypergraph: who enters and leaves a hyperedge by which node, and overlaps.

The hyperedges that share one node are never listed, they are reached through the node; those that share two or more
are, once. A `Hypergraph` does not change, so that what is prepared stays true: it is kept in a table of weak
references beside the hypergraph and goes when the hypergraph goes.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from scipy import sparse

from ..topology.overlap import overlapping_pairs

if TYPE_CHECKING:
    from .steps import Steps

__all__ = ["Index", "Links", "gather", "path_index", "prepare"]

_KEPT: WeakKeyDictionary = WeakKeyDictionary()
_SOURCE, _TARGET = 0, 1
MILLION = 1_000_000
MOST_STEPS = 4


def prepare(H, directed: bool = False) -> None:
    """Do now what the first search on a hypergraph would do: order the ids and list the hyperedges that overlap.

    The searches take a `Hypergraph` and find what is prepared by its identity; nothing is stored in it, and nothing
    keeps it alive.

    Parameters
    ----------
    H : Hypergraph
    directed : bool
        Prepare the steps from targets to sources as well.

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> prepare(Hypergraph.from_dict({"a": "xyz", "b": "yz"}))
    """
    found = path_index(H)
    for links in (found.links, found.directed_links)[: 1 + directed]:
        assert links.rank is found.rank and links.overlaps is not None


def path_index(H) -> Index:
    """What is prepared for a hypergraph, made at the first call."""
    if H not in _KEPT:
        _KEPT[H] = Index(H)
    return _KEPT[H]


def gather(indptr: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Places of all entries of some CSR rows, one row after the other, and how many each row has."""
    first = indptr[rows].astype(np.int64)
    counts = indptr[rows + 1] - first
    ends = np.cumsum(counts)
    return np.repeat(first - ends + counts, counts) + np.arange(ends[-1] if len(ends) else 0), counts


class Index:
    """Arrays drawn from a hypergraph; it holds no reference to the hypergraph, which may therefore be freed."""

    def __init__(self, H):
        matrix = H.incidence
        self.matrix = matrix if matrix.has_sorted_indices else matrix.sorted_indices()
        self._ids = H._edges.index
        self._steps: dict[tuple, Steps] = {}
        self._least: dict[bool, sparse.csr_array] = {}
        self._edge_codes, self._node_codes, self._roles = H._edge_codes, H._node_codes, H._roles

    @cached_property
    def rank(self) -> np.ndarray:
        """Place of each hyperedge when ids are put in order as text (by code point)."""
        order = sorted(range(len(self._ids)), key=self._ids.tolist().__getitem__)
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        return rank

    @cached_property
    def degree(self) -> np.ndarray:
        return np.bincount(self.matrix.indices, minlength=self.matrix.shape[1])

    @cached_property
    def hubness(self) -> np.ndarray:
        """log(degree) / log(highest degree) of each node, in millionths: 0 at degree 1, a million for the hub."""
        highest = np.log(max(int(self.degree.max(initial=1)), 2))
        return np.rint(MILLION * np.log(np.maximum(self.degree, 1)) / highest).astype(np.int64)

    @cached_property
    def links(self) -> Links:
        by_node = self.matrix.T.tocsr()
        sides = (self.matrix, by_node)
        return Links(sides, sides, self._pairs(), self.rank)

    @cached_property
    def directed_links(self) -> Links:
        if self._roles is None:
            return self.links
        leave, enter = (self._side(role) for role in (_TARGET, _SOURCE))
        i, j, _ = self._listed
        both = np.concatenate([i, j]), np.concatenate([j, i])
        overlap = shared_entries(leave, enter, *both)[1]
        return Links(
            (leave, leave.T.tocsr()), (enter, enter.T.tocsr()), self._graph(*both, overlap, overlap > 1), self.rank
        )

    def _side(self, role: int) -> sparse.csr_array:
        """Hyperedges x nodes that stand in one role, or in none."""
        rows = self._roles != 1 - role
        side = sparse.csr_array(
            (np.ones(rows.sum(), np.int32), (self._edge_codes[rows], self._node_codes[rows])), self.matrix.shape
        )
        side.sum_duplicates()
        side.data[:] = 1
        return side

    @cached_property
    def _listed(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        parts = list(overlapping_pairs(self.matrix))
        if not parts:
            return (np.zeros(0, np.int32),) * 3
        return tuple(np.concatenate([part[k] for part in parts]).astype(np.int32) for k in range(3))  # type: ignore

    def _pairs(self) -> sparse.csr_array:
        i, j, overlap = self._listed
        twice = np.concatenate([overlap, overlap])
        return self._graph(np.concatenate([i, j]), np.concatenate([j, i]), twice, twice > 1)

    def least_hubness(self, links: Links) -> sparse.csr_array:
        """The least `hubness` of the nodes that each listed step shares, in the order of its `overlaps`."""
        directed = links is not self.links
        if directed not in self._least:
            graph, i, j = links.overlaps, *self._listed[:2]
            if directed:
                i, j = np.repeat(np.arange(len(self._ids)), np.diff(graph.indptr)), graph.indices
            least = shared_entries(links.leave[0], links.enter[0], i, j, self.hubness)[0]
            if not directed:
                i, j, least = np.concatenate([i, j]), np.concatenate([j, i]), np.concatenate([least, least])
            self._least[directed] = self._graph(i, j, least, slice(None))
        return self._least[directed]

    def _graph(self, i, j, overlap, keep) -> sparse.csr_array:
        shape = (self.matrix.shape[0],) * 2
        return sparse.csr_array((overlap[keep].astype(np.int32), (i[keep], j[keep])), shape)

    def classes(self, directed: bool) -> np.ndarray:
        """For each hyperedge, whether it is the first as text of those with its members (and roles, if directed)."""
        rows, columns = self.matrix.nonzero()
        part = np.zeros(len(rows), np.int64)
        if directed and self._roles is not None:
            for bit, role in ((1, _TARGET), (2, _SOURCE)):
                part += bit * np.asarray(self._side(role)[rows, columns]).ravel().astype(np.int64)
        seen: dict[bytes, int] = {}
        first = np.zeros(len(self.rank), bool)
        keys, bounds = columns.astype(np.int64) * 4 + part, self.matrix.indptr
        for edge in np.argsort(self.rank).tolist():
            key = keys[bounds[edge] : bounds[edge + 1]].tobytes()
            first[edge] = seen.setdefault(key, edge) == edge
        return first

    @cached_property
    def by_node(self) -> sparse.csr_array:
        return self.links.enter[1]

    def steps(self, s: int, exactly: bool, directed: bool, price: float) -> Steps:
        """The steps of a question; those of the last few questions are kept."""
        from .steps import Steps

        key = (int(s), exactly, directed and self._roles is not None, price)
        if key not in self._steps:
            while len(self._steps) >= MOST_STEPS:
                self._steps.pop(next(iter(self._steps)))
            self._steps[key] = Steps(self, *key)
        return self._steps[key]

    @cached_property
    def first_of_members(self) -> np.ndarray:
        return self.classes(False)

    @cached_property
    def first_of_roles(self) -> np.ndarray:
        return self.classes(True)


class Links(NamedTuple):
    """How one steps from hyperedge to hyperedge: out by the nodes of `leave`, in by those of `enter`; each is
    (hyperedges x nodes, nodes x hyperedges). `overlaps`: from x to, shared nodes, where they are two or more."""

    leave: tuple[sparse.csr_array, sparse.csr_array]
    enter: tuple[sparse.csr_array, sparse.csr_array]
    overlaps: sparse.csr_array
    rank: np.ndarray


def shared_entries(leave, enter, i, j, values=None, block: int = 2_000_000):
    """For pairs of rows: the least of `values` (by column) over shared columns, and how many columns they share."""
    n = leave.shape[1]
    held = np.sort(np.repeat(np.arange(enter.shape[0], dtype=np.int64), np.diff(enter.indptr)) * n + enter.indices)
    least = np.full(len(i), np.iinfo(np.int64).max)
    count = np.zeros(len(i), np.int64)
    for low in range(0, len(i), block):
        part = slice(low, low + block)
        place, counts = gather(leave.indptr, i[part])
        owner, column = np.repeat(np.arange(len(counts)), counts), leave.indices[place]
        key = np.repeat(j[part].astype(np.int64), counts) * n + column
        at = np.searchsorted(held, key)
        found = (at < len(held)) & (held[np.minimum(at, len(held) - 1)] == key) if len(held) else np.zeros(0, bool)
        count[part] = np.bincount(owner[found], minlength=len(counts))
        if values is not None:
            np.minimum.at(least[part], owner[found], values[column[found]])
    return least, count
