"""The citation checker: what it catches, what it leaves alone, and how often, on planted cases."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from hgwork.answer import VERDICTS, Claim, check_citations, split_claims

HERE = Path(__file__).parent


def statements(*rows):
    keys = ("source", "relation", "target", "text")
    return pd.DataFrame([dict(zip(keys, row, strict=True)) for row in rows], index=range(1, len(rows) + 1))


DEGRADES = (["lysozyme"], "degrades", ["chitosan"], "Lysozyme degrades chitosan by 35% in 28 days.")
TWO = statements(DEGRADES, (["PCL"], "is blended with", ["silk"], "PCL was blended with silk at 60 °C."))


def verdicts(answer, table=TWO, **settings):
    return check_citations(answer, table, **settings)["verdict"].tolist()


def cases(half):
    held = yaml.safe_load((HERE / f"cases_{half}.yaml").read_text("utf-8"))
    table = pd.DataFrame(held["statements"].values(), columns=["source", "relation", "target", "text"])
    table.index = list(held["statements"])
    return table, [(claim, verdict) for verdict, claims in held["claims"].items() for claim in claims]


# ---------------------------------------------------------------- reading


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Silk is strong [3]. It is light [1, 2].", [("Silk is strong.", [3]), ("It is light.", [1, 2])]),
        ("Silk is strong. [3] It is light.[1]", [("Silk is strong.", [3]), ("It is light.", [1])]),
        ("Silk [2] binds water [1–3].", [("Silk binds water.", [1, 2, 3])]),
        ("Silk is strong [1][4].", [("Silk is strong.", [1, 4])]),
        ("- Silk is strong [1]\n- Wool is warm [2]", [("Silk is strong", [1]), ("Wool is warm", [2])]),
        ("It kills E. coli within 2.5 h [1].", [("It kills E. coli within 2.5 h.", [1])]),
        ("As Smith et al. Found, silk is strong [2; 1].", [("As Smith et al. Found, silk is strong.", [1, 2])]),
        ("What is silk? Because.", []),
        ("", []),
    ],
)
def test_claims_are_sentences_with_the_numbers_they_cite(text, claims):
    assert split_claims(text) == claims


def test_a_cited_range_that_runs_backwards_or_wide_costs_nothing():
    assert split_claims("Silk is strong [9-3].") == [("Silk is strong.", [3, 9])]
    assert split_claims("Silk is strong [1-99999999999].") == [("Silk is strong.", [1, 99999999999])]
    assert verdicts("Lysozyme degrades chitosan [1-99999999999].") == ["citation does not exist"]


@given(st.text(alphabet="ab1 [],;-–.!?\n", max_size=60))
def test_any_text_is_read_without_error(text):
    for claim, cited in split_claims(text):
        assert claim and all(number >= 0 for number in cited)


# ---------------------------------------------------------------- single rules


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("Lysozyme degrades chitosan [1].", "supported"),
        ("Chitosan is degraded by lysozyme [1].", "supported"),
        ("Chitosan lost 35 percent in four weeks [1].", "supported"),
        ("Chitosan lost 35% in 28 h [1].", "unsupported number"),
        ("Chitosan lost 28% in 35 days [1].", "unsupported number"),
        ("Chitosan degrades lysozyme [1].", "direction reversed"),
        ("Lysozyme does not degrade chitosan [1].", "negated"),
        ("Lysozyme degrades alginate [1].", "unsupported entity"),
        ("Lysozyme degrades chitosan.", "no citation"),
        ("Lysozyme degrades chitosan [7].", "citation does not exist"),
        ("Lysozyme degrades chitosan [0].", "citation does not exist"),
        ("Silk was blended with PCL [2].", "supported"),  # symmetrical: no direction
        ("Lysozyme degrades chitosan [2].", "unsupported entity"),  # the wrong statement
        ("Statement 1 and two documents say that lysozyme degrades chitosan [1].", "supported"),
        ("Lysozyme not only degrades chitosan [1].", "supported"),
    ],
)
def test_one_claim_one_verdict(answer, verdict):
    assert verdicts(answer) == [verdict]


def test_numbers_exchanged_between_names_are_found():
    table = statements((["films"], "have", ["strength"], "PCL reached 20 MPa and silk reached 45 MPa."))
    assert verdicts("PCL reached 20 MPa and silk reached 45 MPa [1].", table) == ["supported"]
    assert verdicts("Silk reached 45 MPa and PCL 20 MPa [1].", table) == ["supported"]
    assert verdicts("PCL reached 45 MPa and silk reached 20 MPa [1].", table) == ["unsupported number"]


def test_a_rise_told_as_a_fall_is_a_contradiction():
    table = statements((["silk"], "increases", ["strength"], "Silk increases the strength of gels."))
    assert verdicts("Silk improves the strength of gels [1].", table) == ["supported"]
    assert verdicts("Silk lowers the strength of gels [1].", table) == ["negated"]


def test_all_faults_of_a_claim_stand_in_the_detail():
    row = check_citations("Chitosan degrades lysozyme in 40 days [1].", TWO).iloc[0]
    assert row["verdict"] == "direction reversed"
    assert "'lysozyme – degrades – chitosan'" in row["detail"] and "40 days" in row["detail"]


def test_abbreviations_hold_across_statements_and_both_ways():
    table = statements(
        (["polylactic acid"], "is", ["polymer"], "Polylactic acid (PLA) is a polymer."),
        (["PLA"], "melts at", ["170 °C"], "PLA melts at 170 °C."),
    )
    assert verdicts("Polylactic acid melts at 170 °C [2].", table) == ["supported"]
    assert verdicts("PLA is a polymer [1].", table) == ["supported"]


def test_typed_claims_and_free_text_get_the_same_verdicts():
    typed = [Claim(text="Lysozyme degrades chitosan.", statements=[1]), {"text": "PCL is toxic.", "statements": []}]
    assert verdicts(typed) == verdicts("Lysozyme degrades chitosan [1]. PCL is toxic.") == ["supported", "no citation"]
    assert verdicts([Claim(text="Lysozyme degrades chitosan [8].", statements=[1])]) == ["citation does not exist"]


def test_names_may_be_given_and_citations_may_be_optional():
    assert verdicts("Unlike gold, lysozyme degrades chitosan [1].") == ["unsupported entity"]
    assert verdicts("Unlike gold, lysozyme degrades chitosan [1].", names=["gold"]) == ["supported"]
    assert verdicts("PCL is toxic. Lysozyme degrades chitosan [1].", require=False) == ["supported"]


def test_a_table_without_evidence_is_refused_and_an_empty_answer_is_an_empty_report():
    with pytest.raises(ValueError, match="no column 'text'"):
        check_citations("Silk [1].", TWO.drop(columns="text"))
    report = check_citations("", TWO)
    assert report.empty and list(report) == ["claim", "cited", "verdict", "detail"]


@pytest.mark.parametrize("half", ["dev", "heldout"])
def test_every_evidence_sentence_is_supported_by_itself(half):
    table, _ = cases(half)
    claims = [Claim(text=text, statements=[number]) for number, text in table["text"].items()]
    assert set(verdicts(claims, table)) == {"supported"}


# ---------------------------------------------------------------- planted cases


@pytest.mark.parametrize("half", ["dev", "heldout"])
def test_the_planted_cases_cover_every_verdict_and_are_worded_apart(half):
    _, planted = cases(half)
    counts = pd.Series([verdict for _, verdict in planted]).value_counts()
    assert set(counts.index) == set(VERDICTS) and counts.min() >= 5 and counts.sum() == 76
    assert len({claim for claim, _ in planted}) == len(planted)
    assert all(len(split_claims(claim)) == 1 for claim, _ in planted)


def test_of_the_cases_it_was_tuned_on_hardly_one_is_missed():
    table, planted = cases("dev")
    wrong = [(c, v) for c, v in planted if (verdicts(c, table) != ["supported"]) != (v != "supported")]
    assert len(wrong) <= 3, wrong


def test_on_cases_it_was_not_tuned_on_it_stays_above_its_marks():
    """Recall at least 0.9 and precision at least 0.8 on faulty claims, as promised before the checker was written."""
    table, planted = cases("heldout")
    flagged = [verdicts(claim, table) != ["supported"] for claim, _ in planted]
    faulty = [verdict != "supported" for _, verdict in planted]
    both = sum(f and g for f, g in zip(flagged, faulty, strict=True))
    assert both / sum(faulty) >= 0.9 and both / sum(flagged) >= 0.8


def test_a_claim_cited_to_other_statements_is_rarely_passed():
    """Each claim of the pool, cited to the next statement: nothing there speaks of it."""
    table, _ = cases("dev")
    shifted = [Claim(text=text, statements=[number % len(table) + 1]) for number, text in table["text"].items()]
    assert verdicts(shifted, table).count("supported") <= 1
