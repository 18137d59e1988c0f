"""A corpus' parts + a gold set -> a run. What evaluation may not know is handed to it as calls."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import TypeAlias

import cytat
from cytat.analysis.filters import Where, parse_where
from cytat.answering import AskOutcome, Gate, nobody, open_gate, prompts_hash
from cytat.corpus.asking import SURVEY_DEPTH, Asking, ask_corpus
from cytat.corpus.calibrating import (
    EVEN_COST,
    Questions,
    calibration_of,
    gate_cases,
    keep_calibration,
    margin_of,
)
from cytat.corpus.gating import gate_in_force
from cytat.corpus.models import EmbedderChoice
from cytat.corpus.searching import find, search_request
from cytat.errors import UsageError
from cytat.evaluation import (
    Asked,
    Demand,
    DocumentView,
    GateCase,
    Judge,
    LocatedQuestion,
    Pace,
    Verdicts,
    compare,
    diagnose,
    errors_by_threshold,
    judge_notes,
    locate_gold,
    metrics_of,
    parse_demand,
    qrels_lines,
    read_gold,
    read_judged,
    regressions,
    run_lines,
    run_question,
    run_questions,
    text_id,
    unmet,
    write_texts,
)
from cytat.protocols import Generator
from cytat.records import (
    BlockKind,
    CalibrationReport,
    EvalProgress,
    EvalReport,
    Export,
    Fingerprint,
    QuestionOutcome,
    Ranking,
    RunComparison,
    SweepStep,
)
from cytat.retrieval import DEFAULT_FUSION
from cytat.store import Store


def unheard(_: object) -> None:
    """Report progress to nobody."""


HASH_DIGITS = 16
SYSTEM = "cytat"

Demands: TypeAlias = Sequence[Demand]


@dataclass(frozen=True, slots=True)
class RunAsking:
    """What searches and answers. `answering` None: only retrieval is measured."""

    store: Store
    choice: EmbedderChoice
    answering: Asking | None
    judge: Generator | None
    """What judges answers; None: nobody does."""

    @property
    def generator(self) -> Generator | None:
        """What drafts answers; None: nothing does, or sentences are quoted."""
        return None if self.answering is None else self.answering.generator


@dataclass(frozen=True, slots=True)
class RunScope:
    """What a run looks at, and how far."""

    qrels: Path | None
    """Judgments of the questions, where they stand in a file of their own."""
    depth: int
    where: Where
    mode: str
    evidence: int
    fusion: str = DEFAULT_FUSION.text


class Evaluation:
    """A gold set that was checked against the corpus, to be run whole or by question."""

    def __init__(self, gold: Path, asking: RunAsking, frame: RunScope) -> None:
        if frame.depth < 1:
            raise UsageError(f"depth {frame.depth} is below 1", hint="give 1 or more")
        self._asking = asking
        self._frame = frame
        self._judge = None if asking.judge is None else Judge(asking.judge)
        self._pace = Pace(frame.depth, min(frame.evidence, frame.depth))
        with asking.store.moment():
            self._gold = (
                read_gold(gold)
                if frame.qrels is None
                else read_judged(gold, frame.qrels, asking.store.sources().values())
            )
            self.questions = locate_gold(self._gold, document_views(asking.store))

    def report(self, listen: Callable[[EvalProgress], None] = unheard) -> EvalReport:
        """Return the run of all questions, over one moment of the corpus."""
        with self._asking.store.moment():
            outcomes, timings = run_questions(
                self.questions,
                search=self._search,
                ask=self._ask_or_none(),
                verdicts=self._verdicts(),
                pace=self._pace,
                listen=listen,
            )
            fingerprint = self._fingerprint()
        findings = diagnose(
            outcomes,
            found_depth=self._pace.found_depth,
            has_model=self._asking.generator is not None,
        )
        notes = tuple(self._notes(outcomes))
        return EvalReport(fingerprint, metrics_of(outcomes), findings, outcomes, timings, notes)

    def outcome(self, question: LocatedQuestion) -> QuestionOutcome:
        """Return the outcome of one question."""
        return run_question(
            question,
            search=self._search,
            ask=self._ask_or_none(),
            verdicts=self._verdicts(),
            pace=self._pace,
        )

    def trec_run(self, report: EvalReport) -> str:
        """Return the rankings of documents in TREC's six columns."""
        return _joined(run_lines(report.questions, name=SYSTEM, named=self._named))

    def trec_qrels(self) -> str:
        """Return the judgments in TREC's four columns, documents named as in the run."""
        sources = self._asking.store.sources()
        return _joined(qrels_lines(self.questions, sources, named=self._named))

    def _named(self, source: str) -> str:
        return text_id(source) if self._gold.has_texts else source

    def calibration(
        self,
        *,
        bluff_cost: float = EVEN_COST,
        listen: Callable[[EvalProgress], None] = unheard,
    ) -> CalibrationReport:
        """Return how the gate is best set for these questions; no model is called.

        Args:
            bluff_cost: lost answers that one bluff is as bad as.
            listen: is told how far it is.

        Raises:
            GoldSetError: there are too few questions, answerable or not.
        """
        questions = Questions(self._gold.name, self._gold.hash, self.questions)
        return calibration_of(
            self._asking.store, questions, ask=self._ask_openly, bluff_cost=bluff_cost,
            listen=listen,
        )  # fmt: skip

    def gate_cases(self, listen: Callable[[EvalProgress], None] = unheard) -> Iterator[GateCase]:
        """Yield each question as the gate sees it, which is let open; no model is called."""
        return gate_cases(self.questions, ask=self._ask_openly, listen=listen)

    def keep(self, report: CalibrationReport) -> CalibrationReport:
        """Put a calibration in force for the corpus; return its report, which says so."""
        return keep_calibration(self._asking.store, report)

    # ------------------------------------------------------------ calls

    def _search(self, question: str) -> Ranking:
        frame = self._frame
        request = search_request(
            question,
            depth=self._pace.depth,
            mode=frame.mode,
            where=frame.where,
            fusion=frame.fusion,
        )
        with self._asking.store.moment() as moment:
            return find(moment, self._asking.choice, request).ranking()

    def _verdicts(self) -> Verdicts | None:
        return None if self._judge is None else self._judge.judge

    def _ask_or_none(self) -> Callable[[str], Asked] | None:
        return None if self._asking.answering is None else self._ask

    def _ask(self, question: str) -> Asked:
        with self._asking.store.moment() as moment:
            gate, _ = gate_in_force(moment)
        outcome = self._outcome(question, gate, self._asking.generator)
        margin = margin_of(outcome.decision)
        return Asked(
            outcome.reply,
            draft=outcome.draft,
            passages=len(outcome.evidence),
            margin=None if margin is None else margin - gate.stricter,
        )

    def _ask_openly(self, question: str) -> AskOutcome:
        return self._outcome(question, open_gate(), None)

    def _outcome(self, question: str, gate: Gate, generator: Generator | None) -> AskOutcome:
        asking = self._asking
        assert asking.answering is not None  # noqa: S101 - `_ask_or_none` has looked
        answering = replace(
            asking.answering, gate=gate, generator=generator, depth=self._frame.evidence
        )
        request = search_request(
            question,
            depth=max(SURVEY_DEPTH, answering.depth),
            mode=self._frame.mode,
            where=self._frame.where,
            fusion=self._frame.fusion,
        )
        return ask_corpus(asking.store, request, answering, listen=nobody)

    # ------------------------------------------------------------ what it depends on

    def _fingerprint(self) -> Fingerprint:
        asking, store = self._asking, self._asking.store
        documents = store.documents()
        space = store.space()
        stamps = {one.stamp.chunking for one in documents if one.stamp is not None}
        return Fingerprint(
            system=SYSTEM,
            gold=self._gold.hash,
            documents=hash_of(sorted(one.version for one in documents if one.version is not None)),
            where=tuple(
                f"{one.key}{one.sign}{','.join(one.values)}"
                for one in parse_where(self._frame.where)
            ),
            depth=self._pace.depth,
            generation=store.generation,
            chunking=tuple(sorted(stamps)),
            chunks=sum(one.chunks for one in documents),
            encoder=space.embedder if space else "none",
            weights=space.weights[:HASH_DIGITS] if space else "none",
            mode=self._frame.mode,
            evidence=self._frame.evidence,
            generator=self._generator(),
            gate=self._gate(),
            prompts="none" if asking.generator is None else prompts_hash(),
            judge="none" if self._judge is None else self._judge.fingerprint,
            code=code_version(),
            fusion=self._frame.fusion,
        )

    def _generator(self) -> str:
        if self._asking.answering is None:
            return "none: retrieval only"
        generator = self._asking.generator
        return "quoting" if generator is None else generator.name

    def _gate(self) -> str:
        if self._asking.answering is None:
            return "none: retrieval only"
        with self._asking.store.moment() as moment:
            calibration = gate_in_force(moment)[0].calibration
        return "shipped" if calibration is None else hash_of([repr(calibration)])

    def _notes(self, outcomes: Sequence[QuestionOutcome]) -> Iterator[str]:
        if self._gold.unfilled:
            yield f"{self._gold.unfilled} cases have no question yet and were skipped."
        unjudged = sum(one.is_answerable and not one.targets for one in outcomes)
        if unjudged:
            yield f"{unjudged} questions name no right place; their retrieval is not measured."
        if self._asking.generator is not None:
            yield f"Answers were drafted by {self._asking.generator.name}."
        if self._judge is not None:
            yield from judge_notes(self._judge, outcomes, drafted_by=self._asking.generator)


