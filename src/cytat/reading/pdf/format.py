"""PDF as a format: how it is known and what its places are. Imports no parser."""

import re
from typing import TYPE_CHECKING

from cytat.protocols import FileFormat, FileSample, Fit
from cytat.records import LocatorKind

if TYPE_CHECKING:
    from cytat.protocols import Reader

_HEADER = re.compile(rb"(?:\xef\xbb\xbf)?\s*%PDF-\d")


def _fits(sample: FileSample) -> Fit:
    if _HEADER.match(sample.head):
        return Fit.CONTENT
    is_named = sample.suffix == ".pdf" or sample.media_type == "application/pdf"
    return Fit.NAME if is_named else Fit.NONE


def _open() -> "Reader":
    from cytat.reading.pdf.reader import PdfReader  # noqa: PLC0415 - the parser, when it is needed

    return PdfReader()


PDF = FileFormat(
    reader="pdf/4",
    titles={"en": "a PDF file", "pl": "plik PDF"},
    places=frozenset({LocatorKind.PAGE}),
    fits=_fits,
    open=_open,
    draws_boxes=True,
)
