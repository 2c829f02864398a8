"""A trajectory: hyperedges in order, with what every step adds to the score and where its evidence stands."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from html import escape
from typing import Any

import numpy as np
import pandas as pd

from ..hypergraph import Hypergraph
from ..trace import Trace
from .objective import TERMS, new_phases, terms_of
from .problem import Problem
from .weights import Weights

__all__ = ["Trajectory"]

VERSION = 1
_KNOWN = ("relation", "family", "phase", "group", "text", "document", "start", "end")


class Trajectory:
    """Hyperedges in an order, as a search found them or as they were put.

    Attributes
    ----------
    edges : list of str
        Hyperedge ids in order.
    query, method : str
    score : float
        Equation 5, all terms with their weights.
    search_score : float or None
        What the search itself maximised: of "beam" the running score of Algorithm 1, of "viterbi" relevance and
        transitions, of "dag" equation 5 without precedence.
    proven : bool
        Whether the search proves that nothing scores higher by `search_score`.
    terms : dict
        `relevance`, `order`, `precedence`, `continuity`, `coverage`: weighted, summing to `score`.
    known : dict
        The same terms -> whether there was anything to count; what is not known counts 0 and is shown as n/a.
    certificate : dict
        `score`, `ceiling`, `gap` (see `certificate`).
    note : str
        What a reader of the result should know, such as that the candidates ran out.
    weights : Weights
    index : str
        "horizon" or "position": what places the steps; "" without either.
    table : DataFrame, one row a step
        `step`, `edge`, `relation`, `family`, `phase`, `horizon` or `position`, `group`, `text`, `document`, `start`,
        `end` (characters of the document), `entities` (list of (name as it stands, type)), `relevance`, `log_prob`,
        `log_prob_normalised`, `probability` (NaN at the first step or without transitions), `precedence` (1 in order
        after the step before, 0 against, NaN unrelated), `continuity`, `new_phase`, and the weighted contributions
        `score_relevance`, …, `score_coverage`, `score`.

    Notes
    -----
    The shares of equation 5 are divided over the steps so that every column of contributions sums to its term: a step
    in order gets μ over the number of related neighbours, continuity ν/(L − 1) times its Jaccard similarity, the first
    step of a phase ρ/|S|. Transitions and continuity belong to the step that is reached; the first step has none.

    Examples
    --------
    >>> import hgwork as hg
    >>> H = hg.datasets.load("toy")
    >>> best = hg.retrieval.retrieve("groups", H, hg.order.precedence(H), method="dag", length=3, n=1)[0]
    >>> best.table["score_precedence"].round(3).tolist()  # two related neighbours, both in order: 0.3 / 2 each
    [0.0, 0.15, 0.15]
    >>> Trajectory.from_json(best.to_json()).edges == best.edges
    True
    """

    def __init__(self, table: pd.DataFrame | None, **facts: Any):
        self._table = table
        self.edges: list[str] = facts.pop("edges")
        self.query: str = facts.pop("query", "")
        self.method: str = facts.pop("method", "")
        self.score: float = facts.pop("score")
        self.search_score: float | None = facts.pop("search_score", None)
        self.proven: bool = facts.pop("proven", False)
        self.terms: dict[str, float] = facts.pop("terms")
        self.known: dict[str, bool] = facts.pop("known", dict.fromkeys(TERMS, True))
        self.weights: Weights = facts.pop("weights", Weights())
        self.index: str = facts.pop("index", "")
        self.note: str = facts.pop("note", "")
        self._certificate: dict[str, float] | None = facts.pop("certificate", None)
        self.hypergraph: Hypergraph | None = facts.pop("hypergraph", None)
        self.precedence: Any = facts.pop("precedence", None)
        self.problem: Problem | None = facts.pop("problem", None)
        self.places: tuple[int, ...] = facts.pop("places", ())
        self._reasons: list[tuple[str, ...]] | None = facts.pop("reasons", None)
        if facts:
            raise TypeError(f"a trajectory has no {', '.join(sorted(facts))}.")

    @classmethod
    def from_problem(
        cls, H: Hypergraph, precedence, problem: Problem, places: Sequence[int], *, query: str, method: str, **facts
    ) -> Trajectory:
        """A trajectory from places among the candidates of a problem; scores and terms follow from them."""
        places = tuple(int(place) for place in places)
        terms = terms_of(problem, places)
        score = terms.pop("total")
        known = {
            "relevance": True,
            "order": problem.log_prob is not None,
            "precedence": bool(_related(problem, places).any()),
            "continuity": len(places) > 1,
            "coverage": bool(problem.phases),
        }
        edges = [problem.candidates.ids[place] for place in places]
        return cls(
            None, edges=edges, query=query, method=method, score=score, terms=terms, known=known, index=_index(H),
            weights=problem.weights, hypergraph=H, precedence=precedence, problem=problem, places=places, **facts,
        )  # fmt: skip

    @cached_property
    def table(self) -> pd.DataFrame:
        if self._table is not None:
            return self._table
        assert self.hypergraph is not None and self.problem is not None
        return _table(self.hypergraph, self.problem, self.places, self.index)

    @cached_property
    def certificate(self) -> dict[str, float]:
        if self._certificate is None:
            from .certificate import certificate

            if self.problem is None:
                return {}
            self._certificate = certificate(self.problem, self.score, len(self), self.search_score)
        return self._certificate

    @property
    def sentences(self) -> list[str]:
        """The evidence of the steps, in order."""
        if self._table is None and self.hypergraph is not None and "text" in self.hypergraph.edges:
            column = self.hypergraph._edges["text"].to_numpy(object)
            assert self.problem is not None
            rows = self.problem.candidates.rows[list(self.places)]
            return [text if isinstance(text, str) else "" for text in column[rows]]
        return self.table["text"].fillna("").astype(str).tolist()

    @cached_property
    def reasons(self) -> list[tuple[str, ...]]:
        """The rules that put each step after the one before, as tags; () at the first."""
        if self._reasons is not None:
            return self._reasons
        if self.precedence is None:
            return [()] * len(self)
        pairs = zip(self.edges[:-1], self.edges[1:], strict=True)
        return [(), *(self.precedence.reasons(one, two) for one, two in pairs)]

    @cached_property
    def trace(self) -> Trace:
        """The steps as a `hgwork.trace.Trace`."""
        trace = Trace(f"{self.method}: {self.query}")
        for row in self.table.to_dict("records"):
            name = row["relation"] if isinstance(row["relation"], str) else "step"
            name += f" at {row[self.index]:g}" if _finite(row.get(self.index)) else ""
            with trace.step(name, edge=row["edge"], evidence=row["text"]) as step:
                step.outputs |= {term: row[f"score_{term}"] for term in TERMS if self.known[term]}
                step.counts["score"] = row["score"]
        return trace

    # ---------------------------------------------------------------- keep

    def to_json(self) -> str:
        """All but the candidates, as JSON text; `from_json` reads it back."""
        plain = {
            name: getattr(self, name)
            for name in (
                "edges",
                "query",
                "method",
                "score",
                "search_score",
                "proven",
                "terms",
                "known",
                "index",
                "note",
            )
        }
        plain |= {"version": VERSION, "weights": asdict(self.weights), "certificate": self.certificate}
        plain["reasons"] = self.reasons
        steps = self.table.astype(object).where(self.table.notna(), None)
        plain["steps"] = steps.to_dict("records")
        return json.dumps(plain, ensure_ascii=False, default=_plain)

    @classmethod
    def from_json(cls, text: str) -> Trajectory:
        """Read what `to_json` wrote.

        Raises
        ------
        ValueError
            If the text is no trajectory, or of another version.
        """
        try:
            plain = json.loads(text)
            version, steps = plain.pop("version"), plain.pop("steps")
            if version != VERSION:
                raise ValueError(f"it is of version {version}, this hgwork reads version {VERSION}")
            weights = Weights(**plain.pop("weights"))
            reasons = [tuple(tags) for tags in plain.pop("reasons", [()] * len(steps))]
            return cls(_read_steps(steps, len(plain["edges"])), weights=weights, reasons=reasons, **plain)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"this is no trajectory as to_json writes it: {error}.") from error

    # ---------------------------------------------------------------- look

    def __len__(self) -> int:
        return len(self.edges)

    def __repr__(self) -> str:
        return f"<Trajectory by {self.method}, {len(self)} steps, score {self.score:.3f}: {self.query!r}>"

    def _repr_html_(self) -> str:
        rows = "".join(_html_row(row, self.index) for row in self.table.to_dict("records"))
        shown = (f"{name} {value:.2f}" if self.known[name] else f"{name} n/a" for name, value in self.terms.items())
        return (
            "<div style='font-family:sans-serif;font-size:13px;max-width:820px'>"
            f"<div><b>{escape(self.query)}</b> <span style='opacity:.6'>{escape(self.method)}, "
            f"score {self.score:.3f} = {escape(' + '.join(shown))}</span></div>"
            f"<ol style='margin:6px 0 0 0;padding-left:22px'>{rows}</ol>"
            + (f"<div style='opacity:.6'>{escape(self.note)}</div>" if self.note else "")
            + "</div>"
        )


def _index(H: Hypergraph) -> str:
    edges = H._edges  # the table itself: H.edges copies it
    return next((name for name in ("horizon", "position") if name in edges and edges[name].notna().any()), "")


def _related(problem: Problem, places: Sequence[int] | np.ndarray) -> np.ndarray:
    at = np.asarray(places, np.int64)
    one, two = at[:-1], at[1:]
    return problem.before[one, two] | problem.before[two, one]


def _table(H: Hypergraph, problem: Problem, places: Sequence[int], index: str) -> pd.DataFrame:
    at = np.array(places, np.int64)
    rows = problem.candidates.rows[at]
    part = H._edges.iloc[rows]
    table = pd.DataFrame({"step": np.arange(1, len(at) + 1), "edge": [problem.candidates.ids[p] for p in places]})
    for name in (*_KNOWN[:3], *([index] if index else []), *_KNOWN[3:]):
        table[name] = part[name].to_numpy(object) if name in part else None
    if index:
        table[index] = pd.to_numeric(table[index], errors="coerce").astype(float)
    table[["start", "end"]] = table[["start", "end"]].apply(_whole)
    table["entities"] = _entities(H, table["edge"])
    return pd.concat([table, _scored(problem, at)], axis=1)


def _scored(problem: Problem, at: np.ndarray) -> pd.DataFrame:
    weights, count = problem.weights, len(at)
    one, two = at[:-1], at[1:]
    forward, related = problem.before[one, two], _related(problem, at)
    step = lambda values: np.concatenate([[np.nan], values]) if count else values  # noqa: E731
    raw = problem.log_prob[one, two] if problem.log_prob is not None else np.full(count - 1, np.nan)
    others = max(len(problem) - 1, 2)
    fresh = new_phases(problem, at[None, :])[0] if problem.phases else np.zeros(count, bool)
    table = pd.DataFrame({"relevance": problem.relevance[at], "log_prob": step(raw)})
    table["log_prob_normalised"] = 1 + table["log_prob"] / np.log(others)
    table["probability"] = np.exp(table["log_prob"])
    table["precedence"] = step(np.where(related, forward.astype(float), np.nan))
    table["continuity"] = step(problem.jaccard[one, two])
    table["new_phase"] = fresh
    ordered = problem.order[one, two] if weights.order else np.zeros(count - 1)
    table["score_relevance"] = table["relevance"]
    table["score_order"] = np.nan_to_num(step(weights.order * ordered))
    table["score_precedence"] = np.nan_to_num(step(weights.precedence * forward / max(int(related.sum()), 1)))
    table["score_continuity"] = weights.continuity * table["continuity"].fillna(0) / max(count - 1, 1)
    table["score_coverage"] = weights.coverage * fresh / max(len(problem.phases), 1)
    return table.assign(score=table[[f"score_{term}" for term in TERMS]].sum(axis=1))


def _entities(H: Hypergraph, edges: pd.Series) -> list[list[tuple[str, str]]]:
    """Members of each hyperedge in the order of its incidences: the name as it stands in the text, and the type."""
    rows = H.incidences[H.incidences["edge"].isin(set(edges))]
    names = rows["surface"].where(rows["surface"].notna(), rows["node"]) if "surface" in rows else rows["node"]
    types = H.nodes["type"].reindex(rows["node"]).to_numpy(object) if "type" in H.nodes else [None] * len(rows)
    held: dict[str, list[tuple[str, str]]] = {edge: [] for edge in edges}
    for edge, name, kind in zip(rows["edge"], names, types, strict=True):
        held[edge].append((str(name), kind if isinstance(kind, str) else ""))
    return [held[edge] for edge in edges]


def _html_row(row: Mapping[str, Any], index: str) -> str:
    place = f"{index} {row[index]:g}" if index and _finite(row[index]) else ""
    labels = " · ".join(
        escape(str(part)) for part in (place, row["phase"], row["relation"]) if isinstance(part, str) and part
    )
    source = row["document"] if isinstance(row["document"], str) else row["edge"]
    note = f"{source}, {row['start']:g}–{row['end']:g}" if _finite(row["start"]) and _finite(row["end"]) else source
    chance = f", P {row['probability']:.2f}" if _finite(row["probability"]) else ""
    text = escape(row["text"]) if isinstance(row["text"], str) else ""
    gain = f"+{row['score']:.2f}{chance}"
    return (
        f"<li><small style='color:#0072B2'>{labels}</small> <small style='opacity:.6'>{gain}</small>"
        f"<div>{text}</div><small style='opacity:.6'>{escape(str(note))}</small></li>"
    )


def _finite(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and bool(np.isfinite(value))


def _read_steps(steps: list[dict[str, Any]], count: int) -> pd.DataFrame:
    """The table of steps from JSON records."""
    if len(steps) != count or not all(isinstance(step.get("edge"), str) for step in steps):
        raise ValueError(f"{count} edges, but {len(steps)} steps, or a step without an edge")
    if not steps:
        return pd.DataFrame({name: [] for name in ("step", "edge", "text", "entities", "score")})
    table = pd.DataFrame(steps)
    table["entities"] = [[tuple(entity) for entity in row] for row in table["entities"]]
    first = table.columns.get_loc("relevance")
    for name in [*table.columns[first:], *(c for c in ("horizon", "position") if c in table)]:
        if name != "new_phase":
            table[name] = pd.to_numeric(table[name]).astype(float)
    table[["start", "end"]] = table[["start", "end"]].apply(_whole)
    return table


def _whole(column: pd.Series) -> pd.Series:
    return pd.to_numeric(column.astype(object).where(column.notna(), None)).astype("Int64")


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if value is pd.NA:
        return None
    raise TypeError(f"{type(value).__name__} has no JSON form")
