"""cytat: answers from your own documents, quoted at their place."""

from cytat.corpus import Corpus

__all__ = ["Corpus"]
