"""Reading CyPortQA: a hand-made copy, and copies that are broken in every way a published one might be."""

import json
import tarfile

import pandas as pd
import pytest

from hgwork.datasets import cyportqa
from hgwork.datasets.cyportqa.facts import facts
from hgwork.datasets.cyportqa.scenario import Forecast, units
from tests.datasets.cyportqa_files import EVENTS, HEADER, block, event, write

FIRST = "ADA_2022_Baltimore,_MD_24_summary.json"


@pytest.fixture
def folder(tmp_path):
    return write(tmp_path / "copy")


def kinds(data, kind):
    rows = data.report[data.report["kind"] == kind]
    return list(zip(rows["field"], rows["value"], strict=True))


def test_every_part_is_read_and_joined(folder):
    data = cyportqa(folder)
    assert list(data.scenarios.index) == ["ADA_2022/Baltimore/T-24", "ADA_2022/Baltimore/T-12"]
    row = data.scenarios.iloc[0]
    assert (row["category"], row["lat"], row["lon"], row["direction"]) == ("Tropical Storm", 30.0, -75.0, "NW")
    assert (row["cumulative_50kt_low"], row["cumulative_50kt_high"]) == (0, 1)
    assert (row["wind_mph_low"], row["wind_mph_high"]) == (35, 45)
    assert (row["surge_feet_low"], row["surge_feet_high"]) == (0, 2)
    assert row["hazards"] == ("tornadoes", "rip currents") and row["watch"] == ("Tropical Storm",)
    assert pd.isna(row["hours_to_offshore"]) and row["rain_above_4_inch"] == "likely"
    assert data.advisories["number"].tolist() == ["4A", "6"] and sorted(data.wind_tables["number"]) == [4, 7]
    assert data.landfall() == {"ADA_2022": pd.Timestamp("2022-06-04 12:00")}  # 00:00 and twelve hours
    assert data.ports.loc["Baltimore, MD", ["short", "lat", "lon"]].tolist() == ["Baltimore", 39.2, -76.6]


def test_what_was_not_read_as_it_stood_is_reported(folder):
    data = cyportqa(folder)
    assert ("weather_observation.within_uncertainty_cone", "Yes (western edge)") in kinds(data, "qualified")
    assert ("row", "BROKEN ROW     34  3  30(33)") in kinds(data, "unreadable")
    assert ("bulletin 5", "UNKNOWN") in kinds(data, "unreadable")
    assert ("bulletin 4", "OTHER_2022") in kinds(data, "unmatched")
    assert set(data.report["kind"]) <= {"qualified", "unreadable", "unmatched"}


def test_an_archive_reads_like_its_folder(folder, tmp_path):
    path = tmp_path / "copy.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        archive.add(folder, "deep/below/cyportqa")
    ours, theirs = cyportqa(path), cyportqa(folder)
    pd.testing.assert_frame_equal(ours.scenarios, theirs.scenarios)
    pd.testing.assert_frame_equal(ours.report, theirs.report)


def test_bulletins_are_merged_and_never_seen_early(folder):
    data = cyportqa(folder)
    assert data.bulletins["condition"].tolist() == [
        "WHISKEY",
        "X-RAY",
        "ZULU",
    ]  # the second file names bulletin 2's storm
    storm = data.storm("ADA_2022")
    early, late = storm.port("Baltimore").horizons
    assert (early.lead, early.condition) == (24, "WHISKEY")  # advisory at 12:00, posts at 9:00 and 18:00
    assert (late.lead, late.condition) == (12, "X-RAY")  # ZULU is posted nine hours after the advisory
    for horizon in (early, late):
        assert all(bulletin.source.issued <= horizon.advisory.source.issued for bulletin in horizon.bulletins)


def test_each_source_has_its_own_number_and_time(folder):
    late = cyportqa(folder).storm("ADA_2022").port("Baltimore").horizons[1]
    assert (late.advisory.source.number, late.wind_source.number) == ("6", "7")
    assert late.advisory.source.issued == pd.Timestamp("2022-06-04 00:00")
    assert late.wind_source.issued == pd.Timestamp("2022-06-04 03:00")
    assert {chance.location for chance in late.chances} == {"BALTIMORE MD"}
    assert units(Forecast)["wind"] == "mph" and "source" not in units(Forecast)


