"""The published templates on a hypergraph of scenarios: the mix, what may serve as evidence, answers by hand."""

import json
import math

import pandas as pd
import pytest

import hgwork as hg
from hgwork.datasets import cyportqa
from hgwork.evaluation.template_mix import (
    MIX,
    judge_descriptions,
    read_rubrics,
    template_overall,
    template_scores,
)
from hgwork.evaluation.template_questions import (
    choose_scenarios,
    count_unanswerable,
    scenario_hypergraph,
    template_questions,
)
from hgwork.evaluation.template_reader import SLOTS, TEMPLATE_FIELDS, TemplateReader, score_template
from hgwork.models.chat import Chat
from tests.chat_server import ChatServer, said
from tests.datasets.cyportqa_files import write
from tests.order.transition_scenarios import WordEmbedder

PAIR = ("ADA_2022", "Baltimore, MD")
HERE, BECAUSE = " from ADA 2022 at Baltimore", "Baltimore because of ADA 2022"


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    return write(tmp_path_factory.mktemp("cyportqa") / "copy")


@pytest.fixture(scope="module")
def scene(copy):
    data = cyportqa(copy)
    H = scenario_hypergraph(copy, data)
    return data, H, template_questions(data)


@pytest.mark.parametrize(
    ("scores", "printed"),
    [
        ((0.694, 0.378, 0.198, 0.224), 0.287),
        ((0.806, 0.506, 0.321, 0.362), 0.414),
        ((0.833, 0.652, 0.452, 0.441), 0.534),
        ((0.750, 0.618, 0.397, 0.399), 0.487),
        ((0.819, 0.633, 0.434, 0.395), 0.510),
        ((0.819, 0.646, 0.440, 0.407), 0.519),
    ],
)
def test_the_mix_gives_the_printed_overall_from_the_printed_scores_by_type(scores, printed):
    found = template_overall(dict(zip(MIX, scores, strict=True)))
    assert abs(found - printed) <= 0.0005 + 1e-9


def test_without_descriptions_the_mix_is_over_the_other_three():
    # (.05 · 1 + .325 · .5 + .425 · 0) / .8
    assert math.isclose(template_overall({"TF": 1, "MC": 0.5, "SA": 0, "TD": math.nan}), 0.2125 / 0.8)
    with pytest.raises(ValueError, match="no score of type SA"):
        template_overall({"TF": 1, "MC": 0.5, "TD": 1})
    with pytest.raises(ValueError, match="no type is named 'XX'"):
        template_overall({"XX": 1})


def test_scores_by_type_come_with_their_number_and_say_what_they_are_over():
    rows = [("q1", "TF", 1), ("q2", "MC", 1), ("q3", "MC", 0), ("q4", "SA", 1), ("q5", "TD", None)]
    table = pd.DataFrame(rows, columns=["question_id", "type", "right"]).assign(method="m")
    row = template_scores(table).loc["m"]
    assert row["MC"] == 0.5 and row["MC questions"] == 2 and row["TD questions"] == 0 and math.isnan(row["TD"])
    assert row["over"] == "TF, MC, SA" and math.isclose(row["overall"], (0.05 + 0.325 / 2 + 0.425) / 0.8)
    judged = template_scores(pd.concat([table, table.iloc[-1:].assign(question_id="q6", right=0.5)])).loc["m"]
    assert judged["over"] == "TF, MC, SA, TD" and math.isclose(judged["overall"], 0.05 + 0.325 / 2 + 0.425 + 0.1)
    assert math.isnan(template_scores(table[table["type"] != "SA"]).loc["m", "overall"])


def test_scenarios_become_sentences_at_their_horizons(scene):
    _, H, _ = scene
    edges = H.edges
    assert set(edges["group"]) == {"ADA 2022/Baltimore"} and set(edges["horizon"]) == {24, 12, 0}
    late = set(edges.loc[edges["horizon"] == 12, "text"])
    assert "ADA 2022 is 12 hours from landfall." in late
    assert "The port condition of Baltimore because of ADA 2022 is X-RAY." in late
    # at T-24 the bulletin of nine o'clock was posted, that of six in the evening was not
    early = set(edges.loc[edges["horizon"] == 24, "text"])
    assert "The port condition of Baltimore because of ADA 2022 is WHISKEY." in early
    assert "The disruption of Baltimore from ADA 2022 ended on 2022-06-06." in set(
        edges.loc[edges["horizon"] == 0, "text"]
    )


