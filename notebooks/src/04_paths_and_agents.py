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
# # Paths through statements, and agents that must cite them
#
# **Question.** How are two concepts related that no single statement names together, and how far can an answer made
# from such a path be trusted?
#
# **Inputs.** `toy` (ten papers of seven co-authors) and `scaffolds` (48 short documents on biocomposite scaffolds).
#
# **Outputs.** The queries of the higher-order paper replayed (cerium oxide, grass and hydrogel with PCL), two figures
# `04_*`, a table of bridge recall, an answer with its transcript and the report of the citation checker.
#
# **Run time.** About a minute on two cores.

# %%
import os

SIZE = os.environ.get("HGWORK_SIZE", "small")
TRIPLES = {"small": 30, "full": 100}[SIZE]  # bridges to be found again

# %%
from itertools import combinations

import pandas as pd
from IPython.display import Markdown

import hgwork as hg

hg.notebook.setup()

# %% [markdown]
# ## From one author to another
#
# A **hyperpath** is a sequence of hyperedges in which each shares at least s nodes with the next. On the toy: Bob
# never wrote with Grace. By which papers is he linked to her? Find the shortest chain by eye in the drawing of
# [02_topology](02_topology.ipynb), or in the list below, before you run the search.

# %%
toy = hg.datasets.load("toy")
pd.Series(toy.to_dict()).map(", ".join)

# %%
for path in hg.paths.hyperpaths(toy, "Bob", "Grace", s=1, k=3):
    print(len(path), " – ".join(path.edges), "  linked by", *map(", ".join, path.shared))
print("s = 2:", hg.paths.hyperpaths(toy, "Bob", "Grace", s=2))

# %% [markdown]
# Three papers at least: one with Ella, Ella's with Carol, Carol's with Grace. The longer ones come next, those with
# more shared authors first. At s = 2 there is no path: Ella and Carol wrote one paper with each other and nothing
# else in common, so the chain breaks there. **s is the strength that every link must have**, and one weak link is
# enough to end it.
#
# ## From words to nodes
#
# Now the corpus. A question uses its own words, and a path from the wrong node answers another question. `match` says
# which node it took, how it found it, and what else it could have been.

# %%
corpus = hg.corpus.build(hg.datasets.documents("scaffolds"), progress=False).hypergraph
found = hg.lookup.match(corpus, "How do cerium oxide, grass and hydrogels relate to PCL?", n=3, progress=False)
found

# %% [markdown]
# "Cerium oxide" and "PCL" are names. "Grass" is not: the plural *grasses* wins, and *Fescue grass*, which the paper
# wrote about, is a runner-up two places further down. Both are in sight, so you can choose; a score alone would not
# tell.
#
# ## Cerium oxide to PCL
#
# The paper's first query, with the single best path. Bold names stand where two statements overlap.

# %%
best = hg.paths.hyperpaths(corpus, "cerium oxide", "PCL", s=1, k=1)
best[0].table[["sentence", "text", "document", "leaves"]]

# %% [markdown]
# Three statements of two documents: ceria acts on endothelial cells, these grow in collagen, and collagen is compared
# with PCL. Every step is a sentence that somebody wrote; that the three make an argument is not. Ask for three:

# %%
three = hg.paths.hyperpaths(corpus, "cerium oxide", "PCL", k=3)
ways = hg.paths.hyperpaths(corpus, "cerium oxide", "PCL", k=3, distinct="links")
cheap = hg.paths.hyperpaths(corpus, "cerium oxide", "PCL", k=3, avoid_hubs=1.0)
asked = {"k=3": three, 'distinct="links"': ways, "avoid_hubs=1": cheap}
links = {name: [" > ".join(map(" & ".join, path.shared)) for path in paths] for name, paths in asked.items()}
pd.DataFrame(links, index=[1, 2, 3])

# %% [markdown]
# The first three paths differ in their statements and are **one way**: endothelial cells, then collagen. Different
# ways come with `distinct="links"`, which keeps one path for each sequence of shared nodes, or with a price on hubs:
# *collagen* is in so many statements that meeting there says little. The other way, through the pro-oxidant side of
# ceria and the interior of fibres, is one that a reader would want to see.

# %%
axes = hg.plot.paths(ways)
saved = hg.notebook.save_figure(axes, "04_paths", data=hg.paths.paths_table(ways), source="cerium oxide", target="PCL")

# %% [markdown]
# What lies around these paths? Statements about the same concepts that the paths did not take:

