"""Composite materials named by their parts: "silk/PLA blend" is composed of silk and PLA [1]_.

References
----------
.. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, section 2.1.1 (the pre-pass).
"""

from __future__ import annotations

import re
from collections.abc import Collection

from .words import COMPOSITE_HEADS

__all__ = ["parts"]

_JOINT = re.compile(r"^[^\W\d_][\w()′,-]*(?:(?:/|–)[^\W\d_][\w()′,-]*)+$")


def parts(label: str, seen: Collection[str] = ()) -> list[str]:
    """The parts of a composite that a label names, or nothing; `seen` holds lower-cased labels met before.

    Examples
    --------
    >>> parts("porous silk/PLA blend"), parts("oil–water interface"), parts("and/or")
    (['silk', 'PLA'], [], [])
    """
    words = label.split()
    head = words[-1].lower() if words else ""
    if len(words) == 1 and _JOINT.match(label) and "/" in label and any(p.lower() in seen for p in label.split("/")):
        return label.split("/")
    singular = {head, head[:-1] if head.endswith("s") else head, head[:-2] if head.endswith("es") else head}
    if len(words) < 2 or not singular & COMPOSITE_HEADS:
        return []
    for word in words[:-1]:
        if _JOINT.match(word):
            return re.split("/|–", word)
    return []
