"""Topology at the published size, beside HyperNetX, XGI, hypergraphx and networkx; ours to 7.1 million hyperedges.

Each cell is a process of its own: it builds the library's hypergraph (ours with its incidence matrix, as in
`construct`; not timed), then makes one call, the first, so that whatever a library builds on demand counts. `cpu` is
the time of this process alone: where other programs compete for the cores, trust it. A cell is given up after
HGWORK_BENCH_CAP seconds (60) or above HGWORK_BENCH_GB of memory (14). The call is the library's own where it has one,
else the shortest code on what it holds; "–" is where it has neither. Answers are compared: hypergraphx keeps equal
node sets once, so its answers are those of another hypergraph wherever copies count.
"""

import contextlib
import json
import os
import sys
import threading
import time
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

from tests.benchmarks.measure import fresh, memory

CAP, LIMIT_GB = float(os.environ.get("HGWORK_BENCH_CAP", 60)), float(os.environ.get("HGWORK_BENCH_GB", 14))
LIBRARIES = ("hgwork", "hypernetx", "xgi", "hypergraphx", "networkx")
CLUB, S = (10, 20, 50, 100), (1, 2, 3, 4)
LARGE = 7_100_000
GROWTH = (10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, LARGE)
# seconds that plain numpy and scipy take for the same, on a quiet two-core machine
FLOORS = {"degrees": 0.006, "clique projection": 0.06, "overlap counts, s = 1, 2, 3": 0.36, "rich club": 0.08}
FLOORS |= dict(zip((f"s-components, s = {s}" for s in S), (0.06, 0.20, 0.18, 0.50), strict=True))


def tables(folder: Path) -> dict[str, pd.DataFrame]:
    cells = {(op, lib): _cell(op, lib) for op in OPERATIONS for lib in LIBRARIES if lib in OPERATIONS[op]}
    frame = pd.DataFrame.from_dict(cells, orient="index")
    frame.index = pd.MultiIndex.from_tuples(frame.index, names=["operation", "library"])
    frame = frame.reindex(columns=["seconds", "cpu", "warm", "peak_gb", "answer", "error"])
    shown = frame["seconds"].round(3).astype(object).where(frame["error"].isna(), frame["error"])
    peers = _wide(frame["cpu"]).drop(columns="hgwork").min(axis=1)
    ours = frame.xs("hgwork", level="library")[["seconds", "cpu", "warm", "peak_gb"]].copy()
    ours["floor"] = pd.Series(FLOORS)
    ours["warm / floor"] = (ours["warm"] / ours["floor"]).round(2)
    ours["best peer / ours"] = (peers / ours["cpu"]).round(1)
    growth = _growth()
    _draw(growth)
    return {
        f"first call, seconds (cap {CAP:.0f} s, {LIMIT_GB:.0f} GB)": _gaps(_wide(shown)),
        "first call, cpu seconds": _wide(frame["cpu"].round(3)),
        "peak of the process, GB": _wide(frame["peak_gb"].round(2)),
        "answers": _gaps(_wide(frame["answer"].astype(object))),
        "hgwork against the floors and, by cpu, the best peer": ours.reindex(OPERATIONS),
        "hgwork alone": pd.DataFrame.from_dict({op: _cell(op, "alone") for op in ALONE}, orient="index"),
        "growth, seconds": growth.pivot(index="operation", columns="hyperedges", values="seconds"),
        "growth, peak GB": growth.pivot(index="operation", columns="hyperedges", values="peak_gb"),
        "growth, not reached": growth.loc[growth["error"].notna(), ["hyperedges", "error"]].drop_duplicates(),
        "growth, exponent of the seconds from 100,000 hyperedges on": _exponents(growth),
    }


def _wide(column: pd.Series) -> pd.DataFrame:
    return column.unstack("library").reindex(index=list(OPERATIONS), columns=list(LIBRARIES))


def _gaps(table: pd.DataFrame) -> pd.DataFrame:
    return table.where(table.notna(), "–")


