"""What a store promises to remember beside documents: chunking, gate, costs, folders, traces."""

from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from cytat.errors import NotAllowedError, SourceError
from cytat.fulltext import terms_of_chunk
from cytat.protocols import Store
from cytat.records import Calibration, GateWeights, Making, Trace, TraceId, TraceStage
from cytat.testing.stores.versions import OpenCorpus, StoreFixtures, make_version, put

CALIBRATION = Calibration(
    gold="gold.jsonl",
    gold_hash="4300",
    generation=1,
    weights="w",
    gate="g",
    answerable=7,
    unanswerable=5,
    bluff_cost=1.0,
    stricter=0.25,
    refitted=GateWeights(intercept=0.5, of={"signal": 1.5}),
    slope=1.0,
    offset=0.0,
)
MAKING = Making(1.0, 2, 3.0, 4, 5.0, 6)
TRACES_AT_LEAST = 100
"""How many a store keeps at least."""


def _trace(number: int) -> Trace:
    stage = TraceStage("words", {"query": "kot"}, {"found": [1, 2]}, 1.5)
    at = f"2025-01-01T00:{number // 60:02}:{number % 60:02}Z"
    return Trace(TraceId(f"t{number:04}"), "search", "kot?", at, (stage,))


def _is_refused(act: Callable[[], object]) -> bool:
    """Carry out an act, or say that the back-end refuses it."""
    try:
        act()
    except NotAllowedError:
        return True
    return False


def _remove_all(store: Store) -> None:
    with store.writing() as writing:
        for name in writing.sources():
            writing.remove(name)
        writing.want_purge()


def _check_counts(documents_and_chunks: tuple[int, int]) -> None:
    assert documents_and_chunks == (1, 1)


