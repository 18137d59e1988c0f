"""Located questions + a way to ask with the gate open -> a calibration of the corpus."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cytat.answering import gate_hash, margin_weights
from cytat.evaluation import Calibrated, GateCase, LocatedQuestion, calibrate
from cytat.records import Answer, Calibration, CalibrationReport, EvalProgress, Refusal
from cytat.store import Store

EVEN_COST = 1.0
"""A bluff is as bad as a lost answer: whoever thinks otherwise says how much worse."""

Listener = Callable[[EvalProgress], None]
AskOpenly = Callable[[str], tuple[Answer | Refusal, Mapping[str, object]]]
"""Question -> the reply with the gate let open, and what the gate saw."""


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
    with store.reading():
        cases = list(gate_cases(questions.located, ask=ask, listen=listen))
        generation, space = store.generation, store.space()
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
        reply, seen = ask(one.gold.question)
        margin, signals = seen.get("margin"), seen.get("signals")
        comparable = isinstance(signals, Mapping) and seen.get("compares_words")
        yield GateCase(
            id=one.gold.id,
            group=one.gold.group,
            is_answerable=one.gold.is_answerable,
            is_answered=isinstance(reply, Answer),
            margin=margin if isinstance(margin, float) else None,
            signals=signals if isinstance(signals, Mapping) and comparable else None,
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
