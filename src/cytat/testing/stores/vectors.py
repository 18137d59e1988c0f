"""What a store promises of vectors: cosines, exact under any filter, and vectors by passage."""

import numpy as np
import pytest

from cytat.analysis.filters import parse_where
from cytat.errors import BackendError, VectorSpaceError
from cytat.protocols import Scored, Store, Vectors
from cytat.records import ChunkId
from cytat.testing.stores.fixtures import StoreFixtures
from cytat.testing.stores.versions import ids, make_passages, put, unit
from cytat.text.identity import document_id, text_hash

EAST, NORTH = unit(1, 0, 0, 0), unit(0, 1, 0, 0)


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
