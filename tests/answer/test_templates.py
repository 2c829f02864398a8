"""Answers without a language model: only what the path says, said well, for any path and for none."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgwork import Hypergraph
from hgwork.answer import ask
from hgwork.answer.templates import join
from tests.answer.scripted import exact_match


def chain(length, **more):
    """n0 – n1 – … with one event a step; the names are words that no other name holds."""
    names = ["aster", "basil", "cedar", "daisy", "elder", "fern", "gorse", "hazel", "iris"][: length + 1]
    events = [
        {"source": [a], "relation": "feeds", "target": [b], "evidence": f"{a.title()} feeds {b}.", "document": f"d{i}"}
        for i, (a, b) in enumerate(pairwise(names))
    ]
    return Hypergraph.from_events([event | more for event in events]), names


@pytest.mark.parametrize("length", [1, 2, 3, 5, 8])
def test_a_path_of_any_length_is_told_in_full_and_every_claim_is_supported(length):
    H, names = chain(length)
    result = ask(H, "?", nodes=[names[0], names[-1]])
    assert (result.report["verdict"] == "supported").all() and (result.claims["statements"].str.len() > 0).all()
    for a, b in pairwise(names):
        assert result.answer.count(f"{a.title()} feeds {b} [") == 1
    for bridge in names[1:-1]:
        assert f"“{bridge}”" in result.answer


def test_one_step_two_steps_and_three_read_as_they_should():
    H, names = chain(1)
    assert ask(H, "?", nodes=names).answer.split("\n\n")[1] == (
        "Aster feeds basil [1]. This one statement holds both “aster” and “basil” [1]."
    )
    H, _ = chain(2)
    assert ask(H, "?", nodes=["aster", "cedar"]).answer.split("\n\n")[1] == (
        "Aster feeds basil [1]. Basil feeds cedar [2]. "
        "“basil” is what both statements have in common, and so the bridge between “aster” and “cedar” [1, 2]. "
        "That link rests on a single concept and joins different documents, d0 and d1 [1, 2]."
    )
    H, _ = chain(3)
    text = ask(H, "?", nodes=["aster", "daisy"]).answer
    assert "runs through “basil” (statements 1 and 2) then “cedar” (statements 2 and 3) [1, 2, 3]." in text


def test_the_weakest_link_shares_fewest_nodes_then_crosses_documents():
    rows = [
        {"source": ["a"], "relation": "r", "target": ["x", "y"], "document": "d1"},
        {"source": ["x", "y"], "relation": "r", "target": ["p"], "document": "d1"},
        {"source": ["p"], "relation": "r", "target": ["q"], "document": "d1"},
        {"source": ["q"], "relation": "r", "target": ["b"], "document": "d2"},
    ]
    text = ask(Hypergraph.from_events(rows), "?", nodes=["a", "b"], k=1).answer
    # links share 2, 1 and 1 nodes; of the last two only the third leads to another document
    assert (
        "The weakest link, between statements 3 and 4, rests on “q” alone and joins different documents, d1 and d2"
        in text
    )


def test_a_sentence_that_holds_two_statements_is_quoted_once():
    rows = [
        {"source": ["a"], "relation": "r", "target": ["b"], "evidence": "A brings b, which brings c.", "document": "d"},
        {"source": ["b"], "relation": "r", "target": ["c"], "evidence": "A brings b, which brings c.", "document": "d"},
    ]
    text = ask(Hypergraph.from_events(rows), "?", nodes=["a", "c"]).answer
    assert text.count("A brings b, which brings c") == 1 and "brings c [1, 2]." in text
    assert "within one document, d" in text


def test_a_statement_on_two_paths_is_quoted_once_and_named_again():
    events = [("a", "x"), ("x", "b"), ("x", "y"), ("y", "b")]
    rows = [{"source": [s], "relation": "meets", "target": [t], "evidence": f"{s} meets {t} here."} for s, t in events]
    text = ask(Hypergraph.from_events(rows), "?", nodes=["a", "b"], k=2, distinct="edges").answer
    assert text.count("a meets x here [1]") + text.count("A meets x here [1]") == 1
    # the second path is a–x, x–y, x–b: before a–x, x–y, y–b by id
    assert "Statements 1 and 2 serve here as well [1, 2]." in text


def test_evidence_that_begins_with_a_pronoun_says_what_it_is_about_and_foreign_citations_go():
    rows = [{"source": ["PCL"], "relation": "melts at", "target": ["60 °C"], "evidence": "It melts at 60 °C [12, 13]."}]
    result = ask(Hypergraph.from_events(rows), "?", nodes=["PCL", "60 °C"])
    assert "On “PCL”: It melts at 60 °C [1]." in result.answer and "12" not in result.answer
    assert (result.report["verdict"] == "supported").all()


def test_without_evidence_sentences_the_statement_itself_is_told():
    H = Hypergraph.from_dict({"e": ["Ada", "Bo"], "f": ["Bo", "Cy"]})
    result = ask(H, "?", nodes=["Ada", "Cy"])
    assert "“Ada” and “Bo” stand together [1]." in result.answer
    assert (result.report["verdict"] == "supported").all()


def test_the_hypothesis_is_a_conjecture_with_grounds_and_a_test():
    H, _ = chain(2)
    (hypothesis,) = ask(H, "?", nodes=["aster", "cedar"]).hypotheses
    assert hypothesis.text == "“aster” bears on “cedar” by way of “basil”, although no statement says so as a whole."
    assert [claim.statements for claim in hypothesis.rationale] == [[1, 2]] and "“basil”" in hypothesis.test


def test_where_there_is_no_path_what_was_matched_and_what_is_near_is_told():
    H = Hypergraph.from_dict({"e": ["silk", "water"], "f": ["gold", "ore"]})
    result = ask(H, "How is silk related to gold?", match=exact_match)
    assert result.paths == [] and result.claims.empty and result.report.empty
    assert result.answer.startswith("No path of hyperedges that share one node joins “silk” and “gold”.")
    assert "Nearest to “silk” are “water”." not in result.answer  # one is not many
    assert "Nearest to “silk” is “water”." in result.answer


def test_a_weaker_condition_that_finds_a_path_is_offered():
    H = Hypergraph.from_dict({"e": ["silk", "water"], "f": ["water", "gold"]})
    text = ask(H, "silk and gold", match=exact_match, s=2).answer
    assert "share at least 2 nodes" in text and "With s = 1 a path of 2 hyperedges exists, through “water”." in text


def test_runners_up_are_named():
    def match(H, text):
        found = exact_match(H, "silk")
        rival = found.assign(node="water", rank=2, chosen=False)
        import pandas as pd

        return pd.concat([found, rival], ignore_index=True)

    H = Hypergraph.from_dict({"e": ["silk", "water"]})
    text = ask(H, "silk?", match=match).answer
    assert text.startswith("Only “silk” was recognised, and a path needs two concepts.")
    assert "“silk” was read as “silk”; the runner-up was “water”." in text


def test_a_question_about_nothing_known_says_so():
    text = ask(Hypergraph.from_dict({"e": ["silk", "water"]}), "unicorns?", match=exact_match).answer
    assert text == "No concept of the question was recognised in the hypergraph."


@settings(max_examples=15)
@given(st.integers(2, 6), st.integers(1, 3), st.integers(0, 10**6))
def test_no_sentence_comes_twice_and_all_are_supported(n, k, seed):
    import numpy as np

    rng = np.random.default_rng(seed)
    names = ["aster", "basil", "cedar", "daisy", "elder", "fern"][:n]
    rows = []
    for i in range(2 * n):
        a, b = (names[j] for j in rng.choice(n, 2, replace=False))
        rows.append(
            {
                "source": [a],
                "relation": "feeds",
                "target": [b],
                "evidence": f"{a.title()} feeds {b} in year {i}.",
                "document": f"d{i % 3}",
            }
        )
    H = Hypergraph.from_events(rows)
    known = list(H.nodes.index)
    result = ask(H, "?", nodes=known[:2], k=k)
    claims = [c for group in result.groups for c in group]
    sentences = [(claim.text, tuple(claim.statements)) for claim in claims]
    assert len(set(sentences)) == len(sentences)
    assert (result.report["verdict"] == "supported").all(), result.faults.to_string()


def test_a_list_reads_as_a_phrase():
    assert [join([]), join(["a"]), join(["a", "b"]), join("abc")] == ["", "a", "a and b", "a, b and c"]
