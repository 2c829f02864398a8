"""CyPortQA's own questions on a hypergraph of its scenarios: evidence, questions with and without an answer on record.

Scenario files become sentences by the mapping of the domain; port conditions (what was posted by the time of the
horizon's advisory) and disruption (hindsight, at horizon 0) come from the tables of bulletins and events. Questions are
filled from the published templates of the copy at hand; no sentence of the benchmark is kept here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..datasets.cyportqa import CyPortQA, cyportqa
from ..datasets.cyportqa.archive import Files, open_files
from ..hypergraph import Hypergraph
from ..order import Entity, Fact, load_domain, postprocess, to_hypergraph
from ..order.records import facts_of_records

__all__ = ["choose_scenarios", "count_unanswerable", "scenario_hypergraph", "template_questions"]

_AHEAD = 4  # templates on later port conditions ask 12, 24, 36 and 48 hours ahead


def choose_scenarios(data: CyPortQA, pairs: int = 30, rng: int | np.random.Generator = 0) -> list[tuple[str, str]]:
    """Storm–port pairs, one of a storm before any second one.

    Parameters
    ----------
    data : CyPortQA
    pairs : int, at least 1
    rng : int or Generator

    Returns
    -------
    list of (storm, full port name), sorted
    """
    if pairs < 1:
        raise ValueError(f"pairs={pairs}: give at least 1.")
    rng = np.random.default_rng(rng)
    known = data.scenarios[["storm", "port"]].drop_duplicates().sort_values(["storm", "port"])
    known = known.iloc[rng.permutation(len(known))]
    known["turn"] = known.groupby("storm").cumcount()
    chosen = known.sort_values("turn", kind="stable").head(pairs)
    return sorted(chosen[["storm", "port"]].itertuples(index=False, name=None))


def scenario_hypergraph(
    path: str | Path,
    data: CyPortQA | None = None,
    pairs: Sequence[tuple[str, str]] | None = None,
    progress: bool = False,
) -> Hypergraph:
    """The order-aware hypergraph of scenarios.

    Parameters
    ----------
    path : str or Path
        A copy of CyPortQA, as in :func:`hgwork.datasets.cyportqa`.
    data : CyPortQA, optional
        Read from it already.
    pairs : sequence of (storm, full port name), optional
        Default all.
    progress : bool

    Returns
    -------
    Hypergraph
        Groups "ALEX 2022/Canaveral"; horizon 0 is hindsight.

    Raises
    ------
    ValueError
        If a pair has no scenario.
    """
    data, files, domain = data or cyportqa(path), open_files(path), load_domain("cyclones")
    scenarios = _chosen(data, pairs)
    facts, _ = facts_of_records(list(_records(scenarios, files)), domain, progress)
    known = {(fact.group, fact.index) for fact in facts}
    more = [fact for fact in _further(data, scenarios) if fact.index == 0 or (fact.group, fact.index) in known]
    return postprocess(to_hypergraph([*facts, *more], domain), domain)[0]


def _chosen(data: CyPortQA, pairs) -> pd.DataFrame:
    scenarios = data.scenarios.assign(short=data.scenarios["port"].map(data.ports["short"]))
    if pairs is None:
        return scenarios
    wanted = pd.MultiIndex.from_tuples(list(pairs), names=["storm", "port"])
    own = pd.MultiIndex.from_frame(scenarios[["storm", "port"]])
    if len(lost := wanted.difference(own)):
        raise ValueError(f"no scenario of {' at '.join(lost[0])}; ports go by their full names.")
    return scenarios[own.isin(wanted)]


def _records(scenarios: pd.DataFrame, files: Files) -> Iterator[dict[str, Any]]:
    for name, row in scenarios.iterrows():
        record = json.loads(files[row["file"]].decode("utf-8-sig"))
        yield {"document": name, "index": int(row["lead"]), "record": record, "scope": _scope(row)}


def _scope(row: pd.Series) -> dict[str, str]:
    return {"storm": row["storm"].replace("_", " "), "port": row["short"]}


def _further(data: CyPortQA, scenarios: pd.DataFrame) -> Iterator[Fact]:
    """Port conditions as known at each horizon, and disruption."""
    issued = data.advisories.set_index(["storm", "lead"])["issued"].to_dict()
    posted = {key: rows.sort_values("posted") for key, rows in data.bulletins.groupby(["storm", "port"])}
    for _, row in scenarios.iterrows():
        rows, time = posted.get((row["storm"], row["port"])), issued.get((row["storm"], row["lead"]))
        if rows is not None and time is not None and not pd.isna(time):
            yield from _conditions(row, rows[rows["posted"] <= time], data.bulletin_texts)
    events = {(row["storm"], row["port"]): row for row in data.disruption.to_dict("records")}
    for _, row in scenarios.drop_duplicates(["storm", "port"]).iterrows():
        event = events.get((row["storm"], row["port"]))
        if event is not None and not event["precedes"]:
            yield from _disruption(row, event)


def _conditions(row: pd.Series, posted: pd.DataFrame, texts: pd.DataFrame) -> Iterator[Fact]:
    scope, index = _scope(row), int(row["lead"])
    condition = posted["condition"].iloc[-1] if len(posted) else "NORMAL"
    text = f"The port condition of {scope['port']} because of {scope['storm']} is {condition}."
    yield _fact("has_operation_status", text, condition, "operation_status", {"condition": condition}, scope, index)
    if not len(posted):
        return
    bulletin = texts.loc[posted["bulletin"].iloc[-1]]
    for column in ("vessels", "facilities"):
        if isinstance(order := bulletin[column], str) and order.strip():
            text = f"Orders to {column} at {scope['port']} because of {scope['storm']}: {' '.join(order.split())}"
            yield _fact("affects_vessel_handling", text, column, "vessel_handling", {"orders": order}, scope, index)


def _disruption(row: pd.Series, event: dict[str, Any]) -> Iterator[Fact]:
    scope = _scope(row)
    about = f"{scope['port']} from {scope['storm']}"
    if not any(pd.isna(event[name]) for name in ("disrupted_days", "peak_loss", "lost_vessels")):
        days, peak, lost = int(event["disrupted_days"]), round(100 * event["peak_loss"]), int(event["lost_vessels"])
        text = (
            f"The disruption of {about} took {days} days, {peak} percent of calls on its worst and {lost} calls in all."
        )
        found = {"days": days, "peak": peak, "calls": lost}
        yield _fact("causes_operational_disruption", text, f"{lost} calls", "impact_prediction", found, scope, 0)
    if not pd.isna(event["disruption_start"]):
        day = f"{event['disruption_start'].date()}"
        text = f"The disruption of {about} began on {day}."
        yield _fact("starts_disruption", text, day, "impact_prediction", {"date": day}, scope, 0)
    if not pd.isna(event["disruption_end"]):
        day = f"{event['disruption_end'].date()}"
        text = f"The disruption of {about} ended on {day}."
        yield _fact("starts_recovery", text, day, "recovery_status", {"date": day}, scope, 0)
    if not pd.isna(event["recovery_days"]):
        days = int(event["recovery_days"])
        text = f"The recovery of {about} took {days} days."
        yield _fact("has_recovery_status", text, f"{days} days", "recovery_status", {"days": days}, scope, 0)


def _fact(relation, text, value, kind, attributes, scope, index) -> Fact:
    entities = [Entity(name=scope["storm"], type="cyclone"), Entity(name=scope["port"], type="port")]
    entities.append(Entity(name=str(value), type=kind))
    group = f"{scope['storm']}/{scope['port']}"
    name = f"{group}/T-{index}"
    return Fact(
        entities=entities, relation=relation, description=text, attributes=attributes, index=index, scope=scope,
        group=group, document=name, chunk=f"{name}/tables", origin="record",
    )  # fmt: skip


def template_questions(
    data: CyPortQA,
    pairs: Sequence[tuple[str, str]] | None = None,
    per_template: int | None = None,
    rng: int | np.random.Generator = 0,
) -> pd.DataFrame:
    """The published questions of some pairs, ready to be asked.

    Parameters
    ----------
    data : CyPortQA
    pairs : sequence of (storm, full port name), optional
    per_template : int, optional
        At most so many of each template, drawn; default all.
    rng : int or Generator

    Returns
    -------
    DataFrame
        `question_id`, `kind` (the template), `template`, `task`, `type`, `storm`, `group`, `lead`, `ahead` (hours that
        the question looks ahead), `query` (storm, port, horizon and question), `question`, `choices`, `answer`,
        `measure`, `hindsight`.
    """
    table = data.questions().reset_index()
    if pairs is not None:
        short = {(storm, data.ports.loc[port, "short"]) for storm, port in pairs}
        table = table[[pair in short for pair in zip(table["storm"], table["port"], strict=True)]]
    if per_template is not None:
        table = table.iloc[np.random.default_rng(rng).permutation(len(table))]
        table = table[table.groupby("template").cumcount() < per_template].sort_index()
    storm = table["storm"].str.replace("_", " ")
    label = " T-" + table["lead"].astype(str)
    ahead = pd.to_numeric(table["question_id"].str.extract(r"/\+(\d+)$")[0]).fillna(0).astype(int)
    table = table.assign(kind=table["template"], group=storm + "/" + table["port"], ahead=ahead)
    table["query"] = storm.str.title() + " at " + table["port"] + "," + label + ": " + table["question"]
    first = ["question_id", "kind", "template", "task", "type", "storm", "group", "lead", "ahead", "query", "question"]
    return table[[*first, "choices", "answer", "measure", "hindsight"]].reset_index(drop=True)


def count_unanswerable(data: CyPortQA, questions: pd.DataFrame | None = None) -> pd.DataFrame:
    """How many questions each template makes, and how many are left out because no answer is on record.

    Parameters
    ----------
    data : CyPortQA
    questions : DataFrame, optional
        ``data.questions()``, made already.

    Returns
    -------
    DataFrame, index template
        `type`, `filled` (one a scenario, or one a scenario and time ahead), `answerable`, `left_out`.
    """
    made = (data.questions() if questions is None else questions)["template"].value_counts()
    templates = data.templates
    times = [_AHEAD if "<key>" in path else 1 for path in templates["path"]]
    table = pd.DataFrame({"type": templates["type"], "filled": np.array(times) * len(data.scenarios)})
    table["answerable"] = made.reindex(table.index).fillna(0).astype(int)
    return table.assign(left_out=table["filled"] - table["answerable"])
