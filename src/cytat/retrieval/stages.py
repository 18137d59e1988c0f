"""Stages of one question, timed one after the other and handed to whoever keeps the trace."""

import time
from collections.abc import Callable, Mapping

from cytat.records import TraceStage

Record = Callable[[TraceStage], None]
"""Is told each stage as it ends."""


def ignore(_: object) -> None:
    """Nobody keeps it."""


class Stages:
    """Times stages: each lasts from the end of the one before."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._since = time.perf_counter()

    def end(self, name: str, given: Mapping[str, object], seen: Mapping[str, object]) -> None:
        """Hand over a stage: what it received and what it returned."""
        now = time.perf_counter()
        self._record(TraceStage(name, given, seen, (now - self._since) * 1000))
        self._since = now
