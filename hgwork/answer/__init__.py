"""Answers from paths: numbered evidence, agents or templates that write from it, and a check of what they cite."""

from .agents import Session, ask
from .citations import VERDICTS, check_citations, split_claims
from .claims import Analysis, Claim, Hypotheses, Hypothesis, Keyword, Keywords
from .evidence import Evidence, find_instructions, number_statements
from .result import Result

__all__ = [
    "VERDICTS",
    "Analysis",
    "Claim",
    "Evidence",
    "Hypotheses",
    "Hypothesis",
    "Keyword",
    "Keywords",
    "Result",
    "Session",
    "ask",
    "check_citations",
    "find_instructions",
    "number_statements",
    "split_claims",
]
