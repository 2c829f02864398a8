"""From words to rows: nodes that a text names, passages that it ranks first, what lies near a seed."""

from .match import METHODS, match
from .pagerank import pagerank, pagerank_scores
from .ranking import Ranker, fuse, rank

__all__ = ["METHODS", "Ranker", "fuse", "match", "pagerank", "pagerank_scores", "rank"]
