"""A corpus that is cut far too small: the report says destroyed answers, and names the cutting."""

import statistics
from collections.abc import Iterator

import pytest
from benchmarks.compare import ROOT

from cytat import Corpus
from cytat.config import Settings
from cytat.evaluation import Evaluator
from cytat.records import Cause, EvalReport
from cytat.surfaces.pages import eval_page

NEEDLES = ROOT / "benchmarks" / "needles"
TOKENS = 40
"""Of the fake encoder: pieces of about 150 characters."""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    """The needles in pieces of 150 characters, without overlap."""
    file = tmp_path_factory.mktemp("broken") / "broken.db"
    with Corpus(Settings(corpus=file, embedder="fake", chunking=f"fixed:{TOKENS}")) as opened:
        opened.add([NEEDLES / "documents"])
        yield opened


@pytest.fixture(scope="module")
def broken(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> EvalReport:
    """What is found of the needles by words, asked for in the author's words."""
    lines = (NEEDLES / "gold.jsonl").read_text("utf-8").splitlines(keepends=True)
    gold = tmp_path_factory.mktemp("gold") / "author.jsonl"
    gold.write_text("".join(one for one in lines if '-author"' in one), "utf-8")
    return Evaluator(corpus).evaluation(gold, mode="words", retrieval_only=True).report()


def test_the_pieces_are_of_about_150_characters(corpus: Corpus) -> None:
    sources = [one.source for one in corpus.status().documents]
    chunks = [chunk for source in sources for chunk in corpus.show(source, chunks=True).chunks]
    lengths = [chunk.span.end - chunk.span.start for chunk in chunks]
    assert 130 <= statistics.mean(lengths) <= 170


def test_the_first_finding_names_the_cutting(broken: EvalReport) -> None:
    first = broken.diagnosis[0]
    assert first.cause is Cause.CUTTING
    assert first.advice.startswith("Fix the chunking:")
    assert "are not whole in any chunk" in first.advice


def test_most_answers_are_destroyed(broken: EvalReport) -> None:
    (destroyed,) = [one for one in broken.metrics if one.name == "destroyed" and one.group is None]
    assert destroyed.value is not None
    assert destroyed.value > 0.5
    assert destroyed.n == 64


def test_the_page_begins_with_it_and_marks_every_torn_answer(broken: EvalReport) -> None:
    html = eval_page.page(broken)
    torn = sum(target.is_destroyed for one in broken.questions for target in one.targets)
    assert html.index("Fix the chunking:") < html.index("cut apart: no chunk holds it whole")
    assert html.count("cut apart: no chunk holds it whole") == torn
