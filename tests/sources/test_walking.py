"""Which files PATH… means, and in which order."""

import os
from pathlib import Path

import pytest

from cytat.errors import ReadingError, UsageError
from cytat.protocols import SourceOptions
from cytat.sources.files import FileSource, read_file
from cytat.sources.walking import find_files
from cytat.text.identity import path_of, source_of


def make(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)


def names_found(folder: Path, *paths: Path) -> list[str]:
    found = find_files(paths or (folder,), corpus=folder / "cytat.db")
    return [path.relative_to(folder).as_posix() for path in found.files]


def test_a_folder_means_all_its_files_in_the_order_of_their_names(tmp_path: Path) -> None:
    make(tmp_path, "b.txt", "a/z.txt", "a/b/c.txt", "ą.txt", "B.txt")
    assert names_found(tmp_path) == ["B.txt", "a/b/c.txt", "a/z.txt", "b.txt", "ą.txt"]


def test_hidden_files_and_folders_are_skipped_unless_named(tmp_path: Path) -> None:
    make(tmp_path, ".env", ".git/config", "a.txt")
    assert names_found(tmp_path) == ["a.txt"]
    assert names_found(tmp_path, tmp_path / ".env") == [".env"]


def test_the_corpus_file_and_what_stands_beside_it_are_never_documents(tmp_path: Path) -> None:
    make(tmp_path, "cytat.db", "cytat.db-wal", "cytat.db-shm", "cytat.db-vectors", "cytat.db.txt")
    assert names_found(tmp_path) == ["cytat.db.txt"]


def test_nothing_is_taken_from_a_folder_whose_ignore_file_cannot_be_examined(
    tmp_path: Path,
) -> None:
    make(tmp_path, "a.txt", "sub/b.txt")
    (tmp_path / "sub" / ".cytatignore").symlink_to(".cytatignore")  # leads to itself
    found = find_files([tmp_path], corpus=tmp_path / "cytat.db")
    assert list(found.files) == [tmp_path / "a.txt"]
    assert found.closed == (tmp_path / "sub",)


def test_an_ignore_file_that_is_a_folder_or_a_dead_link_has_no_patterns(tmp_path: Path) -> None:
    make(tmp_path, "a/b.txt", "c/d.txt")
    (tmp_path / "a" / ".cytatignore").mkdir()
    (tmp_path / "c" / ".cytatignore").symlink_to("nowhere")
    assert names_found(tmp_path) == ["a/b.txt", "c/d.txt"]


def test_ignore_files_work_as_gits_do_and_the_nearest_decides(tmp_path: Path) -> None:
    make(tmp_path, "a.log", "a.txt", "build/x.txt", "sub/b.log", "sub/build.txt", "sub/deep/c.log")
    (tmp_path / ".cytatignore").write_text("# logs\n*.log\nbuild/\n/a.txt\n")
    (tmp_path / "sub" / ".cytatignore").write_text("!b.log\n")
    assert names_found(tmp_path) == ["sub/b.log", "sub/build.txt"]


@pytest.mark.parametrize("pattern", ["!", "a\\", "[z-a]"])
def test_an_ignore_pattern_that_means_nothing_is_an_error_and_leaves_nothing_in(
    tmp_path: Path, pattern: str
) -> None:
    make(tmp_path, "a.txt")
    (tmp_path / ".cytatignore").write_text(f"*.log\n{pattern}\n")
    with pytest.raises(UsageError, match="has an invalid pattern"):
        find_files([tmp_path], corpus=tmp_path / "c.db")


# case IDX-05
def test_a_link_to_its_own_folder_does_not_make_the_walk_endless(tmp_path: Path) -> None:
    make(tmp_path, "plik.txt")
    (tmp_path / "petla").symlink_to(tmp_path, target_is_directory=True)
    found = find_files([tmp_path], corpus=tmp_path / "cytat.db")
    assert set(found.files) == {tmp_path / "plik.txt"}
    assert found.links == (tmp_path / "petla",)


def test_a_link_to_a_file_is_not_a_second_document_and_leads_nowhere_else(tmp_path: Path) -> None:
    make(tmp_path, "in/a.txt", "out/secret.txt")
    (tmp_path / "in" / "b.txt").symlink_to(tmp_path / "in" / "a.txt")
    (tmp_path / "in" / "c.txt").symlink_to(tmp_path / "out" / "secret.txt")
    assert names_found(tmp_path, tmp_path / "in") == ["in/a.txt"]


def test_one_file_with_two_names_is_one_document_under_the_first(tmp_path: Path) -> None:
    make(tmp_path, "b.txt")
    os.link(tmp_path / "b.txt", tmp_path / "a.txt")
    assert names_found(tmp_path) == ["a.txt"]


