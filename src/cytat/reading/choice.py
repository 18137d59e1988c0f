"""bytes and a name -> the reader that fits: by content first, then by the name.

Some formats are text, but not the text that a person reads: letters are encoded, words are broken
anywhere, and times are of another zone. To index them as they are would bring quotes that nobody
wrote, so they are refused by name until a reader for them exists.
"""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cytat.errors import ReadingError
from cytat.reading.extraction import suffix_of
from cytat.records import Document

if TYPE_CHECKING:  # the seams bring numpy, which no reader needs and each child would load
    from cytat.protocols import Reader


@dataclass(frozen=True, slots=True)
class _Format:
    name: str
    suffixes: frozenset[str]
    """Names that only this format has; empty where the opening alone tells."""
    opening: re.Pattern[bytes] | None
    """What every file of the format begins with, where it begins with anything."""
    hint: str


_FORMATS = (
    _Format(
        "a mail file",
        frozenset({".eml", ".emlx", ".mbox", ".mht", ".mhtml"}),
        None,
        "Save the message as text, HTML or PDF, its attachments beside it, and add those.",
    ),
    _Format(
        "RTF",
        frozenset(),
        re.compile(rb"\{\\rtf"),
        "Save it as text, HTML or PDF in a word processor and add that.",
    ),
    _Format(
        "a calendar",
        frozenset(),
        re.compile(rb"BEGIN:VCALENDAR\b", re.IGNORECASE),
        "Export the events as CSV or print them to a PDF and add that.",
    ),
    _Format(
        "a file of contacts",
        frozenset(),
        re.compile(rb"BEGIN:VCARD\b", re.IGNORECASE),
        "Export the contacts as CSV and add that.",
    ),
    _Format(
        "PostScript",
        frozenset(),
        re.compile(rb"%!PS"),
        "Turn it into a PDF and add that.",
    ),
)
_BEFORE_ANY_TEXT = b"\xef\xbb\xbf \t\r\n"


def refuse_misleading(head: bytes, suffix: str) -> None:
    """Raise `ReadingError` with `unsupported-type` for a format that is not to be read raw."""
    opening = head.lstrip(_BEFORE_ANY_TEXT)
    for format_ in _FORMATS:
        is_opened = format_.opening is not None and format_.opening.match(opening)
        if is_opened or suffix in format_.suffixes:
            raise ReadingError(
                "unsupported-type",
                f"the file is {format_.name}, which cytat does not read yet",
                hint=format_.hint,
            )


PDF = "pdf/4"
HTML = "html/3"
MARKDOWN = "markdown/1"
PLAIN = "plain/1"
"""Names of the readers, as each gives its own: known here without loading a parser."""

_SNIFFED = 1024
"""Bytes looked at: where a PDF's header may stand and where HTML names itself."""
_HTML = re.compile(
    rb"(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*"
    rb"<(?:!doctype\s+html|html)\b",
    re.IGNORECASE | re.DOTALL,
)
_PDF = re.compile(rb"(?:\xef\xbb\xbf)?\s*%PDF-\d")
_MARKDOWN_SUFFIXES = frozenset({".md", ".markdown", ".mdown", ".mkd", ".qmd", ".rmd"})
_HTML_SUFFIXES = frozenset({".html", ".htm", ".xhtml"})


def read_document(content: bytes, *, source: str, password: str | None = None) -> Document:
    """Return the document; raise `ReadingError` with a code when nothing can be had of it."""
    return reader_for(content, source).read(content, source=source, password=password)


def reader_for(content: bytes, source: str) -> "Reader":
    """Return the reader for a file. What a file holds counts for more than what it is called.

    Raises `ReadingError` for a text format that must not be read as the text it is.
    """
    return _LOADERS[reader_name_for(content, source)]()


def reader_name_for(content: bytes, source: str) -> str:
    """Return the name of the reader that `reader_for` gives; loads no parser."""
    head = content[:_SNIFFED]
    suffix = suffix_of(source)
    if _PDF.match(head) or (suffix == ".pdf"):
        return PDF
    # UTF-16 shows the same signs with NUL bytes between them.
    if suffix in _HTML_SUFFIXES or _HTML.match(head.replace(b"\0", b"")):
        return HTML
    refuse_misleading(head, suffix)
    return MARKDOWN if suffix in _MARKDOWN_SUFFIXES else PLAIN


# Each reader comes with its parser, and no parser is loaded before a file asks for it.


def _pdf_reader() -> "Reader":
    from cytat.reading.pdf.reader import PdfReader  # noqa: PLC0415

    return PdfReader()


def _html_reader() -> "Reader":
    from cytat.reading.html.reader import HtmlReader  # noqa: PLC0415

    return HtmlReader()


def _markdown_reader() -> "Reader":
    from cytat.reading.text.markdown import MarkdownReader  # noqa: PLC0415

    return MarkdownReader()


def _plain_reader() -> "Reader":
    from cytat.reading.text.plain import PlainReader  # noqa: PLC0415

    return PlainReader()


_LOADERS = {PDF: _pdf_reader, HTML: _html_reader, MARKDOWN: _markdown_reader, PLAIN: _plain_reader}
