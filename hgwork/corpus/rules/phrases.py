"""Entities: the members of noun and prepositional phrases, with pronouns and a bare "the X" resolved.

"X of Y" and "Y's X" give two members; bare generic nouns take their antecedent or are left out. How one label is cut
is in `labels`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .actions import action_parts
from .grammar import has, is_nominal, kids
from .labels import distributed, in_label, names_whole, words_of
from .memory import Memory
from .text import Prose
from .words import AUTHORS, GENERIC, NAMING, PARTITIVES, REFERRING, SIZES, word_set

if TYPE_CHECKING:
    from spacy.tokens import Token

__all__ = ["Found", "Phrases"]

Found = tuple[int, str]  # place of a token in its Doc, label

_ADVERBIAL = word_set(
    "example instance fact turn average contrast particular general addition result vivo vitro situ silico detail "
    "principle practice parallel comparison way ways part reason hand place order first last once least that this "
    "these case means basis all sequence"
)
_POINTING = word_set("this these that those such the each both")
_PERSONAL = word_set("it its itself he she his her him himself herself they them their themselves")


class Phrases:
    """Labels and members of noun phrases in one sentence; every token is resolved once.

    Attributes
    ----------
    relatives : dict
        Place of a relative word -> the labels of its antecedent, set by the clauses.
    actions : dict
        Place of an action noun -> (verb, source, preposition, target) where it holds two participants.
    exclude : tuple of str
        Labels that an object pronoun cannot mean: the subject of its own verb.
    cataphor : (place, labels, plural)
        The main subject that a pronoun before `place` means.
    subject : bool
        Whether what is read now is the subject of a clause.
    """

    def __init__(self, text: Prose, memory: Memory):
        self.text, self.memory = text, memory
        self.relatives: dict[int, list[str]] = {}
        self.actions: dict[int, tuple[str, list[Found], str, list[Found]]] = {}
        self.exclude: tuple[str, ...] = ()
        self.cataphor: tuple[int, list[str], bool] = (-1, [], False)
        self.subject = False
        self._labels: dict[int, list[str]] = {}

    def word(self, token: Token) -> str:
        """The token as the source has it."""
        return self.text.original(token.idx, token.idx + len(token))

    def lemma(self, token: Token) -> str:
        """The lower-cased lemma of what the source has, stand-ins seen through."""
        word = self.word(token).lower()
        if word == token.lower_:
            return token.lemma_.lower()
        return word[:-1] if token.tag_ in ("NNS", "VBZ") and word.endswith("s") else word

    def cut(self, words: list[Token]) -> str:
        """The source text of some tokens; gaps become one space, quotation marks around it are left out."""
        runs: list[list[int]] = []
        for word in words:
            end = word.idx + len(word.text_with_ws)
            if runs and word.idx == runs[-1][1]:
                runs[-1][1] = end
            else:
                runs.append([word.idx, end])
        return " ".join(self.text.original(a, b) for a, b in runs).strip(' ,;:"“”«»')

    # ---------------------------------------------------------------- members

    def members(self, token: Token, participles: bool = False) -> list[Found]:
        """The entities of the noun phrase headed by `token`, its prepositional phrases and conjuncts, in order.

        `participles`: with those of a participle or adjective after it ("fibres coated with silk").
        """
        found: list[Found] = []
        action = action_parts(token, self)
        if action is not None:
            self.actions[token.i] = action
            found += action[1] + action[3]
        else:
            found += [f for owner in kids(token, "poss") if not names_whole(owner) for f in self.members(owner)]
            found += [(token.i, label) for label in self.labels(token)]
        for child in token.rights:
            if child.dep_ in ("prep", "agent") and action is None:
                if not in_label(self, child, token):
                    found += self.phrase(child)
                else:  # "elongation at break of the film"
                    found += [f for c in child.children for p in kids(c, "prep", after=True) for f in self.phrase(p)]
            elif child.dep_ == "conj" and is_nominal(child):
                found += self.members(child, participles)
            elif child.dep_ == "appos" and self.is_list(child):
                found += self.members(child)
            elif participles and child.dep_ in ("acl", "amod"):
                subject, self.subject = self.subject, False
                found += self.complements(child)
                self.subject = subject
        return sorted(dict.fromkeys(found))

    def phrase(self, preposition: Token) -> list[Found]:
        """The entities of a prepositional phrase."""
        found: list[Found] = []
        subject, self.subject = self.subject, False
        for child in preposition.children:
            if child.dep_ in ("pobj", "npadvmod") and is_nominal(child):
                bare = child.n_rights == 0 and (
                    child.n_lefts == 0 or child.lower_ in ("result", "hand", "way", "reason")
                )
                by_weight = preposition.lower_ == "by" and child.lower_ in ("weight", "volume", "mass")
                found += [] if bare and (by_weight or child.lower_ in _ADVERBIAL) else self.members(child)
            elif child.dep_ in ("prep", "conj") and child.pos_ in ("ADP", "SCONJ") and child.i > preposition.i:
                found += self.phrase(child)
            elif child.dep_ == "conj" and is_nominal(child):
                found += self.members(child)
            elif child.dep_ == "pcomp":
                bare = child.tag_ == "VBG" and not has(child, "dobj", "prep", "xcomp", "ccomp", "advcl")
                found += [(child.i, label) for label in self.labels(child)] if bare else self.complements(child)
        self.subject = subject
        return found

    def complements(self, verb: Token) -> list[Found]:
        """The objects and phrases of a participle, gerund or adjective; none where it names, or has an agent."""
        if verb.lemma_ in NAMING or has(verb, "agent") or has(verb, "aux", words=("to",)):
            return []
        found: list[Found] = []
        for child in verb.rights:
            if child.dep_ in ("dobj", "attr", "oprd") and is_nominal(child):
                found += self.members(child)
            elif child.dep_ == "prep":
                found += self.phrase(child)
            elif child.dep_ == "conj" and child.pos_ == verb.pos_:
                found += self.complements(child)
        return found

    @staticmethod
    def is_list(token: Token) -> bool:
        """Whether an apposition is really another member: no comma before it, or the place that a place lies in."""
        start = token.left_edge.i
        before = token.doc[start - 1].text if start else ""
        places = token.head.dep_ == "pobj" and token.pos_ == token.head.pos_ == "PROPN"
        if places and before == "," and not has(token, "det", "prep"):
            return True
        return before not in (",", "–", "—", "-", ":", "(", ";", "or")

    # ---------------------------------------------------------------- labels

    def labels(self, token: Token) -> list[str]:
        """The labels of one head: none for a bare generic noun, several where a head or an antecedent is shared."""
        if token.i not in self._labels:
            found = self._labels[token.i] = self._resolve(token)
            if found and token.pos_ != "NUM":
                plural = token.tag_ in ("NNS", "NNPS") or token.lower_ in ("they", "them", "their", "these", "those")
                self.memory.note(found, self.lemma(token), plural, self.subject, token.i, token.pos_ == "PROPN")
        return self._labels[token.i]

    def _resolve(self, token: Token) -> list[str]:
        if token.i in self.relatives:
            return self.relatives[token.i]
        if token.pos_ == "PRON" or token.tag_ in ("PRP", "PRP$", "DT", "WP", "WDT"):
            return self._pronoun(token)
        words = words_of(self, token)
        content = [w for w in words if w.lower_ not in ("one", "first", "second")]
        lemma, alone = self.lemma(token), len(content) == 1 and token.pos_ != "PROPN"
        marks = {c.lower_ for c in token.lefts}
        tail = has(token, "acl", "relcl") or has(token, "prep", words=("of", "between", "for"))
        of = has(token, "prep", words=("of",))
        tail = tail or has(token, "poss")
        if alone and token.pos_ == "NOUN" and not tail and marks & _POINTING:
            plural = token.tag_ == "NNS"
            if earlier := self.memory.definite(lemma, token.i, plural, generic=lemma in REFERRING):
                return earlier
        if alone and (lemma in AUTHORS or (lemma in GENERIC and not of and token.pos_ in ("NOUN", "ADJ", "VERB"))):
            return []
        sized = all(w.pos_ == "NUM" or w.lower_ in SIZES or w.is_punct for w in words if w != token)
        if lemma in PARTITIVES and sized and has(token, "prep", words=("of",)):
            return []
        if not any(c.isalnum() for w in words for c in w.text):
            return []
        return [label for label in distributed(self, token, words) if any(c.isalnum() for c in label)]

    def _pronoun(self, token: Token) -> list[str]:
        word = token.lower_
        if has(token, "prep", words=("of",)):
            return []
        if word in _PERSONAL:
            plural = word.startswith("the")
            place, labels, number = self.cataphor
            if labels and token.i < place and number == plural:
                return labels
            objective = word in ("it", "them", "him", "her") and token.dep_ in ("dobj", "pobj", "dative", "nsubj")
            predicate = token.head.dep_ == "attr" and token.head.head.lemma_ == "be"
            return self.memory.pronoun(plural, token.i, self.exclude if objective or predicate else (), word[0] in "hs")
        if word == "those" and has(token, "acl", "relcl"):
            return self.memory.pronoun(True, token.i)
        if word in ("this", "these") or (word in ("that", "those") and token.dep_ in ("nsubj", "nsubjpass")):
            return self.memory.pronoun(None, token.i) if token.dep_ in ("nsubj", "nsubjpass", "dobj", "pobj") else []
        return []
