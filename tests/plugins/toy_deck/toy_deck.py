"""Reads decks: a text that begins with DECK, its slides separated by lines of three dashes."""

from cytat.errors import ReadingError
from cytat.protocols import FileFormat, FileSample, Fit
from cytat.reading.extraction import Extraction, document_from
from cytat.records import (
    Block,
    BlockKind,
    Document,
    FragmentStyle,
    Ledger,
    LocatorKind,
    Part,
    ReadingOptions,
    Span,
)

OPENING = b"DECK\n"
BETWEEN = "\n---\n"


class DeckReader:
    """A slide is a part and a block; its first line is its title."""

    name = "toy-deck/1"

    def read(self, content: bytes, *, source: str, options: ReadingOptions) -> Document:
        """Return the document; ReadingError with a code where there is none."""
        try:
            slides = content.removeprefix(OPENING).decode().split(BETWEEN)
        except UnicodeDecodeError as error:
            raise ReadingError(
                "unreadable", "the deck is not UTF-8", hint="save it again"
            ) from error
        parts: list[Part] = []
        blocks: list[Block] = []
        at = 0
        for number, slide in enumerate(slides, start=1):
            words = slide.strip()
            span = Span(at, at + len(words))
            parts.append(Part(LocatorKind.SLIDE, str(number), f"#slide={number}", span, number))
            if words:
                path = (words.partition("\n")[0].strip(),)
                blocks.append(Block(BlockKind.PARAGRAPH, span, path))
            at = span.end + len("\n\n")
        if not blocks:
            raise ReadingError("empty", "no slide has a word", hint="nothing is to be done")
        return document_from(
            Extraction(
                title=blocks[0].heading_path[0],
                text="\n\n".join(slide.strip() for slide in slides),
                blocks=tuple(blocks),
                parts=tuple(parts),
                fragments=FragmentStyle.CHARACTERS,
                metadata={},
                ledger=Ledger(
                    parts=len(parts),
                    read=len(blocks),
                    empty=len(parts) - len(blocks),
                    ocr=0,
                    failed=0,
                    left_out=0,
                    problems=(),
                ),
            ),
            content=content,
            source=source,
            media_type="text/x-deck",
            reader=self.name,
        )


def fits(sample: FileSample) -> Fit:
    """Say how sure it is that a file is a deck."""
    if sample.head.startswith(OPENING):
        return Fit.CONTENT
    return Fit.NAME if sample.suffix == ".deck" else Fit.NONE


DECK = FileFormat(
    reader=DeckReader.name,
    titles={"en": "a deck of slides", "pl": "zestaw slajdów"},
    places=frozenset({LocatorKind.SLIDE}),
    fits=fits,
    open=DeckReader,
)
