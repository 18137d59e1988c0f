"""The suite every store has to pass, and small document versions to fill one with.

`StoreContract` is the seam's contract: inherit it in a test class that has a fixture `store`.
"""

from collections.abc import Mapping

import numpy as np
import pytest

from cytat.errors import SourceError, VectorSpaceError
from cytat.fulltext import terms_of_chunk
from cytat.protocols import NewVersion, Vectors
from cytat.records import (
    Block,
    BlockKind,
    Chunk,
    Document,
    DocumentState,
    FileStamp,
    FragmentStyle,
    Ledger,
    Span,
    Stamp,
    Unread,
    VectorSpace,
)
from cytat.store import Store
from cytat.text.identity import chunk_id, document_id, passage_text, text_hash, version_of

WHOLE = Ledger(parts=1, read=1, empty=0, ocr=0, failed=0, left_out=0, problems=())
SPACE = VectorSpace(embedder="fake", dimensions=4, weights="w")


def make_version(
    source: str,
    text: str,
    *,
    chunk_characters: int = 10,
    given: Mapping[str, str] | None = None,
    vectors: Mapping[bytes, Vectors] | None = None,
) -> NewVersion:
    """Return a version of a plain text, cut every `chunk_characters`."""
    name = document_id(source)
    spans = [
        Span(start, min(start + chunk_characters, len(text)))
        for start in range(0, len(text), chunk_characters)
    ]
    document = Document(
        id=name,
        source=source,
        version=version_of(text.encode()),
        title=source,
        media_type="text/plain",
        text=text,
        blocks=(Block(BlockKind.PARAGRAPH, Span(0, len(text)), ()),),
        parts=(),
        fragments=FragmentStyle.CHARACTERS,
        metadata={"author": "Ala"},
        ledger=WHOLE,
        reader="fake/1",
    )
    chunks = tuple(
        Chunk(chunk_id(name, (), span.of(text), occurrence=at), name, span, (), "")
        for at, span in enumerate(spans)
    )
    return NewVersion(
        document=document,
        chunks=chunks,
        terms=[
            terms_of_chunk(chunk, title=source, words=chunk.span.of(text), language="pl")
            for chunk in chunks
        ],
        vectors=vectors or {},
        state=DocumentState.INDEXED,
        code=None,
        message=None,
        hint=None,
        file=FileStamp(size=len(text.encode()), modified_ns=0),
        language="pl",
        given=given or {},
        stamp=Stamp(document.version, "fake/1", "fake/1:10", "fake", 4, "w", 1),
    )


def make_unread(source: str, state: DocumentState, code: str) -> Unread:
    """Return a file that could not be read."""
    return Unread(
        document_id(source), source, state, code, f"{source} is {code}", "mend it", None, None
    )


class Interrupted(Exception):  # noqa: N818 - what happened, not what is wrong
    """Something failed in the middle of a write."""


def _write_half(store: Store, new: NewVersion) -> None:
    with store.writing():
        store.replace(new)
        raise Interrupted


