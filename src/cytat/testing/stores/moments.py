"""What a store promises of moments and writings: one snapshot; whole or not at all; threads."""

from collections.abc import Callable
from contextlib import closing
from functools import partial

import pytest

from cytat.errors import CorpusError
from cytat.protocols import Moment, NewVersion, Store, Writing
from cytat.records import DocumentState
from cytat.testing.stores.account import account_of
from cytat.testing.stores.versions import (
    SPACE,
    OpenCorpus,
    StoreFixtures,
    asked,
    elsewhere,
    make_passages,
    make_unread,
    make_version,
    put,
    unit,
    word,
)
from cytat.text.identity import document_id

A = document_id("a.txt")
THREADS = 4


class Interrupted(Exception):  # noqa: N818 - what happened, not what is wrong
    """Something failed in the middle of a write."""


def _write_half(store: Store, new: NewVersion) -> None:
    with store.writing() as writing:
        writing.replace(new)
        raise Interrupted


def _sources(store: Store) -> list[str]:
    with store.moment() as moment:
        return list(moment.sources().values())


def _generation(store: Store) -> int:
    with store.moment() as moment:
        return moment.generation


def _change_all(store: Store) -> None:
    """Change everything that a moment can read."""
    with store.writing() as writing:
        writing.replace(make_passages("a.txt", ["gamma delta"], vectors=[unit(0, 1, 0, 0)]))
        writing.replace(make_passages("b.txt", ["alfa", "beta"], vectors=[unit(1, 1, 0, 0)]))
        writing.record_unread(make_unread("c.pdf", DocumentState.FAILED, "unreadable"))
        writing.set_chunking("other")
        writing.add_folder(store.base / "b")


