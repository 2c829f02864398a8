"""Held-out order: the learned transition model beside its baselines, five folds by storm of the cyclone corpus.

Facts at forecast horizons alone: no changes, nothing known in hindsight. Sections are shuffled; "in phase order" is
the same corpus with each section in the order of its facts, where text order gives the order away and ties of the
canonical order fall as the facts do. Vectors and hypergraphs are kept in the bench folder between runs.
HGWORK_TRANSITIONS names the tables to make (main, variants, ordered, tokens, unseen, curve, losses), all by default.
"""

import os
import time
from pathlib import Path

import pandas as pd

import hgwork as hg
from hgwork.evaluation.transitions import (
    calibration,
    folds_by_unit,
    held_out,
    learning_curve,
    measure,
    next_step_auc,
    summary,
)
from hgwork.order.transitions import BASELINES, TransitionModel, read_features

FEW = ("document order", "cosine", "family counts", "attribute counts", "rules")
TABLES = ("main", "variants", "ordered", "tokens", "unseen", "curve", "losses")


def tables(folder: Path) -> dict[str, pd.DataFrame]:
    wanted = os.environ.get("HGWORK_TRANSITIONS", ",".join(TABLES)).split(",")
    scene = Scene(folder)
    found: dict[str, pd.DataFrame] = {}
    for name in TABLES:
        if name in wanted:
            start, cpu = time.time(), time.process_time()
            found |= globals()[f"_{name}"](scene)
            print(f"{name}: {time.time() - start:.0f} s, {time.process_time() - cpu:.0f} CPU seconds", flush=True)
    return found


class Scene:
    """The corpus as hypergraphs and features, each made once."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.embedder = hg.models.embedder(cache=folder / "vectors")

    def facts(self, name: str, **rendering) -> hg.Hypergraph:
        path = self.folder / f"transitions-{name}.parquet"
        if path.exists():
            return hg.read(path)
        H = hg.order.build(hg.datasets.cyclones(**rendering), "cyclones").hypergraph
        kept = (H.edges["family"] != "cross_horizon") & (H.edges["horizon"] > 0).fillna(False).astype(bool)
        H = H.subgraph(edges=H.edges.index[kept])
        hg.write(H, path)
        return H

    def read(self, name: str, horizon_tokens: bool = False, **rendering):
        H = self.facts(name, **rendering)
        return read_features(H, self.embedder, horizon_tokens=horizon_tokens), hg.order.precedence(H)


def _learned(**options):
    return lambda: TransitionModel(**options)


def _wide(values: pd.DataFrame, measures: str = "") -> pd.DataFrame:
    """One row a model, one column a measure: value [low, high]."""
    table = summary(values[values["measure"].str.contains(measures)]).reset_index()
    table["cell"] = [
        f"{v:.3f} [{a:.3f}, {b:.3f}]" for v, a, b in zip(table["value"], table["low"], table["high"], strict=True)
    ]
    order = {name: list(dict.fromkeys(table[name])) for name in ("model", "measure")}
    return table.pivot(index="measure", columns="model", values="cell").loc[order["measure"], order["model"]].T


def _main(scene: Scene) -> dict[str, pd.DataFrame]:
    features, P = scene.read("shuffled")
    values, bins = held_out({"learned": _learned(), **BASELINES}, features, P, rng=0)
    table, error = calibration(bins[bins["model"] == "learned"])
    test = folds_by_unit(features, P, 5, 0)[0]
    model = TransitionModel().fit(features, P, groups=[g for g in P.groups if g not in set(test)])
    return {
        "direction, no horizon tokens": _wide(values, "^same"),
        "reports, no horizon tokens": _wide(values, "report"),
        "next step, no horizon tokens": _wide(values, "MRR|Hits"),
        "calibration of the direction": table.round(3),
        "expected calibration error": error.round(3),
        "AUC (one split by storm)": next_step_auc(model, features, P, test),
    }


def _variants(scene: Scene) -> dict[str, pd.DataFrame]:
    features, P = scene.read("shuffled")
    makers = {
        "text alone": _learned(numbers=False),
        "no ranks in the group": _learned(context=False),
        "no direction head": _learned(direction=0),
        "bilinear, full rank, text alone": _learned(rank=features.vectors.shape[1], numbers=False, direction=0),
    }
    values, _ = held_out(makers, features, P, rng=0)
    return {"variants, no horizon tokens": _wide(values, "^same|report pairs$|consecutive reports$|MRR")}


def _ordered(scene: Scene) -> dict[str, pd.DataFrame]:
    features, P = scene.read("in-phase-order", shuffle=False)
    values, _ = held_out({"learned": _learned(), **{name: BASELINES[name] for name in FEW}}, features, P, rng=0)
    return {"next step, no horizon tokens, sections in phase order": _wide(values, "MRR|Hits")}


def _tokens(scene: Scene) -> dict[str, pd.DataFrame]:
    found = {}
    for name, options in (("shuffled", {}), ("in-phase-order", {"shuffle": False})):
        features, P = scene.read(name, horizon_tokens=True, **options)
        makers = {"learned, with tokens": _learned(horizon_tokens=True)}
        found[f"with horizon tokens, {name}"] = _wide(held_out(makers, features, P, horizon_tokens=True, rng=0)[0])
    return found


def _unseen(scene: Scene) -> dict[str, pd.DataFrame]:
    """Trained on the storms of train and dev; test storms in all forms, and in forms that training never used."""
    tested = {document.attributes["group"] for document in hg.datasets.cyclones("test")}
    rows = []
    for name, options in (("shuffled", {}), ("in-phase-order", {"shuffle": False})):
        features, P = scene.read(name, **options)
        train, test = [g for g in P.groups if g not in tested], [g for g in P.groups if g in tested]
        other, Q = scene.read(f"{name}-unseen", wording="unseen", **options)
        for label, make in (("learned", _learned()), ("attribute counts", BASELINES["attribute counts"])):
            model = make().fit(features, P, groups=train)
            rows.append(measure(model, features, P, test)[0].assign(model=f"{label}, {name}, all forms"))
            again = model.read(other) if label == "learned" else _moved(model, other, Q)
            rows.append(measure(again, other, Q, test)[0].assign(model=f"{label}, {name}, unseen forms"))
    return {"wording never seen in training (14 test storms)": _wide(pd.concat(rows))}


def _moved(model, features, P):
    """Counts by name of kind, read for another rendering of the same kinds."""
    place = {name: number for number, name in enumerate(model.names.tolist())}
    model.features, model.P = features, P
    model.code = pd.Series(features.kinds.astype(str)).map(place).to_numpy()
    return model


def _curve(scene: Scene) -> dict[str, pd.DataFrame]:
    features, P = scene.read("shuffled")
    table = learning_curve(_learned(), features, P, [3, 6, 12, 24, 44])
    shown = table[
        table.index.get_level_values("measure").str.contains("^same|^report pairs$|^consecutive reports$|MRR")
    ]
    return {"learning curve (11 storms held out)": shown["value"].unstack().round(3)}


def _losses(scene: Scene) -> dict[str, pd.DataFrame]:
    features, P = scene.read("shuffled")
    start = time.process_time()
    model = TransitionModel().fit(features, P)
    spent = time.process_time() - start
    literal = TransitionModel(loss="literal", numbers=False, epochs=8).fit(features, P).history
    cost = pd.Series({"CPU seconds": spent, "epochs": len(model.history), "hyperedges": len(features.ids)})
    return {
        "training on all storms": pd.concat([cost, model.parameters]).to_frame("value").round(1),
        "training curve": model.history.round(3),
        "equation 4 to the letter": literal.round(3),
    }
