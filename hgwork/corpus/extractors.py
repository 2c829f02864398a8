"""Extractors by the name that the command line gives them."""

from __future__ import annotations

from pathlib import Path

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

        file = Path(name.removeprefix("replay:"))
        if not file.is_file():
            raise FileNotFoundError(f"{name!r} names no file of recorded events, one a line. Give replay:FILE.")
        return ReplayExtractor(file)
    raise ValueError(f"no extractor is called {name!r}. Use rules, llm or replay:FILE.")
