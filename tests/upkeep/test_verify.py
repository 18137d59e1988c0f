"""Verify: a sound corpus passes, and whatever is changed behind its back is named."""

import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from tests.corpora import add, write_files
from tests.stores import Store

from cytat.corpus.checking import verify_store
from cytat.corpus.upkeep import back_up
from cytat.errors import CytatError
from cytat.records import Verification
from cytat.testing.embedders import FakeEmbedder

FLIPS = int(os.environ.get("FLIPS", "60"))
"""More of them, with FLIPS=2000, take minutes."""
CONTENTS = (
    "select * from meta",
    "select * from folder",
    "select * from document order by row",
    "select * from segment order by document, start",
    "select * from chunk order by row",
    "select * from vector order by chunk",
    "select * from vector_next order by chunk",
    "select * from posting_batch order by batch",
    "select * from posting order by batch, term",
    "select * from posting_removed order by chunk",
)
"""All that the tables hold but traces."""
UNCOVERED = ("select * from meta", "select * from folder")
"""Not sealed: a number, an encoder's name, paths; no text of a document."""


def failures(found: Verification) -> dict[str, str]:
    return {check.name: check.value for check in found.checks if not check.ok}


def test_a_sound_corpus_passes(store: Store) -> None:
    for full in (False, True):
        found = verify_store(store, full=full)
        assert failures(found) == {}
        assert found.notes == ()
        assert [check.name for check in found.checks] == [
            *("sqlite", "format", "tables", "keys", "counts", "meta"),
            *("documents", "text", "chunks", "vectors", "words"),
        ]


def test_documents_of_every_state_pass(store: Store, folder: Path) -> None:
    write_files(folder, {"leer.txt": "", "deutsch.txt": "Der Hund schläft im Garten. " * 9})
    (folder / "kaputt.pdf").write_bytes(b"%PDF-1.7\nnothing")
    add(store, folder, embedder=FakeEmbedder(languages=frozenset({"pl"})))
    (folder / "umowa.md").write_bytes(b"%PDF-1.7\nnothing")
    add(store, folder, embedder=FakeEmbedder(languages=frozenset({"pl"})), metadata={"a": "b"})
    states = {document.state.value for document in store.documents()}
    assert states == {"indexed", "skipped", "failed", "stale"}
    assert store.status().totals["vectors"] < store.status().totals["chunks"]
    assert failures(verify_store(store, full=True)) == {}


@pytest.mark.parametrize(
    ("damage", "part"),
    [
        ("update segment set text = replace(text, '4300', '4800')", "chunks"),
        ("update segment set start = start + 1", "text"),
        ("update chunk set end = 9999 where row = 1", "chunks"),
        ("update chunk set passage_hash = zeroblob(32) where row = 1", "chunks"),
        ("update document set reading = '{' where source like '%umowa.md'", "text"),
        ("update document set ledger = '[]' where source like '%umowa.md'", "documents"),
        ("update document set state = 'fine' where source like '%umowa.md'", "documents"),
        ("update vector set vector = zeroblob(256) where chunk = 1", "vectors"),
        ("update vector set vector = zeroblob(9) where chunk = 1", "vectors"),
        ("insert into posting_removed values (1)", "words"),
        ("insert into posting_batch values (99, x'ff030000', x'01000000', null)", "words"),
        ("update posting set rows = x'ff030000', counts = x'01'", "words"),
        ("update posting set counts = x'' where term = 'kaucj'", "words"),
        ("update posting_batch set rows = x'01'", "words"),
        ("update document set characters = 5 where source like '%umowa.md'", "text"),
        ("drop index chunk_passage", "tables"),
        ("pragma user_version = 1", "format"),
        ("update folder set path = cast(x'2f746dff' as text)", "meta"),
        ("update meta set value = 'x' where key = 'generation'", "meta"),
    ],
)
def test_what_is_wrong_is_named_without_the_full_check(
    store: Store, damage: str, part: str
) -> None:
    store.connection.execute(damage)
    assert part in failures(verify_store(store, full=False))


@pytest.mark.parametrize(
    ("damage", "part"),
    [
        ("update document set title = 'Inna' where source like '%faktura.txt'", "text"),
        ("update document set metadata = '{}' where source like '%faktura.txt'", "documents"),
        ("update vector set vector = (select vector from vector where chunk = 2)", "vectors"),
        ("update segment set text = replace(text, 'Umowa', 'Umowy')", "text"),
        ("update posting set counts = x'07' where term = 'faktur'", "words"),
        ("update posting set term = 'kauczuk' where term = 'faktur'", "words"),
        ("delete from posting where term = 'faktur'", "words"),
        (
            "update posting_batch set lengths = cast(x'ff000000' || substr(lengths, 5) as blob)",
            "words",
        ),
    ],
)
def test_what_fits_its_surroundings_is_named_by_the_full_check(
    store: Store, damage: str, part: str
) -> None:
    store.connection.execute(damage)
    assert "docs/" in failures(verify_store(store, full=True))[part]


