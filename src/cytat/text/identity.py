"""Names made from content: document ids, versions, chunk ids; and what of a chunk is embedded.

Ids come from content alone, so that a rerun makes the same corpus and an edit elsewhere in a file
changes neither a chunk's id nor its vector.
"""

import hashlib
import unicodedata
from collections.abc import Sequence

from cytat.records import ChunkId, DocumentId, Version

ID_DIGITS = 20
"""80 bits: two of 10^8 chunks share an id with a probability under 10^-8."""

TITLE_CHARACTERS = 160
"""Two lines: longer than any title of a book, shorter than a chunk."""


def _digest(*parts: str) -> str:
    """Return a hash of the parts; no two different lists of parts are joined alike."""
    joined = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:ID_DIGITS]


def document_id(source: str) -> DocumentId:
    """Return the id of a source. A name in NFC and in NFD (macOS) is one document."""
    return DocumentId("d" + _digest(unicodedata.normalize("NFC", source)))


def version_of(content: bytes) -> Version:
    """Return the SHA-256 of the bytes read, in hexadecimal."""
    return Version(hashlib.sha256(content).hexdigest())


def chunk_id(
    document: DocumentId, heading_path: Sequence[str], words: str, *, occurrence: int
) -> ChunkId:
    """Return a chunk's id; `occurrence` counts, from 0, equal words under equal headings."""
    return ChunkId("c" + _digest(document, *heading_path, words, str(occurrence)))


def passage_text(title: str, heading_path: Sequence[str], context: str, words: str) -> str:
    """Return what is embedded of a chunk: title and heading path, context, its own words.

    The heading path is never quoted; see the chunk's span for what is. Of a title that is a
    whole sentence or more, the beginning says enough and leaves the window to the words.
    """
    title = title[:TITLE_CHARACTERS]
    path = [title, *heading_path] if title and list(heading_path[:1]) != [title] else heading_path
    head = " › ".join(part for part in path if part)
    return "\n".join(part for part in (head, context, words) if part)
