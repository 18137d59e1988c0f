"""What a store promises of documents: texts, places, states, names, counts, filters."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from cytat.analysis.filters import parse_where
from cytat.errors import CorpusFormatError, SourceError
from cytat.protocols import Store
from cytat.records import (
    Block,
    BlockKind,
    ChunkId,
    Coverage,
    DocumentId,
    DocumentState,
    FragmentStyle,
    Ledger,
    LocatorKind,
    Part,
    Span,
    StoredDocument,
)
from cytat.testing.stores.versions import (
    StoreFixtures,
    ids,
    make_passages,
    make_unread,
    make_version,
    put,
)
from cytat.text.identity import document_id, text_hash

A = document_id("a.txt")


def _resolved(store: Store, source: str) -> StoredDocument:
    with store.moment() as moment:
        return moment.resolve(source)


class DocumentsContract(StoreFixtures):
    """Documents go in and come back whole, and are found by name, state and filter."""

    # ------------------------------------------------------------ texts and places

    def test_text_comes_back_as_it_was(self, store: Store) -> None:
        text = "Zażółć 😀\r\ngęślą\x00 jaźń\n" * 3_000
        put(store, make_version("a.txt", text, chunk_characters=50_000))
        with store.moment() as moment:
            assert moment.text(A) == text

    def test_every_span_is_the_slice_of_the_text(self, store: Store) -> None:
        text = "".join(chr(0x3B1 + at % 24) + "\n" * (at % 7 == 0) for at in range(40_000))
        put(store, make_version("a.txt", text, chunk_characters=50_000))
        with store.moment() as moment:
            for start, end in ((0, 1), (15_999, 16_001), (0, 45_714), (31_990, 32_010), (7, 7)):
                excerpt = moment.excerpt(A, Span(start, end))
                assert excerpt.text == text[start:end]
                assert excerpt.first_line == text[:start].count("\n") + 1

    def test_lines_end_at_each_kind_of_break(self, store: Store) -> None:
        put(store, make_version("a.txt", "jeden\ndwa\r\ntrzy\rcztery", chunk_characters=50))
        with store.moment() as moment:
            excerpt = moment.excerpt(A, Span(6, 17))
        assert (excerpt.text, excerpt.first_line, excerpt.last_line) == ("dwa\r\ntrzy\rc", 2, 4)

    def test_a_span_past_the_end_is_an_error(self, store: Store) -> None:
        put(store, make_version("a.txt", "krótki tekst"))
        with store.moment() as moment, pytest.raises(ValueError, match="past"):
            moment.excerpt(A, Span(5, 13))

    def test_an_unknown_document_has_no_text(self, store: Store) -> None:
        unknown = DocumentId("d0")
        with store.moment() as moment:
            assert moment.document(unknown) is None
            assert tuple(moment.chunks(unknown)) == ()
            for read in (moment.text, moment.blocks, moment.parts):
                with pytest.raises(SourceError, match="no document d0"):
                    read(unknown)
            with pytest.raises(SourceError, match="no document d0"):
                moment.excerpt(unknown, Span(0, 0))

    def test_blocks_and_parts_come_back_as_they_were(self, store: Store) -> None:
        new = make_version("a.pdf", "strona pierwsza strona druga   ", chunk_characters=16)
        blocks = (
            Block(BlockKind.HEADING, Span(0, 15), ("Strona",), "s1"),
            Block(BlockKind.TABLE, Span(16, 28), ("Strona", "Druga")),
        )
        parts = (
            Part(LocatorKind.PAGE, "1", "#page=1", Span(0, 16), 1),
            Part(LocatorKind.PAGE, "1", "#page=2", Span(16, 31), 2),
        )
        words = FragmentStyle.WORDS
        document = replace(new.document, blocks=blocks, parts=parts, fragments=words)
        put(store, replace(new, document=document))
        with store.moment() as moment:
            assert tuple(moment.blocks(document.id)) == blocks
            assert tuple(moment.parts(document.id)) == parts
            assert moment.fragments(document.id) is words
            passages = moment.passages(ids(new))
        assert [passages[name].locator.label for name in ids(new)] == ["p. 1", "p. 2 (1)"]

    def test_passages_come_with_their_words_and_places(self, store: Store) -> None:
        new = make_version("a.txt", "0123456789ABCDEFGHIJ")
        put(store, new)
        first, second = ids(new)
        with store.moment() as moment:
            passages = moment.passages([second, first])
        assert {key: passage.excerpt.text for key, passage in passages.items()} == {
            first: "0123456789",
            second: "ABCDEFGHIJ",
        }
        assert passages[second].chunk == new.chunks[1]
        assert passages[second].locator.label == "line 1"
        assert (passages[second].source, passages[second].version) == (
            "a.txt",
            new.document.version,
        )

    def test_surroundings_are_what_is_at_spans_of_documents(self, store: Store) -> None:
        text = "".join(f"wiersz {at}\n" for at in range(5_000))
        new = make_version("a.txt", text, chunk_characters=50_000)
        blocks = tuple(
            Block(BlockKind.PARAGRAPH, Span(at, at + 1_000), (f"{at}",))
            for at in range(0, 50_000, 1_000)
        )
        put(store, replace(new, document=replace(new.document, blocks=blocks)))
        put(store, make_version("b.txt", "inny tekst"))
        other, spans = document_id("b.txt"), (Span(15_990, 33_000), Span(40_500, 41_000))
        with store.moment() as moment:
            found = moment.surroundings({A: spans, other: (Span(0, 4),)})
            excerpts = [moment.excerpt(A, span) for span in spans]
        assert [one.span for one in found[A].stretches] == list(spans)
        assert [one.excerpt for one in found[A].stretches] == excerpts
        assert found[A].version == new.document.version
        starts = [block.span.start for block in found[A].blocks]
        assert starts == [*range(15_000, 33_000, 1_000), 40_000]
        assert [one.excerpt.text for one in found[other].stretches] == ["inny"]

    def test_surroundings_are_cut_to_the_text_and_absent_where_there_is_none(
        self, store: Store
    ) -> None:
        put(store, make_version("a.txt", "krótki tekst"))
        with store.writing() as writing:
            writing.record_unread(make_unread("b.txt", DocumentState.FAILED, "broken"))
        wanted = (Span(7, 900), Span(500, 900))
        with store.moment() as moment:
            names = (A, document_id("b.txt"), document_id("c.txt"))
            found = moment.surroundings(dict.fromkeys(names, wanted))
        assert found.keys() == {A}
        assert [one.span for one in found[A].stretches] == [Span(7, 12)]
        assert [one.excerpt.text for one in found[A].stretches] == ["tekst"]

    def test_a_passage_that_is_not_there_is_an_error(self, store: Store) -> None:
        with store.moment() as moment, pytest.raises(CorpusFormatError, match="c0"):
            moment.passages([ChunkId("c0")])

    def test_chunks_stand_in_text_order_with_the_hashes_of_their_words(self, store: Store) -> None:
        new = make_version("a.txt", "ten sam   ten sam   inny")
        put(store, new)
        with store.moment() as moment:
            chunks = moment.chunks(A)
            hashes = moment.words_hashes([*ids(new), ChunkId("c0")])
        assert tuple(stored.chunk for stored in chunks) == new.chunks
        assert {stored.chunk.id: stored.words_hash for stored in chunks} == hashes
        assert [hashes[name] for name in ids(new)] == [
            text_hash("ten sam   "),
            text_hash("ten sam   "),
            text_hash("inny"),
        ]

    # ------------------------------------------------------------ versions and states

    def test_a_new_version_leaves_nothing_of_the_old(self, store: Store) -> None:
        old, new = make_version("a.txt", "kod stary 111, " * 5), make_version("a.txt", "kod nowy")
        put(store, old)
        put(store, new)
        with store.moment() as moment:
            assert moment.text(A) == "kod nowy"
            assert [stored.chunk.span for stored in moment.chunks(A)] == [Span(0, 8)]
            assert moment.status().totals["chunks"] == moment.count_chunks() == 1
            assert moment.frequencies(["111", "kod"]) == {"111": 0, "kod": 1}
            assert moment.words_hashes(ids(old)) == {}

    def test_a_document_comes_back_with_all_that_is_kept_of_it(self, store: Store) -> None:
        new = make_version("a.txt", "jakiś tekst", given={"author": "Ola", "rok": "2025"})
        put(store, replace(new, state=DocumentState.PARTIAL, code="c", message="m", hint="h"))
        assert _resolved(store, "a.txt") == StoredDocument(
            id=A,
            source="a.txt",
            title="a.txt",
            media_type="text/plain",
            state=DocumentState.PARTIAL,
            code="c",
            message="m",
            hint="h",
            version=new.document.version,
            file=new.file,
            characters=11,
            chunks=2,
            language="pl",
            metadata={"author": "Ola", "rok": "2025"},
            given={"author": "Ola", "rok": "2025"},
            ledger=new.document.ledger,
            stamp=new.stamp,
        )

    def test_a_file_that_fails_keeps_its_last_good_version_as_stale(self, store: Store) -> None:
        put(store, make_version("a.txt", "dobra wersja"))
        with store.writing() as writing:
            failed = make_unread("a.txt", DocumentState.FAILED, "needs-password")
            assert writing.record_unread(failed) is DocumentState.STALE
        with store.moment() as moment:
            document = moment.resolve("a.txt")
            assert (document.state, document.code) == (DocumentState.STALE, "needs-password")
            assert moment.text(A) == "dobra wersja"
            assert moment.count_chunks() == 2

    def test_a_file_that_was_emptied_leaves_the_index(self, store: Store) -> None:
        put(store, make_version("a.txt", "dobra wersja", given={"rok": "2025"}))
        with store.writing() as writing:
            emptied = make_unread("a.txt", DocumentState.SKIPPED, "empty")
            assert writing.record_unread(emptied) is DocumentState.SKIPPED
        with store.moment() as moment:
            assert moment.text(A) == ""
            assert tuple(moment.chunks(A)) == ()
            assert moment.count_chunks() == 0
            document = moment.resolve("a.txt")
        assert (document.version, document.characters, document.metadata) == (None, 0, {})

    def test_what_a_person_added_overrides_what_the_document_says(self, store: Store) -> None:
        put(store, make_version("a.txt", "tekst", given={"author": "Ola", "rok": "2025"}))
        with store.writing() as writing:
            writing.add_metadata(A, {"rok": "2026"})
            writing.add_metadata(DocumentId("d0"), {"rok": "2026"})
        document = _resolved(store, "a.txt")
        assert document.given == document.metadata == {"author": "Ola", "rok": "2026"}

    def test_a_removed_document_is_gone_from_everything(self, store: Store) -> None:
        new = make_version("a.txt", "tekst")
        put(store, new, make_version("b.txt", "inny"))
        with store.writing() as writing:
            assert writing.remove(A)
            assert not writing.remove(A)
        with store.moment() as moment:
            assert moment.document(A) is None
            assert moment.sources() == {document_id("b.txt"): "b.txt"}
            assert moment.words_hashes(ids(new)) == {}
            assert moment.count_chunks() == 1

    # ------------------------------------------------------------ names

    def test_a_source_is_named_by_id_name_or_tail(self, store: Store) -> None:
        put(store, make_version("umowy/2025/plan.md", "tekst"))
        name = document_id("umowy/2025/plan.md")
        inside = str(store.base / "umowy" / "2025" / "plan.md")
        for wanted in (name, inside, "umowy/2025/plan.md", "2025/plan.md", "./plan.md"):
            assert _resolved(store, wanted).id == name
        with pytest.raises(SourceError, match="no document") as caught:
            _resolved(store, "lan.md")
        assert "umowy/2025/plan.md" in caught.value.hint

    def test_an_ambiguous_tail_lists_its_candidates(self, store: Store) -> None:
        put(store, make_version("a/plan.md", "jeden"), make_version("b/plan.md", "dwa"))
        with pytest.raises(SourceError, match=r"a/plan\.md, b/plan\.md"):
            _resolved(store, "plan.md")

    # ------------------------------------------------------------ counts

    def test_documents_are_listed_by_source(self, store: Store) -> None:
        put(store, *(make_version(f"{name}.txt", name) for name in "cab"))
        with store.moment() as moment:
            listed = [document.source for document in moment.documents()]
            assert listed == list(moment.sources().values()) == ["a.txt", "b.txt", "c.txt"]
            assert [row.source for row in moment.status().documents] == listed
            assert moment.count_documents() == 3

    def test_coverage_counts_what_was_not_read(self, store: Store) -> None:
        ledger = Ledger(parts=9, read=4, empty=2, ocr=0, failed=3, left_out=0, problems=())
        new = make_version("a.txt", "tekst")
        put(store, replace(new, document=replace(new.document, ledger=ledger)))
        put(store, make_version("b.txt", "tekst", given={"rok": "2025"}))
        with store.writing() as writing:
            writing.record_unread(make_unread("c.pdf", DocumentState.FAILED, "unreadable"))
            writing.record_unread(make_unread("d.txt", DocumentState.SKIPPED, "empty"))
        with store.moment() as moment:
            assert moment.coverage() == Coverage(documents=4, failed=1, unread_parts=5)
            some = moment.allowed(parse_where("rok=2025"))
            assert moment.coverage(some) == Coverage(documents=1, failed=0, unread_parts=0)
            assert moment.status().totals == {
                "documents": 4,
                "indexed": 2,
                "partial": 0,
                "skipped": 1,
                "failed": 1,
                "stale": 0,
                "chunks": 2,
                "characters": 10,
                "unread_parts": 3,
                "words": 2,
                "vectors": 0,
            }

    def test_outdated_is_what_another_pipeline_has_indexed(self, store: Store) -> None:
        new, old = make_version("a.txt", "tekst"), make_version("b.txt", "tekst")
        put(store, replace(new, stamp=replace(new.stamp, pipeline=3)))
        put(store, replace(old, stamp=replace(old.stamp, pipeline=2)))
        with store.writing() as writing:  # has no stamp: nothing has indexed it
            writing.record_unread(make_unread("c.pdf", DocumentState.FAILED, "unreadable"))
        with store.moment() as moment:
            assert [moment.count_outdated(pipeline) for pipeline in (2, 3, 4)] == [1, 1, 2]

    def test_languages_are_those_of_documents_and_of_passages(self, store: Store) -> None:
        put(store, make_passages("a.txt", ["alfa ~de", "beta"], language="pl"))
        put(store, make_passages("b.txt", ["alfa"], language=None))
        with store.moment() as moment:
            assert tuple(moment.languages()) == ("de", "pl")
        with store.writing() as writing:
            writing.remove(A)
        with store.moment() as moment:
            assert tuple(moment.languages()) == ()

    # ------------------------------------------------------------ filters

    @pytest.mark.parametrize(
        ("where", "kept"),
        [
            ("rok=2024", "b"),
            ("rok!=2024", "a"),
            ("rok=", "c"),
            ("rok=2024,2025", "ab"),
            ("rok>=2025", "a"),
            ("rok<2025", "b"),
            ("ROK>2023", "ab"),
            ("source=x/*.md", "b"),
            ("source=a.txt", "a"),
            ("folder=x", "bc"),
            ("folder=x/y", "c"),
            ("type=txt", "ac"),
            ("language=en", "c"),
            ("title=Plan", "b"),
            ({"rok": "2024,2025", "folder": "x"}, "b"),
            ({"rok": "2024", "type": "txt"}, ""),
            (None, "abc"),
        ],
    )
    def test_a_filter_keeps_what_satisfies_all_conditions(
        self, store: Store, where: str | Mapping[str, str] | None, kept: str
    ) -> None:
        put(
            store,
            make_passages("a.txt", ["alfa"], given={"rok": "2025"}),
            make_passages("x/b.md", ["alfa", "beta"], given={"Rok": "2024"}, title="Plan"),
            make_passages("x/y/c.txt", ["alfa", "alfa", "alfa"], language="en"),
        )
        chunks = {"a": 1, "b": 2, "c": 3}
        with store.moment() as moment:
            allowed = moment.allowed(parse_where(where))
            assert allowed.documents == len(kept)
            assert allowed.chunks == sum(chunks[name] for name in kept)
            assert moment.coverage(allowed).documents == len(kept)
