"""Figures: one function a figure, tables in, axes out, a caption with the caveats beside it."""

from .construction import merge_audit, quality
from .encodings import marks
from .expansions import projections, same_clique
from .hyperedges import hypergraph, sample
from .sentences import sentence
from .styling import apply_style, caption, sizes, style

__all__ = [
    "apply_style",
    "caption",
    "hypergraph",
    "marks",
    "merge_audit",
    "projections",
    "quality",
    "same_clique",
    "sample",
    "sentence",
    "sizes",
    "style",
]
