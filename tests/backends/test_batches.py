"""Batches hold every text once and little padding."""

from cytat.backends.session import batches_by_length


def test_near_lengths_are_batched_together_longest_first() -> None:
    lengths = [10, 100, 9, 95, 8, 80]
    assert list(batches_by_length(lengths, most=8)) == [[1, 3, 5], [0, 2, 4]]


def test_a_batch_is_never_larger_than_asked() -> None:
    assert list(batches_by_length([5] * 5, most=2)) == [[0, 1], [2, 3], [4]]


def test_nothing_is_no_batch() -> None:
    assert list(batches_by_length([], most=8)) == []
