"""Extraction: quality on the gold sets, agreement with a language model's entities, passages a second."""

import os
import time
from pathlib import Path

import pandas as pd

from hgwork import Document
from hgwork.corpus import RuleExtractor, build, split
from hgwork.datasets import data_folder, read_multihop, read_publications
from hgwork.evaluation import agreement, compare_extractors, read_gold, read_span_gold
from tests.benchmarks.measure import ROOT

SHARED = Path(os.environ.get("HGWORK_SHARED_DATA", ROOT.parent / "shared" / "data"))


def tables(folder: Path) -> dict[str, pd.DataFrame]:
    scaffolds = data_folder() / "scaffolds" / "gold"
    out = {f"scaffolds, {split_} half": quality(read_gold(scaffolds / f"{split_}.json")) for split_ in ("dev", "test")}
    two = (read_gold(scaffolds / f"test_annotator_{name}.json") for name in "ab")
    out["scaffolds, test half: agreement of the two annotators (the ceiling)"] = agreement(*two).round(3)
    if not SHARED.is_dir():
        out[f"left out: no public data in {SHARED} (set HGWORK_SHARED_DATA)"] = pd.DataFrame()
        return out
    gold = read_span_gold(data_folder() / "real_sentences" / "gold.json", SHARED)
    out["125 real sentences"] = quality(gold)
    for name in ("publications", "musique"):
        prefix = "hif" if name == "publications" else "multihop"
        part = gold.only(d for d in gold.texts if d.startswith(prefix))
        out[f"real sentences of {name}"] = quality(part)
    out["agreement in entities with a language model's (HippoRAG OpenIE)"] = openie(SHARED)
    out["real input, aim: 100 passages a second without merging"] = throughput(SHARED)
    return out


def quality(gold) -> pd.DataFrame:
    """A row a metric, a column a system: value and 95 % interval by document."""
    table = compare_extractors(gold).round(3)
    text = table["value"].astype(str) + " [" + table["low"].astype(str) + ", " + table["high"].astype(str) + "]"
    order = table["metric"].drop_duplicates()
    return table.assign(text=text).pivot(index="metric", columns="system", values="text").loc[order]


def openie(shared: Path) -> pd.DataFrame:
    """Entities of the rules against those of a language model, exact lower-cased labels a passage, micro."""
    import gzip
    import json

    with gzip.open(shared / "openie" / "openie_results_1890_passages.json.gz", "rt", encoding="utf-8") as file:
        docs = json.load(file)["docs"]
    documents = [Document(id=str(i), text=doc["text"]) for i, doc in enumerate(docs) if doc["text"].strip()]
    chunks = split(documents)
    ours: dict[str, set[str]] = {}
    for chunk, events in zip(chunks, RuleExtractor().extract(chunks), strict=True):
        members = {m.lower() for e in events for m in e.members}
        ours.setdefault(chunk.document, set()).update(members)
    rows = []
    for name, key in (("named entities", "extracted_entities"), ("ends of triples", "extracted_triples")):
        theirs = {}
        for i, doc in enumerate(docs):
            found = doc[key]
            labels = found if key == "extracted_entities" else [x for t in found if len(t) == 3 for x in (t[0], t[2])]
            theirs[str(i)] = {label.lower() for label in labels if isinstance(label, str)}
        hits = sum(len(ours.get(d, set()) & t) for d, t in theirs.items())
        given, made = sum(map(len, theirs.values())), sum(map(len, ours.values()))
        rows.append((name, len(docs), made, given, hits / made, hits / given, 2 * hits / (made + given)))
    columns = ["compared with", "passages", "ours", "theirs", "precision", "recall", "f1"]
    return pd.DataFrame(rows, columns=columns).set_index("compared with").round(3)


def throughput(shared: Path) -> pd.DataFrame:
    """Whole builds without merging, and the sentences that gave an event."""
    from hgwork.models.parser import parse

    passages, _ = read_multihop(shared / "multihop" / "musique")
    corpora = {"abstracts": read_publications(shared / "hif" / "publications.hif.json"), "musique": passages}
    RuleExtractor().extract_text("The parser is loaded before the clock starts.")
    rows = {}
    for name, documents in corpora.items():
        start, busy = time.perf_counter(), time.process_time()
        result = build(documents, RuleExtractor(), merge="none", progress=False)
        seconds, cpu = time.perf_counter() - start, time.process_time() - busy
        H = result.hypergraph
        sentences = sum(len(list(doc.sents)) for doc in parse(d.text for d in documents))
        spans = len({(e.document, e.start) for e in result.events})
        rows[name] = {
            "passages": len(documents),
            "mean characters": round(sum(len(d.text) for d in documents) / len(documents)),
            "seconds": round(seconds, 1),
            "passages a second": round(len(documents) / seconds, 1),
            "passages a CPU second": round(len(documents) / cpu, 1),
            "nodes": len(H.nodes),
            "hyperedges": len(H),
            "mean size": round(float(H.sizes.mean()), 2),
            "sentences with an event": round(spans / sentences, 3),
        }
    return pd.DataFrame(rows)
