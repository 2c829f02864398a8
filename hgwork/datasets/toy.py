"""Ten hyperedges that fit on a blackboard: who wrote which paper with whom, in order of time.

It begins with the example of [1]_ (Sally, Bob, David and Ella are equal co-authors of a paper) and adds what the
notebooks need to show by hand: a repeated team, a paper by one author, overlaps of two and three, a bridge, a hub.

References
----------
.. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, section 1.4.
"""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from ..hypergraph import Hypergraph
from ..schema import Document

__all__ = ["toy"]


def toy(papers: Iterable[Document]) -> Hypergraph:
    """One hyperedge a paper, its authors as members; `position` is the order of the dates in the `group`."""
    papers = list(papers)
    rows = [{"edge": p.id, "text": p.text, "document": p.id, "date": p.date, **p.attributes} for p in papers]
    edges = pd.DataFrame(rows).set_index("edge")
    frame = edges["members"].explode().rename("node").reset_index()
    people = {name: {"type": "person"} for name in frame["node"]}
    columns = ["relation", "text", "document", "date", "group", "position"]
    return Hypergraph.from_frame(frame, edges=edges[columns], nodes=people)
