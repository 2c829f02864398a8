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
# # The shape of a hypergraph of knowledge
#
# **Question.** How large, how uneven and how connected is a hypergraph of knowledge, and which of its impressive
# numbers would any hypergraph with the same degrees show?
#
# **Inputs.** `toy` (ten papers of seven co-authors), `scaffolds` (48 short documents on biocomposite scaffolds) and
# `heavy_tailed()`, a seeded hypergraph of the size and the degrees that a paper published for 161,172 concepts.
#
# **Outputs.** Tables 1 and 4 of that paper, its Figures 3 and 5, each in paper mode and corrected; seven figures
# `02_*`.
#
# **Run time.** About a minute on two cores.

# %%
import os

SIZE = os.environ.get("HGWORK_SIZE", "small")
SAMPLES = {"small": 4, "full": 20}[SIZE]  # of the null model
BOOTSTRAP = {"small": 19, "full": 100}[SIZE]

# %%
import pandas as pd
from IPython.display import Markdown

import hgwork as hg

hg.notebook.setup()

# %% [markdown]
# ## Ten papers, counted by hand
#
# Every number of this notebook can be found with a pencil on the toy. Each line of the drawing is a paper with its
# authors; authors of several papers are bold. Before you read on: how many pairs of papers share at least two
# authors?

# %%
toy = hg.datasets.load("toy")
axes = hg.plot.hypergraph(toy)
saved = hg.notebook.save_figure(axes, "02_toy")

# %%
counted = pd.DataFrame({"all": hg.topology.summary(toy), "unique": hg.topology.summary(toy, unique=True)})
counted.loc[["hyperedges", "mean_size", "mean_degree", "duplicates", "overlap_1", "overlap_2", "overlap_3"]].round(2)

# %% [markdown]
# Eleven: the six pairs among papers 01, 02, 04 and 08, which all have Sally and Bob; paper 10 with 01, 04 and 09; 01
# with 09; 06 with 07. Papers 02 and 08 have the same two authors. Counted once (column *unique*), one hyperedge goes
# and three of the eleven pairs with it. So a table of such numbers must say whether repeated hyperedges count.
#
# An **s-component** can mean two things. Papers linked by at least s shared authors, or authors linked by at least s
# joint papers? For s = 2:

# %%
for kind in ("edge", "node"):
    found = hg.topology.s_components(toy, s=2, kind=kind)
    print(kind, *(found.members(label) for label in found.sizes.index), sep="\n  ")

# %% [markdown]
# Papers fall into groups of six, two and one (paper 03 has a single author and cannot take part). Authors fall into
# groups of four and two (Grace wrote one paper only). Different questions, different answers, and one name for both.
#
# ## Two real sizes
#
# The corpus is ours and small, and every hyperedge knows its sentence. The paper's own hypergraph is not bundled; in
# its place stands one drawn at random to have its published counts, sizes, degrees and duplicates. Names of the
# twenty largest hubs are the paper's; **who meets whom is chance**. That makes it useful: what it shows needs no
# meaning.

# %%
corpus = hg.corpus.build(hg.datasets.documents("scaffolds"), progress=False).hypergraph
standin = hg.datasets.heavy_tailed()
print(corpus, standin, sep="\n")

# %% [markdown]
# **Table 1.** The published column beside ours, duplicates counted and not. Which line cannot be right?

# %%
published = {"nodes": 161_172, "hyperedges": 320_201, "mean_size": 2.35, "max_size": 32, "mean_degree": 4.68}
published |= {"max_degree": 11_157, "singletons": 98, "duplicates": 58_997, "max_intersection": 15}
published |= {"overlap_1": 22_106_585, "overlap_2": 2_787_076, "overlap_3": 212_355, "degree_one_share": 0.593}
table = pd.DataFrame({"published": published | {"gini": 0.718}})
for name, H in (("stand-in", standin), ("corpus", corpus)):
    table[name] = hg.topology.summary(H)
    table[f"{name}, unique"] = hg.topology.summary(H, unique=True)
