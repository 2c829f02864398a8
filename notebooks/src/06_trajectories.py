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
# # Which steps, and in which order
#
# **Question.** A ranked list answers "what is relevant?". What does it take to answer a question whose evidence has to
# be read in order, and can we see why a step was taken?
#
# **Inputs.** `toy` (ten papers in order), the bundled cyclone documents (three named pairs of a storm and a port and six
# others to train on), `failures` (machines, a second domain).
#
# **Outputs.** Trajectories with every term of their score, the same question under four searches, a certificate, what
# weights do, evidence as a reader gets it; figures `06_*`.
#
# **Run time.** About two minutes on two cores.

# %%
import os

SIZE = os.environ.get("HGWORK_SIZE", "small")
TRAINING = {"small": 6, "full": 40}[SIZE]  # pairs of a storm and a port that the transition model learns from

# %%
from itertools import pairwise

import numpy as np
import pandas as pd

import hgwork as hg
from hgwork.retrieval import KindRetriever, Retriever, Weights, compare, reorder, why

hg.notebook.setup()

# %% [markdown]
# ## Ten papers
#
# On the toy a hyperedge is a paper with its authors, and papers have a place in time. We ask for four papers **in
# order** that bear on a question: relevance to the question, shared authors from one to the next, and no step back in
# time.

# %%
toy = hg.datasets.load("toy")
papers = hg.retrieval.retrieve("Who worked on graphs?", toy, hg.order.precedence(toy), method="dag", length=4, n=1)
papers[0]

# %% [markdown]
# Each step says what it adds. A trajectory is drawn with its steps above and what joins them below: the bands are
# authors who come back.

# %%
saved = hg.notebook.save_figure(hg.plot.trajectory(papers[0]), "06_toy", data=papers[0].table)

# %% [markdown]
# ## A storm and a port
#
# Facts at forecast horizons only: no changes between horizons, nothing known afterwards. The transition model of
# [05](05_order_and_transitions.ipynb) learns from other storms and sees no horizon.

# %%
named = ["ALEX/Canaveral", "ARLENE/PortMiami", "ARTHUR/Baltimore"]
documents = hg.datasets.cyclones()
others = [d for d in documents if d.attributes["split"] == "train" and len(d.attributes["horizons"]) <= 5][:TRAINING]
chosen = [d for d in documents if d.attributes["group"] in named] + others
whole = hg.order.build(chosen, "cyclones", progress=False).hypergraph
facts = whole.edges["family"].ne("cross_horizon") & (whole.edges["horizon"] > 0).fillna(False).astype(bool)
storms = whole.subgraph(edges=whole.edges.index[facts])
order = hg.order.precedence(storms)
print(storms)

# %%
learned = hg.order.TransitionModel(embedder=hg.models.embedder())
learned.fit(storms, order, groups=[d.attributes["group"] for d in others], rng=0)
retriever = Retriever(storms, order, learned)
retriever

# %% [markdown]
# **Candidates first.** The names in a question choose the group; a reserve of places is kept for it, then the most
# similar hyperedges of all come in, then what shares an entity with those. Which door did how many take?

# %%
asked = "Where is ARTHUR expected to come ashore, as Baltimore hears it?"
candidates = retriever.candidates(asked)
print(candidates.groups)
candidates.report.round(3)

# %% [markdown]
# ## The paper's search
#
# Algorithm 1 grows eight beams step by step by relevance, transition, precedence, shared entities and new phases, and
# ranks what it ends with by the whole objective (equation 5). First a question about a forecast that moves.

# %%
found = retriever.retrieve(asked, method="beam", n=3)
saved = hg.notebook.save_figure(hg.plot.trajectory(found[0]), "06_beam", data=found[0].table)

# %% [markdown]
# Arrows are as wide as the transition is likely. Phases run from left to right, horizons do not: the path is back at
# T-48 after T-12, because precedence counts related neighbours alone, and a likely transition outweighs it. Where does
# the score come from?

# %%
axes = hg.plot.score_terms(found[0])
saved = hg.notebook.save_figure(axes, "06_score_terms", data=found[0].table)
pd.Series(found[0].terms | {"score": found[0].score, "Algorithm 1": found[0].search_score}).round(2)

