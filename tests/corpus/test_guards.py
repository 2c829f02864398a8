"""What guards must keep apart, what they must let pass; own examples, none from data/merge_pairs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgwork.corpus._names import read_name, spelling_key, stem
from hgwork.corpus.guards import veto

ALIKE = """
alveolus|alveoli
hypotheses|hypothesis
polymerases|polymerase
diagnoses|diagnosis
knife|knives
gas|gases
lens|lenses
size of pores|pore sizes
Hydrogel|hydrogels
HYDROGEL|hydrogel
MSCs|MSC
paediatric orthopaedic implant|pediatric orthopedic implant
leukaemia|leukemia
vascularised graft|vascularized graft
tumour behaviour|tumor behavior
sulphuric acid|sulfuric acid
travelling wave|traveling wave
electro-spinning|electrospinning
nano-emulsion|nanoemulsion
wave length|wavelength
Fe³⁺ ions|Fe3+ ions
Al₂O₃ ceramic|Al2O3 ceramic
γ-irradiation|gamma irradiation
µ-CT|micro-CT
10 µm film|10 μm film
El Niño|El Nino
R&D|R & D
salt and pepper|salt & pepper
Hodgkin's lymphoma|Hodgkin’s lymphoma
x-ray source|X-ray source
release of drugs|drug release
stiffness of the extracellular matrix|extracellular matrix stiffness
treatment for cancer|cancer treatment
drug-loaded micelles|micelles loaded with drugs
degradation in vitro|in vitro degradation
an elastic modulus|elastic modulus
so-called glass transition|glass transition
poly(vinyl alcohol)|poly vinyl alcohol
three-dimensional culture|3D culture
type 2 error|type II error
1st generation|first generation
"""

APART = """
5 days|15 days|number
2D culture|3D culture|number
p53|p63|number
-80 °C storage|80 °C storage|number
PLGA 75:25|PLGA 25:75|role
☢|☣|symbol
10 Hz signal|10 kHz signal|unit
37 °C|37 °F|unit
5 wt% filler|5 vol% filler|unit
kPa|GPa|unit
grade II|grade III|numeral
class IIa|class IIb|letter
vitamin K|vitamin E|letter
α particle|β particle|letter
p < 0.1|p > 0.1|symbol
CO|Co|case
PET|pet|case
PLGA film|PMMA film|abbreviation
東京|京都|script
non-invasive|invasive|negation
nonlinear system|linear system|negation
unstable foam|stable foam|negation
acellular scaffold|a cellular scaffold|negation
with serum|without serum|negation
lead-free solder|lead-based solder|negation
upper limb|lower limb|opposite
pre-treatment|post-treatment|opposite
endothermic|exothermic|opposite
prokaryote|eukaryote|opposite
copolymer|polymer|prefix
hydrophilic|hydrophobic|suffix
chloride|chlorite|suffix
ethane|ethene|suffix
titania|titanium|suffix
collagenase|collagen|suffix
copper-doped silica|silica-doped copper|role
copper-doped silica|copper doped with silica|role
parent-to-child|child-to-parent|role
solid-in-liquid|liquid-in-solid|role
conversion of glucose to fructose|conversion of fructose to glucose|role
effect of stress|effect by stress|role
kinase protein|protein kinase|role
kidney|kidney cortex|extra word
electrospun mat for bone regeneration|electrospun mat for skin regeneration|other word
"""


def _rows(text):
    return [line.split("|") for line in text.strip().splitlines()]


@pytest.mark.parametrize(("a", "b"), _rows(ALIKE))
def test_variants_of_one_name_are_not_vetoed_and_share_a_spelling(a, b):
    assert veto(a, b) is None
    assert spelling_key(a) == spelling_key(b)


@pytest.mark.parametrize(("a", "b", "reason"), _rows(APART))
def test_names_of_two_concepts_are_vetoed_for_the_reason_that_shows(a, b, reason):
    assert veto(a, b) == reason
    assert spelling_key(a) != spelling_key(b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("7 days", "7 d"),
        ("1000 µm pores", "1 mm pores"),
        ("10 mg/mL", "10 g/L"),
        ("chitosan/silk", "silk/chitosan"),
        ("porous thick mat", "thick porous mat"),
    ],
)
def test_equal_quantities_and_orders_without_meaning_are_left_to_the_cosine(a, b):
    assert veto(a, b) is None


def test_order_is_read_from_the_leftmost_preposition():
    # rate of [release of [drug]] -> drug release rate
    assert [t.text for t in read_name("rate of release of the drug").tokens] == ["drug", "release", "rate"]
    assert read_name("adhesion of cells to glass").relations == ("of", "to")


def test_case_is_folded_only_where_it_says_nothing():
    assert stem("Scaffold") == stem("SCAFFOLD") == "scaffold"
    assert stem("mPa") == "mPa" and stem("MPa") == "MPa" and stem("Co") == "Co"


names = st.text(alphabet=st.sampled_from("aB1β₂- ()/%.IVµé漢'&"), max_size=12)


@given(names, names)
def test_veto_is_symmetric_and_never_between_a_name_and_itself(a, b):
    assert veto(a, b) == veto(b, a)
    assert veto(a, a) is None
    assert isinstance(spelling_key(a), str)


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_text_can_be_read(a, b):
    veto(a, b)
