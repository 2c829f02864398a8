"""Scenarios with a planted order: at each horizon a state, a watch, a wind forecast and a port status; winds rise."""

import hashlib

import numpy as np
import pandas as pd

from hgwork import Hypergraph
from hgwork.models.embedder import Embedder

__all__ = ["RELATIONS", "WordEmbedder", "scenarios"]

RELATIONS = ("has_cyclone_state", "has_watch_status", "forecasts_hazard_at_horizon", "has_operation_status")
_STATUS = ("open", "restricted", "closed", "shut")


class WordEmbedder(Embedder):
    """Sums a fixed random vector a word: fast, deterministic, of any dimension."""

    name = "words"

    def __init__(self, dim=32):
        super().__init__(None)
        self._dim = dim

    @property
    def dim(self):
        return self._dim

    @property
    def signature(self):
        return f"words:{self._dim}"

    def _compute(self, texts):
        return np.array([sum((self._word(w) for w in text.split()), np.zeros(self._dim)) for text in texts], np.float32)

    def _word(self, word):
        seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "big")
        return np.random.default_rng(seed).normal(size=self._dim)


def scenarios(storms=8, ports=1, horizons=(48, 36, 24, 12), rng=0, day="3 August 2020", hour="15:00 UTC", advisory=7):
    """H with a group a storm and port. Horizons, day, hour and advisory number stand in texts, ids and anchors."""
    rng = np.random.default_rng(rng)
    edges, rows, nodes = {}, [], {}
    for s in range(storms):
        for p in range(ports):
            storm, port = f"STORM{s}", f"Port {p}"
            group, wind = f"{storm}/{port}", int(rng.integers(30, 60))
            for place, h in enumerate(horizons):
                wind += int(rng.integers(5, 20))
                about = [
                    (f"At T-{h} {storm} has winds of {wind} mph.", {"wind": _quantity(wind, "mph"), "hours": h}),
                    (f"A watch holds at {port}, says advisory {advisory} of {hour} on {day}.", {"status": "on"}),
                    (
                        f"{h} hours before landfall {wind + 3} mph are forecast.",
                        {"forecast": _quantity(wind + 3, "mph")},
                    ),
                    (f"{port} is {_STATUS[place % 4]} for {storm}.", {"status": _STATUS[place % 4], "posted": day}),
                ]
                for relation, (text, attributes) in zip(RELATIONS, about, strict=True):
                    edge = f"e{len(edges):04d}"
                    edges[edge] = {
                        "relation": relation,
                        "text": text,
                        "group": group,
                        "horizon": h,
                        "storm": storm,
                        "domain": "cyclones",
                        "document": group,
                        "start": len(edges),
                        "attributes": attributes,
                    }
                    state = f"{relation}:{storm}:{port}:T-{h}"
                    nodes |= {
                        f"cyclone:{storm}": {"type": "cyclone", "kind": "persistent"},
                        f"port:{port}": {"type": "port", "kind": "persistent"},
                        state: {"type": "state", "kind": "transient"},
                        f"horizon:T-{h}": {"type": "horizon_time", "kind": "anchor"},
                    }
                    rows += [(edge, name) for name in (f"cyclone:{storm}", f"port:{port}", state, f"horizon:T-{h}")]
    table = pd.DataFrame.from_dict(edges, orient="index").astype({"horizon": "Int64", "start": "Int64"})
    frame = pd.DataFrame(rows, columns=["edge", "node"])
    return Hypergraph.from_frame(frame, edges=table, nodes=pd.DataFrame.from_dict(nodes, orient="index"))


def _quantity(value, unit):
    return {"value": float(value), "unit": unit, "text": f"{value} {unit}"}
