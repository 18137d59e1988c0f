"""A moment -> documents, or parts of them, shown."""

from collections.abc import Iterator
from pathlib import Path

from cytat.corpus.models import EmbedderChoice
from cytat.errors import SourceError, UsageError
from cytat.protocols import Embedder, Moment, Store
from cytat.records import ChunkText, DocumentText, Span, StoredDocument, Version
from cytat.text.identity import passage_text, version_of


def version_on_disk(path: Path) -> Version | None:
    """Return the version of a file as it is now; None when it cannot be read."""
    try:
        return version_of(path.read_bytes())
    except OSError:
        return None


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
    with store.moment() as moment:
        document = moment.resolve(source)
        if document.version is None:
            raise SourceError(
                f"{document.source} holds no text: {document.message}",
                hint=document.hint or "see `cytat status`",
            )
        place = place_in(moment, document, span=span, page=page)
        counter = choice.embedder_if_there(moment.space()) if chunks else None
        return DocumentText(
            source=document.source,
            document_id=document.id,
            version=document.version,
            text=moment.excerpt(document.id, place).text,
            span=place,
            chunks=tuple(_chunks(moment, document, place, counter)) if chunks else (),
        )


def place_in(
    moment: Moment, document: StoredDocument, *, span: Span | None, page: int | None
) -> Span:
    """Return the span that is asked for, all of the document by default."""
    if page is not None:
        return _page_span(moment, document, page)
    if span is None:
        return Span(0, document.characters)
    if span.end > document.characters:
        raise UsageError(
            f"{span.start}:{span.end} ends past the {document.characters} characters of "
            f"{document.source}",
            hint=f"spans of this document lie within 0:{document.characters}",
        )
    return span


def _page_span(moment: Moment, document: StoredDocument, number: int) -> Span:
    pages = moment.pages(document.id)
    for page in pages:
        if page.number == number:
            return page.span
    hint = f"it has pages 1 to {len(pages)}" if pages else "this format has no pages; use --span"
    raise UsageError(f"{document.source} has no page {number}", hint=hint)


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
