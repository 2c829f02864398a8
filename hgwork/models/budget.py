"""What a chat client may spend, and what it has spent."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

__all__ = ["Budget", "Meter", "tokens_of"]

_TOKENS = ("prompt_tokens", "completion_tokens")
_COUNTS = ("requests", "retries", "repairs", "cache_hits", "replayed", "failures", *_TOKENS, "seconds")
_TOKENS_A_BYTE = 0.35  # English about 0.25, Chinese about 0.33


def tokens_of(size: int) -> int:
    """Tokens that a text of so many UTF-8 bytes takes at most, by 0.35 a byte.

    Examples
    --------
    >>> tokens_of(len("Chitosan was reinforced by silk.".encode()))
    12
    """
    return math.ceil(size * _TOKENS_A_BYTE)


@dataclass(frozen=True)
class Budget:
    """Limits of one chat client over its life; None is no limit.

    Attributes
    ----------
    requests : int, optional
        Requests sent, retries counted.
    tokens : int, optional
        Prompt and completion tokens together, as the server reports them.
    cost : float, optional
        In the unit of the prices.

    Notes
    -----
    A request is sent only if what it is expected to use still fits beside what is spent and under way: the prompt by
    its bytes and the largest overhead seen so far, the answer by the `max_tokens` of the client or else the longest
    seen so far: only with `max_tokens` can no answer run over. Until a first answer has told these, requests go one at
    a time. Where the server reports no usage, tokens are estimated.

    Examples
    --------
    >>> Budget(requests=100)
    Budget(requests=100, tokens=None, cost=None)
    """

    requests: int | None = None
    tokens: int | None = None
    cost: float | None = None

    def __post_init__(self):
        for name in ("requests", "tokens", "cost"):
            limit = getattr(self, name)
            if limit is not None and not limit >= 0:
                raise ValueError(f"Budget({name}={limit!r}): a limit is a number from 0 up, or None.")


class Meter:
    """What was spent on a budget, and whether the next request still fits. Used from one thread."""

    def __init__(self, budget: Budget, prices: Mapping[str, float] | None = None):
        if prices is not None and not {"prompt", "completion"} <= set(prices):
            raise ValueError("prices needs 'prompt' and 'completion': each the price of a million tokens.")
        if budget.cost is not None and prices is None:
            raise ValueError("a cost budget needs prices={'prompt': …, 'completion': …} for a million tokens.")
        self.budget, self.prices = budget, prices
        self.counts: dict[str, float] = dict.fromkeys(_COUNTS, 0)
        self.held: dict[object, tuple[int, int]] = {}  # what requests under way are expected to use
        self.ready = budget.tokens is None and budget.cost is None  # to send several at a time
        self.overhead, self.longest = 0.0, 0

    def cost(self, prompt: float, completion: float) -> float:
        """Price of so many tokens; NaN where no prices are known."""
        prices = self.prices
        return (prompt * prices["prompt"] + completion * prices["completion"]) / 1e6 if prices else math.nan

    def expected(self, size: int, cap: int | None) -> tuple[int, int]:
        """(prompt, completion) tokens that a request of `size` bytes is likely to use at most."""
        return math.ceil(size * _TOKENS_A_BYTE + self.overhead), self.longest if cap is None else cap

    def room(self, size: int) -> float:
        """Tokens that the budget leaves for the answer to a prompt of so many bytes."""
        pairs = [*self.held.values(), (self.expected(size, 0)[0], 0)]
        prompt = self.counts["prompt_tokens"] + sum(pair[0] for pair in pairs)
        completion = self.counts["completion_tokens"] + sum(pair[1] for pair in pairs)
        room = math.inf if self.budget.tokens is None else self.budget.tokens - prompt - completion
        if self.budget.cost is not None:
            room = min(room, (self.budget.cost - self.cost(prompt, completion)) / max(self.cost(0, 1), 1e-12))
        return room

    def fits(self, size: int, cap: int | None) -> bool:
        """Whether the next request is expected to stay within the budget."""
        limit = self.budget.requests
        return (limit is None or self.counts["requests"] < limit) and self.room(size) >= max(
            self.expected(size, cap)[1], 1
        )

    def hold(self, ticket: object, size: int, cap: int | None) -> None:
        """Set aside what a request is expected to use while it is under way."""
        self.counts["requests"] += 1
        self.held[ticket] = self.expected(size, cap)

    def settle(self, ticket: object, size: int, usage: tuple[int, int] | None, seconds: float) -> None:
        """Book what a request used."""
        del self.held[ticket]
        self.counts["seconds"] += seconds
        if usage is not None:
            self.counts["prompt_tokens"] += usage[0]
            self.counts["completion_tokens"] += usage[1]
            overhead = usage[0] - size * _TOKENS_A_BYTE
            self.overhead, self.longest = max(self.overhead, overhead), max(self.longest, usage[1])
            self.ready = True

    def table(self, model: str | None) -> pd.DataFrame:
        """One row: everything counted so far."""
        whole = {name: round(count, 3) if name == "seconds" else int(count) for name, count in self.counts.items()}
        spent = self.cost(whole["prompt_tokens"], whole["completion_tokens"])
        return pd.DataFrame([{**whole, "cost": spent}], index=pd.Index([model], name="model"))
