"""Readers see a question's text and an evidence text; what they answer follows from the sentences and their order."""

from types import SimpleNamespace

import pytest

import hgwork as hg
from hgwork.answer import Asked, Event, LabelReader, Reading, StateReader, combined, evidence_text, read_evidence
from hgwork.answer.questions import QuestionForms, question_forms
from hgwork.answer.streams import answer_from
from tests.retrieval.scenario import retriever

FORMS = question_forms("cyclones")
SCOPE = {"storm": "ALEX", "port": "Canaveral"}
WINDS = [("wind", 30.0), ("wind", 50.0), ("wind", 40.0), ("wind", 40.0), ("wind", 45.0)]
MIXED = [("warning", "none"), ("gales", 10.0), ("warning", "hurricane"), ("gales", 40.0), ("warning", "none")]


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        ("latest", 45), ("earliest", 30), ("previous", 40), ("change", 15), ("net", "higher"),
        ("trend", "went up and down"), ("rises", 2), ("largest_rise", 20), ("superseded", 40), ("after_peak", 40),
        ("highest", 50), ("lowest", 30), ("spread", 20), ("different", 4),
    ],
)  # fmt: skip
def test_answers_of_one_attribute_worked_out_by_hand(kind, answer):
    assert answer_from(WINDS, Asked(kind, SCOPE, a="wind"), FORMS.attributes) == answer


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (Asked("at_event", SCOPE, a="gales", event=Event("warning", None, "hurricane")), 10),
        (Asked("highest_after", SCOPE, a="gales", event=Event("warning", None, "hurricane")), 40),
        (Asked("before_after", SCOPE, event=Event("gales", 20.0), later=Event("warning", None, "hurricane")), "no"),
        (Asked("before_after", SCOPE, event=Event("warning", None, "hurricane"), later=Event("gales", 20.0)), "yes"),
        (Asked("justified", SCOPE, event=Event("warning", None, "hurricane"), later=Event("gales", 10.0)), "yes"),
        (Asked("justified", SCOPE, event=Event("warning", None, "hurricane"), later=Event("gales", 20.0)), "no"),
        (Asked("joint", SCOPE, a="gales", b="warning", x=30.0, state="hurricane"), "yes"),
        (Asked("joint", SCOPE, a="gales", b="warning", x=50.0, state="hurricane"), "no"),
        (Asked("longest_run", SCOPE, a="warning", state="none"), 1),
        (Asked("ever", SCOPE, event=Event("gales", 41.0)), "no"),
        (Asked("latest", SCOPE, a="wind"), None),
    ],
)
def test_answers_of_two_attributes_worked_out_by_hand(asked, answer):
    assert answer_from(MIXED, asked, FORMS.attributes) == answer


def test_every_form_is_recognised_as_what_it_was_made_from():
    event, later = Event("warning", None, "tropical storm"), Event("distance", 120.0)
    for kind in [*FORMS.kinds, *FORMS.controls]:
        fields = {
            slot for form in {**FORMS.kinds, **FORMS.controls}[kind] for slot in ("a", "b") if f"{{{slot}}}" in form
        }
        asked = Asked(
            kind, SCOPE, a="gales" if "a" in fields else "", b="cone" if "b" in fields else "",
            event=event if kind in ("at_event", "highest_after", "before_after", "justified", "ever") else None,
            later=later if kind in ("before_after", "justified") else None, x=20.0 if kind == "joint" else None,
            state={"joint": "yes", "longest_run": "none"}.get(kind, ""),
        )  # fmt: skip
        for wording in range(2):
            read = FORMS.read(FORMS.render(asked, wording))
            assert read == asked and dict(read.scope) == SCOPE, (kind, wording)


def test_other_questions_are_not_understood_and_not_guessed():
    reading = StateReader().read("Who won the regatta?", "Trajectory 1\n[1] Alex moves north at 5 mph.")
    assert reading.answer is None and reading.confidence == 0 and "No form of question" in reading.rationale


def lines(*sentences):
    return "Trajectory 1\n" + "\n".join(f"[{n}] {text}" for n, text in enumerate(sentences, 1))


SPEED = "What forward speed does the last report on ALEX at Canaveral give?"


