"""An item -> Prepared: its bytes read once, made into a document, cut. Touches no store.

Runs ahead of the encoder in its own thread. One bad file never stops a folder: whatever goes
wrong with it becomes an `Unread` with a code.

The thread reads and cuts while the encoder, which holds no interpreter lock, embeds.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Protocol, TypeAlias

from cytat.analysis import detect_language
from cytat.errors import BackendError, ReadingError
from cytat.protocols import Chunker, Embedder, Reader
from cytat.records import (
    PIPELINE,
    Chunk,
    Document,
    DocumentId,
    DocumentState,
    FileStamp,
    ItemBytes,
    Ledger,
    ReadingOptions,
    SourceItem,
    Stamp,
    StoredDocument,
    Unread,
    Version,
)
from cytat.text.identity import passage_text, text_hash, version_of

SKIPPED_CODES = frozenset({"empty", "unsupported-type"})
"""Nothing went wrong: there is nothing to index."""
PARTIAL_CODES = frozenset(
    {
        "memory-limit",
        "needs-password",
        "no-text",
        "refused-member",
        "time-limit",
        "too-large",
        "unreadable",
    }
)
"""A problem with one of these codes means that something of the document cannot be found."""


READ_WITH = "read-with"
"""Metadata of a document whose reader was named: the name, kept so that it is read so again."""


class ReaderFor(Protocol):
    """Content and source -> the reader that is named, else the one that fits."""

    def __call__(
        self, content: bytes, source: str, *, named: str | None, media_type: str | None
    ) -> Reader:
        """Return the reader; ReadingError when none fits. `Formats.reader_for` is one."""
        ...


@dataclass(frozen=True, slots=True)
class ReadingPlan:
    """How items are read in one run."""

    reader_for: ReaderFor
    options: ReadingOptions
    limit_bytes: int
    """Larger items fail."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How document versions are made in one run of what was read."""

    chunker: Chunker
    embedder: Embedder
    given: Mapping[str, str]
    """Added to what the documents say of themselves."""
    label: str | None
    """Who may read the documents; None leaves it as it is, and a new one to everyone."""


@dataclass(frozen=True, slots=True)
class Job:
    """One item to look at, and what the corpus holds of it."""

    item: SourceItem
    document_id: DocumentId
    known: StoredDocument | None
    is_made_anew: bool
    """Whether it is made also when nothing has changed, as a damaged document is."""
    stored: Document | None
    """As it was read before, where its source cannot be asked for it again; it is not read then."""
    gone_members: frozenset[DocumentId]
    """Documents that were in this item and are not any more."""

    @property
    def source(self) -> str:
        """The name of the document."""
        return self.item.name


@dataclass(frozen=True, slots=True)
class Same:
    """The file is as it was and would be made into the same again."""

    known: StoredDocument


@dataclass(frozen=True, slots=True)
class Ready:
    """A document version, but for its vectors."""

    document: Document
    chunks: tuple[Chunk, ...]
    passages: Mapping[bytes, str]
    """What is embedded, by its hash; empty for a document that is found by words only."""
    language: str | None
    file: FileStamp | None
    """None for what is kept in the corpus alone."""
    given: Mapping[str, str]
    """What the person added, now and in earlier runs."""
    known: StoredDocument | None
    """What the corpus held when this version was begun."""
    gone_members: frozenset[DocumentId] = frozenset()
    """Documents to remove with the version that this one replaces."""

    @property
    def is_update(self) -> bool:
        """Whether it takes the place of an older version."""
        return self.known is not None and self.known.version is not None


Prepared: TypeAlias = Same | Ready | Unread


def prepare(job: Job, recipe: Recipe, reading: ReadingPlan) -> Prepared:
    """Return what is to be written for one item."""
    file: FileStamp | None = None
    try:
        if job.stored is not None:
            return _prepare_stored(job, job.stored, recipe)
        read = job.item.fetch(reading.limit_bytes)
        _check_size(job, read, reading.limit_bytes)
        if job.item.is_kept:
            file = FileStamp(size=len(read.content), modified_ns=read.modified_ns)
        reader = _reader_of(job, read, recipe, reading)
        stamp = wanted_stamp(version_of(read.content), reader.name, recipe)
        if job.known is not None and not job.is_made_anew and is_same(job.known, job.source, stamp):
            return Same(job.known)
        document = reader.read(read.content, source=job.source, options=reading.options)
        return _make(job, document, file, recipe)
    except ReadingError as error:
        return _unread(job, error, file)
    except Exception as error:  # noqa: BLE001 - a reader may fail on a hostile file in any way
        return _unread(job, _unexpected(error), file)


def _prepare_stored(job: Job, stored: Document, recipe: Recipe) -> Prepared:
    """Make a document again of what was read of it; nobody can be asked for its bytes."""
    stamp = wanted_stamp(stored.version, stored.reader, recipe)
    if job.known is not None and not job.is_made_anew and is_same(job.known, job.source, stamp):
        return Same(job.known)
    return _make(job, stored, None, recipe)


