"""Damaged PDFs: nothing hangs or crashes, pages balance, and what is lost is told."""

import pytest
from tests.reading.pdf_files import lines, pdf
from tests.reading.pdf_wrecks import PAGES, Wreck, whole, words_of_pages, wrecks

from cytat.errors import ReadingError
from cytat.reading import read_document
from cytat.reading.pool import ReaderPool
from cytat.testing.readers import assert_document

SEED = 20


def check(wreck: Wreck, readers: ReaderPool) -> None:
    """Read a copy; either it is refused, or what it lost is told and its ledger balances."""
    reader = readers.reader_for(wreck.content, "a.pdf")
    try:
        document = reader.read(wreck.content, source="a.pdf", password=None)
    except ReadingError:
        return
    assert_document(document)
    assert len(document.pages) == document.ledger.parts
    if set(document.text.split()) != set(words_of_pages()):
        assert document.ledger.problems, wreck.kind


def test_the_file_before_any_harm_is_read_whole_and_without_a_word() -> None:
    document = read_document(whole(), source="a.pdf")
    assert document.text.split() == words_of_pages()
    assert (document.ledger.read, document.ledger.problems) == (PAGES, ())


def test_a_dozen_damaged_copies_lose_nothing_without_a_word() -> None:
    with ReaderPool() as readers:
        for wreck in wrecks(12, seed=SEED):
            check(wreck, readers)


@pytest.mark.slow
def test_three_hundred_damaged_copies_lose_nothing_without_a_word() -> None:
    with ReaderPool() as readers:
        for wreck in wrecks(300, seed=SEED):
            check(wreck, readers)
        intact = pdf([lines("A file beside them.")])
        reader = readers.reader_for(intact, "b.pdf")
        assert reader.read(intact, source="b.pdf", password=None).text == "A file beside them."
