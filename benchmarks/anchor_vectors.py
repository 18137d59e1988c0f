"""Writes the anchors' vectors of the default encoder into the package, keyed by its weights.

    python -m benchmarks.anchor_vectors --cache FOLDER

With them the first question of a process need not embed `anchors.json`. Other encoders do.
"""

import argparse
from pathlib import Path

import numpy as np
from benchmarks.arguments import options_of

from cytat.answering.anchors import anchors_file, embed_anchors
from cytat.backends.e5.embedder import open_embedder

PACKAGE = Path(__file__).parents[1] / "src" / "cytat" / "answering"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", type=Path, required=True)
    cache = parser.parse_args().cache
    embedder = open_embedder(options_of(cache))
    anchors = embed_anchors(embedder)
    arrays = {
        f"{name}-{language}": vectors.astype(np.float16)
        for name, by_language in (
            ("sentences", anchors.sentences),
            ("questions", anchors.questions),
        )
        for language, vectors in by_language.items()
        if language is not None
    }
    np.savez_compressed(PACKAGE / anchors_file(embedder.weights), allow_pickle=False, **arrays)


if __name__ == "__main__":
    main()
