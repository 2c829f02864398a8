"""Run the benchmarks: ``make bench``, or ``python -m tests.benchmarks.run [topic …]``.

A topic is a module beside this one with ``tables(folder) -> {title: DataFrame}``; without names all run. Tables are
printed and written to ``build/bench/<topic>.json`` with the machine, its load and the versions.
"""

import importlib
import json
import os
import platform
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PACKAGES = ("hgwork", "numpy", "scipy", "pandas", "hypernetx", "xgi", "hypergraphx", "opentsne")


def machine() -> dict:
    cpu = [line for line in _lines("/proc/cpuinfo") if line.startswith("model name")]
    memory = [line for line in _lines("/proc/meminfo") if line.startswith("MemTotal")]
    return {
        "cpu": cpu[0].split(":")[1].strip() if cpu else platform.processor(),
        "cores": os.cpu_count(),
        "memory": memory[0].split(":")[1].strip() if memory else "unknown",
        "python": platform.python_version(),
        "system": platform.platform(),
        "versions": {name: _version(name) for name in PACKAGES},
    }


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text().splitlines()
    except OSError:
        return []


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def main(topics: list[str]) -> None:
    known = sorted(p.stem for p in HERE.glob("[a-z]*.py") if p.stem not in ("run", "measure"))
    unknown = [topic for topic in topics if topic not in known]
    if unknown:
        sys.exit(f"no benchmark is named {', '.join(unknown)}. Known: {', '.join(known)}.")
    folder = ROOT / "build" / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    about = machine()
    print(f"{about['cpu']}, {about['cores']} cores, {about['memory']}; Python {about['python']}; {about['versions']}")
    for topic in topics or known:
        before, start = os.getloadavg(), time.strftime("%Y-%m-%dT%H:%M:%S")
        module = importlib.import_module(f"tests.benchmarks.{topic}")
        print(f"\n== {topic}: {(module.__doc__ or '').splitlines()[0]}", flush=True)
        tables = module.tables(folder)
        load = {"before": before, "after": os.getloadavg()}
        for title, table in tables.items():
            print(f"\n{title}\n{table.to_string()}")
        print(f"load (1, 5, 15 minutes): before {before}, after {load['after']}", flush=True)
        content = {title: json.loads(table.reset_index().to_json(orient="records")) for title, table in tables.items()}
        record = {"topic": topic, "start": start, "load": load, "machine": about, "tables": content}
        (folder / f"{topic}.json").write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
