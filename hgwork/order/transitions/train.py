"""Training a transition model: one group a step, full softmax in the group and global negatives, early stopping."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from .losses import literal, next_step, reports, reversals
from .network import Shape, arrays_of, initial, scores
from .signals import STRATA, GroupSignals

__all__ = ["Settings", "train"]


@dataclass(frozen=True)
class Settings:
    """How to train; `TransitionModel` documents each."""

    loss: str = "stable"
    alpha: float = 0.5
    negatives: int = 64
    margin: float = 0.0
    margin_weight: float = 1.0
    report_weight: float = 0.1
    strata: dict[str, float] = field(default_factory=lambda: dict(zip(STRATA, (1.0, 2.0, 0.5), strict=True)))
    epochs: int = 12
    patience: int = 4
    learning_rate: float = 3e-3
    weight_decay: float = 1e-2
    dropout: float = 0.1
    text_dropout: float = 0.0
    validation: float = 0.15
    largest: int = 1024
    device: str | None = None


def train(
    encoded: tuple,
    signals: Sequence[GroupSignals],
    shape: Shape,
    settings: Settings,
    rng: np.random.Generator,
    progress: bool = False,
    start: dict[str, np.ndarray] | None = None,
) -> tuple[dict[str, np.ndarray], pd.DataFrame]:
    """Weights and the training curve.

    Parameters
    ----------
    encoded : (vectors (n, dim), index (n, k), weight (n, k))
        All hyperedges.
    signals : sequence of GroupSignals
        Training groups; some of their storms are set aside to stop early.
    start : dict of array, optional
        Weights to go on from (a self-training round); fresh ones by default.

    Returns
    -------
    weights : dict of float32 array
        Of the epoch with the least loss on the storms set aside; of the last epoch where none was.
    history : DataFrame, one row an epoch
        `epoch`, `loss`, `next_step`, one column a stratum, `held_out_loss`, `held_out_next_step`,
        `held_out_direction` (accuracy over strata, equal mass), `best`.

    Raises
    ------
    ValueError
        If the loss is no longer finite.
    """
    import torch

    with _settled(torch):
        device = torch.device(settings.device or ("cuda" if torch.cuda.is_available() else "cpu"))
        state = {name: torch.tensor(value, device=device) for name, value in (start or initial(shape, rng)).items()}
        for value in state.values():
            value.requires_grad_(True)
        inputs = tuple(torch.as_tensor(part, device=device) for part in encoded)
        inside, outside = _set_aside(signals, settings.validation, rng)
        optimiser = torch.optim.AdamW(state.values(), lr=settings.learning_rate, weight_decay=settings.weight_decay)
        pool = np.concatenate([one.rows for one in inside])
        held_negatives = [_negatives(one, pool, settings.negatives, rng) for one in outside]
        rows, best, kept, waited = [], np.inf, arrays_of(state), 0
        steps = settings.epochs * len(inside)
        schedule = torch.optim.lr_scheduler.OneCycleLR(
            optimiser, settings.learning_rate, total_steps=max(steps, 2), pct_start=0.1
        )
        with tqdm(total=settings.epochs, desc="transitions", unit="epoch", disable=not progress) as bar:
            for epoch in range(settings.epochs):
                parts = []
                for place in rng.permutation(len(inside)).tolist():
                    one = _sampled(inside[place], settings.largest, rng)
                    negatives = _negatives(one, pool, settings.negatives, rng)
                    masks = _masks(inputs, len(one.rows) + len(negatives), settings, rng, torch)
                    loss, part = _loss(state, inputs, one, negatives, settings, masks)
                    optimiser.zero_grad(set_to_none=True)
                    loss.backward()
                    torch.nn.utils.clip_grad_norm_(list(state.values()), 5.0)
                    optimiser.step()
                    schedule.step()
                    part.pop("apart", None)
                    parts.append(part)
                row = {"epoch": epoch + 1, **pd.DataFrame(parts).mean().to_dict()}
                if not np.isfinite(row["loss"]):
                    raise ValueError(
                        f"the loss is {row['loss']} after epoch {epoch + 1}: training has run away. "
                        f"Give a learning_rate below {settings.learning_rate:g}."
                    )
                if outside:
                    row |= _held_out(state, inputs, outside, held_negatives, settings, torch)
                score = row.get("held_out_loss", -epoch)
                row["best"] = bool(score < best)
                rows.append(row)
                bar.update()
                bar.set_postfix(loss=f"{row['loss']:.3f}", held_out=f"{row.get('held_out_loss', np.nan):.3f}")
                waited = 0 if row["best"] else waited + 1
                if row["best"]:
                    best, kept = score, arrays_of(state)
                elif waited >= settings.patience and settings.loss == "stable":
                    break
        return (kept if settings.loss == "stable" else arrays_of(state)), pd.DataFrame(rows)


@contextmanager
def _settled(torch):
    """One thread, so that sums run in one order whatever the machine is busy with; small steps gain from it too."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _set_aside(signals: Sequence[GroupSignals], share: float, rng: np.random.Generator):
    """Groups to train on, and groups of other storms to stop early by; none where there are under four storms."""
    units = sorted({one.unit for one in signals})
    count = round(share * len(units)) if len(units) >= 4 else 0
    if share > 0 and len(units) >= 4:
        count = min(max(count, 1), len(units) - 1)
    chosen = set(rng.permutation(units)[:count].tolist())
    return [one for one in signals if one.unit not in chosen], [one for one in signals if one.unit in chosen]


