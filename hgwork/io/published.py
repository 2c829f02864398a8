r"""The artifacts that the higher-order paper published: pickles of a HyperNetX 2.4 hypergraph, of the tables of its
events, and of node embeddings, beside CSV of the text chunks.

A hyperedge id is ``{relation}_chunk{md5}_{i}``: the relation and the chunk live only there. The tables give each
hyperedge its source and target; where they lost their index they are matched by member set. The labels of tables and
graph drifted apart when nodes were merged, so whatever does not agree is reported and the graph is believed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .._hypernetx import hypernetx_tables
from ..hypergraph import Hypergraph
from ._files import progress, read_bytes
from .restricted_pickle import Shell, load, value

__all__ = ["Published", "read_published"]

_ID = re.compile(r"(.+?)_chunk([0-9A-Za-z]+)_(\d+)", re.DOTALL)


@dataclass(frozen=True)
class Published:
    """What `read_published` found.

    Attributes
    ----------
    hypergraph : Hypergraph
        `edges` has the columns `relation` and `chunk` as its ids say; incidences carry source and target where known.
    names : Index
        The nodes that have an embedding, in the order of the rows of `embeddings`.
    embeddings : float32 array, shape (names, dimensions)
    chunks : DataFrame
        Index `chunk_id`; column `text`.
    mismatches : DataFrame
        Columns `edge` (None for a table row without a hyperedge) and `reason`.
    """

    hypergraph: Hypergraph
    names: pd.Index
    embeddings: np.ndarray
    chunks: pd.DataFrame
    mismatches: pd.DataFrame


def read_published(folder: str | Path, embeddings: str | Path | None = None) -> Published:
    """Read a folder of published artifacts through the restricted unpickler.

    Parameters
    ----------
    folder : path
        Holds `final_graph.pkl`; where present also `*updated_sub_dfs.pkl`, one more pickle (the embeddings) and CSV
        files with the columns text and chunk_id.
    embeddings : path, optional
        The pickle of embeddings, where it lies elsewhere or several could be it.

    Raises
    ------
    FileNotFoundError
        If there is no final_graph.pkl.
    RefusedPickle
        If a pickle names anything that these artifacts do not need.
    ValueError
        If a file is a git-LFS pointer or holds something else than its name says.
    """
    folder = Path(folder)
    graph = folder / "final_graph.pkl"
    if not graph.is_file():
        raise FileNotFoundError(f"{folder} holds no final_graph.pkl. Give the folder of the published artifacts.")
    tables = sorted(folder.glob("*updated_sub_dfs.pkl"))
    H = _graph(graph)
    problems: list[tuple[str | None, str]] = []
    H = _with_ids(H, problems)
    if tables:
        H = _with_roles(H, pd.concat([_rows(path) for path in tables], ignore_index=True), problems)
    chosen = Path(embeddings) if embeddings is not None else _embedding_file(folder, {graph, *tables})
    names, matrix = _embeddings(chosen)
    report = pd.DataFrame(problems, columns=["edge", "reason"], dtype=object)
    return Published(H, names, matrix, _chunks(folder), report)


def _graph(path: Path) -> Hypergraph:
    shell = load(path)
    try:
        views = (shell.state[name] for name in ("_E", "_edges", "_nodes"))
        stores = [value(view.state["_property_store"].state["_data"]) for view in views]
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"{path} holds no HyperNetX 2.4 hypergraph (found {type(shell).__name__}).") from error
    return Hypergraph.from_frame(**hypernetx_tables(*stores))


def _with_ids(H: Hypergraph, problems: list) -> Hypergraph:
    edges, parts = H.edges, [_ID.fullmatch(edge) for edge in H.edges.index]
    problems += [
        (edge, "its id does not read {relation}_chunk{md5}_{i}")
        for edge, part in zip(edges.index, parts, strict=True) if part is None
    ]  # fmt: skip
    for column, group in (("relation", 1), ("chunk", 2)):
        edges[column] = pd.Series([part and part[group] for part in parts], index=edges.index, dtype=object)
    return Hypergraph.from_frame(H.incidences, edges=edges, nodes=H.nodes)


def _rows(path: Path) -> pd.DataFrame:
    """One row an event: edge (None where the index was dropped), nodes, source, target, chunk."""
    listed = load(path)
    frames = [value(part) for part in listed] if isinstance(listed, list) else [value(listed)]
    tables = [pd.DataFrame({name: [] for name in ("edge", "nodes", "source", "target", "chunk")}, dtype=object)]
    for number, frame in enumerate(frames, 1):
        lacking = {"nodes", "source", "target"} - set(getattr(frame, "columns", ()))
        if lacking:
            names = ", ".join(sorted(lacking))
            raise ValueError(f"{path}: table {number} has no column {names}. Is it updated_sub_dfs.pkl?")
        ids = frame.get("edge", frame.index)
        table = pd.DataFrame({"edge": [x if isinstance(x, str) else None for x in ids]}, dtype=object)
        for name in ("nodes", "source", "target"):
            table[name] = pd.Series([_names(cell) for cell in frame[name]], dtype=object)
        table["chunk"] = frame["chunk"].tolist() if "chunk" in frame else None
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


def _names(cell: Any) -> list[str]:
    if isinstance(cell, str):
        return [cell]
    return sorted(map(str, cell)) if isinstance(cell, set | frozenset) else list(dict.fromkeys(map(str, cell)))


def _with_roles(H: Hypergraph, rows: pd.DataFrame, problems: list) -> Hypergraph:
    members, chunk = H.to_dict(), H.edges["chunk"].to_dict()
    sides: dict[str, tuple[set, set]] = {}
    for edge, row in progress(_matched(H, rows, members, chunk, problems), len(rows), "table rows"):
        source, target, held = set(row.source), set(row.target), set(members[edge])
        if set(row.nodes) != held:
            problems.append((edge, f"its members are {sorted(held)}, in the tables {row.nodes}"))
        if lost := sorted((source | target) - held):
            problems.append((edge, f"the tables name {lost} as source or target, which are not its members"))
        if bare := sorted(held - source - target):
            problems.append((edge, f"{bare} are neither source nor target in the tables"))
        if isinstance(row.chunk, str) and row.chunk != chunk[edge]:
            problems.append((edge, f"its id says chunk {chunk[edge]!r}, the tables {row.chunk[:60]!r}"))
        sides[edge] = (source, target)
    problems += [(edge, "no row of the tables belongs to it") for edge in H.edges.index if edge not in sides]
    frame = H.incidences.astype({"edge": object, "node": object, "role": object})
    roles = []
    for edge, node in zip(frame["edge"], frame["node"], strict=True):
        source, target = sides.get(edge, (set(), set()))
        roles.append(["source"] * (node in source) + ["target"] * (node in target) or ["member"])
    frame["role"] = pd.Series(roles, index=frame.index, dtype=object)
    return Hypergraph.from_frame(frame.explode("role", ignore_index=True), edges=H.edges, nodes=H.nodes)


def _matched(H: Hypergraph, rows: pd.DataFrame, members: dict, chunk: dict, problems: list):
    """(hyperedge, row): by id where the row has one, else a free hyperedge of equal members, same chunk first."""
    taken: set[str] = set()
    row: Any
    for row in rows[rows["edge"].notna()].itertuples():
        if row.edge not in members:
            problems.append((None, f"the tables have a row {row.edge!r}, which is not in the graph"))
        elif row.edge in taken:
            problems.append((row.edge, "the tables have another row of this id; the first was used"))
        else:
            taken.add(row.edge)
            yield row.edge, row
    free: dict[frozenset, list[str]] = defaultdict(list)
    for edge in H.edges.index:
        if edge not in taken:
            free[frozenset(members[edge])].append(edge)
    for row in rows[rows["edge"].isna()].itertuples():
        edges = free[frozenset(row.nodes)]
        if not edges:
            problems.append((None, f"a row without id has the members {row.nodes}, which no free hyperedge has"))
            continue
        edge = next((edge for edge in edges if chunk[edge] == row.chunk), edges[0])
        edges.remove(edge)
        yield edge, row


def _embedding_file(folder: Path, others: set[Path]) -> Path | None:
    left = sorted(set(folder.glob("*.pkl")) - others)
    named = [path for path in left if "embed" in path.name.lower()] or left
    if len(named) > 1:
        raise ValueError(f"{folder}: any of {[p.name for p in named]} could be the embeddings. Say which: embeddings=…")
    return named[0] if named else None


def _embeddings(path: Path | None) -> tuple[pd.Index, np.ndarray]:
    if path is None:
        return pd.Index([], dtype=object), np.zeros((0, 0), np.float32)
    table = load(path)
    if not isinstance(table, dict) or any(not isinstance(name, str) for name in table):
        found = table if isinstance(table, Shell) else type(table).__name__
        raise ValueError(f"{path} holds no embeddings: a dict of node to vector is wanted, not {found!r:.80}.")
    vectors = [np.asarray(value(vector), dtype=np.float32).ravel() for vector in table.values()]
    sizes = {len(vector) for vector in vectors}
    if len(sizes) > 1:
        odd = next(name for name, vector in zip(table, vectors, strict=True) if len(vector) != len(vectors[0]))
        raise ValueError(f"{path}: the vector of {odd!r} has another length than the first. Sizes: {sorted(sizes)}.")
    return pd.Index(table, dtype=object), np.stack(vectors) if vectors else np.zeros((0, 0), np.float32)


def _chunks(folder: Path) -> pd.DataFrame:
    tables = []
    for path in sorted(folder.glob("*.csv")):
        if read_bytes(path) and {"text", "chunk_id"} <= set(pd.read_csv(path, nrows=0).columns):
            tables.append(pd.read_csv(path, dtype=str, keep_default_na=False, usecols=["text", "chunk_id"]))
    if not tables:
        return pd.DataFrame({"text": []}, index=pd.Index([], dtype=object, name="chunk_id"), dtype=object)
    return pd.concat(tables).drop_duplicates("chunk_id").set_index("chunk_id")
