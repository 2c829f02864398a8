"""Start-up: seconds to import hgwork, beside the libraries that it stands on and its neighbours."""

import subprocess
import sys
from pathlib import Path

import pandas as pd

_CODE = "import time; t = time.perf_counter(); import {}; print(time.perf_counter() - t)"


def tables(folder: Path) -> dict[str, pd.DataFrame]:
    rows = {name: _best(name) for name in ("hgwork", "pandas", "scipy.sparse", "networkx", "xgi", "hypernetx")}
    return {"target: hgwork under 0.5 s warm (best of 3)": pd.Series(rows, name="seconds").round(3).to_frame()}


def _best(name: str) -> float | None:
    times = []
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", _CODE.format(name)], capture_output=True, text=True)
        times.append(float(done.stdout) if done.returncode == 0 else None)
    return min(times) if None not in times else None