def test_disruption_is_hindsight(folder):
    disruption = cyportqa(folder).storm("ADA_2022").port("Baltimore").disruption
    assert disruption.hindsight and disruption.peak_loss == 0.5 and disruption.days == 2 and not disruption.precedes
    with pytest.raises(KeyError, match=r"no port 'Boston'\. It has Baltimore"):
        cyportqa(folder).storm("ADA_2022").port("Boston")
    with pytest.raises(KeyError, match="no scenario of storm 'EVE_2022'"):
        cyportqa(folder).storm("EVE_2022")


@pytest.mark.parametrize(
    ("track", "joined"),
    [
        ("2022152N27282", True),
        ("2022156N27282", False),  # born after the first advisory
        ("2022152N20340", False),  # born 3,600 miles away, two days before
        ("2021152N27282", False),  # another year
        ("unnamed", False),
    ],
)
def test_a_track_belongs_to_the_storm_that_can_have_been_born_there(folder, track, joined):
    (folder / "events" / "table.csv").write_text("\n".join([EVENTS, event(1, track=track)]) + "\n")
    data = cyportqa(folder)
    assert len(data.disruption) == joined
    assert (("ADA_2022", "") in kinds(data, "unmatched")) == (not joined)


def test_a_disruption_before_the_storm_is_kept_and_flagged(folder):
    row = event(1, start="5/20/2022", end="5/21/2022")
    (folder / "events" / "table.csv").write_text("\n".join([EVENTS, row]) + "\n")
    data = cyportqa(folder)
    assert data.disruption["precedes"].tolist() == [True] and ("event 1", "ADA_2022") in kinds(data, "date order")
    assert not len(data.questions(["Q36"]))


def test_missing_paths_are_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere does not exist"):
        cyportqa(tmp_path / "nowhere")
    with pytest.raises(FileNotFoundError, match="holds no folder 'encoded'"):
        cyportqa(tmp_path)
    broken = tmp_path / "broken.tar.gz"
    broken.write_bytes(b"\x1f\x8bnot an archive")
    with pytest.raises(ValueError, match=r"broken\.tar\.gz is not a whole tar archive"):
        cyportqa(broken)


@pytest.mark.parametrize("content", ['{"cyclone": {"name": "A', "[1, 2]", "\ud800".encode("utf-16", "surrogatepass")])
def test_a_broken_scenario_is_set_aside(folder, content):
    data = content if isinstance(content, bytes) else content.encode()
    (folder / "encoded" / FIRST).write_bytes(data)
    found = cyportqa(folder)
    assert list(found.scenarios.index) == ["ADA_2022/Baltimore/T-12"]
    assert found.report[found.report["kind"] == "file"]["file"].tolist() == [f"encoded/{FIRST}"]
    with pytest.raises(ValueError, match=r"24_summary\.json: .* read with strict=False"):
        cyportqa(folder, strict=True)


def test_no_readable_scenario_at_all_is_an_error(folder):
    for path in (folder / "encoded").iterdir():
        path.write_text("{")
    with pytest.raises(ValueError, match="no scenario file in 'encoded' could be read"):
        cyportqa(folder)


def test_a_block_one_level_too_deep_is_read_there(folder):
    (folder / "encoded" / FIRST).write_text(json.dumps({"scenario": block()}))
    deep, plain = cyportqa(folder), cyportqa(write(folder.parent / "plain"))
    ignored = ["file"]
    pd.testing.assert_frame_equal(deep.scenarios.drop(columns=ignored), plain.scenarios.drop(columns=ignored))
    assert ("cyclone.motion.speed", "10 mph") in kinds(deep, "nested")


def test_stray_keys_and_moved_fields_are_reported(folder):
    record = block()
    weather = record["weather_observation"]
    weather["gale_probability"]["34kt_max"] = weather.pop("34kt_max")
    weather["// a remark"] = "left by a model"
    del weather["rainfall"]
    (folder / "encoded" / FIRST).write_text(json.dumps(record))
    data = cyportqa(folder)
    assert data.scenarios.iloc[0]["peak_34kt"] == 23
    assert kinds(data, "nested") == [("weather_observation.34kt_max", "23%")]
    assert kinds(data, "unknown key") == [("weather_observation.// a remark", "left by a model")]
    assert kinds(data, "missing field") == [("weather_observation.rainfall", "")]


