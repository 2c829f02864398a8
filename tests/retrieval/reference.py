"""The searches in plain Python, one number at a time, and problems to try them on."""

from itertools import pairwise, permutations

import numpy as np

from hgwork.retrieval import Candidates, Problem, Weights


def problem(size=7, seed=0, weights=None, groups=1, phases=3, order=True, ties=False, own=None):
    """A random problem whose precedence is a partial order along `rank`; `own` are groups, all by default."""
    rng = np.random.default_rng(seed)
    relevance = rng.random(size)
    if ties:
        relevance = np.round(relevance, 1)
    relevance = np.sort(relevance)[::-1].copy()
    logits = rng.normal(0, 2, (size, size))
    np.fill_diagonal(logits, -np.inf)
    log_prob = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True)) if size > 1 else logits
    rank = rng.permutation(size)
    group = rng.integers(0, groups, size)
    later = rank[:, None] < rank[None, :]
    chosen = np.triu(rng.random((size, size)) < 0.4, 1)
    chosen = chosen[np.ix_(rank, rank)]
    before = later & chosen & (group[:, None] == group[None, :])
    for k in np.argsort(rank):
        before |= before[:, k][:, None] & before[k][None, :]
    overlap = rng.random((size, size))
    jaccard = np.round((overlap + overlap.T) / 2, 2 if not ties else 1)
    phase = rng.integers(-1, phases, size)
    candidates = Candidates([f"e{i}" for i in range(size)], np.arange(size), relevance, ["similarity"] * size)
    with np.errstate(invalid="ignore"):
        normalised = 1 + log_prob / np.log(size - 1) if size > 2 else log_prob
    return Problem(
        candidates=candidates,
        weights=Weights(1.2, 0.3, 0.2, 0.5) if weights is None else weights,
        relevance=relevance,
        log_prob=log_prob if order else None,
        order=normalised if order else np.zeros((size, size)),
        before=before,
        jaccard=jaccard,
        phase=phase,
        phases=tuple(f"phase {i}" for i in range(phases)),
        rank=rank,
        group=group,
        own=np.ones(size, bool) if own is None else np.isin(group, own),
    )


def terms(p, places):
    """Equation 5, term by term, weighted."""
    pairs = list(pairwise(places))
    related = [(a, b) for a, b in pairs if p.before[a, b] or p.before[b, a]]
    forward = [(a, b) for a, b in related if p.before[a, b]]
    met = {int(p.phase[a]) for a in places} - {-1}
    w = p.weights
    return {
        "relevance": sum(p.relevance[a] for a in places),
        "order": w.order * sum(p.order[a, b] for a, b in pairs) if w.order else 0.0,
        "precedence": w.precedence * len(forward) / len(related) if related else 0.0,
        "continuity": w.continuity * sum(p.jaccard[a, b] for a, b in pairs) / len(pairs) if pairs else 0.0,
        "coverage": w.coverage * len(met) / len(p.phases) if p.phases else 0.0,
    }


def total(p, places):
    return sum(terms(p, places).values())


def beam(p, length, n, width, diversity):
    """Algorithm 1 as a list of (places, running score), best by equation 5 first."""
    w, size = p.weights, len(p.relevance)
    beams = [((a,), p.relevance[a]) for a in sorted(range(size), key=lambda a: (-p.relevance[a], a))[: 2 * width]]
    for _ in range(min(length, size) - 1):
        grown = []
        for places, score in beams:
            for new in range(size):
                if new in places:
                    continue
                last = places[-1]
                gain = p.relevance[new] + w.precedence * p.before[last, new] + w.continuity * p.jaccard[last, new]
                if w.order:
                    gain += w.order * p.order[last, new]
                fresh = p.phase[new] >= 0 and all(p.phase[a] != p.phase[new] for a in places)
                gain += w.coverage / len(p.phases) * fresh if p.phases else 0
                grown.append(((*places, new), score + gain))
        beams = []
        while grown and len(beams) < width:
            penalised = [score - diversity * _nearest(places, beams, diversity) for places, score in grown]
            best = max(range(len(grown)), key=lambda i: (round(penalised[i], 9), -i))
            beams.append(grown.pop(best))
    order = sorted(range(len(beams)), key=lambda i: (-round(total(p, beams[i][0]), 9), -round(beams[i][1], 9), i))
    return [beams[i] for i in order[:n]]


def _nearest(places, beams, diversity):
    return max((_jaccard(places, kept) for kept, _ in beams), default=0.0) if diversity else 0.0


def _jaccard(one, two):
    return len(set(one) & set(two)) / len(set(one) | set(two))


def best_two_terms(p, length):
    """The largest relevance and transitions of any sequence without revisits, by enumeration."""
    w = p.weights
    return max(
        sum(p.relevance[a] for a in places)
        + (w.order * sum(p.order[a, b] for a, b in pairwise(places)) if w.order else 0)
        for places in permutations(range(len(p.relevance)), length)
    )


def best_along_rank(p, length):
    """The largest equation 5 without its precedence term of any sequence along `rank` in one group."""
    best = -np.inf
    for places in permutations(range(len(p.relevance)), length):
        ranks = [p.rank[a] for a in places]
        if ranks == sorted(ranks) and len({p.group[a] for a in places}) == 1 and all(p.own[a] for a in places):
            found = terms(p, places)
            best = max(best, sum(found.values()) - found["precedence"])
    return best
