"""Precedence is a partial order that follows the rules, and says why."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hgwork as hg
from hgwork import Hypergraph
from hgwork.order import load_domain, precedence
from tests.order.domains import cakes, written


def hypergraph(rows, column="horizon", **more):
    """rows: (id, group, index, relation, to)"""
    names = ["edge", "group", column, "relation", f"to_{column}"]
    edges = pd.DataFrame([(*row, *[None] * (5 - len(row))) for row in rows], columns=names).set_index("edge")
    frame = pd.DataFrame({"edge": edges.index, "node": "x"})
    return Hypergraph.from_frame(frame, edges=edges.assign(**more))


# two horizons of one group, in no order; c1 and c2 are changes of the state and of the watch
ROWS = [
    ("operation 48", "g", 48, "has_operation_status"),
    ("state 24", "g", 24, "has_motion"),
    ("landfall 48", "g", 48, "forecasts_landfall"),
    ("track 48", "g", 48, "forecasts_track"),
    ("watch 48", "g", 48, "has_watch_status"),
    ("state 48", "g", 48, "has_motion"),
    ("c1", "g", 48, "intensifies_to", 24),
    ("watch 24", "g", 24, "has_watch_status"),
    ("wind 48", "g", 48, "forecasts_hazard_at_horizon"),
]


def test_the_canonical_order_is_by_horizon_then_phase_with_changes_at_the_end_of_their_horizon():
    P = precedence(hypergraph(ROWS), "cyclones")
    assert P.canonical_order("g") == [
        *("state 48", "track 48", "landfall 48", "watch 48", "wind 48", "operation 48", "c1"),
        *("state 24", "watch 24"),
    ]


def test_phase_major_is_the_tie_breaking_of_the_appendix():
    P = precedence(hypergraph(ROWS), "cyclones", order="phase_major")
    # phase advisory: family by family, in each the earlier horizon first; then hazards, then operations
    assert P.canonical_order("g") == [
        *("state 48", "c1", "state 24", "track 48", "landfall 48", "watch 48", "watch 24"),
        *("wind 48", "operation 48"),
    ]


def test_the_four_families_of_rules():
    P = precedence(hypergraph(ROWS), "cyclones")
    assert P.before("track 48", "landfall 48")  # phase order at one horizon
    assert P.before("watch 48", "watch 24")  # one family over horizons
    assert P.before("wind 48", "operation 48")  # causal chain
    assert P.before("state 48", "c1") and P.before("c1", "state 24")  # facts, their change, the next facts
    # not comparable: another family at an earlier horizon that nothing leads on from; a change of another family
    assert not P.before("operation 48", "state 24") and not P.before("state 24", "operation 48")
    assert not P.before("watch 48", "c1") and not P.before("c1", "watch 48")


def test_reasons_name_the_rules():
    P = precedence(hypergraph(ROWS), "cyclones")
    assert P.reasons("wind 48", "operation 48") == ("within_horizon", "hazard_to_operation")
    assert P.reasons("watch 48", "watch 24") == ("family_evolution",)
    assert P.reasons("state 48", "c1") == ("family_to_change",)
    assert P.reasons("operation 48", "state 48") == ()


def test_an_explanation_is_a_chain_of_rules():
    P = precedence(hypergraph(ROWS), "cyclones")
    assert P.explain("landfall 48", "watch 24").values.tolist() == [
        ["landfall 48", "watch 48", "within_horizon"],
        ["watch 48", "watch 24", "family_evolution"],
    ]
    assert P.explain("watch 24", "landfall 48").empty


def test_changes_may_come_after_all_facts_of_their_horizon():
    P = precedence(hypergraph(ROWS), "cyclones", changes="horizon")
    assert P.before("operation 48", "c1") and not precedence(hypergraph(ROWS), "cyclones").before("operation 48", "c1")
    with pytest.raises(ValueError, match="goes with order='horizon_major'"):
        precedence(hypergraph(ROWS), "cyclones", order="phase_major", changes="horizon")


def test_phases_may_be_the_only_steps():
    P = precedence(hypergraph(ROWS), "cyclones", steps="phases", include=["phase"])
    assert not P.before("track 48", "landfall 48") and P.before("landfall 48", "wind 48")


def test_equation_ten_puts_everything_earlier_before_everything_later():
    P = precedence(hypergraph(ROWS), "cyclones", include=["sequence"])
    assert P.before("operation 48", "state 24") and not P.before("state 48", "operation 48")


def test_the_causal_chains_follow_from_the_phases():
    one = precedence(hypergraph(ROWS), "cyclones")
    two = precedence(hypergraph(ROWS), "cyclones", include=["phase", "evolution", "change"])
    ids = [row[0] for row in ROWS]
    assert (one.before_matrix(ids, ids) == two.before_matrix(ids, ids)).all()
    assert two.reasons("wind 48", "operation 48") == ("within_horizon",)


def test_rules_that_contradict_each_other_name_the_cycle(tmp_path):
    rules = [{"name": "eat_first", "before": ["eats"], "after": ["mixes"]}]
    H = hypergraph([("a", "g", 1, "mixes"), ("b", "g", 1, "eats")], column="position")
    with pytest.raises(ValueError) as error:
        precedence(H, written(tmp_path, rules=rules))
    text = str(error.value)
    assert "group 'g'" in text and "-[eat_first]-> mixes at #1" in text and "mixes at #1 -[within_position]->" in text


def test_a_rule_at_any_place_reaches_across_places():
    rules = [{"name": "mix_first", "before": ["mixes"], "after": ["eats"], "at": "any"}]
    H = hypergraph([("a", "g", 2, "mixes"), ("b", "g", 1, "eats")], column="position")
    P = precedence(H, cakes(rules=rules))
    assert P.canonical_order("g") == ["a", "b"] and P.reasons("a", "b") == ("mix_first",)


def test_groups_do_not_mix_and_one_hyperedge_is_a_group():
    P = precedence(hypergraph([("a", "g", 48, "has_motion"), ("b", "h", 24, "has_motion")]), "cyclones")
    assert not P.before("a", "b") and P.canonical_order("h") == ["b"]
    assert P.pairs("h").empty and P.transitive_reduction("h").empty
    with pytest.raises(KeyError, match="no group is named 'i'"):
        P.canonical_order("i")
    with pytest.raises(KeyError, match="no hyperedge is named 'z'"):
        P.before("a", "z")


def test_unknown_relations_and_missing_horizons_are_related_to_nothing():
    rows = [("a", "g", 48, "sings"), ("b", "g", 48, "has_motion"), ("c", "g", None, "has_motion"), ("d", None, 48, "x")]
    P = precedence(hypergraph(rows), "cyclones")
    assert P.unplaced == ["c", "d"] and P.canonical_order("g") == ["b", "a", "c"]
    assert not P.before_matrix(["a", "b", "c", "d"], ["a", "b", "c", "d"]).any()


def test_the_toy_is_ordered_by_position():
    P = precedence(hg.datasets.load("toy"))
    (group,) = P.groups
    ids = [f"paper {i:02d}" for i in range(1, 11)]
    assert P.canonical_order(group) == ids
    assert P.before_matrix(ids, ids).tolist() == np.triu(np.ones((10, 10), bool), 1).tolist()
    assert P.transitive_reduction(group)[["before", "after"]].values.tolist() == [
        list(p) for p in itertools.pairwise(ids)
    ]


def test_the_second_domain_is_ordered_by_its_own_phases():
    from hgwork.datasets.failures import failures

    H = hg.order.build(failures("dev")[:1], "failures", progress=False).hypergraph
    P = precedence(H)
    order = H.edges.loc[P.canonical_order("cooling pump P-101")]
    facts = order[order["origin"] != "synthesis"]
    assert facts["relation"].tolist()[:4] == ["operates_at", "starts_with", "shows_reading", "raises_alarm"]
    assert facts["position"].is_monotonic_increasing and P.before(facts.index[0], facts.index[-1])


def test_a_table_that_says_where_a_change_comes_from_is_ordered_by_that():
    edges = pd.DataFrame(
        {"group": "g", "horizon": [48, 24, 24], "from_horizon": [None, 48, None]}, index=["state", "change", "next"]
    ).assign(relation=["has_motion", "intensifies_to", "has_motion"])
    H = Hypergraph.from_frame(pd.DataFrame({"edge": edges.index, "node": "x"}), edges=edges)
    assert precedence(H, "cyclones").canonical_order("g") == ["state", "change", "next"]


@pytest.mark.parametrize(
    ("H", "options", "message"),
    [
        (hypergraph([("a", "g", 1, "x")]), {"order": "random"}, "order='random'"),
        (hypergraph([("a", "g", 1, "x")]), {"steps": "x"}, "steps='x'"),
        (hypergraph([("a", "g", 1, "x")]), {"include": ["magic"]}, "include names 'magic'"),
        (Hypergraph.from_dict({"a": "xy"}), {}, "no column 'horizon' or 'position'"),
        (Hypergraph.from_dict({"a": "xy"}, edges={"a": {"horizon": 3}}), {}, "no column 'group'"),
        (Hypergraph.from_dict({"a": "xy"}, edges={"a": {"horizon": "soon", "group": "g"}}), {}, "'soon' is no number"),
    ],
)
def test_bad_input_is_refused(H, options, message):
    with pytest.raises(ValueError, match=message):
        precedence(H, **options)


_DOMAIN = load_domain("cyclones")
_SOME = [
    "has_motion",
    "forecasts_track",
    "forecasts_landfall",
    "has_watch_status",
    "has_operation_status",
    "intensifies_to",
    "sings",
]


@st.composite
def ordered(draw):
    count = draw(st.integers(1, 12))
    rows = []
    for i in range(count):
        index = draw(st.sampled_from([72, 48, 24, 12]))
        relation = draw(st.sampled_from(_SOME))
        to = draw(st.sampled_from([12, 6])) if relation == "intensifies_to" else None
        rows.append((f"e{i}", draw(st.sampled_from("gh")), index, relation, to))
    return rows


def by_hand(one, two):
    """The direct rules, read from appendix A.3."""
    (_, g, h, r, _), (_, g2, h2, r2, _) = one, two
    if g != g2 or "sings" in (r, r2):
        return False
    steps, change, change2 = _DOMAIN.steps, r == "intensifies_to", r2 == "intensifies_to"
    family = "cyclone_state" if change else _DOMAIN.family_of[r]
    family2 = "cyclone_state" if change2 else _DOMAIN.family_of[r2]
    if h == h2 and not change and not change2 and steps[r] < steps[r2]:
        return True
    if family == family2 and h > h2:
        return True
    return h == h2 and family == family2 and change2 and not change


@settings(max_examples=30)
@given(ordered())
def test_precedence_is_the_transitive_closure_of_the_rules(rows):
    n = len(rows)
    wanted = np.array([[by_hand(a, b) for b in rows] for a in rows], dtype=bool).reshape(n, n)
    for k in range(n):  # Warshall
        wanted |= wanted[:, [k]] & wanted[[k], :]
    ids = [row[0] for row in rows]
    for order in ("horizon_major", "phase_major"):
        P = precedence(hypergraph(rows), "cyclones", order=order)
        assert (P.before_matrix(ids, ids) == wanted).all()
        for group in P.groups:
            line = P.canonical_order(group)
            assert sorted(line) == sorted(row[0] for row in rows if row[1] == group)
            assert not np.tril(P.before_matrix(line, line)).any()  # a linear extension
            assert set(map(tuple, P.pairs(group).values)) == {
                (a, b) for i, a in enumerate(ids) for j, b in enumerate(ids) if wanted[i, j] and rows[i][1] == group
            }
    for i, j in list(zip(*np.nonzero(wanted), strict=True))[:6]:
        chain = P.explain(ids[i], ids[j])
        assert chain["before"].iloc[0] == ids[i] and chain["after"].iloc[-1] == ids[j]
        assert (
            chain["reason"].str.len().min() > 0
            and chain["before"].iloc[1:].tolist() == chain["after"].iloc[:-1].tolist()
        )
