"""What part a concept plays: three structural features a node, and their map by t-SNE.

Most nodes of a large hypergraph share their features with many others. Each distinct row is embedded once and its
place given to all nodes that have it: identical rows would otherwise be spread into islands that mean nothing.

References
----------
.. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, Figure 7.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import pandas as pd

from .pairs import linked_pairs

__all__ = ["Embedding", "structural_signatures", "tiers", "tsne"]

TIERS = {"super-hub": 1000, "hub": 100, "moderate": 10, "low": 0}


def structural_signatures(H, including_itself: bool = False, log: bool = False) -> pd.DataFrame:
    """Degree, distinct co-members and mean hyperedge size of every node.

    Parameters
    ----------
    H : Hypergraph
    including_itself : bool
        Count the node among its neighbours, as the code of [1]_ does.
    log : bool
        ``ln(1 + x)`` of each feature: degrees span four decades.

    Returns
    -------
    DataFrame, indexed by node
        `degree`, `neighbours`, `mean_size` (0 for a node in no hyperedge).
    """
    matrix, n = H.incidence, H.shape[1]
    degrees = np.bincount(matrix.indices, minlength=n)
    i, j, _ = linked_pairs(matrix)
    neighbours = np.bincount(i, minlength=n) + np.bincount(j, minlength=n)
    sizes = np.repeat(np.diff(matrix.indptr), np.diff(matrix.indptr))
    volume = np.bincount(matrix.indices, sizes, minlength=n)
    table = pd.DataFrame(
        {
            "degree": degrees,
            "neighbours": neighbours + (including_itself & (degrees > 0)),
            "mean_size": np.divide(volume, degrees, out=np.zeros(n), where=degrees > 0),
        },
        index=H.nodes.index,
    )
    return np.log1p(table) if log else table


def tiers(degrees: pd.Series) -> pd.Series:
    """The tiers of [1]_: super-hub (1,000 and more), hub (100), moderate (10), low."""
    labels = list(TIERS)[::-1]
    cut = pd.cut(degrees, [-np.inf, 10, 100, 1000, np.inf], right=False, labels=labels)
    return cut.rename("tier")


@dataclass(frozen=True)
class Embedding:
    """`table`: `x`, `y` and `multiplicity` (nodes with exactly these features) a node. `rows`: distinct rows embedded.
    `trustworthiness`: share of map neighbourhoods that are true ones, in [0, 1] [1]_. `kl`: final divergence.
    `method`: the library used.

    References
    ----------
    .. [1] Venna and Kaski, Neighborhood preservation in nonlinear projection methods, ICANN (2001).
    """

    table: pd.DataFrame = field(repr=False)
    rows: int
    trustworthiness: float
    kl: float
    method: str


def tsne(
    signatures: pd.DataFrame,
    rng: int | np.random.Generator = 0,
    sample: Literal["all", "paper"] = "all",
    perplexity: float = 30,
    iterations: int = 1000,
    library: Literal["auto", "opentsne", "scikit-learn"] = "auto",
) -> Embedding:
    """Map structural signatures to the plane.

    Parameters
    ----------
    signatures : DataFrame
        Features a node; standardised here. The first column ranks the nodes where a sample is drawn.
    rng : int or Generator
    sample : {"all", "paper"}
        "paper": the 1,000 nodes of highest degree and 4,000 of the others at random [1]_. Hubs are then 20 % of the
        map and 0.6 % of the hypergraph.
    perplexity, iterations : float, int
        30 and 1,000 in [1]_, of which 250 with exaggeration; perplexity is lowered where fewer than three times as many
        distinct rows are there.
    library : {"auto", "opentsne", "scikit-learn"}
        openTSNE where installed, else scikit-learn. Both by Barnes–Hut (openTSNE above 20,000 distinct rows by
        interpolation), from the first two principal components, with exact neighbours.

    Returns
    -------
    Embedding

    Raises
    ------
    ValueError
        If fewer than four distinct rows are there (they have no neighbourhoods to keep), a feature is no finite
        number, or a parameter is out of its range.

    References
    ----------
    .. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, Figure 7.
    """
    rng = np.random.default_rng(rng)
    if sample not in ("all", "paper"):
        raise ValueError(f"sample={sample!r} is unknown. Use 'all' or 'paper'.")
    if library not in ("auto", "opentsne", "scikit-learn"):
        raise ValueError(f"library={library!r} is unknown. Use 'auto', 'opentsne' or 'scikit-learn'.")
    if not perplexity > 0 or iterations < 250:
        raise ValueError(f"perplexity={perplexity}, iterations={iterations}: above 0, and at least 250.")
    if sample == "paper":
        signatures = _paper_sample(signatures, rng)
    values = signatures.to_numpy(float)
    if not np.isfinite(values).all():
        lacking = signatures.index[~np.isfinite(values).all(axis=1)]
        raise ValueError(f"{len(lacking)} signatures hold no finite number, first that of {str(lacking[0])!r}.")
    if len(signatures) < 4:
        raise ValueError(f"{len(signatures)} nodes: nothing to map. A map needs four distinct signatures.")
    spread = values.std(axis=0)
    values = (values - values.mean(axis=0)) / np.where(spread > 0, spread, 1)
    distinct, row_of, copies = np.unique(values, axis=0, return_inverse=True, return_counts=True)
    if len(distinct) < 4:
        raise ValueError(f"{len(signatures)} nodes have only {len(distinct)} distinct signatures: nothing to map.")
    perplexity = min(perplexity, (len(distinct) - 1) / 3)
    places, kl, method = _embed(distinct, perplexity, iterations, int(rng.integers(2**31)), library)
    table = pd.DataFrame(places[row_of.ravel()], signatures.index, columns=["x", "y"])
    table["multiplicity"] = copies[row_of.ravel()]
    return Embedding(table, len(distinct), _trust(distinct, places, rng), kl, method)


def _paper_sample(signatures: pd.DataFrame, rng) -> pd.DataFrame:
    ranked = signatures.sort_values(signatures.columns[0], ascending=False, kind="stable")
    rest = ranked.iloc[1000:]
    drawn = np.sort(rng.choice(len(rest), min(4000, len(rest)), replace=False))
    return pd.concat([ranked.iloc[:1000], rest.iloc[drawn]])


def _embed(rows, perplexity: float, iterations: int, seed: int, library: str):
    if library in ("auto", "opentsne"):
        try:
            import openTSNE
        except ImportError:
            if library == "opentsne":
                raise
        else:
            model = openTSNE.TSNE(
                perplexity=perplexity,
                n_iter=iterations - 250,
                random_state=seed,
                n_jobs=2 if len(rows) > 1000 else 1,  # the places are the same
                neighbors="exact",
                negative_gradient_method="bh" if len(rows) <= 20_000 else "fft",
            )
            embedding = model.fit(rows)
            # the last digits of the divergence, a sum in parallel, are not the seed's
            return np.asarray(embedding), round(float(embedding.kl_divergence), 9), "openTSNE"
    from sklearn.manifold import TSNE

    model = TSNE(perplexity=perplexity, max_iter=iterations, random_state=seed, init="pca")
    places = model.fit_transform(rows)
    return places, float(model.kl_divergence_), "scikit-learn"


def _trust(rows, places, rng, most: int = 4000) -> float:
    """Trustworthiness at 12 neighbours, on a sample where the rows are many."""
    from sklearn.manifold import trustworthiness

    if len(rows) > most:
        chosen = np.sort(rng.choice(len(rows), most, replace=False))
        rows, places = rows[chosen], places[chosen]
    return float(trustworthiness(rows, places, n_neighbors=min(12, max((len(rows) - 1) // 2, 1))))
