"""Shape of a hypergraph: counts, degrees, overlaps, components, hubs, roles, and what drawing it as pairs loses."""

from .centrality import s_centrality
from .clustering import clustering
from .communities import Communities, communities, local_community
from .components import Components, s_components, s_ladder
from .degree import DegreeFit, ccdf, degree_fit, degree_table
from .distortion import degree_assortativity, distortions
from .hubs import hub_integration, hub_network, hub_table, top_hubs
from .motifs import motif_census
from .nested import containment, containment_depth, maximal_chains
from .nulls import mixing, null_samples, null_zscores
from .overlap import max_intersection, overlap_counts
from .pairs import co_membership
from .projections import PROJECTIONS, project, projection_losses, same_clique_expansion
from .rich_club import rich_club
from .sensitivity import headline, merge_sensitivity, sensitivity
from .signatures import Embedding, structural_signatures, tiers, tsne
from .summary import gini, summary

__all__ = [
    "PROJECTIONS",
    "Communities",
    "Components",
    "DegreeFit",
    "Embedding",
    "ccdf",
    "clustering",
    "co_membership",
    "communities",
    "containment",
    "containment_depth",
    "degree_assortativity",
    "degree_fit",
    "degree_table",
    "distortions",
    "gini",
    "headline",
    "hub_integration",
    "hub_network",
    "hub_table",
    "local_community",
    "max_intersection",
    "maximal_chains",
    "merge_sensitivity",
    "mixing",
    "motif_census",
    "null_samples",
    "null_zscores",
    "overlap_counts",
    "project",
    "projection_losses",
    "rich_club",
    "s_centrality",
    "s_components",
    "s_ladder",
    "same_clique_expansion",
    "sensitivity",
    "structural_signatures",
    "summary",
    "tiers",
    "top_hubs",
    "tsne",
]
