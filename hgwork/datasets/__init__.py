"""Bundled corpora, readers of public benchmarks, a seeded generator the size of the published hypergraph."""

from ._folder import data_folder
from .bundled import documents, load, names
from .cyclones import cyclone_facts, cyclone_sentences, cyclones
from .cyportqa import CyPortQA, cyportqa
from .failures import failure_gold, failures
from .heavy_tailed import heavy_tailed
from .multihop import multihop
from .published import heavy_tailed_targets
from .readers import read_multihop, read_publications

__all__ = [
    "CyPortQA",
    "cyclone_facts",
    "cyclone_sentences",
    "cyclones",
    "cyportqa",
    "data_folder",
    "documents",
    "failure_gold",
    "failures",
    "heavy_tailed",
    "heavy_tailed_targets",
    "load",
    "multihop",
    "names",
    "read_multihop",
    "read_publications",
]
