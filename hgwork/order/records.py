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

from ..schema import UNSTORABLE
from .blocks import LARGEST, PROBLEMS
from .domain import Domain, RecordFact
from .facts import Entity, Fact
from .quantities import quantity

__all__ = ["facts_of_records"]

_DEEPEST = 100
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
        key", "unstorable", "repeated record", "no fact"), `detail`.

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
    seen: dict[tuple[str, int], int] = {}  # (group, place) -> the first record of it
    for number, given in enumerate(tqdm(list(records), "extract", unit="record", disable=not progress)):
        document = _storable(str(given.get("document") or f"record {number}"))
        record, index = given.get("record"), _whole(given.get("index"))
        stated = given.get("scope") or {}
        if not isinstance(record, Mapping) or not isinstance(stated, Mapping):
            what, wrong = ("record", record) if not isinstance(record, Mapping) else ("scope", stated)
            detail = f"{what}: {type(wrong).__name__} instead of a dictionary; skipped"
            problems.append((document, "", "no record", detail))
            continue
        if index is None:
            problems.append((document, "", "no index", f"index {given.get('index')!r} is no whole number; skipped"))
            continue
        try:
            values, notes = _flat(record, used)
        except RecursionError:
            problems.append((document, domain.label(index), "no record", "nested too deep to be read; skipped"))
            continue
        problems += [(document, domain.label(index), *note) for note in notes]
        problems += [
            (document, domain.label(index), "unused key", f"{key!r} is no key of the scope")
            for key in stated
            if key not in domain.scope
        ]
        scope = _scope(values, stated, domain)
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
        first = seen.setdefault((about["group"], index), number)
        if first != number:
            detail = f"record {number} is of the same group and place as record {first}; both count"
            problems.append((document, domain.label(index), "repeated record", detail))
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
    leaves = list(_leaves(record))
    present = {".".join(path) for path, _ in leaves} & used
    for path, value in leaves:
        key = ".".join(path)
        if key not in used:
            shorter = [".".join(path[:i] + path[i + 1 :]) for i in range(len(path) - 1)]
            better = next((name for name in shorter if name in used), None)
            if better is None:
                stray.append(key)
                continue
            if better in values or better in present:
                notes.append(("nested", f"{key} was left out: {better} itself counts"))
                continue
            notes.append(("nested", f"{key} was read as {better}"))
            key = better
        values.setdefault(key, _text(value))
        if UNSTORABLE.search(str(value)):
            notes.append(("unstorable", f"{key}: a character that no file holds was replaced by a blank"))
    if stray:
        more = f", and {len(stray) - 5} more" if len(stray) > 5 else ""
        notes.append(("unused key", ", ".join(repr(key[:60]) for key in stray[:5]) + more))
    return values, notes


def _leaves(record: Mapping, path: tuple[str, ...] = ()):
    if len(path) > _DEEPEST:  # not left to the interpreter: libraries raise its limit
        raise RecursionError
    for key, value in record.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, (*path, str(key)))
        else:
            yield (*path, str(key)), value


def _text(value: Any) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else "" if value is None else str(value)
    return " ".join(_storable(text).split()).strip(" .")


def _storable(text: str) -> str:
    return UNSTORABLE.sub(" ", text)


def _whole(index: Any) -> int | None:
    """A place: a whole number, or text that is one; None for anything else, however near."""
    try:
        whole = int(index)
        exact = not isinstance(index, bool) and (isinstance(index, str) or whole == index)
    except (TypeError, ValueError, OverflowError):
        return None
    return whole if exact and abs(whole) < LARGEST else None


def _scope(values: Mapping[str, str], given: Mapping[str, str], domain: Domain) -> dict[str, str]:
    assert domain.records is not None
    stated = {name: values.get(key, "") for name, key in domain.records.scope.items()} | dict(given)
    said = {name: _text(stated[name]) for name in domain.scope if stated.get(name) is not None}
    return {name: text for name, text in said.items() if text}


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
