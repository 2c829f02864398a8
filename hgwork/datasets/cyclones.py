"""The bundled cyclone corpus: facts about storms and ports at their horizons, and documents rendered from them.

The facts come from CyPortQA and the National Hurricane Center's texts in it (see ``data/cyclones/README.md``); the
sentences are written for hgwork. A document is a storm and a port, with a section a horizon, in the layout of the
order-aware paper. Which form says a fact and in which order a section's sentences stand depend on the seed alone.
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import yaml

from ..schema import Document
from ._folder import data_folder
from .cyportqa.kinds import KINDS, unpack
from .cyportqa.wording import Form, pick, read_forms, say, spoken, variant

__all__ = ["cyclone_facts", "cyclone_sentences", "cyclones"]

SPLITS = ("train", "dev", "test")
_OPTIONAL = ("year", "horizon", "from_horizon", "time")
_AFTER = "After the storm, known only in hindsight"


def cyclones(
    split: str | None = None,
    rng: int | np.random.Generator = 0,
    *,
    wording: str = "mixed",
    changes: bool = True,
    hindsight: bool = True,
    shuffle: bool = True,
) -> list[Document]:
    """Documents of the cyclone corpus, one a storm and port.

    Parameters
    ----------
    split : {"train", "dev", "test"}, optional
        Only the storms of one part; default all. The split is by storm.
    rng : int or Generator
        Seed of wording and sentence order. The same seed gives the same bytes on every machine, and a document does
        not change with the split that is asked for.
    wording : {"mixed", "seen", "unseen"}
        For test storms: all forms, only those that training storms use too, or only those that they never use.
    changes : bool
        State changes from one horizon to the next.
    hindsight : bool
        End with a section of what was known only afterwards: late bulletins, disruption, recovery.
    shuffle : bool
        Shuffle the sentences of a section. False keeps the order of the table of facts, which is the order of phases,
        and so gives the order away.

    Returns
    -------
    list of Document
        `attributes`: `group` ("ALEX/Canaveral"), `storm`, `year`, `port`, `horizons` (list of int, largest first),
        `split`. `headings` marks the sections. Sorted by id ("cyclones/ALEX/Canaveral").

    Raises
    ------
    ValueError
        If an argument is not one of those above.

    Examples
    --------
    >>> text = cyclones("test")[0]
    >>> text.attributes["group"], text.attributes["horizons"]
    ('ALEX/Canaveral', [48, 36, 24, 12])
    >>> "T-48 hours before expected landfall:" in text.text
    True
    """
    return _render(split, rng, wording, changes, hindsight, shuffle)[0]


def cyclone_sentences(
    split: str | None = None,
    rng: int | np.random.Generator = 0,
    *,
    wording: str = "mixed",
    changes: bool = True,
    hindsight: bool = True,
    shuffle: bool = True,
) -> pd.DataFrame:
    """The sentences of :func:`cyclones` with the fact that each one states; the arguments are the same.

    Returns
    -------
    DataFrame
        Columns `document`, `group`, `start`, `end` (characters: ``text[start:end]`` is the sentence), `text`, `fact`,
        `form`, `held_out` (a form that training storms never use), `kind`, `family`, `of` (the family that changes, for
        family "cross_horizon"), `relation`, `horizon`, `from_horizon` (missing where there is none), `hindsight`,
        `time` (UTC of the source), `values` (dict), `entities` (list of (start in the sentence, text, type)).

    Examples
    --------
    >>> table = cyclone_sentences("test")
    >>> document, row = cyclones("test")[0], table.iloc[0]
    >>> document.text[row["start"]:row["end"]] == row["text"]
    True
    """
    return _render(split, rng, wording, changes, hindsight, shuffle)[1]


def cyclone_facts() -> pd.DataFrame:
    """The table of facts.

    Returns
    -------
    DataFrame
        Index `fact`. Columns `storm`, `year`, `port` ("" for facts of the storm alone), `horizon`, `from_horizon`,
        `kind`, `family`, `of`, `relation`, `values` (dict), `time` (UTC or missing), `hindsight`, `source`, `split`.

    Examples
    --------
    >>> cyclone_facts().loc["ALEX_2022/T-48/motion", "values"]
    {'direction': 'N', 'bearing': 360, 'speed_mph': 5}
    """
    table = _facts(_folder()).copy()
    table["values"] = [dict(values) for values in table["values"]]
    return table


def _folder() -> Path:
    return data_folder() / "cyclones"


@cache
def _facts(folder: Path) -> pd.DataFrame:
    path = folder / "facts.csv"
    whole = dict.fromkeys(("year", "horizon", "from_horizon"), "Int64")
    table = pd.read_csv(
        path, dtype={"storm": str, "port": str} | whole, keep_default_na=False, na_values={n: [""] for n in whole}
    )
    unknown = sorted(set(table["kind"]) - set(KINDS))
    if unknown:
        raise ValueError(f"{path}: no kind of fact is named {', '.join(unknown)}. Known: {', '.join(KINDS)}.")
    table["values"] = [unpack(line) for line in table["values"]]
    table["time"] = pd.to_datetime(table["time"].replace("", None), utc=True)
    place = list(table.columns).index("kind") + 1
    for offset, name in enumerate(("family", "of", "relation")):
        table.insert(place + offset, name, [getattr(KINDS[kind], name) for kind in table["kind"]])
    table["split"] = table["storm"].map(_splits(folder)).fillna("")
    return table.set_index("fact")


@cache
def _grouped(folder: Path) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """Facts by storm and port, as plain records with None for what is missing."""
    table = _facts(folder).reset_index()
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    columns = {name: [None if pd.isna(value) else value for value in table[name]] for name in _OPTIONAL}
    for n, record in enumerate(table.to_dict("records")):
        record |= {name: values[n] for name, values in columns.items()}
        groups.setdefault((record["storm"], record["port"]), []).append(record)
    return groups


@cache
def _splits(folder: Path) -> dict[str, str]:
    return pd.read_csv(folder / "splits.csv").set_index("storm")["split"].to_dict()


@cache
def _forms(folder: Path) -> dict[tuple[str, str], list[Form]]:
    return read_forms(yaml.safe_load((folder / "forms.yaml").read_text(encoding="utf-8")))


class _Options(NamedTuple):
    folder: Path
    seed: int
    wording: str
    changes: bool
    hindsight: bool
    shuffle: bool


def _render(split, rng, wording, changes, hindsight, shuffle) -> tuple[list[Document], pd.DataFrame]:
    if split is not None and split not in SPLITS:
        raise ValueError(f"split={split!r} is not one of {', '.join(SPLITS)}, or None for all")
    if wording not in ("mixed", "seen", "unseen"):
        raise ValueError(f"wording={wording!r} is not one of mixed, seen, unseen")
    seed = int(rng.integers(2**31)) if isinstance(rng, np.random.Generator) else int(rng)
    documents, rows = _rendered(split, _Options(_folder(), seed, wording, changes, hindsight, shuffle))
    own = [row | {"values": dict(row["values"]), "entities": list(row["entities"])} for row in rows]
    table = pd.DataFrame(own, columns=_COLUMNS).astype({"horizon": "Int64", "from_horizon": "Int64"})
    return list(documents), table


@lru_cache(maxsize=2)
def _rendered(split: str | None, options: _Options) -> tuple[tuple[Document, ...], list[dict[str, Any]]]:
    grouped = _grouped(options.folder)
    documents: list[Document] = []
    rows: list[dict[str, Any]] = []
    for storm, port in sorted(key for key in grouped if all(key)):
        facts = [*grouped.get(("", port), []), *grouped.get((storm, ""), []), *grouped[storm, port]]
        part = facts[-1]["split"]
        if split in (None, part):
            document, sentences = _document(storm, port, facts, part, options)
            documents.append(document)
            rows += sentences
    return tuple(documents), rows


_KEPT = ("fact", "kind", "family", "of", "relation", "horizon", "from_horizon", "hindsight", "time", "values")
_COLUMNS = ["document", "group", "start", "end", "text", "fact", "form", "held_out", *_KEPT[1:], "entities"]


def _document(storm: str, port: str, facts: list[dict], part: str, options: _Options) -> tuple[Document, list[dict]]:
    group = f"{storm}/{port}"
    name = f"cyclones/{group}"
    year = next(fact["year"] for fact in facts if fact["storm"])
    sections = _sections(facts, options)
    title = f"{storm.title()} ({year}) and {port}"
    text, headings = "", []
    rows: list[dict[str, Any]] = []
    for heading, members in sections:
        if heading:
            text += "\n\n" if text else ""
            headings.append((len(text), 1, heading))
            text += f"{heading}:\n"
        for fact in _ordered(members, name, options):
            sentence = _sentence(fact, name, storm, port, part, options)
            text += "" if text.endswith("\n") or not text else " "
            row = {"document": name, "group": group, "start": len(text), "end": len(text) + len(sentence.text)}
            row |= sentence._asdict() | {key: fact[key] for key in _KEPT}
            rows.append(row)
            text += sentence.text
    horizons = sorted({int(row["horizon"]) for row in rows if row["horizon"] is not None}, reverse=True)
    dates = [row["time"] for row in rows if row["horizon"] is not None and row["time"] is not None]
    attributes: dict[str, Any] = {"group": group, "storm": storm, "year": int(year), "port": port}
    attributes |= {"horizons": horizons, "split": part}
    date = min(dates).date().isoformat() if dates else None
    return Document(id=name, title=title, text=text, date=date, headings=headings, attributes=attributes), rows


def _sections(facts: list[dict], options: _Options) -> list[tuple[str, list[dict]]]:
    """Sections in order: what holds always (no heading), the horizons of the pair, hindsight."""
    own = {fact["horizon"] for fact in facts if fact["port"] and fact["horizon"] is not None}
    if not options.changes:
        facts = [fact for fact in facts if fact["family"] != "cross_horizon"]
    sections = [("", [fact for fact in facts if fact["horizon"] is None and not fact["hindsight"]])]
    for horizon in sorted(own, reverse=True):
        members = [fact for fact in facts if fact["horizon"] == horizon]
        known = [fact for fact in members if fact["from_horizon"] is None or fact["from_horizon"] in own]
        sections.append((f"T-{horizon} hours before expected landfall", known))
    if options.hindsight:
        sections.append((_AFTER, [fact for fact in facts if fact["hindsight"]]))
    return [(heading, members) for heading, members in sections if members]


def _ordered(facts: list[dict], document: str, options: _Options) -> list[dict]:
    if not options.shuffle:
        return facts
    return sorted(facts, key=lambda fact: (pick(2**62, options.seed, document, fact["fact"], "order"), fact["fact"]))


def _sentence(fact: dict, document: str, storm: str, port: str, part: str, options: _Options):
    forms = _forms(options.folder)[fact["kind"], variant(fact["kind"], fact["values"])]
    if part != "test" or options.wording == "seen":
        forms = [form for form in forms if not form.held_out]
    elif options.wording == "unseen":
        forms = [form for form in forms if form.held_out]
    form = forms[pick(len(forms), options.seed, document, fact["fact"], "form")]
    words = {"storm": storm.title(), "port": port} | spoken(fact["kind"], fact["values"], fact["from_horizon"])
    return say(form, words)