def _cell(operation: str, library: str) -> dict:
    print(f"  {operation}: {library}", file=sys.stderr, flush=True)
    return fresh("tests.benchmarks.topology", "cell", operation, library, timeout=120 + 3 * CAP)


def _growth() -> pd.DataFrame:
    rows: list[dict] = []
    for edges in GROWTH:
        print(f"  growth: {edges:,}", file=sys.stderr, flush=True)
        found = fresh("tests.benchmarks.topology", "growth", str(edges), timeout=3600)
        if "error" in found:
            rows += [{"operation": op, "hyperedges": edges, "error": found["error"]} for op in GROWING]
        rows += found.get("rows", [])
    return pd.DataFrame(rows, columns=["operation", "hyperedges", "seconds", "peak_gb", "answer", "error"])


SHOWN = ("degrees", "summary", "overlap counts, s = 1, 2, 3", "s-components, s = 2", "s-components, s = 3", "rich club")


def _draw(growth: pd.DataFrame) -> None:
    """The figure of the gallery: six operations, the others are in the table."""
    from hgwork import notebook, plot

    os.environ.setdefault("HGWORK_FIGURES", str(Path(__file__).parents[2] / "figures"))
    seconds = growth.pivot(index="operation", columns="hyperedges", values="seconds").reindex(SHOWN)
    with plot.style():
        notebook.save_figure(plot.growth(seconds, _exponents(growth)), "02_growth", data=growth)


def _exponents(growth: pd.DataFrame) -> pd.DataFrame:
    rows = {}
    for operation, part in growth[(growth["hyperedges"] >= 100_000) & (growth["seconds"] > 0)].groupby("operation"):
        if len(part) > 1:
            slope, start = np.polyfit(np.log(part["hyperedges"]), np.log(part["seconds"]), 1)
            rows[operation] = {
                "exponent": round(slope, 2),
                "seconds at a million": round(np.exp(start) * 1e6**slope, 3),
            }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("operation")


# ---------------------------------------------------------------- what is built


def _build(library: str):
    from hgwork import Hypergraph
    from hgwork.datasets import heavy_tailed

    groups = heavy_tailed(rng=0).to_dict()
    if library in ("hgwork", "alone"):
        H = Hypergraph.from_dict(groups)
        return H if H.incidence.nnz else None
    if library == "hypernetx":
        import hypernetx

        rows = [(edge, node) for edge, held in groups.items() for node in held]
        return hypernetx.Hypergraph(pd.DataFrame(rows, columns=["edge", "node"]), edge_col="edge", node_col="node")
    if library == "xgi":
        import xgi

        return xgi.Hypergraph(groups)
    if library == "hypergraphx":
        import hypergraphx

        return hypergraphx.Hypergraph(list(groups.values()), weighted=True)
    import networkx

    graph = networkx.Graph()
    graph.add_nodes_from(groups, bipartite=1)
    graph.add_nodes_from((node for held in groups.values() for node in held), bipartite=0)
    graph.add_edges_from((edge, node) for edge, held in groups.items() for node in held)
    return graph


# ---------------------------------------------------------------- what is called: library -> answer


def _nodes(graph):
    return [node for node, side in graph.nodes("bipartite") if side == 0]


def _edges(graph):
    return [node for node, side in graph.nodes("bipartite") if side == 1]


def _clique_networkx(graph):
    from networkx.algorithms.bipartite import weighted_projected_graph

    return weighted_projected_graph(graph, _nodes(graph)).number_of_edges()


def _overlaps_networkx(graph):
    from networkx.algorithms.bipartite import weighted_projected_graph

    weights = [w for *_, w in weighted_projected_graph(graph, _edges(graph)).edges(data="weight")]
    return [sum(w >= s for w in weights) for s in (1, 2, 3)]


