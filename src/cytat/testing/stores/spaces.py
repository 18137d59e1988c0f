"""What a store promises of vector spaces: whose vectors it holds, and the switch to others."""

from dataclasses import replace

import pytest

from cytat.errors import VectorSpaceError
from cytat.protocols import Store, Upkeep
from cytat.records import DocumentState, DocumentUpdate, PassageToEmbed, VectorSpace
from cytat.testing.stores.fixtures import StoreFixtures
from cytat.testing.stores.versions import SPACE, ids, make_passages, put, unit

OTHER = VectorSpace("other", 4, "other weights")
EAST, NORTH = unit(1, 0, 0, 0), unit(0, 1, 0, 0)
POLISH = make_passages("a.txt", ["jeden", "dwa"], vectors=[EAST, EAST])
GERMAN = make_passages("b.txt", ["eins"], language="de", vectors=[EAST])
UNKNOWN = make_passages("c.txt", ["1"], language=None)


def _claim(store: Store, space: VectorSpace) -> None:
    with store.writing() as writing:
        writing.claim_space(space)


def _embed_pending(upkeep: Upkeep, *, languages: set[str] | None) -> None:
    passages = upkeep.passages_to_embed(languages=languages, after=None, limit=99)
    upkeep.add_pending_vectors(passages, {one.passage_hash: NORTH for one in passages})


