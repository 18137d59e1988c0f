"""cytat: answers from your own documents, quoted at their place."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cytat.corpus import Corpus
    from cytat.records import SourceItem

__all__ = ["Corpus", "SourceItem"]


def __getattr__(name: str) -> object:
    """Load a name when it is asked for: a process that only reads files goes without the facade."""
    if name == "Corpus":
        from cytat.corpus import Corpus  # noqa: PLC0415

        return Corpus
    if name == "SourceItem":
        from cytat.records import SourceItem  # noqa: PLC0415

        return SourceItem
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
