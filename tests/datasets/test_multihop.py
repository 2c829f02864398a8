"""The bundled multi-hop pool: what its README promises holds of every passage and every question."""

import re
from collections import Counter

import networkx as nx
import pytest

from hgwork.datasets import multihop


@pytest.fixture(scope="module")
def pool():
    documents, questions = multihop()
    return {document.id: document for document in documents}, questions


def chains(questions):
    return questions[questions["type"] != "comparison"]


def words(text):
    return re.findall(r"\w+", text.lower())


def test_ids_number_the_passages_and_texts_have_40_to_110_words():
    documents, questions = multihop()
    assert [document.id for document in documents] == [f"multihop/{n:03d}" for n in range(1, len(documents) + 1)]
    assert len(documents) >= 140
    assert all(40 <= len(document.text.split()) <= 110 for document in documents)
    assert len({document.text for document in documents}) == len(documents)
    assert questions.index.is_unique and questions["question"].is_unique


def test_exactly_two_titles_stand_twice(pool):
    passages, _ = pool
    titles = Counter(passage.title for passage in passages.values())
    assert {title: n for title, n in titles.items() if n > 1} == {"Low Water": 2, "Petrel": 2}


def test_there_are_enough_questions_of_every_length_and_type(pool):
    _, questions = pool
    hops = questions["hops"].value_counts()
    assert len(questions) >= 90 and hops[2] >= 45 and hops[3] >= 25 and hops[4] >= 12
    assert set(questions["type"]) == {"bridge", "comparison", "composition", "temporal"}
    assert (questions["type"].value_counts() >= 10).all()


def test_every_gold_passage_exists_and_counts_as_one_hop(pool):
    passages, questions = pool
    assert (questions["missing"] == 0).all()
    for row in questions.itertuples():
        assert len(set(row.gold)) == len(row.gold) == row.hops
        assert set(row.gold) <= set(passages)


def test_the_answer_stands_in_the_last_gold_passage_and_in_none_before_it(pool):
    passages, questions = pool
    for row in questions.itertuples():
        if row.answer in ("yes", "no"):
            assert row.type == "comparison"
            continue
        assert row.answer in passages[row.gold[-1]].text, row.Index
        for name in row.gold[:-1]:
            assert row.answer not in f"{passages[name].title} {passages[name].text}", row.Index


def test_no_passage_holds_both_the_thing_asked_from_and_the_answer(pool):
    passages, questions = pool
    for row in chains(questions).itertuples():
        assert row.answer.lower() not in row.question.lower(), row.Index
        first = row.links[0]
        for passage in passages.values():
            text = f"{passage.title} {passage.text}"
            if first["mention"] in text or first["target"] in text:
                assert row.answer not in text, (row.Index, passage.id)


def test_the_links_lead_from_the_question_through_all_gold_passages(pool):
    passages, questions = pool
    for row in questions.itertuples():
        assert [link["to"] for link in row.links] == row.gold, row.Index
        seen = ["question"]
        for link in row.links:
            assert link["from"] in seen
            source = row.question if link["from"] == "question" else passages[link["from"]].text
            target = passages[link["to"]]
            assert link["mention"] in source, (row.Index, link)
            assert link["target"] in f"{target.title}. {target.text}", (row.Index, link)
            seen.append(link["to"])


def test_a_third_of_the_links_cannot_be_followed_by_title(pool):
    passages, questions = pool
    blind = []
    for row in questions.itertuples():
        for link in row.links:
            if link["from"] != "question":
                source, target = passages[link["from"]], passages[link["to"]]
                titled = target.title in source.text or target.title in row.question or source.title in target.text
                blind.append(not titled)
    assert sum(blind) >= len(blind) / 3


def test_questions_copy_no_six_words_of_a_gold_passage_but_names(pool):
    passages, questions = pool
    names = [" ".join(words(passage.title)) for passage in passages.values() if len(passage.title.split()) > 4]
    for row in questions.itertuples():
        asked = words(row.question)
        for name in row.gold:
            text = " ".join(words(passages[name].text))
            for start in range(len(asked) - 5):
                run = " ".join(asked[start : start + 6])
                assert run not in text or any(run.removeprefix("the ") in title for title in names), (row.Index, run)


def test_one_passage_shares_no_name_with_any_other(pool):
    passages, questions = pool
    gold = {name for names in questions["gold"] for name in names}
    (alone,) = [passage for passage in passages.values() if passage.title == "Pillow draughts"]
    assert alone.id not in gold
    assert not re.findall(r"(?<![.] )(?<!^)\b[A-Z]", alone.text)
    assert not [passage.id for passage in passages.values() if passage is not alone and alone.title in passage.text]


def test_no_passage_is_gold_in_both_halves(pool):
    _, questions = pool
    parts = {split: {name for names in half["gold"] for name in names} for split, half in questions.groupby("split")}
    assert set(parts) == {"dev", "test"}
    assert not parts["dev"] & parts["test"]


def test_the_halves_follow_from_the_rule_of_the_readme(pool):
    _, questions = pool
    graph = nx.Graph()
    for row in questions.itertuples():
        nx.add_path(graph, [row.Index, *row.gold])
    groups = [sorted(set(part) & set(questions.index)) for part in nx.connected_components(graph)]
    held = {"dev": Counter(), "test": Counter()}
    for group in sorted(groups, key=lambda group: (-len(group), group[0])):
        hops = Counter(questions.loc[group, "hops"])
        after = {
            split: sum(abs(held[split][h] + hops[h] - held[other][h]) for h in (2, 3, 4))
            for split, other in (("dev", "test"), ("test", "dev"))
        }
        choice = "dev" if after["dev"] <= after["test"] else "test"
        held[choice] += hops
        assert set(questions.loc[group, "split"]) == {choice}, group
    assert abs(held["dev"].total() - held["test"].total()) <= 5


def test_a_half_has_its_questions_and_all_passages():
    documents, questions = multihop()
    both = [multihop(split) for split in ("dev", "test")]
    assert all(half[0] == documents for half in both)
    assert sorted([*both[0][1].index, *both[1][1].index]) == sorted(questions.index)
    assert set(both[1][1]["split"]) == {"test"}


def test_an_unknown_split_is_named():
    with pytest.raises(ValueError, match="split='train'"):
        multihop("train")
