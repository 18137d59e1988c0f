"""Located questions + a way to search and to ask -> outcomes and timings, one after the other."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TypeVar

from cytat.evaluation.judging import Asked, judge
from cytat.evaluation.locating import LocatedQuestion
from cytat.records import EvalProgress, QuestionOutcome, Ranking, Timing

Search = Callable[[str], Ranking]
Ask = Callable[[str], Asked]
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
    pace: Pace,
    listen: Listener,
) -> tuple[tuple[QuestionOutcome, ...], tuple[Timing, ...]]:
    """Return the outcome of every question, in order, and how long each stage took."""
    clock = _Clock()
    outcomes = []
    for done, located in enumerate(questions):
        listen(EvalProgress(done, len(questions), located.gold.question))
        outcomes.append(run_question(located, search=search, ask=ask, pace=pace, clock=clock))
    listen(EvalProgress(len(questions), len(questions), ""))
    return tuple(outcomes), clock.timings()


def run_question(
    located: LocatedQuestion,
    *,
    search: Search,
    ask: Ask | None,
    pace: Pace,
    clock: "_Clock | None" = None,
) -> QuestionOutcome:
    """Return the outcome of one question."""
    timed = clock or _Clock()
    text = located.gold.question
    ranking = timed.time("search", lambda: search(text))
    asked = None if ask is None else timed.time("answer, once searched", lambda: ask(text))
    return judge(located, ranking, asked, depth=pace.depth, found_depth=pace.found_depth)


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
