"""The k first paths of a total order, without listing all that tie.

Labels say how much is left from a state to an end: by breadth-first search from both sides where every step costs the
same, by label correction from the end where hubs are priced. Tied paths are then read off the labels one by one, best
first; as no beginning is followed that cannot be completed, k paths take k times their length in expansions however
many tie. Paths beyond the ties follow Yen's algorithm [1]_ in Lawler's form [2]_.

References
----------
.. [1] Yen, Finding the k shortest loopless paths in a network, Management Science 17, 712 (1971).
.. [2] Lawler, A procedure for computing the k best solutions to discrete optimization problems, Management
   Science 18, 401 (1972).
"""

from __future__ import annotations

from collections import deque
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from .space import Space
from .steps import FAR, cost_of

__all__ = ["Found", "best_paths"]


class Found(NamedTuple):
    """A path or its beginning; compares in the order of paths: weight (cost, then shared nodes), ids as text."""

    weight: int
    ranks: tuple[int, ...]
    states: tuple[int, ...]
    so_far: tuple[int, ...]  # weight up to each state


class _Part(NamedTuple):
    """The paths that begin with `states`, of weight `so_far` each, and do not go on with one of `banned`."""

    states: tuple[int, ...]
    so_far: tuple[int, ...]
    banned: frozenset[int]


def best_paths(space: Space, k: int, single: bool) -> list[Found]:
    """The first k paths in order: cost, more shared nodes, ids as text.

    Parameters
    ----------
    space : Space
    k : int
    single : bool
        Whether a path of one hyperedge counts.
    """
    longest = space.valid.size if space.longest is None else space.longest
    alone = [Found(0, (int(space.rank[x % space.m]),), (int(x),), (0,)) for x in space.single]
    alone = sorted(alone)
    whole, number = _Part((), (), frozenset()), 0
    found: list[Found] = []
    queue: list[tuple[Found, int, deque, tuple]] = []  # next path of a run, a number that decides no order, the rest

    def add(part: _Part) -> None:
        nonlocal number
        run = _ties(space, part, longest, k - len(found), _most(queue, k - len(found)))
        if run:
            number += 1
            heappush(queue, (run[0], number, deque(run[1:]), (part, run)))

    if alone and single:
        queue.append((alone[0], 0, deque(alone[1:]), (whole, alone)))
    for part in () if alone and single else _split(space, whole, alone):
        add(part)
    while queue and len(found) < k:
        path, order, rest, origin = heappop(queue)
        found.append(path)
        if rest:
            heappush(queue, (rest.popleft(), order, rest, origin))
        elif len(found) < k:
            for part in _split(space, *origin):
                add(part)
    return found


def _most(queue, need: int) -> int:
    """The cost beyond which a further path cannot be among those still needed."""
    if sum(1 + len(rest) for _, _, rest, _ in queue) < need:
        return int(FAR)
    weights = sorted(path.weight for head, _, rest, _ in queue for path in (head, *rest))
    return int(cost_of(weights[need - 1]))


def _split(space: Space, part: _Part, run: list[Found]) -> list[_Part]:
    """What is left of a part once the paths of a run are taken out: a part a beginning of theirs [2]_."""
    depth, onward = len(part.states), {part.states: set(part.banned)}
    so_far = {part.states: part.so_far}
    for path in run:
        for i in range(depth, len(path.states)):
            onward.setdefault(path.states[:i], set()).add(path.states[i])
            so_far[path.states[:i]] = path.so_far[:i]
        if space.inner[path.states[-1]]:
            onward.setdefault(path.states, set())
            so_far[path.states] = path.so_far
    return [_Part(states, so_far[states], frozenset(banned)) for states, banned in onward.items()]


def _ties(space: Space, part: _Part, longest: int, need: int, most: int) -> list[Found]:
    """The first of the cheapest paths of a part, all of one cost, at most as many as needed."""
    if len(part.states) >= longest:
        return []
    passable, end = space.inner, space.end
    if part.states:
        passable, end = passable.copy(), end.copy()
        passable[list(part.states)] = end[list(part.states)] = False
        start, weight = space.successors(part.states[-1])
        keep = passable[start] | end[start]
        start, so_far = start[keep], weight[keep] + part.so_far[-1]
    else:
        start, so_far = space.start, np.zeros(len(space.start), np.int64)
    if part.banned:
        keep = ~np.isin(start, list(part.banned))
        start, so_far = start[keep], so_far[keep]
    if not len(start):
        return []
    cap = longest - len(part.states) - 1
    search = _priced if space.steps.priced else _level
    labels = search(space, start, so_far, passable, end, cap, most)
    return [] if labels is None else _read(space, part, start, so_far, passable | end, labels, cap, need)


