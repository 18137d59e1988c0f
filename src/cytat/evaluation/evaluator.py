"""A corpus -> everything that measures it: runs, sweeps, calibrations, drafts of gold sets.

`Evaluator(corpus)` is to measuring what `Corpus` is to asking: every method is a few lines that
open the parts and hand them to each other. It only uses what any program may: the corpus' own
methods, and the moments of its store.
"""

from pathlib import Path

from cytat.analysis.filters import Where
from cytat.corpus import Corpus
from cytat.corpus.models import open_chat_generator, open_judge
from cytat.evaluation.fingerprints import RunScope
from cytat.evaluation.gold.drafting import draft_gold
from cytat.evaluation.running import Evaluation
from cytat.evaluation.sweeps.setups import ONE_BY_ONE
from cytat.evaluation.sweeps.sweep import Sweep, SweepPlan
from cytat.records import CalibrationReset, GoldDraft, SweepAxes
from cytat.retrieval import DEFAULT_FUSION


class Evaluator:
    """Measures one corpus, which stays open as long as it is used."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def evaluation(
        self,
        gold: str | Path,
        *,
        depth: int = 50,
        where: Where = None,
        mode: str = "hybrid",
        retrieval_only: bool = False,
        qrels: str | Path | None = None,
    ) -> Evaluation:
        """Return a gold set checked against the corpus; its `report()` runs all questions.

        With `qrels`, `gold` holds questions alone and that file their judgments.

        Raises:
            GoldSetError: the gold set is malformed or does not fit the corpus.
        """
        settings = self._corpus.settings
        judgments = None if qrels is None else Path(qrels)
        scope = RunScope(judgments, depth, where, mode, DEFAULT_FUSION.text, settings.evidence)
        return Evaluation(
            self._corpus,
            Path(gold),
            scope,
            asking=None if retrieval_only else self._corpus.asking(),
            judging=None if retrieval_only else open_judge(settings),
        )

    def sweep(  # noqa: PLR0913 - what is tried, and how
        self,
        gold: str | Path,
        axes: SweepAxes,
        *,
        arrangement: str = ONE_BY_ONE,
        depth: int = 50,
        where: Where = None,
        keep: str | Path | None = None,
        pairs: str | Path | None = None,
    ) -> Sweep:
        """Return other ways to cut, embed and rank, ready to be compared with the corpus as it is.

        The corpus is only read; indexes that are made go into `keep`, else into a folder that goes.

        Raises:
            UsageError: a name is unknown, or nothing differs from the baseline.
            GoldSetError: the gold set is malformed or does not fit the corpus.
        """
        folder, file = (None if path is None else Path(path) for path in (keep, pairs))
        plan = SweepPlan(Path(gold), axes, arrangement, depth, where, folder, file)
        return Sweep(self._corpus, plan)

    def draft_gold(self, out: str | Path, *, questions: int = 30, seed: int = 0) -> GoldDraft:
        """Write passages of the corpus into a new gold set whose questions a person fills in."""
        generator = open_chat_generator(self._corpus.settings)
        return draft_gold(
            self._corpus.store, Path(out), questions=questions, seed=seed, generator=generator
        )

    def reset_calibration(self) -> CalibrationReset:
        """Put the shipped gate in force again.

        Raises:
            NotAllowedError: the corpus is open for a reader.
        """
        with self._corpus.store.writing() as writing:
            before = writing.calibration()
            writing.set_calibration(None)
        return CalibrationReset(before)
