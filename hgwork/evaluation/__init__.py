"""Scores: extraction and merging against gold data, bridges that paths find again, order learnt and order used."""

from .ablations import Searches, ablation, comparison, needed_at, paper_methods, reordered, shuffled
from .answer_tables import answer_table, cells, difference_table, needed_positions
from .bootstrap import bootstrap_differences, bootstrap_means
from .bridges import bridge_recall, sample_bridges
from .compare import compare_extractors
from .experiment import Fold, Method, by_fold, run_methods
from .extraction import Gold, NounChunkBaseline, TripleBaseline, agreement, read_gold, read_span_gold, score_extraction
from .merging import read_merge_pairs, score_merging
from .order_questions import control_questions, grade, order_questions
from .run_files import RunFile, read_qrels, read_runs, read_trec, write_qrels, write_trec
from .template_mix import judge_descriptions, read_rubrics, template_overall, template_scores
from .template_questions import choose_scenarios, count_unanswerable, scenario_hypergraph, template_questions
from .template_reader import TemplateReader, score_template
from .trajectory_measures import SequenceMeasures, compare_orders
from .transitions import calibration, folds_by_unit, held_out, learning_curve, measure, next_step_auc, summary
from .tuning import score_weights, tune_weights, weight_grid

__all__ = [
    "Fold",
    "Gold",
    "Method",
    "NounChunkBaseline",
    "RunFile",
    "Searches",
    "SequenceMeasures",
    "TemplateReader",
    "TripleBaseline",
    "ablation",
    "agreement",
    "answer_table",
    "bootstrap_differences",
    "bootstrap_means",
    "bridge_recall",
    "by_fold",
    "calibration",
    "cells",
    "choose_scenarios",
    "compare_extractors",
    "compare_orders",
    "comparison",
    "control_questions",
    "count_unanswerable",
    "difference_table",
    "folds_by_unit",
    "grade",
    "held_out",
    "judge_descriptions",
    "learning_curve",
    "measure",
    "needed_at",
    "needed_positions",
    "next_step_auc",
    "order_questions",
    "paper_methods",
    "read_gold",
    "read_merge_pairs",
    "read_qrels",
    "read_rubrics",
    "read_runs",
    "read_span_gold",
    "read_trec",
    "reordered",
    "run_methods",
    "sample_bridges",
    "scenario_hypergraph",
    "score_extraction",
    "score_merging",
    "score_template",
    "score_weights",
    "shuffled",
    "summary",
    "template_overall",
    "template_questions",
    "template_scores",
    "tune_weights",
    "weight_grid",
    "write_qrels",
    "write_trec",
]
