"""The writers that need no language model: they restate the evidence of paths, and name what joins them.

Nothing is inferred. Each sentence repeats a statement, or says which concepts statements have in common, which
documents they come from and which link is the weakest; all of it can be read off the paths.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import pandas as pd

from .claims import Claim, Hypothesis, cite

__all__ = ["LABEL", "analyse", "explain_no_path", "hypothesize", "join", "quote", "weakest_link"]

LABEL = "composed from templates, no language model"
_LONGEST = 400  # characters of evidence; of a longer passage the statement's own sentence is given
_POINTS_BACK = re.compile(r"(It|Its|They|Their|These|This|Those|That|Such|He|She|Both|The (?:latter|former))\b")
_MARK = re.compile(r"\s*\[\d+(?:\s*[-–,;]\s*\d+)*\]")


def analyse(paths: Sequence[Any], statements: pd.DataFrame) -> list[list[Claim]]:
    """The claims of each path, in order.

    Parameters
    ----------
    paths : sequence of Path
        A path whose statements were cut has no claims.
    statements : DataFrame
        As `hgwork.answer.number_statements` gives them; of hyperedges with a column `confidence`, it is used.

    Returns
    -------
    list of list of Claim
        One list a path: its statements restated, the concepts that join them, the weakest link. A statement that an
        earlier path holds is referred to, not repeated.
    """
    numbers = {edge: number for number, edge in statements["edge"].items()}
    told: set[int] = set()
    texts: set[str] = set()
    known: set[Any] = set()
    out: list[list[Claim]] = []
    for path in paths:
        steps = [numbers[edge] for edge in path.edges if edge in numbers]
        if len(steps) < len(path.edges):
            out.append([])
            continue
        claims = _restated([number for number in steps if number not in told], statements, texts)
        again = [number for number in steps if number in told]
        if again and claims:
            claims.append(
                Claim(text=f"{_numbered(again)} {_verb(again, 'serves', 'serve')} here as well.", statements=again)
            )
        claims += _joined(path, steps, statements, known) if claims or len(steps) > 1 else []
        told |= set(steps)
        out.append(claims)
    return out


def _restated(numbers: list[int], statements: pd.DataFrame, texts: set[str]) -> list[Claim]:
    """The evidence of statements; one sentence that holds several of them is given once."""
    claims: list[Claim] = []
    place: dict[str, int] = {}
    for number in numbers:
        text = _evidence(statements.loc[number])
        if text in place:
            claims[place[text]].statements.append(number)
        elif text not in texts:
            place[text] = len(claims)
            claims.append(Claim(text=text, statements=[number]))
    texts |= set(place)
    return claims


def _evidence(row) -> str:
    text = _MARK.sub("", row["text"]).strip()
    if not text or len(text) > _LONGEST:
        source, target, relation = join(row["source"]), join(row["target"]), row["relation"]
        if source and target:
            text = f"{source} {relation or 'is related to'} {target}"
        else:
            text = f"{join(map(quote, row['members']))} stand together" + (f" under “{relation}”" if relation else "")
    elif _POINTS_BACK.match(text):
        unnamed = [name for name in row["source"] or row["members"] if name.lower() not in text.lower()]
        text = f"On {join(map(quote, unnamed[:2]))}: {text}" if unnamed else text
    text = text[0].upper() + text[1:] if text[:2].islower() else text
    return text if text.endswith((".", "!")) else text.rstrip("?;:, ") + "."


def _joined(path, steps: list[int], statements: pd.DataFrame, known: set[Any]) -> list[Claim]:
    """What joins the steps of a path, and where that is weakest; `known` holds what was said of paths before."""
    source, target = quote(path.source), quote(path.target)
    if len(steps) == 1:
        return [Claim(text=f"This one statement holds both {source} and {target}.", statements=steps)]
    links = list(zip(pairwise(steps), path.shared, strict=True))
    if len(links) == 1:
        shared = path.shared[0]
        bridge = "a bridge" if (path.source, path.target) in known else "the bridge"
        text = (
            f"{join(map(quote, shared))} {_verb(shared, 'is', 'are')} what both statements have in common, and so "
            f"{bridge} between {source} and {target}."
        )
    else:
        parts = [f"{join(map(quote, shared))} (statements {a} and {b})" for (a, b), shared in links]
        way = "Another way" if (path.source, path.target) in known else "The path"
        text = f"{way} from {source} to {target} runs through {join(parts, 'then')}."
    claims = [Claim(text=text, statements=steps)]
    (a, b), why = weakest_link(path, steps, statements)
    if (a, b) not in known:
        where = "That link" if len(links) == 1 else f"The weakest link, between statements {a} and {b},"
        claims.append(Claim(text=f"{where} {why}.", statements=[a, b]))
    known |= {(path.source, path.target), (a, b)}
    return claims


def weakest_link(path, steps: Sequence[int], statements: pd.DataFrame) -> tuple[tuple[int, int], str]:
    """The step between statements that carries least, and why.

    Fewest shared nodes first; then statements of different documents; then the lower confidence of the two, where it is
    known; then the earlier step.
    """

    def key(link):
        place, ((a, b), shared) = link
        apart = statements.loc[a, "document"] != statements.loc[b, "document"]
        sure = statements.loc[[a, b], "confidence"].min() if "confidence" in statements else 1.0
        return len(shared), not apart, sure, place

    _, ((a, b), shared) = min(enumerate(zip(pairwise(steps), path.shared, strict=True)), key=key)
    documents = [name for name in dict.fromkeys(statements.loc[[a, b], "document"]) if name]
    basis = "a single concept" if len(shared) == 1 else f"the concepts {join(map(quote, shared))}"
    if len(steps) > 2 and len(shared) == 1:
        basis = f"{quote(shared[0])} alone"
    if len(documents) == 2:
        return (a, b), f"rests on {basis} and joins different documents, {join(documents)}"
    if len(documents) == 1:
        return (a, b), f"rests on {basis} within one document, {documents[0]}"
    return (a, b), f"rests on {basis}"


def hypothesize(paths: Sequence[Any], statements: pd.DataFrame) -> list[Hypothesis]:
    """One conjecture for each pair of concepts that paths join, from the best of its paths, with a test.

    The conjecture is that what the path strings together holds as a whole.
    """
    numbers = {edge: number for number, edge in statements["edge"].items()}
    out: dict[tuple[str, str], Hypothesis] = {}
    for path in paths:
        steps = [numbers[edge] for edge in path.edges if edge in numbers]
        if len(steps) == len(path.edges) and (path.source, path.target) not in out:
            out[path.source, path.target] = _conjecture(path, steps, statements)
    return list(out.values())


def _conjecture(path, steps: list[int], statements: pd.DataFrame) -> Hypothesis:
    source, target = quote(path.source), quote(path.target)
    if len(steps) == 1:
        document = statements.loc[steps[0], "document"]
        place = f"document {document}" if document else "the conditions of its source"
        return Hypothesis(
            text=f"The relation between {source} and {target} that is stated outright holds beyond {place}.",
            rationale=[Claim(text=f"One statement holds both {source} and {target}.", statements=steps)],
            test=f"Repeat the observation under other conditions than those of {place}; if it does not return, the "
            "relation is bound to them.",
        )
    bridges = join([join(map(quote, shared), "together with") for shared in path.shared], "then")
    middle = quote(path.shared[0][0])
    pairs = zip(pairwise(steps), path.shared, strict=True)
    return Hypothesis(
        text=f"{source} bears on {target} by way of {bridges}, although no statement says so as a whole.",
        rationale=[
            Claim(text=f"Statements {a} and {b} both speak of {join(map(quote, shared))}.", statements=[a, b])
            for (a, b), shared in pairs
        ],
        test=f"Observe {target} with and without {source}, once where {middle} is present and once where it is removed "
        f"or blocked. If what {source} changes does not depend on {middle}, this path does not explain it.",
    )


def explain_no_path(
    anchors: Sequence[str], matches: pd.DataFrame, near: dict[str, Sequence[str]], looser: Iterable[str], s: int
) -> str:
    """What to say where no path was found: what was matched, what else it might have been, what is near.

    Parameters
    ----------
    anchors : sequence of str
        Nodes that stood for the concepts of the question.
    matches : DataFrame
        `word`, `node`, `score`, `how`, `chosen`.
    near : mapping of node to its nearest nodes
    looser : iterable of str
        Sentences on what a weaker condition finds.
    s : int
    """
    parts = []
    if len(anchors) > 1:
        nodes = "one node" if s == 1 else f"at least {s} nodes"
        parts.append(f"No path of hyperedges that share {nodes} joins {join(map(quote, anchors))}.")
    elif anchors:
        parts.append(f"Only {quote(anchors[0])} was recognised, and a path needs two concepts.")
    else:
        parts.append("No concept of the question was recognised in the hypergraph.")
    for word, group in matches.groupby("word", sort=False) if len(matches) else ():
        taken = group[group["chosen"]]
        others = [quote(node) for node in group.loc[~group["chosen"], "node"].head(3)]
        read = (
            f"{quote(word)} was read as {quote(taken['node'].iloc[0])}"
            if len(taken)
            else f"{quote(word)} was read as none"
        )
        parts.append(
            f"{read}; the {_verb(others, 'runner-up was', 'runners-up were')} {join(others)}."
            if others
            else f"{read}; nothing else came near."
        )
    parts += looser
    near_ones = {node: names for node, names in near.items() if names}
    parts += [f"Nearest to {quote(n)} {_verb(x, 'is', 'are')} {join(map(quote, x))}." for n, x in near_ones.items()]
    parts += [f"{quote(node)} stands in no hyperedge with another node." for node, names in near.items() if not names]
    return " ".join(parts)


def as_text(groups: Sequence[Sequence[Claim]]) -> str:
    """Claims as paragraphs, one a path, with their citations."""
    return "\n\n".join(" ".join(map(cite, claims)) for claims in groups if claims)


def quote(name: str) -> str:
    """A name in quotation marks, so that a sentence is good whatever it is."""
    return f"“{name}”"


def join(names: Iterable[str], last: str = "and") -> str:
    """Names as one phrase.

    Examples
    --------
    >>> join("abc"), join(["a", "b"], "then")
    ('a, b and c', 'a then b')
    """
    names = list(names)
    return f"{', '.join(names[:-1])} {last} {names[-1]}" if len(names) > 1 else "".join(names)


def _numbered(numbers: list[int]) -> str:
    return f"Statement{'s' * (len(numbers) > 1)} {join(map(str, numbers))}"


def _verb(things: Sequence[Any], one: str, many: str) -> str:
    return one if len(things) == 1 else many
