"""What the owner of a corpus does to keep it sound: verify, repair, copy, purge, other vectors."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from cytat.protocols.models import Vectors
from cytat.records import (
    Chunk,
    ChunkId,
    DocumentId,
    DocumentUpdate,
    PassageToEmbed,
    StoredDocument,
    StoreFault,
    VectorSpace,
)


class TermsOf(Protocol):
    """The analyser of documents: what of a chunk the words index holds."""

    def __call__(
        self, chunk: Chunk, *, title: str, words: str, language: str | None
    ) -> Sequence[str]:
        """Return the index terms of a chunk, as often as they occur.

        Args:
            chunk: says what comes above and before the words.
            title: of the document.
            words: the chunk's own.
            language: of the document, ISO 639-1.
        """
        ...


class Upkeep(Protocol):
    """Verify, repair, back up, purge, change the vector space: the owner's alone.

    Each verb is its own transaction, or part of the one that its thread is in. A back-end
    that cannot do something refuses it with `NotAllowedError`.
    """

    # verify and repair

    @property
    def checks(self) -> Mapping[str, str]:
        """What `verify` looks at, in the order it is reported: name, and what to do if it fails."""
        ...

    def verify(self, *, full: bool, terms_of: TermsOf) -> Sequence[StoreFault]:
        """Return what is wrong; nothing is changed.

        With `full`, everything is compared with the hashes of what was written, and the words
        index with the terms of the text.
        """
        ...

    def readable_documents(self) -> Sequence[StoredDocument]:
        """Return all documents; none where the records of some are damaged."""
        ...

    def unsealed(self) -> Sequence[DocumentId]:
        """Return the documents without a hash of what was written: damage does not show."""
        ...

    def discard_damage(self) -> Mapping[DocumentId, str]:
        """Take away what of damaged documents misleads; return all damaged ones with their sources.

        They stay, to be rebuilt from their files, except a document whose id is damaged.
        """
        ...

    def repair_words(self, terms_of: TermsOf) -> bool:
        """Rebuild the words index if it differs from the terms of the text; say whether it did."""
        ...

    def seal(self) -> None:
        """Keep hashes of the documents that have none and are sound, so that damage will show."""
        ...

    # copies and traces of what was removed

    def copy_to(self, file: Path, *, shown_as: Path) -> tuple[int, int]:
        """Write a copy of one moment to `file`; return how many documents and chunks it holds.

        The copy has been read again and found whole. It can be opened as a corpus.

        Args:
            file: is not there yet.
            shown_as: what errors call it.

        Raises:
            CorpusError: the copy is not what was copied.
            NotAllowedError: this back-end writes no copies; use its own tools.
        """
        ...

    def size_bytes(self) -> int:
        """Return what the corpus takes on disk."""
        ...

    def derived_files(self) -> str | None:
        """Return a line about files that only save time, for `doctor`; None without any."""
        ...

    def is_purge_wanted(self) -> bool:
        """Say whether a purge was begun and has not ended."""
        ...

    def purge(self) -> None:
        """Clear the words of everything removed before, and all traces, from the disk.

        Raises:
            NotAllowedError: this back-end cannot promise that.
        """
        ...

    # another vector space, made beside the one in use

    def begin_space(self, space: VectorSpace) -> None:
        """Make `space` the next one; vectors of another next one are dropped."""
        ...

    def drop_pending_space(self) -> None:
        """Give up the next space."""
        ...

    def passages_to_embed(
        self, *, languages: Collection[str] | None, after: ChunkId | None, limit: int
    ) -> Sequence[PassageToEmbed]:
        """Return the first passages, by chunk id, that have no vector in the next space.

        Args:
            languages: those the encoder knows, None for all; a document of no known language is
                among them.
            after: the last chunk seen; None begins.
            limit: how many at most.
        """
        ...

    def count_passages_wanted(self, *, languages: Collection[str] | None) -> int:
        """Return how many vectors the next space will hold."""
        ...

    def count_pending_vectors(self) -> int:
        """Return how many vectors of the next space are there."""
        ...

    def add_pending_vectors(
        self, passages: Collection[PassageToEmbed], vectors: Mapping[bytes, Vectors]
    ) -> None:
        """Keep vectors of the next space, by passage hash.

        A passage whose document has changed meanwhile is passed over.
        """
        ...

    def pending_without_vector(self) -> Mapping[DocumentId, int]:
        """Return how many chunks of each document would have no vector after a switch now."""
        ...

    def switch_space(self, space: VectorSpace, updates: Iterable[DocumentUpdate]) -> None:
        """Put the next vectors in place of those in use, with the records of all documents."""
        ...
