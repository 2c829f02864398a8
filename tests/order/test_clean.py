"""Each clean-up step does its one thing, and doing it again changes nothing."""

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgwork import Document
from hgwork.order import (
    Entity,
    Fact,
    build,
    canonicalise_ids,
    contradictions,
    deduplicate,
    inject_anchors,
    load_domain,
    normalise_relations,
    postprocess,
    synthesise_changes,
    to_hypergraph,
)
from tests.order.domains import cakes

CYCLONES = load_domain("cyclones")


def fact(relation="has_motion", index=48, text="Irma moves west.", **more):
    entities = [Entity(name="Irma", type="cyclone"), Entity(name="west", type="motion_state")]
    about = {"scope": {"storm": "IRMA", "port": "Port Arthur"}, "group": "IRMA/Port Arthur", "document": "d"}
    return Fact(**({"entities": entities, "relation": relation, "description": text, "index": index} | about | more))


def hypergraph(*facts, domain=CYCLONES):
    return to_hypergraph(facts, domain)


def test_relations_are_mapped_by_alias_then_by_likeness_and_unknown_ones_are_listed():
    H = hypergraph(*(fact(r) for r in ["has_motion", "closes_port", "Has Motion", "has_moton", "sings"]))
    cleaned, report = normalise_relations(H, CYCLONES)
    assert report.set_index("stated")[["relation", "how"]].T.to_dict("list") == {
        "has_motion": ["has_motion", "exact"],
        "closes_port": ["has_operation_status", "alias"],
        "Has Motion": ["has_motion", "alias"],
        "has_moton": ["has_motion", "fuzzy"],
        "sings": ["sings", "unknown"],
    }
    assert cleaned.edges["stated_relation"].tolist() == H.edges["relation"].tolist()
    unknown = cleaned.edges[cleaned.edges["relation"] == "sings"].iloc[0]
    assert unknown["family"] is None and unknown["phase"] is None


def test_a_relation_as_near_to_two_counts_as_unknown():
    families = {
        "a": {"phase": "make", "relations": {"heats_x": {}, "heats_y": {}}},
        "b": {"relations": {"leads": {"underlying": "a"}}},
    }
    domain = cakes(families=families, patterns=[], rules=[], changes=[], phases=["make"])
    entities = [Entity(name="plum", type="cake"), Entity(name="egg", type="stuff")]
    H = to_hypergraph([Fact(entities=entities, relation="heats_z", description="x", index=1)], domain)
    assert normalise_relations(H, domain, threshold=50)[1]["how"].tolist() == ["unknown"]


def test_an_identifier_holds_type_scope_and_place_and_the_surface_stays():
    wind = [Entity(name="35 mph", type="wind_forecast"), Entity(name="Port Arthur", type="port")]
    H = hypergraph(fact("forecasts_hazard_at_horizon", text="35 mph at Port Arthur.", entities=wind))
    cleaned, report = canonicalise_ids(H, CYCLONES)
    assert cleaned.nodes.index.tolist() == ["wind_fcst:IRMA:port_arthur:T-48", "port:port_arthur"]
    assert cleaned.incidences["surface"].tolist() == ["35 mph", "Port Arthur"]
    assert report.loc["all", ["incidences", "grounded", "rate"]].tolist() == [2, 2, 1.0]


def test_a_short_name_of_the_storm_is_the_storm_of_the_scope_and_another_is_not():
    names = [Entity(name=name, type="cyclone") for name in ("Irma", "hurricane jose")]
    H = hypergraph(fact(entities=names, scope={"storm": "IRMA 2017", "port": "Miami"}))
    assert canonicalise_ids(H, CYCLONES)[0].nodes.index.tolist() == ["cyclone:IRMA_2017", "cyclone:HURRICANE_JOSE"]


def test_a_name_that_does_not_stand_in_the_evidence_is_not_grounded():
    H = hypergraph(fact(text="It moves WEST."))  # "Irma" is not there, "west" is but for case
    assert canonicalise_ids(H, CYCLONES)[1].loc["all", "grounded"] == 1


def test_every_hyperedge_gets_one_anchor_and_a_change_two():
    H = hypergraph(
        fact(entities=[*fact().entities, Entity(name="T-12", type="horizon_time")]),  # a wrong one of the extraction
        fact("intensifies_to", text="b", to_index=36),
        fact(index=None, text="c"),
        fact("weakens_to", text="d"),
    )
    H, report = inject_anchors(normalise_relations(H, CYCLONES)[0], CYCLONES)
    anchors = {edge: [n for n in members if n.startswith("horizon:")] for edge, members in H.to_dict().items()}
    assert list(anchors.values()) == [["horizon:T-48"], ["horizon:T-48", "horizon:T-36"], [], ["horizon:T-48"]]
    assert report["hyperedges"].to_dict() == {"horizon:T-48": 3, "horizon:T-36": 1, "unplaced": 1, "open change": 1}
    roles = H.incidences.query("edge == 'd/1' and node in ['horizon:T-48', 'horizon:T-36']")["role"].tolist()
    assert sorted(roles) == ["source", "target"]


def cyclone_text(*blocks):
    return "Irma (2017) and Miami\n\n" + "\n\n".join(f"T-{index}:\n{text}" for index, text in blocks)


def built(*blocks):
    return build([Document(id="d", text=cyclone_text(*blocks))], CYCLONES, progress=False)


