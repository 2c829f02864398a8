"""The small closed classes of English that the rules lean on; no word of any one field beyond these.

`GENERIC` are nouns that name nothing unless something modifies them ("material", "method", "device" [1]_).

References
----------
.. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, section 2.1.1.
"""

from __future__ import annotations

__all__ = [
    "ACTION_ENDINGS", "ACTION_NOUNS", "APPROXIMATORS", "AUTHORS", "CAUSES", "COMPOSITE_HEADS", "CONSEQUENCES",
    "DROPPED", "FIXED_TERMS", "GENERIC", "NAMING", "NOT_ACTIONS", "NOT_USED", "PAPERS", "PARTITIVES", "QUANTIFIERS",
    "REFERRING", "ROLES", "SIZES", "SUMMING_VERBS", "TIMES", "TIME_ADVERBS", "word_set",
]  # fmt: skip


def word_set(words: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(words.split())


GENERIC = word_set(
    "approach area article aspect aim amount basis case category class component compound concept condition context "
    "course data detail device entity example experiment fact factor feature field figure finding form goal group "
    "idea instance issue item kind level literature manner material means measure method mixture mode model "
    "molecule number object one option order other others paper part parameter piece point polymer possibility "
    "presence absence procedure process product property protocol purpose question range reason report research "
    "result role sample sequence series set site situation sort step strategy structure study substance system "
    "table task technique term thing time topic type unit use value variety version view way work world way "
    "addition end author researcher scientist team plenty majority rest couple lot total half formation place "
    "former latter"
)
AUTHORS = word_set("we i you one us team researcher researchers author authors scientists scientist")
APPROXIMATORS = word_set(
    "about approximately around roughly nearly almost only over ca. circa some just exactly at least up to more "
    "than less fewer ~ even particularly especially mainly mostly merely both either neither not"
)
QUANTIFIERS = word_set(
    "many much most more less few fewer all any some each every both various numerous other another such same "
    "different certain little own enough several-fold said whole entire no what which whose"
)
DROPPED = word_set(
    "such other others same many much more less fewer little own certain various numerous particular respective"
)
PARTITIVES = word_set(
    "one number part amount variety range series set kind type form mixture combination presence absence majority lot "
    "plenty excess total half third thirds quarter couple handful bulk proportion portion example"
)
FIXED_TERMS = {
    ("elongation", "at"), ("degree", "of"), ("quality", "of"), ("modulus", "of"), ("coefficient", "of"), ("point",
    "of"), ("standard", "of"), ("order", "of"), ("center", "of"), ("centre", "of"), ("state", "of"), ("head", "of"),
    ("line", "of"), ("length", "of"), ("time", "of"), ("right", "of"), ("rite", "of"), ("coat", "of"),
}  # fmt: skip

ACTION_ENDINGS = ("ation", "ition", "ction", "sion", "ption", "ution", "ment", "ysis", "oval", "ance", "ing", "ery")
ACTION_NOUNS = {
    "use": "use", "release": "release", "loss": "lose", "growth": "grow", "removal": "remove", "addition": "add",
    "uptake": "uptake", "transfer": "transfer", "synthesis": "synthesise", "analysis": "analyse", "production":
    "produce", "reduction": "reduce", "formation": "form", "treatment": "treat", "digestion": "digest", "increase":
    "increase", "decrease": "decrease", "conversion": "convert", "delivery": "deliver", "co-culture": "co-culture",
    "culture": "culture", "replacement": "replace", "reaction": "react", "absorption": "absorb", "adsorption":
    "adsorb", "expansion": "expand", "extraction": "extract", "injection": "inject", "inhibition": "inhibit",
    "introduction": "introduce", "blend": "blend", "diffusion": "diffuse", "dispersion": "disperse", "exposure":
    "expose", "discovery": "discover", "transport": "transport", "invention": "invent", "destruction": "destroy",
    "defeat": "defeat", "adoption": "adopt", "attachment": "attach", "infusion": "infuse", "substitution":
    "substitute", "precipitation": "precipitate", "deposition": "deposit", "detection": "detect", "selection":
    "select", "construction": "construct", "collection": "collect", "export": "export", "import": "import",
    "transition": "change", "adhesion": "adhere", "comparison": "compare", "combination": "combine",
}  # fmt: skip
NOT_ACTIONS = word_set(
    "fraction section region function station position population generation concentration condition dimension "
    "tension solution suspension emulsion composition constitution institution element cement segment environment "
    "department government document moment basis building ceiling evening morning spring string ring king thing "
    "being balance distance substance appearance instance importance resistance performance abundance battery "
    "gallery surgery century machinery direction organization organisation corporation association foundation "
    "nation version mission session instrument fragment experiment orientation location situation relation "
    "correlation vegetation precaution edition tradition ambition competition petition constellation"
)
COMPOSITE_HEADS = word_set(
    "composite nanocomposite biocomposite scaffold blend membrane film sponge hydrogel gel fibre fiber nanofibre "
    "nanofiber mat alloy copolymer laminate matrix coating construct hybrid heterostructure heterojunction mixture "
    "bilayer complex cryogel aerogel foam microsphere nanoparticle particle capsule ink bioink cement glass ceramic "
    "system material catalyst electrode electrolyte layer multilayer conjugate network paste suspension"
)

CAUSES = word_set("because since as")
CONSEQUENCES = word_set("so therefore consequently hence thus accordingly thereby")
SUMMING_VERBS = word_set(
    "explain mean suggest imply indicate confirm show demonstrate limit allow enable result lead cause make"
)

NOT_USED = word_set(
    "affinity need reason demand desire respect support term word name award prize evidence basis preference search "
    "request nominee nomination award medal responsibility score account hour day week month year minute second "
    "symbol code site ligand receptor candidate member representative minister secretary requirement criterion "
    "threshold limit value price"
)
TIMES = word_set(
    "second minute hour day week month year decade century time period while h min s example instance now night"
)
SIZES = word_set(
    "large small high low great huge wide equal vast significant considerable small growing increasing good full"
)
NAMING = word_set("call know name term dub entitle title style denote abbreviate")
REFERRING = word_set(
    "material polymer compound substance molecule protein object device product species organism drug composite "
    "system machine enzyme structure method technique process model algorithm approach"
)
ROLES = word_set(
    "source marker cofactor precursor obstacle means indicator predictor cause member part son daughter brother "
    "sister father mother wife husband child grandson granddaughter cousin nephew niece uncle aunt capital sign "
    "symptom subsidiary tributary suburb author founder sequel winner birthplace inhibitor agonist antagonist "
    "substrate derivative ancestor descendant successor predecessor seat synonym subset measure function product "
    "alternative rival threat prerequisite key contributor"
)
TIME_ADVERBS = word_set("overnight hourly daily weekly monthly yearly annually today")
PAPERS = word_set("study paper work article review report chapter thesis")