def _level(space: Space, start, so_far, passable, end, cap: int, most: int) -> list[np.ndarray] | None:
    """Labels on all shortest paths, every step of one cost: breadth first from both sides, then back over the first."""
    cap = min(cap, most - int(cost_of(so_far[0])))
    label = np.where(end, np.int64(0), FAR)
    back, ahead, layers = np.flatnonzero(end), start, [start]
    seen, enterable = np.zeros(len(end), bool), passable.copy()
    seen[start] = enterable[start] = True
    for used in range(cap + 1):
        meeting = ahead[label[ahead] < FAR]
        if len(meeting):
            return _back_over(space, label, layers, meeting)
        if used == cap:
            break
        if space.work(back, True) < space.work(ahead, False):
            reached = space.push_back(back, label[back])
            back = np.flatnonzero((reached < FAR) & (label == FAR) & enterable)
            label[back] = reached[back]
        else:
            ahead = np.flatnonzero(space.push_on(ahead) & ~seen & (passable | end))
            seen[ahead] = True
            layers.append(ahead)
        if not len(back) or not len(ahead):
            return None
    return None


def _back_over(space: Space, label, layers, meeting) -> list[np.ndarray]:
    """Carry the labels from where the two sides met back over the layers of the first, to the start."""
    for layer in reversed(layers[:-1]):
        if space.work(meeting, True) < space.work(layer, False):
            values = space.push_back(meeting, label[meeting])[layer]
        else:
            ahead = np.full(len(label), FAR)
            ahead[meeting] = label[meeting]
            values = space.pull(layer, ahead)
        meeting = layer[values < FAR]
        label[meeting] = values[values < FAR]
    return [label]


def _priced(space: Space, start, so_far, passable, end, cap: int, most: int) -> list[np.ndarray] | None:
    """Least weights to an end by label correction; one array a number of steps where their number is bounded."""
    label = np.where(end, np.int64(0), FAR)
    labels, frontier = [label], np.flatnonzero(end)
    enterable = passable.copy()
    enterable[start] = True
    bounded, least = space.longest is not None, so_far.min()
    for _ in range(cap):
        best = min(int(cost_of((so_far + np.minimum(label[start], FAR - so_far)).min())), most)
        reached = space.push_back(frontier, label[frontier])
        better = np.flatnonzero((reached < label) & enterable)
        better = better[cost_of(reached[better] + least) <= best]
        if not len(better):
            break
        label = label.copy() if bounded else label
        label[better] = reached[better]
        labels = [*labels, label] if bounded else [label]
        frontier = better[passable[better]]
        if not len(frontier):
            break
    if label[start].min() >= FAR or cost_of((label[start] + so_far).min()) > most:
        return None
    return labels


def _read(space: Space, part: _Part, start, so_far, allowed, labels, cap: int, need: int) -> list[Found]:
    """Paths of the least cost in order: the beginning whose best completion comes first is the next to be extended."""

    def label(states, used):
        return labels[min(cap - used, len(labels) - 1)][states]

    def push(states, weights, path: Found | None):
        bound, used = weights + label(states, len(path.states) - depth if path else 0), space.rank[states % space.m]
        for i in np.lexsort((used, bound))[:need].tolist():
            before = path or Found(0, base, part.states, part.so_far)
            item = Found(
                int(bound[i]),
                (*before.ranks, int(used[i])),
                (*before.states, int(states[i])),
                (*before.so_far, int(weights[i])),
            )
            heappush(heap, item)

    heap: list[Found] = []
    base, depth = tuple(space.rank[x % space.m].item() for x in part.states), len(part.states)
    known = label(start, 0) < FAR
    start, so_far = start[known], so_far[known]
    least = cost_of(so_far + label(start, 0))
    tied = least == least.min()
    push(start[tied], so_far[tied], None)
    found: list[Found] = []
    while heap and len(found) < need:
        path = heappop(heap)
        state, weight, used = path.states[-1], path.so_far[-1], len(path.states) - depth - 1
        if space.end[state] and weight == path.weight:
            found.append(path)
            continue
        states, steps = space.successors(state)
        left = label(states, used + 1)
        on = (left < FAR) & allowed[states]
        on[on] = cost_of(weight + steps[on] + left[on]) == cost_of(path.weight)
        push(states[on], weight + steps[on], path)
    return found
