"""Pass 1: what a sentence states grammatically; one verb is one event with all its entities [1]_.

A clause is a verb group (auxiliaries, "is known to cleave", "is made by mixing") with its subject, shared by
coordinated verbs, taken from the antecedent in relative and participle clauses; everything else that it governs is
its target.

References
----------
.. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, section 2.1.1 (pass 1).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .antecedents import antecedent, bind_relatives, labels_of, look_ahead
from .grammar import RELATIVES, SUBJECTS, has, is_clause, is_nominal, is_postnominal, is_purpose, kids, verb_chain
from .phrases import Found, Phrases
from .targets import relation_of, shared_agent, targets
from .words import AUTHORS, PAPERS

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

__all__ = ["Clauses", "Frame"]

_GERUND_LINKS = ("with", "in", "into", "to", "from", "onto")
_TREATMENTS = ("boil", "soak", "immerse", "expose", "subject", "treat")
_USES = ("use", "employ", "apply", "add", "introduce")


@dataclass
class Frame:
    """One statement: the verb it hangs on, its sides and its relation; `kind` as in `Event`.

    `fronted` are the phrases before the subject, which coordinated verbs share; a frame that is not `shown` only
    lends its members to others.
    """

    verb: Token
    source: list[Found]
    relation: str
    target: list[Found]
    kind: str = "explicit"
    shown: bool = True
    fronted: list[Found] = field(default_factory=list)
    authors: bool = False  # "we": left out, so that the object comes first

    @property
    def members(self) -> list[Found]:
        return [*self.source, *self.target]


class Clauses:
    """The clauses of one sentence, read in text order.

    Attributes
    ----------
    frames : dict
        Place of a verb -> its frame.
    chains, merged : dict
        Place of a clause's first verb -> its verb group; place of a later verb of a group -> its first verb.
    """

    def __init__(self, sentence: Span, phrases: Phrases):
        self.sentence, self.phrases = sentence, phrases
        self.frames: dict[int, Frame] = {}
        self.chains: dict[int, list[Token]] = {}
        self.merged: dict[int, Token] = {}

    def read(self) -> list[Frame]:
        """All frames, those with fewer than two members included (pass 2 needs them)."""
        heads = [t for t in self.sentence if is_clause(t)]
        for head in heads:
            if head.i not in self.merged:
                self.chains[head.i] = verb_chain(head)
                self.merged |= {verb.i: head for verb in self.chains[head.i][1:]}
        look_ahead(self.phrases, self.sentence)
        for head in heads:
            if head.i not in self.merged:
                self.frame(head)
        for adjective in filter(is_postnominal, self.sentence):
            links = kids(adjective, "prep", after=True)
            target = [f for c in links for f in self.phrases.phrase(c)]
            relation = f"{self.phrases.word(adjective)} {links[0].lower_}"
            self.frames[adjective.i] = Frame(adjective, antecedent(self.phrases, adjective.head), relation, target)
        return [self.frames[i] for i in sorted(self.frames)]

    def frame(self, head: Token) -> Frame:
        """The frame of a clause head, made once."""
        head = self.merged.get(head.i, head)
        if head.i in self.frames:
            return self.frames[head.i]
        phrases, chain = self.phrases, self.chains.setdefault(head.i, [head])
        bind_relatives(phrases, head, self.chains)
        self.frames[head.i] = frame = Frame(head, [], "", [])
        subjects = kids(head, *SUBJECTS)
        phrases.subject = True
        frame.source = self._subject(head, subjects) if subjects else self._borrowed(head)
        phrases.subject = False
        heads = {t.i for subject in subjects for t in [subject, *subject.conjuncts]}
        together = [label for place, label in frame.source if place in heads]
        if len(heads) > 1 and together:
            phrases.memory.note(together, "", True, True, subjects[0].i)
        phrases.exclude = tuple(label for place, label in frame.source if place in heads)
        frame.fronted = self._fronted(head, subjects)
        frame.target, link = targets(self, chain, frame.fronted)
        phrases.exclude = ()
        if not frame.target and len(chain) == 1:
            frame.target, link = shared_agent(phrases, head)
        frame.kind = "completed" if not subjects and is_purpose(head) else "explicit"
        frame.relation = relation_of(phrases, chain, link)
        if self._by_authors(head, subjects):
            self._drop_authors(frame, chain)
        if has(head, "expl"):
            things = [c for c in kids(head, "attr", "nsubj", "dobj", after=True) if is_nominal(c)]
            frame.source = [f for c in things for f in phrases.members(c)]
            frame.target = [f for f in frame.target if f not in frame.source]
        return frame

    # ---------------------------------------------------------------- sources

    def _subject(self, head: Token, subjects: list[Token]) -> list[Found]:
        phrases, found = self.phrases, list[Found]()
        if len(subjects) > 1 and subjects[0].lower_ in RELATIVES:
            subjects = subjects[1:]
        reports = any(c.i > head.i for c in kids(head, "ccomp"))
        for subject in subjects:
            partitive = [
                w for p in kids(subject, "prep", words=("of",)) for w in kids(p, "pobj", words=("which", "whom"))
            ]
            if subject.dep_.startswith("csubj"):
                found += self._gerund(subject)
            elif subject.lower_ in RELATIVES and subject.i in phrases.relatives:
                labels = phrases.relatives[subject.i]
                found += [(subject.i, label) for label in labels] or self._clause_before(head)
            elif partitive:  # "none of which"
                found += [(w.i, label) for w in partitive for label in phrases.relatives.get(w.i, [])]
            elif subject.lower_ == "it" and reports and not phrases.relatives:
                continue  # "it is known that …"
            elif is_nominal(subject) or subject.pos_ in ("ADJ", "DET", "VERB"):
                found += phrases.members(subject, participles=True)
        return sorted(dict.fromkeys(found))

    def _borrowed(self, head: Token) -> list[Found]:
        """The source of a clause without a subject: antecedent, coordinated verb, instrument or outer subject."""
        governor = head.head
        passive = self._passive_before(head)
        if passive is not None:
            return self.frame(passive).source
        if head.dep_ == "acl" and is_purpose(head) and not self.phrases.labels(governor):
            while governor.dep_ in ("pobj", "prep", "dobj") and governor.i not in self.chains:
                governor = governor.head  # "in order to"
        elif head.dep_ in ("acl", "relcl"):
            return (
                antecedent(self.phrases, governor)
                if governor.pos_ not in ("VERB", "AUX")
                else self.frame(governor).source
            )
        if head.dep_ == "pcomp":
            governor = governor.head
        while governor.pos_ not in ("VERB", "AUX") and governor.dep_ != "ROOT" and governor.i not in self.chains:
            governor = governor.head
        if governor.i == head.i or (governor.i not in self.chains and governor.i not in self.merged):
            return []
        outer = self.frame(governor).source
        if head.dep_ == "conj" or not (head.dep_ == "xcomp" or is_purpose(head)):
            return outer
        links = ("with", "in", "to") if governor.lemma_ in _TREATMENTS else ("with",)
        means = [
            f for c in kids(governor, "prep", words=links, after=True) if c.i < head.i for f in self.phrases.phrase(c)
        ]
        objects = [f for c in kids(governor, "dobj", after=True) if is_nominal(c) for f in self.phrases.members(c)]
        if objects and ((head.dep_ == "xcomp" and not is_purpose(head)) or not outer or governor.lemma_ in _USES):
            return objects
        return means or outer

    def _passive_before(self, head: Token) -> Token | None:
        """The passive that ", washed in …" continues where the parser hung it on the noun before."""
        base = head.head if head.dep_ == "conj" else head
        if head.tag_ not in ("VBN", "VBD") or has(head, "auxpass") or base.dep_ not in ("acl", "advcl"):
            return None
        if base.left_edge.i == 0 or base.doc[base.left_edge.i - 1].text != ",":
            return None
        for ancestor in base.ancestors:
            if ancestor.i in self.chains and ancestor.tag_ == "VBN" and has(ancestor, "auxpass"):
                return ancestor if ancestor.i < base.i else None
        return None

    def _clause_before(self, head: Token) -> list[Found]:
        """The members of the clause that ", which …" sums up."""
        for ancestor in head.ancestors:
            if ancestor.i in self.chains or ancestor.i in self.merged:
                return [f for f in self.frame(ancestor).members if f[0] < head.i]
        return []

    def _gerund(self, verb: Token) -> list[Found]:
        """The participants of "Mixing X with Y …"; the gerund becomes an event of its own."""
        self.chains.pop(verb.i, None)
        phrases, things = self.phrases, [c for c in kids(verb, "dobj", after=True) if is_nominal(c)]
        objects = [f for c in things for f in phrases.members(c)]
        if not objects:
            self.frames[verb.i] = Frame(verb, [], "", [], shown=False)
            return sorted([(verb.i, label) for label in phrases.labels(verb)] + phrases.complements(verb))
        links = kids(verb, "prep", after=True)
        links += [p for c in things for p in kids(c, "prep", words=_GERUND_LINKS, after=True)]
        others = [f for p in links for f in phrases.phrase(p)]
        objects = [f for f in objects if f not in others]
        relation = " ".join([phrases.lemma(verb), *(p.lower_ for p in links[:1])])
        self.frames[verb.i] = Frame(verb, objects, relation, others, "completed")
        more = [f for c in kids(verb, "conj", after=True) if c.pos_ == "VERB" for f in self._gerund(c)]
        return sorted(dict.fromkeys(objects + others + more))

    def instrument(self, verb: Token) -> Frame:
        """What "using X" adds to the clause around it; no statement of its own."""
        return Frame(verb, [], "", self.phrases.complements(verb), shown=False)

    def _fronted(self, head: Token, subjects: list[Token]) -> list[Found]:
        """Phrases in front of the subject; verbs coordinated to this one without a subject of their own share them."""
        if not subjects:
            passive = self._passive_before(head)
            if passive is None and head.dep_ == "conj" and (head.head.i in self.chains or head.head.i in self.merged):
                passive = head.head
            return self.frame(passive).fronted if passive is not None else []
        phrases, first = self.phrases, min(s.left_edge.i for s in subjects)
        before = [c for c in kids(head, "prep", "npadvmod") if c.i < first]
        return [f for c in before for f in (phrases.phrase(c) if c.dep_ == "prep" else phrases.members(c))]

    def _by_authors(self, head: Token, subjects: list[Token]) -> bool:
        """Whether the authors or their paper act: "we", "this study", and verbs coordinated to theirs."""
        if not subjects:
            governor = self.merged.get(head.head.i, head.head)
            return head.dep_ == "conj" and governor.i in self.frames and self.frames[governor.i].authors
        lemma = subjects[0].lemma_.lower()
        return lemma in AUTHORS or (lemma in PAPERS and not self.phrases.labels(subjects[0]))

    def _drop_authors(self, frame: Frame, chain: list[Token]) -> None:
        """ "We mixed X with Y": X mixed with Y."""
        frame.authors = True
        verb, phrases = chain[-1], self.phrases
        things = [c for v in chain for c in kids(v, "dobj", after=True) if is_nominal(c)]
        frame.source = [f for c in things for f in labels_of(phrases, c)]
        for place, label in frame.source:
            plural = self.sentence.doc[place].tag_ == "NNS" or len(frame.source) > 1
            phrases.memory.note([label], label.split()[-1], plural, True, place)
        frame.target = [f for f in frame.target if f not in frame.source]
        links = kids(verb, "prep", after=True) + [p for c in things for p in kids(c, "prep", after=True)]
        frame.relation = " ".join([phrases.word(verb), *(p.lower_ for p in links[:1])])
