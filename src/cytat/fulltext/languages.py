"""Corpus -> the languages its documents are analysed under."""

import apsw

SELECT_LANGUAGES = """
select distinct language
from document
where language is not null
order by language
"""


def corpus_languages(connection: apsw.Connection) -> tuple[str, ...]:
    """Return the languages of the documents; every document is looked at."""
    return tuple(str(language) for (language,) in connection.execute(SELECT_LANGUAGES))