def test_changed_and_vanished_files_are_notes_and_no_failures(store: Store, folder: Path) -> None:
    write_files(folder, {"umowa.md": "inna"})
    (folder / "notatka.txt").unlink()
    found = verify_store(store, full=True)
    assert failures(found) == {}
    assert ["docs/umowa.md" in note for note in found.notes] == [True, False]
    assert ["docs/notatka.txt" in note for note in found.notes] == [False, True]
    assert verify_store(store, full=False).notes == ()


def test_an_old_file_says_that_it_has_no_seals_until_it_is_reindexed(tmp_path: Path) -> None:
    first = Path(__file__).parents[1] / "files" / "format-1.db"
    with Store.open(Path(shutil.copy(first, tmp_path))) as store:
        found = verify_store(store, full=True)
        assert failures(found) == {}
        assert any("no seal" in note for note in found.notes)
        assert any("an earlier version: " in note for note in found.notes)


# ---------------------------------------------------------------- random damage


@pytest.fixture
def whole(store: Store, folder: Path, tmp_path: Path) -> Path:
    """One file that holds a corpus with more than a page in most tables."""
    texts = {
        f"{at}.txt": f"Pismo {at}: {'zażółć gęślą jaźń ' * at * 3}koniec.\n" for at in range(12)
    }
    write_files(folder, texts)
    add(store, folder)
    back_up(store, tmp_path / "whole.db", force=False)
    return tmp_path / "whole.db"


def contents(path: Path) -> dict[str, object]:
    """Return all that the tables hold, read by SQLite alone, or why it cannot be read."""
    connection = apsw.Connection(str(path))
    found: dict[str, object] = {}
    try:
        for query in CONTENTS:
            found[query] = list(connection.execute(query))
    except (apsw.Error, UnicodeDecodeError) as damage:
        found["unreadable"] = str(damage)
    finally:
        connection.close()
    return found


def put(path: Path, content: bytes | bytearray) -> None:
    """Write a corpus file, and leave nothing beside it of the last one."""
    for ending in ("-wal", "-shm", "-journal"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    path.write_bytes(content)


def flips(size: int) -> Iterator[int]:
    seed = int(os.environ.get("FLIP_SEED", "2026"))  # other seeds: benchmarks/fault_sweep.py
    print(f"FLIP_SEED={seed}")
    chosen = random.Random(seed)  # noqa: S311 - places, not secrets
    yield from (chosen.randrange(8 * size) for _ in range(FLIPS))


def verdict(path: Path) -> str:
    """Return `sound`, or what was found; anything but an error of ours fails the test."""
    try:
        with Store.open(path) as store:
            return "; ".join(failures(verify_store(store, full=True)).values()) or "sound"
    except CytatError as error:
        return error.message


def test_a_column_under_another_name_is_told(whole: Path, tmp_path: Path) -> None:
    sound = whole.read_bytes()
    at = sound.index(b"value", sound.lower().index(b"create table meta"))
    path = tmp_path / "flipped.db"
    put(path, bytearray(sound[:at] + b"valve" + sound[at + 5 :]))
    assert "meta is not as it was made" in verdict(path)


def test_random_bit_flips_break_nothing_silently(whole: Path, tmp_path: Path) -> None:
    sound, before = whole.read_bytes(), contents(whole)
    path = tmp_path / "flipped.db"
    found, harmless, uncovered, missed = 0, 0, 0, []
    for bit in flips(len(sound)):
        flipped = bytearray(sound)
        flipped[bit // 8] ^= 1 << bit % 8
        put(path, flipped)
        if verdict(path) != "sound":
            found += 1
            continue
        put(path, flipped)
        after = contents(path)
        if after == before:
            harmless += 1
            continue
        changed = [query for query in CONTENTS if after.get(query) != before[query]]
        if set(changed) <= set(UNCOVERED):
            uncovered += 1
        else:
            missed.append((bit, changed, after.get("unreadable")))
    print(f"{found} found, {harmless} harmless, {uncovered} in settings, {len(missed)} missed")
    assert missed == []
    assert found > FLIPS // 10
