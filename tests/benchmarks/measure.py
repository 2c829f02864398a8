"""Wall time and peak memory of one thing in a process of its own."""

import gc
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]


def fresh(module: str, *arguments: str, timeout: float = 1200) -> dict:
    """Run ``python -m module arguments`` and read the JSON object that it prints last."""
    command = [sys.executable, "-m", module, *arguments]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return {"error": f"not done in {timeout:.0f} s"}
    if done.returncode:
        return {"error": (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1][:200]}
    return json.loads(done.stdout.strip().splitlines()[-1])


def repeated(load: Callable, build: Callable, facts: Callable, repeats: int) -> dict:
    """Time ``build(load())``; the input is loaded anew for each run, so that no cached hash helps the second.

    `seconds` and `cpu` are the best of the runs, by the wall clock and of this process alone: where other programs
    compete for the cores, trust the second. `peak_gb` is of the whole process after the first run, `added_gb` what
    that run added to the loaded input.
    """
    wall, cpu, result = [], [], {}
    for run in range(repeats):
        built = None
        given = load()
        gc.collect()
        before = memory("VmRSS")
        start, busy = time.perf_counter(), time.process_time()
        built = build(given)
        wall.append(time.perf_counter() - start)
        cpu.append(time.process_time() - busy)
        if not run:
            peak = memory("VmHWM")
            result = {"peak_gb": round(peak, 2), "added_gb": round(peak - before, 2), **facts(built)}
        del given
    return {"seconds": min(wall), "cpu": min(cpu), "slowest": max(wall), "runs": repeats, **result}


def memory(field: str) -> float:
    """Resident gigabytes now (VmRSS) or at most (VmHWM) of this process."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(field + ":")) / 2**20
    except (OSError, StopIteration):
        unit = 2**30 if sys.platform == "darwin" else 2**20
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
