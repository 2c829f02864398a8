"""Rates on four pairs whose cosines are set by hand."""

import numpy as np
import pandas as pd
import pytest

from hgwork.evaluation.merging import read_merge_pairs, score_merging

HEADER = "id,split,a,b,same,category,context\n"
ROWS = [
    "1,dev,mugs,mug,1,plural,",
    "2,dev,mug 1,mug 2,0,number,",
    "3,dev,SF,silk fibroin,1,abbreviation,Silk fibroin (SF) was cast.",
    "4,dev,cup,bowl,0,other,",
]
ANGLES = {"mugs": 0, "mug": 30, "mug 1": 50, "mug 2": 55, "SF": 90, "silk fibroin": 180, "cup": 200, "bowl": 300}


class Fixed:
    def encode(self, texts):
        turn = np.radians([ANGLES[text] for text in texts])
        return np.stack([np.cos(turn), np.sin(turn)], 1).astype(np.float32)


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(HEADER + "\n".join([*ROWS, "5,test,µm,μm,1,typographic,"]), "utf-8")
    return read_merge_pairs(path, "dev")


def row(table, system, threshold, category="all"):
    kept = (table["system"] == system) & (table["threshold"] == threshold) & (table["category"] == category)
    return table[kept].iloc[0]


def test_rates_of_each_system(pairs):
    scores = score_merging(pairs, Fixed(), thresholds=(0.8, 0.95), samples=50)
    # cosines: cos 30 = .866, cos 5 = .996, 0, cos 100 < 0
    plain = row(scores, "cosine", 0.95)
    assert (plain["false_merges"], plain["missed_merges"]) == (1, 2)
    assert plain["false_merge_rate"] == 0.5 and plain["missed_merge_rate"] == 1.0 and plain["precision"] == 0.0
    low = row(scores, "cosine", 0.8)
    assert (low["precision"], low["recall"], low["f1"]) == (0.5, 0.5, 0.5)
    guarded = row(scores, "+ guards", 0.95)
    assert guarded["false_merges"] == 0 and np.isnan(guarded["precision"])
    assert row(scores, "+ definitions", 0.95)["missed_merges"] == 1
    assert row(scores, "+ both", 0.8)["missed_merges"] == 0
    best = row(scores, "guarded", 0.95)
    assert (best["precision"], best["recall"], best["f1"]) == (1.0, 1.0, 1.0)


def test_categories_are_scored_at_the_default_threshold_only(pairs):
    scores = score_merging(pairs, Fixed(), thresholds=(0.8,), samples=0)
    assert sorted(scores["threshold"].unique()) == [0.8, 0.95]
    assert (scores.loc[scores["category"] != "all", "threshold"] == 0.95).all()
    number = row(scores, "cosine", 0.95, "number")
    assert (number["pairs"], number["false_merges"], number["false_merge_rate"]) == (1, 1, 1.0)
    assert np.isnan(number["recall"])


def test_systems_can_be_left_out_and_seeds_repeat(pairs):
    one, two = (score_merging(pairs, Fixed(), guards=False, samples=30, rng=7) for _ in range(2))
    pd.testing.assert_frame_equal(one, two)
    assert one["system"].unique().tolist() == ["cosine", "+ definitions", "guarded"]
    low, high = one["recall_low"], one["recall_high"]
    assert ((low <= one["recall"]) & (one["recall"] <= high) | one["recall"].isna()).all()


def test_names_are_read_as_written(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(HEADER + "1,dev,µm,NA,1,typographic,", "utf-8")
    table = read_merge_pairs(path)
    assert table.loc[0, ["a", "b", "same", "context"]].tolist() == ["µm", "NA", 1, ""]
    with pytest.raises(ValueError, match="no rows of split 'test'"):
        read_merge_pairs(path, "test")
    path.write_text(HEADER + "1,dev,a,b,yes,x,", "utf-8")
    with pytest.raises(ValueError, match="line 2"):
        read_merge_pairs(path)
    path.write_text("a,b\n", "utf-8")
    with pytest.raises(ValueError, match="no column 'id'"):
        read_merge_pairs(path)
