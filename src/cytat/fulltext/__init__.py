"""The words of chunks as index terms."""

from cytat.fulltext.terms import terms_of_chunk, terms_of_words

__all__ = ["terms_of_chunk", "terms_of_words"]
