"""Self-training: the steps of trajectories that led to right answers become positive pairs of the transition model.

The third signal of appendix A.4 of [1]_: "retrieval-induced preference". Pairs come from training groups only; what
a model is scored on must not have taught it.

References
----------
.. [1] Knowledge Is Not Static: Order-Aware Hypergraph RAG for Language Models, appendix A.4.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from .trajectory import Trajectory

__all__ = ["SelfTrained", "preferred_pairs", "self_train"]


class SelfTrained(NamedTuple):
    """What `self_train` returns.

    Attributes
    ----------
    model : TransitionModel
    rounds : DataFrame, one row a round
        `round`, `questions`, `right`, `pairs` (trained on); with a measure also `before`, `after`.
    """

    model: Any
    rounds: pd.DataFrame


def preferred_pairs(
    trajectories: Iterable[Trajectory], groups: Iterable[str], most: int | None = None
) -> list[tuple[str, str]]:
    """Consecutive hyperedges of one group, each pair once.

    Parameters
    ----------
    trajectories : iterable of Trajectory
        That led to right answers.
    groups : iterable of str
        Training groups.
    most : int, optional
        Pairs kept: those that most trajectories hold.

    Returns
    -------
    list of (before, after)
        By the number of trajectories that hold them with `most`, else in order of first appearance, which also breaks
        ties.

    Raises
    ------
    ValueError
        If a step is of a group that is not trained on, or `most` is below 1.

    Examples
    --------
    >>> import hgwork as hg
    >>> H = hg.datasets.load("toy")
    >>> found = hg.retrieval.retrieve("groups", H, hg.order.precedence(H), method="dag", length=3, n=1)
    >>> len(preferred_pairs(found, ["papers on groups"]))
    2
    """
    if most is not None and most < 1:
        raise ValueError(f"most={most}: keep at least 1 pair, or give None for all.")
    allowed = set(groups)
    pairs: Counter[tuple[str, str]] = Counter()
    for trajectory in trajectories:
        held = trajectory.table["group"].tolist()
        if outside := [group for group in held if isinstance(group, str) and group not in allowed]:
            raise ValueError(
                f"a trajectory for {trajectory.query!r} holds hyperedges of {outside[0]!r}, no training group: "
                "ask training questions with group= set, or leave that question out."
            )
        same = [a == b and isinstance(a, str) for a, b in pairwise(held)]
        pairs.update(pair for pair, kept in zip(pairwise(trajectory.edges), same, strict=True) if kept)
    return list(pairs) if most is None else [pair for pair, _ in pairs.most_common(most)]


def self_train(
    model: Any,
    H: Any,
    P: Any,
    questions: Sequence[Any],
    ask: Callable[[Any, Any], list[Trajectory]],
    is_right: Callable[[Any, list[Trajectory]], bool],
    *,
    groups: Sequence[str],
    rounds: int = 1,
    most: int | None = None,
    measure: Callable[[Any], float] | None = None,
    rng: int | np.random.Generator = 0,
    progress: bool = False,
) -> SelfTrained:
    """Retrieve, keep what was answered right, train on; again.

    Parameters
    ----------
    model : TransitionModel
        Fitted; it is trained on in place (``warm_start``).
    H, P : Hypergraph or EdgeFeatures, Precedence
        As given to ``model.fit``.
    questions : sequence
        Training questions, of `groups` alone.
    ask : callable
        (model, question) -> trajectories retrieved with the model as it is.
    is_right : callable
        (question, trajectories) -> whether a reader answers right from them.
    groups : sequence of str
        Training groups.
    rounds : int, at least 1
        A later round asks with the model that the earlier one left.
    most : int, optional
        Pairs trained on in a round (see `preferred_pairs`); all by default.
    measure : callable, optional
        model -> number, taken before and after each round, such as next-step MRR on groups outside `groups`. It may
        fall: a model learns what its own searches prefer.
    rng : int or Generator
    progress : bool

    Returns
    -------
    SelfTrained

    Raises
    ------
    ValueError
        If a pair comes from another group, a round has no right answer to learn from, or a number is out of range.
    """
    if isinstance(rounds, bool) or not isinstance(rounds, int) or rounds < 1:
        raise ValueError(f"rounds={rounds!r}: give a whole number of at least 1.")
    rng = np.random.default_rng(rng)
    rows = []
    score = [float(measure(model))] if measure else []
    for number in range(1, rounds + 1):
        kept: list[Trajectory] = []
        right = 0
        for question in tqdm(questions, desc=f"round {number}", unit="question", disable=not progress, leave=False):
            found = ask(model, question)
            if found and is_right(question, found):
                right += 1
                kept += found
        pairs = preferred_pairs(kept, groups, most)
        if not pairs:
            why = f"{right} were answered right, but no two neighbours are of one group" if right else ""
            why = why or "none was answered right"
            raise ValueError(f"round {number}: of {len(questions)} questions {why}: there is nothing to learn from.")
        model = model.fit(H, P, pairs=pairs, groups=groups, rng=rng, warm_start=True)
        row: dict[str, float] = {"round": number, "questions": len(questions), "right": right, "pairs": len(pairs)}
        if measure:
            score.append(float(measure(model)))
            row |= {"before": score[-2], "after": score[-1]}
        rows.append(row)
    return SelfTrained(model, pd.DataFrame(rows))
