"""Settings -> a Store, and the parts of a corpus, each opened when it is first needed; traces."""

import hashlib
import threading
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Self

from cytat import plugins
from cytat.config import Settings, corpus_name, load_settings
from cytat.corpus.models import EmbedderChoice
from cytat.errors import CorpusError, NotAllowedError
from cytat.protocols import Store
from cytat.records import Trace, TraceId, TraceStage

if TYPE_CHECKING:
    from cytat.retrieval import SearchRequest


TRACE_ID_DIGITS = 12


def keep_trace(
    store: Store, verb: str, question: str, *, generation: int, stages: Sequence[TraceStage]
) -> TraceId | None:
    """Write what led to a result, and return its id; None where the corpus cannot be written.

    The same question of the same corpus has one trace.
    """
    if store.is_read_only:
        return None
    trace = Trace(
        id=_trace_id(store, verb, question, generation, stages),
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


def _trace_id(
    store: Store, verb: str, question: str, generation: int, stages: Sequence[TraceStage]
) -> TraceId:
    """Return an id from what was asked of what: the same bytes for the same question."""
    asked = [verb, question, str(generation)]
    if store.labels is not None:
        asked += ["reader", *sorted(store.labels)]
    asked += [repr(sorted(stage.input.items(), key=str)) for stage in stages]
    digest = hashlib.sha256("\0".join(asked).encode("utf-8", "surrogatepass")).hexdigest()
    return TraceId("t" + digest[:TRACE_ID_DIGITS])


def as_text(question: str) -> str:
    """Return a question without halves of signs, which no file and no server takes."""
    return question.encode("utf-8", "replace").decode("utf-8")


def open_store(settings: Settings, *, create: bool = False) -> Store:
    """Return the corpus of the settings, for its owner or for a reader with labels."""
    if settings.labels is not None:
        create = False
    return plugins.open_store(settings.corpus, create=create, labels=settings.labels)


def check_owner(settings: Settings) -> None:
    """Refuse a reader what would change the corpus or tell of all of it."""
    if settings.labels is not None:
        raise NotAllowedError(
            "only the owner of a corpus may do that", hint="leave out --as, or the labels"
        )


Where = Sequence[str] | Mapping[str, str] | str | None
"""That of `analysis.filters`, which loads numpy: opening a corpus does not wait for it."""


class CorpusParts:
    """What the verbs of a `Corpus` work with."""

    def __init__(self, settings: Settings, *, choice: EmbedderChoice | None = None) -> None:
        """Take the settings; `choice`: which encoder is in force, by default what they say."""
        self.settings = settings
        self._store: Store | None = None
        self._lock = threading.RLock()
        self._choice = choice or EmbedderChoice(settings)

    @classmethod
    def open(
        cls,
        path: str | Path = "cytat.db",
        *,
        settings: Settings | None = None,
        labels: Collection[str] | None = None,
    ) -> Self:
        """Return the corpus in the file `path`, with the person's own settings by default.

        With `labels` it is that of a reader: documents without a label or with one of these, and
        nothing of others, not even that they are there. A reader changes nothing.
        """
        chosen = settings if settings is not None else load_settings({})
        given = (labels,) if isinstance(labels, str) else labels
        read = chosen.labels if given is None else tuple(given)
        return cls(replace(chosen, corpus=corpus_name(str(path)), labels=read))

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._store is not None:
                self._store.close()
                self._store = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------ parts

    def _opened(self, *, create: bool = False) -> Store:
        """Return the store as the settings' labels let it be read."""
        with self._lock:
            if self._store is None:
                self._store = open_store(self.settings, create=create)
            return self._store

    def _owned(self, *, create: bool = False) -> Store:
        """Return the store to change, or to tell all of; NotAllowedError for a reader."""
        check_owner(self.settings)
        return self._opened(create=create)

    def _search_request(
        self, question: str, *, depth: int, mode: str, where: Where, fusion: str | None = None
    ) -> "SearchRequest":
        from cytat.corpus.searching import search_request  # noqa: PLC0415 - see `corpus`

        return search_request(question, depth=depth, mode=mode, where=where, fusion=fusion)
