"""Exact search over vectors in memory, and what may be written."""

import apsw
import numpy as np
import pytest
from tests.indexes import Hits, Nearest, put_vectors

from cytat.backends.sqlite.indexes import SharedIndexes
from cytat.backends.sqlite.indexes.ranking import MomentIndexes
from cytat.backends.sqlite.schema import MIGRATIONS
from cytat.backends.sqlite.spaces import raise_edition, raise_generation
from cytat.errors import BackendError, CorpusFormatError, VectorSpaceError
from cytat.protocols import Vectors

INSERT_CHUNK = """
insert into chunk (row, id, document, start, end, heading_path, context, passage_hash, words_hash)
values (?, ?, 1, 0, 0, '[]', '', x'', x'')
"""


def unit(*numbers: float) -> Vectors:
    vector = np.array(numbers, dtype=np.float32)
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


@pytest.fixture
def connection() -> apsw.Connection:
    """Rows 1, 2, 3 have the ids c3, c2, c1 and vectors along x, between x and y, along y."""
    connection = apsw.Connection(":memory:")
    for migration in MIGRATIONS:
        connection.execute(migration)
    connection.execute("pragma foreign_keys = off")
    for row in (1, 2, 3):
        connection.execute(INSERT_CHUNK, (row, f"c{4 - row}"))
    put_vectors(connection, [1, 2, 3], np.stack([unit(1, 0), unit(1, 1), unit(0, 1)]))
    return connection


def rank(
    connection: apsw.Connection,
    vector: Vectors,
    *,
    depth: int = 10,
    rows: set[int] | None = None,
) -> Hits:
    return Nearest(connection, vector, depth=depth, rows=rows).hits


def test_chunks_stand_by_cosine(connection: apsw.Connection) -> None:
    found = rank(connection, unit(1, 0))
    assert [row for row, _ in found] == [1, 2, 3]
    assert [score for _, score in found] == pytest.approx([1, 0.5**0.5, 0], abs=1e-6)


def test_equal_scores_stand_in_the_order_of_chunk_ids(connection: apsw.Connection) -> None:
    put_vectors(connection, [1, 2, 3], np.stack([unit(1, 2)] * 3))
    assert [row for row, _ in rank(connection, unit(1, 2))] == [3, 2, 1]
    assert [row for row, _ in rank(connection, unit(1, 2), depth=1)] == [3]


def test_the_filter_comes_before_the_depth(connection: apsw.Connection) -> None:
    assert [row for row, _ in rank(connection, unit(1, 0), depth=1, rows={2, 3})] == [2]
    assert rank(connection, unit(1, 0), rows=set()) == ()


def test_mean_and_deviation_are_over_all_that_was_searched(connection: apsw.Connection) -> None:
    found = Nearest(connection, unit(1, 0), depth=1, rows={1, 3})
    assert (found.searched, len(found.hits)) == (2, 1)
    assert found.spread() == pytest.approx((0.5, 0.5))


def follows(shared: SharedIndexes, connection: apsw.Connection, vector: Vectors) -> bool:
    """Say whether the index, brought up to date, ranks as one that has just been opened."""
    raise_generation(connection)
    mine, other = Nearest(connection, vector, shared=shared), Nearest(connection, vector)
    return (mine.hits, mine.spread()) == (other.hits, other.spread())


def counted(connection: apsw.Connection, shared: SharedIndexes) -> tuple[int, int]:
    """Return how many vectors there are, and how many documents lack one."""
    indexes = MomentIndexes(connection, shared, None)
    return indexes.count_vectors(), indexes.count_unembedded_documents()


def test_an_index_that_follows_changes_is_one_opened_after_them(
    connection: apsw.Connection,
) -> None:
    shared = SharedIndexes(None)
    assert follows(shared, connection, unit(1, 3))
    connection.execute("delete from chunk where row = 2")
    connection.execute("delete from vector where chunk = 2")
    assert follows(shared, connection, unit(1, 3))
    connection.execute(INSERT_CHUNK, (4, "c0"))
    put_vectors(connection, [4], unit(3, 1)[np.newaxis])
    assert follows(shared, connection, unit(1, 3))
    assert counted(connection, shared) == (3, 0)


def test_vectors_replaced_in_their_rows_are_read_again(connection: apsw.Connection) -> None:
    shared = SharedIndexes(None)
    assert follows(shared, connection, unit(1, 3))
    put_vectors(connection, [1, 3], np.stack([unit(0, 1), unit(1, 0)]))
    connection.execute("delete from vector where chunk = 2")
    raise_edition(connection)
    assert follows(shared, connection, unit(1, 3))
    assert counted(connection, shared) == (2, 1)


