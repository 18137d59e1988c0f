"""Query -> chunks ranked by words. BM25 over term groups: a word counts once, in its best form.

Any word may match; rank decides. An identifier that some chunk holds whole is matched whole only,
and chunks that hold it rank above all others: a question about one invoice must not be answered
from its neighbour. When no chunk holds it whole, its parts are looked for, and `missing` names it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cytat.analysis.places import SCORE_DECIMALS, Places, PlaceSet, best_places, spread_of
from cytat.fulltext.postings import NOWHERE, PostingsSource, TermWeights
from cytat.fulltext.skipping import all_scores, best_sums, scores_at
from cytat.fulltext.words import QuestionWord, matched, words_to_match
from cytat.protocols import Spread
from cytat.records import Query, TermGroup


@dataclass(frozen=True, slots=True, eq=False)
class WordsScores:
    """The scores of all chunks for one question; each is computed when it is asked for.

    `lift` is added to the chunks at `holders`, which hold an identifier of the question whole, one
    that few chunks hold. `allowed`: places that may be found; None means all.
    """

    words: Sequence[QuestionWord]
    norms: TermWeights
    holders: Places
    lift: float
    allowed: PlaceSet | None

    def at(self, places: Sequence[int]) -> dict[int, float]:
        """Return the scores at some places, rounded; a place that has none is absent."""
        wanted = np.unique(np.array(places, dtype=np.int32))
        if self.allowed is not None:
            wanted = wanted[self.allowed.mask[wanted]]
        scores = scores_at(self.words, self.norms, wanted)
        self._lift(scores, wanted)
        rounded = scores.round(SCORE_DECIMALS).tolist()
        found = zip(wanted.tolist(), rounded, (scores > 0).tolist(), strict=True)
        return {place: score for place, score, is_found in found if is_found}

    def best(self, depth: int, *, lowest_norm: float) -> tuple[Places, TermWeights]:
        """Return the `depth` best places with their scores, and all that tie with the last."""
        if not len(self.holders):
            return best_sums(
                self.words, self.norms, lowest_norm=lowest_norm, depth=depth, allowed=self.allowed
            )
        places, scores = self.every()
        if len(places) > depth:
            last = np.partition(scores, len(scores) - depth)[len(scores) - depth]
            places, scores = places[scores >= last], scores[scores >= last]
        return places, scores

    def every(self) -> tuple[Places, TermWeights]:
        """Return all places with a score above 0, rising, and their scores."""
        scores = all_scores(self.words, self.norms)
        places = np.flatnonzero(scores > 0).astype(np.int32)
        if self.allowed is not None:
            places = places[self.allowed.mask[places]]
        scores = scores.take(places)
        self._lift(scores, places)
        return places, scores

    def _lift(self, scores: TermWeights, places: Places) -> None:
        if len(self.holders):
            scores[np.isin(places, self.holders)] += self.lift


@dataclass(frozen=True, slots=True, eq=False)
class WordsRanking:
    """What the words of a question found.

    `hits`: places with scores above 0, best first, ties by chunk id. `holders`: of these, the
    places that hold an identifier of the question whole. `is_decided`: the question is nothing but
    identifiers that some chunk holds whole, so that other chunks do not answer it, however near.
    `missing`: identifiers that no chunk holds whole. `words_left_out`: how many words of a very
    long question were not looked for. `searched`: how many chunks could have been hits.
    """

    hits: tuple[tuple[int, float], ...]
    holders: frozenset[int]
    is_decided: bool
    missing: tuple[str, ...]
    words_left_out: int
    searched: int
    scores: WordsScores

    def spread(self) -> Spread:
        """Return mean and deviation over all chunks searched; every chunk is scored for it."""
        _, scores = self.scores.every()
        return spread_of(scores, searched=self.searched)


def rank_by_words(
    source: PostingsSource, query: Query, *, depth: int, allowed: PlaceSet | None
) -> WordsRanking:
    """Rank chunks by the words of `query`.

    Args:
        source: the chunks that may be read; rarity and lengths are those of all of them.
        query: what the analyser made of a question.
        depth: hits wanted; fewer come back when fewer chunks hold a word.
        allowed: places that may be hits; None means all.
    """
    groups = words_to_match(source, query.content)
    words = matched(source, groups)
    is_decided = all(group.is_identifier for group in groups) and any(
        word.is_whole_identifier for word in words
    )
    if is_decided:
        words = [word for word in words if word.is_whole_identifier]
    scores = _scores(source, words, allowed)
    places, found = scores.best(depth, lowest_norm=source.lowest_norm)
    hits = best_places(places, found, depth=depth, ids_of=source.ids)
    return WordsRanking(
        hits=hits,
        holders=frozenset(scores.holders.tolist()).intersection(place for place, _ in hits),
        is_decided=is_decided,
        missing=_missing(source, groups, words),
        words_left_out=len(query.content) - len(groups),
        searched=source.chunks if allowed is None else len(allowed),
        scores=scores,
    )


def _scores(
    source: PostingsSource, words: Sequence[QuestionWord], allowed: PlaceSet | None
) -> WordsScores:
    whole = [word.postings.places for word in words if word.is_lifting(source.chunks)]
    if not whole:
        return WordsScores(words, source.norms, NOWHERE.places, 0.0, allowed)
    holders = np.unique(np.concatenate(whole))
    lift = float(all_scores(words, source.norms).max())
    return WordsScores(words, source.norms, holders, lift, allowed)


def _missing(
    source: PostingsSource, groups: Sequence[TermGroup], words: Sequence[QuestionWord]
) -> tuple[str, ...]:
    """Return the identifiers that no chunk holds whole."""
    if all(word.is_whole_identifier for word in words) and len(words) == len(groups):
        return ()
    return tuple(
        group.surface
        for group in groups
        if group.is_identifier and not any(source.frequencies(group.alternatives).values())
    )
