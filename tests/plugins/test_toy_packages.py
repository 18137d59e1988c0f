"""A reader and a source in packages of their own: found by entry point, cited at their places."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from tests.plugins.installing import install

from cytat import Corpus, plugins
from cytat.config import load_settings
from cytat.protocols import FileFormat, Source, SourceOptions
from cytat.records import Answer, IngestReport, LocatorKind
from cytat.sources.files import FileSource
from cytat.testing.readers import ReaderContract
from cytat.testing.sources import SourceContract

DECK = b"""DECK
Annual meeting
Welcome to the members of the club.
---
Fees
The yearly fee of the club is 120 zloty for adults.
---
Tools
The lathe is serviced every spring by Kowalski.
"""
SHELF = "SHELF\n@ rent.txt\nThe rent of the hall is 900 zloty.\n@ keys.txt\nKeys are with Nowak.\n"


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Both packages, installed where this process and its children look for packages."""
    target = tmp_path / "packages"
    install("toy_deck", target)
    install("toy_shelf", target)
    monkeypatch.syspath_prepend(str(target))
    return target


@pytest.fixture
def corpus(tmp_path: Path, installed: Path) -> Corpus:
    (tmp_path / "docs").mkdir()
    return Corpus(load_settings({"corpus": str(tmp_path / "cytat.db"), "embedder": "fake"}))


@pytest.fixture
def docs(tmp_path: Path, corpus: Corpus) -> Path:
    return tmp_path / "docs"


def names(report: IngestReport, kind: str) -> list[str]:
    return [one.source.removeprefix("docs/") for one in getattr(report, kind)]


class TestDeckReader(ReaderContract):
    @pytest.fixture
    def file_format(self, installed: Path) -> FileFormat:
        return plugins.load_formats().named("decks").format

    @pytest.fixture
    def samples(self) -> Mapping[str, bytes]:
        return {"meeting.deck": DECK, "a/meeting": DECK}


class TestShelfSource(SourceContract):
    @pytest.fixture
    def source(self, installed: Path, tmp_path: Path) -> Source:
        (source,) = plugins.load_sources(SourceOptions(base=tmp_path, corpus=None))
        return source

    @pytest.fixture
    def addresses(self, tmp_path: Path) -> Sequence[str]:
        (tmp_path / "hall.shelf").write_text(SHELF)
        return [str(tmp_path / "hall.shelf")]

    @pytest.fixture
    def absent(self, tmp_path: Path) -> str:
        return str(tmp_path / "gone.shelf")


class TestFileSource(SourceContract):
    @pytest.fixture
    def source(self, tmp_path: Path) -> Source:
        return FileSource(SourceOptions(base=tmp_path, corpus=None))

    @pytest.fixture
    def addresses(self, tmp_path: Path) -> Sequence[str]:
        (tmp_path / "docs").mkdir()
        (tmp_path / "docs" / "a.txt").write_text("jeden")
        (tmp_path / "b.txt").write_text("")
        return [str(tmp_path / "docs"), str(tmp_path / "b.txt")]

    @pytest.fixture
    def absent(self, tmp_path: Path) -> str:
        return str(tmp_path / "gone")


# ---------------------------------------------------------------- the reader


def test_a_document_of_a_plug_in_reader_is_cited_at_its_own_place(
    corpus: Corpus, docs: Path
) -> None:
    (docs / "meeting.deck").write_bytes(DECK)
    assert names(corpus.add(docs), "added") == ["meeting.deck"]
    reply = corpus.ask("How much is the yearly fee of the club for adults?")
    assert isinstance(reply, Answer)
    (citation,) = reply.citations
    assert citation.quote == "The yearly fee of the club is 120 zloty for adults."
    assert citation.locator.kind is LocatorKind.SLIDE
    assert (citation.locator.label, citation.locator.fragment) == ("slide 2", "#slide=2")
    assert corpus.show("meeting.deck", part="3").text.startswith("Tools\n")
    hits = corpus.search("lathe").hits
    assert hits[0].locator.fragment in {"#slide=1", "#slide=3"}  # one chunk may hold all slides


def test_its_document_is_left_alone_while_nothing_changes(corpus: Corpus, docs: Path) -> None:
    (docs / "meeting.deck").write_bytes(DECK)
    corpus.add(docs)
    assert names(corpus.add(docs), "unchanged") == ["meeting.deck"]
    assert names(corpus.reindex(), "unchanged") == ["meeting.deck"]
    (document,) = corpus.status().documents
    assert document.stamp is not None
    assert document.stamp.reader == "toy-deck/1"


@pytest.mark.parametrize("name", ["decks", "toy-deck", "toy-deck/1"])
def test_a_reader_is_named_by_its_entry_point_or_by_its_own_name(
    corpus: Corpus, docs: Path, name: str
) -> None:
    (docs / "notes.txt").write_bytes(DECK.removeprefix(b"DECK\n"))
    corpus.add(docs, reader=name)
    assert corpus.show("notes.txt", part="2").text.startswith("Fees\n")


def test_a_reader_that_was_named_stays_until_another_is(corpus: Corpus, docs: Path) -> None:
    (docs / "meeting.deck").write_bytes(DECK)
    corpus.add(docs, reader="text")
    assert corpus.show("meeting.deck").text == DECK.decode()
    assert names(corpus.add(docs), "unchanged") == ["meeting.deck"]
    assert names(corpus.reindex(), "unchanged") == ["meeting.deck"]
    assert names(corpus.add(docs, reader="auto"), "updated") == ["meeting.deck"]
    assert corpus.show("meeting.deck", part="1").text.startswith("Annual meeting\n")


