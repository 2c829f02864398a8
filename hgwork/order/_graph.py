"""Partial orders on small graphs: topological sort with stated ties, closure as a bitset, reduction, chains, cycles."""

from __future__ import annotations

from collections import deque
from heapq import heapify, heappop, heappush

import numpy as np

__all__ = ["chain", "closure", "cycle", "reduction", "topological"]


def topological(member: np.ndarray, keys: np.ndarray, edges: np.ndarray, count: int) -> np.ndarray:
    """Items in the topological order of their classes, the smallest key first among those that are free.

    Parameters
    ----------
    member : int array, one class an item
    keys : int array, one distinct key an item
    edges : int array, shape (edges, 2)
        Classes that precede classes, without repeats.
    count : int
        Number of classes.

    Returns
    -------
    int array
        Items in order; shorter than `member` where the classes form a cycle.

    Notes
    -----
    A class is free when every item of every class before it has been placed.
    """
    following: list[list[int]] = [[] for _ in range(count)]
    waiting = [0] * count
    for u, v in edges.tolist():
        following[u].append(v)
        waiting[v] += 1
    items: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for item, (group, key) in enumerate(zip(member.tolist(), keys.tolist(), strict=True)):
        items[group].append((key, item))
    left = [len(group) for group in items]
    heap = [pair for group in range(count) if not waiting[group] for pair in items[group]]
    heapify(heap)
    done, order, of = [], [], member.tolist()

    def release(group: int) -> None:
        for after in following[group]:
            waiting[after] -= 1
            if not waiting[after]:
                for pair in items[after]:
                    heappush(heap, pair)
                if not items[after]:
                    done.append(after)

    done += [group for group in range(count) if not waiting[group] and not items[group]]
    while heap or done:
        if done:
            release(done.pop())
            continue
        _, item = heappop(heap)
        order.append(item)
        left[of[item]] -= 1
        if not left[of[item]]:
            release(of[item])
    return np.array(order, dtype=np.int64)


def closure(edges: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Packed rows of the transitive closure: bit j of row i says that class i precedes class j.

    Parameters
    ----------
    edges : int array, shape (edges, 2)
    order : int array
        All classes, in a topological order.

    Returns
    -------
    uint8 array, shape (classes, ceil(classes / 8))
    """
    count = len(order)
    following: list[list[int]] = [[] for _ in range(count)]
    for u, v in edges.tolist():
        following[u].append(v)
    rows = np.zeros((count, (count + 7) // 8), np.uint8)
    bits = np.packbits(np.eye(count, dtype=bool), axis=1) if count <= 4096 else None
    for u in order[::-1].tolist():
        if after := following[u]:
            rows[u] = np.bitwise_or.reduce(rows[after], axis=0)
            if bits is not None:
                rows[u] |= np.bitwise_or.reduce(bits[after], axis=0)
            else:
                columns = np.array(after)
                np.bitwise_or.at(rows[u], columns >> 3, (128 >> (columns & 7)).astype(np.uint8))
    return rows


def reduction(before: np.ndarray) -> np.ndarray:
    """Pairs (i, j) of a closure with nothing between them.

    Parameters
    ----------
    before : bool array, shape (classes, classes)
    """
    matrix = before.astype(np.float32)
    return np.argwhere(before & ~((matrix @ matrix) > 0))


def chain(edges: np.ndarray, start: int, end: int) -> list[int]:
    """A shortest way from one class to another as places in `edges`; the first in edge order, empty if none."""
    following: dict[int, list[tuple[int, int]]] = {}
    for place, (u, v) in enumerate(edges.tolist()):
        following.setdefault(u, []).append((place, v))
    came: dict[int, tuple[int, int]] = {start: (-1, -1)}
    queue = deque([start])
    while queue and end not in came:
        u = queue.popleft()
        for place, v in following.get(u, []):
            if v not in came:
                came[v] = (place, u)
                queue.append(v)
    way: list[int] = []
    node = end if end in came else start
    while node != start:
        place, node = came[node]
        way.append(place)
    return way[::-1]


def cycle(edges: np.ndarray, among: set[int]) -> list[int]:
    """Places in `edges` of one cycle among some classes, each of which has a predecessor among them."""
    backwards: dict[int, int] = {}
    for place, (u, v) in enumerate(edges.tolist()):
        if u in among and v in among:
            backwards.setdefault(v, place)
    node, seen = min(among), dict[int, int]()
    way: list[int] = []
    while node not in seen:
        seen[node] = len(way)
        way.append(backwards[node])
        node = int(edges[backwards[node], 0])
    return way[seen[node] :][::-1]
