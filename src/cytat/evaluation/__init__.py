"""A corpus + a gold set -> a run: outcomes, metrics with intervals, a diagnosis.

    with Corpus.open("office.db") as corpus:
        report = Evaluator(corpus).evaluation("questions.jsonl").report()

Retrieval and answers are measured apart, so that the diagnosis can say which of chunking,
retrieval, answering and refusing has to be fixed.
"""

from cytat.evaluation.calibrating import Calibrated, GateCase, calibrate
from cytat.evaluation.comparing import (
    Demand,
    compare,
    parse_demand,
    parse_demands,
    regressions,
    unmet,
    unmet_by,
    unmet_demands,
)
from cytat.evaluation.evaluator import Evaluator
from cytat.evaluation.gate import errors_by_threshold
from cytat.evaluation.gold.beir import read_gold, unpack_beir
from cytat.evaluation.gold.locating import DocumentView, LocatedQuestion, locate_gold
from cytat.evaluation.gold.questions import GoldQuestion, GoldSet
from cytat.evaluation.running import Evaluation
from cytat.evaluation.sweeps.sweep import SetupRun, Sweep
from cytat.evaluation.trec import score_run_file
from cytat.evaluation.verdicts import Judge, check_judge

__all__ = [
    "Calibrated",
    "Demand",
    "DocumentView",
    "Evaluation",
    "Evaluator",
    "GateCase",
    "GoldQuestion",
    "GoldSet",
    "Judge",
    "LocatedQuestion",
    "SetupRun",
    "Sweep",
    "calibrate",
    "check_judge",
    "compare",
    "errors_by_threshold",
    "locate_gold",
    "parse_demand",
    "parse_demands",
    "read_gold",
    "regressions",
    "score_run_file",
    "unmet",
    "unmet_by",
    "unmet_demands",
    "unpack_beir",
]
