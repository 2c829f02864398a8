"""The learned transition model: what it must learn, and that it is the same every time."""

import json

import numpy as np
import pandas as pd
import pytest

from hgwork import Hypergraph
from hgwork.order import precedence
from hgwork.order.transitions import TransitionModel, edge_texts, read_features, report_order
from hgwork.order.transitions.probability import log_softmax, normalised
from hgwork.order.transitions.signals import signals_of

from .transition_scenarios import WordEmbedder, scenarios

FAST = {"rank": 8, "direction": 4, "embedder": WordEmbedder()}


@pytest.fixture(scope="module")
def scene():
    H = scenarios(storms=10)
    return H, precedence(H)


@pytest.fixture(scope="module")
def trained(scene):
    H, P = scene
    held = P.groups[-3:]
    return TransitionModel(**FAST, epochs=25).fit(H, P, groups=P.groups[:-3]), held


def test_a_planted_order_is_learnt_on_storms_never_seen(scene, trained):
    _, P = scene
    model, held = trained
    for group in held:
        ids = P.canonical_order(group)
        before, direction = P.before_matrix(ids, ids), model.direction(ids, ids)
        texts = edge_texts(scene[0])[ids].to_numpy()
        told = before & (texts[:, None] != texts[None, :])  # a watch that holds reads alike at every horizon
        assert told.sum() > 60 and (direction[told] > 0).mean() > 0.95
        assert np.abs(direction[before & ~told]).max() < 1e-4


def test_reports_are_put_in_order_without_a_label(scene, trained):
    _, P = scene
    model, held = trained
    for group in held:
        ids = P.canonical_order(group)
        reports = [ids[start : start + 4] for start in (8, 0, 12, 4)]  # four facts a horizon
        assert report_order(model, reports) == [1, 3, 0, 2]


def test_the_next_step_ranks_far_above_chance(scene, trained):
    _, P = scene
    model, held = trained
    ranks = []
    for group in held:
        ids = P.canonical_order(group)
        log_p = model.log_prob(ids, ids)
        ranks += [1 + (row > row[k + 1]).sum() for k, row in enumerate(log_p[:-1])]
    # a guess among 15 others has a mean reciprocal rank of (1 + 1/2 + … + 1/15) / 15 = .221
    assert np.mean(1 / np.array(ranks)) > 0.45


def test_rows_are_probabilities_over_the_candidates_without_the_row_itself(trained, scene):
    model, _ = trained
    ids = scene[0].edges.index[:7].tolist()
    log_p = model.log_prob(ids[:3], ids)
    assert log_p.shape == (3, 7) and log_p.dtype == np.float64
    assert np.allclose(np.exp(log_p).sum(axis=1), 1)
    assert np.isneginf(log_p[[0, 1, 2], [0, 1, 2]]).all()
    fewer = model.log_prob(ids[:1], ids[1:3])  # other candidates, other probabilities, same odds
    assert np.isclose(fewer[0, 0] - fewer[0, 1], log_p[0, 1] - log_p[0, 2])


def test_normalised_probabilities_by_hand():
    log_p = log_softmax(np.log([[1.0, 4.0, 4.0, 1.0]]), ["a"], ["a", "b", "c", "d"])
    # three candidates; 4/9, 4/9, 1/9: 1 + ln(4/9) / ln 3 = 0.26186, 1 + ln(1/9) / ln 3 = -1
    assert np.allclose(normalised(log_p)[0, 1:], [0.26186, 0.26186, -1.0], atol=1e-5)
    assert normalised(np.array([[0.0, -np.inf]])).tolist() == [[1.0, -np.inf]]


def test_the_direction_is_antisymmetric(trained, scene):
    model, _ = trained
    ids = scene[0].edges.index[:20].tolist()
    direction = model.direction(ids, ids)
    assert np.allclose(direction, -direction.T, atol=1e-5)
    headless = TransitionModel(rank=4, direction=0, embedder=WordEmbedder(), epochs=2).fit(*scene)
    assert np.allclose(headless.direction(ids, ids), -headless.direction(ids, ids).T, atol=1e-5)


def test_rank_64_at_1536_dimensions_has_196608_parameters():
    H = scenarios(storms=2, horizons=(24, 12))
    model = TransitionModel(rank=64, embedder=WordEmbedder(1536), epochs=1).fit(H, precedence(H))
    assert model.parameter_count == 196_608  # appendix A.4: 2 x 64 x 1,536
    alone = TransitionModel(rank=64, embedder=WordEmbedder(1536), epochs=1, numbers=False, direction=0)
    assert alone.fit(H, precedence(H)).parameters.to_dict() == {"U": 98_304, "V": 98_304}


