"""The bundled cyclone corpus: every sentence states a fact, nothing is known too early, order is not given away."""

import hashlib
import re
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from hgwork.datasets import cyclone_facts, cyclone_sentences, cyclones, data_folder
from hgwork.datasets.cyportqa.kinds import FAMILIES, KINDS, UNITS
from hgwork.datasets.cyportqa.wording import read_forms


@pytest.fixture(scope="module")
def documents():
    return {document.id: document for document in cyclones()}


@pytest.fixture(scope="module")
def sentences():
    return cyclone_sentences()


def test_size_and_the_pairs_that_must_be_there(documents):
    groups = {document.attributes["group"]: document.attributes for document in documents.values()}
    assert len(groups) == len(documents) >= 120
    assert len({found["storm"] for found in groups.values()}) >= 30
    assert groups["ALEX/Canaveral"]["horizons"] == [48, 36, 24, 12]
    assert groups["ARTHUR/Baltimore"]["horizons"] == [48, 36, 24, 12]
    assert groups["ARLENE/PortMiami"]["horizons"] == [36, 24, 12]


def test_sentences_lie_where_they_say_and_cover_the_text(documents, sentences):
    for name, group in sentences.groupby("document"):
        text = documents[name].text
        assert all(text[row.start : row.end] == row.text for row in group.itertuples())
        rest = text
        for row in group[::-1].itertuples():
            rest = rest[: row.start] + rest[row.end :]
        left = [line.strip() for line in rest.splitlines() if line.strip()]
        assert [line.rstrip(":") for line in left] == [heading for _, _, heading in documents[name].headings]


def test_headings_are_those_of_the_published_layout(documents):
    for document in documents.values():
        found = [int(hours) for hours in re.findall(r"(?m)^T-(\d+) hours before expected landfall:$", document.text)]
        assert found == document.attributes["horizons"] == sorted(found, reverse=True)
        for offset, _, heading in document.headings:
            assert document.text[offset:].startswith(heading + ":\n")


def test_each_sentence_states_its_fact(sentences):
    facts = cyclone_facts()
    assert set(sentences["fact"]) <= set(facts.index)
    for row in sentences.sample(500, random_state=0).itertuples():
        fact = facts.loc[row.fact]
        assert fact["values"] == row.values and fact["kind"] == row.kind
        numbers = [value for value in row.values.values() if isinstance(value, (int, float))]
        if row.kind not in ("condition_set", "disruption", "port_location", "position"):
            said = re.findall(r"\d+(?:\.\d+)?", row.text)
            missing = [n for n in numbers if f"{abs(n):g}" not in said]
            # The bearing of a motion is said by its direction, and zero as "no strike" or "up to".
            assert not set(missing) - ({row.values["bearing"]} if row.kind == "motion" else {0})
    assert sentences["fact"].nunique() == len(facts) - 4  # the four rules of port conditions stand in no document


def test_entities_are_words_of_their_sentence(sentences):
    for row in sentences.itertuples():
        assert all(row.text[start : start + len(word)] == word for start, word, _ in row.entities)
    counts = sentences["entities"].map(len)
    assert counts.min() >= 2


def test_sections_hold_only_their_horizon(documents, sentences):
    for name, group in sentences.groupby("document"):
        starts = [(offset, heading) for offset, _, heading in documents[name].headings]
        for row in group.itertuples():
            heading = next((h for offset, h in reversed(starts) if offset <= row.start), "")
            if row.hindsight:
                assert heading.startswith("After")
            elif pd.isna(row.horizon):
                assert heading == "" and row.kind == "port_location"
            else:
                assert heading == f"T-{row.horizon} hours before expected landfall"


def test_nothing_is_known_before_its_time():
    facts = cyclone_facts()
    issued = facts[facts["kind"] == "issued"].set_index(["storm", "horizon"])["time"]
    bulletins = facts[facts["kind"].isin(["condition", "condition_set", "traffic"]) & ~facts["hindsight"]]
    assert all(row.time <= issued[row.storm, row.horizon] for row in bulletins.itertuples())
    changes = facts[facts["family"] == "cross_horizon"]
    assert (changes["from_horizon"] > changes["horizon"]).all()
    after = facts[facts["family"].isin(["impact_prediction", "recovery_status"])]
    assert after["hindsight"].all() and after["horizon"].isna().all()


def test_changes_compare_the_two_horizons_that_they_name():
    facts = cyclone_facts()
    winds = facts[facts["kind"] == "state"].set_index(["storm", "horizon"])["values"].map(lambda v: v["wind_mph"])
    changes = facts[facts["kind"] == "wind_change"]
    assert len(changes) > 100
    for row in changes.itertuples():
        for horizon, side in ((row.from_horizon, "before_mph"), (row.horizon, "after_mph")):
            assert winds.get((row.storm, horizon), row.values[side]) == row.values[side]
    chances = facts[facts["kind"] == "gale_chance"].set_index(["storm", "port", "horizon"])["values"]
    for row in facts[facts["kind"] == "chance_change"].itertuples():
        assert chances[row.storm, row.port, row.horizon]["percent"] == row.values["after_percent"]
        assert chances[row.storm, row.port, row.from_horizon]["percent"] == row.values["before_percent"]


