"""A store -> its texts: what grounding reads again, and documents or parts of them shown."""

from pathlib import Path

from cytat.corpus.models import EmbedderChoice
from cytat.errors import SourceError, UsageError
from cytat.protocols import Embedder
from cytat.records import (
    Block,
    ChunkText,
    DocumentId,
    DocumentText,
    FragmentStyle,
    Locator,
    LocatorKind,
    Span,
    Version,
)
from cytat.store import Store, StoredDocument
from cytat.text.identity import passage_text, path_of, version_of
from cytat.text.locators import locate


class StoredTexts:
    """Implements `grounding.CitableTexts` over a store; a file is hashed at most once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._stale: dict[DocumentId, bool] = {}

    def slice(self, document_id: str, span: Span) -> str:
        """Return exactly the characters of the stored version at `span`."""
        return self._store.slice(document_id, span)

    def locate(self, document_id: str, span: Span) -> Locator:
        """Return where `span` stands, by the page or headings of its own first character."""
        first_line, last_line = self._store.lines(document_id, span)
        block = self._block(document_id, span)
        fragments = self._store.fragments(document_id)
        text = self._store.text(document_id) if fragments is FragmentStyle.WORDS else ""
        return locate(
            span,
            parts=self._store.parts(document_id),
            fragments=fragments,
            heading_path=block.heading_path if block else (),
            first_line=first_line,
            last_line=last_line,
            quote=text[span.start : span.end],
            anchor=block.anchor if block else None,
            preceding=text[: span.start],
        )

    def version(self, document_id: str) -> Version:
        """Return the version that is stored."""
        version = self._document(document_id).version
        if version is None:
            raise SourceError(f"{document_id} holds no text", hint="see `cytat status`")
        return version

    def is_stale(self, document_id: DocumentId) -> bool:
        """Say whether the file has changed since it was indexed, or is gone."""
        if document_id not in self._stale:
            document = self._document(document_id)
            path = path_of(document.source, base=self._store.base)
            self._stale[document_id] = version_on_disk(path) != document.version
        return self._stale[document_id]

    def heading_path(self, document_id: str, span: Span) -> tuple[str, ...]:
        """Return the headings above the first character of `span`, outermost first."""
        block = self._block(document_id, span)
        return block.heading_path if block else ()

    def _block(self, document_id: str, span: Span) -> Block | None:
        """Return the block that holds the first character of `span`."""
        for block in self._store.blocks(document_id):
            if block.span.start <= span.start < block.span.end:
                return block
        return None

    def _document(self, document_id: str) -> StoredDocument:
        found = self._store.document(DocumentId(document_id))
        if found is None:
            raise SourceError(f"{document_id} is not in the corpus", hint="see `cytat status`")
        return found


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
    pages = [part for part in store.parts(document.id) if part.kind is LocatorKind.PAGE]
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
