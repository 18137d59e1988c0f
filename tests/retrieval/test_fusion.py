"""Two rankings made one."""

import math
from dataclasses import replace

import numpy as np
import pytest

from cytat.analysis import ScoredRows, scored_rows
from cytat.errors import UsageError
from cytat.retrieval import (
    Arm,
    fuse_best_shares,
    fuse_reciprocal_ranks,
    fuse_standard_scores,
    parse_fusion,
    weight_of_vectors,
)

IDS = {name: name for name in ("a", "b", "c", "c1", "c2", "c3")}


def test_a_chunk_in_both_rankings_stands_once_and_first() -> None:
    # case SRCH-17
    fused = fuse_reciprocal_ranks([["c1", "c2"], ["c1", "c3"]], ids=IDS)
    assert [name for name, _ in fused] == ["c1", "c2", "c3"]


def test_agreement_of_two_rankings_adds_up() -> None:
    # case SRCH-18
    fused = fuse_reciprocal_ranks([["a", "b"], ["b", "c"]], ids=IDS)
    assert [name for name, _ in fused] == ["b", "a", "c"]
    assert [score for _, score in fused] == pytest.approx([1 / 62 + 1 / 61, 1 / 61, 1 / 62])


def scored(scores: dict[int, float], *, searched: int) -> ScoredRows:
    return scored_rows(
        tuple(scores.items()),
        rows=np.array(list(scores), dtype=np.int64),
        scores=np.array(list(scores.values())),
        searched=searched,
    )


def test_standard_scores_are_weighed_and_added() -> None:
    # Over four chunks 2, 2, 0, 0: mean 1, deviation 1. Over two 1, 3: mean 2, deviation 1.
    words = Arm(scored({1: 2.0, 2: 2.0}, searched=4), 0.25, absent=0.0)
    vectors = Arm(scored({1: 1.0, 3: 3.0}, searched=2), 0.75, absent=2.0)
    fused = fuse_standard_scores([words, vectors], rows=[1, 2, 3], ids={1: "a", 2: "b", 3: "c"})
    assert fused == [(3, 0.5), (2, 0.25), (1, -0.5)]


def test_an_arm_that_scores_all_alike_says_nothing() -> None:
    flat = Arm(scored({1: 1.0, 2: 1.0}, searched=2), 0.9, absent=0.0)
    words = Arm(scored({2: 1.0}, searched=2), 0.1, absent=0.0)
    fused = fuse_standard_scores([words, flat], rows=[1, 2], ids={1: "a", 2: "b"})
    assert [row for row, _ in fused] == [2, 1]


def with_peak(peak: float, *, searched: int) -> ScoredRows:
    """Return vectors whose best cosine, 0.9, stands `peak` deviations of 0.1 above the mean."""
    rows, scores = np.array([1, 2]), np.array([0.9, 0.5])
    mean = 0.9 - peak * 0.1
    return ScoredRows(((1, 0.9), (2, 0.5)), rows, scores, mean, 0.1, searched)


@pytest.mark.parametrize(
    ("reached", "weight"), [(0.2, 0.0), (0.5, 0.0), (0.8, 0.325), (1.1, 0.65), (3.0, 0.65)]
)
def test_vectors_weigh_as_much_as_their_peak_can_be_told_from_chance(
    reached: float, weight: float
) -> None:
    # The best of 8,103 random numbers would stand 4.2426 deviations above the mean: e^9 = 8103.08.
    vectors = with_peak(reached * 3 * math.sqrt(2), searched=8103)
    assert weight_of_vectors(vectors) == pytest.approx(weight, abs=1e-4)


def test_a_small_corpus_cannot_judge_its_encoder() -> None:
    assert weight_of_vectors(with_peak(1.0, searched=999)) == 0.5
    assert weight_of_vectors(with_peak(1.0, searched=1000)) == 0


def test_shares_of_the_best_are_weighed_and_added() -> None:
    words = scored({1: 8.0, 2: 4.0}, searched=100)
    # Nine chunks are too few to judge by: both arms weigh the same.
    vectors = ScoredRows(((3, 1.0), (1, 0.6)), np.array([1, 3]), np.array([0.6, 1.0]), 0.2, 0.1, 9)
    fused = fuse_best_shares(words, vectors, rows=[1, 2, 3], ids={1: "a", 2: "b", 3: "c"})
    assert [row for row, _ in fused] == [1, 3, 2]
    assert [score for _, score in fused] == pytest.approx([0.75, 0.5, 0.25])


def test_a_fixed_weight_takes_the_place_of_the_one_that_follows_the_question() -> None:
    # Shares of words: 1 and 0.5. Of vectors, above a mean of 0.4: 0.2 / 0.4 and 0.4 / 0.4.
    words, vectors = scored({1: 2.0, 2: 1.0}, searched=2), scored({2: 0.8, 1: 0.6}, searched=4)
    vectors = replace(vectors, mean=0.4)
    ids = {1: "a", 2: "b"}
    fused = {
        weight: dict(fuse_best_shares(words, vectors, rows=[1, 2], ids=ids, weight=weight))
        for weight in (0.0, 0.25, 1.0)
    }
    assert fused[0.0] == pytest.approx({1: 1.0, 2: 0.5})
    assert fused[0.25] == pytest.approx({1: 0.75 + 0.125, 2: 0.375 + 0.25})
    assert fused[1.0] == pytest.approx({1: 0.5, 2: 1.0})


@pytest.mark.parametrize("name", ["best-shares", "standard-scores:0.25", "reciprocal-ranks"])
def test_a_fusion_is_written_as_it_was_read(name: str) -> None:
    assert parse_fusion(name).text == name


@pytest.mark.parametrize(
    "name", ["", "sum", "reciprocal-ranks:0.5", "best-shares:1.5", "best-shares:x"]
)
def test_a_fusion_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match=r"no fusion|no weight"):
        parse_fusion(name)


def test_a_question_without_a_known_word_is_ranked_by_vectors_as_they_are() -> None:
    vectors = with_peak(0.5, searched=100)
    fused = fuse_best_shares(scored({}, searched=100), vectors, rows=[2, 1], ids={1: "a", 2: "b"})
    assert [row for row, _ in fused] == [1, 2]


def test_chunks_that_hold_no_word_do_not_change_an_order_by_their_number() -> None:
    order = []
    for searched in (50, 50_000):
        words = scored({1: 8.0, 2: 7.0}, searched=searched)
        cosines = ((2, 0.9), (1, 0.7))
        vectors = ScoredRows(cosines, np.array([1, 2]), np.array([0.7, 0.9]), 0.3, 0.1, searched)
        fused = fuse_best_shares(words, vectors, rows=[1, 2], ids={1: "a", 2: "b"})
        order.append([row for row, _ in fused])
    assert order == [[2, 1], [2, 1]]
