"""A build that users of HyperNetX asked for: 3.8 million nodes, 7.1 million hyperedges (HyperNetX issue 108).

The frame has two columns of plain Python strings. Sizes keep the published shares (77 % pairs, mean 2.35, at most 32).
Every node stands in it once; the other memberships are drawn by rank with weight r^(-1/1.1), so that degrees have a
power-law tail of exponent 2.1; repeats within a hyperedge are dropped. The time is from the frame to the hypergraph
with its sparse incidence matrix.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

from tests.benchmarks.measure import fresh, memory

NODES, EDGES, LIMIT_SECONDS, LIMIT_GB = 3_800_000, 7_100_000, 90, 10


def tables(folder: Path) -> dict[str, pd.DataFrame]:
    row = fresh("tests.benchmarks.large_build", "measure", timeout=3600)
    return {f"target: under {LIMIT_SECONDS} s and {LIMIT_GB} GB": pd.Series(row, name="hgwork").to_frame()}


def powerlaw_frame(nodes: int, edges: int, exponent: float = 2.1, rng=0) -> pd.DataFrame:
    """A frame `edge`, `node` of strings, every node and every hyperedge in it at least once."""
    rng = np.random.default_rng(rng)
    kinds = np.arange(1, 33)
    shares = np.concatenate([[0.0003, 0.7697, 0.1517], 4.0**4.6 * np.arange(4, 33) ** -5.6])
    shares[3:] *= (1 - shares[:3].sum()) / shares[3:].sum()
    sizes = rng.choice(kinds, size=edges, p=shares)
    total = int(sizes.sum())
    weight = np.arange(1, nodes + 1) ** (-1 / (exponent - 1))
    extra = rng.choice(nodes, size=total - nodes, p=weight / weight.sum())  # every node once, the rest by rank
    node = rng.permutation(np.concatenate([np.arange(nodes), extra]))
    edge = np.repeat(np.arange(edges), sizes)
    keys = np.unique(edge * nodes + node)
    name = np.array([f"concept {i}" for i in range(nodes)], dtype=object)
    label = np.array([f"statement {i}" for i in range(edges)], dtype=object)
    return pd.DataFrame({"edge": label[keys // nodes], "node": name[keys % nodes]})


def _measure() -> dict:
    from hgwork import Hypergraph

    start = time.perf_counter()
    frame = powerlaw_frame(NODES, EDGES)
    made, given = time.perf_counter() - start, memory("VmRSS")
    start = time.perf_counter()
    H = Hypergraph.from_frame(frame)
    built = time.perf_counter() - start
    matrix = H.incidence
    seconds, peak = time.perf_counter() - start, memory("VmHWM")
    degree = np.diff(matrix.T.tocsr().indptr)
    quantiles = {f"degree, {q:.1%} quantile": float(np.quantile(degree, q)) for q in (0.5, 0.9, 0.99, 0.999)}
    return {
        "nodes": H.shape[1],
        "hyperedges": H.shape[0],
        "incidences": int(matrix.nnz),
        "mean size": round(matrix.nnz / H.shape[0], 3),
        "largest size": int(H.sizes.max()),
        "mean degree": round(float(degree.mean()), 3),
        "largest degree": int(degree.max()),
        "share of degree 1": round(float((degree == 1).mean()), 3),
        **quantiles,
        "seconds to make the frame": round(made, 1),
        "seconds to build": round(built, 1),
        "seconds with the matrix": round(seconds, 1),
        "GB, frame alone": round(given, 2),
        "GB at the peak": round(peak, 2),
        "within the target": bool(seconds < LIMIT_SECONDS and peak < LIMIT_GB),
    }


if __name__ == "__main__":
    if sys.argv[1:] == ["measure"]:
        print(json.dumps(_measure()))
