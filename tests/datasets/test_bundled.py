"""The toy worked by hand on the README's table, and the seam to the corpus room."""

import pandas as pd
import pytest

import hgwork as hg
from hgwork.datasets import documents, load, names
from hgwork.datasets._folder import data_folder


def test_the_toy_is_seven_people_and_ten_papers():
    H = load("toy")
    assert H.shape == (10, 7)
    assert H.degrees.to_dict() == {"Sally": 6, "Bob": 4, "David": 4, "Ella": 4, "Carol": 3, "Frank": 2, "Grace": 1}
    assert H.sizes.tolist() == [4, 2, 1, 3, 2, 3, 2, 2, 2, 3]
    assert set(H.incidences["role"]) == {"member"}


def test_the_toy_begins_with_the_papers_example():
    H = load("toy")
    assert H.members("paper 01") == ["Sally", "Bob", "David", "Ella"]
    assert H.sentences(["paper 01"]).item() == "are equal co-authors of {Sally, Bob, David, Ella}"


def test_the_toy_has_one_duplicate_and_one_singleton():
    H = load("toy")
    assert H.edge_classes().duplicated().loc[lambda s: s].index.tolist() == ["paper 08"]  # the team of paper 02
    assert H.sizes[H.sizes == 1].index.tolist() == ["paper 03"]


def test_the_toy_is_ordered_by_date():
    edges = load("toy").edges
    assert edges["position"].tolist() == list(range(1, 11))
    assert edges["date"].is_monotonic_increasing
    assert set(edges["group"]) == {"papers on groups"}


def test_every_sentence_of_the_toy_names_its_authors():
    H = load("toy")
    for edge, text in H.edges["text"].items():
        assert all(name in text for name in H.members(edge))


# Shared authors of each pair, read off the table of the README; every other pair shares one or none.
TWO_OR_MORE = {
    ("01", "02"): 2, ("01", "04"): 3, ("01", "08"): 2, ("01", "09"): 2, ("01", "10"): 3, ("02", "04"): 2,
    ("02", "08"): 2, ("04", "08"): 2, ("04", "10"): 2, ("06", "07"): 2, ("09", "10"): 2,
}  # fmt: skip


def test_overlaps_of_the_toy():
    shared = (load("toy").incidence @ load("toy").incidence.T).toarray()
    found = {(f"{i + 1:02d}", f"{j + 1:02d}"): shared[i, j] for i in range(10) for j in range(i + 1, 10)}
    assert {pair: n for pair, n in found.items() if n >= 2} == TWO_OR_MORE
    # sum of C(degree, 2) = 15 + 6 + 6 + 6 + 3 + 1 + 0 = 37; nine pairs count once too often, two twice: 37 - 13
    assert sum(n >= 1 for n in found.values()) == 24


@pytest.mark.parametrize(
    ("s", "components"),
    [
        (1, [["01", "02", "03", "04", "05", "06", "07", "08", "09", "10"]]),
        (2, [["01", "02", "04", "08", "09", "10"], ["05"], ["06", "07"]]),
        (3, [["01", "04", "10"], ["06"]]),
        (4, [["01"]]),
    ],
)
def test_s_components_of_the_toy(s, components):
    H = load("toy")
    labels = hg.topology.s_components(H, s).labels
    labels = labels[labels >= 0]
    found = sorted([edge[-2:] for edge in group] for group in labels.groupby(labels).groups.values())
    assert found == components


def test_paper_05_is_the_bridge_of_the_toy():
    H = load("toy")
    without = H.subgraph(edges=[edge for edge in H.edges.index if edge != "paper 05"])
    sides = hg.topology.s_components(without, 1).sizes
    assert sorted(sides) == [2, 7]  # 06 and 07 against the rest


def test_an_unknown_name_lists_what_there_is():
    for function in (load, documents):
        with pytest.raises(KeyError, match=r"no dataset is named 'papers'.*toy, scaffolds"):
            function("papers")


def test_the_table_of_names_agrees_with_what_is_loaded():
    table = names()
    assert table.columns.tolist() == ["title", "documents", "nodes", "hyperedges", "licence"]
    for name, row in table.iterrows():
        assert len(documents(name)) == row["documents"]
        if not pd.isna(row["nodes"]):
            assert load(name).shape == (row["hyperedges"], row["nodes"])


def test_documents_of_scaffolds_carry_title_and_date():
    first = documents("scaffolds")[0]
    assert (first.id, first.title, first.date) == ("s01", "Polycaprolactone", "2012-03-14")


@pytest.mark.slow
def test_scaffolds_is_built_from_its_documents():
    H = load("scaffolds")
    assert set(H.edges["document"]) <= {text.id for text in documents("scaffolds")}
    assert H.edges["document"].nunique() == 48
    assert H.sizes.min() >= 1


def test_the_data_folder_is_named_by_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("HGWORK_DATA", str(tmp_path))
    assert data_folder() == tmp_path
    monkeypatch.setenv("HGWORK_DATA", str(tmp_path / "none"))
    with pytest.raises(FileNotFoundError, match=r"HGWORK_DATA=.*none.* is not a folder"):
        data_folder()


def test_missing_data_names_the_places_looked_at(tmp_path, monkeypatch):
    monkeypatch.delenv("HGWORK_DATA", raising=False)
    monkeypatch.setattr("hgwork.datasets._folder._PACKAGE", tmp_path / "hgwork")
    with pytest.raises(FileNotFoundError, match=r"_data.*Set HGWORK_DATA"):
        data_folder()


def test_an_installed_package_brings_its_data(tmp_path, monkeypatch):
    monkeypatch.delenv("HGWORK_DATA", raising=False)
    (tmp_path / "hgwork" / "_data" / "toy").mkdir(parents=True)
    monkeypatch.setattr("hgwork.datasets._folder._PACKAGE", tmp_path / "hgwork")
    assert data_folder() == tmp_path / "hgwork" / "_data"


def test_ordered_corpora_are_listed_and_say_who_builds_them():
    import hgwork as hg

    assert {"cyclones", "failures"} <= set(names().index)
    assert [text.id for text in documents("failures")] == [text.id for text in hg.datasets.failures()]
    for name in ("cyclones", "failures"):
        with pytest.raises(ValueError, match=rf"hg\.order\.build\(hg\.datasets\.documents\('{name}'\), '{name}'\)"):
            load(name)
    H = hg.order.build(documents("failures")[:2], "failures", progress=False).hypergraph
    assert H.edges["group"].nunique() == 2
