"""Kill a process in a verb of upkeep, at random moments; look at what it left, and go on.

Each verb begins from the same corpus. What a kill leaves must be the state before or the one
after, in every document; doing the verb again must end as an undisturbed run does. Used by the
quick tests here and by the longer sweep in `benchmarks/kill_sweep.py`.
"""

import importlib
import multiprocessing
import random
import shutil
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from types import MappingProxyType

import apsw
from tests.corpora import add, check_whole, content_of, tools_of, write_files
from tests.stores import Store

from cytat.backends.sqlite.migrations import migrate
from cytat.backends.sqlite.repairing import terms_of_chunks
from cytat.backends.sqlite.schema import MIGRATIONS
from cytat.chunking import StructureChunker, open_chunker
from cytat.corpus.checking import verify_store
from cytat.corpus.upkeep import back_up, hash_of, remove_documents, told_hash
from cytat.fulltext import terms_of_chunk
from cytat.ingestion import reindex
from cytat.testing.embedders import FakeEmbedder

FILES = 10
REMOVED = 4
SECRET = "xenonowiec"
"""Stands in what is removed and nowhere else."""
OLD, NEW = FakeEmbedder(), FakeEmbedder(name="other", dimensions=32)
CUTTER = StructureChunker(budget_tokens=40, token_ends=OLD.token_ends)
SMALL = (
    ("cytat.ingestion.groups", "GROUP_DOCUMENTS", 2),
    ("cytat.ingestion.groups", "GROUP_PASSAGES", 16),
    ("cytat.ingestion.reindexing", "BATCH_PASSAGES", 8),
    ("cytat.backends.sqlite.upkeep", "PAGES_IN_A_STEP", 8),
)
"""So that a small corpus takes several transactions."""
LATEST = 1.3
"""Of an undisturbed run: some runs end by themselves, and measure it anew."""
PATIENCE_S = 60.0
PRELOADED = ["tests.faults.kills", "cytat.reading.text.markdown", "Stemmer", "pytest"]
STARTED = b"started"


@dataclass(frozen=True, slots=True)
class Verb:
    """Something that is done to a folder with a corpus.

    `begin` brings a fresh folder to where it starts; `act` does it, also what is left of it;
    `is_done` says whether a folder is as after it and fails where it is neither before nor after.
    """

    begin: Callable[[Path], None]
    act: Callable[[Path], None]
    is_done: Callable[[Path], bool]


def corpus_in(folder: Path) -> Path:
    return folder / "cytat.db"


def text_of(number: int) -> str:
    words = "umowa najem lokal czynsz kaucja termin strona pismo".split()  # noqa: SIM905
    said = " ".join(words[(number * at) % len(words)] for at in range(1, 160))
    told = SECRET if number < REMOVED else "jawne"
    return f"# Pismo {number}\n\n{told} {said}.\n\n## Dalej\n\n{said} {number}.\n"


def make_corpus(folder: Path) -> None:
    write_files(folder / "docs", {f"{number}.md": text_of(number) for number in range(FILES)})
    with Store.open_or_create(corpus_in(folder)) as store:
        add(store, folder / "docs")


def check_sound(store: Store) -> None:
    check_whole(store)
    wrong = [check for check in verify_store(store, full=True).checks if not check.ok]
    assert not wrong, wrong


def texts_in(store: Store) -> dict[str, str]:
    return {Path(one.source).name: store.text(one.id) for one in store.documents()}


def check_texts(store: Store, numbers: Collection[int]) -> None:
    assert texts_in(store) == {f"{number}.md": text_of(number) for number in numbers}


# ---------------------------------------------------------------- reindex


def embed_anew(folder: Path) -> None:
    with Store.open(corpus_in(folder)) as store:
        reindex(store, tools_of(store, NEW, CUTTER))


def is_embedded_anew(folder: Path) -> bool:
    """Say which encoder's vectors are there: all of them, and what searches are compared with."""
    with Store.open(corpus_in(folder)) as store:
        check_sound(store)
        check_texts(store, range(FILES))
        space = store.space()
        assert space is not None
        with store.reading() as connection:
            lengths = {size for (size,) in connection.execute("select length(vector) from vector")}
        assert lengths == {4 * space.dimensions}
        stamps = {one.stamp.embedder for one in store.documents() if one.stamp}
        assert stamps == {space.embedder}
        return space.embedder == NEW.name and store.pending_space() is None


def cut_anew(folder: Path) -> None:
    with Store.open(corpus_in(folder)) as store:
        reindex(store, tools_of(store, OLD, open_chunker("fixed:20+4", embedder=OLD)))


