"""Located questions + a way to search and to ask -> outcomes and timings, one after the other."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import TypeVar

from cytat.evaluation.gold import GoldQuestion
from cytat.evaluation.judging import Asked, judge
from cytat.evaluation.locating import LocatedQuestion
from cytat.evaluation.verdicts import scores_of_verdicts
from cytat.records import (
    Answer,
    EvalProgress,
    Hit,
    JudgedStatement,
    QuestionOutcome,
    Ranking,
    Refusal,
    Timing,
)

Search = Callable[[str], Ranking]
Ask = Callable[[str], Asked]
Verdicts = Callable[
    [GoldQuestion, Sequence[Hit], Answer | Refusal | None], tuple[JudgedStatement, ...]
]
"""A model that judges a reply and the hits it was made from."""
Listener = Callable[[EvalProgress], None]
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Pace:
    """How far the ranking is looked at, and how far answering looks."""

    depth: int
    found_depth: int


def run_questions(
    questions: Sequence[LocatedQuestion],
    *,
    search: Search,
    ask: Ask | None,
    verdicts: Verdicts | None,
    pace: Pace,
    listen: Listener,
) -> tuple[tuple[QuestionOutcome, ...], tuple[Timing, ...]]:
    """Return the outcome of every question, in order, and how long each stage took."""
    clock = _Clock()
    outcomes = []
    for done, located in enumerate(questions):
        listen(EvalProgress(done, len(questions), located.gold.question))
        outcomes.append(
            run_question(located, search=search, ask=ask, verdicts=verdicts, pace=pace, clock=clock)
        )
    listen(EvalProgress(len(questions), len(questions), ""))
    return tuple(outcomes), clock.timings()


def run_question(
    located: LocatedQuestion,
    *,
    search: Search,
    ask: Ask | None,
    verdicts: Verdicts | None,
    pace: Pace,
    clock: "_Clock | None" = None,
) -> QuestionOutcome:
    """Return the outcome of one question."""
    timed = clock or _Clock()
    text = located.gold.question
    ranking = timed.time("search", lambda: search(text))
    asked = None if ask is None else timed.time("answer, once searched", lambda: ask(text))
    outcome = judge(located, ranking, asked, depth=pace.depth, found_depth=pace.found_depth)
    if verdicts is None:
        return outcome
    hits, reply = ranking.hits[: pace.found_depth], None if asked is None else asked.reply
    judged = timed.time("judging", lambda: verdicts(located.gold, hits, reply))
    return replace(outcome, judged=judged, scores={**outcome.scores, **scores_of_verdicts(judged)})


class _Clock:
    """Keeps how long each call of a name took."""

    def __init__(self) -> None:
        self._took_ms: dict[str, list[float]] = {}

    def time(self, name: str, call: Callable[[], Result]) -> Result:
        began = time.perf_counter()
        result = call()
        self._took_ms.setdefault(name, []).append((time.perf_counter() - began) * 1000)
        return result

    def timings(self) -> tuple[Timing, ...]:
        return tuple(
            Timing(name, len(took), median(took), sorted(took)[int(0.95 * (len(took) - 1))])
            for name, took in self._took_ms.items()
        )
