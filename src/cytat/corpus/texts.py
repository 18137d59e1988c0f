"""A store -> the text of a document or a part of it, and where a span lies on its pages."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cytat.corpus.models import EmbedderChoice
from cytat.errors import ReadingError, SourceError, UsageError
from cytat.protocols import Embedder, Moment, Store
from cytat.records import (
    ChunkText,
    DocumentText,
    LocatorKind,
    Part,
    ReadingOptions,
    Span,
    SpanBoxes,
    StoredDocument,
    Version,
)
from cytat.sources import SIZE_LIMIT_BYTES
from cytat.text.identity import passage_text, version_of

if TYPE_CHECKING:
    from cytat.reading.choice import Formats, InstalledReader

PARTS_NAMED = 8
"""In a hint, where a document has no part of the label that was asked for."""


@dataclass(frozen=True, slots=True)
class DocumentPlace:
    """What of a document is asked for; all of it where nothing is named."""

    span: Span | None = None
    page: int | None = None
    """Its number, from 1."""
    part: str | None = None
    """The label of a page, a slide, a sheet …."""


def show_document(
    store: Store, source: str, place: DocumentPlace, *, chunks: bool, choice: EmbedderChoice
) -> DocumentText:
    """Return the text of the document that `source` names.

    The embedder of `choice` is opened to count the tokens of chunks, where there is one.

    Raises:
        SourceError: it names no document, several, or one without text.
        UsageError: the document has no such place.
    """
    with store.moment() as moment:
        document = moment.resolve(source)
        if document.version is None:
            raise SourceError(
                f"{document.source} holds no text: {document.message}",
                hint=document.hint or "see `cytat status`",
            )
        span = span_of(moment, document, place)
        counter = choice.embedder_if_there(moment.space()) if chunks else None
        return DocumentText(
            source=document.source,
            document_id=document.id,
            version=document.version,
            text=moment.excerpt(document.id, span).text,
            span=span,
            chunks=tuple(_chunks(moment, document, span, counter)) if chunks else (),
        )


def span_of(moment: Moment, document: StoredDocument, place: DocumentPlace) -> Span:
    """Return the span of a place in a document.

    Raises:
        UsageError: the document has no such place.
    """
    span = place.span
    if place.page is not None or place.part is not None:
        return _part_span(moment, document, place)
    if span is None:
        return Span(0, document.characters)
    if span.end > document.characters:
        raise UsageError(
            f"{span.start}:{span.end} ends past the {document.characters} characters of "
            f"{document.source}",
            hint=f"spans of this document lie within 0:{document.characters}",
        )
    return span


def _part_span(moment: Moment, document: StoredDocument, place: DocumentPlace) -> Span:
    """Return the span of a page by its number, or of any part by its label."""
    parts = moment.parts(document.id)
    if place.part is None:
        pages = [part for part in parts if part.kind is LocatorKind.PAGE]
        found = [page for page in pages if page.number == place.page]
        none = "this format has no pages; use --span"
        hint = f"it has pages 1 to {len(pages)}" if pages else none
        missing = f"page {place.page}"
    else:
        wanted = place.part.casefold()
        found = [part for part in parts if part.label.casefold() == wanted]
        hint = _parts_hint(parts)
        missing = f"part {place.part!r}"
    if not found:
        raise UsageError(f"{document.source} has no {missing}", hint=hint)
    return found[0].span


def _parts_hint(parts: Sequence[Part]) -> str:
    if not parts:
        return "this format has no parts; use --span"
    more = f" and {len(parts) - PARTS_NAMED} more" if len(parts) > PARTS_NAMED else ""
    return f"its parts are {', '.join(part.label for part in parts[:PARTS_NAMED])}{more}"


def _chunks(
    moment: Moment, document: StoredDocument, place: Span, embedder: Embedder | None
) -> Iterator[ChunkText]:
    # Who wants the text alone does not wait for the analyser.
    from cytat.analysis import passage_language  # noqa: PLC0415 - see above
    from cytat.grounding import KeptTexts  # noqa: PLC0415 - see above

    whole = {document.id: (Span(0, document.characters),)}
    texts = KeptTexts(moment.surroundings(whole))
    for number, stored in enumerate(moment.chunks(document.id), start=1):
        chunk = stored.chunk
        if not chunk.span.overlaps(place):
            continue
        words = texts.slice(document.id, chunk.span)
        passage = passage_text(document.title, chunk.heading_path, chunk.context, words)
        yield ChunkText(
            number=number,
            chunk_id=chunk.id,
            span=chunk.span,
            locator=texts.locate(document.id, chunk.span),
            heading_path=chunk.heading_path,
            tokens=None if embedder is None else len(embedder.token_ends(passage)),
            language=passage_language(words, document.language),
            text=words,
        )


def boxes_in(store: Store, source: str, span: Span, *, password: str | None) -> SpanBoxes:
    """Return a box for each line of a span.

    Raises:
        SourceError: its format has no pages, or the file is not the stored version any more.
        UsageError: the span lies outside the document.
        ReadingError: the file needs a password, or cannot be read.
    """
    from cytat import plugins  # noqa: PLC0415 - a text is shown without readers
    from cytat.reading.process.pool import ReaderPool  # noqa: PLC0415 - as above

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


def _drawing_reader(formats: "Formats", document: StoredDocument) -> "InstalledReader":
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
    from cytat.corpus.installed import open_sources  # noqa: PLC0415 - needed for boxes alone

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
