"""What does `cytat verify` cost, and what of it is analysing every text again?

    python -m benchmarks.verify_speed --chunks 20000

Over synthetic text. Batches of the words index that have their seals are not analysed; the same
corpus without these seals, as it comes from an older file, is. Processor seconds and their ratio in
one run. Writes `results/verify_speed.json`.
"""

import argparse
import json
import tempfile
import time
from pathlib import Path

from benchmarks.synthetic import slabs, write_slab

from cytat.backends.sqlite import SqliteStore as Store
from cytat.backends.sqlite.repairing import faults_of_words
from cytat.corpus.checking import verify_store
from cytat.fulltext import terms_of_chunk

HERE = Path(__file__).parent
REMOVE_SEALS = "update posting_batch set seal = null"


def seconds(store: Store, *, full: bool) -> float:
    """Return the processor time of a verification that finds nothing wrong."""
    began = time.process_time()
    found = verify_store(store, full=full)
    assert all(check.ok for check in found.checks)
    return time.process_time() - began


def seconds_of_words(store: Store) -> float:
    """Return the processor time of comparing the words index with the text."""
    began = time.process_time()
    with store.moment() as moment:
        assert not list(faults_of_words(moment.connection, terms_of_chunk))
    return time.process_time() - began


def measure(folder: Path, *, chunks: int) -> dict[str, float]:
    """Return the times with seals and without."""
    with Store.open_or_create(folder / "synthetic.db") as store:
        for slab in slabs(chunks):
            write_slab(store, slab, slab.texts())
        quick, sealed = seconds(store, full=False), seconds(store, full=True)
        with store.writing() as writing:
            writing.connection.execute(REMOVE_SEALS)
        words, unsealed = seconds_of_words(store), seconds(store, full=True)
    return {
        "chunks": chunks,
        "quick_s": round(quick, 2),
        "full_s": round(sealed, 2),
        "full_without_seals_s": round(unsealed, 2),
        "of_it_comparing_words_s": round(words, 2),
        "times_faster": round(unsealed / sealed, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=20_000)
    parser.add_argument("--out", type=Path, default=HERE / "results" / "verify_speed.json")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = measure(Path(folder), chunks=options.chunks)
    options.out.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
