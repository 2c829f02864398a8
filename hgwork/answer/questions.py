"""Questions about what changes: their forms as data, rendered for evaluation and recognised by readers.

A reader that is given the text of a question knows no more than the text says. Which kind of question it is and what
it asks about are read back from it by the forms of the domain.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

__all__ = ["Asked", "Attribute", "Event", "QuestionForms", "question_forms"]


@dataclass(frozen=True)
class Attribute:
    """What can be asked about: an entry of `attributes` in the file of forms."""

    name: str
    phrase: str
    type: str
    relation: str
    value: str
    of: tuple[str, ...]
    unit: str = ""
    where: Mapping[str, str] = field(default_factory=dict, hash=False)
    towards: str = ""
    strip: str = ""
    rest: str = ""


@dataclass(frozen=True)
class Event:
    """The first time that an attribute reaches a number (by rising or falling) or takes a state."""

    attribute: str
    x: float | None = None
    state: str = ""

    def holds(self, value: Any, towards: str) -> bool:
        """Whether a reading is one of those meant."""
        if self.x is None:
            return value == self.state
        return isinstance(value, float) and (value >= self.x if towards == "rises" else value <= self.x)


@dataclass(frozen=True)
class Asked:
    """A question as understood.

    Attributes
    ----------
    kind : str
    scope : mapping
        Such as ``{"storm": "ALEX", "port": "Canaveral"}``, as written in the question.
    a, b : str
        Attributes; "" where the kind needs none.
    event, later : Event, optional
        `later` also holds the reason of "justified".
    x, state : threshold and state of "joint" and "longest_run"
    """

    kind: str
    scope: Mapping[str, str] = field(hash=False)
    a: str = ""
    b: str = ""
    event: Event | None = None
    later: Event | None = None
    x: float | None = None
    state: str = ""

    @property
    def attributes(self) -> list[str]:
        """All attributes that the answer depends on, each once."""
        held = [self.a, self.b, *(e.attribute for e in (self.event, self.later) if e)]
        return [name for name in dict.fromkeys(held) if name]


class QuestionForms:
    """The forms of one domain.

    Attributes
    ----------
    domain : str
    scope : tuple of str
    attributes : dict of name to Attribute
    kinds, controls : dict of kind to list of forms
        Kinds whose answers depend on the order of reports, and kinds whose answers do not.
    choices : dict of kind to list of str

    Raises
    ------
    ValueError
        If the file is not as it should be; the message names the entry.
    """

    def __init__(self, path: Path):
        given = yaml.safe_load(path.read_text(encoding="utf-8"))
        if not isinstance(given, dict) or not {"domain", "scope", "attributes", "events", "kinds"} <= set(given):
            raise ValueError(f"{path}: needs domain, scope, attributes, events and kinds.")
        self.domain, self.scope = given["domain"], tuple(given["scope"])
        self.attributes = {name: _attribute(path, name, entry) for name, entry in given["attributes"].items()}
        self.events, self.kinds = given["events"], given["kinds"]
        self.controls, self.choices = given.get("controls", {}), given.get("choices", {})
        self._by_phrase = {held.phrase: name for name, held in self.attributes.items()}
        everything = {**self.kinds, **self.controls}
        self._patterns = [(kind, self._compiled(form)) for kind, forms in everything.items() for form in forms]

    # ---------------------------------------------------------------- render

    def render(self, asked: Asked, wording: int = 0) -> str:
        """The question in words; `wording` picks a form."""
        forms = {**self.kinds, **self.controls}[asked.kind]
        words = dict(asked.scope) | {"state": asked.state}
        words |= {slot: self.attributes[name].phrase for slot, name in (("a", asked.a), ("b", asked.b)) if name}
        if asked.x is not None:
            words |= {"x": f"{asked.x:g}", "unit": self.attributes[asked.a].unit}
        for slot, event in (("event", asked.event), ("later", asked.later), ("reason", asked.later)):
            if event is not None:
                words[slot] = self._said(event)
        return forms[wording % len(forms)].format(**words)

    def _said(self, event: Event) -> str:
        held = self.attributes[event.attribute]
        if event.x is None:
            return self.events["state"].format(phrase=held.phrase, state=event.state)
        return self.events[held.towards].format(phrase=held.phrase, x=f"{event.x:g}", unit=held.unit)

    # ---------------------------------------------------------------- recognise

    def read(self, question: str) -> Asked | None:
        """What a question asks; None where no form fits.

        Examples
        --------
        >>> forms = question_forms("cyclones")
        >>> forms.read("What sustained wind does the last report on ALEX at Canaveral give?")
        Asked(kind='latest', scope={'storm': 'ALEX', 'port': 'Canaveral'}, a='wind', b='', event=None, later=None, \
x=None, state='')
        """
        text = " ".join(question.split())
        for kind, pattern in self._patterns:
            match = pattern.fullmatch(text)
            if match:
                return self._asked(kind, match.groupdict())
        return None

    def _asked(self, kind: str, said: dict[str, str]) -> Asked | None:
        scope = {name: said[name] for name in self.scope if name in said}
        a, b = (self._by_phrase.get(said.get(slot, ""), "") for slot in ("a", "b"))
        events = [self._event(said[slot]) if slot in said else None for slot in ("event", "later", "reason")]
        x = float(said["x"]) if said.get("x") else None
        return Asked(kind, scope, a, b, events[0], events[1] or events[2], x, said.get("state", "").casefold())

    def _event(self, text: str) -> Event | None:
        for kind, form in self.events.items():
            match = re.fullmatch(self._expression(form), text)
            if match:
                said = match.groupdict()
                x = float(said["x"]) if kind != "state" else None
                return Event(self._by_phrase[said["phrase"]], x, said.get("state", "").casefold())
        return None

    def _compiled(self, form: str) -> re.Pattern[str]:
        return re.compile(self._expression(form))

    def _expression(self, form: str) -> str:
        """A form as an expression with a named group a slot."""
        phrases = "|".join(sorted(map(re.escape, self._by_phrase), key=len, reverse=True))
        units = "|".join(sorted({re.escape(a.unit) for a in self.attributes.values() if a.unit}))
        slots = {"a": phrases, "b": phrases, "phrase": phrases, "unit": units, "x": r"-?\d+(?:\.\d+)?"}
        slots |= {"state": '[^"]+?', **dict.fromkeys(("event", "later", "reason"), "the first .+?")}
        parts = re.split(r"\{(\w+)\}", form)
        return "".join(
            re.escape(part) if place % 2 == 0 else f"(?P<{part}>{slots.get(part, '.+?')})"
            for place, part in enumerate(parts)
        )


def _attribute(path: Path, name: str, entry: Any) -> Attribute:
    try:
        return Attribute(name=name, **{**entry, "of": tuple(entry["of"])})
    except (TypeError, KeyError) as error:
        raise ValueError(f"{path}: attribute {name!r}: {error}.") from error


@cache
def question_forms(domain: str | Path = "cyclones") -> QuestionForms:
    """The forms of a domain by its name, or of a file of your own.

    Raises
    ------
    ValueError
        If there are no such forms, or the file is not as it should be.
    """
    own = Path(__file__).parent / "question_forms"
    path = own / f"{domain}.yaml" if isinstance(domain, str) and not str(domain).endswith(".yaml") else Path(domain)
    if not path.is_file():
        known = ", ".join(sorted(file.stem for file in own.glob("*.yaml")))
        raise ValueError(f"there are no question forms {str(domain)!r}: give one of {known}, or the path of a file.")
    return QuestionForms(path)
