"""What a reader found -> Document. The steps every reader shares, and nothing of any format."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from cytat.errors import ReadingError
from cytat.records import Block, BlockKind, Document, FragmentStyle, Ledger, Part, Problem, Span
from cytat.text.identity import document_id, version_of


@dataclass(frozen=True, slots=True)
class Extraction:
    """The canonical text of one file with its structure, before it has a name and an id."""

    title: str
    text: str
    blocks: tuple[Block, ...]
    parts: tuple[Part, ...]
    fragments: FragmentStyle
    metadata: Mapping[str, str]
    ledger: Ledger


def document_from(
    extraction: Extraction, *, content: bytes, source: str, media_type: str, reader: str
) -> Document:
    """Return the document; its version is the hash of the bytes read."""
    return Document(
        id=document_id(source),
        source=source,
        version=version_of(content),
        title=extraction.title or stem_of(source),
        media_type=media_type,
        text=extraction.text,
        blocks=extraction.blocks,
        parts=extraction.parts,
        fragments=extraction.fragments,
        metadata=extraction.metadata,
        ledger=extraction.ledger,
        reader=reader,
    )


def word_set(listed: str) -> frozenset[str]:
    """Return the words of a list written as prose."""
    return frozenset(listed.split())


def name_of(source: str) -> str:
    """Return the file name of a path, a URL or an archive member."""
    path = source.rsplit("!/", 1)[-1]
    if "://" in path:
        path = unquote(urlsplit(path).path)
    return PurePosixPath(path).name or source


def stem_of(source: str) -> str:
    """Return the file name without its suffix: the title of a document that states none."""
    name = name_of(source)
    return PurePosixPath(name).stem or name


def suffix_of(source: str) -> str:
    """Return the suffix of the file name in lower case, with its dot; empty if there is none."""
    return PurePosixPath(name_of(source)).suffix.lower()


def one_part(*, left_out: int, problems: Sequence[Problem]) -> Ledger:
    """Return the ledger of a format whose only part is the whole file."""
    return Ledger(
        parts=1, read=1, empty=0, ocr=0, failed=0, left_out=left_out, problems=tuple(problems)
    )


def trimmed(text: str, start: int, end: int) -> Span | None:
    """Return the span without the white space around it; None if nothing else is there."""
    piece = text[start:end]
    words = piece.strip()
    if not words:
        return None
    start += len(piece) - len(piece.lstrip())
    return Span(start, start + len(words))


def gaps_filled(text: str, blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Return the blocks with a paragraph for each stretch of words between two of them."""
    filled: list[Block] = []
    place = 0
    path: tuple[str, ...] = ()
    for block in blocks:
        if gap := trimmed(text, place, block.span.start):
            filled.append(Block(BlockKind.PARAGRAPH, gap, path))
        filled.append(block)
        place, path = block.span.end, block.heading_path
    if gap := trimmed(text, place, len(text)):
        filled.append(Block(BlockKind.PARAGRAPH, gap, path))
    return tuple(filled)


def refuse_blank(text: str, *, source: str) -> None:
    """Raise `ReadingError` with `empty` for a text without one character that is not blank."""
    if not text or text.isspace():
        raise ReadingError(
            "empty",
            f"{name_of(source)} holds no text",
            hint="Nothing to do, unless the file should have words in it.",
        )
