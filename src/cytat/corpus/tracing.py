"""Stages of one question -> a trace in the corpus; local only, and never in the way of a result."""

import hashlib
from datetime import UTC, datetime

from cytat.errors import CorpusError
from cytat.protocols import Store
from cytat.records import Trace, TraceId, TraceStage

ID_DIGITS = 12


class Recorder:
    """Collects stages and keeps them; the same question of the same corpus has one trace."""

    def __init__(self, store: Store, *, verb: str, question: str) -> None:
        self._store = store
        self._verb = verb
        self._question = question
        self._stages: list[TraceStage] = []

    def take(self, stage: TraceStage) -> None:
        """Add a stage that was timed by whoever ran it."""
        self._stages.append(stage)

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
        with self._store.moment() as moment:
            asked = [self._verb, self._question, str(moment.generation)]
        if self._store.labels is not None:
            asked += ["reader", *sorted(self._store.labels)]
        asked += [repr(sorted(stage.input.items(), key=str)) for stage in self._stages]
        digest = hashlib.sha256("\0".join(asked).encode("utf-8", "surrogatepass")).hexdigest()
        return TraceId("t" + digest[:ID_DIGITS])


def as_text(question: str) -> str:
    """Return a question without halves of signs, which no file and no server takes."""
    return question.encode("utf-8", "replace").decode("utf-8")
