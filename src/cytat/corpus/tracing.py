"""Stages of one question -> a trace in the corpus; local only, and never in the way of a result."""

import hashlib
import time
from collections.abc import Mapping
from datetime import UTC, datetime

from cytat.errors import CorpusError
from cytat.records import Trace, TraceId, TraceStage
from cytat.store import Store

ID_DIGITS = 12


class Recorder:
    """Collects stages and keeps them; the same question of the same corpus has one trace."""

    def __init__(self, store: Store, *, verb: str, question: str) -> None:
        self._store = store
        self._verb = verb
        self._question = question
        self._stages: list[TraceStage] = []
        self._since = time.perf_counter()

    def take(self, stage: TraceStage) -> None:
        """Add a stage that was timed by whoever ran it."""
        self._stages.append(stage)

    def stage(self, name: str, given: Mapping[str, object], seen: Mapping[str, object]) -> None:
        """Add a stage that lasted since the recorder was made or the stage before ended."""
        now = time.perf_counter()
        self._stages.append(TraceStage(name, given, seen, (now - self._since) * 1000))
        self._since = now

    def keep(self) -> TraceId | None:
        """Write the trace and return its id; None where the corpus cannot be written."""
        if self._store.is_read_only:
            return None
        trace = Trace(
            id=self._id(),
            verb=self._verb,
            question=self._question,
            at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            stages=tuple(self._stages),
        )
        try:
            self._store.record_trace(trace)
        except CorpusError:
            # A full disk or a long write of another process must not cost the person the answer.
            return None
        return trace.id

    def _id(self) -> TraceId:
        """Return an id from what was asked of what: the same bytes for the same question."""
        asked = [self._verb, self._question, str(self._store.generation)]
        asked += [repr(sorted(stage.input.items(), key=str)) for stage in self._stages]
        digest = hashlib.sha256("\0".join(asked).encode("utf-8", "surrogatepass")).hexdigest()
        return TraceId("t" + digest[:ID_DIGITS])
