"""bytes -> Document: one canonical text with blocks, heading paths, pages and a ledger."""

from cytat.reading.choice import read_document, reader_for

__all__ = ["read_document", "reader_for"]