def test_what_happened_afterwards_stands_at_no_horizon(scene):
    _, H, _ = scene
    told = H.edges[H.edges["text"].str.contains("disruption|recovery of")]
    assert len(told) == 4 and (told["horizon"] == 0).all()


def whole(H, order=None):
    P = hg.order.precedence(H)
    ids = [edge for group in P.groups for edge in P.canonical_order(group)]
    return H.edges.loc[ids if order is None else order(ids)]


def answers(scene, hindsight=False, order=None):
    _, H, questions = scene
    steps, reader = whole(H, order), TemplateReader(hindsight)
    rows = [row | {"said": reader.answer(row, steps)} for row in questions.to_dict("records")]
    table = pd.DataFrame(rows).assign(right=[score_template(row, row["said"]) for row in rows])
    return table.set_index("question_id")


def test_all_evidence_in_order_answers_all_that_is_no_hindsight(scene):
    table = answers(scene)
    plain = table[~table["hindsight"]]
    assert (plain["right"] == 1).all() and len(plain) == 10  # Q1, Q6, Q31, Q41, Q16 at two horizons
    assert plain.loc["Q41/ADA_2022/Baltimore/T-12", "said"] == "C"
    assert plain.loc["Q6/ADA_2022/Baltimore/T-24", "said"].startswith("30.0N")


def test_hindsight_answers_nothing_unless_asked_for(scene):
    plain, flagged = answers(scene), answers(scene, hindsight=True)
    later = plain["hindsight"]
    assert plain.loc[later & (plain["template"] == "Q36"), "said"].isna().all()
    assert (flagged.loc[later & (flagged["template"] == "Q36"), "right"] == 1).all()
    # T-24 and 12 hours ahead: X-RAY, which stands at T-12; the flag alone lets the reader see it
    name = "Q42/ADA_2022/Baltimore/T-24/+12"
    assert plain.loc[name, "said"] == "B" and plain.loc[name, "right"] == 0
    assert flagged.loc[name, "said"] == "C" and flagged.loc[name, "right"] == 1


def test_the_flag_does_not_show_later_horizons_to_other_questions(scene):
    both = answers(scene)["said"], answers(scene, hindsight=True)["said"]
    plain = ~answers(scene)["hindsight"]
    pd.testing.assert_series_equal(both[0][plain], both[1][plain])


def test_the_last_step_read_counts_so_order_matters(scene):
    backwards = answers(scene, order=lambda ids: ids[::-1])
    assert backwards.loc["Q41/ADA_2022/Baltimore/T-12", "said"] == "B"  # WHISKEY of T-24 is read last
    assert backwards.loc["Q41/ADA_2022/Baltimore/T-24", "right"] == 1  # T-12 may not be seen at T-24


def test_steps_are_read_from_trajectories_with_and_without_their_table(scene):
    _, H, questions = scene
    found = hg.retrieval.Retriever(H, hg.order.precedence(H), None, WordEmbedder(16)).retrieve(
        "rain", method="dag", n=2
    )
    assert found
    for question in questions.to_dict("records"):
        assert TemplateReader()(question, found) == TemplateReader(edges=H.edges)(question, found)
    assert TemplateReader()(question, []) is None


