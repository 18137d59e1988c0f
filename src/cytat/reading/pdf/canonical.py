"""Pages of a PDF -> checked pages, and the canonical text that they make together.

Shared by reading a file and by drawing on it: a place on a page is found only in the same text.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cytat.reading.pdf.damage import cleaned, hidden_text_of, repaired, without_garbage
from cytat.reading.pdf.furniture import without_furniture, without_notes
from cytat.reading.pdf.headings import body_look, headed
from cytat.reading.pdf.layout import laid_out
from cytat.reading.pdf.model import PdfFile, PdfPage
from cytat.reading.pdf.paragraphs import paragraphs_of
from cytat.reading.pdf.text import PdfText, written
from cytat.records import Problem

_MOST_LOST = 0.5
"""Share of a page's characters without a meaning from which nothing of it is worth reading."""
_REMEDY = "print the file again from the program it was made with, or run text recognition on it"


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