table.map(lambda x: f"{x:,.0f}" if x == round(x) else f"{x:,.3f}")

# %%
hub = 11_157
print(f"{hub * (hub - 1) // 2:,} pairs of hyperedges meet in the largest hub alone")

# %% [markdown]
# The published `overlap_1` is too small: one concept of degree 11,157 makes more pairs than it states for all. The
# authors' saved output has 221,063,585; a digit was lost in print, and the stand-in lands within two per cent of it.
# Note the pairs that share two or three nodes: without duplicates nearly all of them are gone. Sets of concepts that
# recur whole, not statements that resemble each other in part, make the large counts. The largest intersection says
# it again: with duplicates it is the largest set that occurs twice, and chance rarely lets two *different* statements
# share more than four.
#
# ## Is there a core?
#
# The paper draws random samples of 100 to 1,000 hyperedges and sees a core form with a periphery around it. We draw
# the same samples of our corpus and, below, the same samples **shuffled**: every concept keeps its degree, every
# hyperedge its size, and who meets whom is left to chance. The third row samples the stand-in.

# %%
sizes = (100, 200, 500, 1000)
samples = [hg.plot.sample(corpus, size, rng=1) for size in sizes]
shuffled = [next(hg.topology.null_samples(sample, 1, rng=1)) for sample in samples]
large = [hg.plot.sample(standin, size, rng=1) for size in sizes]
panels = hg.plot.beside_null({"corpus": samples, "shuffled": shuffled, "stand-in": large})
saved = hg.notebook.save_figure(panels, "02_core_or_layout", rng=1, sizes=sizes)

# %% [markdown]
# The shuffled samples have the same dense middle and the same ring around it, if anything a denser one, and the
# stand-in, which means nothing, has them too. Hubs pull the picture together and loose pieces drift outwards: that is
# what the layout does with any such degrees. A drawing cannot show what *is* special about a corpus; a count can.

# %%
special = hg.topology.null_zscores(corpus, n=SAMPLES, rng=0)
special[["observed", "null_mean", "null_low", "null_high"]].round(1)

# %% [markdown]
# What is special is repetition. In the corpus several times as many pairs of statements share two or more concepts as
# in any shuffled copy, and statements linked by two shared concepts hang together in far larger groups. The largest
# 1-component, the "core" of the picture, is even a little *smaller* than chance makes it.
#
# ## How uneven?
#
# A few concepts are used everywhere, most only once. The paper fits a line through the logarithms of the counts
# (exponent 1.23, R² 0.755) and calls the network scale-free. We repeat that fit and put the accepted one beside it:
# maximum likelihood above an xmin that the data choose. Do the two agree?

# %%
fits = {}
for name, H in (("stand-in", standin), ("corpus", corpus)):
    fits[name, "paper"] = hg.topology.degree_fit(H, "ols")
    fits[name, "corrected"] = hg.topology.degree_fit(H, "mle", bootstrap=BOOTSTRAP if H is corpus else 0)
columns = ["exponent", "standard_error", "xmin", "tail", "share", "r2", "ks", "p"]
pd.DataFrame({key: {column: getattr(fit, column) for column in columns} for key, fit in fits.items()}).T

# %%
for name, H in (("stand-in", standin), ("corpus", corpus)):
    tables = hg.topology.degree_table(H, bins_per_decade=3), hg.topology.degree_table(H), hg.topology.ccdf(H)
    panels = hg.plot.degrees(*tables, fits[name, "paper"], fits[name, "corrected"])
    hg.notebook.save_figure(panels, f"02_degrees_{name.replace('-', '')}", data=tables[1])
Markdown(hg.plot.caption(panels))