def compare_runs(baseline: EvalReport, run: EvalReport) -> RunComparison:
    """Return a run beside its baseline; UsageError where they cannot be compared."""
    return compare(baseline, run)


def gate_errors(run: EvalReport) -> tuple[SweepStep, ...]:
    """Return the errors of the gate alone, wherever its threshold stood; see the evaluation."""
    return errors_by_threshold(run.questions)


def parse_demands(texts: Sequence[str]) -> Demands:
    """Return demands such as `recall@5=0.8`; UsageError where one is none."""
    return [parse_demand(one) for one in texts]


def unmet_demands(
    run: EvalReport,
    *,
    least: Sequence[Demand],
    most: Sequence[Demand],
    baseline: EvalReport | None,
) -> list[str]:
    """Return a sentence for each demand that a run does not meet."""
    failed = unmet(run.metrics, least=least, most=most)
    return failed + ([] if baseline is None else regressions(compare(baseline, run)))


def unmet_by(
    outcomes: Sequence[QuestionOutcome], *, least: Sequence[Demand], most: Sequence[Demand]
) -> list[str]:
    """Return a sentence for each demand that these outcomes together do not meet."""
    return unmet(metrics_of(outcomes), least=least, most=most)


def unpack_beir(folder: Path, out: Path) -> Export:
    """Write the texts of a BEIR folder into a new folder, a file each."""
    count = write_texts(folder, out)
    return Export(str(out), (), count, count, 0, 0)


