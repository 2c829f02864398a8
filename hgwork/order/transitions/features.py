"""Hyperedges as a model of transitions reads them: a text vector each, and a few named features with weights.

`EdgeFeatures` holds what does not depend on training. A `Vocabulary` is learnt on training groups alone: which kinds
of hyperedges, attributes and words there are, and the quantiles between which numbers are interpolated.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ...hypergraph import Hypergraph
from ...models.embedder import Embedder
from ...models.embedder import embedder as embedder_by_name
from .text import edge_texts
from .values import edge_kinds, edge_numbers, edge_words

__all__ = ["EdgeFeatures", "Vocabulary", "listed", "read_features"]

_KNOTS = 8
_FEWEST_UNITS = 3  # groups (or storms) that must use a word before it counts


@dataclass(frozen=True, eq=False)
class EdgeFeatures:
    """Hyperedges as read, in the order of ``H.edges``.

    Attributes
    ----------
    ids : Index, n hyperedges
    groups, units : object arrays, shape (n,)
        Knowledge group, and what is held out together (storm); None where unknown.
    kinds : object array, shape (n,)
        Relation and qualifiers (`edge_kinds`).
    vectors : float32 array, shape (n, dimension)
        Unit text vectors.
    numbers, words : DataFrame
        Parsed values (`edge_numbers`, `edge_words`).
    incidence : scipy CSR, shape (n, nodes), 0/1
    anchors : bool array, shape (nodes,)
        Nodes that were injected to mark a horizon.
    signature : str
        The embedder's.
    horizon_tokens : bool
    """

    ids: pd.Index
    groups: np.ndarray
    units: np.ndarray
    kinds: np.ndarray
    vectors: np.ndarray
    numbers: pd.DataFrame
    words: pd.DataFrame
    incidence: Any
    anchors: np.ndarray
    signature: str
    horizon_tokens: bool

    def rows(self, ids) -> np.ndarray:
        """Rows of hyperedges by id.

        Raises
        ------
        KeyError
            If one is unknown; the message says what to do.
        """
        ids = listed(ids)
        rows = self.ids.get_indexer(pd.Index(ids, dtype=object))
        if (rows < 0).any():
            first = ids[int(np.flatnonzero(rows < 0)[0])]
            raise KeyError(
                f"hyperedge {first!r} is not among the {len(self.ids)} that the model has read. "
                "For hyperedges of another hypergraph call model.read(H) first."
            )
        return rows

    def shared(self, rows: np.ndarray, with_anchors: bool = False) -> np.ndarray:
        """Whether hyperedges share a node; bool, (len(rows), len(rows)). Anchors count only if asked for."""
        part = self.incidence[rows]
        part = part if with_anchors else part[:, np.flatnonzero(~self.anchors)]
        return (part @ part.T).toarray() > 0


def listed(ids: Iterable[str]) -> list[str]:
    """Ids as a list; one text is refused, as its letters would be taken for ids."""
    if isinstance(ids, str):
        raise TypeError(f"{ids!r} is one hyperedge: give a list of them.")
    return list(ids)


def read_features(
    H: Hypergraph | EdgeFeatures,
    embedder: Embedder | str | None = None,
    *,
    horizon_tokens: bool = False,
    hold_out: str | None = None,
    progress: bool = False,
) -> EdgeFeatures:
    """Read the hyperedges of H once, for any number of models.

    Parameters
    ----------
    H : Hypergraph
        Hyperedges with `group`; `relation`, `text`, `attributes` where known.
    embedder : Embedder, name, optional
        Texts are embedded each once, and once for all runs where it has a cache.
    horizon_tokens : bool
        False strips all that tells the horizon (`edge_texts`); True keeps it, and reads `horizon` as a number.
    hold_out : str, optional
        Column that says what is held out together; by default `storm` where there is one, else `group`.
    progress : bool

    Raises
    ------
    ValueError
        If there is no column `group`, or none named `hold_out`, or a vector of the embedder is not finite.
    """
    if isinstance(H, EdgeFeatures):
        if H.horizon_tokens != horizon_tokens:
            raise ValueError(f"the features were read with horizon_tokens={H.horizon_tokens}: read them again.")
        return H
    edges = H.edges
    if "group" not in edges:
        raise ValueError(
            "the hyperedges have no column 'group': transitions are learnt within knowledge groups. Add a column "
            "'group' that names the scenario or document of each hyperedge."
        )
    if hold_out is not None and hold_out not in edges:
        raise ValueError(f"there is no column {hold_out!r} to hold out by; there are {', '.join(edges.columns)}.")
    column = hold_out or ("storm" if "storm" in edges else "group")
    groups, units = _plain(edges["group"]), _plain(edges[column])
    kinds = edge_kinds(H)
    numbers = edge_numbers(H, kinds, np.where(groups == None, "", groups), horizon_tokens)  # noqa: E711
    if horizon_tokens:
        numbers = pd.concat([numbers, _places(edges)], ignore_index=True)
    model = embedder_by_name(embedder or "minilm") if isinstance(embedder, str) or embedder is None else embedder
    vectors = np.asarray(model.encode(edge_texts(H, horizon_tokens).tolist(), progress=progress))
    if vectors.ndim != 2 or len(vectors) != len(edges):
        raise ValueError(
            f"the embedder {model.signature!r} gave vectors of shape {vectors.shape} for {len(edges)} texts. "
            "It must give one row a text."
        )
    if (bad := ~np.isfinite(vectors).all(axis=1)).any():
        raise ValueError(
            f"the embedder {model.signature!r} gave {int(bad.sum())} vectors that are not finite, the first for "
            f"hyperedge {edges.index[int(np.flatnonzero(bad)[0])]!r}. Correct the embedder, or the text."
        )
    words = edge_words(H, kinds, horizon_tokens)
    anchors = (H.nodes["kind"] == "anchor").to_numpy(bool) if "kind" in H.nodes else np.zeros(H.shape[1], bool)
    return EdgeFeatures(
        ids=edges.index,
        groups=groups,
        units=units,
        kinds=kinds.to_numpy(object),
        vectors=vectors,
        numbers=numbers,
        words=words,
        incidence=H.incidence,
        anchors=anchors,
        signature=model.signature,
        horizon_tokens=horizon_tokens,
    )


def _plain(column: pd.Series) -> np.ndarray:
    return np.array(
        [str(value) if known else None for value, known in zip(column, column.notna(), strict=True)], object
    )


def _places(edges: pd.DataFrame) -> pd.DataFrame:
    """Horizon (position) as numbers of one slot for all kinds; a change speaks of two."""
    found = []
    for name in ("horizon", "position", "to_horizon", "to_position"):
        if name in edges:
            value = pd.to_numeric(edges[name], errors="coerce").to_numpy(float, na_value=np.nan)
            rows = np.flatnonzero(np.isfinite(value))
            found.append(pd.DataFrame({"row": rows, "slot": name, "value": value[rows], "rank": 0.5}))
    return pd.concat(found, ignore_index=True) if found else pd.DataFrame(columns=["row", "slot", "value", "rank"])


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Kinds, attributes with their quantiles, and words that training groups hold.

    Attributes
    ----------
    kinds, words : tuple of str
    knots : dict
        Of each attribute its quantiles, increasing (up to 8).
    context : bool
        Whether a number also counts by its place in its group.
    """

    kinds: tuple[str, ...]
    words: tuple[str, ...]
    knots: dict[str, tuple[float, ...]]
    context: bool = True

    @classmethod
    def learn(cls, features: EdgeFeatures, rows: np.ndarray, context: bool = True, numeric: bool = True) -> Vocabulary:
        """From the hyperedges of the training groups alone."""
        kinds = tuple(sorted(set(features.kinds[rows].tolist())))
        if not numeric:
            return cls(kinds, (), {}, context)
        inside = np.zeros(len(features.ids), bool)
        inside[rows] = True
        words = features.words[inside[features.words["row"].to_numpy(np.int64)]]
        units = words.assign(unit=features.units[words["row"].to_numpy(np.int64)].astype(str))
        counts = units.drop_duplicates(["word", "unit"])["word"].value_counts()
        fewest = min(_FEWEST_UNITS, len(set(features.units[rows].astype(str))))
        numbers = features.numbers[inside[features.numbers["row"].to_numpy(np.int64)]]
        knots = {str(slot): _knots(str(slot), values) for slot, values in numbers.groupby("slot")["value"]}
        return cls(kinds, tuple(sorted(counts.index[counts >= fewest])), knots, context)

    def to_json(self) -> dict[str, Any]:
        return {"kinds": self.kinds, "words": self.words, "knots": self.knots, "context": self.context}

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> Vocabulary:
        knots = {slot: tuple(values) for slot, values in content["knots"].items()}
        if not all(isinstance(name, str) for name in [*content["kinds"], *content["words"]]):
            raise ValueError("a kind or a word of the vocabulary is no text")
        for slot, values in knots.items():
            if not values or not np.isfinite(values).all() or (np.diff(values) <= 0).any():
                raise ValueError(f"the knots of {slot!r} are not increasing numbers")
        return cls(tuple(content["kinds"]), tuple(content["words"]), knots, bool(content["context"]))

    @property
    def size(self) -> int:
        """Number of features; feature 0 stands for a kind that training did not hold."""
        ranks = 3 * len(self.knots) if self.context else 0
        return 1 + len(self.kinds) + sum(map(len, self.knots.values())) + ranks + len(self.words)

    def encode(self, features: EdgeFeatures) -> tuple[np.ndarray, np.ndarray]:
        """Active features of each hyperedge.

        Returns
        -------
        index : int array, shape (n, most active)
        weight : float32 array, same shape
            Zero where a row has fewer.
        """
        of_kind = {kind: 1 + place for place, kind in enumerate(self.kinds)}
        kind = np.array([of_kind.get(kind, 0) for kind in features.kinds.tolist()], np.int64)
        parts = [(np.arange(len(kind)), kind, np.ones(len(kind)))]
        offset = 1 + len(self.kinds)
        start, rank_start = {}, {}
        for slot, knots in self.knots.items():
            start[slot], offset = offset, offset + len(knots)
        for slot in self.knots if self.context else ():
            rank_start[slot], offset = offset, offset + 3
        numbers = features.numbers
        for slot, held in numbers.groupby("slot", sort=True):
            if slot in start:
                rows, value = held["row"].to_numpy(np.int64), held["value"].to_numpy(float)
                parts += _hats(rows, value, np.array(self.knots[str(slot)]), start[slot])
                if self.context:
                    parts += _hats(rows, held["rank"].to_numpy(float), np.array([0.0, 0.5, 1.0]), rank_start[slot])
        of_word = {word: offset + place for place, word in enumerate(self.words)}
        code = features.words["word"].map(of_word)
        rows = features.words["row"].to_numpy(np.int64)[code.notna().to_numpy()]
        parts.append((rows, code.dropna().to_numpy(np.int64), np.ones(len(rows))))
        return _padded(len(kind), parts)


