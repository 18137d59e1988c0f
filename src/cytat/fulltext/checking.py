"""Chunks' words -> what the index holds otherwise. Reads every entry of the index once.

The table keeps no text, so each chunk's terms are analysed again and compared, with their places,
with what stands in the index. One number a chunk is held in memory: the sum of the hashes of its
entries, which is zero when those that should be there are taken from those that are.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import apsw

from cytat.fulltext.index import ChunkWords, analysed

CREATE_ENTRIES = """
create virtual table if not exists temp.words_entry using fts5vocab (main, words, instance)
"""
SELECT_ENTRIES = "select doc, col, term, offset from temp.words_entry"
SELECT_SIZES = "select id, sz from words_docsize"
SELECT_AVERAGES = "select block from words_data where id = 1"

_TOKEN = re.compile(r"[A-Za-z0-9/._:@&+#\\\x80-\U0010ffff-]+")
"""As `tokenize` in the schema has it."""
_COLUMNS = ("heading", "body")
_WRAP = 2**64 - 1


@dataclass(frozen=True, slots=True)
class WordsFaults:
    """`rows`: chunks whose entries are not those of their words. `is_miscounted`: BM25's totals."""

    rows: frozenset[int]
    is_miscounted: bool


def check_words(connection: apsw.Connection, chunks: Iterable[ChunkWords]) -> WordsFaults:
    """Compare the index with the words of all chunks; call inside one transaction."""
    sums: dict[int, int] = defaultdict(int)
    sizes: dict[int, bytes] = {}
    totals = [0, 0]
    for chunk in chunks:
        terms = [list(_tokens(column)) for column in analysed(chunk)]
        sums[chunk.row] = sum(_hashes(terms)) & _WRAP
        sizes[chunk.row] = _varints([len(column) for column in terms])
        totals = [total + len(column) for total, column in zip(totals, terms, strict=True)]
    connection.execute(CREATE_ENTRIES)
    for row, column, term, offset in connection.execute(SELECT_ENTRIES):
        sums[row] = (sums[row] - hash((column, term, offset))) & _WRAP
    wrong = {row for row, left in sums.items() if left}
    found = dict(connection.execute(SELECT_SIZES))
    wrong |= {row for row in sizes.keys() | found.keys() if sizes.get(row) != found.get(row)}
    averages = connection.execute(SELECT_AVERAGES).get
    is_counted = averages == _varints([len(sizes), *totals]) or not sizes
    return WordsFaults(frozenset(wrong), is_miscounted=not is_counted)


def _tokens(terms: Iterable[str]) -> Iterator[str]:
    """Yield what the table's tokenizer makes of terms: one with a sign it does not know is cut."""
    for term in terms:
        yield from _TOKEN.findall(term)


def _hashes(terms: Sequence[Sequence[str]]) -> Iterator[int]:
    for column, found in zip(_COLUMNS, terms, strict=True):
        for offset, term in enumerate(found):
            yield hash((column, term, offset))


def _varints(numbers: Iterable[int]) -> bytes:
    """Return numbers as SQLite writes them: seven bits a byte, the highest first."""
    return b"".join(_varint(number) for number in numbers)


def _varint(number: int) -> bytes:
    groups = [number & 0x7F]
    while number := number >> 7:
        groups.append(number & 0x7F | 0x80)
    return bytes(reversed(groups))
