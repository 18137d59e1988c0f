"""Postings in batches: merged, dropped and read back, they score as if written at once."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import apsw
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.indexes import Words, chunk_words

from cytat.analysis import Query, TermGroup, terms_in_order
from cytat.backends.sqlite.index_writing import index_chunks
from cytat.backends.sqlite.indexes import SharedIndexes
from cytat.backends.sqlite.postings import (
    drop_removed,
    indexed_rows,
    note_removed,
    read_batches,
    read_postings,
    read_removed,
)
from cytat.backends.sqlite.schema import MIGRATIONS
from cytat.backends.sqlite.spaces import raise_generation
from cytat.errors import CorpusFormatError

SCHEMA = "".join(MIGRATIONS)
INSERT_CHUNK = """
insert into chunk (row, id, document, start, end, heading_path, context, passage_hash, words_hash)
values (?, ?, 1, 0, 0, '[]', '', x'', x'')
"""
WORDS = ["kot", "pies", "dom", "umowa", "czynsz"]
texts = st.lists(st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join), max_size=40)

Scores = dict[int, float]


def empty() -> apsw.Connection:
    connection = apsw.Connection("")
    connection.execute(SCHEMA)
    return connection


def add(connection: apsw.Connection, bodies: Mapping[int, str]) -> None:
    """Index chunks as one transaction does."""
    connection.executemany(INSERT_CHUNK, ((row, f"c{row:05}") for row in bodies))
    index_chunks(connection, [chunk_words(row, "", body, None) for row, body in bodies.items()])


def question(words: Sequence[str]) -> Query:
    groups = (TermGroup(word, (word,), (), is_identifier=False, is_stop=False) for word in words)
    return Query(" ".join(words), None, tuple(groups))


def scores_of(connection: apsw.Connection, words: Sequence[str] = WORDS) -> Scores:
    return dict(Words(connection).hits(question(words), depth=10**6))


def plain_bm25(bodies: Mapping[int, str], words: Sequence[str]) -> Scores:
    """BM25 as it stands in the paper: no index, no arrays."""
    held = {row: Counter(body.split()) for row, body in bodies.items()}
    mean = sum(counts.total() for counts in held.values()) / len(held) or 1.0
    scores = dict.fromkeys(bodies, 0.0)
    for word in words:
        holding = sum(word in counts for counts in held.values())
        rarity = math.log(1 + (len(held) - holding + 0.5) / (holding + 0.5))
        for row, counts in held.items():
            norm = 1.2 * (0.25 + 0.75 * counts.total() / mean)
            scores[row] += rarity * counts[word] * 2.2 / (counts[word] + norm)
    return {row: score for row, score in scores.items() if score > 0}


def batch_sizes(connection: apsw.Connection) -> list[int]:
    return [len(batch.rows) for batch in read_batches(connection)]


def all_postings(connection: apsw.Connection) -> dict[str, list[tuple[int, int]]]:
    found: dict[str, list[tuple[int, int]]] = {}
    for batch in read_batches(connection):
        for term, rows, counts in read_postings(connection, batch):
            pairs = zip(np.frombuffer(rows, "<u4").tolist(), counts, strict=True)
            found.setdefault(term, []).extend(pairs)
    return found


@settings(deadline=None, max_examples=60)
@given(texts, st.lists(st.sampled_from(WORDS), min_size=1, max_size=4, unique=True))
def test_scores_are_those_of_plain_bm25(bodies: list[str], words: list[str]) -> None:
    connection = empty()
    numbered = dict(enumerate(bodies, 1))
    add(connection, numbered)
    assert scores_of(connection, words) == pytest.approx(
        plain_bm25(numbered, words) if bodies else {}
    )


@settings(deadline=None, max_examples=60)
@given(texts, st.sets(st.integers(1, 40)), st.integers(1, 7))
def test_however_it_was_made_an_index_scores_to_the_last_bit_as_one_made_at_once(
    bodies: list[str], removed: set[int], together: int
) -> None:
    numbered = dict(enumerate(bodies, 1))
    grown = empty()
    for start in range(1, len(bodies) + 1, together):
        batch = {row: numbered[row] for row in range(start, start + together) if row in numbered}
        add(grown, batch)
        note_removed(grown, removed & batch.keys())
    left = {row: body for row, body in numbered.items() if row not in removed}
    made_at_once = empty()
    add(made_at_once, left)
    assert scores_of(grown) == scores_of(made_at_once)
    assert indexed_rows(grown).tolist() == sorted(left)
    drop_removed(grown)
    assert scores_of(grown) == scores_of(made_at_once)
    held = {row for pairs in all_postings(grown).values() for row, _ in pairs}
    assert held <= left.keys()


def test_scores_after_deletes_are_those_of_an_index_that_never_held_the_rows() -> None:
    bodies = {row: f"kot {'pies ' * (row % 7)}umowa {'dom ' * (row % 3)}" for row in range(1, 200)}
    kept = {row: body for row, body in bodies.items() if row % 3 != 1}
    with_deletes, without = empty(), empty()
    add(with_deletes, bodies)
    note_removed(with_deletes, bodies.keys() - kept.keys())
    add(without, kept)
    assert scores_of(with_deletes) == scores_of(without)
    assert len(scores_of(without)) == 132


def test_eight_batches_of_like_size_become_one_and_eight_of_those_the_next() -> None:
    connection = empty()
    sizes = []
    for row in range(1, 65):
        add(connection, {row: "kot"})
        sizes.append(len(batch_sizes(connection)))
    assert sizes[:9] == [1, 2, 3, 4, 5, 6, 7, 1, 2]
    assert sizes[62] == 14  # seven of eight chunks, seven of one
    assert batch_sizes(connection) == [64]
    assert all_postings(connection)["kot"] == [(row, 1) for row in range(1, 65)]


def test_rows_of_merged_batches_rise_whatever_their_order_was() -> None:
    connection = empty()
    for row in (16, 2, 14, 4, 12, 6, 10, 8):
        add(connection, {row: "kot", row - 1: "kot kot"})
    assert batch_sizes(connection) == [16]
    expected = [(row, 1 + row % 2) for row in range(1, 17)]
    assert all_postings(connection)["kot"] == expected


def test_once_a_quarter_is_removed_the_next_write_drops_it() -> None:
    connection = empty()
    add(connection, dict.fromkeys(range(1, 30), "kot"))
    note_removed(connection, range(1, 8))  # seven of thirty, with the next: less than a quarter
    add(connection, {30: "pies"})
    assert len(read_removed(connection)) == 7
    note_removed(connection, [8])  # eight of thirty-one
    add(connection, {31: "pies"})
    assert len(read_removed(connection)) == 0
    assert batch_sizes(connection) == [23]


def test_rows_far_apart_are_found_as_those_side_by_side() -> None:
    connection = empty()
    add(connection, {3: "kot pies", 90_000: "kot", 700_000: "kot kot dom"})
    near = empty()
    add(near, {1: "kot pies", 2: "kot", 3: "kot kot dom"})
    assert list(scores_of(connection).values()) == list(scores_of(near).values())
    note_removed(connection, [90_000])
    assert scores_of(connection).keys() == {3, 700_000}


def test_an_index_of_which_all_was_removed_holds_nothing() -> None:
    connection = empty()
    add(connection, {1: "kot", 2: "pies"})
    note_removed(connection, [1, 2])
    assert scores_of(connection) == {}
    drop_removed(connection)
    assert batch_sizes(connection) == []
    assert all_postings(connection) == {}
    assert scores_of(connection) == {}


def test_more_repetitions_than_a_byte_counts_score_as_255() -> None:
    connection = empty()
    add(connection, {1: "kot " * 300, 2: "pies " * 300})
    # Both chunks have the mean length: 255 · 2.2 / (255 + 1.2), times ln 2 for one of two.
    assert scores_of(connection, ["kot"]) == {
        1: pytest.approx(255 * 2.2 / 256.2 * math.log(2)),
    }


def test_a_filter_that_keeps_one_of_five_hundred_chunks_still_gives_a_full_list() -> None:
    connection = empty()
    add(connection, {row: "kot pies" if row % 2 else "kot" for row in range(1, 5001)})
    words, kept = Words(connection), range(500, 5001, 500)
    asked = question(["kot", "pies"])
    assert [row for row, _ in words.hits(asked, rows=kept)] == list(kept)
    assert words.ranking(asked, rows=kept).searched == 10


def test_what_is_in_memory_is_dropped_when_the_corpus_has_a_new_generation() -> None:
    connection, shared = empty(), SharedIndexes(None)
    add(connection, {1: "kot"})

    def found() -> set[int]:
        return {row for row, _ in Words(connection, shared).hits(question(["kot"]))}

    assert found() == {1}
    add(connection, {2: "kot"})
    raise_generation(connection)
    assert found() == {1, 2}


def test_postings_in_memory_keep_to_their_bound(indexed: Callable[..., apsw.Connection]) -> None:
    connection = indexed({row: " ".join(WORDS) for row in range(1, 11)})
    # A term in ten chunks takes fifty bytes, and two hundred for its name.
    source = Words(connection, SharedIndexes(None, cache_bytes=600)).source
    kept = [source.postings((word,)) for word in WORDS]
    assert source.postings((WORDS[-1],)) is kept[-1]
    assert source.postings((WORDS[0],)) is not kept[0]


def test_a_damaged_batch_is_not_merged_and_others_are_written_on() -> None:
    connection = empty()
    add(connection, {1: "kot"})
    connection.execute("update posting_batch set lengths = x''")
    for row in range(2, 12):
        add(connection, {row: "kot"})
    assert connection.execute("select count(*) from posting_batch").get == 11


def test_bytes_that_a_flipped_bit_calls_text_are_read_all_the_same() -> None:
    connection = empty()
    add(connection, {1: "kot", 2: "pies"})
    before = scores_of(connection)
    connection.execute("update posting set rows = cast(rows as text)")
    connection.execute("update posting_batch set rows = cast(rows as text)")
    assert scores_of(connection) == before


@pytest.mark.parametrize(
    "damage",
    [
        "update posting set counts = x'' where term = 'kot'",
        "update posting set rows = x'01' where term = 'kot'",
        "update posting_batch set lengths = x'01'",
        "update posting_batch set rows = x'', lengths = x''",
    ],
)
def test_damaged_postings_are_an_error_and_no_result(damage: str) -> None:
    connection = empty()
    add(connection, {1: "kot", 2: "kot"})
    connection.execute(damage)
    with pytest.raises(CorpusFormatError, match="words index is damaged"):
        scores_of(connection, ["kot"])


def test_an_index_of_fts5_is_carried_over_term_by_term() -> None:
    bodies = {
        row: f"kot {'pies ' * (row % 4)}umowa{row} żółć FV/2025/09/0143 " for row in range(1, 300)
    }
    old, new = apsw.Connection(""), empty()
    for step in MIGRATIONS[:2]:
        old.execute(step)
    for row, body in bodies.items():
        terms = " ".join(terms_in_order(body, None))
        old.execute("insert into words (rowid, heading, body) values (?, 'kot', ?)", (row, terms))
    old.execute("delete from words where rowid % 7 = 0")
    old.execute(MIGRATIONS[2])
    kept = {row: f"kot {body}" for row, body in bodies.items() if row % 7}
    add(new, kept)
    assert all_postings(old) == all_postings(new)
    assert [batch.lengths.tolist() for batch in read_batches(old)] == [
        batch.lengths.tolist() for batch in read_batches(new)
    ]


def test_an_empty_index_of_fts5_becomes_no_batch() -> None:
    old = apsw.Connection("")
    for step in MIGRATIONS[:3]:
        old.execute(step)
    assert batch_sizes(old) == []
