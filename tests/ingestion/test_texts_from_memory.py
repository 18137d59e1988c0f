"""Texts that are added from memory: nobody but the corpus has them."""

from pathlib import Path

import pytest
from tests.corpora import write_files

from cytat import Corpus, SourceItem
from cytat.config import load_settings
from cytat.errors import SourceError, UsageError
from cytat.records import Answer, IngestReport

NOTE = SourceItem.of_text("rent.md", "# Rent\n\nThe rent of the hall is 900 zloty.\n")


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return Corpus(load_settings({"corpus": str(tmp_path / "cytat.db"), "embedder": "fake"}))


def names(report: IngestReport, kind: str) -> list[str]:
    return [one.source for one in getattr(report, kind)]


def test_a_text_is_added_under_its_name_and_cited(corpus: Corpus) -> None:
    assert names(corpus.add(NOTE), "added") == ["rent.md"]
    assert names(corpus.add(NOTE), "unchanged") == ["rent.md"]
    reply = corpus.ask("What is the rent of the hall?")
    assert isinstance(reply, Answer)
    (citation,) = reply.citations
    assert citation.heading_path == ("Rent",)
    assert not citation.stale


def test_another_text_of_the_name_takes_its_place(corpus: Corpus) -> None:
    corpus.add(NOTE)
    report = corpus.add(SourceItem.of_text("rent.md", "The rent is 1000 zloty."))
    assert names(report, "updated") == ["rent.md"]
    assert corpus.show("rent.md").text == "The rent is 1000 zloty."


def test_adding_the_folder_of_the_corpus_does_not_take_it_for_vanished(
    corpus: Corpus, tmp_path: Path
) -> None:
    write_files(tmp_path, {"a.txt": "jeden", "b.txt": "dwa"})
    corpus.add([tmp_path, NOTE])
    (tmp_path / "b.txt").unlink()
    assert names(corpus.add(tmp_path), "removed") == ["b.txt"]
    assert [one.source for one in corpus.status().documents] == ["a.txt", "rent.md"]
    assert names(corpus.add(tmp_path, prune=True), "removed") == []


def test_it_is_cut_anew_from_what_was_read_of_it(corpus: Corpus) -> None:
    corpus.add([NOTE, SourceItem.of_bytes("page.html", b"<html><p>Keys are with <b>Nowak</b>.")])
    report = corpus.reindex(chunking="fixed:20+4")
    assert names(report, "updated") == ["page.html", "rent.md"]
    assert report.failed == ()
    assert names(corpus.reindex(), "unchanged") == ["page.html", "rent.md"]
    assert corpus.search("keys Nowak").hits[0].source == "page.html"


def test_verify_does_not_miss_its_file(corpus: Corpus) -> None:
    corpus.add(NOTE)
    assert corpus.verify(full=True).notes == ()


def test_it_is_removed_by_its_name(corpus: Corpus) -> None:
    corpus.add(NOTE)
    corpus.remove("rent.md")
    with pytest.raises(SourceError):
        corpus.show("rent.md")


def test_bytes_from_memory_are_read_as_a_file_would_be(corpus: Corpus) -> None:
    report = corpus.add(SourceItem.of_bytes("photo.png", b"\x89PNG\r\n\x1a\n" + bytes(64)))
    assert [(one.source, one.code) for one in report.skipped] == [("photo.png", "unsupported-type")]


@pytest.mark.parametrize("name", ["", " ", "a\nb", "a\0b", "note\u202e.txt"])
def test_a_name_that_cannot_be_shown_on_one_line_is_refused(name: str) -> None:
    with pytest.raises(UsageError):
        SourceItem.of_text(name, "words")


def test_a_text_from_memory_cannot_be_watched(corpus: Corpus, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be watched"):
        corpus.watch([tmp_path, NOTE], on_report=lambda _: None)
