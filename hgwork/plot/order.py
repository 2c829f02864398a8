"""Order between hyperedges: what comes before what in one group, and how groups differ."""

from __future__ import annotations

import numpy as np
import pandas as pd

from .encodings import OKABE_ITO, tint
from .labels import width_of
from .styling import grey, new_axes, set_caption, sizes, style

__all__ = ["precedence", "structure"]

_ROW, _DISC = 17.0, 6.2
_REASONS = (OKABE_ITO[0], OKABE_ITO[4], OKABE_ITO[2], OKABE_ITO[3], OKABE_ITO[1])


def precedence(P, group: str, ax=None, most: int = 60):
    """Draw the precedence of one group: a column a place in time, a row a family, arrows what comes before.

    Parameters
    ----------
    P : Precedence
        Of `order.precedence`.
    group : str
    ax : Axes, optional
    most : int
        Arrows drawn, those that stand for most pairs first.

    Returns
    -------
    Axes

    Raises
    ------
    KeyError
        If the group is unknown.
    ValueError
        If none of its hyperedges has a place.
    """
    table = P.table[P.table["group"] == group]
    if table.empty:
        raise KeyError(f"group {group!r} is unknown. Groups: {', '.join(map(str, P.groups[:5]))} …")
    unplaced = int((table["place"] < 0).sum())
    table = table[table["place"] >= 0]
    if table.empty:
        raise ValueError(f"no hyperedge of group {group!r} has a place in the sequence: there is nothing to draw.")
    table = table.assign(family=table["family"].where(table["family"].notna(), "other"))
    rows, columns, cell = _cells(P, table)
    links = _links(P, group, table, cell)
    left_out = max(len(links) - most, 0)
    with style():
        margin = max(width_of(_words(name), 7.0) for name in rows) + 16
        width, height = sizes.two_column * 72, _ROW * len(rows) + 52
        if ax is None:
            ax = new_axes(width / 72, height / 72, bare=True)
        step = (width - margin - 24) / max(len(columns), 1)
        x = {column: margin + (i + 0.5) * step for i, column in enumerate(columns)}
        y = {row: 30 + (i + 0.5) * _ROW for i, row in enumerate(rows)}
        _bands(ax, table, rows, y, width)
        reasons = _arrows(ax, links.head(most), x, y)
        _discs(ax, cell, x, y)
        _titles(ax, P, rows, columns, x, y, reasons, height, width)
        ax.set(xlim=(0, width), ylim=(height, 0))
        ax.axis("off")
    set_caption(
        ax,
        f"Precedence in {group}: {len(table)} hyperedges by place in time (columns) and family (rows; pale bands are "
        "phases). Numbers count hyperedges; an arrow joins two cells where the transitive reduction orders hyperedges "
        "of them, wider for more pairs. The order follows from rules and is not observed."
        + (f" {left_out} arrows of few pairs are not drawn." if left_out else "")
        + (f" {unplaced} more hyperedges have no place." if unplaced else ""),
    )
    return ax


def _cells(P, table: pd.DataFrame) -> tuple[list[str], list, pd.Series]:
    """Rows in the order of the steps, columns from the earliest place on, and hyperedges a cell."""
    family = table["family"].where(~table["change"], "changes")
    order = table.assign(family=family).groupby("family")["step"].median()
    order.loc[[name for name in ("changes", "other") if name in order.index]] = np.inf
    rows = [name for name in order.sort_values(kind="stable").index if (family == name).any()]
    columns = table.drop_duplicates("place").sort_values("place")["index"].tolist()
    return rows, columns, pd.Series(list(zip(table["index"], family, strict=True)), table.index)


def _links(P, group: str, table: pd.DataFrame, cell: pd.Series) -> pd.DataFrame:
    pairs = P.transitive_reduction(group)
    found = pd.DataFrame(
        {
            "one": cell.loc[pairs["before"]].to_numpy(),
            "two": cell.loc[pairs["after"]].to_numpy(),
            "reason": pairs["reason"],
        }
    )
    found = found[found["one"] != found["two"]]
    found = (
        found.groupby(["one", "two"], sort=False).agg(pairs=("reason", "size"), reason=("reason", _main)).reset_index()
    )
    return found.sort_values("pairs", ascending=False, kind="stable")


def _main(reasons: pd.Series) -> str:
    """The reason of most pairs; of a pair with several, the last, which is the most particular."""
    return reasons.astype(str).str.split(", ").str[-1].value_counts().sort_index(kind="stable").idxmax()


def _bands(ax, table: pd.DataFrame, rows: list[str], y: dict, width: float) -> None:
    from matplotlib.patches import Rectangle

    phase = table[~table["change"]].groupby("family")["phase_rank"].median()
    for i, rank in enumerate(sorted(set(phase))):
        inside = [row for row in rows if phase.get(row) == rank]
        top, bottom = y[inside[0]] - _ROW / 2, y[inside[-1]] + _ROW / 2
        if i % 2 == 0:
            ax.add_patch(Rectangle((0, top), width, bottom - top, fc=grey.pale, ec="none", zorder=0))


