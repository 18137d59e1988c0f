"""HTML as a format: how it is known and what its places are. Imports no parser."""

import re
from typing import TYPE_CHECKING

from cytat.protocols import FileFormat, FileSample, Fit
from cytat.records import LocatorKind

if TYPE_CHECKING:
    from cytat.protocols import Reader

_SNIFFED = 1024
"""Bytes in which a page names itself."""
_OPENING = re.compile(
    rb"(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*"
    rb"<(?:!doctype\s+html|html)\b",
    re.IGNORECASE | re.DOTALL,
)
_SUFFIXES = frozenset({".html", ".htm", ".xhtml"})
_MEDIA_TYPES = frozenset({"text/html", "application/xhtml+xml"})


def _fits(sample: FileSample) -> Fit:
    # UTF-16 shows the same signs with NUL bytes between them.
    if _OPENING.match(sample.head[:_SNIFFED].replace(b"\0", b"")):
        return Fit.CONTENT
    is_named = sample.suffix in _SUFFIXES or sample.media_type in _MEDIA_TYPES
    return Fit.NAME if is_named else Fit.NONE


def _open() -> "Reader":
    from cytat.reading.html.reader import HtmlReader  # noqa: PLC0415 - the parser, when needed

    return HtmlReader()


HTML = FileFormat(
    reader="html/4",
    titles={"en": "a web page", "pl": "strona internetowa"},
    places=frozenset({LocatorKind.HEADING, LocatorKind.LINE}),
    fits=_fits,
    open=_open,
)
