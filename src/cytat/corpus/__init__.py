"""The facade: one corpus, opened, asked and kept. The only thing surfaces talk to."""

from cytat.corpus.corpus import Corpus

__all__ = ["Corpus"]
