"""Bytes of a PDF -> Document. The text is an extraction, with a page map; the ledger counts pages.

Every page is read, empty or failed, and what is not read is named: the ledger balances with the
file's page count.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cytat.errors import ReadingError
from cytat.reading.extraction import Extraction, document_from, gaps_filled, name_of
from cytat.reading.pdf.damage import cleaned, damage_of, hidden_text_of, repaired, without_garbage
from cytat.reading.pdf.file import read_pages
from cytat.reading.pdf.furniture import without_furniture, without_notes
from cytat.reading.pdf.headings import body_look, headed
from cytat.reading.pdf.layout import laid_out
from cytat.reading.pdf.model import PdfFile, PdfPage
from cytat.reading.pdf.paragraphs import ParagraphKind, paragraphs_of
from cytat.reading.pdf.text import PdfText, written
from cytat.reading.structure import HeadingStack
from cytat.reading.text.paragraphs import Known, plain_blocks
from cytat.records import Block, BlockKind, Document, Ledger, Problem

_MOST_LOST = 0.5
"""Share of a page's characters without a meaning from which nothing of it is worth reading."""
_REMEDY = "print the file anew from the program it was made with, or run text recognition on it"


class PdfReader:
    """Reads PDF files that carry text; pages that are pictures are named, not read."""

    name = "pdf/4"

    def read(self, content: bytes, *, source: str, password: str | None) -> Document:
        """Return the document; raise `ReadingError` if no page has text or none can be opened."""
        file = read_pages(content, source=source, password=password)
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
                pages=text.pages,
                metadata={key: said for key, said in file.metadata.items() if key != "title"},
                ledger=_ledger(checked.pages, problems, left_out=left_out),
            ),
            content=content,
            source=source,
            media_type="application/pdf",
            reader=self.name,
        )


def text_of(file: PdfFile, pages: Sequence[PdfPage]) -> tuple[PdfText, int]:
    """Return the canonical text of checked pages, and how many lines were left out of it."""
    furnished = without_furniture(laid_out(pages))
    noted = without_notes(furnished.pages)
    paragraphs = paragraphs_of(noted.pages, noted.notes)
    headed(paragraphs, outline=file.outline, body=body_look(paragraphs))
    return written(paragraphs, furnished.kept), furnished.left_out


@dataclass(frozen=True, slots=True)
class CheckedPages:
    """Pages with clean characters, and what is wrong with each."""

    pages: tuple[PdfPage, ...]
    problems: tuple[Problem, ...]


def checked_pages(pages: Sequence[PdfPage]) -> CheckedPages:
    """Return the pages with clean characters, and what is wrong with each."""
    clean: list[PdfPage] = []
    problems: list[Problem] = []
    for page in pages:
        tidy, found = _checked(page)
        clean.append(tidy)
        problems += found
    return CheckedPages(tuple(clean), tuple(problems))


def _checked(page: PdfPage) -> tuple[PdfPage, list[Problem]]:
    part = f"page {page.number}"
    if page.failure is not None:
        return page, [Problem(part, "unreadable", f"the page is damaged: {page.failure}")]
    if page.is_blank:
        return page, [Problem(part, "no-text", "nothing is drawn on the page")]
    problems = list(hidden_text_of(page))
    if not page.words:
        message = "the page has no text; it may be a picture"
        return page, [*problems, Problem(part, "no-text", message)]
    mended = repaired(page)
    if mended is not None:
        message = "Polish letters were labelled as western ones and were put right"
        problems.append(Problem(part, "damaged-text", message))
    told, untold = without_garbage(mended or page)
    if untold:
        problems.append(Problem(part, *_untold(untold, is_all=not told.words)))
    tidy, lost = cleaned(told)
    if lost > _MOST_LOST * sum(len(word.said) for word in tidy.words):
        message = f"{lost} characters of the page, most of it, have no meaning in the file"
        return replace(tidy, words=()), [Problem(part, "no-text", f"{message}; {_REMEDY}")]
    if lost:
        message = f"{lost} characters have no meaning in the file and read as U+FFFD"
        problems.append(Problem(part, "damaged-text", message))
    return tidy, problems


def _untold(words: int, *, is_all: bool) -> tuple[str, str]:
    """Return code and message for words whose font does not say which characters they are."""
    if is_all:
        return "no-text", f"the fonts do not say which letters they show; {_REMEDY}"
    message = f"{words} words are left out, for their font does not say which letters it shows"
    return "damaged-text", f"{message}; {_REMEDY}"


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