def test_chunks_without_vectors_are_counted_by_their_documents(
    connection: apsw.Connection,
) -> None:
    shared = SharedIndexes(None)
    assert counted(connection, shared) == (3, 0)
    connection.execute(INSERT_CHUNK, (4, "c0"))
    raise_generation(connection)
    assert counted(connection, shared) == (3, 1)
    connection.execute(INSERT_CHUNK, (5, "c5"))
    put_vectors(connection, [5], unit(1, 1)[np.newaxis])
    assert follows(shared, connection, unit(1, 3))


def test_vectors_of_removed_chunks_are_given_back_once_they_are_many(
    connection: apsw.Connection,
) -> None:
    shared = SharedIndexes(None)
    for row in range(4, 13):
        connection.execute(INSERT_CHUNK, (row, f"c{row}"))
        put_vectors(connection, [row], unit(1, row)[np.newaxis])
    assert follows(shared, connection, unit(1, 3))
    held = []
    for row in (4, 6, 8, 10):
        connection.execute("delete from chunk where row = ?", (row,))
        connection.execute("delete from vector where chunk = ?", (row,))
        assert follows(shared, connection, unit(1, 3))
        held.append(len(shared.snapshot(connection).vectors(connection).vectors))
    assert held == [12, 12, 12, 8]  # the fourth of twelve is more than a quarter


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_find_the_same_to_the_last_bit(
    connection: apsw.Connection, monkeypatch: pytest.MonkeyPatch, threads: int
) -> None:
    monkeypatch.setattr("cytat.vectors.PIECE_VECTORS", 3)
    rows = range(4, 104)
    connection.executemany(INSERT_CHUNK, ((row, f"c{row}") for row in rows))
    chance = np.random.default_rng(7).standard_normal((len(rows), 2))
    put_vectors(connection, rows, np.stack([unit(*one) for one in chance]))
    one, several = (
        Nearest(connection, unit(1, 3), depth=103, threads=count) for count in (1, threads)
    )
    assert (several.hits, several.spread()) == (one.hits, one.spread())
    assert several.scores == one.scores


def test_a_failure_in_a_thread_is_told(
    connection: apsw.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> Vectors:
        raise MemoryError

    monkeypatch.setattr("cytat.vectors.PIECE_VECTORS", 1)
    monkeypatch.setattr("cytat.vectors._products", fails)
    with pytest.raises(MemoryError):
        Nearest(connection, unit(1, 3), depth=3, threads=2)


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_a_filter_finds_the_same_by_gathering_as_by_masking(
    connection: apsw.Connection, monkeypatch: pytest.MonkeyPatch, share: float
) -> None:
    monkeypatch.setattr("cytat.vectors.GATHERED_SHARE", share)
    found = rank(connection, unit(1, 0), rows={1, 3, 77})
    assert found == ((1, 1.0), (3, 0.0))


def test_a_corpus_without_vectors_has_no_hits() -> None:
    connection = apsw.Connection(":memory:")
    for migration in MIGRATIONS:
        connection.execute(migration)
    assert rank(connection, unit(1, 0)) == ()


@pytest.mark.parametrize("numbers", [(np.nan, 1), (np.inf, 0), (0, 0)])
def test_a_question_without_a_usable_vector_is_refused(
    connection: apsw.Connection, numbers: tuple[float, float]
) -> None:
    with pytest.raises(BackendError, match="no usable vector"):
        rank(connection, np.array(numbers, dtype=np.float32))


def test_a_question_of_another_space_is_refused(connection: apsw.Connection) -> None:
    with pytest.raises(VectorSpaceError, match=r"shape \(3,\)"):
        rank(connection, unit(1, 0, 0))


def test_vectors_of_different_lengths_are_not_searched(connection: apsw.Connection) -> None:
    put_vectors(connection, [2], unit(1, 0, 0)[np.newaxis])
    with pytest.raises(CorpusFormatError, match="different lengths"):
        rank(connection, unit(1, 0))


@pytest.mark.parametrize(
    "vectors",
    [np.ones((1, 2)), np.full((1, 2), np.nan), np.zeros((1, 2)), np.array([1.0]), np.eye(2)[None]],
)
def test_only_one_unit_vector_for_each_chunk_is_written(
    connection: apsw.Connection, vectors: Vectors
) -> None:
    with pytest.raises(BackendError):
        put_vectors(connection, [1], vectors.astype(np.float32))
    assert rank(connection, unit(1, 0))[0] == (1, 1.0)
