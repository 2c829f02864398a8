"""Retrieval as trajectories: candidates, the objective, searches for the best sequence, and their rivals."""

from .baselines import BinaryGraph, EntityExpansion, TextRAG, Unordered
from .beam import beam
from .candidates import scope
from .certificate import certificate
from .compare import Comparison, compare, why
from .dag import dag
from .document_order import in_document_order
from .kind_relevance import KindRetriever
from .naming import GroupNames
from .objective import TERMS, objective
from .orders import ORDERS, LearnedOrder, permutations, reorder
from .problem import Candidates, Problem
from .result import Found
from .retrieve import retrieve
from .retriever import METHODS, Retriever
from .self_training import SelfTrained, preferred_pairs, self_train
from .topics import topics
from .topk import topk
from .trajectory import Trajectory
from .viterbi import relaxed_bound, viterbi
from .weights import ZERO, Weights

__all__ = [
    "Comparison",
    "Unordered",
    "TextRAG",
    "EntityExpansion",
    "BinaryGraph",
    "METHODS",
    "ORDERS",
    "TERMS",
    "ZERO",
    "Candidates",
    "Found",
    "GroupNames",
    "KindRetriever",
    "LearnedOrder",
    "Problem",
    "Retriever",
    "SelfTrained",
    "Trajectory",
    "Weights",
    "beam",
    "certificate",
    "compare",
    "dag",
    "in_document_order",
    "objective",
    "permutations",
    "preferred_pairs",
    "relaxed_bound",
    "reorder",
    "retrieve",
    "scope",
    "self_train",
    "topics",
    "topk",
    "viterbi",
    "why",
]
