"""How much of a group is order: changes between places, and how alike its places are.

Where every place repeats the same phases and few values change, picking the right place is enough; where facts change
from place to place, their order carries the answer (section 4.2 and Figure 3 of [1]_).

References
----------
.. [1] Knowledge Is Not Static: Order-Aware Hypergraph RAG for Language Models.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd

from ..hypergraph import Hypergraph
from .changes import series_of
from .precedence import Precedence

__all__ = ["structure_report"]


def structure_report(H: Hypergraph, P: Precedence) -> pd.DataFrame:
    """Structure of each knowledge group, and a score from phase-regular to evolution-rich.

    Parameters
    ----------
    H : Hypergraph
    P : Precedence
        Of H.

    Returns
    -------
    DataFrame
        Index: group, by falling score, ties by name. Columns:

        - `hyperedges`, `places`: counts;
        - `cross_share`: hyperedges between places over all hyperedges (0.68 for Figure 3b by count);
        - `regularity`: mean Jaccard similarity of the sets of relations at neighbouring places, 1 where every place
          repeats the pattern of the one before; NaN for a single place;
        - `change_rate`: of the series that go on from one place to the next, the share whose values differ; NaN
          without a domain or a series;
        - `score`: ``1 - regularity * (1 - cross_share)``, what picking a place of a repeated pattern does not give:
          0 where all places repeat one pattern and nothing leads between them, towards 1 with hyperedges between
          places or places unlike each other; a regularity that is unknown counts as 1.

    Notes
    -----
    Both terms depend on the extraction: one that notes few changes makes every group look regular. The score ranks
    groups of one extraction.

    Examples
    --------
    >>> import hgwork as hg
    >>> toy = hg.datasets.load("toy")
    >>> structure_report(toy, hg.order.precedence(toy))[["hyperedges", "places", "cross_share"]].values.tolist()
    [[10.0, 10.0, 0.0]]
    """
    table = P.table
    rates = _change_rates(H, P)
    rows = {}
    for group, rows_of in table[table["place"] >= 0].groupby("group", sort=False):
        facts = rows_of[~rows_of["change"]]
        places = np.sort(facts["place"].unique())
        sets = [frozenset(facts["relation"][facts["place"] == place].dropna()) for place in places]
        alike = [len(one & two) / len(one | two) for one, two in pairwise(sets) if one | two]
        share = float(rows_of["change"].mean())
        regular = float(np.mean(alike)) if alike else np.nan
        rows[group] = {
            "hyperedges": len(rows_of),
            "places": len(places),
            "cross_share": share,
            "regularity": regular,
            "change_rate": rates.get(group, np.nan),
            "score": 1 - (regular if alike else 1.0) * (1 - share),
        }
    report = pd.DataFrame.from_dict(rows, orient="index").rename_axis("group")
    return report.sort_index().sort_values("score", ascending=False, kind="stable") if len(report) else report


def _change_rates(H: Hypergraph, P: Precedence) -> dict[str, float]:
    """Of each group the share of series that differ from one place to the next."""
    if P.domain is None:
        return {}
    falling = P.domain.index.column == "horizon"
    counts: dict[str, list[int]] = {}
    for (group, _), stated in series_of(H, P.domain).items():
        last = {fact.index: fact.compared for fact in sorted(stated, key=lambda fact: bool(fact.compared))}
        for one, two in pairwise(last[i] for i in sorted(last, reverse=falling)):
            shared = set(one) & set(two)
            if shared:
                count = counts.setdefault(str(group), [0, 0])
                count[0] += 1
                count[1] += any(one[name] != two[name] for name in shared)
    return {group: changed / compared for group, (compared, changed) in counts.items()}
