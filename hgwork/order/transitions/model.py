"""The learned transition model: how likely one hyperedge follows another, and which of two comes first [1]_.

References
----------
.. [1] Knowledge Is Not Static: Order-Aware Hypergraph RAG for Language Models, equations 3 and 4, appendix A.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from numbers import Integral, Real
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd

from ...hypergraph import Hypergraph
from ...models.embedder import Embedder
from ..precedence import Precedence
from .features import EdgeFeatures, Vocabulary, listed, read_features
from .losses import LOSSES
from .network import Shape, scores
from .probability import log_softmax, normalised
from .signals import SIGNALS, STRATA, signals_of
from .train import Settings, train

__all__ = ["TransitionModel"]

Ids = Iterable[str]


class TransitionModel:
    """P(next hyperedge | hyperedge), a low-rank bilinear softmax over text vectors and parsed values.

    Parameters
    ----------
    rank : int, at least 1
        Rows of U and V in h_iᵀ Uᵀ V h_j (equation 3 of [1]_).
    embedder : Embedder or name, optional
        The packaged MiniLM by default. With a cache, texts are embedded once for all runs.
    horizon_tokens : bool
        False: the model sees no identifier, anchor, date, clock time, duration or advisory number (`edge_texts`).
        True: it sees the texts as they stand, and the horizon as a number.
    numbers : bool
        Parsed attribute values and kinds beside the text. False leaves the paper's model: text alone.
    context : bool
        Let a number also count by its rank among those of its attribute in its group. This needs the group as a
        whole, and no label; what is scored later is ranked in the hypergraph that it was read with.
    direction : int
        Rank of the antisymmetric head that says which of two comes first; 0 for none: direction is then the
        asymmetry of the bilinear score.
    loss : {"stable", "literal"}
        "stable": softmax cross-entropy of the next step, in the whole group and 64 global negatives, plus a pairwise
        logistic loss on reversals, averaged within each stratum first (same place 1, same attribute at other
        places 2, other 0.5), and on whole reports. "literal": equation 4, which has no lower bound; for demonstration.
    alpha : float
        Weight of negatives in the literal loss.
    signals : sequence of {"document", "entity", "retrieved"}
        What counts as positive: next in canonical order; next that shares an entity, and all related pairs that share
        one; pairs given to `fit`.
    with_anchors : bool
        Let injected anchors count as shared entities.
    hold_out : str, optional
        Column whose values are held out together when training stops early; `storm` where there is one, else `group`.
    **settings
        `negatives` (64, shared by the sources of a group at a step), `margin`, `margin_weight`, `strata` (dict of
        mass), `report_weight` (of the loss on whole reports), `epochs`, `patience`, `learning_rate`, `weight_decay`,
        `dropout` (of single numbers), `text_dropout` (of whole texts), `validation` (share of storms to stop early
        by), `largest` (hyperedges of a group taken at a step), `device` (a GPU where there is one).

    Attributes
    ----------
    history : DataFrame
        The training curve, one row an epoch (`train.train`).
    parameter_count : int
        Numbers in U and V: 2 × rank × dimension.
    parameters : Series
        Numbers by matrix, all heads.

    References
    ----------
    .. [1] Knowledge Is Not Static: Order-Aware Hypergraph RAG for Language Models.

    Examples
    --------
    >>> import hgwork as hg
    >>> from hgwork.order.transitions import TransitionModel
    >>> H = hg.datasets.load("toy")
    >>> P = hg.order.precedence(H)
    >>> model = TransitionModel(rank=4, direction=2, epochs=3).fit(H, P)
    >>> model.parameter_count  # 2 x 4 x 384
    3072
    >>> model.log_prob(["paper 01"], ["paper 02", "paper 03"]).shape
    (1, 2)
    """

    def __init__(
        self,
        rank: int = 64,
        *,
        embedder: Embedder | str | None = None,
        horizon_tokens: bool = False,
        numbers: bool = True,
        context: bool = True,
        direction: int = 16,
        loss: Literal["stable", "literal"] = "stable",
        alpha: float = 0.5,
        signals: Sequence[str] = SIGNALS,
        with_anchors: bool = False,
        hold_out: str | None = None,
        **settings,
    ):
        rank, direction = _whole("rank", rank, 1), _whole("direction", direction, 0)
        if loss not in LOSSES:
            raise ValueError(f"loss={loss!r}: give one of {', '.join(LOSSES)}.")
        if unknown := [name for name in signals if name not in SIGNALS]:
            raise ValueError(f"signals names {unknown[0]!r}; there are {', '.join(SIGNALS)}.")
        if not signals:
            raise ValueError(f"signals is empty: switch on at least one of {', '.join(SIGNALS)}.")
        self.rank, self.embedder, self.horizon_tokens = rank, embedder, horizon_tokens
        self.numbers, self.context = numbers, context
        self.direction_rank = 0 if loss == "literal" else direction
        self.signals, self.with_anchors, self.hold_out = tuple(signals), with_anchors, hold_out
        self.settings = _settings(loss, alpha, settings)
        self.history = pd.DataFrame()
        self.vocabulary: Vocabulary | None = None
        self.weights: dict[str, np.ndarray] = {}
        self.features: EdgeFeatures | None = None
        self.signature = ""
        self._given: tuple | None = None

    # ---------------------------------------------------------------- train

    def fit(
        self,
        H: Hypergraph | EdgeFeatures,
        P: Precedence,
        pairs: Iterable[tuple[str, str]] | pd.DataFrame | None = None,
        *,
        groups: Sequence[str] | None = None,
        rng: int | np.random.Generator = 0,
        progress: bool = False,
        warm_start: bool = False,
    ) -> TransitionModel:
        """Learn from the canonical orders of knowledge groups.

        Parameters
        ----------
        H : Hypergraph or EdgeFeatures
            All hyperedges that the model is to score; training sees those of `groups` alone.
        P : Precedence
            Of the same hypergraph.
        pairs : iterable of (before, after), optional
            Consecutive hyperedges of trajectories that led to right answers, of training groups.
        groups : sequence of str, optional
            Training groups; all by default.
        rng : int or Generator
            Same seed, same bytes.
        progress : bool
        warm_start : bool
            Go on from the present weights and vocabulary: a round of self-training on `pairs`.

        Returns
        -------
        TransitionModel
            Itself.

        Raises
        ------
        ValueError
            If there is no group, nothing to learn from, or a pair comes from a group that is not trained on.
        """
        rng = np.random.default_rng(rng)
        if pairs is not None and "retrieved" not in self.signals:
            raise ValueError("pairs are given, but signals leaves 'retrieved' out: add it, or give no pairs.")
        self.read(H, progress=progress)
        features = self._features()
        signals = signals_of(features, P, groups, pairs=pairs, signals=self.signals, with_anchors=self.with_anchors)
        start = self.weights if warm_start and self.weights else None
        if start is None:
            rows = np.sort(np.concatenate([one.rows for one in signals]))
            self.vocabulary = Vocabulary.learn(features, rows, self.context) if self.numbers else None
        self.signature = features.signature
        self._encode()
        size = self.vocabulary.size if self.vocabulary else 0
        shape = Shape(features.vectors.shape[1], self.rank, size, self.direction_rank)
        self.weights, self.history = train(self._given or (), signals, shape, self.settings, rng, progress, start)
        return self

    def read(self, H: Hypergraph | EdgeFeatures, progress: bool = False) -> TransitionModel:
        """Take the hyperedges of another hypergraph to score, with the weights as they are.

        Raises
        ------
        ValueError
            If the embedder is not the one the model was trained with.
        """
        features = read_features(
            H, self.embedder, horizon_tokens=self.horizon_tokens, hold_out=self.hold_out, progress=progress
        )
        dim = self.weights["U"].shape[1] if self.weights else features.vectors.shape[1]
        if self.signature and features.signature != self.signature:
            raise ValueError(
                f"the model was trained on vectors of {self.signature!r}, these are of {features.signature!r}. "
                "Give it the embedder it was trained with, or fit it anew."
            )
        if features.vectors.shape[1] != dim:
            raise ValueError(
                f"the vectors have {features.vectors.shape[1]} dimensions, the model has {dim}. Fit it anew."
            )
        self.features, self._given = features, None
        if self.weights:
            self._encode()
        return self

    def _encode(self) -> None:
        features = self._features()
        if self.vocabulary:
            index, weight = self.vocabulary.encode(features)
        else:
            index, weight = np.zeros((len(features.ids), 1), np.int64), np.zeros((len(features.ids), 1), np.float32)
        self._given = (features.vectors, index, weight)

    def _features(self) -> EdgeFeatures:
        if self.features is None:
            raise ValueError("the model has read no hyperedges: call fit(H, P), or read(H) after loading.")
        return self.features

    # ---------------------------------------------------------------- ask

    def log_prob(self, ids_i: Ids, ids_j: Ids, normalise: bool = False) -> np.ndarray:
        """log P(j | i) over the candidates j, without i itself.

        Parameters
        ----------
        ids_i, ids_j : iterables of hyperedge ids
        normalise : bool
            1 + log P / log |C| instead, which is 0 for a uniform guess among |C| candidates and 1 for certainty,
            whatever their number.

        Returns
        -------
        float64 array, shape (len(ids_i), len(ids_j))
            Each row's exponentials sum to one; -inf where j is i. A row with no other candidate is -inf throughout.

        Raises
        ------
        KeyError
            If a hyperedge was not read.
        """
        ids_i, ids_j = listed(ids_i), listed(ids_j)
        log_p = log_softmax(self.score(ids_i, ids_j), ids_i, ids_j)
        return normalised(log_p) if normalise else log_p

    def score(self, ids_i: Ids, ids_j: Ids) -> np.ndarray:
        """Logits of the transitions, before any normalisation; float64, (len(ids_i), len(ids_j))."""
        return self._scores(ids_i, ids_j)[0]

    def direction(self, ids_i: Ids, ids_j: Ids) -> np.ndarray:
        """Logit of "i comes before j" against "j before i"; its negative the other way round.

        From the direction head; without one, score(i, j) − score(j, i).
        """
        ids_i, ids_j = listed(ids_i), listed(ids_j)
        score, direction = self._scores(ids_i, ids_j)
        return score - self.score(ids_j, ids_i).T if direction is None else direction

    def _scores(self, ids_i: Ids, ids_j: Ids) -> tuple[np.ndarray, np.ndarray | None]:
        import torch

        if not self.weights:
            raise ValueError("the model is not trained: call fit(H, P), or load one.")
        features = self._features()
        rows = [torch.as_tensor(features.rows(ids)) for ids in (ids_i, ids_j)]
        with torch.no_grad():
            weights = {name: torch.as_tensor(value) for name, value in self.weights.items()}
            given = [torch.as_tensor(part) for part in self._given or ()]
            logits, direction = scores(weights, *(tuple(part[row] for part in given) for row in rows))
        return logits.double().numpy(), None if direction is None else direction.double().numpy()

    # ---------------------------------------------------------------- look

    @property
    def parameter_count(self) -> int:
        return sum(self.weights[name].size for name in ("U", "V")) if self.weights else 0

    @property
    def parameters(self) -> pd.Series:
        counts = {name: value.size for name, value in self.weights.items()}
        return pd.Series(counts, name="parameters", dtype=np.int64)

    def __repr__(self) -> str:
        state = f"{self.parameter_count:,} parameters in U and V" if self.weights else "not trained"
        return f"<TransitionModel rank {self.rank}, horizon tokens {self.horizon_tokens}: {state}>"

    # ---------------------------------------------------------------- keep

    def save(self, path: str | Path) -> Path:
        """Write a folder with `weights.safetensors` and `model.json`; it takes its name only once complete."""
        from .files import save

        return save(self, path)

    @classmethod
    def load(cls, path: str | Path, embedder: Embedder | str | None = None) -> TransitionModel:
        """Read a model; call `read(H)` next.

        Raises
        ------
        ValueError
            If the files disagree with each other or with the embedder: the message says where.
        """
        from .files import load

        return load(cls, path, embedder)

    def _options(self) -> dict[str, Any]:
        return {
            "rank": self.rank,
            "horizon_tokens": self.horizon_tokens,
            "numbers": self.numbers,
            "context": self.context,
            "direction": self.direction_rank,
            "signals": list(self.signals),
            "with_anchors": self.with_anchors,
            "hold_out": self.hold_out,
            **asdict(self.settings),
        }


def _whole(name: str, value: Any, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise ValueError(f"{name}={value!r}: give a whole number of at least {least}.")
    return int(value)


def _settings(loss: str, alpha: float, given: Mapping[str, Any]) -> Settings:
    known = set(Settings.__dataclass_fields__) - {"loss", "alpha"}
    if unknown := sorted(set(given) - known):
        raise ValueError(f"there is no setting {unknown[0]!r}; there are {', '.join(sorted(known))}.")
    if "strata" in given and (unknown := sorted(set(given["strata"]) - set(STRATA))):
        raise ValueError(f"strata names {unknown[0]!r}; there are {', '.join(STRATA)}.")
    settings = replace(Settings(loss=loss, alpha=alpha), **given)
    for name, least in (("epochs", 1), ("patience", 1), ("largest", 2), ("negatives", 0)):
        _whole(name, getattr(settings, name), least)
    numbers = ("alpha", "margin", "margin_weight", "report_weight", "learning_rate", "weight_decay")
    values = {name: getattr(settings, name) for name in (*numbers, "dropout", "text_dropout", "validation")}
    values |= {f"strata[{name!r}]": mass for name, mass in settings.strata.items()}
    for name, value in values.items():
        if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= float(value) < np.inf:
            raise ValueError(f"{name}={value!r}: give a finite number of at least 0.")
    for name in ("dropout", "text_dropout", "validation"):
        if not 0 <= getattr(settings, name) < 1:
            raise ValueError(f"{name}={getattr(settings, name)}: give a share from 0 up to, but not, 1.")
    return settings
