"""Extractors by the name that the command line gives them."""

from __future__ import annotations

__all__ = ["named_extractor"]


def named_extractor(name: str = "rules"):
    """An extractor: "rules" (offline), "llm" (the endpoint of ``HGWORK_CHAT_URL``) or "replay:FILE".

    Raises
    ------
    ValueError
        If the name is unknown.
    """
    if name == "rules":
        from .rules import RuleExtractor

        return RuleExtractor()
    if name == "llm":
        from ..models.chat import Chat
        from .llm import LLMExtractor

        return LLMExtractor(Chat())
    if name.startswith("replay:"):
        from .replay import ReplayExtractor

        return ReplayExtractor(name.removeprefix("replay:"))
    raise ValueError(f"no extractor is called {name!r}. Use rules, llm or replay:FILE.")
