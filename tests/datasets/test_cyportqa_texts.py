"""Advisories and wind tables of the National Hurricane Center's layout, on invented texts."""

import pandas as pd
import pytest

from hgwork.datasets.cyportqa.advisory import parse_advisory
from hgwork.datasets.cyportqa.wind import parse_wind_table
from tests.datasets.cyportqa_files import advisory, wind_table

STAMP = "800 PM EDT Fri Jun 03 2022"


def test_an_advisory_is_read_whole():
    found = parse_advisory(advisory("6A", STAMP, "0000", 60))
    assert (found["number"], found["status"], found["name"], found["identifier"]) == (
        "6A",
        "Tropical Storm",
        "ADA",
        "AL992022",
    )
    assert found["time"] == pd.Timestamp("2022-06-04 00:00")  # EDT is four hours behind
    assert (found["lat"], found["lon"], found["wind_mph"], found["pressure_mb"]) == (30.0, -75.0, 60, 998)
    assert (found["direction"], found["bearing"], found["speed_mph"]) == ("NW", 315, 10)
    assert found["references"] == ((200, "SE", "Cape Hatteras North Carolina"),)
    assert (found["gale_extent_miles"], found["hurricane_extent_miles"]) == (90, None)
    assert found["alerts"] == {"Tropical Storm Watch": ("Cape Charles to Smith Point", "Tidal Potomac")}


@pytest.mark.parametrize(
    ("old", "new", "key", "value"),
    [
        ("Tropical Storm Ada", "HURRICANE ADA SPECIAL", "status", "Hurricane"),
        ("Tropical Storm Ada Advisory", "Potential Tropical Cyclone One Intermediate Advisory", "name", "ONE"),
        ("Tropical Storm Ada", "Post-Tropical Cyclone Ada", "status", "Post-Tropical Cyclone"),
        ("NW OR 315 DEGREES AT 10 MPH", "STATIONARY", "speed_mph", 0),
        ("75.0W", "75.0E", "lon", 75.0),
        (STAMP, "1200 AM PDT Sat Jun 04 2022", "time", pd.Timestamp("2022-06-04 07:00")),
        (STAMP, "1230 PM CDT Sat Jun 04 2022", "time", pd.Timestamp("2022-06-04 17:30")),
    ],
)
def test_variants_of_an_advisory(old, new, key, value):
    assert parse_advisory(advisory("6", STAMP, "0000", 60).replace(old, new))[key] == value


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Advisory Number", "Notice", "no line"),
        (STAMP, "yesterday", "no time of issue"),
        ("EDT", "XYZ", "time zone XYZ"),
    ],
)
def test_an_advisory_without_number_or_time_is_refused(old, new, message):
    with pytest.raises(ValueError, match=message):
        parse_advisory(advisory("6", STAMP, "0000", 60).replace(old, new))


def test_a_wind_table_keeps_its_own_grid():
    header, table, unread = parse_wind_table(wind_table(4, "0900 UTC FRI JUN 03 2022", "BETWEEN\n   06Z FRI"))
    assert header["number"] == 4 and header["time"] == pd.Timestamp("2022-06-03 09:00")
    assert header["base"] == pd.Timestamp("2022-06-03 06:00") and header["hours"] == (12, 24, 36, 48, 72, 96, 120)
    gales = table[(table["location"] == "BALTIMORE MD") & (table["knots"] == 34)]
    assert gales["onset"].tolist() == [0, 5, 12, 6, 0, 0, 0]
    assert gales["cumulative"].tolist() == [0, 5, 17, 23, 23, 23, 23]
    assert gales["ends"].iloc[0] == pd.Timestamp("2022-06-03 18:00")
    first = table[table["location"] == "NORFOLK NAS"].iloc[0]
    assert (first["onset"], first["cumulative"]) == (3, 3)  # the first period has one number only
    assert unread == ["BROKEN ROW     34  3  30(33)"]


def test_a_base_time_before_midnight_belongs_to_the_day_before():
    header, _, _ = parse_wind_table(wind_table(7, "0300 UTC SAT JUN 04 2022", "BETWEEN\n   18Z FRI"))
    assert header["base"] == pd.Timestamp("2022-06-03 18:00")


@pytest.mark.parametrize("gone", ["PROBABILITIES NUMBER", "0900 UTC", "BETWEEN", "FORECAST HOUR  "])
def test_a_wind_table_without_its_head_is_refused(gone):
    text = wind_table(4, "0900 UTC FRI JUN 03 2022", "BETWEEN\n   06Z FRI").replace(gone, "")
    with pytest.raises(ValueError, match="no "):
        parse_wind_table(text)
