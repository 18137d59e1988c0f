"""A named document -> its canonical text, or exactly the part that is asked for."""

from cytat.corpus.texts import StoredTexts
from cytat.errors import SourceError, UsageError
from cytat.records import ChunkText, DocumentText, Span
from cytat.store import Store, StoredDocument


def show_document(
    store: Store, source: str, *, span: Span | None, page: int | None, chunks: bool
) -> DocumentText:
    """Return the text of the document that `source` names.

    Raises:
        SourceError: it names no document, several, or one without text.
        UsageError: the span or page lies outside the document.
    """
    document = store.resolve(source)
    if document.version is None:
        raise SourceError(
            f"{document.source} holds no text: {document.message}",
            hint=document.hint or "see `cytat status`",
        )
    place = _place(store, document, span=span, page=page)
    return DocumentText(
        source=document.source,
        document_id=document.id,
        version=document.version,
        text=store.slice(document.id, place),
        span=place,
        chunks=_chunks(store, document, place) if chunks else (),
    )


def _place(store: Store, document: StoredDocument, *, span: Span | None, page: int | None) -> Span:
    if page is not None:
        return _page_span(store, document, page)
    if span is None:
        return Span(0, document.characters)
    if span.end > document.characters:
        raise UsageError(
            f"{span.start}:{span.end} ends past the {document.characters} characters of "
            f"{document.source}",
            hint=f"spans of this document lie within 0:{document.characters}",
        )
    return span


def _page_span(store: Store, document: StoredDocument, number: int) -> Span:
    pages = store.pages(document.id)
    for page in pages:
        if page.number == number:
            return page.span
    hint = f"it has pages 1 to {len(pages)}" if pages else "this format has no pages; use --span"
    raise UsageError(f"{document.source} has no page {number}", hint=hint)


def _chunks(store: Store, document: StoredDocument, place: Span) -> tuple[ChunkText, ...]:
    texts = StoredTexts(store)
    return tuple(
        ChunkText(
            chunk_id=stored.chunk.id,
            span=stored.chunk.span,
            locator=texts.locate(document.id, stored.chunk.span),
            heading_path=stored.chunk.heading_path,
            text=store.slice(document.id, stored.chunk.span),
        )
        for stored in store.chunks(document.id)
        if stored.chunk.span.overlaps(place)
    )
