"""Kills of reindex, remove, purge, backup and migration: quick ones.

`benchmarks/kill_sweep.py --upkeep` does the same many times.
"""

import os
import random
import time
from pathlib import Path

import pytest
from tests.corpora import add, write_files
from tests.faults.kills import SECRET, VERBS, UpkeepSweep, corpus_in, make_corpus, purge, remove
from tests.stores import Store

from cytat import Corpus
from cytat.corpus.upkeep import back_up
from cytat.errors import UsageError

ROUNDS = 3


@pytest.mark.parametrize("name", VERBS)
def test_a_verb_of_upkeep_that_is_killed_leaves_old_or_new_and_the_next_call_ends_it(
    tmp_path: Path, name: str
) -> None:
    seed = int(os.environ.get("KILL_SEED", time.time_ns() % 10**6))
    print(f"KILL_SEED={seed}")
    sweep = UpkeepSweep(tmp_path, name, random.Random(seed))  # noqa: S311 - moments, not secrets
    sweep.begin()
    for _ in range(ROUNDS):
        sweep.round()


def test_a_purge_that_was_stopped_is_told_and_ended_without_naming_anything(tmp_path: Path) -> None:
    make_corpus(tmp_path)
    remove(tmp_path)
    with Store.open(corpus_in(tmp_path)) as store, store.writing() as writing:
        writing.want_purge()
    assert SECRET.encode() in corpus_in(tmp_path).read_bytes()
    with Corpus.open(corpus_in(tmp_path)) as corpus:
        assert "`cytat remove --purge`" in " ".join(corpus.verify().notes)
        assert corpus.remove(purge=True).removed == ()
        assert corpus.verify().notes == ()
    assert SECRET.encode() not in corpus_in(tmp_path).read_bytes()


def test_a_purge_also_takes_what_was_removed_before(tmp_path: Path) -> None:
    make_corpus(tmp_path)
    remove(tmp_path)
    purge(tmp_path)
    assert SECRET.encode() not in corpus_in(tmp_path).read_bytes()


def test_nothing_named_and_nothing_to_purge_is_misuse(tmp_path: Path) -> None:
    make_corpus(tmp_path)
    with Corpus.open(corpus_in(tmp_path)) as corpus, pytest.raises(UsageError, match="no SOURCE"):
        corpus.remove(())


def test_a_backup_clears_what_killed_ones_have_left_and_nothing_of_one_that_runs(
    tmp_path: Path,
) -> None:
    write_files(tmp_path / "docs", {"a.md": "Umowa najmu."})
    ended = 2**22 + 1  # above the largest number Linux gives a process
    mine = f".other.db.{os.getpid()}.partial"
    for name in (
        f".b.db.{ended}.partial",
        f".b.db.{ended}.partial-journal",
        mine,
        ".b.db.x.partial",
    ):
        (tmp_path / name).write_text("half")
    with Store.open_or_create(tmp_path / "c.db") as store:
        add(store, tmp_path / "docs")
        back_up(store, tmp_path / "b.db", force=False)
    left = {path.name for path in tmp_path.iterdir() if "partial" in path.name}
    assert left == {mine, ".b.db.x.partial"}


def test_a_hash_file_that_was_cut_short_is_none(tmp_path: Path) -> None:
    make_corpus(tmp_path)
    with Store.open(corpus_in(tmp_path)) as store:
        back_up(store, tmp_path / "b.db", force=False)
    (tmp_path / "b.db.sha256").write_text("")
    with Corpus.open(tmp_path / "b.db") as corpus:
        (check,) = (one for one in corpus.verify_backup().checks if one.name == "hash")
    assert check.value == "there is no hash file beside it"
