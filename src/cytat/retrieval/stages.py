"""Stages of one question, timed one after the other, for the trace."""

import time
from collections.abc import Mapping

from cytat.records import TraceStage


class Stages:
    """Times stages: each lasts from the end of the one before."""

    def __init__(self) -> None:
        """Begin to time the first."""
        self._taken: list[TraceStage] = []
        self._since = time.perf_counter()

    def end(self, name: str, given: Mapping[str, object], seen: Mapping[str, object]) -> None:
        """End a stage: what it received and what it returned."""
        now = time.perf_counter()
        self._taken.append(TraceStage(name, given, seen, (now - self._since) * 1000))
        self._since = now

    def taken(self) -> tuple[TraceStage, ...]:
        """Return the stages that have ended, in order."""
        return tuple(self._taken)
