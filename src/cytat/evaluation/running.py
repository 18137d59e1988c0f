"""A corpus + a gold set -> a run: each question is searched and asked, judged and timed.

A run is over one moment of the corpus. Where a language model answers or judges, no transaction
waits for it: each question then has its own moment, and a note says so if the corpus was
changed between the first and the last.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import TypeVar

from cytat.answering import nobody, open_gate
from cytat.corpus import Corpus
from cytat.corpus.asking import SURVEY_DEPTH, Asking, ask_corpus, gate_in_force
from cytat.corpus.searching import search_request
from cytat.errors import NoDraftError, UsageError
from cytat.evaluation.calibrating import GateCase
from cytat.evaluation.fingerprints import (
    NONE,
    SYSTEM,
    RunAnswers,
    RunScope,
    fingerprint_of,
)
from cytat.evaluation.gate import EVEN_COST, CalibrationGold, calibration_of, gate_case
from cytat.evaluation.gold.beir import read_gold, text_id
from cytat.evaluation.gold.locating import LocatedQuestion, document_views, locate_gold
from cytat.evaluation.judging import Asked, judge
from cytat.evaluation.scoring import diagnose, metrics_of
from cytat.evaluation.trec import qrels_lines, read_judged, run_lines
from cytat.evaluation.verdicts import Judge, judge_notes, scores_of_verdicts
from cytat.protocols import Generator, Prompt
from cytat.records import (
    CalibrationReport,
    EvalProgress,
    EvalReport,
    QuestionOutcome,
    Timing,
)
from cytat.retrieval import Retrieved

Listener = Callable[[EvalProgress], None]
Result = TypeVar("Result")


def ignore(_: EvalProgress) -> None:
    """Listen to nothing."""


class Evaluation:
    """A gold set that was checked against the corpus, to be run whole or by question."""

    def __init__(
        self,
        corpus: Corpus,
        gold: Path,
        scope: RunScope,
        *,
        asking: Asking | None,
        judging: Generator | None,
    ) -> None:
        """Read the gold set, and find in the corpus what it names.

        Args:
            corpus: what is measured.
            gold: a file of cases, or a folder in the BEIR layout.
            scope: what is looked at, and how far.
            asking: what answers; None: only retrieval is measured.
            judging: the model that judges answers; None: nobody does.

        Raises:
            UsageError: the depth is below 1.
            GoldSetError: the gold set is malformed or does not fit the corpus.
        """
        if scope.depth < 1:
            raise UsageError(f"depth {scope.depth} is below 1", hint="give 1 or more")
        self._corpus = corpus
        self._scope = scope
        self._asking = asking
        self._judge = None if judging is None else Judge(judging)
        with corpus.store.moment() as moment:
            self._generation = moment.generation
            self._gold = (
                read_gold(gold)
                if scope.qrels is None
                else read_judged(gold, scope.qrels, moment.sources().values())
            )
            self.questions = locate_gold(self._gold, document_views(moment))

    def report(self, listen: Listener = ignore) -> EvalReport:
        """Return the run of all questions."""
        clock, outcomes = _Clock(), list[QuestionOutcome]()
        with self._whole_run():
            for done, located in enumerate(self.questions):
                listen(EvalProgress(done, len(self.questions), located.gold.question))
                outcomes.append(self._outcome(located, clock))
            listen(EvalProgress(len(self.questions), len(self.questions), ""))
            with self._corpus.store.moment() as moment:
                fingerprint = fingerprint_of(
                    moment,
                    self._gold.hash,
                    self._scope,
                    answers=self._answers(),
                    judge=NONE if self._judge is None else self._judge.fingerprint,
                )
        findings = diagnose(outcomes, found_depth=self._found_depth, has_model=self._has_model)
        return EvalReport(
            fingerprint,
            metrics_of(outcomes),
            findings,
            tuple(outcomes),
            clock.timings(),
            tuple(self._notes(outcomes, generation=fingerprint.generation)),
        )

    def outcome(self, question: LocatedQuestion) -> QuestionOutcome:
        """Return the outcome of one question."""
        return self._outcome(question, _Clock())

    def trec_run(self, report: EvalReport) -> str:
        """Return the rankings of documents in TREC's six columns."""
        return _joined(run_lines(report.questions, name=SYSTEM, named=self._named))

    def trec_qrels(self) -> str:
        """Return the judgments in TREC's four columns, documents named as in the run."""
        with self._corpus.store.moment() as moment:
            sources = moment.sources()
        return _joined(qrels_lines(self.questions, sources, named=self._named))

    def calibration(
        self, *, bluff_cost: float = EVEN_COST, listen: Listener = ignore
    ) -> CalibrationReport:
        """Return how the gate is best set for these questions; no model is called.

        Args:
            bluff_cost: lost answers that one bluff is as bad as.
            listen: is given how far it is.

        Raises:
            GoldSetError: there are too few questions, answerable or not.
        """
        gold = CalibrationGold(self._gold.name, self._gold.hash)
        with self._corpus.store.moment() as moment:
            cases = list(self.gate_cases(listen))
            return calibration_of(moment, gold, cases, bluff_cost=bluff_cost)

    def gate_cases(self, listen: Listener = ignore) -> Iterator[GateCase]:
        """Yield each question as the gate sees it when it lets all through; no model is called."""
        asking = replace(self._corpus.asking(), generator=None, gate=open_gate())
        for done, located in enumerate(self.questions):
            listen(EvalProgress(done, len(self.questions), located.gold.question))
            found = self._search(located)
            yield gate_case(located, self._reply(located, found, asking).outcome)
        listen(EvalProgress(len(self.questions), len(self.questions), ""))

    def keep(self, report: CalibrationReport) -> CalibrationReport:
        """Put a calibration in force for the corpus; return its report, which says so.

        Raises:
            NotAllowedError: the corpus is open for a reader.
        """
        with self._corpus.store.writing() as writing:
            writing.set_calibration(report.calibration)
        return replace(report, is_stored=True)

    # ------------------------------------------------------------ one question

    def _outcome(self, located: LocatedQuestion, clock: "_Clock") -> QuestionOutcome:
        found = clock.time("search", lambda: self._search(located))
        asking, asked = self._asking, None
        if asking is not None:
            asked = clock.time("answer, once searched", lambda: self._ask(located, found, asking))
        depth, found_depth = self._scope.depth, self._found_depth
        outcome = judge(located, found.ranking(), asked, depth=depth, found_depth=found_depth)
        judging = self._judge
        if judging is None:
            return outcome
        hits, reply = found.hits[:found_depth], None if asked is None else asked.reply
        judged = clock.time("judging", lambda: judging.judge(located.gold, hits, reply))
        scores = {**outcome.scores, **scores_of_verdicts(judged)}
        return replace(outcome, judged=judged, scores=scores)

    def _search(self, located: LocatedQuestion) -> Retrieved:
        scope = self._scope
        return self._corpus.retrieve(
            located.gold.question,
            depth=scope.depth,
            mode=scope.mode,
            where=scope.where,
            fusion=scope.fusion,
        )

    def _ask(self, located: LocatedQuestion, found: Retrieved, asking: Asking) -> Asked:
        with self._corpus.store.moment() as moment:
            gate, _ = gate_in_force(moment)
        gated = replace(asking, gate=gate)
        try:
            return self._reply(located, found, gated)
        except NoDraftError:  # one question without a draft stops no run: nothing is supported
            return self._reply(located, found, replace(gated, generator=_Silent(gated.generator)))

    def _reply(self, located: LocatedQuestion, found: Retrieved, asking: Asking) -> Asked:
        is_deep_enough = self._scope.depth >= SURVEY_DEPTH
        request = search_request(
            located.gold.question,
            depth=max(self._scope.depth, SURVEY_DEPTH),
            mode=self._scope.mode,
            where=self._scope.where,
            fusion=self._scope.fusion,
        )
        outcome = ask_corpus(
            self._corpus.store,
            request,
            asking,
            listen=nobody,
            found=found if is_deep_enough else None,
        )
        return Asked(outcome, asking.gate.stricter if asking.gate else 0.0)

    # ------------------------------------------------------------ the whole run

    @property
    def _has_model(self) -> bool:
        return self._asking is not None and self._asking.generator is not None

    @property
    def _found_depth(self) -> int:
        """Hits that answering looks at; what ranks below was not found for it."""
        return min(self._scope.evidence, self._scope.depth)

    @contextmanager
    def _whole_run(self) -> Iterator[None]:
        """Hold one moment over all questions, unless a model would be waited for in it."""
        if self._has_model or self._judge is not None:
            yield
            return
        with self._corpus.store.moment() as moment:
            _ = moment.generation  # a snapshot may begin with what is read first
            yield

    def _answers(self) -> RunAnswers | None:
        if self._asking is None:
            return None
        with self._corpus.store.moment() as moment:
            return RunAnswers(gate_in_force(moment)[0], self._asking.generator)

    def _named(self, source: str) -> str:
        return text_id(source) if self._gold.has_texts else source

    def _notes(self, outcomes: Sequence[QuestionOutcome], *, generation: int) -> Iterator[str]:
        if self._gold.unfilled:
            yield f"{self._gold.unfilled} cases have no question yet and were skipped."
        unjudged = sum(outcome.is_answerable and not outcome.targets for outcome in outcomes)
        if unjudged:
            yield f"{unjudged} questions name no right place; their retrieval is not measured."
        if self._asking is not None and self._asking.generator is not None:
            yield f"Answers were drafted by {self._asking.generator.name}."
        if self._judge is not None:
            drafted_by = None if self._asking is None else self._asking.generator
            yield from judge_notes(self._judge, outcomes, drafted_by=drafted_by)
        if generation != self._generation:
            yield (
                "The corpus was changed while it was measured: not all figures are of the same "
                "documents."
            )


def _joined(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


class _Silent:
    """Stands for a model that wrote nothing: an empty draft."""

    def __init__(self, model: Generator | None) -> None:
        self.name = "" if model is None else model.name
        self.count_tokens = len if model is None else model.count_tokens

    def generate(self, prompt: Prompt, *, max_tokens: int) -> Iterator[str]:
        del prompt, max_tokens
        return iter(())


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
