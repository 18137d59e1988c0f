"""What is made of one ranker's scores: the best places, and ids read only where they decide."""

from collections.abc import Sequence

import numpy as np

from cytat.analysis.places import best_places

IDS = {10: "c", 11: "b", 12: "a", 13: "d"}


def best(scores: Sequence[float], *, depth: int) -> tuple[tuple[tuple[int, float], ...], list[int]]:
    """Return the best of places 10, 11, 12, 13, and those whose ids were asked for."""
    asked: list[int] = []

    def ids_of(rows: Sequence[int]) -> dict[int, str]:
        asked.extend(rows)
        return {row: IDS[row] for row in rows}

    rows = np.arange(10, 10 + len(scores), dtype=np.int32)
    return best_places(rows, np.array(scores), depth=depth, ids_of=ids_of), asked


def test_the_highest_stand_first_and_no_id_is_read() -> None:
    assert best([0.5, 2.0, 1.0, 0.25], depth=3) == (((11, 2.0), (12, 1.0), (10, 0.5)), [])


def test_of_equal_scores_the_first_by_id_stands_first() -> None:
    found, asked = best([0.5, 0.5, 0.5, 1.0], depth=3)
    assert found == ((13, 1.0), (12, 0.5), (11, 0.5))
    assert asked == [10, 11, 12]


def test_of_no_scores_nothing_is_best() -> None:
    assert best([], depth=3) == ((), [])
