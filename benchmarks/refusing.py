"""What a cosine and the gate said of each question -> both errors under every threshold. Pure.

A threshold that is chosen on the questions it is judged by looks better than it is. So each fold of
the questions is decided by a threshold chosen on the other four; a needle's two phrasings stay in
one fold.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from benchmarks.needles_refusal import Row

FOLDS = 5
FAR, NEAR = "refuse-far", "refuse-near"

Score = Callable[[Row], float]
"""Higher: rather answered. Infinite where no threshold changes what happens."""


@dataclass(frozen=True, slots=True)
class Errors:
    """Bluffs off-topic and on-topic, lost in the author's and in a user's words: wrong, among."""

    far: tuple[int, int]
    near: tuple[int, int]
    author: tuple[int, int]
    user: tuple[int, int]

    @property
    def lost(self) -> tuple[int, int]:
        """All that were refused though the documents answer them."""
        return self.author[0] + self.user[0], self.author[1] + self.user[1]

    @property
    def bluffs(self) -> tuple[int, int]:
        """All that were answered though the documents do not answer them."""
        return self.far[0] + self.near[0], self.far[1] + self.near[1]


def cosine(row: Row) -> float:
    """Return the nearest passage's cosine, and nothing else."""
    return row.cosine


def gate(row: Row) -> float:
    """Return the shipped gate's margin; a rule or a lack of sentences stands as it is."""
    if not row.answers_open:
        return -math.inf
    return math.inf if row.margin is None else row.margin


def errors(decided: Sequence[tuple[Row, bool]]) -> Errors:
    """Return both errors of questions that were answered or not."""

    def wrong(is_of: Callable[[str], bool], *, answered: bool) -> tuple[int, int]:
        some = [is_answered for row, is_answered in decided if is_of(row.group)]
        return sum(one is answered for one in some), len(some)

    return Errors(
        far=wrong(FAR.__eq__, answered=True),
        near=wrong(NEAR.__eq__, answered=True),
        author=wrong(lambda group: group.endswith("-author"), answered=False),
        user=wrong(lambda group: group.endswith("-user"), answered=False),
    )


def at(rows: Sequence[Row], score: Score, threshold: float) -> Errors:
    """Return the errors if what scores at least `threshold` is answered."""
    return errors([(row, score(row) >= threshold) for row in rows])


def thresholds(rows: Sequence[Row], score: Score) -> list[float]:
    """Return a threshold between each two neighbouring scores, and one beyond either end."""
    known = sorted({one for one in map(score, rows) if math.isfinite(one)})
    middles = [(low + high) / 2 for low, high in pairwise(known)]
    return [known[0] - 1e-6, *middles, known[-1] + 1e-6]


def curve(rows: Sequence[Row], score: Score) -> list[tuple[float, Errors]]:
    """Return the errors at every threshold that differs, the most lenient first."""
    return [(place, at(rows, score, place)) for place in thresholds(rows, score)]


def held_out(rows: Sequence[Row], score: Score, *, bluff_cost: float) -> Errors:
    """Return the errors of questions that the threshold was chosen without."""
    decided = []
    for fold in range(FOLDS):
        rest = [row for row in rows if _fold(row) != fold]
        place = _cheapest(rest, score, bluff_cost)
        decided += [(row, score(row) >= place) for row in rows if _fold(row) == fold]
    return errors(decided)


def strictest_within(rows: Sequence[Row], score: Score, *, most_lost: float) -> Errors:
    """Return the errors at the strictest threshold that loses no more than that share.

    Chosen on the very questions: the best that could be hoped for.
    """
    within = [one for _, one in curve(rows, score) if one.lost[0] <= most_lost * one.lost[1]]
    return min(within, key=lambda one: (one.bluffs[0], one.lost[0]))


def fewest_lost_at(rows: Sequence[Row], score: Score, *, most_bluffs: float) -> Errors:
    """Return the errors at the most lenient threshold with no more than that share of bluffs."""
    within = [one for _, one in curve(rows, score) if one.bluffs[0] <= most_bluffs * one.bluffs[1]]
    return min(within, key=lambda one: (one.lost[0], one.bluffs[0]))


def _fold(row: Row) -> int:
    return int(next(part for part in row.id.split("-") if part.isdigit())) % FOLDS


def _cheapest(rows: Sequence[Row], score: Score, bluff_cost: float) -> float:
    """Return the threshold of least cost; of several, the middle one."""
    costs = [
        (errors_.lost[0] + bluff_cost * errors_.bluffs[0], place)
        for place, errors_ in curve(rows, score)
    ]
    least = min(cost for cost, _ in costs)
    best = [place for cost, place in costs if cost == least]
    return best[len(best) // 2]
