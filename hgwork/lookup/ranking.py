"""Passages ranked for a query: by words (BM25), by meaning (vectors), or by both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

import numpy as np
import pandas as pd

from .words import terms

__all__ = ["Ranker", "fuse", "rank"]

Method = Literal["bm25", "dense", "fused"]
_METHODS = ("bm25", "dense", "fused")


def rank(query: str, passages, method: Method = "bm25", k: int | None = None, **options) -> pd.DataFrame:
    """Passages in the order in which they answer a query; see `Ranker` to ask more than once.

    Examples
    --------
    >>> found = rank("how do lipases cut PCL", {"p1": "Silk is spun.", "p2": "Lipases cut PCL films."})
    >>> found["id"].tolist(), found["score"].round(3).tolist()
    (['p2', 'p1'], [0.832, 0.0])
    """
    return Ranker(passages, **options).rank(query, method, k)


class Ranker:
    """Passages prepared to be ranked for many queries.

    Parameters
    ----------
    passages : mapping of id to text, Series, or DataFrame with columns `id` and `text`
    k1, b : float
        Of BM25: how soon repetition saturates, how much length counts.
    constant : float, at least 0
        Of reciprocal rank fusion (k in [2]_): the larger, the less the first ranks stand out.
    embedder : Embedder, optional
        By default the packaged one; loaded when vectors are first needed. Its cache, if it has one, keeps them.
    progress : bool
        Show a bar while passages are embedded.

    Raises
    ------
    TypeError
        If the passages are none of the three.
    ValueError
        If an id stands twice, a text is no text or a setting is out of range.

    Notes
    -----
    BM25, exact Lucene variant [1]_, by bm25s: ``Σ_t ln(1 + (N − n_t + 0.5) / (n_t + 0.5)) · f / (f + k1 (1 − b + b ·
    length / mean))`` over the distinct words t of the query; n_t of N passages hold t, f times in this one; lengths
    in words. Words are folded (case, accents, plurals) and English stop words left out; of scripts without blanks,
    single characters and pairs of neighbours are the words. Dense: cosine of all vectors, exactly, to 6 digits.
    Fused: ``Σ 1 / (constant + rank)`` over the two rankings, ranks from 1; a passage without a word of the query has
    no BM25 rank [2]_.

    References
    ----------
    .. [1] Kamphuis, de Vries, Boytsov, Lin, Which BM25 do you mean?, ECIR (2020).
    .. [2] Cormack, Clarke, Buettcher, Reciprocal rank fusion, SIGIR (2009).
    """

    def __init__(
        self,
        passages,
        k1: float = 1.2,
        b: float = 0.75,
        constant: float = 60,
        embedder=None,
        progress: bool = True,
    ):
        if not k1 >= 0 or not 0 <= b <= 1 or not constant >= 0:
            raise ValueError(f"k1={k1}, b={b}, constant={constant}: k1 and constant are at least 0, b lies in [0, 1].")
        held = _passages(passages)
        self.ids, self.texts = held.index.to_numpy(dtype=object), held.to_list()
        self.k1, self.b, self.constant = k1, b, constant
        self._embedder, self._progress = embedder, progress

    def rank(self, query: str, method: Method = "bm25", k: int | None = None) -> pd.DataFrame:
        """Passages by score, the best first.

        Parameters
        ----------
        query : str
        method : {"bm25", "dense", "fused"}
        k : int, optional
            Rows of the answer; by default all passages.

        Returns
        -------
        DataFrame
            `id`, `score`; with "fused" also the scores `bm25` and `dense`. Equal scores by id as text.

        Raises
        ------
        ValueError
            If the method is unknown or k is below 1.
        """
        if method not in _METHODS:
            raise ValueError(f"method={method!r} is unknown. Use one of {', '.join(_METHODS)}.")
        if k is not None and k < 1:
            raise ValueError(f"k={k}: ask for at least 1 passage.")
        parts = {name: self.scores(query, name) for name in ("bm25", "dense") if method in (name, "fused")}
        score = parts[method] if method != "fused" else self._fused(**parts)
        table = pd.DataFrame({"id": self.ids, "score": score} | (parts if method == "fused" else {}))
        order = self._order(score)
        return table.iloc[order[:k]].reset_index(drop=True)

    def scores(self, query: str, method: Literal["bm25", "dense"]) -> np.ndarray:
        """Scores of all passages, float64 (n,), in the order of `ids`."""
        if method == "dense":
            if not len(self.ids):
                return np.zeros(0)
            return np.round(np.clip(self._vectors @ self._model.encode([query])[0], -1, 1).astype(float), 6)
        words = [word for word in dict.fromkeys(terms(query)) if word in self._vocabulary]
        if not words:
            return np.zeros(len(self.ids))
        return np.asarray(self._bm25.get_scores(words), float)

    def _order(self, score: np.ndarray) -> np.ndarray:
        return np.lexsort((self._text_rank, -score))

    def _fused(self, bm25: np.ndarray, dense: np.ndarray) -> np.ndarray:
        words = np.where(bm25 > 0, self._places(bm25), np.inf)
        return fuse([words, self._places(dense)], self.constant)

    def _places(self, score: np.ndarray) -> np.ndarray:
        """Rank of each passage, 1 the best."""
        places = np.empty(len(score))
        places[self._order(score)] = np.arange(1, len(score) + 1)
        return places

    @cached_property
    def _text_rank(self) -> np.ndarray:
        order = sorted(range(len(self.ids)), key=lambda i: str(self.ids[i]))
        places = np.empty(len(order), int)
        places[order] = np.arange(len(order))
        return places

    @cached_property
    def _words(self) -> list[list[str]]:
        return [terms(text) for text in self.texts]

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        return frozenset(word for words in self._words for word in words)

    @cached_property
    def _bm25(self) -> Any:
        import bm25s

        index = bm25s.BM25(method="lucene", k1=self.k1, b=self.b, dtype="float64")
        index.index(self._words, create_empty_token=False, show_progress=False)
        return index

    @cached_property
    def _model(self) -> Any:
        from ..models import embedder

        return embedder() if self._embedder is None else self._embedder

    @cached_property
    def _vectors(self) -> np.ndarray:
        return self._model.encode(self.texts, progress=self._progress)


def fuse(ranks: Sequence[np.ndarray], constant: float = 60) -> np.ndarray:
    """Reciprocal rank fusion: ``Σ 1 / (constant + rank)``; an infinite rank adds nothing.

    Examples
    --------
    >>> fuse([np.array([1, 2]), np.array([1, np.inf])]).round(4).tolist()
    [0.0328, 0.0161]
    """
    return np.sum([1 / (constant + np.asarray(rank, float)) for rank in ranks], axis=0)


def _passages(given) -> pd.Series:
    if isinstance(given, pd.DataFrame):
        if missing := {"id", "text"} - set(given.columns):
            raise ValueError(f"the passages have no column {', '.join(sorted(missing))}: `id` and `text` are needed.")
        held = pd.Series(given["text"].to_list(), pd.Index(given["id"], dtype=object), dtype=object)
    elif isinstance(given, (Mapping, pd.Series)):
        held = pd.Series(dict(given) if isinstance(given, Mapping) else given, dtype=object)
    else:
        raise TypeError(f"passages are {type(given).__name__}: pass a mapping of id to text, a Series or a DataFrame.")
    if twice := held.index[held.index.duplicated()].tolist():
        raise ValueError(f"passage {twice[0]!r} stands twice: give each an id of its own.")
    if bad := [key for key, text in held.items() if not isinstance(text, str)]:
        raise ValueError(f"passage {bad[0]!r} holds {type(held[bad[0]]).__name__}, not text. Leave it out or write ''.")
    return held
