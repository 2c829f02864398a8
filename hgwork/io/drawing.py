"""GraphML and GEXF, for Gephi, Cytoscape and yEd: the bipartite graph of nodes and hyperedges. Written, not read."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..hypergraph import Hypergraph
from ._files import RecordWarning, encoder, new_text

__all__ = ["write_gexf", "write_graphml"]

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# names that networkx's writers or we ourselves give a meaning of their own
_RESERVED = frozenset(["id", "label", "class", "start", "end", "pid", "viz", "spells", "slices", "parents"])


def write_graphml(H: Hypergraph, path: str | Path) -> None:
    """Write GraphML: elements ``n0, …`` and ``e0, …`` with `label` (the name) and `class` ("node" or "hyperedge").

    Lists, dicts and columns of mixed kinds become JSON text. A column that has the name of a field of the format
    (`start`, `label`, …) gets an underscore behind it. Control characters, which XML forbids, become U+FFFD.

    Warns
    -----
    RecordWarning
        If control characters were replaced.
    """
    import networkx

    _write(H, path, networkx.write_graphml)


def write_gexf(H: Hypergraph, path: str | Path) -> None:
    """Write GEXF; as `write_graphml`."""
    import networkx

    _write(H, path, networkx.write_gexf)


def _write(H: Hypergraph, path: str | Path, writer: Callable) -> None:
    import networkx

    graph, clean = H.to_networkx("bipartite"), _Cleaner(path)
    short = {name: f"{name[0][0]}{number}" for what in ("node", "edge")
             for number, name in enumerate(n for n in graph if n[0] == what)}  # fmt: skip
    out: Any = networkx.Graph()
    things = [(clean.row(graph.nodes[n]), n) for n in graph]
    _one_kind_a_column([row for row, _ in things])
    for row, name in things:
        kind = "node" if name[0] == "node" else "hyperedge"
        out.add_node(short[name], label=clean.text(name[1]), **{"class": kind}, **row)
    links = [(clean.row({k: v for k, v in row.items() if k != "weight"}, "type"), u, v, row["weight"])
             for u, v, row in graph.edges(data=True)]  # fmt: skip
    _one_kind_a_column([row for row, *_ in links])
    for row, u, v, weight in links:
        out.add_edge(short[u], short[v], weight=float(weight), **row)
    clean.warn()
    buffer = io.BytesIO()
    writer(out, buffer)
    with new_text(path) as file:
        file.write(buffer.getvalue().decode("utf-8"))


def _one_kind_a_column(rows: list[dict[str, Any]]) -> None:
    kinds: dict[str, set] = {}
    for row in rows:
        for name, value in row.items():
            kinds.setdefault(name, set()).add(type(value))
    for row in rows:
        for name, value in row.items():
            if len(kinds[name]) > 1:
                row[name] = float(value) if kinds[name] == {int, float} else str(value)


class _Cleaner:
    """Values that XML can hold, and what it could not."""

    def __init__(self, path):
        self.encode, self.path, self.found = encoder(allow_nan=True, path=path).encode, path, []

    def row(self, row: dict, *reserved: str) -> dict[str, Any]:
        names = {k: f"{k}_" if k in _RESERVED or k in reserved else str(k) for k in row if k != "bipartite"}
        return {self.text(name): self.value(row[k]) for k, name in names.items()}

    def value(self, value: Any) -> Any:
        value = value.item() if hasattr(value, "item") and getattr(value, "ndim", 0) == 0 else value
        value = value.isoformat() if hasattr(value, "isoformat") else value
        small = isinstance(value, int) and abs(value) < 2**31
        if isinstance(value, bool | float) or small:
            return value
        return self.text(value if isinstance(value, str) else self.encode(value))

    def text(self, text: str) -> str:
        clean = _FORBIDDEN.sub("\ufffd", text)
        if clean != text:
            self.found.append(text)
        return clean

    def warn(self) -> None:
        if self.found:
            warnings.warn(
                f"{self.path}: {len(self.found)} texts hold control characters that XML forbids, first in "
                f"{self.found[0]!r:.80}; each became U+FFFD. HIF and Parquet keep them.",
                RecordWarning,
                stacklevel=4,
            )
