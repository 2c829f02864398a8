"""The concepts that hold a hypergraph together: their network, and whether they form a club."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from itertools import combinations

import numpy as np
import pandas as pd

from .encodings import MARKERS, OKABE_ITO, Mark, marks, tint
from .labels import Shortener
from .styling import grey, new_axes, points, set_caption, sizes, style

__all__ = ["hub_network", "hub_network_interactive", "rich_club"]

_GAP, _FONT = 3.0, 7.0
NONE = Mark(grey.dark, "o")
_PLOTLY = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "x", "pentagon", "hexagon", "star")
SYMBOLS = dict(zip(MARKERS, _PLOTLY, strict=True))


def hub_network(graph, themes: pd.Series | None = None, ax=None, rng=0):
    """Draw the hubs: area is degree, width of a link the hyperedges shared.

    Parameters
    ----------
    graph : networkx.Graph
        `topology.hub_network`.
    themes : Series, optional
        Concept -> name of its theme, coded by colour and marker; links inside a theme take its colour.
    ax : Axes, optional
    rng : int or numpy Generator
        Seeds the spring layout.

    Returns
    -------
    Axes
    """
    if not len(graph):
        raise ValueError("the network has no hubs: there is nothing to draw.")
    with style():
        ax = new_axes(sizes.two_column, 5.0, bare=True) if ax is None else ax
        names, mark = _coded(graph, themes)
        width, height = points(ax)
        place, radius, label = _layout(graph, width, height - 13.0 * (len(names) > 0), rng)
        heaviest = max((weight for *_, weight in graph.edges(data="weight")), default=1)
        for one, two, weight in sorted(graph.edges(data="weight"), key=lambda link: link[2]):
            own = mark[one].color if mark[one] == mark[two] != NONE else grey.mid
            share = weight / heaviest
            ax.plot(*zip(place[one], place[two], strict=True), color=tint(own, 0.25 + 0.6 * share**0.5), zorder=1,
                    lw=0.4 + 4.6 * share, solid_capstyle="round", gid=f"link {one} {two}")  # fmt: skip
        from matplotlib.patheffects import withStroke

        for name, (x, y) in place.items():
            ax.scatter([x], [y], s=(2 * radius[name]) ** 2, c=mark[name].color, marker=mark[name].marker, zorder=3,
                       edgecolors="white", linewidths=0.7)  # fmt: skip
            ax.text(x, y + radius[name] + 1.5, label[name], size=_FONT, ha="center", va="top", zorder=4,
                    linespacing=1.1, parse_math=False, color=grey.ink,
                    path_effects=[withStroke(linewidth=2, foreground="white", alpha=0.9)])  # fmt: skip
        ax.set(xlim=(0, width), ylim=(height, 0))
        ax.axis("off")
        for name, sign in names.items():
            ax.scatter([], [], s=26, c=sign.color, marker=sign.marker, label=name)
        if names:
            ax.legend(loc="lower center", ncols=min(len(names), 4), borderaxespad=0, columnspacing=1.2)
    links = graph.number_of_edges()
    set_caption(
        ax,
        f"{len(graph)} concepts of highest degree and the {links} links between them (width: hyperedges that hold "
        "both). Area is degree. Places follow the links and were moved apart for the labels: distance carries no exact "
        "meaning. Hubs meet often by their degrees alone; compare a null model before reading a core into it.",
    )
    return ax


def _coded(graph, themes: pd.Series | None) -> tuple[dict[str, Mark], dict[str, Mark]]:
    """Colour and marker of each theme, and of each hub."""
    if themes is None:
        return {}, dict.fromkeys(graph, Mark(OKABE_ITO[0], "o"))
    names = marks(themes)
    return names, {name: names.get(str(themes.get(name)), NONE) for name in graph}


def _layout(graph, width: float, height: float, rng):
    """Places in points, radii and labels of all hubs; markers with their labels do not overlap."""
    import networkx

    rng = np.random.default_rng(rng)
    hubs = list(graph)
    degree = np.array([graph.nodes[name]["degree"] for name in hubs], float)
    radius = 3.0 + 13.0 * np.sqrt(degree / degree.max())
    cut = Shortener(_FONT, 2, numbered=False)
    labels = [cut(name, 66) for name in hubs]
    half = np.array([(max(text.width, 2 * r) / 2 + _GAP, r + text.height / 2 + _GAP)
                     for text, r in zip(labels, radius, strict=True)])  # fmt: skip
    drawn = networkx.Graph()
    drawn.add_nodes_from(hubs)
    drawn.add_weighted_edges_from((a, b, np.log1p(w)) for a, b, w in graph.edges(data="weight"))
    alone = [name for name in hubs if not drawn.degree(name)]
    drawn.remove_nodes_from(alone)
    spring = networkx.spring_layout(drawn, seed=int(rng.integers(2**31)), k=2.2 / np.sqrt(len(hubs)), iterations=300)
    spring |= dict.fromkeys(alone, (np.nan, np.nan))
    centre = pd.DataFrame([spring[name] for name in hubs]).rank(pct=True).to_numpy()  # spread evenly both ways
    floor = height - (max(half[hubs.index(name), 1] for name in alone) * 2 if alone else 0)
    centre = half + centre * (np.array([width, floor]) - 2 * half)
    for nth, name in enumerate(alone):  # hubs without a link stand in a row below
        at = hubs.index(name)
        centre[at] = width * (nth + 0.5) / len(alone), height - half[at, 1]
    roof = np.array([[width, height if name in alone else floor] for name in hubs])
    for _ in range(2000):
        moved = False
        for i, j in combinations(range(len(hubs)), 2):
            apart = centre[j] - centre[i]
            over = half[i] + half[j] - np.abs(apart)
            if (over > 0).all():
                axis = int(over[1] < over[0])
                push = (over[axis] / 2 + 0.1) * (1 if apart[axis] >= 0 else -1)
                centre[i, axis] -= push
                centre[j, axis] += push
                moved = True
        centre = np.clip(centre, half, roof - half)
        if not moved:
            break
    tops = centre[:, 1] - half[:, 1] + _GAP + radius
    place = {name: (float(x), float(y)) for name, x, y in zip(hubs, centre[:, 0], tops, strict=True)}
    return place, dict(zip(hubs, radius, strict=True)), dict(zip(hubs, labels, strict=True))


def hub_network_interactive(graph, themes: pd.Series | None = None, rng=0):
    """The same network in plotly: hover for degree, theme and strongest links.

    Parameters
    ----------
    graph, themes, rng
        As in `hub_network`.

    Returns
    -------
    plotly Figure
    """
    import plotly.graph_objects as go

    names, mark = _coded(graph, themes)
    place, radius, _ = _layout(graph, sizes.two_column * 100, 500, rng)
    figure = go.Figure()
    links = sorted(graph.edges(data="weight"), key=lambda link: link[2])
    for i, part in enumerate(np.array_split(np.arange(len(links)), 4)):
        ends = [(place[links[k][0]], place[links[k][1]]) for k in part]
        x, y = ([value for one, two in ends for value in (one[axis], two[axis], None)] for axis in (0, 1))
        line = {"width": (0.6, 1.2, 2.2, 4)[i], "color": ("#e3e5ea", "#d0d3da", "#b5b9c2", "#8a8a8a")[i]}
        figure.add_scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip", showlegend=False)
    of = dict.fromkeys(graph) if themes is None else {name: themes.get(name) for name in graph}
    for theme in [*names, None]:
        hubs = [name for name in graph if of[name] == theme]
        if not hubs:
            continue
        figure.add_scatter(
            x=[place[name][0] for name in hubs],
            y=[place[name][1] for name in hubs],
            mode="markers+text",
            text=hubs,
            textposition="bottom center",
            name=theme or ("no theme" if names else "hubs"),
            marker={"size": [2 * radius[name] for name in hubs], "color": mark[hubs[0]].color, "opacity": 1,
                    "symbol": SYMBOLS[mark[hubs[0]].marker], "line": {"color": "white", "width": 1}},
            hovertext=[_hover(graph, name, theme) for name in hubs],
            hovertemplate="%{hovertext}<extra></extra>",
        )  # fmt: skip
    return dressed(figure, "Hubs and the hyperedges they share")


def _hover(graph, name: str, theme: str | None) -> str:
    partners = sorted(graph[name].items(), key=lambda item: (-item[1]["weight"], item[0]))
    rows = [f"<b>{escape(name)}</b>", f"{graph.nodes[name]['degree']:,} hyperedges"] + (
        [f"theme: {escape(theme)}"] if theme else []
    )
    return "<br>".join(rows + [f"with {escape(other)}: {link['weight']:,}" for other, link in partners[:5]])


def dressed(figure, title: str):
    """A plotly figure without axes, in the colours and the type of the printed ones."""
    hidden = {"visible": False}
    figure.update_layout(
        template="none", title={"text": title, "font": {"size": 14}, "x": 0.01}, width=820, height=600,
        xaxis=hidden, yaxis={**hidden, "autorange": "reversed"}, margin={"l": 10, "r": 10, "t": 45, "b": 10},
        font={"family": "DejaVu Sans, Verdana, sans-serif", "size": 11, "color": grey.ink},
        legend={"orientation": "h", "y": -0.02, "itemsizing": "constant"}, hoverlabel={"align": "left"},
    )  # fmt: skip
    return figure


def rich_club(tables: Mapping[str, pd.DataFrame], fig=None) -> np.ndarray:
    """Draw rich-club coefficients with their null band, and the ratio of the two below.

    Parameters
    ----------
    tables : mapping of a title to DataFrame
        `topology.rich_club` with a null; one column of panels each.
    fig : Figure, optional

    Returns
    -------
    array of Axes, shape (2, tables)
    """
    for title, table in tables.items():
        if "normalised" not in table:
            raise ValueError(f"the table {title!r} has no null. Call topology.rich_club(…, null=20).")
    with style():
        if fig is None:
            import matplotlib.pyplot as plt

            fig = plt.figure(figsize=(sizes.two_column, 3.6))
        axes = fig.subplots(
            2, len(tables), squeeze=False, sharex="col", sharey="row", gridspec_kw={"height_ratios": (1.5, 1)}
        )
        for i, ((title, table), (above, below)) in enumerate(zip(tables.items(), axes.T, strict=True)):
            look = {"color": OKABE_ITO[i % 6], "marker": MARKERS[i % 6], "mec": "white", "mew": 0.4}
            k, mean = table.index, table["null_mean"]
            above.fill_between(k, table["null_low"], table["null_high"], color=grey.light, lw=0)
            above.plot(k, mean, color=grey.mid, lw=1, ls=(0, (3, 1.5)), marker=".", label="same degrees, shuffled")
            above.plot(k, table["coefficient"], **look, label="observed")
            below.fill_between(k, table["null_low"] / mean, table["null_high"] / mean, color=grey.light, lw=0)
            below.axhline(1, color=grey.mid, lw=1, ls=(0, (3, 1.5)))
            below.plot(k, table["normalised"], **look)
            above.set(title=f"{'abcdef'[i]}  {title}", xscale="log", yscale="log")
            above.legend(loc="upper left")
            below.set(xlabel="degree of the club, at least", xticks=k, xticklabels=[f"{t:,}" for t in k])
            below.minorticks_off()
        tops = [table["normalised"].max() for table in tables.values()]
        tops += [(table["null_high"] / table["null_mean"]).max() for table in tables.values()]
        axes[1, 0].set_ylim(0, 1.2 * max(1.0, *tops))
        axes[0, 0].set_ylabel("coefficient φ")
        axes[1, 0].set_ylabel("φ / φ of the null")
        fig.align_ylabels(axes[:, 0])
        fig.set_layout_engine("tight")
    set_caption(
        axes,
        "Rich-club coefficient by degree, its null with the same degrees and sizes (band: least and greatest sample), "
        "and their ratio. φ rises with the threshold in the null as well; only a ratio above 1 speaks of a club, and "
        "below 1 hubs meet less often than their degrees would have it.",
    )
    return axes
