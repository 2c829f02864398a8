"""Figures: one function a figure, tables in, axes out, a caption with the caveats beside it."""

from .candidate_map import candidate_map
from .communities import communities, local_community
from .components import beside_null, s_components, s_ladder
from .construction import merge_audit, quality
from .degrees import degrees, growth, overlaps
from .encodings import marks
from .expansions import projections, same_clique
from .experiments import ablation, differences, weight_heatmap
from .hubs import hub_network, hub_network_interactive, rich_club
from .hyperedges import hypergraph, sample
from .inline import light_pictures
from .motifs import motif_census
from .nesting import nesting
from .order import precedence, structure
from .path_context import path_context
from .paths import paths
from .ring import ring
from .robustness import distortions, sensitivity
from .roles import roles, roles_interactive
from .score_terms import score_terms
from .sentences import sentence
from .styling import apply_style, caption, sizes, style
from .trajectories import trajectories, trajectory_network
from .trajectory import trajectory
from .transitions import held_out, learning_curve, training, transition_matrices

__all__ = [
    "ablation",
    "apply_style",
    "beside_null",
    "candidate_map",
    "caption",
    "communities",
    "degrees",
    "differences",
    "distortions",
    "growth",
    "held_out",
    "hub_network",
    "hub_network_interactive",
    "hypergraph",
    "learning_curve",
    "light_pictures",
    "local_community",
    "marks",
    "merge_audit",
    "motif_census",
    "nesting",
    "overlaps",
    "path_context",
    "paths",
    "precedence",
    "projections",
    "quality",
    "rich_club",
    "ring",
    "roles",
    "roles_interactive",
    "s_components",
    "s_ladder",
    "same_clique",
    "sample",
    "score_terms",
    "sensitivity",
    "sentence",
    "sizes",
    "structure",
    "style",
    "training",
    "trajectories",
    "trajectory",
    "trajectory_network",
    "transition_matrices",
    "weight_heatmap",
]
