"""A domain of ordered knowledge as data: one YAML file names its relations, phases, anchors and patterns.

Nothing in this room knows what a cyclone or a pump is. A domain file gives the controlled vocabulary (families in
canonical order, each with its relations and their aliases), the entity types with the shape of their identifiers, the
headers at which a document is cut, the patterns that find facts, and the rules that order them [1]_.

References
----------
.. [1] Knowledge Is Not Static: Order-Aware Hypergraph RAG for Language Models, appendices A.1 to A.3.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property, lru_cache
from pathlib import Path
from string import Formatter
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from ..io._files import read_text
from ..schema import Text
from ._expressions import endless

__all__ = [
    "Change",
    "Domain",
    "EntityType",
    "Family",
    "Pattern",
    "RecordFact",
    "Relation",
    "Rule",
    "fields_of",
    "load_domain",
]

DOMAINS = Path(__file__).parent / "domains"


def load_domain(name: str | Path | Domain) -> Domain:
    """Read a domain.

    Parameters
    ----------
    name : str, path or Domain
        A packaged domain ("cyclones", "failures"), a YAML file, or a domain, which is given back.

    Returns
    -------
    Domain

    Raises
    ------
    FileNotFoundError
        If there is neither such a packaged domain nor such a file; the message lists the packaged ones.
    ValueError
        If the file is not YAML, has an unknown or missing key, or contradicts itself; the message names file and key.

    Examples
    --------
    >>> domain = load_domain("cyclones")
    >>> len(domain.families), len(domain.phases), domain.family_of["has_motion"]
    (13, 6, 'cyclone_state')
    """
    if isinstance(name, Domain):
        return name
    if not isinstance(name, (str, Path)):
        raise TypeError(f"a domain is given by its name or the path of its YAML file, not by {type(name).__name__}.")
    packaged = DOMAINS / f"{name}.yaml"
    path = packaged if packaged.is_file() else Path(name)
    if not path.is_file():
        known = ", ".join(sorted(file.stem for file in DOMAINS.glob("*.yaml")))
        raise FileNotFoundError(f"no domain {str(name)!r}: give one of {known}, or the path of a YAML file.")
    return _read(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=16)
def _read(path: Path, _changed: int) -> Domain:
    import yaml

    try:
        content = yaml.load(read_text(path), _loader())
    except yaml.YAMLError as error:
        raise ValueError(f"{path.name} is not YAML: {error}") from error
    except RecursionError:
        raise ValueError(f"{path.name} is nested too deep to be a domain file.") from None
    if not isinstance(content, dict):
        raise ValueError(f"{path.name} holds no mapping: a domain file begins with `name:`.")
    try:
        return Domain.model_validate(content)
    except RecursionError:
        raise ValueError(f"{path.name} holds a part that contains itself: write it out.") from None
    except ValidationError as error:
        faults = [f"{'.'.join(map(str, e['loc'])) or 'file'}: {_said(e)}" for e in error.errors(include_url=False)]
        more = f"; and {len(faults) - 5} more" if len(faults) > 5 else ""
        raise ValueError(f"{path.name}: {'; '.join(faults[:5])}{more}") from error


def _loader():
    """Safe YAML that refuses a key given twice, which YAML would quietly let the last one win."""
    import yaml

    class Loader(yaml.SafeLoader):
        pass

    def mapping(loader, node, deep=False):
        seen = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise yaml.YAMLError(f"line {key.start_mark.line + 1}: a key is plain text.")
            if key.value in seen:
                raise yaml.YAMLError(f"the key {key.value!r} stands twice, line {key.start_mark.line + 1}.")
            seen.add(key.value)
        loader.flatten_mapping(node)
        return yaml.SafeLoader.construct_mapping(loader, node, deep)

    Loader.construct_mapping = mapping  # type: ignore[method-assign]
    return Loader


def _said(error) -> str:
    return "unknown key; remove it or correct its spelling" if error["type"] == "extra_forbidden" else error["msg"]


Finite = Annotated[float, Field(allow_inf_nan=False)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _compiled(pattern: str, named: tuple[str, ...] = ()) -> str:
    try:
        groups = re.compile(pattern).groupindex
    except re.error as error:
        raise ValueError(f"not a regular expression: {error}") from error
    if missing := [name for name in named if name not in groups]:
        raise ValueError(f"the expression has no group (?P<{missing[0]}>…)")
    if endless(pattern):
        raise ValueError(
            f"{pattern[:60]!r} repeats a repetition, as (x+)+ does: some texts would take it for ever. "
            "Repeat once, or put something that must stand between"
        )
    return pattern


def _line(pattern: str, named: tuple[str, ...] = ()) -> str:
    """An expression for a line that cuts a document: it may not find the empty text."""
    if re.search(_compiled(pattern, named), "", re.MULTILINE | re.IGNORECASE):
        raise ValueError(f"{pattern[:60]!r} is found in the empty text, and so everywhere")
    return pattern


def fields_of(text: str) -> list[str]:
    """Names of the fields of a format: "{storm}/{port}" gives storm, port."""
    return [field for _, field, _, _ in Formatter().parse(text) if field is not None]


def _fillable(text: str, where: str, among: Iterable[str], **values: Any) -> None:
    """Refuse a format that cannot be filled with what there will be."""
    if lost := [name for name in fields_of(text) if name not in {*among, *values}]:
        raise ValueError(f"{where} {lost[0]!r} is not declared; there are {', '.join([*among, *values])}")
    try:
        text.format(**dict.fromkeys(among, "x"), **values)
    except (ValueError, LookupError, AttributeError) as error:
        raise ValueError(f"{where}: {text!r} cannot be filled in ({error})") from None


class Aside(_Strict):
    """A header that names no place, such as one for what was only known afterwards, and the place it is given."""

    match: str
    index: int

    _check = field_validator("match")(lambda cls, text: _line(text))


class Index(_Strict):
    """How places in the sequence are counted and written.

    `column` is "horizon" (larger is earlier) or "position" (smaller is earlier); `label` and `anchor` are formats
    of ``{index}``; `units` turn the group `unit` of a header into a factor; `expected` lists the usual places.
    """

    column: Literal["horizon", "position"]
    label: str
    anchor: str
    anchor_type: str
    units: dict[str, Annotated[float, Field(gt=0, allow_inf_nan=False)]] = {}
    expected: list[int] = []

    @field_validator("label", "anchor")
    @classmethod
    def _indexed(cls, text: str) -> str:
        if fields_of(text) != ["index"]:
            raise ValueError("a format with exactly one {index}")
        _fillable(text, "the format", [], index=48)
        return text


class ScopeKey(_Strict):
    """A thing that holds for a whole stretch of a document, such as its storm; `case` is that of its identifier."""

    type: str
    case: Literal["keep", "lower", "upper"] = "lower"


class EntityType(_Strict):
    """A type: `kind` of the three of the paper, and the format of its identifiers.

    Fields of `id`: any key of the scope, ``{anchor}`` (the label of the place), ``{name}``, ``{qualifier}``.
    """

    kind: Literal["persistent", "transient", "anchor"]
    id: str
    explanation: str = ""

    @model_validator(mode="after")
    def _placed(self):
        if self.kind != "anchor" and ("{anchor}" in self.id) != (self.kind == "transient"):
            raise ValueError(
                f"{self.kind}, so its id {'needs' if self.kind == 'transient' else 'may not hold'} {{anchor}}"
            )
        return self


class Relation(_Strict):
    """A relation of the vocabulary; `key` lists the attributes that tell its series apart, `underlying` the family
    that a change speaks of where its facts do not say."""

    description: str = ""
    aliases: list[str] = []
    key: list[str] = []
    underlying: str | None = None


class Family(_Strict):
    """A semantic family. Where `ordered`, its relations are steps of their own in the order listed. A family
    without a phase works between places of the sequence (`crossing`)."""

    phase: str | None = None
    description: str = ""
    ordered: bool = False
    relations: dict[Annotated[Text, Field(min_length=1)], Relation] = Field(min_length=1)

    @property
    def crossing(self) -> bool:
        return self.phase is None


class Rule(_Strict):
    """Facts of `before` (families or relations) precede those of `after`: at the `same` place, or at `any`."""

    name: str
    before: list[str] = Field(min_length=1)
    after: list[str] = Field(min_length=1)
    at: Literal["same", "any"] = "same"


class Change(_Strict):
    """A hyperedge to make where facts of one series differ from one place to the next.

    `of` are families or relations. Where `attribute` is given only it is compared; "rises" and "falls" compare
    numbers, or places on the `scale`. The first change that fits a series is taken.
    """

    relation: str
    of: list[str] = Field(min_length=1)
    when: Literal["differs", "rises", "falls"] = "differs"
    attribute: str | None = None
    scale: list[str] = []


class Pattern(_Strict):
    """What to find in a sentence.

    `match` is a regular expression that must be found, `unless` one that must not. Named groups of `match`, and the
    names of `find` (an expression each, looked for anywhere in the sentence, so that word order does not matter) are
    entities (`entities`: name -> type) and attributes (`attributes`; numbers are parsed). Names of `find` that end in
    "?" may be missing. `mentions` adds entities by words that the sentence holds (type -> expression), `scope` those
    of the scope; `qualifiers` are type -> text, or ``{name}``, that tells two of a type apart; `set` gives attributes
    as they are, `values` one value for several wordings of an attribute. `since` names the earlier place of a change
    that the sentence states, `to` a later one;
    `later` lists the names of entities that belong to the later place, `about` the family
    of the change where the relation does not say it. Where `since` or `to` is no whole number there is no fact.
    """

    relation: str
    match: str
    unless: str | None = None
    find: dict[str, str] = {}
    entities: dict[str, str] = {}
    qualifiers: dict[str, str] = {}
    attributes: list[str] = []
    mentions: dict[str, str] = {}
    set: dict[str, str | Finite] = {}
    values: dict[str, dict[str, str]] = {}
    scope: list[str] = []
    since: str | None = None
    to: str | None = None
    later: list[str] = []
    about: str | None = None
    confidence: float = Field(default=1.0, gt=0, le=1)

    @model_validator(mode="after")
    def _groups(self):
        for text in (self.match, self.unless, *self.find.values(), *self.mentions.values()):
            _compiled(text or "")
        names = {*re.compile(self.match).groupindex, *(name.rstrip("?") for name in self.find)}
        used = [*self.entities, *self.attributes, *self.values, *self.later, *filter(None, [self.to, self.since])]
        used += [name for text in self.qualifiers.values() for name in fields_of(text)]
        if lost := [name for name in used if name not in names]:
            raise ValueError(f"{lost[0]!r} is neither a group of `match` nor a name of `find`")
        if left := re.search(r"<<\w+>>", " ".join([self.match, self.unless or "", *self.find.values()])):
            raise ValueError(f"{left[0]} is not among `words`")
        return self

    @cached_property
    def expression(self) -> re.Pattern[str]:
        return re.compile(self.match)

    @cached_property
    def excluded(self) -> re.Pattern[str] | None:
        return re.compile(self.unless) if self.unless else None

    @cached_property
    def finders(self) -> list[tuple[str, bool, re.Pattern[str]]]:
        """(name, needed, expression); the first group is taken where there is one."""
        return [(name.rstrip("?"), not name.endswith("?"), re.compile(text)) for name, text in self.find.items()]

    @cached_property
    def mentioned(self) -> list[tuple[str, re.Pattern[str]]]:
        return [(kind, re.compile(text)) for kind, text in self.mentions.items()]


class RecordFact(_Strict):
    """What a dictionary says: `text` is a sentence with ``{dotted.key}``; a part in square brackets is left out where
    a key in it is empty; ``{scope key}`` is the name of that entity. `entities` are dotted key -> type, `attributes`
    name -> dotted key, `mentions` type -> words of the text; `say` puts words for a value that would
    otherwise be empty."""

    relation: str
    text: str
    entities: dict[str, str] = {}
    qualifiers: dict[str, str] = {}
    mentions: dict[str, str] = {}
    attributes: dict[str, str] = {}
    set: dict[str, str | Finite] = {}
    say: dict[str, str] = {}
    scope: list[str] = []
    confidence: float = Field(default=1.0, gt=0, le=1)


class Records(_Strict):
    """Facts of dictionaries; `scope` is scope key -> dotted key, `empty` are values that say nothing."""

    scope: dict[str, str] = {}
    empty: list[str] = []
    ignore: list[str] = []
    facts: list[RecordFact]


class Domain(_Strict):
    """A domain file; see the fields of its parts.

    Attributes
    ----------
    families : dict of str to Family
        In canonical order.
    phases : list of str
        In canonical order; every family but the crossing one has one.
    rules : list of Rule
        Causal chains and any further order.
    family_of, alias_of : dict
        Relation -> family; alias -> relation.
    """

    name: str
    description: str = ""
    index: Index
    scope: dict[str, ScopeKey] = {}
    group: str
    scope_patterns: list[str] = []
    headers: list[str] = []
    asides: list[Aside] = []
    words: dict[str, str] = {}
    abbreviations: list[str] = []
    entity_types: dict[str, EntityType]
    phases: list[str] = Field(min_length=1)
    families: dict[str, Family] = Field(min_length=1)
    rules: list[Rule] = []
    changes: list[Change] = []
    change_text: str = "{relation}: {attribute} of {subject} goes from {old} at {start} to {new} at {end}."
    patterns: list[Pattern] = []
    records: Records | None = None

    @model_validator(mode="before")
    @classmethod
    def _spelled_out(cls, content: Any) -> Any:
        """Put the expressions of `words` where patterns say ``<<name>>``."""
        words = content.get("words") if isinstance(content, dict) else None
        if not isinstance(words, dict) or not isinstance(content.get("patterns"), list):
            return content

        def filled(value):
            if isinstance(value, str):
                for name, text in words.items():
                    value = value.replace(f"<<{name}>>", f"(?:{text})")
                return value
            return {k: filled(v) for k, v in value.items()} if isinstance(value, dict) else value

        return content | {"patterns": [filled(pattern) for pattern in content["patterns"]]}

    @field_validator("headers")
    @classmethod
    def _headers(cls, patterns: list[str]) -> list[str]:
        return [_line(pattern, ("index",)) for pattern in patterns]

    @field_validator("scope_patterns")
    @classmethod
    def _scopes(cls, patterns: list[str]) -> list[str]:
        return [_line(pattern) for pattern in patterns]

    @cached_property
    def family_of(self) -> dict[str, str]:
        return {relation: name for name, family in self.families.items() for relation in family.relations}

    @cached_property
    def relations(self) -> dict[str, Relation]:
        return {name: relation for family in self.families.values() for name, relation in family.relations.items()}

    @cached_property
    def alias_of(self) -> dict[str, str]:
        return {alias: name for name, relation in self.relations.items() for alias in relation.aliases}

    @cached_property
    def crossing(self) -> str | None:
        """The family whose hyperedges lead from one place to another."""
        return next((name for name, family in self.families.items() if family.crossing), None)

    @cached_property
    def steps(self) -> dict[str, int]:
        """Relation -> its place in the canonical order within one place of the sequence; families 1 to n, and the
        relations of an ordered family one after the other."""
        steps, place = {}, 0
        for family in self.families.values():
            for number, relation in enumerate(family.relations):
                place += number == 0 or family.ordered
                steps[relation] = place
        return steps

    def relations_of(self, names: list[str]) -> list[str]:
        """The relations that families and relations stand for."""
        families = [list(self.families[name].relations) if name in self.families else [name] for name in names]
        return [relation for family in families for relation in family]

    def label(self, index: Any) -> str:
        """How a place is written: "T-48"."""
        return self.index.label.format(index=int(index))

    def anchor(self, index: Any) -> str:
        """The entity that stands for a place: "horizon:T-48"."""
        return self.index.anchor.format(index=int(index))

    @model_validator(mode="after")
    def _consistent(self):
        known = {*self.families, *self.relations}
        everywhere = [name for family in self.families.values() for name in family.relations]
        checks: list[tuple[str, Any, Any]] = [
            ("families: the phase", [f.phase for f in self.families.values() if f.phase], self.phases),
            ("index.anchor_type", [self.index.anchor_type], self.entity_types),
            ("scope: the type", [key.type for key in self.scope.values()], self.entity_types),
            ("rules", [name for rule in self.rules for name in rule.before + rule.after], known),
            ("changes.of", [name for change in self.changes for name in change.of], known),
            ("changes.relation", [change.relation for change in self.changes], self.relations),
            ("relations: underlying", [r.underlying for r in self.relations.values() if r.underlying], self.families),
        ]
        found: list[Pattern | RecordFact] = [*self.patterns, *(self.records.facts if self.records else [])]
        checks += [
            ("patterns and records: the relation", [pattern.relation for pattern in found], self.relations),
            (
                "patterns and records: the type",
                [t for p in found for t in [*p.entities.values(), *p.mentions, *p.qualifiers]],
                self.entity_types,
            ),
            ("patterns and records: scope", [key for p in found for key in p.scope], self.scope),
            ("patterns: about", [p.about for p in self.patterns if p.about], self.families),
            ("records.scope", list(self.records.scope) if self.records else [], self.scope),
            ("scope_patterns", [g for p in self.scope_patterns for g in re.compile(p).groupindex], self.scope),
        ]
        _fillable(self.group, "group", self.scope)
        for name, kind in self.entity_types.items():
            _fillable(kind.id, f"entity_types.{name}.id", [*self.scope, "anchor", "name", "qualifier"])
        _fillable(self.change_text, "change_text", CHANGE_FIELDS)
        for where, names, among in checks:
            if lost := [name for name in names if name not in among]:
                raise ValueError(f"{where} {lost[0]!r} is not declared; there are {', '.join(map(str, among))}")
        if self.entity_types[self.index.anchor_type].kind != "anchor":
            raise ValueError(f"index.anchor_type {self.index.anchor_type!r} is of a type whose kind is not anchor")
        if again := next((name for name in self.phases if self.phases.count(name) > 1), None):
            raise ValueError(f"phases: {again!r} stands twice")
        if twice := next((name for name in everywhere if everywhere.count(name) > 1), None):
            raise ValueError(f"families: the relation {twice!r} stands in two families")
        if len([family for family in self.families.values() if family.crossing]) > 1:
            raise ValueError("families: only one may lack a phase, the one between places of the sequence")
        aliases = [alias for relation in self.relations.values() for alias in relation.aliases]
        if again := next((a for a in aliases if aliases.count(a) > 1 or a in self.relations), None):
            raise ValueError(f"families: the alias {again!r} stands for two relations")
        if wrong := next((c.relation for c in self.changes if self.family_of[c.relation] != self.crossing), None):
            raise ValueError(f"changes.relation {wrong!r} belongs to a family with a phase")
        crossing = {self.crossing, *(self.families[self.crossing].relations if self.crossing else ())}
        if wrong := next((name for change in self.changes for name in change.of if name in crossing), None):
            raise ValueError(f"changes.of {wrong!r} is a change itself: name what changes")
        if taken := next((key for key in self.scope if key in RESERVED), None):
            raise ValueError(f"scope: {taken!r} is a column of its own; name the key otherwise")
        return self


CHANGE_FIELDS = ("relation", "attribute", "subject", "old", "new", "start", "end")
RESERVED = frozenset(
    [
        "edge",
        "relation",
        "stated_relation",
        "text",
        "document",
        "chunk",
        "start",
        "end",
        "group",
        "horizon",
        "position",
        "to_horizon",
        "to_position",
        "family",
        "phase",
        "underlying",
        "attributes",
        "confidence",
        "origin",
        "domain",
        "date",
        "doi",
        "kind",
        "node",
        "role",
        "weight",
    ]
)
