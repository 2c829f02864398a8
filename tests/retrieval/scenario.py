"""Two small groups with horizons and phases, and an embedder that needs no model."""

import numpy as np

import hgwork as hg

ROWS = [  # edge, group, horizon, phase, relation, text, members
    ("a1", "ONE/Harbour", 48, "watch", "has_wind", "One blows at 40 mph.", ["ONE", "h48", "wind a"]),
    ("a2", "ONE/Harbour", 48, "act", "has_status", "Harbour stays open for One.", ["ONE", "Harbour", "h48"]),
    ("a3", "ONE/Harbour", 24, "watch", "has_wind", "One blows at 60 mph.", ["ONE", "h24", "wind b"]),
    ("a4", "ONE/Harbour", 24, "act", "has_status", "Harbour is restricted for One.", ["ONE", "Harbour", "h24"]),
    ("a5", "ONE/Harbour", 12, "watch", "has_wind", "One blows at 50 mph.", ["ONE", "h12", "wind c"]),
    ("a6", "ONE/Harbour", 12, "act", "has_status", "Harbour is closed for One.", ["ONE", "Harbour", "h12"]),
    ("b1", "TWO/Quay", 48, "watch", "has_wind", "Two blows at 30 mph.", ["TWO", "h48", "wind d"]),
    ("b2", "TWO/Quay", 24, "act", "has_status", "Quay is closed for Two.", ["TWO", "Quay", "h24"]),
]
KIND = {"ONE": "persistent", "TWO": "persistent", "Harbour": "persistent", "Quay": "persistent"}


def storms():
    names = ("group", "horizon", "phase", "relation", "text")
    edges = {row[0]: dict(zip(names, row[1:6], strict=True)) for row in ROWS}
    for edge, row in edges.items():
        row |= {"family": row["phase"], "chunk": f"{row['group']}#{row['horizon']}", "document": row["group"]}
        row |= {"start": 10 * int(edge[1]), "end": 10 * int(edge[1]) + len(row["text"]), "confidence": 0.9}
    members = {row[0]: row[6] for row in ROWS}
    nodes = {
        name: {"type": "anchor" if name[0] == "h" and name[1:].isdigit() else "thing",
               "kind": KIND.get(name, "anchor" if name[0] == "h" and name[1:].isdigit() else "transient")}
        for row in ROWS for name in row[6]
    }  # fmt: skip
    return hg.Hypergraph.from_dict(members, edges=edges, nodes=nodes)


class Words:
    """Unit vectors of word counts: texts that share words are near."""

    signature, dim = "words", 64

    def encode(self, texts, progress=False):
        vectors = np.zeros((len(texts), self.dim), np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().replace(".", " ").replace(",", " ").split():
                vectors[row, sum(map(ord, word)) % self.dim] += 1
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


class Uniform:
    """Transitions without a preference; directions by the number in the id."""

    def __init__(self):
        self.features = None

    def read(self, H):
        index = H.edges.index
        kinds = H.edges["relation"].to_numpy(object)
        self.features = type("F", (), {"ids": index, "kinds": kinds, "rows": lambda _, ids: index.get_indexer(ids)})()
        return self

    def log_prob(self, ids_i, ids_j, normalise=False):
        found = np.full((len(ids_i), len(ids_j)), -np.log(max(len(ids_j) - 1, 1)))
        found[np.array(list(ids_i))[:, None] == np.array(list(ids_j))[None, :]] = -np.inf
        return found

    def direction(self, ids_i, ids_j):
        return np.array([[int(j[1:]) - int(i[1:]) for j in ids_j] for i in ids_i], float)


def retriever(**options):
    H = storms()
    return hg.retrieval.Retriever(H, hg.order.precedence(H), embedder=Words(), **options)
