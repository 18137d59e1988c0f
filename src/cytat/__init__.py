"""cytat: answers from your own documents, quoted at their place."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cytat.corpus import Corpus

__all__ = ["Corpus"]


def __getattr__(name: str) -> object:
    """Load the facade when it is asked for: a process that only reads files goes without it."""
    if name != "Corpus":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from cytat.corpus import Corpus  # noqa: PLC0415

    return Corpus