def _components_networkx(s):
    def call(graph):
        import networkx
        from networkx.algorithms.bipartite import weighted_projected_graph

        if s == 1:
            parts = networkx.connected_components(graph)
            return max(sum(graph.nodes[x]["bipartite"] for x in part) for part in parts)
        lines = weighted_projected_graph(graph, _edges(graph))
        lines.remove_edges_from([(a, b) for a, b, w in lines.edges(data="weight") if w < s])
        return max(map(len, networkx.connected_components(lines)))

    return call


def _components_xgi(s):
    def call(H):
        import networkx
        import xgi

        if s == 1:
            largest = max(xgi.connected_components(H), key=len)
            return sum(bool(held) and next(iter(held)) in largest for held in H.edges.members())
        return max(map(len, networkx.connected_components(xgi.to_line_graph(H, s=s))))

    return call


def _components_hypergraphx(s):
    def call(h):
        import networkx
        from hypergraphx.representations.projections import line_graph

        if s == 1:
            largest = set(max(h.connected_components(), key=len))
            return sum(edge[0] in largest for edge in h.get_edges())
        return max(map(len, networkx.connected_components(line_graph(h, s=s)[0])))

    return call


def _club(degree: dict, groups) -> list[int]:
    groups = [held for held in groups if len(held) > 1]
    clubs = [{node for node, d in degree.items() if d >= k} for k in CLUB]
    return [sum(club.issuperset(held) for held in groups) for club in clubs]


def _club_hypernetx(h):
    M = h.incidence_matrix()
    degree, size = np.asarray(M.sum(axis=1)).ravel(), np.asarray(M.sum(axis=0)).ravel()
    return [int(((M.T @ (degree >= k) == size) & (size > 1)).sum()) for k in CLUB]


def _pairs_of(matrix, s) -> list[int]:
    """Pairs off the diagonal that reach each s, of a symmetric matrix of overlaps."""
    from scipy import sparse

    upper = sparse.triu(matrix, 1).tocsr()
    return [int((upper.data >= k).sum()) for k in s]


