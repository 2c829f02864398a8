"""Answers from readings in a row: what is known after each, and what that says about a question.

A stream is a list of (attribute, value) in the order in which they are read. Nothing here knows when anything was
said; change the order of the stream and the answers to questions about order change with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any

from .questions import Asked, Attribute, Event

__all__ = ["answer_from", "readings"]

Stream = Sequence[tuple[str, Any]]


def answer_from(stream: Stream, asked: Asked, attributes: Mapping[str, Attribute]) -> Any:
    """The answer that a stream gives to a question.

    Parameters
    ----------
    stream : sequence of (attribute name, value)
        Values are floats or folded text.
    asked : Asked
    attributes : mapping of name to Attribute

    Returns
    -------
    float, str or None
        None where the stream does not hold what the question needs.

    Examples
    --------
    >>> from hgwork.answer.questions import question_forms
    >>> forms = question_forms("cyclones")
    >>> stream = [("wind", 40.0), ("warning", "none"), ("wind", 60.0), ("warning", "hurricane"), ("wind", 50.0)]
    >>> answer_from(stream, Asked("latest", {}, a="wind"), forms.attributes)
    50.0
    >>> first = Event("warning", None, "hurricane")
    >>> answer_from(stream, Asked("at_event", {}, a="wind", event=first), forms.attributes)
    60.0
    """
    return _KINDS[asked.kind](stream, asked, attributes)


def readings(stream: Stream, name: str) -> list[Any]:
    """The values of one attribute, in order."""
    return [value for attribute, value in stream if attribute == name]


def _of_readings(function: Callable[[list[Any], Asked], Any], least: int = 1):
    """A kind that looks at one attribute alone; None below `least` readings."""

    def answer(stream: Stream, asked: Asked, attributes) -> Any:
        values = readings(stream, asked.a)
        return function(values, asked) if len(values) >= least else None

    return answer


def _first(stream: Stream, event: Event | None, attributes) -> int | None:
    """Place of the reading with which an event comes about: a state that is taken, a mark that is passed."""
    if event is None:
        return None
    towards = attributes[event.attribute].towards
    return next(
        (at for at, (name, v) in enumerate(stream) if name == event.attribute and event.holds(v, towards)), None
    )


def _trend(values: list[float], _: Asked) -> str | None:
    steps = [b - a for a, b in pairwise(values) if b != a]
    signs = [sign for sign, _ in groupby(step > 0 for step in steps)]
    if not signs:
        return None
    if len(signs) > 2:
        return "went up and down"
    return {(True,): "rose", (False,): "fell", (True, False): "rose, then fell"}.get(tuple(signs), "fell, then rose")


def _superseded(values: list[Any], _: Asked) -> Any:
    return next((value for value in reversed(values) if value != values[-1]), None)


def _longest_run(values: list[Any], asked: Asked) -> float:
    return float(max((len(list(part)) for value, part in groupby(values) if value == asked.state), default=0))


def _after_peak(values: list[float], _: Asked) -> float | None:
    peak = max(range(len(values)), key=lambda at: (values[at], at))
    return min(values[peak + 1 :], default=None)


def _at_event(stream: Stream, asked: Asked, attributes) -> Any:
    at = _first(stream, asked.event, attributes)
    return None if at is None else (readings(stream[: at + 1], asked.a) or [None])[-1]


def _highest_after(stream: Stream, asked: Asked, attributes) -> Any:
    at = _first(stream, asked.event, attributes)
    return None if at is None else max(readings(stream[at + 1 :], asked.a), default=None)


def _before_after(stream: Stream, asked: Asked, attributes) -> str | None:
    one, two = _first(stream, asked.event, attributes), _first(stream, asked.later, attributes)
    if one is None and two is None:
        return None
    return "yes" if two is None or (one is not None and one < two) else "no"


def _justified(stream: Stream, asked: Asked, attributes) -> str | None:
    at = _first(stream, asked.event, attributes)
    if at is None:
        return None
    return "no" if _first(stream[: at + 1], asked.later, attributes) is None else "yes"


def _joint(stream: Stream, asked: Asked, attributes) -> str | None:
    known: dict[str, Any] = {}
    for name, value in stream:
        known[name] = value
        if known.get(asked.b) == asked.state and asked.x is not None and known.get(asked.a, -1e9) >= asked.x:
            return "yes"
    return "no" if {asked.a, asked.b} <= set(known) else None


def _ever(stream: Stream, asked: Asked, attributes) -> str | None:
    if asked.event is None or not readings(stream, asked.event.attribute):
        return None
    return "no" if _first(stream, asked.event, attributes) is None else "yes"


def _net(values: list[float], _: Asked) -> str:
    return "higher" if values[-1] > values[0] else "lower" if values[-1] < values[0] else "the same"


_KINDS: dict[str, Callable[[Stream, Asked, Mapping[str, Attribute]], Any]] = {
    "latest": _of_readings(lambda v, _: v[-1]),
    "earliest": _of_readings(lambda v, _: v[0]),
    "previous": _of_readings(lambda v, _: v[-2], 2),
    "change": _of_readings(lambda v, _: v[-1] - v[0], 2),
    "net": _of_readings(_net, 2),
    "trend": _of_readings(_trend, 2),
    "rises": _of_readings(lambda v, _: float(sum(b > a for a, b in pairwise(v))), 2),
    "largest_rise": _of_readings(lambda v, _: max(0.0, max(b - a for a, b in pairwise(v))), 2),
    "longest_run": _of_readings(_longest_run),
    "superseded": _of_readings(_superseded, 2),
    "at_event": _at_event,
    "highest_after": _highest_after,
    "before_after": _before_after,
    "justified": _justified,
    "joint": _joint,
    "after_peak": _of_readings(_after_peak, 2),
    "highest": _of_readings(lambda v, _: max(v)),
    "lowest": _of_readings(lambda v, _: min(v)),
    "spread": _of_readings(lambda v, _: max(v) - min(v)),
    "ever": _ever,
    "different": _of_readings(lambda v, _: float(len(set(v)))),
}
