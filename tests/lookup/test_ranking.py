"""BM25 against its formula, dense against cosines, fusion by hand."""

import math
import re
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgwork.lookup import Ranker, fuse, rank

PASSAGES = {
    "silk": "Silk fibroin is spun into fibres. Fibres of silk are strong.",
    "cells": "Cells adhere to fibres coated with collagen.",
    "glass": "Bioactive glass dissolves slowly.",
    "empty": "",
}


def bm25(query, passages, k1=1.2, b=0.75):
    """Straight from the formula, over words that are already folded."""
    words = {key: text.split() for key, text in passages.items()}
    mean = sum(map(len, words.values())) / len(words)
    total = dict.fromkeys(passages, 0.0)
    for term in set(query.split()):
        n = sum(term in held for held in words.values())
        idf = math.log(1 + (len(words) - n + 0.5) / (n + 0.5))
        for key, held in words.items():
            f = Counter(held)[term]
            total[key] += idf * f / (f + k1 * (1 - b + b * len(held) / mean)) if f else 0
    return total


class Fixed:
    """Vectors given by hand."""

    signature = "fixed"

    def __init__(self, vectors):
        self.held = vectors

    def encode(self, texts, progress=False):
        rows = np.array([self.held[text] for text in texts], np.float32).reshape(len(texts), -1)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


LETTERS = st.lists(st.sampled_from(["ka", "lo", "mi", "nu"]), max_size=8).map(" ".join)


@given(st.lists(LETTERS, min_size=1, max_size=6).filter(any), LETTERS)
def test_bm25_is_the_formula(texts, query):
    passages = {f"p{i}": text for i, text in enumerate(texts)}
    found = rank(query, passages).set_index("id")["score"]
    for key, score in bm25(query, passages).items():
        assert found[key] == pytest.approx(score, abs=1e-9)


def test_plurals_and_case_are_folded_and_stop_words_left_out():
    found = rank("The FIBRE of Silks", PASSAGES)
    assert found["id"].tolist() == ["silk", "cells", "empty", "glass"]
    assert (found["score"].iloc[2:] == 0).all()
    assert (rank("of the and", PASSAGES)["score"] == 0).all()


def test_equal_scores_come_by_id_as_text():
    passages = {10: "silk", 9: "silk", "a": "glass", "B": "glass"}
    assert rank("silk", passages)["id"].tolist() == [10, 9, "B", "a"]


def test_dense_is_the_cosine_and_fusion_adds_reciprocal_ranks():
    texts = pd.DataFrame({"id": ["x", "y", "z"], "text": ["silk", "silk silk wool", "wool"]})
    held = Fixed({"silk": [1, 0], "silk silk wool": [1, 1], "wool": [0, 1], "query silk": [0.6, 0.8]})
    ranker = Ranker(texts, embedder=held)
    dense = ranker.rank("query silk", "dense")
    # cosines with (.6, .8): x .6, y 1.4 / sqrt 2, z .8
    assert dense["id"].tolist() == ["y", "z", "x"]
    assert dense["score"].tolist() == pytest.approx([1.4 / math.sqrt(2), 0.8, 0.6], abs=1e-6)
    fused = ranker.rank("query silk", "fused").set_index("id")
    # BM25: x before y, z shares no word and has no rank
    assert fused["score"].to_dict() == pytest.approx({"x": 1 / 61 + 1 / 63, "y": 1 / 62 + 1 / 61, "z": 1 / 62})
    assert fused.index.tolist() == ["y", "x", "z"] and set(fused.columns) == {"score", "bm25", "dense"}


def test_the_packaged_vectors_find_meaning_without_a_shared_word():
    found = rank(
        "How does a polymer lose its strength?", PASSAGES | {"plastic": "Plastics weaken as they age."}, "dense"
    )
    assert found["id"].iloc[0] == "plastic"


def test_k_cuts_and_infinite_ranks_add_nothing():
    assert len(rank("silk", PASSAGES, k=2)) == 2
    assert fuse([np.array([np.inf, 1.0])]).tolist() == [0, 1 / 61]


@pytest.mark.parametrize("passages", [{}, {"a": "", "b": "…"}, {"a": "the of"}])
def test_nothing_to_find_is_an_empty_answer_not_an_error(passages):
    found = rank("silk", passages)
    assert len(found) == len(passages) and (found["score"] == 0).all()


def test_other_scripts_are_words_too():
    passages = {"zh": "生物材料 的 支架", "ru": "Коллаген в тканях", "de": "Größe der Poren"}
    assert rank("支架", passages)["id"].iloc[0] == "zh"
    assert rank("коллаген", passages)["id"].iloc[0] == "ru"
    assert rank("GRÖSSE", passages)["id"].iloc[0] == "de"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rank("x", PASSAGES, "tfidf"), "method='tfidf' is unknown"),
        (lambda: rank("x", PASSAGES, k=0), "k=0: ask for at least 1"),
        (lambda: rank("x", pd.Series(["a", "b"], ["i", "i"])), "passage 'i' stands twice"),
        (lambda: rank("x", {"a": None}), "passage 'a' holds NoneType, not text"),
        (lambda: rank("x", pd.DataFrame({"text": ["a"]})), "no column id"),
        (lambda: rank("x", PASSAGES, b=2), re.escape("b lies in [0, 1]")),
        (lambda: rank("x", PASSAGES, constant=-1), "constant=-1"),
        (lambda: rank("x", PASSAGES, k1=float("nan")), "k1=nan"),
    ],
)
def test_bad_input_says_what_is_wrong(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_list_of_texts_has_no_ids():
    with pytest.raises(TypeError, match="pass a mapping of id to text"):
        rank("x", ["a", "b"])


def test_scripts_without_blanks_are_ranked_by_pairs_of_characters():
    passages = {"apart": "物生料材", "together": "生物材料の足場", "thai": "วัสดุชีวภาพ", "korean": "생체재료는 좋다"}
    found = rank("生物材料", passages)
    assert found["id"].tolist()[:2] == ["together", "apart"] and found["score"].tolist()[2:] == [0, 0]
    assert rank("วัสดุ", passages)["id"].iloc[0] == "thai" and rank("재료", passages)["id"].iloc[0] == "korean"


def test_the_constant_of_fusion_is_stated_and_can_be_set():
    held = Fixed({"silk": [1, 0], "wool": [-1, 0], "q silk": [1, 0]})
    # silk is first twice; wool, opposite in meaning and without the word, second once
    found = rank("q silk", {"a": "silk", "b": "wool"}, "fused", embedder=held, constant=1)
    assert found["score"].tolist() == pytest.approx([1 / 2 + 1 / 2, 1 / 3])
    assert found["dense"].tolist() == [1, -1]


def test_a_prepared_ranker_answers_as_one_made_anew():
    ranker = Ranker(PASSAGES)
    for query in ("silk fibres", "glass", "nothing here"):
        pd.testing.assert_frame_equal(ranker.rank(query), rank(query, pd.Series(PASSAGES)))


def test_vectors_come_from_the_cache_of_the_embedder(tmp_path):
    from hgwork.models import embedder

    first = Ranker(PASSAGES, embedder=embedder(cache=tmp_path), progress=False).rank("strong fibre", "dense")
    again = embedder(cache=tmp_path)
    again._compute = lambda texts: pytest.fail(f"computed again: {texts}")
    assert Ranker(PASSAGES, embedder=again, progress=False).rank("strong fibre", "dense").equals(first)
