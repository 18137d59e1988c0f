"""bytes and a name -> the reader that fits: by content first, then by the name."""

import re
from typing import TYPE_CHECKING

from cytat.reading.extraction import suffix_of
from cytat.reading.unread import refuse_misleading
from cytat.records import Document

if TYPE_CHECKING:  # the seams bring numpy, which no reader needs and each child would load
    from cytat.protocols import Reader

PDF = "pdf/3"
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
    from cytat.reading.pdf import PdfReader  # noqa: PLC0415

    return PdfReader()


def _html_reader() -> "Reader":
    from cytat.reading.html import HtmlReader  # noqa: PLC0415

    return HtmlReader()


def _markdown_reader() -> "Reader":
    from cytat.reading.markdown import MarkdownReader  # noqa: PLC0415

    return MarkdownReader()


def _plain_reader() -> "Reader":
    from cytat.reading.plain import PlainReader  # noqa: PLC0415

    return PlainReader()


_LOADERS = {PDF: _pdf_reader, HTML: _html_reader, MARKDOWN: _markdown_reader, PLAIN: _plain_reader}
