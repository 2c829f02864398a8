"""Other names of nodes: listed beside them, or defined in names and texts as "long form (SHORT)".

The letters of the short form are looked for in the words before the parenthesis, from right to left; the first must
begin a word [1]_. Only definitions that involve a node are of use here, and both forms then mean that node.

References
----------
.. [1] Schwartz & Hearst, A simple algorithm for identifying abbreviation definitions in biomedical text, Pacific
   Symposium on Biocomputing 8, 451-462 (2003).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from .words import folded

__all__ = ["defined", "given_aliases", "node_aliases"]

_SHORT = re.compile(r"\s\((?=[^()]*[A-Z])([^\W_][\w\-/+.]{1,9})\)")
_NAME = re.compile(r"(.*\S)\s+\(([^()]{1,40})\)$", re.DOTALL)


def node_aliases(H, by_text) -> dict[str, list[int]]:
    """Folded alias -> places of nodes: from the column `aliases`, from names, from the texts of hyperedges, in this
    order. A name that is a node's own is an alias of others only where a text defines it."""
    found: dict[str, dict[int, None]] = {}
    if "aliases" in H.nodes:
        for place, listed in enumerate(H.nodes["aliases"]):
            for alias in _listed(listed):
                found.setdefault(folded(alias), {})[place] = None
    for place, name in enumerate(H.nodes.index):
        if name[-1:] == ")" and (match := _NAME.match(name)):
            for part in match.groups():
                found.setdefault(folded(part), {})[place] = None
    if "text" in H.edges:
        texts = dict.fromkeys(text for text in H.edges["text"] if isinstance(text, str) and " (" in text)
        for short, long in dict.fromkeys(pair for text in texts for pair in defined(text)):
            for one, other in ((folded(short), folded(long)), (folded(long), folded(short))):
                for place in by_text.get(other):
                    found.setdefault(one, {})[place] = None
    return {alias: list(places) for alias, places in found.items() if alias}


def given_aliases(given: Mapping[str, Any], place: Mapping[str, int]) -> dict[str, list[int]]:
    """Folded alias -> places of a caller's table, alias -> node or nodes.

    Raises
    ------
    ValueError
        If one points to what is no node.
    """
    found: dict[str, list[int]] = {}
    for alias, nodes in given.items():
        for node in [nodes] if isinstance(nodes, str) else nodes:
            if node not in place:
                raise ValueError(f"aliases: {alias!r} points to {node!r}, which is no node. Give alias -> node name.")
            found.setdefault(folded(alias), []).append(place[node])
    return found


def defined(text: str) -> Iterator[tuple[str, str]]:
    """Short and long forms that a text defines.

    Examples
    --------
    >>> list(defined("Poly(lactic acid) (PLA) and calcium phosphate (CaP) were mixed (Fig. 2) for 5 h (37 °C)."))
    [('PLA', 'Poly(lactic acid)'), ('CaP', 'calcium phosphate')]
    """
    for match in _SHORT.finditer(text):
        short = match[1]
        before = text[max(0, match.start() - 200) : match.start()]
        words = list(re.finditer(r"\S+", before))[-min(len(short) + 5, 2 * len(short)) :]
        long = _long_form(short, before[words[0].start() :]) if words else None
        if long and len(long) > len(short) and short not in long.split():
            yield short, long


def _long_form(short: str, before: str) -> str | None:
    """The end of `before` that holds the letters of the short form in order, its first letter at a word's start."""
    letters = [c for c in short.casefold() if c.isalnum()]
    if re.search(r"[A-Z]s$", short):
        letters = letters[:-1]
    text, place = before.casefold(), len(before)
    if len(text) != len(before):
        return None
    for n in range(len(letters) - 1, -1, -1):
        place -= 1
        while place >= 0 and (text[place] != letters[n] or (n == 0 and place and text[place - 1].isalnum())):
            place -= 1
        if place < 0:
            return None
    long = before[place:]
    return long if long.count("(") == long.count(")") else None


def _listed(value: Any) -> Iterable[str]:
    """A cell of the column `aliases`: a list, or text joined by "|"."""
    if isinstance(value, str):
        return [part.strip() for part in value.split("|")]
    if isinstance(value, list | tuple | set | frozenset | np.ndarray):
        return sorted(map(str, value))
    return [] if value is None or value is pd.NA or value != value else [str(value)]
