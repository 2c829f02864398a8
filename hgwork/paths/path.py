"""A path with all that is known along it: sentences, evidence, documents, and which nodes link its hyperedges."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any

import pandas as pd

if TYPE_CHECKING:
    from ..hypergraph import Hypergraph

__all__ = ["Path", "as_path", "paths_table", "subhypergraph"]

_ALWAYS, _WHERE_KNOWN = ("relation", "text", "document", "chunk"), ("start", "end", "date", "doi", "confidence")
_COLUMNS = ["step", "edge", "relation", "sentence", "text", "document", "chunk"]
_LAST = ["members", "shared_with_next", "enters", "leaves"]


@dataclass(frozen=True)
class Path:
    """A sequence of hyperedges, each sharing nodes with the next.

    Attributes
    ----------
    edges : tuple of str
        Hyperedge ids.
    shared : tuple of tuple of str
        Nodes that each hyperedge shares with the next, in table order: one entry fewer than `edges`.
    members : tuple of tuple of str
        Nodes of each hyperedge, in table order.
    source, target : str
        The nodes it leads from and to (of several asked for, the first that its first or last hyperedge holds).
    cost : int or float
        Hyperedges; where hubs are priced, 1 and what each step costs.

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> from hgwork.paths import hyperpaths
    >>> H = Hypergraph.from_dict({"a": ["grass", "methanol"], "b": ["methanol", "PCL"]})
    >>> path = hyperpaths(H, "grass", "PCL")[0]
    >>> path.edges, path.shared, path.cost
    (('a', 'b'), (('methanol',),), 2)
    """

    edges: tuple[str, ...]
    shared: tuple[tuple[str, ...], ...]
    members: tuple[tuple[str, ...], ...]
    source: str
    target: str
    cost: float
    hypergraph: Hypergraph = field(repr=False, compare=False)

    def __len__(self) -> int:
        """Hyperedges in the path."""
        return len(self.edges)

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """``source – relation – target`` of each hyperedge; `evidence` holds the text that states it."""
        return tuple(self.hypergraph.sentences(self.edges))

    @property
    def evidence(self) -> tuple[str, ...]:
        """The evidence text of each hyperedge, "" where none is known."""
        return tuple("" if value is None else str(value) for value in self._known["text"])

    @property
    def documents(self) -> tuple[str, ...]:
        """Documents that state the hyperedges, each once, in the order of the path."""
        return tuple(dict.fromkeys(str(value) for value in self._known["document"] if value is not None))

    @cached_property
    def _known(self) -> pd.DataFrame:
        """What the table of hyperedges says of them; None where it says nothing."""
        edges = self.hypergraph._edges
        present = [name for name in _WHERE_KNOWN if name in edges]
        part = edges.iloc[edges.index.get_indexer(pd.Index(self.edges, dtype=object))]
        part = part.reindex(columns=[*_ALWAYS, *present]).astype(object)
        return part.where(part.notna(), None).reset_index(drop=True)

    @property
    def table(self) -> pd.DataFrame:
        """One row a hyperedge.

        `step` from 1, `edge`, `relation`, `sentence`, `text` (the evidence), `document`, `chunk`; `start`, `end`
        (place of the evidence in its document), `date`, `doi`, `confidence` where the hypergraph has them; `members`,
        `shared_with_next`, and the nodes by which the path `enters` and `leaves`, as tuples of names.
        """
        known = self._known
        return known.assign(
            step=range(1, len(self) + 1),
            edge=list(self.edges),
            sentence=list(self.sentences),
            members=pd.Series(list(self.members), dtype=object),
            shared_with_next=pd.Series([*self.shared, ()], dtype=object),
            enters=pd.Series([(self.source,), *self.shared], dtype=object),
            leaves=pd.Series([*self.shared, (self.target,)], dtype=object),
        )[_COLUMNS + [name for name in known if name not in _ALWAYS] + _LAST]

    def to_dict(self) -> dict[str, Any]:
        """All of it as lists, texts and numbers, ready for JSON."""
        return {
            "source": self.source,
            "target": self.target,
            "cost": self.cost,
            "edges": list(self.edges),
            "shared": [list(names) for names in self.shared],
            "members": [list(names) for names in self.members],
            "sentences": list(self.sentences),
            "evidence": list(self.evidence),
            "documents": list(self.documents),
        }

    def _repr_html_(self) -> str:
        rows = []
        for i, (edge, sentence, text) in enumerate(zip(self.edges, self.sentences, self.evidence, strict=True)):
            document = self._known["document"][i]
            note = " · ".join(escape(str(part)) for part in (edge, document) if part is not None)
            quote = f"<div style='opacity:.75'>“{escape(text)}”</div>" if text else ""
            rows.append(f"<li>{escape(sentence)} <small style='opacity:.6'>{note}</small>{quote}</li>")
            if i < len(self.shared):
                names = ", ".join(f"<b>{escape(name)}</b>" for name in self.shared[i])
                rows.append(f"<div style='color:#0072B2;margin:2px 0'>↓ {names}</div>")
        return (
            "<div style='font-family:sans-serif;font-size:13px;max-width:760px'>"
            f"<div><b>{escape(self.source)}</b> → <b>{escape(self.target)}</b> "
            f"<span style='opacity:.6'>{len(self)} hyperedges, cost {self.cost:g}</span></div>"
            f"<ol style='margin:6px 0 0 0;padding-left:22px'>{''.join(rows)}</ol></div>"
        )


def as_path(H, rows, shared, source: int, target: int, cost: float) -> Path:
    """A `Path` from places of hyperedges and nodes."""
    names, matrix = H._nodes.index, H.incidence
    text = lambda places: tuple(names[sorted(places)].tolist())  # noqa: E731
    members = (text(matrix.indices[matrix.indptr[row] : matrix.indptr[row + 1]]) for row in rows)
    edges = tuple(H._edges.index[rows].tolist())
    return Path(edges, tuple(map(text, shared)), tuple(members), names[source], names[target], cost, H)


def paths_table(paths: Iterable[Path]) -> pd.DataFrame:
    """The tables of several paths, one under the other.

    Returns
    -------
    DataFrame
        `path` (from 1), `source`, `target`, `cost`, then the columns of `Path.table`. Without paths, no rows.

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> from hgwork.paths import hyperpaths
    >>> H = Hypergraph.from_dict({"a": "xy", "b": "yz", "c": "yz"})
    >>> paths_table(hyperpaths(H, "x", "z", k=2))[["path", "step", "edge"]].values.tolist()
    [[1, 1, 'a'], [1, 2, 'b'], [2, 1, 'a'], [2, 2, 'c']]
    """
    tables = []
    for number, path in enumerate(paths, 1):
        table = path.table
        for place, (name, value) in enumerate(
            {"path": number, "source": path.source, "target": path.target, "cost": path.cost}.items()
        ):
            table.insert(place, name, value)
        tables.append(table)
    if not tables:
        return pd.DataFrame(columns=["path", "source", "target", "cost", *_COLUMNS, *_LAST])
    joined = pd.concat(tables, ignore_index=True)
    return joined[[name for name in joined if name not in _LAST] + _LAST]


def subhypergraph(H, paths: Iterable[Path]) -> Hypergraph:
    """The sub-hypergraph of all hyperedges that stand in some path, with their members [1]_.

    References
    ----------
    .. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, section 4.4.

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> from hgwork.paths import hyperpaths
    >>> H = Hypergraph.from_dict({"a": "xy", "b": "yz", "c": "w"})
    >>> subhypergraph(H, hyperpaths(H, "x", "z"))
    Hypergraph(3 nodes, 2 hyperedges, 4 incidences)
    """
    return H.subgraph(edges=list(dict.fromkeys(edge for path in paths for edge in path.edges)))
