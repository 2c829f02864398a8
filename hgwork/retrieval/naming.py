"""Which knowledge groups a query is about, from the names in it.

The names of a group are those of its lasting entities (the storm, the port) and of the group itself; states, anchors
and names that most groups share say nothing. A group is meant when the names that the query holds point to it more
than to any other.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from ..hypergraph import Hypergraph
from ..lookup.words import tokens

__all__ = ["GroupNames"]

_SHARED = 0.5  # a name in more than this share of the groups tells none apart


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
        if "group" in H.edges:
            for name, group in _names(H):
                words = tuple(tokens(name))
                if words:
                    holders[words].add(group)
            groups = sorted(set(H.edges["group"].dropna().astype(str)))
            for group in groups:
                for part in [group, *group.replace("_", " ").split("/")]:
                    if words := tuple(tokens(part)):
                        holders[words].add(group)
        self._total = len({group for found in holders.values() for group in found})
        most = max(1, _SHARED * self._total)
        self._holders = {words: found for words, found in holders.items() if len(found) <= most}
        self._longest = max(map(len, self._holders), default=0)

    def named(self, query: str) -> tuple[str, ...]:
        """The groups that the query names, all that it points to equally; () where it names none.

        A name counts ``log(1 + groups / groups that have it)``; of overlapping names the longest counts.
        """
        words, at = tokens(query), 0
        score: dict[str, float] = defaultdict(float)
        while at < len(words):
            for size in range(min(self._longest, len(words) - at), 0, -1):
                found = self._holders.get(tuple(words[at : at + size]))
                if found:
                    for group in found:
                        score[group] += float(np.log1p(self._total / len(found)))
                    break
            at += size if self._longest and found else 1
        if not score:
            return ()
        top = max(score.values())
        return tuple(sorted(group for group, value in score.items() if value > top - 1e-9))


def _names(H: Hypergraph):
    """(name, group) of every lasting entity: as it stands in the text, and its identifier without the type."""
    nodes, incidences = H.nodes, H.incidences
    lasting = nodes.index[nodes["kind"].eq("persistent")] if "kind" in nodes else nodes.index
    table = incidences[incidences["node"].isin(lasting)]
    group = H.edges["group"].reindex(table["edge"]).to_numpy(object)
    surface = table["surface"] if "surface" in table else table["node"]
    pairs = {(str(name), str(g)) for name, g in zip(surface, group, strict=True) if isinstance(g, str) and name}
    yield from sorted(pairs)