# %%
axes = hg.plot.path_context(corpus, ways[:2])
saved = hg.notebook.save_figure(axes, "04_context", rng=0)
Markdown(hg.plot.caption(axes))

# %% [markdown]
# ## Grass to PCL, hydrogel to PCL
#
# The second and the third query of the paper; the third asks for two shared concepts at each step.

# %%
queries = [("grasses", "PCL", 1), ("Fescue grass", "PCL", 1), ("Hydrogels", "PCL", 1), ("Hydrogels", "PCL", 2)]
rows = []
for source, target, s in queries:
    paths = hg.paths.hyperpaths(corpus, source, target, s=s, k=1)
    way = " > ".join(map(" & ".join, paths[0].shared)) if paths else "no path"
    rows.append([source, target, s, len(paths[0]) if paths else None, way])
pd.DataFrame(rows, columns=["from", "to", "s", "hyperedges", "linked by"])

# %% [markdown]
# The choice of node changes the answer: *grasses* reaches PCL by ferulic acid grafted on chitosan and gelatin, *Fescue
# grass* by leaves and fibres in a longer chain. And at s = 2 there is no path from hydrogels to PCL in these 48
# documents, where the paper found one in 320,201 hyperedges. How much does s cost? All pairs of the twenty largest
# hubs, statements that name both put aside (`shortcut=False`):

# %%
hubs = hg.topology.hub_table(corpus, n=20).index
reach = {}
for s in (1, 2, 3):
    paths = [hg.paths.hyperpaths(corpus, a, b, s=s, k=1, shortcut=False) for a, b in combinations(hubs, 2)]
    lengths = [len(path[0]) for path in paths if path]
    reach[s] = [len(lengths) / len(paths), sum(lengths) / len(lengths), max(lengths)]
pd.DataFrame(reach, ["pairs with a path", "mean length", "longest"]).T.rename_axis("s")

# %% [markdown]
# At s = 1 every hub reaches every other within three statements. That is a property of hubs, not a discovery: almost
# anything is linked to almost anything. At s = 2 one pair in six is left, and what is left rests on statements that
# agree in more than one concept.
#
# ## Do paths find the concept in between?
#
# A test that needs no judge. Take three concepts that a statement holds, remove every statement that holds all three,
# and ask for paths between two of them: is the third a link? Beside it what a simpler tool would name: shortest paths
# of the clique graph, concepts that sentences write with both, and random concepts of the same degree.

# %%
bridges = hg.evaluation.bridge_recall(corpus, TRIPLES, k=(1, 3, 10), rng=0, progress=False)
recall = bridges.assign(
    interval=[f"{r:.2f} [{low:.2f}, {high:.2f}]" for r, low, high in bridges[["recall", "low", "high"]].to_numpy()]
)
recall.pivot(index=["method", "s", "avoid_hubs"], columns="k", values="interval").fillna("–")

# %% [markdown]
# Paths beat chance. They do not beat counting which concepts share sentences with both ends, nor shortest paths of
# the clique graph at k = 3 and 10: the k best hyperpaths repeat the same few links in other statements. At s = 2 they
# find nothing, since so few paths exist. **So use paths for what they give beyond a name**: an order of statements
# that can be read and checked.
#
# ## Three agents
#
# GraphAgent picks the nodes and the paths, Engineer says what they state, Hypothesizer what to test. With a language
# model they call tools and write; without one, as here, templates restate the evidence. Either way every claim
# cites numbered statements.

# %%
result = hg.answer.ask(corpus, "How are cerium oxide and PCL related?", k=3)
print(result.label)
Markdown(result.answer)

# %%
result.statements[["document", "text"]]

# %% [markdown]
# **The citation checker** reads each claim against the statements it cites: names and numbers that they do not hold,
# direction turned round, negation, citations that do not exist, claims without any. Here the answer passes, as it
# should, since it only repeats. So let us spoil it.

# %%
spoiled = """Cerium oxide has been reported to modulate oxygen levels in endothelial cells [1].
Cerium oxide has not been reported to modulate oxygen levels in endothelial cells [1].
Co-culture in collagen produces capillary-like networks within about 3 weeks [2].
Co-culture in alginate produces capillary-like networks [2].
Dip-coating with PCL mitigates the brittleness of glass foams [9].
PCL is safe."""
report = hg.answer.check_citations(spoiled, result.statements)
report[["claim", "cited", "verdict"]]

