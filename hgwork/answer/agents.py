"""GraphAgent, Engineer, Hypothesizer: from a question to paths, an explanation and hypotheses, all with citations.

The order is that of [1]_ and fixed. The GraphAgent turns the question into nodes; paths between every two of them are
then found by search, not by a model; the Engineer explains them; the Hypothesizer goes one step on. Without a chat
model the same flow runs on templates that restate and arrange, and says so. What the agents claim is checked against
the statements they cite, and what documents contain reaches them as data only.

References
----------
.. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, sections 2.3 and 4.4.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path as File
from typing import TYPE_CHECKING, Any

import pandas as pd

from ..models.chat import Chat, ChatError
from ..models.tools import Called
from ..paths import hyperpaths, neighbourhood, subhypergraph
from ..trace import Trace
from . import templates
from .citations import check_citations
from .claims import Analysis, Claim, Hypotheses, Hypothesis, Keywords, claims_table
from .evidence import Evidence, number_statements
from .result import Result, render
from .toolbox import Toolbox, fenced_names, outline

if TYPE_CHECKING:
    from ..hypergraph import Hypergraph

__all__ = ["PROMPTS", "Session", "ask"]

PROMPTS = File(__file__).parent / "prompts"
_SHARE = 0.6  # of the context goes to statements; the rest is for prompts, tools and the answer
_HALVINGS = 3


def ask(H: Hypergraph, question: str, chat: Chat | None = None, s: int = 1, k: int = 3, **settings: Any) -> Result:
    """Answer how concepts are related, from the paths between them.

    Parameters
    ----------
    H : Hypergraph
    question : str
    chat : Chat, optional
        Without one, the answer is composed from templates: it restates the evidence of the paths and names the nodes
        that link them, and is labelled so.
    s, k : int
        Nodes that consecutive hyperedges share, and paths for each pair of concepts.
    **settings
        See `Session`; `nodes=` names the nodes to join, in place of those that the question is matched to.

    Returns
    -------
    Result
        `answer`, `claims`, `hypotheses`, `statements`, `paths`, `hypergraph`, `report` of the citation check,
        `transcript`, `matches`, `cut`, `flags`, `calls`. If the chat model fails on the way, `failure` says how, and
        the rest is what was reached.

    Examples
    --------
    >>> import hgwork as hg
    >>> event = {"document": "d", "relation": "is blended with"}
    >>> H = hg.Hypergraph.from_events([
    ...     event | {"source": ["PCL"], "target": ["chitosan"], "evidence": "PCL is blended with chitosan."},
    ...     event | {"source": ["chitosan"], "target": ["silk"], "evidence": "Chitosan is blended with silk."},
    ... ])
    >>> found = ask(H, "How is PCL related to silk?", nodes=["PCL", "silk"])
    >>> found.claims["text"].iloc[2]
    '“chitosan” is what both statements have in common, and so the bridge between “PCL” and “silk”.'
    """
    nodes = settings.pop("nodes", None)
    return Session(H, chat, s, k, **settings).ask(question, nodes)


class Session:
    """Questions to one hypergraph, one after the other: later ones may point back, and statements keep their numbers.

    Parameters
    ----------
    H : Hypergraph
    chat : Chat, optional
        Its budget and its timeouts hold for all questions together.
    s, k : int
    intersection, directed, avoid_hubs, distinct
        As in `hgwork.paths.hyperpaths`, except that by default paths have links of their own: three ways say more than
        one way in three statements. The paper takes ``distinct="edges"``.
    context : int
        Tokens that one conversation may take, by the estimate of `hgwork.models.Budget`; statements get 60 % of it.
    max_rounds : int
        Answers of one agent that may call tools.
    match : function of (H, text), optional
        By default `hgwork.lookup.match`.
    prompts : path
        Folder with `graph_agent.md`, `engineer.md` and `hypothesizer.md`.

    Attributes
    ----------
    numbers : dict of hyperedge id to number
    results : list of Result
        In the order of the questions.

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> H = Hypergraph.from_dict({"a": ["grass", "methanol"], "b": ["methanol", "PCL"]})
    >>> session = Session(H)
    >>> session.ask("Grass and PCL?", nodes=["grass", "PCL"]).statements["edge"].tolist()
    ['a', 'b']
    """

    def __init__(
        self,
        H: Hypergraph,
        chat: Chat | None = None,
        s: int = 1,
        k: int = 3,
        intersection: str = "at_least",
        directed: bool = False,
        avoid_hubs: float | None = 0.0,
        distinct: str = "links",
        context: int = 40_000,
        max_rounds: int = 6,
        match: Callable[..., pd.DataFrame] | None = None,
        prompts: str | File = PROMPTS,
    ):
        if context < 1 or max_rounds < 1:
            raise ValueError(f"{context=}, {max_rounds=}: at least 1 each.")
        self.H, self.chat, self.s, self.k = H, chat, s, k
        self.settings: dict[str, Any] = {
            "intersection": intersection, "directed": directed, "avoid_hubs": avoid_hubs, "distinct": distinct,
        }  # fmt: skip
        self.context, self.max_rounds, self.prompts = context, max_rounds, File(prompts)
        self._find = match or _match
        self.numbers: dict[str, int] = {}
        self.results: list[Result] = []

    def match(self, H: Hypergraph, text: str) -> pd.DataFrame:
        """Nodes that the words of a text may mean: `word`, `node`, `score`, `how`, `rank`, `chosen`."""
        found = self._find(H, text)
        return found.assign(chosen=found["chosen"].astype(bool))

    def ask(self, question: str, nodes: Sequence[str] | None = None) -> Result:
        """Answer one question; see `ask`.

        Raises
        ------
        ValueError
            If the question is empty.
        KeyError
            If one of `nodes` is unknown.
        """
        if not question.strip():
            raise ValueError("the question is empty. Ask how two or more concepts are related.")
        result = _Inquiry(self, question, nodes).run()
        self.results.append(result)
        return result


class _Inquiry:
    """One question on its way through the three agents."""

    def __init__(self, session: Session, question: str, nodes: Sequence[str] | None):
        self.session, self.question, self.nodes, self.H = session, question, nodes, session.H
        self.box = Toolbox(self.H, session.numbers, session.match, session.settings)
        self.trace = Trace(question)
        self.calls: list[tuple[str, Called]] = []
        self.matches = pd.DataFrame(columns=["word", "node", "score", "how", "rank", "chosen"])
        self.paths: list[Any] = []
        self.evidence = number_statements(self.H)
        self.groups: list[list[Claim]] = []
        self.hypotheses: list[Hypothesis] = []
        self.failure: str | None = None
        self.note = ""

    def run(self) -> Result:
        agents = {"GraphAgent": self._graph_agent, "Engineer": self._engineer, "Hypothesizer": self._hypothesizer}
        try:
            for name, act in agents.items():
                if name == "GraphAgent" or self.paths:
                    with self.trace.step(name) as step:
                        step.outputs.update(act())
        except ChatError as error:
            self.failure = str(error)
        return self._result()

    # ---------------------------------------------------------------- GraphAgent

    def _graph_agent(self) -> dict[str, Any]:
        anchors = self._anchors()
        paths = []
        for source, target in combinations(anchors, 2):
            paths += hyperpaths(self.H, source, target, self.session.s, self.session.k, **self.session.settings)
        known = {path.edges for path in paths}
        paths += [p for p in self.box.paths if p.edges not in known and {p.source, p.target} <= set(anchors)]
        self.paths = list({(path.source, path.target, path.edges): path for path in paths}.values())
        self.evidence = self._numbered(self.session.context * _SHARE)
        self.note = "" if self.paths else self._no_path(anchors)
        return {
            "nodes": anchors,
            "paths": [outline(path, self.session.numbers) for path in self.paths],
            "statements": len(self.evidence.statements),
            "cut": len(self.evidence.cut),
        } | ({"no path": self.note} if self.note else {})

    def _anchors(self) -> list[str]:
        if self.nodes is not None:
            for node in self.nodes:
                self.H.incident(node)  # names the nearest where it is unknown
            return list(dict.fromkeys(self.nodes))
        self.matches = self.session.match(self.H, self.question)
        if self.session.chat:
            self._agree(self._asked("GraphAgent", "graph_agent", self._memory(), Keywords))
        chosen = self.matches[self.matches["chosen"]]
        self._log("match", matched=dict(zip(chosen["word"], chosen["node"], strict=True)))
        anchors = list(dict.fromkeys(chosen["node"]))
        if len(anchors) < 2 and self.session.results:  # "and to silk?": the rest stands in the question before
            before = [node for node in self.session.results[-1].nodes if node not in anchors]
            anchors = [*before[: 2 - len(anchors)], *anchors]
            self._log("memory", nodes=before)
        return anchors

    def _agree(self, keywords: Keywords) -> None:
        """Take the nodes that the model chose where they exist; else the best match of its word."""
        rows = []
        for keyword in keywords.keywords:
            if keyword.node in self.H.nodes.index:
                rows.append([keyword.word, keyword.node, 1.0, "agent", 1, True])
                continue
            found = self.session.match(self.H, keyword.word) if keyword.word.strip() else self.matches.iloc[:0]
            rows += (
                found[found["chosen"]].head(1)[["word", "node", "score", "how", "rank", "chosen"]].to_numpy().tolist()
            )
        others = self.matches.assign(chosen=False)
        columns = ["word", "node", "score", "how", "rank", "chosen"]
        taken = pd.DataFrame(rows, columns=columns)
        self.matches = pd.concat(
            [frame for frame in (taken, others[columns]) if len(frame)] or [taken], ignore_index=True
        )
        self.matches["chosen"] = self.matches["chosen"].astype(bool)

    def _numbered(self, budget: float) -> Evidence:
        found = number_statements(self.H, self.paths, budget=int(budget), numbers=self.session.numbers)
        kept = [found.statements["edge"], found.cut.set_index("number")["edge"]]
        self.session.numbers |= {edge: int(number) for part in kept for number, edge in part.items()}
        return found

    def _no_path(self, anchors: list[str]) -> str:
        near, looser = {}, []
        for node in anchors[:2]:
            found = neighbourhood(self.H, node, 1)
            near[node] = found.loc[found["distance"] == 1, "node"].head(3).tolist()
        for source, target in combinations(anchors, 2):
            for s in range(self.session.s - 1, 0, -1):
                found = hyperpaths(self.H, source, target, s, 1)
                if found:
                    shared = templates.join(templates.quote(name) for names in found[0].shared for name in names)
                    looser.append(f"With s = {s} a path of {len(found[0])} hyperedges exists, through {shared}.")
                    break
        return templates.explain_no_path(anchors, self.matches, near, looser, self.session.s)

    # ---------------------------------------------------------------- Engineer and Hypothesizer

    def _engineer(self) -> dict[str, Any]:
        if self.session.chat:
            self.groups = [self._asked("Engineer", "engineer", self._brief, Analysis).claims]
        else:
            self.groups = templates.analyse(self.paths, self.evidence.statements.join(self._confidence(), on="edge"))
        return {"claims": [claim.model_dump() for group in self.groups for claim in group]}

    def _hypothesizer(self) -> dict[str, Any]:
        if self.session.chat:
            claims = [claim.model_dump() for group in self.groups for claim in group]
            brief = lambda: f"{self._brief()}\n\nAnalysis:\n{fenced_names(claims)}"  # noqa: E731
            self.hypotheses = self._asked("Hypothesizer", "hypothesizer", brief, Hypotheses).hypotheses
        else:
            self.hypotheses = templates.hypothesize(self.paths, self.evidence.statements)
        return {"hypotheses": [hypothesis.model_dump() for hypothesis in self.hypotheses]}

    def _confidence(self) -> pd.DataFrame:
        return self.H.edges[["confidence"]] if "confidence" in self.H.edges else pd.DataFrame(index=self.H.edges.index)

    def _asked(self, agent: str, prompt: str, brief: str | Callable[[], str], output) -> Any:
        """What an agent hands on; with half the statements where its context overflows, without tools where the
        server knows none."""
        system = (self.session.prompts / f"{prompt}.md").read_text("utf-8")
        names = ("match", "hyperpaths", "neighbourhood") if output is Keywords else ("evidence", "neighbourhood")
        budget, tools = self.session.context * _SHARE, self.box.tools(*names)
        assert self.session.chat is not None
        while True:
            words = brief if isinstance(brief, str) else brief()
            self._log("asked", model=self.session.chat.model, prompt=words)
            try:
                if not tools:
                    return self.session.chat.ask(words, output, system)
                return self.session.chat.ask_with_tools(
                    words,
                    tools,
                    output,
                    system,
                    self.session.max_rounds,
                    self.session.context,
                    lambda called: self._called(agent, called),
                )
            except ChatError as error:
                self._log("failed", kind=error.kind, message=error.message)
                if error.kind == "rejected" and tools and "tool" in error.message:
                    tools = []
                elif (
                    error.kind == "context"
                    and len(self.evidence.statements) > 1
                    and budget > self.session.context * _SHARE / 2**_HALVINGS
                ):
                    budget = min(budget, self.evidence.tokens) / 2
                    self.evidence = self._numbered(budget)
                else:
                    raise

    def _called(self, agent: str, called: Called) -> None:
        self.calls.append((agent, called))
        self._log(f"called {called.name}", arguments=called.arguments, result=called.result, fault=called.fault)

    def _brief(self) -> str:
        """The question, the paths and the statements; what comes from documents stands between the marks."""
        held = set(self.evidence.statements["edge"])
        whole = [path for path in self.paths if held.issuperset(path.edges)]
        lines = [fenced_names(outline(path, self.session.numbers)) for path in whole]
        return f"{self._memory()}\n\n<statements>\n" + "\n".join([*lines, self.evidence.text]) + "\n</statements>"

    def _memory(self) -> str:
        """The question, after the questions before it with the nodes they were about."""
        earlier = [
            f"Earlier question: {result.question}\nIts concepts: {fenced_names(result.nodes)}"
            for result in self.session.results[-5:]
        ]
        return "\n".join([*earlier, f"Question: {self.question}"])

    # ---------------------------------------------------------------- what comes out

    def _result(self) -> Result:
        shown = [edge for edge in self.box.shown if edge not in set(self.evidence.statements["edge"])]
        extra = number_statements(self.H, edges=shown, budget=10**9, numbers=self.session.numbers).statements
        statements = pd.concat([self.evidence.statements, extra]) if len(extra) else self.evidence.statements
        claims = [claim for group in self.groups for claim in group]
        rationale = [claim for hypothesis in self.hypotheses for claim in hypothesis.rationale]
        table = claims_table([("Engineer", claims), ("Hypothesizer", rationale)])
        report = check_citations([*claims, *rationale], statements)
        report.insert(0, "agent", table["agent"])
        self._log("check", verdicts=report["verdict"].value_counts().to_dict())
        chat = self.session.chat
        result = Result(
            question=self.question,
            label=f"written by {chat.model}" if chat else templates.LABEL,
            groups=self.groups,
            note=self.note,
            claims=table,
            hypotheses=self.hypotheses,
            statements=statements,
            paths=self.paths,
            hypergraph=subhypergraph(self.H, self.paths),
            matches=self.matches,
            report=report,
            cut=self.evidence.cut,
            flags=Evidence(statements).flags,
            calls=_calls(self.calls),
            transcript=self.trace,
            failure=self.failure,
            nodes=list(dict.fromkeys(n for path in self.paths for n in (path.source, path.target)))
            or self.matches.loc[self.matches["chosen"].astype(bool), "node"].tolist(),
        )
        self._log("answer", text=render(result))
        return result

    def _log(self, name: str, **facts: Any) -> None:
        with self.trace.step(name, **facts):
            pass


def _calls(calls: list[tuple[str, Called]]) -> pd.DataFrame:
    rows = [(agent, c.round, c.name, c.arguments, c.result, c.fault) for agent, c in calls]
    return pd.DataFrame(rows, columns=["agent", "round", "tool", "arguments", "result", "fault"])


def _match(H: Hypergraph, text: str) -> pd.DataFrame:
    from ..lookup.match import match

    return match(H, text)
