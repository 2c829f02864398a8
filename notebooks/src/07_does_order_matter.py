# ---
# jupyter:
#   jupytext:
#     formats: notebooks//ipynb,notebooks/src//py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Does order matter?
#
# **Question.** The order-aware paper reports that a reader answers better when evidence comes in order. Is that so, what
# exactly does it take, and what would a plain sort have done?
#
# **Inputs.** The bundled cyclone facts and documents (short scenarios of 16 storms here), questions with answers computed
# from the facts. Readers see sentences alone.
#
# **Outputs.** Tables 1 and 2 of the paper rebuilt with a reader that needs no language model, paired differences by
# storm, the control set, weights; figures `07_*`.
#
# **Run time.** About four minutes on two cores.

# %%
import os

SIZE = os.environ.get("HGWORK_SIZE", "small")
STORMS, ASKED, FOLDS = {"small": (16, 96, 3), "full": (55, 2400, 5)}[SIZE]

# %%
import numpy as np
import pandas as pd

import hgwork as hg
from hgwork import evaluation as ev
from hgwork.order.transitions import read_features
from hgwork.retrieval import KindRetriever, LearnedOrder, Retriever, Weights

hg.notebook.setup()

# %% [markdown]
# ## Three sentences
#
# The paper's Proposition 1 needs one question whose answer depends on the order of its evidence. Ours: had the chance of
# gales reached 20 percent when the port set its condition?

# %%
justified = (
    'For ALEX at Canaveral, was the first port condition of "zulu" justified when it was set, if the first five-day '
    "probability of 34-knot wind of 20 percent or more counts as a reason?"
)
first = "At Cocoa Beach FL, near Canaveral, Alex brings 34-knot wind within five days with a probability of 15 percent."
then, last = first.replace("15", "24"), "Port Condition ZULU is in force at Canaveral because of Alex."
reader = hg.answer.StateReader("cyclones")
for steps in ([first, then, last], [last, then, first]):
    text = "Trajectory 1\n" + "\n".join(f"[{n}] {line}" for n, line in enumerate(steps, 1))
    print(reader.read(justified, text).answer, "-", reader.read(justified, text).rationale)

# %% [markdown]
# The same three sentences, two answers. So much is true by construction. How often does it matter, and to which method?
#
# ## Questions
#
# Sixteen kinds of questions whose answers change with the order of reports, and a control set of five kinds whose answers
# no order changes. No answer is right more often than all others of its kind together.

# %%
documents = {}
for doc in sorted(hg.datasets.cyclones(), key=lambda d: len(d.attributes["horizons"])):
    documents.setdefault(doc.attributes["storm"] if SIZE == "small" else doc.id, doc)
