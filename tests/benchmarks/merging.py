"""Merging: errors on labelled pairs by threshold, and the exact search among 161,172 names."""

import json
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

from hgwork.datasets import data_folder
from hgwork.evaluation import read_merge_pairs, score_merging
from tests.benchmarks.measure import fresh, memory

NAMES, WIDTH = 161_172, 384
_RATES = ["false_merge_rate", "missed_merge_rate", "precision", "recall", "f1"]


def tables(folder: Path) -> dict[str, pd.DataFrame]:
    from hgwork.models import embedder

    out = {}
    for part in ("dev", "test"):
        scores = score_merging(read_merge_pairs(data_folder() / "merge_pairs" / "pairs.csv", part), embedder())
        overall = scores[scores["category"] == "all"]
        out[f"{part} half of the labelled pairs (150)"] = overall.set_index(["system", "threshold"])[_RATES].round(3)
    row = fresh("tests.benchmarks.merging", "measure", timeout=3600)
    out["exact search, target: under 720 s and 1.5 GB"] = pd.Series(row, name="hgwork").to_frame()
    return out


def _measure() -> dict:
    from hgwork.corpus.merge import similar_pairs

    rng = np.random.default_rng(0)
    centres = rng.standard_normal((NAMES // 4, WIDTH), dtype=np.float32)
    vectors = centres[rng.integers(0, len(centres), NAMES)]
    vectors += 0.24 * rng.standard_normal((NAMES, WIDTH), dtype=np.float32)
    del centres
    given = memory("VmRSS")
    start = time.perf_counter()
    i, _, _ = similar_pairs(vectors, threshold=0.95, progress=False)
    return {
        "names": NAMES,
        "dimensions": WIDTH,
        "pairs of cosine 0.95 or more": len(i),
        "seconds": round(time.perf_counter() - start, 1),
        "GB, vectors and Python alone": round(given, 2),
        "GB at the peak": round(memory("VmHWM"), 2),
    }


if __name__ == "__main__" and sys.argv[1:] == ["measure"]:
    print(json.dumps(_measure()))