def _negatives(one: GroupSignals, pool: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    drawn = pool[rng.integers(len(pool), size=count)] if count else np.zeros(0, np.int64)
    return drawn[~np.isin(drawn, one.rows)]


def _sampled(one: GroupSignals, largest: int, rng: np.random.Generator) -> GroupSignals:
    """A stretch of a group that is too large for its square, in canonical order."""
    if len(one.rows) <= largest:
        return one
    start = int(rng.integers(len(one.rows) - largest + 1))

    def cut(pairs: np.ndarray) -> Any:
        return ((pairs >= start) & (pairs < start + largest)).all(axis=1)

    kept = cut(one.positive)
    strata = {name: pairs[cut(pairs)] - start for name, pairs in one.strata.items()}
    rows = one.rows[start : start + largest]
    span = slice(start, start + largest)
    positive = one.positive[kept] - start
    return GroupSignals(
        one.group, one.unit, rows, positive, one.weight[kept], strata, one.places[span], one.kinds[span]
    )


def _masks(inputs, count: int, settings: Settings, rng: np.random.Generator, torch):
    """Dropout of single numbers, and of whole texts, from the one generator."""
    vectors, _, weight = inputs
    keep = np.ones((count, 1), np.float32)
    if settings.text_dropout:
        keep = (rng.random((count, 1)) >= settings.text_dropout).astype(np.float32)
    text: Any = keep * np.ones((1, vectors.shape[1]), np.float32)
    feature: Any = np.ones((count, weight.shape[1]), np.float32)
    if settings.dropout:
        text = text * (rng.random(text.shape, np.float32) >= settings.dropout) / (1 - settings.dropout)
        feature = (rng.random(feature.shape, np.float32) >= settings.dropout) / np.float32(1 - settings.dropout)
    return torch.as_tensor(text, device=vectors.device), torch.as_tensor(feature, device=vectors.device)


def _loss(state, inputs, one: GroupSignals, negatives: np.ndarray, settings: Settings, masks=None):
    import torch

    device = inputs[0].device
    rows = torch.as_tensor(np.concatenate([one.rows, negatives]), device=device)
    given = tuple(part[rows] for part in inputs)
    if masks is not None:
        given = (given[0] * masks[0], given[1], given[2] * masks[1])
    count = len(one.rows)
    logits, direction = scores(state, tuple(part[:count] for part in given), given)
    itself = torch.arange(count, device=logits.device)
    log_p = logits.index_put((itself, itself), logits.new_tensor(-torch.inf)).log_softmax(1)
    positive, weight = (torch.as_tensor(part, device=device) for part in (one.positive, one.weight))
    strata = {name: torch.as_tensor(pairs, device=device) for name, pairs in one.strata.items()}
    if settings.loss == "literal":
        loss = literal(log_p, positive, strata, count, settings.alpha)
        return loss, {"loss": float(loss.detach()), "next_step": float(next_step(log_p, positive, weight).detach())}
    step = next_step(log_p, positive, weight)
    square = logits[:, :count]
    apart = square - square.T if direction is None else direction[:, :count]
    turned, parts = reversals(apart, strata, settings.margin, settings.strata)
    loss = step + settings.margin_weight * turned
    if settings.report_weight:
        whole = reports(apart, *(torch.as_tensor(part, device=device) for part in (one.places, one.kinds)))
        loss, parts = loss + settings.report_weight * whole, parts | {"reports": whole}
    told = {"loss": float(loss.detach()), "next_step": float(step.detach())}
    return loss, told | {name: float(part.detach()) for name, part in parts.items()} | {"apart": apart.detach()}


def _held_out(state, inputs, outside, negatives, settings: Settings, torch) -> dict[str, float]:
    rows = []
    with torch.no_grad():
        for one, drawn in zip(outside, negatives, strict=True):
            _, part = _loss(state, inputs, one, drawn, settings)
            apart = part.pop("apart", None)
            right = [
                float((apart[pairs[:, 0], pairs[:, 1]] > 0).float().mean())
                for pairs in one.strata.values()
                if apart is not None and len(pairs)
            ]
            rows.append({"loss": part["loss"], "next_step": part["next_step"], "direction": np.mean(right or [np.nan])})
    return {f"held_out_{name}": value for name, value in pd.DataFrame(rows).mean().to_dict().items()}
