"""Where things go: one connected piece in columns that read source, relation, target; many pieces packed on a page.

A piece is a bipartite graph of node labels and relation labels. Labels stand in columns, nodes in even and relations
in odd ones, so that almost every link crosses one empty gap only and no link runs over a label. Within a column the
heights are the least-squares answer to "stand where your neighbours stand" under "do not overlap", which is isotonic
regression. All lengths are points.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

__all__ = ["Box", "Link", "Piece", "pack", "piece"]


@dataclass
class Box:
    """A label to be placed: `x` is its left edge, `y` its middle."""

    name: tuple[str, str]
    width: float
    height: float
    x: float = 0.0
    y: float = 0.0
    column: int = 0

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        return self.x, self.y - self.height / 2, self.x + self.width, self.y + self.height / 2


@dataclass
class Link:
    """One incidence; `stubs` are the edges of the two columns between which it may slope."""

    node: int
    relation: int
    role: str
    stubs: tuple[float, float] = (0.0, 0.0)


@dataclass
class Piece:
    boxes: list[Box]
    links: list[Link]
    width: float = 0.0
    height: float = 0.0
    x: float = 0.0
    y: float = 0.0
    anchor: float | None = field(default=None)


def piece(boxes: list[Box], links: list[Link], room: float, rng: np.random.Generator, gap: float = 4.0) -> Piece:
    """Place one connected piece within `room`: in as many columns as fit, so that it is folded as little as may be."""
    layers = _layers(boxes, links)
    most = max(layers) - min(layers) + 1
    for columns in range(max(3, most + 1 - most % 2), 2, -2):
        for box, layer in zip(boxes, _settled(layers, links, columns), strict=True):
            box.column = layer
        width = _across(boxes, links)
        if width <= room or columns == 3:
            break
    height = _down(boxes, links, rng, gap)
    relations = {link.relation for link in links}
    anchor = None
    if len(relations) == 1:
        only = boxes[relations.pop()]
        anchor = only.x + only.width / 2
    return Piece(boxes, links, width, height, anchor=anchor)


def _layers(boxes: list[Box], links: list[Link]) -> list[int]:
    """Signed distance from the busiest node: sources one to the left of their relation, targets one to the right."""
    by_node: dict[int, list[Link]] = {}
    by_relation: dict[int, list[Link]] = {}
    for link in links:
        by_node.setdefault(link.node, []).append(link)
        by_relation.setdefault(link.relation, []).append(link)
    if not links:
        return [0] * len(boxes)
    root = max(by_node, key=lambda i: (len(by_node[i]), -i))
    layers, queue = {root: 0}, deque([root])
    while queue:
        here = queue.popleft()
        for link in by_node.get(here, ()):
            if link.relation not in layers:
                layers[link.relation] = layers[here] + (-1 if link.role == "target" else 1)
                queue.append(link.relation)
        group = by_relation.get(here, ())
        half = (len(group) + 1) // 2
        for place, link in enumerate(group):
            if link.node not in layers:
                left = link.role == "source" or (link.role == "member" and place < half)
                layers[link.node] = layers[here] + (-1 if left else 1)
                queue.append(link.node)
    return [layers[i] for i in range(len(boxes))]


def _settled(layers: Sequence[int], links: list[Link], columns: int) -> list[int]:
    """Fold the layers into so many columns; then move single labels while links get shorter or point right more."""
    lowest = min(layers) - min(layers) % 2
    period = 2 * (columns - 1)
    place = [(layer - lowest) % period for layer in layers]
    place = [period - p if p >= columns else p for p in place]
    touching: dict[int, list[tuple[int, int]]] = {i: [] for i in range(len(layers))}
    for link in links:
        turn = {"source": 1, "target": -1, "member": 0}[link.role]  # relation to the right of its source
        touching[link.node].append((link.relation, turn))
        touching[link.relation].append((link.node, -turn))

    def cost(one: int, at: int) -> float:
        steps = [(place[other] - at, turn) for other, turn in touching[one]]
        return sum(4 * (abs(step) - 1) + (step * turn < 0) for step, turn in steps)

    for _ in range(8):
        before = list(place)
        for one in range(len(place)):
            choices = range(place[one] % 2, columns, 2)
            place[one] = min(choices, key=lambda at: (cost(one, at), abs(at - before[one]), at))
        if place == before:
            break
    shift = min(place) - min(place) % 2
    return [p - shift for p in place]


def _across(boxes: list[Box], links: list[Link]) -> float:
    """Give boxes and links their x; return the width."""
    count = max(box.column for box in boxes) + 1
    widths, crossing = np.zeros(count), np.zeros(count)
    sides: dict[int, set[int]] = {}
    for box in boxes:
        widths[box.column] = max(widths[box.column], box.width)
    for link in links:
        low, high = sorted((boxes[link.node].column, boxes[link.relation].column))
        crossing[low:high] += 1
        sides.setdefault(link.node, set()).add(boxes[link.relation].column > boxes[link.node].column)
    gaps = 15 + np.minimum(1.3 * np.maximum(crossing - 2, 0), 26)
    left = np.concatenate([[0], np.cumsum(widths + gaps)[:-1]])
    for place, box in enumerate(boxes):
        free = widths[box.column] - box.width
        share = 0.5 if box.name[0] == "edge" else float(sides.get(place) == {True})
        box.x = left[box.column] + share * free
    for link in links:
        ends = boxes[link.node].column, boxes[link.relation].column
        toward = ends[1] > ends[0]
        right = left + widths
        link.stubs = (right[ends[0]], left[ends[1]]) if toward else (left[ends[0]], right[ends[1]])
    return float(left[-1] + widths[-1])


def _down(boxes: list[Box], links: list[Link], rng: np.random.Generator, gap: float) -> float:
    """Give boxes their y; of a few seeded starts the one with the shortest links; return the height."""
    near: list[list[int]] = [[] for _ in boxes]
    for link in links:
        near[link.node].append(link.relation)
        near[link.relation].append(link.node)
    columns = [[i for i, box in enumerate(boxes) if box.column == c] for c in range(max(b.column for b in boxes) + 1)]
    heights = np.array([box.height + gap for box in boxes])
    several = sum(box.name[0] == "edge" for box in boxes) > 1
    best, shortest = np.zeros(len(boxes)), np.inf
    for start in range(12 if several else 1):
        y = np.arange(len(boxes), dtype=float) if start == 0 else rng.permutation(len(boxes)).astype(float)
        for sweep in range(30 if several else 4):
            for column in columns if sweep % 2 else columns[::-1]:
                wish = np.array([y[near[i]].mean() if near[i] else y[i] for i in column])
                order = np.argsort(wish, kind="stable")
                y[np.array(column, int)[order]] = _apart(wish[order], heights[np.array(column, int)[order]])
        length = sum(abs(y[link.node] - y[link.relation]) for link in links) + 0.2 * np.ptp(y)
        if length < shortest - 1e-6:
            best, shortest = y, length
    top = (best - heights / 2).min()
    for box, y_ in zip(boxes, best, strict=True):
        box.y = float(y_ - top - gap / 2)
    return max(box.bounds[3] for box in boxes)


def _apart(wish: np.ndarray, heights: np.ndarray) -> np.ndarray:
    """The nearest heights to those wished for, in this order and without overlap."""
    from scipy.optimize import isotonic_regression

    if len(wish) < 2:
        return wish
    offsets = np.concatenate([[0], np.cumsum((heights[1:] + heights[:-1]) / 2)])
    return isotonic_regression(wish - offsets).x + offsets


def pack(pieces: list[Piece], width: float, gap: tuple[float, float] = (16.0, 10.0)) -> float:
    """Place pieces on a grid of equal cells, highest first, each at the highest free place; return the height."""
    best = None
    for cells in (1, 2, 3, 4):
        cell = (width + gap[0]) / cells
        spans = [max(1, int(np.ceil((one.width + gap[0]) / cell - 1e-6))) for one in pieces]
        if cells > 1 and max(spans) > cells:
            continue
        order = sorted(range(len(pieces)), key=lambda i: (-spans[i], -pieces[i].height, i))
        floor, places = np.zeros(cells), {}
        for i in order:
            starts = range(max(1, cells - spans[i] + 1))
            at = min(starts, key=lambda c: (floor[c : c + spans[i]].max(), c))
            places[i] = (at, floor[at : at + spans[i]].max())
            floor[at : at + spans[i]] = places[i][1] + pieces[i].height + gap[1]
        if best is None or floor.max() < best[0] - 1:
            best = floor.max(), cell, places
    if best is None:
        return 0.0
    total, cell, places = best
    for i, (at, y) in places.items():
        pieces[i].x, pieces[i].y = at * cell, y
    for at in {at for at, _ in places.values()}:
        _line_up([pieces[i] for i in places if places[i][0] == at and pieces[i].anchor is not None], cell - gap[0])
    return total - gap[1]


def _line_up(column: list[Piece], room: float) -> None:
    """Move single hyperedges of a grid column so that their relations stand below each other, where there is room."""
    left = max((one.anchor or 0 for one in column), default=0)
    for one in column:
        shift = min(left - (one.anchor or 0), room - one.width)
        one.x += max(0.0, shift)
