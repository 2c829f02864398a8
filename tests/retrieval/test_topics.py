"""Topics are what a question asks about, not whose and not how."""

import pytest

from hgwork.retrieval.topics import topics


@pytest.mark.parametrize(
    ("question", "names", "wanted"),
    [
        ("How high did the water level in the tank get before the alarm?", (), ("water level in the tank", "alarm")),
        ("What colour did the first report on Rosa give?", ["Rosa"], ("colour",)),
        ("Which Rosa is meant?", [], ("Rosa",)),
        ("What came first, and what last?", (), ()),
        ("", (), ()),
        ("2 3 5", (), ()),
    ],
)
def test_topics_are_the_noun_phrases_that_are_left(question, names, wanted):
    assert topics(question, names) == wanted


def test_a_name_of_several_words_is_dropped_whole():
    assert topics("Was the harbour of New Orleans closed?", ["New Orleans"]) == ("harbour",)


def test_markup_and_nul_are_plain_characters():
    assert topics("<b>wind</b>\0 & rain?") is not None
