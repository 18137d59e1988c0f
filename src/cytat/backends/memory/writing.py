"""MemoryWriting: a moment that can be changed; each change makes a new state."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from cytat.backends.memory.moment import MemoryMoment
from cytat.backends.memory.ranking import check_vectors
from cytat.backends.memory.state import KeptChunk, KeptDocument, MemoryState
from cytat.errors import NotAllowedError
from cytat.protocols import NewVersion
from cytat.records import (
    Calibration,
    DocumentId,
    DocumentState,
    FragmentStyle,
    Making,
    StoredDocument,
    Unread,
    VectorSpace,
    Version,
)
from cytat.text.identity import (
    EVERYONE,
    check_label,
    containers_of,
    document_id,
    folders_within,
    label_around,
    passage_text,
    path_text,
    text_hash,
)


class MemoryWriting(MemoryMoment):
    """The next state in the making; see `protocols.Writing`."""

    def __init__(self, state: MemoryState, *, base: Path) -> None:
        """Take the state that is in force; nobody sees the next before it is put in its place."""
        super().__init__(state, base=base)
        self._is_changed = False

    def finished(self) -> MemoryState:
        """Return the state that the block has made."""
        generation = self._state.generation + self._is_changed
        return replace(self._state, generation=generation)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Undo a nested block that fails, and that block alone."""
        before = self._state, self._is_changed
        try:
            yield
        except BaseException:
            self._state, self._is_changed = before
            raise

    # ------------------------------------------------------------ documents

    def replace(self, new: NewVersion) -> None:
        """Write a document version in place of the last one, words and vectors included."""
        known = self._state.documents.get(new.document.id)
        label = self._label_of(known, new.document.source, new.document.version)
        chunks = _chunks(new)
        check_vectors([kept.vector for kept in chunks if kept.vector is not None])
        self._put(
            KeptDocument(
                record=_record(new),
                label=label,
                text=new.document.text,
                blocks=new.document.blocks,
                parts=new.document.parts,
                fragments=new.document.fragments,
                chunks=chunks,
            )
        )

    def record_unread(self, unread: Unread) -> DocumentState:
        """Write down a source that was not read; a good version from before stays, as stale."""
        known = self._state.documents.get(unread.document_id)
        if known is None:
            self._put(_unread(unread, self._label_of(None, unread.source, None)))
            return unread.state
        is_readable = known.record.version is not None
        if unread.state is not DocumentState.FAILED or not is_readable:
            if not is_readable and _facts(known.record) == _facts(unread):
                return known.record.state
            self._put(_unread(unread, known.label))
            return unread.state
        stale = replace(
            known.record,
            state=DocumentState.STALE,
            code=unread.code,
            message=unread.message,
            hint=unread.hint,
        )
        if stale != known.record:
            self._put(replace(known, record=stale))
        return DocumentState.STALE

    def add_metadata(self, document_id: DocumentId, given: Mapping[str, str]) -> None:
        """Add to what a person said of a document whose version stays."""
        known = self._state.documents.get(document_id)
        if known is not None:
            record = replace(
                known.record,
                given={**known.record.given, **given},
                metadata={**known.record.metadata, **given},
            )
            self._put(replace(known, record=record))

    def set_label(self, document_id: DocumentId, label: str) -> bool:
        """Say who may read a document, "" for everyone; return whether that is new."""
        check_label(label)
        known = self._state.documents.get(document_id)
        if known is None:
            return False
        self._forget_labels(known)
        if known.label == label:
            return False
        self._put(replace(known, label=label))
        return True

    def label(self, document_id: DocumentId) -> str | None:
        """Return who may read a document, "" for everyone; None where there is none."""
        known = self._state.documents.get(document_id)
        return None if known is None else known.label

    def remove(self, document_id: DocumentId) -> bool:
        """Remove a document whole; say whether there was one."""
        left = dict(self._state.documents)
        gone = left.pop(document_id, None)
        if gone is None:
            return False
        self._remember_label(gone, gone.record.id, gone.record.version)
        self.change(replace(self._state, documents=left))
        return True

    # ------------------------------------------------------------ what the corpus remembers

    def want_purge(self) -> None:
        """Refuse: what a process still holds of removed words cannot be known."""
        raise NotAllowedError(
            "a corpus in memory cannot be purged",
            hint="remove without a purge: nothing of it is on disk",
        )

    def claim_space(self, space: VectorSpace) -> None:
        """Make `space` the corpus' own, or refuse it (VectorSpaceError)."""
        self.check_space(space)
        self._state = replace(self._state, space=space)

    def set_chunking(self, name: str) -> None:
        """Write down how the corpus is cut from now on."""
        self._state = replace(self._state, chunking=name)

    def set_calibration(self, calibration: Calibration | None) -> None:
        """Put a calibration in place of the last; None brings back the shipped gate."""
        self._state = replace(self._state, calibration=calibration)

    def set_making(self, making: Making) -> None:
        """Mark the corpus as derived from another, and write down the costs so far."""
        self._state = replace(self._state, making=making)

    def add_folder(self, path: Path, label: str | None = None) -> None:
        """Remember a folder that was added, and who may read what comes into it."""
        folders = tuple(sorted({*self._state.folders, path}))
        self._state = replace(self._state, folders=folders)
        if label is not None:
            named, known = path_text(path), self._state.folder_labels
            within = set(folders_within(known, named))
            labels = {folder: known[folder] for folder in known.keys() - within}
            labels[named] = check_label(label)
            self._state = replace(self._state, folder_labels=labels)

    # ------------------------------------------------------------ for this back-end

    def change(self, state: MemoryState, *, is_counted: bool = True) -> None:
        """Put a state in place of the one so far; if it is counted, the generation rises."""
        self._state = state
        self._is_changed = self._is_changed or is_counted

    def _put(self, kept: KeptDocument) -> None:
        before = self._state.documents.get(kept.record.id)
        if before is not None and before.record.version != kept.record.version:
            self._remember_label(before, before.record.version)
        documents = {**self._state.documents, kept.record.id: kept}
        self.change(replace(self._state, documents=documents))

    def _remember_label(self, kept: KeptDocument, *keys: str | None) -> None:
        if kept.label == EVERYONE:
            return
        more = {key: kept.label for key in keys if key is not None}
        self._state = replace(self._state, label_memory={**self._state.label_memory, **more})

    def _forget_labels(self, kept: KeptDocument) -> None:
        spoken_for = {kept.record.id, kept.record.version}
        memory = {
            key: label for key, label in self._state.label_memory.items() if key not in spoken_for
        }
        self._state = replace(self._state, label_memory=memory)

    def _label_of(self, known: KeptDocument | None, source: str, version: Version | None) -> str:
        """Return the label of a document with this content: its own, else an inherited one."""
        if known is not None and (known.label != EVERYONE or known.record.version == version):
            return known.label
        memory = self._state.label_memory
        if (name := document_id(source)) in memory:
            return memory[name]
        others = {
            kept.label
            for kept in self._state.documents.values()
            if version is not None and kept.record.version == version
        }
        place = self._label_of_place(source) if known is None else EVERYONE
        past = place if version is None else memory.get(version, place)
        return min(others - {EVERYONE}, default=past)

    def _label_of_place(self, source: str) -> str:
        for container in reversed(containers_of(source, base=self._base)):
            kept = self._state.documents.get(document_id(container))
            if kept is not None and kept.label != EVERYONE:
                return kept.label
        return label_around(self._state.folder_labels, source, base=self._base)


