"""A file of cases -> GoldSet, or every fault of it with its file and line; and the nouns of both.

JSONL: one object per line; lines that begin with # are comments. YAML: a list of mappings.
Nothing is guessed: an unknown key, a wrong type or a contradiction is a fault, because a judgment
that is quietly ignored makes a wrong figure. A case whose question is still empty is counted and
not asked.
"""

import difflib
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from cytat.analysis import has_words
from cytat.errors import GoldSetError
from cytat.evaluation.text_files import text_of

HASH_DIGITS = 16


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """A question with its judgments.

    `where` is its file and line. `grades` are those of `sources` that are not 1.
    """

    where: str
    id: str
    question: str
    sources: tuple[str, ...]
    needles: tuple[str, ...]
    chunks: tuple[str, ...]
    titles: tuple[str, ...]
    must_contain: tuple[str, ...]
    must_not_contain: tuple[str, ...]
    expected: str | None
    is_answerable: bool
    group: str | None
    grades: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class GoldSet:
    """Questions with judgments, expected answers and answerability."""

    name: str
    questions: tuple[GoldQuestion, ...]
    unfilled: int
    """Cases without a question yet, which are not asked."""
    has_texts: bool
    """Its documents are texts of a set, unpacked: a run names them by their ids there."""

    @property
    def hash(self) -> str:
        """Return what identifies questions and judgments, however they are written down."""
        content = [
            {key: value for key, value in asdict(question).items() if key != "where"}
            for question in self.questions
        ]
        text = json.dumps(content, ensure_ascii=False, sort_keys=True)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:HASH_DIGITS]


# ---------------------------------------------------------------- reading


LISTS = ("sources", "needles", "chunks", "titles", "must_contain", "must_not_contain")
TEXTS = ("id", "question", "expected", "group")
FLAGS = ("answerable", "proposed")
KEYS = (*TEXTS, *LISTS, *FLAGS)
FAULTS_TOLD = 8

Entry = tuple[str, object]
"""The place of a case, and its content."""


def read_cases(path: Path) -> GoldSet:
    """Return the gold set of a JSONL or YAML file.

    Raises:
        UsageError: there is no such file.
        GoldSetError: cases are malformed; all faults are reported at once, by line.
    """
    is_yaml = path.suffix.casefold() in {".yaml", ".yml"}
    faults: list[str] = []
    text = text_of(path, hint="name a JSONL or YAML file, or a folder in the BEIR layout")
    entries = list(_yaml_entries(text, path) if is_yaml else _jsonl_entries(text, path))
    questions = [
        question for entry in entries if (question := _question(entry, faults)) is not None
    ]
    faults += _repeated(questions)
    if not entries:
        faults.append(f"{path.name}: no cases in it")
    filled = tuple(question for question in questions if question.question)
    if questions and not faults and not filled:
        faults.append(f"{path.name}: no question is filled in yet")
    raise_faults(faults)
    return GoldSet(path.name, filled, unfilled=len(questions) - len(filled), has_texts=False)


def raise_faults(faults: list[str]) -> None:
    """Raise all faults as one error; return if there are none."""
    if not faults:
        return
    listed = faults[:FAULTS_TOLD]
    more = len(faults) - len(listed)
    raise GoldSetError(
        "\n".join(listed) + (f"\nand {more} more" if more else ""),
        hint="correct the gold set; docs/explanation/evaluation.md describes it",
    )


def _jsonl_entries(text: str, path: Path) -> Iterator[Entry]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        where = f"{path.name}:{number}"
        try:
            yield where, json.loads(line)
        except json.JSONDecodeError as error:
            raise GoldSetError(
                f"{where}: not JSON: {error.msg} at column {error.colno}",
                hint="one JSON object a line; a YAML file ends in .yaml",
            ) from error


def _yaml_entries(text: str, path: Path) -> Iterator[Entry]:
    import yaml  # noqa: PLC0415 - few gold sets are YAML

    try:
        tree = yaml.compose(text, Loader=yaml.SafeLoader)
        values = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise GoldSetError(
            f"{path.name}:{line}: not YAML: {error.problem}", hint="a list of cases, each a mapping"
        ) from error
    if tree is None:
        return
    if not isinstance(values, list) or not isinstance(tree, yaml.SequenceNode):
        raise GoldSetError(
            f"{path.name}:1: not a list of cases", hint="begin each case with `- id: …`"
        )
    for node, value in zip(tree.value, values, strict=True):
        yield f"{path.name}:{node.start_mark.line + 1}", value


# ---------------------------------------------------------------- one case


def _question(entry: Entry, faults: list[str]) -> GoldQuestion | None:
    where, case = entry
    if not isinstance(case, dict):
        faults.append(f"{where}: a case is an object of keys and values")
        return None
    label = f"{where}: {case.get('id', 'no id')}"
    found = [f"{label}: {fault}" for fault in _faults_of(case)]
    faults += found
    if found:
        return None
    lists = {key: tuple(case.get(key) or ()) for key in LISTS}
    return GoldQuestion(
        where=where,
        id=case["id"],
        question=case["question"].strip(),
        expected=case.get("expected"),
        is_answerable=case.get("answerable", True),
        group=case.get("group"),
        grades={},
        **lists,
    )


def _faults_of(case: Mapping[str, object]) -> Iterator[str]:
    yield from _faults_of_keys(case)
    yield from _faults_of_types(case)
    if case.get("proposed") is True and str(case.get("question") or "").strip():
        yield (
            "a proposed question nobody has reviewed is not counted; it borrows the passage's "
            "own words, which makes finding it too easy: put it as a person would and delete "
            "`proposed`, or empty the question to leave it for later"
        )
    if case.get("answerable") is False:
        named = [key for key in (*LISTS[:5], "expected") if case.get(key)]
        if named:
            yield f"not answerable, and yet {', '.join(named)} say what answers it"


def _faults_of_keys(case: Mapping[str, object]) -> Iterator[str]:
    for key in case:
        if key not in KEYS:
            near = difflib.get_close_matches(str(key), KEYS, n=1, cutoff=0.0)[0]
            yield f"unknown key {key!r}; the nearest known key is {near!r}"
    for key in ("id", "question"):
        if key not in case:
            yield f"{key!r} is missing"


def _faults_of_types(case: Mapping[str, object]) -> Iterator[str]:
    for key in TEXTS:
        value = case.get(key)
        if value is not None and not isinstance(value, str):
            yield f"{key!r} is not a text"
        elif key == "id" and key in case and not (value and value.strip()):
            yield "'id' is empty: fill it in, or delete the case"
        elif key == "question" and key in case and value is None:
            yield "'question' is empty: write it in quotes, or \"\" to leave it for later"
        elif key == "question" and value and value.strip() and not has_words(value):
            yield "'question' holds no word and no number"
    for key in FLAGS:
        if not isinstance(case.get(key, True), bool):
            yield f"{key!r} is neither true nor false"
    yield from (fault for key in LISTS for fault in _faults_of_list(key, case.get(key)))


def _faults_of_list(key: str, value: object) -> Iterator[str]:
    if value is None:
        return
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        yield f"{key!r} is not a list of texts"
    elif not all(text.strip() for text in value):
        yield f"{key!r} holds an empty text"
    elif len(set(value)) < len(value):
        yield f"{key!r} holds the same text twice"


def _repeated(questions: list[GoldQuestion]) -> Iterator[str]:
    first: dict[str, str] = {}
    for question in questions:
        if question.id in first:
            yield f"{question.where}: the id {question.id} is already used at {first[question.id]}"
        first.setdefault(question.id, question.where)
