"""Law of ranking: scores never rise, no chunk twice, ties by chunk id, the same every time."""

import apsw
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.indexes import chunk_words, put_vectors

from cytat.analysis import ScoredRows, analyse_question
from cytat.backends.sqlite.schema import MIGRATIONS
from cytat.backends.sqlite.vector_index import VectorIndex
from cytat.backends.sqlite.words_index import WordsIndex
from cytat.backends.sqlite.words_ranking import rank_by_words
from cytat.backends.sqlite.words_writing import index_chunks
from cytat.retrieval import Arm, fuse_reciprocal_ranks, fuse_standard_scores
from cytat.testing.retrievers import assert_lawful

WORDS = ["umowa", "najem", "kaucja", "FV/2025/09/0143", "FV/2025/09/0144", "art. 43", "43", "i"]
INSERT_CHUNK = """
insert into chunk (row, id, document, start, end, heading_path, context, passage_hash, words_hash)
values (?, ?, 1, 0, 0, '[]', '', x'', x'')
"""

texts = st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), max_size=12)
SCHEMA = "".join(MIGRATIONS)
questions = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
depths = st.integers(min_value=1, max_value=15)
DIRECTIONS = np.eye(4, dtype=np.float32)


def corpus(bodies: list[str]) -> tuple[apsw.Connection, dict[int, str]]:
    """Return an index whose chunk ids run against its rows, so that ties by row are found out."""
    connection = apsw.Connection(":memory:")
    connection.execute(SCHEMA)
    ids = {row: f"c{99 - row}" for row in range(1, len(bodies) + 1)}
    connection.executemany(INSERT_CHUNK, ids.items())
    index_chunks(connection, [chunk_words(row, "", bodies[row - 1], "pl") for row in ids])
    put_vectors(connection, list(ids), DIRECTIONS[[len(body) % 4 for body in bodies]])
    return connection, ids


def arms(connection: apsw.Connection, question: str, depth: int) -> tuple[ScoredRows, ScoredRows]:
    query = analyse_question(question, languages=("pl",))
    words = rank_by_words(connection, WordsIndex(), query, depth=depth, allowed=None).scored
    vector = DIRECTIONS[len(question) % 4]
    vectors = VectorIndex().rank_by_cosine(connection, vector, depth=depth, allowed=None)
    return words, vectors


@settings(max_examples=40, deadline=None)
@given(texts, questions, depths)
def test_each_arm_ranks_lawfully(bodies: list[str], question: str, depth: int) -> None:
    connection, ids = corpus(bodies)
    shallow, deep = arms(connection, question, depth), arms(connection, question, 99)
    for short, long in zip(shallow, deep, strict=True):
        assert_lawful(long.hits, ids=ids)
        assert short.hits == long.hits[:depth]


@settings(max_examples=40, deadline=None)
@given(texts, questions)
def test_both_fusions_rank_lawfully(bodies: list[str], question: str) -> None:
    connection, ids = corpus(bodies)
    words, vectors = arms(connection, question, 99)
    by_rank = fuse_reciprocal_ranks(
        [[row for row, _ in arm.hits] for arm in (words, vectors)], ids=ids
    )
    by_score = fuse_standard_scores(
        [Arm(words, 0.5, absent=0.0), Arm(vectors, 0.5, absent=vectors.mean)],
        rows=list(ids),
        ids=ids,
    )
    assert_lawful(by_rank, ids=ids)
    assert_lawful(by_score, ids=ids)
    assert {row for row, _ in by_rank} <= {row for row, _ in by_score}