def _record(new: NewVersion) -> StoredDocument:
    document = new.document
    return StoredDocument(
        id=document.id,
        source=document.source,
        title=document.title,
        media_type=document.media_type,
        state=new.state,
        code=new.code,
        message=new.message,
        hint=new.hint,
        version=document.version,
        file=new.file,
        characters=len(document.text),
        chunks=len(new.chunks),
        language=new.language,
        metadata={**document.metadata, **new.given},
        given=dict(new.given),
        ledger=document.ledger,
        stamp=new.stamp,
    )


def _chunks(new: NewVersion) -> tuple[KeptChunk, ...]:
    return tuple(
        KeptChunk(
            chunk=chunk,
            passage_hash=(passage := _passage_hash(new, at)),
            words_hash=text_hash(chunk.span.of(new.document.text)),
            terms=Counter(terms),
            vector=new.vectors.get(passage),
            pending=None,
        )
        for at, (chunk, terms) in enumerate(zip(new.chunks, new.terms, strict=True))
    )


def _passage_hash(new: NewVersion, at: int) -> bytes:
    chunk = new.chunks[at]
    words = chunk.span.of(new.document.text)
    return text_hash(passage_text(new.document.title, chunk.heading_path, chunk.context, words))


def _facts(known: StoredDocument | Unread) -> tuple[object, ...]:
    """What of an unread source has to differ for it to be written down once more."""
    return known.source, known.state, known.code, known.message, known.hint


def _unread(unread: Unread, label: str) -> KeptDocument:
    record = StoredDocument(
        id=unread.document_id,
        source=unread.source,
        title="",
        media_type="",
        state=unread.state,
        code=unread.code,
        message=unread.message,
        hint=unread.hint,
        version=None,
        file=unread.file,
        characters=0,
        chunks=0,
        language=None,
        metadata={},
        given={},
        ledger=unread.ledger,
        stamp=None,
    )
    return KeptDocument(
        record,
        label,
        text="",
        blocks=(),
        parts=(),
        fragments=FragmentStyle.CHARACTERS,
        chunks=(),
    )
