"""Bytes of any text-like file -> Document. The text is the file itself, so offsets are the file's.

Tables of separated values and source code are one block each: where to cut between rows and lines
is the chunker's business. Everything else is read as prose with headings known by their form.
"""

from collections.abc import Sequence

from cytat.reading.extraction import (
    Extraction,
    document_from,
    one_part,
    refuse_blank,
    suffix_of,
    trimmed,
    word_set,
)
from cytat.reading.structure import HeadingStack
from cytat.reading.text.encoding import decode_file
from cytat.reading.text.paragraphs import plain_blocks
from cytat.records import Block, BlockKind, Document, FragmentStyle, ReadingOptions

TABLES = {".csv": "text/csv", ".tsv": "text/tab-separated-values", ".tab": "text/csv"}
CODE = word_set(
    ".json .jsonl .ndjson .xml .yaml .yml .toml .ini .cfg .conf .properties .log .sql .sh .bash "
    ".bat .ps1 .py .pyi .js .mjs .cjs .ts .tsx .jsx .css .scss .c .h .cc .cpp .cxx .hpp .cs .java "
    ".kt .go .rs .rb .php .pl .lua .swift .scala .r .m .jl .hs .ml .ex .exs .erl .clj .el .lisp "
    ".vb .pas .f90 .asm .s .diff .patch .mk .cmake .gradle .tex .bib .svg .srt .vtt"
)
"""Suffixes of files whose lines and indents carry meaning; subtitles are told by lines too."""


class PlainReader:
    """Reads text, tables of separated values, code and logs."""

    name = "plain/2"

    def read(self, content: bytes, *, source: str, options: ReadingOptions) -> Document:  # noqa: ARG002
        """Return the document; raise `ReadingError` if it is empty or no text."""
        decoded = decode_file(content, declared=None, source=source)
        refuse_blank(decoded.text, source=source)
        suffix = suffix_of(source)
        blocks = _blocks(decoded.text, suffix)
        return document_from(
            Extraction(
                title=_underlined_title(decoded.text, blocks),
                text=decoded.text,
                blocks=tuple(blocks),
                parts=(),
                fragments=FragmentStyle.CHARACTERS,
                metadata={"encoding": decoded.encoding},
                ledger=one_part(left_out=0, problems=decoded.problems),
            ),
            content=content,
            source=source,
            media_type=_media_type(suffix),
            reader=self.name,
        )


def _blocks(text: str, suffix: str) -> list[Block]:
    if suffix not in TABLES and suffix not in CODE:
        return plain_blocks(text, HeadingStack())
    kind = BlockKind.TABLE if suffix in TABLES else BlockKind.CODE
    span = trimmed(text, 0, len(text))
    return [Block(kind, span, ())] if span is not None else []


def _underlined_title(text: str, blocks: Sequence[Block]) -> str:
    """Return the title that a text begins with, told by the line of signs below it."""
    first = blocks[0] if blocks else None
    if first is None or first.kind is not BlockKind.HEADING or "\n" not in first.span.of(text):
        return ""
    return first.heading_path[-1] if first.span.of(text)[-1] in "=-~^" else ""


def _media_type(suffix: str) -> str:
    return TABLES.get(suffix) or ("application/json" if suffix == ".json" else "text/plain")