def is_cut_anew(folder: Path) -> bool:
    """Say whether all are cut anew; a document is cut in one way or the other, whole."""
    with Store.open(corpus_in(folder)) as store:
        check_sound(store)
        check_texts(store, range(FILES))
        stamps = {one.stamp.chunking for one in store.documents() if one.stamp}
    assert stamps <= {CUTTER.name, open_chunker("fixed:20+4", embedder=OLD).name}
    return CUTTER.name not in stamps


# ---------------------------------------------------------------- remove


def left_to_remove(store: Store) -> list[str]:
    unwanted = {f"{number}.md" for number in range(REMOVED)}
    return [one.source for one in store.documents() if Path(one.source).name in unwanted]


def remove(folder: Path) -> None:
    with Store.open(corpus_in(folder)) as store:
        if left := left_to_remove(store):
            remove_documents(store, left, purge=False)


def is_removed(folder: Path) -> bool:
    """Say whether what was named together has gone together."""
    with Store.open(corpus_in(folder)) as store:
        check_sound(store)
        is_done = not left_to_remove(store)
        check_texts(store, range(REMOVED if is_done else 0, FILES))
        return is_done


def purge(folder: Path) -> None:
    with Store.open(corpus_in(folder)) as store:
        remove_documents(store, left_to_remove(store), purge=True)


def is_purged(folder: Path) -> bool:
    """Say whether the words have left the file; whoever is told so must find none of them."""
    is_gone = is_removed(folder)
    with Store.open(corpus_in(folder)) as store:
        is_told = is_gone and not store.upkeep.is_purge_wanted()
    held = b"".join(file.read_bytes() for file in folder.glob("cytat.db*"))
    assert not (is_told and SECRET.encode() in held), "the words are in the file"
    return is_told


# ---------------------------------------------------------------- backup


def make_corpus_and_backup(folder: Path) -> None:
    make_corpus(folder)
    copy_corpus(folder)
    write_files(folder / "docs", {f"{FILES}.md": text_of(FILES)})
    with Store.open(corpus_in(folder)) as store:
        add(store, folder / "docs")


def copy_corpus(folder: Path) -> None:
    with Store.open(corpus_in(folder)) as store:
        back_up(store, folder / "backup.db", force=True)


def is_backed_up(folder: Path) -> bool:
    """Say whether the new backup is there, with its hash and nothing beside it.

    Before it is there, the last one is, whole; a hash that is there fits.
    """
    file = folder / "backup.db"
    told = told_hash(file)
    assert told in {None, hash_of(file)}
    others = [path.name for path in folder.iterdir() if "partial" in path.name]
    copied = folder / "opened.db"
    shutil.copy(file, copied)
    with Store.open(copied) as store:
        check_sound(store)
        held = len(store.documents())
        check_texts(store, range(held))
    assert held in {FILES, FILES + 1}
    for path in folder.glob("opened.db*"):
        path.unlink()
    return held == FILES + 1 and told is not None and not others


# ---------------------------------------------------------------- migration

CARRIED = {
    "meta": "key, value",
    "folder": "path",
    "document": (
        "row, id, source, title, media_type, state, code, message, hint, version, size, "
        "modified_ns, characters, language, reading, metadata, given, ledger, stamp, read_label"
    ),
    "segment": "document, start, line, text",
    "chunk": ("row, id, document, start, end, heading_path, context, passage_hash, words_hash"),
    "vector": "chunk, vector",
}


def make_old_file(folder: Path, *, number: int) -> None:
    """Make a corpus in one of the formats before, out of one of today."""
    make_corpus(folder)
    path = corpus_in(folder)
    today = path.rename(folder / "today.db")
    connection = apsw.Connection(str(path))
    migrate(connection, path, MIGRATIONS[: min(number, 2)])
    connection.execute("attach ? as today", (str(today),))
    with connection:
        for table, columns in CARRIED.items():
            connection.execute(
                f"insert into {table} ({columns}) select {columns} from today.{table}"  # noqa: S608
            )
        connection.execute("delete from meta where key = 'last_row'")
        with Store.open(today) as store, store.moment() as moment:
            found = terms_of_chunks(moment.connection, terms_of_chunk)
            words = [(row, " ".join(terms)) for row, terms in found]
        connection.executemany("insert into words (rowid, heading, body) values (?, '', ?)", words)
    connection.execute("detach today")
    migrate(connection, path, MIGRATIONS[:number])
    connection.close()
    for file in folder.glob("today.db*"):
        file.unlink()


