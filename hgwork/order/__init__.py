"""Order: domains as data, facts out of documents, their five clean-up steps, precedence between hyperedges."""

from .blocks import Block, split_blocks
from .build import Built, Extraction, build, extract
from .changes import synthesise_changes
from .clean import canonicalise_ids, contradictions, deduplicate, inject_anchors, normalise_relations, postprocess
from .domain import Domain, load_domain
from .facts import Entity, Fact, to_hypergraph
from .llm import coverage
from .precedence import Precedence, precedence
from .quantities import magnitude, quantity
from .structure import structure_report
from .transitions import TransitionModel, report_order, transition_matrix

__all__ = [
    "Block",
    "Built",
    "Domain",
    "Entity",
    "Extraction",
    "Fact",
    "Precedence",
    "TransitionModel",
    "build",
    "canonicalise_ids",
    "contradictions",
    "coverage",
    "deduplicate",
    "extract",
    "inject_anchors",
    "load_domain",
    "magnitude",
    "normalise_relations",
    "postprocess",
    "precedence",
    "quantity",
    "report_order",
    "split_blocks",
    "structure_report",
    "synthesise_changes",
    "to_hypergraph",
    "transition_matrix",
]
