"""The offline extractor: rules over the packaged parser, in the two passes of the paper."""

from .extractor import RuleExtractor

__all__ = ["RuleExtractor"]
