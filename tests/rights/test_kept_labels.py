"""A label stays with a name and with a content until the owner says otherwise, and is reported."""

from pathlib import Path

import pytest

from cytat import Corpus
from cytat.config import Settings
from cytat.records import IngestReport

SETTINGS = Settings(embedder="fake")
SALARIES = "Premia Xenon wynosi 4300 zł.\n"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """Return a folder with an open file and a labelled one, beside its corpus."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "menu.txt").write_text("Zupa dnia kosztuje 12 zł.\n", "utf-8")
    (folder / "premie.txt").write_text(SALARIES, "utf-8")
    with Corpus.open(tmp_path / "c.db", settings=SETTINGS) as corpus:
        corpus.add(folder)
        corpus.add(folder / "premie.txt", label="zarzad")
    return folder


def _add(docs: Path, **options: str) -> IngestReport:
    with Corpus.open(docs.parent / "c.db", settings=SETTINGS) as corpus:
        return corpus.add(docs, label=options.get("label"))


def _open_to_all(docs: Path) -> set[str]:
    with Corpus.open(docs.parent / "c.db", settings=SETTINGS, labels=()) as reader:
        return {Path(one.source).name for one in reader.status().documents}


def test_a_labelled_file_that_was_removed_and_added_again_stays_closed(docs: Path) -> None:
    with Corpus.open(docs.parent / "c.db", settings=SETTINGS) as corpus:
        corpus.remove("premie.txt")
    report = _add(docs)
    assert _open_to_all(docs) == {"menu.txt"}
    (note,) = [note for note in report.notes if "label" in note]
    assert "zarzad" in note
    assert "premie.txt" in note


def test_a_purge_leaves_the_label(docs: Path) -> None:
    with Corpus.open(docs.parent / "c.db", settings=SETTINGS) as corpus:
        corpus.remove("premie.txt", purge=True)
    assert SALARIES.strip().encode() not in (docs.parent / "c.db").read_bytes()
    _add(docs)
    assert _open_to_all(docs) == {"menu.txt"}


def test_a_labelled_file_that_vanished_and_came_back_with_other_words_stays_closed(
    docs: Path,
) -> None:
    (docs / "premie.txt").unlink()
    assert len(_add(docs).removed) == 1
    (docs / "premie.txt").write_text("Premia Xenon wynosi 5100 zł.\n", "utf-8")
    _add(docs)
    assert _open_to_all(docs) == {"menu.txt"}


@pytest.mark.parametrize("is_seen_missing", [False, True])
def test_a_labelled_file_that_moved_stays_closed(docs: Path, *, is_seen_missing: bool) -> None:
    (docs / "premie.txt").unlink()
    if is_seen_missing:
        _add(docs)
    (docs / "inne").mkdir()
    (docs / "inne" / "lista.txt").write_text(SALARIES, "utf-8")
    report = _add(docs)
    assert _open_to_all(docs) == {"menu.txt"}
    assert any("lista.txt" in note and "zarzad" in note for note in report.notes)


def test_a_copy_that_could_first_not_be_read_is_closed_once_it_can(docs: Path) -> None:
    (docs / "kopia.txt").write_bytes(b"")
    _add(docs)
    (docs / "kopia.txt").write_text(SALARIES, "utf-8")
    report = _add(docs)
    assert _open_to_all(docs) == {"menu.txt"}
    assert any("kopia.txt" in note for note in report.notes)


def test_the_owner_opens_a_file_and_it_stays_open(docs: Path) -> None:
    report = _add(docs, label="")
    assert any(
        "from the label zarzad to everyone" in note and "premie.txt" in note
        for note in report.notes
    )
    with Corpus.open(docs.parent / "c.db", settings=SETTINGS) as corpus:
        corpus.remove("premie.txt")
    report = _add(docs)
    assert _open_to_all(docs) == {"menu.txt", "premie.txt"}
    assert not any("label" in note for note in report.notes)


def test_a_new_file_with_the_label_that_the_call_names_is_no_change(docs: Path) -> None:
    (docs / "plan.txt").write_text("Plan na rok 2026.\n", "utf-8")
    with Corpus.open(docs.parent / "c.db", settings=SETTINGS) as corpus:
        report = corpus.add(docs / "plan.txt", label="zarzad")
    assert report.notes == ()


def test_what_comes_into_a_folder_later_has_the_label_of_the_folder(docs: Path) -> None:
    _add(docs, label="zarzad")
    (docs / "nowe").mkdir()
    (docs / "nowe" / "plan.txt").write_text("Plan na rok 2026.\n", "utf-8")
    (docs / "nowe" / "pusty.txt").write_text("", "utf-8")
    report = _add(docs)
    assert _open_to_all(docs) == set()
    assert any("plan.txt" in note and "zarzad" in note for note in report.notes)
