"""Scores: extraction and merging against gold data, bridges that paths find again."""

from .bridges import bridge_recall, sample_bridges
from .compare import compare_extractors
from .extraction import Gold, NounChunkBaseline, TripleBaseline, agreement, read_gold, read_span_gold, score_extraction
from .merging import read_merge_pairs, score_merging

__all__ = [
    "Gold",
    "NounChunkBaseline",
    "TripleBaseline",
    "agreement",
    "bridge_recall",
    "compare_extractors",
    "read_gold",
    "read_merge_pairs",
    "read_span_gold",
    "sample_bridges",
    "score_extraction",
    "score_merging",
]
