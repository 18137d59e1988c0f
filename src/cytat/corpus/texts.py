"""A store -> its texts: what grounding reads again, and documents or parts of them shown."""

from collections.abc import Sequence
from dataclasses import dataclass

from cytat.corpus.installed import VersionsNow
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
    Part,
    Span,
    Version,
)
from cytat.store import Store, StoredDocument
from cytat.text.identity import passage_text
from cytat.text.locators import locate

PARTS_NAMED = 8
"""In a hint, where a document has no part of the label that was asked for."""


class StoredTexts:
    """Implements `grounding.CitableTexts` over a store; a file is hashed at most once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._versions_now = VersionsNow(store)

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
        """Say whether the document has changed at its source since it was indexed, or is gone."""
        document = self._document(document_id)
        return self._versions_now.of(document) != document.version

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
    with store.reading():
        document = store.resolve(source)
        if document.version is None:
            raise SourceError(
                f"{document.source} holds no text: {document.message}",
                hint=document.hint or "see `cytat status`",
            )
        span = span_of(store, document, place)
        counter = choice.embedder_if_there(store.space()) if chunks else None
        return DocumentText(
            source=document.source,
            document_id=document.id,
            version=document.version,
            text=store.slice(document.id, span),
            span=span,
            chunks=_chunks(store, document, span, counter) if chunks else (),
        )


def span_of(store: Store, document: StoredDocument, place: DocumentPlace) -> Span:
    """Return the span of a place in a document.

    Raises:
        UsageError: the document has no such place.
    """
    span = place.span
    if place.page is not None or place.part is not None:
        return _part_span(store, document, place)
    if span is None:
        return Span(0, document.characters)
    if span.end > document.characters:
        raise UsageError(
            f"{span.start}:{span.end} ends past the {document.characters} characters of "
            f"{document.source}",
            hint=f"spans of this document lie within 0:{document.characters}",
        )
    return span


def _part_span(store: Store, document: StoredDocument, place: DocumentPlace) -> Span:
    """Return the span of a page by its number, or of any part by its label."""
    parts = store.parts(document.id)
    pages = [part for part in parts if part.kind is LocatorKind.PAGE]
    if place.part is None:
        found = [page for page in pages if page.number == place.page]
        hint = (
            f"it has pages 1 to {len(pages)}" if pages else "this format has no pages; use --span"
        )
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
