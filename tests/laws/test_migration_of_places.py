"""Law: what an older file says of places stays as it was, to the character."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest
from tests.stores import Store

from cytat import Corpus
from cytat.records import Answer, FragmentStyle, LocatorKind, Ranking
from cytat.text.identity import document_id

FILES = Path(__file__).parents[1] / "files"
SEVENTH = FILES / "format-7.db"
"""Made by the last program of format 7 with the fake encoder: Markdown, text, HTML, and a PDF whose
pages are numbered i, 1 and 2."""
THEN: dict[str, Any] = json.loads((FILES / "format-7.json").read_text("utf-8"))
"""What that program said of places: of hits, of citations, of `show --page`."""


@pytest.fixture
def seventh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CYTAT_EMBEDDER", "fake")
    return Path(shutil.copy(SEVENTH, tmp_path))


@pytest.fixture
def corpus(seventh: Path) -> Iterator[Corpus]:
    with Corpus.open(seventh) as corpus:
        yield corpus


def test_the_seventh_format_is_what_the_file_has() -> None:
    header = SEVENTH.read_bytes()[:100]
    assert int.from_bytes(header[60:64], "big") == 7


def places(ranking: Ranking) -> list[list[object]]:
    return [
        [
            hit.chunk_id, hit.source, hit.locator.kind.value, hit.locator.label,
            hit.locator.fragment, [hit.span.start, hit.span.end],
        ]
        for hit in ranking.hits
    ]  # fmt: skip


@pytest.mark.parametrize("question", THEN["hits"])
def test_hits_have_the_places_they_had(corpus: Corpus, question: str) -> None:
    now = places(corpus.search(question))
    assert sorted(now, key=str) == sorted(THEN["hits"][question], key=str)


@pytest.mark.parametrize("question", [asked for asked, cited in THEN["citations"].items() if cited])
def test_citations_have_the_places_they_had(corpus: Corpus, question: str) -> None:
    reply = corpus.ask(question)
    assert isinstance(reply, Answer)
    assert THEN["citations"][question] == [
        [one.quote, one.source, one.locator.kind.value, one.locator.label, one.locator.fragment]
        for one in reply.citations
    ]


def test_pages_are_shown_by_number_as_they_were(corpus: Corpus) -> None:
    for number, text in THEN["pages"]:
        assert corpus.show("manual.pdf", page=number).text == text


def test_the_text_of_each_document_is_sealed_again(corpus: Corpus) -> None:
    found = corpus.verify(full=True)
    assert [check.name for check in found.checks if not check.ok] == []


def test_pages_become_parts_and_html_says_that_links_go_by_words(seventh: Path) -> None:
    with Store.open(seventh) as store:
        parts = store.parts(document_id("manual.pdf"))
        assert [(part.kind, part.label, part.fragment, part.number) for part in parts] == [
            (LocatorKind.PAGE, "i", "#page=1", 1),
            (LocatorKind.PAGE, "1", "#page=2", 2),
            (LocatorKind.PAGE, "2", "#page=3", 3),
        ]
        assert store.fragments(document_id("fees.html")) is FragmentStyle.WORDS
        assert store.fragments(document_id("lease.md")) is FragmentStyle.CHARACTERS
        assert store.parts(document_id("notes.txt")) == ()


def test_a_document_that_was_damaged_before_is_still_found_damaged(seventh: Path) -> None:
    connection = apsw.Connection(str(seventh))
    connection.execute("update segment set text = replace(text, '230 volts', '110 volts')")
    connection.close()
    with Corpus.open(seventh) as corpus:
        wrong = [check for check in corpus.verify(full=True).checks if not check.ok]
    assert any("manual.pdf" in check.value for check in wrong)
    assert not any("lease.md" in check.value or "fees.html" in check.value for check in wrong)
