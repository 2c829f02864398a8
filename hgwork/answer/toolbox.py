"""The four functions that agents may call, each with arguments that are checked before anything is looked up."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from ..models.tools import Tool
from .evidence import Evidence, number_statements

__all__ = ["Toolbox", "fenced_names"]

_TOP, _NEAR = 5, 20


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class MatchArguments(_Strict):
    text: str = Field(min_length=1, max_length=200, description="A concept in the words of the question.")


class HyperpathsArguments(_Strict):
    source: str = Field(description="A node, written as `match` gives it.")
    target: str = Field(description="Another node.")
    s: int = Field(1, ge=1, le=10, description="Nodes that consecutive hyperedges share.")
    k: int = Field(3, ge=1, le=10, description="Most paths.")
    via: list[str] = Field(default=[], max_length=3, description="Nodes to pass through, in order.")
    forbid: list[str] = Field(default=[], max_length=20, description="Nodes to keep away from.")


class NeighbourhoodArguments(_Strict):
    node: str
    h: int = Field(1, ge=1, le=3, description="Most hyperedges away.")
    s: int = Field(1, ge=1, le=10)


class EvidenceArguments(_Strict):
    numbers: list[int] = Field(default=[], max_length=50, description="Statements that have a number already.")
    node: str = Field("", description="Or a node: statements that hold it.")


class Toolbox:
    """The tools of one inquiry; it remembers which numbers statements got and which paths were found.

    Parameters
    ----------
    H : Hypergraph
    numbers : dict of hyperedge id to number
        Filled in as statements are shown.
    match : function of (H, text)
        `hgwork.lookup.match` with its settings.
    settings : dict
        Of `hyperpaths`: `intersection`, `directed`, `avoid_hubs`.

    Attributes
    ----------
    shown : dict of str to None
        Hyperedges that any tool showed, in order.
    paths : list of Path
        That `hyperpaths` found.
    """

    def __init__(self, H, numbers: dict[str, int], match, settings: dict[str, Any]):
        self.H, self.numbers, self.find, self.settings = H, numbers, match, settings
        self.shown: dict[str, None] = {}
        self.paths: list[Any] = []

    def tools(self, *names: str) -> list[Tool]:
        """The named tools, all four by default."""
        known = [
            Tool("match", "Nodes that could stand for a concept, best first.", MatchArguments, self._match),
            Tool(
                "hyperpaths",
                "The k best paths of statements between two nodes, and the nodes that link them.",
                HyperpathsArguments,
                self._hyperpaths,
            ),
            Tool(
                "neighbourhood",
                f"The {_NEAR} nodes nearest to one, and the statement that leads to each.",
                NeighbourhoodArguments,
                self._neighbourhood,
            ),
            Tool(
                "evidence",
                f"Statements by number, or up to {_NEAR} that hold a node.",
                EvidenceArguments,
                self._evidence,
            ),
        ]
        return [tool for tool in known if tool.name in (names or [t.name for t in known])]

    def number(self, edges: Sequence[str]) -> Evidence:
        """Statements of hyperedges, numbered for good."""
        found = number_statements(self.H, edges=edges, budget=10**9, numbers=self.numbers)
        self.numbers |= {edge: int(number) for number, edge in found.statements["edge"].items()}
        self.shown |= dict.fromkeys(edges)
        return found

    def _match(self, given: MatchArguments) -> str:
        found = (
            self.find(self.H, given.text)
            .sort_values(["word", "rank"], kind="stable")
            .groupby("word", sort=False)
            .head(_TOP)
        )
        if not len(found):
            raise ValueError(f"nothing is like {given.text!r}. Try another word.")
        rows = [
            {"word": w, "node": n, "score": round(float(score), 3)}
            for w, n, score in zip(found["word"], found["node"], found["score"], strict=True)
        ]
        return "\n".join(map(_line, rows))

    def _hyperpaths(self, given: HyperpathsArguments) -> str:
        from ..paths import hyperpaths

        found = hyperpaths(
            self.H, given.source, given.target, given.s, given.k, via=given.via, forbid=given.forbid, **self.settings
        )
        if not found:
            return f"no path whose hyperedges share {given.s} nodes"
        self.paths += found
        held = self.number(list(dict.fromkeys(edge for path in found for edge in path.edges)))
        return "\n".join([*(_line(outline(path, self.numbers)) for path in found), held.text])

    def _neighbourhood(self, given: NeighbourhoodArguments) -> str:
        from ..paths import neighbourhood

        found = neighbourhood(self.H, given.node, given.h, given.s)
        near = found[found["distance"] > 0].head(_NEAR)
        held = self.number(list(dict.fromkeys(near["via"])))
        rows = [
            {"node": node, "distance": int(distance), "statement": self.numbers[via]}
            for node, distance, via in zip(near["node"], near["distance"], near["via"], strict=True)
        ]
        return "\n".join([*map(_line, rows), held.text])

    def _evidence(self, given: EvidenceArguments) -> str:
        by_number = {number: edge for edge, number in self.numbers.items()}
        unknown = [number for number in given.numbers if number not in by_number]
        if unknown:
            raise ValueError(f"no statement has the number {', '.join(map(str, unknown))}")
        edges = [by_number[number] for number in given.numbers]
        edges += self.H.incident(given.node)[:_NEAR] if given.node else []
        if not edges:
            raise ValueError("give numbers, or a node")
        return self.number(list(dict.fromkeys(edges))).text


def outline(path, numbers: dict[str, int]) -> dict[str, Any]:
    """A path as its ends, the numbers of its statements and what links them."""
    shared = [list(names) for names in path.shared]
    return {"path": [path.source, path.target], "statements": [numbers[e] for e in path.edges], "shared": shared}


def fenced_names(value: Any) -> str:
    """JSON in which no name of a document can end the block it stands in."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


_line = fenced_names