def test_unreadable_values_are_missing_and_reported(folder):
    bad = block(speed="fast", coordinates="near the coast", expected_landfall_date="Saturday")
    (folder / "encoded" / FIRST).write_text(json.dumps(bad))
    data = cyportqa(folder)
    row = data.scenarios.iloc[0]
    assert pd.isna(row["speed"]) and pd.isna(row["lat"]) and pd.isna(row["landfall_date"])
    values = {value for _, value in kinds(data, "unreadable")}
    assert {"fast", "near the coast", "Saturday"} <= values


def test_a_key_that_stands_twice_is_reported(folder):
    text = json.dumps(block())
    (folder / "encoded" / FIRST).write_text(text[:-1] + ', "port": {"name": "Baltimore, MD"}}')
    assert any(name == "port" for name, _ in kinds(cyportqa(folder), "qualified"))


def test_a_second_file_of_a_scenario_is_left_out(folder):
    twin = folder / "encoded" / "ADA_2022_Baltimore,_MD_24h_summary.json"
    twin.write_text(json.dumps(block(speed="99 mph")))
    data = cyportqa(folder)
    assert len(data.scenarios) == 2 and len(kinds(data, "duplicate")) == 1
    assert data.scenarios.iloc[0]["speed"] == 10  # the first by name counts


def test_an_unknown_port_is_read_without_coordinates(folder):
    record = block()
    record["port"]["name"] = "Atlantis, XX"
    (folder / "encoded" / "ADA_2022_Atlantis,_XX_12_summary.json").write_text(json.dumps(record))
    data = cyportqa(folder)
    assert pd.isna(data.ports.loc["Atlantis, XX", "lat"]) and data.ports.loc["Atlantis, XX", "short"] == "Atlantis"
    assert len(kinds(data, "unknown port")) == 2
    assert not len(data.storm("ADA_2022").port("Atlantis").horizons[0].bulletins)


def test_a_port_name_that_contradicts_its_file_is_reported(folder):
    record = block()
    record["port"]["name"] = "Boston, MA"
    (folder / "encoded" / FIRST).write_text(json.dumps(record))
    data = cyportqa(folder)
    assert ("port.name", "Boston, MA") in kinds(data, "qualified")
    assert set(data.scenarios["port"]) == {"Baltimore, MD"}


def test_headers_with_blanks_and_a_byte_order_mark_are_read(folder):
    path = folder / "uscg__port_conditions_enriched.csv"
    text = path.read_text().replace("time_utc", " time_utc ").replace("Condition,", " Condition ,", 1)
    path.write_text(text, encoding="utf-8-sig")
    assert cyportqa(folder).bulletins["condition"].tolist() == ["WHISKEY", "X-RAY", "ZULU"]


@pytest.mark.parametrize("name", ["uscg__port_conditions_enriched.csv", "events/table.csv"])
def test_a_header_without_needed_columns_is_reported(folder, name):
    path = folder / name
    path.write_text(path.read_text().replace("Condition,", "Level,").replace("PORT_LAT", "LATITUDE"))
    data = cyportqa(folder)
    assert [field for field, _ in kinds(data, "file")] in (["Condition"], ["PORT_LAT"])
    with pytest.raises(ValueError, match="the header lacks these columns"):
        cyportqa(folder, strict=True)


@pytest.mark.parametrize("gone", ["advisory", "wind", "events"])
def test_a_missing_folder_leaves_the_rest(folder, gone):
    for path in (folder / gone).iterdir():
        path.unlink()
    data = cyportqa(folder)
    assert len(data.scenarios) == 2
    horizon = data.storm("ADA_2022").port("Baltimore").horizons[0]
    assert (horizon.advisory is None) == (gone == "advisory")
    assert (horizon.wind_source is None) == (gone == "wind")
    assert len(data.disruption) == (gone == "wind")
    assert len(facts(data, [("ADA_2022", "Baltimore, MD")])) > 20


def test_a_storm_text_without_head_is_set_aside(folder):
    (folder / "advisory" / "ADA_2022_24h.txt").write_text("nothing here")
    (folder / "wind" / "notes.txt").write_text("nothing here")
    data = cyportqa(folder)
    assert len(data.advisories) == 1 and len(data.wind_tables) == 2
    assert len(kinds(data, "file")) == 2
    assert data.report["reason"].str.contains("the scenario has no date").any()