@pytest.mark.parametrize(
    ("template", "kind", "text", "answer"),
    [
        ("Q2", "MC", f"The watch for {BECAUSE}: Hurricane Watch, for A to B.", "C"),
        ("Q3", "MC", f"The warning for {BECAUSE}: no warning.", "A"),
        ("Q5", "TD", f"The warning for {BECAUSE}: Tropical Storm Warning, for A, B and C.", "A, B and C"),
        ("Q8", "SA", "ADA 2022 moves north-northwest at 9 mph.", "9 mph"),
        ("Q7", "TD", "ADA 2022 moves north-northwest at 9 mph.", "north-northwest"),
        ("Q14", "SA", f"The cumulative probability of 50-kt winds{HERE} is <3%.", "N/A"),
        ("Q14", "SA", f"The cumulative probability of 50-kt winds{HERE} is 5%, highest after 48 hours.", "48"),
        ("Q11", "SA", f"The cumulative probability of 34-kt winds{HERE} is 5%, first above zero after 9 hours.", "5%"),
        ("Q26", "TF", f"The highest single-period probability of 34-kt winds{HERE} is 20%, after 9 hours.", "Yes"),
        ("Q26", "TF", f"The highest single-period probability of 34-kt winds{HERE} is 19%.", "No"),
        ("Q39", "SA", "The disruption of Baltimore took 3 days, 60 percent of calls and 7 calls in all.", None),
        ("Q35", "SA", "Anything.", None),
    ],
)  # fmt: skip
def test_fields_are_read_from_sentences(template, kind, text, answer):
    choices = ["None", "Tropical Storm", "Hurricane"] if kind == "MC" else []
    question = {
        "template": template,
        "type": kind,
        "group": "ADA 2022/Baltimore",
        "lead": 24,
        "ahead": 0,
        "choices": choices,
    }
    steps = pd.DataFrame({"group": ["ADA 2022/Baltimore"], "horizon": [24 if template != "Q39" else 0], "text": [text]})
    assert TemplateReader().answer(question, steps) == answer


def test_a_later_sentence_without_an_hour_takes_the_hour_back():
    about = "The cumulative probability of 50-kt winds from ADA 2022 at Baltimore is 5%"
    steps = pd.DataFrame(
        {"group": "ADA 2022/Baltimore", "horizon": [36, 24], "text": [f"{about}, highest after 9 hours.", f"{about}."]}
    )
    question = {"template": "Q14", "type": "SA", "group": "ADA 2022/Baltimore", "lead": 24, "ahead": 0, "choices": []}
    assert TemplateReader().answer(question, steps) == "N/A"
    assert TemplateReader().answer(question, steps[::-1]) == "9"


def test_five_probabilities_need_five_sentences():
    leads = (12, 24, 48, 72, 96)
    texts = [f"Within {h} hours the probability of 34-kt winds from ADA 2022 at Baltimore is {h // 2}%." for h in leads]
    steps = pd.DataFrame({"group": "ADA 2022/Baltimore", "horizon": 24, "text": texts})
    question = {"template": "Q33", "type": "SA", "group": "ADA 2022/Baltimore", "lead": 24, "ahead": 0, "choices": [],
                "measure": "probabilities", "answer": {f"in {h}h": h / 2 for h in leads}}  # fmt: skip
    reader = TemplateReader()
    assert json.loads(reader.answer(question, steps))["in 96h"] == "48%"
    assert score_template(question, reader.answer(question, steps)) == 1
    assert score_template(question, reader.answer(question, steps[:2])) == 2 / 5


def test_facts_of_the_storm_count_from_any_port_and_facts_of_a_port_from_its_own_alone():
    def steps(text):
        return pd.DataFrame({"group": ["ADA 2022/Norfolk"], "horizon": [24], "text": [text]})

    about = {"group": "ADA 2022/Baltimore", "lead": 24, "ahead": 0, "choices": [], "type": "SA"}
    assert TemplateReader().answer(about | {"template": "Q8"}, steps("ADA 2022 moves N at 9 mph.")) == "9 mph"
    rain = steps("The highest single-period probability of 34-kt winds from ADA 2022 at Norfolk is 19%.")
    assert TemplateReader().answer(about | {"template": "Q15"}, rain) is None


def test_no_answer_is_never_right_even_where_none_is_on_record():
    question = {"measure": "hours", "answer": None}
    assert score_template(question, None) == 0 and score_template(question, "N/A") == 1
    assert score_template({"measure": "hours", "answer": 12}, "N/A") == 0
    assert score_template({"measure": "text", "answer": "x"}, "y") is None


