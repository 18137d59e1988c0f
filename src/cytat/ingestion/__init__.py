"""Files -> corpus: read, cut, embed, write; what happened to each file is told."""

from cytat.ingestion.ingest import ingest
from cytat.ingestion.preparing import PIPELINE, ReaderFor

__all__ = ["PIPELINE", "ReaderFor", "ingest"]
