"""Bytes of a PDF -> Document. The text is an extraction, with a page map; the ledger counts pages.

Every page is read, empty or failed, and what is not read is named: the ledger balances with the
file's page count.
"""

from collections.abc import Sequence

from cytat.errors import ReadingError
from cytat.reading.extraction import Extraction, document_from, gaps_filled, name_of
from cytat.reading.pdf.boxes import boxes_of
from cytat.reading.pdf.canonical import checked_pages, text_of
from cytat.reading.pdf.damage import damage_of
from cytat.reading.pdf.file import read_pages
from cytat.reading.pdf.model import PdfPage
from cytat.reading.pdf.paragraphs import ParagraphKind
from cytat.reading.pdf.text import PdfText
from cytat.reading.structure import HeadingStack
from cytat.reading.text.paragraphs import Known, plain_blocks
from cytat.records import (
    Block,
    BlockKind,
    Document,
    FragmentStyle,
    Ledger,
    PageBox,
    Problem,
    ReadingOptions,
    Span,
)


class PdfReader:
    """Reads PDF files that carry text; pages that are pictures are named, not read."""

    name = "pdf/4"

    def read(self, content: bytes, *, source: str, options: ReadingOptions) -> Document:
        """Return the document; raise `ReadingError` if no page has text or none can be opened."""
        file = read_pages(content, source=source, password=options.password)
        checked = checked_pages(file.pages)
        if not any(page.words for page in checked.pages):
            raise _no_text(checked.pages, source)
        text, left_out = text_of(file, checked.pages)
        problems = (*damage_of(content, file), *checked.problems)
        return document_from(
            Extraction(
                title=file.metadata.get("title", ""),
                text=text.text,
                blocks=_blocks(text),
                parts=text.pages,
                fragments=FragmentStyle.CHARACTERS,
                metadata={key: said for key, said in file.metadata.items() if key != "title"},
                ledger=_ledger(checked.pages, problems, left_out=left_out),
            ),
            content=content,
            source=source,
            media_type="application/pdf",
            reader=self.name,
        )

    def boxes(
        self, content: bytes, span: Span, *, source: str, options: ReadingOptions
    ) -> tuple[PageBox, ...]:
        """Return a box for each line that a span touches; see `reading.pdf.boxes`."""
        return boxes_of(content, span, source=source, password=options.password)


def _ledger(pages: Sequence[PdfPage], problems: Sequence[Problem], *, left_out: int) -> Ledger:
    failed = sum(page.failure is not None for page in pages)
    read = sum(bool(page.words) for page in pages)
    return Ledger(
        parts=len(pages),
        read=read,
        empty=len(pages) - read - failed,
        ocr=0,
        failed=failed,
        left_out=left_out,
        problems=tuple(problems),
    )


_KINDS = {
    ParagraphKind.TABLE: BlockKind.TABLE,
    ParagraphKind.HEADING: BlockKind.HEADING,
    ParagraphKind.CAPTION: BlockKind.PARAGRAPH,
    ParagraphKind.NOTE: BlockKind.PARAGRAPH,
    ParagraphKind.FURNITURE: BlockKind.FURNITURE,
    ParagraphKind.CONTENTS: BlockKind.FURNITURE,
}


def _blocks(text: PdfText) -> tuple[Block, ...]:
    known = {
        written.span.start: Known(_KINDS[written.kind], written.span.end, written.depth)
        for written in text.written
    }
    return gaps_filled(text.text, plain_blocks(text.text, HeadingStack(), known))


def _no_text(pages: Sequence[PdfPage], source: str) -> ReadingError:
    failed = sum(page.failure is not None for page in pages)
    if pages and failed == len(pages):
        return ReadingError(
            "unreadable",
            f"none of the {failed} pages of {name_of(source)} can be opened",
            hint="Print the file into a new PDF from a viewer that can show it.",
        )
    return ReadingError(
        "no-text",
        f"none of the {len(pages)} pages of {name_of(source)} holds text that can be read; "
        "they may be pictures, or their fonts do not say which letters they show",
        hint="Run text recognition (OCR) over the file and add the result.",
    )
