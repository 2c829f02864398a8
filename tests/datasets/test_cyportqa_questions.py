"""Templates, computed answers and the benchmark's tolerances."""

from datetime import date

import pytest

from hgwork.datasets import cyportqa
from hgwork.datasets.cyportqa.questions import question_type
from hgwork.datasets.cyportqa.scoring import TOLERANCES, score
from tests.datasets.cyportqa_files import write


@pytest.fixture
def data(tmp_path):
    return cyportqa(write(tmp_path / "copy"))


@pytest.mark.parametrize(
    ("tags", "kind"),
    [(["Q1", "S1", "SA", "TU", "TF"], "TF"), (["Q2", "S1", "SA", "MC"], "MC"), (["Q6", "SA", "NU"], "SA"),
     (["Q9", "SA", "DE"], "TD"), (["Q16", "SA", "MC", "AUTO"], "MC")],
)  # fmt: skip
def test_the_last_tag_gives_the_type(tags, kind):
    assert question_type(tags) == kind


def test_an_unknown_last_tag_is_refused():
    with pytest.raises(ValueError, match="last tag 'SA'"):
        question_type(["Q1", "SA"])


def test_answers_are_computed_from_the_joined_tables(data):
    table = data.questions()
    late = table[table["lead"] == 12].set_index("template")
    assert late.loc["Q1", ["answer", "measure", "question"]].tolist() == ["Yes", "yes_no", "Is Baltimore, MD inside?"]
    assert late.loc["Q6", "answer"] == (30.0, -75.0)
    assert late.loc["Q31", "answer"] == "D"  # "likely" is none of the choices and counts as possible
    assert late.loc["Q36", "answer"] == date(2022, 6, 6) and late.loc["Q36", "hindsight"]
    assert late.loc["Q41", "answer"] == "C" and not late.loc["Q41", "hindsight"]  # X-RAY in force at the advisory
    assert late.loc["Q16", "answer"] == "A"
    assert "Q35" not in late.index  # no table has the worst day


def test_later_conditions_are_labels_marked_as_hindsight(data):
    table = data.questions(["Q42"])
    early = table[table["lead"] == 24]
    # From 12:00 on the third: X-RAY at 18:00 that day, ZULU at 9:00 the next.
    assert early["answer"].tolist() == ["C", "E", "E", "E"] and early["hindsight"].all()
    assert early.index[1] == "Q42/ADA_2022/Baltimore/T-24/+24"


def test_unknown_templates_are_refused(data):
    with pytest.raises(ValueError, match="no template Q99"):
        data.questions(["Q99"])


def test_a_copy_without_templates_has_no_questions(tmp_path):
    folder = write(tmp_path / "copy")
    for content in ('[{"question_type": []}]', "{"):
        (folder / "CyPortQA_template.json").write_text(content)
        data = cyportqa(folder)
        assert not len(data.templates) and not len(data.questions())
        assert data.report["reason"].str.contains("not a list of templates").any()
    (folder / "CyPortQA_template.json").unlink()
    assert cyportqa(folder).report["reason"].str.contains("there are no questions").any()


@pytest.mark.parametrize(
    ("answer", "expected", "measure", "credit"),
    [
        ("23.5N, 85.2W", (23.3, -85.0), "coordinates", 1),
        ("23.6N, 85.0W", (23.3, -85.0), "coordinates", 0),
        ("12 mph", 10, "speed", 1),
        ("13 mph", 10, "speed", 0),
        ("Stationary", 0, "speed", 1),
        ("28%", 23, "probability", 1),
        ("29", 23, "probability", 0),
        ("36", 24, "hours", 1),
        ("37", 24, "hours", 0),
        ("N/A", None, "hours", 1),
        ("12", None, "hours", 0),
        ("05-06-2022", date(2022, 6, 4), "date", 1),
        ("2022-06-06", date(2022, 6, 4), "date", 0),
        ("31-02-2022", date(2022, 3, 1), "date", 0),
        ("about 3 days", 2, "days", 1),
        ("none", 2, "days", 0),
        ("Yes.", "Yes", "yes_no", 1),
        ("No", "Yes", "yes_no", 0),
        ("(b) X-RAY", "B", "choice", 1),
        ("Because of A", "A", "choice", 0),
    ],
)
def test_credit_follows_the_tolerances(answer, expected, measure, credit):
    assert score(answer, expected, measure) == credit


def test_several_probabilities_earn_a_share():
    expected = {"in 12h": 0.0, "in 24h": 10.0}
    assert score('{"gale_probability": {"in 12h": "4%", "in 24h": "30%"}}', expected, "probabilities") == 0.5
    assert score("I cannot say", expected, "probabilities") == 0


def test_descriptions_need_a_judge_and_unknown_measures_are_refused():
    assert score("a coast", "a coast", "text") is None
    with pytest.raises(ValueError, match="measure='taste'"):
        score("x", "y", "taste")
    assert TOLERANCES == {"coordinates": 0.2, "speed": 2, "probability": 5, "hours": 12, "date": 1, "days": 1}
