"""The cutters beside the default one: what each makes of a text whose cuts can be told by hand."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from typing_extensions import override

from cytat.chunking import (
    BoundaryChunker,
    SemanticChunker,
    SentenceWindowChunker,
    is_same_chunking,
    open_chunker,
    parse_chunker_name,
)
from cytat.errors import UsageError
from cytat.protocols import Chunker, MissingVectorsError, Vectors
from cytat.records import Block, BlockKind, Document, Span
from cytat.testing.chunkers import document_of, per_word, plain_document
from cytat.testing.embedders import FakeEmbedder


def words_of(chunker: Chunker, document: Document) -> list[str]:
    return [chunk.span.of(document.text) for chunk in chunker.cut(document)]


# ---------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("name", "stamp"),
    [
        ("structure", "structure/1:128"),
        ("structure:100", "structure/1:100"),
        ("pathless:100", "pathless/1:100"),
        ("boundaries:64", "boundaries/1:64"),
        ("fixed:64+16", "fixed/1:64+16"),
        ("fixed:64", "fixed/1:64+0"),
        ("Sentences:4+1", "sentences/1:4+1:128"),
        ("sentences:4+1:90", "sentences/1:4+1:90"),
        ("semantic:90", f"semantic/1:90:128@{FakeEmbedder().weights[:8]}"),
        ("semantic", f"semantic/1:95:128@{FakeEmbedder().weights[:8]}"),
    ],
)
def test_a_name_opens_its_cutter_and_so_does_its_stamp(name: str, stamp: str) -> None:
    embedder = FakeEmbedder(max_tokens=128)
    assert open_chunker(name, embedder=embedder).name == stamp
    assert open_chunker(stamp, embedder=embedder).name == stamp


@pytest.mark.parametrize(
    "name",
    [
        "",
        "paragraphs",
        "structure:",
        "structure:9+2",
        "fixed:a",
        "fixed:9:9",
        "semantic:1+2",
        "x/1:3",
    ],
)
def test_a_name_that_no_cutter_has_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(UsageError, match="unknown chunking") as refused:
        open_chunker(name, embedder=FakeEmbedder())
    for known in ("structure", "boundaries", "fixed", "sentences", "semantic"):
        assert known in refused.value.hint


@pytest.mark.parametrize(
    "name", ["structure:0", "fixed:9+9", "sentences:0", "sentences:3+3", "semantic:101"]
)
def test_numbers_that_make_no_sense_are_refused(name: str) -> None:
    with pytest.raises(UsageError):
        open_chunker(name, embedder=FakeEmbedder())


def test_no_budget_is_more_than_the_encoder_sees() -> None:
    chunker = open_chunker("fixed:9000+20", embedder=FakeEmbedder(max_tokens=100))
    assert chunker.name == "fixed/1:100+20"


def test_a_parsed_name_is_written_as_a_person_writes_it() -> None:
    for name in ("structure", "boundaries:64", "fixed:64+16", "sentences:4+1:90", "semantic:90"):
        assert parse_chunker_name(name).text == name


def test_tokens_alone_are_never_written_as_a_number_of_sentences() -> None:
    windows = replace(parse_chunker_name("sentences"), tokens=64)
    assert windows.text == "sentences:5:64"
    assert parse_chunker_name(windows.text) == replace(windows, number=5)
    assert replace(parse_chunker_name("semantic"), tokens=64).text == "semantic:95:64"


def test_version_and_encoder_do_not_make_another_chunking() -> None:
    assert is_same_chunking("structure/1:320", "structure/2:320")
    assert is_same_chunking("semantic/1:95:320@aa", "semantic/1:95:320@bb")
    assert not is_same_chunking("structure/1:320", "structure/1:321")


# ---------------------------------------------------------------- boundaries


def test_boundaries_fill_chunks_with_paragraphs_across_headings() -> None:
    document = plain_document("# One\n\nA b c.\n\n# Two\n\nD e f.\n\nG h i j k l m n o p.")
    assert words_of(BoundaryChunker(14, per_word), document) == [
        "# One\n\nA b c.\n\n# Two\n\nD e f.",  # 2 + 4 + 2 + 4 tokens
        "G h i j k l m n o p.",  # 11
    ]


def test_only_structure_puts_headings_in_front() -> None:
    document = plain_document("# One\n\nA b c.\n\nD e f.")
    embedder = FakeEmbedder()
    for name in ("fixed:20", "boundaries", "sentences", "semantic"):
        assert {
            chunk.heading_path for chunk in open_chunker(name, embedder=embedder).cut(document)
        } == {()}
    (chunk,) = open_chunker("structure", embedder=embedder).cut(document)
    assert chunk.heading_path == ("One",)


def test_pathless_has_the_spans_of_structure_and_no_path() -> None:
    document = plain_document("# One\n\nA b c.\n\n# Two\n\nD e f.\n\nD e f.")
    embedder = FakeEmbedder()
    with_path = open_chunker("structure:12", embedder=embedder).cut(document)
    without = open_chunker("pathless:12", embedder=embedder).cut(document)
    assert [one.span for one in without] == [one.span for one in with_path]
    assert {one.heading_path for one in with_path} == {("One",), ("Two",)}
    assert {one.heading_path for one in without} == {()}
    assert len({one.id for one in without}) == len(without)


def test_a_paragraph_over_the_budget_is_cut_between_sentences() -> None:
    document = plain_document("A b c d. E f g h. I j k l.")  # five tokens each
    assert words_of(BoundaryChunker(10, per_word), document) == [
        "A b c d. E f g h.",
        "I j k l.",
    ]


def test_furniture_stays_alone() -> None:
    text = "Header\n\nBody one.\n\nBody two."
    blocks = [
        Block(BlockKind.FURNITURE, Span(0, 6), ()),
        Block(BlockKind.PARAGRAPH, Span(8, 17), ()),
        Block(BlockKind.PARAGRAPH, Span(19, 28), ()),
    ]
    document = document_of(text, blocks)
    for name in ("boundaries", "sentences", "semantic"):
        chunker = open_chunker(name, embedder=FakeEmbedder())
        assert words_of(chunker, document) == ["Header", "Body one.\n\nBody two."]


# ---------------------------------------------------------------- windows of sentences

SIX = "One ant. Two bees. Three cats. Four dogs. Five eels. Six frogs."


def windows(text: str, sentences: int, shared: int, *, budget: int = 100) -> list[str]:
    chunker = SentenceWindowChunker(budget, per_word, sentences=sentences, shared=shared)
    return words_of(chunker, plain_document(text))


def test_windows_hold_so_many_sentences_and_share_as_many_as_said() -> None:
    assert windows(SIX, 3, 0) == [
        "One ant. Two bees. Three cats.",
        "Four dogs. Five eels. Six frogs.",
    ]
    assert windows(SIX, 3, 1) == [
        "One ant. Two bees. Three cats.",
        "Three cats. Four dogs. Five eels.",
        "Five eels. Six frogs.",
    ]


def test_a_window_over_the_budget_holds_fewer_sentences() -> None:
    assert windows(SIX, 5, 0, budget=7) == [  # three tokens each
        "One ant. Two bees.",
        "Three cats. Four dogs.",
        "Five eels. Six frogs.",
    ]


def test_what_is_shared_gives_way_to_a_sentence_that_would_not_fit() -> None:
    text = "A b c. D e f. " + "Long " * 7 + "one."
    assert windows(text, 2, 1, budget=9) == ["A b c. D e f.", ("Long " * 7 + "one.").strip()]


def test_rows_of_a_table_count_as_sentences() -> None:
    text = "a | 1\nb | 2\nc | 3\nd | 4"
    document = document_of(text, [Block(BlockKind.TABLE, Span(0, len(text)), ())])
    chunker = SentenceWindowChunker(50, per_word, sentences=2, shared=0)
    assert words_of(chunker, document) == ["a | 1\nb | 2", "c | 3\nd | 4"]


# ---------------------------------------------------------------- semantic


class TopicEmbedder(FakeEmbedder):
    """One direction a topic: sentences of cats point one way, those of taxes another."""

    def __init__(self) -> None:
        super().__init__(dimensions=2)
        self.seen: list[str] = []

    @override
    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        self.seen += texts
        return np.array([[1, 0] if "cat" in text else [0, 1] for text in texts], dtype=np.float32)


CATS = "A cat sleeps. The cat eats. Every cat purrs."
TAXES = "The tax is due. A tax form is long. No tax is small."


def test_a_chunk_ends_where_the_subject_changes() -> None:
    chunker = SemanticChunker(100, TopicEmbedder(), percentile=95)
    assert words_of(chunker, plain_document(f"{CATS} {TAXES}")) == [CATS, TAXES]


def test_each_sentence_is_embedded_once() -> None:
    embedder = TopicEmbedder()
    SemanticChunker(20, embedder, percentile=95).cut(plain_document(f"{CATS} {TAXES}"))
    assert len(embedder.seen) == 6


def test_within_the_budget_the_widest_gap_near_its_end_is_taken() -> None:
    # No gap is above the last percentile; four sentences would fit, three are of one subject.
    chunker = SemanticChunker(20, TopicEmbedder(), percentile=100)
    assert words_of(chunker, plain_document(f"{CATS} {TAXES}")) == [CATS, TAXES]


def test_a_sentence_that_the_encoder_fails_on_has_no_say() -> None:
    class FailsOnOne(TopicEmbedder):
        @override
        def embed_documents(self, texts: Sequence[str]) -> Vectors:
            vectors = super().embed_documents(texts)
            vectors[1] = np.nan
            raise MissingVectorsError(vectors, {1: "it is odd"}, hint="none")

    chunker = SemanticChunker(100, FailsOnOne(), percentile=95)
    assert words_of(chunker, plain_document(f"{CATS} {TAXES}")) == [CATS, TAXES]