# %% [markdown]
# The first line stands; each of the others is refused for its own reason. It reads words, not truth: a wrong verb
# between the right names passes, and a statement that is itself wrong is cited as happily as a right one. On 76
# planted cases that were put aside before it was written, it finds all 50 faults and raises three false alarms
# (`.venv/bin/python -m tests.benchmarks.run citations`).
#
# What the agents did is kept, step by step:

# %%
result.transcript

# %% [markdown]
# **With a language model** the same call takes a chat client; nothing else changes, and the transcript then holds the
# prompts, tool calls and answers:
#
# ```python
# chat = hg.models.Chat(budget=hg.models.Budget(requests=20))  # HGWORK_CHAT_URL, HGWORK_CHAT_MODEL
# session = hg.answer.Session(corpus, chat, k=3)
# session.ask("How are cerium oxide and PCL related?")
# session.ask("And what would hydroxyapatite add?")            # remembers the question before
# ```
#
# ## Checks

# %%
assert [path.edges for path in hg.paths.hyperpaths(toy, "Bob", "Grace", k=1)] == [("paper 01", "paper 05", "paper 06")]
assert hg.paths.hyperpaths(toy, "Bob", "Grace", s=2) == []
chosen = found[found["chosen"]].set_index("word")["node"]
assert chosen["cerium oxide"] == "cerium oxide" and chosen["PCL"] == "PCL"
assert "Fescue grass" in found.loc[found["word"] == "grass", "node"].tolist()
assert len({path.shared for path in three}) == 1 and len({path.shared for path in ways}) == 3
assert reach[1][0] == 1 and reach[3][0] < reach[2][0] < 0.5
plain = bridges[bridges["s"].fillna(1).eq(1) & bridges["avoid_hubs"].fillna(0).eq(0)]
most = plain.groupby("method")["recall"].max()
assert most["hyperpaths"] > most["random, equal degree"] and most["sentences"] > most["hyperpaths"]

# %%
assert (result.report["verdict"] == "supported").all()
assert (report["verdict"] != "supported").tolist() == [False] + [True] * 5

# %% [markdown]
# ## What we learned
#
# - A hyperpath is evidence in order: statements, the concepts they share, the documents they come from.
# - Which node a word is taken for decides the answer; look at the runners-up.
# - The k best paths may be one way k times. Ask for different links, or price the hubs.
# - s trades reach for strength, and quickly: from every pair of hubs to one in six to almost none.
# - As a way to name a missing concept, paths lose to counting. As a way to show why, counting has nothing.
#
# ## What could fool you here
#
# - **A path is not a mechanism.** That two statements share *collagen* does not mean that they speak of the same
#   collagen, in the same setting, in the same direction.
# - **Common concepts link everything.** Short paths through hubs exist between almost any two concepts.
# - **A supported claim may still be wrong.** The checker compares with the statement, not with the world.
# - **Merging moves paths.** Where two names of one thing stay apart (*nanoceria*, *cerium oxide*), a path runs around
#   the gap, and one wrong merge opens a short cut.
# - **Thirty triples** leave wide intervals; `SIZE=full` draws a hundred.
#
# ## Exercises
#
# **1.** Find a path from *cerium oxide* to *PCL* that does not touch *collagen*.
#
# <details><summary>Solution</summary>
#
# ```python
# hg.paths.hyperpaths(corpus, "cerium oxide", "PCL", forbid="collagen", k=1)[0]
# ```
# Through *pro-oxidant* and *interior*: no longer than the first, so nothing but the order of ties hid it.
# </details>
#
# **2.** Which concepts lie within one statement of *genipin*, and how many within two?
#
# <details><summary>Solution</summary>
#
# ```python
# hg.paths.neighbourhood(corpus, "genipin", 2)["distance"].value_counts()
# ```
# </details>
#
# **3.** Follow the roles, from sources to targets only. How long does the way become?
#
# <details><summary>Solution</summary>
#
# ```python
# hg.paths.hyperpaths(corpus, "cerium oxide", "PCL", directed=True, k=1)[0].shared
# ```
# Eight statements instead of three: a chain of effects in one direction is far rarer than shared concepts.
# </details>
#
# **4.** Which rare concept and which hub share neighbours but no statement? Ask for a path between the first pair.
#
# <details><summary>Solution</summary>
#
# ```python
# pairs = hg.paths.bridge_candidates(corpus)
# hg.paths.hyperpaths(corpus, pairs["rare"][0], pairs["hub"][0], k=1)[0]
# ```
# </details>
#
# ## Next
#
# Paths ignore when something was said. [05_order_and_transitions](05_order_and_transitions.ipynb) brings order between
# hyperedges: what comes before what, and how a model can learn it.
