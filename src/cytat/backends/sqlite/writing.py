"""SqliteWriting: a moment that can be changed, whole or not at all.

Words of all documents of a block become one batch of postings at its end. Then what was written is
sealed, and the generation rises if documents or vectors changed.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from cytat.backends.sqlite import documents, spaces, status
from cytat.backends.sqlite.indexes import SharedIndexes
from cytat.backends.sqlite.moment import SqliteMoment
from cytat.backends.sqlite.seals import ALL_PARTS, SealedPart, is_sealed, seal
from cytat.protocols import NewVersion
from cytat.records import Calibration, DocumentId, DocumentState, Making, Unread, VectorSpace
from cytat.text.identity import check_label

if TYPE_CHECKING:  # who writes no documents does not wait for numpy
    from cytat.backends.sqlite.index_writing import Numbers, TermNumbers

RECORD = frozenset({SealedPart.RECORD})
TEXT = frozenset({SealedPart.TEXT})


class SqliteWriting(SqliteMoment):
    """One transaction; see `protocols.Writing`."""

    def __init__(
        self, connection: apsw.Connection, *, base: Path, indexes: Callable[[], SharedIndexes]
    ) -> None:
        """Take a connection inside a write transaction; `indexes` are of what is committed."""
        super().__init__(connection, base=base, indexes=self._indexes_now)
        self._committed_indexes = indexes
        self._is_changed = False
        self._unsealed: dict[DocumentId, frozenset[SealedPart]] = {}
        self._numbers: TermNumbers | None = None
        self._words: list[tuple[int, Numbers]] = []
        """chunk.row and terms of each new chunk."""
        self.damage: str | None = None
        """What of the words index was found damaged and left alone."""

    def _indexes_now(self) -> SharedIndexes:
        """Return what is in memory; what says nothing of the changes made here is not used."""
        if not self._is_changed:
            return self._committed_indexes()
        self._index_words()
        return SharedIndexes(None)

    # ------------------------------------------------------------ documents

    def replace(self, new: NewVersion) -> None:
        """Write a document version in place of the last one, words and vectors included."""
        from cytat.backends.sqlite.index_writing import (  # noqa: PLC0415 - see the top
            TermNumbers,
            write_vectors,
        )

        self.mark_written(new.document.id)
        placed = documents.replace_version(
            self._connection, new, place_label=self._label_of_place(new.document.source)
        )
        if self._numbers is None:
            self._numbers = TermNumbers()
        for (row, _), terms in zip(placed, new.terms, strict=True):
            self._words.append((row, self._numbers.numbered(terms)))
        vectors = [(row, new.vectors[key]) for row, key in placed if key in new.vectors]
        write_vectors(self._connection, vectors)

    def record_unread(self, unread: Unread) -> DocumentState:
        """Write down a source that was not read; a good version from before stays, as stale."""
        before = self._connection.total_changes()
        state = documents.record_unread(
            self._connection, unread, place_label=self._label_of_place(unread.source)
        )
        if self._connection.total_changes() > before:
            is_kept = state is DocumentState.STALE
            self.mark_written(unread.document_id, RECORD if is_kept else ALL_PARTS)
        return state

    def _label_of_place(self, source: str) -> str:
        return status.label_of_place(self._connection, source, base=self._base)

    def add_metadata(self, document_id: DocumentId, given: Mapping[str, str]) -> None:
        """Add to what a person said of a document whose version stays."""
        known = documents.read_document_row(self._connection, document_id)
        if known is not None:
            self.mark_written(document_id, RECORD)
            documents.update_given(self._connection, known, given)

    def set_label(self, document_id: DocumentId, label: str) -> bool:
        """Say who may read a document, "" for everyone; return whether that is new."""
        is_sound = SealedPart.TEXT in self._unsealed.get(document_id, ()) or is_sealed(
            self._connection, document_id, SealedPart.TEXT
        )
        checked = check_label(label)
        is_new = documents.update_label(self._connection, document_id, checked)
        if is_new:
            self.mark_written(document_id, TEXT if is_sound else frozenset())
        return is_new

    def label(self, document_id: DocumentId) -> str | None:
        """Return who may read a document, "" for everyone; None where there is none."""
        return documents.read_label(self._connection, document_id)

    def remove(self, document_id: DocumentId) -> bool:
        """Remove a document whole; say whether there was one."""
        is_there = documents.delete_document(self._connection, document_id)
        if is_there:
            self.mark_changed()
        return is_there

    # ------------------------------------------------------------ what the corpus remembers

    def want_purge(self) -> None:
        """Write down that what is removed here is to be purged, until `purge` has ended."""
        spaces.want_purge(self._connection)

    def claim_space(self, space: VectorSpace) -> None:
        """Make `space` the corpus' own, or refuse it (VectorSpaceError)."""
        spaces.claim_space(self._connection, space)

    def set_chunking(self, name: str) -> None:
        """Write down how the corpus is cut from now on."""
        spaces.write_chunking(self._connection, name)

    def set_calibration(self, calibration: Calibration | None) -> None:
        """Put a calibration in place of the last; None brings back the shipped gate."""
        if calibration is None:
            spaces.delete_calibration(self._connection)
        else:
            spaces.write_calibration(self._connection, calibration)

    def set_making(self, making: Making) -> None:
        """Mark the corpus as derived from another, and write down the costs so far."""
        spaces.write_making(self._connection, making)

    def add_folder(self, path: Path, label: str | None = None) -> None:
        """Remember a folder that was added, and who may read what comes into it."""
        status.add_folder(self._connection, path, None if label is None else check_label(label))

    # ------------------------------------------------------------ for this back-end

    def mark_changed(self) -> None:
        """Let the generation rise at the end."""
        self._is_changed = True

    def mark_written(
        self, document_id: DocumentId, parts: frozenset[SealedPart] = ALL_PARTS
    ) -> None:
        """Let parts of a document be sealed at the end, and the generation rise."""
        self.mark_changed()
        self._unsealed[document_id] = self._unsealed.get(document_id, frozenset()) | parts

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Undo a nested block that fails, and that block alone."""
        unsealed, words, is_changed = dict(self._unsealed), list(self._words), self._is_changed
        try:
            with self._connection:
                yield
        except BaseException:
            self._unsealed, self._words, self._is_changed = unsealed, words, is_changed
            raise

    def finish(self) -> None:
        """Write what comes last, ahead of the commit."""
        self._index_words()
        for document_id, parts in self._unsealed.items():
            seal(self._connection, document_id, parts)
        if self._is_changed:
            spaces.raise_generation(self._connection)

    def _index_words(self) -> None:
        from cytat.backends.sqlite.index_writing import index_terms  # noqa: PLC0415 - see the top

        if self._numbers is None or not self._words:
            return  # what was undone must not move batches about: the generation stays
        words, self._words = self._words, []
        self.damage = index_terms(self._connection, self._numbers.terms(), words) or self.damage
