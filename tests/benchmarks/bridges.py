"""Bridge recall: is the concept that held two others together found again among the links of paths?"""

from pathlib import Path

import pandas as pd

import hgwork as hg
from hgwork.evaluation.bridges import bridge_recall

TRIPLES = 100


def tables(folder: Path) -> dict[str, pd.DataFrame]:
    H = hg.datasets.load("scaffolds")
    out = {}
    for remove in ("together", "ends", "sentence"):
        table = bridge_recall(H, TRIPLES, remove=remove, rng=0).round(3)
        out[f"scaffolds, {TRIPLES} triples, removed: {remove}"] = table.set_index(["method", "s", "k", "avoid_hubs"])
    return out
