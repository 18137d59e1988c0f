"""BEIR folders and TREC files: read, written, and measured as trec_eval measures them."""

import json
from pathlib import Path

import pytest
import pytrec_eval

from cytat import Corpus
from cytat.config import Settings
from cytat.errors import GoldSetError, UsageError
from cytat.evaluation import write_texts
from cytat.evaluation.trec import read_qrels, read_run, scores_of_run

QRELS = "q1 0 d1 2\nq1 0 d2 1\nq1 0 d9 0\nq2 0 d3 1\nq3 0 d4 1\n"
RUN = (
    "q1 Q0 d2 1 9.5 x\nq1 Q0 d5 2 9.0 x\nq1 Q0 d1 3 9.0 x\n"
    "q2 Q0 d7 1 3.0 x\nq2 Q0 d8 2 2.0 x\nq2 Q0 d3 3 1.0 x\n"
)


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    folder = tmp_path / "set"
    (folder / "qrels").mkdir(parents=True)
    texts = [
        {"_id": "d/1", "title": "Wings", "text": "The lift of a wing grows with its speed."},
        {"_id": "d2", "title": "", "text": "Heat flows from the hot plate to the cold one."},
    ]
    asked = [{"_id": "1", "text": "lift of a wing"}, {"_id": "2", "text": "no judgment"}]
    (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, texts)), "utf-8")
    (folder / "queries.jsonl").write_text("\n".join(map(json.dumps, asked)), "utf-8")
    (folder / "qrels" / "test.tsv").write_text(
        "query-id\tcorpus-id\tscore\n1\td/1\t2\n1\td2\t0\n", "utf-8"
    )
    return folder


def test_a_beir_folder_is_unpacked_added_and_run(beir: Path, tmp_path: Path) -> None:
    assert write_texts(beir, tmp_path / "texts") == 2
    with Corpus(Settings(corpus=tmp_path / "cytat.db", embedder="fake")) as corpus:
        corpus.add([tmp_path / "texts"])
        report = corpus.evaluation(beir, retrieval_only=True).report()
    (outcome,) = report.questions
    assert outcome.scores["ndcg@10"] == 1
    assert outcome.hits[0].source == "texts/d%2F1.md"
    assert outcome.hits[0].heading_path == ("Wings",)


def test_texts_are_not_unpacked_into_a_folder_that_holds_something(
    beir: Path, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="not empty"):
        write_texts(beir, tmp_path)


def test_run_files_are_measured_as_trec_eval_measures_them(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    grades, rankings = read_qrels(tmp_path / "qrels"), read_run(tmp_path / "run")
    ours = scores_of_run(rankings, grades, depth=10)
    gains = {q: {d: 2**grade - 1 for d, grade in of.items()} for q, of in grades.items()}
    evaluator = pytrec_eval.RelevanceEvaluator(gains, {"ndcg_cut.10", "recip_rank", "recall.5"})
    run = {
        "q1": {"d2": 9.5, "d5": 9.0, "d1": 9.0},
        "q2": {"d7": 3.0, "d8": 2.0, "d3": 1.0},
    }
    theirs = evaluator.evaluate(run)
    for question, found in theirs.items():
        assert ours[question]["ndcg@10"] == pytest.approx(found["ndcg_cut_10"], abs=5e-5)
        assert ours[question]["mrr"] == pytest.approx(found["recip_rank"], abs=5e-5)
        assert ours[question]["recall@5"] == pytest.approx(found["recall_5"], abs=5e-5)
    assert ours["q3"]["recall@5"] == 0, "a judged question that a run leaves out has found nothing"


def test_a_malformed_line_is_named(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("q1 Q0 d1 1 0.5 x\nq1 d1 0.5\n")
    with pytest.raises(GoldSetError, match="run:2: 3 columns, not 6"):
        read_run(tmp_path / "run")
