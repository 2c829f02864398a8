"""Forms of every domain are read back as they were rendered, and readers answer by them in that domain."""

import pytest

from hgwork.answer import Asked, Event, LabelReader, StateReader, question_forms
from hgwork.answer.streams import answer_from
from hgwork.order.domain import load_domain

DOMAINS = ("cyclones", "failures")
CHILLER = "server room chiller CH-B"
COOL, HOT = "Supply air shows 21 °C.", "Supply air shows 31 °C."
PRESSED, BROKEN = "Head pressure climbs to 24 bar.", "The fan belt snaps."


def asked_of(forms, kind, wording):
    """A question of a kind, with whatever its wording has a slot for."""
    form = {**forms.kinds, **forms.controls}[kind][wording]
    number = next(a for a in forms.attributes.values() if a.type == "number" and a.towards)
    state = next(a for a in forms.attributes.values() if a.type == "state")
    has = lambda slot: f"{{{slot}}}" in form  # noqa: E731
    return Asked(
        kind,
        {name: f"One {name}-1" for name in forms.scope},
        a=number.name if has("a") else "",
        b=state.name if has("b") else "",
        event=Event(number.name, 12.5) if has("event") else None,
        later=Event(state.name, None, "snaps") if has("later") or has("reason") else None,
        x=7.0 if has("x") else None,
        state="snaps" if has("state") else "",
    )


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_wording_is_read_back_as_what_it_was_made_from(domain):
    forms = question_forms(domain)
    for kind, wordings in {**forms.kinds, **forms.controls}.items():
        for wording in range(len(wordings)):
            asked = asked_of(forms, kind, wording)
            read = forms.read(forms.render(asked, wording))
            assert read == asked and dict(read.scope) == asked.scope, (kind, wording)


@pytest.mark.parametrize("domain", DOMAINS)
def test_attributes_are_what_the_domain_states(domain):
    forms, known = question_forms(domain), load_domain(domain)
    stated = {}
    for pattern in known.patterns:
        stated.setdefault(pattern.relation, set()).update([*pattern.attributes, *pattern.set])
    for name, held in forms.attributes.items():
        assert {held.value, *held.where} <= stated[held.relation], name
        assert (held.towards != "") <= (held.type == "number"), name
        assert set(held.of) <= set(forms.scope), name


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_kind_can_be_answered_from_readings(domain):
    forms = question_forms(domain)
    for kind, wordings in {**forms.kinds, **forms.controls}.items():
        for wording in range(len(wordings)):
            asked = asked_of(forms, kind, wording)
            values = ["snaps", 20.0, "other", 5.0, "snaps", 13.0]
            stream = [
                (name, value)
                for value in values
                for name in asked.attributes
                if isinstance(value, float) == (forms.attributes[name].type == "number")
            ]
            assert answer_from(stream, asked, forms.attributes) is not None, kind


def lines(*sentences):
    return "Trajectory 1\n" + "\n".join(f"[{n}] {text}" for n, text in enumerate(sentences, 1))


@pytest.mark.parametrize(
    ("question", "sentences", "answer"),
    [
        (f"What supply air temperature does the log of {CHILLER} give last?", (COOL, PRESSED, HOT), 31),
        (f"What supply air temperature does the log of {CHILLER} give last?", (HOT, PRESSED, COOL), 21),
        (f"How did the supply air temperature of {CHILLER} develop?", (COOL, HOT), "rose"),
        (f"How did the supply air temperature of {CHILLER} develop?", (HOT, COOL), "fell"),
        (
            f'For {CHILLER}, did the first head pressure of 20 bar or more come before the first failure by "snaps"?',
            (PRESSED, BROKEN),
            "yes",
        ),
        (
            f'For {CHILLER}, did the first head pressure of 20 bar or more come before the first failure by "snaps"?',
            (BROKEN, PRESSED),
            "no",
        ),
        (f"What oil temperature does the log of {CHILLER} give last?", (COOL, HOT), None),
    ],
)
def test_the_state_reader_reads_logs_of_failures(question, sentences, answer):
    assert StateReader("failures").read(question, lines(*sentences)).answer == answer


def test_a_reading_is_known_by_its_quantity_whatever_its_case():
    question = "What vibration does the log of cooling pump P-101 give last?"
    evidence = lines("Vibration reads 4.0 mm/s.", "The impeller cavitates and its vibration climbs to 9.1 mm/s.")
    assert StateReader("failures").read(question, evidence).answer == 9.1


def test_the_label_reader_sorts_by_position_upwards():
    """Hours before landfall count down, positions count up."""
    steps = ((50, HOT), (25, COOL))
    text = "Trajectory 1 (2 steps)\n" + "\n".join(
        f"[Step {n}] [position {place}]\n  Evidence: {said}" for n, (place, said) in enumerate(steps, 1)
    )
    question = f"What supply air temperature does the log of {CHILLER} give last?"
    assert StateReader("failures").read(question, text).answer == 21
    assert LabelReader("failures").read(question, text).answer == 31
