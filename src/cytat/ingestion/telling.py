"""A run's state -> Progress, as often as something is new to tell."""

import time
from collections.abc import Callable

from cytat.ingestion.remaining import Remaining
from cytat.records import Progress


class Teller:
    """Counts what is done, and tells it."""

    def __init__(
        self, on_event: Callable[[Progress], None], *, files: int, remaining: Remaining
    ) -> None:
        """Take whom to tell, and how many files there are."""
        self._on_event = on_event
        self._files = files
        self._remaining = remaining
        self._files_done = 0
        self._chunks = 0
        self._source = ""
        self._share = 0.0

    def working_on(self, source: str) -> None:
        """Remember which file is in work."""
        self._source = source

    def done(self, source: str, *, chunks: int) -> None:
        """Count a file that is on disk."""
        self._files_done += 1
        self._chunks += chunks
        self._source = source
        self.tell()

    def tell(self) -> None:
        """Tell how far the run is."""
        seconds_left = self._remaining.seconds()
        is_over = self._files_done == self._files
        self._share = 1.0 if is_over else max(self._share, self._remaining.share_done())
        self._on_event(
            Progress(
                files=self._files,
                files_done=self._files_done,
                chunks=self._chunks,
                source=self._source,
                share=self._share,
                seconds_left=seconds_left,
            )
        )


def remaining_of(size: int) -> Remaining:
    """Return the measure of a run over so many bytes, by this machine's clock."""
    return Remaining(size=size, clock=time.monotonic)
