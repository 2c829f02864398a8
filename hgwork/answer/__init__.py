"""Answers: from paths, by agents or templates that cite; from trajectories, by readers of evidence in order."""

from .agents import Session, ask
from .chat_reader import ChatReader
from .citations import VERDICTS, check_citations, split_claims
from .claims import Analysis, Claim, Hypotheses, Hypothesis, Keyword, Keywords
from .evidence import Evidence, find_instructions, number_statements
from .questions import Asked, Event, QuestionForms, question_forms
from .reading import Reading, combined
from .result import Result
from .state_reader import LabelReader, StateReader
from .streams import answer_from
from .trajectory_evidence import evidence_text, read_evidence

__all__ = [
    "VERDICTS",
    "Analysis",
    "Asked",
    "ChatReader",
    "Claim",
    "Event",
    "Evidence",
    "Hypotheses",
    "Hypothesis",
    "Keyword",
    "Keywords",
    "LabelReader",
    "QuestionForms",
    "Reading",
    "Result",
    "Session",
    "StateReader",
    "answer_from",
    "ask",
    "check_citations",
    "combined",
    "evidence_text",
    "find_instructions",
    "number_statements",
    "question_forms",
    "read_evidence",
    "split_claims",
]
