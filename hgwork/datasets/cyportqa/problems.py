"""What could not be read, kept as rows of a table."""

from __future__ import annotations

from dataclasses import dataclass, field

import pandas as pd

__all__ = ["KINDS", "Problems"]

KINDS = {
    "unreadable": "a value that no rule reads; it is missing in the table",
    "qualified": "a value read without the words around it",
    "nested": "a field found below or above its place; it was read there",
    "unknown key": "a key that the layout does not know; it was left out",
    "missing field": "a field that the file lacks",
    "file": "a file that could not be read; it is left out",
    "left out": "a file that the layout does not know, too large to read, or one of a second copy",
    "duplicate": "a second file for a scenario or text already read; it is left out",
    "unknown port": "a port without coordinates in the table of ports",
    "unmatched": "a record that belongs to no storm, port or table row",
    "date order": "dates that contradict each other; both are kept",
}


@dataclass
class Problems:
    """Collects problems; `table` gives columns file, field, value, kind, reason in the order they were met."""

    rows: list[tuple[str, str, str, str, str]] = field(default_factory=list)

    def add(self, file: str, name: str, value: object, kind: str, reason: str) -> None:
        self.rows.append((file, name, str(value), kind, reason))

    @property
    def table(self) -> pd.DataFrame:
        return pd.DataFrame(self.rows, columns=["file", "field", "value", "kind", "reason"])