# %% [markdown]
# Most of it is relevance and transitions. Algorithm 1's running score is another number than equation 5: it counts
# precedence and continuity at every step instead of as shares.
#
# **Why this step?** The best rival in the same place, term by term, and the term that decided.

# %%
why(found[0], 2).round(2)

# %% [markdown]
# The second question stays at one horizon: it asks for a fact about a place.

# %%
place = "For which place near Baltimore are wind probabilities of ARTHUR given?"
local = retriever.retrieve(place, method="beam", n=1)[0]
saved = hg.notebook.save_figure(hg.plot.ring(local), "06_ring", data=local.table)
local.table[["step", "horizon", "relation", "text"]]

# %% [markdown]
# ## Three alternatives, one set of rows
#
# One trajectory is one reading. The three best for the first question, with an entity on the same row in each:

# %%
saved = hg.notebook.save_figure(hg.plot.trajectories(found), "06_alternatives", data=found[1].table)
compare(found[0], found[2]).terms.round(2)

# %% [markdown]
# They share most of their steps: the penalty on overlap is small beside the other terms.
#
# ## Four searches
#
# **beam** is the paper's. **viterbi** is exact for relevance and transitions. **dag** is exact along the order that
# precedence gives: it chooses by relevance, continuity and coverage and never steps back. **topk** takes the most
# relevant. A *ceiling* says what no sequence can exceed.

# %%
moving = "How did the sustained wind of ALEX change as it came near Canaveral?"
rows = {}
for method in hg.retrieval.METHODS:
    t = retriever.retrieve(moving, method=method, n=1)[0]
    horizons = t.table["horizon"].tolist()
    back = sum(b > a for a, b in pairwise(horizons))
    rows[method] = t.terms | t.certificate | {"proven": t.proven, "steps back in time": back}
pd.DataFrame(rows).T.drop(columns=["search_score", "search_ceiling"])

# %% [markdown]
# Viterbi and beam trade relevance for likely transitions; top-k has the relevance and no order; dag gives up a little
# of both and never goes back. Which of them a reader is better off with is the question of
# [07](07_does_order_matter.ipynb).
#
# ## Weights
#
# At the published weight λ = 1.2 the paper's log P is worth several times the relevance of a step. What is left of
# relevance as λ grows, with log P as printed and normalised to 1 + log P / log |C|?

# %%
sweep = []
for weight in (0, 0.1, 0.3, 0.6, 1.2):
    for normalise in (False, True):
        t = retriever.retrieve(moving, weights=Weights(order=weight), normalise=normalise, n=1)[0]
        row = {"weight of order": weight, "log P": "normalised" if normalise else "raw"}
        sweep.append(row | {"mean relevance": t.table["relevance"].mean()})
swept = pd.DataFrame(sweep).pivot(index="weight of order", columns="log P", values="mean relevance")
swept.round(3)

# %% [markdown]
# With the raw term a tenth of a weight is enough for relevance to fall; normalised, it holds up to about 0.3 and has
# fallen as far at the published 1.2. Everything here uses the normalised one unless it says otherwise.
#
# ## A map of the candidates
#
# Two principal components of the candidates' vectors, and the path of *dag* through them.

# %%
path = retriever.retrieve(moving, method="dag", n=1)[0]
held = path.problem.candidates
vectors = retriever.vectors[held.rows]
left, size, _ = np.linalg.svd(vectors - vectors.mean(axis=0), full_matrices=False)
plane = pd.DataFrame(left[:, :2] * size[:2], index=held.ids, columns=["x", "y"])
doors = pd.Series(held.doors, index=held.ids)
saved = hg.notebook.save_figure(hg.plot.candidate_map(plane, path, doors), "06_map", data=plane)

# %% [markdown]
# ## What a reader gets
#
# Numbered evidence with its labels, or the bare sentences in order. The **state reader** needs no language model: it
# keeps what is current of each attribute and never looks at a label.

# %%
question = "What forward speed does the last report on ALEX at Canaveral give?"
reader = hg.answer.StateReader("cyclones")
steps = retriever.retrieve(question, method="dag", n=1)
print(hg.answer.evidence_text(steps).split("\n[Step 2]")[0])
reader.read(question, steps).rationale

