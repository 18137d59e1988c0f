"""Do our metrics of rankings equal those of public evaluators, on the same run files?

    python -m benchmarks.evaluator_agreement DATA [--sets scifact cranfield] [--cache FOLDER]
                                             [--runs FOLDER]

DATA (or $CYTAT_BENCH_DATA) holds one folder a set, in the BEIR layout. Each set is indexed and
searched by cytat with the default settings, a text a chunk; the rankings are written as a TREC run
and the judgments as qrels, which all evaluators then read (those that stand in `--runs` are read
again):

- trec_eval, through pytrec_eval: recall, precision, reciprocal rank, and nDCG with the grade as
  gain; given 2^grade - 1 as grades, nDCG with that gain
- gdeval.pl, TREC's script for graded judgments, through ir_measures: nDCG with gain 2^grade - 1
- ir_measures itself: recall, precision, reciprocal rank

Writes `results/evaluator_agreement.json`: means of each evaluator and the largest difference that
any question shows. Needs the group `bench` and perl.
"""

import json
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import ir_measures
import pytrec_eval
from benchmarks.arguments import options_of, parser_of_sets
from benchmarks.reading import tools_of
from benchmarks.retrieval_quality import RETRIEVED, Judged, KeptEmbedder, WholeChunker, read_set

from cytat.backends.e5.embedder import open_embedder
from cytat.backends.sqlite import SqliteStore as Store
from cytat.evaluation import score_run_file
from cytat.evaluation.trec import ranking_lines
from cytat.ingestion import ingest
from cytat.retrieval import SearchRequest, retrieve

RESULTS = Path(__file__).parent / "results" / "evaluator_agreement.json"
OF_TREC_EVAL = {
    "recall@10": "recall_10",
    "recall@100": "recall_100",
    "mrr": "recip_rank",
    "precision@10": "P_10",
    "ndcg@10": "ndcg_cut_10",
}
"""Our name -> trec_eval's. For nDCG it is given 2^grade - 1 as grades."""
OF_IR_MEASURES = {
    "recall@10": "R@10",
    "recall@100": "R@100",
    "mrr": "RR",
    "precision@10": "P@10",
    "ndcg@10": "nDCG(dcg='exp-log2')@10",
}
"""Our name -> ir_measures'; the last one is computed by gdeval.pl."""

ByQuestion = Mapping[str, Mapping[str, float]]
"""Measure, in our names -> question id -> value."""


@dataclass(frozen=True)
class Row:
    """One measure of one run, by two evaluators."""

    set: str
    measure: str
    evaluator: str
    questions: int
    cytat: float
    other: float
    largest_difference: float


def write_run(judged: Judged, embedder: KeptEmbedder, run: Path, qrels: Path) -> None:
    """Write what cytat returns for a set, and its judgments."""
    with tempfile.TemporaryDirectory() as place:
        texts = Path(place) / "texts"
        texts.mkdir()
        for name, (title, text) in judged.texts.items():
            (texts / f"{name}.md").write_text(f"# {title}\n\n{text}\n", "utf-8")
        with Store.open_or_create(Path(place) / "corpus.db") as store:
            ingest(store, [texts], tools_of(store, embedder, WholeChunker()))
            lines = [
                line
                for id_, question in judged.questions.items()
                for line in ranking_lines(id_, ranked(store, embedder, question), name="cytat")
            ]
    run.write_text("\n".join(lines) + "\n", "utf-8")
    graded = [f"{q} 0 {text} {g}\n" for q, of in judged.grades.items() for text, g in of.items()]
    qrels.write_text("".join(graded), "utf-8")


def ranked(store: Store, embedder: KeptEmbedder, question: str) -> dict[str, float]:
    """Return the texts found for a question with their scores, best first."""
    with store.moment() as moment:
        found = retrieve(moment, SearchRequest(question, RETRIEVED), embedder=embedder)
    scores: dict[str, float] = {}
    for hit in found.hits:
        scores.setdefault(Path(hit.source).stem, hit.score)
    return scores


