"""What computes: embedders, the chat model and the parser, each loaded when first used."""

import os

# Read by OpenMP when torch is first imported. Threads that spin while they wait make encoding ten times slower on a
# machine whose cores are busy; threads that sleep cost nothing measurable on an idle one.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

from .chat import Answer, Budget, Called, Chat, ChatError, Tool
from .embedder import VectorCache, embedder

__all__ = ["Answer", "Budget", "Called", "Chat", "ChatError", "Tool", "VectorCache", "embedder"]
