"""Query -> chunks ranked by words. BM25 over term groups: a word counts once, in its best form.

Any word may match; rank decides. An identifier that stands whole in some chunk is matched whole
only, and chunks that hold it stand above all others: a question about one invoice must not be
answered from its neighbour. When no chunk holds it whole, its parts are looked for, and a note
says so.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import apsw
import numpy as np

from cytat.fulltext.postings import (
    Rows,
    Weights,
    count_indexed,
    document_frequencies,
    postings,
    rarity,
)
from cytat.query import AllowedRows, Query, ScoredRows, TermGroup, scored_rows

MAX_WORDS = 64
"""Different words of one question that are matched, the rarest ones; more are a pasted page."""

MOST_FREQUENT = 2.2
"""The bound of a saturated frequency: an identifier as typed stands above its other writings."""

LIFTING_CHUNKS, LIFTING_SHARE = 10, 0.05
"""An identifier names few chunks. What stands in more of them ("1A" in every row of a price list)
is a word among words, and lifting its chunks would bury the others."""

NAMED_MISSING = 3
"""Identifiers named that stand nowhere; a pasted page of codes needs a count, not a list."""

CHUNK_IDS = """
select row, id
from chunk
where row in (select value from json_each(:rows))
"""


@dataclass(frozen=True, slots=True)
class WordsRanking:
    """What the words found.

    `holders`: rows that hold an identifier of the question whole, one that few chunks hold.
    `is_decided`: the question is nothing but identifiers that some chunk holds whole, so that
    other chunks are not answers to it, however near.
    """

    scored: ScoredRows
    holders: frozenset[int]
    is_decided: bool
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Matches:
    """Rows that hold one word, with the word's weight in each."""

    rows: Rows
    weights: Weights
    is_whole_identifier: bool

    def is_lifting(self, indexed: int) -> bool:
        """Say whether the chunks that hold the word stand above all others."""
        most = max(LIFTING_CHUNKS, LIFTING_SHARE * indexed)
        return self.is_whole_identifier and len(self.rows) <= most


def rank_by_words(
    connection: apsw.Connection, query: Query, *, depth: int, allowed: AllowedRows | None
) -> WordsRanking:
    """Rank chunks by the words of `query`.

    Args:
        connection: of a corpus whose schema exists.
        query: what the analyser made of a question.
        depth: hits wanted; fewer come back when fewer chunks hold a word.
        allowed: rows that may be hits; None means all. Rarity is that of the whole corpus.

    Returns:
        Hits with scores above 0, ties broken by chunk id.
    """
    indexed = count_indexed(connection)
    groups, notes = _kept(connection, query.content, indexed)
    matches = [found for group in groups for found in _match(connection, group, indexed)]
    is_decided = all(group.is_identifier for group in groups) and any(
        found.is_whole_identifier for found in matches
    )
    if is_decided:
        matches = [found for found in matches if found.is_whole_identifier]
    searched = indexed if allowed is None else len(allowed)
    rows, scores, holders = _sum(matches, allowed, indexed)
    hits = _best(connection, rows, scores, depth)
    return WordsRanking(
        scored_rows(hits, rows=rows, scores=scores, searched=searched),
        holders,
        is_decided,
        notes + _missing(groups, matches, connection),
    )


def _kept(
    connection: apsw.Connection, groups: Sequence[TermGroup], indexed: int
) -> tuple[tuple[TermGroup, ...], tuple[str, ...]]:
    """Return the words to match, in the question's order, and a note when some were left out."""
    if len(groups) <= MAX_WORDS:
        return tuple(groups), ()
    terms = [term for group in groups for term in group.alternatives]
    counts = document_frequencies(connection, terms)

    def rank(at: int) -> tuple[float, int]:
        return -max(rarity(counts[term], indexed) for term in groups[at].alternatives), at

    kept = sorted(sorted(range(len(groups)), key=rank)[:MAX_WORDS])
    note = (
        f"The question has {len(groups)} different words; the {MAX_WORDS} rarest were looked for."
    )
    return tuple(groups[at] for at in kept), (note,)


