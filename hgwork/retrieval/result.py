"""What a search returns before it is made into trajectories."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Found"]


class Found(NamedTuple):
    """Places among the candidates, in order, and what the search itself maximised.

    `proven`: that nothing scores higher by that measure (of the searches that are exact).
    """

    places: tuple[int, ...]
    score: float
    proven: bool = False
