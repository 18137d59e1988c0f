"""The law every ranking keeps, as one assertion for tests of rankers and fusions."""

from collections.abc import Mapping, Sequence


def assert_lawful(ranked: Sequence[tuple[int, float]], *, ids: Mapping[int, str]) -> None:
    """Fail unless no row stands twice, scores never rise, and ties stand by chunk id.

    Args:
        ranked: (chunk row, score), best first.
        ids: chunk id of each row.
    """
    rows = [row for row, _ in ranked]
    if len(set(rows)) != len(rows):
        raise AssertionError(f"a row stands twice: {rows}")
    keys = [(-score, ids[row]) for row, score in ranked]
    if keys != sorted(keys):
        raise AssertionError(f"scores rise, or ties are not by chunk id: {ranked}")