def test_what_is_left_out_is_counted(scene):
    data, _, _ = scene
    table = count_unanswerable(data)
    assert table.loc["Q35"].tolist() == ["SA", 2, 0, 2]  # the worst day is in no table
    assert table.loc["Q42", ["filled", "answerable", "left_out"]].tolist() == [8, 8, 0]
    assert table.loc["Q1", "left_out"] == 0


def test_pairs_are_chosen_and_unknown_ones_refused(scene, copy):
    data, H, _ = scene
    assert choose_scenarios(data, 5) == [PAIR]
    assert scenario_hypergraph(copy, data, [PAIR]).shape == H.shape
    with pytest.raises(ValueError, match="no scenario of ADA_2022 at Nowhere"):
        scenario_hypergraph(copy, data, [("ADA_2022", "Nowhere")])
    with pytest.raises(ValueError, match="pairs=0"):
        choose_scenarios(data, 0)


def test_questions_name_storm_port_and_horizon_in_the_query(scene):
    data, _, questions = scene
    row = questions[questions["template"] == "Q42"].iloc[1]
    assert row["query"] == "Ada 2022 at Baltimore, T-24: Then?" and row["ahead"] == 24
    few = template_questions(data, [PAIR], per_template=1, rng=0)
    assert few["template"].is_unique and len(few) == 7


def test_every_field_has_a_pattern():
    assert set(TEMPLATE_FIELDS.values()) == set(SLOTS)


def test_descriptions_are_judged_by_the_rubric_of_their_task(tmp_path):
    rows = pd.DataFrame(
        [
            {"task": "S1", "question": "q", "expected": "truth", "answer": "good"},
            {"task": "S2", "question": "q", "expected": "truth", "answer": "invented"},
            {"task": "S1", "question": "q", "expected": "truth", "answer": None},
        ]
    )

    def judge(request):
        assert request["messages"][0]["content"] == ("one" if '"good"' in said(request) else "two")
        return json.dumps({"score": 0.8, "hallucinated": "invented" in said(request)})

    with ChatServer(judge) as server:
        chat = Chat(url=server.url, model="m")
        assert judge_descriptions(chat, rows, {"S1": "one", "S2": "two"}) == [0.8, 0.0, 0.0]
        assert len(server.requests) == 2


def test_rubrics_come_from_the_copy(copy, tmp_path):
    with pytest.raises(FileNotFoundError, match="judge_prompts"):
        read_rubrics(copy)
    folder = write(tmp_path / "copy")
    (folder / "judge_prompts").mkdir()
    for task, name in {"S1": "CycloneStatusAndX", "S2": "Port-LevelHazardX", "S3": "PortOperationalX"}.items():
        (folder / "judge_prompts" / f"prompt_{name}.txt").write_text(task)
    assert read_rubrics(folder) == {"S1": "S1", "S2": "S2", "S3": "S3"}


@pytest.mark.real_data
@pytest.mark.slow
def test_whole_groups_in_order_answer_the_published_questions(shared_data):
    """What a reader of everything known at the horizon gets: the ceiling of retrieval with this reader."""
    path = shared_data / "cyportqa.tar.gz"
    data = cyportqa(path)
    pairs = choose_scenarios(data, 6)
    scene = data, scenario_hypergraph(path, data, pairs), template_questions(data, pairs)
    _, H, questions = scene
    P, reader = hg.order.precedence(H), TemplateReader()
    steps = {group: H.edges.loc[P.canonical_order(group)] for group in P.groups}
    rows = [
        row | {"method": "all", "right": score_template(row, reader.answer(row, steps[row["group"]]))}
        for row in questions[~questions["hindsight"]].to_dict("records")
    ]
    found = template_scores(pd.DataFrame(rows)).loc["all"]
    assert found["TF"] > 0.99 and found["MC"] > 0.95 and found["SA"] > 0.93 and found["over"] == "TF, MC, SA"
