"""Whether the examples of a prompt leaked into a hypergraph.

Models copy names from the examples they are shown: "HAp-based composites" and "a structural protein", examples of the
paper's prompt, stand among the top co-occurrences of its published graph [1]_.

References
----------
.. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, section 4.2.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from ..hypergraph import Hypergraph
from .llm import PROMPTS

__all__ = ["prompt_examples", "prompt_leakage"]

_BLOCK = re.compile(r"```json\s*\n(.*?)```", re.DOTALL)
_COLUMNS = ["node", "example", "kind", "degree", "rank", "share", "supported", "leaked", "edges"]


def prompt_leakage(H: Hypergraph, examples: str | Path | Iterable[str] | None = None) -> pd.DataFrame:
    """Example strings of a prompt that turn up as nodes.

    Parameters
    ----------
    H : Hypergraph
    examples : path of a prompt file or folder, or strings, optional
        By default the prompts of `hgwork.corpus.LLMExtractor`.

    Returns
    -------
    DataFrame
        One row a node, most leaked first: `node`, the `example` it equals but for case and white space, its `kind`
        ("entity", "relation" or "given"), its `degree`, its `rank` by degree (1 is the highest, ties share the best),
        the `share` of hyperedges that hold it; how many of them are `supported` (the evidence sentence has the
        name) and how many are `leaked` (it does not; missing where the hypergraph has no evidence), and the leaked
        `edges`. A resolved pronoun has no name in its sentence either: read those before calling them leaks.

    Examples
    --------
    >>> H = Hypergraph.from_dict({"e": ["Moonbrass", "PCL"]}, edges={"e": {"text": "PCL melts at 60 °C."}})
    >>> prompt_leakage(H)[["node", "example", "degree", "leaked"]].values.tolist()
    [['Moonbrass', 'moonbrass', 1, 1]]
    """
    if examples is None or isinstance(examples, Path):
        table = prompt_examples(examples or PROMPTS)
    elif isinstance(examples, str):
        table = prompt_examples(Path(examples))
    else:
        table = pd.DataFrame({"example": list(examples), "kind": "given"})
    known = {_plain(example): (example, kind) for example, kind in zip(table["example"], table["kind"], strict=True)}
    degrees = H.degrees
    ranks = degrees.rank(method="min", ascending=False)
    texts = H.edges["text"] if "text" in H.edges else pd.Series(None, index=H.edges.index, dtype=object)
    rows = []
    for node in H.nodes.index:
        if _plain(node) not in known:
            continue
        example, kind = known[_plain(node)]
        evidence = texts.loc[H.incident(node)]
        evidence = evidence[evidence.map(lambda text: isinstance(text, str) and bool(text))]
        name = re.compile(rf"(?<!\w){re.escape(_plain(node))}(?!\w)")
        holds = evidence.map(lambda text, name=name: bool(name.search(_plain(text)))).astype(bool)
        counts = (int(holds.sum()), int((~holds).sum())) if len(evidence) else (pd.NA, pd.NA)
        share = degrees[node] / max(len(H), 1)
        leaked = evidence.index[~holds].tolist()
        rows.append([node, example, kind, int(degrees[node]), int(ranks[node]), share, *counts, leaked])
    found = pd.DataFrame(rows, columns=_COLUMNS).astype({"supported": "Int64", "leaked": "Int64"})
    return found.sort_values(["leaked", "degree", "node"], ascending=[False, False, True], ignore_index=True)


def prompt_examples(path: str | Path = PROMPTS) -> pd.DataFrame:
    """Names and relations in the ```` ```json ```` examples of prompt files: `example`, `kind`, `prompt`.

    Raises
    ------
    ValueError
        If an example is not a JSON object with events; the message names the file.
    """
    path, rows = Path(path), []
    for file in sorted(path.glob("*.md")) if path.is_dir() else [path]:
        for block in _BLOCK.findall(file.read_text("utf-8")):
            try:
                events = json.loads(block)["events"]
                rows += [(name, "entity", file.name) for e in events for name in (*e["source"], *e["target"])]
                rows += [(event["relation"], "relation", file.name) for event in events]
            except (ValueError, KeyError, TypeError) as error:
                raise ValueError(f"{file}: an example is not JSON with events ({error}).") from error
    return pd.DataFrame(rows, columns=["example", "kind", "prompt"]).drop_duplicates("example", ignore_index=True)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
