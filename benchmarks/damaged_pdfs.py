"""What becomes of damaged PDFs: what is read, what is told, and what is lost without a word?

    python -m benchmarks.damaged_pdfs [--copies 300]

Reads seeded copies of a PDF of 20 pages with flipped bits, a cut end or a zeroed stretch, in a
child process, and compares the words that come out with those that went in. Then brings as many
copies in one folder into a corpus, between intact files, whose texts and chunks must stay as they
were; it stops where one does not. Writes `results/damaged_pdfs.json`.
"""

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # the damage itself lives with the tests

from benchmarks.reading import FORMATS
from tests.faults.wrecked_folder import INTACT, bring_in
from tests.reading.pdf_wrecks import PAGES, Wreck, whole, words_of_pages, wrecks

from cytat.errors import ReadingError
from cytat.reading.process.pool import ReaderPool
from cytat.records import ReadingOptions
from cytat.testing.readers import assert_document

HERE = Path(__file__).parent
SEED = 20
COPIES = 300


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one copy: a refusal's code or none, words lost and wrong, and what was told."""

    kind: str
    code: str | None
    lost: int
    wrong: int
    pages: int
    problems: int


def outcome_of(wreck: Wreck, readers: ReaderPool) -> Outcome:
    """Return what reading a copy gives; the ledger must balance and every span fit."""
    expected = set(words_of_pages())
    try:
        reader = readers.reader_for(wreck.content, "a.pdf")
        document = reader.read(wreck.content, source="a.pdf", options=ReadingOptions())
    except ReadingError as failure:
        return Outcome(wreck.kind, failure.code, len(expected), 0, 0, 1)
    assert_document(document)
    found = set(document.text.split())
    return Outcome(
        kind=wreck.kind,
        code=None,
        lost=len(expected - found),
        wrong=len(found - expected),
        pages=document.ledger.parts,
        problems=len(document.ledger.problems),
    )


def summary(outcomes: Iterable[Outcome]) -> dict[str, object]:
    """Return counts of copies by what became of them."""
    counts: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    for outcome in outcomes:
        counts["copies"] += 1
        if outcome.code is not None:
            counts["refused"] += 1
            codes[outcome.code] += 1
        elif not outcome.lost and not outcome.wrong:
            counts["whole, told" if outcome.problems else "whole, untold"] += 1
        else:
            counts["less or other words, told" if outcome.problems else "silent"] += 1
            if not outcome.problems and outcome.pages < PAGES:
                counts["silent by missing pages"] += 1
    return {**dict(sorted(counts.items())), "refused_by_code": dict(sorted(codes.items()))}


def folder_figures(copies: int) -> dict[str, object]:
    """Return what became of the copies in a run over a folder."""
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as place:
        run = bring_in(Path(place), copies=copies, seed=SEED)
    return {
        "copies": run.copies,
        "states": dict(sorted(run.states.items())),
        "failed_by_code": dict(sorted(run.codes.items())),
        "pages_in_ledgers": run.pages,
        "unbalanced_ledgers": 0,
        "intact_files": len(INTACT) + 1,
        "intact_files_changed": 0,
        "seconds": round(time.perf_counter() - started, 1),
    }


def main() -> None:
    """Write the figures of all copies, of each kind of damage, and of the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--copies", type=int, default=COPIES)
    parser.add_argument("--out", type=Path, default=HERE / "results" / "damaged_pdfs.json")
    options = parser.parse_args()
    started = time.perf_counter()
    with ReaderPool(FORMATS) as readers:
        outcomes = [outcome_of(wreck, readers) for wreck in wrecks(options.copies, seed=SEED)]
    kinds = sorted({outcome.kind for outcome in outcomes})
    told = {
        "seed": SEED,
        "bytes": len(whole()),
        "seconds": round(time.perf_counter() - started, 1),
        "all": summary(outcomes),
        "by_kind": {k: summary(o for o in outcomes if o.kind == k) for k in kinds},
        "in_a_folder": folder_figures(options.copies),
    }
    options.out.write_text(json.dumps(told, indent=1) + "\n", "utf-8")
    print(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()
