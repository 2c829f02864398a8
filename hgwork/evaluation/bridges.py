"""Do paths find the concept that holds two others together? Bridge recall, with nothing but the hypergraph.

Take three concepts a, m, b that some hyperedge holds, remove every hyperedge that holds all three, and ask for paths
from a to b: is m among the nodes that link their hyperedges? It is the question that the agents of [1]_ put to paths,
with an answer that is known. Other ways to name candidates are asked the same: shortest paths of the clique graph,
co-occurrence in the evidence sentences, and a control that draws nodes of equal degree at random.

References
----------
.. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, section 2.3.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product
from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy import sparse
from scipy.stats import binomtest
from tqdm import tqdm

from ..paths import hyperpaths

__all__ = ["bridge_recall", "sample_bridges"]

_PEERS = 5  # fewest nodes from which one of equal degree is drawn
Remove = Literal["together", "ends", "sentence"]


def sample_bridges(H, n: int = 200, remove: Remove = "together", rng: int | np.random.Generator = 0) -> pd.DataFrame:
    """Triples of concepts that some hyperedge holds, and that could be joined without it.

    Parameters
    ----------
    H : Hypergraph
    n : int
        Triples asked for; fewer where there are no more.
    remove : {"together", "ends", "sentence"}
        See `bridge_recall`. Each of the three must stand in a hyperedge that stays.
    rng : int or Generator

    Returns
    -------
    DataFrame
        `a`, `m`, `b`, each triple (with its middle) once. Hyperedges of three or more are drawn uniformly, then three
        of their members.

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> H = Hypergraph.from_dict({"abm": "abm", "am": "am", "mb": "mb"})
    >>> len(sample_bridges(H, 1)), len(sample_bridges(H, 10))
    (1, 3)
    """
    _check_remove(remove)
    rng = np.random.default_rng(rng)
    members = list(map(H.members, H.edges.index[(H.sizes >= 3).to_numpy()]))
    found: dict[tuple[str, str, str], None] = {}
    for _ in range(50 * n if members else 0):
        names = members[rng.integers(len(members))]
        a, m, b = (names[i] for i in rng.choice(len(names), 3, replace=False))
        triple = (min(a, b), m, max(a, b))
        if triple not in found and _reachable(H, triple, remove):
            found[triple] = None
        if len(found) == n:
            break
    return pd.DataFrame(list(found), columns=["a", "m", "b"])


def _check_remove(remove: str) -> None:
    if remove not in ("together", "ends", "sentence"):
        raise ValueError(f"remove={remove!r} is unknown. Use 'together', 'ends' or 'sentence'.")


def _reachable(H, triple: Sequence[str], remove: Remove) -> bool:
    gone = _removed(H, triple, remove)
    return all(set(H.incident(node)) - gone for node in triple)


def _removed(H, triple: Sequence[str], remove: Remove) -> set[str]:
    """Hyperedges that are taken away for a triple."""
    a, m, b = (set(H.incident(node)) for node in triple)
    gone = a & m & b
    if remove == "ends":
        gone |= a & b
    if remove == "sentence" and "text" in H.edges:
        texts = H.edges["text"]
        told = set(texts.loc[sorted(gone)].dropna()) - {""}
        gone |= set(texts.index[texts.isin(told)])
    return gone


def bridge_recall(
    H,
    triples: pd.DataFrame | int = 100,
    s: Sequence[int] = (1, 2),
    k: Sequence[int] = (1, 3, 10),
    avoid_hubs: Sequence[float] = (0.0, 1.0),
    remove: Remove = "together",
    links: bool = False,
    samples: int = 2000,
    rng: int | np.random.Generator = 0,
    progress: bool = True,
) -> pd.DataFrame:
    """Share of triples whose middle is found, by method.

    Parameters
    ----------
    H : Hypergraph
        With evidence in ``edges["text"]`` the sentences are ranked too.
    triples : DataFrame or int
        `a`, `m`, `b`; or how many to draw by `sample_bridges`.
    s, k, avoid_hubs : sequence
        Settings of `hgwork.paths.hyperpaths`, all combined.
    remove : {"together", "ends", "sentence"}
        What is removed for a triple: the hyperedges that hold all three; those and the ones that hold a and b; or those
        and the ones that were taken from the same evidence sentences.
    links : bool
        Ask as well for paths no two of which are linked by the same nodes (slower).
    samples : int
        Bootstrap samples over triples.
    rng : int or Generator
    progress : bool

    Returns
    -------
    DataFrame, one row a method and setting
        `method`, `s`, `k`, `avoid_hubs`, `triples`, `found`, `recall` with its 95 % interval `low`, `high` (Wilson),
        `candidates` (nodes named, on average), and `difference` to the hyperpaths of the first s, the same k and the
        first price, with its 95 % interval `difference_low`, `difference_high` (bootstrap, paired by triple).

    Raises
    ------
    ValueError
        If no triple can be drawn, or an option is unknown.

    Notes
    -----
    All methods see the same remaining hyperedges, and only ways of two steps or more count, as a hyperedge that holds
    both ends has no link to name.

    - "hyperpaths": nodes shared by consecutive hyperedges of the k best paths; "hyperpaths, links differ": of the k
      best paths no two of which are linked by the same nodes (``distinct="links"``).
    - "clique graph": inner nodes of the k shortest paths of the clique graph without the link a–b (igraph, Yen). With a
      price p a link u–v costs ``1 + p · (log d(u) + log d(v)) / (2 log d_max)``.
    - "sentences": as many nodes as the hyperpaths of reference named, ranked by the smaller of the numbers of evidence
      sentences that write it with a and with b, then by their sum, then by name.
    - "random, equal degree": for each node that the hyperpaths of reference named, one of equal degree (of the five
      nearest in degree where fewer have it).

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> H = Hypergraph.from_dict({"abm": "abm", "am": "am", "mb": "mb", "ax": "ax", "xb": "xb"})
    >>> triples = pd.DataFrame([("a", "m", "b")], columns=["a", "m", "b"])
    >>> found = bridge_recall(H, triples, s=[1], k=[1, 3], avoid_hubs=[0.0], progress=False)
    >>> found.loc[found["method"] == "hyperpaths", ["k", "recall", "candidates"]].values.tolist()
    [[1.0, 1.0, 1.0], [3.0, 1.0, 2.0]]
    """
    _check_remove(remove)
    rng = np.random.default_rng(rng)
    if isinstance(triples, int):
        triples = sample_bridges(H, triples, remove, rng)
    if not len(triples):
        raise ValueError("no triple: no three concepts of a hyperedge stand in others too. Use a denser hypergraph.")
    counts = _written(H)
    hits: dict[tuple, list[bool]] = {}
    named: dict[tuple, list[int]] = {}
    ways = ("edges", "links") if links else ("edges",)
    rows = list(triples[["a", "m", "b"]].itertuples(index=False, name=None))
    for triple in tqdm(rows, desc="bridge recall", unit="triple", delay=2, leave=False, disable=not progress):
        for key, nodes in _candidates(H, triple, s, k, avoid_hubs, ways, remove, counts, rng).items():
            hits.setdefault(key, []).append(triple[1] in nodes)
            named.setdefault(key, []).append(len(nodes))
    draws = rng.integers(len(rows), size=(samples, len(rows)))
    table = [_row(key, hits, named, ("hyperpaths", s[0], key[2], avoid_hubs[0]), draws) for key in hits]
    return pd.DataFrame(table)


def _candidates(H, triple, s, k, prices, distinct, remove, counts, rng) -> dict[tuple, set[str]]:
    """(method, s, k, price) -> the nodes it names for one triple."""
    a, _, b = triple
    gone = _removed(H, triple, remove)
    kept = H.edges.index[~H.edges.index.isin(gone)]
    left = H.subgraph(edges=kept)
    out: dict[tuple, set[str]] = {}
    for shared, price, way in product(s, prices, distinct):
        paths = hyperpaths(left, a, b, shared, max(k), avoid_hubs=price, shortcut=False, distinct=way)
        method = "hyperpaths" if way == "edges" else "hyperpaths, links differ"
        for most in k:
            nodes = {name for path in paths[:most] for names in path.shared for name in names}
            out[method, shared, most, price] = nodes - {a, b}
    for price in prices:
        chains = _clique_paths(left, a, b, max(k), price)
        for most in k:
            out["clique graph", None, most, price] = {name for chain in chains[:most] for name in chain[1:-1]}
    ranked = _by_sentences(H, kept, a, b, counts) if counts is not None else []
    for most in k:
        reference = sorted(out["hyperpaths", s[0], most, prices[0]])
        if counts is not None:
            out["sentences", None, most, None] = set(ranked[: len(reference)])
        out["random, equal degree", None, most, None] = _peers(left, reference, {a, b}, rng)
    return out


def _clique_paths(left, a: str, b: str, k: int, price: float) -> list[list[str]]:
    """The k shortest simple paths of the clique graph without the link between the ends."""
    import igraph

    B = left.incidence
    links = sparse.triu(B.T @ B, 1).tocoo()
    one, other = (int(left.nodes.index.get_loc(name)) for name in (a, b))
    direct = ((links.coords[0] == one) & (links.coords[1] == other)) | (
        (links.coords[0] == other) & (links.coords[1] == one)
    )
    ends = np.column_stack(links.coords)[~direct]
    graph = igraph.Graph(n=len(left.nodes), edges=ends.tolist())
    logs = np.log(np.maximum(left.degrees.to_numpy(), 1))
    weights = 1 + price * logs[ends].mean(axis=1) / max(logs.max(), 1e-12)
    if graph.distances(one, other)[0][0] == float("inf"):
        return []
    paths = graph.get_k_shortest_paths(one, other, k=k, weights=weights.tolist() if price else None)
    return [left.nodes.index[path].tolist() for path in paths]


def _written(H) -> tuple[np.ndarray, pd.Series] | None:
    """Which names each evidence sentence writes (names x sentences), and the sentence of each hyperedge."""
    if "text" not in H.edges:
        return None
    place, texts = pd.factorize(H.edges["text"].fillna("").str.lower())
    names = [name.lower() for name in H.nodes.index]
    table = np.zeros((len(names), len(texts)), bool)
    for column, text in enumerate(texts):
        for row, name in enumerate(names):
            if name in text and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text):
                table[row, column] = True
    return table, pd.Series(place, index=H.edges.index)


def _by_sentences(H, kept: pd.Index, a: str, b: str, counts: tuple[np.ndarray, pd.Series]) -> list[str]:
    """Nodes that sentences write with both ends, best first."""
    table, place = counts
    held = table[:, np.unique(place.loc[kept])].astype(np.int32)
    one, other = (held @ held[H.nodes.index.get_loc(name)] for name in (a, b))
    least, total = np.minimum(one, other), one + other
    names = H.nodes.index.to_numpy()
    order = np.lexsort((names.astype(str), -total, -least))
    return [names[i] for i in order if total[i] and names[i] not in (a, b)]


def _peers(left, nodes: Sequence[str], ends: set[str], rng: np.random.Generator) -> set[str]:
    """A random node of equal degree for each node."""
    degrees = left.degrees
    values, names = degrees.to_numpy(), degrees.index.to_numpy()
    usable = ~np.isin(names, list(ends))
    out = set()
    for node in nodes:
        gap = np.abs(values - degrees[node])
        pool = np.flatnonzero((gap == 0) & usable)
        if len(pool) < _PEERS:
            pool = np.flatnonzero(usable)[np.argsort(gap[usable], kind="stable")[:_PEERS]]
        out.add(names[rng.choice(pool)])
    return out


def _row(key: tuple, hits, named, reference: tuple, draws: np.ndarray) -> dict[str, Any]:
    got = np.array(hits[key])
    interval = binomtest(int(got.sum()), len(got)).proportion_ci(method="wilson")
    apart = got.astype(float) - np.array(hits[reference])
    low, high = np.quantile(apart[draws].mean(axis=1), [0.025, 0.975]) if len(draws) else (np.nan, np.nan)
    method, s, k, price = key
    return {
        "method": method,
        "s": s,
        "k": k,
        "avoid_hubs": price,
        "triples": len(got),
        "found": int(got.sum()),
        "recall": got.mean(),
        "low": interval.low,
        "high": interval.high,
        "candidates": float(np.mean(named[key])),
        "difference": apart.mean(),
        "difference_low": low,
        "difference_high": high,
    }