# ---------------------------------------------------------------- three evaluators


def by_cytat(run: Path, qrels: Path) -> ByQuestion:
    questions = score_run_file(run, qrels, depth=RETRIEVED).questions
    return {
        name: {one.id: value for one in questions if (value := one.scores[name]) is not None}
        for name in OF_TREC_EVAL
    }


def by_trec_eval(run: Path, qrels: Path, *, gain_is_grade: bool) -> ByQuestion:
    with qrels.open() as lines:
        grades = pytrec_eval.parse_qrel(lines)
    with run.open() as lines:
        rankings = pytrec_eval.parse_run(lines)
    if not gain_is_grade:
        grades = {q: {d: 2**g - 1 for d, g in of.items()} for q, of in grades.items()}
    evaluator = pytrec_eval.RelevanceEvaluator(
        grades, {"recall.10,100", "recip_rank", "P.10", "ndcg_cut.10"}
    )
    found = evaluator.evaluate(rankings)
    return {
        ours: {question: of[theirs] for question, of in found.items()}
        for ours, theirs in OF_TREC_EVAL.items()
    }


def by_ir_measures(run: Path, qrels: Path) -> ByQuestion:
    found: dict[str, dict[str, float]] = {}
    for ours, theirs in OF_IR_MEASURES.items():
        measure = ir_measures.parse_measure(theirs)
        values = ir_measures.iter_calc(
            [measure],
            list(ir_measures.read_trec_qrels(str(qrels))),
            list(ir_measures.read_trec_run(str(run))),
        )
        found[ours] = {one.query_id: one.value for one in values}
    return found


# ---------------------------------------------------------------- rows


def rows_of(name: str, run: Path, qrels: Path) -> list[Row]:
    """Return every measure beside each evaluator's."""
    ours = by_cytat(run, qrels)
    gained = by_trec_eval(run, qrels, gain_is_grade=False)
    linear = by_trec_eval(run, qrels, gain_is_grade=True)
    measured = by_ir_measures(run, qrels)
    rows = [_row(name, one, "trec_eval", ours[one], gained[one]) for one in ours]
    for one in ours:
        evaluator = "gdeval.pl" if one == "ndcg@10" else "ir_measures"
        rows.append(_row(name, one, evaluator, ours[one], measured[one]))
    rows.append(
        _row(name, "ndcg@10", "trec_eval, gain = grade", ours["ndcg@10"], linear["ndcg@10"])
    )
    return rows


def _row(
    name: str, measure: str, evaluator: str, ours: Mapping[str, float], theirs: Mapping[str, float]
) -> Row:
    if set(ours) != set(theirs):
        raise SystemExit(f"{name}: {evaluator} measured other questions")
    return Row(
        set=name,
        measure=measure,
        evaluator=evaluator,
        questions=len(ours),
        cytat=round(sum(ours.values()) / len(ours), 6),
        other=round(sum(theirs.values()) / len(theirs), 6),
        largest_difference=round(max(abs(ours[one] - theirs[one]) for one in ours), 6),
    )


def main() -> None:
    parser = parser_of_sets(__doc__)
    parser.add_argument("--sets", nargs="+", default=["scifact", "cranfield"])
    parser.add_argument("--runs", type=Path)
    options = parser.parse_args()
    encoder = open_embedder(options_of(options.cache))
    embedder = KeptEmbedder(encoder, options.cache)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as place:
        folder = options.runs or Path(place)
        folder.mkdir(parents=True, exist_ok=True)
        for name in options.sets:
            run, qrels = folder / f"{name}.run", folder / f"{name}.qrels"
            if not (run.exists() and qrels.exists()):
                judged = read_set(options.data / name, "test", questions=None, texts=None)
                write_run(judged, embedder, run, qrels)
            rows += rows_of(name, run, qrels)
    RESULTS.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n", "utf-8")
    sys.stdout.write("".join(f"{row}\n" for row in rows))


if __name__ == "__main__":
    main()
