"""How far the headline figures depend on choices made before: which extractor, which merge threshold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from .components import s_components
from .degree import degree_fit
from .overlap import overlap_counts
from .rich_club import rich_club

__all__ = ["headline", "merge_sensitivity", "sensitivity"]


def headline(H) -> pd.Series:
    """The figures that a description of a hypergraph opens with.

    Returns
    -------
    Series of float
        `nodes`, `hyperedges`, `max_degree`, `exponent` (of `degree_fit`, maximum likelihood), `largest_1_component` and
        `largest_2_component` (share of the hyperedges of at least so many nodes), `rich_club_10` (linked pairs among
        the nodes of degree 10 and more), `overlap_2` (pairs of hyperedges), `duplicates`. nan where undefined.

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> H = Hypergraph.from_dict({"a": "xyz", "b": "yz", "c": "w"})
    >>> headline(H)[["nodes", "largest_1_component"]].round(2).tolist()
    [4.0, 0.67]
    """
    try:
        exponent = degree_fit(H, compare=False).exponent
    except ValueError:  # too few distinct degrees for a tail
        exponent = np.nan
    return pd.Series(
        {
            "nodes": H.shape[1],
            "hyperedges": H.shape[0],
            "max_degree": H.degrees.max() if H.shape[1] else 0,
            "exponent": exponent,
            "largest_1_component": _largest(H, 1),
            "largest_2_component": _largest(H, 2),
            "rich_club_10": rich_club(H, [10])["coefficient"].iloc[0],
            "overlap_2": overlap_counts(H, 2).iloc[0],
            "duplicates": len(H) - H.edge_classes().nunique() if len(H) else 0,
        },
        name="value",
        dtype=float,
    )


def _largest(H, s: int) -> float:
    found = s_components(H, s)
    part = int((found.labels >= 0).sum())
    return found.sizes.iloc[0] / part if part else np.nan


def sensitivity(hypergraphs: Mapping) -> pd.DataFrame:
    """The headline figures of one corpus under several settings.

    Parameters
    ----------
    hypergraphs : mapping of setting to Hypergraph or Build
        For instance one a extractor. A setting can be any value that names it.

    Returns
    -------
    DataFrame, tidy
        `setting`, `measure`, `value`. ``.pivot(index="setting", columns="measure", values="value")`` lays it out.

    Examples
    --------
    >>> from hgwork import Hypergraph
    >>> H = Hypergraph.from_dict({"a": ["PLA", "silk"], "b": ["PLLA", "silk"]})
    >>> table = sensitivity({"raw": H, "merged": H.merge_nodes({"PLLA": "PLA"})})
    >>> table.query("measure == 'duplicates'")["value"].tolist()
    [0.0, 1.0]
    """
    rows = [
        (setting, measure, value)
        for setting, made in hypergraphs.items()
        for measure, value in headline(getattr(made, "hypergraph", made)).items()
    ]
    return pd.DataFrame(rows, columns=["setting", "measure", "value"])


def merge_sensitivity(
    H,
    vectors: np.ndarray,
    thresholds: Iterable[float] = (0.99, 0.97, 0.95, 0.93, 0.9, 0.85),
    mode: Literal["guarded", "paper"] = "guarded",
    definitions=None,
) -> pd.DataFrame:
    """The headline figures as the merge threshold falls.

    Parameters
    ----------
    H : Hypergraph
        Before merging, such as ``build(...).raw``.
    vectors : array, a row a node in table order
        ``hg.models.embedder("minilm").encode(H.nodes.index.tolist())``. ``Build.embeddings`` has only the names that
        were left standing: it goes with ``Build.hypergraph``.
    thresholds : iterable of float
    mode, definitions
        As in `hgwork.corpus.find_merges`.

    Returns
    -------
    DataFrame, tidy
        As `sensitivity`, `setting` the threshold; the first setting is "unmerged". One more measure, `merged`: names
        that went into another. Hyperedges that a merge collapses are dropped, as in `build`. All names are compared in
        one round; `build` merges as documents come and can differ a little.

    Raises
    ------
    ValueError
        If there is not one vector a node.
    """
    from ..corpus.merge import find_merges

    tables = [_setting(H, "unmerged", 0)]
    for threshold in tqdm(list(thresholds), "threshold", disable=H.shape[1] < 5_000):
        merges = find_merges(H, vectors, threshold=threshold, mode=mode, definitions=definitions, progress=False)
        merged = H.merge_nodes(merges.mapping, drop_collapsed=True)
        tables.append(_setting(merged, threshold, len(merges.mapping)))
    return pd.concat(tables, ignore_index=True)


def _setting(H, setting, merged: int) -> pd.DataFrame:
    table = sensitivity({setting: H})
    table.loc[len(table)] = [setting, "merged", float(merged)]
    return table
