"""Prepared files -> groups on disk. While one group is encoded, the one before it is written.

A group is embedded together, in batches of like length, and is one transaction: several small
documents cost one wait for the disk. The store is used by the calling thread alone.

A batch that the encoder fails on is tried again in halves, so that one poisonous passage costs only
itself. After `FAILURES_IN_A_ROW` the encoder counts as away, and nothing more is asked of it in
this run. Encoders compute outside the interpreter's lock. The waiting thread can be interrupted: an
encoder that takes its time keeps nobody from stopping.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Self

from cytat.embedding import embed_passages
from cytat.errors import BackendError
from cytat.ingestion.preparing import Ready, Recipe
from cytat.ingestion.writing import WriteOutcome, write_group
from cytat.protocols import Embedder, Store, Vectors
from cytat.records import Unread

BATCH_PASSAGES = 32
"""What is embedded between two signs of life; of like length, so that little is padding."""
FAILURES_IN_A_ROW = 3


class PassageEncoder:
    """An embedder that may fail in part."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._failures_in_a_row = 0
        self._is_stopped = False
        self.failure: str | None = None
        """Why the last passage that has no vector has none."""
        self.characters_done = 0
        """Of all passages that were tried so far; may be read from another thread."""

    @property
    def is_away(self) -> bool:
        """Whether the embedder has failed so often that it is left alone."""
        return self._failures_in_a_row >= FAILURES_IN_A_ROW

    def stop(self) -> None:
        """Ask nothing more of the embedder; what is being encoded goes without the rest."""
        self._is_stopped = True

    def encode(self, passages: Mapping[bytes, str]) -> dict[bytes, Vectors]:
        """Return the vectors that could be made."""
        by_length = sorted(passages, key=lambda key: (len(passages[key]), key))
        vectors: dict[bytes, Vectors] = {}
        for start in range(0, len(by_length), BATCH_PASSAGES):
            batch = {key: passages[key] for key in by_length[start : start + BATCH_PASSAGES]}
            vectors |= self._encode_batch(batch)
            self.characters_done += sum(map(len, batch.values()))
        return vectors

    def _encode_batch(self, passages: Mapping[bytes, str]) -> dict[bytes, Vectors]:
        if not passages or self.is_away or self._is_stopped:
            return {}
        try:
            embedded = embed_passages(self._embedder, list(passages.values()))
        except BackendError as error:
            self.failure = error.message
            self._failures_in_a_row += 1
            return self._encode_halves(passages)
        self._failures_in_a_row = 0
        for reason in embedded.missing.values():
            self.failure = reason
        return {
            key: embedded.vectors[at]
            for at, key in enumerate(passages)
            if at not in embedded.missing
        }

    def _encode_halves(self, passages: Mapping[bytes, str]) -> dict[bytes, Vectors]:
        """Return what the two halves give; a single passage has no halves."""
        keys: Sequence[bytes] = list(passages)
        middle = len(keys) // 2
        halves = (keys[:middle], keys[middle:]) if middle else ()
        vectors: dict[bytes, Vectors] = {}
        for half in halves:
            vectors |= self._encode_batch({key: passages[key] for key in half})
        return vectors


TICK_S = 0.2
"""How often the waiting thread checks for a stop and shows progress."""


class Encoding:
    """The vectors of some passages, once they are made."""

    def __init__(self, passages: Mapping[bytes, str], future: Future[dict[bytes, Vectors]]) -> None:
        self.passages = passages
        self._future = future

    def wait(self, *, on_tick: Callable[[], None]) -> Mapping[bytes, Vectors]:
        """Return the vectors when they are made, calling `on_tick` meanwhile."""
        while not wait([self._future], timeout=TICK_S).done:
            on_tick()
        return self._future.result()


