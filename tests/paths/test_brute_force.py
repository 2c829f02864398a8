"""The k best paths, with every option, against the enumeration of all paths and against networkx."""

from collections import Counter
from itertools import islice, permutations

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hgwork import Hypergraph
from hgwork.paths import distance, hyperpaths, neighbourhood
from tests.paths.brute import all_paths, sides
from tests.strategies import hypergraphs

dense = st.integers(2, 6).flatmap(
    lambda n: st.lists(st.sets(st.integers(0, n - 1), min_size=1, max_size=4), min_size=1, max_size=6)
)


@st.composite
def plain(draw):
    """Small hypergraphs that hang together, with roles; ids whose order as text is not their order in the table."""
    ids = ["b", "a10", "a9", "B", "é", "c"]
    rows = []
    for edge, held in zip(ids, draw(dense), strict=False):
        rows += [(edge, f"n{i}", draw(st.sampled_from(["source", "target", "member"]))) for i in sorted(held)]
        if draw(st.booleans()) and draw(st.booleans()):
            edge_, node, role = rows[-1]
            rows.append((edge_, node, {"source": "target", "target": "source", "member": "source"}[role]))
    return Hypergraph.from_frame(pd.DataFrame(rows, columns=["edge", "node", "role"]))


@st.composite
def questions(draw, H):
    nodes = H.nodes.index.tolist()
    some = st.sampled_from(nodes) | st.lists(st.sampled_from(nodes), min_size=1, max_size=2)
    options = {
        "s": draw(st.integers(1, 3)),
        "intersection": draw(st.sampled_from(["at_least", "exactly"])),
        "directed": draw(st.booleans()),
        "max_length": draw(st.none() | st.integers(1, 5)),
        "avoid_hubs": draw(st.sampled_from([0.0, 0.0, 0.3, 1.0])),
        "via": draw(st.just(()) | st.lists(some, max_size=2)),
        "forbid": draw(st.just([]) | st.lists(st.sampled_from(nodes), max_size=1)),
        "shortcut": draw(st.booleans()),
        "through_target": draw(st.booleans()),
        "distinct": draw(st.sampled_from(["edges", "members"])),
    }
    return draw(some), draw(some), options


@settings(max_examples=100)
@given(plain() | hypergraphs(max_edges=5, attributes=False), st.integers(1, 12), st.data())
def test_the_k_best_paths_are_the_first_of_all_paths(H, k, data):
    assume(len(H.nodes) > 0)
    source, target, options = data.draw(questions(H))
    named = [x for given in (source, target, *options["via"]) for x in ([given] if isinstance(given, str) else given)]
    assume(not set(named) & set(options["forbid"]))
    found = hyperpaths(H, source, target, k=k, **options)
    expected = all_paths(H, source, target, **options)
    assert [path.edges for path in found] == [edges for *_, edges in expected[:k]]
    unit = 1e6 if options["avoid_hubs"] else 1
    assert [(path.cost, sum(map(len, path.shared))) for path in found] == [
        (1 + cost / unit, -common) for cost, common, _ in expected[:k]
    ]


def random_question(seed):
    """A hypergraph with many paths, and a question with most options at rest."""
    rng = np.random.default_rng(seed)
    nodes, ids, roles = [f"n{i}" for i in range(rng.integers(4, 9))], ["b", "a10", "a9", "B", "é", "c", "a", "z"], []
    for edge in ids[: rng.integers(4, 9)]:
        held = rng.choice(nodes, rng.integers(1, 5), replace=False)
        if roles and rng.random() < 0.2:
            held = [node for e, node, _ in roles if e == roles[-1][0]]
        kinds = rng.choice(["source", "target", "member"], len(held), p=[0.25, 0.25, 0.5])
        roles += zip([edge] * len(held), dict.fromkeys(held), kinds, strict=False)
    H = Hypergraph.from_frame(pd.DataFrame(roles, columns=["edge", "node", "role"]))
    nodes = H.nodes.index.tolist()
    some = lambda: str(rng.choice(nodes)) if rng.random() < 0.8 else rng.choice(nodes, 2, replace=False).tolist()  # noqa: E731
    options = {
        "s": lambda: int(rng.integers(1, 4)),
        "intersection": lambda: "exactly",
        "directed": lambda: True,
        "max_length": lambda: int(rng.integers(1, 6)),
        "avoid_hubs": lambda: float(rng.choice([0.3, 1.0, 7.0])),
        "via": lambda: [some() for _ in range(rng.integers(1, 3))],
        "forbid": lambda: str(rng.choice(nodes)),
        "shortcut": lambda: False,
        "through_target": lambda: True,
        "distinct": lambda: "members",
    }
    return H, some(), some(), {name: draw() for name, draw in options.items() if rng.random() < 0.3}


