"""A span of a stored PDF -> where it stands on the pages, read again from the file itself."""

from cytat.corpus.texts import place_in
from cytat.errors import SourceError
from cytat.protocols import Store
from cytat.reading.choice import PDF
from cytat.reading.process.pool import ReaderPool
from cytat.records import Span, SpanBoxes, StoredDocument
from cytat.text.identity import path_of, version_of


def boxes_in(store: Store, source: str, span: Span, *, password: str | None) -> SpanBoxes:
    """Return a box for each line of a span.

    Raises:
        SourceError: the source is no PDF, or its file is not the stored version any more.
        UsageError: the span lies outside the document.
        ReadingError: the file needs a password, or cannot be read.
    """
    with store.moment() as moment:
        document = moment.resolve(source)
        if document.version is None or document.media_type != "application/pdf":
            raise SourceError(
                f"{document.source} has no pages to draw on", hint="boxes are told for PDF files"
            )
        place = place_in(moment, document, span=span, page=None)
    content = _stored_version(store, document)
    with ReaderPool() as readers:
        boxes = readers.boxes(content, place, source=document.source, password=password)
    return SpanBoxes(document.source, document.id, document.version, place, boxes)


def _stored_version(store: Store, document: StoredDocument) -> bytes:
    """Return the file's bytes if they are those whose text is stored, read as they would be now."""
    if document.stamp is None or document.stamp.reader != PDF:
        raise SourceError(
            f"{document.source} was read by an older version", hint="run `cytat add` on it again"
        )
    try:
        content = path_of(document.source, base=store.base).read_bytes()
    except OSError as error:
        raise SourceError(
            f"{document.source} cannot be read: {error.strerror}", hint="put the file back"
        ) from error
    if version_of(content) != document.version:
        raise SourceError(
            f"{document.source} has changed since it was indexed",
            hint="run `cytat add` on it again",
        )
    return content
