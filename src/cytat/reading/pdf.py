"""Bytes of a PDF -> Document. The text is an extraction, with a page map; the ledger counts pages.

Every page is read, empty or failed, and what is not read is named: the ledger balances with the
file's page count.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from cytat.errors import ReadingError
from cytat.reading.extraction import Extraction, document_from, gaps_filled, name_of
from cytat.reading.paragraphs import plain_blocks
from cytat.reading.pdf_columns import in_reading_order
from cytat.reading.pdf_damage import cleaned, repaired
from cytat.reading.pdf_furniture import without_furniture
from cytat.reading.pdf_pages import PdfFile, PdfPage, read_pages
from cytat.reading.pdf_text import PdfText, written
from cytat.reading.structure import HeadingPath
from cytat.records import Block, BlockKind, Document, Ledger, Problem


class PdfReader:
    """Reads PDF files that carry text; pages that are pictures are named, not read."""

    name = "pdf/1"

    def read(self, content: bytes, *, source: str, password: str | None) -> Document:
        """Return the document; raise `ReadingError` if no page has text or none can be opened."""
        file = read_pages(content, source=source, password=password)
        checked = _checked(file.pages)
        if not any(page.lines for page in checked.pages):
            raise _no_text(file, source)
        furnished = without_furniture(in_reading_order(checked.pages))
        text = written(furnished.pages, furnished.kept)
        return document_from(
            Extraction(
                title=file.metadata.get("title", ""),
                text=text.text,
                blocks=_blocks(text),
                pages=text.pages,
                metadata={key: said for key, said in file.metadata.items() if key != "title"},
                ledger=_ledger(checked, left_out=furnished.left_out),
            ),
            content=content,
            source=source,
            media_type="application/pdf",
            reader=self.name,
        )


@dataclass(frozen=True, slots=True)
class _Checked:
    pages: tuple[PdfPage, ...]
    problems: tuple[Problem, ...]


def _checked(pages: Sequence[PdfPage]) -> _Checked:
    """Return the pages with clean characters, and what is wrong with each."""
    clean: list[PdfPage] = []
    problems: list[Problem] = []
    for page in pages:
        part = f"page {page.number}"
        if page.failure is not None:
            problems.append(Problem(part, "unreadable", f"the page is damaged: {page.failure}"))
        elif not page.lines:
            problems.append(Problem(part, "no-text", "the page has no text; it may be a picture"))
        mended = repaired(page)
        if mended is not None:
            message = "Polish letters were labelled as western ones and were put right"
            problems.append(Problem(part, "damaged-text", message))
        tidy, lost = cleaned(mended or page)
        if lost:
            message = f"{lost} characters have no meaning in the file and read as U+FFFD"
            problems.append(Problem(part, "damaged-text", message))
        clean.append(tidy)
    return _Checked(tuple(clean), tuple(problems))


def _ledger(checked: _Checked, *, left_out: int) -> Ledger:
    failed = sum(page.failure is not None for page in checked.pages)
    read = sum(bool(page.lines) for page in checked.pages)
    parts = len(checked.pages)
    return Ledger(
        parts=parts,
        read=read,
        empty=parts - read - failed,
        ocr=0,
        failed=failed,
        left_out=left_out,
        problems=checked.problems,
    )


def _blocks(text: PdfText) -> tuple[Block, ...]:
    body = text.text
    for span in text.furniture:
        # Blanks of the same length: a running header must not head what follows it.
        body = body[: span.start] + " " * len(span) + body[span.end :]
    furniture = [Block(BlockKind.FURNITURE, span, ()) for span in text.furniture]
    blocks = [*plain_blocks(body, HeadingPath()), *furniture]
    return gaps_filled(text.text, sorted(blocks, key=lambda block: block.span.start))


def _no_text(file: PdfFile, source: str) -> ReadingError:
    pages = len(file.pages)
    failed = sum(page.failure is not None for page in file.pages)
    if pages and failed == pages:
        return ReadingError(
            "unreadable",
            f"none of the {pages} pages of {name_of(source)} can be opened",
            hint="Print the file into a new PDF from a viewer that can show it.",
        )
    return ReadingError(
        "no-text",
        f"none of the {pages} pages of {name_of(source)} holds text; they may be pictures",
        hint="Run text recognition (OCR) over the file and add the result.",
    )
