"""Span + quote -> Citation. The only maker of citations: the stored text is read again first.

Law: `texts.slice(citation.document_id, citation.span) == citation.quote`, for every citation.
"""

from collections.abc import Callable
from typing import Protocol

from cytat.errors import CitationError
from cytat.records import Citation, DocumentId, Hit, Locator, Span, Version


class CitableTexts(Protocol):
    """What grounding reads of the store: text, place and version. The text alone is trusted."""

    def slice(self, document_id: str, span: Span) -> str:
        """Return exactly the characters of the stored version at `span`."""
        ...

    def locate(self, document_id: str, span: Span) -> Locator:
        """Return where `span` stands, said for people."""
        ...

    def heading_path(self, document_id: str, span: Span) -> tuple[str, ...]:
        """Return the headings above the first character of `span`, outermost first."""
        ...

    def version(self, document_id: str) -> Version:
        """Return the version that is stored."""
        ...


IsStale = Callable[[DocumentId], bool]
"""Says whether a document's file has changed since it was indexed, or is gone."""


def cite(
    hit: Hit, span: Span, quote: str, *, marker: int, texts: CitableTexts, is_stale: IsStale
) -> Citation:
    """Return the citation of `quote`, which must be the characters of `hit`'s document at `span`.

    Raises:
        CitationError: other characters stand there, none do, or the quote is blank.
    """
    stored = read_span(hit, span, texts)
    if stored != quote or not quote.strip():
        raise CitationError(
            f"characters {span.start}:{span.end} of {hit.source} are not the quote",
            hint="index the file again with `cytat add`, then ask again",
        )
    return Citation(
        marker=marker,
        document_id=hit.document_id,
        source=hit.source,
        title=hit.title,
        quote=stored,
        span=span,
        locator=texts.locate(hit.document_id, span),
        heading_path=texts.heading_path(hit.document_id, span),
        version=texts.version(hit.document_id),
        stale=is_stale(hit.document_id),
    )


def read_span(hit: Hit, span: Span, texts: CitableTexts) -> str:
    """Return the stored characters of the hit's document at `span`.

    Raises:
        CitationError: they are not all there.
    """
    try:
        return texts.slice(hit.document_id, span)
    except ValueError as error:
        raise CitationError(
            f"{hit.source} has no characters {span.start}:{span.end}",
            hint="index the file again with `cytat add`, then ask again",
        ) from error
