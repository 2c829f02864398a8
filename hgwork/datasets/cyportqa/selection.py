"""Which storms and ports make up the bundled corpus, and which part each storm belongs to."""

from __future__ import annotations

import pandas as pd

from .reader import CyPortQA
from .wording import pick

__all__ = ["assign_splits", "choose_pairs"]

ALWAYS = ("ALEX_2022/Canaveral", "ARLENE_2023/PortMiami", "ARTHUR_2020/Baltimore")


def choose_pairs(data: CyPortQA, most: int = 2, most_with_bulletins: int = 6) -> list[tuple[str, str]]:
    """Storm–port pairs of the bundled corpus, at most so many a storm.

    Taken are pairs of at least two horizons, those with a bulletin first, then those with a disruption, then those with
    more horizons, then by name. Of two storms of one name only the one with more scenarios takes part, so that
    "STORM/port" is unique.
    """
    scenarios = data.scenarios
    horizons = scenarios.groupby(["storm", "port"])["lead"].nunique()
    sizes = scenarios.groupby("storm").size()
    names: dict[str, str] = {}
    for storm in sorted(sizes.index, key=lambda storm: (-sizes[storm], storm)):
        names.setdefault(storm[:-5], storm)
    posted = set(zip(data.bulletins["storm"], data.bulletins["port"], strict=True))
    hit = data.disruption[data.disruption["peak_loss"] > 0]
    hit = set(zip(hit["storm"], hit["port"], strict=True))
    short = data.ports["short"]
    chosen = []
    for storm in sorted(names.values()):
        ports = [port for port, count in horizons[storm].items() if count > 1]
        always = {port for port in ports if f"{storm}/{short[port]}" in ALWAYS}
        ports.sort(
            key=lambda p: (p not in always, (storm, p) not in posted, (storm, p) not in hit, -horizons[storm, p], p)
        )
        limit = most_with_bulletins if any((storm, port) in posted for port in ports) else most
        chosen += [(storm, port) for port in ports[:limit]]
    return chosen


def assign_splits(storms: list[str]) -> pd.DataFrame:
    """Storms to train (60 %), dev (15 %) and test, in an order that depends on their names alone.

    The storms of the paper's figures and the case study (ALEX, ARLENE, ARTHUR) are test storms.
    """
    shown = {pair.split("_")[0] for pair in ALWAYS}
    ranked = sorted(storms, key=lambda storm: (storm in shown, pick(2**62, "split", storm), storm))
    first, second = round(0.6 * len(storms)), round(0.75 * len(storms))
    parts = {storm: "train" if n < first else "dev" if n < second else "test" for n, storm in enumerate(ranked)}
    return pd.DataFrame({"storm": sorted(parts), "split": [parts[storm] for storm in sorted(parts)]})