def _knots(slot: str, values: pd.Series) -> tuple[float, ...]:
    if slot in ("horizon", "position", "to_horizon", "to_position"):
        return tuple(sorted(set(values.tolist()))[:64])
    return tuple(np.unique(np.quantile(values.to_numpy(float), np.linspace(0, 1, _KNOTS))).tolist())


def _hats(rows: np.ndarray, value: np.ndarray, knots: np.ndarray, start: int) -> list[tuple]:
    """Linear interpolation between knots: two features a number, weights summing to one; clipped at the ends."""
    if len(knots) == 1:
        return [(rows, np.full(len(rows), start), np.ones(len(rows)))]
    value = np.clip(value, knots[0], knots[-1])
    left = np.clip(np.searchsorted(knots, value, side="right") - 1, 0, len(knots) - 2)
    share = (value - knots[left]) / (knots[left + 1] - knots[left])
    return [(rows, start + left, 1 - share), (rows, start + left + 1, share)]


def _padded(count: int, parts: list[tuple]) -> tuple[np.ndarray, np.ndarray]:
    rows, codes, weights = (np.concatenate([part[i] for part in parts]) for i in range(3))
    kept = weights != 0
    rows, codes, weights = rows[kept], codes[kept], weights[kept]
    order = np.lexsort([codes, rows])
    rows, codes, weights = rows[order], codes[order], weights[order]
    starts = np.searchsorted(rows, np.arange(count))
    place = np.arange(len(rows)) - starts[rows]
    width = int(place.max()) + 1 if len(place) else 1
    index, weight = np.zeros((count, width), np.int64), np.zeros((count, width), np.float32)
    index[rows, place], weight[rows, place] = codes, weights
    return index, weight
