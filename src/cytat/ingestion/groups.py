"""Prepared files -> groups on disk. While one group is encoded, the one before it is written.

A group is embedded together, in batches of like length, and is one transaction: several small
documents cost one wait for the disk. The store is used by the calling thread alone.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from cytat.ingestion.encoding import Encoding, EncodingBeside, PassageEncoder
from cytat.ingestion.preparing import Ready, Recipe
from cytat.ingestion.writing import WriteOutcome, write_group
from cytat.protocols import Store, Vectors
from cytat.records import Unread

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
