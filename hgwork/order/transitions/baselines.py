"""What a learned transition model must beat, all with its interface: rules, text order, cosine, counts, regressions.

Each baseline has ``fit(H, P, groups=)``, ``score``, ``direction`` and ``log_prob``. A score without a direction of
its own is compared with itself the other way round.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from ...hypergraph import Hypergraph
from ..precedence import Precedence
from .features import EdgeFeatures, listed, read_features
from .probability import log_softmax, normalised
from .signals import GroupSignals, signals_of

__all__ = [
    "BASELINES",
    "Baseline",
    "Cosine",
    "Counts",
    "DirectionLogistic",
    "DocumentOrder",
    "NumericRule",
    "PairMLP",
    "Rules",
]


class Baseline:
    """A score of transitions without the learned model; `features` and `P` are set by `fit`."""

    features: EdgeFeatures
    P: Precedence

    def fit(
        self,
        H: Hypergraph | EdgeFeatures,
        P: Precedence,
        *,
        groups: Sequence[str] | None = None,
        rng: int | np.random.Generator = 0,
    ) -> Baseline:
        """Learn from training groups (all by default) what there is to learn; hyperedges of all groups can be asked."""
        self.features, self.P = (read_features(H) if isinstance(H, Hypergraph) else H), P
        self._fit([] if not self._learns else signals_of(self.features, P, groups), np.random.default_rng(rng))
        return self

    _learns = True

    def _fit(self, signals: list[GroupSignals], rng: np.random.Generator) -> None:
        pass

    def _score(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def score(self, ids_i, ids_j) -> np.ndarray:
        """float64, (len(ids_i), len(ids_j)); larger: j is the likelier next."""
        return np.asarray(self._score(self.features.rows(ids_i), self.features.rows(ids_j)), float)

    def direction(self, ids_i, ids_j) -> np.ndarray:
        """Above zero where i comes before j; zero where the baseline cannot tell."""
        ids_i, ids_j = listed(ids_i), listed(ids_j)
        return self.score(ids_i, ids_j) - self.score(ids_j, ids_i).T

    def log_prob(self, ids_i, ids_j, normalise: bool = False) -> np.ndarray:
        """Softmax of the scores over the candidates, without i itself; see `TransitionModel.log_prob`."""
        ids_i, ids_j = listed(ids_i), listed(ids_j)
        log_p = log_softmax(self.score(ids_i, ids_j), ids_i, ids_j)
        return normalised(log_p) if normalise else log_p


class Rules(Baseline):
    """The canonical order itself: the next in it scores highest, what comes before lowest.

    It knows every horizon, and measures made from the same rules are circular for it. ``places=False`` leaves the
    phase grammar alone: what the rules say without knowing a horizon.
    """

    _learns = False

    def __init__(self, places: bool = True):
        self.places = places

    def _score(self, i, j):
        table = self.P.table
        column = "rank" if self.places else "step"
        value = table[column].to_numpy(float)[table.index.get_indexer(self.features.ids)]
        gap = value[j][None, :] - value[i][:, None]
        if self.places:
            group = pd.factorize(self.features.groups)[0]
            gap = np.where(group[i][:, None] == group[j][None, :], gap, -1e3)
        return np.where(gap >= 0, -np.abs(gap), -1e3 + gap)

    def direction(self, ids_i, ids_j):
        ids_i, ids_j = listed(ids_i), listed(ids_j)
        if self.places:
            before = self.P.before_matrix(ids_i, ids_j).astype(float)
            return before - self.P.before_matrix(ids_j, ids_i).T
        table = self.P.table
        step = table["step"].to_numpy(float)[table.index.get_indexer(self.features.ids)]
        return np.sign(step[self.features.rows(ids_j)][None, :] - step[self.features.rows(ids_i)][:, None])


class DocumentOrder(Baseline):
    """What stands next in the text comes next. Texts written in order give the order away."""

    _learns = False

    def _score(self, i, j):
        table = self.P.table
        text = table["text_rank"].to_numpy(float)[table.index.get_indexer(self.features.ids)]
        gap = text[j][None, :] - text[i][:, None]
        return np.where(gap > 0, -gap, -1e6 + gap)


class Cosine(Baseline):
    """The cosine of the text vectors: topic, no direction."""

    _learns = False

    def _score(self, i, j):
        return self.features.vectors[i].astype(float) @ self.features.vectors[j].astype(float).T

    def direction(self, ids_i, ids_j):
        return np.zeros((len(listed(ids_i)), len(listed(ids_j))))


class Counts(Baseline):
    """How often one kind follows another in the canonical orders of training, plus one; and how often it precedes.

    Parameters
    ----------
    by : {"kind", "relation"}
        "kind": relation with qualifiers (the attribute); "relation": the family of relations as the text names it.
    """

    def __init__(self, by: str = "kind"):
        if by not in ("kind", "relation"):
            raise ValueError(f"by={by!r}: give 'kind' or 'relation'.")
        self.by = by

    def _codes(self) -> np.ndarray:
        kinds = self.features.kinds
        return kinds if self.by == "kind" else np.array([str(kind).split("|")[0] for kind in kinds.tolist()], object)

    def _fit(self, signals, rng):
        names = self._codes()
        self.names, self.code = np.unique(names.astype(str), return_inverse=True)
        count = len(self.names)
        self.following, self.before = np.ones((count, count)), np.ones((count, count))
        for one in signals:
            code = self.code[one.rows]
            np.add.at(self.following, (code[:-1], code[1:]), 1)
            for pairs in one.strata.values():
                np.add.at(self.before, (code[pairs[:, 0]], code[pairs[:, 1]]), 1)

    def _score(self, i, j):
        log_p = np.log(self.following / self.following.sum(axis=1, keepdims=True))
        return log_p[np.ix_(self.code[i], self.code[j])]

    def direction(self, ids_i, ids_j):
        odds = np.log(self.before) - np.log(self.before.T)
        return odds[np.ix_(self.code[self.features.rows(ids_i)], self.code[self.features.rows(ids_j)])]


class NumericRule(Baseline):
    """Of each attribute, whether its number mostly rises or falls from place to place in training: log-odds, summed
    over the attributes that both hyperedges state. It says nothing of what has no number."""

    def _fit(self, signals, rng):
        self.slots, code = np.unique(self.features.numbers["slot"].astype(str), return_inverse=True)
        shape = (len(self.features.ids), len(self.slots))
        self.value = np.full(shape, np.nan)
        self.value[self.features.numbers["row"].to_numpy(np.int64), code] = self.features.numbers["value"]
        rises, falls = np.ones(len(self.slots)), np.ones(len(self.slots))
        for one in signals:
            pairs = one.strata["same attribute"]
            apart = self.value[one.rows[pairs[:, 1]]] - self.value[one.rows[pairs[:, 0]]]
            rises += (apart > 0).sum(axis=0)
            falls += (apart < 0).sum(axis=0)
        self.odds = np.log(rises) - np.log(falls)

    def _score(self, i, j):
        total = np.zeros((len(i), len(j)))
        held = np.flatnonzero(~np.isnan(self.value[i]).all(axis=0) & ~np.isnan(self.value[j]).all(axis=0))
        for slot in held.tolist():
            apart = self.value[j, slot][None, :] - self.value[i, slot][:, None]
            total += self.odds[slot] * np.nan_to_num(np.sign(apart))
        return total

    def direction(self, ids_i, ids_j):
        return self.score(ids_i, ids_j)


class DirectionLogistic(Baseline):
    """Logistic regression on the difference of the text vectors, equal mass to each stratum; no intercept, so that
    turning a pair round turns the sign."""

    def __init__(self, sampled: int = 60):
        self.sampled = sampled

    def _fit(self, signals, rng):
        from sklearn.linear_model import LogisticRegression

        apart, weight = [], []
        for one in signals:
            for pairs in one.strata.values():
                if len(pairs):
                    drawn = one.rows[pairs[rng.permutation(len(pairs))[: self.sampled]]]
                    apart.append(self.features.vectors[drawn[:, 1]] - self.features.vectors[drawn[:, 0]])
                    weight.append(np.full(len(drawn), 1 / len(drawn)))
        if not apart:  # no pair of the training groups is ordered: nothing tells before from after
            self.coefficient = np.zeros(self.features.vectors.shape[1])
            return
        x, w = np.concatenate(apart), np.concatenate(weight)
        both = np.concatenate([x, -x])
        sign = np.repeat([1, 0], len(x))
        model = LogisticRegression(C=10.0, fit_intercept=False, max_iter=300)
        model.fit(both, sign, sample_weight=np.tile(w / w.mean(), 2))
        self.coefficient = model.coef_[0].astype(float)

    def _score(self, i, j):
        late = self.features.vectors.astype(float) @ self.coefficient
        return late[j][None, :] - late[i][:, None]

    def direction(self, ids_i, ids_j):
        return self.score(ids_i, ids_j)


class PairMLP(Baseline):
    """A small network on both text vectors side by side: next step against in-group, reversed and global negatives.

    Vectors are first reduced to their leading principal components over the training groups.
    """

    def __init__(self, components: int = 64, hidden: int = 64, negatives: int = 3, epochs: int = 8):
        self.components, self.hidden, self.negatives, self.epochs = components, hidden, negatives, epochs

    def _fit(self, signals, rng):
        from sklearn.decomposition import PCA
        from sklearn.neural_network import MLPClassifier

        vectors = self.features.vectors
        pool = np.concatenate([one.rows for one in signals])
        seed = int(rng.integers(2**31))
        with np.errstate(invalid="ignore"):  # vectors that are all alike have no variance to share out
            reduced = PCA(min(self.components, *vectors[pool].shape), random_state=seed).fit(vectors[pool])
        self.reduced = reduced.transform(vectors).astype(np.float32)
        self.reduced /= self.reduced[pool].std() + 1e-12
        pairs, labels = [], []
        for one in signals:
            steps = one.rows[one.positive]
            source = np.repeat(steps[:, 0], self.negatives)
            near = one.rows[rng.integers(len(one.rows), size=len(source))]
            far = pool[rng.integers(len(pool), size=len(source))]
            wrong = [np.column_stack([source, near]), np.column_stack([source, far]), steps[:, ::-1]]
            pairs += [steps, *wrong]
            labels += [np.ones(len(steps)), np.zeros(sum(map(len, wrong)))]
        rows = np.concatenate(pairs)
        x = np.concatenate([self.reduced[rows[:, 0]], self.reduced[rows[:, 1]]], axis=1)
        self.model = MLPClassifier(
            (self.hidden,),
            max_iter=self.epochs,
            random_state=seed,
            batch_size=min(512, len(x)),
            learning_rate_init=2e-3,
        )
        import warnings

        from sklearn.exceptions import ConvergenceWarning

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # a fixed number of epochs is meant
            self.model.fit(x, np.concatenate(labels))

    def _score(self, i, j):
        half = self.reduced.shape[1]
        first, second = self.model.coefs_[0][:half], self.model.coefs_[0][half:]
        left = self.reduced[i] @ first
        right = self.reduced[j] @ second + self.model.intercepts_[0]
        out = [np.maximum(row[None, :] + right, 0) @ self.model.coefs_[1][:, 0] for row in left]
        return np.stack(out) + self.model.intercepts_[1][0] if out else np.zeros((0, len(j)))


BASELINES: dict[str, Any] = {
    "rules": Rules,
    "phase grammar": lambda: Rules(places=False),
    "document order": DocumentOrder,
    "cosine": Cosine,
    "family counts": lambda: Counts("relation"),
    "attribute counts": Counts,
    "numeric rule": NumericRule,
    "direction logistic": DirectionLogistic,
    "pair MLP": PairMLP,
}
"""Makers by name. The full-rank bilinear model is `TransitionModel` with rank = dimension, text alone."""
