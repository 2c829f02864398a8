"""Scores against gold data: extraction and merging."""

from .compare import compare_extractors
from .extraction import Gold, NounChunkBaseline, TripleBaseline, agreement, read_gold, read_span_gold, score_extraction
from .merging import read_merge_pairs, score_merging

__all__ = [
    "Gold",
    "NounChunkBaseline",
    "TripleBaseline",
    "agreement",
    "compare_extractors",
    "read_gold",
    "read_merge_pairs",
    "read_span_gold",
    "score_extraction",
    "score_merging",
]
