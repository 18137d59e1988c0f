"""What `ingest` does with each file, and what it tells of it."""

import os
import unicodedata
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.corpora import add, check_whole, terms_by_row, write_files
from tests.reading.looking import reader_for
from tests.stores import Store

from cytat.errors import BackendError, UsageError, VectorSpaceError
from cytat.protocols import Reader, Vectors
from cytat.records import Document, DocumentState, IngestReport, Progress, ReadingOptions
from cytat.testing.embedders import FakeEmbedder
from cytat.text.identity import document_id


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    return tmp_path / "docs"


class Counting:
    """The fake encoder, which keeps what it is asked to embed and fails where a word stands."""

    def __init__(self, *, fails_on: str | None = None) -> None:
        self._fake = FakeEmbedder()
        self._fails_on = fails_on
        self.name = self._fake.name
        self.dimensions = self._fake.dimensions
        self.max_tokens = self._fake.max_tokens
        self.weights = self._fake.weights
        self.languages = self._fake.languages
        self.calls = 0
        self.embedded: list[str] = []

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        self.calls += 1
        if self._fails_on is not None and any(self._fails_on in text for text in texts):
            raise BackendError("the server replied 500", hint="try later")
        self.embedded.extend(texts)
        return self._fake.embed_documents(texts)

    def embed_query(self, text: str) -> Vectors:
        return self._fake.embed_query(text)

    def token_ends(self, text: str) -> Sequence[int]:
        return self._fake.token_ends(text)


def sources(report: IngestReport, kind: str) -> list[str]:
    return [outcome.source.removeprefix("docs/") for outcome in getattr(report, kind)]


def states(report: IngestReport) -> dict[str, list[str]]:
    kinds = ("added", "updated", "unchanged", "removed", "skipped", "failed")
    return {kind: sources(report, kind) for kind in kinds if getattr(report, kind)}


def test_a_folder_is_added_then_left_alone(store: Store, folder: Path) -> None:
    write_files(folder, {"a.txt": "Ala ma kota.", "b/c.md": "# Dom\n\nPies ma dom."})
    assert states(add(store, folder)) == {"added": ["a.txt", "b/c.md"]}
    generation = store.generation
    assert states(add(store, folder)) == {"unchanged": ["a.txt", "b/c.md"]}
    assert store.generation == generation


# case IDX-01
def test_of_a_shortened_file_nothing_old_is_left(store: Store, folder: Path) -> None:
    sections = [f"# Część {at}\n\nTreść części {at}.\n" for at in range(5)]
    write_files(folder, {"plan.md": "\n".join([*sections[:4], "# Część 4\n\nkod stary 111\n"])})
    add(store, folder)
    write_files(folder, {"plan.md": "\n".join(sections[:2])})
    report = add(store, folder)
    assert states(report) == {"updated": ["plan.md"]}
    terms = {term for found in terms_by_row(store).values() for term in found}
    assert not terms & {"111", "stary"}
    assert report.totals["chunks"] == store.status().totals["vectors"]
    check_whole(store)


# case IDX-03
def test_of_a_deleted_file_no_row_vector_or_word_is_left(store: Store, folder: Path) -> None:
    write_files(folder, {"tajne.txt": "kot ma na imię Zefir", "inne.txt": "pies"})
    add(store, folder)
    (folder / "tajne.txt").unlink()
    assert states(add(store, folder)) == {"removed": ["tajne.txt"], "unchanged": ["inne.txt"]}
    assert store.document(document_id("docs/tajne.txt")) is None
    totals = store.status().totals
    assert (totals["documents"], totals["chunks"], totals["words"], totals["vectors"]) == (1,) * 4
    assert not any(
        term.startswith("zefir") for found in terms_by_row(store).values() for term in found
    )