def test_the_command_line_finds_it_too(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "meeting.deck").write_bytes(DECK)
    environment = {**os.environ, "PYTHONPATH": str(installed), "CYTAT_EMBEDDER": "fake"}

    def cytat(*arguments: str) -> str:
        command = [sys.executable, "-m", "cytat", "--corpus", str(tmp_path / "c.db"), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
        return done.stdout

    cytat("add", str(tmp_path / "meeting.deck"))
    found = json.loads(cytat("ask", "How much is the yearly fee for adults?", "--json"))
    assert [one["locator"]["label"] for one in found["citations"]] == ["slide 2"]
    assert cytat("show", "meeting.deck", "--part", "3").startswith("Tools\n")


# ---------------------------------------------------------------- the source


def test_what_is_in_a_container_is_found_and_cited_by_its_name(corpus: Corpus, docs: Path) -> None:
    (docs / "hall.shelf").write_text(SHELF)
    (docs / "plain.txt").write_text("Chairs are in the cellar.")
    report = corpus.add(docs)
    assert sorted(names(report, "added")) == [
        "hall.shelf",
        "hall.shelf!/keys.txt",
        "hall.shelf!/rent.txt",
        "plain.txt",
    ]
    hit = next(h for h in corpus.search("rent of the hall").hits if "!/" in h.source)
    assert hit.source == "docs/hall.shelf!/rent.txt"
    reply = corpus.ask("What is the rent of the hall?", where="source=rent.txt")
    assert isinstance(reply, Answer)
    assert [(one.quote, one.stale) for one in reply.citations] == [
        ("The rent of the hall is 900 zloty.", False)
    ]


def test_a_member_is_stale_when_its_own_bytes_have_changed(corpus: Corpus, docs: Path) -> None:
    (docs / "hall.shelf").write_text(SHELF)
    corpus.add(docs)
    (docs / "hall.shelf").write_text(SHELF.replace("Nowak", "Lis"))

    def is_stale(question: str, source: str) -> bool:
        reply = corpus.ask(question, where=f"source={source}")
        assert isinstance(reply, Answer)
        return reply.citations[0].stale

    assert not is_stale("What is the rent of the hall?", "rent.txt")
    assert is_stale("Who are the keys with?", "keys.txt")


def test_a_member_that_left_its_container_leaves_with_the_old_version(
    corpus: Corpus, docs: Path
) -> None:
    (docs / "hall.shelf").write_text(SHELF)
    corpus.add(docs / "hall.shelf")
    (docs / "hall.shelf").write_text(SHELF.partition("@ keys")[0])
    report = corpus.add(docs / "hall.shelf")
    assert names(report, "updated") == ["hall.shelf"]
    assert names(report, "unchanged") == ["hall.shelf!/rent.txt"]
    assert names(report, "removed") == ["hall.shelf!/keys.txt"]
    assert names(corpus.add(docs / "hall.shelf"), "removed") == []


def test_removing_a_container_removes_what_is_in_it(corpus: Corpus, docs: Path) -> None:
    (docs / "hall.shelf").write_text(SHELF)
    (docs / "plain.txt").write_text("Chairs are in the cellar.")
    corpus.add(docs)
    assert len(names(corpus.remove("hall.shelf"), "removed")) == 3
    assert [one.source for one in corpus.status().documents] == ["docs/plain.txt"]


def test_a_container_that_is_gone_takes_what_is_in_it_along(corpus: Corpus, docs: Path) -> None:
    (docs / "hall.shelf").write_text(SHELF)
    (docs / "plain.txt").write_text("Chairs are in the cellar.")
    corpus.add(docs)
    (docs / "hall.shelf").unlink()
    assert len(names(corpus.add(docs), "removed")) == 3


def test_a_container_that_cannot_be_listed_keeps_what_it_had(corpus: Corpus, docs: Path) -> None:
    (docs / "hall.shelf").write_text(SHELF)
    corpus.add(docs)
    (docs / "hall.shelf").write_bytes(b"SHELF\n@ a\n\xff\xfe")
    report = corpus.add(docs)
    assert names(report, "removed") == []
    assert [(one.source, one.code) for one in report.failed] == [("docs/hall.shelf", "unreadable")]
    assert len(corpus.status().documents) == 3


def test_reindex_asks_the_source_and_not_the_path(corpus: Corpus, docs: Path) -> None:
    (docs / "hall.shelf").write_text(SHELF)
    corpus.add(docs)
    report = corpus.reindex(chunking="fixed:20+4")
    assert report.failed == ()
    assert len(report.updated) == 3


def test_members_whose_plug_in_is_gone_stay_and_say_so(
    corpus: Corpus, docs: Path, installed: Path
) -> None:
    (docs / "hall.shelf").write_text(SHELF)
    corpus.add(docs)
    for info in installed.glob("toy_shelf-*"):
        (info / "entry_points.txt").write_text("")
    report = corpus.reindex(chunking="fixed:20+4")
    assert {one.source: one.message for one in report.failed} == {
        f"docs/hall.shelf!/{name}.txt": f"no installed source reads docs/hall.shelf!/{name}.txt; "
        "its last good version stays searchable"
        for name in ("keys", "rent")
    }
