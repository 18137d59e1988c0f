"""Two rankings made one."""

import math

import pytest

from cytat.errors import UsageError
from cytat.protocols import Spread
from cytat.records import ChunkId
from cytat.retrieval import (
    Arm,
    fuse_best_shares,
    fuse_reciprocal_ranks,
    fuse_standard_scores,
    parse_fusion,
    weight_of_vectors,
)
from cytat.testing.retrievers import GivenScores


def ids(names: str) -> list[ChunkId]:
    """Return a chunk id for each letter."""
    return [ChunkId(name) for name in names]


def test_a_chunk_in_both_rankings_stands_once_and_first() -> None:
    # case SRCH-17
    fused = fuse_reciprocal_ranks([ids("ab"), ids("ac")])
    assert [name for name, _ in fused] == ["a", "b", "c"]


def test_agreement_of_two_rankings_adds_up() -> None:
    # case SRCH-18
    fused = fuse_reciprocal_ranks([ids("ab"), ids("bc")])
    assert [name for name, _ in fused] == ["b", "a", "c"]
    assert [score for _, score in fused] == pytest.approx([1 / 62 + 1 / 61, 1 / 61, 1 / 62])


def test_standard_scores_are_weighed_and_added() -> None:
    # Over four chunks 2, 2, 0, 0: mean 1, deviation 1. Over two 1, 3: mean 2, deviation 1.
    words = Arm(GivenScores({"a": 2.0, "b": 2.0}, 4, mean=1.0, deviation=1.0), 0.25, absent=0.0)
    vectors = Arm(GivenScores({"a": 1.0, "c": 3.0}, 2, mean=2.0, deviation=1.0), 0.75, absent=2.0)
    fused = fuse_standard_scores([words, vectors], chunk_ids=ids("abc"))
    assert fused == [("c", 0.5), ("b", 0.25), ("a", -0.5)]


def test_an_arm_that_scores_all_alike_says_nothing() -> None:
    flat = Arm(GivenScores({"a": 1.0, "b": 1.0}, 2, mean=1.0, deviation=0.0), 0.9, absent=0.0)
    words = Arm(GivenScores({"b": 1.0}, 2, mean=0.5, deviation=0.5), 0.1, absent=0.0)
    fused = fuse_standard_scores([words, flat], chunk_ids=ids("ab"))
    assert [chunk_id for chunk_id, _ in fused] == ["b", "a"]


def with_peak(peak: float, *, searched: int) -> GivenScores:
    """Return vectors whose best cosine, 0.9, stands `peak` deviations of 0.1 above the mean."""
    return GivenScores({"a": 0.9, "b": 0.5}, searched, mean=0.9 - peak * 0.1, deviation=0.1)


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
    words = GivenScores({"a": 8.0, "b": 4.0}, 100, mean=0.12, deviation=1.0)
    # Nine chunks are too few to judge by: both arms weigh the same.
    vectors = GivenScores({"c": 1.0, "a": 0.6}, 9, mean=0.2, deviation=0.1)
    fused = fuse_best_shares(words, vectors, chunk_ids=ids("abc"))
    assert [chunk_id for chunk_id, _ in fused] == ["a", "c", "b"]
    assert [score for _, score in fused] == pytest.approx([0.75, 0.5, 0.25])


def test_a_fixed_weight_takes_the_place_of_the_one_that_follows_the_question() -> None:
    # Shares of words: 1 and 0.5. Of vectors, above a mean of 0.4: 0.2 / 0.4 and 0.4 / 0.4.
    words = GivenScores({"a": 2.0, "b": 1.0}, 2, mean=1.5, deviation=0.5)
    vectors = GivenScores({"b": 0.8, "a": 0.6}, 4, mean=0.4, deviation=0.3)
    fused = {
        weight: dict(fuse_best_shares(words, vectors, chunk_ids=ids("ab"), weight=weight))
        for weight in (0.0, 0.25, 1.0)
    }
    assert fused[0.0] == pytest.approx({"a": 1.0, "b": 0.5})
    assert fused[0.25] == pytest.approx({"a": 0.75 + 0.125, "b": 0.375 + 0.25})
    assert fused[1.0] == pytest.approx({"a": 0.5, "b": 1.0})


class Uncounted(GivenScores):
    """A ranker over whose scores nobody should count."""

    def spread(self) -> Spread:  # type: ignore[explicit-override]  # typing has it from 3.12
        """Fail."""
        raise AssertionError("mean and deviation of the words were counted")


@pytest.mark.parametrize("name", ["best-shares", "best-shares:0.5", "reciprocal-ranks"])
def test_only_standard_scores_count_the_spread_of_the_words(name: str) -> None:
    words = Uncounted({"a": 2.0}, 2, mean=0.0, deviation=0.0)
    assert parse_fusion(name).fuse(words, with_peak(1.0, searched=5))
    with pytest.raises(AssertionError, match="counted"):
        parse_fusion("standard-scores").fuse(words, with_peak(1.0, searched=5))


@pytest.mark.parametrize("name", ["best-shares", "standard-scores:0.25", "reciprocal-ranks"])
def test_a_fusion_is_written_as_it_was_read(name: str) -> None:
    assert parse_fusion(name).text == name


@pytest.mark.parametrize(
    "name", ["", "sum", "reciprocal-ranks:0.5", "best-shares:1.5", "best-shares:x"]
)
def test_a_fusion_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match=r"unknown fusion|must be a number from 0 to 1"):
        parse_fusion(name)


def test_a_question_without_a_known_word_is_ranked_by_vectors_as_they_are() -> None:
    words = GivenScores({}, 100, mean=0.0, deviation=0.0)
    fused = fuse_best_shares(words, with_peak(0.5, searched=100), chunk_ids=ids("ba"))
    assert [chunk_id for chunk_id, _ in fused] == ["a", "b"]


def test_chunks_that_hold_no_word_do_not_change_an_order_by_their_number() -> None:
    order = []
    for searched in (50, 50_000):
        words = GivenScores({"a": 8.0, "b": 7.0}, searched, mean=15 / searched, deviation=1.0)
        vectors = GivenScores({"b": 0.9, "a": 0.7}, searched, mean=0.3, deviation=0.1)
        fused = fuse_best_shares(words, vectors, chunk_ids=ids("ab"))
        order.append([chunk_id for chunk_id, _ in fused])
    assert order == [["b", "a"], ["b", "a"]]