def _check_size(job: Job, read: ItemBytes, limit_bytes: int) -> None:
    if len(read.content) > limit_bytes:
        raise ReadingError(
            "too-large",
            f"{job.source} is larger than {limit_bytes:,} bytes",
            hint="split it into smaller files",
        )


def _reader_of(job: Job, read: ItemBytes, recipe: Recipe, reading: ReadingPlan) -> Reader:
    """Return the reader that was named for the document, now or before; else the one that fits."""
    before = job.known.given if job.known is not None else {}
    named = recipe.given.get(READ_WITH, before.get(READ_WITH))
    item = job.item
    return reading.reader_for(read.content, item.name, named=named, media_type=item.media_type)


def wanted_stamp(version: Version, reader: str, recipe: Recipe) -> Stamp:
    """Return the stamp of a version made whole by this recipe."""
    return Stamp(
        version=version,
        reader=reader,
        chunking=recipe.chunker.name,
        embedder=recipe.embedder.name,
        dimensions=recipe.embedder.dimensions,
        weights=recipe.embedder.weights,
        pipeline=PIPELINE,
    )


def is_known_to(embedder: Embedder, language: str | None) -> bool:
    """Say whether the encoder was trained for a language; one that nobody knows is tried."""
    return language is None or embedder.languages is None or language in embedder.languages


def is_same(known: StoredDocument, source: str, stamp: Stamp) -> bool:
    """Say whether what is stored is what would be made; size and time of the file say nothing."""
    is_good = known.state in {DocumentState.INDEXED, DocumentState.PARTIAL}
    return is_good and known.source == source and known.stamp == stamp


def _make(job: Job, document: Document, file: FileStamp | None, recipe: Recipe) -> Ready:
    chunks = _cut(document, recipe.chunker)
    if not chunks:
        name = PurePosixPath(job.source).name
        raise ReadingError("empty", f"{name} holds no words", hint="nothing needs to be done")
    language = detect_language(document.text)
    return Ready(
        document=document,
        chunks=chunks,
        passages=_passages(document, chunks) if is_known_to(recipe.embedder, language) else {},
        language=language,
        file=file,
        given={**(job.known.given if job.known else {}), **recipe.given},
        known=job.known,
        gone_members=job.gone_members,
    )


def _cut(document: Document, chunker: Chunker) -> tuple[Chunk, ...]:
    try:
        return tuple(chunker.cut(document))
    except BackendError as error:
        raise ReadingError(
            "unreadable",
            f"chunking it needs the vectors of its sentences: {error}",
            hint=error.hint,
        ) from error


def _passages(document: Document, chunks: tuple[Chunk, ...]) -> dict[bytes, str]:
    return {text_hash(passage): passage for passage in map(passage_of(document), chunks)}


def passage_of(document: Document) -> Callable[[Chunk], str]:
    """Return what is embedded of a chunk of `document`."""

    def passage(chunk: Chunk) -> str:
        words = chunk.span.of(document.text)
        return passage_text(document.title, chunk.heading_path, chunk.context, words)

    return passage


def _unexpected(error: Exception) -> ReadingError:
    return ReadingError(
        "unreadable",
        "; ".join(
            [
                f"reading it failed with {type(error).__name__}: {error}",
                *getattr(error, "__notes__", ()),
            ]
        ),
        hint="the file may be damaged; if other programs open it, please report this",
    )


def _unread(job: Job, error: ReadingError, file: FileStamp | None) -> Unread:
    is_skipped = error.code in SKIPPED_CODES
    state = DocumentState.SKIPPED if is_skipped else DocumentState.FAILED
    return Unread(
        document_id=job.document_id,
        source=job.source,
        state=state,
        code=error.code,
        message=error.message,
        hint=error.hint,
        file=file,
        ledger=_ledger_of_nothing(error.code),
    )


def _ledger_of_nothing(code: str) -> Ledger:
    empty = int(code == "empty")
    return Ledger(parts=1, read=0, empty=empty, ocr=0, failed=1 - empty, left_out=0, problems=())


FILES_AHEAD = 32
"""Enough that small files do not keep the encoder waiting; each may hold a large document."""


def read_ahead(
    jobs: Iterable[Job], recipe: Recipe, reading: ReadingPlan
) -> Iterator[tuple[Job, Prepared]]:
    """Yield every job with what was prepared; leaving early stops after the file in work."""
    waiting: deque[tuple[Job, Future[Prepared]]] = deque()
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="cytat-reading") as pool:
        try:
            for job in jobs:
                waiting.append((job, pool.submit(prepare, job, recipe, reading)))
                if len(waiting) > FILES_AHEAD:
                    yield _first(waiting)
            while waiting:
                yield _first(waiting)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _first(waiting: "deque[tuple[Job, Future[Prepared]]]") -> tuple[Job, Prepared]:
    job, future = waiting.popleft()
    return job, future.result()
