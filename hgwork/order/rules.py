"""Facts by the patterns of a domain file, each with the sentence that states it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from string import Formatter
from typing import Any

import pandas as pd
from tqdm import tqdm

from .blocks import Block, plain, sentences
from .domain import Domain, Pattern
from .facts import Entity, Fact
from .quantities import quantity

__all__ = ["facts_by_rules"]


def facts_by_rules(blocks: Iterable[Block], domain: Domain, progress: bool = True) -> tuple[list[Fact], pd.DataFrame]:
    """Apply every pattern of the domain to every sentence.

    Parameters
    ----------
    blocks : iterable of Block
        Those without an index are passed over.
    domain : Domain
    progress : bool

    Returns
    -------
    facts : list of Fact
        In the order of the text, then of the patterns.
    unmatched : DataFrame
        Sentences without a fact: `document`, `chunk`, `start`, `end`, `text`.
    """
    facts: list[Fact] = []
    unmatched, kinds = [], _explanations(domain)
    blocks = [block for block in blocks if block.index is not None]
    for block in tqdm(blocks, "extract", unit="block", disable=not progress):
        text = plain(block.text)
        one_line = text.replace("\n", " ")
        for start, end in sentences(text, domain):
            found = [f for p in domain.patterns for f in _facts(p, one_line[start:end], block, (start, end), kinds)]
            facts += found
            if not found:
                place = (block.start + start, block.start + end)
                unmatched.append((block.document, block.id, *place, block.text[start:end]))
    return facts, pd.DataFrame(unmatched, columns=["document", "chunk", "start", "end", "text"])


def _explanations(domain: Domain) -> dict[str, str]:
    return {name: kind.explanation for name, kind in domain.entity_types.items()} | {
        f"scope {key}": scope.type for key, scope in domain.scope.items()
    }


Spans = dict[str, tuple[int, int]]


def _facts(
    pattern: Pattern, sentence: str, block: Block, span: tuple[int, int], kinds: dict[str, str]
) -> Iterator[Fact]:
    matches = pattern.expression.finditer(sentence)
    for match in matches:
        if pattern.excluded is not None and pattern.excluded.search(sentence):
            return
        spans = {name: match.span(name) for name, value in match.groupdict().items() if value}
        for name, needed, expression in pattern.finders:
            if found := expression.search(sentence):
                spans[name] = found.span(found.lastindex or 0)
            elif needed:
                return
        if fact := _fact(pattern, sentence, spans, block, span, kinds):
            yield fact
        if not spans or pattern.finders:
            return  # found anywhere in the sentence: a second match would say the same again


def _fact(pattern: Pattern, sentence: str, spans: Spans, block: Block, span, kinds: dict[str, str]) -> Fact | None:
    """The fact of a match; None where it names fewer than two entities, or a place that is no whole number."""
    said = {name: _words(block.text[span[0] + a : span[0] + b]) for name, (a, b) in spans.items()}
    named = [(kind, said[name]) for name, kind in pattern.entities.items() if name in said]
    named += [(kind, found[0]) for kind, expression in pattern.mentioned if (found := expression.search(sentence))]
    named += [(kinds[f"scope {key}"], block.scope[key]) for key in pattern.scope if key in block.scope]
    qualifiers = {kind: _filled(text, said) for kind, text in pattern.qualifiers.items()}
    index, to = block.index, None
    try:
        if pattern.to in said:
            to = int(said[pattern.to])
        if pattern.since in said:  # stated where it leads to
            index, to = int(said[pattern.since]), block.index
    except ValueError:  # words where a place should stand
        return None
    later = {said[name] for name in pattern.later if name in said} if to is not None else set()
    entities = [
        Entity(
            name=name,
            type=kind,
            explanation=kinds[kind],
            confidence=pattern.confidence,
            qualifier=qualifiers.get(kind, ""),
            side="to" if name in later else None,
        )
        for kind, name in named
        if name
    ]
    if len({(e.name, e.type) for e in entities}) < 2:
        return None
    stated = {name: said[name] for name in pattern.attributes if name in said}
    stated |= {
        name: same.get(stated[name].lower(), stated[name]) for name, same in pattern.values.items() if name in stated
    }
    attributes: dict[str, Any] = {name: quantity(value) for name, value in stated.items()} | pattern.set
    return Fact(
        entities=entities,
        relation=pattern.relation,
        description=block.text[span[0] : span[1]],
        attributes=attributes,
        confidence=pattern.confidence,
        index=index,
        about=pattern.about,
        to_index=to,
        scope=block.scope,
        group=block.group,
        document=block.document,
        chunk=block.id,
        start=block.start + span[0],
        end=block.start + span[1],
    )


def _words(text: str) -> str:
    """A name as the document writes it, white space made single."""
    return " ".join(text.split()).strip(" ,;:")


def _filled(text: str, said: dict[str, str]) -> str:
    return "".join(part + (said.get(name, "") if name else "") for part, name, _, _ in Formatter().parse(text))