# case IDX-04
def test_bad_files_stop_nothing_and_are_named_with_their_reasons(
    store: Store, folder: Path
) -> None:
    write_files(folder, {"a_dobry.txt": "Numer 101.", "d_dobry.txt": "Numer 202."})
    (folder / "b_uszkodzony.pdf").write_bytes(b"%PDF-1.7\nno objects here")
    (folder / "c_uszkodzony.docx").write_bytes(b"PK\x03\x04" + bytes(range(256)) * 4)
    report = add(store, folder)
    assert sources(report, "added") == ["a_dobry.txt", "d_dobry.txt"]
    bad = (*report.failed, *report.skipped)
    assert [outcome.source for outcome in bad] == [
        "docs/b_uszkodzony.pdf",
        "docs/c_uszkodzony.docx",
    ]
    assert all(outcome.code and outcome.message and outcome.hint for outcome in bad)
    assert {document.source: document.state for document in store.documents()} == {
        "docs/a_dobry.txt": DocumentState.INDEXED,
        "docs/b_uszkodzony.pdf": DocumentState.FAILED,
        "docs/c_uszkodzony.docx": DocumentState.SKIPPED,
        "docs/d_dobry.txt": DocumentState.INDEXED,
    }


# case IDX-07
def test_content_decides_and_not_the_clock(store: Store, folder: Path) -> None:
    write_files(folder, {"a.txt": "kwota 100"})
    add(store, folder)
    before = (folder / "a.txt").stat()
    write_files(folder, {"a.txt": "kwota 200"})
    os.utime(folder / "a.txt", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert states(add(store, folder)) == {"updated": ["a.txt"]}
    assert store.text(document_id("docs/a.txt")) == "kwota 200"
    os.utime(folder / "a.txt")
    assert states(add(store, folder)) == {"unchanged": ["a.txt"]}


# case IDX-09
def test_a_file_without_words_is_not_indexed_and_says_why(store: Store, folder: Path) -> None:
    write_files(folder, {"blank.md": " \n\t\n", "empty.txt": "", "a.txt": "słowo"})
    report = add(store, folder)
    assert {outcome.source: outcome.code for outcome in report.skipped} == {
        "docs/blank.md": "empty",
        "docs/empty.txt": "empty",
    }
    assert report.totals["files"] == 3
    assert report.totals["added"] == 1
    assert store.status().totals["skipped"] == 2


# case IDX-11
def test_nothing_is_read_when_one_path_is_wrong(store: Store, folder: Path) -> None:
    write_files(folder, {"a.txt": "tekst"})
    with pytest.raises(UsageError, match="no-such-folder"):
        add(store, folder, "no-such-folder")
    assert store.documents() == ()


def test_only_the_changed_part_of_a_file_is_embedded_again(store: Store, folder: Path) -> None:
    parts = [
        f"# Część {at}\n\n" + " ".join(f"Zdanie {no} części {at}." for no in range(9))
        for at in range(6)
    ]
    write_files(folder, {"a.md": "\n\n".join(parts)})
    embedder = Counting()
    add(store, folder, embedder=embedder)
    assert len(embedder.embedded) == store.status().totals["chunks"] >= 6
    parts[3] = "# Część 3\n\nZupełnie co innego."
    embedder.embedded.clear()
    write_files(folder, {"a.md": "\n\n".join(parts)})
    add(store, folder, embedder=embedder)
    assert [text for text in embedder.embedded if "co innego" not in text] == []
    assert len(embedder.embedded) == 1
    check_whole(store)


def test_a_renamed_file_is_one_added_and_one_removed_and_embeds_nothing(
    store: Store, folder: Path
) -> None:
    write_files(folder, {"a.md": "# Tytuł\n\nTreść dokumentu.", "b.md": "# Inny\n\nTekst."})
    embedder = Counting()
    add(store, folder, embedder=embedder)
    embedder.embedded.clear()
    (folder / "a.md").rename(folder / "c.md")
    report = add(store, folder, embedder=embedder)
    assert states(report) == {"added": ["c.md"], "removed": ["a.md"], "unchanged": ["b.md"]}
    assert embedder.embedded == []
    check_whole(store)


def test_equal_passages_are_embedded_once(store: Store, folder: Path) -> None:
    write_files(folder, {f"{at}.md": "# Wzór\n\nTen sam tekst." for at in range(5)})
    embedder = Counting()
    add(store, folder, embedder=embedder)
    assert len(embedder.embedded) == 1
    assert store.status().totals["vectors"] == 5


def test_an_emptied_folder_loses_nothing_until_that_is_asked_for(
    store: Store, folder: Path
) -> None:
    write_files(folder, {"a.txt": "jeden", "b.txt": "dwa"})
    add(store, folder)
    for file in folder.iterdir():
        file.unlink()
    report = add(store, folder)
    assert states(report) == {}
    assert any("its 2 documents stay" in note and "--prune" in note for note in report.notes)
    assert sources(add(store, folder, prune=True), "removed") == ["a.txt", "b.txt"]


def test_an_unplugged_folder_inside_an_added_one_loses_nothing(store: Store, folder: Path) -> None:
    write_files(folder, {"a.txt": "jeden", "disk/b.txt": "dwa"})
    add(store, folder / "disk")
    add(store, folder)
    (folder / "disk" / "b.txt").unlink()
    assert states(add(store, folder)) == {"unchanged": ["a.txt"]}


def test_a_missing_folder_is_an_error_and_can_be_pruned(store: Store, folder: Path) -> None:
    write_files(folder, {"a.txt": "jeden"})
    add(store, folder)
    (folder / "a.txt").unlink()
    folder.rmdir()
    with pytest.raises(UsageError, match="not there"):
        add(store, folder)
    assert sources(add(store, folder, prune=True), "removed") == ["a.txt"]


def test_files_outside_the_folder_given_are_left_alone(store: Store, folder: Path) -> None:
    write_files(folder, {"a/1.txt": "jeden", "ab/2.txt": "dwa"})
    add(store, folder)
    (folder / "ab" / "2.txt").unlink()
    assert states(add(store, folder / "a")) == {"unchanged": ["a/1.txt"]}


def test_a_file_that_fails_now_stays_searchable_in_its_last_version(
    store: Store, folder: Path
) -> None:
    write_files(folder, {"a.txt": "dobra wersja"})
    add(store, folder)
    write_files(folder, {"a.txt": "x" * 100})
    report = add(store, folder, limit_bytes=50)
    assert [(failed.code, failed.state) for failed in report.failed] == [("too-large", "failed")]
    assert "last good version stays" in (report.failed[0].message or "")
    assert store.text(document_id("docs/a.txt")) == "dobra wersja"
    assert store.documents()[0].state is DocumentState.STALE
    assert states(add(store, folder)) == {"updated": ["a.txt"]}
    assert store.documents()[0].state is DocumentState.INDEXED


def test_whatever_a_reader_raises_costs_its_own_file_alone(store: Store, folder: Path) -> None:
    class Broken:
        name = "broken/1"

        def read(self, content: bytes, *, source: str, options: ReadingOptions) -> Document:
            raise RecursionError("too deep")

    def choose(content: bytes, source: str, *, named: str | None, media_type: str | None) -> Reader:
        return Broken() if source.endswith(".bad") else reader_for(content, source)

    write_files(folder, {"a.txt": "jeden", "b.bad": "dwa"})
    report = add(store, folder, reader_for=choose)
    assert states(report) == {"added": ["a.txt"], "failed": ["b.bad"]}
    assert report.failed[0].code == "unreadable"
    assert "RecursionError: too deep" in (report.failed[0].message or "")


def test_a_new_version_of_a_reader_reads_its_files_again(store: Store, folder: Path) -> None:
    write_files(folder, {"a.txt": "jeden"})
    add(store, folder)

    def newer(content: bytes, source: str, *, named: str | None, media_type: str | None) -> Reader:
        reader = reader_for(content, source)
        reader.name = "plain/99"
        return reader

    assert states(add(store, folder, reader_for=newer)) == {"updated": ["a.txt"]}


def test_names_in_both_unicode_forms_are_one_document(store: Store, folder: Path) -> None:
    write_files(folder, {unicodedata.normalize("NFC", "zażółć.txt"): "jeden"})
    add(store, folder)
    (folder / unicodedata.normalize("NFC", "zażółć.txt")).rename(
        folder / unicodedata.normalize("NFD", "zażółć.txt")
    )
    report = add(store, folder)
    assert report.totals["updated"] == 1
    assert report.totals["removed"] == 0
    write_files(folder, {unicodedata.normalize("NFC", "zażółć.txt"): "dwa"})
    assert add(store, folder).totals["failed"] == 1


def test_metadata_is_added_and_kept_by_later_runs(store: Store, folder: Path) -> None:
    write_files(folder, {"a.txt": "jeden"})
    add(store, folder, metadata={"rok": "2025"})
    assert states(add(store, folder)) == {"unchanged": ["a.txt"]}
    assert states(add(store, folder, metadata={"klient": "Nowak"})) == {"updated": ["a.txt"]}
    write_files(folder, {"a.txt": "dwa"})
    add(store, folder)
    metadata = store.documents()[0].metadata
    assert (metadata["rok"], metadata["klient"]) == ("2025", "Nowak")


def test_another_encoder_is_refused_before_anything_is_read(store: Store, folder: Path) -> None:
    write_files(folder, {"a.txt": "jeden"})
    add(store, folder)
    write_files(folder, {"b.txt": "dwa"})
    with pytest.raises(VectorSpaceError, match="made with fake"):
        add(store, folder, embedder=FakeEmbedder(name="other"))
    assert len(store.documents()) == 1


def test_a_language_the_encoder_does_not_know_is_kept_by_words_alone(
    store: Store, folder: Path
) -> None:
    write_files(
        folder,
        {
            "pl.txt": "To jest umowa, którą zawarto na czas nieokreślony i która się nie kończy.",
            "en.txt": "This is the contract which was made for an indefinite time and it stays.",
        },
    )
    embedder = FakeEmbedder(languages=frozenset({"en"}))
    report = add(store, folder, embedder=embedder)
    totals = store.status().totals
    assert (totals["chunks"], totals["words"], totals["vectors"]) == (2, 2, 1)
    assert any("(pl) are found by words only" in note for note in report.notes)
    assert states(add(store, folder, embedder=embedder)) == {"unchanged": ["en.txt", "pl.txt"]}


def test_one_poisonous_passage_costs_its_own_vector_alone(store: Store, folder: Path) -> None:
    write_files(folder, {f"{at}.md": f"# D{at}\n\nTekst {at}." for at in range(9)})
    write_files(folder, {"5.md": "# D5\n\nTekst trujący."})
    report = add(store, folder, embedder=Counting(fails_on="trujący"))
    totals = store.status().totals
    assert (totals["words"], totals["vectors"], totals["partial"]) == (9, 8, 1)
    partial = [outcome for outcome in report.added if outcome.state == "partial"]
    assert [(outcome.source, outcome.code) for outcome in partial] == [
        ("docs/5.md", "not-embedded")
    ]
    assert any("the server replied 500" in note for note in report.notes)
    assert states(add(store, folder))["updated"] == ["5.md"]  # tried again, and whole now
    check_whole(store)


def test_an_encoder_that_is_away_is_not_asked_for_ever(store: Store, folder: Path) -> None:
    write_files(folder, {f"{at:03}.md": f"# D{at}\n\nTekst {at}." for at in range(200)})
    embedder = Counting(fails_on="Tekst")
    add(store, folder, embedder=embedder)
    assert embedder.calls == 3
    assert store.status().totals["words"] == 200
    assert store.status().totals["partial"] == 200
    add(store, folder)
    check_whole(store)


def test_progress_counts_a_file_as_done_when_it_is_on_disk(store: Store, folder: Path) -> None:
    write_files(folder, {f"{at}.txt": f"tekst {at}" for at in range(70)} | {"z.txt": ""})
    seen: list[Progress] = []

    def look(progress: Progress) -> None:
        seen.append(progress)
        with Store.open(store.path) as other:
            assert len(other.documents()) >= progress.files_done

    add(store, folder, on_event=look)
    assert seen[-1].files_done == seen[-1].files == 71
    assert [one.files_done for one in seen] == sorted(one.files_done for one in seen)


def test_a_run_that_is_stopped_keeps_what_was_done_and_goes_on_from_there(
    store: Store, folder: Path
) -> None:
    write_files(folder, {f"{at:03}.txt": f"tekst {at}" for at in range(150)})

    def stop(progress: Progress) -> None:
        if progress.files_done == 64:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        add(store, folder, on_event=stop)
    assert len(store.documents()) == 64
    report = add(store, folder)
    assert (report.totals["unchanged"], report.totals["added"]) == (64, 86)
    check_whole(store)


def test_what_another_program_adds_meanwhile_has_not_vanished(store: Store, folder: Path) -> None:
    write_files(folder, {"a.txt": "jeden"})

    def add_another(_: Progress) -> None:
        if not (folder / "b.txt").exists():
            write_files(folder, {"b.txt": "dwa"})
            with Store.open(store.path) as other:
                add(other, folder / "b.txt")

    report = add(store, folder, on_event=add_another)
    assert report.totals["removed"] == 0
    assert [document.source for document in store.documents()] == ["docs/a.txt", "docs/b.txt"]
