"""A corpus is cut in one way, goes on so, and is cut anew only when asked."""

import json
from pathlib import Path

import pytest
from tests.stores import Store

from cytat import Corpus
from cytat.backends.sqlite.spaces import read_chunking
from cytat.config import load_settings
from cytat.errors import UsageError

TEXT = "# Cats\n\n" + "A cat sleeps all day long. " * 12 + "\n\n# Dogs\n\n" + "A dog barks. " * 12


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text(TEXT)
    return folder


def corpus(tmp_path: Path, **flags: object) -> Corpus:
    return Corpus(
        load_settings({"corpus": tmp_path / "c.db", "embedder": "fake", **flags}, environment={})
    )


def stamps(corpus: Corpus) -> set[str]:
    return {one.stamp.chunking for one in corpus.status().documents if one.stamp}


def test_a_corpus_keeps_its_chunking_unless_told_otherwise(tmp_path: Path, folder: Path) -> None:
    with corpus(tmp_path) as first:
        first.add(folder, chunking="fixed:60+10")
    (folder / "b.md").write_text(TEXT + "New.")
    with corpus(tmp_path) as later:
        report = later.add(folder)
        assert stamps(later) == {"fixed/1:60+10"}
    assert (len(report.added), len(report.unchanged)) == (1, 1)


def test_another_chunking_is_refused_by_add_with_what_to_do(tmp_path: Path, folder: Path) -> None:
    with corpus(tmp_path) as made:
        made.add(folder)
        before = made.status()
        with pytest.raises(UsageError, match=r"structure/1:128, not boundaries/1:128") as refused:
            made.add(folder, chunking="boundaries")
        assert "cytat reindex" in refused.value.hint
        assert made.status() == before


def test_reindex_cuts_all_anew_and_the_next_add_goes_on_so(tmp_path: Path, folder: Path) -> None:
    with corpus(tmp_path) as made:
        made.add(folder)
        report = made.reindex(chunking="sentences:4+1")
        assert len(report.updated) == 1
        assert stamps(made) == {"sentences/1:4+1:128"}
        assert len(made.add(folder).unchanged) == 1
        assert len(made.reindex().unchanged) == 1


def test_a_budget_that_is_set_changes_the_size_and_not_the_kind(
    tmp_path: Path, folder: Path
) -> None:
    with corpus(tmp_path, chunking="fixed:60+10") as made:
        made.add(folder)
    with corpus(tmp_path, chunk_tokens=80) as later:
        later.reindex()
        assert stamps(later) == {"fixed/1:80+10"}


def test_a_file_that_does_not_note_its_chunking_goes_on_by_its_stamps(
    tmp_path: Path, folder: Path
) -> None:
    with corpus(tmp_path) as made:
        made.add(folder, chunking="fixed:60+10")
    with Store.open(tmp_path / "c.db") as store:
        with store.writing() as writing:
            writing.connection.execute("delete from meta where key = 'chunking'")
        with store.reading() as connection:
            assert read_chunking(connection) == "fixed/1:60+10"


def vectors(corpus: Corpus) -> dict[str, bytes]:
    with corpus._opened().moment() as moment:
        return {chunk_id: vector.tobytes() for chunk_id, vector in moment.all_vectors()}


def test_chunks_that_stay_the_same_keep_their_vectors(tmp_path: Path, folder: Path) -> None:
    (folder / "a.md").write_text("Short and whole.")
    with corpus(tmp_path) as made:
        made.add(folder)
        before = vectors(made)
        made.reindex(chunking="boundaries")
        assert vectors(made) == before


def test_show_names_number_span_tokens_and_headings_of_each_chunk(
    tmp_path: Path, folder: Path
) -> None:
    with corpus(tmp_path) as made:
        made.add(folder)
        shown = made.show("a.md", chunks=True)
    assert [chunk.number for chunk in shown.chunks] == list(range(1, len(shown.chunks) + 1))
    assert all((chunk.tokens or 0) > 0 for chunk in shown.chunks)
    assert {chunk.heading_path for chunk in shown.chunks} == {("Cats",), ("Dogs",)}
    json.dumps([chunk.tokens for chunk in shown.chunks])
