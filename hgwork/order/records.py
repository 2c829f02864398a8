"""Facts of dictionaries: which key states which relation is in the domain file.

Made for scenario blocks such as those of CyPortQA [1]_, whose fields are text that a model wrote: values that say
nothing, keys nobody expects, a block nested one level too deep. What is not used is reported.

References
----------
.. [1] Kuai et al., CyPortQA, a benchmark for tropical cyclones and port operation (2026).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd
from tqdm import tqdm

from .blocks import PROBLEMS
from .domain import Domain, RecordFact
from .facts import Entity, Fact
from .quantities import quantity

__all__ = ["facts_of_records"]

_KEY = re.compile(r"\{([^{}]+)\}")
_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")


def facts_of_records(
    records: Iterable[Mapping], domain: Domain, progress: bool = True
) -> tuple[list[Fact], pd.DataFrame]:
    """Read records by the mapping of the domain.

    Parameters
    ----------
    records : iterable of mapping
        ``{"document": id, "index": 48, "record": {…}}``, optional ``"scope"`` ({"storm": "IRMA 2017"}), which goes
        before what the record says of itself.
    domain : Domain
        With a section `records`.
    progress : bool

    Returns
    -------
    facts : list of Fact
        The evidence is the sentence of the mapping with the values of the record in it.
    problems : DataFrame
        `document`, `place`, `problem` ("no record", "no index", "no scope", "nested", "unused
        key", "no fact"), `detail`.

    Raises
    ------
    ValueError
        If the domain has no mapping for records.
    """
    if domain.records is None:
        raise ValueError(
            f"the domain {domain.name!r} has no section `records`: add one to its file, or give documents."
        )
    used = _used_keys(domain)
    facts: list[Fact] = []
    problems: list[tuple[str, str, str, str]] = []
    types = {name: kind.explanation for name, kind in domain.entity_types.items()}
    for number, given in enumerate(tqdm(list(records), "extract", unit="record", disable=not progress)):
        document = str(given.get("document") or f"record {number}")
        record, index = given.get("record"), given.get("index")
        if not isinstance(record, Mapping):
            problems.append((document, "", "no record", f"{type(record).__name__} instead of a dictionary; skipped"))
            continue
        try:
            index = int(index)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            problems.append((document, "", "no index", f"index {index!r} is no whole number; skipped"))
            continue
        values, notes = _flat(record, used)
        problems += [(document, domain.label(index), *note) for note in notes]
        values = {key: value for key, value in values.items() if value is not None}
        scope = _scope(values, given.get("scope") or {}, domain)
        if lost := [key for key in domain.scope if key not in scope]:
            problems.append((document, domain.label(index), "no scope", f"{', '.join(lost)} not stated; skipped"))
            continue
        chunk = f"{document}/{index}"
        about: dict[str, Any] = {
            "index": index,
            "scope": scope,
            "group": domain.group.format(**scope),
            "document": document,
        }
        found = [_fact(fact, values, scope, domain, types) for fact in domain.records.facts]
        facts += [Fact(**known, **about, chunk=chunk, origin="record") for known in found if known]
        if not any(found):
            problems.append((document, domain.label(index), "no fact", "none of the keys of the mapping has a value"))
    return facts, pd.DataFrame(problems, columns=PROBLEMS)


def _used_keys(domain: Domain) -> set[str]:
    assert domain.records is not None
    used = {*domain.records.scope.values(), *domain.records.ignore}
    for fact in domain.records.facts:
        used |= {key for key in _KEY.findall(fact.text) if key not in domain.scope}
        used |= {*fact.entities, *fact.attributes.values()}
    return used


def _flat(record: Mapping, used: set[str]) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Values by dotted key, and what was odd: a block nested one level too deep is found where its keys are."""
    values: dict[str, str] = {}
    notes: list[tuple[str, str]] = []
    stray: list[str] = []
    for path, value in _leaves(record):
        key = ".".join(path)
        if key not in used:
            shorter = [".".join(path[:i] + path[i + 1 :]) for i in range(len(path) - 1)]
            better = next((name for name in shorter if name in used), None)
            if better is None:
                stray.append(key)
                continue
            notes.append(("nested", f"{key} was read as {better}"))
            key = better
        values.setdefault(key, _text(value))
    if stray:
        notes.append(("unused key", ", ".join(repr(key[:60]) for key in stray[:5])))
    return values, notes


def _leaves(record: Mapping, path: tuple[str, ...] = ()):
    for key, value in record.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, (*path, str(key)))
        else:
            yield (*path, str(key)), value


def _text(value: Any) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else "" if value is None else str(value)
    return " ".join(text.replace("\0", " ").split()).strip(" .")


def _scope(values: Mapping[str, str], given: Mapping[str, str], domain: Domain) -> dict[str, str]:
    assert domain.records is not None
    stated = {name: values.get(key, "") for name, key in domain.records.scope.items()} | dict(given)
    return {name: str(stated[name]) for name in domain.scope if stated.get(name) not in (None, "")}


def _fact(fact: RecordFact, values: Mapping[str, str], scope, domain: Domain, types) -> dict[str, Any] | None:
    """What a record says of one entry of the mapping, None where a value that the sentence needs is empty."""
    assert domain.records is not None
    empty = {word.casefold() for word in domain.records.empty}

    def said(key: str) -> str | None:
        value = scope.get(key) or values.get(key, "")
        if value in fact.say:
            return fact.say[value]
        return None if value.casefold() in empty else value

    def part(match: re.Match[str]) -> str:
        inside = match[1]
        return inside if all(said(key) is not None for key in _KEY.findall(inside)) else ""

    template = _OPTIONAL.sub(part, fact.text)
    wanted = [*_KEY.findall(template), *fact.entities]
    if any(said(key) is None for key in wanted):
        return None
    text = _KEY.sub(lambda match: said(match[1]) or "", template)
    named = [(kind, said(key) or "") for key, kind in fact.entities.items()] + list(fact.mentions.items())
    named += [(domain.scope[key].type, scope[key]) for key in fact.scope]
    entities = [
        Entity(
            name=name,
            type=kind,
            explanation=types[kind],
            qualifier=fact.qualifiers.get(kind, ""),
            confidence=fact.confidence,
        )
        for kind, name in named
    ]
    stated = {name: said(key) for name, key in fact.attributes.items()}
    attributes = {name: quantity(value) for name, value in stated.items() if value is not None} | fact.set
    if len({(e.name, e.type) for e in entities}) < 2:
        return None
    return {
        "entities": entities,
        "relation": fact.relation,
        "description": text,
        "attributes": attributes,
        "confidence": fact.confidence,
    }
