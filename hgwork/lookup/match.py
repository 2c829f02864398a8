"""From the words of a question to nodes of a hypergraph, with the runners-up in sight.

A question says "grass", the documents say "fescue grass". Whoever follows paths from the wrong node gets an answer
about something else, so every match comes with its score, the way it was found and what else it could have been.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from numbers import Real

import numpy as np
import pandas as pd

from .aliases import given_aliases
from .names import Names, names_of
from .spans import spans
from .words import folded, tokens

__all__ = ["METHODS", "match"]

METHODS = ("exact", "alias", "lexical", "embedding")
_EXACT, _CASE, _ALIAS, _SAME = 1.0, 0.99, 0.98, 0.97

Found = dict[int, tuple[float, str]]


def match(
    H,
    text: str | Sequence[str],
    *,
    threshold: float = 0.5,
    n: int = 5,
    aliases: Mapping[str, str | Sequence[str]] | None = None,
    embedder=None,
    methods: Sequence[str] = METHODS,
    progress: bool = True,
) -> pd.DataFrame:
    """Nodes that the words of a text may mean.

    Parameters
    ----------
    H : Hypergraph
        Its names are prepared at the first call and kept as long as it lives.
    text : str or sequence of str
        A question or phrase, whose names and noun phrases are looked up; or words that are looked up as they are.
    threshold : float in [-1, 1]
        A candidate that scores less is listed but never chosen.
    n : int, at least 1
        Candidates listed for each word.
    aliases : mapping of alias to node or nodes, optional
        Beside those that H knows: a column `aliases` of its nodes (lists, or text joined by "|"), and definitions
        "long form (SHORT)" in names and in the texts of hyperedges of which one form is a node. All but for case.
    embedder : Embedder, optional
        By default the packaged one.
    methods : sequence of {"exact", "alias", "lexical", "embedding"}
    progress : bool
        Show a bar while the vectors of names are computed: once for an embedder and a set of names, and only when a
        word is no name and no alias.

    Returns
    -------
    DataFrame
        `word` as it stands in the text, `node`, `score` in [-1, 1], `how` (a method), `rank` (1 is best), `chosen`
        (rank 1 and score at least the threshold). Words in the order of the text; candidates by score (to 6 digits),
        then in the order of `METHODS`, then by degree, highest first, then in table order. No row for a word without
        a candidate.

    Raises
    ------
    ValueError
        If the threshold is outside [-1, 1] or no number, n is below 1, a method is unknown or an alias points to no
        node.

    Notes
    -----
    - "exact": 1 if the name is the word, 0.99 if they differ in case, Unicode form or blanks. "alias": 0.98.
    - "lexical": 0.97 if the folded words are equal in order (plurals, accents, hyphens, Greek letters and their
      names: "β-TCP scaffolds" and "beta TCP scaffold"); else ``0.97 c (0.65 + 0.35 p)``. Of the words of the text, the
      share c stands in the name; of the words of the name, the share p stands in the text; each word weighs
      ``idf = ln(1 + (N − f + 0.5) / (f + 0.5))`` as in BM25, f of the N names holding it, stop words none. So a name
      that holds all the words scores at least 0.63, and more the less else it says. A word of four letters or more
      also stands in a longer one ("grass" in "cordgrass"), by the share of letters; one that no name holds also in
      those spelled like it (normalised indel similarity of at least 0.8) and those inside it.
    - "embedding": cosine of the vectors of word and name, for words without a score of 0.97 or more.

    A node that is found in two ways has the higher score. Scores of different methods are not calibrated against each
    other; the first three are labels of how sure a method is.

    A question names concepts, and asks something of them. Stop words, bare numbers and words of questions
    ("mechanism", "relation", "effect") are not looked up; words of questions are, by name exactly, if the text names
    nothing else. The parser and its stop words are English. In other languages names and aliases are found as they
    are, and what is left word by word.

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> H = Hypergraph.from_dict({"a": ["fescue grass", "PCL"], "b": ["PCL", "glass"]})
    >>> found = match(H, "How does grass relate to pcl?", methods=["exact", "lexical"])
    >>> found[["word", "node", "how", "chosen"]].values.tolist()
    [['grass', 'fescue grass', 'lexical', True], ['pcl', 'PCL', 'exact', True]]
    """
    methods = _checked(threshold, n, methods)
    names = names_of(H)
    given = given_aliases(aliases or {}, names.place)
    known = {**names.aliases, **{a: list(dict.fromkeys(p + names.aliases.get(a, []))) for a, p in given.items()}}
    known = known if "alias" in methods else {}
    words = spans(text, names, known) if isinstance(text, str) else _texts(text)
    found = [_candidates(word, names, known, methods, n) for word in words]
    if "embedding" in methods and names.names:
        _embed(words, found, names, n, embedder, progress)
    rows = [row for word, candidates in zip(words, found, strict=True) for row in _ranked(word, candidates, names, n)]
    table = pd.DataFrame(rows, columns=["word", "node", "score", "how", "rank"])
    table = table.astype({"word": object, "node": object, "score": float, "how": object, "rank": int})
    return table.assign(chosen=(table["rank"] == 1) & (table["score"] >= threshold))


def _checked(threshold: float, n: int, methods: Sequence[str]) -> list[str]:
    if not isinstance(threshold, Real) or not -1 <= threshold <= 1:
        raise ValueError(
            f"threshold={threshold!r}: scores are cosines and shares, so that a threshold lies in [-1, 1]; one above "
            "would choose nothing, whatever its score. Give a number in [-1, 1]."
        )
    if n < 1:
        raise ValueError(f"n={n}: list at least 1 candidate.")
    methods = [methods] if isinstance(methods, str) else list(methods)
    if unknown := [method for method in methods if method not in METHODS]:
        raise ValueError(f"methods: {unknown[0]!r} is unknown. Choose of {', '.join(METHODS)}.")
    return methods


def _texts(words: Sequence[str]) -> list[str]:
    words = list(words)
    for place, word in enumerate(words):
        if not isinstance(word, str):
            raise ValueError(f"text: item {place} is {type(word).__name__}, not str. Give words, or one text.")
    return list(dict.fromkeys(word for word in words if word.strip()))


def _candidates(word: str, names: Names, aliases: Mapping[str, list[int]], methods: Sequence[str], n: int) -> Found:
    found: Found = {}
    key, parts = folded(word), tokens(word)
    if "exact" in methods:
        for place in names.by_text.get(key):
            found[place] = (_EXACT if names.names[place] == word else _CASE, "exact")
    if "alias" in methods:
        for place in aliases.get(key, []):
            found.setdefault(place, (_ALIAS, "alias"))
    if "lexical" in methods and parts:
        for place in names.by_words.get("".join(parts)):
            found.setdefault(place, (_SAME, "lexical"))
        places, scores = names.lexical(parts, n + len(found))
        for place, score in zip(places.tolist(), scores.tolist(), strict=True):
            found.setdefault(place, (score, "lexical"))
    return found


def _embed(words: list[str], found: list[Found], names: Names, n: int, embedder, progress: bool) -> None:
    """Add the nearest names to the candidates of each word that is still open."""
    still = [at for at, candidates in enumerate(found) if max((s for s, _ in candidates.values()), default=-1) < _SAME]
    if not still:
        return
    embedder = _default() if embedder is None else embedder
    vectors = names.vectors(embedder, progress)
    asked = np.asarray(embedder.encode([words[at] for at in still]), np.float32)
    for at, vector in zip(still, asked, strict=True):
        cosines = np.clip(vectors @ vector, -1, 1).round(6)
        least = np.partition(cosines, -n)[-n] if n < len(cosines) else -1.0
        for place in np.flatnonzero(cosines >= least).tolist():  # with all that tie
            if place not in found[at] or cosines[place] > found[at][place][0]:
                found[at][place] = (float(cosines[place]), "embedding")


@lru_cache(maxsize=1)
def _default():
    from ..models import embedder

    return embedder()


def _ranked(word: str, candidates: Found, names: Names, n: int) -> list[tuple]:
    places = np.fromiter(candidates, int, len(candidates))
    scores = np.fromiter((score for score, _ in candidates.values()), float, len(candidates))
    kinds = np.fromiter((METHODS.index(how) for _, how in candidates.values()), int, len(candidates))
    order = np.lexsort((places, -names.degrees[places], kinds, -scores))[:n]
    return [
        (word, names.names[places[at]], float(scores[at]), METHODS[kinds[at]], rank) for rank, at in enumerate(order, 1)
    ]
