"""All paths of a small hypergraph by enumeration, in order: what the searches are held against."""

from math import log

__all__ = ["all_paths", "sides"]


def sides(H, directed):
    """Hyperedge -> nodes by which it is entered, and by which it is left."""
    enter = {edge: set() for edge in H.edges.index}
    leave = {edge: set() for edge in H.edges.index}
    for edge, node, role in H.incidences[["edge", "node", "role"]].itertuples(index=False):
        if role != "target" or not directed:
            enter[edge].add(node)
        if role != "source" or not directed:
            leave[edge].add(node)
    return enter, leave


def _names(given):
    return [given] if isinstance(given, str) else list(given)


def all_paths(
    H, source, target, s=1, intersection="at_least", directed=False, max_length=None, avoid_hubs=0.0, via=(),
    forbid=(), shortcut=True, through_target=False, distinct="edges",
):  # fmt: skip
    """(cost in millionths or hyperedges, -shared, ids) of every path, sorted."""
    enter, leave = sides(H, directed)
    members = {edge: set(held) for edge, held in H.to_dict().items()}
    degree = {node: sum(node in held for held in members.values()) for node in H.nodes.index}
    top = log(max(2, *degree.values()))
    price = (
        {n: round(avoid_hubs * round(1e6 * log(max(d, 1)) / top)) for n, d in degree.items()} if avoid_hubs else None
    )
    begins = {e for e in members if enter[e] & set(_names(source))}
    ends = {e for e in members if leave[e] & set(_names(target))}
    allowed = {e for e in members if not members[e] & set(_names(forbid))}
    if distinct == "members":
        first = {}
        for e in sorted(members):
            roles = (frozenset(enter[e]), frozenset(leave[e])) if directed else frozenset(members[e])
            first.setdefault(roles, e)
        allowed &= set(first.values())
    waypoints = [set(_names(w)) for w in ([via] if isinstance(via, str) else via)]

    def shared(e, f):
        both = leave[e] & enter[f]
        fits = len(both) == s if intersection == "exactly" else len(both) >= s
        return both if fits and e != f else None

    def after(j, e):
        while j < len(waypoints) and members[e] & waypoints[j]:
            j += 1
        return j

    found = []

    def go(path, states, cost, common):
        e, j = states[-1]
        complete = e in ends and j == len(waypoints)
        if complete and (shortcut or len(path) > 1):
            found.append((cost, -common, tuple(path)))
        if not through_target and (e in ends or (len(path) > 1 and e in begins)):
            return
        if max_length is not None and len(path) == max_length:
            return
        for f in members:
            both = shared(e, f) if f in allowed else None
            if both is None or (f, after(j, f)) in states or (not through_target and f in begins):
                continue
            step = 10**6 + min(price[n] for n in both) if price else 1
            go([*path, f], [*states, (f, after(j, f))], cost + step, common + len(both))

    for e in begins & allowed:
        go([e], [(e, after(0, e))], 0, 0)
    return sorted(found)
