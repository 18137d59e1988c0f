"""Trouble files that stand beside the repository: what each is expected to bring.

The files are made by the script `make_cases.py` of a folder that is no part of the repository
(`../shared/cases`, or what CYTAT_CASES names), and are indexed through `Corpus` as a person
would. Where that folder is absent all of this is skipped; the same kinds of trouble have tests of
their own, with their inputs written out, in the folders beside this file.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from cytat import Corpus
from cytat.config import Settings, load_settings
from cytat.records import (
    Answer,
    ChunkText,
    DocumentText,
    FileOutcome,
    IngestReport,
    Refusal,
)
from cytat.text.locators import utf16_offset

CASES = Path(os.environ.get("CYTAT_CASES") or Path(__file__).parents[2] / "shared" / "cases")
SCRIPT = CASES / "make_cases.py"

pytestmark = [
    pytest.mark.handed,
    pytest.mark.skipif(
        not SCRIPT.is_file(), reason=f"there are no case files at {CASES}; CYTAT_CASES names others"
    ),
]

Entry = Mapping[str, Any]

TOP = 3
"""Hits among which the passage must stand."""
TOO_LONG_FOR_THE_ENCODER = {"text/one_line.json"}
"""A million characters: minutes of embedding, and vectors have no part in the case."""
UNREAD = ("office/", "archives/", "media/", "mail/")
"""Formats without a reader of their own; of these only separated values are read, as text."""
READ_ALL_THE_SAME = {"office/semicolon.csv", "office/quoted.csv"}
LIMITS = {"office/quoted.csv": "quoted fields of a CSV file are not interpreted"}
CODES = {"needs_password": "needs-password", "no_text": "no-text", "empty": "empty"}


def fold(text: str) -> str:
    """Return a text as the expectations compare it: NFC, each run of white space one space."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFC", text)).strip()


def joined(text: str) -> str:
    """Return a folded text without the marks that say where a word may be, or was, broken."""
    return fold(text.replace("\u00ad", ""))


@dataclass(frozen=True)
class Indexed:
    """One entry's files in a corpus of their own."""

    root: Path
    corpus: Corpus
    report: IngestReport
    seconds: float

    @property
    def outcomes(self) -> tuple[FileOutcome, ...]:
        report = self.report
        return (*report.added, *report.skipped, *report.failed)

    @property
    def documents(self) -> list[DocumentText]:
        return [self.corpus.show(o.source, chunks=True) for o in self.report.added]

    @property
    def text(self) -> str:
        """What can be found: headings and words of all chunks, not merely what was read."""
        chunks = [chunk for document in self.documents for chunk in document.chunks]
        return fold("\n".join("\n".join((*c.heading_path, c.text)) for c in chunks))

    def chunk_at(self, text: str) -> ChunkText:
        """Return the chunk that holds the first occurrence of a text."""
        (document,) = self.documents
        start = document.text.index(text)
        return next(c for c in document.chunks if c.span.start <= start < c.span.end)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the files once."""
    out = tmp_path_factory.mktemp("handed") / "cases"
    subprocess.run([sys.executable, str(SCRIPT), str(out)], check=True, capture_output=True)
    return out


def entries() -> list[Entry]:
    """Return what is expected; making the files is the only way to learn it."""
    if not SCRIPT.is_file():
        return []
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([sys.executable, str(SCRIPT), out], check=True, capture_output=True)
        told = json.loads((Path(out) / "expected.json").read_text("utf-8"))
    files: list[Entry] = told["files"]
    return files


ENTRIES = entries()
IS_UNREAD = {
    entry["file"]: entry["file"].startswith(UNREAD) and entry["file"] not in READ_ALL_THE_SAME
    for entry in ENTRIES
}
READ = [entry for entry in ENTRIES if not IS_UNREAD[entry["file"]]]


def name_of(entry: Entry) -> str:
    return str(entry["file"])


def limited(entry: Entry) -> ParameterSet | Entry:
    """Mark an entry whose text falls short of what is expected in a way that the docs tell."""
    reason = LIMITS.get(entry["file"])
    return entry if reason is None else pytest.param(entry, marks=pytest.mark.xfail(reason=reason))


def having(key: str) -> pytest.MarkDecorator:
    """Return the parameters of a test: the entries that say something of `key`."""
    return pytest.mark.parametrize("entry", [e for e in READ if key in e], ids=name_of)


@pytest.fixture(scope="module")
def opened(
    made: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], Indexed]]:
    """Index files with the encoder that needs no model, each in a corpus of its own, once."""
    folder = tmp_path_factory.mktemp("alone")
    kept: dict[str, Indexed] = {}

    def index(file: str) -> Indexed:
        if file not in kept:
            path = folder / f"{len(kept)}.db"
            corpus = Corpus.open(path, settings=Settings(embedder="fake"))
            began = time.monotonic()
            report = corpus.add(made / file)
            kept[file] = Indexed(made, corpus, report, time.monotonic() - began)
        return kept[file]

    yield index
    for indexed in kept.values():
        indexed.corpus.close()


@pytest.fixture
def indexed(opened: Callable[[str], Indexed], entry: Entry) -> Indexed:
    """Return the entry's files in their corpus."""
    return opened(entry["file"])


