"""Retrieval as trajectories: candidates, the objective, searches for the best sequence, and their rivals."""

from .beam import beam
from .candidates import scope
from .certificate import certificate
from .dag import dag
from .naming import GroupNames
from .objective import TERMS, objective
from .problem import Candidates, Problem
from .result import Found
from .retrieve import retrieve
from .retriever import METHODS, Retriever
from .topk import topk
from .trajectory import Trajectory
from .viterbi import relaxed_bound, viterbi
from .weights import ZERO, Weights

__all__ = [
    "METHODS",
    "TERMS",
    "ZERO",
    "Candidates",
    "Found",
    "GroupNames",
    "Problem",
    "Retriever",
    "Trajectory",
    "Weights",
    "beam",
    "certificate",
    "dag",
    "objective",
    "relaxed_bound",
    "retrieve",
    "scope",
    "topk",
    "viterbi",
]
