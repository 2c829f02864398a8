"""The chat client against a real local server that answers, and misbehaves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from email.utils import formatdate

import pytest
from pydantic import BaseModel, Field

from hgwork.models.chat import Budget, Chat, ChatError
from hgwork.models.structured import parse
from tests.chat_server import ChatServer, Wire, completion, said

KEY = "sk-very-secret-key"


class Bell(BaseModel):
    name: str
    weight: int = Field(ge=1)


BELL = '{"name": "Oom", "weight": 3}'


@pytest.fixture(autouse=True)
def _unset(monkeypatch):
    for name in [n for n in os.environ if n.startswith(("HGWORK_CHAT", "OPENAI_"))]:
        monkeypatch.delenv(name)


@pytest.fixture
def waits():
    return []


@pytest.fixture
def chat_to(waits):
    async def sleep(seconds):
        waits.append(seconds)

    def make(server, **settings):
        return Chat(**{"url": server.url, "model": "m", "key": KEY, "sleep": sleep, **settings})

    return make


def failure_of(chat, prompt="hello", output=None):
    with pytest.raises(ChatError) as caught:
        chat.ask(prompt, output)
    return caught.value


# ---------------------------------------------------------------- asking


def test_an_answer_is_text_or_the_asked_model(chat_to):
    with ChatServer(lambda r: BELL if "response_format" in r else "ding") as server:
        chat = chat_to(server)
        assert chat.ask("ring", system="You are a bell.") == "ding"
        assert chat.ask("which?", Bell) == Bell(name="Oom", weight=3)
    assert [m["role"] for m in server.requests[0]["messages"]] == ["system", "user"]
    sent = server.requests[1]["response_format"]["json_schema"]
    assert sent["strict"] and sent["schema"]["additionalProperties"] is False
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    usage = chat.usage.loc["m"]
    assert (usage["requests"], usage["prompt_tokens"], usage["completion_tokens"]) == (2, 20, 10)


def test_settings_come_from_the_environment_and_nothing_is_contacted_without_them(monkeypatch, tmp_path):
    assert not Chat().available
    assert failure_of(Chat()).kind == "unset"
    with ChatServer() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-someone-elses")
        assert failure_of(Chat(model="m")).kind == "unset"
        assert not server.requests
        monkeypatch.setenv("HGWORK_CHAT_URL", server.url)
        monkeypatch.setenv("HGWORK_CHAT_MODEL", "tiny")
        monkeypatch.setenv("OPENAI_ORG_ID", "their-org")
        assert Chat().ask("hello") == "hello"
    assert server.requests[0]["model"] == "tiny"
    assert "sk-someone-elses" not in str(server.headers) and "their-org" not in str(server.headers)
    with pytest.raises(ValueError, match="http"):
        Chat(url="localhost:80", model="m")


def test_answers_keep_the_order_of_the_questions_and_equal_ones_are_asked_once(chat_to):
    with ChatServer(lambda r: Wire(completion(said(r)), seconds=0.05 if said(r) == "a" else 0)) as server:
        answers = chat_to(server).ask_many(["a", "b", "a"], ids=["x", "y", "z"])
    assert [(a.id, a.value) for a in answers] == [("x", "a"), ("y", "b"), ("z", "a")]
    assert len(server.requests) == 2


def test_no_more_requests_at_once_than_allowed(chat_to):
    with ChatServer(lambda r: Wire(completion("ok"), seconds=0.05)) as server:
        chat_to(server, concurrency=3).ask_many([str(i) for i in range(12)])
    assert 2 <= server.busiest <= 3


def test_it_works_where_an_event_loop_runs_already_as_in_a_notebook(chat_to):
    import asyncio

    async def cell():
        with ChatServer() as server:
            return chat_to(server).ask("hello")

    assert asyncio.run(cell()) == "hello"


def test_images_go_out_as_parts_and_weigh_little_on_the_budget(chat_to):
    parts = [{"type": "text", "text": "see"}, {"type": "image_url", "image_url": {"url": "data:," + "x" * 10**6}}]
    with ChatServer() as server:
        answer = chat_to(server, budget=Budget(tokens=9_000)).ask([{"role": "user", "content": parts}])
    assert answer == "see "
    assert server.requests[0]["messages"][0]["content"] == parts


# ---------------------------------------------------------------- typed answers from servers that ignore the schema


@pytest.mark.parametrize(
    "text",
    [
        BELL,
        f"Sure!\n```json\n{BELL}\n```\nAnything else?",
        f'<think>a bell {{maybe}} {{"name": 1}}</think>{BELL}',
        f'It is {{"name": "no weight"}} or rather {BELL}.',
        "```\n" + BELL + "\n```",
    ],
)
def test_json_is_found_in_prose_fences_and_thought(text):
    assert parse(text, Bell) == Bell(name="Oom", weight=3)


def test_an_answer_that_does_not_fit_is_repaired_once(chat_to):
    with ChatServer(script=['{"name": "Oom", "weight": 0}', BELL]) as server:
        chat = chat_to(server)
        assert chat.ask("which?", Bell).weight == 3
    assert chat.usage["repairs"].item() == 1
    assert server.requests[1]["messages"][1] == {"role": "assistant", "content": '{"name": "Oom", "weight": 0}'}
    assert "weight: Input should be greater than or equal to 1" in said(server.requests[1])


@pytest.mark.parametrize("text", ["no json at all", '{"name": "Oom"', '{"title": "wrong schema"}', "[" * 5_000])
def test_a_second_bad_answer_is_a_failure_that_names_the_fault(chat_to, text, tmp_path):
    with ChatServer(lambda r: text) as server:
        chat = chat_to(server, cache=tmp_path)
        error = failure_of(chat, output=Bell)
        assert error.kind == "invalid" and "after one repair" in error.message
        assert len(server.requests) == 2
        assert not list(tmp_path.rglob("*.json"))
    assert chat.failures["kind"].tolist() == ["invalid"]


def test_a_server_that_rejects_optional_fields_is_asked_without_them(chat_to):
    def answer(request):
        for name in ("response_format", "temperature", "max_tokens"):
            if name in request:
                return Wire({"error": {"message": f"Unsupported parameter: {name}"}}, 400)
        return BELL

    with ChatServer(answer) as server:
        chat = chat_to(server, max_tokens=50)
        assert chat.ask("which?", Bell).name == "Oom"
        assert chat.ask("again?", Bell).name == "Oom"
    assert len(server.requests) == 5
    assert '"weight"' in said(server.requests[-1]) and server.requests[-1]["max_completion_tokens"] == 50


# ---------------------------------------------------------------- misbehaviour


def test_passing_faults_are_retried_with_growing_waits(chat_to, waits):
    with ChatServer(script=[Wire("oops", 500), Wire("oops", 503), Wire("oops", 502)]) as server:
        chat = chat_to(server)
        assert chat.ask("hello") == "hello"
    assert [0.5 * 2**n <= wait <= 2**n for n, wait in enumerate(waits)] == [True] * 3
    assert chat.usage[["requests", "retries"]].values.tolist() == [[4, 3]]
    first = list(waits)
    with ChatServer(script=[Wire("oops", 500)] * 3) as server:
        chat_to(server).ask("hello")
    assert waits[3:] == first  # seeded


def test_retry_after_is_honoured_in_seconds_and_as_a_date_but_capped(chat_to, waits):
    for header in ("7", formatdate(time.time() + 30, usegmt=True), "86400", "nonsense"):
        with ChatServer(script=[Wire({"error": {"message": "slow down"}}, 429, {"Retry-After": header})]) as server:
            assert chat_to(server, max_wait=40).ask("hello") == "hello"
    assert waits[0] == 7 and 25 < waits[1] <= 30 and waits[2] == 40 and waits[3] <= 1


def test_a_lasting_fault_is_given_up_after_the_last_retry(chat_to, waits):
    with ChatServer(lambda r: Wire("oops", 500)) as server:
        error = failure_of(chat_to(server, max_retries=2))
    assert error.kind == "server" and "after 3 attempts" in error.message
    assert len(server.requests) == 3 and len(waits) == 2


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Wire(completion("x" * 500), cut=True), "broken"),
        (Wire('{"choices": [{"mess'), "broken"),
        (Wire("<html>a proxy</html>", headers={"Content-Type": "text/html"}), "broken"),
        (Wire("[1, 2]"), "broken"),
        (Wire('{"choices": [{"message": null}]}'), "empty"),
        (Wire({"choices": []}), "empty"),
        (completion(""), "empty"),
        (completion(None), "empty"),
        (Wire("slow down", 429), "rate limit"),
    ],
)
def test_broken_and_empty_answers_are_retried_then_listed(chat_to, reply, kind):
    with ChatServer(lambda r: reply) as server:
        assert failure_of(chat_to(server, max_retries=1)).kind == kind
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (completion(None, refusal="I would rather not."), "refusal"),
        (completion("half an ans", finish="content_filter"), "refusal"),
        (completion("half an ans", finish="length"), "length"),
        (Wire({"error": {"message": "no such model"}}, 404), "rejected"),
        (Wire({"error": {"message": "pay", "code": "insufficient_quota"}}, 429), "quota"),
    ],
)
def test_lasting_faults_are_not_retried(chat_to, waits, reply, kind):
    with ChatServer(lambda r: reply) as server:
        assert failure_of(chat_to(server)).kind == kind
    assert len(server.requests) == 1 and not waits


def test_a_refused_key_ends_the_run_with_a_message_that_does_not_show_it(chat_to):
    said_back = {"error": {"message": f"Incorrect API key provided: {KEY}"}}
    with ChatServer(lambda r: Wire(said_back, 401)) as server:
        chat = chat_to(server, concurrency=1)
        answers = chat.ask_many(["a", "b", "c"])
    assert len(server.requests) == 1
    assert {a.kind for a in answers} == {"auth"} and "HGWORK_CHAT_KEY" in answers[0].message
    assert KEY not in chat.failures.to_string() + repr(chat) + repr(answers) + repr(vars(chat))


@pytest.mark.parametrize("wire", [Wire(completion("late"), seconds=5), Wire(completion("x" * 2_000), drip=True)])
def test_a_server_that_hangs_or_drips_is_left_after_the_timeout(chat_to, wire):
    with ChatServer(lambda r: wire) as server:
        start = time.monotonic()
        error = failure_of(chat_to(server, timeout=0.3, max_retries=1))
    assert error.kind == "timeout" and time.monotonic() - start < 3


def test_a_server_that_is_not_there_ends_the_run(chat_to, waits):
    with ChatServer() as server:
        pass
    chat = chat_to(server, max_retries=1, concurrency=1)
    assert {a.kind for a in chat.ask_many(["a", "b", "c"])} == {"connection"}
    assert len(waits) == 1 and "cannot be reached" in chat.failures["message"][0]


def test_one_failure_does_not_touch_the_rest_and_goes_from_the_list_once_answered(chat_to):
    broken = {"b"}
    with ChatServer(lambda r: Wire("no", 400) if said(r) in broken else said(r)) as server:
        chat = chat_to(server)
        answers = chat.ask_many(["a", "b", "c"], ids=["x", "y", "z"])
        assert [a.ok for a in answers] == [True, False, True]
        assert chat.failures[["id", "kind", "input"]].values.tolist() == [["y", "rejected", "b"]]
        broken.clear()
        chat.ask_many(["b"], ids=["y"])
    assert chat.failures.empty


# ---------------------------------------------------------------- cache, recording, replay


def test_an_answer_is_held_after_a_restart_and_goes_by_model_prompt_schema_and_temperature(chat_to, tmp_path):
    with ChatServer(lambda r: BELL) as server:
        chat_to(server, cache=tmp_path).ask("which?", Bell)
        again = chat_to(server, cache=tmp_path)
        assert again.ask("which?", Bell) == Bell(name="Oom", weight=3)
        assert len(server.requests) == 1 and again.usage["cache_hits"].item() == 1
        chat_to(server, cache=tmp_path).ask("which?")
        chat_to(server, cache=tmp_path).ask("which?", Bell, system="s")
        chat_to(server, cache=tmp_path, model="n").ask("which?", Bell)
        chat_to(server, cache=tmp_path, temperature=1).ask("which?", Bell)
        chat_to(server, cache=tmp_path, options={"seed": 1}).ask("which?", Bell)
        assert len(server.requests) == 6 and server.requests[-1]["seed"] == 1
    assert Chat(model="m", cache=tmp_path).ask("which?", Bell).name == "Oom"  # no endpoint needed
    assert not any(KEY in file.read_text() for file in tmp_path.rglob("*.json"))


def test_a_damaged_cache_file_is_no_answer(chat_to, tmp_path):
    with ChatServer() as server:
        chat_to(server, cache=tmp_path).ask("hello")
        (file,) = tmp_path.rglob("*.json")
        for damage in ('{"answer": "hel', "[]", '{"answer": null}', "\x00"):
            file.write_text(damage)
            assert chat_to(server, cache=tmp_path).ask("hello") == "hello"
    assert json.loads(file.read_text())["answer"] == "hello"


def test_two_processes_share_one_cache_and_recording(tmp_path):
    code = """if True:
        import sys
        from hgwork.models.chat import Chat
        chat = Chat(url=sys.argv[1], model="m", cache=sys.argv[2] + "/cache", record=sys.argv[2] + "/r.jsonl")
        answers = chat.ask_many([f"question {i}" for i in range(30)])
        assert [a.value for a in answers] == [f"question {i}" for i in range(30)], answers
    """
    with ChatServer() as server:
        command = [sys.executable, "-c", code, server.url, str(tmp_path)]
        running = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(2)]
        assert [(p.communicate(timeout=60)[1], p.returncode)[1] for p in running] == [0, 0]
    assert len(list((tmp_path / "cache").rglob("*.json"))) == 30
    assert not list((tmp_path / "cache").rglob("*.part"))
    answers = Chat(replay=tmp_path / "r.jsonl").ask_many([f"question {i}" for i in range(30)])
    assert all(a.ok and a.origin == "replay" for a in answers)


def test_a_process_killed_while_writing_leaves_whole_answers(tmp_path):
    code = """if True:
        import sys
        from hgwork.models.cache import AnswerFolder
        folder = AnswerFolder(sys.argv[1])
        print("on", flush=True)
        while True:
            folder.put("ab", {"answer": "x" * 200_000})
    """
    for _ in range(2):
        process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE)
        process.stdout.readline()
        time.sleep(0.1)
        process.kill()
        process.wait()
        process.stdout.close()
        record = json.loads((tmp_path / "ab" / "ab.json").read_text())
        assert record == {"answer": "x" * 200_000}


def test_a_recording_replays_without_network_and_a_miss_names_its_key(chat_to, tmp_path, monkeypatch):
    file = tmp_path / "answers.jsonl"
    with ChatServer(lambda r: BELL) as server:
        chat_to(server, record=file, cache=tmp_path).ask("which?", Bell)
        chat_to(server, record=file, cache=tmp_path).ask("which?", Bell)  # from the cache: not recorded twice
    assert len(file.read_text().splitlines()) == 1 and KEY not in file.read_text()
    file.write_text(file.read_text() + '{"key": "torn')
    monkeypatch.setattr("socket.socket.connect", lambda *_: pytest.fail("network"))
    with pytest.warns(UserWarning, match=r"answers\.jsonl, line 2"):
        chat = Chat(url=server.url, replay=file)
    assert chat.model == "m" and chat.ask("which?", Bell).name == "Oom"
    answer = chat.ask_many(["other"])[0]
    assert answer.kind == "replay" and chat.failures["id"][0] in answer.message
    with pytest.raises(FileNotFoundError, match="no such recording"):
        Chat(replay=tmp_path / "none.jsonl")


def test_a_recording_goes_on_after_a_torn_line(chat_to, tmp_path):
    file = tmp_path / "answers.jsonl"
    file.write_text('{"key": "torn')
    with ChatServer() as server, pytest.warns(UserWarning):
        chat_to(server, record=file).ask("hello")
    with pytest.warns(UserWarning):
        assert Chat(replay=file).ask("hello") == "hello"


# ---------------------------------------------------------------- budget


def test_the_request_budget_counts_retries_and_lists_the_rest(chat_to):
    with ChatServer(script=[Wire("oops", 500)]) as server:
        chat = chat_to(server, budget=Budget(requests=3), concurrency=1)
        answers = chat.ask_many(["a", "b", "c", "d"])
    assert [a.kind for a in answers] == ["ok", "ok", "budget", "budget"]
    assert len(server.requests) == 3 and "requests=3" in chat.failures["message"][0]


@pytest.mark.parametrize("concurrency", [1, 4])
def test_the_token_budget_stops_before_it_is_exceeded(chat_to, concurrency):
    with ChatServer() as server:  # 15 tokens each: three fit in 50
        chat = chat_to(server, budget=Budget(tokens=50), concurrency=concurrency)
        answers = chat.ask_many([f"question {i}" for i in range(8)])
    assert sum(a.ok for a in answers) == 3 and {a.kind for a in answers} == {"ok", "budget"}
    assert chat.usage[["prompt_tokens", "completion_tokens"]].sum(axis=1).item() == 45


def test_the_cost_budget_stops_before_it_is_exceeded(chat_to):
    prices = {"prompt": 1e6, "completion": 2e6}  # 10 + 2 * 5 = 20 a question
    with ChatServer() as server:
        chat = chat_to(server, budget=Budget(cost=50), prices=prices)
        assert sum(a.ok for a in chat.ask_many([f"question {i}" for i in range(8)])) == 2
    assert chat.usage["cost"].item() == 40
    with pytest.raises(ValueError, match="prices"):
        Chat(budget=Budget(cost=1))


def test_cached_answers_cost_nothing(chat_to, tmp_path):
    with ChatServer() as server:
        chat_to(server, cache=tmp_path).ask("hello")
        assert chat_to(server, cache=tmp_path, budget=Budget(requests=0, tokens=0)).ask("hello") == "hello"
        assert failure_of(chat_to(server, budget=Budget(tokens=0))).kind == "budget"
    assert len(server.requests) == 1


def test_with_max_tokens_an_answer_is_rated_by_the_longest_it_may_be(chat_to):
    with ChatServer() as server:  # 15 tokens each, but up to 30: the third might end at 60
        chat = chat_to(server, budget=Budget(tokens=50), max_tokens=20)
        assert sum(a.ok for a in chat.ask_many([f"question {i}" for i in range(8)])) == 2
    assert server.requests[-1]["max_tokens"] == 20


def test_tokens_are_estimated_where_the_server_tells_none(chat_to):
    with ChatServer(lambda r: completion("x" * 40, usage=None)) as server:
        chat = chat_to(server, budget=Budget(tokens=100))
        chat.ask_many(["y" * 40] * 1 + ["z" * 40])
    assert chat.usage[["prompt_tokens", "completion_tokens"]].values.tolist() == [[20, 20]]


def test_a_password_in_the_url_is_not_shown():
    chat = Chat(url="http://ann:hunter2@localhost:1/v1", model="m")
    assert repr(chat) == "Chat(url='http://localhost:1/v1', model='m')"
    assert "hunter2" not in repr(chat._sender)


def test_naming_the_client_does_not_import_openai():
    code = "import sys, hgwork, hgwork.models.chat; sys.exit('openai' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_an_interrupt_stops_what_is_under_way(chat_to):
    import signal
    import threading

    with ChatServer(lambda r: Wire(completion("ok"), seconds=0.2)) as server:
        chat = chat_to(server, concurrency=2)
        chat.ask("warm up")
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever the test runner set
        try:
            threading.Timer(0.1, os.kill, [os.getpid(), signal.SIGINT]).start()
            with pytest.raises(KeyboardInterrupt):
                chat.ask_many([str(i) for i in range(50)])
        finally:
            signal.signal(signal.SIGINT, before)
        sent = len(server.requests)
        assert chat.ask("and on") == "ok"
    assert sent < 10 and len(server.requests) == sent + 1