def test_families_cover_the_published_vocabulary():
    facts = cyclone_facts()
    assert set(FAMILIES) == set(facts["family"]) - {""} and len(FAMILIES) == 13
    assert set(facts["kind"]) == set(KINDS)
    rules = facts[facts["kind"] == "condition_rule"]["values"]
    assert {rule["condition"]: rule["hours"] for rule in rules} == {
        "WHISKEY": 72,
        "X-RAY": 48,
        "YANKEE": 24,
        "ZULU": 12,
    }
    assert set(UNITS) <= {name for kind in KINDS.values() for name in kind.values}


def test_the_split_is_by_storm_and_held_out_forms_are_for_test_storms(documents, sentences):
    parts = pd.DataFrame([document.attributes for document in documents.values()])
    assert len(parts[["storm", "split"]].drop_duplicates()) == len(set(parts["storm"]))
    assert parts.set_index("group").loc["ALEX/Canaveral", "split"] == "test"
    part = sentences["group"].map(parts.set_index("group")["split"])
    assert not sentences["held_out"][part != "test"].any()
    assert 0.25 < sentences["held_out"][part == "test"].mean() < 0.42  # a third of the forms
    assert [document.id for document in cyclones("dev")] == sorted(
        "cyclones/" + g for g in parts[parts["split"] == "dev"]["group"]
    )


def test_wording_of_test_storms_can_be_chosen():
    assert cyclone_sentences("test", wording="unseen")["held_out"].all()
    assert not cyclone_sentences("test", wording="seen")["held_out"].any()


def test_order_within_a_section_gives_no_phase_away(sentences):
    rank = {family: n for n, family in enumerate(FAMILIES)}
    known = sentences[sentences["horizon"].notna() & (sentences["family"] != "cross_horizon")]
    agree = total = 0
    for _, group in known.groupby(["document", "horizon"]):
        ranks = group.sort_values("start")["family"].map(rank).tolist()
        for before, after in pairwise(ranks):
            agree += before < after
            total += before != after
    assert abs(agree / total - 0.5) < 0.02
    plain = cyclone_sentences("dev", shuffle=False)
    assert (plain.groupby(["document", "horizon"])["kind"].first().dropna() == "issued").all()


def test_the_same_seed_gives_the_same_bytes():
    first = "\n".join(document.model_dump_json() for document in cyclones("dev", rng=7))
    cyclones("dev", rng=8)
    again = "\n".join(document.model_dump_json() for document in cyclones("dev", rng=7))
    assert first == again and first != "\n".join(document.model_dump_json() for document in cyclones("dev", rng=8))
    ours, theirs = (cyclones("dev", rng=np.random.default_rng(5)) for _ in range(2))
    assert ours == theirs


def test_a_document_does_not_depend_on_what_else_is_asked_for(documents):
    assert all(documents[document.id] == document for document in cyclones("test"))


def test_bytes_are_those_of_other_machines(documents):
    text = "\n".join(document.text for document in documents.values())
    # Changes with every form and fact; renew it then, after reading the new text.
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == "eac17452cccbd1e9"


def test_changes_and_hindsight_can_be_left_out():
    table = cyclone_sentences("dev", changes=False, hindsight=False)
    assert not (table["family"] == "cross_horizon").any() and not table["hindsight"].any()
    assert all("hindsight" not in document.text for document in cyclones("dev", hindsight=False))


@pytest.mark.parametrize("arguments", [{"split": "all"}, {"wording": "new"}])
def test_unknown_choices_are_refused(arguments):
    with pytest.raises(ValueError, match="is not one of"):
        cyclones(**arguments)


def test_tables_are_the_callers_own():
    cyclone_facts()["values"].iloc[0]["hours"] = -1
    assert cyclone_facts()["values"].iloc[0]["hours"] == 72
    cyclone_sentences("dev").iloc[0]["values"].clear()
    assert cyclone_sentences("dev").iloc[0]["values"]


def test_forms_need_a_third_for_the_test_storms():
    with pytest.raises(ValueError, match="forms of state/any"):
        read_forms({"state": {"any": {"all": ["{storm}."] * 5, "test": ["{storm}!"]}}})
    with pytest.raises(ValueError, match="forms of state/any"):
        read_forms({"state": {"any": {"all": ["{storm}."] * 3, "test": ["{storm}!"] * 2}}})


def test_the_table_is_small_and_plain():
    path = data_folder() / "cyclones" / "facts.csv"
    assert path.stat().st_size < 5_000_000
    assert path.read_bytes().count(b"\r") == 0
