"""Law of ranking: scores never rise, no chunk twice, ties by chunk id, the same every time."""

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cytat.analysis import analyse_question
from cytat.fulltext import terms_of_words
from cytat.plugins import open_store
from cytat.protocols import Moment, Scored
from cytat.records import Chunk, ChunkId, Span
from cytat.retrieval import Arm, fuse_reciprocal_ranks, fuse_standard_scores
from cytat.testing.retrievers import assert_lawful
from cytat.testing.stores import make_version
from cytat.text.identity import document_id, text_hash

WORDS = ["umowa", "najem", "kaucja", "FV/2025/09/0143", "FV/2025/09/0144", "art. 43", "43", "i"]
NAME = document_id("a.txt")

texts = st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), max_size=12)
questions = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
depths = st.integers(min_value=1, max_value=15)
DIRECTIONS = np.eye(4, dtype=np.float32)


@contextmanager
def corpus(bodies: list[str]) -> Iterator[Moment]:
    """Open a corpus whose chunk ids run against its text, so that ties by place are found out."""
    chunks = tuple(
        Chunk(ChunkId(f"c{99 - at}"), NAME, Span(at, at + 1), (), "") for at in range(len(bodies))
    )
    letters = "abcdefghijkl"[: len(bodies)]
    whole = make_version("a.txt", letters, chunk_characters=50)
    new = replace(
        whole,
        chunks=chunks,
        terms=[terms_of_words("", body, "pl") for body in bodies],
        vectors={
            text_hash(f"a.txt\n{letter}"): DIRECTIONS[len(body) % 4]
            for letter, body in zip(letters, bodies, strict=True)
        },
    )
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(open_store(Path(folder) / "c.db", create=True)) as store,
    ):
        with store.writing() as writing:
            writing.replace(new)
        with store.moment() as moment:
            yield moment


def arms(moment: Moment, question: str, depth: int) -> tuple[Scored, Scored]:
    query = analyse_question(question, languages=("pl",))
    words = moment.by_words(query, depth=depth, allowed=None).scored
    vector = DIRECTIONS[len(question) % 4]
    return words, moment.by_vector(vector, depth=depth, allowed=None)


@settings(max_examples=40, deadline=None)
@given(texts, questions, depths)
def test_each_arm_ranks_lawfully(bodies: list[str], question: str, depth: int) -> None:
    with corpus(bodies) as moment:
        shallow, deep = arms(moment, question, depth), arms(moment, question, 99)
        for short, long in zip(shallow, deep, strict=True):
            assert_lawful(long.hits)
            assert list(short.hits) == list(long.hits)[:depth]


@settings(max_examples=40, deadline=None)
@given(texts, questions)
def test_both_fusions_rank_lawfully(bodies: list[str], question: str) -> None:
    with corpus(bodies) as moment:
        words, vectors = arms(moment, question, 99)
        by_rank = fuse_reciprocal_ranks(
            [[hit.chunk_id for hit in arm.hits] for arm in (words, vectors)]
        )
        by_score = fuse_standard_scores(
            [Arm(words, 0.5, absent=0.0), Arm(vectors, 0.5, absent=vectors.spread().mean)],
            chunk_ids=[ChunkId(f"c{99 - at}") for at in range(len(bodies))],
        )
    assert_lawful(by_rank)
    assert_lawful(by_score)
    assert {chunk_id for chunk_id, _ in by_rank} <= {chunk_id for chunk_id, _ in by_score}
