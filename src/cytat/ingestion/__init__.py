"""Files -> corpus: read, chunk, embed, write; what happened to each file is reported."""

from cytat.ingestion.deriving import begin_derived, derive
from cytat.ingestion.ingest import Tools, ingest, ingest_changes, unheard
from cytat.ingestion.reindexing import reindex

__all__ = [
    "Tools",
    "begin_derived",
    "derive",
    "ingest",
    "ingest_changes",
    "reindex",
    "unheard",
]
