"""Extractors side by side on one gold set."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from .extraction import Gold, NounChunkBaseline, TripleBaseline, score_extraction

__all__ = ["compare_extractors"]


def compare_extractors(
    gold: Gold, extractors: Mapping | None = None, n_boot: int = 1000, rng: int | np.random.Generator = 0
) -> pd.DataFrame:
    """Scores of several extractors on the documents of a gold set.

    Parameters
    ----------
    gold : Gold
    extractors : mapping of name to extractor, optional
        By default the rules beside two simple baselines: every noun chunk of a sentence as one hyperedge, and plain
        subject–verb–object triples.
    n_boot, rng
        As in `score_extraction`.

    Returns
    -------
    DataFrame
        Columns `system`, `metric`, `value`, `low`, `high` (95 %, by document), `n`.
    """
    if extractors is None:
        from ..corpus import RuleExtractor

        extractors = {"rules": RuleExtractor(), "noun chunks": NounChunkBaseline(), "triples": TripleBaseline()}
    chunks, parts = gold.chunks(), []
    for name, extractor in extractors.items():
        events = [event for found in extractor.extract(chunks) for event in found]
        parts.append(score_extraction(events, gold, n_boot, rng).reset_index().assign(system=name))
    return pd.concat(parts, ignore_index=True)[["system", "metric", "value", "low", "high", "n"]]
