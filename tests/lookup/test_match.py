"""Words of a question find their nodes, say how, and show what else it could have been."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgwork import Hypergraph
from hgwork.lookup import match
from hgwork.lookup.words import located, tokens
from tests.lookup.test_ranking import Fixed

NAMES = {
    "e1": ["fescue grass", "PCL", "polylactic acid (PLA)"],
    "e2": ["PCL", "cerium oxide", "silk fibroin"],
    "e3": ["Silk", "hydrogel", "PCL", "water"],
    "e4": ["silk", "water", "生物材料", "PCL"],
    "e5": ["β-tricalcium phosphate", "mechanism", "sea grass meadow"],
}
WORDS = ("exact", "alias", "lexical")


@pytest.fixture(scope="module")
def H():
    return Hypergraph.from_dict(NAMES)


def chosen(table):
    return dict(table.loc[table["chosen"], ["word", "node"]].values.tolist())


def test_grass_is_seen_to_match_fescue_grass_and_what_else_it_could_be(H):
    table = match(H, "grass", methods=WORDS, threshold=0.3)
    assert table["node"].tolist() == ["fescue grass", "sea grass meadow"]
    assert table["how"].tolist() == ["lexical"] * 2 and table["rank"].tolist() == [1, 2]
    assert table["chosen"].tolist() == [True, False]
    # 13 names. grass is in two: ln(1 + 11.5 / 2.5); fescue, sea, meadow in one: ln(1 + 12.5 / 1.5)
    grass, once = 1.722767, 2.233592
    shares = [grass / (grass + once), grass / (grass + 2 * once)]
    assert table["score"].tolist() == pytest.approx([0.97 * (0.65 + 0.35 * share) for share in shares], abs=1e-5)


def test_a_question_names_its_concepts_and_not_what_it_asks(H):
    table = match(H, "What is the mechanism that links cerium oxide and PCL in hydrogels?", methods=WORDS)
    assert chosen(table) == {"cerium oxide": "cerium oxide", "PCL": "PCL", "hydrogels": "hydrogel"}
    assert table["word"].drop_duplicates().tolist() == ["cerium oxide", "PCL", "hydrogels"]


def test_a_word_of_questions_matches_only_a_text_of_its_own(H):
    assert chosen(match(H, "mechanism", methods=WORDS)) == {"mechanism": "mechanism"}
    assert "mechanism" not in match(H, "the mechanism of silk", methods=WORDS)["word"].tolist()


def test_the_longest_name_wins_over_the_names_inside_it(H):
    assert match(H, "does silk fibroin swell in water", methods=WORDS)["word"].drop_duplicates().tolist() == [
        "silk fibroin",
        "water",
    ]


def test_of_names_that_differ_in_case_the_one_as_asked_comes_first(H):
    for asked, other in (("silk", "Silk"), ("Silk", "silk")):
        found = match(H, asked, methods=["exact"])
        assert found["node"].tolist() == [asked, other] and found["how"].tolist() == ["exact"] * 2


def test_aliases_come_from_parentheses_from_a_column_and_from_the_caller(H):
    assert chosen(match(H, "PLA", methods=WORDS)) == {"PLA": "polylactic acid (PLA)"}
    assert match(H, "polylactic acid", methods=WORDS)["how"].iloc[0] == "alias"
    listed = Hypergraph.from_dict(
        NAMES, nodes={"PCL": {"aliases": ["polycaprolactone"]}, "silk": {"aliases": "fibroin|seta"}}
    )
    assert chosen(match(listed, "polycaprolactone with seta", methods=WORDS)) == {
        "polycaprolactone": "PCL",
        "seta": "silk",
    }
    given_ = match(H, "TCP", methods=WORDS, aliases={"tcp": "β-tricalcium phosphate"})
    assert given_[["node", "how"]].values.tolist() == [["β-tricalcium phosphate", "alias"]]
    with pytest.raises(ValueError, match="'x' points to 'nothing'"):
        match(H, "x", aliases={"x": "nothing"})


def test_another_spelling_is_found_where_no_word_is_shared(H):
    found = match(H, "hydrogell", methods=WORDS)
    # Nine letters against eight: 1 - 1 / 17 alike; slightly less, so that no spelling equals the word itself.
    like = 0.999 * (1 - 1 / 17)
    assert found["node"].tolist() == ["hydrogel"]
    assert found["score"].item() == pytest.approx(0.97 * like * (0.65 + 0.35 * like), abs=1e-5)
    assert match(H, "zzzzzzz", methods=WORDS).empty


def test_vectors_are_asked_only_where_no_name_or_alias_is_the_word(H):
    axis = {name: [float(name == "water"), float(name == "PCL"), 0.1] for held in NAMES.values() for name in held}
    table = match(H, ["moisture", "PCL"], embedder=Fixed(axis | {"moisture": [1.0, 0.0, 0.0]}))
    first = table[table["word"] == "moisture"].iloc[0]
    assert first[["node", "how", "rank", "chosen"]].tolist() == ["water", "embedding", 1, True]
    assert first["score"] == pytest.approx(1 / 1.01**0.5, abs=1e-5)
    assert set(table.loc[table["word"] == "PCL", "how"]) == {"exact"}


def test_the_packaged_vectors_know_what_words_do_not(H):
    assert chosen(match(H, "ceria", threshold=0.3)) == {"ceria": "cerium oxide"}


def test_a_score_below_the_threshold_is_listed_and_not_chosen(H):
    table = match(H, "grass", methods=WORDS, threshold=0.9)
    assert len(table) == 2 and not table["chosen"].any()


@pytest.mark.parametrize("threshold", [1.5, -1.01, float("nan"), float("inf"), "high"])
def test_a_threshold_that_no_score_can_reach_is_refused(H, threshold):
    with pytest.raises(ValueError, match=r"lies in \[-1, 1\]"):
        match(H, "PCL", threshold=threshold)


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"n": 0}, "at least 1"), ({"methods": ["fuzzy"]}, "fuzzy"), ({"methods": "fuzzy"}, "fuzzy")],
)
def test_other_bad_input_says_what_is_wrong(H, settings, message):
    with pytest.raises(ValueError, match=message):
        match(H, "PCL", **settings)


def test_other_scripts_hyphens_and_greek_letters_find_their_nodes(H):
    assert chosen(match(H, "生物材料 和 PCL", methods=WORDS)) == {"生物材料": "生物材料", "PCL": "PCL"}
    assert chosen(match(H, "Β‑tricalcium phosphate?", methods=WORDS)) == {
        "Β‑tricalcium phosphate": "β-tricalcium phosphate"
    }


@pytest.mark.parametrize("text", ["", "   ", "?!", "of the and"])
def test_a_text_that_names_nothing_has_no_rows(H, text):
    table = match(H, text, methods=WORDS)
    assert table.empty and table.columns.tolist() == ["word", "node", "score", "how", "rank", "chosen"]


def test_an_empty_hypergraph_matches_nothing():
    assert match(Hypergraph.from_dict({}), "PCL and silk").empty


def test_a_very_long_text_is_answered(H):
    assert chosen(match(H, "no such word here " * 3000 + "PCL", methods=WORDS))["PCL"] == "PCL"


@given(st.text(max_size=60))
def test_any_text_has_an_answer_in_order(text):
    table = match(Hypergraph.from_dict(NAMES), text, methods=WORDS)
    assert table["score"].between(-1, 1).all()
    for _, part in table.groupby("word", sort=False):
        assert part["rank"].tolist() == list(range(1, len(part) + 1)) and part["score"].is_monotonic_decreasing
    pd.testing.assert_frame_equal(table, match(Hypergraph.from_dict(NAMES), text, methods=WORDS))


def test_scores_say_how_sure_a_method_is(H):
    for text, score, how in (("silk", 1, "exact"), ("SILK", 0.99, "exact"), ("PLA", 0.98, "alias")):
        assert match(H, text, methods=WORDS).iloc[0][["score", "how"]].tolist() == [score, how]
    assert match(H, "Hydro-gels", methods=WORDS).iloc[0][["node", "score", "how"]].tolist() == [
        "hydrogel",
        0.97,
        "lexical",
    ]


def test_texts_define_abbreviations_in_both_directions():
    texts = {"a": {"text": "We spun polycaprolactone (PCL) and poly(lactic acid) (PLA) fibres (Fig. 2)."}}
    texts["b"] = {"text": "Here PCL (5 kPa) is the posterior cruciate ligament (PCL)."}
    H = Hypergraph.from_dict({"a": ["polycaprolactone", "PLA"], "b": ["posterior cruciate ligament"]}, edges=texts)
    assert match(H, "poly(lactic acid)", methods=WORDS).iloc[0][["node", "how"]].tolist() == ["PLA", "alias"]
    found = match(H, "PCL", methods=WORDS)
    assert found["node"].tolist() == ["polycaprolactone", "posterior cruciate ligament"]  # both meanings are seen
    assert found["score"].tolist() == [0.98, 0.98] and found["chosen"].tolist() == [True, False]


def test_ties_are_broken_by_degree_and_then_by_table_order():
    H = Hypergraph.from_dict({"1": ["sea grass", "red grass", "wet grass"], "2": ["wet grass"]})
    assert match(H, "grass", methods=WORDS)["node"].tolist() == ["wet grass", "sea grass", "red grass"]


def test_rare_words_count_more_than_common_ones():
    names = [f"{kind} scaffold" for kind in ("silk", "wool", "bone", "clay", "wood")] + ["ceria film"]
    found = match(Hypergraph.from_dict({"a": names}), ["ceria scaffold"], methods=WORDS, n=10)
    assert found["node"].iloc[0] == "ceria film" and len(found) == 6


def test_words_inside_words_are_seen_below_words_of_their_own():
    H = Hypergraph.from_dict({"a": ["cordgrass", "tall grass", "nanohydroxyapatite", "hydroxyapatite coating"]})
    assert match(H, "grass", methods=WORDS)["node"].tolist() == ["tall grass", "cordgrass"]
    share = 14 / 18
    # 14 of 18 letters, of words that both stand in one name
    found = match(H, "hydroxyapatite", methods=WORDS)
    assert found["node"].tolist() == ["hydroxyapatite coating", "nanohydroxyapatite"]
    assert found["score"].tolist() == pytest.approx(
        [0.97 * (0.65 + 0.35 / 2), 0.97 * share * (0.65 + 0.35 * share)], abs=1e-5
    )


def test_names_do_not_reach_across_punctuation(H):
    found = match(H, "Compare cerium, oxide and silk.", methods=WORDS)
    assert "cerium, oxide" not in found["word"].tolist() and {"cerium", "oxide", "silk"} <= set(found["word"])


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("How does porosity influence the effect of cell adhesion?", {"porosity", "cell adhesion"}),
        ("What is the relation between the two?", set()),
        ("Why did it take 3 days?", {"days"}),
        ("mechanism, effect or relation between them", set()),
    ],
)
def test_only_concepts_are_looked_up(question, words):
    H = Hypergraph.from_dict({"a": ["porosity", "cell adhesion", "3", "it", "relation to cost", "days"]})
    assert set(match(H, question, methods=WORDS)["word"]) == words


def test_words_of_questions_match_exactly_where_the_text_names_nothing_else():
    H = Hypergraph.from_dict({"a": ["mechanism", "side effect", "silk"]})
    assert chosen(match(H, "What is the mechanism of the effect?", methods=WORDS)) == {"mechanism": "mechanism"}
    assert set(match(H, "What is the mechanism of silk?", methods=WORDS)["word"]) == {"silk"}


def test_a_list_is_looked_up_as_it_is(H):
    assert match(H, ["mechanism", "silk", "silk", " "], methods=WORDS)["word"].drop_duplicates().tolist() == [
        "mechanism",
        "silk",
    ]
    with pytest.raises(ValueError, match="item 1 is int"):
        match(H, ["silk", 3])


def test_other_languages_find_names_and_single_words():
    H = Hypergraph.from_dict({"a": ["Knochenersatz", "Chitosan", "кость", "骨", "os cortical"]})
    found = chosen(match(H, "Wie beeinflusst Chitosan den Knochenersatz?", methods=WORDS))
    assert found == {"Chitosan": "Chitosan", "Knochenersatz": "Knochenersatz"}
    assert chosen(match(H, "Как растёт кость", methods=WORDS)) == {"кость": "кость"}
    assert "骨" in chosen(match(H, "骨はどう育つ", methods=WORDS))


def test_marks_and_accents_make_no_difference_to_words():
    H = Hypergraph.from_dict({"a": ["cafe\u0301 au lait", "हिन्दी", "α-TCP", "TiO₂ film"]})
    for text, node in (
        ("café au lait", "cafe\u0301 au lait"),
        ("CAFE-AU-LAIT", "cafe\u0301 au lait"),
        ("हिन्दी", "हिन्दी"),
        ("alpha TCP", "α-TCP"),
        ("TiO2 films", "TiO₂ film"),
    ):
        assert match(H, [text], methods=WORDS)["node"].iloc[0] == node


def test_vectors_are_computed_once_for_equal_names():
    class Counting(Fixed):
        signature, calls = "counting", 0

        def encode(self, texts, progress=False):
            Counting.calls += 1
            return super().encode(texts, progress)

    held = Counting({"silk": [1, 0], "wool": [0, 1], "fleece": [0.1, 1]})
    for edges in ({"a": ["silk", "wool"]}, {"a": ["silk", "wool"], "b": ["silk"]}):
        assert match(Hypergraph.from_dict(edges), ["fleece"], embedder=held)["node"].iloc[0] == "wool"
    assert Counting.calls == 3  # the names, and each question


@given(st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=5, unique=True), st.data())
def test_every_name_finds_itself_first(names, data):
    H = Hypergraph.from_dict({"a": [name.replace("\0", "") or "x" for name in names]})
    name = data.draw(st.sampled_from(H.nodes.index.tolist()))
    if name.strip():
        found = match(H, [name], methods=WORDS).iloc[0]
        assert found[["node", "score", "how", "chosen"]].tolist() == [name, 1, "exact", True]


@given(st.text(st.characters(codec="ascii"), max_size=40))
def test_plain_text_is_read_as_it_is_among_other_scripts(text):
    assert tokens(text) == tokens(text + " ∎") == [word for word, *_ in located(text)]
    assert all(text[start:end].lower().startswith(word[:2]) for word, start, end in located(text))
