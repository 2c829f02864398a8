"""Communities: planted ones are found, labels are in step, runs repeat; sweeps against all prefixes."""

import subprocess
import sys

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgwork import Hypergraph
from hgwork.topology import communities, local_community
from tests.strategies import hypergraphs


def planted(groups=3, size=8, inside=20, across=2, seed=0):
    rng = np.random.default_rng(seed)
    names = np.array([[f"{g}{i}" for i in range(size)] for g in "abcdef"[:groups]])
    edges = {f"{g} {k}": rng.choice(names[g], 3, replace=False) for g in range(groups) for k in range(inside)}
    edges |= {f"across {k}": [names[k % groups][0], names[(k + 1) % groups][1]] for k in range(across)}
    return Hypergraph.from_dict(edges)


@pytest.mark.parametrize("method", ["louvain", "modularity"])
def test_planted_groups_are_found_and_named(method):
    H = planted()
    found = communities(H, method, seeds=3)
    assert len(found.table) == 3 and found.stability.min() == 1
    for label in range(3):
        assert len({name[0] for name in found.members(label)}) == 1
        concepts = found.table.loc[label, "concepts"].split(", ")
        inside = H.degrees[found.members(label)]
        assert set(concepts) <= set(found.members(label)) and H.degrees[concepts[0]] >= inside.max() - 2
    assert found.table["nodes"].tolist() == [8, 8, 8]
    assert found.table["hyperedges"].sum() == len(H)
    assert found.table["inside"].min() > 0.9
    assert found.modularity == found.runs["modularity"].max() > 0.4


@given(hypergraphs(attributes=False), st.sampled_from(["louvain", "modularity"]), st.sampled_from([1, 40]))
@settings(max_examples=50, deadline=None)
def test_labels_are_ranked_complete_and_repeat(H, method, resolution):
    if not len(H.incidence.indices):
        with pytest.raises(ValueError, match="nothing to partition"):
            communities(H, method)
        return
    state = np.random.get_state()[1].tolist()  # noqa: NPY002
    found, again = (communities(H, method, 2, resolution, rng=5) for _ in range(2))
    assert np.random.get_state()[1].tolist() == state  # noqa: NPY002
    assert found.nodes.equals(again.nodes) and found.edges.equals(again.edges) and found.runs.equals(again.runs)
    assert ((found.nodes == -1) == (H.degrees == 0)).all() and ((found.edges == -1) == (H.sizes == 0)).all()
    sizes = found.nodes[found.nodes >= 0].value_counts().sort_index()
    assert found.table["nodes"].tolist() == sizes.tolist() and sizes.is_monotonic_decreasing
    assert found.edges.max() < len(found.table)


def test_modularity_is_that_of_the_labels():
    H = planted(across=4)
    found = communities(H, seeds=2)
    graph = nx.Graph((("n", n), ("e", e)) for e, members in H.to_dict().items() for n in members)
    labels = {("n", n): c for n, c in found.nodes.items()} | {("e", e): c for e, c in found.edges.items()}
    parts = [{v for v in graph if labels[v] == c} for c in range(len(found.table))]
    assert found.modularity == pytest.approx(nx.community.modularity(graph, parts))
    links = [(labels["n", n], labels["e", e]) for e, members in H.to_dict().items() for n in members]
    assert found.table["inside"].iloc[0] == np.mean([b == 0 for a, b in links if a == 0])


@pytest.mark.slow
def test_the_same_in_every_process():
    code = (
        "from hgwork.datasets import heavy_tailed; from hgwork.topology import communities; H = heavy_tailed(150, 200);"
        "print([communities(H, m, seeds=2).nodes.tolist() for m in ('louvain', 'modularity')])"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in "12"
    }
    assert len(runs) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [({"method": "x"}, "method='x'"), ({"seeds": 0}, "seeds=0"), ({"resolution": 0}, "resolution=0")],
)
def test_bad_arguments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        communities(planted(), **arguments)


