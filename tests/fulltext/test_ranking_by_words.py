"""BM25 over words: what is found, in which order, and what the scores are."""

import math
from collections.abc import Callable

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.indexes import Words, chunk_words

from cytat.analysis import analyse_question
from cytat.backends.sqlite.index_writing import index_chunks
from cytat.backends.sqlite.postings import note_removed
from cytat.backends.sqlite.schema import MIGRATIONS
from cytat.fulltext import rarity

Make = Callable[..., apsw.Connection]


def hits(
    connection: apsw.Connection,
    question: str,
    *,
    depth: int = 10,
    rows: set[int] | None = None,
) -> tuple[tuple[int, float], ...]:
    query = analyse_question(question, languages=())
    return Words(connection).hits(query, depth=depth, rows=rows)


def test_rarity_is_the_logarithm_of_one_plus_the_odds_against_a_term() -> None:
    # 1 of 3 chunks: ln(1 + 2.5 / 1.5) = ln(8 / 3)
    assert rarity(1, 3) == pytest.approx(math.log(8 / 3))
    assert rarity(0, 3) == 0
    assert rarity(3, 3) > 0


def test_a_score_is_rarity_times_saturated_frequency(indexed: Make) -> None:
    connection = indexed({1: "alfa beta", 2: "gamma beta", 3: "delta beta"})
    # All texts have two words, the mean length, so once in a text counts 1 · 2.2 / (1 + 1.2) = 1.
    ((row, score),) = hits(connection, "alfa")
    assert row == 1
    assert score == pytest.approx(math.log(8 / 3))


def test_a_word_in_every_chunk_still_counts(indexed: Make) -> None:
    connection = indexed({1: "beta", 2: "beta", 3: "beta"})
    # ln(1 + 0.5 / 3.5) = ln(8 / 7)
    assert [score for _, score in hits(connection, "beta")] == pytest.approx([math.log(8 / 7)] * 3)


def test_equal_scores_stand_in_the_order_of_chunk_ids(indexed: Make) -> None:
    connection = indexed({1: "alfa", 2: "alfa", 3: "alfa"}, ids={1: "cz", 2: "ca", 3: "cm"})
    assert [row for row, _ in hits(connection, "alfa")] == [2, 3, 1]
    assert [row for row, _ in hits(connection, "alfa", depth=1)] == [2]


def test_the_filter_comes_before_the_depth(indexed: Make) -> None:
    connection = indexed(dict.fromkeys(range(1, 40), "alfa"))
    assert [row for row, _ in hits(connection, "alfa", depth=2, rows={30, 35})] == [
        30,
        35,
    ]
    assert hits(connection, "alfa", rows=set()) == ()


def test_mean_and_deviation_count_chunks_without_a_match_as_nothing(indexed: Make) -> None:
    connection = indexed({1: "alfa beta", 2: "gamma beta", 3: "delta beta"})
    query = analyse_question("alfa", languages=())
    spread = Words(connection).ranking(query).spread()
    score = math.log(8 / 3)
    assert spread.mean == pytest.approx(score / 3)
    assert spread.deviation == pytest.approx(score * math.sqrt(2) / 3)


def test_removed_chunks_are_gone_and_unknown_rows_are_nothing_to_remove(indexed: Make) -> None:
    connection = indexed({1: "alfa", 2: "alfa beta"})
    note_removed(connection, [1, 99])
    ((row, score),) = hits(connection, "alfa")
    assert row == 2
    assert score == pytest.approx(math.log(4 / 3))  # 1 of 1 chunk: ln(1 + 0.5 / 1.5)


def test_document_frequencies_count_chunks(indexed: Make) -> None:
    connection = indexed({1: "alfa alfa", 2: "alfa beta"})
    wanted = ["alfa", "beta", "c++"]
    counts = Words(connection).source.frequencies(wanted)
    assert counts == {"alfa": 2, "beta": 1, "c++": 0}
    note_removed(connection, [1])
    counts = Words(connection).source.frequencies(wanted)
    assert counts == {"alfa": 1, "beta": 1, "c++": 0}


def test_an_identifier_held_whole_stands_above_all_its_parts_and_other_words(
    indexed: Make,
) -> None:
    parts = "fv 2025 09 0143 termin termin termin 2025/09 0143/09 fv"
    connection = indexed({1: parts, 2: "w sprawie FV/2025/09/0143 " + "inne " * 40, 3: "termin"})
    assert hits(connection, "termin FV/2025/09/0143")[0][0] == 2


def empty_index() -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    for migration in MIGRATIONS:
        connection.execute(migration)
    index_chunks(connection, [chunk_words(1, "nagłówek", "treść (umowy) NEAR 5", "pl")])
    connection.execute("pragma foreign_keys = off")
    connection.execute("insert into chunk values (1, 'c1', 1, 0, 0, '[]', '', x'', x'')")
    return connection


CONNECTION = empty_index()


@settings(deadline=None)
@given(st.text() | st.text(alphabet="\"'*^:(){}+-NEAROT umowy5\0"))
def test_no_question_is_a_syntax_error(question: str) -> None:
    hits(CONNECTION, question)


def test_an_identifier_that_many_chunks_hold_lifts_none_of_them(indexed: Make) -> None:
    common = dict.fromkeys(range(1, 31), "wariant 1A")
    rare = {31: "rabat sezonowy rabat sezonowy"}
    connection = indexed({**common, **rare})
    assert hits(connection, "rabat sezonowy 1A")[0][0] == 31


def test_a_paragraph_number_alone_names_nothing(indexed: Make) -> None:
    connection = indexed({1: "ust. 1 termin", 2: "ust. 2 kaucja"})
    query = analyse_question("ust. 1", languages=())
    assert not Words(connection).ranking(query).is_decided
    assert hits(connection, "ust. 1")[0][0] == 1
