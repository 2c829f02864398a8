"""What computes: embedders, the chat model and the parser, each loaded when first used."""

from .chat import Answer, Budget, Chat, ChatError
from .embedder import VectorCache, embedder

__all__ = ["Answer", "Budget", "Chat", "ChatError", "VectorCache", "embedder"]
