"""Paths -> IngestReport: read, cut, embed, write. Idempotent, and safe to kill at any moment.

Content decides what is done: every file is hashed, and one whose version and stamp are known is
left alone. Documents are on disk in groups as they are ready, so that a run that was stopped goes
on where it was. What vanished is removed last, so that a renamed file still finds its vectors.
"""

import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from cytat.ingestion.groups import Groups
from cytat.ingestion.preparing import (
    Job,
    Prepared,
    ReaderFor,
    Ready,
    Recipe,
    Same,
    is_known_to,
    read_ahead,
)
from cytat.ingestion.progress import Teller, remaining_of
from cytat.ingestion.tally import Tally, listed
from cytat.ingestion.vanished import Vanished, find_vanished
from cytat.ingestion.writing import (
    Kept,
    UnreadFile,
    WriteOutcome,
    WrittenVersion,
    check_chunking,
    keep,
)
from cytat.protocols import Chunker, Embedder, Store, space_of
from cytat.reading import reader_for as built_in_reader_for
from cytat.records import DocumentId, DocumentState, IngestReport, Progress, Unread
from cytat.sources import (
    SIZE_LIMIT_BYTES,
    FileState,
    FoundFiles,
    Settled,
    find_files,
    state_of_file,
)
from cytat.text.identity import document_id, path_of, source_of


def ingest(  # noqa: PLR0913 - one call says all of a run
    store: Store,
    paths: Sequence[str | Path],
    *,
    embedder: Embedder,
    chunker: Chunker,
    reader_for: ReaderFor = built_in_reader_for,
    prune: bool = False,
    metadata: Mapping[str, str] | None = None,
    label: str | None = None,
    password: str | None = None,
    limit_bytes: int = SIZE_LIMIT_BYTES,
    on_event: Callable[[Progress], None] | None = None,
) -> IngestReport:
    """Bring the corpus up to date with `paths`, and return what was done with each file.

    Args:
        store: the corpus.
        paths: files and folders; all of them must be there, or nothing is read.
        embedder: must be the one the corpus was made with.
        chunker: cuts documents.
        reader_for: finds the reader for a file.
        prune: remove the documents of a folder also when it is empty or missing.
        metadata: added to what the documents say of themselves.
        label: who may read the documents, "" for everyone; None leaves it as it is.
        password: for encrypted files.
        limit_bytes: larger files fail.
        on_event: told how far the run is; a file counts as done when it is on disk.
    """
    started = time.monotonic()
    with store.moment() as moment:
        moment.check_space(space_of(embedder))
        check_chunking(moment, chunker.name)
        missing = _missing_folders(moment.folders(), paths) if prune else ()
        before = moment.sources()  # ahead of the walk: what others add meanwhile has not vanished
    found = find_files([path for path in paths if Path(path) not in missing], corpus=store.file)
    recipe = Recipe(reader_for, chunker, embedder, password, metadata or {}, limit_bytes, label)
    run = Run(store, recipe, before, found, on_event or _ignore)
    run.take_all()
    run.remove_vanished(missing, prune=prune)
    return run.tally.report(encoder=embedder.name, seconds=time.monotonic() - started)


def ingest_again(  # noqa: PLR0913 - one call says all of a run
    store: Store,
    *,
    embedder: Embedder,
    chunker: Chunker,
    reader_for: ReaderFor = built_in_reader_for,
    again: frozenset[DocumentId] = frozenset(),
    password: str | None = None,
    limit_bytes: int = SIZE_LIMIT_BYTES,
    on_event: Callable[[Progress], None] | None = None,
) -> IngestReport:
    """Bring every document up to date with its file, and find no new ones.

    A document whose file is gone keeps its last version, marked stale, and is reported as failed.
    Those in `again` are made anew although nothing has changed.
    """
    started = time.monotonic()
    with store.moment() as moment:
        moment.check_space(space_of(embedder))
        before = moment.sources()
    paths = (path_of(source, base=store.base) for source in before.values())
    files = {path: state_of_file(path) or GONE for path in paths}
    found = FoundFiles(files=files, folders=(), closed=(), links=(), devices=())
    recipe = Recipe(reader_for, chunker, embedder, password, {}, limit_bytes, label=None)
    run = Run(store, recipe, before, found, on_event or _ignore, again=again)
    run.take_all()
    return run.tally.report(encoder=embedder.name, seconds=time.monotonic() - started)


