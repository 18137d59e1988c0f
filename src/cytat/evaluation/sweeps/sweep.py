"""A corpus + a gold set + what is to be tried -> runs of every setup, and their comparison.

Setups that chunk or embed differently have their own file, derived from the stored text; the
corpus itself is only read. A setup that is done is handed over at once, so that a sweep which is
stopped has measured something.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from cytat.analysis.filters import Where, parse_where
from cytat.corpus import Corpus
from cytat.errors import CorpusError, UsageError
from cytat.evaluation.fingerprints import RunScope
from cytat.evaluation.gold.beir import read_gold
from cytat.evaluation.gold.locating import LocatedQuestion, document_views, locate_gold
from cytat.evaluation.running import Evaluation
from cytat.evaluation.sweeps.derived import DerivedFiles
from cytat.evaluation.sweeps.margins import margin_of, of_gold, of_pairs, read_pairs
from cytat.evaluation.sweeps.setups import OpenedSetup, open_setups
from cytat.evaluation.sweeps.variants import SweptRun, beside_baseline, groups_of
from cytat.protocols import Moment
from cytat.records import (
    PIPELINE,
    EvalProgress,
    EvalReport,
    EvalSweep,
    Margin,
    Progress,
    SweepAxes,
    SweepProgress,
    Variant,
)
from cytat.retrieval import Mode

Listen = Callable[[SweepProgress], None]


def ignore(_: SweepProgress) -> None:
    """Listen to nothing."""


@dataclass(frozen=True, slots=True)
class SweepPlan:
    """What is to be tried on which questions, and how the trying goes."""

    gold: Path
    axes: SweepAxes
    arrangement: str
    depth: int
    where: Where
    keep: Path | None
    """Folder of the files that are derived; None: they are removed in the end."""
    pairs: Path | None
    """Pairs that margins are measured on; None: the questions and their passages."""


@dataclass(frozen=True, slots=True)
class SetupRun:
    """The run of one setup, as soon as it is done."""

    opened: OpenedSetup
    run: EvalReport
    margin: Margin | None
    lacking: int
    """Documents that have no vectors."""

    @property
    def name(self) -> str:
        """What the setup is called."""
        return self.opened.named.name


class Sweep:
    """Setups that were checked and opened, to be run one after the other and compared."""

    def __init__(self, corpus: Corpus, plan: SweepPlan) -> None:
        """Open every encoder and cutter, and find the gold set's answers in the corpus.

        Raises:
            UsageError: a name is unknown, or nothing differs from the baseline.
            GoldSetError: the gold set is malformed or does not fit the corpus.
        """
        self._corpus = corpus
        self._plan = plan
        self._pairs = None if plan.pairs is None else read_pairs(plan.pairs)
        self._setups, self._setup_notes = open_setups(
            corpus, plan.axes, arrangement=plan.arrangement
        )
        needs_files = len({setup.index for setup in self._setups}) > 1
        with corpus.store.moment() as moment:
            self._generation = moment.generation
            questions = locate_gold(read_gold(plan.gold), document_views(moment))
            _check_chunks(questions, self._setups)
            if needs_files:
                _check_current(moment)
        self._files = DerivedFiles(corpus, keep=plan.keep, is_copied=needs_files)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        """Close the files; those in a temporary folder go."""
        self._files.close()

    def __len__(self) -> int:
        """Return how many setups there are, the baseline included."""
        return len(self._setups)

    def runs(self, listen: Listen = ignore) -> Iterator[SetupRun]:
        """Yield the run of each setup as it is done, the baseline first.

        Raises:
            CorpusError: somebody changed the corpus since the sweep was opened.
        """
        for done, setup in enumerate(self._setups):
            self._check_unchanged()
            progress = _SetupProgress(listen, setup.named.name, done, len(self._setups))
            find = self._files.of if done else self._files.baseline
            corpus = find(setup, progress.indexing).corpus.with_encoder(setup.choice)
            evaluation = self._evaluation(setup, corpus)
            run = evaluation.report(progress.asking)
            with corpus.store.moment() as moment:
                margin = self._margin(setup, moment, evaluation)
                lacking = moment.count_unembedded_documents()
            yield SetupRun(setup, run, margin, lacking)

    def report(self, runs: Sequence[SetupRun]) -> EvalSweep:
        """Return the runs beside the first of them.

        Raises:
            UsageError: there are no runs, or the corpus changed between two of them.
        """
        if not runs:
            raise UsageError("nothing was measured", hint="let the baseline be run at least")
        variants = beside_baseline([self._swept(swept) for swept in runs])
        varied = dict.fromkeys(axis for variant in variants for axis in variant.differs)
        return EvalSweep(
            questions=len(runs[0].run.questions),
            depth=self._plan.depth,
            varied=tuple(varied),
            groups=groups_of(runs[0].run.questions),
            variants=variants,
            margins=tuple(swept.margin for swept in runs if swept.margin is not None),
            comparisons=sum(len(variant.compared) for variant in variants),
            notes=tuple(self._notes(runs, variants)),
        )

    # ------------------------------------------------------------ parts

    def _check_unchanged(self) -> None:
        with self._corpus.store.moment() as moment:
            generation = moment.generation
        if generation != self._generation:
            raise CorpusError(
                "the corpus was changed while it was measured",
                hint="run the sweep again; with --keep it goes on from the indexes that are made",
            )

    def _swept(self, setup_run: SetupRun) -> SweptRun:
        (search_ms,) = (
            timing.median_ms for timing in setup_run.run.timings if timing.name == "search"
        )
        return SweptRun(
            setup_run.opened.named,
            setup_run.run,
            self._files.price(setup_run.opened, search_ms=search_ms),
        )

    def _evaluation(self, setup: OpenedSetup, corpus: Corpus) -> Evaluation:
        plan = self._plan
        scope = RunScope(
            None,
            plan.depth,
            plan.where,
            setup.named.setup.mode,
            setup.fusion.text,
            corpus.settings.evidence,
        )
        return Evaluation(corpus, plan.gold, scope, asking=None, judging=None)

    def _margin(self, setup: OpenedSetup, moment: Moment, evaluation: Evaluation) -> Margin | None:
        """Return the margin of an encoder; None for setups that change something else."""
        differs = setup.named.differs
        if differs and "embedder" not in differs:
            return None
        if self._pairs is not None:
            similarities = of_pairs(self._pairs, setup.embedder)
        else:
            conditions = parse_where(self._plan.where)
            similarities = of_gold(evaluation.questions, moment, setup.embedder, conditions)
        return margin_of(setup.named.name, setup.embedder.name, similarities)

    def _notes(self, runs: Sequence[SetupRun], variants: Sequence[Variant]) -> Iterator[str]:
        comparisons = sum(len(variant.compared) for variant in variants)
        yield (
            "p: exact two-sided sign test on the questions that differ, corrected for all "
            f"{comparisons} comparisons made (Holm)."
        )
        for swept in runs:
            if swept.lacking and swept.opened.named.setup.mode != Mode.WORDS:
                yield (
                    f"{swept.name}: {swept.lacking} documents have no vectors and are found by "
                    f"words only; {swept.opened.embedder.name} may not know their language."
                )
        yield from self._setup_notes


def _check_chunks(questions: Sequence[LocatedQuestion], setups: Sequence[OpenedSetup]) -> None:
    """Refuse a gold set that no other cutting can be measured with."""
    named = [
        question.gold
        for question in questions
        if question.gold.chunks and not question.gold.needles
    ]
    if named and len({setup.chunker.name for setup in setups}) > 1:
        raise UsageError(
            f"{named[0].where}: {named[0].id} names chunks, which another chunking does not have",
            hint="name needles: words that answer, verbatim from the document",
        )


def _check_current(moment: Moment) -> None:
    """Refuse a corpus that an earlier version indexed: what is made beside it would be newer."""
    outdated = moment.count_outdated(PIPELINE)
    if outdated:
        raise UsageError(
            f"{outdated} documents were indexed by another version of cytat, and would be "
            "compared with what this one makes",
            hint="run `cytat reindex` first",
        )


class _SetupProgress:
    """Passes on how far one setup is."""

    def __init__(self, listen: Listen, name: str, done: int, setups: int) -> None:
        self._listen = listen
        self._where = (name, done, setups)

    def indexing(self, progress: Progress) -> None:
        """Say how far its file is."""
        self._listen(SweepProgress(*self._where, "indexing", progress.share, progress.seconds_left))

    def asking(self, progress: EvalProgress) -> None:
        """Say how many questions were asked."""
        share = progress.done / max(progress.questions, 1)
        self._listen(SweepProgress(*self._where, "asking", share, None))
