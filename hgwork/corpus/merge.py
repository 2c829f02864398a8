"""Which names are one node: exact similarity search, evidence, guards, and an audit of every decision.

The paper [1]_ merges the connected components of "cosine at least 0.95" into their node of highest degree. That is
``mode="paper"``. The default adds evidence that cosine misses (spelling, definitions in the text) and lets guards
refuse what cosine cannot see (a number, a negation, a reversed role), for pairs and for whole clusters.

References
----------
.. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, section 2.1.3 and Algorithm 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from tqdm.auto import tqdm

from ..hypergraph import Hypergraph
from ._names import spelling_key
from .definitions import Definitions
from .guards import veto

__all__ = ["MAX_PAIRS", "Merges", "Verdict", "compose", "find_merges", "judge", "similar_pairs", "undo"]

MAX_PAIRS = 50_000_000
_AUDIT = ["cluster", "representative", "name", "degree", "similarity", "evidence", "vetoes"]
_VETOED = ["a", "b", "cosine", "evidence", "reason"]


def similar_pairs(
    vectors: np.ndarray, new=None, threshold: float = 0.95, block: int = 4096, progress: bool = True
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All pairs of rows with cosine at least `threshold`: exact, block by block, never all similarities at once.

    Parameters
    ----------
    vectors : (n, d) array
        Rows need not have length one; a row of zeros is similar to none.
    new : boolean mask or row numbers, optional
        Only pairs with at least one new row (Algorithm 1: all nodes new since the last merge against all nodes).
    threshold : float
        Inclusive.
    block : int
        Rows a block; memory beyond the vectors is about ``6 * block ** 2`` bytes.
    progress : bool
        Show a bar.

    Returns
    -------
    i, j : int arrays, i < j, sorted
    cosine : float64 array
        Summed anew in double precision, so that neither the blocks nor `new` move a pair across the threshold.

    Raises
    ------
    ValueError
        If a row or the threshold is not a finite number, or over `MAX_PAIRS` pairs are similar.

    Examples
    --------
    >>> i, j, cosine = similar_pairs(np.array([[1, 0], [0, 1], [2, 0.1]]), progress=False)
    >>> i.tolist(), j.tolist(), cosine.round(3).tolist()
    ([0], [2], [0.999])
    """
    if np.isnan(threshold):
        raise ValueError("the threshold is NaN; give a cosine.")
    unit = _unit(vectors)
    n = len(unit)
    fresh = np.arange(n) if new is None else _rows(new, n)
    is_new = np.zeros(n, bool)
    is_new[fresh] = True
    parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    found, room = 0, np.empty(min(block, max(len(fresh), 1)) * min(block, max(n, 1)), np.float32)
    columns = range(0, n, block)
    starts = [(r, c) for r in range(0, len(fresh), block) for c in columns if new is not None or c >= r]
    for r, c in tqdm(starts, "similar pairs", unit="block", disable=not progress or len(starts) < 20):
        rows, right = fresh[r : r + block], unit[c : c + block]
        product_ = room[: len(rows) * len(right)].reshape(len(rows), len(right))
        np.matmul(unit[rows] if new is not None else unit[r : r + block], right.T, out=product_)
        near = np.flatnonzero(product_ >= threshold - 1e-4)
        if not len(near):
            continue
        i, j = rows[near // len(right)], c + near % len(right)
        keep = (i < j) | ((i > j) & ~is_new[j])  # a pair of two new rows is met twice
        i, j = np.minimum(i, j)[keep], np.maximum(i, j)[keep]
        cosine = _cosines(unit, i, j)
        keep = cosine >= threshold
        parts.append((i[keep], j[keep], cosine[keep]))
        found += len(parts[-1][0])
        if found > MAX_PAIRS:
            raise ValueError(f"over {MAX_PAIRS:,} pairs have a cosine of {threshold} or more. Raise the threshold.")
    if not parts:
        return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
    i, j, cosine = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.lexsort((j, i))
    return i[order], j[order], cosine[order]


def _unit(vectors) -> np.ndarray:
    array = np.ascontiguousarray(vectors, np.float32)
    if array.ndim != 2:
        raise ValueError(f"vectors have shape {array.shape}; one row a name is needed.")
    norms = np.sqrt(np.einsum("ij,ij->i", array, array, dtype=np.float64))
    if not np.isfinite(norms).all():
        row = int(np.flatnonzero(~np.isfinite(norms))[0])
        raise ValueError(f"vector {row} holds a number that is not finite. Encode its name again.")
    if len(norms) and (abs(norms - 1) > 1e-6).any():
        array = (array / np.where(norms > 0, norms, 1)[:, None]).astype(np.float32)
    return array


def _rows(new, n: int) -> np.ndarray:
    new = np.asarray(new)
    if new.dtype == bool and len(new) != n:
        raise ValueError(f"the mask `new` has {len(new)} entries for {n} vectors.")
    return np.flatnonzero(new) if new.dtype == bool else np.unique(new.astype(np.int64))


def _cosines(unit: np.ndarray, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    out = np.empty(len(i))
    for start in range(0, len(i), 1 << 16):
        part = slice(start, start + (1 << 16))
        p, q = unit[i[part]].astype(np.float64), unit[j[part]].astype(np.float64)
        norms = np.sqrt(np.einsum("ij,ij->i", p, p) * np.einsum("ij,ij->i", q, q))
        out[part] = np.einsum("ij,ij->i", p, q) / np.where(norms > 0, norms, 1)
    return out


class Verdict(NamedTuple):
    """What speaks for one node ("cosine", "spelling", "definition", joined by +; "" for nothing) and what against."""

    evidence: str
    reason: str | None

    @property
    def same(self) -> bool:
        return bool(self.evidence) and self.reason is None


def judge(
    a: str,
    b: str,
    cosine: float,
    threshold: float = 0.95,
    definitions: Definitions | None = None,
    guards: bool = True,
    spelling: bool = True,
) -> Verdict:
    """Whether two names are one node, by themselves; `find_merges` decides with the same words for many at once.

    Examples
    --------
    >>> judge("scaffold porosity", "porosity of the scaffolds", cosine=0.94)
    Verdict(evidence='spelling', reason=None)
    >>> judge("type I collagen", "type II collagen", cosine=0.97)
    Verdict(evidence='cosine', reason='numeral')
    """
    evidence = ["cosine"] if cosine >= threshold else []
    alike = spelling_key(a) == spelling_key(b)
    if spelling and alike:
        evidence.append("spelling")
    long_a, long_b = (definitions.expand(a), definitions.expand(b)) if definitions else (a, b)
    if definitions and not alike and spelling_key(long_a) == spelling_key(long_b):
        evidence.append("definition")
    reason = definitions.clash(a, b) if definitions else None
    return Verdict("+".join(evidence), reason or (veto(long_a, long_b) if guards else None))


@dataclass(frozen=True)
class Merges:
    """What to merge, and why.

    Attributes
    ----------
    mapping : dict of str to str
        Merged name -> representative, as `Hypergraph.merge_nodes` takes it.
    audit : DataFrame, one row a name in a cluster
        `cluster`, `representative`, `name`, `degree`, `similarity` (cosine to the representative), `evidence`
        (what joined it: "cosine", "spelling", "definition"), `vetoes` (refused pairs it stands in, with reasons).
    vetoed : DataFrame, one row a refused pair
        `a`, `b`, `cosine`, `evidence`, `reason`.
    """

    mapping: dict[str, str]
    audit: pd.DataFrame
    vetoed: pd.DataFrame

    def __repr__(self) -> str:
        clusters = self.audit["cluster"].nunique()
        return f"Merges({len(self.mapping)} names into {clusters}, {len(self.vetoed)} pairs vetoed)"


def find_merges(
    H: Hypergraph | Iterable[str] | tuple[Iterable[str], Iterable[int]],
    *arrays: np.ndarray,
    threshold: float = 0.95,
    definitions: Definitions | pd.DataFrame | None = None,
    guards: bool = True,
    spelling: bool = True,
    mode: Literal["guarded", "paper"] = "guarded",
    new=None,
    before: Mapping[str, str] | None = None,
    progress: bool = True,
) -> Merges:
    """Find names that are one node.

    Parameters
    ----------
    H, vectors : Hypergraph and (n, d) array; or names, degrees, vectors; or (names, degrees), vectors
        A vector for each node, in the order of ``H.nodes``.
    threshold : float
        Least cosine, θ of the paper.
    definitions : Definitions or DataFrame of `find_definitions`, optional
        Short forms with one long form in the corpus are read as that; those with two are never merged with either.
    guards : bool
        Refuse pairs that `guards.veto` refuses.
    spelling : bool
        Take an equal `spelling_key` (case, plural, hyphen, national spelling, word order) as evidence too.
    mode : {"guarded", "paper"}
        "paper": connected components over cosine alone; `definitions`, `guards` and `spelling` are not used.
    new : mask or row numbers, optional
        Only pairs with a name new since the last merge (Algorithm 1).
    before : mapping, optional
        What earlier merges merged into names that still stand; the guards hold against those too.
    progress : bool
        Show a bar where the search is long.

    Returns
    -------
    Merges
        A cluster is represented by its name of highest degree; ties by name, first in text order.

    Notes
    -----
    In guarded mode pairs join one at a time: those of equal spelling or definition first, then by falling cosine,
    ties by name. A pair is refused for its own veto, and also when it would bring two vetoed names into one cluster
    through a chain (reason ``via 'x' and 'y': ...``). So no cluster holds a vetoed pair, and the result depends on
    the names, degrees and vectors alone, not on their order.

    Examples
    --------
    >>> names, degrees = ["PLA", "type 1 PLA", "type 2 PLA", "the PLA"], [9, 2, 2, 1]
    >>> merges = find_merges(names, degrees, np.ones((4, 2)))
    >>> merges.mapping, sorted(set(merges.vetoed["reason"]))
    ({'the PLA': 'PLA'}, ['number'])
    """
    names, degrees, vectors = _unpacked(H, arrays)
    unit = _unit(vectors)
    if mode not in ("guarded", "paper"):
        raise ValueError(f"mode is 'guarded' or 'paper', not {mode!r}.")
    if not len(names) == len(degrees) == len(unit):
        raise ValueError(
            f"{len(names)} names, {len(degrees)} degrees, {len(unit)} vectors: one of each a node is needed."
        )
    i, j, _ = similar_pairs(unit, new, threshold, progress=progress)
    if mode == "paper":
        graph = sparse.coo_array((np.ones(len(i), bool), (i, j)), shape=(len(names), len(names)))
        labels = connected_components(graph, directed=False)[1]
        touched = {names[k]: {"cosine"} for k in np.unique(np.concatenate([i, j])).tolist()}
        return _merges(names, degrees, unit, labels, touched, pd.DataFrame(columns=_VETOED))
    known = definitions if isinstance(definitions, Definitions) or definitions is None else Definitions(definitions)
    evidence = {pair: ["cosine"] for pair in zip(i.tolist(), j.tolist(), strict=True)}
    fresh = np.ones(len(names), bool)
    if new is not None:
        fresh[:] = False
        fresh[_rows(new, len(names))] = True
    for kind, pairs in _by_words(names, degrees, known, spelling, fresh, progress).items():
        for pair in pairs:
            evidence.setdefault(pair, []).append(kind)
    return _joined(names, degrees, unit, evidence, known, guards, before or {}, progress)


def _unpacked(H, arrays) -> tuple[list[str], np.ndarray, np.ndarray]:
    if isinstance(H, Hypergraph):
        H = (H.nodes.index.tolist(), H.degrees.to_numpy())
    if len(arrays) == 2:
        (degrees, vectors), names = arrays, H
    elif len(arrays) == 1 and isinstance(H, tuple) and len(H) == 2:
        (names, degrees), vectors = H, arrays[0]
    else:
        raise TypeError("find_merges takes (H, vectors), (names, degrees, vectors) or ((names, degrees), vectors).")
    return list(names), np.asarray(degrees), vectors


def _by_words(
    names, degrees, known: Definitions | None, spelling: bool, fresh, progress: bool
) -> dict[str, list[tuple[int, int]]]:
    """Pairs of equal spelling, and pairs that are equal once definitions are written out; stars around one name."""
    keys = [spelling_key(name) for name in tqdm(names, "spelling", disable=not progress or len(names) < 50_000)]
    pairs: dict[str, list[tuple[int, int]]] = {"spelling": _stars(keys, names, degrees, fresh) if spelling else []}
    if known is None or not len(known.table):
        return pairs
    long = [spelling_key(known.expand(name)) for name in names]
    pairs["definition"] = [(p, q) for p, q in _stars(long, names, degrees, fresh) if keys[p] != keys[q]]
    places: dict[str, list[int]] = {}
    for place, key in enumerate(keys):
        places.setdefault(key, []).append(place)
    for place, name in enumerate(names):  # an ambiguous short form: offered, so that its veto is listed
        meanings = known.meanings(name)
        for meaning in meanings if len(meanings) > 1 else ():
            others = [o for o in places.get(spelling_key(meaning), []) if o != place and (fresh[o] or fresh[place])]
            pairs["definition"] += [(min(place, o), max(place, o)) for o in others]
    return pairs


def _stars(keys: list[str], names, degrees, fresh) -> list[tuple[int, int]]:
    groups: dict[str, list[int]] = {keys[place]: [] for place in np.flatnonzero(fresh).tolist()}
    for place, key in enumerate(keys):
        if key in groups:
            groups[key].append(place)
    pairs = []
    for group in groups.values():
        if len(group) > 1:
            centre = min(group, key=lambda p: (fresh[p], -degrees[p], names[p]))
            pairs += [(min(p, centre), max(p, centre)) for p in group if p != centre and (fresh[p] or fresh[centre])]
    return pairs


def _joined(names, degrees, unit, evidence, known: Definitions | None, guards: bool, before, progress: bool) -> Merges:
    pairs = np.array(list(evidence), np.int64).reshape(-1, 2)
    cosines = dict(zip(evidence, _cosines(unit, pairs[:, 0], pairs[:, 1]).tolist(), strict=True))

    def written(name: str) -> str:
        return known.expand(name) if known else name

    def against(a: str, b: str) -> str | None:
        reason = known.clash(a, b) if known else None
        return reason or (veto(written(a), written(b)) if guards else None)

    def order(pair):
        kinds, (a, b) = evidence[pair], sorted((names[pair[0]], names[pair[1]]))
        return kinds == ["cosine"], -cosines[pair], a, b

    root, members = list(range(len(names))), {k: [names[k]] for pair in evidence for k in pair}
    place = {names[k]: k for k in members}
    for old, new in before.items():
        if new in place:
            members[place[new]].append(old)

    def find(k: int) -> int:
        while root[k] != k:
            root[k] = k = root[root[k]]
        return k

    touched: dict[str, set[str]] = {}
    refused = []
    for i, j in tqdm(sorted(evidence, key=order), "join", disable=not progress or len(evidence) < 20_000):
        a, b = sorted((names[i], names[j]))
        p, q = find(i), find(j)
        reason = against(a, b)
        if reason is None and p != q:
            for x, y in product(sorted(members[p]), sorted(members[q])):
                indirect = against(x, y)
                if indirect:
                    reason = f"via {x!r} and {y!r}: {indirect}"
                    break
        if reason:
            refused.append((a, b, cosines[i, j], "+".join(evidence[i, j]), reason))
            continue
        for name in (a, b):
            touched.setdefault(name, set()).update(evidence[i, j])
        if p != q:
            p, q = (p, q) if len(members[p]) >= len(members[q]) else (q, p)
            root[q] = p
            members[p] += members[q]
    labels = np.arange(len(names))
    for k in members:
        labels[k] = find(k)
    return _merges(names, degrees, unit, labels, touched, pd.DataFrame(refused, columns=_VETOED))


def _merges(names, degrees, unit, labels, touched, vetoed) -> Merges:
    """Mapping and audit from a cluster label for each name."""
    counts = np.bincount(labels, minlength=len(names)) if len(names) else np.zeros(0, int)
    groups: dict[int, list[int]] = {}
    for k in np.flatnonzero(counts[labels] > 1).tolist():
        groups.setdefault(int(labels[k]), []).append(k)
    clusters = [sorted(group, key=lambda k: (-degrees[k], names[k])) for group in groups.values()]
    clusters.sort(key=lambda group: (-degrees[group[0]], names[group[0]]))
    noted: dict[str, list[str]] = {}
    for a, b, reason in vetoed[["a", "b", "reason"]].itertuples(index=False):
        noted.setdefault(a, []).append(f"{b} ({reason})")
        noted.setdefault(b, []).append(f"{a} ({reason})")
    rows = []
    for number, group in enumerate(clusters):
        head = np.full(len(group), group[0])
        for k, cosine in zip(group, _cosines(unit, head, np.array(group)), strict=True):
            kinds, notes = "+".join(sorted(touched.get(names[k], ()))), "; ".join(noted.get(names[k], ()))
            rows.append((number, names[group[0]], names[k], int(degrees[k]), float(cosine), kinds, notes))
    audit = pd.DataFrame(rows, columns=_AUDIT)
    return Merges({row[2]: row[1] for row in rows if row[1] != row[2]}, audit, vetoed)


def undo(merges: Merges, which: int | str | Iterable[int | str]) -> Merges:
    """Take back whole clusters, named by number or by any name in them; rebuild with the mapping that is left.

    Raises
    ------
    KeyError
        If a number or name stands in no cluster.

    Examples
    --------
    >>> merges = find_merges(["PLA", "the PLA", "silk", "silks"], [3, 1, 2, 1], np.eye(4))
    >>> undo(merges, "silks").mapping
    {'the PLA': 'PLA'}
    """
    wanted = [which] if isinstance(which, (int, str)) else list(which)
    column = dict(zip(merges.audit["name"], merges.audit["cluster"].tolist(), strict=True))
    numbers = set(column.values())
    unknown = [w for w in wanted if w not in (column if isinstance(w, str) else numbers)]
    if unknown:
        raise KeyError(f"{unknown[0]!r} is in no cluster. The audit lists clusters and their names.")
    gone = {column[w] if isinstance(w, str) else w for w in wanted}
    audit = merges.audit[~merges.audit["cluster"].isin(gone)].reset_index(drop=True)
    taken = {name for name, number in column.items() if number in gone}
    return replace(merges, mapping={a: b for a, b in merges.mapping.items() if a not in taken}, audit=audit)


def compose(first: Merges, second: Merges) -> Merges:
    """Two rounds of merging as one: the second merged what the first left standing.

    Clusters of the first that the second joined take the number and the representative of the second;
    `similarity` stays the one measured in the round that merged the name.
    """
    if not len(first.audit) or not len(second.audit):
        one = first if len(first.audit) else second
        return replace(one, vetoed=_stacked(first.vetoed, second.vetoed))
    audit = pd.concat([second.audit, first.audit.assign(cluster=first.audit["cluster"] + len(second.audit))])
    audit["representative"] = audit["representative"].map(lambda name: second.mapping.get(name, name))
    audit = audit.drop_duplicates(["representative", "name"])
    audit["cluster"] = pd.factorize(audit["representative"])[0]
    mapping = {old: second.mapping.get(new, new) for old, new in first.mapping.items()} | second.mapping
    audit = audit.sort_values("cluster", kind="stable").reset_index(drop=True)
    return Merges(mapping, audit, _stacked(first.vetoed, second.vetoed))


def _stacked(one: pd.DataFrame, two: pd.DataFrame) -> pd.DataFrame:
    return pd.concat([one, two], ignore_index=True) if len(one) and len(two) else one if len(one) else two
