"""Relevance by what kind of statement a hyperedge is, not by how its sentence happens to be worded.

Reports on one thing say the same kinds of things again and again in changing words: the cosine with a query then picks
the report whose wording is nearest, and misses the others. Here a query is compared with each kind (relation and
qualifiers) as a whole, by the mean cosine of its hyperedges and by the words that they use; single hyperedges of a kind
differ by their own cosine alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from ..hypergraph import Hypergraph
from ..lookup.words import GENERIC, STOP, tokens
from ..order.transitions.values import edge_kinds
from .retriever import Retriever
from .topics import topics

__all__ = ["KindRetriever"]

_RARE = 0.02  # a word in fewer of a kind's hyperedges is no word of that kind


class KindRetriever(Retriever):
    """A `Retriever` that looks for kinds of statements in the groups that a query names.

    Parameters
    ----------
    H, precedence, transitions, embedder, **options
        As of `Retriever`.
    share : float in [0, 1]
        What the kind counts; the rest is the cosine of the hyperedge itself.
    words : float, at least 0
        What words count beside cosines in comparing kinds, both standardised over kinds.
    own : float, at least 0
        Added for hyperedges of the groups that the query names.
    by_topic : bool
        Compare kinds with each noun phrase of the query (`topics`) instead of the query as a whole; a kind scores what
        the best of them gives it.

    Raises
    ------
    ValueError
        If a number is out of range.

    Notes
    -----
    ``share · K(kind) + (1 − share) · cos + own · [group named]``, with K between 0 (worst kind) and 1 (best):
    ``z(mean cosine) + words · z(Σ idf · min(1, 2 · share of the kind's hyperedges that hold the word))``, standardised
    again, the largest over topics, rescaled. Without a column `relation`, or for a query given as a vector, this is
    the cosine.

    Examples
    --------
    >>> import hgwork as hg
    >>> edges = {"a": {"relation": "rains", "text": "It pours."}, "b": {"relation": "rains", "text": "Rain falls."},
    ...          "c": {"relation": "blows", "text": "Wind rises."}}
    >>> H = hg.Hypergraph.from_dict({"a": ["x"], "b": ["x"], "c": ["x"]}, edges=edges)
    >>> retriever = KindRetriever(H)
    >>> retriever.kind_scores("Did rain fall on Monday?").tolist()  # blows, rains
    [0.0, 1.0]
    """

    def __init__(
        self,
        H: Hypergraph,
        precedence: Any = None,
        transitions: Any = None,
        embedder: Any = None,
        *,
        share: float = 0.8,
        words: float = 1.0,
        own: float = 0.5,
        by_topic: bool = True,
        **options: Any,
    ):
        if not 0 <= share <= 1 or not words >= 0 or not own >= 0:
            raise ValueError(f"share={share}, words={words}, own={own}: give 0 to 1, at least 0, at least 0.")
        super().__init__(H, precedence, transitions, embedder, **options)
        self.share, self.words, self.own, self.by_topic = share, words, own, by_topic
        names = edge_kinds(H).to_numpy(str) if "relation" in H.edges else np.zeros(len(self.ids), str)
        self.kinds, self._kind = np.unique(names, return_inverse=True)
        ones = np.ones(len(self._kind))
        held = sp.csr_array((ones, (self._kind, np.arange(len(ones)))), shape=(len(self.kinds), len(ones)))
        self._count = np.maximum(np.asarray(held.sum(axis=1)).ravel(), 1)
        self._mean = (held @ self.vectors) / self._count[:, None]
        self._word, self._weight = _word_weights(H, held, self._count)

    def relevance(self, query: str | np.ndarray) -> np.ndarray:
        cosine = super().relevance(query)
        if not isinstance(query, str) or len(self.kinds) < 2:
            return cosine
        score = self.kind_scores(query)
        found = self.share * score[self._kind] + (1 - self.share) * cosine
        for name in self.named(query):
            found[self._rows_of[name]] += self.own
        return found.astype(np.float32)

    def kind_scores(self, query: str) -> np.ndarray:
        """How well each of `kinds` fits a query, from 0 (worst) to 1 (best)."""
        names = [part for group in self.named(query) for part in group.split("/")]
        parts = (topics(query, names) if self.by_topic else ()) or (query,)
        vectors = self.encode(parts)
        total = np.max([self._fit(part, vector) for part, vector in zip(parts, vectors, strict=True)], axis=0)
        width = total.max() - total.min()
        return (total - total.min()) / width if width > 0 else np.zeros(len(total))

    def _fit(self, text: str, vector: np.ndarray) -> np.ndarray:
        columns = [self._word[word] for word in dict.fromkeys(tokens(text)) if word in self._word]
        lexical = np.asarray(self._weight[:, columns].sum(axis=1)).ravel() if columns else np.zeros(len(self.kinds))
        return _standard(_standard(self._mean @ vector) + self.words * _standard(lexical))


def _standard(values: np.ndarray) -> np.ndarray:
    spread = values.std()
    return (values - values.mean()) / spread if spread > 1e-12 else np.zeros(len(values))


def _word_weights(H: Hypergraph, held: sp.csr_array, count: np.ndarray) -> tuple[dict[str, int], sp.csc_array]:
    """Words that tell kinds apart, and their weight in each kind; names of groups and joining words are none."""
    groups = H.edges["group"].dropna().unique() if "group" in H.edges else []
    passed = {word for group in groups for word in tokens(str(group))} | STOP | GENERIC
    texts = H.edges["text"] if "text" in H.edges else [""] * len(H.edges)
    place: dict[str, int] = {}
    rows, columns = [], []
    for row, text in enumerate(texts):
        for word in set(tokens(text)) - passed if isinstance(text, str) else ():
            rows.append(row)
            columns.append(place.setdefault(word, len(place)))
    shape = (held.shape[1], len(place))
    share = (held @ sp.csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)).toarray() / count[:, None]
    frequent = (share > _RARE).sum(axis=0)
    inverse = np.where(frequent > 0, np.log1p(len(count) / np.maximum(frequent, 1)), 0.0)
    return place, sp.csc_array(np.minimum(1, 2 * share) * (share > _RARE) * inverse)
