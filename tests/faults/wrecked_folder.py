"""A folder with intact files and many damaged PDFs, brought into a corpus in one run.

Used by the quick test here and by `benchmarks/damaged_pdfs.py --folder`.
"""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tests.corpora import add, check_whole, content_of, write_files
from tests.reading.looking import FORMATS
from tests.reading.pdf_files import lines, pdf
from tests.reading.pdf_wrecks import wrecks
from tests.stores import Store

from cytat.reading.process.pool import ReaderPool
from cytat.records import DocumentState, DocumentStatus, IngestReport

INTACT = {
    "umowa.md": "# Umowa najmu\n\nCzynsz wynosi 2150 zł.\n\n## Kaucja\n\nKaucja wynosi 4300 zł.\n",
    "notatka.txt": "Termin wypowiedzenia: trzy miesiące.\n",
    "strona.html": "<title>Cennik</title><h1>Cennik</h1><p>Montaż kosztuje 480 zł.</p>",
}


@dataclass(frozen=True, slots=True)
class WreckedRun:
    """What became of the damaged copies: how many in each state, and by the code of a failure."""

    copies: int
    states: Counter[str]
    codes: Counter[str]
    pages: int
    """Of all ledgers together; each balances."""


def bring_in(place: Path, *, copies: int, seed: int) -> WreckedRun:
    """Add intact files, then all; fail unless the intact stay and every copy is accounted for."""
    docs = place / "docs"
    write_files(docs, INTACT)
    (docs / "list.pdf").write_bytes(pdf([lines("Odsetki wynosza 7 procent.")]))
    with Store.open_or_create(place / "c.db") as store, ReaderPool(FORMATS) as readers:
        add(store, docs, reader_for=readers.reader_for)
        before = content_of(store)
        assert len(before) == len(INTACT) + 1
        for number, wreck in enumerate(wrecks(copies, seed=seed)):
            (docs / f"{number:03}-{wreck.kind}.pdf").write_bytes(wreck.content)
        report = add(store, docs, reader_for=readers.reader_for)
        check_whole(store)
        after = content_of(store)
        assert {known: after[known] for known in before} == before
        again = add(store, docs, reader_for=readers.reader_for)
        assert (again.added, again.updated, again.removed) == ((), (), ())
        assert content_of(store) == after
        wrecked = [one for one in store.status().documents if one.document_id not in before]
    return _accounted(report, wrecked, copies)


def _accounted(report: IngestReport, wrecked: list[DocumentStatus], copies: int) -> WreckedRun:
    """Check that the report and the corpus name every copy once, and that its ledger balances."""
    told = [*report.added, *report.failed, *report.skipped]
    assert len(told) == len({one.source for one in told}) == len(wrecked) == copies
    for one in wrecked:
        ledger = one.ledger
        assert ledger is not None, one.source
        assert ledger.parts == ledger.read + ledger.empty + ledger.ocr + ledger.failed
        if one.state is DocumentState.FAILED:
            assert one.code, one.source
            assert one.message, one.source
            assert (one.chunks, one.characters) == (0, 0)
        else:
            assert one.chunks > 0, one.source
    failures = [one.code for one in wrecked if one.state is DocumentState.FAILED]
    return WreckedRun(
        copies,
        Counter(one.state.value for one in wrecked),
        Counter(code for code in failures if code),
        sum(one.ledger.parts for one in wrecked if one.ledger),
    )