whole = hg.order.build(list(documents.values())[: STORMS if SIZE == "small" else None], "cyclones", progress=False).hypergraph
facts = whole.edges["family"].ne("cross_horizon") & (whole.edges["horizon"] > 0).fillna(False).astype(bool)
storms = whole.subgraph(edges=whole.edges.index[facts])
order = hg.order.precedence(storms)
parts = [ev.order_questions(storms, n=ASKED), ev.control_questions(storms, n=ASKED // 4)]
questions = pd.concat([part.assign(set=name) for part, name in zip(parts, ("order", "control"), strict=True)])
print(storms, f"{questions['storm'].nunique()} storms")

# %%
asked = questions[questions["set"] == "order"]
share = asked.groupby("kind")["answer"].agg(lambda a: a.map(str).value_counts(normalize=True).iloc[0])
kinds = asked.groupby("kind").agg(questions=("kind", "size"), changed=("sensitivity", "mean"), example=("question", "first"))
kinds.insert(1, "commonest answer", share)
kinds.round(2)

# %% [markdown]
# *changed* is the share of random orders of the reports that change the answer. With all its evidence in hand, how good is
# a reader that keeps what is current, in order, backwards and shuffled?

# %%
rank, sentence, draw = order.table["rank"], storms.edges["text"], np.random.default_rng(0)
puts = {"in order": lambda e: e, "backwards": lambda e: e[::-1], "shuffled": lambda e: draw.permutation(e).tolist()}
rows = {}
for name, put in puts.items():
    for row in questions.to_dict("records"):
        ids = put(sorted(row["needed"], key=lambda edge: rank[edge]))
        lines = (f"[{n}] {sentence[edge]}" for n, edge in enumerate(ids, 1))
        answer = reader.read(row["question"], "Trajectory 1\n" + "\n".join(lines)).answer
        rows.setdefault((row["set"], name), []).append(ev.grade(row, answer))
pd.Series({key: np.mean(values) for key, values in rows.items()}).unstack().round(3)

# %% [markdown]
# In order nearly all is answered; shuffled about a third. The control set does not care. That is the most that order can
# do here. Now evidence has to be retrieved.
#
# ## Methods
#
# Every method gives a reader eight steps. The transition model and the learned order see the other folds' storms only and
# no sign of a horizon. "top-k" ranks by relevance and is what an unordered hypergraph gives; "by horizon" sorts it by its
# labels; "dag" searches along precedence; "beam" is the paper's Algorithm 1 at its published weights.

# %%
features = read_features(storms, horizon_tokens=False)
told = Retriever(storms, order)
chosen = Weights(order=0, precedence=0.3, continuity=0.05, coverage=0)
LEFT_OUT = ["text, dense", "text, BM25", "beam, shuffled", "top-k, learned order", "dag, learned order",
            "dag without labels, shuffled", "entity expansion, by horizon", "beam, learned order"]


# %%
def methods(fold):
    model = hg.order.TransitionModel().fit(features, order, groups=fold.train, rng=fold.seed)
    ranks = LearnedOrder(storms, model).ranks()
    given = {"vectors": told.vectors, "embedder": told.embedder}
    searches = ev.Searches(KindRetriever(storms, order, model, **given))
    bare = ev.Searches(KindRetriever(storms, None, None, ranks=ranks, with_anchors=False, **given))
    plain = ev.Searches(Retriever(storms, order, **given))
    made = ev.paper_methods(searches, chosen, learned=ranks, unlabelled=bare, shuffles=3)
    made |= {f"{m}, plain cosine": plain.method(m.replace("-", ""), chosen) for m in ("top-k", "dag")}
    return {name: method for name, method in made.items() if name not in LEFT_OUT}


# %% [markdown]
# Every fold of storms is asked with a model of the others. Shuffles are drawn three times; intervals resample storms.

# %%
questions["query"] = questions["question"]
results = ev.by_fold(features, order, questions, methods, {"state": reader}, ev.grade, folds=FOLDS, rng=0)
results = results.merge(questions[["question_id", "set"]], on="question_id")
ordered, control = (results[results["set"] == name] for name in ("order", "control"))
table = ev.bootstrap_means(ordered)
main = ["unordered hypergraph", "top-k", "top-k, shuffled", "beam", "beam, raw log P", "viterbi", "dag", "dag, shuffled",
        "dag, reversed", "dag, by horizon", "top-k, by horizon", "dag without labels", "text, fused", "binary graph"]
table.loc[main].round(3)

# %%
drawn = table.loc[main].sort_values("value", ascending=False)
saved = hg.notebook.save_figure(hg.plot.ablation(drawn, "dag"), "07_methods", data=drawn)

# %% [markdown]
# The paper's first claim holds in this reader's hands: the same steps in order and shuffled are far apart. Its second does
# not: Algorithm 1 at its published weights is no better than an unordered list. And a list **sorted by horizon** is as good
# as the exact search.
#
# ## Differences, storm by storm

# %%
pairs = [("dag", "top-k"), ("dag", "dag, shuffled"), ("dag without labels", "top-k"), ("dag", "top-k, by horizon"),
         ("dag", "beam"), ("beam", "top-k"), ("dag, plain cosine", "top-k, plain cosine")]
apart = ev.difference_table(ordered, pairs)
apart.index = [f"{a} − {b}" for a, b in pairs]
points = apart.assign(**{name: 100 * apart[name] for name in ("value", "low", "high")})
saved = hg.notebook.save_figure(hg.plot.differences(points, aim=25), "07_differences", data=points)
points[["value", "low", "high"]].round(1)

# %% [markdown]
# *dag without labels* orders whole reports by what they say (05), never by a horizon: a good part of the gain is there
# without a single label, and more with more storms to learn from.
#
# ## Why the beam fails
#
# Needed evidence among the eight steps, and how much of the order is right. A transition model trained to follow a report
# likes to see the next *attribute*; the reading that a question needs is the same attribute in the next *report*.

# %%
measured = ev.SequenceMeasures(order, storms.edges["phase"])
needed = questions.set_index("question_id")["needed"]
some = ordered[ordered["method"].isin(["top-k", "beam", "beam − λ", "dag", "dag, plain cosine"]) & (ordered["repeat"] == 0)]
some = some[["question_id", "storm", "group", "method", "edges"]].assign(needed=some["question_id"].map(needed))
shown = ev.compare_orders(measured, some, rng=0)
shown = shown[shown["sequence"].eq("as given")].groupby("method")[["needed_coverage", "pairs_in_order"]].mean()
shown.join(table["value"].rename("answered")).round(3)

# %% [markdown]
# Without transitions (− λ) the same beam finds far more of what is needed. It still appends: where it starts in the
# middle, earlier steps cannot be put before.
#
# ## What each term is worth

# %%
ablated = [name for name in table.index if "(" in name or "−" in name or name.endswith((" no order", "heuristic order"))]
axes = hg.plot.ablation(table.loc[ablated], "dag (full)")
saved = hg.notebook.save_figure(axes, "07_ablations", data=table.loc[ablated])
ev.cells(ev.answer_table(ordered).loc[["dag (full)", "dag (shuffled)", "beam (full)"]], 2).T

# %% [markdown]
# Of the terms, none moves the exact search: order is in it by construction, and what is left is relevance. In the beam,
# λ is the term that costs.
#
# ## Weights
#
# Tuned on training storms only, here of the first fold: exact search over λ and ρ.

# %%
half = set(sorted(storms.edges["storm"].unique())[::2])
training = asked[asked["storm"].isin(half)]
model = hg.order.TransitionModel().fit(features, order, groups=[g for g in order.groups if g.split("/")[0] in half])
kind = KindRetriever(storms, order, model, vectors=told.vectors)
evaluate = ev.score_weights(ev.Searches(kind), training, reader, ev.grade)
grid = ev.weight_grid(evaluate, {"order": (0, 0.05, 0.3, 1.2), "coverage": (0, 0.25, 0.5, 1)}, chosen)
axes = hg.plot.weight_heatmap(grid, "order", "coverage", "value", (0, 0), label="share answered right")
saved = hg.notebook.save_figure(axes, "07_weights", data=grid)

# %% [markdown]
# Transitions at any weight cost answers; phases cost little.
#
# The paper lets the model learn from its own successes: steps of trajectories that led to right answers become positive
# pairs. One round, for the beam; *before* and *after* are answers on the other half of the storms.

# %%
def right(row, found):
    return ev.grade(row, reader.read(row["question"], found).answer) > 0


def answered(taught):
    beam = KindRetriever(storms, order, taught, vectors=told.vectors)
    return np.mean([right(row, beam.retrieve(row["question"], n=1)) for row in rest])


# %%
rest = asked[~asked["storm"].isin(half)].to_dict("records")
own = {"n": 1, "reserve": 1, "cap": 60}
learnt = hg.retrieval.self_train(
    model, features, order, training.to_dict("records"),
    lambda taught, row: kind.retrieve(row["question"], group=row["group"], **own), right,
    groups=[g for g in order.groups if g.split("/")[0] in half], measure=answered,
)
learnt.rounds.round(3)

# %% [markdown]
# Here the loop loses: the model is taught the steps that the beam takes anyway, a few of which happened to answer, and it
# takes them more often.
#
# ## Sorting, and questions that do not care
#
# A reader that may sort by labels needs no ordered evidence. And where order cannot matter, order-aware retrieval must
# not do harm.

# %%
held = ev.bootstrap_means(control)["value"]
labels = {}
for row in asked.to_dict("records"):
    t = kind.retrieve(row["question"], method="dag", n=1, weights=chosen)[0]
    mixed = hg.retrieval.reorder(t, "shuffled", rng=0)
    for name, who in (("state reader", reader), ("label reader", hg.answer.LabelReader("cyclones"))):
        for what, given in (("in order", t), ("shuffled", mixed)):
            labels.setdefault((name, what), []).append(ev.grade(row, who.read(row["question"], [given]).answer))
print(held[["dag", "top-k", "dag, shuffled", "beam", "unordered hypergraph"]].round(3).to_string())
pd.Series({key: np.mean(values) for key, values in labels.items()}).unstack().round(3)

# %% [markdown]
# ## Checks

# %%
gain = points["value"]
assert gain["dag − top-k"] > 25 and gain["dag − dag, shuffled"] > 25 and gain["dag without labels − top-k"] > 15
assert gain["dag − top-k, by horizon"] > -2 and abs(held["dag"] - held["top-k"]) <= 0.01
assert table.loc["beam", "value"] < table.loc["dag", "value"] - 0.2

# %% [markdown]
# ## What we learned
#
# - **Order matters** where the answer depends on it: the same eight steps, shuffled, lose more than half of the answers.
# - **A sort does as well** where labels are there. What an order-aware method adds is an order *without* labels, and that
#   works: report by report, from content.
# - **What to retrieve matters as much**: relevance by kind and topic doubles what plain cosines answer.
# - **The paper's own search** at its published weights does not get there: its transitions lead away from what is asked.
#
# ## What could fool you here
#
# - **Questions made to depend on order.** They show what order can do, not how often users need it. Most questions of
#   CyPortQA do not depend on it: `order_matters` with HGWORK_ORDER=templates measures those.
# - **A reader of states.** A language model may sort by labels on its own, as the label reader does.
# - **Relevance by kind** was designed on this corpus, for facts that are stated again and again.
# - **Rules as labels.** Precedence orders, and answers are computed in that order. "Without labels" is the row that is
#   free of this.
#
# ## Exercises
#
# **1.** Give every method twelve steps instead of eight. Which gains most?
#
# <details><summary>Solution</summary>
#
# `ev.Searches(…, length=12)` in `methods`, then run the cell again.
# </details>
#
# **2.** Which kind of question survives shuffling best, and why?
#
# <details><summary>Solution</summary>
#
# ```python
# ev.answer_table(ordered).xs("value", axis=1, level=1).loc["dag, shuffled"].sort_values()
# ```
# Yes or no questions: half of the orders agree by chance.
# </details>
#
# **3.** Sort the steps of the beam by horizon. How much of its loss is order, and how much is what it chose?
#
# <details><summary>Solution</summary>
#
# ```python
# rows = asked.sample(60, random_state=2).to_dict("records")
# found = [kind.retrieve(row["question"], n=1)[0] for row in rows]
# put = [hg.retrieval.reorder(t, "horizon") for t in found]
# [np.mean([right(row, [t]) for row, t in zip(rows, some)]) for some in (found, put)]
# ```
# </details>
#
# ## Next
#
# Back to [06_trajectories](06_trajectories.ipynb) to read single trajectories, or to
# [04_paths_and_agents](04_paths_and_agents.ipynb) for paths without an order.
