"""BEIR folders and TREC files: read, written, and measured as trec_eval measures them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import pytrec_eval
from tests.evaluation.conftest import WriteGold

from cytat import Corpus
from cytat.config import Settings
from cytat.errors import GoldSetError, UsageError
from cytat.evaluation import Evaluator, compare, score_run_file
from cytat.evaluation.gold.beir import write_texts
from cytat.evaluation.trec import read_grades, read_run, run_lines


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
        report = Evaluator(corpus).evaluation(beir, retrieval_only=True).report()
    (outcome,) = report.questions
    assert outcome.scores["ndcg@10"] == 1
    assert outcome.hits[0].source == "texts/d%2F1.md"
    assert outcome.hits[0].heading_path == ("Wings",)


def test_texts_are_not_unpacked_into_a_folder_that_holds_something(
    beir: Path, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="not empty"):
        write_texts(beir, tmp_path)


def test_a_run_of_a_set_names_its_texts_as_the_sets_own_judgments_do(
    beir: Path, tmp_path: Path
) -> None:
    write_texts(beir, tmp_path / "texts")
    with Corpus(Settings(corpus=tmp_path / "cytat.db", embedder="fake")) as corpus:
        corpus.add([tmp_path / "texts"])
        evaluation = Evaluator(corpus).evaluation(beir, retrieval_only=True)
        run, qrels = evaluation.trec_run(evaluation.report()), evaluation.trec_qrels()
    assert next(line.split()[:4] for line in run.splitlines()) == ["1", "Q0", "d/1", "1"]
    assert qrels == "1 0 d/1 2\n"
    assert read_grades(beir / "qrels" / "test.tsv")["1"]["d/1"] == 2


@pytest.mark.parametrize("name", ["queries.jsonl", "queries.tsv"])
def test_questions_and_judgments_may_stand_in_two_files(
    corpus: Corpus, tmp_path: Path, name: str
) -> None:
    asked = {"queries.jsonl": '{"_id": "1", "text": "czynsz"}\n{"_id": "2", "text": "x"}\n',
             "queries.tsv": "1\tczynsz\n2\tx\n"}  # fmt: skip
    (tmp_path / name).write_text(asked[name])
    (tmp_path / "qrels").write_text("1 0 umowa.md 2\n1 0 docs/faktura.txt 0\n")
    evaluation = Evaluator(corpus).evaluation(
        tmp_path / name, qrels=tmp_path / "qrels", retrieval_only=True
    )
    (question,) = evaluation.questions
    assert dict(question.gold.grades) == {"umowa.md": 2}
    assert evaluation.report().questions[0].scores["ndcg@1"] == 1
    assert evaluation.trec_qrels() == "1 0 docs/umowa.md 2\n"


# ---------------------------------------------------------------- runs of any system


GRADED = {"q1": {"d1": 4, "d2": 1, "d3": -1, "d4": 0, "é": 2}, "q2": {"d3": 1}, "q3": {"d4": 1},
          "q4": {"d1": -1}}  # fmt: skip
RANKED = {
    # Ties of 4-byte floats: 9.00000001 is 9; the later name goes first.
    "q1": {"d2": 9.0, "d1": 9.00000001, "d5": 9.5, "d3": 9.5, "é": 9.0, "z": -1.0},
    "q2": {"d7": 3.0, "d8": 2.0, "d3": 1.0},
    "q5": {"d1": 1.0},
}
MEASURES = ("recip_rank", "recall.5", "P.1,3,5,10", "ndcg_cut.3,10")


def written(folder: Path) -> tuple[Path, Path]:
    qrels = [f"{q} 0 {d} {g}" for q, of in GRADED.items() for d, g in of.items()]
    (folder / "qrels").write_text("\n".join(qrels), "utf-8")
    run = [f"{q} Q0 {d} 1 {score!r} other" for q, of in RANKED.items() for d, score in of.items()]
    (folder / "run").write_text("\n".join(run), "utf-8")
    return folder / "run", folder / "qrels"


def test_run_files_are_measured_as_trec_eval_measures_them(tmp_path: Path) -> None:
    """Our gain is 2^grade - 1; trec_eval's is the grade, so it is given the gains as grades."""
    run, qrels = written(tmp_path)
    ours = {one.id: one.scores for one in score_run_file(run, qrels, depth=10).questions}
    gains = {
        q: {d: 2**grade - 1 if grade > 0 else grade for d, grade in of.items()}
        for q, of in GRADED.items()
    }
    theirs = pytrec_eval.RelevanceEvaluator(gains, set(MEASURES)).evaluate(RANKED)
    assert set(theirs) == {"q1", "q2"}
    names = {"recip_rank": "mrr", "recall_5": "recall@5"}
    names |= {f"ndcg_cut_{k}": f"ndcg@{k}" for k in (3, 10)}
    names |= {f"P_{k}": f"precision@{k}" for k in (1, 3, 5, 10)}
    for question, found in theirs.items():
        for name, value in found.items():
            assert ours[question][names[name]] == pytest.approx(value, abs=5e-5), name


