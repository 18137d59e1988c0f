"""One corpus, one chunking: chunks of two cuttings are not ranked beside each other by chance."""

from cytat.chunking import is_same_chunking
from cytat.errors import UsageError
from cytat.store import Store
from cytat.store.chunkings import read_chunking, write_chunking


def check_chunking(store: Store, name: str) -> None:
    """Refuse to add with another chunking than the corpus has.

    Raises:
        UsageError: it is another; nothing was changed.
    """
    with store.reading() as connection:
        known = read_chunking(connection)
    if known is not None and not is_same_chunking(known, name):
        raise UsageError(
            f"the corpus is cut as {known}, not as {name}",
            hint="`cytat reindex` with the same options cuts all documents anew; or leave the "
            "options and settings for chunking out, and the corpus goes on as it is",
        )


def claim_chunking(store: Store, name: str) -> None:
    """Check, and note the chunking down as the corpus' own."""
    check_chunking(store, name)
    set_chunking(store, name)


def set_chunking(store: Store, name: str) -> None:
    """Note the chunking down: from now on the corpus is cut so."""
    with store.reading() as connection:
        is_known = read_chunking(connection) == name
    if not is_known:
        with store.writing() as connection:
            write_chunking(connection, name)