class EncodingBeside:
    """An encoder at work in its own thread, on one set of passages after another."""

    def __init__(self, encoder: PassageEncoder) -> None:
        self._encoder = encoder
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="cytat-encoding")

    def begin(self, passages: Mapping[bytes, str]) -> Encoding:
        """Return a promise; its turn comes after those begun before."""
        return Encoding(passages, self._pool.submit(self._encoder.encode, passages))

    def close(self) -> None:
        """End the thread after the call of the embedder that it is in, without waiting for it."""
        self._encoder.stop()
        self._pool.shutdown(wait=False, cancel_futures=True)


GROUP_PASSAGES = 128
"""Encoded and written together: four batches for the encoder, one wait for the disk."""
GROUP_DOCUMENTS = 64
"""Of documents with nothing to embed."""


@dataclass(frozen=True, slots=True)
class _Group:
    """Documents on their way to the disk."""

    members: tuple[Ready | Unread, ...]
    known: Mapping[bytes, Vectors]
    """Vectors that the corpus holds already."""
    shared: frozenset[bytes]
    """Passages of the group before, which are encoded once."""
    encoding: Encoding


class Groups:
    """Gathers documents; at most one group is encoded and one is written at a time."""

    def __init__(
        self,
        store: Store,
        recipe: Recipe,
        *,
        on_begun: Callable[[int], None],
        on_written: Callable[[Iterable[WriteOutcome]], None],
        on_tick: Callable[[], None],
    ) -> None:
        """Take a store to write to.

        Args:
            store: is used by the calling thread alone.
            recipe: how documents are made; its embedder is used in another thread.
            on_begun: called with how many characters a group has that must be encoded.
            on_written: called with what became of a group's documents when they are on disk.
            on_tick: called now and then while the encoder is waited for.
        """
        self._store = store
        self._recipe = recipe
        self._on_begun = on_begun
        self._on_written = on_written
        self._on_tick = on_tick
        self.damage: str | None = None
        """What of the words index was found damaged, and left to `reindex`."""
        self.encoder = PassageEncoder(recipe.embedder)
        self._beside = EncodingBeside(self.encoder)
        self._gathered: list[Ready | Unread] = []
        self._passages: dict[bytes, str] = {}
        self._under_way: _Group | None = None
        self._last_vectors: Mapping[bytes, Vectors] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        """Stop encoding; what has not been written is left for the next run."""
        self._beside.close()

    def take(self, prepared: Ready | Unread) -> None:
        """Add a document; when a group is full it is begun, and the one before is written."""
        self._gathered.append(prepared)
        if isinstance(prepared, Ready):
            self._passages.update(prepared.passages)
        if len(self._passages) >= GROUP_PASSAGES or len(self._gathered) >= GROUP_DOCUMENTS:
            self._begin_next()

    def finish(self) -> None:
        """Write everything that was taken."""
        self._begin_next()
        self._write_one_under_way()

    def _begin_next(self) -> None:
        begun = self._begun()
        self._write_one_under_way()
        self._under_way = begun

    def _begun(self) -> _Group:
        """Return what was gathered as a group, its new passages on their way to the encoder."""
        with self._store.moment() as moment:
            known = moment.vectors_of(self._passages.keys())
        before = self._under_way.encoding.passages if self._under_way else {}
        shared = frozenset(self._passages.keys() & before.keys())
        new = {
            key: text
            for key, text in self._passages.items()
            if key not in known and key not in shared
        }
        members = tuple(self._gathered)
        self._gathered.clear()
        self._passages.clear()
        self._on_begun(sum(map(len, new.values())))
        return _Group(members, known, shared, self._beside.begin(new))

    def _write_one_under_way(self) -> None:
        group, self._under_way = self._under_way, None
        if group is None:
            return
        made = group.encoding.wait(on_tick=self._on_tick)
        shared = {key: self._last_vectors[key] for key in group.shared & self._last_vectors.keys()}
        vectors = {**group.known, **shared, **made}
        self._last_vectors = made
        outcomes = write_group(self._store, group.members, vectors, self._recipe)
        self.damage = self._store.damage or self.damage
        self._on_written(outcomes)
