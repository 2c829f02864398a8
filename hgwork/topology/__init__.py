"""Shape of a hypergraph: counts, degrees, overlaps, components, hubs, roles, and what drawing it as pairs loses."""

from .components import Components, s_components, s_ladder
from .degree import DegreeFit, ccdf, degree_fit, degree_table
from .hubs import hub_integration, hub_network, hub_table, top_hubs
from .nulls import mixing, null_samples, null_zscores
from .overlap import max_intersection, overlap_counts
from .pairs import co_membership
from .projections import PROJECTIONS, project, projection_losses, same_clique_expansion
from .rich_club import rich_club
from .signatures import Embedding, structural_signatures, tiers, tsne
from .summary import gini, summary

__all__ = [
    "PROJECTIONS",
    "Components",
    "DegreeFit",
    "Embedding",
    "ccdf",
    "co_membership",
    "degree_fit",
    "degree_table",
    "gini",
    "hub_integration",
    "hub_network",
    "hub_table",
    "max_intersection",
    "mixing",
    "null_samples",
    "null_zscores",
    "overlap_counts",
    "project",
    "projection_losses",
    "rich_club",
    "s_components",
    "s_ladder",
    "same_clique_expansion",
    "structural_signatures",
    "summary",
    "tiers",
    "top_hubs",
    "tsne",
]