# %% [markdown]
# Eight steps, and no forward speed among them. The cosine of whole sentences goes by the names of storm and port, and by
# words that only ask ("last report"). Relevance **by kind** compares the *topic* of the question with each kind of
# statement as a whole, in the groups that are named; and transitions, which lead away from what is asked, get no weight.

# %%
print(hg.retrieval.topics(question, ["ALEX", "Canaveral"]))
kinds = KindRetriever(storms, order, learned, vectors=retriever.vectors)
steps = kinds.retrieve(question, method="dag", n=1, weights=Weights(order=0, coverage=0))[0]
orders = {name: reorder(steps, name, rng=1) for name in ("canonical", "reversed", "shuffled", "none")}
pd.DataFrame(
    {name: {"answer": said.answer, "what was read": said.rationale} for name, t in orders.items()
     if (said := reader.read(question, [t]))}
).T

# %% [markdown]
# Now the readings are there, and the last one wins: the order decides what the answer is.
#
# ## Machines instead of storms
#
# Nothing above knows weather. The failures of machines have a place in minutes and a domain file of their own.

# %%
machines = hg.order.build(hg.datasets.failures(), "failures", progress=False).hypergraph
sequence = hg.order.precedence(machines)
group = sequence.groups[0]
chain = Retriever(machines, sequence).retrieve(f"What led to the shutdown of {group}?", group=group, method="dag", n=1)[0]
saved = hg.notebook.save_figure(hg.plot.trajectory(chain), "06_failures", data=chain.table)

# %% [markdown]
# ## Checks

# %%
for t in (*found, local, path, chain, papers[0]):
    assert np.isclose(t.table["score"].sum(), t.score) and np.isclose(sum(t.terms.values()), t.score)
assert all(t.certificate["gap"] >= 0 for t in (*found, path))
assert rows["dag"]["steps back in time"] == 0 and rows["viterbi"]["proven"]
assert swept.loc[0.1, "raw"] < swept.loc[0.1, "normalised"] and swept.loc[1.2].max() < swept.loc[0].min()
assert reader.read(question, [orders["canonical"]]).answer != reader.read(question, [orders["reversed"]]).answer
assert set(chain.table["group"]) == {group}
assert hg.retrieval.Trajectory.from_json(path.to_json()).edges == path.edges

# %% [markdown]
# ## What we learned
#
# - A trajectory is a list with an order that can be questioned: each step has its terms, its evidence, its rival.
# - Exact search along precedence never steps back; a beam that appends can.
# - Transitions at the published weight drown relevance, raw log P at a tenth of it.
# - What is not retrieved cannot be put in order: relevance by kind and topic finds the readings that cosines miss.
#
# ## What could fool you here
#
# - **A high score.** Equation 5 rewards what its weights reward. Whether a reader answers better is another question.
# - **Precedence of 1.** A method that orders by the rules agrees with the rules: that is no finding.
# - **Likely transitions.** The model was trained to follow the report; what it likes to see next is often another
#   attribute, not the next reading of the one asked about.
# - **Names decide the group.** Ask about a storm without naming the port, and several groups compete.
#
# ## Exercises
#
# **1.** Set all weights to zero. Do `dag` and `topk` return the same set? The same order?
#
# <details><summary>Solution</summary>
#
# ```python
# same = {m: retriever.retrieve(moving, method=m, weights=hg.retrieval.ZERO, n=1, diversity=0, group="ALEX/Canaveral",
#                               reserve=1, cap=60)[0].edges for m in ("dag", "topk")}
# set(same["dag"]) == set(same["topk"]), same["dag"] == same["topk"]
# ```
# The same set, in another order.
# </details>
#
# **2.** Which step of the beam's trajectory would change if phases counted four times as much?
#
# <details><summary>Solution</summary>
#
# ```python
# wider = retriever.retrieve(asked, method="beam", n=1, weights=Weights(coverage=2.0))[0]
# compare(found[0], wider).steps
# ```
# </details>
#
# **3.** Draw the trajectory of the failure as two layers of nodes. When is that clearer than rows?
#
# <details><summary>Solution</summary>
#
# ```python
# hg.plot.trajectory_network(chain)
# ```
# With few entities that each stand in several steps.
# </details>
#
# ## Next
#
# [07_does_order_matter](07_does_order_matter.ipynb): the same methods on thousands of questions, with and without order.