def test_a_file_is_found_once_however_often_it_is_given(tmp_path: Path) -> None:
    make(tmp_path, "a/b.txt")
    given = (tmp_path, tmp_path / "a", tmp_path / "a" / "b.txt", tmp_path / "a" / ".." / "a")
    assert names_found(tmp_path, *given) == ["a/b.txt"]


def test_a_pipe_is_told_and_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert find_files([tmp_path], corpus=tmp_path / "c.db").devices == (tmp_path / "pipe",)
    with pytest.raises(ReadingError, match="pipe or a device"):
        read_file(tmp_path / "pipe", limit_bytes=10)


def test_a_very_deep_folder_is_walked(tmp_path: Path) -> None:
    deep = tmp_path
    for _ in range(600):
        deep /= "d"
    deep.mkdir(parents=True)
    make(deep, "a.txt")
    assert len(names_found(tmp_path)) == 1


# case IDX-11
def test_all_bad_arguments_are_named_at_once_before_anything_is_read(tmp_path: Path) -> None:
    make(tmp_path, "a.txt")
    paths = [str(tmp_path / "a.txt"), "no-such-folder", "https://example.org/a", "/dev/null"]
    with pytest.raises(UsageError) as caught:
        find_files(paths, corpus=tmp_path / "c.db")
    for bad in ("no-such-folder", "https://example.org/a", "/dev/null"):
        assert bad in caught.value.message
    assert "a.txt" not in caught.value.message


def test_a_file_at_the_limit_is_read_and_one_above_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"0123456789")
    assert read_file(tmp_path / "a.txt", limit_bytes=10).content == b"0123456789"
    with pytest.raises(ReadingError) as caught:
        read_file(tmp_path / "a.txt", limit_bytes=9)
    assert caught.value.code == "too-large"


def test_a_file_that_vanished_is_unreadable_and_says_so(tmp_path: Path) -> None:
    with pytest.raises(ReadingError, match="No such file") as caught:
        read_file(tmp_path / "gone.txt", limit_bytes=9)
    assert caught.value.code == "unreadable"


def test_a_link_put_in_a_files_place_after_the_walk_is_refused(tmp_path: Path) -> None:
    make(tmp_path, "secret.txt")
    (tmp_path / "a.txt").symlink_to(tmp_path / "secret.txt")
    with pytest.raises(ReadingError):
        read_file(tmp_path / "a.txt", limit_bytes=100)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("/home/ala/docs/umowy/plan.md", "umowy/plan.md"),
        ("/home/ala/other/plan.md", "/home/ala/other/plan.md"),
        ("/home/ala/docs2/plan.md", "/home/ala/docs2/plan.md"),
    ],
)
def test_a_source_is_relative_under_the_corpus_folder_and_absolute_elsewhere(
    path: str, source: str
) -> None:
    base = Path("/home/ala/docs")
    assert source_of(Path(path), base=base) == source
    assert path_of(source, base=base) == Path(path)


def test_a_name_that_is_not_utf8_has_a_source_that_leads_back_to_it(tmp_path: Path) -> None:
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/za\xbfo\xb3\xe6.txt"))
    odd.write_text("tekst")
    source = source_of(odd, base=tmp_path)
    assert source == r"za\xbfo\xb3\xe6.txt"
    assert path_of(source, base=tmp_path).read_text() == "tekst"
    assert find_files([tmp_path], corpus=tmp_path / "c.db").files.keys() == {odd}


COPIES = [
    "a.md~",
    "#a.md#",
    "~$a.docx",
    "a.md.bak",
    "A.MD.BAK",
    "a.swp",
    "~WRL0001.tmp",
    "a.md.orig",
]


def test_copies_and_locks_of_editors_are_named_and_not_read(tmp_path: Path) -> None:
    make(tmp_path, "a.md", "sub/b.md~", "tilde~name.md", "bak.md", "#1.md", *COPIES)
    found = find_files([tmp_path], corpus=None)
    assert {path.name for path in found.files} == {"a.md", "tilde~name.md", "bak.md", "#1.md"}
    assert {path.name for path in found.copies} == {"b.md~", *COPIES}


def test_a_copy_of_an_editor_that_is_named_is_read(tmp_path: Path) -> None:
    make(tmp_path, "a.md~", "b.bak")
    assert names_found(tmp_path, tmp_path / "a.md~") == ["a.md~"]
    (tmp_path / ".cytatignore").write_text("!*.bak\n")
    assert names_found(tmp_path) == ["b.bak"]


def test_a_second_name_of_one_file_is_noted(tmp_path: Path) -> None:
    make(tmp_path, "umowa.md")
    (tmp_path / "kopia.md").hardlink_to(tmp_path / "umowa.md")
    listing = FileSource(SourceOptions(base=tmp_path, corpus=None)).find(
        [str(tmp_path)], absent_ok=False
    )
    assert [item.name for item in listing.items] == ["kopia.md"]
    assert listing.passed_over == {
        "further names of files that are listed under another": ("umowa.md",)
    }