def problems_of(indexed: Indexed) -> list[str]:
    """Return everything the report tells of trouble."""
    told = [o.code for o in indexed.outcomes if o.code]
    told += [p.code for o in indexed.outcomes if o.ledger for p in o.ledger.problems]
    return told + list(indexed.report.notes)


# ---------------------------------------------------------------- what is reported


@pytest.mark.parametrize("entry", READ, ids=name_of)
def test_the_report_says_how_it_went(indexed: Indexed, entry: Entry) -> None:
    expected = entry["status"]
    if expected in CODES:
        (outcome,) = indexed.outcomes
        assert outcome.code == CODES[expected]
        assert outcome.message
        assert outcome.hint
        assert outcome.chunks == 0
        assert not indexed.report.added
    elif expected == "ok_with_warning":
        assert indexed.report.added
        assert problems_of(indexed)
    else:
        assert indexed.report.added
        assert not indexed.report.failed
        assert not [p for o in indexed.report.added if o.ledger for p in o.ledger.problems]


@pytest.mark.parametrize("entry", [e for e in ENTRIES if IS_UNREAD[e["file"]]], ids=name_of)
def test_a_format_without_a_reader_is_said_to_have_none(
    indexed: Indexed, entry: Entry, made: Path
) -> None:
    (outcome,) = indexed.outcomes
    assert (outcome.state, outcome.code) == ("skipped", "unsupported-type")
    assert outcome.message
    assert outcome.hint
    assert indexed.documents == []
    assert [(made / path).exists() for path in entry.get("must_not_exist", ())].count(True) == 0


@having("warn_pages")
def test_pages_without_text_are_named(indexed: Indexed, entry: Entry) -> None:
    (outcome,) = indexed.outcomes
    assert outcome.ledger is not None
    named = {problem.part for problem in outcome.ledger.problems}
    assert named == {f"page {number}" for number in entry["warn_pages"]}


@having("failed")
def test_bad_files_are_named_with_a_reason(indexed: Indexed, entry: Entry) -> None:
    bad = {Path(o.source).name: o for o in (*indexed.report.failed, *indexed.report.skipped)}
    assert set(bad) == set(entry["failed"])
    assert all(outcome.message and outcome.hint for outcome in bad.values())


@having("files_indexed")
def test_as_many_files_are_indexed_as_there_are(indexed: Indexed, entry: Entry) -> None:
    assert len(indexed.report.added) == entry["files_indexed"]


@having("max_seconds")
def test_it_ends_in_time(indexed: Indexed, entry: Entry) -> None:
    assert indexed.seconds < entry["max_seconds"]


# ---------------------------------------------------------------- what is read


@pytest.mark.parametrize("entry", [limited(entry) for entry in READ], ids=name_of)
def test_the_text_is_that_of_the_file(indexed: Indexed, entry: Entry) -> None:
    text = indexed.text
    missing = [words for words in entry.get("contains", ()) if fold(words) not in text]
    missing += [words for words in entry.get("any_of", ()) if not any(w in text for w in words)]
    forbidden = [words for words in entry.get("not_contains", ()) if words in text]
    if entry.get("soft") and (missing or forbidden):
        assert problems_of(indexed), "it fell short and said nothing"
        return
    assert (missing, forbidden) == ([], [])


@having("order")
def test_words_come_in_the_order_of_reading(indexed: Indexed, entry: Entry) -> None:
    text, place = indexed.text, 0
    for words in entry["order"]:
        place = text.index(fold(words), place) + 1


@having("count")
def test_words_stand_as_often_as_they_should(indexed: Indexed, entry: Entry) -> None:
    for wanted in entry["count"]:
        assert indexed.text.count(wanted["text"]) == wanted["times"]


