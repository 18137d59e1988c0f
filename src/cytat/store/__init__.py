"""The SQLite back-end under its old name, for what has not gone over to `protocols.Store` yet."""

from cytat.backends.sqlite.old_rows import Candidate, ChunkKey, PassageAtRow
from cytat.backends.sqlite.one_shot import OneShotStore as Store
from cytat.backends.sqlite.spaces import read_calibration, read_chunking, read_space
from cytat.protocols import NewVersion
from cytat.records import Excerpt, FileStamp, StoredChunk, StoredDocument, Unread
from cytat.text.identity import text_hash

__all__ = [
    "Candidate",
    "ChunkKey",
    "Excerpt",
    "FileStamp",
    "NewVersion",
    "PassageAtRow",
    "Store",
    "StoredChunk",
    "StoredDocument",
    "Unread",
    "read_calibration",
    "read_chunking",
    "read_space",
    "text_hash",
]
