"""Is each claim of an answer held by the statements it cites? Checked by rule, without a language model.

A claim is a sentence. Its citations must exist; the names and numbers in it must stand in the statements cited, the
numbers with the same units and in the same order; it must affirm what they affirm; and where it uses the verb of a
statement, source and target must stand as they do there. The check reads words: it does not follow an argument, and a
claim that relates the right names by the wrong verb passes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import pandas as pd

from ..models.parser import lexicon, load_parser
from ._clauses import clauses, contradiction
from ._direction import reversed_by
from ._quantities import Quantity, quantities, without_pointers
from ._words import GENERIC, Abbreviations, root, roots_of, same_word, words_of

__all__ = ["VERDICTS", "check_citations", "split_claims"]

VERDICTS = (
    "citation does not exist",
    "no citation",
    "direction reversed",
    "negated",
    "unsupported number",
    "unsupported entity",
    "supported",
)
"""In the order in which one is chosen where several apply; `detail` holds them all."""

_CITATION = re.compile(r"\s*\[(\d+(?:\s*[-–,;]\s*\d+)*)\]")
_END = re.compile(r"(?<=[.!?])((?:\s*\[[\d\s,;–-]+\])*)\s+(?=[^\sa-z\[(])|\s*\n\s*(?:[-*•]\s+|\d+[.)]\s+|#+\s+)?")
_NO_END = re.compile(r"(?:\b[A-Z]|\b(?:e\.g|i\.e|cf|vs|al|approx|ca|Fig|Figs|Dr|Prof|St|No|Eq|Ref|spp?))\.$")
_MOST = 10_000  # statements in a cited range: a longer one is a slip or an attack


@dataclass(frozen=True)
class _Statement:
    source: list[str]
    relation: str
    target: list[str]
    text: str  # all that it says: sentence, evidence, members


def check_citations(
    answer: str | Sequence[Any], statements: pd.DataFrame, names: Iterable[str] = (), require: bool = True
) -> pd.DataFrame:
    """Check every claim of an answer against the statements that it cites.

    Parameters
    ----------
    answer : str, or sequence of claims
        Free text with citations such as ``[3]``, ``[1, 2]``, ``[1-3]`` after what they support, before or after the
        full stop; or claims with `text` and `statements` (objects or mappings). A sentence that ends in a question
        mark or a colon, or holds no noun, claims nothing and is left out.
    statements : DataFrame
        Index (or column `number`): what a citation names. Columns `source`, `target` (lists of names), `relation`,
        `text`; also used where there: `sentence`, `members`, `document`.
    names : iterable of str
        Names that a claim may use without a source, such as those the question asks about.
    require : bool
        Whether a claim without a citation is a fault; otherwise it is left out.

    Returns
    -------
    DataFrame, one row a claim
        `claim` (without citations), `cited` (list of int), `verdict` (see `VERDICTS`), `detail`.

    Raises
    ------
    ValueError
        If the statements lack a column.

    Examples
    --------
    >>> statement = {"source": ["lysozyme"], "relation": "degrades", "target": ["chitosan"]}
    >>> statements = pd.DataFrame([statement | {"text": "Lysozyme degrades chitosan by 35% in 28 days."}], index=[1])
    >>> report = check_citations("Chitosan is degraded by lysozyme [1]. It lost 53% in 28 days [1].", statements)
    >>> report["verdict"].tolist()
    ['supported', 'unsupported number']
    """
    held = _statements(statements)
    known = Abbreviations(statement.text for statement in held.values())
    given = {word for name in names for word in roots_of(name)}
    rows = []
    for claim, cited in _claims(answer):
        if cited or require:
            faults = _faults(claim, cited, held, known, given)
            verdict = min(faults, key=VERDICTS.index) if faults else "supported"
            detail = "; ".join(faults[name] for name in VERDICTS if name in faults)
            rows.append({"claim": claim, "cited": cited, "verdict": verdict, "detail": detail})
    return pd.DataFrame(rows, columns=["claim", "cited", "verdict", "detail"])


def split_claims(text: str) -> list[tuple[str, list[int]]]:
    """The claims of a text with the numbers that each cites.

    Examples
    --------
    >>> split_claims("E. coli dies [3]. Silk binds water. [1-2] Why? Because.")
    [('E. coli dies.', [3]), ('Silk binds water.', [1, 2])]
    """
    claims = []
    for sentence in _sentences(text):
        cited = sorted({n for found in _CITATION.finditer(sentence) for n in _numbers(found[1])})
        bare = re.sub(r"\s+([.,;!?])", r"\1", " ".join(_CITATION.sub("", sentence).split())).strip()
        if bare and (cited or _claims_something(bare)):
            claims.append((bare, cited))
    return claims


def _sentences(text: str) -> list[str]:
    out, start = [], 0
    for end in _END.finditer(text):
        piece = text[start : end.start()]
        if "\n" not in end[0] and _NO_END.search(piece):
            continue
        out.append(piece + (end[1] or ""))
        start = end.end()
    return [re.sub(r"^[\s*_#>•-]+(?=\s)|^[*_#>]+|[*_\s]+$", "", piece).strip() for piece in [*out, text[start:]]]


def _numbers(text: str) -> list[int]:
    out: list[int] = []
    for part in re.split(r"\s*[,;]\s*", text):
        ends = [int(n) for n in re.split(r"\s*[-–]\s*", part)]
        first, last = ends[0], ends[-1]
        out += range(first, last + 1) if 0 <= last - first < _MOST else ends
    return out


def _claims_something(text: str) -> bool:
    if text.endswith(("?", ":")):
        return False
    return any(token.pos_ in ("NOUN", "PROPN") for token in load_parser()(text))


def _claims(answer: str | Sequence[Any]) -> list[tuple[str, list[int]]]:
    if isinstance(answer, str):
        return split_claims(answer)
    out = []
    for claim in answer:
        get: Any = claim.get if isinstance(claim, dict) else partial(getattr, claim)
        text, cited = get("text"), get("statements")
        inside = sorted({n for found in _CITATION.finditer(text) for n in _numbers(found[1])})
        out.append((_folded(text), sorted({*map(int, cited), *inside})))
    return out


def _statements(table: pd.DataFrame) -> dict[int, _Statement]:
    if "number" in table:
        table = table.set_index("number")
    lacking = [name for name in ("source", "relation", "target", "text") if name not in table]
    if lacking:
        raise ValueError(f"the statements have no column {lacking[0]!r}; they have {list(table.columns)}.")
    out = {}
    for number, row in zip(table.index, table.to_dict("records"), strict=True):
        source, target, members = (_names(row.get(name)) for name in ("source", "target", "members"))
        relation, text = (row[name] if isinstance(row[name], str) else "" for name in ("relation", "text"))
        said = f"{', '.join(source)} {relation} {', '.join(target)}."
        more = [row.get("document")] if isinstance(row.get("document"), str) else []
        out[int(number)] = _Statement(source, relation, target, "\n".join([text, said, ", ".join(members), *more]))
    return out


def _names(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value) if isinstance(value, (list, tuple)) else []


def _faults(
    claim: str, cited: list[int], held: dict[int, _Statement], known: Abbreviations, given: set[str]
) -> dict[str, str]:
    """Verdict -> what is wrong, for each fault of a claim."""
    ghosts = [number for number in cited if number not in held]
    if ghosts:
        return {"citation does not exist": f"no statement has the number {', '.join(map(str, ghosts))}"}
    if not cited:
        return {"no citation": "nothing is cited"}
    used = [held[number] for number in cited]
    if any(claim == _folded(statement.text.split("\n")[0]) for statement in used):  # word for word
        return {}
    evidence = "\n".join(statement.text for statement in used)
    claim = without_pointers(claim)
    said = [clause for s in used for line in s.text.split("\n")[:2] for clause in clauses(line, known)]
    found = {
        "direction reversed": _reversed(claim, used, known),
        "negated": contradiction(clauses(claim, known), said),
        "unsupported number": _wrong_numbers(claim, [statement.text for statement in used]),
        "unsupported entity": _strangers(claim, evidence, known, given),
    }
    return {verdict: detail for verdict, detail in found.items() if detail}


def _folded(text: str) -> str:
    """A text as `split_claims` and `_claims` leave it: without citations of its own."""
    return " ".join(_CITATION.sub("", text).split())


def _reversed(claim: str, used: list[_Statement], known: Abbreviations) -> str | None:
    turned = reversed_by(claim, [(s.source, s.relation, s.target) for s in used], known)
    return f"the statement is {turned!r}" if turned else None


def _wrong_numbers(claim: str, texts: list[str]) -> str | None:
    there = [quantity for text in texts for quantity in quantities(text)]
    here = quantities(claim)
    missing = [quantity.text for quantity in here if not any(quantity.meets(other) for other in there)]
    if missing:
        return f"in no statement cited: {', '.join(missing)}"
    for one, two in pairwise(here):
        if one.kind != two.kind or one.meets(two):
            continue
        if any(_exchanged(claim, one, two, text) for text in texts):
            return f"{one.text} and {two.text} are exchanged"
    return None


def _exchanged(claim: str, one: Quantity, two: Quantity, text: str) -> bool:
    """Whether a text says "from two to one" where the claim says "from one to two", or gives each to another word."""
    places = quantities(text)
    a, b = (next((q for q in places if mine.meets(q)), None) for mine in (one, two))
    if a is None or b is None:
        return False
    ranged = [
        re.search(r"\bfrom\b[^.;]*\bto\b", s[max(0, x - 40) : y])
        for s, x, y in ((claim, one.start, two.start), (text, min(a.start, b.start), max(a.start, b.start)))
    ]
    if all(ranged):
        return a.start > b.start
    shared = roots_of(claim) & roots_of(text) - GENERIC
    mine, theirs = _owners(claim, [one, two], shared), _owners(text, [a, b], shared)
    return mine[0] != mine[1] and mine == theirs[::-1]


def _owners(text: str, numbers: list[Quantity], shared: set[str]) -> list[str | None]:
    """The nearest shared noun before each number, not further back than another number or the sentence's beginning."""
    out: list[str | None] = []
    tokens = load_parser()(text)
    for number in numbers:
        owner = None
        for token in tokens:
            if token.idx >= number.start:
                break
            if token.is_sent_start:
                owner = None
            if token.pos_ in ("NOUN", "PROPN") and root(token.text) in shared:
                owner = root(token.text)
        out.append(owner)
    return out


