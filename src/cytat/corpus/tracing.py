"""Stages of one question -> a trace in the corpus; local only, and never in the way of a result."""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime

from cytat.errors import CorpusError
from cytat.protocols import Store
from cytat.records import Trace, TraceId, TraceStage

ID_DIGITS = 12


def keep_trace(
    store: Store, verb: str, question: str, *, generation: int, stages: Sequence[TraceStage]
) -> TraceId | None:
    """Write what led to a result, and return its id; None where the corpus cannot be written.

    The same question of the same corpus has one trace.
    """
    if store.is_read_only:
        return None
    trace = Trace(
        id=_id(store, verb, question, generation, stages),
        verb=verb,
        question=question,
        at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        stages=tuple(stages),
    )
    try:
        store.record_trace(trace)
    except CorpusError:
        # A full disk or a long write of another process must not cost the person the answer.
        return None
    return trace.id


def _id(
    store: Store, verb: str, question: str, generation: int, stages: Sequence[TraceStage]
) -> TraceId:
    """Return an id from what was asked of what: the same bytes for the same question."""
    asked = [verb, question, str(generation)]
    if store.labels is not None:
        asked += ["reader", *sorted(store.labels)]
    asked += [repr(sorted(stage.input.items(), key=str)) for stage in stages]
    digest = hashlib.sha256("\0".join(asked).encode("utf-8", "surrogatepass")).hexdigest()
    return TraceId("t" + digest[:ID_DIGITS])


def as_text(question: str) -> str:
    """Return a question without halves of signs, which no file and no server takes."""
    return question.encode("utf-8", "replace").decode("utf-8")
