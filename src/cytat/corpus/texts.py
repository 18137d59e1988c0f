"""A moment -> documents, or parts of them, shown."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cytat.corpus.models import EmbedderChoice
from cytat.errors import SourceError, UsageError
from cytat.protocols import Embedder, Moment, Store
from cytat.records import ChunkText, DocumentText, LocatorKind, Part, Span, StoredDocument
from cytat.text.identity import passage_text

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
