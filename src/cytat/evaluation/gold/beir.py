"""A file of cases, or a folder in the BEIR layout -> GoldSet; texts of such a folder as files.

    corpus.jsonl     {"_id", "title", "text"} a line
    queries.jsonl    {"_id", "text"} a line
    qrels/SPLIT.tsv  query-id, corpus-id, score; `test` if it is there, else the first by name

Each text becomes one file with its title as heading, so that a question's right documents are
named by path tail like any other; a document's rank is that of its best chunk.
"""

import json
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from urllib.parse import quote, unquote

from cytat.errors import GoldSetError, UsageError
from cytat.evaluation.gold.questions import GoldQuestion, GoldSet, read_cases
from cytat.evaluation.text_files import lines_of
from cytat.records import Export

PREFERRED_SPLIT = "test"
LAYOUT = "see the BEIR layout"
MOST_GRADE = 100
"""A grade is a power of two in nDCG; judges give 4 at most, and what is larger is a slip."""
SHOWN_OF_GRADE = 20
_HEADING_SIGN = re.compile(r"[\r\n]+")

Grades = Mapping[str, Mapping[str, int]]
"""Question id -> document id -> grade."""


def read_gold(path: Path) -> GoldSet:
    """Return the gold set of a JSONL or YAML file or a BEIR folder.

    Raises:
        UsageError: there is no such file.
        GoldSetError: cases are malformed; all faults are reported at once, by line.
    """
    return read_beir(path) if is_beir(path) else read_cases(path)


def is_beir(path: Path) -> bool:
    """Say whether a path is a folder with questions and judgments in the BEIR layout."""
    return os.path.isfile(path / "queries.jsonl") and os.path.isdir(path / "qrels")


def file_name(text_id: str) -> str:
    """Return the name of a text's file: the id, with what no file name may hold escaped."""
    return quote(text_id, safe="-_.() ") + ".md"


def text_id(source: str) -> str:
    """Return the id of the text that a file was unpacked from."""
    return unquote(source.rpartition("/")[2].removesuffix(".md"))


def read_beir(folder: Path) -> GoldSet:
    """Return the questions of a set that have a judgment, with graded documents."""
    split = _split_of(folder)
    grades = read_tsv_qrels(split)
    questions = tuple(
        question_of(where, row, grades[row["_id"]], name=file_name)
        for where, row in read_rows(folder / "queries.jsonl")
        if row["_id"] in grades
    )
    if not questions:
        raise GoldSetError(
            f"{split}: none of its questions is in queries.jsonl",
            hint="questions and judgments must be of one set",
        )
    return GoldSet(f"{folder.name}/{split.stem}", questions, unfilled=0, has_texts=True)


def write_texts(folder: Path, out: Path) -> int:
    """Write each text of a set as a Markdown file into an empty folder; return their number.

    Raises:
        UsageError: the folder holds something.
    """
    if os.path.exists(out) and any(out.iterdir()):
        raise UsageError(f"{out} is not empty", hint="name a new folder")
    out.mkdir(parents=True, exist_ok=True)
    count = 0
    for _, row in read_rows(folder / "corpus.jsonl"):
        title = _HEADING_SIGN.sub(" ", row.get("title", "")).strip()
        heading = f"# {title}\n\n" if title else ""
        (out / file_name(row["_id"])).write_text(
            f"{heading}{row['text']}\n", "utf-8", errors="replace", newline=""
        )
        count += 1
    return count


def unpack_beir(folder: Path, out: Path) -> Export:
    """Write the texts of a BEIR folder into a new folder, a file each."""
    count = write_texts(folder, out)
    return Export(str(out), (), count, count, 0, 0)


def read_tsv_qrels(path: Path) -> Grades:
    """Return the judgments of a BEIR qrels file: a head line, then three columns."""
    grades: dict[str, dict[str, int]] = defaultdict(dict)
    for number, line in enumerate(lines_of(path, hint=LAYOUT), start=1):
        if not line.strip():
            continue
        columns = line.split("\t")
        grade = grade_of(columns[-1])
        if number == 1 and grade is None:
            continue
        if len(columns) != 3 or grade is None:  # noqa: PLR2004
            raise GoldSetError(
                f"{path.name}:{number}: not three columns: question, document, grade",
                hint=f"columns are separated by tabs, grades are whole numbers up to {MOST_GRADE}",
            )
        grades[columns[0]][columns[1]] = grade
    return grades


def grade_of(text: str) -> int | None:
    """Return how right a document is judged; None for what is not a whole number, or too large."""
    try:
        grade = int(text)
    except ValueError:
        return None
    return grade if grade <= MOST_GRADE else None


def question_of(
    where: str, row: Mapping[str, str], grades: Mapping[str, int], *, name: Callable[[str], str]
) -> GoldQuestion:
    """Return a question with its right documents; `name` is how an id is called in the corpus."""
    right = {name(document): grade for document, grade in sorted(grades.items()) if grade > 0}
    return GoldQuestion(
        where=where,
        id=row["_id"],
        question=row["text"].strip(),
        sources=tuple(right),
        needles=(),
        chunks=(),
        titles=(),
        must_contain=(),
        must_not_contain=(),
        expected=None,
        is_answerable=True,
        group=None,
        grades={document: grade for document, grade in right.items() if grade != 1},
    )


def _split_of(folder: Path) -> Path:
    splits = sorted((folder / "qrels").glob("*.tsv"))
    if not splits:
        raise GoldSetError(f"{folder}/qrels holds no .tsv", hint="judgments are in qrels/*.tsv")
    return next((split for split in splits if split.stem == PREFERRED_SPLIT), splits[0])


def read_rows(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the objects of a file with `_id` and `text`, and the place of each."""
    for number, line in enumerate(lines_of(path, hint=LAYOUT), start=1):
        if not line.strip():
            continue
        where = f"{path.name}:{number}"
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise GoldSetError(
                f"{where}: not JSON: {error.msg}", hint="one object per line"
            ) from error
        if not isinstance(row, dict) or not {"_id", "text"} <= set(row):
            raise GoldSetError(f"{where}: no `_id` or no `text`", hint="see the BEIR layout")
        yield where, {key: str(value) for key, value in row.items()}
