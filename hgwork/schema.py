"""The records that flow from documents to a hypergraph: Document, Chunk, Event."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator

__all__ = ["UNSTORABLE", "Chunk", "Document", "Event"]

UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""NUL ends a name where pandas looks it up; half a surrogate pair has no place in a UTF-8 file."""


def _stored(text: str) -> str:
    if found := UNSTORABLE.search(text):
        raise ValueError(f"character {found.start()} is {found[0]!r}, which cannot be stored. Remove it.")
    return text


Text = Annotated[str, AfterValidator(_stored)]
Place = Annotated[int, Field(ge=0, lt=2**63)]


class Document(BaseModel):
    """One text with what is known about it.

    Attributes
    ----------
    id : str
        Unique in its corpus.
    title, text : str
        The text is what spans count in: characters (code points) from its start.
    date : str, optional
        ISO 8601 (year, month or day).
    doi : str, optional
    path : str, optional
        File it came from, relative to the folder that was read.
    headings : list of (offset, level, heading)
        Where each heading of the file begins in `text`.
    """

    model_config = ConfigDict(frozen=True)

    id: Text = Field(min_length=1)
    title: Text = ""
    text: Text
    date: Text | None = None
    doi: Text | None = None
    path: Text | None = None
    headings: list[tuple[int, int, str]] = Field(default_factory=list)
    attributes: dict[str, Any] = Field(default_factory=dict)


class Chunk(BaseModel):
    """A stretch of a document: ``document.text[start:end] == text``. The id is ``{document}/{index}``."""

    model_config = ConfigDict(frozen=True)

    id: str
    document: str
    index: int = Field(ge=0)
    start: int = Field(ge=0)
    end: int
    text: str
    heading: str | None = None


class Event(BaseModel):
    """One directed n-ary statement: a source set, a relation, a target set [1]_.

    The hyperedge of an event is ``source ∪ target``. `evidence` is the sentence that states it and
    ``start``/``end`` its place in the document, in characters. `kind` says which pass found it: "explicit"
    (stated grammatically) or "completed" (recovered within the sentence).

    References
    ----------
    .. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, section 4.2.

    Examples
    --------
    >>> Event(source=["chitosan"], relation="reinforced by", target=["nHA", "silk"]).sentence
    'chitosan – reinforced by – nHA, silk'
    """

    source: list[Text] = Field(min_length=1)
    relation: Text = Field(min_length=1)
    target: list[Text] = Field(min_length=1)
    evidence: Text = ""
    confidence: float = Field(default=1.0, ge=0.0, le=1.0)
    kind: Literal["explicit", "completed"] = "explicit"
    document: Text | None = None
    chunk: Text | None = None
    start: Place | None = None
    end: Place | None = None
    date: Text | None = None
    doi: Text | None = None

    @field_validator("source", "target")
    @classmethod
    def _named(cls, names: list[str]) -> list[str]:
        if any(not name.strip() for name in names):
            raise ValueError("an entity has an empty name")
        return list(dict.fromkeys(names))

    @property
    def members(self) -> list[str]:
        """Distinct entities, source first."""
        return list(dict.fromkeys(self.source + self.target))

    @property
    def sentence(self) -> str:
        """``source – relation – target``."""
        return f"{', '.join(self.source)} – {self.relation} – {', '.join(self.target)}"