def test_same_seed_same_bytes(scene, tmp_path):
    H, P = scene
    for name in ("one", "two"):
        TransitionModel(**FAST, epochs=3).fit(H, P, rng=5).save(tmp_path / name)
    for file in ("weights.safetensors", "model.json"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    TransitionModel(**FAST, epochs=3).fit(H, P, rng=6).save(tmp_path / "three")
    weights = [(tmp_path / name / "weights.safetensors").read_bytes() for name in ("one", "three")]
    assert weights[0] != weights[1]


def test_a_loaded_model_gives_the_same_probabilities(trained, scene, tmp_path):
    model, _ = trained
    H, _ = scene
    ids = H.edges.index[:9].tolist()
    again = TransitionModel.load(model.save(tmp_path / "m"), embedder=WordEmbedder())
    with pytest.raises(ValueError, match="read no hyperedges"):
        again.log_prob(ids, ids)
    again.read(H)
    assert np.array_equal(again.log_prob(ids, ids), model.log_prob(ids, ids))
    assert again.history["epoch"].tolist() == model.history["epoch"].tolist()
    assert model.save(tmp_path / "m").is_dir()  # a model replaces a model
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("no")
    with pytest.raises(FileExistsError):
        model.save(tmp_path / "mine")


def test_a_model_refuses_other_embedders_and_broken_files(trained, tmp_path):
    folder = trained[0].save(tmp_path / "m")
    with pytest.raises(ValueError, match=r"words:32.*words:16"):
        TransitionModel.load(folder, embedder=WordEmbedder(16))
    settings, weights = folder / "model.json", folder / "weights.safetensors"
    kept, packed = settings.read_text(), weights.read_bytes()
    content = json.loads(kept)
    content["vocabulary"]["kinds"] = content["vocabulary"]["kinds"][1:]
    settings.write_text(json.dumps(content))
    with pytest.raises(ValueError, match="not of one model"):
        TransitionModel.load(folder, embedder=WordEmbedder())
    settings.write_text(kept)
    weights.write_bytes(packed[:-7])
    with pytest.raises(ValueError, match="not whole safetensors"):
        TransitionModel.load(folder, embedder=WordEmbedder())
    weights.unlink()
    with pytest.raises(FileNotFoundError, match="weights"):
        TransitionModel.load(folder, embedder=WordEmbedder())
    settings.write_text("{")
    with pytest.raises(ValueError, match="no JSON"):
        TransitionModel.load(folder, embedder=WordEmbedder())
    settings.write_text('{"format": "something"}')
    with pytest.raises(ValueError, match="something"):
        TransitionModel.load(folder, embedder=WordEmbedder())


def test_reading_with_another_embedder_is_refused(scene):
    H, P = scene
    model = TransitionModel(**FAST, epochs=1).fit(H, P)
    model.embedder = WordEmbedder(16)
    with pytest.raises(ValueError, match=r"words:32.*words:16"):
        model.read(H)


def test_pairs_from_right_answers_raise_their_probability(scene):
    H, P = scene
    groups = P.groups[:4]
    pairs = [(ids[0], ids[11]) for ids in map(P.canonical_order, groups) for _ in range(5)]
    options = {**FAST, "epochs": 12, "validation": 0}
    plain = TransitionModel(**options).fit(H, P, groups=groups)
    taught = TransitionModel(**options).fit(H, P, pairs=pairs, groups=groups)
    ids = P.canonical_order(groups[0])
    one, two = (m.log_prob(ids[:1], ids)[0, 11] for m in (plain, taught))
    assert two > one + 0.5
    more = plain.fit(H, P, pairs=pd.DataFrame(pairs), groups=groups, warm_start=True)
    assert more.log_prob(ids[:1], ids)[0, 11] > one + 0.1


def test_pairs_of_held_out_groups_are_refused(scene):
    H, P = scene
    ids, other = P.canonical_order(P.groups[0]), P.canonical_order(P.groups[1])
    with pytest.raises(ValueError, match="held-out"):
        TransitionModel(**FAST).fit(H, P, pairs=[(ids[0], ids[1])], groups=P.groups[1:])
    with pytest.raises(ValueError, match="one group"):
        TransitionModel(**FAST).fit(H, P, pairs=[(ids[0], other[0])])
    with pytest.raises(ValueError, match="retrieved"):
        TransitionModel(**FAST, signals=("document",)).fit(H, P, pairs=[(ids[0], ids[1])])


def test_signals_by_hand():
    members = {"a": ["x", "T-2"], "b": ["y", "T-2"], "c": ["x", "T-1"]}
    edges = {"a": {"horizon": 2}, "b": {"horizon": 2}, "c": {"horizon": 1}}
    edges = {name: {"group": "g", "relation": "r", "text": name, **row} for name, row in edges.items()}
    H = Hypergraph.from_dict(members, edges=edges, nodes={"T-2": {"kind": "anchor"}, "T-1": {"kind": "anchor"}})
    P, features = precedence(H), read_features(H, WordEmbedder())

    def told(**options):
        (one,) = signals_of(features, P, **options)
        names = [features.ids[row] for row in one.rows]
        return {(names[i], names[j]): w for (i, j), w in zip(one.positive, one.weight.tolist(), strict=True)}

    assert told(signals=("document",)) == {("a", "b"): 1, ("b", "c"): 1}
    assert told(signals=("entity",)) == {("a", "c"): 1}  # x is shared; an anchor is not an entity
    assert told(signals=("entity",), with_anchors=True) == {("a", "b"): 1}  # now the next that shares is b
    assert told(signals=("document", "entity")) == {("a", "b"): 1, ("a", "c"): 1, ("b", "c"): 1}


@pytest.mark.slow
def test_the_literal_loss_has_no_bottom_and_ruins_the_ranking(scene):
    H, P = scene
    options = {
        "embedder": WordEmbedder(),
        "rank": 8,
        "numbers": False,
        "epochs": 60,
        "validation": 0,
        "learning_rate": 0.01,
    }
    literal = TransitionModel(**options, loss="literal").fit(H, P, groups=P.groups[:4]).history
    stable = TransitionModel(**options).fit(H, P, groups=P.groups[:4]).history
    # equation 4 would stop near zero if it had a bottom there: positives cost at least 0, negatives at most gain it
    assert literal["loss"].iloc[-1] < -5 and literal["loss"].iloc[-1] < literal["loss"].iloc[30]
    assert literal["next_step"].iloc[-1] > 1.5 * stable["next_step"].iloc[-1]


@pytest.mark.slow
def test_training_stops_early_on_storms_set_aside_and_keeps_the_best(scene):
    H, P = scene
    history = TransitionModel(**FAST, epochs=200, patience=3, dropout=0).fit(H, P).history
    assert len(history) < 200 and history["held_out_loss"].notna().all()
    best = history["held_out_loss"].idxmin()
    assert history["best"].iloc[best] and not history["best"].iloc[best + 1 :].any()
    assert len(history) - 1 - best == 3


def test_one_hyperedge_groups_are_passed_over_and_alone_they_are_an_error():
    H = scenarios(storms=5)
    alone = H.edges.index[H.edges["group"] == "STORM4/Port 0"][1:]
    kept = H.subgraph(edges=H.edges.index.difference(alone, sort=False))
    model = TransitionModel(**FAST, epochs=2).fit(kept, precedence(kept))
    first = kept.edges.index[kept.edges["group"] == "STORM4/Port 0"].tolist()
    assert len(first) == 1 and np.isneginf(model.log_prob(first, first)).all()
    single = kept.subgraph(edges=first)
    with pytest.raises(ValueError, match="1 of 1 groups hold one hyperedge"):
        TransitionModel(**FAST).fit(single, precedence(single))


def test_without_groups_there_is_nothing_to_learn():
    H = scenarios(storms=2)
    P = precedence(H)
    bare = Hypergraph.from_frame(H.incidences, edges=H.edges.drop(columns="group"), nodes=H.nodes)
    with pytest.raises(ValueError, match="no column 'group'"):
        TransitionModel(**FAST).fit(bare, P)
    with pytest.raises(ValueError, match="no group is named 'X'"):
        TransitionModel(**FAST).fit(H, P, groups=["X"])
    with pytest.raises(ValueError, match="no column 'basin'"):
        TransitionModel(**FAST, hold_out="basin").fit(H, P)


def test_missing_and_odd_attributes_train_all_the_same():
    H = scenarios(storms=3)
    edges = H.edges
    odd = [None, np.nan, {}, {"wind": np.nan}, {"wind": {"value": np.inf, "unit": "mph"}}, {"wind": [1, 2]}]
    edges["attributes"] = [odd[i % len(odd)] if i % 2 else a for i, a in enumerate(edges["attributes"])]
    edges.iloc[0, edges.columns.get_loc("text")] = None
    worn = Hypergraph.from_frame(H.incidences, edges=edges, nodes=H.nodes)
    model = TransitionModel(**FAST, epochs=2).fit(worn, precedence(worn))
    ids = worn.edges.index.tolist()
    assert np.isfinite(model.score(ids, ids)).all()


def test_options_that_make_no_sense_are_named():
    for options, message in (
        ({"rank": 0}, "rank=0"),
        ({"loss": "other"}, "literal"),
        ({"signals": ()}, "empty"),
        ({"signals": ("graph",)}, "graph"),
        ({"epochs": 0}, "epochs=0"),
        ({"dropout": 1.0}, "dropout"),
        ({"speed": 3}, "speed"),
        ({"strata": {"here": 1.0}}, "here"),
    ):
        with pytest.raises(ValueError, match=message):
            TransitionModel(**options)
    with pytest.raises(ValueError, match="not trained"):
        TransitionModel().log_prob(["a"], ["b"])


def test_an_unknown_hyperedge_is_named(trained):
    with pytest.raises(KeyError, match="nowhere"):
        trained[0].log_prob(["nowhere"], ["nowhere"])


def test_a_large_group_is_taken_in_stretches():
    H = scenarios(storms=2, horizons=tuple(range(120, 0, -4)))  # 120 hyperedges a group
    P = precedence(H)
    model = TransitionModel(**FAST, epochs=2, largest=50).fit(H, P)
    ids = P.canonical_order(P.groups[0])
    assert np.isfinite(model.score(ids, ids)).all()
