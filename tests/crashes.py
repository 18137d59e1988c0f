"""Kill a process that adds a folder, at random moments, and look at what it left.

Used by the law of wholeness in the tests and by the longer sweep in `benchmarks`.
"""

import contextlib
import importlib
import multiprocessing
import random
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from tests.corpora import add, check_whole, write_files
from tests.stores import Store

from cytat.records import Progress

FILES = 14
CHANGED_PER_ROUND = 5
SMALL_GROUPS = ("GROUP_DOCUMENTS", 2)
"""So that a small folder takes several transactions."""
FRESH_EVERY = 10
"""Rounds after which the corpus is begun anew, so that its making is interrupted too."""
LATEST = 1.5
"""Of the last undisturbed run: a third of the runs end by themselves, and measure it anew."""
PATIENCE_S = 120.0
PRELOADED = ["tests.crashes", "cytat.reading.text.markdown", "Stemmer", "pytest"]
"""What a child would load by itself is loaded once, before it is forked."""

STARTED = b"started"


def add_and_acknowledge(corpus: Path, folder: Path, acknowledgements: Connection) -> None:
    """Add a folder, naming each file on the pipe once it is reported as done."""
    setattr(importlib.import_module("cytat.ingestion.groups"), *SMALL_GROUPS)
    done = 0

    def acknowledge(progress: Progress) -> None:
        nonlocal done
        if progress.files_done > done:
            done = progress.files_done
            acknowledgements.send_bytes(progress.source.encode())

    acknowledgements.send_bytes(STARTED)
    with Store.open_or_create(corpus) as store:
        add(store, folder, on_event=acknowledge)


@dataclass
class Sweep:
    """A folder that changes, the corpus made of it, and all that its files ever held."""

    place: Path
    random: random.Random
    texts: dict[str, str] = field(default_factory=dict)
    ever: dict[str, set[str]] = field(default_factory=dict)
    undisturbed_s: float = 1.0
    """How long the last run took that was not interrupted: the moments of kills are within it."""
    interrupted: int = 0
    acknowledged: int = 0

    @property
    def corpus(self) -> Path:
        return self.place / "cytat.db"

    def begin(self) -> None:
        """Make the folder, and let one run end."""
        for number in range(FILES):
            self._change(f"{number:02}.md")
        self._run(kill_after_s=None)

    def forget(self) -> None:
        """Begin the corpus anew."""
        for file in self.place.glob("cytat.db*"):
            file.unlink()

    def round(self, number: int) -> None:
        """Change some files, add them, kill at a random moment, and check what is there."""
        if number % FRESH_EVERY == 0:
            self.forget()
        for name in self.random.sample(sorted(self.texts), CHANGED_PER_ROUND):
            self._change(name)
        acknowledged = self._run(kill_after_s=self.random.uniform(0, LATEST * self.undisturbed_s))
        self.acknowledged += len(acknowledged)
        self.interrupted += len(acknowledged) < FILES
        if self.corpus.exists() and self.corpus.stat().st_size:
            self._check(acknowledged)

    def finish(self) -> None:
        """Let the last run end, and check that everything is there as it is now."""
        acknowledged = self._run(kill_after_s=None)
        assert len(acknowledged) == FILES
        self._check(acknowledged)

    def _change(self, name: str) -> None:
        words = [self.random.choice(("kot", "pies", "dom", "umowa")) for _ in range(60)]
        text = f"# {name} {self.random.random()}\n\n" + " ".join(words) + ".\n"
        self.texts[name] = text
        self.ever.setdefault(name, set()).add(text)
        write_files(self.place / "docs", {name: text})

    def _run(self, *, kill_after_s: float | None) -> set[str]:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(PRELOADED)
        ours, theirs = context.Pipe(duplex=False)
        child = context.Process(
            target=add_and_acknowledge, args=(self.corpus, self.place / "docs", theirs)
        )
        child.start()
        theirs.close()
        assert ours.poll(PATIENCE_S)
        assert ours.recv_bytes() == STARTED
        started = time.monotonic()
        child.join(PATIENCE_S if kill_after_s is None else kill_after_s)
        if child.exitcode is None:
            child.kill()
            child.join()
        else:
            self.undisturbed_s = time.monotonic() - started
        names: set[str] = set()
        with contextlib.suppress(EOFError):
            while True:
                names.add(ours.recv_bytes().decode().removeprefix("docs/"))
        ours.close()
        child.close()
        return names

    def _check(self, acknowledged: set[str]) -> None:
        with Store.open_or_create(self.corpus) as store:
            check_whole(store)
            held = {
                document.source.removeprefix("docs/"): store.text(document.id)
                for document in store.documents()
            }
        for name, text in held.items():
            assert text in self.ever[name], f"{name} is half of something"
        for name in acknowledged:
            assert held.get(name) == self.texts[name], f"{name} was acknowledged and is lost"
