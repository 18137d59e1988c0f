"""How often a question asks the file."""

from pathlib import Path

import pytest
from tests.statements import asked_of_sqlite

from cytat import Corpus
from cytat.config import Settings

QUESTION = "Ile wynosi kaucja za lokal przy ulicy Długiej, jeśli umowa jest na rok?"
FIRST_ASK = 40
"""Statements that a first `ask` may run once the file is open, whatever the number of passages and
of words."""
ONE_READ_AND_ITS_TRACE = 2


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Return the settings of a corpus of sixty documents that have words of the question."""
    (tmp_path / "docs").mkdir()
    for at in range(60):
        text = f"Umowa {at}. Kaucja za lokal przy ulicy Długiej {at} wynosi {at}00 zł za rok.\n"
        (tmp_path / "docs" / f"{at}.txt").write_text(text, "utf-8")
    chosen = Settings(corpus=tmp_path / "cytat.db", embedder="fake")
    with Corpus(chosen) as writer:
        writer.add(tmp_path / "docs")
    return chosen


def test_a_first_question_reads_once_and_in_few_statements(settings: Settings) -> None:
    with asked_of_sqlite() as asked, Corpus(settings) as corpus:
        assert not corpus.store.is_read_only, "it is open"
        before = len(asked.statements)
        corpus.ask(QUESTION)
        statements = asked.statements[before:]
    begun = [one for one in statements if one.startswith(("begin", "savepoint"))]
    assert len(begun) == ONE_READ_AND_ITS_TRACE, statements
    assert len(statements) <= FIRST_ASK, statements


def test_a_search_for_more_passages_runs_no_more_statements(settings: Settings) -> None:
    counts = []
    with asked_of_sqlite() as asked, Corpus(settings) as corpus:
        corpus.search(QUESTION)
        for depth in (5, 50):
            before = len(asked.statements)
            corpus.search(QUESTION, depth=depth)
            counts.append(len(asked.statements) - before)
    assert counts[0] == counts[1]