# %% [markdown]
# They do not (stand-in above, corpus below). The least-squares exponent of the stand-in is near the published 1.23
# and about one below the likelihood estimate. Panel b shows why: hundreds of degrees that a single node has lie in a
# row at the bottom and pull the line flat, each with as much weight as the degree that tens of thousands have. Panel
# c shows the consequence: were the line right, hubs would be thousands of times as frequent as they are. R² of the
# line looks respectable all the same, on the stand-in as in print: it is no test of a power law.
#
# "Scale-free" is a claim about alternatives. For the tails above, a ratio below 0 favours the rival, and p says
# whether the difference means anything:

# %%
pd.concat({name: fits[name, "corrected"].comparisons for name in ("stand-in", "corpus")}, axis=1).round(2)

# %% [markdown]
# Only the exponential is ruled out. Lognormal, truncated and stretched laws fit as well, on the stand-in, which was
# *built* from power laws, as on the corpus. Heavy-tailed: yes. Scale-free: these data cannot tell.
#
# ## How entangled?
#
# Overlaps by the number of shared nodes. What do repeated statements contribute?

# %%
shares = range(1, 9)
pairs = pd.DataFrame({"stand-in": hg.topology.overlap_counts(standin, shares)})
once = standin.simplify(singletons=False, empty=False)
pairs["stand-in, unique"] = hg.topology.overlap_counts(once, shares)
pairs["corpus"] = hg.topology.overlap_counts(corpus, shares)
pairs["published"] = pd.Series({1: 221_063_585, 2: 2_787_076, 3: 212_355})
saved = hg.notebook.save_figure(hg.plot.overlaps(pairs), "02_overlaps", data=pairs)

# %% [markdown]
# The published points lie on the stand-in's curve, as they were built to. Take the duplicates away and it drops by
# about six orders of magnitude between s = 1 and s = 3 and then ends: in a meaningless hypergraph that is all there
# is. The corpus falls by less than two, with few duplicates to help it. Here overlap does carry something.
#
# ## How connected?
#
# **Table 4** prints "s-connected components" and defines them as chains of hyperedges that share at least s nodes.
# Its sizes for s = 1 add up to 161,164, almost the number of *nodes*. Which kind did it count? The stand-in is not
# matched to this table, so it may differ; but it need not differ by orders of magnitude.

# %%
rows = {}
for kind in ("edge", "node"):
    for s in (1, 2, 3, 4):
        sizes = hg.topology.s_components(standin, s, kind, drop_singletons=True).sizes
        rows[kind, s] = [len(sizes), sizes.iloc[0], sizes.iloc[1:8].tolist()]
found = pd.DataFrame(rows, ["components", "largest", "next"]).T.rename_axis(["kind", "s"])
table4 = pd.DataFrame(index=pd.Index([1, 2, 3, 4], name="s"))
table4["published components"] = [3011, 2618, 1151, 605]
table4["published largest"] = [153_987, 27_901, 9_082, 4_503]
found.join(table4)

# %%
ladders = {kind: hg.topology.s_ladder(standin, kind=kind, components=10) for kind in ("edge", "node")}
panels = hg.plot.s_components(ladders, published=table4["published largest"])
saved = hg.notebook.save_figure(panels, "02_s_components", data=pd.concat(ladders))

# %% [markdown]
# The published sizes run along the curve of the node components and leave that of the hyperedge components by one to
# two orders of magnitude from s = 3 on. They are sizes in *concepts*, of concepts that meet in at least s statements.
# The reading of Table 4 as "hyperedges that overlap deeply" belongs to the other panel, where little is left at s =
# 3.
#
# Which concepts survive the climb? The **s-ladder** of the corpus, in the sense of the definition:

# %%
ladder = hg.topology.s_ladder(corpus, s=(1, 2, 3, 4))
saved = hg.notebook.save_figure(hg.plot.s_ladder(ladder), "02_s_ladder", data=ladder)

# %% [markdown]
# At s = 1 nearly everything hangs together through a handful of materials. Two shared concepts already break that
# into groups with a recognisable topic, and at s = 4 what is left are groups of a few sentences that say almost the
# same.
#
# ## Checks

