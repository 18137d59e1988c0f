"""The law of offsets: every chunk slices to its text, between characters as people see them."""

import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from cytat.chunking import (
    BoundaryChunker,
    FixedChunker,
    SemanticChunker,
    SentenceWindowChunker,
    StructureChunker,
)
from cytat.protocols import Chunker
from cytat.records import Document
from cytat.testing.chunkers import per_character, per_word
from cytat.testing.documents import documents, texts
from cytat.testing.embedders import FakeEmbedder
from cytat.text.locators import position_of_utf8, position_of_utf16, utf8_offset, utf16_offset
from cytat.text.sentences import sentence_spans

CHUNKERS = st.one_of(
    st.builds(StructureChunker, st.integers(40, 200), st.just(per_character)),
    st.builds(StructureChunker, st.integers(10, 60), st.just(per_word)),
    st.builds(FixedChunker, st.integers(40, 200), st.integers(0, 39), st.just(per_character)),
    st.builds(BoundaryChunker, st.integers(40, 200), st.just(per_character)),
    st.builds(
        SentenceWindowChunker,
        st.integers(40, 200),
        st.just(per_character),
        sentences=st.integers(3, 6),
        shared=st.integers(0, 2),
    ),
    st.builds(
        SemanticChunker,
        st.integers(10, 60),
        st.just(FakeEmbedder()),
        percentile=st.integers(0, 100),
    ),
)


@settings(deadline=None, max_examples=60)
@given(document=documents(), chunker=CHUNKERS)
def test_every_chunk_is_a_trimmed_slice_in_order(document: Document, chunker: Chunker) -> None:
    chunks = chunker.cut(document)
    for chunk in chunks:
        words = chunk.span.of(document.text)
        assert words == document.text[chunk.span.start : chunk.span.end]
        assert words == words.strip() != ""
    starts = [chunk.span.start for chunk in chunks]
    assert starts == sorted(set(starts))
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    assert list(chunker.cut(document)) == list(chunks)


@settings(deadline=None, max_examples=40)
@given(document=documents(), chunker=CHUNKERS)
def test_no_chunk_begins_with_a_mark_of_the_letter_before(
    document: Document, chunker: Chunker
) -> None:
    block_starts = {block.span.start for block in document.blocks}
    for chunk in chunker.cut(document):
        start = chunk.span.start
        if start and start not in block_starts and not document.text[start - 1].isspace():
            assert unicodedata.category(document.text[start]) not in {"Mn", "Me"}
            assert "\u200d" not in document.text[start - 1 : start + 1]


@settings(deadline=None, max_examples=50)
@given(text=texts(), data=st.data())
def test_offsets_of_browsers_and_files_lead_back(text: str, data: st.DataObject) -> None:
    position = data.draw(st.integers(0, len(text)))
    assert position_of_utf16(text, utf16_offset(text, position)) == position
    assert position_of_utf8(text, utf8_offset(text, position)) == position
    assert utf8_offset(text, position) == len(text[:position].encode())


@settings(deadline=None, max_examples=80)
@given(text=texts())
def test_sentences_are_trimmed_in_order_and_cover(text: str) -> None:
    end = 0
    for span in sentence_spans(text):
        assert text[end : span.start].strip() == ""
        assert span.of(text) == span.of(text).strip() != ""
        end = span.end
    assert text[end:].strip() == ""
