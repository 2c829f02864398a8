"""Which knowledge groups a query is about, from the names in it.

The names of a group are those of its lasting entities (the storm, the port) and of the group itself; states, anchors
and names that most groups share say nothing. A group is meant when the names that the query holds point to it more
than to any other; where they point to several alike, when more of them stand in its own name.
"""

from __future__ import annotations

import re
from collections import defaultdict

import numpy as np

from ..hypergraph import Hypergraph
from ..lookup.words import tokens

__all__ = ["GroupNames"]

_SHARED = 0.5  # a name in more than this share of the groups tells none apart, unless groups are called by it
_JOINED = re.compile(r"(?<=[a-z])(?=[A-Z])")


class GroupNames:
    """The names of the knowledge groups of a hypergraph.

    Parameters
    ----------
    H : Hypergraph
        Hyperedges with `group`. With a column `kind` of the nodes only "persistent" ones count.

    Examples
    --------
    >>> H = Hypergraph.from_dict({"a": ["Ada", "PCL"], "b": ["Bea", "PCL"]},
    ...                          edges={"a": {"group": "one"}, "b": {"group": "two"}})
    >>> GroupNames(H).named("What did Bea do with PCL?")
    ('two',)
    """

    def __init__(self, H: Hypergraph):
        holders: dict[tuple[str, ...], set[str]] = defaultdict(set)
        self._own: dict[tuple[str, ...], set[str]] = defaultdict(set)
        if "group" in H.edges:
            for name, group in _names(H):
                for words in _spellings(name):
                    holders[words].add(group)
            for group in sorted(set(H.edges["group"].dropna().astype(str))):
                for part in [group, *group.replace("_", " ").split("/")]:
                    for words in _spellings(part):
                        holders[words].add(group)
                        self._own[words].add(group)
        self._total = len({group for found in holders.values() for group in found})
        most, all_but_one = max(1, _SHARED * self._total), max(1, self._total - 1)
        self._holders = {
            words: found
            for words, found in holders.items()
            if len(found) <= (all_but_one if words in self._own else most)
        }
        self._longest = max(map(len, self._holders), default=0)

    def named(self, query: str) -> tuple[str, ...]:
        """The groups that the query names, all that it points to equally; () where it names none.

        A name counts ``log(1 + groups / groups that have it)``; of overlapping names the longest counts. Case does
        not count, and "PortMiami" is also "Port Miami".
        """
        words, at = _words(query), 0
        score: dict[str, float] = defaultdict(float)
        own: dict[str, int] = defaultdict(int)
        while at < len(words):
            for size in range(min(self._longest, len(words) - at), 0, -1):
                name = words[at : at + size]
                found = self._holders.get(name)
                if found:
                    for group in found:
                        score[group] += float(np.log1p(self._total / len(found)))
                        own[group] += group in self._own.get(name, ())
                    break
            at += size if self._longest and found else 1
        if not score:
            return ()
        top = max(score.values())
        alike = [group for group, value in score.items() if value > top - 1e-9]
        most = max(own[group] for group in alike)
        return tuple(sorted(group for group in alike if own[group] == most))


def _words(text: str) -> tuple[str, ...]:
    return tuple(tokens(text.lower()))  # capitals hide a plural: NICHOLAS and Nicholas are one name


def _spellings(name: str) -> set[tuple[str, ...]]:
    return {_words(name), _words(_JOINED.sub(" ", name))} - {()}


def _names(H: Hypergraph):
    """(name, group) of every lasting entity: as it stands in the text, and its identifier without the type."""
    nodes, incidences = H.nodes, H.incidences
    lasting = nodes.index[nodes["kind"].eq("persistent")] if "kind" in nodes else nodes.index
    table = incidences[incidences["node"].isin(lasting)]
    group = H.edges["group"].reindex(table["edge"]).to_numpy(object)
    surface = table["surface"] if "surface" in table else table["node"]
    pairs = {(str(name), str(g)) for name, g in zip(surface, group, strict=True) if isinstance(g, str) and name}
    yield from sorted(pairs)
