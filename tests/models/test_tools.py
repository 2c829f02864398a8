"""Chat models that call functions: what is offered, what is validated, and how it ends."""

from __future__ import annotations

import json
import os

import pytest
from pydantic import BaseModel, ConfigDict, Field

from hgwork.models import Budget, Chat, ChatError, Tool
from tests.answer.scripted import calling
from tests.chat_server import ChatServer, Wire, said


class Numbers(BaseModel):
    model_config = ConfigDict(extra="forbid")
    values: list[int] = Field(max_length=3)


class Total(BaseModel):
    total: int


def add(given: Numbers) -> str:
    if not given.values:
        raise ValueError("nothing to add")
    return str(sum(given.values))


ADD = Tool("add", "Add up numbers.", Numbers, add)


@pytest.fixture(autouse=True)
def _unset(monkeypatch):
    for name in [n for n in os.environ if n.startswith(("HGWORK_CHAT", "OPENAI_"))]:
        monkeypatch.delenv(name)


def chat_to(server, **settings):
    async def sleep(_):
        pass

    return Chat(**{"url": server.url, "model": "m", "sleep": sleep, **settings})


def test_a_call_is_carried_out_and_its_result_leads_to_the_typed_answer():
    with ChatServer(script=[calling(("add", {"values": [2, 3]})), '{"total": 5}']) as server:
        seen = []
        total = chat_to(server).ask_with_tools("2 + 3?", [ADD], Total, "You add.", observe=seen.append)
    assert total == Total(total=5)
    assert [(c.round, c.name, c.arguments, c.result, c.fault) for c in seen] == [
        (1, "add", {"values": [2, 3]}, "5", None)
    ]
    first, second = server.requests
    (offered,) = first["tools"]
    assert offered["function"]["name"] == "add" and offered["function"]["parameters"]["required"] == ["values"]
    assert "response_format" not in first and '"total"' in first["messages"][0]["content"]
    call, result = second["messages"][-2:]
    assert call["tool_calls"][0]["id"] == result["tool_call_id"] and result == {
        **result,
        "role": "tool",
        "content": "5",
    }


def test_several_calls_of_one_answer_are_told_apart_though_the_server_gives_them_one_id():
    body = calling(("add", {"values": [1]}), ("add", {"values": [2]}))
    for call in body["choices"][0]["message"]["tool_calls"]:
        call["id"] = ""
    with ChatServer(script=[body, "done"]) as server:
        assert chat_to(server).ask_with_tools("?", [ADD]) == "done"
    messages = server.requests[1]["messages"]
    ids = [message["tool_call_id"] for message in messages if message["role"] == "tool"]
    assert len(set(ids)) == 2 and all(len(i) == 9 and i.isalnum() for i in ids)


@pytest.mark.parametrize(
    ("name", "arguments", "fault"),
    [
        ("multiply", {"values": [1]}, "no tool is named 'multiply'. Tools: add."),
        ("add", '{"values": [1', "not JSON"),
        ("add", "[1, 2]", "a JSON list"),
        ("add", {"values": ["one"]}, "values.0"),
        ("add", {"values": [1, 2, 3, 4]}, "at most 3"),
        ("add", {"values": [1], "file": "/etc/passwd"}, "Extra inputs are not permitted"),
        ("add", {}, "Field required"),
        ("add", "", "Field required"),
        ("add", {"values": []}, "nothing to add"),
        ("add", "[" * 100_000, "not JSON"),
    ],
)
def test_a_bad_call_is_answered_with_what_is_wrong_and_the_model_may_go_on(name, arguments, fault):
    with ChatServer(script=[calling((name, arguments)), "sorry"]) as server:
        seen = []
        assert chat_to(server).ask_with_tools("?", [ADD], observe=seen.append) == "sorry"
    assert fault in seen[0].fault and said(server.requests[1]) == f"error: {seen[0].fault}"


def test_a_fault_of_the_tool_itself_is_not_hidden():
    broken = Tool("add", "Add.", Numbers, lambda given: 1 / 0)
    with ChatServer(script=[calling(("add", {"values": [1]}))]) as server, pytest.raises(ZeroDivisionError):
        chat_to(server).ask_with_tools("?", [broken])


