"""What a scripted server says: calls of tools, typed answers; and a match by name for hypergraphs made by hand."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd

from tests.chat_server import completion

__all__ = ["calling", "exact_match", "typed"]


def calling(*calls: tuple[str, Any], text: str | None = None, usage=(10, 5)) -> dict[str, Any]:
    """A completion that calls tools; arguments given as text go out as they are."""
    body = completion(text, finish="tool_calls", usage=usage)
    body["choices"][0]["message"]["tool_calls"] = [
        {
            "id": f"server-{place}",
            "type": "function",
            "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given)},
        }
        for place, (name, given) in enumerate(calls)
    ]
    return body


def typed(**fields: Any) -> str:
    return json.dumps(fields, ensure_ascii=False)


def exact_match(H, text: str) -> pd.DataFrame:
    """Nodes whose name stands in a text, in the order of the text."""
    low = text.lower()
    found = sorted((low.find(name.lower()), name) for name in H.nodes.index if name.lower() in low)
    rows = [(name.lower(), name, 1.0, "exact", 1, True) for _, name in found]
    return pd.DataFrame(rows, columns=["word", "node", "score", "how", "rank", "chosen"])
