"""A gold set as a test: each question is an item of pytest, and its diagnosis the failure.

    pytest --cytat-gold gold.jsonl --cytat-corpus office.db

Without a gold set named it collects nothing and loads nothing: pytest imports this module in every
project that has cytat installed beside it.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from cytat.evaluation import Demand, Evaluation
    from cytat.records import QuestionOutcome

MARKER = "cytat"
SHOWN_HITS = 5
SNIPPET = 160


class UnmetError(AssertionError):
    """A question went wrong, or a demand is not met; the message says everything."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options, and the keys of a project's pytest settings."""
    group = parser.getgroup("cytat", "questions whose answers are known, asked of a corpus")
    group.addoption(
        "--cytat-gold", action="append", default=[], metavar="FILE",
        help="A gold set; each of its questions is a test. May be repeated.",
    )  # fmt: skip
    group.addoption("--cytat-corpus", metavar="FILE", help="The corpus that is asked.")
    parser.addini("cytat_gold", "gold sets to collect", type="paths")
    parser.addini("cytat_corpus", "the corpus that is asked")
    parser.addini("cytat_retrieval_only", "search only, ask nothing", type="bool", default=False)
    parser.addini(
        "cytat_min", "metrics and their lowest allowed value, such as recall@5=0.8", type="linelist"
    )
    parser.addini(
        "cytat_max", "metrics and their highest allowed value, such as bluff=0.1", type="linelist"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make pytest collect the gold sets that the command line names."""
    config.addinivalue_line("markers", f"{MARKER}: a question of a gold set, asked of a corpus")
    folder = config.invocation_params.dir
    selected = {
        (folder / argument.partition("::")[0]).resolve()
        for argument in config.args
        if "::" in argument
    }
    # A node id selects some questions of a gold set: the whole set would be collected beside them.
    config.args.extend(
        given
        for given in config.getoption("--cytat-gold")
        if (folder / given).resolve() not in selected
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "GoldFile | None":
    """Collect a file if it is one of the gold sets that are named."""
    config = parent.config
    folder = config.invocation_params.dir
    named = [folder / given for given in config.getoption("--cytat-gold")]
    named += config.getini("cytat_gold")
    if any(path.resolve() == file_path.resolve() for path in named):
        return GoldFile.from_parent(parent, path=file_path)
    return None


# ---------------------------------------------------------------- collecting


class GoldFile(pytest.File):
    """A gold set, checked against its corpus."""

    def __init__(self, **given: Any) -> None:  # noqa: ANN401 (pytest's own)
        super().__init__(**given)
        self._evaluation: Evaluation | None = None
        self._outcomes: dict[int, QuestionOutcome] = {}

    # `typing.override` comes with Python 3.12.
    def collect(self) -> Iterator[pytest.Item]:  # type: ignore[explicit-override]
        """Yield an item for each question, then one for all demands on them together."""
        from cytat.errors import CytatError  # noqa: PLC0415 - see the top

        try:
            self.parsed_demands()
            questions = self._evaluated().questions
        except CytatError as error:
            raise self.CollectError(f"{error.message}\n{error.hint}") from error
        for at, question in enumerate(questions):
            line = int(question.gold.where.rpartition(":")[2])
            yield QuestionItem.from_parent(self, name=question.gold.id, at=at, line=line)
        if self.demands():
            yield DemandsItem.from_parent(self, name="demands")

    def outcome(self, at: int) -> "QuestionOutcome":
        """Return how one question turns out; it is asked once."""
        if at not in self._outcomes:
            evaluation = self._evaluated()
            self._outcomes[at] = evaluation.outcome(evaluation.questions[at])
        return self._outcomes[at]

    def outcomes(self) -> "list[QuestionOutcome]":
        """Return how all questions turn out, also those that pytest was not asked to run."""
        return [self.outcome(at) for at in range(len(self._evaluated().questions))]

    def demands(self) -> list[str]:
        """Return what the settings demand of all questions together."""
        return [*self.config.getini("cytat_min"), *self.config.getini("cytat_max")]

    def parsed_demands(self) -> "tuple[Sequence[Demand], Sequence[Demand]]":
        """Return the least and the most that is demanded; UsageError if a demand is malformed."""
        from cytat.evaluation import parse_demands  # noqa: PLC0415 - see the top

        least, most = (self.config.getini(name) for name in ("cytat_min", "cytat_max"))
        return parse_demands(least), parse_demands(most)

    def _evaluated(self) -> "Evaluation":
        """Return the questions found in the corpus, which stays open until pytest ends."""
        from cytat.config import load_settings  # noqa: PLC0415 - see the top
        from cytat.corpus import Corpus  # noqa: PLC0415
        from cytat.evaluation import Evaluator  # noqa: PLC0415

        if self._evaluation is None:
            corpus = Corpus(load_settings({"corpus": self._corpus_file()}))
            self.config.add_cleanup(corpus.close)
            self._evaluation = Evaluator(corpus).evaluation(
                self.path, retrieval_only=self.config.getini("cytat_retrieval_only")
            )
        return self._evaluation

    def _corpus_file(self) -> Path | None:
        """Return the corpus that is named; None: that of the environment or of cytat's settings."""
        given = self.config.getoption("--cytat-corpus")
        if given:
            return Path(self.config.invocation_params.dir / given)
        set_ = self.config.getini("cytat_corpus")
        return self.config.rootpath / set_ if set_ else None


# ---------------------------------------------------------------- items


class _Item(pytest.Item):
    """An item of a gold set, whose failure is reported without a stack trace."""

    def __init__(self, **given: Any) -> None:  # noqa: ANN401 (pytest's own)
        super().__init__(**given)
        self.add_marker(MARKER)
        assert isinstance(self.parent, GoldFile)  # noqa: S101 - `GoldFile` alone makes them
        self.gold_file = self.parent

    def repr_failure(  # type: ignore[explicit-override] # see `collect`
        self,
        excinfo: pytest.ExceptionInfo[BaseException],
        style: Any = None,  # noqa: ANN401
    ) -> Any:  # noqa: ANN401
        """Return the message alone where the corpus failed and not the program."""
        from cytat.errors import CytatError  # noqa: PLC0415 - see the top

        failure = excinfo.value
        if isinstance(failure, CytatError):
            return f"{failure.message}\n{failure.hint}"
        if isinstance(failure, UnmetError):
            return str(failure)
        return super().repr_failure(excinfo, style)


class QuestionItem(_Item):
    """One question: it passes where nothing went wrong."""

    def __init__(self, *, at: int, line: int, **given: Any) -> None:  # noqa: ANN401
        super().__init__(**given)
        self._at, self._line = at, line

    def runtest(self) -> None:  # type: ignore[explicit-override] # see `collect`
        """Ask; with demands on all questions a single one may fail."""
        outcome = self.gold_file.outcome(self._at)
        if outcome.is_answerable and not outcome.targets and outcome.cause is None:
            pytest.skip("the gold set names no place that answers it")
        if outcome.cause is None:
            return
        if self.gold_file.demands():
            pytest.xfail(f"{outcome.cause}; the demands decide")
        raise UnmetError(explained(outcome))

    def reportinfo(self) -> tuple[Path, int, str]:  # type: ignore[explicit-override]
        """Return the file and line of the question."""
        return self.path, self._line - 1, f"{self.path.name}: {self.name}"


class DemandsItem(_Item):
    """What is demanded of all questions together."""

    def runtest(self) -> None:  # type: ignore[explicit-override] # see `collect`
        """Measure all questions, and name each demand that is not met."""
        from cytat.evaluation import unmet_by  # noqa: PLC0415

        least, most = self.gold_file.parsed_demands()
        failed = unmet_by(self.gold_file.outcomes(), least=least, most=most)
        if failed:
            raise UnmetError("\n".join(failed))

    def reportinfo(self) -> tuple[Path, int, str]:  # type: ignore[explicit-override]
        """Return the gold set."""
        return self.path, 0, f"{self.path.name}: demands"


# ---------------------------------------------------------------- messages


ADVICE = {
    "cutting": "the answer is not whole in any chunk: fix the chunking",
    "retrieval": "the answer is in one chunk, but search missed it: fix the retrieval",
    "answering": "the answer was found, but the reply is a refusal or wrong: fix the answering",
    "refusing": "the documents do not hold the answer, but one was given: fix the refusal",
}


def explained(outcome: "QuestionOutcome") -> str:
    """Return all that helps to see why a question went wrong."""
    return "\n".join(_lines(outcome))


def _lines(outcome: "QuestionOutcome") -> Iterator[str]:
    yield f"{outcome.cause}: {ADVICE[str(outcome.cause)]}"
    yield f"question: {outcome.question}"
    if outcome.expected:
        yield f"expected: {outcome.expected}"
    for target in outcome.targets:
        at = f"rank {target.rank}" if target.rank else f"not among {len(outcome.hits)} hits"
        yield f"{target.kind.removesuffix('s')}: {target.text} ({at})"
    if outcome.reply is not None:
        reason = f", {outcome.reply.reason}" if outcome.reply.reason else ""
        yield f"reply ({outcome.reply.outcome}{reason}): {outcome.reply.text}"
    for hit in outcome.hits[:SHOWN_HITS]:
        sign = "*" if hit.is_right else " "
        yield f"{sign}{hit.rank:>3}. {hit.source} · {hit.place}: {_snippet(hit.text or '')}"


def _snippet(words: str) -> str:
    flat = " ".join(words.split())
    return flat if len(flat) <= SNIPPET else flat[: SNIPPET - 1] + "…"
