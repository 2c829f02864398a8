"""The structure report tells groups that repeat from groups that change."""

import pytest

from hgwork import Document
from hgwork.order import build, precedence, structure_report


def blocks(storm, *texts):
    parts = [f"T-{48 - 12 * i}:\n{text}" for i, text in enumerate(texts)]
    return Document(id=storm, text=f"{storm} (2017) and Miami\n\n" + "\n\n".join(parts))


CALM = "Calm is classed as Category 1. Calm moves west at 12 mph. No watch for Calm is in effect at Miami."


def test_groups_that_repeat_score_low_and_groups_that_change_score_high():
    wild = [
        "Wild is classed as Category 1. Wild moves west at 12 mph.",
        "Wild is classed as Category 2. Wild moves north at 20 mph. No watch for Wild is in effect at Miami.",
        "Wild is classed as Category 4. Wild moves east at 31 mph.",
    ]
    H = build([blocks("Calm", CALM, CALM, CALM), blocks("Wild", *wild)], "cyclones", progress=False).hypergraph
    report = structure_report(H, precedence(H))
    assert report.index.tolist() == ["WILD/Miami", "CALM/Miami"]
    calm, wild = report.loc["CALM/Miami"], report.loc["WILD/Miami"]
    assert calm[["hyperedges", "places", "cross_share", "regularity", "change_rate", "score"]].tolist() == [
        9,
        3,
        0,
        1,
        0,
        0,
    ]
    # 7 facts; class and motion change twice each: 4 of 11. Relations at the places: {c, m}, {c, m, w}, {c, m}
    assert wild["cross_share"] == pytest.approx(4 / 11) and wild["regularity"] == pytest.approx(2 / 3)
    assert wild["change_rate"] == 1 and wild["score"] == pytest.approx(1 - 2 / 3 * 7 / 11)


def test_a_single_place_has_nothing_to_compare():
    H = build([blocks("Calm", CALM)], "cyclones", progress=False).hypergraph
    row = structure_report(H, precedence(H)).iloc[0]
    assert row["score"] == 0 and row[["regularity", "change_rate"]].isna().all()
