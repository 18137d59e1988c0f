"""How often a question asks the file: counted in the back-end's own connection."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cytat import Corpus
from cytat.backends.sqlite.store import SqliteStore
from cytat.config import Settings

QUESTION = "Ile wynosi kaucja za lokal przy ulicy Długiej, jeśli umowa jest na rok?"
FIRST_ASK = 40
"""Statements that a first `ask` may run, whatever the number of passages and of words."""
ONE_READ_AND_ITS_TRACE = 2


@contextmanager
def counted(corpus: Corpus) -> Iterator[list[str]]:
    """Collect the statements that run in the calling thread's connection."""
    store = corpus.store
    assert isinstance(store, SqliteStore)
    statements: list[str] = []

    def note(_cursor: object, statement: str, _bindings: object) -> bool:
        statements.append(" ".join(statement.split()))
        return True

    store.connection.set_exec_trace(note)
    try:
        yield statements
    finally:
        store.connection.set_exec_trace(None)


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    """Open a corpus of sixty documents, each of which has words of the question."""
    (tmp_path / "docs").mkdir()
    for at in range(60):
        text = f"Umowa {at}. Kaucja za lokal przy ulicy Długiej {at} wynosi {at}00 zł za rok.\n"
        (tmp_path / "docs" / f"{at}.txt").write_text(text, "utf-8")
    with Corpus(Settings(corpus=tmp_path / "cytat.db", embedder="fake")) as writer:
        writer.add(tmp_path / "docs")
    with Corpus(Settings(corpus=tmp_path / "cytat.db", embedder="fake")) as opened:
        yield opened


def test_a_first_question_reads_once_and_in_few_statements(corpus: Corpus) -> None:
    with counted(corpus) as statements:
        corpus.ask(QUESTION)
    begun = [one for one in statements if one.startswith(("begin", "savepoint"))]
    assert len(begun) == ONE_READ_AND_ITS_TRACE, statements
    assert len(statements) <= FIRST_ASK, statements


def test_a_search_for_more_passages_runs_no_more_statements(corpus: Corpus) -> None:
    corpus.search(QUESTION)
    counts = []
    for depth in (5, 50):
        with counted(corpus) as statements:
            corpus.search(QUESTION, depth=depth)
        counts.append(len(statements))
    assert counts[0] == counts[1]