def open_file(folder: Path) -> None:
    Store.open(corpus_in(folder)).close()


def is_migrated(folder: Path) -> bool:
    """Say whether the file has today's format; looking at it brings it there, so a copy is."""
    version = int.from_bytes(_header(corpus_in(folder))[60:64], "big")
    looked = folder / "looked"
    shutil.rmtree(looked, ignore_errors=True)
    looked.mkdir()
    for file in folder.glob("cytat.db*"):
        shutil.copy(file, looked)
    connection = apsw.Connection(str(corpus_in(looked)))
    in_force = connection.pragma("user_version")
    connection.close()
    with Store.open(corpus_in(looked)) as store:
        check_sound(store)
        check_texts(store, range(FILES))
    shutil.rmtree(looked)
    assert version <= in_force <= len(MIGRATIONS)
    return bool(in_force == len(MIGRATIONS))


def _header(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(100)


def _from_format(number: int) -> Verb:
    return Verb(lambda folder: make_old_file(folder, number=number), open_file, is_migrated)


VERBS: Mapping[str, Verb] = MappingProxyType(
    {
        "reindex-encoder": Verb(make_corpus, embed_anew, is_embedded_anew),
        "reindex-cutting": Verb(make_corpus, cut_anew, is_cut_anew),
        "remove": Verb(make_corpus, remove, is_removed),
        "remove-purge": Verb(make_corpus, purge, is_purged),
        "backup": Verb(make_corpus_and_backup, copy_corpus, is_backed_up),
        **{f"migrate-from-{number}": _from_format(number) for number in range(1, len(MIGRATIONS))},
    }
)


# ---------------------------------------------------------------- the sweep


def act_and_tell(name: str, folder: Path, told: Connection) -> None:
    """Do a verb in a process of its own."""
    for module, constant, value in SMALL:
        setattr(importlib.import_module(module), constant, value)
    told.send_bytes(STARTED)
    VERBS[name].act(folder)


@dataclass
class UpkeepSweep:
    """One verb, killed again and again, each time from the same beginning."""

    place: Path
    name: str
    random: random.Random
    undisturbed_s: float = 1.0
    kills: int = 0
    before: int = 0
    """Kills after which the verb was still to be done."""
    after: int = 0
    """Kills, or ends, after which it was done."""
    wanted: object = field(default=None)

    @property
    def verb(self) -> Verb:
        return VERBS[self.name]

    def begin(self) -> None:
        """Make what each round starts from, and let one run end."""
        self.verb.begin(self._kept)
        self._fresh()
        assert not self.verb.is_done(self._fresh())
        self._run(self._fresh(), kill_after_s=None)
        assert self.verb.is_done(self._work)
        self.wanted = self._content()

    def round(self) -> None:
        """Kill at a random moment; look; do it again, and look whether all is as it should be."""
        work = self._fresh()
        is_killed = self._run(
            work, kill_after_s=self.random.uniform(0, LATEST * self.undisturbed_s)
        )
        self.kills += is_killed
        is_done = self.verb.is_done(work)
        assert is_done or is_killed, "it has ended and is not done"
        self.before += not is_done
        self.after += is_done
        self.verb.act(work)
        assert self.verb.is_done(work), "doing it again does not mend it"
        assert self._content() == self.wanted

    @property
    def _kept(self) -> Path:
        folder = self.place / "kept"
        folder.mkdir(exist_ok=True)
        return folder

    @property
    def _work(self) -> Path:
        return self.place / "work"

    def _fresh(self) -> Path:
        shutil.rmtree(self._work, ignore_errors=True)
        shutil.copytree(self._kept, self._work)
        return self._work

    def _content(self) -> object:
        with Store.open(corpus_in(self._work)) as store:
            return content_of(store)

    def _run(self, folder: Path, *, kill_after_s: float | None) -> bool:
        """Do the verb in a process, and say whether it was killed before its end."""
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(PRELOADED)
        ours, theirs = context.Pipe(duplex=False)
        child = context.Process(target=act_and_tell, args=(self.name, folder, theirs))
        child.start()
        theirs.close()
        assert ours.poll(PATIENCE_S)
        assert ours.recv_bytes() == STARTED
        started = time.monotonic()
        child.join(PATIENCE_S if kill_after_s is None else kill_after_s)
        is_killed = child.exitcode is None
        if is_killed:
            child.kill()
            child.join()
        else:
            assert child.exitcode == 0
            self.undisturbed_s = time.monotonic() - started
        ours.close()
        child.close()
        return is_killed
