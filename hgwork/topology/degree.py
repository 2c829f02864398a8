"""Degree distributions: tables, the published fit, and the accepted one.

The published fit is a least-squares line through the logarithms of unbinned counts, a biased estimator. The accepted
one [1]_ maximises the likelihood of the zeta distribution ``p(k) = k^−α / ζ(α, xmin)`` above an xmin chosen by the
least Kolmogorov–Smirnov distance, asks by a parametric bootstrap whether a power law is plausible at all, and compares
it with other heavy tails.

References
----------
.. [1] Clauset, Shalizi, Newman, Power-law distributions in empirical data, SIAM Review 51, 661 (2009).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import pandas as pd
from scipy.optimize import minimize_scalar
from scipy.special import zeta
from tqdm.auto import tqdm

__all__ = ["DegreeFit", "ccdf", "degree_fit", "degree_table"]

_ALPHA = (1.001, 30.0)
_RIVALS = ("lognormal", "exponential", "truncated_power_law", "stretched_exponential")


@dataclass(frozen=True)
class DegreeFit:
    """A fitted power law.

    Attributes
    ----------
    method : {"mle", "ols"}
    exponent, standard_error : float
        α; for "mle" the standard error is ``1 / sqrt(n · I(α))`` with the exact Fisher information of the zeta law.
    xmin : int
        Least degree of the tail; 2 for "ols".
    tail, share : int, float
        Nodes in the tail, and their share of nodes of degree 1 or more.
    ks : float
        Kolmogorov–Smirnov distance over all whole degrees of the tail, those between the observed ones too (nan for
        "ols").
    r2 : float
        Of the line in logarithms (nan for "mle").
    p : float
        Share of bootstrap samples that fit worse; below 0.1 a power law is implausible (nan where not asked).
    intercept : float
        Of the line, in natural logarithms (nan for "mle").
    comparisons : DataFrame
        For each rival law: `ratio` (log likelihood ratio, above 0 favours the power law; divided by its standard
        deviation except for the nested truncated power law) and `p` (two-sided); nan where the rival has no fit.
    """

    method: str
    exponent: float
    standard_error: float
    xmin: int
    tail: int
    share: float
    ks: float = np.nan
    r2: float = np.nan
    p: float = np.nan
    intercept: float = np.nan
    comparisons: pd.DataFrame = field(default_factory=pd.DataFrame, repr=False)


def degree_table(H, bins_per_decade: int | None = None) -> pd.DataFrame:
    """How many nodes have each degree.

    Parameters
    ----------
    H : Hypergraph, or integers (degrees)
    bins_per_decade : int, optional
        Log-binned instead: geometric bins of whole degrees.

    Returns
    -------
    DataFrame
        `degree` (geometric middle of a bin), `count`, `density` (share of nodes per unit of degree); nodes of degree 0
        are left out. Log-binned also `low` and `high` (inclusive).
    """
    degrees = _degrees(H)
    values, counts = np.unique(degrees, return_counts=True)
    if bins_per_decade is None:
        return pd.DataFrame({"degree": values, "count": counts, "density": counts / max(len(degrees), 1)})
    top = int(values.max(initial=1))
    if bins_per_decade < 1:
        raise ValueError(f"bins_per_decade={bins_per_decade}: at least 1.")
    steps = np.arange(int(np.log10(top) * bins_per_decade) + 2)
    edges = np.unique(np.floor(10 ** (steps / bins_per_decade) + 1e-9).astype(int))
    edges = np.append(edges[edges <= top], top + 1)
    count = np.histogram(degrees, edges)[0]
    low, high = edges[:-1], edges[1:] - 1
    density = count / np.diff(edges) / max(len(degrees), 1)
    return pd.DataFrame({"degree": np.sqrt(low * high), "low": low, "high": high, "count": count, "density": density})


def ccdf(H) -> pd.Series:
    """P(X >= k) at every degree k that occurs, over nodes of degree 1 or more."""
    degrees = _degrees(H)
    values, counts = np.unique(degrees, return_counts=True)
    share = counts[::-1].cumsum()[::-1] / max(len(degrees), 1)
    return pd.Series(share, pd.Index(values, name="degree"), name="ccdf")


def degree_fit(
    H,
    method: Literal["mle", "ols"] = "mle",
    xmin: int | None = None,
    bootstrap: int = 0,
    compare: bool = True,
    rng: int | np.random.Generator = 0,
) -> DegreeFit:
    """Fit a power law to the degrees.

    Parameters
    ----------
    H : Hypergraph, or integers (degrees)
    method : {"mle", "ols"}
        "mle" is the accepted estimate [1]_. "ols" is the published one [2]_: least squares of ln(count) on ln(k) over
        the distinct degrees k >= 2.
    xmin : int, optional
        Start of the tail and of the law for "mle", whether or not that degree occurs; chosen among the observed
        degrees by the least KS distance where not given.
    bootstrap : int
        Samples for the goodness-of-fit p of [1]_, section 4.1; 100 tell 0.1 apart from 0, 1,000 give two digits.
    compare : bool
        Likelihood ratios against lognormal, exponential, truncated power law and stretched exponential, by `powerlaw`.
    rng : int or Generator

    Returns
    -------
    DegreeFit

    Raises
    ------
    ValueError
        If fewer than three distinct degrees are there (nothing to fit), xmin leaves fewer than two in the tail, or
        integers are asked for and something else comes.

    References
    ----------
    .. [1] Clauset, Shalizi, Newman, SIAM Review 51, 661 (2009).
    .. [2] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, Figure 5.
    """
    degrees = _degrees(H)
    values, counts = np.unique(degrees, return_counts=True)
    if method not in ("mle", "ols"):
        raise ValueError(f"method={method!r} is unknown. Use 'mle' or 'ols'.")
    if bootstrap < 0:
        raise ValueError(f"bootstrap={bootstrap}: the number of samples is 0 or more.")
    if xmin is not None and (int(xmin) != xmin or xmin < 1):
        raise ValueError(f"xmin={xmin}: the tail starts at a whole degree of 1 or more.")
    if len(values) < 3:
        among = " and ".join(map(str, values)) or "none: no node stands in a hyperedge"
        raise ValueError(
            f"the {len(degrees)} nodes of degree 1 or more have {len(values)} distinct degrees ({among}), and a fit "
            "needs three: there is no power law here."
        )
    if method == "ols":
        return _ols(values, counts, len(degrees))
    best = _mle(values, counts) if xmin is None else _at(values, counts, int(xmin))
    alpha, start, tail, ks = best
    p = _plausibility(values, counts, best, bootstrap, xmin, np.random.default_rng(rng)) if bootstrap else np.nan
    error = float(1 / np.sqrt(tail * _information(alpha, start)))
    table = _comparisons(degrees, start) if compare else pd.DataFrame()
    return DegreeFit("mle", alpha, error, start, tail, tail / len(degrees), ks=ks, p=p, comparisons=table)


def _degrees(H) -> np.ndarray:
    degrees = H.degrees.to_numpy() if hasattr(H, "degrees") else np.asarray(H)
    if degrees.dtype.kind not in "iuf" or not ((degrees >= 0) & (degrees == np.floor(degrees))).all():
        raise ValueError("degrees are whole numbers from 0 on; give a Hypergraph or such numbers.")
    return degrees[degrees > 0].astype(np.int64)


def _ols(values, counts, total: int) -> DegreeFit:
    used = values >= 2
    x, y = np.log(values[used]), np.log(counts[used])
    if len(x) < 2:
        raise ValueError("fewer than two distinct degrees of 2 or more: no line to fit.")
    slope, intercept = np.polyfit(x, y, 1)
    residual = y - slope * x - intercept
    spread = ((y - y.mean()) ** 2).sum()
    error = np.sqrt(residual @ residual / max(len(x) - 2, 1) / ((x - x.mean()) ** 2).sum())
    tail = int(counts[used].sum())
    r2 = 1 - residual @ residual / spread if spread else np.nan
    return DegreeFit("ols", -slope, float(error), 2, tail, tail / total, r2=float(r2), intercept=float(intercept))


def _mle(values, counts) -> tuple[float, int, int, float]:
    """The tail of least KS distance among all that hold two distinct degrees."""
    return min((_at(values, counts, int(start)) for start in values[:-1]), key=lambda fit: fit[3])


def _at(values, counts, start: int) -> tuple[float, int, int, float]:
    """(α, xmin, nodes in the tail, KS) of the zeta law that starts at `start`."""
    place = int(np.searchsorted(values, start))
    k, n = values[place:], counts[place:]
    if len(k) < 2:
        raise ValueError(
            f"xmin={start} leaves fewer than two distinct degrees in the tail; the greatest degree is {values[-1]}."
        )
    tail = int(n.sum())
    mean_log = float(n @ np.log(k)) / tail
    top = min(_ALPHA[1], 1 + 600 / np.log(start + 1))  # beyond it ζ(α, xmin) is no longer a number
    loss = lambda alpha: np.log(zeta(alpha, start)) + alpha * mean_log  # noqa: E731
    alpha = float(minimize_scalar(loss, bounds=(_ALPHA[0], top), method="bounded", options={"xatol": 1e-7}).x)
    reached = np.cumsum(n) / tail
    model, before = 1 - zeta(alpha, [k + 1, k]) / zeta(alpha, start)  # P(X <= k), and P(X < k): the end of a gap
    return alpha, start, tail, float(max(np.abs(reached - model).max(), np.abs(reached - n / tail - before).max()))


def _information(alpha: float, start: int) -> float:
    """Fisher information of the zeta law: the second derivative of ln ζ(α, xmin)."""
    step = 1e-4
    log = [np.log(zeta(alpha + d, start)) for d in (-step, 0, step)]
    return float((log[0] - 2 * log[1] + log[2]) / step**2)


def _plausibility(values, counts, best, samples: int, xmin, rng) -> float:
    """Semi-parametric bootstrap: below xmin resample the data, above it draw from the fitted law; refit each."""
    alpha, start, tail, ks = best
    below, total = values < start, int(counts.sum())
    law, made, worse = _zeta_law(alpha, start), 0, 0
    for _ in tqdm(range(samples), "bootstrap", disable=samples < 20):
        above = int(rng.binomial(total, tail / total))
        drawn = [_zeta_sample(law, alpha, above, rng)]
        if total > above:
            drawn.append(np.repeat(values[below], rng.multinomial(total - above, counts[below] / counts[below].sum())))
        k, n = np.unique(np.concatenate(drawn), return_counts=True)
        if (k >= (k[0] if xmin is None else start)).sum() < 2:  # nothing to fit in so small a sample
            continue
        again = _mle(k, n) if xmin is None else _at(k, n, start)
        made, worse = made + 1, worse + (again[3] >= ks)
    return worse / made if made else np.nan


def _zeta_law(alpha: float, start: int) -> tuple[np.ndarray, np.ndarray]:
    """Degrees from `start` on, a hundred thousand, and P(X >= k)."""
    grid = start + np.arange(100_000)
    return grid, zeta(alpha, grid) / zeta(alpha, start)


def _zeta_sample(law, alpha: float, size: int, rng) -> np.ndarray:
    """Draws from the zeta law: exact within the table, from the continuous tail beyond it."""
    grid, survival = law
    u = 1 - rng.random(size)
    place = np.searchsorted(-survival, -u, side="right") - 1
    drawn = grid[place]
    far = u < survival[-1]
    drawn[far] = np.minimum(grid[-1] * (u[far] / survival[-1]) ** (-1 / (alpha - 1)), 2.0**53).astype(np.int64)
    return drawn


def _comparisons(degrees, start: int) -> pd.DataFrame:
    import contextlib
    import io
    import warnings

    import powerlaw

    rows = []
    with (
        warnings.catch_warnings(),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        warnings.simplefilter("ignore")
        fit = powerlaw.Fit(degrees, discrete=True, xmin=start, verbose=False)
        for rival in _RIVALS:
            nested = rival == "truncated_power_law"
            ratio, p = fit.distribution_compare("power_law", rival, nested=nested, normalized_ratio=not nested)
            rows.append((rival, float(ratio), float(p)))
    return pd.DataFrame(rows, columns=["rival", "ratio", "p"]).set_index("rival")
