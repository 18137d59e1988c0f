"""A store -> what grounding trusts: slices, places, versions, and whether a file has changed."""

from pathlib import Path

from cytat.errors import SourceError
from cytat.records import Block, DocumentId, Locator, Span, Version
from cytat.store import Store, StoredDocument
from cytat.text.identity import version_of
from cytat.text.locators import locate
from cytat.text.source_names import path_of


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
        document = self._document(document_id)
        first_line, last_line = self._store.lines(document_id, span)
        block = self._block(document_id, span)
        text = self._store.text(document_id) if document.media_type == "text/html" else ""
        return locate(
            span,
            media_type=document.media_type,
            pages=self._store.pages(document_id),
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
