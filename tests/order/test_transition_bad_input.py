"""Transition models on odd vectors, odd options, odd groups and odd files: an error that says what to do."""

import json

import numpy as np
import pandas as pd
import pytest
from safetensors.numpy import load as unpacked
from safetensors.numpy import save as packed

from hgwork import Hypergraph
from hgwork.order import precedence
from hgwork.order.transitions import BASELINES, TransitionModel, read_features

from .transition_scenarios import WordEmbedder, scenarios

FAST = {"rank": 4, "direction": 2, "embedder": WordEmbedder(), "epochs": 2}


@pytest.fixture(scope="module")
def scene():
    H = scenarios(storms=5)
    return H, precedence(H)


@pytest.fixture(scope="module")
def trained(scene):
    return TransitionModel(**FAST).fit(*scene)


class Changed(WordEmbedder):
    """A word embedder that goes wrong after the vectors are made."""

    def __init__(self, change):
        super().__init__()
        self.change = change

    def encode(self, texts, **options):
        return self.change(super().encode(texts, **options))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda v: np.where(np.arange(len(v))[:, None] == 3, np.nan, v), "1 vectors that are not finite.*'e0003'"),
        (lambda v: v * np.inf, "80 vectors that are not finite"),
        (lambda v: v[:-1], r"shape \(79, 32\) for 80 texts"),
        (lambda v: v[:, 0], r"shape \(80,\) for 80 texts"),
    ],
)
def test_vectors_that_cannot_be_used_are_refused(scene, change, message):
    with pytest.raises(ValueError, match=message):
        TransitionModel(**FAST | {"embedder": Changed(change)}).fit(*scene)


@pytest.mark.parametrize(
    "option",
    [
        *({"rank": value} for value in (4.0, "4", True, None)),
        {"direction": 1.5},
        {"epochs": 1.5},
        {"negatives": -3},
        {"largest": 1},
        *({name: float("nan")} for name in ("margin", "alpha", "report_weight", "learning_rate", "dropout")),
        {"strata": {"same place": -1}},
        {"learning_rate": "x"},
        {"validation": 1},
    ],
)
def test_options_of_the_wrong_kind_are_named(option):
    with pytest.raises(ValueError, match=next(iter(option))):
        TransitionModel(**FAST | option)


def test_training_that_runs_away_says_so(scene):
    with pytest.raises(ValueError, match="learning_rate below"):
        TransitionModel(**FAST | {"learning_rate": 1e30}).fit(*scene)


@pytest.mark.parametrize(
    "option", [{"rank": 200}, {"epochs": 1}, {"largest": 2}, {"validation": 0.99}, {"negatives": 0}]
)
def test_options_at_their_ends_train(scene, option):
    model = TransitionModel(**FAST | option).fit(*scene)
    assert np.isfinite(model.log_prob(["e0000"], ["e0001", "e0002"])).all() and model.history["loss"].notna().all()


def test_a_stretch_without_a_positive_pair_does_no_harm(scene):
    H, P = scene
    ends = [
        (P.canonical_order(group)[0], P.canonical_order(group)[-1]) for group in P.groups
    ]  # never both in two of 16
    model = TransitionModel(**FAST, signals=["retrieved"], largest=2).fit(H, P, pairs=ends)
    assert model.history["loss"].notna().all() and all(np.isfinite(value).all() for value in model.weights.values())


def test_one_name_is_no_list_of_names(scene, trained):
    with pytest.raises(TypeError, match="'e0000' is one hyperedge"):
        trained.log_prob("e0000", ["e0001"])
    with pytest.raises(TypeError, match="is one group: give a list"):
        TransitionModel(**FAST).fit(*scene, groups=scene[1].groups[0])


def test_no_candidates_give_an_empty_table(trained):
    assert [trained.log_prob(i, j).shape for i, j in (([], ["e0001"]), (["e0001"], []), ([], []))] == [
        (0, 1),
        (1, 0),
        (0, 0),
    ]


def two(index, group="g"):
    edges = pd.DataFrame({"relation": "has_motion", "text": "x", "group": group, "horizon": index}, index=["e0", "e1"])
    return Hypergraph.from_dict({"e0": "xy", "e1": "xy"}, edges=edges)


def test_without_a_group_there_is_nothing_to_learn():
    H = two([48, 36], None)
    with pytest.raises(ValueError, match="there is no group"):
        TransitionModel(**FAST).fit(H, precedence(H))


@pytest.mark.parametrize("name", list(BASELINES))
def test_baselines_know_no_order_where_there_is_none(name):
    H = two([48, 48])
    model = BASELINES[name]().fit(read_features(H, WordEmbedder()), precedence(H))
    if name not in ("pair MLP", "document order"):
        assert model.direction(["e0"], ["e1"]).tolist() == [[0.0]]
    assert model.log_prob(["e0"], ["e1"]).tolist() == [[0.0]]


