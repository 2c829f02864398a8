"""The transition model in pictures: where steps lead, how training went, what is ordered right on held-out storms."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import fill

import numpy as np
import pandas as pd

from .encodings import MARKERS, OKABE_ITO, shades
from .styling import grey, set_caption, sizes, style

__all__ = ["held_out", "learning_curve", "training", "transition_matrices"]


def transition_matrices(matrices: Mapping[str, pd.DataFrame], fig=None) -> np.ndarray:
    """Draw transition matrices side by side, one row and column a family.

    Parameters
    ----------
    matrices : mapping of a title to DataFrame
        Of `order.transition_matrix`, all with the same names.
    fig : Figure, optional

    Returns
    -------
    array of Axes

    Raises
    ------
    ValueError
        If there are none, they are empty, or their names differ.
    """
    if not matrices or next(iter(matrices.values())).empty:
        raise ValueError("no matrix was given: there is nothing to draw.")
    names = list(next(iter(matrices.values())).index)
    for title, matrix in matrices.items():
        if list(matrix.index) != names or list(matrix.columns) != names:
            raise ValueError(f"the matrix {title!r} has other names than the first: make all of one hypergraph.")
    with style():
        if fig is None:
            import matplotlib.pyplot as plt

            fig = plt.figure(figsize=(sizes.two_column, 1.7 + sizes.two_column * 0.62 / len(matrices)))
        axes = fig.subplots(1, len(matrices), squeeze=False, sharey=True)[0]
        top = max(float(matrix.to_numpy().max()) for matrix in matrices.values())
        words = [str(name).replace("_", " ") for name in names]
        for ax, (title, matrix) in zip(axes, matrices.items(), strict=True):
            image = ax.imshow(np.where(matrix > 0, matrix, np.nan), cmap=shades(), vmin=0, vmax=top, aspect="equal")
            ax.set(title=title, xticks=range(len(names)), yticks=range(len(names)), yticklabels=words)
            ax.set_xticklabels(words, rotation=90)
            ax.tick_params(length=0)
            ax.grid(False)
        axes[0].set_ylabel("from")
        fig.supxlabel("to", size=8)
        fig.set_layout_engine("constrained")
        fig.colorbar(image, ax=list(axes), shrink=0.6, label="mean probability")
    set_caption(
        axes,
        "Mean probability that a step leads from a hyperedge of one family (row) to one of another (column) in the "
        "same group. White: never. Families are in the order of the table; mass above the diagonal goes forward.",
    )
    return axes


def training(history: pd.DataFrame, ax=None):
    """Draw the losses of training by epoch.

    Parameters
    ----------
    history : DataFrame
        `TransitionModel.history`, one row an epoch: `loss` and `held_out_loss`.
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    columns = [name for name in ("loss", "held_out_loss") if name in history]
    if not columns or history.empty:
        raise ValueError(f"the history holds no loss: its columns are {list(history.columns)}.")
    with style():
        if ax is None:
            import matplotlib.pyplot as plt

            ax = plt.figure(figsize=(sizes.one_column, 2.4)).add_subplot()
        for i, name in enumerate(columns):
            ax.plot(history["epoch"], history[name], color=OKABE_ITO[i % 6], marker=MARKERS[i % 6], markevery=0.12,
                    ms=4, mec="white", mew=0.4, label=name.replace("_", " "))  # fmt: skip
        ax.set(xlabel="epoch", ylabel="loss")
        ax.legend()
        ax.figure.set_layout_engine("constrained")
    set_caption(ax, "Loss by epoch on the training storms and on those held out for early stopping.")
    return ax


def held_out(summary: pd.DataFrame, fig=None, chance: float = 0.5) -> np.ndarray:
    """Draw held-out measures, one panel each, one row a model with its interval by storm.

    Parameters
    ----------
    summary : DataFrame
        Of `evaluation.transitions.summary`: index (measure, model), columns `value`, `low`, `high`.
    fig : Figure, optional
    chance : float
        Where a line stands for guessing; measures of rank ("MRR", "Hits") have none.

    Returns
    -------
    array of Axes
    """
    if summary.empty:
        raise ValueError("the summary is empty: there is nothing to draw.")
    measures = list(dict.fromkeys(summary.index.get_level_values(0)))
    models = list(dict.fromkeys(summary.index.get_level_values(1)))
    with style():
        if fig is None:
            import matplotlib.pyplot as plt

            fig = plt.figure(figsize=(sizes.two_column, 0.9 + 0.19 * len(models)))
        axes = fig.subplots(1, len(measures), squeeze=False, sharey=True)[0]
        for ax, measure in zip(axes, measures, strict=True):
            for i, model in enumerate(models):
                if (measure, model) not in summary.index:
                    continue
                row = summary.loc[(measure, model)]
                ax.plot([row["low"], row["high"]], [i, i], color=OKABE_ITO[i % 7], lw=1.4, solid_capstyle="round")
                ax.plot(row["value"], i, color=OKABE_ITO[i % 7], marker=MARKERS[i % 10], ms=5, mec="white", mew=0.5)
            if not any(word in measure for word in ("MRR", "Hits")):
                ax.axvline(chance, color=grey.mid, lw=0.8, ls=(0, (3, 1.5)), zorder=0)
            ax.set(title=fill(measure, 15), xlim=(-0.04, 1.04), xticks=(0, 0.5, 1), xticklabels=("0", ".5", "1"))
            ax.grid(axis="x")
        axes[0].set(yticks=range(len(models)), yticklabels=models, ylim=(len(models) - 0.5, -0.5))
        fig.set_layout_engine("constrained")
    set_caption(
        axes,
        "Measures on storms that were not trained on, mean over storms with a 95 % bootstrap interval by storm; the "
        "dashed line is guessing. The panels answer different questions and are never pooled.",
    )
    return axes


def learning_curve(table: pd.DataFrame, ax=None):
    """Draw held-out measures against the number of training storms.

    Parameters
    ----------
    table : DataFrame
        Of `evaluation.transitions.learning_curve`: index (measure, training storms), columns `value`, `low`, `high`.
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    if table.empty:
        raise ValueError("the table is empty: there is nothing to draw.")
    with style():
        if ax is None:
            import matplotlib.pyplot as plt

            ax = plt.figure(figsize=(sizes.one_column, 2.8)).add_subplot()
        for i, (measure, part) in enumerate(table.groupby(level=0, sort=False)):
            storms = part.index.get_level_values(1)
            ax.fill_between(storms, part["low"], part["high"], color=OKABE_ITO[i % 7], alpha=0.15, lw=0)
            ax.plot(storms, part["value"], color=OKABE_ITO[i % 7], marker=MARKERS[i % 10], mec="white", mew=0.4,
                    label=measure)  # fmt: skip
        ax.axhline(0.5, color=grey.mid, lw=0.8, ls=(0, (3, 1.5)), zorder=0)
        ax.set(xlabel="training storms", ylabel="share in the right order", ylim=(0.4, 1.02), xticks=storms)
        ax.legend(loc="upper center", bbox_to_anchor=(0.45, -0.25), ncols=2)
        ax.figure.set_layout_engine("constrained")
    held = int(table["held out"].max()) if "held out" in table else None
    set_caption(
        ax,
        "Order on held-out storms by the number of storms trained on, each set holding the one before; bands are 95 % "
        "bootstrap intervals by storm"
        + (f" over {held} held-out storms" if held else "")
        + ". The dashed line is guessing.",
    )
    return ax
