"""What was mentioned before: antecedents of pronouns, demonstratives and a bare "the X".

Subjects come before other mentions and near ones before far ones; number must agree. A "the X" takes the label of an
earlier "… X", or of what was said to be an X ("PCL is a polyester … the polyester").
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

__all__ = ["Memory", "Mention"]

PRONOUN_REACH, DEFINITE_REACH = 2, 3  # sentences


@dataclass(frozen=True)
class Mention:
    """One noun phrase in text order: its labels, the lemma of its head, its number and whether it is a subject."""

    labels: tuple[str, ...]
    lemma: str
    plural: bool
    subject: bool
    place: int
    name: bool = False


@dataclass
class Memory:
    """Mentions of the sentences read so far, the current one last."""

    sentences: list[list[Mention]] = field(default_factory=lambda: [[]])
    isa: dict[str, tuple[str, ...]] = field(default_factory=dict)
    subjects: Counter[tuple[tuple[str, ...], bool]] = field(default_factory=Counter)

    def begin(self) -> None:
        """Start a sentence."""
        self.sentences = [*self.sentences[-DEFINITE_REACH:], []]

    def note(self, labels: list[str], lemma: str, plural: bool, subject: bool, place: int, name: bool = False) -> None:
        """Remember a mention, once."""
        mention = Mention(tuple(labels), lemma.lower(), plural, subject, place, name)
        current = self.sentences[-1]
        if labels and not any(
            m.place == place and m.labels == mention.labels and m.subject >= subject for m in current
        ):
            current.append(mention)
            if subject:
                self.subjects[mention.labels, plural] += 1

    def pronoun(
        self, plural: bool | None, place: int, exclude: tuple[str, ...] = (), person: bool = False
    ) -> list[str]:
        """The labels a pronoun at `place` stands for, or none.

        `plural` None agrees with both numbers; `exclude` are labels it cannot mean; a `person` is a name if one fits.
        """

        def fits(mention: Mention) -> bool:
            return (plural is None or mention.plural == plural) and not set(mention.labels) & set(exclude)

        current = sorted((m for m in self.sentences[-1] if m.place < place and fits(m)), key=lambda m: -m.place)
        before = [[m for m in s if fits(m)] for s in self.sentences[-2 : -2 - PRONOUN_REACH : -1]]
        ranked = [m for m in current if m.subject]
        if before:
            ranked += [m for m in before[0] if m.subject] + [m for m in current if not m.subject] + before[0][::-1]
        else:
            ranked += current
        for sentence in before[1:]:
            ranked += [m for m in sentence if m.subject]
        if person:
            ranked.sort(key=lambda mention: not mention.name)
        return list(ranked[0].labels) if ranked else []

    def definite(self, lemma: str, place: int, plural: bool, generic: bool) -> list[str]:
        """The labels of the antecedent of "the X" or "this X" with X = `lemma`, or none."""
        lemma = lemma.lower()
        if lemma in self.isa:
            return list(self.isa[lemma])
        for back, sentence in enumerate(reversed(self.sentences)):
            for mention in sorted(sentence, key=lambda m: -m.place):
                near = back or mention.place < place
                if near and mention.lemma == lemma and mention.plural == plural and " " in mention.labels[0]:
                    return list(mention.labels)
        return self.topic(place, plural) if generic else []

    def topic(self, place: int, plural: bool) -> list[str]:
        """What the text is about: the label most often a subject so far, of the right number."""
        counts = {labels: n for (labels, number), n in self.subjects.items() if number == plural}
        return list(max(counts.items(), key=lambda pair: pair[1])[0]) if counts else []
