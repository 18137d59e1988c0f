"""The n-th write to the disk fails, for every n: an error is told, and old or new is kept whole."""

from dataclasses import replace
from pathlib import Path

import apsw
import numpy as np
import pytest
from tests.corpora import check_whole
from tests.faults.disks import Fault, open_on
from tests.stores import Store

from cytat.errors import CorpusError
from cytat.testing.stores import make_version
from cytat.text.identity import document_id, passage_text, text_hash

OLD, NEW = "stara wersja " * 400, "nowa wersja " * 900
LAST = 200
"""More writes than one replacement takes."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Store.open_or_create(tmp_path / "cytat.db") as store:
        write(store, OLD)
    return tmp_path / "cytat.db"


def write(store: Store, text: str) -> None:
    """Replace the one document, with words and vectors, as ingestion does."""
    new = make_version("a.txt", text, chunk_characters=100)
    unit = np.array([1, *[0] * 15], dtype=np.float32)
    words = [chunk.span.of(text) for chunk in new.chunks]
    keys = [text_hash(passage_text("a.txt", (), "", one)) for one in words]
    store.replace(replace(new, vectors=dict.fromkeys(keys, unit)))


@pytest.mark.parametrize("lasting", ["once", "from then on"])
@pytest.mark.parametrize("error", [apsw.FullError, apsw.IOError])
def test_every_write_that_fails_is_told_and_leaves_old_or_new_whole(
    path: Path, error: type[apsw.Error], lasting: str
) -> None:
    content = path.read_bytes()
    for at in range(1, LAST):
        for left in path.parent.glob("cytat.db*"):
            left.unlink()
        path.write_bytes(content)
        fault = Fault(error, stays=lasting != "once", of_reads=False)
        store = open_on(path, fault)
        fault.at = fault.operations + at
        told: list[str] = []
        try:
            write(store, NEW)
        except CorpusError as caught:
            told.append(caught.hint)
        has_failed = fault.operations >= fault.at
        fault.at = None
        store.close()
        with Store.open(path) as store:
            check_whole(store)
            text = store.text(document_id("a.txt"))
        # A write that is told as failed may still have reached the disk; one that is not told has.
        assert text in ((OLD, NEW) if told else (NEW,))
        assert all(told)
        if not has_failed:
            return
    pytest.fail("the sweep ended before the writes did")
