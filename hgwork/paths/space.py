"""Where a search may go: the states of a question, with what starts, ends and lies between.

A state is a hyperedge together with how many waypoints have been reached once it is entered; without waypoints, states
are hyperedges. A state is the integer ``waypoints reached · hyperedges + place of the hyperedge``.
"""

from __future__ import annotations

import numpy as np

from .steps import FAR, Steps

__all__ = ["Space"]


class Space:
    """States and their steps.

    Parameters
    ----------
    steps : Steps
    begins, ends : bool arrays, one entry a hyperedge
        Whether the hyperedge may be entered from the source, and left to the target.
    via : list of bool arrays
        Whether the hyperedge holds each waypoint.
    allowed : bool array
    through : bool
        Whether a path may go on through hyperedges that begin or end one.
    longest : int, optional
        Most hyperedges in a path.
    """

    def __init__(self, steps: Steps, begins, ends, via, allowed, through: bool, longest: int | None):
        self.longest = longest
        self.steps, self.m, self.layers = steps, steps.m, len(via) + 1
        self.rank = steps.links.rank
        self.after = self._after(via)
        last = self.layers - 1
        valid = np.array([self.after[j] == j for j in range(self.layers)]) & allowed
        first = np.flatnonzero(begins & allowed)
        self.start = self.after[0][first] * self.m + first
        self.end = np.zeros(valid.shape, bool)
        self.end[last] = ends & valid[last]
        self.inner = valid if through else valid & ~begins & ~ends
        self.end, self.inner = self.end.ravel(), self.inner.ravel()
        self.valid = valid.ravel()
        begun, at_end = np.zeros(valid.size, bool), self.end.copy()
        begun[self.start] = True
        self.single = np.flatnonzero(begun & at_end)
        if not through:  # a hyperedge that begins a path goes on only where it does not hold the target, and vice versa
            self.start = self.start[~ends[self.start % self.m]]
            self.end[np.tile(begins, self.layers)] = False

    def _after(self, via) -> np.ndarray:
        """Waypoints reached after entering each hyperedge with j reached before: layers x hyperedges."""
        after = np.full((self.layers, self.m), self.layers - 1, np.int64)
        for j in range(self.layers - 2, -1, -1):
            after[j] = np.where(via[j], after[j + 1], j)
        return after

    def successors(self, state: int) -> tuple[np.ndarray, np.ndarray]:
        layer, row = divmod(state, self.m)
        to, weight = self.steps.neighbours(row)
        return self.after[layer][to] * self.m + to, weight

    def work(self, states: np.ndarray, reverse: bool) -> int:
        return self.steps.work(states % self.m, reverse)

    def push_back(self, states: np.ndarray, values: np.ndarray) -> np.ndarray:
        """For every state, the least weight + value over its steps into `states`."""
        if self.layers == 1:
            return self.steps.push(states, values, reverse=True)
        out = np.full((self.layers, self.m), FAR)
        layer, row = np.divmod(states, self.m)
        for j in range(self.layers):
            into = self.after[j][row] == layer
            if into.any():
                out[j] = self.steps.push(row[into], values[into], reverse=True)
        return out.ravel()

    def push_on(self, states: np.ndarray) -> np.ndarray:
        """Whether each state is one step after some of `states`."""
        if self.layers == 1:
            return self.steps.push(states, np.zeros(len(states), np.int64)) < FAR
        out = np.zeros((self.layers, self.m), bool)
        layer, row = np.divmod(states, self.m)
        for j in np.unique(layer):
            rows = row[layer == j]
            to = np.flatnonzero(self.steps.push(rows, np.zeros(len(rows), np.int64)) < FAR)
            out[self.after[j][to], to] = True
        return out.ravel()

    def pull(self, states: np.ndarray, values: np.ndarray) -> np.ndarray:
        """For each of `states`, the least weight + value over its steps; see `Steps.pull`."""
        if self.layers == 1:
            return self.steps.pull(states, values)
        layer, row = np.divmod(states, self.m)
        out = np.full(len(states), FAR)
        every = np.arange(self.m)
        for j in np.unique(layer):
            ahead = values[self.after[j] * self.m + every]
            out[layer == j] = self.steps.pull(row[layer == j], ahead)
        return out
