"""Located questions + a way to ask with the gate open -> a calibration of the corpus."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from cytat.answering import AskOutcome, GateDecision, gate_hash, margin_weights
from cytat.evaluation import Calibrated, GateCase, LocatedQuestion, calibrate
from cytat.records import Answer, Calibration, CalibrationReport, EvalProgress
from cytat.store import Store

EVEN_COST = 1.0
"""A bluff is as bad as a lost answer: whoever thinks otherwise says how much worse."""

Listener = Callable[[EvalProgress], None]
AskOpenly = Callable[[str], AskOutcome]
"""Question -> what becomes of it with the gate let open."""
DIGITS = 4
"""Of margins and signals: what lies below is the arithmetic of one machine."""


def margin_of(decision: GateDecision | None) -> float | None:
    """Return how far above the threshold a question was; None where there was no margin."""
    if decision is None or decision.margin is None:
        return None
    return round(decision.margin, DIGITS)


@dataclass(frozen=True, slots=True)
class Questions:
    """What is calibrated on: a gold set, found in one moment of a corpus."""

    name: str
    hash: str
    located: Sequence[LocatedQuestion]


def calibration_of(
    store: Store, questions: Questions, *, ask: AskOpenly, bluff_cost: float, listen: Listener
) -> CalibrationReport:
    """Return what the questions say of the gate; nothing is stored."""
    with store.moment() as moment:
        cases = list(gate_cases(questions.located, ask=ask, listen=listen))
        generation, space = moment.generation, moment.space()
    made = calibrate(cases, bluff_cost=bluff_cost, shipped=margin_weights())
    right = sum(case.is_answerable for case in cases)
    calibration = Calibration(
        gold=questions.name,
        gold_hash=questions.hash,
        generation=generation,
        weights=space.weights if space else "",
        gate=gate_hash(),
        answerable=right,
        unanswerable=len(cases) - right,
        bluff_cost=bluff_cost,
        stricter=made.gate.stricter,
        refitted=made.gate.refitted,
        slope=made.slope,
        offset=made.offset,
    )
    return _report(calibration, made)


def keep_calibration(store: Store, report: CalibrationReport) -> CalibrationReport:
    """Write a calibration into the corpus, in force from now on; return the report that says so."""
    with store.writing() as writing:
        writing.set_calibration(report.calibration)
    return replace(report, is_stored=True)


def gate_cases(
    located: Sequence[LocatedQuestion], *, ask: AskOpenly, listen: Listener
) -> Iterator[GateCase]:
    """Yield each question as the gate sees it."""
    for done, one in enumerate(located):
        listen(EvalProgress(done, len(located), one.gold.question))
        outcome = ask(one.gold.question)
        decision = outcome.decision
        signals = None
        if decision is not None and decision.compares_words:
            signals = {name: round(value, DIGITS) for name, value in decision.signals.items()}
        yield GateCase(
            id=one.gold.id,
            group=one.gold.group,
            is_answerable=one.gold.is_answerable,
            is_answered=isinstance(outcome.reply, Answer),
            margin=margin_of(decision),
            signals=signals,
        )
    listen(EvalProgress(len(located), len(located), ""))


def _report(calibration: Calibration, made: Calibrated) -> CalibrationReport:
    return CalibrationReport(
        calibration=calibration,
        is_stored=False,
        shipped=made.shipped,
        chosen=made.chosen,
        held_out=made.held_out,
        folds=made.folds,
        sweep=made.sweep,
        notes=made.notes,
    )
