"""Questions in one file + judgments in another -> GoldSet over the documents of a corpus.

Questions: JSONL with `_id` and `text`, or a question a line: id, tab, text. Judgments: TREC's four
columns, or the three of BEIR. A judged document is the text of that id, unpacked; in a corpus that
holds no such files, a document whose source ends in the id, "%20" standing for a blank.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path

from cytat.errors import GoldSetError
from cytat.evaluation.beir import Grades, file_name, question_of, read_rows, read_tsv_qrels
from cytat.evaluation.gold import GoldSet
from cytat.evaluation.text_files import lines_of
from cytat.evaluation.trec import QRELS_COLUMNS, read_qrels


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
