"""What tests of readers look at: a document's headings, kinds, and the path above some words."""

from cytat import plugins
from cytat.protocols import Reader
from cytat.records import Block, BlockKind, Document, ReadingOptions

FORMATS = plugins.load_formats()


def reader_for(
    content: bytes, source: str, *, named: str | None = None, media_type: str | None = None
) -> Reader:
    """Return the reader for a file, working in this process."""
    found = FORMATS.reader_for(content, source, named=named, media_type=media_type)
    return found.format.open()


def read_document(content: bytes, *, source: str, password: str | None = None) -> Document:
    """Return the document of a file, read in this process."""
    return FORMATS.read(content, source=source, options=ReadingOptions(password=password))


def read(text: str, source: str) -> Document:
    """Return a document of a text in UTF-8."""
    return read_document(text.encode(), source=source)


def words_of(document: Document, kind: BlockKind) -> list[str]:
    """Return the words of the blocks of a kind."""
    return [block.span.of(document.text) for block in document.blocks if block.kind is kind]


def headings(document: Document) -> list[str]:
    """Return the last element of each heading's path."""
    return [b.heading_path[-1] for b in document.blocks if b.kind is BlockKind.HEADING]


def block_with(document: Document, words: str) -> Block:
    """Return the block that holds the first occurrence of some words."""
    start = document.text.index(words)
    return next(b for b in document.blocks if b.span.start <= start < b.span.end)


def path_above(document: Document, words: str) -> tuple[str, ...]:
    """Return the heading path of the block that holds some words."""
    return block_with(document, words).heading_path


def page_of(document: Document, words: str) -> int:
    """Return the number of the page on which the first occurrence of some words begins."""
    start = document.text.index(words)
    found = next(part for part in document.parts if part.span.start <= start < part.span.end)
    assert found.number is not None
    return found.number
