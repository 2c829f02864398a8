"""What a question is about: its noun phrases, without names of groups and without words that only ask.

"By how much did the forward speed change from the first to the last report on ALEX?" is about forward speed. Its other
words say whose, and what to do with the evidence once it is there; they draw a sentence vector away from what is
needed.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from ..lookup.words import GENERIC, STOP, tokens

__all__ = ["ASKING", "topics"]

_split = str.split

ASKING = GENERIC | frozenset(
    _split("""
    beginning begin course difference distinct end first high highest last least less long longest low lowest many more
    most much next number peak previous range reason replace report row same spell start step time value
    """)
)
"""Words that say which of several statements is meant, or what to do with them; they are about nothing."""

_CONTENT = frozenset(["NOUN", "PROPN", "ADJ", "NUM"])
_JOINING = frozenset(["of", "in", "for", "from", "to", "the", "a", "an", "-", "–"])


@lru_cache(maxsize=50_000)
def _phrases(text: str, dropped: frozenset[str]) -> tuple[str, ...]:
    from ..models.parser import parse

    runs: list[list] = []
    run: list = []
    joins: list = []
    for token in next(parse([text])):
        words = tokens(token.text)
        word = words[0] if words else ""
        empty = word in ASKING or word in dropped or word in STOP or token.lower_ in STOP
        if words and token.pos_ in _CONTENT and not empty:
            run += [*joins, token]
            joins = []
        elif run and token.lower_ in _JOINING:
            joins.append(token)
        else:
            runs.append(run)
            run, joins = [], []
    runs.append(run)
    kept = [run for run in runs if any(token.pos_ in ("NOUN", "PROPN") for token in run)]
    found = (text[run[0].idx : run[-1].idx + len(run[-1].text)] for run in kept)
    return tuple(dict.fromkeys(found))


def topics(question: str, names: Iterable[str] = ()) -> tuple[str, ...]:
    """The phrases that a question is about, in its order, as they stand there.

    Parameters
    ----------
    question : str
        English, for the parser; of another language often nothing is found.
    names : iterable of str
        Names of what the question is about as a whole, such as "ALEX" and "Canaveral": no topics.

    Returns
    -------
    tuple of str
        () where nothing is left: the question as a whole is then the topic.

    Examples
    --------
    >>> topics("By how much did the forward speed change from the first to the last report on ALEX?", ["ALEX"])
    ('forward speed',)
    >>> topics("Did the outlook for surge change before the first warning?")
    ('outlook for surge', 'warning')
    """
    return _phrases(" ".join(question.split()), frozenset(word for name in names for word in tokens(name)))
