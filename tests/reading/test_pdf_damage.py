"""Damaged PDFs: nothing hangs or crashes, pages balance, and what is lost is told."""

import pytest
from tests.reading.looking import FORMATS, read_document
from tests.reading.pdf_files import lines, pdf
from tests.reading.pdf_wrecks import PAGES, Wreck, whole, words_of_pages, wrecks

from cytat.errors import ReadingError
from cytat.reading.process.pool import ReaderPool
from cytat.records import Document, ReadingOptions
from cytat.testing.readers import assert_document

SEED = 20


def check(wreck: Wreck, readers: ReaderPool) -> None:
    """Read a copy; either it is refused, or what it lost is told and its ledger balances."""
    reader = readers.reader_for(wreck.content, "a.pdf")
    try:
        document = reader.read(wreck.content, source="a.pdf", options=ReadingOptions())
    except ReadingError:
        return
    assert_document(document)
    balance(document)
    assert len(document.parts) == document.ledger.parts
    if set(document.text.split()) != set(words_of_pages()):
        assert document.ledger.problems, wreck.kind


def test_the_file_before_any_harm_is_read_whole_and_without_a_word() -> None:
    document = read_document(whole(), source="a.pdf")
    assert document.text.split() == words_of_pages()
    assert (document.ledger.read, document.ledger.problems) == (PAGES, ())


def test_a_dozen_damaged_copies_lose_nothing_without_a_word() -> None:
    with ReaderPool(FORMATS) as readers:
        for wreck in wrecks(12, seed=SEED):
            check(wreck, readers)


def balance(document: Document) -> tuple[int, int, int, int]:
    """Return what was read, empty, recognised and failed; all parts are one of them."""
    ledger = document.ledger
    assert ledger.read + ledger.empty + ledger.ocr + ledger.failed == ledger.parts
    return ledger.read, ledger.empty, ledger.ocr, ledger.failed


def test_a_page_that_cannot_be_opened_costs_that_page_alone() -> None:
    content = pdf([lines("The first page."), lines("The second."), lines("The third page.")])
    second = content.index(b"/Type /Page ", content.index(b"/Type /Page ") + 1)
    broken = content[:second] + b"/Type /Font " + content[second + len(b"/Type /Page ") :]
    document = read_document(broken, source="a.pdf")
    assert document.text == "The first page.\n\nThe third page."
    assert balance(document) == (2, 0, 0, 1)
    (problem,) = document.ledger.problems
    assert (problem.part, problem.code) == ("page 2", "unreadable")
    assert [page.number for page in document.parts] == [1, 2, 3]


def test_a_page_of_characters_without_a_meaning_is_named_and_not_read() -> None:
    document = read_document(
        pdf([lines("{{{{ {{{{{ {{ ok"), lines("A clean page.")], meanings={"{": "\ue000"}),
        source="a.pdf",
    )
    assert document.text == "A clean page."
    assert balance(document) == (1, 1, 0, 0)
    (problem,) = document.ledger.problems
    assert (problem.part, problem.code) == ("page 1", "no-text")
    assert "recognition" in problem.message


@pytest.mark.slow
def test_three_hundred_damaged_copies_lose_nothing_without_a_word() -> None:
    with ReaderPool(FORMATS) as readers:
        for wreck in wrecks(300, seed=SEED):
            check(wreck, readers)
        intact = pdf([lines("A file beside them.")])
        reader = readers.reader_for(intact, "b.pdf")
        assert (
            reader.read(intact, source="b.pdf", options=ReadingOptions()).text
            == "A file beside them."
        )
