"""Extraction by a chat model, block by block and whole, against a server on this machine."""

import importlib.util
import json

import pytest

from hgwork import Document
from hgwork.models.chat import Chat
from hgwork.order import build, coverage, extract, load_domain
from tests.chat_server import ChatServer, Wire, said

pytestmark = pytest.mark.skipif(importlib.util.find_spec("openai") is None, reason="needs openai")

MOTION, CLASS = "Irma moves west at 12 mph.", "Irma is classed as Category 2."
TEXT = f"Irma (2017) and Miami\n\nT-48:\n{MOTION}\n\nT-36:\n{CLASS}\n"
DOCUMENT = Document(id="d", text=TEXT)


def entity(name, kind, side="none"):
    return {"name": name, "type": kind, "explanation": "x", "confidence": 0.9, "side": side}


def record(text, relation, *entities, index=None, to=None, attributes=()):
    found = {"relation": relation, "description": text, "entities": list(entities), "attributes": list(attributes)}
    return found | {"confidence": 0.9, "index": index, "to_index": to}


def motion(index=None):
    speed = {"name": "speed", "value": "12", "unit": "mph"}
    return record(
        MOTION, "moves", entity("Irma", "cyclone"), entity("west", "motion_state"), index=index, attributes=[speed]
    )


def category(index=None):
    return record(CLASS, "classified_as", entity("Irma", "cyclone"), entity("Category 2", "cyclone_state"), index=index)


def answers(request):
    text, found = said(request), []
    whole = "T-48" in text
    if MOTION in text:
        found.append(motion(48 if whole else None))
    if CLASS in text:
        found.append(category(36 if whole else None))
    return json.dumps({"facts": found})


def asked(answer, method="chat", **settings):
    with ChatServer(answer) as server:
        chat = Chat(url=server.url, model="m", max_retries=0, **settings)
        return extract([DOCUMENT], "cyclones", method, chat, progress=False), server


@pytest.mark.parametrize(("method", "calls"), [("chat", 2), ("chat_whole", 1)])
def test_facts_stand_at_their_place_with_their_evidence(method, calls):
    found, server = asked(answers, method)
    assert len(server.requests) == calls
    assert [(f.index, f.relation, f.description, f.origin) for f in found.facts] == [
        (48, "moves", MOTION, "model"),
        (36, "classified_as", CLASS, "model"),
    ]
    assert all(TEXT[f.start : f.end] == f.description for f in found.facts)
    assert found.facts[0].attributes["speed"] == {"value": 12.0, "unit": "mph", "text": "12 mph"}
    assert found.facts[0].group == "IRMA/Miami"


def test_the_schema_is_strict_and_the_prompt_holds_the_vocabulary():
    _, server = asked(answers)
    form = server.requests[0]["response_format"]["json_schema"]
    item = form["schema"]["properties"]["facts"]["items"]
    assert form["strict"] and item["additionalProperties"] is False
    assert item["properties"]["entities"]["items"]["additionalProperties"] is False and "$ref" not in json.dumps(item)
    prompt = server.requests[0]["messages"][0]["content"]
    domain = load_domain("cyclones")
    assert all(name in prompt for name in [*domain.relations, "motion_state"]) and "horizon_time" not in prompt


def test_labels_of_the_model_are_normalised_like_all_others():
    with ChatServer(answers) as server:
        chat = Chat(url=server.url, model="m")
        H = build([DOCUMENT], "cyclones", "chat", chat, progress=False).hypergraph
    assert H.edges["relation"].tolist() == ["has_motion", "has_category_state"]
    assert H.members(H.edges.index[0]) == ["cyclone:IRMA", "motion:IRMA:T-48", "horizon:T-48"]


def test_what_does_not_fit_is_set_aside_and_the_rest_kept():
    bad = [
        record(MOTION, "moves", entity("Irma", "cyclone"), entity("Irma", "cyclone")),
        record(MOTION, "moves", entity("Irma", "cyclone"), entity("west", "colour")),
        record("Jose turns back to sea.", "moves", entity("Jose", "cyclone"), entity("sea", "place")),
        {"relation": "moves"},
        "moves",
    ]
    found, _ = asked(lambda r: json.dumps({"facts": [*bad, motion()] if MOTION in said(r) else []}))
    assert [f.relation for f in found.facts] == ["moves"]
    details = found.problems.query("problem == 'set aside'")["detail"].tolist()
    assert len(details) == 5
    parts = ["fewer than two", "'colour'", "does not stand", "description: Field required", "valid dictionary"]
    assert [part for part, detail in zip(parts, details, strict=True) if part not in detail] == []


def test_a_quotation_from_another_horizon_is_set_aside():
    found, _ = asked(lambda r: json.dumps({"facts": [motion(36), motion(60)]}), "chat_whole")
    details = found.problems["detail"].tolist()
    assert not found.facts and "does not stand in its block" in details[0] and "no block stands at 60" in details[1]


def test_a_block_without_an_answer_is_reported():
    found, _ = asked(lambda r: Wire("no", 400) if MOTION in said(r) else answers(r))
    assert [f.index for f in found.facts] == [36]
    assert found.problems.query("problem == 'no answer'")["place"].tolist() == ["T-48"]


def test_coverage_sets_both_ways_side_by_side():
    one, _ = asked(answers)
    two, _ = asked(lambda r: json.dumps({"facts": [motion(48)]}), "chat_whole")  # a model that stops early
    table = coverage({"by block": one, "whole": two}, "cyclones")
    assert table["facts"].tolist() == [2, 1] and table["places"].tolist() == [2, 1] and table["of"].tolist() == [2, 2]
    assert table["entities"].tolist() == [4, 2] and table["attributes"].tolist() == [1, 1]
    assert table["grounded"].tolist() == [1, 1] and table["families"].tolist() == [1, 1]


def test_a_chat_method_needs_a_chat():
    with pytest.raises(ValueError, match="needs chat="):
        extract([DOCUMENT], "cyclones", "chat")