def test_a_model_that_calls_for_ever_is_told_and_then_left():
    with ChatServer(lambda r: calling(("add", {"values": [1]}))) as server:
        seen = []
        with pytest.raises(ChatError) as caught:
            chat_to(server).ask_with_tools("?", [ADD], max_rounds=3, observe=seen.append)
    assert caught.value.kind == "rounds"
    assert (
        len(server.requests) == 4 and len(seen) == 3
    )  # three rounds of calls, and one more answer that had to be text
    assert said(server.requests[3]).startswith("No call of a tool is left")
    assert not said(server.requests[2]).startswith("No call")


def test_an_answer_in_the_last_round_counts():
    with ChatServer(script=[calling(("add", {"values": [1]})), '{"total": 1}']) as server:
        assert chat_to(server).ask_with_tools("?", [ADD], Total, max_rounds=1).total == 1


def test_an_answer_that_does_not_fit_is_repaired_without_further_calls():
    with ChatServer(script=["five", '{"total": 5}']) as server:
        assert chat_to(server).ask_with_tools("?", [ADD], Total).total == 5
    assert server.requests[1]["tool_choice"] == "none" and "response_format" in server.requests[1]
    script = ["five", calling(("add", {"values": [1]}))]
    with ChatServer(script=script) as server, pytest.raises(ChatError) as caught:
        chat_to(server, max_retries=0).ask_with_tools("?", [ADD], Total)
    assert caught.value.kind == "empty"


def test_results_that_do_not_fit_the_context_are_left_out_and_a_question_that_does_not_is_not_sent():
    long = Tool("add", "Add.", Numbers, lambda given: "x" * 10_000)
    with ChatServer(script=[calling(("add", {"values": [1]})), "done"]) as server:
        seen = []
        assert chat_to(server).ask_with_tools("?", [long], context=2_000, observe=seen.append) == "done"
        assert seen[0].fault == "context" and "2,000 tokens" in said(server.requests[1])
        with pytest.raises(ChatError) as caught:
            chat_to(server).ask_with_tools("x" * 10_000, [ADD], context=2_000)
    assert caught.value.kind == "context" and len(server.requests) == 2


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "too long", "code": "context_length_exceeded"}},
        {"error": {"message": "This model's maximum context length is 4096 tokens, however you requested 9000"}},
        {"error": {"message": "the request exceeds the available context size. try increasing it"}},
    ],
)
def test_a_server_whose_context_overflows_says_so(body):
    with ChatServer(lambda r: Wire(body, 400)) as server, pytest.raises(ChatError) as caught:
        chat_to(server).ask("hello")
    assert caught.value.kind == "context" and len(server.requests) == 1


def test_calls_are_kept_on_disk_and_replayed_with_the_tools_run_again(tmp_path):
    script = [calling(("add", {"values": [2, 3]})), "5"]
    with ChatServer(script=script) as server:
        kept = {"cache": tmp_path / "cache", "record": tmp_path / "r.jsonl"}
        assert chat_to(server, **kept).ask_with_tools("?", [ADD]) == "5"
        again = chat_to(server, **kept)
        assert again.ask_with_tools("?", [ADD]) == "5" and again.usage["cache_hits"].item() == 2
        assert len(server.requests) == 2
    seen = []
    assert Chat(replay=tmp_path / "r.jsonl").ask_with_tools("?", [ADD], observe=seen.append) == "5"
    assert seen[0].result == "5"
    lines = (tmp_path / "r.jsonl").read_text().splitlines()
    assert [bool(json.loads(line).get("calls")) for line in lines] == [True, False]


def test_the_budget_holds_within_one_question():
    with ChatServer(lambda r: calling(("add", {"values": [1]}))) as server:
        chat = chat_to(server, budget=Budget(requests=2))
        seen = []
        with pytest.raises(ChatError) as caught:
            chat.ask_with_tools("?", [ADD], observe=seen.append)
    assert caught.value.kind == "budget" and len(seen) == 2 and len(server.requests) == 2


def test_a_fault_of_the_server_between_calls_is_retried_and_the_calls_are_not_made_again():
    with ChatServer(script=[calling(("add", {"values": [4]})), Wire("oops", 500), "4"]) as server:
        seen = []
        assert chat_to(server).ask_with_tools("?", [ADD], observe=seen.append) == "4"
    assert len(seen) == 1 and len(server.requests) == 3


def test_names_are_unique_and_there_is_a_round():
    for tools, rounds in (([ADD, ADD], 1), ([ADD], 0)):
        with pytest.raises(ValueError, match="at least 1 round, each name once"):
            Chat(url="http://localhost:1/v1", model="m").ask_with_tools("?", tools, max_rounds=rounds)
