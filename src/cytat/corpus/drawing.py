"""A span of a stored document -> where it stands on its pages, read again from the source."""

from cytat import plugins
from cytat.corpus.installed import open_sources
from cytat.corpus.texts import DocumentPlace, span_of
from cytat.errors import ReadingError, SourceError
from cytat.protocols import Store
from cytat.reading.choice import Formats, InstalledReader
from cytat.reading.process.pool import ReaderPool
from cytat.records import ReadingOptions, Span, SpanBoxes, StoredDocument, Version
from cytat.sources import SIZE_LIMIT_BYTES
from cytat.text.identity import version_of


def boxes_in(store: Store, source: str, span: Span, *, password: str | None) -> SpanBoxes:
    """Return a box for each line of a span.

    Raises:
        SourceError: its format has no pages, or the file is not the stored version any more.
        UsageError: the span lies outside the document.
        ReadingError: the file needs a password, or cannot be read.
    """
    formats = plugins.load_formats()
    with store.moment() as moment:
        document = moment.resolve(source)
        reader = _drawing_reader(formats, document)
        place = span_of(moment, document, DocumentPlace(span=span))
    version, content = _stored_version(store, document)
    with ReaderPool(formats) as readers:
        boxes = readers.boxes(
            content,
            place,
            source=document.source,
            options=ReadingOptions(password=password),
            reader=reader,
        )
    return SpanBoxes(document.source, document.id, version, place, boxes)


def _drawing_reader(formats: Formats, document: StoredDocument) -> InstalledReader:
    """Return the reader that made the stored text, if it can draw."""
    name = document.stamp.reader if document.stamp is not None else ""
    family = [one for one in formats.installed if _family(one.format.reader) == _family(name)]
    if not any(one.format.draws_boxes for one in family):
        drawn = ", ".join(one.format.titles["en"] for one in formats.with_boxes())
        raise SourceError(
            f"{document.source} has no pages to draw on",
            hint=f"boxes are available for: {drawn}",
        )
    reader = formats.of_stamp(name)
    if reader is None:
        raise SourceError(
            f"{document.source} was read by an older version", hint="run `cytat add` on it again"
        )
    return reader


def _family(reader: str) -> str:
    """Return the name of a reader without its version."""
    return reader.partition("/")[0]


def _stored_version(store: Store, document: StoredDocument) -> tuple[Version, bytes]:
    """Return the version, and the source's bytes if they are still those whose text is stored."""
    try:
        content = open_sources(store).item(document.source).fetch(SIZE_LIMIT_BYTES).content
    except ReadingError as error:
        raise SourceError(
            f"{document.source} cannot be read: {error.message}", hint="put the file back"
        ) from error
    version = version_of(content)
    if version != document.version:
        raise SourceError(
            f"{document.source} has changed since it was indexed",
            hint="run `cytat add` on it again",
        )
    return version, content
