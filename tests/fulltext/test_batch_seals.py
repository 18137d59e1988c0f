"""Seals of batches: what was written is known again without its text; damage is not sealed anew."""

import hashlib
from collections.abc import Iterable

import apsw
import pytest
from tests.indexes import chunk_words

from cytat.backends.sqlite.index_writing import ChunkTerms, index_chunks
from cytat.backends.sqlite.postings import drop_removed, note_removed
from cytat.backends.sqlite.schema import MIGRATIONS
from cytat.backends.sqlite.seals import Soundness, seal_unsealed, soundness_of_batches
from cytat.backends.sqlite.words_checking import check_words

BODY = "kot pies kot"


@pytest.fixture
def connection() -> apsw.Connection:
    made = apsw.Connection("")
    made.execute("".join(MIGRATIONS))
    return made


def add(connection: apsw.Connection, *rows: int) -> str | None:
    return index_chunks(connection, [chunk_words(row, "", BODY, None) for row in rows])


def soundness(connection: apsw.Connection) -> list[Soundness]:
    return list(soundness_of_batches(connection).values())


class Asked:
    """Gives the words of chunks, and remembers of which: a sample, then all that are compared."""

    def __init__(self, body: str = BODY) -> None:
        self.body = body
        self.rows: list[set[int]] = []

    def __call__(self, rows: frozenset[int]) -> Iterable[ChunkTerms]:
        self.rows.append(set(rows))
        return [chunk_words(row, "", self.body, None) for row in rows]


def test_the_seal_is_that_of_the_documentation(connection: apsw.Connection) -> None:
    add(connection, 7)
    row, length, once, twice = b"\7\0\0\0", b"\3\0\0\0", b"\1", b"\2"
    written = b"4:" + row + b"4:" + length
    written += b"3:kot4:" + row + b"1:" + twice
    written += b"4:pies4:" + row + b"1:" + once
    kept = connection.execute("select seal from posting_batch").get
    assert kept == hashlib.sha256(written).digest()


def test_a_batch_that_was_merged_is_as_it_was_written(connection: apsw.Connection) -> None:
    for row in range(1, 9):
        assert add(connection, row) is None
    assert soundness(connection) == [Soundness.AS_WRITTEN]
    note_removed(connection, [3])
    drop_removed(connection)
    assert soundness(connection) == [Soundness.AS_WRITTEN]


DAMAGE = (
    "update posting set term = 'kos' where term = 'kot' and batch = 2",
    "update posting set counts = x'03' where term = 'kot' and batch = 2",
    "update posting_batch set lengths = x'04000000' where batch = 2",
    "delete from posting where term = 'pies' and batch = 2",
    "insert into posting values (2, 'żaba', x'02000000', x'01')",
)


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_batch_is_told_and_left_as_it_is(
    connection: apsw.Connection, damage: str
) -> None:
    for row in range(1, 8):
        add(connection, row)
    connection.execute(damage)
    before = list(connection.execute("select * from posting where batch <= 7"))
    told = add(connection, 8)
    assert told == "the words index is damaged (batch 2)"
    assert soundness(connection) == [
        Soundness.DAMAGED if number == 2 else Soundness.AS_WRITTEN for number in range(1, 9)
    ]
    assert list(connection.execute("select * from posting where batch <= 7")) == before


def test_what_was_merged_from_a_batch_without_seal_has_none_until_it_was_compared(
    connection: apsw.Connection,
) -> None:
    for row in range(1, 8):
        add(connection, row)
    connection.execute("update posting_batch set seal = null where batch = 3")
    add(connection, 8)
    assert soundness(connection) == [Soundness.UNSEALED]
    seal_unsealed(connection)
    assert soundness(connection) == [Soundness.AS_WRITTEN]


def test_only_the_words_of_batches_that_may_hold_others_are_all_compared(
    connection: apsw.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cytat.backends.sqlite.words_checking.SAMPLED_CHUNKS", 1)
    add(connection, 1, 2)
    add(connection, 3, 4)
    asked = Asked()
    found = check_words(connection, [1, 2, 3, 4], asked)
    assert (asked.rows.pop(), set(found.rows), found.is_broken) == (set(), set(), False)
    connection.execute("update posting_batch set seal = null where batch = 2")
    found = check_words(connection, [1, 2, 3, 4], asked)
    assert (asked.rows.pop(), set(found.rows), found.is_broken) == ({3, 4}, set(), False)
    connection.execute("update posting set counts = x'0203' where term = 'kot' and batch = 1")
    found = check_words(connection, [1, 2, 3, 4], asked)
    assert (asked.rows.pop(), set(found.rows), found.is_broken) == ({1, 2, 3, 4}, {2}, True)


@pytest.mark.parametrize("body", ["kot pies kota", "kot pies", "kot pies kot kot", "kot"])
def test_words_that_are_analysed_otherwise_now_are_found_although_nothing_is_damaged(
    connection: apsw.Connection, body: str
) -> None:
    add(connection, *range(1, 1000))
    asked = Asked(body)
    found = check_words(connection, range(1, 1000), asked)
    sampled, compared = asked.rows
    assert len(sampled) == 143  # each seventh of 999
    assert compared == set(found.rows) == set(range(1, 1000))
    assert not found.is_broken


def test_chunks_that_are_not_indexed_and_postings_of_none_are_found(
    connection: apsw.Connection,
) -> None:
    add(connection, 1, 2)
    add(connection, 3)
    note_removed(connection, [3])
    assert check_words(connection, [1, 2, 3], Asked()).rows == {3}
    assert check_words(connection, [1], Asked()).rows == {2}
