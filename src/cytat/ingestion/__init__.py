"""Files -> corpus: read, cut, embed, write; what happened to each file is told."""

from cytat.ingestion.deriving import begin_derived, derive
from cytat.ingestion.ingest import ingest, ingest_changes
from cytat.ingestion.preparing import ReaderFor
from cytat.ingestion.reindexing import reindex

__all__ = [
    "ReaderFor",
    "begin_derived",
    "derive",
    "ingest",
    "ingest_changes",
    "reindex",
]