@pytest.mark.parametrize(
    "value", [10**400, [1, 2], np.array([1.0]), pd.NA, {}, {"value": "abc"}, {"value": float("nan")}]
)
def test_attributes_of_any_kind_train(value):
    edges = two([48, 36]).edges.assign(attributes=[{"v": value}, {"v": -1e308}])
    H = Hypergraph.from_dict({"e0": "xy", "e1": "xy"}, edges=edges)
    assert np.isfinite(TransitionModel(**FAST).fit(H, precedence(H)).direction(["e0"], ["e1"])).all()


# ---------------------------------------------------------------- files


def edited(folder, **changes):
    """model.json with some keys changed."""
    path = folder / "model.json"
    content = json.loads(path.read_text("utf-8"))
    for name, change in changes.items():
        content[name] = change(content[name]) if callable(change) else change
    path.write_text(json.dumps(content))


def without(name):
    return lambda content: {key: value for key, value in content.items() if key != name}


@pytest.mark.parametrize(
    "changes",
    [
        *({name: value} for name in ("options", "vocabulary", "shapes") for value in ("x", [1])),
        {"options": {}},
        {"options": lambda o: o | {"zz": 1}},
        {"options": lambda o: o | {"rank": "x"}},
        {"options": lambda o: o | {"rank": 99}},
        {"options": lambda o: o | {"direction": 7}},
        {"options": lambda o: o | {"numbers": False}},
        {"options": lambda o: o | {"embedder": "x"}},
        {"vocabulary": None},
        {"vocabulary": without("kinds")},
        {"vocabulary": lambda v: v | {"kinds": list(range(len(v["kinds"])))}},
        {"vocabulary": lambda v: v | {"knots": {name: knots[::-1] for name, knots in v["knots"].items()}}},
        {"history": "x"},
        {"dimension": 5},
    ],
)
def test_a_description_that_fits_no_model_is_refused_by_name(trained, tmp_path, changes):
    trained.save(tmp_path / "m")
    edited(tmp_path / "m", **changes)
    with pytest.raises(ValueError, match=str(tmp_path / "m")):
        TransitionModel.load(tmp_path / "m", WordEmbedder())


@pytest.mark.parametrize(
    "change",
    [
        lambda w: {name: value.astype(np.float64) for name, value in w.items()},
        without("V"),
        without("U"),
        without("B"),
        without("V_features"),
        lambda w: w | {"Z": w["V"]},
        lambda w: w | {"V": w["V"][:, :5].copy()},
        lambda w: w | {"V": w["V"][:2].copy()},
        lambda w: w | {"V": w["V"] * np.nan},
    ],
)
def test_weights_of_another_model_are_refused_by_name(trained, tmp_path, change):
    path = trained.save(tmp_path / "m") / "weights.safetensors"
    weights = change(unpacked(path.read_bytes()))
    path.write_bytes(packed(weights))
    edited(tmp_path / "m", shapes={name: list(value.shape) for name, value in weights.items()})  # the files agree
    with pytest.raises(ValueError, match=str(tmp_path / "m")):
        TransitionModel.load(tmp_path / "m", WordEmbedder())


def test_files_that_are_no_model_are_named(trained, tmp_path):
    folder = trained.save(tmp_path / "m")
    (folder / "model.json").write_text("[" * 100_000)
    with pytest.raises(ValueError, match=r"model\.json is no JSON"):
        TransitionModel.load(folder, WordEmbedder())
    with pytest.raises(FileNotFoundError, match="is missing"):
        TransitionModel.load(folder / "model.json", WordEmbedder())
    with pytest.raises(FileNotFoundError, match="make it first"):
        trained.save(tmp_path / "no" / "such" / "folder")


# ---------------------------------------------------------------- measures


def test_nothing_to_measure_is_said_so(scene):
    from hgwork.evaluation.transitions import held_out, learning_curve, next_step_auc, summary

    H, P = scene
    features = read_features(H, WordEmbedder())
    with pytest.raises(ValueError, match="makers is empty"):
        held_out({}, features, P, folds=2)
    with pytest.raises(ValueError, match="sizes is empty"):
        learning_curve(BASELINES["cosine"], features, P, [])
    with pytest.raises(ValueError, match="no step to score"):
        next_step_auc(BASELINES["cosine"]().fit(features, P), features, P, [])
    single = two([48, 36], ["a", "b"])
    alone = read_features(single, WordEmbedder())
    values, _ = held_out({"cosine": BASELINES["cosine"]}, alone, precedence(single), folds=2)
    with pytest.raises(ValueError, match="no value to sum up"):
        summary(values)
