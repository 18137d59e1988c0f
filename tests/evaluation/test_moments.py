"""A run is over one moment of the corpus; with a model, each question has its own."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from tests.corpora import write_files
from tests.evaluation.conftest import WriteGold

from cytat import Corpus
from cytat.answering import nobody
from cytat.corpus.asking import ask_corpus
from cytat.corpus.searching import search_request
from cytat.evaluation import Evaluation
from cytat.evaluation.fingerprints import RunScope
from cytat.protocols import Generator, Prompt
from cytat.records import Answer
from cytat.retrieval import DEFAULT_FUSION
from cytat.testing.generators import ScriptedGenerator

RENT = {"id": "rent", "question": "Ile wynosi czynsz?", "needles": ["Czynsz wynosi 2150 zł"]}
DEPOSIT = {"id": "deposit", "question": "Ile wynosi kaucja?", "needles": ["Kaucja wynosi 4300 zł"]}
CHANGED = "The corpus was changed while it was measured: not all figures are of the same documents."
SCOPE = RunScope(
    qrels=None, depth=50, where=None, mode="hybrid", fusion=DEFAULT_FUSION.text, evidence=10
)


class Meddling(ScriptedGenerator):
    """Has something done before it writes."""

    def __init__(self, *pieces: str, act: Callable[[], object]) -> None:
        super().__init__(*pieces, name="meddler")
        self._act = act

    def generate(  # type: ignore[explicit-override]  # typing has it from 3.12
        self, prompt: Prompt, *, max_tokens: int
    ) -> Iterator[str]:
        """Yield the pieces; something is done before the first."""
        self._act()
        yield from super().generate(prompt, max_tokens=max_tokens)


def meanwhile(corpus: Corpus, change: Callable[[Corpus], object]) -> None:
    """Change the corpus as another program does: with another connection."""
    with Corpus(corpus.settings) as other:
        change(other)


def add_note(corpus: Corpus, name: str) -> None:
    folder = Path(corpus.settings.corpus).parent / "docs"
    write_files(folder, {name: "Pismo o opłatach za wodę."})
    meanwhile(corpus, lambda other: other.add(folder))


def evaluation(
    corpus: Corpus, gold: Path, *, drafting: Generator | None, judging: Generator | None = None
) -> Evaluation:
    asking = replace(corpus.asking(), generator=drafting)
    return Evaluation(corpus, gold, SCOPE, asking=asking, judging=judging)


def test_without_a_model_all_questions_are_asked_of_one_moment(
    corpus: Corpus, gold: WriteGold
) -> None:
    run = evaluation(corpus, gold(RENT, DEPOSIT), drafting=None)
    report = run.report(lambda progress: add_note(corpus, f"{progress.done}.txt"))
    with corpus.store.moment() as moment:
        assert moment.generation > report.fingerprint.generation, "others were added meanwhile"
    assert CHANGED not in report.notes
    assert all(not hit.source.endswith("0.txt") for one in report.questions for hit in one.hits)


def test_a_run_says_that_the_corpus_was_changed_while_a_model_wrote(
    corpus: Corpus, gold: WriteGold
) -> None:
    model = Meddling("Nic [1].", act=lambda: add_note(corpus, "woda.txt"))
    report = evaluation(corpus, gold(RENT, DEPOSIT), drafting=model).report()
    assert report.notes == ("Answers were drafted by meddler.", CHANGED)


def test_a_run_with_a_model_of_an_unchanged_corpus_says_nothing(
    corpus: Corpus, gold: WriteGold
) -> None:
    report = evaluation(corpus, gold(RENT), drafting=ScriptedGenerator("Nic [1].")).report()
    assert report.notes == ("Answers were drafted by scripted.",)


def test_no_transaction_is_open_while_a_model_writes_or_judges(
    corpus: Corpus, gold: WriteGold
) -> None:
    # A purge needs the file for itself: it would wait for a reader, and then fail.
    def purge() -> None:
        meanwhile(corpus, lambda other: other.remove(purge=True))

    drafting = Meddling("Czynsz wynosi 2150 zł [1].", act=purge)
    judging = Meddling("yes", act=purge)
    report = evaluation(corpus, gold(RENT), drafting=drafting, judging=judging).report()
    (outcome,) = report.questions
    assert outcome.judged
    assert judging.prompts


def test_what_was_found_before_a_change_is_looked_for_again(corpus: Corpus, tmp_path: Path) -> None:
    question = str(RENT["question"])
    found = corpus.retrieve(question, depth=50)
    text = "# Umowa najmu\n\n## Czynsz\n\nOd maja czynsz wynosi 2300 zł miesięcznie.\n"
    write_files(tmp_path / "docs", {"umowa.md": text})
    meanwhile(corpus, lambda other: other.add(tmp_path / "docs"))
    request = search_request(question, depth=50, mode="hybrid", where=None)
    reply = ask_corpus(corpus.store, request, corpus.asking(), listen=nobody, found=found).reply
    assert isinstance(reply, Answer)
    assert "2300" in reply.citations[0].quote
