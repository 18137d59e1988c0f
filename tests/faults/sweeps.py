"""A small corpus is brought up to date on a disk that fails; what is left is looked at."""

import contextlib
import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import apsw
from tests.corpora import add, check_whole, content_of, write_files
from tests.faults.disks import Fault, Power, open_on
from tests.stores import Store

from cytat.corpus.checking import verify_store
from cytat.errors import CytatError
from cytat.ingestion import groups
from cytat.records import Progress

FILES = 6
WORDS = "umowa najmu lokalu czynsz kaucja termin wypowiedzenie strony ".split()  # noqa: SIM905


@contextmanager
def small_groups() -> Iterator[None]:
    """Let a small folder take several transactions."""
    before, groups.GROUP_DOCUMENTS = groups.GROUP_DOCUMENTS, 2
    try:
        yield
    finally:
        groups.GROUP_DOCUMENTS = before


def text_of(number: int, version: str) -> str:
    """Return a text of a few chunks, another for each version."""
    words = " ".join(WORDS[(number + at) % len(WORDS)] for at in range(90))
    return f"# Pismo {number}\n\n{version}. {words}.\n\n## Dalej\n\n{words} {version}.\n"


@dataclass
class Scene:
    """A folder in two versions, and a corpus that holds the first."""

    place: Path

    def make(self) -> None:
        """Write the first version and index it; then write the second beside it."""
        write_files(self.docs, {f"{n}.md": text_of(n, "stare") for n in range(FILES)})
        with Store.open_or_create(self.kept / "cytat.db") as store:
            add(store, self.docs)
        write_files(self.docs, {f"{n}.md": text_of(n, "nowe") for n in range(FILES)})

    @property
    def docs(self) -> Path:
        return self.place / "docs"

    @property
    def kept(self) -> Path:
        folder = self.place / "kept"
        folder.mkdir(exist_ok=True)
        return folder

    def fresh(self) -> Path:
        """Return a copy of the corpus to do harm to."""
        folder = self.place / "work"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.kept, folder)
        return folder / "cytat.db"


def bring_up_to_date(path: Path, docs: Path, state: Power | Fault) -> tuple[set[str], str | None]:
    """Add the new versions; return what was acknowledged, and what was told of the failure."""
    acknowledged: set[str] = set()
    done = 0

    def note(progress: Progress) -> None:
        nonlocal done
        if progress.files_done > done:
            done = progress.files_done
            acknowledged.add(Path(progress.source).name)

    store, told = None, None
    try:
        with small_groups():
            store = open_on(path, state)
            add(store, docs, on_event=note)
    except (CytatError, apsw.Error) as failure:
        told = f"{type(failure).__name__}: {failure}"
    finally:
        if store is not None:
            with contextlib.suppress(apsw.Error):
                store.close()
    return acknowledged, told


def look(path: Path, acknowledged: set[str]) -> None:
    """Fail unless each document is whole, old or new, and new where that was acknowledged."""
    with Store.open(path) as store:
        check_whole(store)
        held = {Path(one.source).name: store.text(one.id) for one in store.documents()}
        assert not [check for check in verify_store(store, full=True).checks if not check.ok]
    assert len(held) == FILES
    for number in range(FILES):
        name = f"{number}.md"
        assert held[name] in {text_of(number, "stare"), text_of(number, "nowe")}, name
        if name in acknowledged:
            assert held[name] == text_of(number, "nowe"), f"{name} was acknowledged and is lost"


def power_cut(scene: Scene, seed: int, *, operations: int, is_honest: bool = True) -> int:
    """Cut the power at a random operation; return how many documents were acknowledged before."""
    dice = random.Random(seed)  # noqa: S311 - moments, not secrets
    path = scene.fresh()
    power = Power(cut_at=dice.randrange(1, operations), is_honest=is_honest)
    acknowledged, _ = bring_up_to_date(path, scene.docs, power)
    left = scene.place / "left"
    shutil.rmtree(left, ignore_errors=True)
    left.mkdir()
    power.leave(left, dice)
    look(left / "cytat.db", acknowledged)
    return len(acknowledged)


def count_operations(scene: Scene, state: Power | Fault) -> int:
    """Return how many operations an undisturbed run takes."""
    acknowledged, told = bring_up_to_date(scene.fresh(), scene.docs, state)
    assert told is None
    assert len(acknowledged) == FILES
    return state.operations


def fail_at(scene: Scene, fault: Fault) -> bool:
    """Let an operation fail; say whether that was told. What is left must be whole.

    A failure that is not told came after the last commit, as the file was closed.
    """
    path = scene.fresh()
    acknowledged, told = bring_up_to_date(path, scene.docs, fault)
    look(path, acknowledged)
    assert told or len(acknowledged) == FILES, f"operation {fault.at} failed, and nobody was told"
    return told is not None


@dataclass(frozen=True, slots=True)
class Flip:
    """A flipped bit: whether stored text or vectors changed by it, and who noticed."""

    is_harm: bool
    by_verify: bool
    by_full: bool


def flip(scene: Scene, seed: int) -> Flip:
    """Flip a bit anywhere in the file."""
    dice = random.Random(seed)  # noqa: S311
    path = scene.fresh()
    with Store.open(path) as store:
        before = content_of(store)
    content = bytearray(path.read_bytes())
    content[dice.randrange(len(content))] ^= 1 << dice.randrange(8)
    path.write_bytes(content)
    try:
        with Store.open(path) as store:
            noticed = [
                any(not check.ok for check in verify_store(store, full=full).checks)
                for full in (False, True)
            ]
    except CytatError:
        return Flip(is_harm=True, by_verify=True, by_full=True)
    try:
        with Store.open(path) as store:
            is_harm = content_of(store) != before
    except Exception:  # noqa: BLE001 - reading damage may fail in any way
        is_harm = True
    return Flip(is_harm, *noticed)