class NotesContract(StoreFixtures):
    """What is noted comes back as it was, and to those only whom it concerns."""

    def test_a_new_corpus_remembers_nothing(self, store: Store) -> None:
        assert (store.labels, store.damage) == (None, None)
        with store.moment() as moment:
            assert moment.generation == 0
            noted = (moment.space(), moment.pending_space(), moment.chunking(), moment.making())
            assert noted == (None, None, None, None)
            assert (moment.calibration(), tuple(moment.folders())) == (None, ())

    def test_chunking_is_that_of_the_chunks_there_are(self, store: Store) -> None:
        with store.writing() as writing:
            writing.set_chunking("structure/1:400")
        with store.moment() as moment:
            assert moment.chunking() is None
        put(store, make_version("a.txt", "tekst"))
        with store.moment() as moment:
            assert moment.chunking() == "structure/1:400"

    def test_chunking_that_was_not_noted_is_that_of_the_first_document(self, store: Store) -> None:
        put(store, make_version("a.txt", "tekst"))
        with store.moment() as moment:
            assert moment.chunking() == "fake/1:10"

    def test_calibration_and_costs_come_back_as_they_were(self, store: Store) -> None:
        with store.writing() as writing:
            writing.set_calibration(CALIBRATION)
            writing.set_making(MAKING)
        with store.moment() as moment:
            assert moment.calibration() == CALIBRATION
            assert moment.making() == MAKING
            assert moment.status().calibration == CALIBRATION
        with store.writing() as writing:
            writing.set_calibration(None)
        with store.moment() as moment:
            assert moment.calibration() is None

    def test_folders_come_in_order_and_once(self, store: Store) -> None:
        folders = [Path("/b/ż"), Path("/a"), Path("/b/ż")]
        with store.writing() as writing:
            for folder in folders:
                writing.add_folder(folder)
        with store.moment() as moment:
            assert tuple(moment.folders()) == (Path("/a"), Path("/b/ż"))

    def test_a_user_sees_neither_folders_nor_the_questions_of_the_gate(
        self, store: Store, open_corpus: OpenCorpus
    ) -> None:
        with store.writing() as writing:
            writing.add_folder(Path("/a"))
            writing.set_calibration(CALIBRATION)
        with closing(open_corpus("corpus", labels=())) as reader, reader.moment() as moment:
            assert tuple(moment.folders()) == ()
            calibration = moment.calibration()
        assert calibration is not None
        assert (calibration.gold, calibration.gold_hash, calibration.stricter) == ("", "", 0.25)

    # ------------------------------------------------------------ traces

    def test_a_trace_comes_back_as_it_was_and_the_oldest_go(self, store: Store) -> None:
        for number in range(TRACES_AT_LEAST):
            store.record_trace(_trace(number))
        with store.moment() as moment:
            assert moment.trace(None) == _trace(TRACES_AT_LEAST - 1)
            assert moment.trace("t0000") == _trace(0)

    def test_a_trace_that_is_not_there_is_an_error(self, store: Store) -> None:
        with store.moment() as moment, pytest.raises(SourceError, match="no trace yet"):
            moment.trace(None)
        store.record_trace(_trace(1))
        with store.moment() as moment, pytest.raises(SourceError, match="no trace t0002"):
            moment.trace("t0002")

    def test_a_trace_leaves_the_generation_as_it_is(self, store: Store) -> None:
        store.record_trace(_trace(1))
        with store.moment() as moment:
            assert moment.generation == 0

    def test_a_user_sees_the_traces_of_users_with_the_same_labels(
        self, store: Store, open_corpus: OpenCorpus
    ) -> None:
        with (
            closing(open_corpus("corpus", labels={"hr", "board"})) as asking,
            closing(open_corpus("corpus", labels={"board", "hr"})) as alike,
            closing(open_corpus("corpus", labels={"hr"})) as other,
        ):
            store.record_trace(_trace(1))
            asking.record_trace(_trace(2))
            with asking.moment() as mine, alike.moment() as same:
                assert mine.trace(None) == same.trace("t0002") == _trace(2)
                with pytest.raises(SourceError):
                    mine.trace("t0001")
            with other.moment() as moment, pytest.raises(SourceError, match="no trace yet"):
                moment.trace(None)
        with store.moment() as moment:
            assert moment.trace("t0002") == _trace(2)

    # ------------------------------------------------------------ upkeep

    def test_a_sound_corpus_has_no_faults(self, store: Store) -> None:
        put(store, make_version("a.txt", "Umowa najmu z 2025 roku", chunk_characters=12))
        upkeep = store.upkeep
        for full in (False, True):
            assert tuple(upkeep.verify(full=full, terms_of=terms_of_chunk)) == ()
        assert upkeep.checks
        assert tuple(upkeep.unsealed()) == ()
        assert dict(upkeep.discard_damage()) == {}
        assert not upkeep.repair_words(terms_of_chunk)
        upkeep.seal()
        with store.moment() as moment:
            assert tuple(upkeep.readable_documents()) == tuple(moment.documents())
            assert moment.generation == 1

    def test_a_purge_is_wanted_until_it_has_ended(self, store: Store) -> None:
        assert not store.upkeep.is_purge_wanted()
        put(store, make_version("a.txt", "tekst"))
        if _is_refused(partial(_remove_all, store)):
            with store.moment() as moment:
                assert moment.count_documents() == 1
            assert _is_refused(store.upkeep.purge)
            return
        store.record_trace(_trace(1))
        assert store.upkeep.is_purge_wanted()
        store.upkeep.purge()
        assert not store.upkeep.is_purge_wanted()
        with store.moment() as moment, pytest.raises(SourceError):
            moment.trace(None)

    def test_a_copy_can_be_made_or_is_refused(self, store: Store, tmp_path: Path) -> None:
        put(store, make_version("a.txt", "tekst"))
        copy = partial(store.upkeep.copy_to, tmp_path / "copy", shown_as=tmp_path / "copy.db")
        if _is_refused(lambda: _check_counts(copy())):
            assert not (tmp_path / "copy").exists()
