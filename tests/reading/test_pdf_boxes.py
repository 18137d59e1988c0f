"""Boxes of a span: what stands under them on the page is what the span says."""

import re
from collections.abc import Sequence
from pathlib import Path

import pypdfium2
import pytest
from tests.reading.looking import FORMATS, read_document
from tests.reading.pdf_files import HEIGHT, Drawn, Placed, grid, lines, pdf

from cytat import Corpus
from cytat.errors import ReadingError, SourceError, UsageError
from cytat.reading.pdf.boxes import boxes_of
from cytat.reading.process.pool import ReaderPool
from cytat.records import PageBox, ReadingOptions, Span

PDF = FORMATS.named("pdf")
NO_SIGNS = re.compile(r"[\s|\x02\u00ad\ufffe-]+")
"""What joins words in the text and stands on no page, or is another sign there."""


def boxes(content: bytes, span: Span) -> tuple[PageBox, ...]:
    return boxes_of(content, span, source="a.pdf", password=None)


def under(content: bytes, found: Sequence[PageBox]) -> str:
    """Return the words that PDFium finds in boxes of upright pages."""
    document = pypdfium2.PdfDocument(content)
    said = []
    for box in found:
        page = document[box.page - 1]
        text = page.get_textpage()
        said.append(text.get_text_bounded(box.x0, HEIGHT - box.y1, box.x1, HEIGHT - box.y0))
        text.close()
        page.close()
    document.close()
    return " ".join(said)


def letters(said: str) -> str:
    return NO_SIGNS.sub("", said)


def report() -> bytes:
    def page(number: int) -> list[Drawn]:
        left = [f"left {n} of page {number} goes on and" for n in range(5)]
        right = [f"right {n} of page {number} goes on to" for n in range(5)]
        left[2:4] = ["a dobrowolne ubezpie-", "czenia mienia and more"]
        return [
            Placed("Report of the office", 60, 27),
            *lines(*left, top=90),
            *lines(*right, left=320, top=90),
            *grid((60, 200, 400), (300, 320, 350, 370)),
            Placed("Item", 65, 314), Placed("Terms", 205, 314),
            Placed("Deposit", 65, 332), Placed("returned within a month", 205, 332),
            Placed("after the keys are back", 205, 344),
            Placed("Heating", 65, 364), Placed("by the meter", 205, 364),
            *lines("1 A note of small type.", size=7, top=780),
            Placed(f"{number}", 300, 815),
        ]  # fmt: skip

    return pdf([page(number) for number in (1, 2, 3)])


def test_the_words_under_the_boxes_are_those_of_the_span() -> None:
    content = report()
    text = read_document(content, source="a.pdf").text
    starts = [found.start() for found in re.finditer(r"\S+", text)]
    for first in range(0, len(starts) - 6, 5):
        span = Span(starts[first], starts[first + 6])
        assert letters(under(content, boxes(content, span))) == letters(span.of(text))


def test_each_line_has_one_box_and_a_part_of_a_word_its_own() -> None:
    content = pdf([lines("The rent is 100 zł", "and is due monthly.")])
    (box,) = boxes(content, Span(4, 8))
    # Courier is 6 points a character at size 10: "rent" is the 5th to the 8th of its line.
    assert (box.page, box.x0, box.x1) == (1, 60 + 4 * 6, 60 + 8 * 6)
    assert box.y0 < 70 < box.y1
    assert [found.x0 for found in boxes(content, Span(12, 30))] == [60 + 12 * 6, 60]


def test_a_span_over_a_page_end_has_boxes_on_both_pages() -> None:
    content = pdf([lines("The lease may be ended by"), lines("either side in writing.")])
    text = read_document(content, source="a.pdf").text
    assert [box.page for box in boxes(content, Span(0, len(text)))] == [1, 2]


def test_the_border_of_a_cell_has_no_box() -> None:
    content = report()
    text = read_document(content, source="a.pdf").text
    at = text.index(" | Terms")
    assert boxes(content, Span(at, at + 3)) == ()


def test_boxes_of_a_turned_page_are_those_of_the_page_as_it_is_shown() -> None:
    content = pdf([[Placed("Turned words", 100, 500, angle=90)]], rotated=90)
    (box,) = boxes(content, Span(0, 6))
    # From the left of the turned page: as far as the first word was from the lower edge.
    assert (box.x0, box.x1) == (HEIGHT - 500, HEIGHT - 500 + 36)
    assert box.y0 < 100 < box.y1


def test_boxes_come_from_a_child_process() -> None:
    with ReaderPool(FORMATS) as readers:
        content = pdf([lines("The rent is 100 zł")])
        span = Span(4, 8)
        found = readers.boxes(content, span, source="a.pdf", options=ReadingOptions(), reader=PDF)
        assert found == boxes(content, span)
        with pytest.raises(ReadingError) as refused:
            readers.boxes(b"no pdf", span, source="a.pdf", options=ReadingOptions(), reader=PDF)
        assert refused.value.code == "unreadable"


def test_a_corpus_tells_boxes_of_the_stored_version_alone(tmp_path: Path) -> None:
    file = tmp_path / "lease.pdf"
    file.write_bytes(pdf([lines("The rent is 100 zł and is due monthly.")]))
    note = tmp_path / "note.txt"
    note.write_text("No pages here.")
    with Corpus.open(tmp_path / "cytat.db") as corpus:
        corpus.add([file, note])
        drawn = corpus.boxes("lease.pdf", Span(4, 8))
        assert [(box.page, box.x0) for box in drawn.boxes] == [(1, 84.0)]
        with pytest.raises(UsageError):
            corpus.boxes("lease.pdf", Span(4, 4000))
        with pytest.raises(SourceError):
            corpus.boxes("note.txt", Span(0, 2))
        file.write_bytes(pdf([lines("The rent is 200 zł.")]))
        with pytest.raises(SourceError, match="has changed"):
            corpus.boxes("lease.pdf", Span(4, 8))
