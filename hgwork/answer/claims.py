"""What each agent hands to the next: keywords with their nodes, claims with their citations, hypotheses with a test."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd
from pydantic import BaseModel, Field

__all__ = ["Analysis", "Claim", "Hypotheses", "Hypothesis", "Keyword", "Keywords", "cite", "claims_table"]


class Keyword(BaseModel):
    """A concept of the question and the node that stands for it ("" where none does)."""

    word: str
    node: str = ""


class Keywords(BaseModel):
    """What the GraphAgent hands on: concepts in the order of the question."""

    keywords: list[Keyword]


class Claim(BaseModel):
    """One sentence and the numbers of the statements that support it."""

    text: str = Field(min_length=1)
    statements: list[int]


class Analysis(BaseModel):
    """What the Engineer hands on."""

    claims: list[Claim] = Field(min_length=1)


class Hypothesis(BaseModel):
    """A conjecture, the claims it rests on, and how to test it.

    Attributes
    ----------
    text : str
        The conjecture: it goes beyond the evidence and is not checked against it.
    rationale : list of Claim
        What the evidence says for it; checked.
    test : str
        What to do, and what outcome would speak against it.
    """

    text: str = Field(min_length=1)
    rationale: list[Claim]
    test: str = Field(min_length=1)


class Hypotheses(BaseModel):
    """What the Hypothesizer hands on."""

    hypotheses: list[Hypothesis] = Field(min_length=1)


def cite(claim: Claim) -> str:
    """A claim with its citations before the full stop.

    Examples
    --------
    >>> cite(Claim(text="Silk binds water.", statements=[2, 1]))
    'Silk binds water [1, 2].'
    """
    text, end = claim.text.strip(), ""
    if text.endswith((".", "!", "?")):
        text, end = text[:-1].rstrip(), text[-1]
    numbers = ", ".join(map(str, sorted(set(claim.statements))))
    return f"{text} [{numbers}]{end or '.'}" if numbers else f"{text}{end or '.'}"


def claims_table(by_agent: Iterable[tuple[str, Iterable[Claim]]]) -> pd.DataFrame:
    """One row a claim: `agent`, `text`, `statements` (list of int)."""
    rows = [(agent, claim.text, sorted(set(claim.statements))) for agent, claims in by_agent for claim in claims]
    return pd.DataFrame(rows, columns=["agent", "text", "statements"])
