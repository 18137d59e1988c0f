"""An embedder of your own: four attributes, three methods, no base class.

This one counts letter triples, which is enough to see the seam and too little to search well.
The conformance suite in `cytat.testing` says whether yours keeps the contract. In a package of
your own, an entry point in the group `cytat.embedders` gives it a name for `--embedder`: it names
a function that takes `ModelOptions` and returns the embedder. See docs/reference/plug-ins.md.

Run: python examples/04_your_own_embedder.py
"""

import re
import zlib
from collections.abc import Sequence

import numpy as np

from cytat.protocols import Embedder, Vectors


class LetterTriples:
    """Texts -> unit vectors of hashed letter triples."""

    name = "letter-triples"
    dimensions = 256
    max_tokens = 512
    weights = "letter-triples/1"
    languages: frozenset[str] | None = None

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return one row a text, in the order given."""
        vectors = np.empty((len(texts), self.dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            vectors[row] = self.embed_query(text)
        return vectors

    def embed_query(self, text: str) -> Vectors:
        """Return one vector of length 1."""
        vector = np.zeros(self.dimensions, dtype=np.float32)
        padded = f"  {text.lower()} "
        for start in range(len(padded) - 2):
            triple = padded[start : start + 3].encode("utf-8", "surrogatepass")
            vector[zlib.crc32(triple) % self.dimensions] += 1
        return vector / np.linalg.norm(vector)

    def token_ends(self, text: str) -> Sequence[int]:
        """Return where each word ends; words are this embedder's tokens."""
        return [match.end() for match in re.finditer(r"\S+", text)]


if __name__ == "__main__":
    embedder: Embedder = LetterTriples()
    question = embedder.embed_query("stawka na książki")
    texts = ["Książki mają stawkę 5 %.", "The fan is replaced every year."]
    for text, likeness in zip(texts, embedder.embed_documents(texts) @ question, strict=True):
        print(f"{likeness:.2f}  {text}")
