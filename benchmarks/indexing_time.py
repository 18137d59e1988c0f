"""What does indexing cost beyond embedding? Wall time of `add` over pure embedding of its chunks.

    python -m benchmarks.indexing_time FOLDER...

Both in one process and one after the other, several rounds, so that a busy machine slows both.
Writes `results/indexing_time.json`.
"""

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from cytat import Corpus
from cytat.backends.sqlite import SqliteStore as Store
from cytat.config import load_settings
from cytat.corpus.models import EmbedderChoice
from cytat.embedding import embed_passages
from cytat.text.identity import passage_text

HERE = Path(__file__).parent


def passages_of(corpus_file: Path) -> list[str]:
    """Return what was embedded of every chunk of a corpus, equal passages once."""
    with Store.open(corpus_file) as store, store.moment() as moment:
        return list(
            dict.fromkeys(
                passage_text(
                    document.title,
                    stored.chunk.heading_path,
                    stored.chunk.context,
                    moment.excerpt(document.id, stored.chunk.span).text,
                )
                for document in moment.documents()
                for stored in moment.chunks(document.id)
            )
        )


def measure(folders: Sequence[Path], *, rounds: int) -> dict[str, object]:
    """Return the two times of each round and their ratio."""
    embedder = EmbedderChoice(load_settings({})).embedder(None)
    embedder.embed_documents(["warm"])
    indexing, embedding, counts = [], [], (0, 0)
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            corpus_file = Path(folder) / "cytat.db"
            with Corpus.open(corpus_file) as corpus:
                begin = time.perf_counter()
                report = corpus.add(list(folders))
                indexing.append(time.perf_counter() - begin)
            passages = passages_of(corpus_file)
            begin = time.perf_counter()
            embed_passages(embedder, passages)
            embedding.append(time.perf_counter() - begin)
            counts = (len(report.added), len(passages))
    ratios = [wall / pure for wall, pure in zip(indexing, embedding, strict=True)]
    return {
        "documents": counts[0],
        "passages": counts[1],
        "indexing_s": [round(value, 2) for value in indexing],
        "embedding_s": [round(value, 2) for value in embedding],
        "ratio_median": round(statistics.median(ratios), 3),
        "ratios": [round(value, 3) for value in ratios],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out", type=Path, default=HERE / "results" / "indexing_time.json")
    given = parser.parse_args()
    figures = measure(given.folders, rounds=given.rounds)
    given.out.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
