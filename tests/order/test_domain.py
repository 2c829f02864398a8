"""A domain file says what is wrong with it; nothing in the code knows its words."""

from pathlib import Path

import pytest

import hgwork.order as order
from hgwork.order import load_domain
from tests.order.domains import CAKES, cakes, written

# Table 3 of the order-aware paper: family -> representative relations
TABLE_3 = {
    "cyclone_state": ["has_cyclone_state", "has_category_state", "has_motion"],
    "track_landfall": ["forecasts_track", "forecasts_landfall"],
    "timing": ["has_hours_to_landfall", "has_forecast_window"],
    "advisory": ["has_watch_status", "has_warning_status"],
    "probability": ["has_leadtime_probability", "has_cumulative_probability"],
    "hazard_forecast": ["forecasts_hazard_at_horizon"],
    "hazard_observation": ["observes_hazard_at_horizon"],
    "threshold": ["has_threshold_status"],
    "additional_hazard": ["has_additional_hazard"],
    "operation_status": ["has_operation_status", "affects_vessel_handling"],
    "impact_prediction": ["has_impact_prediction", "causes_operational_disruption"],
    "recovery_status": ["has_recovery_status", "starts_recovery"],
    "cross_horizon": ["forecast_updates_to", "intensifies_to", "changes_status_to"],
}


def test_the_cyclone_domain_has_the_thirteen_families_of_the_paper_in_order():
    domain = load_domain("cyclones")
    assert list(domain.families) == list(TABLE_3)
    for family, relations in TABLE_3.items():
        assert set(relations) <= set(domain.families[family].relations)
    assert domain.alias_of["closes_port"] == "has_operation_status"  # the example of appendix A.1
    assert domain.phases == [
        "advisory",
        "hazard_forecast",
        "hazard_observation",
        "operation_status",
        "impact_prediction",
        "recovery_status",
    ]
    ranks = [domain.phases.index(f.phase) for f in domain.families.values() if f.phase]
    assert ranks == sorted(ranks) and domain.crossing == "cross_horizon"


def test_track_precedes_landfall_inside_its_family():
    steps = load_domain("cyclones").steps
    assert steps["has_motion"] < steps["forecasts_track"] < steps["forecasts_landfall"] < steps["has_hours_to_landfall"]


def test_steps_number_families_and_the_relations_of_an_ordered_family():
    assert cakes().steps == {"mixes": 1, "heats": 2, "cools": 3, "eats": 4, "warms_to": 5}


def test_an_unknown_key_names_the_file_and_the_key(tmp_path):
    with pytest.raises(ValueError, match=r"cakes\.yaml: colour: unknown key"):
        load_domain(written(tmp_path, colour="red"))
    broken = dict(CAKES["entity_types"], cake={"kind": "persistent", "id": "cake:{name}", "size": 3})
    with pytest.raises(ValueError, match=r"cakes\.yaml: entity_types\.cake\.size: unknown key"):
        load_domain(written(tmp_path, entity_types=broken))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rules": [{"name": "r", "before": ["bakery"], "after": ["eats"]}]}, "rules 'bakery' is not declared"),
        ({"headers": [r"^Turn (\d+)"]}, "no group"),
        ({"headers": ["("]}, "not a regular expression"),
        ({"group": "{pie}"}, "group 'pie' is not declared"),
        ({"patterns": [{"relation": "fries", "match": "x"}]}, "relation 'fries' is not declared"),
        ({"patterns": [{"relation": "mixes", "match": "x", "entities": {"a": "stuff"}}]}, "'a' is neither a group"),
        ({"changes": [{"relation": "eats", "of": ["heats"]}]}, "belongs to a family with a phase"),
        ({"phases": ["make"]}, "phase 'eat' is not declared"),
    ],
)
def test_a_domain_that_contradicts_itself_is_refused(tmp_path, changes, message):
    with pytest.raises(ValueError, match=message) as error:
        load_domain(written(tmp_path, **changes))
    assert "cakes.yaml" in str(error.value)


def test_an_alias_of_two_relations_is_refused(tmp_path):
    families = dict(CAKES["families"], eating={"phase": "eat", "relations": {"eats": {"aliases": ["stirs"]}}})
    with pytest.raises(ValueError, match="'stirs' stands for two relations"):
        load_domain(written(tmp_path, families=families))


def test_a_key_given_twice_is_no_yaml(tmp_path):
    path = tmp_path / "twice.yaml"
    path.write_text("name: a\nname: b\n")
    with pytest.raises(ValueError, match=r"twice\.yaml.*'name' stands twice"):
        load_domain(path)


def test_a_missing_domain_lists_the_packaged_ones():
    with pytest.raises(FileNotFoundError, match="cyclones, failures"):
        load_domain("volcanoes")


def test_a_transient_type_needs_its_place_in_its_id(tmp_path):
    types = dict(CAKES["entity_types"], heat={"kind": "transient", "id": "heat:{cake}"})
    with pytest.raises(ValueError, match="transient, so its id needs"):
        load_domain(written(tmp_path, entity_types=types))


def test_no_code_of_the_room_knows_a_word_of_a_domain():
    words = ["cyclone_state", "landfall", "hazard", "advisory", "has_motion", "wind_fcst", "component_failure", "pump"]
    code = {p.name: p.read_text("utf-8") for p in Path(order.__file__).parent.glob("*.py")}
    for name, text in code.items():
        bare = "".join(part for i, part in enumerate(text.split('"""')) if i % 2 == 0)  # without docstrings
        assert not [word for word in words if word in bare], name
