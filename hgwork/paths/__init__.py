"""Paths of hyperedges between concepts, and how far concepts are from one another."""

from .concepts import bridge_candidates, entity_path, pairs_paths, path_table
from .hyperpaths import hyperpaths
from .index import prepare
from .neighbourhood import distance, neighbourhood
from .path import Path, paths_table, subhypergraph

__all__ = [
    "Path",
    "bridge_candidates",
    "distance",
    "entity_path",
    "hyperpaths",
    "neighbourhood",
    "pairs_paths",
    "path_table",
    "paths_table",
    "prepare",
    "subhypergraph",
]
