"""A named document -> its canonical text, or exactly the part that is asked for."""

from cytat.corpus.models import EmbedderChoice
from cytat.corpus.texts import StoredTexts
from cytat.errors import SourceError, UsageError
from cytat.protocols import Embedder
from cytat.records import ChunkText, DocumentText, Span
from cytat.store import Store, StoredDocument
from cytat.text.identity import passage_text


def show_document(
    store: Store,
    source: str,
    *,
    span: Span | None,
    page: int | None,
    chunks: bool,
    choice: EmbedderChoice,
) -> DocumentText:
    """Return the text of the document that `source` names.

    The embedder of `choice` is opened to count the tokens of chunks, where there is one.

    Raises:
        SourceError: it names no document, several, or one without text.
        UsageError: the span or page lies outside the document.
    """
    with store.reading():
        document = store.resolve(source)
        if document.version is None:
            raise SourceError(
                f"{document.source} holds no text: {document.message}",
                hint=document.hint or "see `cytat status`",
            )
        place = place_in(store, document, span=span, page=page)
        counter = choice.embedder_if_there(store.space()) if chunks else None
        return DocumentText(
            source=document.source,
            document_id=document.id,
            version=document.version,
            text=store.slice(document.id, place),
            span=place,
            chunks=_chunks(store, document, place, counter) if chunks else (),
        )


def place_in(
    store: Store, document: StoredDocument, *, span: Span | None, page: int | None
) -> Span:
    """Return the span that is asked for, all of the document by default."""
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


def _chunks(
    store: Store, document: StoredDocument, place: Span, embedder: Embedder | None
) -> tuple[ChunkText, ...]:
    from cytat.analysis import passage_language  # noqa: PLC0415 - who wants the text alone waits less

    texts = StoredTexts(store)
    shown = []
    for number, stored in enumerate(store.chunks(document.id), start=1):
        chunk = stored.chunk
        if not chunk.span.overlaps(place):
            continue
        words = store.slice(document.id, chunk.span)
        passage = passage_text(document.title, chunk.heading_path, chunk.context, words)
        shown.append(
            ChunkText(
                number=number,
                chunk_id=chunk.id,
                span=chunk.span,
                locator=texts.locate(document.id, chunk.span),
                heading_path=chunk.heading_path,
                tokens=None if embedder is None else len(embedder.token_ends(passage)),
                language=passage_language(words, document.language),
                text=words,
            )
        )
    return tuple(shown)