def test_bad_input_has_an_answer_or_a_clear_error():
    giant = Hypergraph.from_dict({"g": [f"n{i}" for i in range(5_000)]})
    copies = Hypergraph.from_dict(dict.fromkeys(range(10000), "xyz"))
    singles = Hypergraph.from_dict({i: [i] for i in range(300)})
    assert communities(giant, seeds=2).table["nodes"].tolist() == [5_000]
    assert communities(copies, seeds=1).table["nodes"].tolist() == [3]
    for method in ("louvain", "modularity"):
        assert len(communities(singles, method, seeds=2).table) == 300
    with pytest.raises(ValueError, match="10,000 hyperedges are too many"):
        communities(copies, "modularity")
    with pytest.raises(ValueError, match="clique expansion has up to 12,497,500 links"):
        communities(giant, "modularity")
    assert local_community(giant, "n7", most=20)["inside"].sum() <= 20
    assert local_community(singles, "0")[["concept", "inside"]].values.tolist() == [["0", True]]
    assert len(local_community(copies, "x")) == 3


def test_a_small_component_is_its_own_community():
    H = Hypergraph.from_dict({"a": "xy", "b": "yz", "c": "pq"})
    table = local_community(H, "x")
    assert table["concept"].tolist() == ["x", "y", "z"] and table["inside"].all()
    assert table["conductance"].iloc[-1] == 0


def test_a_planted_group_is_found_from_each_member():
    H = planted(groups=6, across=12)
    for seed in ("a3", "d7"):
        inside = local_community(H, seed, most=10).query("inside")["concept"]
        assert {name[0] for name in inside} == {seed[0]} and len(inside) == 8


@given(hypergraphs(max_nodes=7, max_edges=7, attributes=False), st.data())
def test_the_sweep_takes_the_least_conductance_of_all_prefixes(H, data):
    able = H.degrees.index[H.degrees > 0].tolist()
    if not able:
        return
    seeds = data.draw(st.lists(st.sampled_from(able), min_size=1, max_size=2, unique=True))
    table = local_community(H, seeds)
    graph = nx.Graph((("n", n), ("e", e)) for e, members in H.to_dict().items() for n in members)
    personal = {("n", seed): 1 / len(seeds) for seed in seeds}
    rank = nx.pagerank(graph, 0.85, personalization=personal, tol=1e-13, max_iter=1_000)
    assert table["score"].tolist() == pytest.approx([rank["n", n] for n in table["concept"]], abs=1e-8)
    assert set(table["concept"][: len(seeds)]) == set(seeds)
    reach = set().union(*(nx.node_connected_component(graph, ("n", seed)) for seed in seeds))
    assert set(table["concept"]) == {n for side, n in reach if side == "n"}
    if len(reach) == len(graph):  # of all prefixes with the seeds, by networkx, up to ties in the order
        density = {v: rank[v] / graph.degree[v] for v in graph if v not in personal}
        if len({round(d, 9) for d in density.values()}) < len(density):
            return
        order = [*personal, *sorted(density, key=density.get, reverse=True)]
        prefixes = [order[:k] for k in range(len(seeds), len(order))]
        values = [nx.conductance(graph, prefix) for prefix in prefixes]
        assert table["conductance"].min() == pytest.approx(min(values))
        best = next(p for p, v in zip(prefixes, values, strict=True) if v < min(values) + 1e-12)
        assert set(table["concept"][table["inside"]]) == {n for side, n in best if side == "n"}


def test_local_arguments_are_checked():
    H = Hypergraph.from_dict({"a": "xy"}, nodes={"lone": {}})
    with pytest.raises(KeyError, match="'nobody' is not a node"):
        local_community(H, ["x", "nobody"])
    with pytest.raises(ValueError, match="in no hyperedge"):
        local_community(H, "lone")
    with pytest.raises(ValueError, match="restart=1"):
        local_community(H, "x", restart=1)
    assert isinstance(local_community(H, pd.Index(["x", "lone"])), pd.DataFrame)
