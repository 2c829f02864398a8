"""The one way to show a result that is reached step by step: a table, JSON text or a page.

A `Trace` is an ordered list of steps; a step opened inside another belongs to it. What a step holds is turned into
plain values (numbers, text, lists, dicts) when it closes, so that what is shown later is what was true then, and so
that JSON text gives it back unchanged. Texts are data: a page shows them, whatever they are made of, and obeys none.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from time import perf_counter
from typing import Any

import pandas as pd

from .io._files import new_text, read_text

__all__ = ["Step", "Trace"]

VERSION = 1
_SURROGATE = re.compile("[\ud800-\udfff]")
_GREY, _BLUE, _RED = "#767676", "#0072B2", "#B03A00"
_MOST, _SHORT, _ROWS = 4_000, 160, 50
_CONTROL = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_FIELDS = ("name", "inputs", "outputs", "counts", "seconds", "tokens", "note", "failure", "table", "steps")


@dataclass
class Step:
    """One step of a `Trace`.

    Attributes
    ----------
    name : str
    inputs, outputs : dict
        What went in and what came out, plain values by name.
    counts : dict of str to number
        How many there were of what: ``{"events": 50}``.
    seconds : float or None
        Between opening and closing, the steps inside included.
    tokens : int or None
        Of a language model.
    note : str
    failure : str
        Type and message of the error that ended the step; empty if none did.
    steps : list of Step
        Those opened inside it.
    """

    name: str
    inputs: dict[str, Any] = field(default_factory=dict)
    outputs: dict[str, Any] = field(default_factory=dict)
    counts: dict[str, Any] = field(default_factory=dict)
    seconds: float | None = None
    tokens: int | None = None
    note: str = ""
    failure: str = ""
    steps: list[Step] = field(default_factory=list)
    _table: Any = None

    @property
    def table(self) -> pd.DataFrame | None:
        """Rows that belong to the step, such as ranked candidates; set it to a DataFrame, whose index is left out."""
        if not isinstance(self._table, dict):
            return self._table
        rows = pd.DataFrame(self._table["rows"], columns=self._table["columns"], dtype=object)
        return rows.infer_objects()

    @table.setter
    def table(self, rows: pd.DataFrame | None) -> None:
        self._table = rows

    def _close(self, lenient: bool) -> None:
        """Turn what is held into plain values; a value without a JSON form is named by its type if `lenient`."""
        for name in ("inputs", "outputs", "counts"):
            setattr(self, name, _plain(getattr(self, name), f"step {self.name!r}, {name}", lenient))
        self.seconds, self.tokens = _plain(self.seconds, "seconds", lenient), _plain(self.tokens, "tokens", lenient)
        self.note, self.failure = _text(str(self.note)), _text(self.failure)
        if isinstance(self._table, pd.DataFrame):
            where = f"step {self.name!r}, table"
            columns = [_text(str(column)) for column in self._table.columns]
            cells = [self._table.iloc[:, place].astype(object).tolist() for place in range(len(columns))]
            rows = [list(row) for row in zip(*cells, strict=True)] if columns else [[] for _ in range(len(self._table))]
            self._table = {"columns": columns, "rows": _plain(rows, where, lenient)}
        elif self._table is not None and not isinstance(self._table, dict):
            raise ValueError(f"step {self.name!r}: table is {type(self._table).__name__}. Give a DataFrame.")

    def _record(self, times: bool) -> dict[str, Any]:
        record = {name: getattr(self, name) for name in _FIELDS}
        record |= {"table": self._table, "steps": [step._record(times) for step in self.steps]}
        return {name: value for name, value in record.items() if times or name != "seconds"}


class Trace:
    """The steps of one result, in order.

    Parameters
    ----------
    title : str

    Attributes
    ----------
    title : str
    steps : list of Step
        The outermost ones.

    Notes
    -----
    A trace is filled by one thread. Missing values, NaN and infinities are stored as None; sets as sorted lists; half
    a surrogate pair as U+FFFD. The order of names in a dict is kept.

    Examples
    --------
    >>> trace = Trace("search")
    >>> with trace.step("entities", query="ceria and PCL") as step:
    ...     step.outputs["entities"] = ["ceria", "PCL"]
    ...     with trace.step("look up") as inner:
    ...         inner.counts["events"] = 7
    >>> trace.table[["step", "name", "counts"]].values.tolist()
    [['1', 'entities', ''], ['1.1', 'look up', 'events 7']]
    >>> Trace.from_json(trace.to_json()).to_json() == trace.to_json()
    True
    """

    def __init__(self, title: str = ""):
        self.title = _text(str(title))
        self.steps: list[Step] = []
        self._open: list[Step] = []

    @contextmanager
    def step(self, name: str, /, **inputs: Any) -> Iterator[Step]:
        """Open a step; its seconds are measured, and it closes with the block.

        Parameters
        ----------
        name : str
        **inputs
            What goes in, by name.

        Yields
        ------
        Step
            To fill: `outputs`, `counts`, `tokens`, `note`, `table`.

        Raises
        ------
        ValueError
            On closing, if a value has no JSON form; the message names the step and the value. An error raised inside
            the block is noted as `failure` and passes on.
        """
        step = Step(_text(str(name)), dict(inputs))
        (self._open[-1].steps if self._open else self.steps).append(step)
        self._open.append(step)
        start = perf_counter()
        try:
            yield step
        except BaseException as error:
            step.failure = f"{type(error).__name__}: {error}"
            raise
        finally:
            step.seconds = perf_counter() - start if step.seconds is None else step.seconds
            self._open.remove(step)
            step._close(lenient=bool(step.failure))

    def walk(self) -> Iterator[tuple[str, Step]]:
        """Every step with its number ("2", "2.1"), outer ones first."""
        yield from _walk(self.steps, "")

    def __iter__(self) -> Iterator[Step]:
        return (step for _, step in self.walk())

    def __len__(self) -> int:
        return sum(1 for _ in self.walk())

    def __getitem__(self, key: str) -> Step:
        """A step by number ("2.1"), else the first of a name."""
        steps = dict(self.walk())
        named = {step.name: step for step in reversed(list(steps.values()))}
        if key in steps or key in named:
            return steps[key] if key in steps else named[key]
        raise KeyError(f"{key!r} is no step; there are {', '.join(map(repr, dict.fromkeys(s.name for s in self)))}.")

    @property
    def seconds(self) -> float:
        """Sum over the outermost steps."""
        return math.fsum(step.seconds or 0 for step in self.steps)

    @property
    def tokens(self) -> int:
        """Sum over all steps."""
        return sum(step.tokens or 0 for step in self)

    @property
    def table(self) -> pd.DataFrame:
        """One row a step: `step` (its number), `name`, `inputs`, `outputs`, `counts`, `seconds`, `tokens`, `note`,
        `failure`; what goes in and out as one line of text."""
        rows = [
            (number, s.name, _line(s.inputs), _line(s.outputs), _line(s.counts), s.seconds, s.tokens, s.note, s.failure)
            for number, s in self.walk()
        ]
        table = pd.DataFrame(rows, columns=["step", *_FIELDS[:8]])
        return table.astype({"seconds": float, "tokens": "Int64"})

    @property
    def counts(self) -> pd.DataFrame:
        """Counts as numbers: one row a step (index: its number), `name`, then a column a count, missing where none."""
        steps = list(self.walk())
        numbers = pd.DataFrame([step.counts for _, step in steps]).convert_dtypes()
        numbers.insert(0, "name", [step.name for _, step in steps], allow_duplicates=True)
        return numbers.set_axis(pd.Index([number for number, _ in steps], name="step"))

    def to_json(self, path: str | Path | None = None, times: bool = True) -> str:
        """JSON text of the whole trace; also written to `path` (gzip where it ends in .gz).

        Parameters
        ----------
        path : path, optional
        times : bool
            Without times, two runs that do the same give the same bytes.
        """
        record = {"hgwork_trace": VERSION, "title": self.title, "steps": [s._record(times) for s in self.steps]}
        text = json.dumps(record, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
        if path is not None:
            with new_text(path) as file:
                file.write(text)
        return text

    @classmethod
    def from_json(cls, source: str | Path) -> Trace:
        """A trace from the text that `to_json` gives, or from a file of it (a `Path`, or text that is no JSON object).

        Raises
        ------
        ValueError
            If it is no trace; the message says what is wrong and where.
        """
        inline = isinstance(source, str) and source.lstrip().startswith("{")
        where = "the text" if inline else str(source)
        try:
            record = json.loads(str(source) if inline else read_text(source))
        except json.JSONDecodeError as error:
            raise ValueError(f"{where} is not JSON: {error}. Give what Trace.to_json wrote.") from error
        if not isinstance(record, dict) or record.get("hgwork_trace") != VERSION:
            raise ValueError(f"{where} is no trace of version {VERSION}. Give what Trace.to_json wrote.")
        trace = cls(record.get("title", ""))
        trace.steps = _steps(record.get("steps"), where)
        return trace

    def to_html(self, path: str | Path | None = None, times: bool = True) -> str:
        """A readable page: one fold a step, long values folded too; also written to `path`."""
        text = _page(self, times)
        if path is not None:
            with new_text(path) as file:
                file.write(f"<!doctype html><meta charset='utf-8'><title>trace</title>\n{text}\n")
        return text

    def _repr_html_(self) -> str:
        return self.to_html()

    def __repr__(self) -> str:
        return f"Trace({self.title!r}, {len(self)} steps, {self.seconds:.3g} s)"


def _walk(steps: list[Step], before: str) -> Iterator[tuple[str, Step]]:
    for place, step in enumerate(steps, 1):
        yield f"{before}{place}", step
        yield from _walk(step.steps, f"{before}{place}.")


def _steps(records: Any, where: str) -> list[Step]:
    if not isinstance(records, list):
        raise ValueError(f"{where}: steps is {type(records).__name__}, not a list. Give what Trace.to_json wrote.")
    found = []
    for place, record in enumerate(records, 1):
        if not isinstance(record, dict) or "name" not in record or set(record) - set(_FIELDS):
            raise ValueError(f"{where}: step {place} has no name or has unknown fields: {str(record)[:100]}.")
        values = {name: value for name, value in record.items() if name not in ("table", "steps")}
        step = Step(**values, _table=record.get("table"))
        step.steps = _steps(record.get("steps", []), f"{where}, step {place}")
        found.append(step)
    return found


def _line(values: Mapping[str, Any], length: int = 300) -> str:
    """``name value, name value`` on one line."""
    shown = (value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for value in values.values())
    text = " ".join(", ".join(f"{name} {value}" for name, value in zip(values, shown, strict=True)).split())
    return text if len(text) <= length else text[: length - 1] + "…"


def _text(text: str) -> str:
    return _SURROGATE.sub("\ufffd", text)


def _plain(value: Any, where: str, lenient: bool) -> Any:
    """A value as JSON has it."""
    if hasattr(value, "model_dump"):
        value = value.model_dump()
    if isinstance(value, pd.DataFrame):
        value = value.to_dict("records")
    if isinstance(value, pd.Series):
        value = value.to_dict()
    if isinstance(value, bool) or value is None or value is pd.NA or value is pd.NaT:
        return value if isinstance(value, bool) else None
    if isinstance(value, str):
        return _text(str(value))
    if isinstance(value, int | float):
        number = int(value) if isinstance(value, int) else float(value)
        return number if math.isfinite(number) else None
    if isinstance(value, Mapping):
        return _plain_dict(value, where, lenient)
    if isinstance(value, set | frozenset):
        return sorted((_plain(item, where, lenient) for item in value), key=lambda item: (str(type(item)), str(item)))
    if isinstance(value, list | tuple):
        return [_plain(item, f"{where}, item {place}", lenient) for place, item in enumerate(value)]
    if hasattr(value, "tolist"):  # NumPy arrays and scalars, an Index
        return _plain(value.tolist(), where, lenient)
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if isinstance(value, Path):
        return value.as_posix()
    if lenient:
        return f"<{type(value).__name__}>"
    raise ValueError(
        f"{where}: a {type(value).__name__} has no JSON form. Give text, a number, a list, a dict or a table."
    )


def _plain_dict(value: Mapping, where: str, lenient: bool) -> dict[str, Any]:
    plain = {_text(str(key)): _plain(item, f"{where}, {key!r}", lenient) for key, item in value.items()}
    if len(plain) < len(value) and not lenient:
        raise ValueError(f"{where}: two keys of {list(value)[:20]} are equal as text. Rename one.")
    return plain


def _page(trace, times: bool = True) -> str:
    """The steps of a trace as HTML without scripts, in colours that suit light and dark pages."""
    facts = [f"{len(trace)} steps"]
    facts += [f"{trace.seconds:.3g} s"] if times else []
    facts += [f"{trace.tokens:,} tokens"] if trace.tokens else []
    return (
        "<div style='font-family:sans-serif;font-size:13px;max-width:960px'>"
        f"<div style='margin-bottom:6px'><b>{_safe(trace.title or 'trace')}</b> "
        f"<span style='color:{_GREY}'>{', '.join(facts)}</span></div>{_list(trace.steps, times, '')}</div>"
    )


def _list(steps, times: bool, before: str) -> str:
    return "".join(_step(step, times, f"{before}{place}") for place, step in enumerate(steps, 1))


def _step(step, times: bool, number: str) -> str:
    facts = [f"{_safe(name)} {_safe(_written(count))}" for name, count in step.counts.items()]
    facts += [f"{step.seconds:.3g} s"] if times and step.seconds is not None else []
    facts += [f"{step.tokens:,} tokens"] if step.tokens is not None else []
    line = f"<span style='color:{_GREY}'>{number}</span> <b style='color:{_BLUE}'>{_safe(step.name)}</b>"
    line += f" <span style='color:{_GREY}'>{', '.join(facts)}</span>" if facts else ""
    line += f" {_safe(step.note)}" if step.note else ""
    line += f" <span style='color:{_RED}'>{_safe(step.failure)}</span>" if step.failure else ""
    body = _values(step.inputs, "in") + _values(step.outputs, "out") + _table(step._table)
    body += _list(step.steps, times, f"{number}.")
    style = "style='margin:2px 0 2px 14px'"
    if not body:
        return f"<div {style}>{line}</div>"
    return f"<details open {style}><summary>{line}</summary><div style='margin-left:14px'>{body}</div></details>"


def _values(values: dict[str, Any], side: str) -> str:
    return "".join(_value(name, _written(value), side) for name, value in values.items())


def _value(name: str, text: str, side: str) -> str:
    label = f"<span style='color:{_GREY}'>{side}</span> {_safe(name)}"
    if len(text) <= _SHORT and "\n" not in text:
        return f"<div>{label}: {_safe(text)}</div>"
    more = f"\n… {len(text):,} characters in all" if len(text) > _MOST else ""
    block = f"<pre style='white-space:pre-wrap;margin:2px 0 6px 14px'>{_safe(text[:_MOST])}{more}</pre>"
    return f"<details><summary>{label}: {_safe(' '.join(text[:_SHORT].split()))}…</summary>{block}</details>"


def _table(table: dict[str, Any] | None) -> str:
    if not table:
        return ""
    cell = "style='text-align:left;padding:1px 8px;max-width:420px;overflow-wrap:anywhere'"
    head = "".join(f"<th {cell}>{_safe(name)}</th>" for name in table["columns"])
    body = "".join(
        "<tr>" + "".join(f"<td {cell}>{_safe(_cell(value))}</td>" for value in row) + "</tr>"
        for row in table["rows"][:_ROWS]
    )
    left = len(table["rows"]) - _ROWS
    more = f"<div style='color:{_GREY}'>{left:,} more rows</div>" if left > 0 else ""
    return f"<table style='border-collapse:collapse;margin:4px 0'><tr>{head}</tr>{body}</table>{more}"


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    text = "" if value is None else _written(value)
    return text if len(text) <= _SHORT else text[: _SHORT - 1] + "…"


def _written(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _safe(text: str) -> str:
    """Escaped, with control characters and those that turn the direction of writing made visible."""
    return escape(_CONTROL.sub("\ufffd", text))