def test_what_differs_at_the_next_horizon_becomes_a_change_and_what_stays_does_not():
    H = built(
        (60, "Irma is classed as Category 1. Irma moves west at 12 mph."),
        (48, "Irma is classed as Category 3. Irma moves west at 12 mph."),
        (24, "Irma is classed as Category 2. Irma moves west at 9 mph."),
    ).hypergraph
    made = H.edges[H.edges["origin"] == "synthesis"]
    rows = made[["relation", "horizon", "to_horizon", "underlying"]].values.tolist()
    assert rows == [
        ["intensifies_to", 60, 48, "cyclone_state"],
        ["weakens_to", 48, 24, "cyclone_state"],
        ["forecast_updates_to", 48, 24, "cyclone_state"],
    ]
    assert set(H.members(made.index[0])) == {
        *("cyclone:IRMA", "cyclone_state:IRMA:T-60", "cyclone_state:IRMA:T-48"),
        *("horizon:T-60", "horizon:T-48"),
    }
    assert made["attributes"].iloc[2]["speed"]["from"]["value"] == 12
    assert made["attributes"].iloc[2]["speed"]["to"]["value"] == 9


def test_a_series_goes_on_over_a_missing_horizon():
    H = built((60, "Irma moves west at 12 mph."), (36, "Irma moves north at 12 mph.")).hypergraph
    assert H.edges.query("origin == 'synthesis'")[["horizon", "to_horizon"]].values.tolist() == [[60, 36]]


def test_facts_that_contradict_each_other_are_kept_and_reported():
    result = built((48, "Irma moves west at 12 mph. Irma moves west at 20 mph."), (36, "Irma moves west at 20 mph."))
    facts = result.hypergraph.edges.query("origin != 'synthesis'")
    assert len(facts) == 3
    (row,) = result.reports["contradictions"].to_dict("records")
    assert (row["index"], row["relation"], row["attribute"]) == (48, "has_motion", "speed")
    assert [value["value"] for value in row["values"]] == [12, 20]
    # the last statement of T-48 agrees with T-36: nothing changed
    assert (result.hypergraph.edges["origin"] == "synthesis").sum() == 0


def test_exact_repeats_collapse_and_ids_do_not_depend_on_the_document():
    H = hypergraph(fact(), fact(document="e"), fact(text="Irma goes west."), fact(group="IRMA/Miami"))
    cleaned, report = deduplicate(H, CYCLONES)
    assert len(cleaned) == 3 and report["copies"].tolist() == [2]
    again, _ = deduplicate(hypergraph(fact(document="f")), CYCLONES)
    assert again.edges.index[0] == cleaned.edges.index[0] and again.edges.index[0].startswith("has_motion:")


def test_an_empty_hypergraph_stays_empty():
    H, reports = postprocess(to_hypergraph([], CYCLONES), CYCLONES)
    assert H.shape == (0, 0) and set(reports) == {"relations", "ids", "anchors", "changes", "repeats", "contradictions"}


_RELATIONS = ["has_motion", "moves", "closes_port", "has_category_state", "forecast_updates_to", "sings", "has_motions"]
_NAMES = ["Irma", "west", "Port Arthur", "Category 2", "T-48"]


@st.composite
def facts(draw):
    kinds = draw(st.lists(st.sampled_from(sorted(CYCLONES.entity_types)), min_size=2, max_size=4, unique=True))
    entities = [
        Entity(
            name=draw(st.sampled_from(_NAMES)),
            type=kind,
            qualifier=draw(st.sampled_from(["", "a b"])),
            side=draw(st.sampled_from([None, "from", "to"])),
        )
        for kind in kinds
    ]
    speed = draw(st.sampled_from(["west", 3, {"value": 12.0, "unit": "mph", "text": "12 mph"}]))
    port = draw(st.sampled_from(["Miami", "Port Arthur"]))
    return Fact(
        entities=entities,
        relation=draw(st.sampled_from(_RELATIONS)),
        description=draw(st.sampled_from(["Irma moves west.", "Port Arthur waits."])),
        attributes={"speed": speed, "category": draw(st.sampled_from(["Category 1", "Category 3"]))},
        index=draw(st.sampled_from([60, 48, 36, None])),
        to_index=draw(st.sampled_from([36, 24, None])),
        scope={"storm": "IRMA", "port": port},
        group=f"IRMA/{port}",
        document=draw(st.sampled_from(["d", "e"])),
        confidence=draw(st.sampled_from([0.5, 1.0])),
    )


@pytest.mark.slow
@settings(max_examples=30)
@given(st.lists(facts(), max_size=6))
def test_cleaning_twice_is_cleaning_once(found):
    once, _ = postprocess(to_hypergraph(found, CYCLONES), CYCLONES)
    twice, _ = postprocess(once, CYCLONES)
    assert twice.equals(once)
    assert once.edges.index.is_unique and len(once.edges) >= 0
    frame = once.incidences
    anchors = frame[frame["type"] == "horizon_time"].groupby("edge", observed=False)["node"].nunique()
    placed = once.edges["horizon"].notna().to_numpy()
    assert (anchors.to_numpy()[~placed] <= 1).all() and (anchors.to_numpy()[placed] >= 1).all()
    assert set(contradictions(once, CYCLONES).columns) == {"group", "index", "relation", "attribute", "edges", "values"}


@pytest.mark.parametrize(
    "step", [normalise_relations, canonicalise_ids, inject_anchors, synthesise_changes, deduplicate]
)
def test_each_step_alone_is_idempotent(step):
    H = built(
        (48, "Irma moves west at 12 mph. Irma is classed as Category 1."), (36, "Irma moves west at 9 mph.")
    ).hypergraph
    once, report = step(H, CYCLONES)
    assert isinstance(report, pd.DataFrame) and step(once, CYCLONES)[0].equals(once)
