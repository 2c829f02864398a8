"""Readings out of one sentence, by the patterns of the domain: which attribute it gives, and the value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ..order.blocks import Block
from ..order.domain import load_domain
from ..order.rules import facts_by_rules
from .questions import Attribute, QuestionForms

__all__ = ["SentenceValues", "plain_value"]


class SentenceValues:
    """Reads sentences of one domain, each once.

    Parameters
    ----------
    forms : QuestionForms
        Their `attributes` say which relation and attribute of the domain a reading is.
    """

    def __init__(self, forms: QuestionForms):
        self.forms = forms
        self._domain = load_domain(forms.domain)
        self._scope = {name: name for name in self._domain.scope}
        self._facts = lru_cache(maxsize=200_000)(self._read)

    def __call__(self, sentence: str, scope: Mapping[str, str]) -> list[tuple[str, Any]]:
        """(attribute, value) for every reading of a sentence that is about the scope.

        A sentence is about the storm and the port if it names them; of attributes of the storm alone, the storm.
        Changes from one report to the next are no readings.
        """
        found = []
        for name, value in self._facts(" ".join(sentence.split())):
            if all(_names(sentence, scope.get(part, "")) for part in self.forms.attributes[name].of):
                found.append((name, value))
        return found

    def _read(self, sentence: str) -> tuple[tuple[str, Any], ...]:
        block = Block("", 0, 0, self._scope, "", 0, len(sentence), sentence, "")
        facts, _ = facts_by_rules([block], self._domain, progress=False)
        read: dict[str, Any] = {}
        for fact in facts:
            if fact.to_index is not None:
                continue
            for name, attribute in self.forms.attributes.items():
                value = _value(attribute, fact.relation, fact.attributes)
                if value is not None:
                    read.setdefault(name, value)
        return tuple(read.items())


def _value(attribute: Attribute, relation: str, attributes: Mapping[str, Any]) -> Any:
    if relation != attribute.relation or attribute.value not in attributes:
        return None
    said = {key: str(attributes.get(key, "")).casefold() for key in attribute.where}
    if any(not said[key].startswith(text.casefold()) for key, text in attribute.where.items()):
        return None
    return plain_value(attribute, attributes[attribute.value])


def plain_value(attribute: Attribute, value: Any) -> float | str | None:
    """A number, or folded text without what goes before every state of the attribute; None where it is neither."""
    if attribute.type == "number":
        number = value.get("value") if isinstance(value, dict) else value
        return float(number) if isinstance(number, int | float) else None
    text = value.get("text", "") if isinstance(value, dict) else str(value)
    return text.removeprefix(attribute.strip).strip().casefold()


@lru_cache(maxsize=4096)
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)


def _names(sentence: str, name: str) -> bool:
    return bool(name) and _pattern(name).search(sentence) is not None
