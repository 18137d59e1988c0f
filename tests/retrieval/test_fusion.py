"""Two rankings made one."""

import numpy as np
import pytest

from cytat.query import ScoredRows, scored_rows
from cytat.retrieval import Arm, fuse_reciprocal_ranks, fuse_standard_scores

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