class StoreContract:
    """What every store promises. Provide a fixture `store`, empty, in the class that inherits."""

    def test_text_comes_back_as_it_was(self, store: Store) -> None:
        text = "Zażółć 😀\r\ngęślą\x00 jaźń\n" * 3_000
        store.replace(make_version("a.txt", text, chunk_characters=50_000))
        assert store.text(document_id("a.txt")) == text

    def test_every_span_is_the_slice_of_the_text(self, store: Store) -> None:
        text = "".join(chr(0x3B1 + at % 24) + "\n" * (at % 7 == 0) for at in range(40_000))
        store.replace(make_version("a.txt", text, chunk_characters=50_000))
        for start, end in ((0, 1), (15_999, 16_001), (0, 45_714), (31_990, 32_010), (7, 7)):
            assert store.slice(document_id("a.txt"), Span(start, end)) == text[start:end]

    def test_a_span_past_the_end_is_an_error(self, store: Store) -> None:
        store.replace(make_version("a.txt", "krótki tekst"))
        with pytest.raises(ValueError, match="past"):
            store.slice(document_id("a.txt"), Span(5, 13))

    def test_a_new_version_leaves_nothing_of_the_old(self, store: Store) -> None:
        store.replace(make_version("plan.md", "kod stary 111, " * 5))
        store.replace(make_version("plan.md", "kod nowy"))
        assert store.text(document_id("plan.md")) == "kod nowy"
        assert [stored.chunk.span for stored in store.chunks(document_id("plan.md"))] == [
            Span(0, 8)
        ]
        assert store.status().totals["chunks"] == 1

    def test_passages_come_with_their_words_and_places(self, store: Store) -> None:
        new = make_version("a.txt", "0123456789ABCDEFGHIJ")
        with store.writing() as writing:
            writing.replace(new)
        first, second = (chunk.id for chunk in new.chunks)
        with store.moment() as moment:
            passages = moment.passages([second, first])
        assert {key: passage.excerpt.text for key, passage in passages.items()} == {
            first: "0123456789",
            second: "ABCDEFGHIJ",
        }
        assert passages[second].chunk.span == Span(10, 20)
        assert passages[second].locator.label == "line 1"

    def test_a_failure_undoes_the_whole_block(self, store: Store) -> None:
        generation = store.generation
        with pytest.raises(Interrupted):
            _write_half(store, make_version("a.txt", "tekst"))
        assert store.documents() == ()
        assert store.generation == generation

    def test_a_failure_within_a_block_undoes_its_own_part(self, store: Store) -> None:
        with store.writing():
            store.replace(make_version("a.txt", "zostaje"))
            with pytest.raises(Interrupted):
                _write_half(store, make_version("b.txt", "znika"))
        assert [document.source for document in store.documents()] == ["a.txt"]

    def test_the_generation_rises_with_what_is_written_and_with_nothing_else(
        self, store: Store
    ) -> None:
        before = store.generation
        store.replace(make_version("a.txt", "tekst"))
        assert store.generation == before + 1
        store.status()
        store.claim_space(SPACE)
        assert store.generation == before + 1
        store.remove(document_id("a.txt"))
        assert store.generation == before + 2

    def test_a_file_that_fails_keeps_its_last_good_version_as_stale(self, store: Store) -> None:
        store.replace(make_version("a.pdf", "dobra wersja"))
        failed = make_unread("a.pdf", DocumentState.FAILED, "needs-password")
        assert store.record_unread(failed) is DocumentState.STALE
        document = store.resolve("a.pdf")
        assert (document.state, document.code) == (DocumentState.STALE, "needs-password")
        assert store.text(document.id) == "dobra wersja"

    def test_a_file_that_was_emptied_leaves_the_index(self, store: Store) -> None:
        store.replace(make_version("a.txt", "dobra wersja"))
        emptied = make_unread("a.txt", DocumentState.SKIPPED, "empty")
        assert store.record_unread(emptied) is DocumentState.SKIPPED
        assert store.text(document_id("a.txt")) == ""
        assert store.chunks(document_id("a.txt")) == ()

    def test_the_same_failure_twice_changes_nothing(self, store: Store) -> None:
        failed = make_unread("a.pdf", DocumentState.FAILED, "unreadable")
        store.record_unread(failed)
        before = store.generation
        store.record_unread(failed)
        assert store.generation == before

    def test_a_source_is_named_by_id_name_or_tail(self, store: Store) -> None:
        store.replace(make_version("umowy/2025/plan.md", "tekst"))
        name = document_id("umowy/2025/plan.md")
        for wanted in (name, "umowy/2025/plan.md", "2025/plan.md", "plan.md", "./plan.md"):
            assert store.resolve(wanted).id == name
        with pytest.raises(SourceError, match="no document") as caught:
            store.resolve("lan.md")
        assert "umowy/2025/plan.md" in caught.value.hint

    def test_an_ambiguous_tail_lists_its_candidates(self, store: Store) -> None:
        store.replace(make_version("a/plan.md", "jeden"))
        store.replace(make_version("b/plan.md", "dwa"))
        with pytest.raises(SourceError, match=r"a/plan\.md, b/plan\.md"):
            store.resolve("plan.md")

    def test_what_a_person_added_overrides_what_the_document_says(self, store: Store) -> None:
        store.replace(make_version("a.txt", "tekst", given={"author": "Ola", "rok": "2025"}))
        assert store.resolve("a.txt").metadata == {"author": "Ola", "rok": "2025"}
        store.add_metadata(document_id("a.txt"), {"rok": "2026"})
        assert store.resolve("a.txt").given == {"author": "Ola", "rok": "2026"}

    def test_another_vector_space_is_refused_once_there_are_vectors(self, store: Store) -> None:
        store.replace(make_version("a.txt", "tekst"))
        store.claim_space(SPACE)
        other = VectorSpace("other", 4, "other weights")
        store.check_space(other)  # no vector yet, nothing to mix
        unit = np.array([1, 0, 0, 0], dtype=np.float32)
        key = text_hash(passage_text("a.txt", (), "", "tekst"))
        store.replace(make_version("a.txt", "tekst", vectors={key: unit}))
        with pytest.raises(VectorSpaceError, match="made with fake") as caught:
            store.check_space(other)
        assert "reindex" in caught.value.hint
        assert store.space() == SPACE