def document_views(store: Store) -> Iterator[DocumentView]:
    """Yield what evaluation looks at in each document that has a text."""
    for document in store.documents():
        if document.version is None:
            continue
        blocks = store.blocks(document.id)
        yield DocumentView(
            id=document.id,
            source=document.source,
            version=document.version,
            text=store.text(document.id),
            titles=frozenset((document.title, *(h for one in blocks for h in one.heading_path))),
            headings=tuple(one.span for one in blocks if one.kind is BlockKind.HEADING),
            chunks=tuple(
                (stored.chunk.id, stored.chunk.span) for stored in store.chunks(document.id)
            ),
        )


@cache
def code_version() -> str:
    """Return the version of cytat and a hash of its modules and data, which may be newer."""
    package = Path(cytat.__file__).parent
    files = sorted(one for kind in ("*.py", "*.json", "*.txt") for one in package.rglob(kind))
    contents = [
        f"{one.relative_to(package).as_posix()}:{hashlib.sha256(one.read_bytes()).hexdigest()}"
        for one in files
    ]
    return f"{metadata.version('cytat')}+{hash_of(contents)}"


def _joined(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def hash_of(texts: Sequence[str]) -> str:
    """Return what identifies texts in an order."""
    return hashlib.sha256("\0".join(texts).encode("utf-8")).hexdigest()[:HASH_DIGITS]
