"""Facts by a chat model: each block of a document by itself, or the document at once.

The prompt is a file, filled with the vocabulary of the domain; answers keep to a strict schema. What does not fit is
set aside with a reason. Asking block by block costs more calls, and keeps entities of different places apart
(appendix A.2 of [1]_); `coverage` shows the two side by side.

References
----------
.. [1] Knowledge Is Not Static: Order-Aware Hypergraph RAG for Language Models, equation 8.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Annotated, Any, Literal

import pandas as pd
from pydantic import BaseModel, WithJsonSchema

from ..corpus._evidence import locate
from ..models.structured import what_is_wrong
from ..schema import Document
from .blocks import PROBLEMS, Block
from .domain import Domain, load_domain
from .facts import Entity, Fact
from .quantities import quantity

if TYPE_CHECKING:
    from ..models.chat import Chat
    from .build import Extraction

__all__ = ["PROMPT", "coverage", "facts_by_chat"]

PROMPT = Path(__file__).parent / "prompts" / "extract.md"


class _Entity(BaseModel):
    name: str
    type: str
    explanation: str
    confidence: float
    side: Literal["from", "to", "none"]


class _Attribute(BaseModel):
    name: str
    value: str
    unit: str


class _Found(BaseModel):
    relation: str
    description: str
    entities: list[_Entity]
    attributes: list[_Attribute]
    confidence: float
    index: int | None
    to_index: int | None


def _schema() -> dict[str, Any]:
    """The schema of a fact with its parts written out, so that it can stand inside another."""
    schema = _Found.model_json_schema()
    parts = schema.pop("$defs")

    def inline(value):
        if isinstance(value, dict):
            if "$ref" in value:
                return inline(parts[value["$ref"].rpartition("/")[2]])
            return {key: inline(inner) for key, inner in value.items()}
        return [inline(inner) for inner in value] if isinstance(value, list) else value

    return inline(schema)


class Facts(BaseModel):
    """Facts of one text, each still unchecked: one bad record must not cost the others."""

    facts: list[Annotated[Any, WithJsonSchema(_schema())]]


def facts_by_chat(
    documents: Iterable[Document],
    blocks: Iterable[Block],
    domain: Domain,
    chat: Chat,
    whole: bool = False,
    progress: bool = True,
) -> tuple[list[Fact], pd.DataFrame]:
    """Ask a chat model for the facts of blocks.

    Parameters
    ----------
    documents : iterable of Document
    blocks : iterable of Block
        Of these documents; those without an index are passed over.
    domain : Domain
    chat : Chat
    whole : bool
        One question a document, which must then say to which place each fact belongs, instead of one a block.
    progress : bool

    Returns
    -------
    facts : list of Fact
        The evidence stands in the block that the fact belongs to; confidence is lower where it was not quoted exactly.
    problems : DataFrame
        `document`, `place`, `problem` ("no answer", "set aside"), `detail`.

    Raises
    ------
    ChatError
        If no endpoint is set.
    """
    placed: dict[str, list[Block]] = {}
    for block in blocks:
        if block.index is not None:
            placed.setdefault(block.document, []).append(block)
    if whole:
        asked = [(document.text, placed[document.id]) for document in documents if document.id in placed]
    else:
        asked = [(block.text, [block]) for here in placed.values() for block in here if block.text.strip()]
    prompt = _prompt(domain, whole)
    names = [here[0].document if whole else here[0].id for _, here in asked]
    answers = chat.ask_many([text for text, _ in asked], Facts, prompt, names, progress)
    facts: list[Fact] = []
    problems = []
    for (_, here), name, answer in zip(asked, names, answers, strict=True):
        place = "" if whole else domain.label(here[0].index)
        if not answer.ok:
            problems.append((here[0].document, place, "no answer", f"{name}: {answer.kind}: {answer.message}"))
            continue
        for record in answer.value.facts:
            try:
                facts.append(_fact(record, here, domain, whole))
            except ValueError as error:
                problems.append((here[0].document, place, "set aside", f"{what_is_wrong(error)}: {record!r:.200}"))
    return facts, pd.DataFrame(problems, columns=PROBLEMS)


def _prompt(domain: Domain, whole: bool) -> str:
    families = "\n".join(
        f"- {name}: {', '.join(family.relations)}. {family.description}" for name, family in domain.families.items()
    )
    types = "\n".join(
        f"- {name}: {kind.explanation}" for name, kind in domain.entity_types.items() if kind.kind != "anchor"
    )
    what = f"the {domain.index.column}, as in the header {domain.label(48)!r} of {48},"
    places = (
        f"{what} under which the sentence stands; `to_index` only for a change, the place it leads to; otherwise null."
    )
    if not whole:
        places = f"both null, except for a change: {what} it leads from and to, where the sentence says so."
    text = PROMPT.read_text("utf-8")
    return Template(text).substitute(description=domain.description, families=families, types=types, places=places)


def _fact(record: Any, here: list[Block], domain: Domain, whole: bool) -> Fact:
    found = _Found.model_validate(record)
    unknown = [entity.type for entity in found.entities if entity.type not in domain.entity_types]
    if unknown:
        raise ValueError(f"the type {unknown[0]!r} is not declared")
    blocks = [block for block in here if block.index == found.index] if whole else here
    if not blocks:
        raise ValueError(f"no block stands at {found.index!r}")
    names = [entity.name for entity in found.entities]
    for block in blocks:
        if place := locate(found.description, names, block.text):
            break
    else:
        raise ValueError("its evidence does not stand in its block")
    start, end, sure = place
    elsewhere = [other for other in here if other is not block and _bare(found.description) in _bare(other.text)]
    if sure < 1 and elsewhere:
        raise ValueError(f"its evidence does not stand in its block but at {domain.label(elsewhere[0].index)}")
    entities = [
        Entity(
            name=" ".join(entity.name.split()),
            type=entity.type,
            explanation=entity.explanation,
            confidence=entity.confidence,
            side=None if entity.side == "none" else entity.side,
        )
        for entity in found.entities
    ]
    return Fact(
        entities=entities,
        relation=found.relation,
        description=block.text[start:end],
        attributes={a.name: quantity(f"{a.value} {a.unit}".strip()) for a in found.attributes},
        confidence=found.confidence * sure,
        index=block.index if whole or found.index is None else found.index,
        to_index=found.to_index,
        scope=block.scope,
        group=block.group,
        document=block.document,
        chunk=block.id,
        start=block.start + start,
        end=block.start + end,
        origin="model",
    )


def _bare(text: str) -> str:
    return " ".join(text.split()).casefold()


def coverage(extractions: Mapping[str, Extraction], domain: Domain | str) -> pd.DataFrame:
    """What several extractions of the same documents found, side by side.

    Parameters
    ----------
    extractions : mapping of name to Extraction
        Such as ``{"by block": …, "whole": …}``.
    domain : Domain, name or path

    Returns
    -------
    DataFrame, one row an extraction
        `facts`, `entities` (different names by type and place), `attributes`, `relations` and `families` of the
        vocabulary in use, `places` with a fact of `of` places in all, `grounded` (share of names inside the
        evidence), `set_aside`, `unanswered`.
    """
    from .clean import canonicalise_ids, normalise_relations

    domain, rows = load_domain(domain), {}
    for name, extraction in extractions.items():
        H, _ = normalise_relations(extraction.hypergraph, domain)
        _, grounding = canonicalise_ids(H, domain)
        facts, problems = extraction.facts, extraction.problems["problem"]
        known = H.edges["family"].dropna()
        rows[name] = {
            "facts": len(facts),
            "entities": len({(e.name, e.type, f.group, f.index) for f in facts for e in f.entities}),
            "attributes": sum(len(fact.attributes) for fact in facts),
            "relations": H.edges["relation"][known.index].nunique(),
            "families": known.nunique(),
            "places": len({(fact.group, fact.index) for fact in facts}),
            "of": len({(block.group, block.index) for block in extraction.blocks if block.index is not None}),
            "grounded": grounding.loc["all", "rate"],
            "set_aside": int((problems == "set aside").sum()),
            "unanswered": int((problems == "no answer").sum()),
        }
    return pd.DataFrame.from_dict(rows, orient="index")