def test_the_state_reader_reads_in_the_order_given():
    one, two = "Alex moves north at 5 mph.", "Alex moves north at 9 mph."
    assert StateReader().read(SPEED, lines(one, two)).answer == 9
    assert StateReader().read(SPEED, lines(two, one)).answer == 5


def test_sentences_on_another_storm_or_port_are_passed_over():
    evidence = lines("Alex moves north at 5 mph.", "Arlene moves north at 9 mph.", "Alexandra moves north at 7 mph.")
    assert StateReader().read(SPEED, evidence).answer == 5


def labelled(*steps):
    blocks = [f"[Step {n}] [T-{h}]\n  Evidence: {text}\n  Entities: Alex" for n, (h, text) in enumerate(steps, 1)]
    return "Trajectory 1 (2 steps)\n" + "\n".join(blocks)


def test_only_the_label_reader_looks_at_labels():
    evidence = labelled((12, "Alex moves north at 9 mph."), (48, "Alex moves north at 5 mph."))
    assert StateReader().read(SPEED, evidence).answer == 5
    assert LabelReader().read(SPEED, evidence).answer == 9


def test_no_evidence_gives_no_answer():
    for evidence in ("", "Trajectory 1", lines("The sea is wide.")):
        assert StateReader().read(SPEED, evidence).answer is None


def test_trajectories_vote_by_confidence():
    parts = [Reading("a", 0.4), Reading("b", 0.5), Reading("a", 0.3), Reading(None)]
    found = combined(parts)
    assert (found.answer, found.trajectory) == ("a", 1) and found.confidence == pytest.approx(0.7 / 4)
    assert combined([Reading(None, rationale="why")]).rationale == "why"
    assert combined([]).answer is None


def test_evidence_text_has_the_layout_and_reads_back():
    found = retriever().retrieve("How strong does One blow at Harbour?", method="dag", length=3, n=2)
    text = evidence_text(found)
    first = text.splitlines()
    assert first[0].startswith("Trajectory 1 (3 steps, score ") and "related neighbours in order" in first[0]
    assert first[1].startswith("[Step 1] [T-48] [phase=") and first[2].startswith("  Relation: has_")
    assert "  Reasoning: sequence" in text and "ONE [thing]" in text
    steps = read_evidence(text)
    assert [[step.text for step in one] for one in steps] == [t.sentences for t in found]
    assert [step.label for step in steps[0]] == [f"T-{h:g}" for h in found[0].table["horizon"]]


def test_without_labels_nothing_names_horizon_phase_or_family():
    found = retriever().retrieve("How strong does One blow at Harbour?", method="dag", length=3, n=1)
    text = evidence_text(found, labels=False)
    assert text.splitlines() == ["Trajectory 1", *(f"[{n}] {s}" for n, s in enumerate(found[0].sentences, 1))]


def test_a_text_with_line_breaks_makes_no_step_of_its_own():
    broken = SimpleNamespace(sentences=["One.\n[2] Alex moves north at 9 mph.\nTrajectory 2"])
    steps = read_evidence(evidence_text([broken], labels=False))
    assert len(steps) == 1 and len(steps[0]) == 1


def test_forms_of_ones_own_are_checked(tmp_path):
    path = tmp_path / "forms.yaml"
    path.write_text("domain: x\nscope: []\nattributes: {}\nevents: {}\n", encoding="utf-8")
    with pytest.raises(ValueError, match="needs domain, scope, attributes, events and kinds"):
        QuestionForms(path)
    path.write_text("domain: x\nscope: []\nattributes: {w: {phrase: w}}\nevents: {}\nkinds: {}\n", encoding="utf-8")
    with pytest.raises(ValueError, match="attribute 'w'"):
        QuestionForms(path)
    with pytest.raises(ValueError, match="give one of cyclones"):
        hg.answer.question_forms("nowhere")


@pytest.mark.parametrize(
    ("said", "inches"), [("0.5 to 1.5 inches", 1.0), ("0.75 inches", 0.75), ("2 to 4 inches", 3.0), ("1 inch", 1.0)]
)
def test_decimal_amounts_are_read_whole(said, inches):
    question = "What rain forecast does the last report on ALEX at Canaveral give?"
    assert StateReader().read(question, lines(f"The rain outlook for Canaveral under Alex is {said}.")).answer == inches
