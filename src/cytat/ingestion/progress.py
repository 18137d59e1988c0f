"""A run's state -> Progress, and how long the rest takes.

Reading is measured in bytes, encoding in characters; they go on side by side, and the one that
takes longer decides. How many characters a file asks for is known once it is read; for the files
to come it is what the bytes before them asked for. Numbers of files say nothing: one may be a
note, the next a book.
"""

import math
import time
from collections.abc import Callable

from cytat.records import Progress

TOLD_AFTER_S = 3.0
"""Before this, models are loaded and rates mean little."""
TOLD_AFTER_SHARE = 0.02
"""Of the work: a rate measured on less is that of one odd file."""
SETTLING_S = 10.0
"""How slowly the estimate follows the measurement, so that one slow batch moves it little."""


class Remaining:
    """The rest of a run, estimated on each request."""

    def __init__(self, *, size: int, clock: Callable[[], float]) -> None:
        """Begin to measure; `size` is the bytes of all files."""
        self._clock = clock
        self._begun_at = clock()
        self._size = size
        self._bytes_read = 0
        self._read_at = self._begun_at
        self._characters = 0
        self._characters_done = 0
        self._encoding_since: float | None = None
        self._encoded_at = self._begun_at
        self._last: tuple[float, float] | None = None
        """When the last estimate was given, and what it was."""

    def read(self, size: int) -> None:
        """Count the bytes of a file that was read."""
        self._bytes_read += size
        self._read_at = self._clock()

    def asked_for(self, characters: int) -> None:
        """Count characters that the files read so far ask to be encoded."""
        if characters and self._encoding_since is None:
            self._encoding_since = self._encoded_at = self._clock()
        self._characters += characters

    def encoded(self, characters: int) -> None:
        """Take note of how many characters are encoded by now, from the beginning."""
        if characters != self._characters_done:
            self._characters_done = characters
            self._encoded_at = self._clock()

    def seconds(self) -> float | None:
        """Return how long the rest takes, or None until it can be estimated."""
        now = self._clock()
        measured = self._measured(now)
        if measured is None:
            return None
        if self._last is None:
            estimate = measured
        else:
            then, before = self._last
            expected = max(before - (now - then), 0.0)
            estimate = expected + (measured - expected) * (1 - math.exp((then - now) / SETTLING_S))
        self._last = (now, estimate)
        return estimate

    def share_done(self) -> float:
        """Return how much of the time has passed, by the last estimate; 0 before that."""
        if self._last is None:
            return 0.0
        then, left = self._last
        passed = then - self._begun_at
        return passed / (passed + left) if passed + left else 0.0

    def _measured(self, now: float) -> float | None:
        if now - self._begun_at < TOLD_AFTER_S or not self._bytes_read or not self._is_enough():
            return None
        return max(self._reading_left(now), self._encoding_left(now))

    def _is_enough(self) -> bool:
        if self._characters_expected:
            return self._characters_done >= TOLD_AFTER_SHARE * self._characters_expected
        return self._bytes_read >= TOLD_AFTER_SHARE * self._size

    @property
    def _unread(self) -> int:
        return max(self._size - self._bytes_read, 0)  # a file may have grown

    @property
    def _characters_expected(self) -> float:
        return self._characters * (1 + self._unread / max(self._bytes_read, 1))

    def _reading_left(self, now: float) -> float:
        took = self._read_at - self._begun_at
        return max(self._unread * took / self._bytes_read - (now - self._read_at), 0.0)

    def _encoding_left(self, now: float) -> float:
        if not self._characters_done or self._encoding_since is None:
            return 0.0
        took = self._encoded_at - self._encoding_since
        left = self._characters_expected - self._characters_done
        return max(left * took / self._characters_done - (now - self._encoded_at), 0.0)


class Teller:
    """Counts what is done, and reports it."""

    def __init__(
        self, on_event: Callable[[Progress], None], *, files: int, remaining: Remaining
    ) -> None:
        """Take the listener, and how many files there are."""
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
