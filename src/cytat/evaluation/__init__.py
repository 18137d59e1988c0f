"""A gold set + a way to search and ask -> a run: outcomes, metrics with intervals, a diagnosis.

`evaluation` knows neither `answering` nor the corpus: the facade hands it documents to look at and
calls to make. Retrieval and answers are measured apart, so that the diagnosis can say which of
cutting, retrieval, answering and refusing has to be mended.
"""

from cytat.evaluation.beir import write_texts
from cytat.evaluation.comparing import compare
from cytat.evaluation.gates import Demand, parse_demand, regressions, unmet
from cytat.evaluation.gold import GoldQuestion, GoldSet
from cytat.evaluation.judging import Asked
from cytat.evaluation.locating import DocumentView, LocatedQuestion, locate_gold
from cytat.evaluation.reading_gold import read_gold
from cytat.evaluation.running import Pace, run_question, run_questions
from cytat.evaluation.summary import diagnose, metrics_of
from cytat.evaluation.trec import run_lines

__all__ = [
    "Asked",
    "Demand",
    "DocumentView",
    "GoldQuestion",
    "GoldSet",
    "LocatedQuestion",
    "Pace",
    "compare",
    "diagnose",
    "locate_gold",
    "metrics_of",
    "parse_demand",
    "read_gold",
    "regressions",
    "run_lines",
    "run_question",
    "run_questions",
    "unmet",
    "write_texts",
]
