"""The published copy: its known counts, and the bundled facts made from it again."""

import pandas as pd
import pytest

from hgwork.datasets import cyportqa, data_folder
from hgwork.datasets.cyportqa.facts import write_facts
from hgwork.datasets.cyportqa.selection import assign_splits, choose_pairs

pytestmark = [pytest.mark.real_data, pytest.mark.slow]


@pytest.fixture(scope="module")
def data(shared_data):
    return cyportqa(shared_data / "cyportqa.tar.gz")


def test_all_scenarios_are_read(data):
    leads = data.scenarios.groupby(["storm", "port"])["lead"].nunique()
    assert len(data.scenarios) == 2440 and len(leads) == 397 and (leads == 10).sum() == 111
    assert data.scenarios["storm"].nunique() == 63 and data.scenarios["port"].nunique() == 45
    assert not (data.report["kind"] == "file").any()
    assert leads["ALEX_2022", "Canaveral Port District, FL"] == 4 and leads["ARLENE_2023", "PortMiami, FL"] == 3


def test_every_text_has_position_wind_and_time(data):
    assert len(data.advisories) == 439 and len(data.wind_tables) == 413
    assert data.advisories[["lat", "lon", "wind_mph", "issued", "identifier"]].notna().all(axis=None)
    cells = data.wind.groupby(["storm", "lead", "location", "knots"]).size()
    assert (cells == 7).all()
    # A cumulative probability never falls, and onsets add up to it but for rounding and what lies below one percent.
    grid = data.wind.pivot_table(index=["storm", "lead", "location", "knots"], columns="hour", values="cumulative")
    assert (grid.diff(axis=1).iloc[:, 1:] >= 0).mean(axis=None) > 0.999


def test_advisory_and_wind_table_numbers_differ_as_known(data):
    both = data.advisories.merge(data.wind_tables, on=["storm", "lead"], suffixes=("", "_wind"))
    ours = both["number"].str.extract(r"(\d+)")[0].astype(int)
    assert len(both) == 413 and (ours != both["number_wind"]).sum() == 151


def test_the_mix_of_types_is_the_published_one(data):
    first = data.templates[data.templates["task"].isin(["S1", "S2"])]["type"].value_counts()
    assert first.to_dict() == {"TF": 2, "MC": 13, "SA": 17, "TD": 8}  # .05, .325, .425 and .20 of 40
    assert len(data.templates) == 48


def test_scenario_probabilities_agree_with_the_wind_tables(data):
    table = data.wind[(data.wind["knots"] == 34) & (data.wind["hour"] == 120)]
    both = data.scenarios.merge(
        table, left_on=["storm", "lead", "wind_location"], right_on=["storm", "lead", "location"]
    )
    assert len(both) > 1500
    assert ((both["cumulative"] - both["cumulative_34kt"]).abs() <= 5).mean() > 0.9


def test_no_bulletin_is_visible_before_its_post(data):
    for name in ("IRMA_2017", "ELSA_2021", "HERMINE_2016"):
        for port in data.storm(name).ports:
            for horizon in port.horizons:
                assert all(b.source.issued <= horizon.advisory.source.issued for b in horizon.bulletins)


def test_a_track_has_one_storm_and_known_ones_are_right(data):
    owner = data.disruption.drop_duplicates("storm").set_index("storm")["track"]
    assert owner.is_unique and len(owner) >= 60
    born = {"IRMA_2017": "2017242N16333", "MARIA_2017": "2017260N12310", "LAURA_2020": "2020233N14313"}
    assert owner[list(born)].to_dict() == born  # IBTrACS identifiers


def test_the_bundled_facts_can_be_made_again(data, tmp_path):
    folder = data_folder() / "cyclones"
    pairs = choose_pairs(data)
    write_facts(data, tmp_path / "facts.csv", pairs)
    assert (tmp_path / "facts.csv").read_bytes() == (folder / "facts.csv").read_bytes()
    splits = assign_splits(sorted({storm[:-5] for storm, _ in pairs}))
    pd.testing.assert_frame_equal(splits, pd.read_csv(folder / "splits.csv"))
