"""The conformance suite of the Chunker seam: what every cutter must hold, on documents that bite.

A test class of a cutter inherits `ChunkerContract` and defines the fixture `make_chunker`, which
returns what makes the cutter from a budget and a tokeniser. `per_character` and `per_word` are
tokenisers whose counts can be worked out by hand.
"""

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

import pytest

from cytat.protocols import Chunker
from cytat.records import Block, BlockKind, Chunk, Document, FragmentStyle, Ledger, Span
from cytat.text.identity import document_id, passage_text, version_of

TokenEnds: TypeAlias = Callable[[str], Sequence[int]]
MakeChunker: TypeAlias = Callable[[int, TokenEnds], Chunker]

_WORD = re.compile(r"\w+|[^\w\s]")
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n)+")


def per_character(text: str) -> Sequence[int]:
    """Return a token for every code point."""
    return range(1, len(text) + 1)


def per_word(text: str) -> Sequence[int]:
    """Return a token for every word and every sign."""
    return [found.end() for found in _WORD.finditer(text)]


def plain_document(text: str, *, title: str = "", source: str = "plain.txt") -> Document:
    """Return a document with a paragraph for every run of lines between blank lines."""
    return document_of(text, _paragraph_blocks(text), title=title, source=source)


def document_of(
    text: str, blocks: Sequence[Block], *, title: str = "", source: str = "plain.txt"
) -> Document:
    """Return a document with these blocks."""
    return Document(
        id=document_id(source),
        source=source,
        version=version_of(text.encode("utf-8", "surrogatepass")),
        title=title,
        media_type="text/plain",
        text=text,
        blocks=tuple(blocks),
        parts=(),
        fragments=FragmentStyle.CHARACTERS,
        metadata={},
        ledger=Ledger(parts=1, read=1, empty=0, ocr=0, failed=0, left_out=0, problems=()),
        reader="testing/1",
    )


def _paragraph_blocks(text: str) -> list[Block]:
    """Lines that start with `#` are headings of their depth; the rest are paragraphs."""
    blocks: list[Block] = []
    path: tuple[str, ...] = ()
    start = 0
    for end in (*(found.end() for found in _BLANK_LINES.finditer(text)), len(text)):
        words = text[start:end].strip()
        first = start + len(text[start:end]) - len(text[start:end].lstrip())
        depth = len(words) - len(words.lstrip("#"))
        if depth and "\n" not in words:
            path = (*path[: depth - 1], words.lstrip("# "))
        kind = BlockKind.HEADING if depth and "\n" not in words else BlockKind.PARAGRAPH
        if words:
            blocks.append(Block(kind, Span(first, first + len(words)), path))
        start = end
    return blocks


def assert_laws(
    document: Document, chunks: Sequence[Chunk], *, budget_tokens: int, token_ends: TokenEnds
) -> None:
    """Check every law that holds for the chunks of one document."""
    _assert_order(chunks)
    _assert_trimmed(document, chunks)
    _assert_cover(document, chunks)
    _assert_budget(document, chunks, budget_tokens=budget_tokens, token_ends=token_ends)


def _assert_order(chunks: Sequence[Chunk]) -> None:
    starts = [chunk.span.start for chunk in chunks]
    ends = [chunk.span.end for chunk in chunks]
    assert starts == sorted(set(starts)), "starts do not grow"
    assert ends == sorted(set(ends)), "ends do not grow"
    assert len({chunk.id for chunk in chunks}) == len(chunks), "an id stands twice"


def _assert_trimmed(document: Document, chunks: Sequence[Chunk]) -> None:
    for chunk in chunks:
        words = chunk.span.of(document.text)
        assert words, "a chunk is empty"
        assert words == words.strip(), "a span begins or ends with a blank"
        assert chunk.document_id == document.id


def _assert_cover(document: Document, chunks: Sequence[Chunk]) -> None:
    headings = [block.span for block in document.blocks if block.kind is BlockKind.HEADING]
    covered = bytearray(len(document.text))
    for span in (*headings, *(chunk.span for chunk in chunks)):
        covered[span.start : span.end] = b"\x01" * len(span)
    lost = [at for at, sign in enumerate(document.text) if not covered[at] and not sign.isspace()]
    assert not lost, f"{len(lost)} characters lie in no chunk, the first at {lost[0]}"


def _assert_budget(
    document: Document, chunks: Sequence[Chunk], *, budget_tokens: int, token_ends: TokenEnds
) -> None:
    for chunk in chunks:
        words = chunk.span.of(document.text)
        passage = passage_text(document.title, chunk.heading_path, chunk.context, words)
        tokens = len(token_ends(passage))
        assert tokens <= budget_tokens, f"{tokens} tokens exceed {budget_tokens}: {passage[:80]!r}"


class ChunkerContract:
    """Inherit, define the fixture `make_chunker`, and the laws of cutting are checked."""

    @pytest.mark.parametrize(
        "text",
        [
            "",
            " \n\t\n ",
            "a",
            "A" * 100 + "\n\n" + "B" * 100 + "\n\n" + "C" * 300 + "\n\nOstatnie zdanie: 747.",
            "Wstęp. " + "ACGT" * 500,
            "Punkt A. Punkt A. Punkt A. ",
            "x" * 51 + "\n" + "y" * 51 + "\n\n" + "z y x " * 60,
            "# Tytuł\n\nTekst.\n\n## Pusty\n\n## Pełny\n\nDalszy tekst. " + "Zdanie. " * 40,
            "שלום עולם. " * 30 + "\n\n" + "مرحبا بالعالم؟ " * 30,
            "👩‍👩‍👧‍👦🇵🇱" * 40 + " e\u0301" * 80,
            "これは文です。" * 60,
            "a\r\nb\rc\n" * 80,
        ],
    )
    @pytest.mark.parametrize("budget_tokens", [50, 150])
    def test_keeps_the_laws_on_texts_that_bite(
        self, make_chunker: MakeChunker, text: str, budget_tokens: int
    ) -> None:
        """Offset, cover, budget, order and unique ids."""
        for token_ends in (per_character, per_word):
            document = plain_document(text)
            chunks = make_chunker(budget_tokens, token_ends).cut(document)
            assert_laws(document, chunks, budget_tokens=budget_tokens, token_ends=token_ends)

    def test_cuts_the_same_document_the_same_way(self, make_chunker: MakeChunker) -> None:
        """Two cutters made alike agree to the last id."""
        document = plain_document("# A\n\nJeden dwa trzy. " * 40)
        first, second = make_chunker(60, per_word), make_chunker(60, per_word)
        assert first.name == second.name
        assert list(first.cut(document)) == list(second.cut(document))

    def test_names_its_budget(self, make_chunker: MakeChunker) -> None:
        """The stamp must tell two budgets apart."""
        assert make_chunker(60, per_word).name != make_chunker(61, per_word).name
