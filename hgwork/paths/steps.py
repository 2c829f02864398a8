"""Steps between hyperedges, many at a time: the s-line graph of a hypergraph without its one-overlap links.

A step from e to f shares at least (or exactly) s nodes; directed, nodes that are targets of e and sources of f, where
a member counts as both [1]_. A step weighs ``cost · 2**20 − shared``: one integer orders by cost, then by more shared
nodes. Values of many hyperedges are pushed over their steps, or pulled back, at once: through the nodes where
one shared node is enough, over the listed overlaps where two or more are shared.

References
----------
.. [1] Aksoy et al., Hypernetwork science via high-order hypergraph walks, EPJ Data Science 9, 16 (2020).
"""

from __future__ import annotations

import numpy as np

from .index import MILLION, Index, gather

__all__ = ["FAR", "Steps", "cost_of", "shared_of"]

FAR = np.int64(2**62)
BITS = 20


def cost_of(weight):
    """The cost in a weight; shared nodes stand in its low bits, negated."""
    return (weight + (1 << BITS) - 1) >> BITS


def shared_of(weight):
    """The shared nodes in a weight."""
    return (cost_of(weight) << BITS) - weight


class Steps:
    """The steps of one question: s, at least or exactly, directed or not, with or without a price on hubs.

    `unit` is the cost of a step without a price: 1, or a million where hubs cost ``price · log(degree) /
    log(highest degree)`` more, rounded to the millionth so that equal costs are equal.
    """

    def __init__(self, index: Index, s: int, exactly: bool, directed: bool, price: float = 0.0):
        self.index, self.s, self.exactly, self.priced = index, s, exactly, price > 0
        self.links = index.directed_links if directed else index.links
        self.m, self.n = index.matrix.shape
        self.unit = MILLION if self.priced else 1
        self.factor = price
        self.price = np.rint(price * index.hubness).astype(np.int64) if self.priced else None
        self._over = {False: self._kept(False)}
        self._work: dict[bool, np.ndarray] = {}

    def _kept(self, reverse: bool):
        """(indptr, indices, shared, weight) of the listed steps that count."""
        listed = [self.links.overlaps, *([self.index.least_hubness(self.links)] if self.priced else [])]
        graph, *hubness = [part.T.tocsr() for part in listed] if reverse else listed
        indptr, to, shared = graph.indptr, graph.indices, graph.data
        if self.s > 2 or self.exactly:
            keep = shared == self.s if self.exactly and self.s > 1 else shared >= self.s
            indptr = np.append(0, np.cumsum(keep))[indptr]
            to, shared = to[keep], shared[keep]
        else:
            keep = slice(None)
        if not hubness:
            return indptr, to, shared, None
        price = np.rint(self.factor * hubness[0].data[keep]).astype(np.int64)
        return indptr, to, shared, ((self.unit + price) << BITS) - shared

    def over(self, reverse: bool):
        if reverse not in self._over:
            same = self.links.leave is self.links.enter
            self._over[True] = self._over[False] if same else self._kept(True)
        return self._over[reverse]

    def _sides(self, reverse: bool):
        return (self.links.enter, self.links.leave) if reverse else (self.links.leave, self.links.enter)

    def work(self, rows: np.ndarray, reverse: bool = False) -> int:
        """About how many entries a push from these hyperedges reads."""
        if reverse not in self._work:
            if self.s > 1:
                self._work[reverse] = np.diff(self.over(reverse)[0])
            else:
                leave, enter = self._sides(reverse)
                degree = np.append(0, np.cumsum(np.diff(enter[1].indptr)[leave[0].indices]))
                self._work[reverse] = np.diff(degree[leave[0].indptr])
        return int(self._work[reverse][rows].sum())

    # ---------------------------------------------------------------- one hyperedge

    def neighbours(self, row: int, reverse: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """The hyperedges one step away, by place, and the weights of the steps."""
        if self.s > 1 and not self.priced:
            indptr, to, shared, _ = self.over(reverse)
            part = slice(indptr[row], indptr[row + 1])
            return to[part], (1 << BITS) - shared[part].astype(np.int64)
        leave, enter = self._sides(reverse)
        nodes = leave[0].indices[leave[0].indptr[row] : leave[0].indptr[row + 1]]
        place, counts = gather(enter[1].indptr, nodes)
        to, inverse, shared = np.unique(enter[1].indices[place], return_inverse=True, return_counts=True)
        least = np.zeros(len(to), np.int64)
        if self.price is not None:
            least[:] = FAR
            np.minimum.at(least, inverse, np.repeat(self.price[nodes], counts))
        keep = (shared == self.s if self.exactly else shared >= self.s) & (to != row)
        return to[keep], ((self.unit + least[keep]) << BITS) - shared[keep]

    # ---------------------------------------------------------------- many hyperedges

    def push(self, rows: np.ndarray, values: np.ndarray, reverse: bool = False) -> np.ndarray:
        """For every hyperedge, the least value + weight over the steps that reach it from `rows`; FAR elsewhere.

        A hyperedge may be reached from itself, at more than its value. With ``exactly``, s = 1 and no price, the
        values must be equal.
        """
        if self.s == 1 and self.exactly:
            return self._push_single(rows, values, reverse)
        out = np.full(self.m, FAR)
        indptr, to, shared, weight = self.over(reverse)
        place, counts = gather(indptr, rows)
        step = (1 << BITS) - shared[place].astype(np.int64) if weight is None else weight[place]
        np.minimum.at(out, to[place], np.repeat(values, counts) + step)
        if self.s == 1:
            leave, enter = self._sides(reverse)
            place, counts = gather(leave[0].indptr, rows)
            best = np.full(self.n, FAR)
            np.minimum.at(best, leave[0].indices[place], np.repeat(values, counts))
            nodes = np.flatnonzero(best < FAR)
            place, counts = gather(enter[1].indptr, nodes)
            np.minimum.at(out, enter[1].indices[place], np.repeat(best[nodes] + self._through(nodes), counts))
        return out

    def _through(self, nodes: np.ndarray):
        """Weight of a step that shares one node."""
        price = 0 if self.price is None else self.price[nodes]
        return ((self.unit + price) << BITS) - 1

    def _push_single(self, rows, values, reverse: bool) -> np.ndarray:
        """Steps that share exactly one node: counted as all shared nodes less those of pairs that share more."""
        out = np.full(self.m, FAR)
        if not len(rows):
            return out
        if self.priced:
            for row, value in zip(rows.tolist(), values.tolist(), strict=True):
                to, step = self.neighbours(row, reverse)
                out[to] = np.minimum(out[to], value + step)
            return out
        leave, enter = self._sides(reverse)
        entries = leave[0].indices[gather(leave[0].indptr, rows)[0]]
        times = np.bincount(entries, minlength=self.n)
        nodes = np.flatnonzero(times)
        place, counts = gather(enter[1].indptr, nodes)
        total = np.bincount(enter[1].indices[place], np.repeat(times[nodes], counts), self.m)
        indptr, to, shared, _ = self.over(reverse)
        place, _ = gather(indptr, rows)
        total -= np.bincount(to[place], shared[place], self.m)
        total[rows] -= self.own[rows]
        out[total > 0.5] = values[0] + (1 << BITS) - 1
        return out

    @property
    def own(self) -> np.ndarray:
        """Nodes by which a hyperedge could step to itself."""
        leave, enter = self.links.leave[0], self.links.enter[0]
        if leave is enter:
            return np.diff(leave.indptr)
        return np.asarray(leave.multiply(enter).sum(axis=1)).ravel()

    def pull(self, rows: np.ndarray, values: np.ndarray) -> np.ndarray:
        """For each of `rows`, the least weight + value over its steps, where `values` has one of every hyperedge.

        The values below FAR must not be of `rows` themselves.
        """
        if self.s == 1 and self.exactly:
            known = np.flatnonzero(values < FAR)
            return self.push(known, values[known], reverse=True)[rows]
        indptr, to, shared, weight = self.over(False)
        place, counts = gather(indptr, rows)
        step = (1 << BITS) - shared[place].astype(np.int64) if weight is None else weight[place]
        out = _least(values[to[place]] + step, counts)
        if self.s == 1:
            leave, enter = self._sides(False)
            held, sizes = gather(leave[0].indptr, rows)
            entries = leave[0].indices[held]
            mask = np.zeros(self.n, bool)
            mask[entries] = True
            nodes = np.flatnonzero(mask)
            place, counts = gather(enter[1].indptr, nodes)
            best = np.full(self.n, FAR)
            best[nodes] = _least(values[enter[1].indices[place]], counts) + self._through(nodes)
            out = np.minimum(out, _least(best[entries], sizes))
        return np.where(out < FAR, out, FAR)


def _least(values: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The least of each run of values; FAR of an empty one."""
    out, full = np.full(len(counts), FAR), counts > 0
    if full.any():
        out[full] = np.minimum.reduceat(values, (np.cumsum(counts) - counts)[full])
    return out