def names(*given):
    return {node for one in given for node in ([one] if isinstance(one, str) else one)}


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 300, 100))
def test_combinations_of_options_agree_with_enumeration(first):
    seen = Counter()
    for seed in range(first, first + 100):
        H, source, target, options = random_question(seed)
        if names(source, target, *options.get("via", ())) & names(options.get("forbid", ())):
            continue
        k = 1 + seed % 17
        found = hyperpaths(H, source, target, k=k, **options)
        expected = all_paths(H, source, target, **options)[:k]
        assert [path.edges for path in found] == [edges for *_, edges in expected], (seed, options)
        assert len({path.edges for path in found}) == len(found)
        for name in options if len({len(path) for path in found}) > 1 else ():
            seen[name] += 1
    # every option has been seen where paths of several lengths are found
    assert all(seen[name] for name in ("directed", "avoid_hubs", "via", "through_target", "distinct")), seen


def line_graph(H, s, intersection="at_least", directed=False):
    enter, leave = sides(H, directed)
    graph = nx.DiGraph()
    graph.add_nodes_from(enter)
    for one, other in permutations(enter, 2):
        shared = len(leave[one] & enter[other])
        if shared == s if intersection == "exactly" else shared >= s:
            graph.add_edge(one, other)
    return graph


@pytest.mark.parametrize("seed", range(30))
def test_lengths_agree_with_networkx_on_the_line_graph(seed):
    H, source, target, _ = random_question(seed)
    for s, intersection, directed in [(1, "at_least", False), (2, "at_least", False), (1, "exactly", True)]:
        graph = line_graph(H, s, intersection, directed)
        enter, leave = sides(H, directed)
        begins = [edge for edge in enter if enter[edge] & names(source)]
        ends = [edge for edge in leave if leave[edge] & names(target)]
        graph.add_edges_from((("from",), edge) for edge in begins)
        graph.add_edges_from((edge, ("to",)) for edge in ends)
        graph.add_nodes_from([("from",), ("to",)])
        expected = []
        if nx.has_path(graph, ("from",), ("to",)):
            expected = [len(path) - 2 for path in islice(nx.shortest_simple_paths(graph, ("from",), ("to",)), 25)]
        found = hyperpaths(H, source, target, s, 25, intersection=intersection, directed=directed, through_target=True)
        assert [len(path) for path in found] == expected
        if expected:
            ties = set(map(tuple, nx.all_shortest_paths(graph, ("from",), ("to",))))
            every = hyperpaths(H, source, target, s, len(ties), intersection=intersection, directed=directed)
            assert {(("from",), *path.edges, ("to",)) for path in every} == ties


@pytest.mark.parametrize("seed", range(30))
def test_distances_and_neighbourhoods_agree_with_enumeration(seed):
    H, *_ = random_question(seed)
    node = H.nodes.index[0]
    for s, directed in [(1, False), (2, False), (1, True), (2, True)]:
        expected, via = {node: 0}, {node: None}
        for other in H.nodes.index:
            paths = all_paths(H, node, other, s, directed=directed)
            if other != node and paths:
                expected[other] = len(paths[0][2])
                via[other] = min(edges[-1] for *_, edges in paths if len(edges) == expected[other])
            assert distance(H, node, other, s, directed) == expected.get(other, float("inf"))
        for h in (0, 1, 2, 9):
            table = neighbourhood(H, node, h, s, directed)
            assert dict(zip(table["node"], table["distance"], strict=True)) == {
                name: far for name, far in expected.items() if far <= h
            }
            assert table["via"].tolist() == [via[name] for name in table["node"]]
            places = H.nodes.index.get_indexer(table["node"])
            assert sorted(zip(table["distance"], places, strict=True)) == list(
                zip(table["distance"], places, strict=True)
            )
