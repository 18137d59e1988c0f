"""What a store promises of vectors and their spaces: exact cosines, and the switch to others."""

from dataclasses import replace

import numpy as np
import pytest

from cytat.analysis.filters import parse_where
from cytat.errors import BackendError, VectorSpaceError
from cytat.protocols import Scored, Store, Upkeep, Vectors
from cytat.records import ChunkId, DocumentState, DocumentUpdate, PassageToEmbed, VectorSpace
from cytat.testing.stores.versions import (
    EAST,
    NORTH,
    SPACE,
    StoreFixtures,
    ids,
    make_passages,
    put,
    unit,
)
from cytat.text.identity import document_id, text_hash


def _found(store: Store, vector: Vectors, *, depth: int = 99, where: str | None = None) -> Scored:
    with store.moment() as moment:
        allowed = None if where is None else moment.allowed(parse_where(where))
        return moment.by_vector(vector, depth=depth, allowed=allowed)


class VectorsContract(StoreFixtures):
    """Chunks are ranked by cosine; every vector that may be a hit is compared."""

    def test_chunks_stand_by_their_cosine(self, store: Store) -> None:
        new = make_passages("a.txt", ["a", "b", "c", "d"], vectors=[NORTH, EAST, unit(3, 4, 0, 0)])
        put(store, new)
        found = _found(store, EAST)
        first, second, third = ids(new)[:3]
        assert [hit.chunk_id for hit in found.hits] == [second, third, first]
        assert [hit.score for hit in found.hits] == pytest.approx([1, 0.6, 0], abs=1e-6)
        assert found.searched == 3
        # Mean of 1, 0.6 and 0; squares of the distances from it: 4 / 9 + 1 / 225 + 64 / 225
        wanted = (1.6 / 3, (0.16888889) ** 0.5)
        assert found.spread() == pytest.approx(wanted, abs=1e-6)

    def test_equal_cosines_stand_in_the_order_of_chunk_ids(self, store: Store) -> None:
        new = make_passages("a.txt", [f"{at}" for at in range(9)], vectors=[unit(1, 2, 3, 4)] * 9)
        put(store, new)
        for depth in (1, 5, 9):
            found = [hit.chunk_id for hit in _found(store, unit(4, 3, 2, 1), depth=depth).hits]
            assert found == sorted(ids(new))[:depth]

    def test_a_filter_that_keeps_a_fiftieth_of_a_percent_loses_nothing(self, store: Store) -> None:
        kept = make_passages("kept.txt", ["a"], vectors=[unit(-1, 0.1, 0, 0)])
        near = [
            make_passages(
                f"near-{document}.txt",
                [f"{document} {at}" for at in range(50)],
                vectors=[EAST] * 50,
            )
            for document in range(10)
        ]
        put(store, *near, kept)
        found = _found(store, EAST, depth=5, where="source=kept.txt")
        assert [hit.chunk_id for hit in found.hits] == list(ids(kept))
        assert found.hits[0].score == pytest.approx(-1 / 1.01**0.5, abs=1e-6)
        assert found.searched == 1
        assert found.scores_of([*ids(kept), *ids(near[0])]).keys() == set(ids(kept))
        most = _found(store, EAST, depth=999, where="source!=kept.txt")
        assert (len(most.hits), most.searched) == (500, 500)

    def test_chunks_below_the_hits_have_scores_too(self, store: Store) -> None:
        new = make_passages("a.txt", ["a", "b", "c"], vectors=[NORTH, EAST])
        put(store, new)
        with store.moment() as moment:
            found = moment.by_vector(EAST, depth=1, allowed=None)
            scores = found.scores_of([*ids(new), ChunkId("c0")])
        assert scores == pytest.approx({ids(new)[0]: 0.0, ids(new)[1]: 1.0}, abs=1e-6)

    def test_a_corpus_without_vectors_has_no_hits(self, store: Store) -> None:
        put(store, make_passages("a.txt", ["a"]))
        found = _found(store, EAST)
        assert (tuple(found.hits), found.searched, found.spread()) == ((), 0, (0, 0))

    def test_a_question_of_other_dimensions_is_refused(self, store: Store) -> None:
        put(store, make_passages("a.txt", ["a"], vectors=[EAST]))
        with pytest.raises(VectorSpaceError, match="shape"):
            _found(store, unit(1, 0, 0))

    @pytest.mark.parametrize("number", [0.0, np.nan, np.inf])
    def test_a_question_without_a_direction_is_refused(self, store: Store, number: float) -> None:
        put(store, make_passages("a.txt", ["a"], vectors=[EAST]))
        with pytest.raises(BackendError, match="no usable vector"):
            _found(store, np.full(4, number, dtype=np.float32))

    @pytest.mark.parametrize(
        "vectors", [[EAST, unit(1, 0, 0)], [EAST * 2], [np.full(4, np.nan, dtype=np.float32)]]
    )
    def test_vectors_that_no_encoder_should_return_are_not_kept(
        self, store: Store, vectors: list[Vectors]
    ) -> None:
        new = make_passages("a.txt", ["a", "b"], vectors=vectors)
        with pytest.raises(BackendError):
            put(store, new)
        with store.moment() as moment:
            assert moment.count_documents() == 0

    def test_vectors_are_found_by_the_passage_they_embed(self, store: Store) -> None:
        put(
            store,
            make_passages("a.txt", ["sam", "inny", "trzeci"], vectors=[EAST, NORTH]),
            make_passages("b.txt", ["sam"], vectors=[EAST]),
        )
        wanted = [text_hash(passage) for passage in ("sam", "trzeci", "nieznany")]
        with store.moment() as moment:
            found = moment.vectors_of(wanted)
        assert found.keys() == {wanted[0]}
        assert found[wanted[0]].tolist() == EAST.tolist()
        assert found[wanted[0]].dtype == np.float32

    def test_all_vectors_come_by_chunk_id(self, store: Store) -> None:
        first = make_passages("a.txt", ["a", "b", "c"], vectors=[EAST, NORTH])
        second = make_passages("b.txt", ["a"], vectors=[NORTH])
        put(store, first, second)
        with store.moment() as moment:
            found = [(name, vector.tolist()) for name, vector in moment.all_vectors()]
        vectors = {ids(first)[0]: EAST, ids(first)[1]: NORTH, ids(second)[0]: NORTH}
        assert found == [(name, vectors[name].tolist()) for name in sorted(vectors)]

    def test_vectors_are_counted_and_go_with_their_document(self, store: Store) -> None:
        put(
            store,
            make_passages("a.txt", ["a", "b"], vectors=[EAST]),
            make_passages("b.txt", ["a"], vectors=[NORTH]),
            make_passages("c.txt", ["a"]),
        )
        with store.moment() as moment:
            assert moment.count_vectors() == moment.status().totals["vectors"] == 2
            assert moment.count_unembedded_documents() == 2
        with store.writing() as writing:
            writing.remove(document_id("a.txt"))
        put(store, make_passages("b.txt", ["a"], vectors=[EAST]))
        with store.moment() as moment:
            assert moment.count_vectors() == 1
            assert moment.count_unembedded_documents() == 1
            assert moment.by_vector(EAST, depth=9, allowed=None).hits[0].score == pytest.approx(1)


OTHER = VectorSpace("other", 4, "other weights")
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
