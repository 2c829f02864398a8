"""Definitions read off text; own sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgwork.corpus.definitions import Definitions, abbreviates, find_definitions


def read(text):
    return find_definitions(text)[["short", "long"]].to_numpy().tolist()


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("We used heat shock protein (HSP) here.", "HSP", "heat shock protein"),
        ("Poly(glycolic acid) (PGA) degrades.", "PGA", "Poly(glycolic acid)"),
        ("Poly(δ-valerolactone) (PVL; Sigma) was cast.", "PVL", "Poly(δ-valerolactone)"),
        ("DSC (differential scanning calorimetry) showed", "DSC", "differential scanning calorimetry"),
        ("Human dental pulp cells (DPCs) grew.", "DPCs", "dental pulp cells"),
        ("One dental pulp cell (DPCs) grew.", "DPCs", "dental pulp cell"),
        ("transforming growth factor beta 2 (TGF-β2)", "TGF-β2", "transforming growth factor beta 2"),
        ("N-isopropylacrylamide (NIPAM)", "NIPAM", "N-isopropylacrylamide"),
        ("1-methyl-2-(2-aminoethyl)diimide (MAD) was", "MAD", "1-methyl-2-(2-aminoethyl)diimide"),
        ("thermogravimetric analysis(TGA) was", "TGA", "thermogravimetric analysis"),
        ("of magnesium (Mg) ions", "Mg", "magnesium"),
        ("calcium phosphate (CaP) cement", "CaP", "calcium phosphate"),
    ],
)
def test_definition_is_found(text, short, long):
    assert read(text) == [[short, long]]


@pytest.mark.parametrize(
    "text",
    [
        "strong fibres (Fig. 2)",
        "strong fibres (see Table S1)",
        "as before (Fisher 1936)",
        "as before (Fisher et al., 1936)",
        "mice (n = 5)",
        "a stiff gel (5 kPa) and a soft one (12)",
        "significant (p < 0.05)",
        "iron(II) and phase two (II)",
        "The enzyme (TGF) was bought.",  # the letters are not in the words before
        "Fibres of PGA (PDGA) were equal.",
        "The island (Crete) is long.",
        "It ended. Here (IEH) nothing is defined",  # crosses a sentence
        "an open parenthesis (OP",
        "",
    ],
)
def test_other_parentheses_are_refused(text):
    assert read(text) == []


def test_spans_cover_the_definition():
    text = "First, silk fibroin (SF) and then NMR (nuclear magnetic resonance)."
    spans = [text[a:b] for a, b in find_definitions(text)[["start", "end"]].to_numpy()]
    assert spans == ["silk fibroin (SF)", "NMR (nuclear magnetic resonance)"]


def test_short_form_must_stand_for_the_whole_long_form():
    assert abbreviates("HSP", "heat shock protein")
    assert not abbreviates("HSP", "small heat shock protein")
    assert not abbreviates("HSP", "HSP")


def test_two_spellings_of_one_long_form_are_one_meaning_and_the_commonest_is_kept():
    known = Definitions(find_definitions("silk fibres (SF). silk fibers (SF). silk fibers (SF)."))
    assert known.table.to_numpy().tolist() == [["SF", "silk fibers", 3, False]]


def test_short_form_with_two_meanings_is_ambiguous_and_never_written_out():
    known = Definitions(find_definitions("Bone ash (BA) is white. Butyl acetate (BA) smells."))
    assert known.table["ambiguous"].tolist() == [True, True]
    assert known.expand("BA film") == "BA film"
    assert known.clash("BA", "bone ash") == "ambiguous abbreviation"
    assert known.clash("BA", "gel") is None


def test_short_forms_are_written_out_inside_names():
    known = Definitions(find_definitions("Silk fibroin (SF) and dental pulp cells (DPCs)."))
    assert known.expand("SF/PVA films") == "Silk fibroin/PVA films"
    assert known.expand("SF-based film") == "Silk fibroin-based film"
    assert known.expand("DPC growth") == "dental pulp cells growth"
    assert known.expand("ESF") == "ESF"
    assert known.expand("glass ceramic (GC)") == "glass ceramic"
    assert known.clash("SF", "solar furnace") == "other definition"
    assert known.clash("silk fibroins", "SF") is None


@given(st.text(alphabet=st.sampled_from("AbC ()(). ,β2-"), max_size=40))
def test_any_text_can_be_read(text):
    found = find_definitions(text)
    assert (found["start"] < found["end"]).all()
    Definitions(found).expand(text)
