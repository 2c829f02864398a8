"""A seeded hypergraph that stands in for the published one.

The scaffold hypergraph of [1]_ is not bundled. This generator meets what was published of it: its counts, sizes,
duplicates and degrees exactly, its overlaps and rich club closely. Repeated node sets are planted with multiplicities
fixed by rank; the rest is a configuration model, repaired by swaps that keep every degree and every size.

References
----------
.. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning; the numbers stand in `published`.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.optimize import bisect

from ..hypergraph import Hypergraph
from .published import DEEPEST, DUPLICATES, EDGES, HUBS, INCIDENCES, LARGEST, NODES, ONES, REACH, SIZES

__all__ = ["heavy_tailed"]

# What is planted: (duplicates in all, copies of the first set of a 1/sqrt(rank) law), and duplicates by a zeta law;
# what chance adds; in how many sets of equal multiplicity a node may stand.
HEAVY_PAIRS, HEAVY_SETS, LIGHT_SETS, BY_CHANCE, MOST = (9_000, 1_000), (4_500, 265), 6_000, 2_797, 12


def heavy_tailed(nodes: int = NODES, edges: int = EDGES, rng: int | np.random.Generator = 0) -> Hypergraph:
    """Draw a hypergraph with the published sizes, degrees, duplicates, overlaps and rich club.

    Parameters
    ----------
    nodes, edges : int
        The default is the published size. Another size keeps the published shares: of hyperedges by size and
        repeated, of nodes by degree in units of the mean degree. The rank-degree line is sampled at that size, so
        the hubs of a small graph hold a larger share of it than the published ones do of theirs.
    rng : int or Generator
        The same seed gives the same bytes.

    Returns
    -------
    Hypergraph
        Nodes by falling degree: the concepts of Table 2, then "concept 00021" and on. Ids "statement 000001" and on.

    Raises
    ------
    ValueError
        If the nodes do not fit into the hyperedges, or the hyperedges are too many to differ.

    Examples
    --------
    >>> H = heavy_tailed(nodes=1000, edges=2000)
    >>> H.shape, H.degrees.index[0], int(H.sizes.max())
    ((2000, 1000), 'scaffolds', 32)
    """
    rng = np.random.default_rng(rng)
    scale = edges / EDGES
    total = round(INCIDENCES * scale)
    if nodes < len(HUBS) or edges < len(HUBS):
        raise ValueError(f"a heavy tail needs at least {len(HUBS)} nodes and hyperedges, not {nodes} and {edges}.")
    if total < nodes:
        raise ValueError(f"{edges} hyperedges have {total} places for {nodes} nodes. Ask for more of the first.")
    left, spare = _degrees(nodes, edges, total), _sizes(edges, total)
    planted = _plant(_plan(scale, spare), left, spare, rng)
    fixed = np.repeat([block.shape[1] for block in planted], [len(block) for block in planted]).astype(int)
    lengths = np.concatenate([fixed, np.repeat(np.arange(len(spare)), spare)])
    stubs = rng.permutation(np.repeat(np.arange(nodes), left))
    member = np.concatenate([*(block.ravel() for block in planted), stubs])
    _repair(member, lengths, len(fixed), round(DUPLICATES * scale), nodes, rng)
    order = rng.permutation(edges)
    matrix = sparse.coo_array((np.ones(total, np.int8), (np.repeat(order, lengths), member)), shape=(edges, nodes))
    names = [*HUBS, *(f"concept {i:05d}" for i in range(len(HUBS) + 1, nodes + 1))]
    return Hypergraph.from_incidence(matrix, [f"statement {i:06d}" for i in range(1, edges + 1)], names)


def _sizes(edges: int, total: int) -> np.ndarray:
    """Hyperedges of size 0, 1, 2, …: the published shares of 1, 2 and 3, then a power law with the sum that remains."""
    few = {size: round(count * edges / EDGES) for size, count in SIZES.items()}
    many = edges - sum(few.values())
    rest = total - sum(size * count for size, count in few.items())
    largest = min(LARGEST, 4 + (rest - 4 * many) // 2)
    kinds = np.arange(4, largest + 1)

    def tail(power):
        share = np.cumsum(kinds.astype(float) ** -power)
        return np.append(kinds[np.searchsorted(share / share[-1], (np.arange(many - 1) + 0.5) / many)], largest)

    power = bisect(lambda a: tail(a).sum() - rest, 0, 60, xtol=1e-6) if tail(0.0).sum() > rest else 0.0
    return np.bincount(np.concatenate([np.repeat(list(few), list(few.values())), _level(tail(power), rest, 4, 6)]))


def _degrees(nodes: int, edges: int, total: int) -> np.ndarray:
    """Falling degrees: log-log lines through the published ranks, sampled at `nodes` places and scaled to the sum."""
    low = np.arange(2, 10.0) ** -1.9888  # degrees 2-9; the exponent meets the published sum
    ones = round(ONES * NODES)
    held = max(REACH.values()) + np.cumsum(low[::-1] / low.sum()) * (NODES - ones - max(REACH.values()))
    ranks = np.log(np.concatenate([np.arange(1, len(HUBS) + 1), sorted(REACH.values()), np.round(held), [NODES]]))
    heights = np.log([*HUBS.values(), *sorted(REACH, reverse=True), *range(9, 0, -1)])
    place = np.log(np.arange(1, nodes + 1) * NODES / nodes)
    slope = (heights[0] - heights[len(HUBS)]) / ranks[len(HUBS)]
    line = np.exp(np.interp(place, ranks, heights) - slope * np.minimum(place, 0)) + 1e-9
    line *= edges / EDGES * NODES / nodes

    def degrees(factor):  # the tail takes up what sampling the line at few places loses
        return np.clip(line * np.where(line < 10, 1, factor), 1, edges // 3).astype(np.int64)

    factor, least, most = 1.0, 1e-6, 1e6
    if abs(degrees(1).sum() - total) > 0.01 * total and degrees(least).sum() < total < degrees(most).sum():
        factor = bisect(lambda f: degrees(f).sum() - total, least, most, xtol=1e-9)
    return np.sort(_level(_level(degrees(factor), total, 2, 9), total, 1, edges // 3))[::-1]


def _level(values: np.ndarray, total: int, low: int, high: int) -> np.ndarray:
    """Move values inside [low, high] by ones until they sum to `total`, as far as they can."""
    while gap := total - values.sum():
        movable = (values >= low) & (values < high) if gap > 0 else (values > low) & (values <= high)
        chosen = np.flatnonzero(movable)[-abs(gap) :]
        if not len(chosen):
            break
        values[chosen] += np.sign(gap)
    return values


def _plan(scale: float, spare: np.ndarray) -> list[tuple[int, np.ndarray]]:
    """What to repeat: (size, copies of each set, falling)."""
    plan = [(2, _ranked(*HEAVY_PAIRS, scale)), (3, _ranked(*HEAVY_SETS, scale))]
    plan += [(DEEPEST, np.array([2]))] if spare[DEEPEST : DEEPEST + 1].sum() > 1 else []
    several = spare[3 : DEEPEST + 1]
    plan += [(3 + i, _zeta(LIGHT_SETS * scale * n / several.sum())) for i, n in enumerate(several) if n]
    chance = BY_CHANCE * min(1, scale)  # a smaller graph repeats fewer sets by chance
    sofar = sum((copies - 1).sum() for _, copies in plan)
    plan.append((2, _zeta((DUPLICATES - chance) * scale - sofar)))
    return plan


def _ranked(duplicates: float, first: float, scale: float) -> np.ndarray:
    copies = (first * scale / np.sqrt(np.arange(1, 1 + (first * scale / 2) ** 2))).astype(int)
    return copies[(copies > 1) & (np.cumsum(copies - 1) <= duplicates * scale)]


def _zeta(duplicates: float, power: float = 2.5, most: int = 100) -> np.ndarray:
    kinds = np.arange(2, most + 1)
    share = kinds**-power / (kinds**-power).sum()
    count = round(max(duplicates, 0) / (share @ (kinds - 1)))
    return kinds[np.searchsorted(np.cumsum(share), (np.arange(count)[::-1] + 0.5) / max(count, 1))]


def _plant(plan, left: np.ndarray, spare: np.ndarray, rng) -> list[np.ndarray]:
    """Draw each repeated set by the degree still free, which it uses up together with the sizes."""
    blocks, keys = [], rng.integers(0, 2**63, len(left), dtype=np.uint64)
    seen = np.zeros(0, np.uint64)
    for size, copies in plan:
        copies = copies[np.cumsum(copies) <= spare[size]]
        for times in np.unique(copies)[::-1]:
            wanted = (copies == times).sum()
            for _ in range(20):
                pool = rng.permutation(np.repeat(np.arange(len(left)), np.minimum(left // times, MOST)))
                sets = np.sort(pool[: min(wanted, len(pool) // size) * size].reshape(-1, size), axis=1)
                sets = sets[(np.diff(sets, axis=1) > 0).all(axis=1)]
                names, first = np.unique(keys[sets].sum(axis=1), return_index=True)
                sets, names = sets[first[~np.isin(names, seen)]], names[~np.isin(names, seen)]
                seen, wanted = np.append(seen, names), wanted - len(sets)
                np.subtract.at(left, sets, times)
                spare[size] -= times * len(sets)
                blocks.append(np.repeat(sets, times, axis=0))
                if not wanted or len(pool) < size:
                    break
    return blocks


def _repair(member, lengths, planted: int, duplicates: int, nodes: int, rng) -> None:
    """Swap members, in place, until no hyperedge holds one twice and at most `duplicates` repeat an earlier one."""
    owner, start = np.repeat(np.arange(len(lengths)), lengths), np.cumsum(lengths) - lengths
    keys = rng.integers(0, 2**63, nodes, dtype=np.uint64)
    for _ in range(300):
        held = owner * nodes + member
        order = np.argsort(held, kind="stable")
        wrong = order[1:][np.diff(held[order]) == 0]
        fit = np.ones(len(lengths), bool)
        if not len(wrong):
            sets = np.add.reduceat(keys[member], start)
            _, first, which, count = np.unique(sets, return_index=True, return_inverse=True, return_counts=True)
            surplus = len(lengths) - len(first) - duplicates
            if surplus <= 0:
                return
            fit = count[which] == 1
            late = np.ones(len(lengths), bool)
            late[:planted] = late[first] = False
            late = rng.permutation(np.flatnonzero(late))[:surplus]
            wrong = start[late] + rng.integers(0, lengths[late])
        wrong = wrong[np.unique(owner[wrong], return_index=True)[1]]  # one swap a hyperedge and round
        fit[:planted] = fit[owner[wrong]] = False
        other = rng.permutation(np.flatnonzero(fit[owner]))[: 2 * len(wrong)]
        other = rng.permutation(other[np.unique(owner[other], return_index=True)[1]])[: len(wrong)]
        wrong = wrong[: len(other)]
        held = held[order]
        both = np.stack([owner[wrong] * nodes + member[other], owner[other] * nodes + member[wrong]])
        free = (held[np.searchsorted(held, both).clip(max=len(held) - 1)] != both).all(axis=0)
        wrong, other = wrong[free], other[free]
        member[wrong], member[other] = member[other], member[wrong]
    raise ValueError(
        f"{len(lengths)} hyperedges over {nodes} nodes are too dense to differ as published "
        f"(at most {duplicates} repeats). Ask for more nodes or fewer hyperedges."
    )
