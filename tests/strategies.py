"""Random hypergraphs with everything in them that has ever broken a reader."""

import pandas as pd
from hypothesis import strategies as st

from hgwork import Hypergraph

__all__ = ["hypergraphs", "names"]

_NASTY = [
    *("", " ", "a", "A", "1", "01", "NA", "nan", "None", "edge", "node", "a_chunkff_0"),
    *("a,b", 'say "so"', "two\nlines", "tab\tbed", "cr\rlf\r\n", "<&>"),
    *("日本語", "é", "e\u0301", "🧬", "\x01", "\x1f", "\x85", "\u2028", "\ufeff"),
]
names = st.sampled_from(_NASTY) | st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=6)

_integers = st.integers(-(2**62), 2**62)
_floats = st.floats(allow_nan=False, allow_infinity=False)
_scalars = st.none() | st.booleans() | _integers | _floats | names | st.just("\0")
_values = st.recursive(
    _scalars, lambda x: st.lists(x, max_size=3) | st.dictionaries(names, x, max_size=2), max_leaves=4
)
_KINDS = (names, _integers, _floats, st.booleans(), _values)
_COLUMNS = ["type", "relation", "weight", "confidence", "start", "label", "attributes", "attrs.edge", "clé\t1"]


@st.composite
def _tables(draw, index: list[str], columns=_COLUMNS):
    """An attribute table: each column of one kind, or of a mixture, with gaps."""
    table = pd.DataFrame(index=pd.Index(index, dtype=object))
    for column in draw(st.lists(st.sampled_from(columns), unique=True, max_size=3)):
        kind = draw(st.sampled_from(_KINDS))
        cells = draw(st.lists(kind | st.none(), min_size=len(index), max_size=len(index)))
        table[column] = pd.Series(cells, index=table.index, dtype=object)
    return table.infer_objects() if draw(st.booleans()) else table


@st.composite
def hypergraphs(draw, max_nodes: int = 6, max_edges: int = 6, attributes: bool = True):
    """Empty, one node, singletons, duplicate and empty hyperedges, isolated nodes, roles, weights, attributes."""
    node_names = draw(st.lists(names, unique=True, max_size=max_nodes))
    edge_names = draw(st.lists(names, unique=True, max_size=max_edges))
    groups = []
    for _ in edge_names:
        twin = groups and draw(st.integers(0, 3)) == 0
        groups.append(
            groups[-1] if twin else draw(st.lists(st.sampled_from(node_names), unique=True)) if node_names else []
        )
    rows = [(edge, node) for edge, group in zip(edge_names, groups, strict=True) for node in group]
    frame = pd.DataFrame(rows, columns=["edge", "node"], dtype=object)
    if rows and draw(st.booleans()):
        roles = st.sampled_from(["source", "target"] if draw(st.booleans()) else ["source", "target", "member"])
        frame["role"] = draw(st.lists(roles, min_size=len(rows), max_size=len(rows)))
        if draw(st.booleans()):  # the same node on both sides
            other = {"source": "target", "target": "source", "member": "source"}
            frame = pd.concat([frame, frame.iloc[:1].replace({"role": other})], ignore_index=True)
    count = len(frame)
    if rows and draw(st.booleans()):
        weights = st.integers(1, 3) | st.floats(0.001, 1e6) | st.just(-2.5)
        frame["weight"] = draw(st.lists(weights, min_size=count, max_size=count))
    if not attributes:
        return Hypergraph.from_frame(frame, edges=pd.DataFrame(index=edge_names), nodes=pd.DataFrame(index=node_names))
    extra = draw(_tables([str(i) for i in range(count)], columns=["note", "attrs.role", "type"]))
    frame = frame.join(extra.reset_index(drop=True))
    return Hypergraph.from_frame(frame, edges=draw(_tables(edge_names)), nodes=draw(_tables(node_names)))
