"""The conformance suite of the Reader seam: what every reader must hold, for good and bad bytes.

A test class of a reader inherits `ReaderContract` and defines the fixtures `file_format`, which is
what the plug-in registers, and `samples`: names with bytes that the reader can read.
`assert_document` says what a document is anywhere.
"""

from collections.abc import Mapping
from itertools import pairwise

import pytest

from cytat.errors import ReadingError
from cytat.protocols import DrawsBoxes, FileFormat, Fit, Reader
from cytat.reading.choice import sample_of
from cytat.records import Document, LocatorKind, ReadingOptions
from cytat.text.identity import document_id, version_of

NOTHING_SAID = ReadingOptions()
_CUTS = 40
"""Places at which each sample is cut off, to see what half a file does."""
_CODES = {"no-text", "needs-password", "empty", "unreadable", "unsupported-type", "too-large"}


def assert_document(document: Document) -> None:
    """Check the laws of a document: its text, blocks, pages and ledger fit one another."""
    assert_text(document.text)
    assert_blocks(document)
    assert_parts(document)
    assert document.title
    assert document.reader
    assert all(said and said == said.strip() for said in document.metadata.values())


def assert_text(text: str) -> None:
    """Check that a text can be stored and sent: no NUL, no half of a character, no mark."""
    assert "\0" not in text
    assert not text.startswith("\ufeff")
    text.encode("utf-8")


def assert_blocks(document: Document) -> None:
    """Check that the blocks hold every word once, in order, without white space around."""
    place = 0
    for block in document.blocks:
        words = block.span.of(document.text)
        assert words
        assert words == words.strip()
        between = document.text[place : block.span.start]
        assert block.span.start >= place
        assert not between.strip(), f"no block holds {between!r}"
        assert all(label and label == label.strip() for label in block.heading_path)
        place = block.span.end
    assert not document.text[place:].strip(), f"no block holds {document.text[place:]!r}"


def assert_parts(document: Document) -> None:
    """Check that parts are in text order, named, numbered from 1, and pages are in the ledger."""
    for kind in {part.kind for part in document.parts}:
        parts = [part for part in document.parts if part.kind is kind]
        numbers = [part.number for part in parts if part.number is not None]
        assert numbers == list(range(1, len(numbers) + 1))
        if kind in {LocatorKind.PAGE, LocatorKind.SLIDE}:
            assert document.ledger.parts == len(parts)
    for part in document.parts:
        assert part.label
        assert part.fragment.startswith("#")
        assert part.span.end <= len(document.text)
    assert all(one.span.end <= other.span.start for one, other in pairwise(document.parts))


def assert_named(failure: ReadingError) -> None:
    """Check that a failure says what it is and what to do about it."""
    assert failure.code in _CODES
    assert failure.message
    assert failure.hint


def assert_format(format_: FileFormat, samples: Mapping[str, bytes]) -> None:
    """Check what a plug-in registers: its reader, its name for people, which files it knows."""
    reader = format_.open()
    assert reader.name == format_.reader
    assert {"en", "pl"} <= format_.titles.keys()
    assert isinstance(reader, DrawsBoxes) == format_.draws_boxes
    for source, content in samples.items():
        assert format_.fits(sample_of(content, source)) > Fit.NONE, source
        document = reader.read(content, source=source, options=NOTHING_SAID)
        assert {part.kind for part in document.parts} <= format_.places
    for content in (b"", b"\0", b"PK\x03\x04", b"\xff" * 5000):
        assert format_.fits(sample_of(content, "")) in set(Fit)


class ReaderContract:
    """What every reader must hold."""

    @pytest.fixture
    def reader(self, file_format: FileFormat) -> Reader:
        """The reader of the format."""
        return file_format.open()

    def test_its_format_says_what_it_is(
        self, file_format: FileFormat, samples: Mapping[str, bytes]
    ) -> None:
        """What is known of the reader before it is opened is true of it."""
        assert_format(file_format, samples)

    def test_documents_hold_the_laws(self, reader: Reader, samples: Mapping[str, bytes]) -> None:
        """Every sample is a document whose parts fit one another."""
        for source, content in samples.items():
            assert_document(reader.read(content, source=source, options=NOTHING_SAID))

    def test_documents_are_named_by_their_source_and_bytes(
        self, reader: Reader, samples: Mapping[str, bytes]
    ) -> None:
        """Id, version and the reader's name are what the stamp will say."""
        for source, content in samples.items():
            document = reader.read(content, source=source, options=NOTHING_SAID)
            assert document.id == document_id(source)
            assert document.version == version_of(content)
            assert document.reader == reader.name

    def test_the_same_bytes_are_the_same_document(
        self, reader: Reader, samples: Mapping[str, bytes]
    ) -> None:
        """Nothing is kept from one file to the next."""
        first = [reader.read(samples[name], source=name, options=NOTHING_SAID) for name in samples]
        again = [reader.read(samples[name], source=name, options=NOTHING_SAID) for name in samples]
        assert again == first

    def test_half_a_file_is_a_document_or_a_named_failure(
        self, reader: Reader, samples: Mapping[str, bytes]
    ) -> None:
        """A file that was cut off never ends in anything but `ReadingError`."""
        for source, content in samples.items():
            for part in range(_CUTS):
                half = content[: len(content) * part // _CUTS]
                try:
                    document = reader.read(half, source=source, options=NOTHING_SAID)
                except ReadingError as problem:
                    assert_named(problem)
                else:
                    assert_document(document)
