"""Parsed values: kinds, numbers, words, and how numbers become features."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgwork import Hypergraph
from hgwork.order import precedence
from hgwork.order.transitions import TransitionModel, asymmetry, read_features, transition_matrix
from hgwork.order.transitions.features import Vocabulary, _hats
from hgwork.order.transitions.values import edge_kinds, edge_numbers, edge_words

from .transition_scenarios import WordEmbedder, scenarios


def test_kinds_join_relation_the_family_that_changes_and_qualifiers():
    frame = pd.DataFrame({"edge": ["e", "e", "f"], "node": ["x", "y", "x"], "qualifier": ["surge", "", None]})
    edges = {"e": {"relation": "has_threshold"}, "f": {"relation": "rises_to", "underlying": "wind"}}
    kinds = edge_kinds(Hypergraph.from_frame(frame, edges=edges))
    assert kinds.to_dict() == {"e": "has_threshold|surge", "f": "rises_to|wind"}


def values_of(*attributes, groups=None):
    edges = {f"e{i}": {"relation": "r", "attributes": a} for i, a in enumerate(attributes)}
    H = Hypergraph.from_dict({name: ["x"] for name in edges}, edges=edges)
    groups = np.array(groups or ["g"] * len(edges), object)
    kinds = edge_kinds(H)
    return edge_numbers(H, kinds, groups), edge_words(H, kinds)


def test_numbers_coordinates_changes_and_words_are_told_apart():
    numbers, words = values_of(
        {"wind": {"value": 45.0, "unit": "mph", "text": "45 mph"}, "status": "Watch in force."},
        {"latitude": "21.4°N", "longitude": "87.5°W"},
        {"wind": {"from": {"value": 45.0}, "to": {"value": 60.0}}, "hours": {"value": 48.0}},
        {"wind": np.nan, "gust": {"value": np.inf}, "seen": "8 October 2016"},
        None,
    )
    assert list(zip(numbers["row"], numbers["slot"], numbers["value"], strict=True)) == [
        (0, "r/wind", 45.0),
        (1, "r/latitude", 21.4),
        (1, "r/longitude", -87.5),
        (2, "r/wind/from", 45.0),
        (2, "r/wind/to", 60.0),
    ]
    assert words.to_numpy().tolist() == [[0, "r/status=watch in force"]]


def test_the_rank_of_a_number_is_among_the_different_ones_of_its_group():
    numbers, _ = values_of(*({"a": v} for v in (5, 7, 5, 9, 100, 3)), groups=["g"] * 4 + ["h"] + ["k"])
    # in g: 5 < 7 < 9, so 0, ½, 0, 1; alone in h and k: ½
    assert numbers["rank"].tolist() == [0.0, 0.5, 0.0, 1.0, 0.5, 0.5]


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=8, unique=True), st.floats(-60, 60))
def test_interpolation_between_knots_gives_the_number_back_and_clips_outside(knots, value):
    knots = np.array(sorted(knots), float)
    parts = _hats(np.array([0]), np.array([value]), knots, start=0)
    total = sum(float(weight[0]) for _, _, weight in parts)
    back = sum(float(weight[0]) * knots[code[0]] for _, code, weight in parts)
    assert np.isclose(total, 1) and np.isclose(back, np.clip(value, knots[0], knots[-1]))


def test_the_vocabulary_knows_training_rows_alone():
    H = scenarios(storms=4)
    features = read_features(H, WordEmbedder())
    rows = np.flatnonzero(features.groups != "STORM3/Port 0")
    words = Vocabulary.learn(features, rows)
    numbers = features.numbers[np.isin(features.numbers["row"], rows)]
    for slot, knots in words.knots.items():
        values = numbers.loc[numbers["slot"] == slot, "value"]
        assert (knots[0], knots[-1]) == (values.min(), values.max())
    assert Vocabulary.from_json(words.to_json()).to_json() == words.to_json()
    index, weight = words.encode(features)
    assert index.max() < words.size and index.shape == weight.shape == (len(features.ids), index.shape[1])


def test_a_word_counts_once_three_storms_use_it():
    H = scenarios(storms=4, ports=2)
    edges = H.edges
    said = ["rare" if storm in ("STORM0", "STORM1") else "common" for storm in edges["storm"]]
    for storm in ("STORM0", "STORM1", "STORM2"):
        said[edges["storm"].tolist().index(storm)] = "often"
    edges["attributes"] = [{"status": word} for word in said]
    features = read_features(Hypergraph.from_frame(H.incidences, edges=edges, nodes=H.nodes), WordEmbedder())
    words = Vocabulary.learn(features, np.arange(len(features.ids))).words
    assert words == ("has_cyclone_state/status=often",)  # rare and common: two storms each


def test_a_kind_that_training_did_not_hold_still_scores():
    H = scenarios(storms=4)
    edges = H.edges
    new = edges.index[edges["group"] == "STORM3/Port 0"][1]
    edges.loc[new, "relation"] = "has_warning_status"
    H = Hypergraph.from_frame(H.incidences, edges=edges, nodes=H.nodes)
    P = precedence(H)
    model = TransitionModel(rank=4, direction=2, embedder=WordEmbedder(), epochs=2).fit(H, P, groups=P.groups[:3])
    assert np.isfinite(model.score([new], edges.index[:5].tolist())).all()


def test_the_transition_matrix_by_hand():
    """One group of three: from each, the other two are equally likely."""

    class Even:
        def log_prob(self, ids_i, ids_j):
            log_p = np.full((len(ids_i), len(ids_j)), -np.log(len(ids_j) - 1))
            np.fill_diagonal(log_p, -np.inf)
            return log_p

    edges = {"a": {"family": "x"}, "b": {"family": "x"}, "c": {"family": "y"}, "d": {"family": "z"}}
    edges = {name: {**row, "group": "h" if name == "d" else "g"} for name, row in edges.items()}
    H = Hypergraph.from_dict({name: ["n"] for name in edges}, edges=edges)
    matrix = transition_matrix(Even(), H)
    # x to x: ½ (the other x), x to y: ½; y to x: 1; d is alone in its group
    assert matrix.to_numpy().tolist() == [[0.5, 0.5, 0], [1, 0, 0], [0, 0, 0]]
    assert matrix.index.tolist() == matrix.columns.tolist() == ["x", "y", "z"]
    # (½ − 1) / (½ + 1)
    assert np.isclose(asymmetry(matrix).loc["x", "y"], -1 / 3) and asymmetry(matrix).loc["z", "z"] == 0
    with pytest.raises(ValueError, match="no column 'mood'"):
        transition_matrix(Even(), H, by="mood")
