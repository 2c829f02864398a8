"""Everything that a kind of question can ask of a storm and port."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ..answer.questions import Asked, Event, QuestionForms
from ._order_scenes import Scene, values_of

__all__ = ["askable"]


def askable(kind: str, scene: Scene, forms: QuestionForms) -> Iterator[Asked]:
    """Everything that a kind can ask of a storm and port."""
    scope = {"storm": scene.storm, "port": scene.port}
    numbers = [name for name, held in forms.attributes.items() if held.type == "number" and values_of(scene, name)]
    states = [name for name, held in forms.attributes.items() if held.type == "state" and values_of(scene, name)]
    if kind in ("latest", "earliest", "previous", "superseded"):
        yield from (Asked(kind, scope, a=name) for name in [*numbers, *states])
    elif kind in ("longest_run",):
        yield from (Asked(kind, scope, a=a, state=state) for a in states for state in sorted(set(values_of(scene, a))))
    elif kind == "different":
        yield from (Asked(kind, scope, a=name) for name in [*numbers, *states])
    elif kind == "ever":
        yield from (Asked(kind, scope, event=event) for event in _events(scene, forms, wide=True))
    elif kind == "at_event":
        yield from (
            Asked(kind, scope, a=a, event=e)
            for e in _events(scene, forms)
            for a in [*numbers, *states]
            if a != e.attribute
        )
    elif kind == "highest_after":
        yield from (
            Asked(kind, scope, a=a, event=e) for e in _events(scene, forms) for a in numbers if a != e.attribute
        )
    elif kind == "before_after":
        pairs = product(_events(scene, forms), repeat=2)
        yield from (Asked(kind, scope, event=one, later=two) for one, two in pairs if one.attribute != two.attribute)
    elif kind == "justified":
        for event in _events(scene, forms):
            if event.attribute in ("warning", "condition", "watch"):
                reasons = [
                    e
                    for e in _events(scene, forms, wide=True)
                    if e.attribute in ("gales", "gales_two_days", "wind", "rain", "surge")
                ]
                yield from (Asked(kind, scope, event=event, later=reason) for reason in reasons)
    elif kind == "joint":
        for a, b in product(numbers, states):
            marks = _marks(values_of(scene, a))
            yield from (
                Asked(kind, scope, a=a, b=b, x=x, state=state)
                for x in marks
                for state in sorted(set(values_of(scene, b)))
            )
    else:
        yield from (Asked(kind, scope, a=name) for name in numbers)


def _events(scene: Scene, forms: QuestionForms, wide: bool = False) -> list[Event]:
    """First times that come about in the reports; `wide` also those that may not."""
    found: list[Event] = []
    for name, held in forms.attributes.items():
        values = values_of(scene, name)
        if not values:
            continue
        if held.type == "state":
            found += [Event(name, None, state) for state in sorted(set(values)) if state != held.rest]
        elif held.towards:
            marks = _marks(values)
            step = (max(values) - min(values)) or 1.0
            more = [round(max(values) + step / 2), round(min(values) - step / 2)] if wide else []
            found += [Event(name, float(x)) for x in dict.fromkeys([*marks, *more]) if x > 0]
    return found


def _marks(values: list[float]) -> list[float]:
    """Round marks between the readings: one at the middle of their range, one near the top."""
    low, high = min(values), max(values)
    if low == high:
        return []
    return list(dict.fromkeys(float(round(low + share * (high - low))) for share in (0.5, 0.8)))