class SpacesContract(StoreFixtures):
    """Vectors of two spaces are never compared; the next ones are made beside those in use."""

    def test_another_space_is_refused_once_there_are_vectors(self, store: Store) -> None:
        put(store, make_passages("a.txt", ["a"]))
        with store.moment() as moment:
            assert moment.space() is None
            moment.check_space(OTHER)
        _claim(store, SPACE)
        with store.moment() as moment:
            moment.check_space(OTHER)  # no vector yet, nothing to mix
        put(store, make_passages("a.txt", ["a"], vectors=[EAST]))
        with store.moment() as moment:
            moment.check_space(SPACE)
            with pytest.raises(VectorSpaceError, match="made with fake") as caught:
                moment.check_space(OTHER)
            assert "reindex" in caught.value.hint
            assert moment.space() == SPACE
        with pytest.raises(VectorSpaceError):
            _claim(store, OTHER)

    def test_an_encoder_with_the_same_weights_may_have_another_name(self, store: Store) -> None:
        put(store, make_passages("a.txt", ["a"], vectors=[EAST]))
        _claim(store, SPACE)
        renamed = replace(SPACE, embedder="renamed")
        _claim(store, renamed)
        with store.moment() as moment:
            assert moment.space() == renamed

    # ------------------------------------------------------------ the next space

    def test_the_next_vectors_are_used_by_nobody_before_the_switch(self, store: Store) -> None:
        put(store, POLISH, GERMAN, UNKNOWN)
        _claim(store, SPACE)
        with store.moment() as moment:
            generation = moment.generation
        store.upkeep.begin_space(OTHER)
        _embed_pending(store.upkeep, languages=None)
        with store.moment() as moment:
            assert (moment.space(), moment.pending_space()) == (SPACE, OTHER)
            assert moment.generation == generation
            found = moment.by_vector(EAST, depth=9, allowed=None)
            assert [hit.score for hit in found.hits] == pytest.approx([1, 1, 1])

    def test_a_switch_puts_the_next_vectors_in_place_of_those_in_use(self, store: Store) -> None:
        put(store, POLISH, GERMAN, UNKNOWN)
        _claim(store, SPACE)
        store.upkeep.begin_space(OTHER)
        _embed_pending(store.upkeep, languages={"pl"})
        with store.moment() as moment:
            generation = moment.generation
        stamp = replace(POLISH.stamp, embedder="other")
        update = DocumentUpdate(
            GERMAN.document.id, DocumentState.PARTIAL, "c", "m", "h", None, stamp
        )
        store.upkeep.switch_space(OTHER, [update])
        with store.moment() as moment:
            assert (moment.space(), moment.pending_space()) == (OTHER, None)
            assert moment.generation == generation + 1
            found = moment.by_vector(NORTH, depth=9, allowed=None)
            assert {hit.chunk_id for hit in found.hits} == {*ids(POLISH), *ids(UNKNOWN)}
            assert [hit.score for hit in found.hits] == pytest.approx([1, 1, 1])
            document = moment.resolve("b.txt")
            assert (document.state, document.code, document.stamp) == ("partial", "c", stamp)
            assert (document.ledger, document.title) == (None, GERMAN.document.title)
            assert moment.resolve("a.txt").stamp == POLISH.stamp
        assert store.upkeep.count_pending_vectors() == 0

    def test_passages_are_handed_out_by_chunk_id_in_the_languages_asked_for(
        self, store: Store
    ) -> None:
        put(store, POLISH, GERMAN, UNKNOWN)
        upkeep = store.upkeep
        upkeep.begin_space(OTHER)
        every = sorted((*ids(POLISH), *ids(GERMAN), *ids(UNKNOWN)))
        some = sorted((*ids(POLISH), *ids(UNKNOWN)))

        def handed(**asked: object) -> list[str]:
            options = {"languages": None, "after": None, "limit": 99, **asked}
            return [one.chunk_id for one in upkeep.passages_to_embed(**options)]  # type: ignore[arg-type]

        assert handed() == every
        assert handed(languages={"pl"}) == some
        assert handed(limit=2) == every[:2]
        assert handed(after=every[1]) == every[2:]
        assert upkeep.count_passages_wanted(languages=None) == 4
        assert upkeep.count_passages_wanted(languages={"pl"}) == 3
        (one,) = (
            one
            for one in upkeep.passages_to_embed(languages=None, after=None, limit=99)
            if one.chunk_id == ids(GERMAN)[0]
        )
        assert (one.passage, {one.passage_hash}) == ("eins", set(GERMAN.vectors))

    def test_passages_that_have_their_next_vector_are_not_handed_out(self, store: Store) -> None:
        put(store, POLISH, GERMAN)
        upkeep = store.upkeep
        upkeep.begin_space(OTHER)
        _embed_pending(upkeep, languages={"pl"})
        assert upkeep.count_pending_vectors() == 2
        assert upkeep.pending_without_vector() == {GERMAN.document.id: 1}
        left = upkeep.passages_to_embed(languages=None, after=None, limit=99)
        assert [one.chunk_id for one in left] == list(ids(GERMAN))

    def test_a_passage_that_has_changed_meanwhile_is_passed_over(self, store: Store) -> None:
        put(store, POLISH)
        store.upkeep.begin_space(OTHER)
        (first, _) = store.upkeep.passages_to_embed(languages=None, after=None, limit=99)
        changed = PassageToEmbed(first.chunk_id, b"another hash", "")
        gone = replace(first, chunk_id=type(first.chunk_id)("c0"))
        vectors = {changed.passage_hash: NORTH, first.passage_hash: NORTH}
        store.upkeep.add_pending_vectors([changed, gone], vectors)
        assert store.upkeep.count_pending_vectors() == 0

    def test_another_next_space_drops_the_vectors_of_the_last(self, store: Store) -> None:
        put(store, POLISH)
        upkeep = store.upkeep
        upkeep.begin_space(OTHER)
        _embed_pending(upkeep, languages=None)
        upkeep.begin_space(OTHER)
        assert upkeep.count_pending_vectors() == 2
        upkeep.begin_space(replace(OTHER, weights="third"))
        assert upkeep.count_pending_vectors() == 0
        upkeep.drop_pending_space()
        with store.moment() as moment:
            assert moment.pending_space() is None
            assert moment.count_vectors() == 2

    def test_next_vectors_go_with_their_document(self, store: Store) -> None:
        put(store, POLISH)
        store.upkeep.begin_space(OTHER)
        _embed_pending(store.upkeep, languages=None)
        put(store, make_passages("a.txt", ["jeden", "trzy"]))
        assert store.upkeep.count_pending_vectors() == 0
