"""Citation checker: recall and precision on planted claims, on the half it was tuned on and on the half it was not."""

from pathlib import Path

import pandas as pd
import yaml
from scipy.stats import binomtest

from hgwork.answer import check_citations

CASES = Path(__file__).parents[1] / "answer"


def tables(folder: Path) -> dict[str, pd.DataFrame]:
    found = {half: _checked(half) for half in ("dev", "heldout")}
    out = {"faulty claims, as such, whatever the verdict": pd.DataFrame([_rates(h, t) for h, t in found.items()])}
    for half, table in found.items():
        out[f"{half}: planted (rows) and found (columns)"] = pd.crosstab(table["planted"], table["verdict"])
        out[f"{half}: cases told wrongly"] = table[table["verdict"] != table["planted"]]
    return out


def _checked(half: str) -> pd.DataFrame:
    held = yaml.safe_load((CASES / f"cases_{half}.yaml").read_text("utf-8"))
    statements = pd.DataFrame(held["statements"].values(), columns=["source", "relation", "target", "text"])
    statements.index = list(held["statements"])
    rows = []
    for planted, claims in held["claims"].items():
        for claim in claims:
            row = check_citations(claim, statements).iloc[0]
            rows.append({"planted": planted, "verdict": row["verdict"], "claim": claim, "detail": row["detail"]})
    return pd.DataFrame(rows)


def _rates(half: str, table: pd.DataFrame) -> dict:
    faulty, flagged = table["planted"] != "supported", table["verdict"] != "supported"
    both = int((faulty & flagged).sum())
    row = {"half": half, "cases": len(table), "faulty": int(faulty.sum()), "flagged": int(flagged.sum()), "both": both}
    for name, whole in (("recall", row["faulty"]), ("precision", row["flagged"])):
        interval = binomtest(both, whole).proportion_ci(method="wilson")
        row |= {name: both / whole, f"{name}_low": interval.low, f"{name}_high": interval.high}
    return row | {"same_verdict": (table["verdict"] == table["planted"]).mean()}
