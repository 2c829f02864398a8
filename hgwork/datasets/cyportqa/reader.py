"""Read CyPortQA whole: every scenario, advisory, wind table, bulletin and event, joined by storm, port and horizon."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd
from tqdm import tqdm

from .advisory import parse_advisory
from .archive import Files, lead_of, open_files
from .blocks import parse_block
from .bulletins import match_bulletins, read_bulletins
from .events import match_events, read_events
from .ports import SHORT, short_name
from .problems import Problems
from .questions import answer_questions, read_templates
from .scenario import Storm, storm
from .wind import parse_wind_table

__all__ = ["CyPortQA", "cyportqa"]


@dataclass(frozen=True)
class CyPortQA:
    """The tables of one copy of CyPortQA.

    Attributes
    ----------
    scenarios : DataFrame
        Index `scenario` ("ALEX_2022/Canaveral/T-24"). One row a storm, port and lead time: `storm`, `year`, `port`,
        `lead` (hours before expected landfall), `file` and the typed fields of the scenario file.
    advisories : DataFrame
        One row a storm and lead: `number`, `issued` (UTC), position, winds, `alerts`, … and `file`.
    wind_tables : DataFrame
        One row a storm and lead: `number`, `issued`, `base`, `hours`, `file`; the number often differs from the
        advisory's, so each is to be dated by its own.
    wind : DataFrame
        One row a storm, lead, location, speed and period: `knots`, `hour`, `ends`, `onset`, `cumulative`.
    bulletins : DataFrame
        One row a bulletin, storm and port: `posted` (UTC), `effective`, `condition`.
    bulletin_texts : DataFrame
        Every bulletin as published, also those of other storms.
    disruption : DataFrame
        One row a storm and port; hindsight, known only after the event.
    ports : DataFrame
        Index: full name. `short`, `lat`, `lon`.
    templates : DataFrame
        Index "Q1" … The question templates as published, with their types.
    report : DataFrame
        What could not be read: columns `file`, `field`, `value`, `kind`, `reason`.
    """

    source: str
    scenarios: pd.DataFrame = field(repr=False)
    advisories: pd.DataFrame = field(repr=False)
    wind_tables: pd.DataFrame = field(repr=False)
    wind: pd.DataFrame = field(repr=False)
    bulletins: pd.DataFrame = field(repr=False)
    bulletin_texts: pd.DataFrame = field(repr=False)
    disruption: pd.DataFrame = field(repr=False)
    ports: pd.DataFrame = field(repr=False)
    templates: pd.DataFrame = field(repr=False)
    report: pd.DataFrame = field(repr=False)

    def landfall(self) -> dict[str, pd.Timestamp]:
        """Storm -> expected landfall (UTC): the issue of its shortest lead plus that lead."""
        return _landfall(self.advisories)

    def storm(self, name: str) -> Storm:
        """One storm ("ALEX_2022") as objects: its ports, their horizons, what was known at each, and disruption.

        Raises
        ------
        KeyError
            If no scenario is of this storm.
        """
        return storm(self, name)

    def questions(self, templates: Iterable[str] | None = None, progress: bool = False) -> pd.DataFrame:
        """The question templates filled for every scenario, with computed answers; see `answer_questions`."""
        return answer_questions(self, templates, progress)


def cyportqa(path: str | Path, *, strict: bool = False, progress: bool = False) -> CyPortQA:
    """Read a copy of CyPortQA [1]_ in its published layout.

    Parameters
    ----------
    path : str or Path
        The folder or the tar archive.
    strict : bool
        Raise at the first file that cannot be read instead of setting it aside in the report.
    progress : bool
        Show a progress bar.

    Returns
    -------
    CyPortQA
        Its tables and `report`, which lists every value, key, file and record that was not read as it stood.

    Raises
    ------
    FileNotFoundError
        If the path or its folder ``encoded`` is missing.
    ValueError
        If the archive is broken, or, with `strict`, a file is.

    References
    ----------
    .. [1] CyPortQA: Benchmarking Multimodal LLMs for Cyclone Preparedness in Port Operation (2025). MIT licence; the
       advisories and wind tables in it are works of the US Government.

    Notes
    -----
    Template paths name ``impact_prediction`` and ``operation``, which no scenario file has: the first is joined from
    the table of events (hindsight), the second from the bulletins.
    """
    files, problems = open_files(path), Problems()
    for name, why in files.ignored:
        problems.add(name, "", "", "left out", why)
    total = sum(len(files.within(folder)) for folder in ("encoded", "advisory", "wind"))
    with tqdm(total=total, desc="CyPortQA", disable=not progress, leave=False) as bar:
        scenarios = _scenarios(files, problems, bar.update)
        advisories = _advisories(files, problems, bar.update)
        wind_tables, wind = _wind(files, problems, bar.update)
    events = read_events(files, problems)
    ports = _ports(scenarios, events, problems)
    texts = read_bulletins(files, problems)
    landfall = {storm: time for storm, time in _landfall(advisories).items() if storm in set(scenarios["storm"])}
    bulletins = match_bulletins(texts, landfall, problems)
    dated = set(zip(advisories["storm"], advisories["lead"], strict=True))
    for row in scenarios[["storm", "lead", "file"]].to_dict("records"):
        if (row["storm"], row["lead"]) not in dated:
            problems.add(
                row["file"], "", "", "unmatched", "no advisory of this storm and lead; the scenario has no date"
            )
    first = advisories.sort_values(["storm", "issued"], kind="stable").drop_duplicates("storm").set_index("storm")
    storms = first[["issued", "lat", "lon"]].rename(columns={"issued": "first"})
    storms["landfall"] = pd.Series(_landfall(advisories), dtype="datetime64[ns]")
    disruption = match_events(events, scenarios.groupby("storm")["port"].apply(set).to_dict(), storms, problems)
    templates = read_templates(files, problems)
    report = problems.table
    broken = report[report["kind"] == "file"]
    if strict and len(broken):
        first = broken.iloc[0]
        raise ValueError(f"{first['file']}: {first['reason']}. Correct it, or read with strict=False to set it aside.")
    tables = (scenarios, advisories, wind_tables, wind, bulletins, texts, disruption, ports)
    return CyPortQA(str(path), *tables, templates, report)


def _scenarios(files: Files, problems: Problems, tick: Callable) -> pd.DataFrame:
    rows: dict[str, dict] = {}
    for path in files.within("encoded"):
        tick()
        key = lead_of(path)
        if key is None or not key[1]:
            problems.add(path, "", "", "file", "the name is not {STORM}_{YEAR}_{Port}_{lead}_summary.json")
            continue
        storm, port, lead = key
        row = parse_block(files[path], path, problems)
        if row is None:
            continue
        row["port_name"] = row["port_name"] or port
        if row["port_name"] != port:
            problems.add(path, "port.name", row["port_name"], "qualified", f"the file name says {port!r}, which counts")
        name = f"{storm}/{short_name(port)}/T-{lead}"
        if name in rows:
            problems.add(path, "", name, "duplicate", f"{rows[name]['file']} holds the same scenario and counts")
            continue
        rows[name] = {"storm": storm, "year": int(storm[-4:]), "port": port, "lead": lead, "file": path} | row
    if not rows:
        raise ValueError(f"{files.source}: no scenario file in 'encoded' could be read. {problems.rows[:1]}")
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis("scenario")
    return table.sort_values(["storm", "port", "lead"], ascending=[True, True, False], kind="stable")


def _advisories(files: Files, problems: Problems, tick: Callable) -> pd.DataFrame:
    rows: list[dict] = []
    seen: dict[tuple[str, int], str] = {}
    for path in files.within("advisory"):
        tick()
        key = lead_of(path)
        try:
            if key is None:
                raise ValueError("the name is not {STORM}_{YEAR}_{lead}h.txt")
            found = parse_advisory(_decoded(files[path], path, problems))
        except (ValueError, OverflowError) as error:
            problems.add(path, "", "", "file", str(error))
            continue
        if (first := seen.setdefault((key[0], key[2]), path)) != path:
            problems.add(path, "", "", "duplicate", f"{first} is of the same storm and lead and counts")
            continue
        for name in ("lat", "wind_mph", "pressure_mb", "speed_mph", "identifier"):
            if found[name] is None:
                problems.add(path, name, "", "missing field", "not in the text")
        found["issued"] = found.pop("time")
        rows.append({"storm": key[0], "lead": key[2], "file": path} | found)
    columns = ["storm", "lead", "file", "number", "issued", "identifier", "lat", "lon", "wind_mph"]
    table = pd.DataFrame(rows) if rows else pd.DataFrame(columns=columns)
    return table.sort_values(["storm", "lead"], ascending=[True, False], kind="stable", ignore_index=True)


def _wind(files: Files, problems: Problems, tick: Callable) -> tuple[pd.DataFrame, pd.DataFrame]:
    headers, tables = [], []
    seen: dict[tuple[str, int], str] = {}
    for path in files.within("wind"):
        tick()
        key = lead_of(path)
        try:
            if key is None:
                raise ValueError("the name is not {STORM}_{YEAR}_{lead}h.txt")
            header, table, unread = parse_wind_table(_decoded(files[path], path, problems))
        except (ValueError, OverflowError) as error:
            problems.add(path, "", "", "file", str(error))
            continue
        if (first := seen.setdefault((key[0], key[2]), path)) != path:
            problems.add(path, "", "", "duplicate", f"{first} is of the same storm and lead and counts")
            continue
        for line in unread:
            problems.add(path, "row", line, "unreadable", "the cells do not fit the forecast hours")
        header["issued"] = header.pop("time")
        headers.append({"storm": key[0], "lead": key[2], "file": path} | header)
        table.insert(0, "storm", key[0])
        table.insert(1, "lead", key[2])
        tables.append(table)
    head = pd.DataFrame(headers, columns=["storm", "lead", "file", "number", "issued", "base", "hours"])
    columns = ["storm", "lead", "location", "knots", "hour", "ends", "onset", "cumulative"]
    rows = pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=columns)
    return head, rows


def _decoded(content: bytes, path: str, problems: Problems) -> str:
    """The text of a file; what is not UTF-8 is read as Windows-1252 and reported."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        problems.add(path, "", "", "qualified", f"byte {error.start} is not UTF-8; read as Windows-1252")
        return content.decode("cp1252", "replace")


def _ports(scenarios: pd.DataFrame, events: pd.DataFrame, problems: Problems) -> pd.DataFrame:
    places = events.drop_duplicates("port").set_index("port")[["lat", "lon"]]
    names = sorted(set(scenarios["port"]))
    for name in names:
        if name not in places.index:
            problems.add("events/", "port", name, "unknown port", "no event has this port; it has no coordinates")
        if name not in SHORT:
            problems.add("", "port", name, "unknown port", "no short name and no bulletin names are known for it")
    table = places.reindex(names).rename_axis("port")
    table.insert(0, "short", [short_name(name) for name in names])
    return table


def _landfall(advisories: pd.DataFrame) -> dict[str, pd.Timestamp]:
    last = advisories.sort_values("lead", kind="stable").drop_duplicates("storm")
    times = pd.to_datetime(last["issued"]) + pd.to_timedelta(last["lead"].astype("int64"), unit="h")
    return dict(zip(last["storm"], times, strict=True))
