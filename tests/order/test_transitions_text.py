"""Without horizon tokens nothing that a model reads may tell the horizon."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgwork.order.transitions import edge_texts, read_features
from hgwork.order.transitions.features import Vocabulary
from hgwork.order.transitions.text import leaks, strip_horizon

from .transition_scenarios import WordEmbedder, scenarios

TELLING = [
    "T-48",
    "T-120 hours",
    "48 hours",
    "36-hour",
    "36 to 48 hours",
    "two days",
    "hour 48 to 72",
    "8 October 2016",
    "October 8, 2016",
    "2016-10-08T06:00",
    "10/08/2016",
    "15:00 UTC",
    "1500 UTC",
    "5 p.m. EDT",
    "advisory 12A",
    "Advisory number 7",
    "Wednesday",
    "tomorrow",
]


@pytest.mark.parametrize("token", TELLING)
def test_what_tells_the_horizon_is_gone(token):
    stripped = strip_horizon(f"Alex, {token}, moves north at 9 mph.")
    assert not re.search(r"\d", stripped.replace("9 mph", ""))
    assert stripped.startswith("Alex, ") and stripped.endswith("moves north at 9 mph.")
    assert not set(re.findall(r"[a-z]{4,}", token.lower())) & set(re.findall(r"[a-z]{4,}", stripped.lower()))


@pytest.mark.parametrize(
    "text",
    ["winds of 45 mph", "993 mb", "21.4°N and 87.5°W", "34-knot wind with 12 percent", "4 to 8 inches", "Category 3"],
)
def test_what_a_fact_states_stays(text):
    assert strip_horizon(text) == text


@given(st.integers(0, 240), st.sampled_from(["{} hours", "T-{}", "in {} hrs", "{}h", "{} days"]))
def test_durations_of_any_length_go(number, form):
    assert not re.search(r"\d", strip_horizon(f"landfall {form.format(number)} from now"))


def test_attributes_that_tell_are_known_by_name_unit_and_text():
    assert leaks("hours", {"value": 48.0}) and leaks("rest", {"value": 2.0, "unit": "days", "text": "2 days"})
    assert leaks("seen", "8 October 2016") and leaks("x", {"from": "T-48", "to": "none"})
    assert not leaks("wind", {"value": 45.0, "unit": "mph", "text": "45 mph"})
    assert not leaks("status", "none") and not leaks("wind", np.nan) and not leaks("wind", None)


def encoded(H):
    features = read_features(H, WordEmbedder())
    words = Vocabulary.learn(features, np.arange(len(features.ids)))
    return features, words, words.encode(features)


def test_nothing_the_model_reads_changes_when_the_horizons_do():
    """The same storms at other horizons, days, hours and advisory numbers, with other ids and anchors."""
    one = encoded(scenarios(storms=3))
    two = encoded(scenarios(storms=3, horizons=(120, 96, 84, 60), day="19 May 2023", hour="03:00 UTC", advisory=31))
    assert np.array_equal(one[0].vectors, two[0].vectors)
    assert one[1].to_json() == two[1].to_json()
    assert all(np.array_equal(a, b) for a, b in zip(one[2], two[2], strict=True))


def test_with_tokens_texts_keep_what_they_say_and_name_their_anchor():
    H = scenarios(storms=1)
    texts = edge_texts(H, horizon_tokens=True)
    assert texts.iloc[0].startswith("T-48. has cyclone state: At T-48 STORM0")
    assert not edge_texts(H).str.contains("T-").any()
    features = read_features(H, WordEmbedder(), horizon_tokens=True)
    horizons = features.numbers[features.numbers["slot"] == "horizon"]["value"].tolist()
    assert horizons == H.edges["horizon"].tolist()


def test_features_read_one_way_do_not_serve_the_other():
    features = read_features(scenarios(storms=1), WordEmbedder())
    with pytest.raises(ValueError, match="horizon_tokens=False"):
        read_features(features, horizon_tokens=True)
