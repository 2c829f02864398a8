"""Typed values from fields that a model filled in, and facts written as one line."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgwork.datasets.cyportqa import values
from hgwork.datasets.cyportqa.geography import compass_from, distance_miles, places_in, saffir_simpson
from hgwork.datasets.cyportqa.kinds import pack, unpack
from hgwork.datasets.cyportqa.ports import ports_named
from hgwork.datasets.cyportqa.wind import find_location, location_index


@pytest.mark.parametrize(
    ("read", "text", "value", "rest"),
    [
        (values.speed, "35–45 mph", (35, 45), ""),
        (values.speed, "35 to 45 mph", (35, 45), ""),
        (values.speed, "Nearly stationary (drifting)", (0, 0), ""),
        (values.percent, "<1%", (0, 1), ""),
        (values.percent, ">80%", (80, 100), ""),
        (values.percent, "about 18 % at the pier", (18, 18), "about at the pier"),
        (values.percent, "180%", None, "180%"),
        (values.percent, "no data", None, "no data"),
        (values.hours, "36 hours", (36, 36), ""),
        (values.hours, "-6", None, "-6"),
        (values.day, "2022-02-30", None, "2022-02-30"),
        (values.day, "2022-06-04", date(2022, 6, 4), ""),
        (values.coordinates, "23.3N, 85.0W", (23.3, -85.0), ""),
        (values.coordinates, "12.5°S 170.25°E", (-12.5, 170.25), ""),
        (values.coordinates, "123.3N, 85.0W", None, "123.3N, 85.0W"),
        (values.compass, "North-Northwest", "NNW", ""),
        (values.compass, "NNE (turning)", "NNE", "(turning)"),
        (values.compass, "northwest or north", None, "northwest or north"),
        (values.category, "Category 4 hurricane", "Category 4", "hurricane"),
        (values.category, "Subtropical Storm", "Subtropical Storm", ""),
        (values.category, "Post‑tropical / Post-Tropical Cyclone", "Post-Tropical Cyclone", "Post‑tropical /"),
        (values.category, "storm", None, "storm"),
        (values.yes_no, "Yes (western edge)", True, "(western edge)"),
        (values.yes_no, "Not at all", None, "Not at all"),
        (values.likelihood, "Unlikely (1–2 ft)", "unlikely", "(1–2 ft)"),
        (values.alerts, "Hurricane Warning and Storm Surge Warning", ("Hurricane", "Storm Surge"), ""),
        (values.alerts, "None in effect", (), ""),
        (values.alerts, "Gale", None, "Gale"),
    ],
)
def test_a_field_is_read_with_what_was_left_over(read, text, value, rest):
    assert read(text) == (value, rest)


@pytest.mark.parametrize("text", [None, "", " N/A ", "None", "none.", "Unknown", "—"])
def test_blanks_are_blank(text):
    assert values.is_blank(text)


def test_zero_and_no_are_not_blank():
    assert not values.is_blank("0") and not values.is_blank("No") and not values.is_blank(0)


def test_reasons_beside_a_blank_are_kept():
    assert values.blank_reason("N/A – storm stays offshore") == "storm stays offshore"
    assert values.blank_reason("24") == "" and values.blank_reason("N/A") == ""


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("2–4 ft along the bay; 6 ft elsewhere", (2, 4)),
        ("Above 3 ft is unlikely, 1 ft likely", (1, 1)),
        ("more than 5 ft", None),
        ("rise below 3 ft", (0, 3)),
        ("No surge of 3 ft", None),
    ],
)
def test_a_hazard_amount_is_foreseen_not_denied(text, bounds):
    assert values.hazard_amount(text, "ft") == bounds


def test_denied_hazards_are_left_out():
    assert values.hazards("No tornadoes; rip currents and swell") == ("rip currents", "high surf")


@given(low=st.integers(0, 200), more=st.integers(0, 100), dash=st.sampled_from(["-", "–", " to ", " – "]))
def test_a_range_is_read_whatever_its_dash(low, more, dash):
    assert values.amount(f"{low}{dash}{low + more} mph", "mph")[0] == (low, low + more)


@given(
    st.dictionaries(
        st.sampled_from(["hours", "place", "number", "places", "lat"]),
        st.none(),
        min_size=1,
    ),
    st.integers(-200, 200),
    st.lists(st.sampled_from(["Cuba", "Tampa Bay", "St. Croix"]), max_size=3),
)
def test_values_survive_being_packed(keys, number, places):
    by_key = {"hours": number, "place": "the mouth of X", "number": "12", "places": places, "lat": number + 0.5}
    found = {key: by_key[key] for key in keys}
    assert unpack(pack(found)) == found


def test_a_value_that_would_break_the_line_is_refused():
    with pytest.raises(ValueError, match="holds ';' or '='"):
        pack({"place": "a; b=c"})
    with pytest.raises(ValueError, match="not key=value"):
        unpack("hours")


def test_distance_and_direction():
    # One degree of latitude is 2 pi R / 360 = 69.1 miles; the pole lies north of everything.
    assert distance_miles((30, -80), (31, -80)) == pytest.approx(69.09, abs=0.01)
    assert distance_miles((10, 20), (10, 20)) == 0
    assert compass_from((30, -80), (89.9, -80)) == "N" and compass_from((0, 0), (0, -1)) == "W"
    assert compass_from((0, 0), (-1, 1)) == "SE"


def test_longer_place_names_win():
    assert places_in("past Tampa Bay, West Palm Beach and Cuba, Cuba") == ("Tampa Bay", "West Palm Beach", "Cuba")
    assert places_in(None) == ()


@pytest.mark.parametrize(
    ("status", "wind", "strength"),
    [("Hurricane", 74, "Category 1"), ("Hurricane", 95, "Category 1"), ("Hurricane", 96, "Category 2"),
     ("Hurricane", 111, "Category 3"), ("Hurricane", 130, "Category 4"), ("Hurricane", 157, "Category 5"),
     ("Post-Tropical Cyclone", 90, "Post-Tropical Cyclone")],
)  # fmt: skip
def test_strength_classes_follow_saffir_and_simpson(status, wind, strength):
    assert saffir_simpson(status, wind) == strength


def test_names_in_bulletins():
    assert ports_named("['VIRGIN', 'PUERTO', 'RICO']") == (("San Juan, PR",), ("VIRGIN",))
    assert ports_named("['VIRGINIA']")[0] == ("Virginia, VA, Port of",)
    assert ports_named("St. Croix, Delaware") == (("Virgin Islands - St. Croix, VI", "Wilmington, DE"), ())
    assert ports_named("[]") == ((), ())


def test_places_of_wind_tables_are_found_in_other_spellings():
    index = location_index(["FT LAUDERDALE", "MIAMI FL", "BEAUFORT SC", "BEAUFORT NC"])
    assert find_location("MIAMI", index) == "MIAMI FL"
    assert find_location("ft. lauderdale FL (nearest)", index) == "FT LAUDERDALE"
    assert find_location("BEAUFORT NC", index) == "BEAUFORT NC"
    assert find_location("BEAUFORT", index) is None  # two of that name
    assert find_location(None, index) is None
