"""A gold set + a way to search and ask -> a run: outcomes, metrics with intervals, a diagnosis.

`evaluation` knows neither `answering` nor the corpus: the facade hands it documents to look at and
calls to make. Retrieval and answers are measured apart, so that the diagnosis can say which of
cutting, retrieval, answering and refusing has to be mended.
"""

from cytat.evaluation.beir import text_id, write_texts
from cytat.evaluation.calibrating import Calibrated, GateCase, calibrate
from cytat.evaluation.comparing import Demand, compare, parse_demand, regressions, unmet
from cytat.evaluation.gold import GoldQuestion, GoldSet
from cytat.evaluation.judging import Asked
from cytat.evaluation.locating import DocumentView, LocatedQuestion, locate_gold
from cytat.evaluation.margins import (
    Similarity,
    TextPair,
    errors_by_threshold,
    holds_answer,
    margin_of,
    read_pairs,
)
from cytat.evaluation.reading_gold import read_gold
from cytat.evaluation.running import Pace, Verdicts, run_question, run_questions
from cytat.evaluation.sampling import Outline, Readable, SampledPassage, draw_excerpts
from cytat.evaluation.scoring_runs import ScoredRun, read_judged, score_run
from cytat.evaluation.summary import diagnose, metrics_of
from cytat.evaluation.sweeping import SweptRun, beside_baseline, groups_of
from cytat.evaluation.trec import qrels_lines, run_lines
from cytat.evaluation.variants import (
    NamedSetup,
    PassageCounts,
    PassageParts,
    count_passages,
    setups,
)
from cytat.evaluation.verdicts import Judge, agreement, judge_notes, read_labelled
from cytat.evaluation.writing_gold import Draft, borrowed, jsonl_text, propose, yaml_text

__all__ = [
    "Asked",
    "Calibrated",
    "Demand",
    "DocumentView",
    "Draft",
    "GateCase",
    "GoldQuestion",
    "GoldSet",
    "Judge",
    "LocatedQuestion",
    "NamedSetup",
    "Outline",
    "Pace",
    "PassageCounts",
    "PassageParts",
    "Readable",
    "SampledPassage",
    "ScoredRun",
    "Similarity",
    "SweptRun",
    "TextPair",
    "Verdicts",
    "agreement",
    "beside_baseline",
    "borrowed",
    "calibrate",
    "compare",
    "count_passages",
    "diagnose",
    "draw_excerpts",
    "errors_by_threshold",
    "groups_of",
    "holds_answer",
    "jsonl_text",
    "judge_notes",
    "locate_gold",
    "margin_of",
    "metrics_of",
    "parse_demand",
    "propose",
    "qrels_lines",
    "read_gold",
    "read_judged",
    "read_labelled",
    "read_pairs",
    "regressions",
    "run_lines",
    "run_question",
    "run_questions",
    "score_run",
    "setups",
    "text_id",
    "unmet",
    "write_texts",
    "yaml_text",
]
