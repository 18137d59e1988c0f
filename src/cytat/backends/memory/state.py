"""One state of a corpus in memory. Never changed: a write makes the next one."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from cytat.protocols import Vectors
from cytat.records import (
    Block,
    Calibration,
    Chunk,
    DocumentId,
    FragmentStyle,
    Making,
    Part,
    StoredDocument,
    Trace,
    VectorSpace,
)
from cytat.text.identity import EVERYONE


@dataclass(frozen=True, slots=True, eq=False)
class KeptChunk:
    """A chunk with all that its indexes hold of it."""

    chunk: Chunk
    passage_hash: bytes
    words_hash: bytes
    terms: Mapping[str, int]
    """How often each index term occurs."""
    vector: "Vectors | None"
    pending: "Vectors | None"
    """Its vector in the next space."""


@dataclass(frozen=True, slots=True, eq=False)
class KeptDocument:
    """A document with its text, its structure and its chunks."""

    record: StoredDocument
    label: str
    text: str
    blocks: tuple[Block, ...]
    parts: tuple[Part, ...]
    fragments: FragmentStyle
    chunks: tuple[KeptChunk, ...]


@dataclass(frozen=True, slots=True)
class KeptTrace:
    """A trace, and the labels of the user who asked; None: the owner."""

    trace: Trace
    labels: frozenset[str] | None


@dataclass(frozen=True, slots=True, eq=False)
class MemoryState:
    """All of a corpus, or all of it that one user may read."""

    generation: int
    documents: Mapping[DocumentId, KeptDocument]
    """In the order in which they first came."""
    space: VectorSpace | None
    pending_space: VectorSpace | None
    chunking: str | None
    calibration: Calibration | None
    making: Making | None
    folders: tuple[Path, ...]
    folder_labels: Mapping[str, str]
    """Who may read what comes into a folder, by its absolute name."""
    traces: tuple[KeptTrace, ...]
    """The latest last."""
    label_memory: Mapping[str, str]
    """Labels that outlive their documents, by id and by version."""

    @property
    def chunks(self) -> Iterator[KeptChunk]:
        """Every chunk there is."""
        for document in self.documents.values():
            yield from document.chunks

    def as_read_by(self, labels: Collection[str]) -> "MemoryState":
        """Return what a user with some labels may read: the rest is as if it were not there."""
        allowed = {EVERYONE, *labels}
        calibration = self.calibration
        if calibration is not None:  # the threshold holds for all; its questions are the owner's
            calibration = replace(calibration, gold="", gold_hash="")
        return replace(
            self,
            documents={
                document_id: document
                for document_id, document in self.documents.items()
                if document.label in allowed
            },
            calibration=calibration,
            folders=(),
            folder_labels={},
            label_memory={},
            traces=tuple(kept for kept in self.traces if kept.labels == frozenset(labels)),
        )


EMPTY = MemoryState(
    generation=0,
    documents={},
    space=None,
    pending_space=None,
    chunking=None,
    calibration=None,
    making=None,
    folders=(),
    folder_labels={},
    traces=(),
    label_memory={},
)