@having("pages")
def test_words_are_on_their_own_page(indexed: Indexed, entry: Entry) -> None:
    (document,) = indexed.documents
    for wanted in entry["pages"]:
        page = indexed.corpus.show(document.source, page=wanted["page"])
        assert fold(wanted["text"]) in fold(page.text)


@having("offsets")
def test_offsets_count_code_points_of_the_file(indexed: Indexed, entry: Entry) -> None:
    (document,) = indexed.documents
    assert document.text == (indexed.root / entry["file"]).read_bytes().decode("utf-8-sig")
    for wanted in entry["offsets"]:
        assert document.text[wanted["start"] : wanted["end"]] == wanted["text"]
        chunk = indexed.chunk_at(wanted["text"])
        at = wanted["start"] - chunk.span.start
        assert chunk.text[at : at + len(wanted["text"])] == wanted["text"]


@having("utf16_offsets")
def test_offsets_can_be_told_to_a_browser(indexed: Indexed, entry: Entry) -> None:
    (document,) = indexed.documents
    for wanted in entry["utf16_offsets"]:
        start = document.text.index(wanted["text"])
        ends = (start, start + len(wanted["text"]))
        assert [utf16_offset(document.text, place) for place in ends] == [
            wanted["start"],
            wanted["end"],
        ]


@having("line")
def test_the_place_names_the_line(indexed: Indexed, entry: Entry) -> None:
    words = entry["offsets"][0]["text"]
    reply = indexed.corpus.ask("kod sejfu")
    assert isinstance(reply, Answer)
    citation = next(citation for citation in reply.citations if words in citation.quote)
    assert citation.locator.label == f"line {entry['line']}"


@having("headings")
def test_words_stand_under_their_headings(indexed: Indexed, entry: Entry) -> None:
    for wanted in entry["headings"]:
        chunk = indexed.chunk_at(wanted["text"])
        above = chunk.text[: chunk.text.index(wanted["text"])]
        # Short sections of one parent share a chunk, and keep their headings among its words.
        own = [heading for heading in wanted["path"] if heading in above]
        assert [*chunk.heading_path, *own] == wanted["path"]


@having("not_headings")
def test_what_only_looks_like_a_heading_is_none(indexed: Indexed, entry: Entry) -> None:
    paths = {path for d in indexed.documents for c in d.chunks for path in c.heading_path}
    assert paths.isdisjoint(entry["not_headings"])


@having("cells")
def test_a_cell_stands_in_one_row_with_the_words_that_name_it(
    indexed: Indexed, entry: Entry
) -> None:
    rows = [line for d in indexed.documents for c in d.chunks for line in c.text.splitlines()]
    # A row that the expectation only counts needs a reader of columns; there is none yet.
    for cell in (cell for cell in entry["cells"] if isinstance(cell["row"], str)):
        assert any(cell["row"] in row and cell["value"] in row for row in rows)


@having("title")
def test_the_title_is_the_documents_own(indexed: Indexed, entry: Entry) -> None:
    assert [document.title for document in indexed.corpus.status().documents] == [entry["title"]]


@having("prefer_not_contains")
def test_what_is_better_left_out_is_left_out(indexed: Indexed, entry: Entry) -> None:
    assert [words for words in entry["prefer_not_contains"] if words in indexed.text] == []


# ---------------------------------------------------------------- what is found


@pytest.fixture(scope="module")
def together(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    """Index all files in one corpus with the default encoder, in each other's way."""
    path = tmp_path_factory.mktemp("together") / "cytat.db"
    with Corpus.open(path, settings=load_settings({})) as corpus:
        corpus.add([made / e["file"] for e in READ if e["file"] not in TOO_LONG_FOR_THE_ENCODER])
        yield corpus


QUESTIONS = [
    pytest.param(entry, asked["q"], asked["must_find"], id=f"{entry['file']}: {asked['q']}")
    for entry in READ
    for asked in entry.get("queries", ())
]


@pytest.mark.model
@pytest.mark.parametrize(("entry", "question", "must_find"), QUESTIONS)
def test_the_passage_is_found_among_all_the_others(
    together: Corpus, entry: Entry, question: str, must_find: str | None
) -> None:
    reply = together.ask(question)
    if isinstance(reply, Answer):
        for citation in reply.citations:
            assert together.show(citation.source, span=citation.span).text == citation.quote
        assert not [words for words in entry.get("answer_not_contains", ()) if words in reply.text]
    if must_find is None:
        assert isinstance(reply, Refusal)
    else:
        hits = together.search(question).hits[:TOP]
        assert any(joined(must_find) in joined(hit.text) for hit in hits)