GONE = FileState(size=0, modified_ns=0, number=0)


def _missing_folders(folders: Collection[Path], paths: Sequence[str | Path]) -> tuple[Path, ...]:
    """Return the given paths that were added as folders once and are gone."""
    return tuple(
        Path(path) for path in paths if not os.path.exists(path) and Path(path).resolve() in folders
    )


def _ignore(_: Progress) -> None:
    return


class Run:
    """One run: files are taken in order, and handed on in groups."""

    def __init__(  # noqa: PLR0913 - one run is told all of it
        self,
        store: Store,
        recipe: Recipe,
        before: Mapping[DocumentId, str],
        found: FoundFiles,
        on_event: Callable[[Progress], None],
        *,
        again: frozenset[DocumentId] = frozenset(),
        only: frozenset[Path] | None = None,
    ) -> None:
        """Take what was found; of it, `only` these files are read (None: all)."""
        self.tally = Tally()
        self._only = found.files.keys() if only is None else only
        self._again = again
        self._store = store
        self._recipe = recipe
        self._before = before
        self._found = found
        self._present: set[DocumentId] = set()
        self._read_bytes = 0
        """Of files whose passages have not been counted yet."""
        self._remaining = remaining_of(
            sum(state.size for path, state in found.files.items() if path in self._only)
        )
        self._teller = Teller(on_event, files=len(self._only), remaining=self._remaining)
        self._groups = Groups(
            store,
            recipe,
            on_begun=self._begun,
            on_written=self._count_all,
            on_tick=self._tick,
        )

    def take_all(self) -> None:
        """Bring every file that was found into the corpus."""
        self._remember_folders()
        self._note_what_was_passed_over()
        self.take_changes()

    def take_changes(self) -> None:
        """Bring the files to be read into the corpus, and tell of them alone."""
        with self._groups:
            for job, prepared in read_ahead(self._jobs(), self._recipe):
                self._teller.working_on(job.source)
                self._read_bytes += job.size
                self._take(prepared)
                self._tick()
            self._groups.finish()
        self._note_failures()

    def spare(self, paths: Collection[Path]) -> None:
        """Let documents stay whose files are in motion, or gone for a moment."""
        for path in paths:
            self._present.add(document_id(source_of(path, base=self._store.base)))

    def remove_vanished(self, missing: Sequence[Path], *, prune: bool) -> None:
        """Remove the documents whose files are gone."""
        base = self._store.base
        gone = {
            known: path_of(source, base=base)
            for known, source in self._before.items()
            if known not in self._present
        }
        folders = (*self._found.folders, *(path.resolve() for path in missing))
        walked = replace(self._found, folders=folders)
        vanished = find_vanished(self._known_folders(), gone, walked, prune=prune)
        if vanished.documents:
            with self._store.writing() as writing:
                for known in vanished.documents:
                    writing.remove(known)
        for known in vanished.documents:
            self.tally.removed(known, self._before[known])
        self._note_spared(vanished)

    # ------------------------------------------------------------ taking files

    def _jobs(self) -> Iterator[Job]:
        seen = set[DocumentId]()
        for path, state in self._found.files.items():
            source = source_of(path, base=self._store.base)
            known = document_id(source)
            if known in seen:
                self._refuse_double(source)
                continue
            seen.add(known)
            self._present.add(known)
            if path not in self._only:
                continue
            with self._store.moment() as moment:
                stored = moment.document(known)
            yield Job(path, source, known, stored, state.size, known in self._again)

    def _refuse_double(self, source: str) -> None:
        message = "another file has the same name, spelt with other Unicode characters"
        self._fail(source, message, hint="rename one of the two")
        self._teller.done(source, chunks=0)

    def _take(self, prepared: Prepared) -> None:
        match prepared:
            case Ready():
                self._note_language(prepared.language)
                self._groups.take(prepared)
            case Same():
                self._begun(characters=0)
                self._count(keep(self._store, prepared.known, self._recipe))
            case Unread():
                self._groups.take(prepared)

    def _count_all(self, outcomes: Iterable[WriteOutcome]) -> None:
        for outcome in outcomes:
            self._count(outcome)

    def _count(self, outcome: WriteOutcome) -> None:
        match outcome:
            case UnreadFile(unread, state):
                self.tally.unread(unread, state)
                self._teller.done(unread.source, chunks=0)
            case Kept(known, is_told_more):
                self.tally.kept(known, state="updated" if is_told_more else "unchanged")
                self._teller.done(known.source, chunks=0)
            case WrittenVersion(version):
                self.tally.written(outcome)
                self._teller.done(version.document.source, chunks=len(version.chunks))

    # ------------------------------------------------------------ telling

    def _begun(self, characters: int) -> None:
        self._remaining.read(self._read_bytes)
        self._remaining.asked_for(characters)
        self._read_bytes = 0

    def _tick(self) -> None:
        self._remaining.encoded(self._groups.encoder.characters_done)
        self._teller.tell()

    def _note_language(self, language: str | None) -> None:
        if language is not None and not is_known_to(self._recipe.embedder, language):
            self.tally.by_words_alone(language)

    def _remember_folders(self) -> None:
        new = sorted(set(self._found.folders) - set(self._known_folders()))
        if new:
            with self._store.writing() as writing:
                for folder in new:
                    writing.add_folder(folder)

    def _known_folders(self) -> Sequence[Path]:
        with self._store.moment() as moment:
            return moment.folders()

    def _note_what_was_passed_over(self) -> None:
        if self._found.links:
            self.tally.note(f"links are not followed: {self._named(self._found.links)}")
        if self._found.devices:
            self.tally.note(f"pipes and devices are not read: {self._named(self._found.devices)}")
        for folder in self._found.closed:
            self._fail(
                source_of(folder, base=self._store.base),
                f"the folder {folder.name} cannot be listed",
                hint="check that you may read it; what was indexed of it stays",
            )

    def _fail(self, source: str, message: str, *, hint: str) -> None:
        """Report something that has no row of its own in the corpus."""
        failed = DocumentState.FAILED
        unread = Unread(
            document_id(source), source, failed, "unreadable", message, hint, file=None, ledger=None
        )
        self.tally.unread(unread, failed)

    def _note_failures(self) -> None:
        failure = self._groups.encoder.failure
        if failure is not None:
            self.tally.note(
                f"some chunks have no vector and are found by words alone: {failure}; "
                "the next add tries again"
            )
        if self._groups.damage is not None:
            self.tally.note(
                f"{self._groups.damage}; new documents were indexed beside what is damaged: "
                "run `cytat reindex`, which fills it anew"
            )

    def _note_spared(self, vanished: Vanished) -> None:
        for folder, documents in vanished.spared.items():
            self.tally.note(
                f"{folder} is empty now; its {documents} documents stay until "
                f"`cytat add {folder} --prune`"
            )

    def _named(self, paths: Sequence[Path]) -> str:
        return listed([source_of(path, base=self._store.base) for path in paths])


def ingest_changes(  # noqa: PLR0913 - one call says all of a run
    store: Store,
    settled: Settled,
    *,
    embedder: Embedder,
    chunker: Chunker,
    reader_for: ReaderFor,
    metadata: Mapping[str, str],
    label: str | None,
    password: str | None,
    on_event: Callable[[Progress], None],
) -> IngestReport:
    """Bring in the files that changed, and take out those that are gone.

    What is in motion stays as it is, and so does a folder that was emptied, as with `ingest`.
    """
    started = time.monotonic()
    with store.moment() as moment:
        moment.check_space(space_of(embedder))
        before = moment.sources()
    recipe = Recipe(reader_for, chunker, embedder, password, metadata, SIZE_LIMIT_BYTES, label)
    run = Run(store, recipe, before, settled.found, on_event, only=settled.changed)
    run.spare(settled.in_motion)
    run.take_changes()
    run.remove_vanished((), prune=False)
    return run.tally.report(encoder=embedder.name, seconds=time.monotonic() - started)