def test_no_bulletins_at_all(folder):
    for name in ("enriched", "filtered"):
        (folder / f"uscg__port_conditions_{name}.csv").write_text(HEADER + "\n")
    data = cyportqa(folder)
    assert not len(data.bulletins) and data.storm("ADA_2022").port("Baltimore").horizons[1].condition is None


def test_facts_hold_the_values_of_their_sources(folder):
    table = facts(cyportqa(folder), [("ADA_2022", "Baltimore, MD")]).set_index("fact")
    at = "ADA_2022/Baltimore/T-12"
    assert table.loc["ADA_2022/T-12/wind_change", "values"] == "before_mph=50; after_mph=60"
    assert table.loc["ADA_2022/T-12/wind_change", "from_horizon"] == 24
    assert table.loc[f"{at}/onset", "values"] == "location=Baltimore MD; after_hours=24; before_hours=36; percent=12"
    assert table.loc[f"{at}/gale_chance", "time"] == "2022-06-04T03:00Z"  # the table's own time
    assert table.loc[f"{at}/condition", "values"] == "condition=X-RAY; posted=2022-06-03T18:00Z"
    # 12:00 on the fourth less 18:00 on the third
    assert table.loc[f"{at}/condition_set/2", "values"].endswith("hours_before=18")
    assert table.loc["ADA_2022/Baltimore/after/condition_set/3", "hindsight"]
    assert table.loc["ADA_2022/Baltimore/after/disruption", "values"] == (
        "disrupted_days=2; peak_loss_percent=50; lost_vessels=7.5"
    )
    assert table.loc[f"{at}/condition_change", "values"] == "before=WHISKEY; after=X-RAY"
    known = table[~table["hindsight"] & table["horizon"].notna()]
    issued = {24: "2022-06-03T12:00Z", 12: "2022-06-04T00:00Z"}
    late = [row for row in known.itertuples() if row.time > issued[row.horizon] and "wind/" not in row.source]
    assert late == []


# ---------------------------------------------------------------- what a copy may be like


ENCODED, ADVISORY, WIND = (
    "encoded/ADA_2022_Baltimore,_MD_24_summary.json",
    "advisory/ADA_2022_24h.txt",
    "wind/ADA_2022_24h.txt",
)


def packed(folder, path, rename=lambda name: name, mode="w:gz", extra=()):
    """The data set as an archive."""
    with tarfile.open(path, mode) as archive:
        for file in sorted(file for file in folder.rglob("*") if file.is_file()):
            archive.add(file, rename(file.relative_to(folder).as_posix()))
        for file, name in extra:
            archive.add(file, name)
    return path


@pytest.mark.parametrize("prefix", ["../../", "/etc/", "my-encoded/", "./"])
def test_names_that_lead_elsewhere_are_read_and_write_nothing(folder, tmp_path, prefix):
    data = cyportqa(packed(folder, tmp_path / "x.tgz", lambda name: prefix + name))
    assert len(data.scenarios) == 2 and len(data.advisories) == 2 and data.report["kind"].tolist().count("file") == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted({"x.tgz", folder.relative_to(tmp_path).parts[0]})


