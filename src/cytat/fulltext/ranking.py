"""Query -> chunks ranked by words. BM25 over term groups: a word counts once, in its best form.

Any word may match; rank decides. An identifier that stands whole in some chunk is matched whole
only, and chunks that hold it stand above all others: a question about one invoice must not be
answered from its neighbour. When no chunk holds it whole, its parts are looked for, and a note
says so.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import apsw
import numpy as np
from numpy.typing import NDArray

from cytat.analysis import AllowedRows, Query, ScoredRows, TermGroup, best_rows, scored_rows
from cytat.fulltext.postings import (
    MOST_FREQUENT,
    NOWHERE,
    Places,
    Postings,
    TermWeights,
    WordsIndex,
    WordsReader,
    rarity,
)

MAX_WORDS = 64
"""Different words of one question that are matched, the rarest ones; more are a pasted page."""

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
    """Places of chunks that hold one word, with the word's weight in each."""

    places: Places
    weights: TermWeights
    is_whole_identifier: bool

    def is_lifting(self, indexed: int) -> bool:
        """Say whether the chunks that hold the word stand above all others."""
        most = max(LIFTING_CHUNKS, LIFTING_SHARE * indexed)
        return self.is_whole_identifier and len(self.places) <= most


@dataclass(frozen=True, slots=True)
class _Scored:
    """Chunks that may be hits: their rows, scores above 0, and those that are lifted."""

    rows: NDArray[np.int64]
    scores: TermWeights
    holders: frozenset[int]


def rank_by_words(
    connection: apsw.Connection,
    index: WordsIndex,
    query: Query,
    *,
    depth: int,
    allowed: AllowedRows | None,
) -> WordsRanking:
    """Rank chunks by the words of `query`.

    Args:
        connection: of the corpus, inside one read transaction with whatever else is read.
        index: what is in memory of that corpus.
        query: what the analyser made of a question.
        depth: hits wanted; fewer come back when fewer chunks hold a word.
        allowed: rows that may be hits; None means all. Rarity is that of the whole corpus.

    Returns:
        Hits with scores above 0, ties broken by chunk id.
    """
    reader = index.reader(connection)
    groups, notes = _kept(reader, query.content)
    matches = [found for group in groups for found in _match(reader, group)]
    is_decided = all(group.is_identifier for group in groups) and any(
        found.is_whole_identifier for found in matches
    )
    if is_decided:
        matches = [found for found in matches if found.is_whole_identifier]
    found = _sum(reader, matches, allowed)
    searched = reader.indexed if allowed is None else len(allowed)
    hits = _best(connection, found, depth)
    return WordsRanking(
        scored_rows(hits, rows=found.rows, scores=found.scores, searched=searched),
        found.holders,
        is_decided,
        notes + _missing(reader, groups, matches),
    )


def _kept(
    reader: WordsReader, groups: Sequence[TermGroup]
) -> tuple[tuple[TermGroup, ...], tuple[str, ...]]:
    """Return the words to match, in the question's order, and a note when some were left out."""
    if len(groups) <= MAX_WORDS:
        return tuple(groups), ()
    terms = [term for group in groups for term in group.alternatives]
    counts = reader.document_frequencies(terms)

    def rank(at: int) -> tuple[float, int]:
        alternatives = groups[at].alternatives
        return -max(rarity(counts[term], reader.indexed) for term in alternatives), at

    kept = sorted(sorted(range(len(groups)), key=rank)[:MAX_WORDS])
    note = (
        f"The question has {len(groups)} different words; the {MAX_WORDS} rarest were looked for."
    )
    return tuple(groups[at] for at in kept), (note,)


def _match(reader: WordsReader, group: TermGroup) -> list[_Matches]:
    """Return the matches of one word; of a compound, those of its parts too."""
    found = _union(reader, group.alternatives)
    weight = rarity(len(found.places), reader.indexed)
    if not group.is_identifier:
        own = _Matches(found.places, found.weights * weight, is_whole_identifier=False)
        return [own, *_match_parts(reader, group)]
    if not len(found.places):
        return _match_parts(reader, group)
    exact = reader.postings(group.alternatives[0]).places
    lead = np.isin(found.places, exact) * MOST_FREQUENT
    # Who holds the whole holds each part: the whole is never worth less than its parts.
    counts = [reader.document_frequencies(part) for part in group.parts]
    # `sum` adds floats in another way from Python 3.12 on.
    weight += math.fsum(
        max(rarity(count, reader.indexed) for count in part.values()) for part in counts
    )
    weights = (found.weights + lead) * weight
    return [_Matches(found.places, weights, is_whole_identifier=True)]