def _arrows(ax, links: pd.DataFrame, x: dict, y: dict) -> dict[str, str]:
    from matplotlib.patches import FancyArrowPatch

    reasons = {reason: _REASONS[i % len(_REASONS)] for i, reason in enumerate(sorted(links["reason"].unique()))}
    top = max(links["pairs"].max(), 1) if len(links) else 1
    for (index, row), (later, other), pairs, reason in links.itertuples(index=False, name=None):
        start, end = (x[index], y[row]), (x[later], y[other])
        same = index == later
        bend = 0.0 if not same else -0.38 if abs(y[row] - y[other]) > _ROW * 1.5 else 0.0
        arrow = FancyArrowPatch(
            start, end, connectionstyle=f"arc3,rad={bend if same else 0.06}", mutation_scale=1,
            arrowstyle="-|>,head_length=2.6,head_width=1.3", shrinkA=_DISC + 0.5, shrinkB=_DISC + 0.8,
            color=tint(reasons[reason], 0.75), lw=0.5 + 1.3 * (pairs / top) ** 0.5, zorder=2, gid=f"arrow {row}-{other}"
        )  # fmt: skip
        ax.add_patch(arrow)
    return reasons


def _discs(ax, cell: pd.Series, x: dict, y: dict) -> None:
    for (index, row), count in cell.value_counts().items():
        change = row == "changes"
        ax.scatter(x[index], y[row], s=(2 * _DISC) ** 2, c="white", edgecolors=OKABE_ITO[4] if change else grey.dark,
                   marker="D" if change else "o", linewidths=0.9, zorder=3, gid="cell")  # fmt: skip
        ax.text(x[index], y[row], str(count), size=6.5, ha="center", va="center_baseline", zorder=4, color=grey.ink)


def _titles(ax, P, rows, columns, x, y, reasons, height: float, width: float) -> None:
    label = P.domain.label if P.domain is not None else str
    for column in columns:
        ax.text(x[column], 14, label(int(column)), size=7.0, weight="bold", ha="center", va="center", color=grey.ink)
    for row in rows:
        ax.text(8, y[row], _words(row), size=7.0, va="center", color=grey.ink, parse_math=False)
    at, line = 8.0, height - 18
    for reason, color in reasons.items():
        words = _words(reason)
        if at + 18 + width_of(words, 6.5) > width - 6:
            at, line = 8.0, line + 11
        ax.plot([at, at + 14], [line, line], color=tint(color, 0.75), lw=1.6, solid_capstyle="butt")
        ax.text(at + 18, line, words, size=6.5, va="center", color=grey.ink, parse_math=False)
        at += 30 + width_of(words, 6.5)


def structure(report: pd.DataFrame, named: list[str] | None = None, ax=None):
    """Draw every group by how much crosses horizons and how regular its phases are.

    Parameters
    ----------
    report : DataFrame
        Of `order.structure_report`, indexed by group.
    named : list of str, optional
        Groups to name in the figure.
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    if report.empty:
        raise ValueError("the report has no groups: there is nothing to draw.")
    with style():
        ax = new_axes(sizes.one_column, 3.0) if ax is None else ax
        named = list(named or [])
        if lost := [name for name in named if name not in report.index]:
            raise KeyError(f"named: group {lost[0]!r} is not in the report; there are {', '.join(report.index[:5])}, …")
        size = 6 + 60 * report["hyperedges"] / report["hyperedges"].max()
        rest = report.index.difference(named, sort=False)
        ax.scatter(report.loc[rest, "cross_share"], report.loc[rest, "regularity"], s=size[rest], linewidths=0.4,
                   c=[tint(OKABE_ITO[0], 0.45)], edgecolors="white")  # fmt: skip
        for i, group in enumerate(named):
            one = report.loc[group]
            color = (OKABE_ITO[4], OKABE_ITO[2], OKABE_ITO[3])[i % 3]
            ax.scatter(one["cross_share"], one["regularity"], s=size[group] + 14, c=color, edgecolors=grey.ink,
                       lw=0.6, marker="D^s"[i % 3], zorder=3, label=f"{group} ({one['score']:.2f})")  # fmt: skip
        ax.set(xlabel="share of cross-horizon hyperedges", ylabel="phase regularity")
        ax.grid(axis="both")
        if named:
            ax.legend(loc="best", title="score", alignment="left")
        ax.figure.set_layout_engine("tight")
    set_caption(
        ax,
        f"{len(report)} groups; area is the number of hyperedges. Regularity: how alike the relations of neighbouring "
        "horizons are. Towards the lower right a scenario is told by change, towards the upper left by phase.",
    )
    return ax


def _words(name: str) -> str:
    return str(name).replace("_", " ")
