"""Documents, chunks, words and vectors <-> one SQLite file. Knows no reader, encoder or ranking."""

from cytat.store.connection import sqlite_version
from cytat.store.rows import (
    Candidate,
    ChunkKey,
    Excerpt,
    FileStamp,
    NewVersion,
    StoredChunk,
    StoredDocument,
    StoredPassage,
    Unread,
    text_hash,
)
from cytat.store.store import Store

__all__ = [
    "Candidate",
    "ChunkKey",
    "Excerpt",
    "FileStamp",
    "NewVersion",
    "Store",
    "StoredChunk",
    "StoredDocument",
    "StoredPassage",
    "Unread",
    "sqlite_version",
    "text_hash",
]
