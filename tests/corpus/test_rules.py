"""The offline extractor, construction by construction, on sentences of our own."""

import subprocess
import sys
from pathlib import Path

import pytest

from hgwork.corpus.rules import RuleExtractor
from hgwork.corpus.rules.actions import verb_of
from hgwork.corpus.rules.composites import parts
from hgwork.corpus.rules.memory import Memory
from hgwork.corpus.rules.standins import stand_in
from hgwork.corpus.rules.text import is_english, prose
from hgwork.schema import Chunk

extractor = RuleExtractor()


def said(text):
    return [event.sentence for event in extractor.extract_text(text)]


STATED = {
    "conjuncts stay in one event": (
        "Wool and cotton absorb dye.",
        ["Wool, cotton – absorb – dye"],
    ),
    "a passive with its agent, phrases in surface order": (
        "The glue was mixed with sawdust by the carpenter at 40 °C.",
        ["glue – was mixed by – sawdust, carpenter, 40 °C"],
    ),
    "a copula, and a clause on what it says": (
        "Rust is a brown oxide that weakens iron beams.",
        ["Rust – is – brown oxide", "Rust – weakens – iron beams"],
    ),
    "a participle clause, whose members stay with the subject": (
        "Bridges built from granite resist floods.",
        ["Bridges – built from – granite", "Bridges, granite – resist – floods"],
    ),
    "a relative clause": (
        "The valve, which controls pressure, failed in 1998.",
        ["valve – controls – pressure", "valve – failed in – 1998"],
    ),
    "X of Y gives two members": (
        "The colour of the glass depends on iron content.",
        ["colour, glass – depends on – iron content"],
    ),
    "an adjective is the target, or stands in the relation before a phrase": (
        "The lake is deep. The dam is rich in silt. The kiln is hotter than the oven.",
        ["lake – is – deep", "dam – is rich in – silt", "kiln – is hotter than – oven"],
    ),
    "a chain of verbs is one relation": (
        "Turbines are known to kill bats.",
        ["Turbines – are known to kill – bats"],
    ),
    "negation stays in the relation": ("Ice contains no salt.", ["Ice – contains no – salt"]),
    "the authors are dropped": ("We heated the ore with coke.", ["ore – heated with – coke"]),
    "a bare generic subject is dropped, what it reports is kept": (
        "The report says that coal pollutes the river.",
        ["coal – pollutes – river"],
    ),
    "bare generic nouns are no entities": ("The method improves the process.", []),
    "a shared head is distributed": (
        "Oral and nasal sprays relieve pain.",
        ["Oral sprays, nasal sprays – relieve – pain"],
    ),
    "names stay whole": (
        "The Duke of York founded the Bank of England.",
        ["Duke of York – founded – Bank of England"],
    ),
    "a composite": (
        "Copper/zinc alloys conduct heat.",
        ["Copper, zinc – compose – Copper/zinc alloys", "Copper/zinc alloys – conduct – heat"],
    ),
    "an abbreviation": (
        "The global positioning system (GPS) guides ships.",
        ["global positioning system – is – GPS", "global positioning system – guides – ships"],
    ),
    "a value and an event in parentheses": (
        "Marie Curie (born 7 November 1867) discovered polonium in Paris.",
        ["Marie Curie – born – 7 November 1867", "Marie Curie – discovered – polonium, Paris"],
    ),
    "life dates": (
        "Ada Lovelace (10 December 1815 – 27 November 1852) described an algorithm for the Analytical Engine.",
        ["Ada Lovelace – is – 10 December 1815, 27 November 1852",
         "Ada Lovelace – described – algorithm, Analytical Engine", "algorithm – used for – Analytical Engine"],
    ),
    "an apposition": (
        "Helium, a noble gas, fills balloons.",
        ["Helium – is – noble gas", "Helium – fills – balloons"],
    ),
    "an action noun with two participants becomes a light verb": (
        "The removal of sulphur from petrol by refineries protects forests.",
        ["refineries – remove – sulphur, petrol", "sulphur, petrol, refineries – protects – forests"],
    ),
    "a purpose": (
        "Engineers installed a filter for dust. Water was pumped through the filter to remove sand.",
        ["Engineers – installed – filter, dust", "filter – used for – dust",
         "Water – was pumped through – filter", "Water – to remove – sand"],
    ),
    "because": (
        "Because salt attracts water, bridges rust in winter.",
        ["salt, water – leads to – bridges, winter", "salt – attracts – water", "bridges – rust in – winter"],
    ),
    "so": (
        "Snow melted quickly, so the river flooded the valley.",
        ["Snow – leads to – river, valley", "river – flooded – valley"],
    ),
    "thereby takes the place of its clause": (
        "Frost splits rocks and thereby widens cracks.",
        ["Frost – splits – rocks", "Frost – leads to – cracks"],
    ),
    "a pronoun takes its antecedent": (
        "Bees pollinate almond trees. They store honey in combs.",
        ["Bees – pollinate – almond trees", "Bees – store – honey, combs"],
    ),
    "a bare 'the X' takes its antecedent": (
        "Maple syrup is boiled in steel pans. The syrup darkens after an hour.",
        ["Maple syrup – is boiled in – steel pans", "Maple syrup – darkens after – hour"],
    ),
    "'the Y' means what was said to be a Y": (
        "Amber is a resin. The resin attracts dust.",
        ["Amber – is – resin", "Amber – attracts – dust"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", STATED, ids=lambda case: case.replace(" ", "_"))
def test_construction(case):
    text, sentences = STATED[case]
    assert sorted(said(text)) == sorted(sentences)


@pytest.mark.parametrize(
    "text",
    ["", "   \n\n", "Word", "word " * 10_000, "(", "((((", "[1]", "...", "- \n- \n* ", "# Heading\n## Another\n",
     "x" * 50_000, "a(" * 2_000,
     "细胞粘附在支架上，并沉积矿物质。", "Die Zellen haften an dem Gerüst und bilden das Mineral.", "🎉🎉 🧪 🎉",
     "| a | b |\n|---|---|\n| 1 | 2 |", "```\nThe code prints the text.\n```", "a,b;c,d;" * 500],
    ids=lambda text: repr(text[:12]),
)  # fmt: skip
def test_what_is_no_prose_gives_no_events_and_no_error(text):
    assert extractor.extract_text(text) == []


def test_front_matter_headings_and_list_marks_are_left_out():
    text = "---\ntitle: Bees.\n---\n\n# Bees eat pollen\n\n- Bees store honey in combs.\n1. Wasps build nests.\n"
    assert said(text) == ["Bees – store – honey, combs", "Wasps – build – nests"]


def test_emoji_and_citations_do_not_move_the_evidence():
    text = "🎉 Bees store honey [1, 2]. Wasps (Vespula) build nests 🧪 in trees."
    events = extractor.extract_text(text)
    assert [e.relation for e in events][:1] == ["store"]
    assert all(text[e.start : e.end] == e.evidence for e in events)


def test_evidence_is_the_sentence_and_its_place_in_the_document():
    document = "Title\n\nBees store honey. Wasps\nbuild nests in old barns."
    text = document[7:]
    chunk = Chunk(id="d/1", document="d", index=1, start=7, end=len(document), text=text)
    (events,) = extractor.extract([chunk])
    assert [e.evidence for e in events] == ["Bees store honey.", "Wasps\nbuild nests in old barns."]
    assert all(document[e.start : e.end] == e.evidence for e in events)
    assert {(e.document, e.chunk, e.kind) for e in events} == {("d", "d/1", "explicit")}


def test_one_list_a_chunk_in_order_and_chunks_do_not_share_memory():
    texts = ["Bees store honey.", "", "They build nests in trees."]
    chunks = [Chunk(id=f"d/{i}", document="d", index=i, start=0, end=len(t), text=t) for i, t in enumerate(texts)]
    assert [len(events) for events in extractor.extract(chunks)] == [1, 0, 0]


def test_the_same_text_gives_the_same_events_whatever_was_read_before():
    text = STATED["a passive with its agent, phrases in surface order"][0]
    first = [e.model_dump() for e in extractor.extract_text(text)]
    said("Sawdust glues the carpenter. " + STATED["because"][0])
    assert [e.model_dump() for e in RuleExtractor().extract_text(text)] == first


def test_every_event_holds_two_members_and_confidence_tells_the_pass():
    events = extractor.extract_text(" ".join(text for text, _ in STATED.values()))
    assert len(events) > 40
    assert all(len({m.lower() for m in e.members}) > 1 for e in events)
    assert all((e.confidence == 0.7) == (e.kind == "completed") for e in events)


def test_labels_are_verbatim_where_the_parser_read_a_plain_word_instead():
    text = "The hydroxides coat gypsum beads."
    assert stand_in("hydroxides") is not None
    assert [e.members for e in extractor.extract_text(text)] == [["hydroxides", "gypsum beads"]]


def test_a_long_sentence_is_read_as_debris():
    assert (
        RuleExtractor(max_tokens=10).extract_text("Bees store honey in combs of wax under the roof of the barn.") == []
    )


def test_light_verbs():
    assert [verb_of(noun) for noun in ("oxidation", "blending", "removal", "station", "wool")] == [
        "oxidise", "blend", "remove", None, None,
    ]  # fmt: skip


def test_parts_of_composites():
    assert parts("woven flax/epoxy laminates") == ["flax", "epoxy"]
    assert parts("either/or questions") == []


def test_masks_map_back_to_the_source():
    text = "The Gd2O3/silica beads (n = 4) melt at −20 °C in poly(vinyl alcohol)."
    (paragraph,) = prose(text)
    assert len(paragraph.text) == len(paragraph.at)
    assert "n = 4" not in paragraph.text
    place = paragraph.text.index("melt")
    assert paragraph.original(place, place + 4) == "melt"
    assert paragraph.original(0, len(paragraph.text)) == text.replace(" (n = 4)", "")


def test_memory_prefers_near_subjects_of_the_right_number():
    memory = Memory()
    memory.note(["red kites"], "kite", True, True, 1)
    memory.note(["old barn"], "barn", False, False, 5)
    memory.begin()
    assert memory.pronoun(True, 0) == ["red kites"]
    assert memory.pronoun(False, 0) == ["old barn"]
    assert memory.definite("barn", 0, False, False) == ["old barn"]
    assert memory.definite("barn", 0, True, False) == []


@pytest.mark.parametrize(
    ("text", "english"),
    [("Bees store honey.", True), ("Les abeilles et le miel sont dans la ruche.", False), ("η = 3, θ = 4", False)],
)
def test_english_is_told_from_other_text(text, english):
    assert is_english(text) == english


@pytest.mark.skipif(sys.platform == "win32", reason="kills as Unix does")
def test_a_worker_ends_when_its_parent_is_killed():
    worker = (
        "import os, time; from hgwork.corpus.rules.extractor import _end_with; "
        "_end_with(os.getppid()); print(os.getpid(), flush=True); time.sleep(300)"
    )
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {worker!r}])"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]
    ) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline().strip().isdigit()
        parent.kill()
        assert parent.stdout.read() == ""  # ends when the last that could write has ended
