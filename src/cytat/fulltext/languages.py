"""Corpus -> the languages its documents and passages are analysed under."""

from collections.abc import Iterator

import apsw
import numpy as np

from cytat.analysis import LANGUAGES, language_mark
from cytat.store.postings import read_removed, read_term

SELECT_LANGUAGES = """
select distinct language
from document
where language is not null
order by language
"""


def corpus_languages(connection: apsw.Connection) -> tuple[str, ...]:
    """Return the languages of the documents and of passages in them; all documents are read."""
    told = {str(language) for (language,) in connection.execute(SELECT_LANGUAGES)}
    return tuple(sorted(told.union(_of_passages(connection))))


def _of_passages(connection: apsw.Connection) -> Iterator[str]:
    """Yield the languages that some chunk is in beside its document's."""
    removed = read_removed(connection)
    for language in LANGUAGES:
        rows, _ = read_term(connection, language_mark(language))
        if len(rows) and not np.isin(rows, removed).all():
            yield language