def _match(connection: apsw.Connection, group: TermGroup, indexed: int) -> list[_Matches]:
    """Return the matches of one word; of a compound, those of its parts too."""
    rows, frequencies = _union(connection, group.alternatives, indexed)
    weight = rarity(len(rows), indexed)
    if not group.is_identifier:
        own = _Matches(rows, frequencies * weight, is_whole_identifier=False)
        return [own, *_match_parts(connection, group, indexed)]
    if not len(rows):
        return _match_parts(connection, group, indexed)
    exact, _ = postings(connection, group.alternatives[0], indexed=indexed)
    frequencies[np.isin(rows, exact)] += MOST_FREQUENT
    # Who holds the whole holds each part: the whole is never worth less than its parts.
    counts = [document_frequencies(connection, part) for part in group.parts]
    weight += sum(max(rarity(count, indexed) for count in part.values()) for part in counts)
    return [_Matches(rows, frequencies * weight, is_whole_identifier=True)]


def _match_parts(connection: apsw.Connection, group: TermGroup, indexed: int) -> list[_Matches]:
    found = [_union(connection, part, indexed) for part in dict.fromkeys(group.parts)]
    return [
        _Matches(rows, frequencies * rarity(len(rows), indexed), is_whole_identifier=False)
        for rows, frequencies in found
    ]


def _union(connection: apsw.Connection, terms: Sequence[str], indexed: int) -> tuple[Rows, Weights]:
    """Return the rows that hold any of the terms, each with the frequency of its best one."""
    found = [postings(connection, term, indexed=indexed) for term in terms]
    rows, place = np.unique(np.concatenate([rows for rows, _ in found]), return_inverse=True)
    best = np.zeros(len(rows))
    np.maximum.at(best, place, np.concatenate([frequencies for _, frequencies in found]))
    return rows, best


def _sum(
    matches: Sequence[_Matches], allowed: AllowedRows | None, indexed: int
) -> tuple[Rows, Weights, frozenset[int]]:
    """Return the rows that hold any word, their scores, and those that hold an identifier whole."""
    if not matches:
        return np.empty(0, dtype=np.int64), np.empty(0), frozenset()
    rows, place = np.unique(np.concatenate([found.rows for found in matches]), return_inverse=True)
    scores = np.zeros(len(rows))
    np.add.at(scores, place, np.concatenate([found.weights for found in matches]))
    whole = [found.rows for found in matches if found.is_lifting(indexed)]
    is_holder = np.isin(rows, np.concatenate(whole)) if whole else np.zeros(len(rows), dtype=bool)
    if is_holder.any():
        scores[is_holder] += scores.max()
    kept = scores > 0
    if allowed is not None:
        kept &= allowed.keep(rows)
    return rows[kept], scores[kept], frozenset(rows[kept & is_holder].tolist())


def _best(
    connection: apsw.Connection, rows: Rows, scores: Weights, depth: int
) -> tuple[tuple[int, float], ...]:
    """Return the `depth` best; all chunks with the last score compete for its places by id."""
    if len(rows) > depth:
        last = np.partition(scores, len(scores) - depth)[len(scores) - depth]
        rows, scores = rows[scores >= last], scores[scores >= last]
    listed = "[" + ",".join(map(str, rows.tolist())) + "]"
    ids = {row: str(chunk) for row, chunk in connection.execute(CHUNK_IDS, {"rows": listed})}
    hits = zip(rows.tolist(), scores.tolist(), strict=True)
    return tuple(sorted(hits, key=lambda hit: (-hit[1], ids[hit[0]]))[:depth])


def _missing(
    groups: Sequence[TermGroup], matches: Sequence[_Matches], connection: apsw.Connection
) -> tuple[str, ...]:
    """Return a note for each identifier that stands whole nowhere."""
    if all(found.is_whole_identifier for found in matches) and len(matches) == len(groups):
        return ()
    missing = [
        group.surface
        for group in groups
        if group.is_identifier
        and not any(document_frequencies(connection, group.alternatives).values())
    ]
    notes = [f"No passage holds {surface!r} whole." for surface in missing[:NAMED_MISSING]]
    if len(missing) > NAMED_MISSING:
        notes.append(f"Nor {len(missing) - NAMED_MISSING} more identifiers of the question.")
    return tuple(notes)