def _strangers(claim: str, evidence: str, known: Abbreviations, given: set[str]) -> str | None:
    """Names and nouns of a claim that no statement cited holds."""
    there = frozenset(known.expand(roots_of(evidence)) | given)
    numbers = quantities(claim)
    missing = []
    for token in load_parser()(claim):
        if not _names_something(token) or any(q.start <= token.idx < q.end for q in numbers):
            continue
        for word in words_of(token.text):
            if len(word) > 1 and root(word.lower()) not in _GENERIC_ROOTS and not same_word(word, there):
                missing.append(word)
    return f"in no statement cited: {', '.join(dict.fromkeys(missing))}" if missing else None


_GENERIC_ROOTS = frozenset(root(word) for word in GENERIC)


def _names_something(token) -> bool:
    if not any(character.isalpha() for character in token.text):
        return False
    if token.pos_ in ("NOUN", "PROPN"):
        return True
    known, lemmas = lexicon()
    forms = {token.text, token.lemma_, root(token.text)}
    if token.is_lower and token.is_alpha and len(token) > 3 and not any(forms & s for s in (known, *lemmas.values())):
        return True  # a word that neither the parser nor its word lists know: no plain English
    if token.is_lower and token.text in lemmas["noun"] and not forms & (lemmas["adj"] | lemmas["verb"]):
        return not token.is_stop  # a noun that the parser took for something else: "polystyrene films"
    inner = token.text[1:]  # acronyms and formulas, whatever the parser takes them for
    return any(c.isupper() for c in inner) or (any(c.isdigit() for c in inner) and token.text[0].isalpha())