@pytest.mark.parametrize("mode", ["w:gz", "w:xz", "w:bz2"])
@pytest.mark.parametrize(
    "harm", [lambda b: b[: len(b) // 2], lambda b: b[:400] + b"\xff" * 60 + b[460:], lambda b: b"", lambda b: b"x" * 99]
)
def test_a_harmed_archive_is_named(folder, tmp_path, mode, harm):
    path = packed(folder, tmp_path / "x.tar", mode=mode)
    path.write_bytes(harm(path.read_bytes()))
    with pytest.raises(ValueError, match=r"x\.tar is not a whole tar archive"):
        cyportqa(path)


def test_a_second_copy_and_a_second_file_are_left_out_and_reported(folder, tmp_path):
    extra = [(folder / ENCODED, f"copy/{ENCODED}"), (folder / ADVISORY, ENCODED)]
    data = cyportqa(packed(folder, tmp_path / "x.tgz", extra=extra))
    assert len(kinds(data, "left out")) == 2 and len(data.scenarios) == 2
    assert set(data.report.query("kind == 'left out'")["file"]) == {"copy/encoded/", ENCODED}


@pytest.mark.parametrize(
    "name", ["encoded/notes.md", "encoded/.DS_Store", "encoded/._ADA_2022_Baltimore,_MD_24_summary.json"]
)
def test_stray_files_are_left_out_and_reported_and_no_fault(folder, name):
    (folder / name).write_bytes(b"\0\x05")
    data = cyportqa(folder, strict=True)
    assert data.report.query("kind == 'left out'")["file"].tolist() == [name] and len(data.scenarios) == 2


@pytest.mark.parametrize(
    ("file", "old", "new", "reason"),
    [
        (ADVISORY, "Jun", "Foo", "'Foo' is no month"),
        (ADVISORY, "Jun 03 2022", "Jun 03 9999", "year 9999"),
        (WIND, "JUN", "FOO", "'FOO' is no month"),
        (WIND, "(120)", "(99999999999999999999)", "overflow"),
        (ENCODED, "{", '{"a":' * 3000, "not JSON"),
        ("events/table.csv", "Baltimore, MD", "Baltimore, MD\xff", None),
    ],
)
def test_a_text_that_cannot_be_read_is_set_aside(folder, file, old, new, reason):
    text = (folder / file).read_text("utf-8").replace(old, new)
    (folder / file).write_bytes(text.encode("utf-8" if reason else "latin-1"))
    rows = cyportqa(folder).report.query("kind == 'file'")
    assert rows["file"].tolist() == [file] and (reason or "not a table") in rows["reason"].iloc[0]


@pytest.mark.parametrize("file", [ADVISORY, WIND])
def test_a_text_that_is_not_utf_8_is_read_and_reported(folder, file):
    (folder / file).write_bytes((folder / file).read_bytes() + "é".encode("latin-1"))
    data = cyportqa(folder)
    assert data.report[data.report["reason"].str.contains("not UTF-8")]["file"].tolist() == [file]
    assert len(data.advisories) == len(data.wind_tables) == 2


@pytest.mark.parametrize("file", [ADVISORY, WIND])
def test_a_second_text_of_a_storm_and_lead_is_left_out(folder, file):
    (folder / file.replace("_24h", "_024h")).write_bytes((folder / file).read_bytes())
    data = cyportqa(folder)
    assert data.report.query("kind == 'duplicate'")["file"].tolist() == [file]
    assert len(data.advisories) == len(data.wind_tables) == 2


def test_a_lead_beyond_reason_is_no_lead(folder):
    (folder / f"advisory/ADA_2022_{'9' * 20}h.txt").write_bytes((folder / ADVISORY).read_bytes())
    assert cyportqa(folder).report.query("kind == 'file'")["reason"].tolist() == [
        "the name is not {STORM}_{YEAR}_{lead}h.txt"
    ]


def test_a_key_that_stands_twice_below_is_reported_too(folder):
    text = (folder / ENCODED).read_text("utf-8").replace('"name": "ADA"', '"name": "EVE", "name": "ADA"')
    (folder / ENCODED).write_text(text, "utf-8")
    data = cyportqa(folder)
    assert ("cyclone.name", "EVE") in kinds(data, "qualified") and set(data.scenarios["name"]) == {"ADA"}


def test_endless_values_are_unreadable_at_once(folder):
    record = block(wind="1" * 200_000, speed="9" * 400 + " mph")
    (folder / ENCODED).write_text(json.dumps(record), "utf-8")
    data = cyportqa(folder)
    fields = data.report.query("kind == 'unreadable'")["field"].tolist()
    assert {"weather_observation.wind", "cyclone.motion.speed"} <= set(fields)
    assert pd.isna(data.scenarios.loc["ADA_2022/Baltimore/T-24", "speed"])


def test_numbers_of_events_are_numbers_or_missing_and_reported(folder):
    path = folder / "events" / "table.csv"
    path.write_text(f"{EVENTS}\n{event(1, loss='inf')}\n{event(1, loss='abc')}\n3,,1\n", "utf-8")
    data = cyportqa(folder)
    rows = data.report[data.report["file"] == "events/table.csv"]
    assert rows[["value", "kind"]].values.tolist() == [
        ["", "unmatched"],
        ["inf", "unreadable"],
        ["abc", "unreadable"],
    ]
    assert data.disruption["peak_loss"].isna().all()
