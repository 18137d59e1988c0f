"""Qrels + a run of any system -> outcomes by question, as of a run of our own.

Questions: JSONL with `_id` and `text`, or a question a line: id, tab, text. Judgments: TREC's four
columns, or the three of BEIR. A judged document is the text of that id, unpacked; in a corpus that
holds no such files, a document whose source ends in the id, "%20" standing for a blank.

A judged question that the run leaves out has found nothing: trec_eval takes it out of its mean
unless it is given -c. A question that no document is right for cannot be measured.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cytat.errors import GoldSetError
from cytat.evaluation.beir import Grades, file_name, question_of, read_rows, read_tsv_qrels
from cytat.evaluation.gold import GoldSet
from cytat.evaluation.scoring import Scores, scores_of_documents
from cytat.evaluation.text_files import lines_of
from cytat.evaluation.trec import QRELS_COLUMNS, ScoredDocument, read_qrels, read_run
from cytat.records import Cause, ChunkId, Finding, JudgedBy, QuestionOutcome, RankedHit, Target


def read_judged(questions: Path, judgments: Path, sources: Collection[str]) -> GoldSet:
    """Return the questions that have a judgment; `sources` are those of the corpus."""
    grades = read_grades(judgments)
    names = {source.rpartition("/")[2] for source in sources}
    has_texts = any(file_name(one) in names for of in grades.values() for one in of)
    name: Callable[[str], str] = file_name if has_texts else _plain
    found = tuple(
        question_of(where, row, grades[row["_id"]], name=name)
        for where, row in read_questions(questions)
        if row["_id"] in grades
    )
    if not found:
        raise GoldSetError(
            f"{judgments.name}: none of its questions stands in {questions.name}",
            hint="questions and judgments must be of one set",
        )
    return GoldSet(f"{questions.name} + {judgments.name}", found, unfilled=0, has_texts=has_texts)


def read_grades(path: Path) -> Grades:
    """Return the judgments of a file in either layout, told apart by their columns."""
    first = next(
        (one for one in lines_of(path, hint="name a text file in UTF-8") if one.strip()), ""
    )
    is_trec = len(first.split()) == QRELS_COLUMNS
    return read_qrels(path) if is_trec else read_tsv_qrels(path)


def read_questions(path: Path) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield each question with where it stands: `_id` and `text`."""
    if path.suffix.casefold() in {".jsonl", ".json"}:
        yield from read_rows(path)
        return
    for number, line in enumerate(lines_of(path, hint="name a text file in UTF-8"), start=1):
        if not line.strip():
            continue
        id_, tab, text = line.partition("\t")
        if not tab or not text.strip():
            raise GoldSetError(
                f"{path.name}:{number}: not a question: id, tab, text",
                hint="or give JSONL with `_id` and `text`",
            )
        yield f"{path.name}:{number}", {"_id": id_.strip(), "text": text.strip()}


def _plain(id_: str) -> str:
    return id_.replace("%20", " ")


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """What a run of another system comes to."""

    system: str
    """What the run's sixth column calls it."""
    outcomes: tuple[QuestionOutcome, ...]
    diagnosis: tuple[Finding, ...]
    notes: tuple[str, ...]


def score_run(run: Path, judgments: Path, *, questions: Path | None, depth: int) -> ScoredRun:
    """Return how a run meets the judgments; `questions` give their words to the report."""
    grades, read = read_grades(judgments), read_run(run)
    texts = {} if questions is None else {row["_id"]: row["text"] for _, row in
                                          read_questions(questions)}  # fmt: skip
    outcomes = tuple(
        _outcome(id_, texts.get(id_, id_), grades[id_], read.rankings.get(id_, ())[:depth], depth)
        for id_ in sorted(grades)
    )
    notes = tuple(_notes(grades, read.rankings))
    return ScoredRun(read.system, outcomes, (_finding(outcomes, depth),), notes)


def _outcome(
    id_: str,
    question: str,
    grades: Mapping[str, int],
    ranking: Sequence[ScoredDocument],
    depth: int,
) -> QuestionOutcome:
    right = {one for one, grade in grades.items() if grade > 0}
    ranks = {one.id: rank for rank, one in enumerate(ranking, start=1)}
    targets = tuple(
        Target(JudgedBy.SOURCES, one, ranks.get(one), is_destroyed=False) for one in sorted(right)
    )
    scores: Scores = {"recall@1": None, "mrr": None}
    if right:
        scores = scores_of_documents(list(ranks), grades, depth=depth, prefix="")
    is_found = any(target.rank is not None for target in targets)
    return QuestionOutcome(
        id=id_,
        question=question,
        group=None,
        language=None,
        type=None,
        is_answerable=True,
        expected=None,
        judged_by=JudgedBy.SOURCES if right else JudgedBy.NOTHING,
        targets=targets,
        hits=tuple(_hit(one, rank, right) for rank, one in enumerate(ranking, start=1)),
        reply=None,
        judged=(),
        cause=Cause.RETRIEVAL if right and not is_found else None,
        scores=scores,
    )


def _hit(document: ScoredDocument, rank: int, right: set[str]) -> RankedHit:
    return RankedHit(
        rank=rank,
        chunk_id=ChunkId(document.id),
        source=document.id,
        place="",
        heading_path=(),
        score=document.score,
        is_right=document.id in right,
        text=None,
        marks=(),
    )


def _finding(outcomes: Sequence[QuestionOutcome], depth: int) -> Finding:
    judged = sum(bool(one.targets) for one in outcomes)
    missed = sum(one.cause is Cause.RETRIEVAL for one in outcomes)
    advice = f"For {missed} of {judged} questions no right document is among the first {depth}."
    return Finding(Cause.RETRIEVAL if missed else None, missed, judged, advice)


def _notes(grades: Grades, rankings: Mapping[str, object]) -> Iterator[str]:
    unjudged = len(set(rankings) - set(grades))
    if unjudged:
        yield f"{unjudged} questions of the run have no judgment and were left out."
    missing = len(set(grades) - set(rankings))
    if missing:
        yield (
            f"{missing} judged questions are missing from the run and count as not found; "
            "trec_eval leaves them out unless it is given -c."
        )
    senseless = sum(not any(grade > 0 for grade in of.values()) for of in grades.values())
    if senseless:
        yield f"For {senseless} questions no document is judged right; they are not measured."
