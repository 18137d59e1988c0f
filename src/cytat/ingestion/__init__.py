"""Files -> corpus: read, cut, embed, write; what happened to each file is told."""

from cytat.ingestion.deriving import derive, open_derived
from cytat.ingestion.ingest import ingest, ingest_changes
from cytat.ingestion.preparing import ReaderFor
from cytat.ingestion.reindexing import chunk_words, reindex, wrong_words

__all__ = [
    "ReaderFor",
    "chunk_words",
    "derive",
    "ingest",
    "ingest_changes",
    "open_derived",
    "reindex",
    "wrong_words",
]
