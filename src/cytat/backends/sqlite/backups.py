"""A corpus in use -> a copy of one moment of it, read again and found whole.

The copy is made page by page inside one transaction, so that it is of one moment however long it
takes, while others go on writing.
"""

from pathlib import Path

import apsw

from cytat.backends.sqlite.connection import disk_full
from cytat.errors import CorpusError

PAGES_IN_A_STEP = 1_000
"""Four megabytes: often enough that an interrupt is heard."""
COUNT_CONTENT = """
select (select count(*) from document),
       (select count(*) from segment),
       (select count(*) from chunk),
       (select count(*) from posting),
       (select count(*) from vector)
"""


def copy_to(connection: apsw.Connection, file: Path, *, shown_as: Path) -> tuple[int, int]:
    """Copy a corpus page by page, inside one transaction; return documents and chunks.

    Raises:
        CorpusError: the copy is not what was copied.
    """
    copy = apsw.Connection(str(file))
    try:
        counts = _counts(connection)
        with copy.backup("main", connection, "main") as backup:
            while not backup.done:
                _step(backup, shown_as)
        faults = [line for (line,) in copy.execute("pragma quick_check") if line != "ok"]
        if faults or _counts(copy) != counts:
            raise CorpusError(
                f"the copy is not whole: {'; '.join(faults) or 'it holds less'}",
                hint="run `cytat verify` on the corpus, and try another disk",
            )
    finally:
        copy.close()
    documents, _, chunks, *_ = counts
    return documents, chunks


def _step(backup: apsw.Backup, target: Path) -> None:
    """Copy some pages; where there is no room, it is the target's disk that has none."""
    try:
        backup.step(PAGES_IN_A_STEP)
    except apsw.FullError as error:
        raise disk_full(target) from error


def _counts(connection: apsw.Connection) -> tuple[int, ...]:
    ((*counts,),) = connection.execute(COUNT_CONTENT)
    return tuple(counts)
