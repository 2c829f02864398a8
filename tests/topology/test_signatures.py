"""Structural signatures and their map: by hand, by brute force, same seed same bytes, equal signatures one place."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

import hgwork as hg
from hgwork import Hypergraph
from hgwork.topology import structural_signatures, tiers, tsne
from tests.strategies import hypergraphs


@pytest.fixture(scope="module")
def signatures():
    return structural_signatures(hg.datasets.heavy_tailed(nodes=2000, edges=4000, rng=0))


@pytest.fixture(scope="module")
def embedding(signatures):
    return tsne(signatures, rng=1, iterations=300)


def test_the_toy_by_hand():
    table = structural_signatures(hg.datasets.load("toy"))
    # Sally: papers of 4, 2, 1, 3, 2 and 3 authors, with Bob, David, Ella; Grace: one of 3, with Carol and Frank
    assert table.loc["Sally"].tolist() == [6, 3, 2.5]
    assert table.loc["Grace"].tolist() == [1, 2, 3]
    assert table.loc["Carol"].tolist() == [3, 3, pytest.approx(7 / 3)]
    itself = structural_signatures(hg.datasets.load("toy"), including_itself=True)
    assert (itself["neighbours"] - table["neighbours"] == 1).all()
    logs = structural_signatures(hg.datasets.load("toy"), log=True)
    assert logs.loc["Sally"].tolist() == pytest.approx(np.log([7, 4, 3.5]))


@given(hypergraphs(attributes=False))
def test_signatures_agree_with_brute_force(H):
    sets = [set(nodes) for nodes in H.to_dict().values()]
    plain, itself = structural_signatures(H), structural_signatures(H, including_itself=True)
    for node in H.nodes.index:
        held = [s for s in sets if node in s]
        around = set().union(*held)
        assert plain.loc[node, ["degree", "neighbours"]].tolist() == [len(held), len(around - {node})]
        assert itself.loc[node, "neighbours"] == len(around)
        assert plain.loc[node, "mean_size"] == pytest.approx(np.mean([len(s) for s in held]) if held else 0)


def test_tiers_start_at_ten_a_hundred_and_a_thousand():
    found = tiers(pd.Series([0, 9, 10, 99, 100, 999, 1000, 20_000]))
    assert found.tolist() == ["low"] * 2 + ["moderate"] * 2 + ["hub"] * 2 + ["super-hub"] * 2
    assert found.cat.ordered and found.max() == "super-hub"


def test_the_map_has_a_place_for_every_node_and_equal_signatures_share_it(signatures, embedding):
    table = embedding.table
    assert table.index.equals(signatures.index) and np.isfinite(table.to_numpy()).all()
    groups = table.groupby([signatures[c] for c in signatures.columns])
    assert embedding.rows == groups.ngroups < len(signatures) / 2
    assert (groups.max() == groups.min()).all(axis=None)
    assert (groups["multiplicity"].first() == groups.size()).all()
    assert len(table[["x", "y"]].drop_duplicates()) == embedding.rows
    assert 0.9 < embedding.trustworthiness <= 1 and embedding.kl > 0


def test_the_same_seed_gives_the_same_bytes(signatures, embedding):
    again = tsne(signatures, rng=1, iterations=300)
    assert again.table.to_numpy().tobytes() == embedding.table.to_numpy().tobytes()
    assert (again.kl, again.trustworthiness) == (embedding.kl, embedding.trustworthiness)


def test_trustworthiness_is_that_of_scikit_learn_and_falls_for_a_shuffled_map(signatures, embedding):
    from sklearn.manifold import trustworthiness

    first = ~embedding.table[["x", "y"]].duplicated().to_numpy()
    rows, places = signatures[first].to_numpy(float), embedding.table.loc[first, ["x", "y"]].to_numpy()
    rows = (rows - signatures.mean().to_numpy()) / signatures.std(ddof=0).to_numpy()
    assert trustworthiness(rows, places, n_neighbors=12) == pytest.approx(embedding.trustworthiness, abs=1e-3)
    shuffled = np.random.default_rng(0).permutation(places)
    assert 0 <= trustworthiness(rows, shuffled, n_neighbors=12) < 0.7


def test_scikit_learn_maps_too_and_shares_places(signatures):
    few = signatures.iloc[::40]
    one, two = (tsne(few, rng=2, iterations=250, library="scikit-learn") for _ in range(2))
    assert one.method == "scikit-learn" and one.table.equals(two.table)
    assert 0 <= one.trustworthiness <= 1
    assert len(one.table[["x", "y"]].drop_duplicates()) == one.rows == len(few.drop_duplicates())


def test_the_papers_sample_is_a_thousand_hubs_and_four_thousand_others(monkeypatch):
    from hgwork.topology import signatures as module

    rng = np.random.default_rng(0)
    degree = np.arange(9000, 0, -1)
    table = pd.DataFrame({"degree": degree, "neighbours": degree // 2, "mean_size": rng.random(9000).round(1)})
    table = table.sample(frac=1, random_state=1)
    monkeypatch.setattr(module, "_embed", lambda rows, *rest: (rows[:, :2], 0.0, "none"))
    one, two, other = (tsne(table, rng=seed, sample="paper").table.index for seed in (1, 1, 2))
    assert len(one) == 5000 and one.is_unique
    assert set(range(1000)) <= set(one)  # index i has degree 9000 - i
    assert one.equals(two) and set(one) != set(other)
    assert abs(np.mean([i for i in one if i >= 1000]) - 5000) < 150
    assert len(tsne(table.iloc[:3000], sample="paper").table) == 3000
    assert len(tsne(table.iloc[:500], sample="paper").table) == 500


def test_five_signatures_have_a_map():
    found = tsne(pd.DataFrame({"degree": [1, 2, 3, 4, 9], "neighbours": [1, 1, 1, 1, 1]}), iterations=250)
    assert found.rows == 5 and np.isfinite(found.table.to_numpy()).all() and 0 <= found.trustworthiness <= 1


@pytest.mark.parametrize(
    ("table", "options", "message"),
    [
        ([[1, 1]] * 50, {}, "50 nodes have only 1 distinct signatures"),
        (np.zeros((0, 2)), {}, "0 nodes: nothing to map"),
        ([[1, 2], [np.nan, 1]], {}, "1 signatures hold no finite number, first that of '1'"),
        ([[1, 2]], {"sample": "half"}, "sample='half' is unknown"),
        ([[1, 2]], {"library": "umap"}, "library='umap' is unknown"),
        ([[1, 2]], {"iterations": 10}, "iterations=10"),
        ([[1, 2]], {"perplexity": 0}, "perplexity=0"),
    ],
)
def test_what_cannot_be_mapped_is_refused(table, options, message):
    with pytest.raises(ValueError, match=message):
        tsne(pd.DataFrame(table, columns=["degree", "neighbours"]), **options)


def test_nodes_in_no_hyperedge_have_a_signature_of_zeros():
    H = Hypergraph.from_dict({"a": ["x"]}, nodes={"lone": {}})
    table = structural_signatures(H, including_itself=True)
    assert table.loc["lone"].tolist() == [0, 0, 0] and table.loc["x"].tolist() == [1, 1, 1]
    assert structural_signatures(Hypergraph.from_dict({})).empty
