"""Texts -> checked unit vectors, through any embedder."""

from cytat.embedding.passages import Embedded, embed_passages, embed_query, past_window

__all__ = ["Embedded", "embed_passages", "embed_query", "past_window"]
