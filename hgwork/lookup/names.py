"""The names of a hypergraph's nodes, prepared once to be searched: by text, by alias, by word and by vector.

A `Hypergraph` does not change, so what is prepared stays true: it is kept in a table of weak references beside it and
goes when it goes. Vectors are kept by embedder and by the names, so that two hypergraphs of equal names share them.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterable
from functools import cached_property
from itertools import chain
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from scipy import sparse

from .aliases import node_aliases
from .words import content, folded, tokens

__all__ = ["Names", "Places", "names_of"]

_PREPARED: WeakKeyDictionary = WeakKeyDictionary()
_VECTORS: OrderedDict[tuple[str, str], np.ndarray] = OrderedDict()
_MOST_VECTORS = 4
_MOST_FORMS = 200
_SAME, _WHOLE, _OWN = 0.97, 0.65, 0.35
_SPELLED, _INSIDE = 0.8, 4  # least similarity of spellings; least letters of a word found inside others


def names_of(H) -> Names:
    """The prepared names of a hypergraph."""
    if H not in _PREPARED:
        _PREPARED[H] = Names(H)
    return _PREPARED[H]


class Names:
    """Node names, and what they are found by.

    Attributes
    ----------
    names : list of str
    degrees : array of int, shape (n,)
    by_text : Places by folded name
    aliases : dict of folded alias to places
    by_words : Places by folded words, joined without blanks and hyphens
    """

    def __init__(self, H):
        self.names: list[str] = H.nodes.index.tolist()
        self.degrees = H.degrees.to_numpy()
        self.by_text = Places(map(folded, self.names))
        self.aliases = node_aliases(H, self.by_text)
        self._words = [" ".join(tokens(name)) for name in self.names]
        self.by_words = Places(words.replace(" ", "") for words in self._words)
        self.longest = max((words.count(" ") + 1 for words in self._words), default=0)

    @cached_property
    def place(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.names)}

    @cached_property
    def _lexicon(self) -> tuple[dict[str, int], np.ndarray, sparse.csc_array, np.ndarray]:
        """Vocabulary; idf by word; names x words; the sum of idf of each name."""
        words = [content(found.split(" ")) if found else [] for found in self._words]
        vocabulary: dict[str, int] = {}
        columns = [vocabulary.setdefault(word, len(vocabulary)) for word in chain.from_iterable(words)]
        rows = np.repeat(np.arange(len(words)), list(map(len, words)))
        shape = (len(words), max(len(vocabulary), 1))
        held = sparse.csc_array((np.ones(len(rows), np.float32), (rows, np.array(columns, int))), shape=shape)
        held.sum_duplicates()
        held.data[:] = 1
        counts = np.diff(held.indptr)
        idf = np.log1p((len(words) - counts + 0.5) / (counts + 0.5))
        return vocabulary, idf, held, held @ idf

    @cached_property
    def _joined_vocabulary(self) -> tuple[str, np.ndarray, list[str]]:
        """All words on lines of one text, where each begins, and as a list: what a word is inside of is found fast."""
        words = list(self._lexicon[0])
        starts = np.cumsum([0, *(len(word) + 1 for word in words)])
        return "\n".join(words), starts, words

    def lexical(self, words: list[str], most: int) -> tuple[np.ndarray, np.ndarray]:
        """Places of the names that share words with some, and their scores; see `hgwork.lookup.match`. So many of the
        best, of equal ones those of highest degree, then in table order."""
        _, idf, held, own = self._lexicon
        found, matched = np.zeros(len(self.names)), np.zeros(len(self.names))
        asked = 0.0
        for word in dict.fromkeys(content(words)):
            forms = self._forms(word)
            weight = max((idf[form] for form, _ in forms), default=np.log1p(2 * len(self.names)))
            asked += weight
            best, value = np.zeros(len(self.names)), np.zeros(len(self.names))
            for form, likeness in reversed(forms):  # the likest last, so that it stands
                at = held.indices[held.indptr[form] : held.indptr[form + 1]]
                best[at], value[at] = likeness, likeness * idf[form]
            found += weight * best
            matched += value
        places = np.flatnonzero(found)
        covered = found[places] / asked if asked else found[places]
        specific = np.minimum(matched[places] / own[places], 1)
        scores = (_SAME * covered * (_WHOLE + _OWN * specific)).round(6)
        if most < len(places):
            near = scores >= np.partition(scores, -most)[-most]
            places, scores = places[near], scores[near]
        order = np.lexsort((places, -self.degrees[places], -scores))[:most]
        return places[order], scores[order]

    def _forms(self, word: str) -> list[tuple[int, float]]:
        """Words of the vocabulary that a word may stand for and how like they are, the likest first."""
        vocabulary = self._lexicon[0]
        forms = {vocabulary[word]: 1.0} if word in vocabulary else self._spellings(word)
        if len(word) >= _INSIDE:
            for other in self._holding(word):
                forms.setdefault(vocabulary[other], len(word) / len(other))
        return sorted(forms.items(), key=lambda form: (-form[1], form[0]))[:_MOST_FORMS]

    @cached_property
    def _lengths(self) -> np.ndarray:
        return np.fromiter(map(len, self._lexicon[0]), int, len(self._lexicon[0]))

    def _holding(self, word: str) -> list[str]:
        text, starts, words = self._joined_vocabulary
        found, at = [], text.find(word)
        while at >= 0:
            row = int(np.searchsorted(starts, at, side="right")) - 1
            found.append(words[row])
            at = text.find(word, int(starts[row + 1]))
        return found

    def _spellings(self, word: str) -> dict[int, float]:
        """For a word that no name holds: words that differ by a few letters, and words inside it."""
        from rapidfuzz import fuzz, process

        vocabulary, words = self._lexicon[0], self._joined_vocabulary[2]
        if len(word) <= _INSIDE or len(word) > 60:
            return {}
        lengths = self._lengths
        able = np.flatnonzero(
            (lengths > _INSIDE) & (2 * np.minimum(lengths, len(word)) >= _SPELLED * (lengths + len(word)))
        )
        alike = process.cdist([word], [words[at] for at in able], scorer=fuzz.ratio, score_cutoff=100 * _SPELLED)
        forms = {int(able[at]): 0.999 * float(alike[0, at]) / 100 for at in np.flatnonzero(alike[0])}
        least = max(_INSIDE, (len(word) + 1) // 2)
        for start in range(len(word) - least + 1):
            for end in range(start + least, len(word) + 1):
                if (part := word[start:end]) in vocabulary:
                    forms.setdefault(vocabulary[part], (end - start) / len(word))
        return forms

    def vectors(self, embedder: Any, progress: bool) -> np.ndarray:
        """Unit vectors of all names, float32 (n, dim)."""
        key = (embedder.signature, self._digest)
        if key not in _VECTORS:
            _VECTORS[key] = np.ascontiguousarray(embedder.encode(self.names, progress=progress), np.float32)
            while len(_VECTORS) > _MOST_VECTORS:
                _VECTORS.popitem(last=False)
        _VECTORS.move_to_end(key)
        return _VECTORS[key]

    @cached_property
    def _digest(self) -> str:
        digest = hashlib.blake2b(digest_size=16)
        for name in self.names:
            digest.update(f"{len(name)}:{name}".encode("utf-8", "surrogatepass"))
        return digest.hexdigest()


class Places:
    """Key -> places of equal keys. Lists only for keys that repeat: as many lists as names would halve the speed."""

    def __init__(self, keys: Iterable[str]):
        self._first: dict[str, int] = {}
        self._more: dict[str, list[int]] = {}
        for place, key in enumerate(keys):
            first = self._first.setdefault(key, place)
            if first != place:
                self._more.setdefault(key, [first]).append(place)

    def get(self, key: str) -> list[int]:
        """Places in table order; none for an unknown key."""
        return self._more.get(key) or ([self._first[key]] if key in self._first else [])

    def __contains__(self, key: str) -> bool:
        return key in self._first
