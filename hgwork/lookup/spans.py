"""Which words of a text name something: names of nodes first, then the noun phrases that are left.

What is left between the names is read with the parser if the text has English stop words, so that verbs and adverbs
are not looked up; another text is split where its punctuation, its names and its stop words stand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise

from .names import Names
from .words import GENERIC, STOP, folded, located, names_something

__all__ = ["spans"]

_LONGEST = 12
_MOST_PARSED = 20_000
_FEW = 4
_BREAK = re.compile(r"[^\s\-‐‑–/'’\"“”()\[\]]")

Word = tuple[str, int, int]


def spans(text: str, names: Names, aliases: Mapping[str, list[int]]) -> list[str]:
    """The parts of a text that name something, in its order, as they stand there, each once.

    The longest runs of words that are a node's name or an alias come first, from the left; of what lies between them,
    noun phrases without their stop words. Stop words, bare numbers and words of questions (`GENERIC`) name nothing of
    their own; if nothing else is found, words of questions that are names exactly do.
    """
    whole = text.strip().strip("?!.").strip()
    if whole and any(folded(key) in table for key in (text, whole) for table in (names.by_text, aliases)):
        return [text.strip() if folded(text) in names.by_text or folded(text) in aliases else whole]
    words = located(text)
    known = _known(text, words, names, aliases)
    found = known + _phrases(text, words, known)
    if not found:
        found = [span for span in _exact_words(text, words) if folded(text[slice(*span)]) in names.by_text]
    return list(dict.fromkeys(text[start:end] for start, end in sorted(found)))


def _known(text: str, words: list[Word], names: Names, aliases: Mapping[str, list[int]]) -> list[tuple[int, int]]:
    found, first = [], 0
    reach = min(max(names.longest, max((len(a) // 2 + 1 for a in aliases), default=0)), _LONGEST)
    while first < len(words):
        for last in range(min(len(words), first + reach) - 1, first - 1, -1):
            run = words[first : last + 1]
            span = _closed(text, run[0][1], run[-1][2])
            if names_something([word for word, *_ in run]) and _is_name(text, run, span, names, aliases):
                found.append(span)
                first = last
                break
        first += 1
    return found


def _closed(text: str, start: int, end: int) -> tuple[int, int]:
    """A span with the parenthesis that closes one inside it."""
    inside = text[start:end]
    return start, end + (text[end : end + 1] == ")" and inside.count("(") > inside.count(")"))


def _is_name(text: str, run: list[Word], span: tuple[int, int], names: Names, aliases: Mapping) -> bool:
    key = folded(text[slice(*span)])
    if key in names.by_text or key in aliases:
        return True
    gaps = (text[one[2] : other[1]] for one, other in pairwise(run))
    return "".join(word for word, *_ in run) in names.by_words and not any(map(_BREAK.search, gaps))


def _exact_words(text: str, words: list[Word]) -> list[tuple[int, int]]:
    return [(start, end) for word, start, end in words if word not in STOP or len(words) == 1]


def _phrases(text: str, words: list[Word], known: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Runs of words that name something outside the known spans, in noun phrases where the text can be parsed."""
    free = [word for word in words if not any(start <= word[1] < end for start, end in known)]
    if not names_something([word for word, *_ in free]):
        return []
    english = len(words) > 2 and any(word in STOP for word, *_ in words) and len(text) <= _MOST_PARSED
    chunks = _noun_chunks(text) if english else [(0, len(text))]
    found = []
    for low, high in chunks:
        for run in _runs(text, [word for word in words if low <= word[1] < high], set(free)):
            pieces = [run] if english or len(run) <= _FEW else [[word] for word in run]
            found += [(piece[0][1], piece[-1][2]) for piece in pieces if names_something([w for w, *_ in piece])]
    return found


def _runs(text: str, words: list[Word], free: set[Word]) -> list[list[Word]]:
    """Neighbouring free words; stop words, words of questions and punctuation part them."""
    runs: list[list[Word]] = [[]]
    for word in words:
        parted = runs[-1] and _BREAK.search(text[runs[-1][-1][2] : word[1]])
        if word not in free or word[0] in STOP or word[0] in GENERIC:
            runs.append([])
            continue
        if parted:
            runs.append([])
        runs[-1].append(word)
    return [run for run in runs if run]


def _noun_chunks(text: str) -> list[tuple[int, int]]:
    from ..models.parser import parse

    return [(chunk.start_char, chunk.end_char) for chunk in next(parse([text])).noun_chunks]
