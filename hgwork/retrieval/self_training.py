"""Self-training: the steps of trajectories that led to right answers become positive pairs of the transition model.

The third signal of appendix A.4 of [1]_: "retrieval-induced preference". Pairs come from training groups only; what
a model is scored on must not have taught it.

References
----------
.. [1] Knowledge Is Not Static: Order-Aware Hypergraph RAG for Language Models, appendix A.4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from .trajectory import Trajectory

__all__ = ["SelfTrained", "preferred_pairs", "self_train"]


class SelfTrained(NamedTuple):
    """What `self_train` returns: the model, and one row a round (`round`, `questions`, `right`, `pairs`)."""

    model: Any
    rounds: pd.DataFrame


def preferred_pairs(trajectories: Iterable[Trajectory], groups: Iterable[str]) -> list[tuple[str, str]]:
    """Consecutive hyperedges of one group, each pair once, in order of first appearance.

    Raises
    ------
    ValueError
        If a step is of a group that is not trained on.

    Examples
    --------
    >>> import hgwork as hg
    >>> H = hg.datasets.load("toy")
    >>> found = hg.retrieval.retrieve("groups", H, hg.order.precedence(H), method="dag", length=3, n=1)
    >>> len(preferred_pairs(found, ["papers on groups"]))
    2
    """
    allowed = set(groups)
    pairs: dict[tuple[str, str], None] = {}
    for trajectory in trajectories:
        held = trajectory.table["group"].tolist()
        if outside := [group for group in held if isinstance(group, str) and group not in allowed]:
            raise ValueError(
                f"a trajectory for {trajectory.query!r} holds hyperedges of {outside[0]!r}, no training group: "
                "ask training questions with group= set, or leave that question out."
            )
        same = [a == b and isinstance(a, str) for a, b in pairwise(held)]
        pairs |= {pair: None for pair, kept in zip(pairwise(trajectory.edges), same, strict=True) if kept}
    return list(pairs)


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

    Returns
    -------
    SelfTrained

    Raises
    ------
    ValueError
        If a pair comes from another group, or a round has no right answer to learn from.
    """
    rng = np.random.default_rng(rng)
    rows = []
    for number in range(1, rounds + 1):
        kept: list[Trajectory] = []
        right = 0
        for question in tqdm(questions, desc=f"round {number}", unit="question", disable=not progress, leave=False):
            found = ask(model, question)
            if found and is_right(question, found):
                right += 1
                kept += found
        pairs = preferred_pairs(kept, groups)
        if not pairs:
            raise ValueError(f"round {number}: of {len(questions)} questions none was answered right.")
        model = model.fit(H, P, pairs=pairs, groups=groups, rng=rng, warm_start=True)
        rows.append((number, len(questions), right, len(pairs)))
    return SelfTrained(model, pd.DataFrame(rows, columns=["round", "questions", "right", "pairs"]))
