"""Building the hypergraph at the published size: hgwork, HyperNetX, XGI, hypergraphx.

All get the same input, read from disk anew before each run: a frame of two columns of plain Python strings, or a dict
of lists. "from a frame" is each library's own constructor, or grouping the frame in plain Python and then the
constructor from groups; where a library has both, both are shown and the faster one counts. Ours includes the sparse
incidence matrix.
"""

import json
import sys
from pathlib import Path

import pandas as pd

from tests.benchmarks.measure import fresh, repeated

LOSES = {
    "hgwork": "nothing",
    "hypernetx": "nothing",
    "xgi": "nothing",
    "hypergraphx": "hyperedge ids; merges equal node sets",
}
# name -> (library, input, runs)
CASES = {
    "hgwork, Hypergraph.from_frame": ("hgwork", "frame", 5),
    "hypernetx, Hypergraph(frame)": ("hypernetx", "frame", 2),
    "xgi, from_bipartite_pandas_dataframe": ("xgi", "frame", 3),
    "xgi, grouped, then Hypergraph(dict)": ("xgi", "frame", 3),
    "hypergraphx, grouped, then Hypergraph(list)": ("hypergraphx", "frame", 3),
    "hgwork, Hypergraph.from_dict": ("hgwork", "dict", 5),
    "hypernetx, Hypergraph(dict)": ("hypernetx", "dict", 1),
    "xgi, Hypergraph(dict)": ("xgi", "dict", 3),
    "hypergraphx, Hypergraph(list)": ("hypergraphx", "dict", 3),
}


def tables(folder: Path) -> dict[str, pd.DataFrame]:
    path = folder / "published_size.parquet"
    size = fresh("tests.benchmarks.construct", "write", str(path))
    if "error" in size:
        raise RuntimeError(size["error"])
    rows = {name: fresh("tests.benchmarks.construct", name, str(path)) for name in CASES}
    shape = f"{size['nodes']:,} nodes, {size['hyperedges']:,} hyperedges, {size['incidences']:,} incidences"
    return {
        f"from a frame of strings ({shape})": _table(rows, "frame"),
        f"from a dict of lists ({shape})": _table(rows, "dict"),
    }


def _table(rows: dict[str, dict], kind: str) -> pd.DataFrame:
    table = pd.DataFrame.from_dict({n: r for n, r in rows.items() if CASES[n][1] == kind}, orient="index")
    library = pd.Series({name: CASES[name][0] for name in table.index})
    for place, column in ((1, "seconds"), (3, "cpu")):
        ours = table[column][library == "hgwork"].iloc[0]
        table.insert(place, f"{column} / ours", table[column] / ours)
    table.insert(0, "counts", table["seconds"] == table["seconds"].groupby(library).transform("min"))
    table["loses"] = library.map(LOSES)
    return table.round({"seconds": 3, "seconds / ours": 1, "cpu": 3, "cpu / ours": 1, "slowest": 3})


def _grouped(frame: pd.DataFrame) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for edge, node in zip(frame["edge"].tolist(), frame["node"].tolist(), strict=True):
        groups.setdefault(edge, []).append(node)
    return groups


def _hgwork(given):
    from hgwork import Hypergraph

    H = Hypergraph.from_dict(given) if isinstance(given, dict) else Hypergraph.from_frame(given)
    return H, H.incidence


def _hypernetx(given):
    import hypernetx

    if isinstance(given, dict):
        return hypernetx.Hypergraph(given)
    return hypernetx.Hypergraph(given, edge_col="edge", node_col="node")


def _xgi_frame(given):
    import xgi

    return xgi.from_bipartite_pandas_dataframe(given, node_column="node", edge_column="edge")


def _xgi(given):
    import xgi

    return xgi.Hypergraph(given if isinstance(given, dict) else _grouped(given))


def _hypergraphx(given):
    import hypergraphx

    groups = given if isinstance(given, dict) else _grouped(given)
    return hypergraphx.Hypergraph(list(groups.values()), weighted=True)


COUNTS = {
    "hgwork": lambda built: built[0].shape,
    "hypernetx": lambda built: (len(built.edges), len(built.nodes)),
    "xgi": lambda built: (built.num_edges, built.num_nodes),
    "hypergraphx": lambda built: (built.num_edges(), built.num_nodes()),
}
BUILDERS = {"hgwork": _hgwork, "hypernetx": _hypernetx, "xgi": _xgi, "hypergraphx": _hypergraphx}


def _case(name: str, path: Path) -> dict:
    library, kind, runs = CASES[name]
    build = _xgi_frame if "pandas" in name else BUILDERS[library]
    __import__(library)

    def load():
        frame = pd.read_parquet(path)
        return _grouped(frame) if kind == "dict" else frame

    def facts(built):
        edges, nodes = COUNTS[library](built)
        return {"hyperedges kept": edges, "nodes kept": nodes}

    return repeated(load, build, facts, runs)


def _write(path: Path) -> dict:
    from hgwork.datasets import heavy_tailed

    H = heavy_tailed()
    H.incidences[["edge", "node"]].astype(object).to_parquet(path)
    return {"nodes": H.shape[1], "hyperedges": H.shape[0], "incidences": len(H.incidences)}


if __name__ == "__main__":
    task, file = sys.argv[1], Path(sys.argv[2])
    print(json.dumps(_write(file) if task == "write" else _case(task, file)))
