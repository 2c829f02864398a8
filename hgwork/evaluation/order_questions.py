"""Questions whose answers depend on the order of reports, and a control set whose answers do not.

Answers are computed from the table of facts of the cyclone corpus; methods and readers see sentences. A question enters
the first set only if putting the reports in other orders changes its answer, the second only if no order does. Both are
drawn so that no constant answer gets far.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import permutations
from math import factorial
from typing import Any

import numpy as np
import pandas as pd

from ..answer.questions import Asked, QuestionForms, question_forms
from ..answer.streams import answer_from
from ..hypergraph import Hypergraph
from ._order_asking import askable
from ._order_scenes import Scene, scenes

__all__ = ["control_questions", "grade", "order_questions"]

MOST_NEEDED = 8
_ORDERS, _SENSITIVE = 24, 0.4
_TOLERANCE, _ROUNDING = 0.01, 1e-3
_CAN_REQUIRE = ("reversed", "complete")


def order_questions(
    H: Hypergraph,
    kinds: Sequence[str] | None = None,
    n: int = 2400,
    rng: int | np.random.Generator = 0,
    *,
    most_needed: int = MOST_NEEDED,
    require: Sequence[str] = (),
    forms: QuestionForms | None = None,
) -> pd.DataFrame:
    """Draw questions whose answers depend on order.

    Parameters
    ----------
    H : Hypergraph
        Of the cyclone corpus (`hgwork.order.build`), to say which hyperedges hold the needed evidence.
    kinds : sequence of str, optional
        All sixteen by default.
    n : int
        About as many; the same number of each kind as far as there are any.
    rng : int or Generator
    most_needed : int
        Questions that need more hyperedges are left out: no method with so many steps could answer them.
    require : sequence of {"reversed", "complete"}
        Leave out, before any is drawn, questions of which the column of that name is False.

    Returns
    -------
    DataFrame
        `question_id`, `kind`, `type` ("yes_no", "choice", "number", "state"), `storm`, `port`, `group`, `question`,
        `choices`, `answer`, `needed` (hyperedge ids: every reading of the attributes asked about), `reports` (how many
        there are), `sensitivity` (share of random orders of the reports that change the answer), `reversed` (whether
        reading the reports backwards changes it), `complete` (whether the hypergraph holds one hyperedge for each
        value that the answer is computed from, and no other), `needed_count`, `tolerance` (see `grade`).

    Raises
    ------
    ValueError
        If a kind or a requirement is unknown, or there is no question of these kinds.

    Notes
    -----
    The answer is the same whichever of two attributes a report gives first; readings of one report carry no order.
    Of all orders of up to four reports, or 24 random ones of more, at least 40 % change it (a yes or no
    can change in half of them at best).
    Within a kind an answer is drawn at most as often as all others together. Some questions depend on order and yet
    have the same answer backwards: a longest run always, a rise then a fall often. ``require=["reversed"]`` leaves
    them out.
    """
    return _drawn(H, kinds, n, rng, most_needed, require, forms or question_forms("cyclones"), controls=False)


def control_questions(
    H: Hypergraph,
    kinds: Sequence[str] | None = None,
    n: int = 500,
    rng: int | np.random.Generator = 0,
    *,
    most_needed: int = MOST_NEEDED,
    require: Sequence[str] = (),
    forms: QuestionForms | None = None,
) -> pd.DataFrame:
    """Draw questions whose answers no order of the reports changes; the table is that of `order_questions`."""
    if "reversed" in require:
        raise ValueError("no order changes the answer of a control question: require at most 'complete'.")
    return _drawn(H, kinds, n, rng, most_needed, require, forms or question_forms("cyclones"), controls=True)


def grade(question: Mapping[str, Any], answer: Any) -> float:
    """1 for a right answer, 0 for a wrong one or none.

    Numbers may be off by the `tolerance` of the question, by default 0.01; text is compared without case.

    Examples
    --------
    >>> grade({"answer": 40.0}, 40.0), grade({"answer": "yes"}, "Yes"), grade({"answer": "yes"}, None)
    (1.0, 1.0, 0.0)
    """
    right = question["answer"]
    if answer is None:
        return 0.0
    if isinstance(right, float | int):
        try:
            return float(abs(float(answer) - right) < question.get("tolerance", _TOLERANCE) + _ROUNDING)
        except (TypeError, ValueError):
            return 0.0
    return float(str(answer).strip().casefold() == str(right).casefold())


# -------------------------------------------------------------------- draw


def _drawn(
    H, kinds, n: int, rng, most_needed: int, require: Sequence[str], forms: QuestionForms, controls: bool
) -> pd.DataFrame:
    known = forms.controls if controls else forms.kinds
    kinds = list(known) if kinds is None else list(kinds)
    if unknown := [kind for kind in kinds if kind not in known]:
        raise ValueError(f"there is no kind {unknown[0]!r}; there are {', '.join(known)}.")
    if unknown := [name for name in require if name not in _CAN_REQUIRE]:
        raise ValueError(f"require={unknown[0]!r}: give some of {', '.join(_CAN_REQUIRE)}.")
    rng = np.random.default_rng(rng)
    held = scenes(H, forms)
    rows: list[dict[str, Any]] = []
    for kind in kinds:
        found = [
            row
            for scene in held
            for asked in askable(kind, scene, forms)
            if (row := _row(asked, scene, forms, most_needed, controls)) and all(row[name] for name in require)
        ]
        rows += _balanced(found, -(-n // len(kinds)), rng)
    if not rows:
        wanted = f" that are {' and '.join(require)}" if require else ""
        raise ValueError(
            f"no question{wanted} of {', '.join(kinds)}: it takes storms of the corpus with at least two reports, and "
            "at least two different answers."
        )
    for row in rows:
        row["question"] = forms.render(row.pop("asked"), int(rng.integers(2)))
    table = pd.DataFrame(rows)
    table.insert(0, "question_id", [f"{row['kind']}-{place:04d}" for place, row in enumerate(rows)])
    return table


def _row(asked: Asked, scene: Scene, forms: QuestionForms, most_needed: int, controls: bool) -> dict[str, Any] | None:
    names = asked.attributes
    needed = [edge for name in names for edge in scene.edges[name]]
    reports = [report for report in scene.reports if any(name in report for name in names)]
    if not len(reports) >= 2 or len(set(needed)) > most_needed:
        return None
    answer = _answer(reports, names, asked, forms)
    if answer is None or any(_answer(reports, list(other), asked, forms) != answer for other in permutations(names)):
        return None
    others = [_answer([reports[i] for i in places], names, asked, forms) for places in _orders(len(reports))]
    sensitivity = float(np.mean([other != answer for other in others]))
    if (sensitivity > 0) if controls else (sensitivity < _SENSITIVE):
        return None
    choices = list(forms.choices.get(asked.kind, []))
    kind = (
        "yes_no"
        if choices == ["yes", "no"]
        else "choice"
        if choices
        else "state"
        if isinstance(answer, str)
        else "number"
    )
    head = {"kind": asked.kind, "type": kind, "storm": scene.storm, "port": scene.port, "group": scene.group}
    tail = {"choices": choices, "answer": answer, "needed": list(dict.fromkeys(needed)), "reports": len(reports)}
    checks = {
        "sensitivity": round(sensitivity, 3),
        "reversed": _answer(reports[::-1], names, asked, forms) != answer,
        "complete": set(names) <= scene.complete,
        "needed_count": len(tail["needed"]),
        "tolerance": _TOLERANCE if kind == "number" else 0.0,
    }
    return head | {"asked": asked, "question": ""} | tail | checks


def _answer(reports: list[dict[str, Any]], names: list[str], asked: Asked, forms: QuestionForms) -> Any:
    stream = [(name, report[name]) for report in reports for name in names if name in report]
    return answer_from(stream, asked, forms.attributes)


def _orders(count: int) -> list[tuple[int, ...]]:
    """All orders of so many reports, or 24 random ones where there are more."""
    if factorial(count) <= _ORDERS:
        return list(permutations(range(count)))
    draw = np.random.default_rng(count)
    return [tuple(draw.permutation(count).tolist()) for _ in range(_ORDERS)]


def _balanced(rows: list[dict[str, Any]], count: int, rng: np.random.Generator) -> list[dict[str, Any]]:
    """Draw storm by storm, so that none dominates; an answer at most as often as all others together."""
    by_answer: dict[Any, list[dict[str, Any]]] = defaultdict(list)
    for place in rng.permutation(len(rows)).tolist():
        by_answer[rows[place]["answer"]].append(rows[place])
    if len(by_answer) < 2:
        return []
    sizes = sorted((len(held) for held in by_answer.values()), reverse=True)
    most = min(count // 2, sum(sizes[1:]))
    pool = [row for held in by_answer.values() for row in _by_turns(held)[:most]]
    return _by_turns([pool[place] for place in rng.permutation(len(pool)).tolist()], most)[:count]


def _by_turns(rows: list[dict[str, Any]], most: int | None = None) -> list[dict[str, Any]]:
    """One question a storm in turn; no answer more often than `most`."""
    turn: Counter[str] = Counter()
    placed = []
    for place, row in enumerate(rows):
        placed.append((turn[row["storm"]], place, row))
        turn[row["storm"]] += 1
    used: Counter[Any] = Counter()
    kept = []
    for _, _, row in sorted(placed, key=lambda item: item[:2]):
        if most is None or used[row["answer"]] < most:
            used[row["answer"]] += 1
            kept.append(row)
    return kept
