"""What computes: embedders, the chat model and the parser, each loaded when first used."""

from .chat import Answer, Budget, Chat, ChatError

__all__ = ["Answer", "Budget", "Chat", "ChatError"]