def _adjacency_hypernetx(h):
    return int(h.adjacency_matrix(s=1).nnz // 2)


def _overlaps_hypernetx(h):
    return [int(np.asarray(h.edge_adjacency_matrix(s=s).sum()) // 2) for s in (1, 2, 3)]


def _overlaps_xgi(H):
    import xgi

    return _pairs_of(xgi.intersection_profile(H, sparse=True), (1, 2, 3))


def _overlaps_hypergraphx(h):
    from hypergraphx.linalg import binary_incidence_matrix

    M = binary_incidence_matrix(h)
    return _pairs_of(M.T @ M, (1, 2, 3))


def _clique_xgi(H):
    import xgi

    return int(xgi.adjacency_matrix(H, sparse=True).nnz // 2)


def _clique_hypergraphx(h):
    from hypergraphx.linalg import adjacency_matrix

    return int(adjacency_matrix(h).nnz // 2)


def _top(degree: dict, n: int) -> list:
    return sorted(degree, key=lambda node: -degree[node])[:n]


def _ego_networkx(graph):
    top = _top(dict(graph.degree(_nodes(graph))), 20)
    return [len({x for edge in graph[node] for x in graph[edge]}) - 1 for node in top]


def _hub_links(memberships: dict) -> int:
    top = [set(memberships[node]) for node in _top({n: len(held) for n, held in memberships.items()}, 30)]
    return sum(len(one & two) >= 10 for one, two in combinations(top, 2))


def _topology():
    from hgwork import topology

    return topology


OPERATIONS: dict[str, dict] = {
    "degrees": {
        "hgwork": lambda H: H.degrees.max(),
        "hypernetx": lambda h: np.asarray(h.incidence_matrix().sum(axis=1)).max(),
        "xgi": lambda H: max(H.nodes.degree.asdict().values()),
        "hypergraphx": lambda h: max(h.degree_sequence().values()),
        "networkx": lambda graph: max(d for _, d in graph.degree(_nodes(graph))),
    },
    "clique projection": {
        "hgwork": lambda H: _topology().pairs.co_membership_matrix(H).nnz // 2,
        "hypernetx": _adjacency_hypernetx,
        "xgi": _clique_xgi,
        "hypergraphx": _clique_hypergraphx,
        "networkx": _clique_networkx,
    },
    "overlap counts, s = 1, 2, 3": {
        "hgwork": lambda H: _topology().overlap_counts(H).tolist(),
        "hypernetx": _overlaps_hypernetx,
        "xgi": _overlaps_xgi,
        "hypergraphx": _overlaps_hypergraphx,
        "networkx": _overlaps_networkx,
    },
    **{
        f"s-components, s = {s}": {
            "hgwork": lambda H, s=s: _topology().s_components(H, s).sizes.max(),
            "hypernetx": lambda h, s=s: max(map(len, h.s_connected_components(s, edges=True))),
            "xgi": _components_xgi(s),
            "hypergraphx": _components_hypergraphx(s),
            "networkx": _components_networkx(s),
        }
        for s in S
    },
    "node components, s = 2": {
        "hgwork": lambda H: _topology().s_components(H, 2, "node").sizes.max(),
        "hypernetx": lambda h: max(map(len, h.s_connected_components(2, edges=False))),
    },
    "rich club": {
        "hgwork": lambda H: _topology().rich_club(H, CLUB, "hyperedges")["links"].tolist(),
        "hypernetx": _club_hypernetx,
        "xgi": lambda H: _club(H.nodes.degree.asdict(), H.edges.members()),
        "hypergraphx": lambda h: _club(h.degree_sequence(), h.get_edges()),
        "networkx": lambda graph: _club(dict(graph.degree(_nodes(graph))), [graph[e] for e in _edges(graph)]),
    },
    "neighbours of the top 20": {
        "hgwork": lambda H: _topology().hub_table(H)["neighbours"].tolist(),
        "hypernetx": lambda h: [
            len(h.neighbors(n)) for n in _top({x: len(h.nodes.memberships[x]) for x in h.nodes}, 20)
        ],
        "xgi": lambda H: [len(H.nodes.neighbors(n)) for n in _top(H.nodes.degree.asdict(), 20)],
        "hypergraphx": lambda h: [len(h.get_neighbors(n)) for n in _top(h.degree_sequence(), 20)],
        "networkx": _ego_networkx,
    },
    "links among the top 30": {
        "hgwork": lambda H: _topology().hub_network(H).number_of_edges(),
        "hypernetx": lambda h: _hub_links(h.nodes.memberships),
        "xgi": lambda H: _hub_links(H.nodes.memberships()),
        "hypergraphx": lambda h: _hub_links({n: h.get_incident_edges(n) for n in h.get_nodes()}),
        "networkx": lambda graph: _hub_links({n: graph[n] for n in _nodes(graph)}),
    },
}

ALONE = {
    "summary": lambda H: _topology().summary(H)["overlap_2"],
    "tables 1-4, data of figures 5 and 6": lambda H: _published(H),
    "degree fit, least KS distance": lambda H: _topology().degree_fit(H, compare=False).exponent,
    "degree fit with four rivals": lambda H: _topology().degree_fit(H).exponent,
    "degree fit, 100 bootstrap samples": lambda H: _topology().degree_fit(H, compare=False, bootstrap=100).p,
    "rich club with 20 null samples": lambda H: _topology().rich_club(H, null=20)["normalised"].round(3).tolist(),
    "t-SNE of all nodes": lambda H: round(_topology().tsne(_topology().structural_signatures(H)).trustworthiness, 4),
}


def _published(H):
    t = _topology()
    t.summary(H)
    t.hub_table(H)
    t.hub_integration(H)
    t.rich_club(H, CLUB, "hyperedges")
    t.rich_club(H, CLUB)
    for s in S:
        t.s_components(H, s, "edge")
        t.s_components(H, s, "node")
    t.degree_table(H)
    t.ccdf(H)
    t.degree_fit(H, "ols")
    t.degree_fit(H)
    return t.hub_network(H).number_of_edges()


GROWING = {
    "degrees": OPERATIONS["degrees"]["hgwork"],
    "summary": ALONE["summary"],
    "overlap counts, s = 1, 2, 3": OPERATIONS["overlap counts, s = 1, 2, 3"]["hgwork"],
    **{f"s-components, s = {s}": OPERATIONS[f"s-components, s = {s}"]["hgwork"] for s in (1, 2, 3)},
    "node components, s = 2": OPERATIONS["node components, s = 2"]["hgwork"],
    "clique projection": OPERATIONS["clique projection"]["hgwork"],
    "rich club": OPERATIONS["rich club"]["hgwork"],
    "links among the top 30": OPERATIONS["links among the top 30"]["hgwork"],
    "degree fit, least KS distance": ALONE["degree fit, least KS distance"],
    "structural signatures": lambda H: len(_topology().structural_signatures(H)),
}


# ---------------------------------------------------------------- one process


def _plain(answer):
    return json.loads(json.dumps(answer, default=lambda x: x.item() if hasattr(x, "item") else str(x)))


def _watched(stop: threading.Event, cap: float) -> None:
    """End the process with what it reached when it takes too long or too much."""
    start = time.perf_counter()
    while not stop.wait(0.05):
        used, taken = memory("VmRSS"), time.perf_counter() - start
        if taken > cap or used > LIMIT_GB:
            reason = f"> {cap:.0f} s" if taken > cap else f"> {LIMIT_GB:.0f} GB after {taken:.0f} s"
            print(json.dumps({"error": reason, "peak_gb": round(memory("VmHWM"), 2)}), flush=True)
            os._exit(0)


def _measured(operation: str, library: str) -> dict:
    given = _build(library)
    call = ALONE[operation] if library == "alone" else OPERATIONS[operation][library]
    _warm()
    stop = threading.Event()
    threading.Thread(target=_watched, args=(stop, CAP if library != "alone" else 600), daemon=True).start()
    start, busy = time.perf_counter(), time.process_time()
    answer = call(given)
    seconds, cpu = time.perf_counter() - start, time.process_time() - busy
    stop.set()
    result = {
        "seconds": round(seconds, 4),
        "cpu": round(cpu, 4),
        "peak_gb": round(memory("VmHWM"), 2),
        "answer": _plain(answer),
    }
    if library == "hgwork":
        times = []
        for _ in range(3):
            busy = time.process_time()
            call(given)
            times.append(time.process_time() - busy)
        result["warm"] = round(min(times), 4)
    return result


def _grown(edges: int) -> dict:
    from hgwork import Hypergraph
    from tests.benchmarks.large_build import EDGES, NODES, powerlaw_frame

    frame = powerlaw_frame(max(edges * NODES // EDGES, 1), edges)
    H = Hypergraph.from_frame(frame)
    del frame
    H.incidence  # noqa: B018
    _warm()
    rows = []
    for operation, call in GROWING.items():
        _forget_peak()
        start = time.perf_counter()
        answer = call(H)
        seconds = time.perf_counter() - start
        rows.append({"operation": operation, "hyperedges": edges, "seconds": round(seconds, 4)})
        rows[-1] |= {"peak_gb": round(memory("VmHWM"), 2), "answer": str(_plain(answer))}
    return {"rows": rows}


def _warm() -> None:
    """Load what calls would load: imports are timed in `startup`."""
    import networkx
    from networkx.algorithms import bipartite  # noqa: F401

    assert _topology() and networkx


def _forget_peak() -> None:
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


if __name__ == "__main__":
    if sys.argv[1:2] == ["cell"]:
        print(json.dumps(_measured(sys.argv[2], sys.argv[3])))
    elif sys.argv[1:2] == ["growth"]:
        print(json.dumps(_grown(int(sys.argv[2]))))
