"""Term -> the chunks that hold it, each with BM25's weight of the term there. Reads FTS5's index.

Everything ranking needs from the index passes through `postings` and `document_frequencies`, so
that another source of postings can take their place.
"""

import json
import math
from collections.abc import Iterable

import apsw
import numpy as np
from numpy.typing import NDArray

HEADING_WEIGHT = 1.0
BODY_WEIGHT = 1.0

COUNT_INDEXED = """
select count(*)
from words_docsize   -- FTS5's own: one row for each indexed chunk
"""
COUNT_CHUNKS_HOLDING = """
select term, doc
from term
where term in (select value from json_each(:terms))
"""
POSTINGS = """
select rowid, -bm25(words, :heading_weight, :body_weight)   -- FTS5 counts down; we count up
from words
where words match :match
"""

Rows = NDArray[np.int64]
Weights = NDArray[np.float64]


def count_indexed(connection: apsw.Connection) -> int:
    """Return how many chunks the words index holds."""
    return int(connection.execute(COUNT_INDEXED).get)


def document_frequencies(connection: apsw.Connection, terms: Iterable[str]) -> dict[str, int]:
    """Return for each term how many chunks hold it."""
    wanted = list(dict.fromkeys(terms))
    found = connection.execute(COUNT_CHUNKS_HOLDING, {"terms": json.dumps(wanted)})
    return dict.fromkeys(wanted, 0) | {str(term): int(count) for term, count in found}


def postings(connection: apsw.Connection, term: str, *, indexed: int) -> tuple[Rows, Weights]:
    """Return the rows that hold `term`, and its saturated frequency there, between 0 and 2.2.

    FTS5 multiplies with its own rarity weight, which is nothing for a term in half of all chunks;
    it is divided out, so that callers weigh by their own. `indexed` is `count_indexed`.
    """
    bindings = {
        "match": _phrase(term),
        "heading_weight": HEADING_WEIGHT,
        "body_weight": BODY_WEIGHT,
    }
    found = list(connection.execute(POSTINGS, bindings))
    rows = np.fromiter((row for row, _ in found), dtype=np.int64, count=len(found))
    weights = np.fromiter((weight for _, weight in found), dtype=np.float64, count=len(found))
    return rows, weights / _fts5_rarity(len(found), indexed)


def _fts5_rarity(holding: int, total: int) -> float:
    """Return the inverse document frequency that FTS5's bm25() uses."""
    return max(math.log((total - holding + 0.5) / (holding + 0.5)), 1e-6)


def rarity(holding: int, total: int) -> float:
    """Return the inverse document frequency of a term: never negative, 0 when no chunk holds it.

    Source:
        Robertson, Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009,
        doi:10.1561/1500000019, with 1 added under the logarithm.
    """
    return math.log(1 + (total - holding + 0.5) / (holding + 0.5)) if holding else 0.0


def _phrase(term: str) -> str:
    """Return a term as FTS5 writes one token; terms hold no quotes and no blanks."""
    return f'"{term}"'