def _match_parts(reader: WordsReader, group: TermGroup) -> list[_Matches]:
    parts = [_union(reader, part) for part in dict.fromkeys(group.parts)]
    return [
        _Matches(
            found.places,
            found.weights * rarity(len(found.places), reader.indexed),
            is_whole_identifier=False,
        )
        for found in parts
    ]


def _union(reader: WordsReader, terms: Sequence[str]) -> Postings:
    """Return the chunks that hold any of the terms, each with the frequency of its best one."""
    found = [one for one in map(reader.postings, terms) if len(one.places)]
    if len(found) <= 1:
        return found[0] if found else NOWHERE
    best = np.zeros(reader.indexed)
    new = []
    for one in found:
        before = best[one.places]
        new.append(one.places[before == 0])
        best[one.places] = np.maximum(before, one.weights)
    places = np.concatenate(new)
    return Postings(places, best[places])


def _sum(reader: WordsReader, matches: Sequence[_Matches], allowed: AllowedRows | None) -> _Scored:
    """Return the chunks that hold any word and are allowed, with the sum of their words."""
    scores = _added_up(matches, reader.indexed)
    whole = [found.places for found in matches if found.is_lifting(reader.indexed)]
    holders = np.unique(np.concatenate(whole)) if whole else NOWHERE.places
    if len(holders):
        scores[holders] += scores.max()
    places = np.flatnonzero(scores > 0)
    rows = reader.rows.take(places).astype(np.int64)
    if allowed is not None:
        is_kept = allowed.keep(rows)
        places, rows = places[is_kept], rows[is_kept]
    lifted = rows[np.isin(places, holders)] if len(holders) else rows[:0]
    return _Scored(rows, scores.take(places), frozenset(lifted.tolist()))


def _added_up(matches: Sequence[_Matches], indexed: int) -> TermWeights:
    """Return the sum of each place's weights, added in the order of the words."""
    if not matches:
        return np.zeros(indexed)
    places = np.concatenate([found.places for found in matches])
    weights = np.concatenate([found.weights for found in matches])
    # Of nothing at all numpy counts in whole numbers.
    return np.asarray(np.bincount(places, weights, minlength=indexed), dtype=np.float64)


def _best(connection: apsw.Connection, found: _Scored, depth: int) -> tuple[tuple[int, float], ...]:
    """Return the `depth` best; all chunks with the last score compete for its places by id."""
    rows, scores = found.rows, found.scores
    if len(rows) > depth:
        last = np.partition(scores, len(scores) - depth)[len(scores) - depth]
        rows, scores = rows[scores >= last], scores[scores >= last]
    return best_rows(rows, scores, depth=depth, ids_of=partial(_ids, connection))


def _ids(connection: apsw.Connection, rows: Sequence[int]) -> dict[int, str]:
    listed = "[" + ",".join(map(str, rows)) + "]"
    return dict(connection.execute(CHUNK_IDS, {"rows": listed}))


def _missing(
    reader: WordsReader, groups: Sequence[TermGroup], matches: Sequence[_Matches]
) -> tuple[str, ...]:
    """Return a note for each identifier that stands whole nowhere."""
    if all(found.is_whole_identifier for found in matches) and len(matches) == len(groups):
        return ()
    missing = [
        group.surface
        for group in groups
        if group.is_identifier and not any(reader.document_frequencies(group.alternatives).values())
    ]
    notes = [f"No passage holds {surface!r} whole." for surface in missing[:NAMED_MISSING]]
    if len(missing) > NAMED_MISSING:
        notes.append(f"Nor {len(missing) - NAMED_MISSING} more identifiers of the question.")
    return tuple(notes)
