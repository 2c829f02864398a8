"""Construction: documents -> chunks -> events -> `Hypergraph`, with an audit of the merges."""

from .build import Build, build
from .build_folder import BuildInProgress
from .definitions import Definitions, find_definitions
from .documents import Corpus, read_documents
from .extractors import named_extractor
from .guards import veto
from .leakage import prompt_examples, prompt_leakage
from .llm import LLMExtractor
from .merge import Merges, compose, find_merges, judge, similar_pairs, undo
from .replay import ReplayExtractor, record_events
from .rules import RuleExtractor
from .split import split

__all__ = [
    "Build",
    "BuildInProgress",
    "Corpus",
    "Definitions",
    "LLMExtractor",
    "Merges",
    "ReplayExtractor",
    "RuleExtractor",
    "build",
    "compose",
    "find_definitions",
    "find_merges",
    "judge",
    "named_extractor",
    "prompt_examples",
    "prompt_leakage",
    "read_documents",
    "record_events",
    "similar_pairs",
    "split",
    "undo",
    "veto",
]
