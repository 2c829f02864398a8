"""Transitions between hyperedges: a learned model, what it must beat, and the order of whole reports."""

from .baselines import BASELINES
from .features import EdgeFeatures, read_features
from .matrix import asymmetry, transition_matrix
from .model import TransitionModel
from .reports import report_order, report_scores
from .text import edge_texts

__all__ = [
    "BASELINES",
    "EdgeFeatures",
    "TransitionModel",
    "asymmetry",
    "edge_texts",
    "read_features",
    "report_order",
    "report_scores",
    "transition_matrix",
]