def test_a_judged_question_that_a_run_leaves_out_has_found_nothing_and_is_told(
    tmp_path: Path,
) -> None:
    run, qrels = written(tmp_path)
    report = score_run_file(run, qrels, depth=10)
    scores = {one.id: one.scores for one in report.questions}
    assert (scores["q3"]["recall@5"], scores["q4"]["mrr"]) == (0, None)
    assert [note.partition(";")[0] for note in report.notes] == [
        "1 questions of the run have no judgment and were left out.",
        "2 judged questions are missing from the run and count as not found",
        "For 1 questions no document is judged right",
    ]
    assert report.fingerprint.system == "other"
    assert report.diagnosis[0].advice == (
        "For 1 of 3 questions no right document is among the first 10."
    )


def test_two_runs_on_the_same_judgments_compare_and_on_others_do_not(tmp_path: Path) -> None:
    run, qrels = written(tmp_path)
    before = score_run_file(run, qrels, depth=10)
    assert compare(before, before).notes[-1].endswith("cannot be told apart.")
    qrels.write_text(qrels.read_text("utf-8").replace("q2 0 d3 1", "q2 0 d3 2"), "utf-8")
    with pytest.raises(UsageError, match="they answer different gold sets"):
        compare(before, score_run_file(run, qrels, depth=10))


def test_scores_that_4_byte_floats_cannot_tell_apart_are_written_apart(
    corpus: Corpus, gold: WriteGold
) -> None:
    (outcome,) = (
        Evaluator(corpus).evaluation(gold({"id": "1", "question": "czynsz"})).report().questions
    )
    hits = tuple(
        replace(outcome.hits[0], rank=at, source=f"d{at}", score=1.0 + 1e-9 * (9 - at))
        for at in range(1, 10)
    )
    lines = list(run_lines([replace(outcome, hits=hits)], name="x", named=str))
    kept = {line.split()[2]: float(line.split()[4]) for line in lines}
    (found,) = (
        pytrec_eval.RelevanceEvaluator({"1": {"d3": 1}}, {"recip_rank"})
        .evaluate({"1": kept})
        .values()
    )
    assert found["recip_rank"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("line", "told"),
    [("q1 d1 0.5 x", "run:2: 4 columns, not 6"), ("q1 Q0 d1 1 nan x", "run:2: the score 'nan'")],
)
def test_a_malformed_line_is_named(tmp_path: Path, line: str, told: str) -> None:
    (tmp_path / "run").write_text(f"q1 Q0 d1 1 0.5 x\n{line}\n")
    with pytest.raises(GoldSetError, match=told):
        read_run(tmp_path / "run")


@pytest.mark.parametrize("grade", ["101", "9" * 30, "9" * 5000, "--1", "1.5", "one"])
@pytest.mark.parametrize("layout", ["1 0 d {}\n", "1\td\t1\n1\td\t{}\n"])
def test_a_grade_that_is_none_is_told_with_its_line(
    tmp_path: Path, layout: str, grade: str
) -> None:
    (tmp_path / "qrels").write_text(layout.format(grade), "utf-8")
    with pytest.raises(GoldSetError, match=r"^qrels:\d: ") as told:
        read_grades(tmp_path / "qrels")
    assert len(told.value.message) < 100
