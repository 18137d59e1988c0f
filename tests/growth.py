"""Work of two sizes -> whether its time grows as a line does, on a machine that others use, too."""

import time
from collections.abc import Callable

ATTEMPTS = 6
"""One quiet moment among so many is enough; work in quadratic time fails in every one."""

TIMES_THE_SIZE = 8
MOST_TIMES_THE_TIME = 24
"""Between 8, the time of a line, and 64, the time of a square."""

LEAST_S = 0.005
"""Shorter times are noise."""


def grows_like_a_line(work: Callable[[int], object], *, size: int) -> bool:
    """Say whether work of `TIMES_THE_SIZE` times `size` took about as many times the time."""
    return any(
        _seconds(work, TIMES_THE_SIZE * size)
        < MOST_TIMES_THE_TIME * max(_seconds(work, size), LEAST_S)
        for _ in range(ATTEMPTS)
    )


def _seconds(work: Callable[[int], object], size: int) -> float:
    started = time.process_time()
    work(size)
    return time.process_time() - started
