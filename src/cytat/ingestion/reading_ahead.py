"""Jobs -> Prepared, in order, a few files ahead of whoever takes them.

The thread reads and cuts while the encoder, which holds no interpreter lock, embeds.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

from cytat.ingestion.preparing import Job, Prepared, Recipe, prepare

FILES_AHEAD = 32
"""Enough that small files do not keep the encoder waiting; each may hold a large document."""


def read_ahead(jobs: Iterable[Job], recipe: Recipe) -> Iterator[tuple[Job, Prepared]]:
    """Yield every job with what was prepared; leaving early stops after the file in work."""
    waiting: deque[tuple[Job, Future[Prepared]]] = deque()
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="cytat-reading") as pool:
        try:
            for job in jobs:
                waiting.append((job, pool.submit(prepare, job, recipe)))
                if len(waiting) > FILES_AHEAD:
                    yield _first(waiting)
            while waiting:
                yield _first(waiting)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _first(waiting: "deque[tuple[Job, Future[Prepared]]]") -> tuple[Job, Prepared]:
    job, future = waiting.popleft()
    return job, future.result()
