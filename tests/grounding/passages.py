"""A few texts as evidence, and a store of them that says exactly what it holds."""

from collections.abc import Sequence

from cytat.records import (
    ChunkId,
    DocumentId,
    Hit,
    Locator,
    LocatorKind,
    Span,
    Version,
    Why,
)

BEFORE = "Coś przed. "
"""Every passage stands inside its document, so that a span counted from the passage is caught."""


class HeldTexts:
    """Implements `CitableTexts` over texts in memory."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts

    def slice(self, document_id: str, span: Span) -> str:
        return span.of(self.texts[document_id])

    def locate(self, document_id: str, span: Span) -> Locator:
        return Locator(LocatorKind.LINE, "line 1", f"#char={span.start},{span.end}")

    def heading_path(self, document_id: str, span: Span) -> tuple[str, ...]:
        return ("Heading of the span",)

    def version(self, document_id: str) -> Version:
        return Version(f"version of {document_id}")


def evidence_of(
    *texts: str, heading_path: Sequence[str] = (), title: str = ""
) -> tuple[tuple[Hit, ...], HeldTexts]:
    """Return each text as a hit inside a document of its own, and the documents."""
    documents = {f"d{at}": f"{BEFORE}{text} Coś po." for at, text in enumerate(texts, start=1)}
    hits = tuple(
        Hit(
            chunk_id=ChunkId(f"c{at}"),
            document_id=DocumentId(f"d{at}"),
            source=f"{at}.txt",
            title=title,
            rank=at,
            score=1 / at,
            span=Span(len(BEFORE), len(BEFORE) + len(text)),
            locator=Locator(LocatorKind.LINE, "line 1", "#char=0,0"),
            heading_path=tuple(heading_path),
            text=text,
            why=Why(at, 1.0, at, 0.9, None),
        )
        for at, text in enumerate(texts, start=1)
    )
    return hits, HeldTexts(documents)


def is_fresh(_: DocumentId) -> bool:
    """No file has changed."""
    return False