# %%
assert counted.loc[["overlap_1", "overlap_2", "overlap_3"], "all"].tolist() == [24, 11, 2]
assert table.loc["overlap_1", "published"] < 11_157 * 11_156 / 2 < table.loc["overlap_1", "stand-in"]
assert abs(table.loc["overlap_1", "stand-in"] / 221_063_585 - 1) < 0.02
assert fits["stand-in", "corrected"].exponent - fits["stand-in", "paper"].exponent > 0.8
assert special.loc["overlap_2", "observed"] > 3 * special.loc["overlap_2", "null_high"]
assert special.loc["largest_1_component", "observed"] < special.loc["largest_1_component", "null_low"]
assert found.loc[("edge", 3), "largest"] < 9_082 / 10 and found.loc[("node", 3), "largest"] > 9_082 / 2
fall = pairs.loc[1] / pairs.loc[3]
assert fall["stand-in, unique"] > 1e5 and fall["corpus"] < 1e2

# %% [markdown]
# ## What we learned
#
# - Say whether duplicates count. In the stand-in they make almost all pairs that share two or more nodes.
# - A drawn core is what a spring layout makes of hubs. Repeated meetings of concepts are what sets a corpus apart.
# - Least squares on unbinned counts underestimates the exponent by about one. Maximum likelihood finds the tail, and
#   even then lognormal and power law are not told apart.
# - Hyperedge components and node components answer different questions; Table 4 counts the second under the name of
#   the first.
#
# ## What could fool you here
#
# - **A large number without a null.** Two hundred million overlapping pairs follow from the degrees alone.
# - **The stand-in is not the paper's graph.** It meets published counts; names beyond degree and everything about who
#   meets whom are chance, so it can refute "this needs meaning" but never show what the real graph means.
# - **The null is not nothing.** It keeps degrees and sizes, so it says nothing about whether those are themselves
#   artefacts of how the corpus was collected and merged (notebook 01).
# - **Few null samples.** The small size draws four; a band of four is a hint, z-scores need the twenty of
#   `SIZE=full`.
# - **p of 0.2 from nineteen bootstraps** means four samples fitted worse. It does not accept the power law.
#
# ## Exercises
#
# **1.** Which hyperedge of the corpus is repeated most often, and what does it say?
#
# <details><summary>Solution</summary>
#
# ```python
# classes = corpus.edge_classes()
# most = classes.value_counts().index[0]
# corpus.sentences(classes.index[classes == most])
# ```
# The same two members, and three relations: a duplicate repeats who meets, not always what is said.
# </details>
#
# **2.** Start the likelihood tail of the stand-in at xmin = 2, where the published line starts. What happens to
# exponent and KS distance?
#
# <details><summary>Solution</summary>
#
# ```python
# low = hg.topology.degree_fit(standin, xmin=2, compare=False)
# low.exponent, low.ks, fits["stand-in", "corrected"].ks
# ```
# The exponent stays near 2, far from 1.23: the method matters more than where the tail begins. KS nearly doubles.
# </details>
#
# **3.** How many exchanges does the null model need before it has forgotten the corpus?
#
# <details><summary>Solution</summary>
#
# ```python
# hg.topology.mixing(corpus, lambda H: hg.topology.overlap_counts(H, 2).iloc[0], up_to=5, steps=10, rng=0)
# ```
# Within one exchange an incidence the overlaps are flat; the default of ten is on the safe side.
# </details>
#
# **4.** Find the concepts that stay together when s-components of *nodes* climb to s = 4. Do they agree with the
# ladder above?
#
# <details><summary>Solution</summary>
#
# ```python
# hg.topology.s_ladder(corpus, s=(2, 3, 4), kind="node")
# ```
# Node components keep the hubs together: two concepts need four joint statements, not two statements four concepts.
# </details>
#
# ## Next
#
# [03_hubs_and_roles](03_hubs_and_roles.ipynb): which concepts hold the field together, and is that more than their
# degrees?