class MomentsContract(StoreFixtures):
    """A moment does not move; a writing is whole or nothing; threads do not disturb each other."""

    # ------------------------------------------------------------ one snapshot

    def test_a_moment_stays_as_it_was_while_another_thread_writes(self, store: Store) -> None:
        put(store, make_passages("a.txt", ["alfa beta", "beta"], vectors=[unit(1, 0, 0, 0)]))
        with store.writing() as writing:
            writing.claim_space(SPACE)
        with store.moment() as moment:
            before = account_of(moment)
            generation = moment.generation
            elsewhere(lambda: _change_all(store))
            assert account_of(moment) == before
            assert moment.generation == generation
        with store.moment() as moment:
            assert account_of(moment) != before
            assert moment.generation == generation + 1

    def test_a_ranking_can_be_asked_for_more_while_its_moment_is_open(self, store: Store) -> None:
        new = make_passages("a.txt", ["alfa alfa", "alfa", "beta"])
        put(store, new)
        names = [chunk.id for chunk in new.chunks]
        with store.moment() as moment:
            found = moment.by_words(asked(word("alfa")), depth=1, allowed=None).scored
            elsewhere(lambda: _change_all(store))
            assert found.hits[0].chunk_id == names[0]
            assert found.scores_of(names).keys() == set(names[:2])
            assert found.spread().mean > 0
            assert moment.passages([names[0]])[names[0]].excerpt.text == "alfa alfa"

    def test_a_moment_within_a_moment_is_that_one(self, store: Store) -> None:
        with store.moment() as outer:
            assert outer.count_documents() == 0
            elsewhere(lambda: put(store, make_version("a.txt", "tekst")))
            with store.moment() as inner:
                assert inner.count_documents() == 0
            assert outer.count_documents() == 0
        assert _sources(store) == ["a.txt"]

    def test_a_write_within_a_moment_is_refused(self, store: Store) -> None:
        with store.moment(), pytest.raises(RuntimeError), store.writing():
            pass
        put(store, make_version("a.txt", "tekst"))
        assert _sources(store) == ["a.txt"]

    # ------------------------------------------------------------ whole or not at all

    def test_a_writing_reads_what_it_has_written(self, store: Store) -> None:
        put(store, make_passages("a.txt", ["alfa"]))
        query = asked(word("alfa"))
        with store.writing() as writing:
            writing.replace(make_passages("b.txt", ["alfa", "beta"], vectors=[unit(1, 0, 0, 0)]))
            for moment in (writing, *self._moments_within(store)):
                assert list(moment.sources().values()) == ["a.txt", "b.txt"]
                assert moment.count_chunks() == 3
                assert moment.frequencies(["alfa"]) == {"alfa": 2}
                assert len(moment.by_words(query, depth=9, allowed=None).scored.hits) == 2
                assert moment.count_vectors() == 1
            elsewhere(lambda: self._sees_one_document(store))
        with store.moment() as moment:
            assert len(moment.by_words(query, depth=9, allowed=None).scored.hits) == 2

    @staticmethod
    def _moments_within(store: Store) -> list[Moment]:
        with store.moment() as moment:
            return [moment]

    @staticmethod
    def _sees_one_document(store: Store) -> None:
        with store.moment() as moment:
            assert list(moment.sources().values()) == ["a.txt"]
            assert moment.count_vectors() == 0

    def test_a_failure_undoes_the_whole_block(self, store: Store) -> None:
        generation = _generation(store)
        with pytest.raises(Interrupted):
            _write_half(store, make_version("a.txt", "tekst"))
        with store.moment() as moment:
            assert tuple(moment.documents()) == ()
            assert moment.count_chunks() == 0
            assert moment.generation == generation

    def test_a_failure_within_a_block_undoes_its_own_part(self, store: Store) -> None:
        with store.writing() as writing:
            writing.replace(make_passages("a.txt", ["alfa zostaje"]))
            with pytest.raises(Interrupted):
                _write_half(store, make_passages("b.txt", ["alfa znika"]))
            writing.replace(make_passages("c.txt", ["alfa zostaje"]))
        assert _sources(store) == ["a.txt", "c.txt"]
        with store.moment() as moment:
            assert moment.frequencies(["alfa", "zostaje", "znika"]) == {
                "alfa": 2,
                "zostaje": 2,
                "znika": 0,
            }

    def test_a_block_within_a_block_is_part_of_it(self, store: Store) -> None:
        def outer_fails() -> None:
            with store.writing():
                put(store, make_version("a.txt", "tekst"))
                raise Interrupted

        with pytest.raises(Interrupted):
            outer_fails()
        assert _sources(store) == []

    def test_what_was_undone_leaves_rankings_as_they_were(self, store: Store) -> None:
        put(store, make_passages("a.txt", ["alfa"]))
        put(store, make_passages("b.txt", ["alfa"]))
        with store.writing() as writing:
            writing.remove(document_id("b.txt"))
        with store.moment() as moment:
            assert moment.count_chunks() == 1
        with store.writing(), pytest.raises(Interrupted):
            _write_half(store, make_passages("c.txt", ["alfa beta"]))
        with store.moment() as moment:
            found = moment.by_words(asked(word("alfa")), depth=9, allowed=None)
            assert len(found.scored.hits) == moment.frequencies(["alfa"])["alfa"] == 1

    # ------------------------------------------------------------ generation

    @pytest.mark.parametrize(
        ("act", "by"),
        [
            (lambda w: w.replace(make_version("b.txt", "inny")), 1),
            (lambda w: w.remove(A), 1),
            (lambda w: w.remove(document_id("unknown.txt")), 0),
            (lambda w: w.add_metadata(A, {"rok": "2025"}), 1),
            (lambda w: w.set_label(A, "hr"), 1),
            (lambda w: w.set_label(A, ""), 0),
            (
                lambda w: w.record_unread(make_unread("a.txt", DocumentState.FAILED, "unreadable")),
                1,
            ),
            (lambda w: w.claim_space(SPACE), 0),
            (lambda w: w.set_chunking("other"), 0),
            (lambda w: w.set_calibration(None), 0),
            (lambda _: None, 0),
        ],
    )
    def test_the_generation_rises_once_when_documents_or_vectors_change(
        self, store: Store, act: Callable[[Writing], object], by: int
    ) -> None:
        put(store, make_version("a.txt", "tekst"))
        before = _generation(store)
        with store.writing() as writing:
            act(writing)
        assert _generation(store) == before + by

    def test_what_was_undone_raises_no_generation(self, store: Store) -> None:
        with store.writing() as writing:
            writing.set_chunking("other")
            with pytest.raises(Interrupted):
                _write_half(store, make_version("a.txt", "tekst"))
        assert _generation(store) == 0

    def test_several_changes_of_one_block_are_one_generation(self, store: Store) -> None:
        put(store, make_version("a.txt", "tekst"), make_version("b.txt", "tekst"))
        assert _generation(store) == 1

    def test_the_same_failure_twice_changes_nothing(self, store: Store) -> None:
        put(store, make_version("b.txt", "dobra wersja"))
        for source in ("a.pdf", "b.txt"):
            with store.writing() as writing:
                writing.record_unread(make_unread(source, DocumentState.FAILED, "unreadable"))
        before = _generation(store)
        for source in ("a.pdf", "b.txt"):
            with store.writing() as writing:
                writing.record_unread(make_unread(source, DocumentState.FAILED, "unreadable"))
        assert _generation(store) == before

    # ------------------------------------------------------------ threads, and the end

    def test_writers_wait_for_each_other(self, store: Store) -> None:
        def write(thread: int) -> None:
            for number in range(3):
                put(store, make_version(f"{thread}-{number}.txt", f"tekst {thread} {number}"))

        elsewhere(*(partial(write, thread) for thread in range(THREADS)))
        with store.moment() as moment:
            assert moment.count_documents() == moment.generation == 3 * THREADS

    def test_each_thread_has_moments_of_its_own(self, store: Store) -> None:
        put(store, make_passages("a.txt", ["alfa beta", "beta"], vectors=[unit(1, 0, 0, 0)]))
        with store.moment() as moment:
            expected = account_of(moment)

        def read() -> None:
            for _ in range(3):
                with store.moment() as moment:
                    assert account_of(moment) == expected

        elsewhere(*[read] * THREADS)

    def test_a_closed_store_cannot_be_used(self, open_corpus: OpenCorpus) -> None:
        store = open_corpus("corpus", labels=None)
        store.close()
        with pytest.raises(CorpusError, match="closed"), store.moment():
            pass

    def test_two_stores_of_one_corpus_see_each_others_writes(
        self, store: Store, open_corpus: OpenCorpus
    ) -> None:
        with closing(open_corpus("corpus", labels=None)) as other:
            put(other, make_version("a.txt", "tekst"))
            assert _sources(store) == ["a.txt"]
            with store.moment() as moment, other.moment() as theirs:
                assert account_of(moment) == account_of(theirs)
