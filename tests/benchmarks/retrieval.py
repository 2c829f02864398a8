"""Trajectories: milliseconds a query at B = 8, L = 8, 150 candidates, beside the same beam in plain Python.

All facts of the cyclone corpus at forecast horizons; queries are rendered from storms and ports. Vectors are kept in
the bench folder. Queries and hyperedges are embedded before the clock starts. CPU is the time of the calling thread:
the rest is waiting, for a second thread or for whatever else the machine does.
"""

import time
from pathlib import Path

import numpy as np
import pandas as pd

import hgwork as hg
from hgwork.order.transitions import read_features
from hgwork.retrieval import Retriever, beam, certificate, dag, viterbi
from tests.benchmarks.transitions import Scene
from tests.retrieval import reference

QUERIES, SLOW = 300, 15
ASKED = (
    "How did the wind of {storm} change as it came near {port}?",
    "Was {port} under a warning when {storm} turned toward it?",
    "Which port condition did {port} set for {storm}, and was it justified?",
)


def tables(folder: Path) -> dict[str, pd.DataFrame]:
    scene = Scene(folder)
    H = scene.facts("shuffled")
    P = hg.order.precedence(H)
    without = read_features(H, scene.embedder, horizon_tokens=False)
    model = hg.order.TransitionModel(embedder=scene.embedder).fit(without, P)
    retriever = Retriever(H, P, model, scene.embedder, progress=True)
    queries = _queries(P.groups)
    retriever.encode(queries)
    problems = [retriever.problem(query) for query in queries]
    rows = [
        _timed("cosine with all hyperedges", lambda i: retriever.relevance(queries[i])),
        _timed("candidates, 150 of all", lambda i: retriever.candidates(queries[i])),
        _timed("log P among 150", lambda i: retriever._transitions.log_prob(problems[i].candidates.rows)),
        _timed("log P among 150, asked of the model", lambda i: _asked(model, problems[i]), SLOW),
        _timed("candidates and all arrays", lambda i: retriever.problem(queries[i])),
        _timed("beam, Algorithm 1", lambda i: beam(problems[i], 8, 3, 8)),
        _timed("beam, in plain Python", lambda i: reference.beam(problems[i], 8, 3, 8, 0.1), SLOW),
        _timed("dag, exact, one trajectory", lambda i: dag(problems[i], 8, 1)),
        _timed("dag, three trajectories", lambda i: dag(problems[i], 8, 3)),
        _timed("viterbi, exact, one trajectory", lambda i: viterbi(problems[i], 8, 1)),
        _timed("arrays, beam and three trajectories", lambda i: retriever.retrieve(queries[i], method="beam")),
        _timed("arrays, dag and one trajectory", lambda i: retriever.retrieve(queries[i], method="dag", n=1)),
    ]
    same = all(
        [one.places for one in beam(problems[i], 8, 3, 8)]
        == [places for places, _ in reference.beam(problems[i], 8, 3, 8, 0.1)]
        for i in range(SLOW)
    )
    close = max(_apart(problem.log_prob, _asked(model, problem)) for problem in problems[:SLOW])
    about = pd.Series(
        {"hyperedges": len(H.edges), "queries": QUERIES, "beam as in plain Python": same,
         "largest difference of log P from the model's": close, "groups named right": _named(retriever, queries, P)}
    )  # fmt: skip
    return {
        "what was asked": about.to_frame("value"),
        "milliseconds a query": pd.DataFrame(rows).set_index("what").round(2),
        "certificates: score beside its ceiling": _ceilings(problems[:100]),
    }


def _asked(model, problem) -> np.ndarray:
    return model.log_prob(problem.candidates.ids, problem.candidates.ids)


def _apart(one: np.ndarray, two: np.ndarray) -> float:
    off = ~np.eye(len(one), dtype=bool)
    return float(np.abs(one[off] - two[off]).max())


def _named(retriever: Retriever, queries: list[str], P) -> float:
    asked = _drawn(P.groups)
    return float(np.mean([retriever.named(q) == (group,) for q, group in zip(queries, asked, strict=True)]))


def _drawn(groups: list[str]) -> list[str]:
    rng = np.random.default_rng(0)
    return [groups[i] for i in rng.integers(0, len(groups), QUERIES)]


def _queries(groups: list[str]) -> list[str]:
    pairs = [group.split("/") for group in _drawn(groups)]
    return [ASKED[n % len(ASKED)].format(storm=s, port=p) for n, (s, p) in enumerate(pairs)]


def _timed(what: str, call, count: int = QUERIES) -> dict:
    call(0)
    seconds, own = [], []
    for place in range(count):
        start, at_work = time.perf_counter(), time.thread_time()
        call(place)
        seconds.append(time.perf_counter() - start)
        own.append(time.thread_time() - at_work)
    spent, own = 1000 * np.array(seconds), 1000 * np.array(own)
    found = {"what": what, "median": np.median(spent), "p95": np.quantile(spent, 0.95)}
    return found | {"median, CPU": np.median(own), "p95, CPU": np.quantile(own, 0.95), "queries": count}


def _ceilings(problems) -> pd.DataFrame:
    rows = []
    for name, search in (("beam", beam), ("viterbi", viterbi), ("dag", dag)):
        for problem in problems:
            found = search(problem, 8, 1)[0]
            total = hg.retrieval.objective(problem, [list(found.places)])["total"].iloc[0]
            rows.append({"method": name, "proven": found.proven, **certificate(problem, total, 8)})
    return pd.DataFrame(rows).groupby("method").mean().round(3)
