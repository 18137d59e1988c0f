"""A chunk -> its index terms. Pure: the heading apart, the context with the chunk's own words."""

from cytat.analysis import terms_by_passage, terms_in_order
from cytat.records import Chunk


def terms_of_chunk(chunk: Chunk, *, title: str, words: str, language: str | None) -> list[str]:
    """Return the terms of a chunk, as often as they occur.

    Args:
        chunk: has the heading path above the words, and the context before them.
        title: of the document.
        words: the chunk's own.
        language: of the document, ISO 639-1.
    """
    heading = " ".join((title, *chunk.heading_path))
    body = "\n".join(filter(None, (chunk.context, words)))
    return terms_of_words(heading, body, language)


def terms_of_words(heading: str, body: str, language: str | None) -> list[str]:
    """Return the terms of a heading, and of a body passage by passage."""
    return [*terms_in_order(heading, language), *terms_by_passage(body, language)]
